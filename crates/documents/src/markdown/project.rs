//! Projects of Quarto, bookdown, Jupyter Book and MyST: the files of the chapters, and the bibliographies that
//! all of them share.

use serde_json::Value;

use crate::yaml;

/// The files of a folder that say which bibliographies its documents share.
pub(super) const PROJECTS: [&str; 6] = [
    "_quarto.yml",
    "_quarto.yaml",
    "_config.yml",
    "myst.yml",
    "index.Rmd",
    "_output.yml",
];

/// The bibliographies that a project names for its documents.
pub(super) fn bibliographies(project: &Value) -> Vec<String> {
    let places = [
        project.get("bibliography"),
        project.get("bibtex_bibfiles"),
        project.pointer("/sphinx/config/bibtex_bibfiles"),
        project.pointer("/project/bibliography"),
    ];
    let named = places.into_iter().flatten();
    named.flat_map(yaml::texts_of).collect()
}

/// The chapters of a project, in order; empty if it is not a book.
pub(super) fn chapters(project: &Value) -> Vec<String> {
    let mut names = Vec::new();
    let book = project.get("book");
    for part in ["chapters", "appendices"] {
        if let Some(listed) = book.and_then(|book| book.get(part)) {
            add(listed, &mut names);
        }
    }
    if let Some(article) = project.get("manuscript").and_then(|m| m.get("article")) {
        add(article, &mut names);
    }
    match project.get("rmd_files") {
        Some(Value::Object(by_output)) => {
            if let Some(listed) = by_output.values().next() {
                add(listed, &mut names);
            }
        }
        Some(listed) => add(listed, &mut names),
        None => {}
    }
    names
}

/// `one.qmd`, `{part: two.qmd, chapters: [three.qmd]}`, `{file: four.qmd}`
fn add(listed: &Value, names: &mut Vec<String>) {
    match listed {
        Value::String(name) => {
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            if extension.len() > 1 && !extension.contains([' ', '/']) {
                names.push(name.clone());
            }
        }
        Value::Array(values) => values.iter().for_each(|value| add(value, names)),
        Value::Object(values) => {
            for key in ["part", "file", "href", "chapters"] {
                if let Some(value) = values.get(key) {
                    add(value, names);
                }
            }
        }
        _ => {}
    }
}
