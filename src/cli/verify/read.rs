//! Reads the references to check from the files of the command line.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::facts::InputFacts;
use crate::blocking::Job;
use crate::cli::Failure;
use crate::cli::position::FilePosition;
use crate::cli::references::read_sibling;
use crate::lookup::manuscript::{self, Contents, Manuscript};
use crate::lookup::verify::{VerificationInput, apply_list_style};
use citation_documents::{Finding, FindingKind};
use citation_exchange::{self as exchange, Content, Format, Hints, Severity};
use citation_matching::reference::Reference;
use citation_matching::split;
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// One reference of a file.
#[derive(Debug)]
pub struct ReferenceJob {
    pub position: FilePosition,
    /// The key of the entry, or the text.
    pub label: String,
    pub given: VerificationInput,
}

/// All files.
#[derive(Debug, Default)]
pub struct VerifyInput {
    pub jobs: Vec<ReferenceJob>,
    pub files: Vec<InputFacts>,
    /// The document findings, with positions.
    pub findings: Vec<(FilePosition, Finding)>,
    /// Whether an entry of a bibliography could not be read.
    has_loss: bool,
}

impl VerifyInput {
    pub fn read(files: &[PathBuf]) -> Result<VerifyInput, Failure> {
        let mut input = VerifyInput::default();
        for path in files {
            let file = path.display().to_string();
            let mut bytes = Vec::new();
            if file == "-" {
                std::io::stdin().lock().read_to_end(&mut bytes)?;
            } else {
                bytes = std::fs::read(path).map_err(|cause| Failure(format!("{file}: {cause}")))?;
            }
            input.files.push(InputFacts::of(&file, &bytes));
            let before = input.jobs.len();
            input.add(&file, &bytes)?;
            if input.jobs.len() == before {
                tell!("{file}: contains no reference");
            }
        }
        Ok(input)
    }

    /// Whether everything was read, and every cited work is defined.
    pub fn is_whole(&self) -> bool {
        let lacks = |kind| {
            use FindingKind::*;
            matches!(kind, UndefinedKey | MissingFile | UnreadPage | UnreadField)
        };
        !self.has_loss && !self.findings.iter().any(|(_, finding)| lacks(finding.kind))
    }

    /// Adds a file's references. Problems are printed on standard error.
    fn add(&mut self, file: &str, bytes: &[u8]) -> Result<(), Failure> {
        let content = Content::new(bytes);
        let hints = Hints {
            file_name: Some(file),
            ..Hints::default()
        };
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let beside = |name: &str| read_sibling(folder, name);
        let fail = |cause: &dyn std::fmt::Display| Failure::of_file(file, cause);
        // Files of the operator.
        let job = Job::unbounded(Budget::unlimited());
        match manuscript::read(&content, bytes, hints, &beside, &job)
            .map_err(|cause| fail(&cause))?
        {
            Contents::Bibliography(format) => self.add_entries(file, &content, format),
            Contents::List => {
                self.add_list(file, content.text());
                Ok(())
            }
            Contents::Manuscript(manuscript) => {
                self.add_manuscript(file, manuscript);
                Ok(())
            }
        }
    }

    fn add_entries(
        &mut self,
        file: &str,
        content: &Content<'_>,
        format: &Format,
    ) -> Result<(), Failure> {
        let reading = exchange::read(content, format, &Budget::unlimited())
            .map_err(|cause| Failure(format!("{file}: {cause}")))?;
        for problem in &reading.problems {
            self.has_loss |= problem.severity == Severity::Error;
            tell!(
                "{file}:{}:{}: {} ({})",
                problem.line,
                problem.column,
                problem.message,
                problem.code
            );
        }
        self.jobs
            .extend(reading.items.into_iter().map(|read| ReferenceJob {
                position: FilePosition::line(file, read.line),
                given: Reference::of_item(&read.item).into(),
                label: label(read.citation_key, &read.item),
            }));
        Ok(())
    }

    /// Reads a pasted list. Omitted lines are printed on standard error.
    fn add_list(&mut self, file: &str, text: &str) {
        let list = split(text, &Budget::unlimited()).unwrap_or_default();
        for line in &list.left_out {
            let (place, text) = (&line.place, shortened(&line.text, 80));
            let reason = line.reason.sentence();
            tell!(
                "{file}:{}:{}: left out: {text} ({reason})",
                place.line,
                place.column
            );
        }
        let first = self.jobs.len();
        self.jobs
            .extend(list.pieces.into_iter().map(|piece| ReferenceJob {
                position: FilePosition::in_list(file, &piece.place),
                given: VerificationInput::text(&piece.text),
                label: piece.text,
            }));
        apply_list_style(self.jobs.iter_mut().skip(first).map(|job| &mut job.given));
    }

    fn add_manuscript(&mut self, file: &str, manuscript: Manuscript) {
        let references = manuscript.references.into_iter();
        self.jobs.extend(references.map(|reference| ReferenceJob {
            position: FilePosition::in_document(file, &reference.place),
            given: reference.given,
            label: reference.text,
        }));
        let findings = manuscript.findings.into_iter();
        self.findings.extend(findings.map(|finding| {
            let position = FilePosition::in_document(file, &finding.place);
            (position, finding)
        }));
    }
}

/// The name of an entry in the results: its key, or, in a format without keys, its title.
fn label(key: String, item: &Item) -> String {
    match item.text(TextVar::Title) {
        Some(title) if key.is_empty() => title.to_owned(),
        _ => key,
    }
}

/// A text of at most so many characters, with an ellipsis if shortened.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions and labels for a file's references.
    fn check(file: &str, text: &str, expected: &[(&str, &str)]) {
        let mut input = VerifyInput::default();
        assert!(
            input.add(file, text.as_bytes()).is_ok() && input.is_whole(),
            "{text:?}"
        );
        let found = input.jobs.iter();
        let found: Vec<(String, &str)> = found
            .map(|job| (job.position.to_string(), job.label.as_str()))
            .collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(p, l)| (p.as_str(), *l)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn references_on_one_line_are_split() {
        check(
            "refs.txt",
            "References\n[1] Doe J. A. Ring 1, 2. [2] Roe R. B. Ring 3, 4.",
            &[
                ("refs.txt:2:1", "Doe J. A. Ring 1, 2."),
                ("refs.txt:2:26", "Roe R. B. Ring 3, 4."),
            ],
        );
    }

    #[test]
    fn bibliography_is_recognised_under_any_name() {
        let bibtex = "@misc{doe, title={A}}\n@misc{roe, title={B}}";
        for file in ["refs.bib", "refs.txt", "-"] {
            let (first, second) = (format!("{file}:1"), format!("{file}:2"));
            check(file, bibtex, &[(&first, "doe"), (&second, "roe")]);
        }
        check("refs.txt", "", &[]);
    }

    #[test]
    fn manuscript_is_read_by_its_list() {
        let prose = "We look at rings and at what keeps them from being knots. ".repeat(9);
        check(
            "paper.md",
            &format!(
                "# Rings\n\n{prose}\n\n# References\n\nDoe, J. (2001). On rings. Rings 1, 2.\n"
            ),
            &[("paper.md:7", "Doe, J. (2001). On rings. Rings 1, 2.")],
        );
    }
}
