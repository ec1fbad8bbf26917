use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::*;
use crate::tests::StyledSources;

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
    cite_word(
        bytes,
        &files,
        WordOptions {
            fields,
            incomplete_list: IncompleteList::Refuse,
        },
        &StyledSources(style),
        &Budget::unlimited(),
    )
    .unwrap()
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
fn markers_are_replaced_in_place() {
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
fn document_without_citations_is_unchanged() {
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
fn kept_fields_have_the_new_text() {
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
fn kept_fields_use_the_new_style() {
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
fn mendeley_and_word_controls_are_formatted() {
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

/// A document with a citation of Word, its list, and two sources.
fn with_sources(citation: &str) -> Vec<u8> {
    let char = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let (begin, separate, end) = (char("begin"), char("separate"), char("end"));
    let field = |code: &str| {
        format!(
            "<w:p>{begin}<w:r><w:instrText>{code}</w:instrText></w:r>{separate}<w:r><w:t>old</w:t></w:r>{end}</w:p>"
        )
    };
    let body = format!("{}{}", field(citation), field("BIBLIOGRAPHY"));
    let source = |tag: &str, title: &str| {
        format!(
            "<b:Source><b:Tag>{tag}</b:Tag><b:SourceType>Book</b:SourceType><b:Title>{title}</b:Title></b:Source>"
        )
    };
    let sources = format!(
        "<b:Sources xmlns:b=\"http://schemas.openxmlformats.org/officeDocument/2006/bibliography\">{}{}</b:Sources>",
        source("One", "First source"),
        source("Two", "Second source")
    );
    package(&body, &[("customXml/item1.xml", &sources)])
}

#[test]
fn list_of_word_has_sources_that_nobody_cites() {
    let bytes = with_sources("CITATION One \\l 1033");
    let text = set(&bytes, "apa", FieldHandling::Keep);
    check(&text, &["First source", "Second source"]);
    assert!(!text.contains("old"), "{text}");
}

#[test]
fn list_of_another_program_has_no_sources_of_word() {
    let bytes = with_sources(&format!(
        "ADDIN ZOTERO_ITEM CSL_CITATION {{\"citationItems\":[{{\"id\":1,{ITEM}}}]}}"
    ));
    let text = set(&bytes, "apa", FieldHandling::Keep);
    check(&text, &["Austen"]);
    assert!(!text.contains("source</w:t>"), "{text}");
}

#[test]
fn list_is_inserted_under_its_heading_or_at_its_placeholder() {
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
fn note_style_creates_footnotes() {
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
fn citations_in_notes_stay_in_notes() {
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

#[test]
fn shorter_list_is_told() {
    let check = |entries: &str, expected: Option<ShortenedList>| {
        let (begin, separate, end) = (
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>",
            "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>",
            "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
        );
        let body = format!(
            "<w:p>{}</w:p><w:p>{begin}<w:r><w:instrText> ADDIN EN.REFLIST </w:instrText></w:r>{separate}{entries}{end}</w:p>",
            zotero()
        );
        let word = cited(&package(&body, &[]), "apa", FieldHandling::Replace);
        assert_eq!(word.shortened, expected);
    };
    let more = "<w:r><w:t>Austen</w:t></w:r></w:p><w:p><w:r><w:t>Poe</w:t></w:r></w:p><w:p><w:r><w:t>Roe</w:t></w:r>";
    let shortened = ShortenedList {
        before: 3,
        after: 1,
    };
    check(more, Some(shortened));
    check("<w:r><w:t>Austen</w:t></w:r></w:p><w:p>", None);
}
