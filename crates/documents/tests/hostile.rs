//! Documents that are disproportionately expensive or break a reader.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::io::Write;

use citation_documents::{Document, DocumentError, read};
use citation_model::budget::Budget;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn try_read(name: &str, bytes: &[u8]) -> Result<Document, DocumentError> {
    read(
        name,
        bytes,
        &|_| None,
        &Budget::new(200_000_000, 400_000_000),
    )
}

fn package(name: &str, part: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("[Content_Types].xml", &b"<Types/>"[..]), (name, part)] {
        writer
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn decompression_bomb_is_rejected() {
    let bomb = package("word/document.xml", &vec![b' '; 65 * 1024 * 1024]);
    assert!(bomb.len() < 1024 * 1024);
    let result = try_read("bomb.docx", &bomb);
    assert!(
        matches!(result, Err(DocumentError::TooLarge { .. })),
        "{result:?}"
    );
}

#[test]
fn entities_of_a_document_type_are_rejected() {
    let xml = b"<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><d>&b;</d>";
    let result = try_read("bomb.docx", &package("word/document.xml", xml));
    assert!(
        matches!(result, Err(DocumentError::Broken { .. })),
        "{result:?}"
    );
}

#[test]
fn deep_elements_are_rejected() {
    let xml = "<w:p>".repeat(100_000);
    let docx = try_read("deep.docx", &package("word/document.xml", xml.as_bytes()));
    assert!(
        matches!(docx, Err(DocumentError::TooDeep { .. })),
        "{docx:?}"
    );
    let html = try_read("deep.html", "<div>".repeat(100_000).as_bytes());
    assert!(
        matches!(html, Err(DocumentError::TooDeep { .. })),
        "{html:?}"
    );
    let rtf = try_read(
        "deep.rtf",
        format!("{{\\rtf1{}", "{".repeat(100_000)).as_bytes(),
    );
    assert!(matches!(rtf, Err(DocumentError::TooDeep { .. })), "{rtf:?}");
}

#[test]
fn circular_includes_are_rejected() {
    let beside = |_: &str| Some(b"\\input{again} #include \"again.typ\"".to_vec());
    for name in ["loop.tex", "loop.typ"] {
        let text = b"\\input{again} \n#include \"again.typ\"";
        let result = read(name, text, &beside, &Budget::unlimited());
        assert!(
            matches!(result, Err(DocumentError::TooDeep { .. })),
            "{result:?}"
        );
    }
}

#[test]
fn truncated_documents_give_a_result() {
    let docx = package(
        "word/document.xml",
        b"<w:document xmlns:w=\"w\"><w:body><w:tbl><w:tr><w:tc><w:p><w:r><w:t>References</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>",
    );
    for length in 0..docx.len() {
        let _ = try_read("cut.docx", &docx[..length]);
    }
    let texts = [
        (
            "cut.tex",
            "\\citep[see][p. 3]{a}\\begin{thebibliography}{9}\\bibitem[x]{a} B. \\end{thebibliography}",
        ),
        (
            "cut.bbl",
            "\\entry{a}{article}{}\\name{author}{1}{}{{{hash=1}{ family={A}, given={B}}}}\\field{year}{2001}\\endentry",
        ),
        (
            "cut.md",
            "---\nbibliography: [a, b]\n---\n[see @a; -@{b}] @c [p. 3]\n<!-- `x` -->\n",
        ),
        (
            "cut.typ",
            "#cite(<a>, supplement: [p]) @b[c] /* d */ `e` #bibliography(\"r.bib\")",
        ),
        (
            "cut.html",
            "<p id=a>x <a href='#b'>1</a></p><h2>References</h2><ol><li id=b>Doe 2001</li></ol>",
        ),
        (
            "cut.rtf",
            "{\\rtf1{\\field{\\*\\fldinst ADDIN}{\\fldrslt x\\'f6\\u8211-}}\\par\\bin3 abc}",
        ),
    ];
    for (name, text) in texts {
        for length in 0..=text.len() {
            let _ = try_read(name, &text.as_bytes()[..length]);
        }
    }
}

#[test]
fn work_grows_with_the_text() {
    let pieces = [
        ("a.md", "[@a `b <!-- [x "),
        ("a.tex", "\\cite[\\def\\iffalse\\newcommand "),
        ("a.typ", "@a[#cite( #include /* \" bibliography("),
        ("a.html", "<a href='#b'><i>Doe 2001, 1(2), 3-4.<p>"),
        ("a.rtf", "{\\field Doe 2001, 1(2), 3-4.\\par }"),
    ];
    for (name, piece) in pieces {
        let steps = |count: usize| {
            let budget = Budget::unlimited();
            let _ = read(name, piece.repeat(count).as_bytes(), &|_| None, &budget);
            budget.steps()
        };
        let (once, more) = (steps(100), steps(1_000));
        assert!(more <= once * 12, "{name}: {once}, {more}");
    }
}

#[test]
fn unsupported_format_is_named() {
    let doc = try_read("a.doc", b"\xd0\xcf\x11\xe0")
        .unwrap_err()
        .to_string();
    assert!(doc.contains("Word 97"), "{doc}");
    assert!(try_read("a.docx", b"no package").is_err());
}
