//! Pages in HTML with the markers of Markdown, which a reader of the page does not see as citations.

use citation_model::budget::Budget;

use crate::document::{Document, ListHeading, ListPlace, ListPlaceKind};
use crate::error::DocumentError;
use crate::format::ManuscriptFormat;
use crate::sources::FileId;
use crate::{finish, markdown};

/// What ends the parts of a page that are no text.
const PARTS: [(&str, &str); 4] = [
    ("<!--", "-->"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<", ">"),
];

/// Reads the Markdown markers of a page, outside of its tags, scripts and comments.
pub fn read_page(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    budget.spend_bytes(text.len())?;
    let mut document = markdown::read_masked(bytes, &masked(&text), budget)?;
    document.list_place = document.sources.first().map(|file| list_place(&text, file));
    finish(&mut document, ManuscriptFormat::Html, budget)?;
    Ok(document)
}

fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        masked.push_str(before);
        let end = { PARTS.iter() }
            .find(|(open, _)| tag.starts_with(open))
            .and_then(|(_, close)| Some(tag.find(close)? + close.len()))
            .unwrap_or(tag.len());
        let (tag, behind) = tag.split_at(end);
        // One space per byte, so that all offsets stay the same.
        masked.extend(tag.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        rest = behind;
    }
    masked.push_str(rest);
    masked
}

/// The element with the id `refs`, or else the end of the body.
fn list_place(text: &str, file: FileId) -> ListPlace {
    let element = ["<div id=\"refs\"", "<section id=\"refs\""]
        .iter()
        .find_map(|open| {
            let start = text.find(open)?;
            Some(start + text.get(start..)?.find('>')? + 1)
        });
    let (at, kind) = match element {
        Some(at) => (at, ListPlaceKind::Element),
        None => {
            let end = text.rfind("</body>").unwrap_or(text.len());
            (end, ListPlaceKind::End)
        }
    };
    ListPlace {
        span: file.span(at..at),
        kind,
        heading: ListHeading::Default,
    }
}
