//! The XML of a project: tables of people, journals, publishers and references, and lists that join them by
//! id.

use std::collections::HashMap;

use super::reference::{Periodical, Reference, inherit, person};
use crate::reading::Reading;
use crate::syntax::xml::records::{Layout, walk};
use crate::syntax::xml::tree::Element;
use citation_fields::names::MAX_NAMES;
use citation_fields::notice::Notices;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::lists::words;
use citation_model::name::Name;

/// Tables that join references with other rows.
const TABLES: [&str; 9] = words(
    "ReferenceAuthors ReferenceCollaborators ReferenceEditors ReferenceKeywords \
     ReferenceOrganizations ReferenceOthersInvolved ReferencePublishers ReferenceReferences \
     ReferenceTranslators",
);

/// Other content of an export: thoughts, tasks, files.
const LAYOUT: Layout = Layout {
    is_record: |name, parent| {
        matches!(
            parent,
            "Keywords" | "Periodicals" | "Persons" | "Publishers" | "References" | "SeriesTitles"
        ) || TABLES.contains(&name)
    },
    is_skipped: |name| {
        matches!(
            name,
            "Annotations"
                | "Categories"
                | "EntityLinks"
                | "KnowledgeItems"
                | "Libraries"
                | "Locations"
                | "ProjectSettings"
                | "ProjectUserSettings"
                | "TableOfContents"
                | "TaskItems"
                | "Evaluation"
        ) || name.ends_with("Formatted")
    },
};

#[derive(Default)]
struct Project {
    people: HashMap<String, Name>,
    periodicals: HashMap<String, Periodical>,
    /// Keywords, publishers and series.
    names: HashMap<String, String>,
    /// In file order, with their ids and offsets.
    references: Vec<(String, usize, Reference)>,
    /// Rows of [`TABLES`] with the table's name: an id and the ids that belong to it, separated by
    /// semicolons.
    rows: Vec<(&'static str, String)>,
}

pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut project = Project::default();
    let mut builder = walk(text, budget, &LAYOUT, |element, offset, _| {
        project.take(element, offset)
    })?;
    budget.spend_bytes(text.len())?;
    let parents = project.join(budget)?;
    let item = |at: usize| {
        let parent = parents
            .get(&at)
            .and_then(|parent| project.references.get(*parent));
        let kind = parent.map(|(_, _, parent)| parent.kind.as_str());
        project
            .references
            .get(at)
            .map(|(_, _, reference)| reference.item(kind))
    };
    let items: Vec<Item> = (0..project.references.len()).filter_map(item).collect();
    for (at, (_, offset, reference)) in project.references.iter().enumerate() {
        let Some(mut item) = items.get(at).cloned() else {
            continue;
        };
        if let Some(whole) = parents.get(&at).and_then(|parent| items.get(*parent)) {
            inherit(whole, &mut item);
        }
        builder.add_plain(item, &reference.kind, *offset, Notices::default())?;
    }
    Ok(builder.finish())
}

impl Project {
    fn take(&mut self, element: Element<'_>, offset: usize) {
        let id = element.attribute("id").unwrap_or_default().into_owned();
        let text = |name: &str| element.child_text(name);
        match element.name() {
            "Person" => {
                let name = person(
                    &text("FirstName"),
                    &text("MiddleName"),
                    &text("Prefix"),
                    &text("LastName"),
                    &text("Suffix"),
                );
                self.people.insert(id, name);
            }
            "Periodical" => {
                let periodical = Periodical {
                    name: text("Name"),
                    abbreviation: text("StandardAbbreviation"),
                    issn: text("ISSN"),
                };
                self.periodicals.insert(id, periodical);
            }
            "Keyword" | "Publisher" | "SeriesTitle" => {
                self.names.insert(id, text("Name"));
            }
            "Reference" => {
                let fields = element
                    .children()
                    .map(|field| (field.name().to_owned(), field.text()));
                let reference = Reference {
                    kind: text("ReferenceType").split_whitespace().collect(),
                    fields: fields.collect(),
                    ..Reference::default()
                };
                self.references.push((id, offset, reference));
            }
            name => {
                if let Some(table) = TABLES.iter().find(|table| **table == name) {
                    let rows = element.children_named("OnetoN").map(Element::text);
                    self.rows.extend(rows.map(|row| (*table, row)));
                }
            }
        }
    }

    /// Resolves the joins of the references, and returns which is contained in which, by index.
    fn join(&mut self, budget: &Budget) -> Result<HashMap<usize, usize>, Exceeded> {
        let places = self
            .references
            .iter()
            .enumerate()
            .map(|(at, (id, _, _))| (id.clone(), at));
        let places: HashMap<String, usize> = places.collect();
        let mut parents = HashMap::new();
        for (table, row) in &self.rows {
            let mut ids = row.split(';').map(str::trim);
            let Some(place) = ids.next().and_then(|id| places.get(id)).copied() else {
                continue;
            };
            let Some((_, _, reference)) = self.references.get_mut(place) else {
                continue;
            };
            let list = match *table {
                "ReferenceAuthors" => &mut reference.authors,
                "ReferenceEditors" => &mut reference.editors,
                "ReferenceCollaborators" => &mut reference.collaborators,
                "ReferenceTranslators" => &mut reference.translators,
                "ReferenceOthersInvolved" => &mut reference.others,
                "ReferenceOrganizations" => &mut reference.organizations,
                "ReferenceReferences" => {
                    for child in ids
                        .filter_map(|id| places.get(id))
                        .filter(|child| **child != place)
                    {
                        parents.insert(*child, place);
                    }
                    continue;
                }
                table => {
                    let names = ids
                        .filter_map(|id| self.names.get(id))
                        .take(MAX_NAMES)
                        .cloned();
                    match table {
                        "ReferenceKeywords" => reference.keywords.extend(names),
                        _ => reference.publishers.extend(names),
                    }
                    continue;
                }
            };
            let names = ids
                .filter_map(|id| self.people.get(id))
                .take(MAX_NAMES - list.len().min(MAX_NAMES));
            list.extend(names.cloned());
            budget.spend(list.len() as u64)?;
            budget.spend_bytes(list.len() * size_of::<Name>())?;
        }
        for (_, _, reference) in &mut self.references {
            if let Some(series) = self.names.get(reference.field("SeriesTitleID")) {
                reference.series.clone_from(series);
            }
            if let Some(periodical) = self.periodicals.get(reference.field("PeriodicalID")) {
                reference.periodical = periodical.clone();
            }
        }
        Ok(parents)
    }
}
