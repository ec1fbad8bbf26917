//! Citations of Zotero and Mendeley.

use citation_model::cite::{CiteMode, Locator};
use citation_model::cite_json::id_text;
use citation_model::item::Item;
use serde_json::Value;

use super::encoded;
use crate::document::Cited;

/// A citation in CSL-JSON. Text after it, such as Zotero's random mark, is skipped.
pub(super) fn cites(json: &str) -> Vec<Cited> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let Some(Ok(citation)) = values.next() else {
        return Vec::new();
    };
    let items = citation.get("citationItems").and_then(Value::as_array);
    items.into_iter().flatten().map(cite).collect()
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

fn cite(value: &Value) -> Cited {
    let data = value.get("itemData").or_else(|| value.get("item"));
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
