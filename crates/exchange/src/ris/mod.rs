//! RIS: tagged lines, read leniently and written strictly.

mod fields;
mod kinds;
pub mod parse;
pub mod read;
pub mod write;

use crate::format::{Format, KeyRule};

pub static RIS: Format = Format {
    id: "ris",
    title: "RIS",
    media_types: &["application/x-research-info-systems"],
    extensions: &["ris"],
    recognise: |content| {
        !content.is_structured()
            && content
                .lines()
                .any(|line| parse::is_type_line(line.trim_start()))
    },
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::Optional,
};
