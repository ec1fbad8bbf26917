//! Tracked changes and comments in Word documents.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::io::{Read, Write};

use citation_documents::{
    Document, Place, Revised, Revision, Signature, TrackedChange, read, revise,
};
use citation_exchange::correction::Correction;
use citation_model::budget::Budget;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;
const NAMESPACE: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

fn package(body: &str, further: &[(&str, &str)]) -> Vec<u8> {
    let text = format!(
        "<w:document xmlns:w=\"{NAMESPACE}\"><w:body><w:p><w:r><w:t>References</w:t></w:r></w:p>{body}</w:body></w:document>"
    );
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let parts = [("[Content_Types].xml", TYPES), ("word/document.xml", &text)];
    for (name, text) in parts.iter().chain(further) {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

fn document(bytes: &[u8]) -> Document {
    read("a.docx", bytes, &|_| None, &Budget::unlimited()).unwrap()
}

fn correction(field: &'static str, given: &str, found: &str) -> Correction {
    Correction {
        field,
        given: given.to_owned(),
        found: found.to_owned(),
    }
}

/// Revises the references of a document, in order.
fn revised(bytes: &[u8], corrections: &[&[Correction]]) -> Revised {
    let references = document(bytes).references;
    assert_eq!(references.len(), corrections.len());
    let revisions: Vec<Revision> = references
        .iter()
        .zip(corrections)
        .map(|(reference, corrections)| Revision {
            place: reference.place.clone(),
            text: reference.text.clone(),
            corrections: corrections.to_vec(),
            comment: "Look <here>\nand there".to_owned(),
        })
        .collect();
    let signature = Signature {
        author: "R&D",
        date: "2001-02-03T04:05:06Z",
    };
    revise(bytes, &revisions, signature, &Budget::unlimited()).unwrap()
}

/// A part's text with its changes rejected.
fn rejected(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<w:ins ") {
        out.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find("</w:ins>").unwrap() + "</w:ins>".len()..];
    }
    out.push_str(rest);
    while let Some(at) = out.find("<w:del ") {
        let end = at + out[at..].find('>').unwrap() + 1;
        out.replace_range(at..end, "");
    }
    out.replace("</w:del>", "").replace("delText", "t")
}

fn texts(document: &Document) -> Vec<String> {
    document.references.iter().map(|r| r.text.clone()).collect()
}

const BODY: &str = "<w:p w:id=\"7\"><w:pPr><w:jc w:val=\"left\"/></w:pPr><w:r><w:t xml:space=\"preserve\">Doe, J. &amp; Roe, R. (1965). On the rin</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">gs of gold. Rings, 7, 11–19</w:t><w:tab/><w:t>.</w:t></w:r></w:p><w:p><w:r><w:t>Nobody, N. (1999). Nowhere. Void, 3, 1–2.</w:t></w:r></w:p>";

#[test]
fn correction_is_a_tracked_change_of_its_words() {
    let bytes = package(BODY, &[("word/media/image1.bin", "\u{1}\u{2}")]);
    let title = correction("title", "On the rings of gold", "On the knots of gold");
    let corrections = [
        correction("year", "1965", "1975"),
        title,
        correction("pages", "11–19", "11–29"),
    ];
    let revised = revised(&bytes, &[&corrections, &[]]);
    let change = |old: &str, new: &str| TrackedChange {
        paragraph: 2,
        old: old.to_owned(),
        new: new.to_owned(),
    };
    assert_eq!(
        revised.changes,
        [
            change("1965", "1975"),
            change("rings", "knots"),
            change("19", "29")
        ]
    );
    assert_eq!(revised.comments, [3]);
    let text = part(&revised.bytes, "word/document.xml");
    let by = "w:author=\"R&amp;D\" w:date=\"2001-02-03T04:05:06Z\"";
    for expected in [
        format!(
            "<w:del w:id=\"8\" {by}><w:r><w:delText xml:space=\"preserve\">1965</w:delText></w:r></w:del><w:ins w:id=\"9\" {by}><w:r><w:t xml:space=\"preserve\">1975</w:t></w:r></w:ins><w:r>"
        ),
        "<w:r><w:rPr><w:i/></w:rPr><w:delText xml:space=\"preserve\">gs</w:delText></w:r></w:del>"
            .to_owned(),
        "<w:p><w:commentRangeStart w:id=\"0\"/><w:r><w:t>Nobody".to_owned(),
        "<w:commentRangeEnd w:id=\"0\"/><w:r><w:commentReference w:id=\"0\"/></w:r></w:p>"
            .to_owned(),
    ] {
        assert!(text.contains(&expected), "{expected}: {text}");
    }
    assert_eq!(
        texts(&document(&revised.bytes))[0],
        "Doe, J. & Roe, R. (1975). On the knots of gold. Rings, 7, 11–29 ."
    );
    let body = rejected(&text);
    let end = body.find("<w:p><w:commentRangeStart").unwrap();
    let body = &body[body.find("<w:p ").unwrap()..end];
    assert_eq!(
        texts(&document(&package(body, &[])))[0],
        texts(&document(&bytes))[0]
    );
    let comments = part(&revised.bytes, "word/comments.xml");
    assert!(
        comments.contains(">Look &lt;here&gt;</w:t></w:r></w:p><w:p>"),
        "{comments}"
    );
    let relations = part(&revised.bytes, "word/_rels/document.xml.rels");
    assert!(relations.contains("relationships/comments\" Target=\"comments.xml\""));
    assert!(part(&revised.bytes, "[Content_Types].xml").contains("\"/word/comments.xml\""));
    let image = "word/media/image1.bin";
    assert_eq!(part(&revised.bytes, image), part(&bytes, image));
}

#[test]
fn comments_are_added_to_existing_ones() {
    let relations = "<Relationships><Relationship Id=\"a\" Type=\"x/comments\" Target=\"said.xml\"/></Relationships>";
    let comments =
        format!("<x:comments xmlns:x=\"{NAMESPACE}\"><x:comment x:id=\"4\"/></x:comments>");
    let further = [
        ("word/_rels/document.xml.rels", relations),
        ("word/said.xml", comments.as_str()),
    ];
    let bytes = package(BODY, &further);
    let revised = revised(&bytes, &[&[], &[]]);
    let said = part(&revised.bytes, "word/said.xml");
    assert!(
        said.contains("<x:comment x:id=\"4\"/><w:comment "),
        "{said}"
    );
    assert!(
        said.contains("w:id=\"6\"") && said.ends_with("</x:comments>"),
        "{said}"
    );
    for name in ["word/_rels/document.xml.rels", "[Content_Types].xml"] {
        assert_eq!(part(&revised.bytes, name), part(&bytes, name));
    }
}

#[test]
fn correction_without_plain_text_becomes_a_comment() {
    let body = BODY.replace(
        "<w:r><w:t>Nobody, N. (1999)",
        "<w:ins w:id=\"1\"><w:r><w:t>Nobody, N. (1999)</w:t></w:r></w:ins><w:r><w:t>",
    );
    let bytes = package(&body, &[]);
    let twice = correction("volume", "1", "2");
    let revised = revised(&bytes, &[&[twice], &[correction("year", "1999", "1998")]]);
    assert_eq!(
        (revised.changes, revised.comments),
        (Vec::new(), vec![2, 3])
    );
}

#[test]
fn package_without_revisions_keeps_its_text() {
    let bytes = package(BODY, &[]);
    let signature = Signature {
        author: "",
        date: "",
    };
    let revised = revise(&bytes, &[], signature, &Budget::unlimited()).unwrap();
    let name = "word/document.xml";
    assert_eq!(part(&revised.bytes, name), part(&bytes, name));
    let nowhere = Revision {
        place: Place::default(),
        ..Revision::default()
    };
    revise(&bytes, &[nowhere], signature, &Budget::unlimited()).unwrap();
}
