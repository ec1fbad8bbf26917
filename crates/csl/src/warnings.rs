//! Warnings about items with problems.

use std::collections::HashSet;

use citation_model::cite::Citation;
use citation_model::item_type::ItemType;
use citation_model::variable::Variable;

use super::document::Document;
use super::error::Warning;
use super::style::*;

/// The variables that readers miss most if the style shows them.
const WANTED: [&str; 4] = ["author", "title", "issued", "container-title"];

/// The code of the warning about a cite whose item is not among the items.
pub const UNKNOWN_ITEM: &str = "unknown_item";

pub fn unknown_item(id: &str) -> String {
    format!("No item has the id \"{id}\".")
}

/// Reports cites whose item is not among the items.
pub fn unknown_items(document: &Document, citations: &[Citation], warnings: &mut Vec<Warning>) {
    let cites = citations.iter().flat_map(|citation| &citation.cites);
    let unknown = cites.filter(|cite| document.index(&cite.id).is_none());
    warnings.extend(unknown.map(|cite| Warning {
        code: UNKNOWN_ITEM,
        index: None,
        message: unknown_item(&cite.id),
    }));
}

/// Reports which of the most important variables an item lacks although the style shows them. Any names
/// count as an author; a container is required only for types that are part of one.
pub fn missing_fields(document: &Document, warnings: &mut Vec<Warning>) {
    let used = used_variables(&document.compiled.style);
    let wanted: Vec<(&str, Variable)> = WANTED
        .into_iter()
        .filter(|name| used.contains(name))
        .filter_map(|name| Some((name, Variable::from_csl(name)?)))
        .collect();
    for (index, item) in document.items.iter().enumerate() {
        for (name, variable) in &wanted {
            let excused = match *name {
                "author" => item.variables.names != 0,
                "container-title" => !item.kind.is_some_and(lies_in_container),
                _ => false,
            };
            if !item.variables.contains(*variable) && !excused {
                warnings.push(Warning {
                    code: "missing_field",
                    index: Some(index),
                    message: format!("The item lacks {name}, which the style shows."),
                });
            }
        }
    }
}

/// Reports items of which the bibliography shows nothing.
pub fn empty_entries(mut empty: Vec<usize>, warnings: &mut Vec<Warning>) {
    empty.sort_unstable();
    warnings.extend(empty.into_iter().map(|index| Warning {
        code: "empty_entry",
        index: Some(index),
        message: "The style shows nothing of the item in the bibliography.".to_owned(),
    }));
}

fn lies_in_container(kind: ItemType) -> bool {
    kind.is_in_periodical()
        || matches!(
            kind,
            ItemType::Chapter
                | ItemType::ConferencePaper
                | ItemType::DictionaryEntry
                | ItemType::EncyclopediaEntry
        )
}

fn used_variables(style: &Style) -> HashSet<&'static str> {
    let mut used = HashSet::new();
    let layouts = [
        Some(&style.citation.layout.elements),
        style.bibliography.as_ref().map(|b| &b.layout.elements),
    ];
    for elements in layouts.into_iter().flatten() {
        collect(elements, &mut used);
    }
    for called in &style.macros {
        collect(&called.elements, &mut used);
    }
    used
}

fn collect(elements: &[Element], used: &mut HashSet<&'static str>) {
    for element in elements {
        match element {
            Element::Text(text) => {
                if let TextSource::Variable { variable, .. } = &text.source {
                    used.insert(variable.csl());
                }
            }
            Element::Number(number) => {
                used.insert(number.variable.csl());
            }
            Element::Date(date) => {
                used.insert(date.variable.csl());
            }
            Element::Names(names) => {
                used.extend(names.variables.iter().map(|variable| variable.csl()));
                collect(names.substitute.as_deref().unwrap_or_default(), used);
            }
            Element::Group(group) => collect(&group.elements, used),
            Element::Choose(choose) => {
                for branch in &choose.branches {
                    collect(&branch.elements, used);
                }
            }
            Element::Label(_) => {}
        }
    }
}
