//! Citations of Zotero, Mendeley and other programs that write CSL-JSON.

use citation_model::cite::{Cite, CiteMode, Locator};
use citation_model::cite_json::id_text;
use citation_model::item::Item;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

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

/// A citation as the field of a word processor keeps it.
#[derive(Clone, Debug)]
pub struct CitationCode<'a> {
    /// Unique in the document.
    pub id: &'a str,
    pub cites: Vec<CodeCite<'a>>,
    /// The text of the field, as RTF and unformatted. A program that finds another text in the field takes it for
    /// one that a person wrote.
    pub formatted: &'a str,
    pub plain: &'a str,
    /// The number of the note that the field is in; 0 for the text.
    pub note: u32,
}

/// A cite with the whole record of its work, so that others can read it without us.
#[derive(Clone, Debug)]
pub struct CodeCite<'a> {
    pub cite: &'a Cite,
    /// Addresses of the record in the libraries of programs.
    pub uris: &'a [String],
    /// CSL-JSON.
    pub item: &'a RawValue,
}

/// Writes the code of a field of Zotero, which Mendeley and others read too: it follows
/// `ADDIN ZOTERO_ITEM CSL_CITATION `.
pub fn citation_code(code: &CitationCode<'_>) -> Result<Box<RawValue>, serde_json::Error> {
    const SCHEMA: &str =
        "https://github.com/citation-style-language/schema/raw/master/csl-citation.json";
    let cites = code.cites.iter().map(|coded| {
        let CodeCite { cite, uris, item } = coded;
        let locator = cite.locator.as_ref();
        ItemJson {
            id: &cite.id,
            uris,
            item_data: item,
            locator: locator.map(|locator| locator.value.as_str()),
            label: locator.map(|locator| locator.label.as_str()),
            prefix: &cite.prefix,
            suffix: &cite.suffix,
            suppress_author: cite.mode == CiteMode::SuppressAuthor,
            author_only: cite.mode == CiteMode::AuthorOnly,
            composite: cite.mode == CiteMode::Composite,
        }
    });
    serde_json::value::to_raw_value(&CodeJson {
        id: code.id,
        properties: PropertiesJson {
            formatted: code.formatted,
            plain: code.plain,
            note: code.note,
        },
        cites: cites.collect(),
        schema: SCHEMA,
    })
}

#[derive(Serialize)]
struct CodeJson<'a> {
    #[serde(rename = "citationID")]
    id: &'a str,
    properties: PropertiesJson<'a>,
    #[serde(rename = "citationItems")]
    cites: Vec<ItemJson<'a>>,
    schema: &'static str,
}

#[derive(Serialize)]
struct PropertiesJson<'a> {
    #[serde(rename = "formattedCitation")]
    formatted: &'a str,
    #[serde(rename = "plainCitation")]
    plain: &'a str,
    #[serde(rename = "noteIndex")]
    note: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ItemJson<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    uris: &'a [String],
    #[serde(rename = "itemData")]
    item_data: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    locator: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    prefix: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    suffix: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    suppress_author: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    author_only: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    composite: bool,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_code_is_read_again() {
        let item = r#"{"id":"w","type":"book","title":"Emma"}"#;
        let item = RawValue::from_string(item.to_owned()).unwrap();
        let uris = ["http://zotero.org/users/1/items/A".to_owned()];
        let modes = [
            CiteMode::Normal,
            CiteMode::AuthorOnly,
            CiteMode::SuppressAuthor,
            CiteMode::Composite,
        ];
        let cites = modes.map(|mode| Cite {
            id: "w".to_owned(),
            locator: Some(Locator {
                label: "chapter".to_owned(),
                value: "3".to_owned(),
            }),
            prefix: "see ".to_owned(),
            suffix: " “there”".to_owned(),
            mode,
            ..Cite::default()
        });
        let code = citation_code(&CitationCode {
            id: "x",
            cites: { cites.iter() }
                .map(|cite| CodeCite {
                    cite,
                    uris: &uris,
                    item: &item,
                })
                .collect(),
            formatted: "(Emma)",
            plain: "(Emma)",
            note: 2,
        });
        let read = citation(code.unwrap().get()).unwrap();
        assert_eq!(read.wording, Wording::StyleIf("(Emma)".to_owned()));
        let found: Vec<Cite> = read.items.iter().map(|cited| cited.cite.clone()).collect();
        assert_eq!(found, cites);
        let first = read.items.first().unwrap();
        assert_eq!(first.records, uris);
        assert!(first.item.is_some());
    }
}
