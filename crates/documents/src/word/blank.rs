//! A Word package that has nothing but a reference list.

use std::io::{Cursor, Write};

use citation_model::budget::Budget;
use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

use super::document::WordDocument;
use super::texts::{FieldHandling, WordList};
use crate::error::DocumentError;
use crate::preferences::StyleName;

/// The parts of a package with one paragraph, whose text stands for the list (ECMA-376, part 2).
const PARTS: [(&str, &str); 3] = [
    (
        "[Content_Types].xml",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#,
    ),
    (
        "word/document.xml",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{Bibliography}</w:t></w:r></w:p></w:body></w:document>"#,
    ),
];

/// A new package with a reference list, without a heading. The list has an entry.
pub fn new_word_document(list: &WordList, budget: &Budget) -> Result<Vec<u8>, DocumentError> {
    let broken = |cause: ZipError| DocumentError::broken("the package", cause);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in PARTS {
        let options = SimpleFileOptions::default();
        writer.start_file(name, options).map_err(broken)?;
        let written = writer.write_all(text.as_bytes());
        written.map_err(ZipError::from).map_err(broken)?;
    }
    let blank = writer.finish().map_err(broken)?.into_inner();
    let document = WordDocument::open(&blank, budget)?;
    let style = StyleName {
        id: "",
        is_note: false,
        has_bibliography: true,
    };
    let done = document.format(&[], Some(list), style, FieldHandling::Replace)?;
    Ok(done.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Package;
    use crate::wordml::{TextRun, TextStyle};

    #[test]
    fn package_has_the_list_and_nothing_else() {
        let run = |text: &str, is_italic| TextRun {
            text: text.to_owned(),
            style: TextStyle {
                is_italic,
                ..TextStyle::default()
            },
        };
        let list = WordList {
            entries: vec![vec![run("Doe & Roe. ", false), run("A work", true)]],
            ..WordList::default()
        };
        let budget = Budget::unlimited();
        let bytes = new_word_document(&list, &budget).unwrap();
        let mut package = Package::open(&bytes, &budget).unwrap();
        let text = package.text("word/document.xml").unwrap().unwrap();
        assert!(
            text.contains("Doe &amp; Roe.") && text.contains("<w:i/>"),
            "{text}"
        );
        assert!(!text.contains("Bibliography"), "{text}");
    }
}
