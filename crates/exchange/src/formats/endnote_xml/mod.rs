//! EndNote XML: exports of EndNote and Bookends, EndNote citations in Word documents, and files of other
//! programs for them. EndNote 7 and older programs wrote the elements in capitals.

mod kinds;
mod old;
pub(crate) mod read;
mod write;

use crate::format::{Format, KeyRule};
use crate::syntax::tokens;

pub static ENDNOTE_XML: Format = Format {
    id: "endnote-xml",
    title: "EndNote XML",
    media_types: &["application/vnd.endnote+xml"],
    extensions: &["xml"],
    recognise: |content, _| {
        let root = content.root();
        root.is_some_and(|root| {
            let roots = ["xml", "records", "record", "EndNote"];
            let signs = ["<ref-type", "<rec-number", "<source-app", "<REFERENCE_TYPE"];
            roots
                .iter()
                .any(|name| root.name.eq_ignore_ascii_case(name))
                && signs.iter().any(|sign| content.head().contains(sign))
        })
    },
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<xml><records>",
            "<record>",
            "</record>",
            "<ref-type name=\"Book\">",
            "<titles><title>",
            "<authors><author>",
            "<style face=\"italic\">",
            "</style>",
            "<dates><year>",
            "<keyword>",
            "<XML><RECORDS>",
            "<RECORD>",
            "</RECORD>",
            "<REFERENCE_TYPE>",
            "<AUTHORS><AUTHOR>",
        ],
    ],
};
