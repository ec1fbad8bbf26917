//! Classifies a file for verification: a bibliography, a pasted list, or a manuscript, whose references
//! are checked and whose citations are compared with them. Only this module reads manuscripts for it.

use crate::blocking::{BlockingError, Job, PoolKind};
use crate::lookup::verify::{Printed, VerificationInput, apply_list_style};
use citation_documents::{
    self as documents, Companions, Document, DocumentError, Finding, ManuscriptFormat, Place,
};
use citation_exchange::{self as exchange, Content, Format, Hints, Unreadable};
use citation_matching::reference::Reference;
use citation_matching::split;
use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::Identifier;

/// The content of a file.
pub enum Contents {
    Bibliography(&'static Format),
    /// References as people paste them, with any text around them.
    List,
    Manuscript(Manuscript),
}

/// A parsed manuscript.
pub struct Manuscript {
    pub format: ManuscriptFormat,
    /// The references of its list; if it prints none, the works that it cites.
    pub references: Vec<ManuscriptReference>,
    /// Number of marked citations.
    pub citations: usize,
    /// Undefined keys, entries never cited, works listed twice.
    pub findings: Vec<Finding>,
}

/// One reference of a manuscript.
pub struct ManuscriptReference {
    /// As printed; otherwise the main fields of the work.
    pub text: String,
    pub key: Option<String>,
    pub place: Place,
    pub given: VerificationInput,
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    #[error("{0}")]
    Unreadable(&'static Unreadable),
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// No process can read it now.
    #[error(transparent)]
    Blocked(#[from] BlockingError),
}

impl From<Exceeded> for ContentsError {
    fn from(exceeded: Exceeded) -> ContentsError {
        ContentsError::Document(DocumentError::Exceeded(exceeded))
    }
}

/// Classifies a file by its content and name, and reads a manuscript. `companions` returns the
/// files beside it that it names.
pub fn read(
    content: &Content<'_>,
    bytes: &[u8],
    hints: Hints<'_>,
    companions: Companions<'_>,
    job: &Job,
) -> Result<Contents, ContentsError> {
    let name = hints.file_name.unwrap_or_default();
    let budget = job.budget();
    // A manuscript that is not read may hold entries of a bibliography, too.
    if let Err(cause @ DocumentError::Unsupported { .. }) = documents::detect(name, b"") {
        return Err(cause.into());
    }
    let manuscript = || document(name, bytes, companions, job);
    match exchange::recognise(content, hints, budget)? {
        Ok(Some(format)) if !may_be_manuscript(name, format) => Ok(Contents::Bibliography(format)),
        Ok(Some(format)) => match manuscript() {
            Ok(document) if !document.citations.is_empty() => {
                Ok(Contents::Manuscript(Manuscript::of(document, budget)?))
            }
            _ => Ok(Contents::Bibliography(format)),
        },
        Ok(None) => match manuscript() {
            Ok(document) if is_list(content.text(), name, &document, budget)? => Ok(Contents::List),
            Ok(document) => Ok(Contents::Manuscript(Manuscript::of(document, budget)?)),
            Err(ContentsError::Document(DocumentError::Broken { .. })) if is_plain(name) => {
                Ok(Contents::List)
            }
            Err(cause) => Err(cause),
        },
        Err(unreadable) => match manuscript() {
            Ok(document) => Ok(Contents::Manuscript(Manuscript::of(document, budget)?)),
            // The format registry also knows file names; the name may be that of a manuscript, too.
            Err(ContentsError::Document(DocumentError::Unsupported { .. }))
                if documents::detect(name, bytes).is_ok() =>
            {
                Err(ContentsError::Unreadable(unreadable))
            }
            Err(cause) => Err(cause),
        },
    }
}

/// Reads a manuscript. While a process reads it, the job waits in the pool for documents and holds no other
/// slot.
pub fn document(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    job: &Job,
) -> Result<Document, ContentsError> {
    crate::manuscript::read_waiting(name, bytes, companions, job.budget(), |read| {
        Ok(job.run_in(PoolKind::Documents, |job: Job| read(job.budget()))?)
    })
}

/// Whether a file that looks like a bibliography may be a manuscript that contains one, as Markdown and
/// web pages do.
fn may_be_manuscript(name: &str, format: &Format) -> bool {
    let own = named_format(name);
    let has_own_ending = format
        .extensions
        .iter()
        .any(|ending| name.to_ascii_lowercase().ends_with(&format!(".{ending}")));
    !has_own_ending && own.is_some_and(|own| own != ManuscriptFormat::Text)
}

fn named_format(name: &str) -> Option<ManuscriptFormat> {
    let (_, extension) = name.rsplit_once('.')?;
    ManuscriptFormat::of_extension(extension)
}

/// Whether the name only says that it is text.
fn is_plain(name: &str) -> bool {
    named_format(name).is_none_or(|format| format == ManuscriptFormat::Text)
}

/// Whether a text is little more than a list.
fn is_list(text: &str, name: &str, document: &Document, budget: &Budget) -> Result<bool, Exceeded> {
    /// The most letters before the first reference, and their largest share of the text, for a list.
    const MIN_LETTERS: usize = 300;
    const MIN_SHARE: usize = 10;
    if !document.citations.is_empty() {
        return Ok(false);
    }
    let Some(first) = document.references.first() else {
        return Ok(is_plain(name) || is_list_of_references(text, budget)?);
    };
    if !matches!(
        document.format,
        ManuscriptFormat::Text | ManuscriptFormat::Markdown
    ) {
        return Ok(false);
    }
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let above = first.place.line.unwrap_or(1).saturating_sub(1);
    let before: usize = text.lines().take(above).map(letters).sum();
    Ok(before <= MIN_LETTERS || before * MIN_SHARE <= letters(text))
}

/// Whether most of the references that a list is split into have a year or an identifier.
fn is_list_of_references(text: &str, budget: &Budget) -> Result<bool, Exceeded> {
    let pieces = split(text, budget)?.pieces;
    let mut like = 0;
    for piece in &pieces {
        budget.spend(Reference::steps(&piece.text))?;
        let reference = Reference::parse(&piece.text);
        like += usize::from(!reference.years.is_empty() || !reference.identifiers.is_empty());
    }
    Ok(like > 0 && like * 10 >= pieces.len() * 6)
}

impl Manuscript {
    fn of(document: Document, budget: &Budget) -> Result<Manuscript, Exceeded> {
        let mut references = Vec::with_capacity(document.references.len());
        for reference in document.references {
            budget.spend(Reference::steps(&reference.text))?;
            references.push(ManuscriptReference::of(reference));
        }
        apply_list_style(references.iter_mut().map(|reference| &mut reference.given));
        Ok(Manuscript {
            format: document.format,
            references,
            citations: document.citations.len(),
            findings: document.findings,
        })
    }
}

impl ManuscriptReference {
    fn of(reference: documents::ListedReference) -> ManuscriptReference {
        let is_printed = reference.is_printed();
        let given = match reference.item {
            None => {
                let mut given = VerificationInput::text(&reference.text);
                // The text of a link may not be printed.
                let known = &mut given.reference.identifiers;
                let linked = reference.doi.map(Identifier::Doi);
                known.extend(linked.filter(|doi| !known.contains(doi)));
                given
            }
            Some(item) => VerificationInput {
                reference: Reference::of_item(&item),
                printed: is_printed.then(|| {
                    Box::new(Printed {
                        text: Reference::parse(&reference.text),
                        item,
                    })
                }),
            },
        };
        ManuscriptReference {
            text: reference.text,
            key: reference.key,
            place: reference.place,
            given,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format that a file is read as.
    fn check(name: &str, text: &str, expected: &str) {
        let hints = Hints {
            file_name: Some(name),
            ..Hints::default()
        };
        let content = Content::new(text.as_bytes());
        let read = read(
            &content,
            text.as_bytes(),
            hints,
            &|_| None,
            &Job::unbounded(Budget::unlimited()),
        );
        let found = match read {
            Ok(Contents::Bibliography(format)) => format.id,
            Ok(Contents::List) => "list",
            Ok(Contents::Manuscript(manuscript)) => manuscript.format.name(),
            Err(_) => "unreadable",
        };
        assert_eq!(found, expected, "{name}: {text:?}");
    }

    const LIST: &str = "1. Doe, J. (2001). On rings. Journal of Rings, 3(2), 1–9.\n\
                        2. Roe, R. (2002). On knots. Journal of Knots, 4, 11–19.\n\
                        3. Poe, P. (2003). On ropes. Ropes Press.\n";

    #[test]
    fn reference_list_is_recognised_under_any_name() {
        for name in ["refs.txt", "refs.md", "refs.tex", "refs.typ", "-", "refs"] {
            check(name, LIST, "list");
            check(name, &format!("References\n\n{LIST}"), "list");
        }
        check("-", "Something that says little", "list");
    }

    #[test]
    fn text_with_a_list_is_read_as_manuscript() {
        let prose = "We look at rings and at what keeps them from being knots. ".repeat(12);
        for (name, format) in [
            ("paper.txt", "text"),
            ("paper.md", "markdown"),
            ("-", "text"),
        ] {
            check(name, &format!("{prose}\n\nReferences\n\n{LIST}"), format);
        }
        check("paper.md", "As @doe says [@roe, p. 3].", "markdown");
        check("paper.tex", "As \\cite{doe} says.", "tex");
    }

    #[test]
    fn linked_doi_is_checked_with_the_printed_text() {
        let tex = "\\cite{a}\\begin{thebibliography}{1}\\bibitem{a} Doe, J. \\href{https://doi.org/10.1000/a}{On rings}. 2001.\\end{thebibliography}";
        let document =
            crate::manuscript::read("a.tex", tex.as_bytes(), &|_| None, &Budget::unlimited());
        let manuscript = Manuscript::of(document.unwrap(), &Budget::unlimited()).unwrap();
        let given = &manuscript.references[0].given.reference;
        assert_eq!(given.identifiers, [Identifier::parse("10.1000/a").unwrap()]);
        assert_eq!(given.years, [2001]);
    }

    #[test]
    fn bibliography_is_read_as_bibliography() {
        check("refs.bib", "@misc{doe, title={A}}", "bibtex");
        check("refs.txt", "TY  - JOUR\nTI  - A\nER  - \n", "ris");
        check("old.doc", "\u{0}\u{1}\u{2}", "unreadable");
    }
}
