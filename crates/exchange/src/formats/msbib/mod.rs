//! Word's bibliography XML: `Sources.xml` and the sources in documents (ECMA-376, part 1, 22.6).

pub(crate) mod kinds;
mod read;
mod write;

use crate::format::{Format, KeyRule};
use crate::syntax::tokens;

pub static MSBIB: Format = Format {
    id: "word-xml",
    title: "Word's bibliography XML",
    media_types: &["application/vnd.openxmlformats-officedocument.bibliography+xml"],
    extensions: &["xml"],
    recognise: |content, _| {
        let root = content.root();
        root.is_some_and(|root| {
            matches!(root.name, "Sources" | "Source") && content.head().contains("/bibliography")
        })
    },
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::AnyText,
    tokens: &[
        tokens::XML,
        &[
            "<b:Sources xmlns:b=\"http://schemas.openxmlformats.org/officeDocument/2006/bibliography\">",
            "<b:Source>",
            "</b:Source>",
            "<b:Title>",
            "<b:Author>",
            "<b:NameList>",
            "<b:Person>",
            "<b:Last>",
            "<b:Pages>",
            "<b:Year>",
        ],
    ],
};
