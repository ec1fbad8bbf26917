//! Citations in the JSON of citeproc's word processor interface: `{"citationID", "citationItems":
//! [{"id", "locator", "label", "prefix", "suffix", "suppress-author", "author-only", …}],
//! "properties": {"noteIndex"}}`.

use serde::Deserialize;
use serde_json::Value;

use super::cite::{Citation, Cite, CiteMode, Locator, Position};

/// One citation.
#[derive(Deserialize)]
pub struct CitationJson {
    #[serde(rename = "citationID", default)]
    pub id: String,
    #[serde(rename = "citationItems", default)]
    pub cites: Vec<CiteJson>,
    #[serde(default)]
    pub properties: Properties,
}

/// The `properties` object.
#[derive(Default, Deserialize)]
pub struct Properties {
    #[serde(rename = "noteIndex", default)]
    pub note_index: u32,
}

/// One of its `citationItems`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CiteJson {
    pub id: Value,
    #[serde(default)]
    pub locator: Value,
    pub label: Option<String>,
    pub prefix: Option<String>,
    pub suffix: Option<String>,
    #[serde(default)]
    pub suppress_author: Value,
    #[serde(default)]
    pub author_only: Value,
    pub position: Option<u8>,
    pub near_note: Option<bool>,
    pub first_reference_note_number: Option<Value>,
}

impl From<&CitationJson> for Citation {
    fn from(json: &CitationJson) -> Citation {
        Citation {
            id: json.id.clone(),
            cites: json.cites.iter().map(Cite::from).collect(),
            note_number: json.properties.note_index,
            resets_positions: false,
        }
    }
}

impl From<&CiteJson> for Cite {
    fn from(json: &CiteJson) -> Cite {
        let value = id_text(&json.locator);
        Cite {
            id: id_text(&json.id),
            locator: (!value.is_empty()).then(|| Locator {
                label: json.label.clone().unwrap_or_else(|| "page".into()),
                value,
            }),
            prefix: json.prefix.clone().unwrap_or_default(),
            suffix: json.suffix.clone().unwrap_or_default(),
            mode: if is_true(&json.author_only) {
                CiteMode::AuthorOnly
            } else if is_true(&json.suppress_author) {
                CiteMode::SuppressAuthor
            } else {
                CiteMode::Normal
            },
            position: json.position.map(|position| match position {
                0 => Position::First,
                1 => Position::Subsequent,
                2 => Position::Ibid,
                _ => Position::IbidWithLocator,
            }),
            near_note: json.near_note,
            first_reference_note_number: json
                .first_reference_note_number
                .as_ref()
                .and_then(|number| id_text(number).parse().ok()),
        }
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !matches!(text.as_str(), "" | "false" | "0"),
        _ => false,
    }
}

/// Ids and locators may be strings or numbers.
pub fn id_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}
