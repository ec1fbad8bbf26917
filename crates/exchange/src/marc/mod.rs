//! MARC 21 of library catalogues: MARCXML, alone or in SRU and OAI responses, and binary ISO 2709 in UTF-8
//! or MARC-8.

mod binary;
mod item;
mod marc8;
mod record;
mod xml;

pub use xml::{CatalogueRecord, catalogue_records};

use crate::format::{Format, KeyRule};

pub static MARCXML: Format = Format {
    id: "marcxml",
    title: "MARCXML",
    media_types: &["application/marcxml+xml"],
    extensions: &["xml", "marcxml", "mrcx"],
    recognise: |content| {
        let fields = ["<datafield", ":datafield", "<controlfield", ":controlfield"];
        content.root().is_some() && fields.iter().any(|sign| content.head().contains(sign))
    },
    read: Some(|content, budget| xml::read(content.text(), budget)),
    write: None,
    keys: KeyRule::Optional,
};

pub static MARC21: Format = Format {
    id: "marc21",
    title: "MARC 21",
    media_types: &["application/marc"],
    extensions: &["mrc", "marc"],
    recognise: |content| binary::is_leader(content.bytes()),
    read: Some(binary::read),
    write: None,
    keys: KeyRule::Optional,
};
