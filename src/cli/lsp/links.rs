//! Links of a document: to the bibliographies that it names, and to the works of identifiers.

use std::ops::Range;

use serde_json::{Value, json};

use super::project::{Project, ProjectFile};
use citation_citing::identifier;
use citation_model::identifier::{Doi, Identifier};

pub fn document_links(project: &Project, file: &ProjectFile) -> Vec<Value> {
    let mut links = Vec::new();
    let text = file.text.as_str();
    if file.is_manuscript() {
        for other in project.files().filter(|other| !other.entries().is_empty()) {
            links.extend(names(text, &other.name).map(|range| link(file, &range, &other.uri)));
            if let Some(stem) = other.name.strip_suffix(".bib") {
                let inside = format!("{{{stem}}}");
                let stems = names(text, &inside).map(|range| range.start + 1..range.end - 1);
                links.extend(stems.map(|range| link(file, &range, &other.uri)));
            }
        }
    }
    for used in file.uses() {
        if let Some(url) = identifier(&used.key).and_then(|found| address(&found)) {
            links.push(link(file, &used.range, &url));
        }
    }
    for entry in file.entries() {
        let Some(doi) = entry.item.doi() else {
            continue;
        };
        // The DOI behind the key of its entry.
        let rest = text.get(entry.range.end..).unwrap_or_default();
        let end = rest.find("\n@").unwrap_or(rest.len());
        let own = rest.get(..end).unwrap_or_default();
        if let Some(at) = own.to_ascii_lowercase().find(doi.as_str()) {
            let start = entry.range.end + at;
            links.push(link(file, &(start..start + doi.as_str().len()), &doi.url()));
        }
    }
    links
}

/// The places of a file's name, which is not a part of a longer one.
fn names<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        let behind = text.get(at + name.len()..)?.chars().next();
        let is_whole = !before.is_some_and(is_part) && !behind.is_some_and(is_part);
        is_whole.then_some(at..at + name.len())
    })
}

fn address(identifier: &Identifier) -> Option<String> {
    match identifier {
        Identifier::Doi(doi) => Some(Doi::url(doi)),
        _ => None,
    }
}

fn link(file: &ProjectFile, range: &Range<usize>, target: &str) -> Value {
    json!({"range": file.text.range(range), "target": target})
}
