//! Pages in HTML, whose markers are those of Markdown.

use citation_documents::Document;
use citation_model::budget::Budget;

use crate::CitingError;

/// The Markdown markers of a page, outside of its tags, scripts and comments.
pub fn markers(text: &str, budget: &Budget) -> Result<Document, CitingError> {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        masked.push_str(before);
        let end = [
            ("<!--", "-->"),
            ("<script", "</script>"),
            ("<style", "</style>"),
            ("<", ">"),
        ]
        .iter()
        .find(|(open, _)| tag.starts_with(open))
        .and_then(|(_, close)| Some(tag.find(close)? + close.len()))
        .unwrap_or(tag.len());
        let (tag, behind) = tag.split_at(end);
        // One space per byte, so that all offsets stay the same.
        masked.extend(tag.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        rest = behind;
    }
    masked.push_str(rest);
    citation_documents::read("page.md", masked.as_bytes(), &|_| None, budget)
        .map_err(|cause| CitingError::Document(cause.to_string()))
}

/// The bibliographies that a page names: `<meta name="bibliography" content="refs.bib">`.
pub fn bibliographies(text: &str) -> impl Iterator<Item = &str> {
    text.split("<meta name=\"bibliography\" content=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
}
