//! Formats the citations of Word documents: markers in the text, and the fields of citation programs.

use std::collections::HashMap;

use citation_csl::{Class, Formatted, Options, OutputFormat, Part, Rich, Shape};
use citation_documents::{
    CitationText, Cited, DocumentError, FieldHandling, Height, Indent, Look, StyleName, TextRun,
    WordCitation, WordDocument, WordList, list_heading,
};
use citation_model::budget::Budget;
use citation_model::cite::{Citation, CiteMode};
use citation_model::item::Item;
use citation_model::variable::TextVar;

use crate::collect::says_enough;
use crate::filter::SPLIT;
use crate::setting::{self, Shown};
use crate::works::Works;
use crate::{CitingError, Sources};

/// A Word document with its citations formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub bytes: Vec<u8>,
    /// Keys without a known work.
    pub unknown: Vec<String>,
    /// Citations, as printed, at places that cannot be replaced.
    pub left: Vec<String>,
}

impl From<DocumentError> for CitingError {
    fn from(cause: DocumentError) -> CitingError {
        match cause {
            DocumentError::Exceeded(cause) => CitingError::Exceeded(cause),
            cause => CitingError::Document(cause.to_string()),
        }
    }
}

/// Formats the citations of a Word document. Works that it does not embed come from `bibliographies` or
/// from the caller.
pub fn cite_word(
    bytes: &[u8],
    bibliographies: &[String],
    fields: FieldHandling,
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Word, CitingError> {
    let compiled = sources.style(None, None).map_err(CitingError::Style)?;
    let is_note_style = compiled.style().options.class == Class::Note;
    let document = WordDocument::open(bytes, budget)?;
    let mut library = Library {
        works: Works::default(),
        sources,
        items: Vec::new(),
        ids: HashMap::new(),
    };
    for name in bibliographies {
        library.works.add_file(name, sources, budget)?;
    }
    let mut citations: Vec<Citation> = Vec::new();
    let mut new_notes = 0;
    for found in document.citations() {
        let mut citation = Citation::default();
        for cited in &found.citation.items {
            let mut cite = cited.cite.clone();
            cite.id = library.id(cited);
            cite.suffix = suffix(&cite.suffix, found.is_marker);
            if is_note_style && cite.mode == CiteMode::Composite && citation.cites.is_empty() {
                cite.prefix.insert(0, SPLIT);
            }
            citation.cites.push(cite);
        }
        if is_note_style {
            new_notes += u32::from(!is_in_note(&found));
            let before = u32::try_from(found.notes_before).unwrap_or(u32::MAX);
            citation.note_number = before.saturating_add(new_notes);
        }
        citations.push(citation);
    }
    let options = Options {
        links: false,
        budget: budget.clone(),
        ..Options::default()
    };
    let set = setting::set(&compiled, &library.items, citations, &options)?;
    let texts: Vec<Option<CitationText>> = { document.citations() }
        .zip(&set.citations)
        .map(|(found, shown)| match shown {
            Shown::Set(rich) => Some(citation_text(rich, &found, is_note_style)),
            // A field without data about its works stays unchanged.
            Shown::Unknown(_) if !found.is_marker => None,
            Shown::Unknown(keys) => {
                let keys: Vec<String> = keys.iter().map(|key| format!("{key}?")).collect();
                let [prefix, delimiter, suffix] = compiled.citation_affixes();
                let text = format!("{prefix}{}{suffix}", keys.join(delimiter));
                Some(citation_text(&Rich::plain(&text), &found, is_note_style))
            }
        })
        .collect();
    let printed: Vec<String> = { document.citations() }
        .map(|found| found.citation.text.clone())
        .collect();
    let list = word_list(&set.formatted, list_heading(compiled.lang()));
    let style = StyleName {
        id: &compiled.style().info.id,
        is_note: is_note_style,
        has_bibliography: set.formatted.bibliography.is_some(),
    };
    let done = document.set(&texts, &list, style, fields)?;
    let left = { done.left.iter() }
        .filter_map(|n| printed.get(*n).cloned())
        .collect();
    Ok(Word {
        bytes: done.bytes,
        unknown: set.unknown,
        left,
    })
}

fn is_in_note(found: &WordCitation<'_>) -> bool {
    found.citation.place.note.is_some()
}

/// The works of a document, without duplicates. Citation programs renumber works in every citation, so an
/// id alone does not identify a work.
struct Library<'s> {
    works: Works,
    sources: &'s dyn Sources,
    items: Vec<Item>,
    /// By identifying content.
    ids: HashMap<String, String>,
}

impl Library<'_> {
    /// The work's id in the processor.
    fn id(&mut self, cited: &Cited) -> String {
        let key = &cited.cite.id;
        let own = cited.item.as_ref().filter(|item| says_enough(item));
        let name = match (&cited.doi, own) {
            (Some(doi), _) => doi.to_string(),
            (None, Some(item)) => {
                let title = item.text(TextVar::Title).unwrap_or_default();
                format!("{key} {title} {}", item.year().unwrap_or_default())
            }
            (None, None) => key.clone(),
        };
        if let Some(id) = self.ids.get(&name) {
            return id.clone();
        }
        let known = own.or_else(|| self.works.get(key)).cloned();
        let known = known.or_else(|| self.sources.work(key));
        let known = known.or_else(|| self.sources.work(&format!("doi:{}", cited.doi.as_ref()?)));
        let mut id = key.clone();
        if self.items.iter().any(|item| item.id == id) {
            id = format!("{key} {}", self.items.len());
        }
        self.ids.insert(name, id.clone());
        self.items.extend(known.map(|mut item| {
            item.id.clone_from(&id);
            item
        }));
        id
    }
}

/// A space separates a suffix of words from its cite.
fn suffix(text: &str, is_marker: bool) -> String {
    match text.chars().next() {
        Some(c) if c.is_alphanumeric() && is_marker => format!(", {text}"),
        Some(c) if c.is_alphanumeric() => format!(" {text}"),
        _ => text.to_owned(),
    }
}

fn citation_text(rich: &Rich, found: &WordCitation<'_>, is_note_style: bool) -> CitationText {
    let all = runs(rich);
    let mut new = CitationText {
        formatted: rich.markup(OutputFormat::Rtf).replace(SPLIT, ""),
        plain: rich.text().replace(SPLIT, ""),
        ..CitationText::default()
    };
    if !is_note_style {
        new.text = all;
        return new;
    }
    let split = all.iter().position(|run| run.text.contains(SPLIT));
    match split {
        Some(at) => {
            let mut note = all;
            new.text = note.drain(..at).collect();
            if let Some(first) = note.first_mut()
                && let Some((author, rest)) = first.text.split_once(SPLIT)
            {
                new.text.push(TextRun {
                    text: author.to_owned(),
                    look: first.look,
                });
                first.text = rest.to_owned();
            }
            trim(&mut new.text, &mut note);
            new.note = note;
            if is_in_note(found) {
                new.text.push(TextRun {
                    text: ", ".to_owned(),
                    look: Look::default(),
                });
                return new;
            }
        }
        None => new.note = all,
    }
    if !is_in_note(found)
        && let Some(first) = new.note.first_mut()
    {
        let mut letters = first.text.chars();
        let capital = letters.next().into_iter().flat_map(char::to_uppercase);
        first.text = capital.chain(letters).collect();
    }
    new
}

/// Delimiters between the author and the rest are dropped at the end of the author and at the start of the
/// rest.
fn trim(author: &mut [TextRun], note: &mut [TextRun]) {
    if let Some(last) = author.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    if let Some(first) = note.first_mut() {
        let kept = first.text.trim_start_matches([',', ';', '.', ':', ' ']);
        first.text = kept.to_owned();
    }
}

/// A rendering as runs. A tab separates first fields from the text beside them.
fn runs(rich: &Rich) -> Vec<TextRun> {
    let mut out: Vec<TextRun> = Vec::new();
    let mut looks: Vec<Look> = Vec::new();
    for part in rich.parts() {
        let look = looks.last().copied().unwrap_or_default();
        let mut push = |text: &str| match out.last_mut().filter(|last| last.look == look) {
            Some(last) => last.text.push_str(text),
            None => out.push(TextRun {
                text: text.to_owned(),
                look,
            }),
        };
        match part {
            Part::Text(text) => push(text),
            Part::Open(shape) => {
                if matches!(shape, Shape::Block | Shape::Indent) {
                    push("\n");
                }
                looks.push(with(look, shape));
            }
            Part::Close(shape) => {
                looks.pop();
                if shape == Shape::LeftMargin {
                    push("\t");
                }
            }
            Part::OpenLink(_) | Part::CloseLink => {}
        }
    }
    // A leading block does not start a new line.
    if let Some(first) = out.first_mut() {
        first.text = first.text.trim_start_matches('\n').to_owned();
    }
    out
}

fn with(mut look: Look, shape: Shape) -> Look {
    match shape {
        Shape::Italic | Shape::Oblique => look.is_italic = true,
        Shape::NormalStyle => look.is_italic = false,
        Shape::Bold => look.is_bold = true,
        Shape::Light | Shape::NormalWeight => look.is_bold = false,
        Shape::SmallCaps => look.is_small_caps = true,
        Shape::NormalVariant => look.is_small_caps = false,
        Shape::Underline => look.is_underlined = true,
        Shape::NoDecoration => look.is_underlined = false,
        Shape::Sup => look.height = Height::Superscript,
        Shape::Sub => look.height = Height::Subscript,
        Shape::Baseline => look.height = Height::Baseline,
        Shape::Block | Shape::LeftMargin | Shape::RightInline | Shape::Indent => {}
    }
    look
}

fn word_list(formatted: &Formatted, heading: String) -> WordList {
    let parameters = &formatted.parameters;
    let entries = formatted.bibliography.iter().flatten();
    WordList {
        entries: entries.map(|entry| runs(&entry.content)).collect(),
        indent: match parameters.second_field_align {
            Some(_) => Indent::Aligned(parameters.max_offset),
            None if parameters.hanging_indent => Indent::Hanging,
            None => Indent::None,
        },
        line_spacing: parameters.line_spacing,
        entry_spacing: parameters.entry_spacing,
        heading,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Write};

    use zip::write::SimpleFileOptions;
    use zip::{ZipArchive, ZipWriter};

    use super::*;
    use crate::tests::In;

    const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;
    const NAMESPACE: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const ITEM: &str = r#""itemData":{"id":1,"type":"book","title":"Emma","author":[{"family":"Austen","given":"Jane"}],"issued":{"date-parts":[[1815]]}}"#;

    fn package(body: &str, further: &[(&str, &str)]) -> Vec<u8> {
        let text = format!(
            "<w:document xmlns:w=\"{NAMESPACE}\"><w:body>{body}<w:sectPr/></w:body></w:document>"
        );
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let parts = [("[Content_Types].xml", TYPES), ("word/document.xml", &text)];
        for (name, text) in parts.iter().chain(further) {
            let options = SimpleFileOptions::default();
            writer.start_file(*name, options).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn part(bytes: &[u8], name: &str) -> String {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        let mut part = archive.by_name(name).unwrap();
        part.read_to_string(&mut text).unwrap();
        text
    }

    fn cited(bytes: &[u8], style: &'static str, fields: FieldHandling) -> Word {
        let files = ["refs.bib".to_owned()];
        cite_word(bytes, &files, fields, &In(style), &Budget::unlimited()).unwrap()
    }

    fn set(bytes: &[u8], style: &'static str, fields: FieldHandling) -> String {
        let word = cited(bytes, style, fields);
        assert!(word.left.is_empty(), "{:?}", word.left);
        part(&word.bytes, "word/document.xml")
    }

    fn check(text: &str, expected: &[&str]) {
        for expected in expected {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    /// A citation of Zotero's, as Word splits it.
    fn zotero() -> String {
        let char = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
        format!(
            "{}<w:r><w:instrText> ADDIN ZOTERO_ITEM CSL_CITATION {{\"citationID\":\"x\",\"properties\":{{\"formattedCitation\":\"old\",\"plainCitation\":\"old\",\"noteIndex\":0}},\"citationItems\":[{{\"id\":1,\"locator\":\"3\",</w:instrText></w:r><w:r><w:instrText>{ITEM}}}]}} </w:instrText></w:r>{}<w:r><w:rPr><w:rFonts w:ascii=\"A\"/><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>old</w:t></w:r>{}",
            char("begin"),
            char("separate"),
            char("end")
        )
    }

    #[test]
    fn markers_are_set_where_they_stand() {
        let body = "<w:p><w:r><w:rPr><w:color w:val=\"red\"/></w:rPr><w:t>A wave [@you</w:t></w:r><w:proofErr/><w:r><w:t>ng, p. 3; @nobody] and [@doi:10.1/light] says.</w:t></w:r></w:p><w:p><w:r><w:t>mail a@b.org</w:t></w:r></w:p>";
        let bytes = package(body, &[("word/media/a.bin", "x")]);
        let word = cited(&bytes, "apa", FieldHandling::Replace);
        assert_eq!(word.unknown, ["nobody"]);
        let text = part(&word.bytes, "word/document.xml");
        check(
            &text,
            &[
                "<w:color w:val=\"red\"/></w:rPr><w:t xml:space=\"preserve\">A wave </w:t></w:r><w:r><w:rPr><w:color w:val=\"red\"/></w:rPr><w:t xml:space=\"preserve\">(Young, 1802, p. 3; </w:t>",
                "<w:proofErr/><w:r><w:t xml:space=\"preserve\"> and </w:t></w:r><w:r><w:t xml:space=\"preserve\">(</w:t></w:r><w:r><w:rPr><w:i/><w:iCs/></w:rPr><w:t xml:space=\"preserve\">Opticks</w:t></w:r>",
                "<w:p><w:r><w:t>mail a@b.org</w:t></w:r></w:p><w:p><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t xml:space=\"preserve\">References</w:t></w:r></w:p><w:p><w:pPr><w:spacing ",
                "w:hanging=\"720\"/></w:pPr><w:r><w:rPr><w:i/><w:iCs/></w:rPr><w:t xml:space=\"preserve\">Opticks</w:t>",
                "</w:p><w:sectPr/></w:body>",
            ],
        );
        assert_eq!(part(&word.bytes, "word/media/a.bin"), "x");
        assert_eq!(part(&word.bytes, "[Content_Types].xml"), TYPES);
    }

    #[test]
    fn document_without_citations_stays_as_it_is() {
        let body = "<w:p><w:r><w:t>Nothing is cited</w:t></w:r></w:p>";
        let bytes = package(body, &[]);
        let word = cited(&bytes, "apa", FieldHandling::Replace);
        let name = "word/document.xml";
        assert_eq!(part(&word.bytes, name), part(&bytes, name));
    }

    #[test]
    fn fields_become_text() {
        let body = format!(
            "<w:p><w:r><w:t>See </w:t></w:r>{}<w:r><w:t>.</w:t></w:r></w:p>",
            zotero()
        );
        let text = set(&package(&body, &[]), "apa", FieldHandling::Replace);
        check(
            &text,
            &[
                "<w:p><w:r><w:t>See </w:t></w:r><w:r><w:rPr><w:rFonts w:ascii=\"A\"/></w:rPr><w:t xml:space=\"preserve\">(Austen, 1815, p. 3)</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>",
            ],
        );
        assert!(!text.contains("fldChar"), "{text}");
    }

    #[test]
    fn kept_fields_carry_the_new_text() {
        let body = format!("<w:p>{}</w:p>", zotero());
        let bytes = package(&body, &[]);
        let text = set(&bytes, "apa", FieldHandling::Keep);
        check(
            &text,
            &[
                "\"plainCitation\":\"(Austen, 1815, p. 3)\""
                    .replace('"', "&quot;")
                    .as_str(),
                "<w:t xml:space=\"preserve\">(Austen, 1815, p. 3)</w:t>",
            ],
        );
        assert_eq!(text.matches("fldCharType").count(), 3, "{text}");
        // Fields that are kept can be formatted again.
        let again = cited(&bytes, "apa", FieldHandling::Keep);
        let again = set(&again.bytes, "notes", FieldHandling::Replace);
        assert!(again.contains("footnoteReference"), "{again}");
    }

    #[test]
    fn kept_fields_are_those_of_the_new_style() {
        let properties = "<Properties><property pid=\"2\" name=\"ZOTERO_PREF_1\"><lpwstr>{\"style\":{\"styleID\":\"old\"}}</lpwstr></property></Properties>";
        let name = "docProps/custom.xml";
        let body = format!("<w:p>{}</w:p>", zotero());
        let bytes = package(&body, &[(name, properties)]);
        let kept = cited(&bytes, "apa", FieldHandling::Keep);
        check(&part(&kept.bytes, name), &["styles/apa&quot;"]);
        let replaced = cited(&bytes, "apa", FieldHandling::Replace);
        assert_eq!(part(&replaced.bytes, name), properties);
    }

    #[test]
    fn mendeley_and_word_controls_are_set() {
        use base64::Engine;
        let json = format!(
            "{{\"citationID\":\"x\",\"manualOverride\":{{\"citeprocText\":\"old\"}},\"citationItems\":[{{\"id\":\"a\",{ITEM}}}]}}"
        );
        let code = base64::engine::general_purpose::STANDARD.encode(json);
        let control = |tag: &str, inside: &str| {
            format!("<w:sdt><w:sdtPr>{tag}</w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>")
        };
        let old = "<w:r><w:t>old</w:t></w:r>";
        let mendeley = control(
            &format!("<w:tag w:val=\"MENDELEY_CITATION_v3_{code}\"/>"),
            old,
        );
        let list = control(
            "<w:tag w:val=\"MENDELEY_BIBLIOGRAPHY\"/>",
            "<w:p><w:r><w:t>old one</w:t></w:r></w:p><w:p><w:r><w:t>old two</w:t></w:r></w:p>",
        );
        let word = control(
            "<w:citation/>",
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>CITATION young \\l 1033</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
        );
        let body = format!("<w:p>{mendeley}{word}</w:p>{list}");
        let bytes = package(&body, &[]);
        let text = set(&bytes, "apa", FieldHandling::Replace);
        check(
            &text,
            &[
                "(Austen, 1815)</w:t></w:r><w:r><w:t xml:space=\"preserve\">(Young, 1802)</w:t></w:r></w:p><w:p><w:pPr>",
            ],
        );
        assert!(!text.contains("old") && !text.contains("sdt"), "{text}");
        let kept = set(&bytes, "apa", FieldHandling::Keep);
        assert!(!kept.contains("old") && !kept.contains(&code), "{kept}");
        assert_eq!(kept.matches("<w:sdt>").count(), 3, "{kept}");
    }

    #[test]
    fn list_of_a_field_is_replaced() {
        let char = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
        let (begin, separate, end) = (char("begin"), char("separate"), char("end"));
        let body = format!(
            "<w:p><w:r><w:t>[@young] [@doi:10.1/light]</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val=\"B\"/></w:pPr>{begin}<w:r><w:instrText>ADDIN ZOTERO_BIBL {{}} CSL_BIBLIOGRAPHY</w:instrText></w:r>{separate}<w:r><w:t>old one</w:t></w:r></w:p><w:p><w:r><w:t>old two</w:t></w:r></w:p><w:p>{end}</w:p><w:p><w:r><w:t>behind</w:t></w:r></w:p>"
        );
        let styles = format!(
            "<w:styles xmlns:w=\"{NAMESPACE}\"><w:style w:styleId=\"B\"><w:name w:val=\"Bibliography\"/></w:style></w:styles>"
        );
        let bytes = package(&body, &[("word/styles.xml", &styles)]);
        for fields in [FieldHandling::Replace, FieldHandling::Keep] {
            let text = set(&bytes, "apa", fields);
            assert!(!text.contains("old"), "{text}");
            assert_eq!(text.matches("<w:p>").count(), 4, "{text}");
            assert_eq!(
                text.matches("<w:pStyle w:val=\"B\"/><w:spacing").count(),
                2,
                "{text}"
            );
            check(&text, &["</w:p><w:p><w:r><w:t>behind"]);
        }
    }

    #[test]
    fn list_stands_under_its_heading_or_at_its_placeholder() {
        let text = |behind: &str| {
            let body = format!(
                "<w:p><w:r><w:t>[@young]</w:t></w:r></w:p>{behind}<w:p><w:r><w:t>Appendix</w:t></w:r></w:p>"
            );
            set(&package(&body, &[]), "apa", FieldHandling::Replace)
        };
        let heading = "<w:p><w:r><w:t>Literatur</w:t></w:r></w:p>";
        check(
            &text(heading),
            &[
                "Literatur</w:t></w:r></w:p><w:p><w:pPr>",
                "</w:p><w:p><w:r><w:t>Appendix",
            ],
        );
        let place = text("<w:p><w:r><w:t>{Bibliography}</w:t></w:r></w:p>");
        check(&place, &["</w:p><w:p><w:r><w:t>Appendix"]);
        assert!(!place.contains("Bibliography"), "{place}");
    }

    #[test]
    fn note_style_makes_footnotes() {
        let body = format!(
            "<w:p><w:r><w:t>A wave [@young, p. 3]. See [@young, p. 4], too, and </w:t></w:r>{}<w:r><w:t>; end</w:t></w:r></w:p>",
            zotero()
        );
        let word = cited(&package(&body, &[]), "notes", FieldHandling::Replace);
        let text = part(&word.bytes, "word/document.xml");
        let call = |n: u32| {
            format!(
                "<w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:footnoteReference w:id=\"{n}\"/></w:r>"
            )
        };
        check(
            &text,
            &[
                &format!(
                    "A wave.</w:t></w:r>{}<w:r><w:t xml:space=\"preserve\"> See,</w:t></w:r>{}<w:r><w:t xml:space=\"preserve\"> too, and</w:t></w:r>",
                    call(1),
                    call(2)
                ),
                &format!(
                    "{}<w:r><w:t xml:space=\"preserve\"> end</w:t></w:r>",
                    call(3)
                ),
            ],
        );
        let notes = part(&word.bytes, "word/footnotes.xml");
        check(
            &notes,
            &[
                "Young, </w:t></w:r><w:r><w:rPr><w:i/><w:iCs/></w:rPr><w:t xml:space=\"preserve\">On light</w:t></w:r><w:r><w:t xml:space=\"preserve\">, p. 3.</w:t></w:r></w:p></w:footnote>",
                "w:id=\"3\"",
            ],
        );
        check(
            &part(&word.bytes, "[Content_Types].xml"),
            &["/word/footnotes.xml"],
        );
        check(
            &part(&word.bytes, "word/_rels/document.xml.rels"),
            &["/footnotes\""],
        );
    }

    #[test]
    fn citations_in_notes_stay_there() {
        let body =
            "<w:p><w:r><w:t>A wave.</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>";
        let notes = format!(
            "<w:footnotes xmlns:w=\"{NAMESPACE}\"><w:footnote w:id=\"2\"><w:p><w:r><w:t>See [@young].</w:t></w:r></w:p></w:footnote></w:footnotes>"
        );
        let bytes = package(body, &[("word/footnotes.xml", &notes)]);
        let word = cited(&bytes, "notes", FieldHandling::Replace);
        let name = "word/document.xml";
        assert_eq!(part(&word.bytes, name), part(&bytes, name));
        check(
            &part(&word.bytes, "word/footnotes.xml"),
            &[
                "See </w:t></w:r><w:r><w:t xml:space=\"preserve\">Young, </w:t>",
                "On light</w:t></w:r><w:r><w:t xml:space=\"preserve\">.</w:t>",
            ],
        );
    }
}
