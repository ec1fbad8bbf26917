//! Builds an item from fields.

use citation_model::item::Item;
use serde_json::{Map, Value, json};

use crate::normalize::letters;

/// The letters of what is written for a missing date, in several languages.
const NO_DATE: [&str; 9] = ["", "nd", "nodate", "undated", "oj", "sf", "sd", "sa", "бг"];

/// An item in the terms of CSL-JSON.
pub(crate) struct CslRecord(Map<String, Value>);

impl CslRecord {
    pub fn new(kind: &str) -> CslRecord {
        CslRecord(Map::from_iter([("type".to_owned(), json!(kind))]))
    }

    /// Sets a text unless it is blank.
    pub fn set(&mut self, variable: &str, text: impl AsRef<str>) {
        let text = text.as_ref().trim();
        if !text.is_empty() {
            self.0.insert(variable.to_owned(), json!(text));
        }
    }

    /// Sets the issue date to the first year in a text, or to the text: `in press`.
    pub fn year(&mut self, text: &str) {
        let digits = text.split(|c: char| !c.is_ascii_digit());
        let year = digits
            .filter(|run| run.len() == 4)
            .find_map(|run| run.parse::<i32>().ok());
        let date = match year {
            Some(year) => json!({"date-parts": [[year]]}),
            // Styles have their own words for a missing date.
            None if NO_DATE.contains(&letters(text).as_str()) => return,
            None => json!({"literal": text.trim()}),
        };
        self.0.insert("issued".to_owned(), date);
    }

    /// Adds a name: `Family, Given`, or a literal.
    pub fn person(&mut self, role: &str, name: &str) {
        let name = name.trim();
        if name.is_empty() {
            return;
        }
        let name = match name.split_once(',') {
            Some((family, given)) => json!({"family": family.trim(), "given": given.trim()}),
            None => json!({"literal": name}),
        };
        match self.0.get_mut(role) {
            Some(Value::Array(names)) => names.push(name),
            _ => {
                self.0.insert(role.to_owned(), json!([name]));
            }
        }
    }

    pub fn item(self) -> Option<Item> {
        serde_json::from_value(Value::Object(self.0)).ok()
    }
}
