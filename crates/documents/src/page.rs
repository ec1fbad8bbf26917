//! Pages in HTML with the markers of Markdown, which a reader of the page does not see as citations.

use citation_model::budget::Budget;
use citation_model::lookahead::Lookahead;

use crate::document::{Document, ListHeading, ListPlace, ListPlaceKind};
use crate::error::DocumentError;
use crate::format::ManuscriptFormat;
use crate::sources::FileId;
use crate::tags::Tags;
use crate::{finish, markdown};

/// Reads the Markdown markers of a page, outside of its tags, comments and verbatim elements.
pub fn read_page(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    budget.spend_bytes(text.len())?;
    let mut document = markdown::read_masked(bytes, &masked(&text, budget), budget)?;
    document.list_place = document.sources.first().map(|file| list_place(&text, file));
    finish(&mut document, ManuscriptFormat::Html, budget)?;
    Ok(document)
}

/// The text with everything blanked that is no text.
fn masked(text: &str, budget: &Budget) -> String {
    let ahead = Lookahead::new(text.len(), budget);
    let tags = Tags::new(text, &ahead);
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('<')) {
        masked.push_str(text.get(at..at + next).unwrap_or_default());
        at += next;
        let end = tags.end(at).unwrap_or(at + 1);
        let tag = text.get(at..end).unwrap_or_default();
        // One space per byte, so that all offsets stay the same.
        masked.extend(tag.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        at = end;
    }
    masked.push_str(text.get(at..).unwrap_or_default());
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
