//! MARC 21 and UNIMARC of library catalogues: MARCXML, alone or in SRU and OAI responses, and binary ISO 2709 in UTF-8
//! or MARC-8.

mod binary;
mod item;
mod marc8;
mod record;
mod unimarc;
mod xml;

pub use xml::{CatalogueRecord, catalogue_records};

use crate::format::{Format, KeyRule};
use crate::syntax::tokens;

pub static MARCXML: Format = Format {
    id: "marcxml",
    title: "MARCXML",
    media_types: &["application/marcxml+xml"],
    extensions: &["xml", "marcxml", "mrcx"],
    recognise: |content, _| {
        let fields = ["<datafield", ":datafield", "<controlfield", ":controlfield"];
        content.root().is_some() && fields.iter().any(|sign| content.head().contains(sign))
    },
    read: Some(|content, budget| xml::read(content.text(), budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<collection>",
            "<record>",
            "</record>",
            "<leader>",
            "<controlfield tag=\"008\">",
            "<datafield tag=\"245\">",
            "<datafield tag=\"773\">",
            "<subfield code=\"a\">",
            "</subfield>",
            "</datafield>",
        ],
    ],
};

pub static MARC21: Format = Format {
    id: "marc21",
    title: "MARC 21",
    media_types: &["application/marc"],
    extensions: &["mrc", "marc"],
    recognise: |content, _| binary::is_leader(content.bytes()),
    read: Some(binary::read),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[&[
        "00026nam a2200025 a 4500",
        "00050nam a2200037 a 4500",
        "245000500000",
        "\u{1e}",
        "\u{1f}a",
        "\u{1d}",
        "\u{1b}$1",
        "\u{1b}(B",
        "10",
        "a",
    ]],
};
