//! A document as one JSON object.

use serde_json::{Map, Value, json};

use crate::document::{Cited, Document, Finding, ListedReference, ManuscriptCitation, Place};

impl Document {
    /// `{"file", "format", "references": [{"text", "doi"?, "key"?, "place"}], "citations": [{"items":
    /// [{"doi" | "key", "locator", …}], "text"?, "place"}], "findings": [{"kind", "message", "keys",
    /// "place"}]}`. If the format does not mark citations, those recognised in print are
    /// `printed_citations`: their items have a `reference`, the position in the printed list from 1,
    /// instead of a key.
    pub fn json(&self, file: &str) -> Value {
        let mut members = Map::new();
        members.insert("file".to_owned(), json!(file));
        members.insert("format".to_owned(), json!(self.format.name()));
        let references: Vec<Value> = self.references.iter().map(reference).collect();
        members.insert("references".to_owned(), json!(references));
        let citations: Vec<Value> = self.citations.iter().map(citation).collect();
        if self.marks_citations {
            members.insert("citations".to_owned(), json!(citations));
        } else if !citations.is_empty() {
            members.insert("printed_citations".to_owned(), json!(citations));
        }
        let findings: Vec<Value> = self.findings.iter().map(finding).collect();
        members.insert("findings".to_owned(), json!(findings));
        Value::Object(members)
    }
}

fn reference(reference: &ListedReference) -> Value {
    object([
        ("text", json!(reference.text)),
        ("doi", json!(reference.doi.as_ref().map(|doi| doi.as_str()))),
        ("key", json!(reference.key)),
        ("place", place(&reference.place)),
    ])
}

fn citation(citation: &ManuscriptCitation) -> Value {
    let items: Vec<Value> = citation.items.iter().map(cited).collect();
    object([
        ("items", json!(items)),
        ("text", text(&citation.text)),
        ("place", place(&citation.place)),
    ])
}

fn cited(cited: &Cited) -> Value {
    let cite = &cited.cite;
    let locator = cite.locator.as_ref();
    object([
        ("doi", json!(cited.doi.as_ref().map(|doi| doi.as_str()))),
        ("key", text(&cite.id)),
        ("reference", json!(cited.reference.map(|n| n + 1))),
        ("locator", json!(locator.map(|locator| &locator.value))),
        ("label", json!(locator.map(|locator| &locator.label))),
        ("prefix", text(&cite.prefix)),
        ("suffix", text(cite.suffix.trim_start())),
        ("mode", json!(mode(cited))),
    ])
}

/// `None` for a cite in normal form.
fn mode(cited: &Cited) -> Option<&'static str> {
    use citation_model::cite::CiteMode;
    match cited.cite.mode {
        CiteMode::Normal => None,
        CiteMode::AuthorOnly => Some("author-only"),
        CiteMode::SuppressAuthor => Some("suppress-author"),
        CiteMode::Composite => Some("composite"),
    }
}

fn finding(finding: &Finding) -> Value {
    object([
        ("kind", json!(finding.kind.as_str())),
        ("message", json!(finding.message)),
        ("keys", json!(finding.keys)),
        ("place", place(&finding.place)),
    ])
}

fn place(place: &Place) -> Value {
    object([
        ("file", json!(place.file)),
        ("line", json!(place.line)),
        ("paragraph", json!(place.paragraph)),
        ("note", json!(place.note)),
        ("page", json!(place.page)),
    ])
}

fn text(text: &str) -> Value {
    match text {
        "" => Value::Null,
        text => json!(text),
    }
}

/// An object of the non-null members.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let members = members.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_citations_are_separate_from_marked_ones() {
        let mut document = Document {
            citations: vec![ManuscriptCitation::default()],
            ..Document::default()
        };
        let printed = document.json("a.pdf");
        assert!(printed["citations"].is_null() && printed["printed_citations"].is_array());
        document.marks_citations = true;
        let marked = document.json("a.md");
        assert!(marked["citations"].is_array() && marked["printed_citations"].is_null());
    }
}
