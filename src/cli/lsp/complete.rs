//! Completion of keys: those of the project, and works of the corpus that become entries.

use serde_json::{Value, json};

use super::entries::{Entry, summary};
use super::project::{Project, ProjectFile};
use super::uses::begun_key;
use super::works::Library;
use citation_model::item::Item;

/// The most proposals of each kind; a client asks again when more is typed.
const MAX_ENTRIES: usize = 100;
const MAX_WORKS: usize = 5;
/// Words shorter than this find too many works.
const MIN_WORK_CHARS: usize = 4;
/// The kind of a completion item that is a reference.
const REFERENCE: u8 = 18;

/// How well an entry fits what was typed; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    KeyBegins,
    KeyContains,
    Words,
}

pub fn completion(
    project: &Project,
    library: &Library,
    file: &ProjectFile,
    position: &Value,
) -> Value {
    let offset = file.text.offset(position);
    let Some(begun) = begun_key(&file.name, file.text.as_str(), offset) else {
        return json!({"isIncomplete": false, "items": []});
    };
    let typed = file.text.as_str().get(begun.clone()).unwrap_or_default();
    let range = file.text.range(&begun);
    let lower = typed.to_lowercase();
    let mut found: Vec<(Fit, &Entry)> = { project.entries() }
        .filter_map(|(_, entry)| Some((fit(entry, &lower)?, entry)))
        .collect();
    let is_cut = found.len() > MAX_ENTRIES;
    if is_cut {
        found.select_nth_unstable_by(MAX_ENTRIES, order);
        found.truncate(MAX_ENTRIES);
    }
    found.sort_by(order);
    let mut items: Vec<Value> = { found.iter().enumerate() }
        .map(|(n, (_, entry))| {
            json!({
                "label": entry.key, "kind": REFERENCE, "detail": entry.summary, "sortText": format!("{n:04}"),
                // A client filters by what was typed, which may be words of the title.
                "filterText": format!("{typed} {}", entry.words),
                "textEdit": {"range": range, "newText": entry.key}, "data": {"key": entry.key},
            })
        })
        .collect();
    if lower.chars().count() >= MIN_WORK_CHARS
        && file.is_manuscript()
        && let Some(target) = project.target(file)
    {
        let works = library.search(typed, MAX_WORKS);
        let works = works.into_iter().filter(|item| !is_known(project, item));
        items.extend(
            works.filter_map(|item| new_entry(project, library, &item, target, typed, &range)),
        );
    }
    // Another letter may find other works.
    json!({"isIncomplete": true, "items": items})
}

fn order(one: &(Fit, &Entry), other: &(Fit, &Entry)) -> std::cmp::Ordering {
    (one.0, &one.1.key).cmp(&(other.0, &other.1.key))
}

fn fit(entry: &Entry, typed: &str) -> Option<Fit> {
    // The words begin with the key.
    let key = entry.words.get(..entry.key.len()).unwrap_or(&entry.words);
    match () {
        () if entry.words.starts_with(typed) => Some(Fit::KeyBegins),
        () if key.contains(typed) => Some(Fit::KeyContains),
        () if entry.words.contains(typed) => Some(Fit::Words),
        () => None,
    }
}

/// Whether the project has the work.
fn is_known(project: &Project, item: &Item) -> bool {
    let Some(doi) = item.doi() else {
        return false;
    };
    project
        .entries()
        .any(|(_, entry)| entry.item.doi().as_ref() == Some(&doi))
}

/// A proposal that also adds its entry to the bibliography. The entry is in another file, which an edit of a
/// proposal cannot change, so a command does it.
fn new_entry(
    project: &Project,
    library: &Library,
    item: &Item,
    target: &ProjectFile,
    typed: &str,
    range: &Value,
) -> Option<Value> {
    let (key, entry) = library.new_entry(project, item)?;
    Some(json!({
        "label": key, "kind": REFERENCE, "detail": format!("{} → {}", summary(item), target.name),
        "sortText": format!("9{key}"), "filterText": format!("{typed} {key}"),
        "documentation": {"kind": "markdown", "value": library.formatted(item)},
        "textEdit": {"range": range, "newText": key},
        "command": {
            "title": "Add the entry", "command": super::ADD_ENTRY,
            "arguments": [{"bibliography": target.uri, "entry": entry}],
        },
    }))
}
