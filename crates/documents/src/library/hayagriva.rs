//! Entries of Hayagriva, Typst's format of bibliographies.

use citation_model::item::Item;
use serde_json::Value;

use super::record::CslRecord;
use crate::yaml;

pub(super) fn item(fields: &Value) -> Option<Item> {
    let parents = list(fields.get("parent"));
    // Data missing in an entry may be in its parent.
    let find = |name: &str| {
        let own = fields.get(name).filter(|value| !value.is_null());
        own.or_else(|| parents.iter().find_map(|parent| parent.get(name)))
    };
    let kind = yaml::text_of(fields.get("type")?).to_ascii_lowercase();
    let parent = parents.first();
    let parent_kind = parent.and_then(|parent| parent.get("type"));
    let parent_kind = parent_kind.map(yaml::text_of).unwrap_or_default();
    let mut record = CslRecord::new(item_type(&kind, &parent_kind));
    record.set("title", text(fields.get("title")));
    let container = parent.and_then(|parent| parent.get("title"));
    record.set("container-title", text(container));
    for (from, to) in FIELDS {
        record.set(to, text(find(from)));
    }
    if let Some(serials) = find("serial-number") {
        for (from, to) in SERIAL_NUMBERS {
            record.set(to, text(serials.get(from)));
        }
    }
    record.year(&text(find("date")));
    for role in ["author", "editor"] {
        for person in list(fields.get(role)) {
            record.person(role, &text(Some(&person)));
        }
    }
    record.item()
}

/// Fields with their CSL variables.
const FIELDS: [(&str, &str); 6] = [
    ("volume", "volume"),
    ("issue", "issue"),
    ("page-range", "page"),
    ("publisher", "publisher"),
    ("edition", "edition"),
    ("url", "URL"),
];

/// Members of `serial-number` with their CSL variables.
const SERIAL_NUMBERS: [(&str, &str); 6] = [
    ("doi", "DOI"),
    ("isbn", "ISBN"),
    ("issn", "ISSN"),
    ("pmid", "PMID"),
    ("pmcid", "PMCID"),
    ("arxiv", "arxiv-id"),
];

fn item_type(kind: &str, parent_kind: &str) -> &'static str {
    match (kind, parent_kind) {
        ("article", "newspaper") => "article-newspaper",
        ("article", "proceedings" | "conference") => "paper-conference",
        ("article", _) => "article-journal",
        ("chapter" | "entry" | "anthos", _) => "chapter",
        ("book" | "anthology" | "reference", _) => "book",
        ("web" | "blog" | "thread" | "post", _) => "webpage",
        ("report", _) => "report",
        ("thesis", _) => "thesis",
        ("repository", _) => "software",
        ("patent", _) => "patent",
        _ => "document",
    }
}

/// One value or a list of values.
fn list(value: Option<&Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(values)) => values.clone(),
        Some(value) => vec![value.clone()],
        None => Vec::new(),
    }
}

/// A text, or the text of a mapping with its formatting.
fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::Object(members)) => members
            .get("value")
            .or_else(|| members.get("name"))
            .map(yaml::text_of)
            .unwrap_or_default(),
        Some(value) => yaml::text_of(value),
        None => String::new(),
    }
}
