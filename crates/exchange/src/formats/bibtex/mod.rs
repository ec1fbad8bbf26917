//! BibTeX and biblatex, read alike and written separately.
//!
//! `raw` splits a text into entries, `resolve` applies strings and inheritance, and `fields` builds items
//! with `latex`, `names` and `dates`. `inheritance` serves texts that are read in pieces; `write` writes
//! entries with `encode`.
//!
//! The crate `biblatex` gives up a file at its first fault; here a broken entry does not affect its
//! neighbours. The tests compare the two.

mod dates;
mod encode;
mod fields;
mod ieee;
pub mod inheritance;
pub(crate) mod kinds;
mod names;
pub(crate) mod raw;
pub mod read;
mod resolve;
mod verbatim;
pub(crate) mod write;

use crate::content::Content;
use crate::format::{Format, KeyRule};
use kinds::Dialect;

pub static BIBTEX: Format = Format {
    id: "bibtex",
    title: "BibTeX",
    media_types: &["application/x-bibtex", "text/x-bibtex"],
    extensions: &["bib", "bibtex"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, options, budget| write::write(items, Dialect::Bibtex, options, budget)),
    keys: KeyRule::Latex,
    tokens: &[TOKENS],
};

/// Files of both dialects look alike; only writing differs.
pub static BIBLATEX: Format = Format {
    id: "biblatex",
    title: "biblatex",
    media_types: &["application/x-biblatex"],
    extensions: &["bib"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, options, budget| write::write(items, Dialect::Biblatex, options, budget)),
    keys: KeyRule::Latex,
    tokens: &[TOKENS],
};

/// What both dialects are made of.
const TOKENS: &[&str] = &[
    "@book{k,",
    "@string{a = ",
    "@preamble{",
    "@comment{",
    "@a{",
    "@a(",
    "title = ",
    ", author = {",
    "xdata = {a}",
    ", crossref = {k}",
    ", date = {2001/",
    "{",
    "}",
    "\"",
    "#",
    "=",
    ",",
    "%",
    "$",
    "\\",
    "\\'",
    "\\emph{",
    "<i>",
    " and ",
    "\n",
    "a ",
];

/// An entry may follow any text, which BibTeX skips.
fn recognise(content: &Content<'_>) -> bool {
    !content.is_structured()
        && content.lines().any(|line| {
            let entry = line.trim_start().strip_prefix('@');
            let opened = entry.and_then(|entry| entry.split_once(['{', '(']));
            opened.is_some_and(|(kind, _)| {
                let kind = kind.trim();
                !kind.is_empty()
                    && kind
                        .chars()
                        .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
            })
        })
}
