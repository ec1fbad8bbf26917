//! Edits of the project: a key renamed in every file, and entries that are added.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::project::{Project, ProjectFile};
use citation_exchange::keys;

/// The edits that rename a key in every file, by the addresses of the files. The error is a sentence.
pub fn rename(project: &Project, key: &str, new: &str) -> Result<Value, String> {
    if !keys::is_valid(new) {
        return Err(format!(
            "“{new}” is no key: use letters, digits and - _ : . + /"
        ));
    }
    if new != key && project.entry(new).is_some() {
        return Err(format!("another entry has the key “{new}”"));
    }
    let mut changes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for file in project.files() {
        let uses = file.uses().iter().filter(|found| found.key == key);
        let entries = file.entries().iter().filter(|entry| entry.key == key);
        let ranges = uses
            .map(|found| &found.range)
            .chain(entries.map(|entry| &entry.range));
        for range in ranges {
            let edit = json!({"range": file.text.range(range), "newText": new});
            changes.entry(&file.uri).or_default().push(edit);
        }
    }
    Ok(json!({"changes": changes}))
}

/// Adds an entry at the end of a bibliography.
pub fn add_entry(bibliography: &ProjectFile, entry: &str) -> Value {
    let text = bibliography.text.as_str();
    let end = bibliography.text.position(text.len());
    let break_before = match () {
        () if text.is_empty() || text.ends_with("\n\n") => "",
        () if text.ends_with('\n') => "\n",
        () => "\n\n",
    };
    json!({"range": {"start": end, "end": end}, "newText": format!("{break_before}{}\n", entry.trim_end())})
}
