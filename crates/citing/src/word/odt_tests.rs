use super::*;
use crate::tests::StyledSources;

const ITEM: &str = r#"{"citationID":"x","properties":{"formattedCitation":"old","plainCitation":"old","noteIndex":0},"citationItems":[{"id":1,"locator":"3","itemData":{"id":1,"type":"book","title":"Emma","author":[{"family":"Austen","given":"Jane"}],"issued":{"date-parts":[[1815]]}}}]}"#;

/// A flat OpenDocument text.
fn flat(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><office:document xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\" xmlns:fo=\"f\" office:mimetype=\"application/vnd.oasis.opendocument.text\"><office:automatic-styles/><office:body><office:text>{body}</office:text></office:body></office:document>"
    )
}

fn zotero() -> String {
    let name = format!("ZOTERO_ITEM CSL_CITATION {ITEM} RND1").replace('"', "&quot;");
    format!(
        "<text:reference-mark-start text:name=\"{name}\"/><text:span>old</text:span><text:reference-mark-end text:name=\"{name}\"/>"
    )
}

const OWN: &str = "<text:bibliography-mark text:identifier=\"Doe01\" text:bibliography-type=\"book\" text:author=\"Jane Doe and Rik Roe\" text:title=\"Rings\" text:year=\"2001\">[Doe01]</text:bibliography-mark>";

fn set(body: &str, style: &'static str, fields: FieldHandling) -> String {
    let options = WordOptions {
        fields,
        incomplete_list: IncompleteList::Refuse,
    };
    let sources = StyledSources(style);
    let bytes = flat(body).into_bytes();
    let word = cite_word(&bytes, &[], options, &sources, &Budget::unlimited()).unwrap();
    assert!(word.left.is_empty(), "{:?}", word.left);
    let text = String::from_utf8(word.bytes).unwrap();
    let (_, text) = text.split_once("<office:automatic-styles>").unwrap();
    text.to_owned()
}

fn check(text: &str, expected: &[&str]) {
    for expected in expected {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn marks_of_odt_are_replaced() {
    let list = "<text:section text:name=\"ZOTERO_BIBL {} CSL_BIBLIOGRAPHY RND\"><text:p text:style-name=\"Bibliography_20_1\">Old.</text:p></text:section>";
    let body = format!(
        "<text:p>A {} and {OWN}.</text:p>{list}<text:p>End.</text:p>",
        zotero()
    );
    let text = set(&body, "apa", FieldHandling::Replace);
    check(
        &text,
        &[
            "<text:p>A (Austen, 1815, p. 3) and (Doe &amp; Roe, 2001).</text:p>",
            "<text:p text:style-name=\"Bibliography_20_1\">Austen, J. (1815). <text:span text:style-name=\"CitationI\">Emma</text:span>.</text:p>",
            "Doe, J., &amp; Roe, R. (2001).",
            "<text:p>End.</text:p>",
            "<style:style style:name=\"CitationI\"",
        ],
    );
    for gone in [
        "reference-mark",
        "bibliography-mark",
        "text:section",
        "Old.",
    ] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
}

/// A field of Word, as LibreOffice saves it.
fn word_field(code: &str, text: &str) -> String {
    let code = code.replace('"', "&quot;");
    format!(
        "<field:fieldmark-start text:name=\"Bookmark\" field:type=\"vnd.oasis.opendocument.field.UNHANDLED\"><field:param field:name=\"vnd.oasis.opendocument.field.code\" field:value=\" ADDIN {code} \"/></field:fieldmark-start><field:fieldmark-separator/>{text}<field:fieldmark-end/>"
    )
}

#[test]
fn fields_of_word_in_odt_are_set() {
    let code = format!("ZOTERO_ITEM CSL_CITATION {ITEM}");
    let citation = word_field(&code, "<text:span>old</text:span>");
    let list = word_field(
        "ZOTERO_BIBL {} CSL_BIBLIOGRAPHY",
        "Old.</text:p><text:p text:style-name=\"B\">Older.",
    );
    let body = format!(
        "<text:p>A {citation}.</text:p><text:p text:style-name=\"B\">{list}</text:p><text:p>End.</text:p>"
    );
    let text = set(&body, "apa", FieldHandling::Replace);
    check(
        &text,
        &[
            "<text:p>A (Austen, 1815, p. 3).</text:p><text:p text:style-name=\"B\">Austen, J. (1815).",
            "</text:p><text:p>End.</text:p>",
        ],
    );
    assert!(!text.contains("field:") && !text.contains("Old"), "{text}");
    let text = set(&body, "apa", FieldHandling::Keep);
    check(
        &text,
        &[
            "&quot;plainCitation&quot;:&quot;(Austen, 1815, p. 3)&quot;",
            "<field:fieldmark-separator/>(Austen, 1815, p. 3)<field:fieldmark-end/>",
        ],
    );
    assert_eq!(text.matches("fieldmark-end").count(), 2, "{text}");
}

#[test]
fn text_beside_the_list_of_a_field_stays() {
    let list = word_field("ZOTERO_BIBL {} CSL_BIBLIOGRAPHY", "Old.");
    let body = format!(
        "<text:p>A {}.</text:p><text:p>{list} Mine.</text:p>",
        zotero()
    );
    let text = set(&body, "apa", FieldHandling::Replace);
    assert!(text.contains("Mine."), "{text}");
}

#[test]
fn marks_of_zotero_in_odt_are_kept() {
    let body = format!("<text:p>A {}.</text:p>", zotero());
    let text = set(&body, "apa", FieldHandling::Keep);
    check(
        &text,
        &[
            "&quot;plainCitation&quot;:&quot;(Austen, 1815, p. 3)&quot;",
            "/>(Austen, 1815, p. 3)<text:reference-mark-end",
        ],
    );
    assert_eq!(text.matches("RND1").count(), 2);
}

#[test]
fn citations_of_odt_become_notes() {
    let body = format!("<text:p>A {}. B.</text:p>", zotero());
    let text = set(&body, "notes", FieldHandling::Replace);
    check(
        &text,
        &[
            "<text:p>A.<text:note text:id=",
            "<text:p text:style-name=\"Footnote\">Austen, <text:span text:style-name=\"CitationI\">Emma</text:span>, p. 3.</text:p></text:note-body></text:note> B.</text:p>",
        ],
    );
}

#[test]
fn index_of_libreoffice_keeps_its_title() {
    let index = "<text:bibliography text:name=\"B\"><text:bibliography-source><text:index-title-template text:style-name=\"X\">Works</text:index-title-template></text:bibliography-source><text:index-body><text:index-title text:name=\"T\"><text:p text:style-name=\"H\">Works</text:p></text:index-title><text:p text:style-name=\"E\">Doe01: old</text:p></text:index-body></text:bibliography>";
    let body = format!("<text:p>A {OWN}.</text:p>{index}");
    let text = set(&body, "apa", FieldHandling::Replace);
    check(
        &text,
        &[
            "<text:p text:style-name=\"H\">Works</text:p><text:p text:style-name=\"E\">Doe, J., &amp; Roe, R. (2001).",
        ],
    );
    assert!(!text.contains("old"), "{text}");
}

/// A text with a citation in its header, set in a style; with its package.
fn set_header(style: &'static str) -> (crate::word::Word, String) {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let header = format!(
        "<office:document-styles xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\"><office:automatic-styles/><office:master-styles><style:master-page><style:header><text:p>In {}</text:p></style:header></style:master-page></office:master-styles></office:document-styles>",
        zotero()
    );
    let content = flat("<text:p>Nothing</text:p>");
    for (name, text) in [
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("styles.xml", &header),
    ] {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut writer, text.as_bytes()).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    let options = WordOptions {
        fields: FieldHandling::Replace,
        incomplete_list: IncompleteList::Refuse,
    };
    let sources = StyledSources(style);
    let word = cite_word(&bytes, &[], options, &sources, &Budget::unlimited()).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&word.bytes)).unwrap();
    let mut styles = String::new();
    let mut file = archive.by_name("styles.xml").unwrap();
    std::io::Read::read_to_string(&mut file, &mut styles).unwrap();
    drop(file);
    drop(archive);
    (word, styles)
}

#[test]
fn marks_in_headers_of_odt_are_set() {
    let (word, styles) = set_header("apa");
    assert!(
        styles.contains("<style:header><text:p>In (Austen, 1815, p. 3)</text:p>"),
        "{styles}"
    );
    assert_eq!(word.left, []);
}

#[test]
fn marks_in_headers_of_odt_stay_where_citations_are_notes() {
    let (word, styles) = set_header("notes");
    assert!(styles.contains("old"), "{styles}");
    let left: Vec<&str> = word.left.iter().map(|part| part.text.as_str()).collect();
    assert_eq!(left, ["old"]);
    assert!(word.left.iter().all(|part| part.cause == LeftCause::Fixed));
}
