//! Formats the citations of a text manuscript and writes its bibliography, in all of its files. Everything
//! else stays byte for byte the same, except that a note moves after the punctuation that follows its marker.

mod bibliography;
mod edits;
mod forms;
mod language;

use std::collections::HashSet;

use citation_csl::Options;
use citation_documents::{
    ChangedFile, CitationForm, Document, LeftPart, ListPlaceKind, ManuscriptCitation,
    ManuscriptFormat, read_page,
};
use citation_model::budget::Budget;
use citation_model::cite::{Citation, Cite, CiteMode};
use citation_model::item::Item;
use serde_json::Value;

use self::bibliography::ListWriter;
use self::edits::{EditWriter, Found};
use self::forms::FormWriter;
use self::language::MarkupLanguage;
use crate::collect::says_enough;
use crate::document::{CitingDocument, DocumentCitation, SetDocument};
use crate::works::Works;
use crate::{CitingError, Sources};

/// A manuscript with its citations formatted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitedFiles {
    /// The files that change.
    pub changed: Vec<ChangedFile>,
    /// Keys without a known work.
    pub unknown: Vec<String>,
    /// Parts that may cite and are as they were; see [`UnreadHandling::Leave`].
    pub left: Vec<LeftPart>,
}

/// What happens to a manuscript with a part that may cite and cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnreadHandling {
    /// Nothing is formatted.
    #[default]
    Refuse,
    /// The rest is formatted.
    Leave,
}

/// Formats the citations of a manuscript in Markdown, TeX, Typst or HTML, in every file that was read with
/// it. Works that it does not define come from `bibliographies`.
pub fn cite(
    document: &Document,
    bibliographies: &[String],
    unread: UnreadHandling,
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<CitedFiles, CitingError> {
    let language = MarkupLanguage::of(document.format).ok_or(CitingError::NoMarkers)?;
    let page = match language {
        MarkupLanguage::Html => Some(page_of(document, budget)?),
        _ => None,
    };
    let document = page.as_ref().unwrap_or(document);
    if unread == UnreadHandling::Refuse && !document.unread.is_empty() {
        return Err(CitingError::Unread(document.unread.clone()));
    }
    let front = |name: &str| text_of(document.metadata.get(name)?);
    let style = front("csl").or_else(|| front("citation-style"));
    let compiled = sources
        .style(style.as_deref(), front("lang").as_deref())
        .map_err(CitingError::Style)?;
    let works = works(document, bibliographies, sources, budget)?;
    let (citations, doubtful) = certain(document, &works);
    let mut read = ReadCitations::read(document, &citations, works, sources);
    let options = Options {
        links: language.has_links(&document.sources),
        bibliography: front("suppress-bibliography").as_deref() != Some("true"),
        budget: budget.clone(),
        ..Options::default()
    };
    let citing = CitingDocument {
        citations: read.citations,
        works: read.items,
    };
    let SetDocument {
        citations,
        keep_case,
        works,
        mut set,
    } = citing.set(&compiled, &options, None)?;
    for (found, keeps_case) in read.found.iter_mut().zip(keep_case) {
        found.keeps_case = keeps_case;
    }
    let forms: Vec<CitationForm> = read.found.iter().map(|found| found.form).collect();
    for key in doubtful {
        if !set.unknown.contains(&key) {
            set.unknown.push(key);
        }
    }
    let texts = FormWriter::new(&compiled, &works, &options, language);
    let texts = texts.texts(&forms, &citations, &set)?;

    let writer = EditWriter {
        sources: &document.sources,
        compiled: &compiled,
        language,
    };
    let mut edits = writer.citations(&read.found, &set.citations, &texts);
    let entries = set.formatted.bibliography.as_deref();
    if !entries.unwrap_or_default().is_empty()
        && let Some(place) = &document.list_place
    {
        let list = match (language, place.kind) {
            // A directive that pandoc does not read.
            (MarkupLanguage::Markdown, ListPlaceKind::Command) => language.entries(&set.formatted),
            _ => language.list(&set.formatted),
        };
        let title = front("reference-section-title");
        let title = title.as_deref();
        let lang = front("lang");
        let writer_of_list = ListWriter {
            language,
            sources: &document.sources,
            title,
            lang: lang.as_deref(),
        };
        let edit = writer_of_list.edit(place, &list);
        edits.extend(writer.without(&document.additions));
        edits.push(edit);
    }
    Ok(CitedFiles {
        changed: document.sources.apply(edits)?,
        unknown: set.unknown,
        left: document.unread.clone(),
    })
}

/// The Markdown markers of a page in HTML.
fn page_of(document: &Document, budget: &Budget) -> Result<Document, CitingError> {
    let broken = |cause: String| CitingError::Document(cause);
    let page = document
        .sources
        .first()
        .map(|file| document.sources.original(file));
    let bytes = page.transpose()?.unwrap_or_default();
    read_page(&bytes, budget).map_err(|cause| broken(cause.to_string()))
}

/// The works of the bibliographies that are named beside the manuscript.
fn works(
    document: &Document,
    bibliographies: &[String],
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Works, CitingError> {
    let mut names: Vec<&str> = Vec::new();
    if document.format == ManuscriptFormat::Html {
        for page in document.sources.iter() {
            let named = page
                .text()
                .split("<meta name=\"bibliography\" content=\"")
                .skip(1);
            names.extend(named.filter_map(|rest| rest.split('"').next()));
        }
    }
    names.extend(bibliographies.iter().map(String::as_str));
    let mut works = Works::default();
    works.add_files(names, sources, budget)?;
    Ok(works)
}

/// The citations, with the possible ones that cite a known work; also the keys of the others.
fn certain<'d>(
    document: &'d Document,
    works: &Works,
) -> (Vec<&'d ManuscriptCitation>, Vec<String>) {
    let (mut citations, mut doubtful) = (Vec::new(), Vec::new());
    let mut possible = document.possible.iter().peekable();
    for at in 0..=document.citations.len() {
        while let Some(found) = possible.next_if(|found| found.before <= at) {
            let keys = || found.citation.items.iter().map(|cited| &cited.cite.id);
            if keys().any(|key| works.get(key).is_some()) {
                citations.push(&found.citation)
            } else {
                doubtful.extend(keys().cloned())
            }
        }
        citations.extend(document.citations.get(at));
    }
    (citations, doubtful)
}

/// The citations of a manuscript and their works, as the processor takes them.
struct ReadCitations<'d> {
    found: Vec<Found<'d>>,
    citations: Vec<DocumentCitation>,
    items: Vec<Item>,
}

impl<'d> ReadCitations<'d> {
    fn read(
        document: &'d Document,
        cited: &[&'d ManuscriptCitation],
        works: Works,
        sources: &dyn Sources,
    ) -> ReadCitations<'d> {
        let mut items = Items {
            works,
            sources,
            asked: HashSet::new(),
            items: Vec::new(),
        };
        let mut found: Vec<Found<'d>> = Vec::new();
        let mut citations: Vec<DocumentCitation> = Vec::new();
        for cited in cited {
            let Some(span) = &cited.span else {
                continue;
            };
            let mut citation = Citation::default();
            for cited in &cited.items {
                items.add(&cited.cite.id, cited.item.as_ref());
                let mut cite = cited.cite.clone();
                cite.suffix = suffix(&cite.suffix);
                citation.cites.push(cite);
            }
            let is_author = |cite: &Cite| cite.mode == CiteMode::AuthorOnly;
            found.push(Found {
                span,
                frame: &cited.frame,
                form: cited.form,
                setting: &cited.setting,
                is_author: citation.cites.iter().all(is_author),
                keeps_case: false,
            });
            citations.push(DocumentCitation {
                citation,
                ..DocumentCitation::default()
            });
        }
        for reference in &document.references {
            if let Some(key) = &reference.key {
                items.add(key, reference.item.as_ref());
            }
        }
        ReadCitations {
            found,
            citations,
            items: items.items,
        }
    }
}

/// The known works of a manuscript, each once.
struct Items<'s> {
    works: Works,
    sources: &'s dyn Sources,
    asked: HashSet<String>,
    items: Vec<Item>,
}

impl Items<'_> {
    /// Adds the work of a key: the manuscript's own if it says enough, or from a bibliography or the caller.
    fn add(&mut self, key: &str, item: Option<&Item>) {
        if !self.asked.insert(key.to_owned()) {
            return;
        }
        let known = item
            .filter(|item| says_enough(item))
            .or_else(|| self.works.get(key));
        if let Some(mut item) = known.cloned().or_else(|| self.sources.work(key)) {
            item.id = key.to_owned();
            self.items.push(item);
        }
    }
}

/// A space separates a suffix of words from its cite.
fn suffix(text: &str) -> String {
    match text.chars().next() {
        Some(c) if c.is_alphanumeric() => format!(", {text}"),
        _ => text.to_owned(),
    }
}

/// A front matter value that is a single text.
fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_documents::CitationSetting;

    use crate::tests::{StyledSources, TestSources};

    fn cited(name: &str, text: &str) -> String {
        cited_by(&TestSources, name, text)
    }

    fn cited_by(sources: &dyn Sources, name: &str, text: &str) -> String {
        let beside = |name: &str| sources.file(name);
        let budget = Budget::unlimited();
        let document = citation_documents::read(name, text.as_bytes(), &beside, &budget).unwrap();
        let refuse = UnreadHandling::Refuse;
        let set = cite(&document, &[], refuse, sources, &budget).unwrap();
        let [changed] = set.changed.as_slice() else {
            panic!("one file changes: {set:?}")
        };
        String::from_utf8(changed.bytes.clone()).unwrap()
    }

    #[test]
    fn markdown_is_formatted_and_the_rest_unchanged() {
        let text = "---\nbibliography: refs.bib\n---\n\nLight is  a *wave* [see @young, p. 3]; @young says\n`[@young]`.\n\n::: {#refs}\n:::\n";
        let set = cited("paper.md", text);
        assert!(set.starts_with("---\nbibliography: refs.bib\n---\n\nLight is  a *wave* (see Young, 1802, p. 3); Young (1802) says\n`[@young]`.\n\n::: {#refs}\n"), "{set}");
        assert!(
            set.contains("{#ref-young .csl-entry}\nYoung, T. (1802). *On light*."),
            "{set}"
        );
    }

    #[test]
    fn tex_is_formatted_in_tex_syntax() {
        let text = "\\documentclass{article}% \\cite{young}\n\\begin{document}\nA wave \\citep[p.~3]{young}.\n\\bibliography{refs}\n\\end{document}\n";
        let set = cited("paper.tex", text);
        assert!(set.starts_with("\\documentclass{article}% \\cite{young}\n\\begin{document}\nA wave (Young, 1802, p. 3).\n\\ifdefined"), "{set}");
        assert!(
            set.contains("\\item Young, T. (1802). \\textit{On light}."),
            "{set}"
        );
        assert!(set.ends_with("\\end{list}\n\\end{document}\n"), "{set}");
    }

    #[test]
    fn control_word_before_an_author_ends() {
        let text = "\\noindent\\citet{young} and \\\\\\citet{young}, \\lstinline|\\cite{young}| \\url{\\cite{young}}\n\\bibliography{refs}\n";
        let set = cited("paper.tex", text);
        assert!(set.starts_with("\\noindent{}Young (1802) and \\\\Young (1802), \\lstinline|\\cite{young}| \\url{\\cite{young}}\n"), "{set}");
    }

    /// A document of TeX with one text, and the text after formatting.
    fn tex(style: &'static str, text: &str) -> String {
        let head = "\\documentclass{article}\n\\begin{document}\n";
        let whole = format!("{head}{text}\n\\bibliography{{refs}}\n\\end{{document}}\n");
        let set = cited_by(&StyledSources(style), "paper.tex", &whole);
        let set = set.strip_prefix(head).unwrap();
        let end = ["\n\\ifdefined", "\n\\bibliography"];
        let (text, _) = end.iter().find_map(|end| set.split_once(end)).unwrap();
        text.to_owned()
    }

    #[test]
    fn commands_of_tex_print_their_part_of_a_citation() {
        let check = |style: &'static str, text: &str, expected: &str| {
            assert_eq!(tex(style, text), expected, "{style}: {text}");
        };
        check("apa", "(\\citeyear{young})", "(1802)");
        check("apa", "\\citeyearpar{young}", "(1802)");
        check("apa", "\\citealp[p.~3]{young}", "Young, 1802, p. 3");
        check("apa", "\\citealt{young}", "Young, 1802");
        check("apa", "\\citeauthor{young}", "Young");
        check("apa", "\\citefullauthor{young}", "Young");
        check("apa", "\\citetitle{young}", "“On light”");
        check(
            "apa",
            "\\fullcite{young}.",
            "Young, T. (1802). \\textit{On light}.",
        );
        check("apa", "\\parencite*{young}", "(1802)");
        check("ieee", "(\\citeyear{young})", "(1802)");
        check("ieee", "\\citealp{young}", "1");
        check("notes", "\\citeauthor{young} said.", "Young said.");
        check("notes", "In (\\citeyear{young}).", "In (1802).");
        check(
            "apa",
            "\\parencites(see)(and more){young}[3]{young}",
            "(see Young, 1802, 1802, p. 3, and more)",
        );
        check(
            "apa",
            "\\textcquote[p.~3]{young}[.]{Words}",
            "\\textquote[{Young, 1802, p. 3}][.]{Words}",
        );
    }

    #[test]
    fn notes_of_tex_stand_where_it_has_notes() {
        let check = |text: &str, expected: &str| assert_eq!(tex("notes", text), expected, "{text}");
        let note = "\\footnote{Young, \\textit{On light}.}";
        let inside = "(Young, \\textit{On light})";
        check("A wave \\cite{young}.", &format!("A wave.{note}"));
        check(
            "\\section{A wave \\cite{young}\\label{a}}",
            &format!("\\section[{{A wave}}]{{A wave\\protect{note}\\label{{a}}}}"),
        );
        check(
            "\\section*{A wave \\cite{young}} B \\cite{young}",
            &format!("\\section*{{A wave\\protect{note}}} B{note}"),
        );
        check(
            "\\section[Short]{A \\cite{young}}",
            &format!("\\section[Short]{{A\\protect{note}}}"),
        );
        for text in [
            "\\caption[Short]{A wave CITE}",
            "\\begin{tabular}{l}A CITE\\end{tabular}",
            "\\begin{table*}A CITE\\end{table*}",
            "\\title{A CITE}",
            "\\footnote{A CITE}",
            "\\parbox[t]{3cm}{A CITE}",
        ] {
            check(
                &text.replace("CITE", "\\cite{young}"),
                &text.replace("CITE", inside),
            );
        }
        check(
            "\\begin{figure}\\caption{A \\cite{young}}\\end{figure}B \\cite{young}",
            &format!("\\begin{{figure}}\\caption{{A {inside}}}\\end{{figure}}B{note}"),
        );
    }

    #[test]
    fn title_of_a_section_ends_before_a_file_that_follows_it() {
        let main = "\\begin{document}\\chapter{One}\\input{part}B \\cite{young}\\end{document}";
        let part = "\\section{Two}A \\cite{young}";
        let beside = |name: &str| match name {
            "part.tex" => Some(part.as_bytes().to_vec()),
            name => TestSources.file(name),
        };
        let budget = Budget::unlimited();
        let document =
            citation_documents::read("a.tex", main.as_bytes(), &beside, &budget).unwrap();
        let settings: Vec<_> = document.citations.iter().map(|c| &c.setting).collect();
        assert_eq!(settings, [&CitationSetting::Text, &CitationSetting::Text]);
    }

    #[test]
    fn names_that_a_document_gives_to_commands_are_read() {
        let check = |text: &str, expected: &str| {
            assert!(tex("apa", text).ends_with(expected), "{}", tex("apa", text));
        };
        check("\\let\\oc\\cite \\oc{young}", "\\oc\\cite (Young, 1802)");
        check("\\let\\oc=\\citet\n\\oc{young}", "\nYoung (1802)");
        check("\\let\\cite\\citet\n\\cite{young}", "\nYoung (1802)");
        check(
            "\\newcommand{\\oc}{\\citet}\n\\oc[p. 3]{young}",
            "\nYoung (1802, p. 3)",
        );
        check(
            "\\let\\oc\\cite\\newcommand{\\see}[1]{see \\oc{#1}}\n\\see{young}",
            "\nsee (Young, 1802)",
        );
    }

    #[test]
    fn several_lists_and_unknown_uses_are_refused_by_name() {
        for (text, what) in [
            (
                "\\begin{refsection}\\cite{young}\\end{refsection}",
                "\\begin{refsection}",
            ),
            ("\\cite{young}\\bibliography{refs}", "\\bibliography"),
            ("\\citealp{\\key}", "\\citealp"),
            ("\\citefield{young}{doi}", "\\citefield"),
            (
                "\\newenvironment{said}[1]{\\cite{#1}}{}\\begin{said}{young}\\end{said}",
                "\\begin{said}",
            ),
            (
                "\\begin{displaycquote}{young}A\\end{displaycquote}",
                "\\begin{displaycquote}",
            ),
        ] {
            let whole = format!("\\begin{{document}}{text}\\bibliography{{refs}}\\end{{document}}");
            let sources = StyledSources("apa");
            let beside = |name: &str| sources.file(name);
            let budget = Budget::unlimited();
            let document =
                citation_documents::read("a.tex", whole.as_bytes(), &beside, &budget).unwrap();
            let refuse = UnreadHandling::Refuse;
            let failure = cite(&document, &[], refuse, &sources, &budget).unwrap_err();
            assert!(
                failure.to_string().contains(&format!("“{what}”")),
                "{text}: {failure}"
            );
        }
    }

    #[test]
    fn bare_key_is_set_by_a_bibliography_beside_the_manuscript() {
        let text = "As @young and @octocat said [@young].\n";
        let sources = TestSources;
        let budget = Budget::unlimited();
        let document =
            citation_documents::read("a.md", text.as_bytes(), &|_| None, &budget).unwrap();
        let cited = |names: &[String]| {
            cite(&document, names, UnreadHandling::Refuse, &sources, &budget).unwrap()
        };
        let set = cited(&["refs.bib".to_owned()]);
        let written = String::from_utf8(set.changed[0].bytes.clone()).unwrap();
        assert!(
            written.starts_with("As Young (1802) and @octocat said (Young, 1802).\n"),
            "{written}"
        );
        assert_eq!(set.unknown, ["octocat"]);
        assert_eq!(cited(&[]).unknown, ["young", "octocat"]);
    }

    #[test]
    fn roles_of_myst_are_set() {
        let text = "---\nbibliography: refs.bib\n---\nAs {cite:t}`young` and {cite}`{see}young{p. 3}`, {cite:year}`young`; `{cite}`.\n\n```{bibliography}\n:style: unsrt\n```\n\nEnd.\n";
        let set = cited("paper.md", text);
        assert_eq!(
            set,
            "---\nbibliography: refs.bib\n---\nAs Young (1802) and (see Young, 1802, p. 3), 1802; `{cite}`.\n\nYoung, T. (1802). *On light*.\n\nEnd.\n"
        );
    }

    #[test]
    fn commands_of_tex_in_markdown_are_set() {
        let text = "---\nbibliography: refs.bib\n---\nAs \\citet[p.~3]{young} and \\citep[see][]{young}, \\citeyear{young}; `\\cite{young}`, $\\cite{x}$.\n\n\\nocite{young}\n";
        let set = cited("paper.Rmd", text);
        assert!(
            set.starts_with(
                "---\nbibliography: refs.bib\n---\nAs Young (1802, p. 3) and (see Young, 1802), 1802; `\\cite{young}`, $\\cite{x}$.\n"
            ),
            "{set}"
        );
    }

    #[test]
    fn typst_list_keeps_its_title() {
        let check = |list: &str, expected: &str| {
            let set = cited("paper.typ", &format!("A @young.\n\n{list}\n"));
            let list = set.split_once("\n\n").unwrap().1;
            assert!(list.starts_with(expected), "{list}");
        };
        let heading = |title: &str| format!("#heading(numbering: none)[{title}]\n");
        check("#bibliography(\"refs.bib\")", &heading("Bibliography"));
        check(
            "#bibliography(\"refs.bib\", title: [Works *cited*])",
            &heading("Works *cited*"),
        );
        check(
            "#bibliography(\"refs.bib\", title: \"Works\")",
            &heading("Works"),
        );
        check("#bibliography(\"refs.bib\", title: none)", "#par");
        check(
            "#set text(lang: \"de\")\n#bibliography(\"refs.bib\")",
            "#set text(lang: \"de\")\n#heading(numbering: none)[Literatur",
        );
    }

    #[test]
    fn links_and_images_of_markdown_stay() {
        let text = "---\nbibliography: refs.bib\n---\n\n![A map [@young].](a.png){#fig} [see @young](http://a.org) [@young]{.aside}\n\n[@young]: http://a.org\n";
        let set = cited("paper.md", text);
        assert!(set.contains("![A map (Young, 1802).](a.png){#fig} [see Young (1802)](http://a.org) [Young (1802)]{.aside}\n\n[@young]: http://a.org\n"), "{set}");
    }

    #[test]
    fn typst_is_formatted_in_typst_syntax() {
        let text = "A wave @young[p. 3].\n\n#bibliography(\"refs.bib\")\n";
        let set = cited("paper.typ", text);
        assert!(
            set.starts_with("A wave (Young, 1802, p. 3).\n\n#heading"),
            "{set}"
        );
    }

    #[test]
    fn html_uses_markdown_markers() {
        let text = "<meta name=\"bibliography\" content=\"refs.bib\">\n<p title=\"[@young]\">See [@young].</p>\n<div id=\"refs\"></div>\n";
        let set = cited("paper.html", text);
        assert!(set.contains("<p title=\"[@young]\">See (Young, 1802).</p>\n<div id=\"refs\">\n<div id=\"ref-young\""), "{set}");
    }

    #[test]
    fn notes_move_after_punctuation() {
        let text = "---\nbibliography: refs.bib\ncsl: notes\n---\nA wave [@young].\n\n[^1]: A note [@young].\n";
        let set = cited("paper.md", text);
        assert!(set.contains("A wave.^["), "{set}");
        assert!(set.contains("A note ("), "{set}");
    }

    #[test]
    fn front_matter_is_parsed_as_yaml() {
        let text = "---\n\"bibliography\":\n  - >-\n    refs.bib\nreference-section-title: >\n  Works\n  cited\nother: {csl: notes}\nnocite: |\n  suppress-bibliography: true\n---\nSee [@young].\n";
        let set = cited("paper.md", text);
        assert!(set.contains("See (Young, 1802)."), "{set}");
        assert!(set.contains("# Works cited"), "{set}");
    }
}
