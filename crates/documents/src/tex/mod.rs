//! TeX: citations of LaTeX, natbib and biblatex in a file and its inputs, and the bibliographies that it
//! names; also `.bbl` and `.aux` alone.

mod bibliographies;
mod cite;
mod commands;
mod macros;
mod reader;
mod settings;
mod units;

use citation_model::budget::Budget;

pub(crate) use self::cite::CiteArguments;
use self::reader::TexReader;
use crate::Companions;
use crate::document::{Document, Place};
use crate::error::DocumentError;

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "\\cite",
    "\\cite[",
    "\\citep{",
    "\\parencites(",
    "\\begin{",
    "\\begin{verbatim}",
    "\\begin{thebibliography}{9}",
    "\\bibitem",
    "\\bibitem[",
    "\\end{",
    "\\end{x{",
    "\\def\\x{",
    "\\newcommand{\\x}",
    "\\input{",
    "\\bibliography{",
    "\\href{",
    "\\verb|",
    "\\iffalse ",
    "\\entry{a}{book}{}",
    "\\name{author}{1}{}{",
    "\\field{year}{",
    "\\list{publisher}{1}{",
    "\\citation{",
    "{hash=1}",
    " family={",
    "doi.org/10.1000/",
    "{",
    "}",
    "[",
    "]",
    "(",
    "<",
    "%",
    "\\",
    "\n",
    "a",
    ", ",
];

pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let (stem, extension) = base.rsplit_once('.').unwrap_or((base, "tex"));
    let mut reader = TexReader::new(stem, companions, budget);
    let file = reader.keyed.sources.add_document(bytes);
    let text = reader.keyed.sources.text(file).to_owned();
    match extension.to_ascii_lowercase().as_str() {
        "bbl" => reader.add_list(&text, &Place::line(1))?,
        "aux" => reader.aux(&text)?,
        _ => reader.read_document(file)?,
    }
    reader.load()?;
    let is_list = extension.eq_ignore_ascii_case("bbl");
    let mut document = reader.keyed.document();
    document.marks_citations = !is_list;
    // A list alone is cited elsewhere.
    if is_list {
        document.findings.clear();
    }
    Ok(document)
}
