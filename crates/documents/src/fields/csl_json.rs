//! Citations of Zotero, Mendeley and other programs that write CSL-JSON.

use citation_model::cite::{CiteMode, Locator};
use citation_model::cite_json::id_text;
use citation_model::item::Item;
use serde_json::Value;

use super::citation::{FieldCitation, Wording};
use super::encoded;
use crate::document::Cited;

/// A citation in CSL-JSON, or the list of its items. Text after it, such as Zotero's random mark, is
/// skipped.
pub(super) fn citation(json: &str) -> Option<FieldCitation> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let citation = values.next()?.ok()?;
    let items = match &citation {
        Value::Array(items) => items.iter().map(|item| cite(item, Some(item))).collect(),
        citation => {
            let items = citation.get("citationItems")?.as_array()?.iter();
            items
                .map(|value| cite(value, value.get("itemData").or_else(|| value.get("item"))))
                .collect()
        }
    };
    Some(FieldCitation {
        items,
        wording: wording(&citation),
    })
}

/// What the program says about the text of a citation.
fn wording(citation: &Value) -> Wording {
    let text = |pointer: &str| citation.pointer(pointer).and_then(Value::as_str);
    let is = |pointer: &str| citation.pointer(pointer).and_then(Value::as_bool) == Some(true);
    let is_by_hand = text("/mendeley/manualFormatting").is_some_and(|text| !text.is_empty())
        || is("/manualOverride/isManuallyOverridden")
        || is("/properties/dontUpdate")
        || text("/properties/custom").is_some_and(|text| !text.is_empty());
    if is_by_hand {
        return Wording::Author;
    }
    let printed = [
        "/mendeley/plainTextFormattedCitation",
        "/properties/plainCitation",
    ];
    match printed.into_iter().find_map(text) {
        Some(text) if !text.is_empty() => Wording::StyleIf(text.to_owned()),
        _ => Wording::Style,
    }
}

/// Replaces the text in a code of Zotero or Mendeley, as RTF and unformatted; `None` for other codes.
pub(crate) fn with_text(code: &str, formatted: &str, plain: &str) -> Option<String> {
    if let Some(rest) = code.strip_prefix("MENDELEY_CITATION") {
        let (version, encoded) = rest.rsplit_once("v3_")?;
        let mut citation: Value = serde_json::from_str(&encoded::text(encoded)?).ok()?;
        let text = citation.pointer_mut("/manualOverride/citeprocText")?;
        *text = Value::from(plain);
        let encoded = encoded::encode(&citation.to_string());
        return Some(format!("MENDELEY_CITATION{version}v3_{encoded}"));
    }
    let (head, json) = code.split_at_checked(code.find('{')?)?;
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let mut citation = values.next()?.ok()?;
    let tail = json.get(values.byte_offset()..)?;
    citation.get("citationItems")?;
    let (place, names) = match citation.get("mendeley") {
        Some(_) => (
            "mendeley",
            [
                "formattedCitation",
                "plainTextFormattedCitation",
                "previouslyFormattedCitation",
            ]
            .as_slice(),
        ),
        None => (
            "properties",
            ["formattedCitation", "plainCitation"].as_slice(),
        ),
    };
    let members = citation.get_mut(place)?.as_object_mut()?;
    for name in names {
        let text = if *name == "formattedCitation" && place == "properties" {
            formatted
        } else {
            plain
        };
        members.insert((*name).to_owned(), Value::from(text));
    }
    Some(format!("{head}{citation}{tail}"))
}

fn cite(value: &Value, data: Option<&Value>) -> Cited {
    let item: Option<Item> = data.and_then(|data| serde_json::from_value(data.clone()).ok());
    let key = data
        .and_then(|data| data.get("citation-key"))
        .or_else(|| value.get("id"))
        .map(id_text)
        .unwrap_or_default();
    let mut cited = match item {
        Some(item) => Cited::of_item(key, item),
        None => Cited::key(key),
    };
    cited.records = records(value);
    let text = |name: &str| value.get(name).map(id_text).unwrap_or_default();
    let is = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
    cited.cite.prefix = text("prefix");
    cited.cite.suffix = text("suffix");
    let locator = text("locator");
    if !locator.is_empty() {
        let label = text("label");
        cited.cite.locator = Some(Locator {
            label: if label.is_empty() {
                "page".to_owned()
            } else {
                label
            },
            value: locator,
        });
    }
    cited.cite.mode = match () {
        () if is("suppress-author") => CiteMode::SuppressAuthor,
        () if is("author-only") => CiteMode::AuthorOnly,
        () if is("composite") => CiteMode::Composite,
        () => CiteMode::Normal,
    };
    cited
}

/// The addresses of the record, and its id if that is unique everywhere.
fn records(value: &Value) -> Vec<String> {
    const UUID: usize = 36;
    let uris = ["uris", "uri"]
        .into_iter()
        .filter_map(|name| value.get(name));
    let uris = uris.flat_map(|uris| match uris {
        Value::Array(uris) => uris.iter().map(id_text).collect(),
        uri => vec![id_text(uri)],
    });
    let id = value.get("id").map(id_text);
    let id = id.filter(|id| id.len() == UUID && id.matches('-').count() == 4);
    let mut records: Vec<String> = uris.chain(id).filter(|uri| !uri.is_empty()).collect();
    records.dedup();
    records
}
