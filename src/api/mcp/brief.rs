//! Shortens the API's answers to what a model needs in its context.

use serde_json::{Map, Value, json};

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

/// Members of a work's metadata that are kept besides its authors and its date.
const KEPT: [&str; 11] = [
    "title",
    "container_title",
    "volume",
    "issue",
    "pages",
    "publisher",
    "doi",
    "isbn",
    "pmid",
    "arxiv",
    "url",
];

/// A work by its identifying fields.
pub fn work(metadata: &Value) -> Value {
    if !metadata.is_object() {
        return Value::Null;
    }
    let mut work = Map::new();
    let mut keep = |name: &str, value: Value| {
        if !value.is_null() {
            work.insert(name.to_owned(), value);
        }
    };
    keep("type", metadata["entry_type"].clone());
    let names = metadata["authors"].as_array();
    let (authors, more) = names.map_or((Vec::new(), 0), |names| {
        let shown = names.iter().take(AUTHORS).map(name);
        (shown.collect(), names.len().saturating_sub(AUTHORS))
    });
    if !authors.is_empty() {
        keep("authors", authors.into());
    }
    if more > 0 {
        keep("more_authors", more.into());
    }
    keep("year", metadata["date"]["year"].clone());
    for member in KEPT {
        // The DOI is the better address.
        if member != "url" || metadata["doi"].is_null() {
            keep(member, shortened(&metadata[member]));
        }
    }
    keep("source", metadata["provenance"]["source"].clone());
    keep("notices", shortened(&metadata["updates"]));
    Value::Object(work)
}

fn name(name: &Value) -> Value {
    let part = |part: &str| name[part].as_str().unwrap_or_default();
    let text = match (part("literal"), part("family"), part("given")) {
        ("", family, "") => family.to_owned(),
        ("", family, given) => format!("{family}, {given}"),
        (literal, ..) => literal.to_owned(),
    };
    cut(&text).into()
}

/// The result for one reference. Everything that qualifies the verdict is kept.
pub fn verification(result: &Value) -> Value {
    let mut brief = json!({"index": result["index"], "verdict": result["verdict"]});
    let text = result["text"].as_str().or(result["input"]["text"].as_str());
    let title = result["input"]["title"].as_str();
    if let Some(given) = text.filter(|text| !text.is_empty()).or(title) {
        brief["given"] = cut(given).into();
    }
    for (name, value) in [
        ("message", result["message"].clone()),
        ("score", result["score"].clone()),
        ("override", result["override"].clone()),
        ("work", work(&result["match"])),
        ("differences", list(&result["diffs"])),
        ("notices", list(&result["updates"])),
        ("position", result["position"].clone()),
    ] {
        if !is_empty(&value) {
            brief[name] = value;
        }
    }
    if matches!(
        result["verdict"].as_str(),
        Some("not_found" | "not_checked" | "ambiguous")
    ) {
        brief["sources_tried"] = list(&result["sources_tried"]);
    }
    brief
}

/// A candidate for a text.
pub fn candidate(candidate: &Value) -> Value {
    let fields = candidate["explanation"]["fields"].as_array();
    let reasons: Map<String, Value> = fields
        .into_iter()
        .flatten()
        .filter_map(|field| {
            Some((
                field["field"].as_str()?.to_owned(),
                field["verdict"].clone(),
            ))
        })
        .collect();
    json!({
        "score": candidate["score"],
        "source": candidate["source"],
        "work": work(&candidate["metadata"]),
        "reasons": reasons,
    })
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// The first items of a list, each shortened; the last one is the number of omitted items.
pub fn list(value: &Value) -> Value {
    let Some(items) = value.as_array() else {
        return Value::Null;
    };
    let mut shown: Vec<Value> = items.iter().take(DETAILS).map(shortened).collect();
    let more = items.len().saturating_sub(DETAILS);
    if more > 0 {
        shown.push(format!("{more} more").into());
    }
    shown.into()
}

/// A value with its texts shortened.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => cut(text).into(),
        Value::Array(_) => list(value),
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

/// Adds as much of a list to an object as fits a context, and the number of omitted items.
pub fn put(into: &mut Value, name: &str, items: impl IntoIterator<Item = Value>) {
    let (mut bytes, mut more) = (0, 0);
    let mut shown = Vec::new();
    for item in items {
        bytes += item.to_string().len();
        match bytes <= LIST_BYTES || shown.is_empty() {
            true => shown.push(item),
            false => more += 1,
        }
    }
    into[name] = shown.into();
    if more > 0 {
        into["more"] = more.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_state_how_many_are_omitted() {
        let mut reply = json!({});
        let items = vec![Value::from("x".repeat(1_000)); 100];
        put(&mut reply, "works", items);
        let shown = reply["works"].as_array().unwrap().len();
        assert!(shown < 25, "{shown}");
        assert_eq!(reply["more"], 100 - shown);
        let names = vec![json!({"family": "Abel", "given": "A."}); 3_000];
        let work = work(&json!({"title": "T".repeat(5_000), "authors": names}));
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
        let brief = verification(&result);
        assert_eq!(brief["verdict"], "ambiguous");
        assert_eq!(brief["message"], "Several works fit.");
        assert_eq!(brief["differences"][0]["field"], "year");
        assert_eq!(brief["sources_tried"][0]["source"], "local");
        assert_eq!(brief["score"], 0.71);
    }
}
