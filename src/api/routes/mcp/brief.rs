//! Shortens the API's answers to what a model needs in its context.

use serde::Serialize;
use serde_json::Value;

use super::outputs::{self, Candidate, Verification, Work};

/// Characters of one text.
const TEXT_CHARS: usize = 300;

/// Maximum number of authors shown.
const AUTHORS: usize = 6;

/// Maximum number of items of a list within a result.
const DETAILS: usize = 8;

/// Maximum size of a list of results, in bytes of JSON.
const LIST_BYTES: usize = 24_000;

/// Maximum size of a text that a tool returns whole, in bytes.
pub const DOCUMENT_BYTES: usize = 64_000;

/// A work by its identifying fields.
pub fn work(metadata: &Value) -> Option<Work> {
    metadata.as_object()?;
    let field = |name: &str| metadata.get(name).map(shortened);
    let names = metadata.get("authors").and_then(Value::as_array);
    let names = names.map(Vec::as_slice).unwrap_or_default();
    let authors: Vec<String> = names.iter().take(AUTHORS).map(name).collect();
    let more_authors = names.len().saturating_sub(AUTHORS);
    let doi = field("doi").filter(|doi| !doi.is_null());
    Some(Work {
        kind: member(metadata, "entry_type"),
        authors: (!authors.is_empty()).then_some(authors),
        more_authors: (more_authors > 0).then_some(more_authors),
        year: metadata.pointer("/date/year").cloned(),
        title: field("title"),
        container_title: field("container_title"),
        volume: field("volume"),
        issue: field("issue"),
        pages: field("pages"),
        publisher: field("publisher"),
        isbn: field("isbn"),
        pmid: field("pmid"),
        arxiv: field("arxiv"),
        url: field("url").filter(|_| doi.is_none()),
        doi,
        source: metadata.pointer("/provenance/source").cloned(),
        notices: metadata.get("updates").and_then(list),
    })
}

fn name(name: &Value) -> String {
    let part = |part: &str| name.get(part).and_then(Value::as_str).unwrap_or_default();
    let text = match (part("literal"), part("family"), part("given")) {
        ("", family, "") => family.to_owned(),
        ("", family, given) => format!("{family}, {given}"),
        (literal, ..) => literal.to_owned(),
    };
    cut(&text)
}

/// A member of an answer, unless it is null.
pub fn member(value: &Value, name: &str) -> Option<Value> {
    value.get(name).filter(|value| !value.is_null()).cloned()
}

/// A member of an answer that is a list, shortened.
pub fn details(value: &Value, name: &str) -> Option<Vec<Value>> {
    value.get(name).and_then(list)
}

/// The members of an answer's list.
pub fn items<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    let items = value.get(name).and_then(Value::as_array);
    items.into_iter().flatten()
}

/// The result for one reference. Everything that qualifies the verdict is kept.
pub fn verification(result: &Value) -> Verification {
    let text = |pointer: &str| result.pointer(pointer).and_then(Value::as_str);
    let texts = [text("/text").or(text("/input/text")), text("/input/title")];
    let given = texts.into_iter().flatten().find(|text| !text.is_empty());
    let verdict = text("/verdict").unwrap_or_default();
    let is_open = matches!(verdict, "not_found" | "not_checked" | "ambiguous");
    let unless_empty = |details: &Vec<Value>| !details.is_empty();
    Verification {
        index: member(result, "index").unwrap_or_default(),
        verdict: verdict.into(),
        given: given.map(cut),
        message: member(result, "message"),
        score: member(result, "score"),
        decided: member(result, "override"),
        work: result.get("match").and_then(work),
        differences: details(result, "diffs").filter(unless_empty),
        notices: details(result, "updates").filter(unless_empty),
        position: member(result, "position"),
        sources_tried: details(result, "sources_tried").filter(|_| is_open),
    }
}

/// A candidate for a text.
pub fn candidate(candidate: &Value) -> Candidate {
    let fields = candidate.pointer("/explanation/fields");
    let fields = fields.and_then(Value::as_array).into_iter().flatten();
    let reason = |field: &Value| {
        let name = field.get("field")?.as_str()?;
        Some((name.to_owned(), field.get("verdict")?.clone()))
    };
    Candidate {
        score: member(candidate, "score").unwrap_or_default(),
        source: member(candidate, "source"),
        work: candidate.get("metadata").and_then(work),
        reasons: fields.filter_map(reason).collect(),
    }
}

/// The first items of a list, each shortened; the last one is the number of omitted items.
fn list(value: &Value) -> Option<Vec<Value>> {
    let items = value.as_array()?;
    let mut shown: Vec<Value> = items.iter().take(DETAILS).map(shortened).collect();
    let more = items.len().saturating_sub(DETAILS);
    if more > 0 {
        shown.push(format!("{more} more").into());
    }
    Some(shown)
}

/// A value with its texts shortened.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => cut(text).into(),
        Value::Array(_) => list(value).into(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), shortened(value)))
            .collect(),
        other => other.clone(),
    }
}

/// The start of a text.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// As much of a list as fits a context, and the number of omitted items.
pub fn fitting<T: Serialize>(items: impl IntoIterator<Item = T>) -> (Vec<T>, Option<usize>) {
    let (mut bytes, mut more) = (0, 0);
    let mut shown = Vec::new();
    for item in items {
        bytes += outputs::value(&item).to_string().len();
        if bytes <= LIST_BYTES || shown.is_empty() {
            shown.push(item)
        } else {
            more += 1
        }
    }
    (shown, (more > 0).then_some(more))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_lists_state_how_many_are_omitted() {
        let (shown, more) = fitting(vec!["x".repeat(1_000); 100]);
        assert!(shown.len() < 25, "{}", shown.len());
        assert_eq!(more, Some(100 - shown.len()));
        let names = vec![json!({"family": "Abel", "given": "A."}); 3_000];
        let work = work(&json!({"title": "T".repeat(5_000), "authors": names}));
        let work = outputs::value(&work);
        assert_eq!(work["more_authors"], 2_994);
        assert!(work.to_string().len() < 2_000, "{work}");
    }

    #[test]
    fn verdict_keeps_its_reasons() {
        let result = json!({
            "index": 3, "verdict": "ambiguous", "message": "Several works fit.", "score": 0.71,
            "input": {"text": "Abel 2020"}, "match": {"title": "One of them"},
            "diffs": [{"field": "year", "given": "2020", "found": "2019", "severity": "warning"}],
            "updates": [], "sources_tried": [{"source": "local", "outcome": "found"}],
        });
        let brief = outputs::value(&verification(&result));
        assert_eq!(brief["verdict"], "ambiguous");
        assert_eq!(brief["message"], "Several works fit.");
        assert_eq!(brief["differences"][0]["field"], "year");
        assert_eq!(brief["sources_tried"][0]["source"], "local");
        assert_eq!(brief["score"], 0.71);
    }
}
