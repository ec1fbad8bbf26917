//! BibTeX and biblatex, read alike and written each in its own way.
//!
//! `raw` cuts a text into entries, `resolve` puts strings and inherited fields in, `fields` makes
//! items with the help of `latex`, `names` and `dates`; `inheritance` is for texts that are read piece by piece;
//! `write` goes the way back with `encode`.
//!
//! Own code: the crate `biblatex` gives up a file at its first fault; here a broken entry never costs its
//! neighbours. The tests compare the two.

mod dates;
mod encode;
mod fields;
pub mod inheritance;
pub(crate) mod kinds;
mod latex;
mod names;
pub(crate) mod raw;
pub mod read;
mod resolve;
mod symbols;
mod verbatim;
pub(crate) mod write;

use crate::content::Content;
use crate::format::{Format, KeyRule};
use kinds::Dialect;
pub use latex::plain as plain_text;

pub static BIBTEX: Format = Format {
    id: "bibtex",
    title: "BibTeX",
    media_types: &["application/x-bibtex", "text/x-bibtex"],
    extensions: &["bib", "bibtex"],
    recognise,
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, options, budget| write::write(items, Dialect::Bibtex, options, budget)),
    keys: KeyRule::Latex,
};

/// Files of the two look alike; only writing differs.
pub static BIBLATEX: Format = Format {
    id: "biblatex",
    title: "biblatex",
    media_types: &["application/x-biblatex"],
    extensions: &["bib"],
    recognise,
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, options, budget| write::write(items, Dialect::Biblatex, options, budget)),
    keys: KeyRule::Latex,
};

/// An entry may stand behind any text, which BibTeX passes over.
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
