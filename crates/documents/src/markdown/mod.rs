//! Markdown of pandoc, Quarto and R Markdown: citations by key, bibliographies in the front matter, and
//! typed lists.

mod blocks;
mod citations;
mod commands;
mod includes;
mod mask;
mod project;
mod reader;
mod roles;

pub(crate) use citations::{Marker, markers};

use citation_model::budget::Budget;

use self::blocks::blocks;
use self::reader::MarkdownReader;
use crate::Companions;
use crate::document::Document;
use crate::error::DocumentError;
use crate::format::is_book;
use crate::list;

/// The files of the chapters in `_quarto.yml` or `_bookdown.yml`; empty if it is no book.
pub fn book_chapters(text: &str, budget: &Budget) -> Result<Vec<String>, DocumentError> {
    let project = crate::yaml::parse("the project", text, budget)?;
    Ok(project::chapters(&project))
}

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "---\n",
    "bibliography: ",
    "[",
    "](",
    "]",
    "@",
    "@a",
    "@{",
    "[@a",
    "[-@a",
    "; ",
    "{",
    "}",
    "\\",
    "{\\[@",
    "<div>",
    "<div ",
    "</div>",
    "<!--",
    "-->",
    "<a",
    "`",
    "```\n",
    "~~~\n",
    "::: ",
    "\n",
    "\n\n",
    "# ",
    "## References\n",
    "- ",
    "> ",
    "[^1]: ",
    "(",
    "*",
    "_",
    "$",
    "|",
    "10.1000/",
    "a ",
];

pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let mut reader = MarkdownReader::new(companions, budget);
    if is_book(name) {
        reader.read_project(name, bytes)?
    } else {
        reader.read_document(bytes)?
    }
    finish(reader, budget)
}

/// Reads the citations of a page. `masked` is its text with everything else blanked.
pub(crate) fn read_masked(
    bytes: &[u8],
    masked: &str,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let mut reader = MarkdownReader::new(&|_| None, budget);
    reader.read_page(bytes, masked)?;
    finish(reader, budget)
}

fn finish(reader: MarkdownReader<'_>, budget: &Budget) -> Result<Document, DocumentError> {
    let (mut document, body) = reader.finish();
    if document.references.is_empty() {
        let blocks = blocks(&body.masked, body.above);
        document.references = list::find(&blocks, budget)?;
        document.marks_citations = !document.citations.is_empty();
        if !document.references.is_empty() && document.citations.is_empty() {
            document.blocks = blocks;
        }
    }
    Ok(document)
}

/// The YAML at the start, and the rest.
fn front_matter(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let Some(rest) = text.strip_prefix("---").filter(|rest| {
        rest.trim_start_matches([' ', '\t', '-'])
            .starts_with(['\n', '\r'])
    }) else {
        return ("", text);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if at > 0 && matches!(line.trim_end(), "---" | "...") {
            let front = rest.get(..at).unwrap_or_default();
            return (front, rest.get(at + line.len()..).unwrap_or_default());
        }
        at += line.len();
    }
    ("", text)
}
