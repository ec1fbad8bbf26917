//! Word's bibliography XML: `Sources.xml` and the sources in documents (ECMA-376, part 1, 22.6).

mod kinds;
mod read;
mod write;

use crate::format::{Format, KeyRule};

pub static MSBIB: Format = Format {
    id: "word-xml",
    title: "Word's bibliography XML",
    media_types: &["application/vnd.openxmlformats-officedocument.bibliography+xml"],
    extensions: &["xml"],
    recognise: |content| {
        let root = content.root();
        root.is_some_and(|root| {
            matches!(root.name, "Sources" | "Source") && content.head().contains("/bibliography")
        })
    },
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::AnyText,
};
