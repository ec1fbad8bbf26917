//! MODS, the Library of Congress's XML format for library holdings, alone or in SRU and OAI responses.

mod kinds;
mod read;
mod write;

use crate::format::{Format, KeyRule};
use crate::syntax::tokens;

pub static MODS: Format = Format {
    id: "mods",
    title: "MODS",
    media_types: &["application/mods+xml"],
    extensions: &["mods", "xml"],
    recognise: |content, _| {
        let root = content.root();
        root.is_some_and(|root| {
            matches!(root.name, "mods" | "modsCollection")
                || ["<mods>", "<mods ", "<mods:mods", "<modsCollection"]
                    .iter()
                    .any(|sign| content.head().contains(sign))
        })
    },
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<modsCollection>",
            "<mods>",
            "</mods>",
            "<titleInfo><title>",
            "<name>",
            "<namePart>",
            "<relatedItem type=\"host\">",
            "<part>",
            "<detail type=\"volume\">",
            "<identifier type=\"doi\">",
            "<dateIssued>",
        ],
    ],
};
