//! OpenDocument texts (ODF 1.3): paragraphs, tables and notes, and citations of Zotero, JabRef and
//! LibreOffice.

mod document;
mod markup;
mod reader;

pub use document::OdtDocument;

use citation_model::budget::Budget;

use self::reader::Contents;
use crate::document::{Document, Finding};
use crate::error::DocumentError;
use crate::list;
use crate::package::Package;

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "<text:p>",
    "</text:p>",
    "<text:span>",
    "</text:span>",
    "<text:h>",
    "<text:list>",
    "<text:list-item>",
    "<text:note>",
    "<text:note-body>",
    "<text:reference-mark-start text:name=\"ZOTERO_ITEM CSL_CITATION {",
    "<text:reference-mark-end text:name=\"a\"/>",
    "<text:bibliography-mark text:identifier=\"a\">",
    "<text:s/>",
    "<text:tab/>",
    "<table:table>",
    "References",
    "[@a]",
    "(Doe 2001)",
    "&amp;",
    "a ",
];

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let (meta, text) = if bytes.starts_with(b"PK") {
        parts(&mut Package::open(bytes, budget)?)?
    } else {
        flat(bytes, budget)?
    };
    let contents = Contents::read(&text, &meta, budget)?;
    let citations = contents.citations.into_iter().map(|found| found.citation);
    let mut document = list::assemble(contents.blocks, citations.collect(), Vec::new(), budget)?;
    let unread = contents.unread.into_iter().map(Finding::from);
    document.findings.extend(unread);
    Ok(document)
}

/// The text of a file that is no package, which also has the properties.
fn flat(bytes: &[u8], budget: &Budget) -> Result<(String, String), DocumentError> {
    budget.spend_bytes(bytes.len())?;
    let text = citation_exchange::decode(bytes).0.into_owned();
    Ok((text.clone(), text))
}

/// The properties and the text of a package.
fn parts(package: &mut Package<'_>) -> Result<(String, String), DocumentError> {
    let manifest = package.text("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return Err(DocumentError::Encrypted("the document".to_owned()));
    }
    let meta = package.text("meta.xml")?.unwrap_or_default();
    let text = package
        .text("content.xml")?
        .ok_or_else(|| DocumentError::broken("content.xml", "it is not there"))?;
    Ok((meta, text))
}
