//! The JSON of a project (`References`), of the citations in a Word document (`Entries`), or a list of
//! references. Each reference contains its people, publishers and the containing work, which is also a
//! reference.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::reference::{Periodical, Reference, inherit, person};
use crate::reading::{Reading, ReadingBuilder};
use citation_fields::notice::Notices;
use citation_model::budget::{Budget, Exceeded};
use citation_model::name::Name;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Envelope<'a> {
    #[serde(borrow)]
    references: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    entries: Option<Vec<&'a RawValue>>,
}

pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut builder = ReadingBuilder::new(text, budget)?;
    budget.spend_bytes(text.len())?;
    let records = match records(text) {
        Ok(records) => records,
        Err(error) => {
            builder.lost(
                0,
                "invalid_json",
                format!("The JSON cannot be read: {error}."),
            );
            return Ok(builder.finish());
        }
    };
    let mut seen = HashSet::new();
    for raw in records {
        let source = raw.get();
        let offset = source.as_ptr() as usize - text.as_ptr() as usize;
        builder.spend(0, source.len())?;
        match serde_json::from_str::<Value>(source) {
            Ok(Value::Object(object)) => {
                let value = object
                    .get("Reference")
                    .cloned()
                    .unwrap_or(Value::Object(object));
                add(&value, offset, &mut seen, &mut builder)?;
            }
            Ok(_) => builder.lost(
                offset,
                "not_an_object",
                "A reference is an object; this is none.".to_owned(),
            ),
            Err(error) => {
                builder.lost(
                    offset,
                    "invalid_json",
                    format!("The reference cannot be read: {error}."),
                );
            }
        }
    }
    Ok(builder.finish())
}

fn records(text: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text);
    }
    let envelope: Envelope<'_> = serde_json::from_str(text)?;
    match envelope.references.or(envelope.entries) {
        Some(records) => Ok(records),
        None => Ok(vec![serde_json::from_str(text)?]),
    }
}

/// Adds the containing work and then the reference, each once.
fn add(
    value: &Value,
    offset: usize,
    seen: &mut HashSet<String>,
    builder: &mut ReadingBuilder<'_>,
) -> Result<(), Exceeded> {
    let is_new = |value: &Value, seen: &mut HashSet<String>| {
        let id = value.get("Id").and_then(Value::as_str);
        id.is_none_or(|id| seen.insert(id.to_owned()))
    };
    let parent = value
        .get("ParentReference")
        .filter(|parent| parent.is_object());
    let whole = parent.map(reference);
    let whole_item = whole.as_ref().map(|whole| whole.item(None));
    if let (Some(parent), Some(whole), Some(item)) = (parent, &whole, &whole_item)
        && is_new(parent, seen)
    {
        builder.add_plain(item.clone(), &whole.kind, offset, Notices::default())?;
    }
    if !is_new(value, seen) {
        return Ok(());
    }
    let own = reference(value);
    let mut item = own.item(whole.as_ref().map(|whole| whole.kind.as_str()));
    if let Some(whole) = &whole_item {
        inherit(whole, &mut item);
    }
    builder.add_plain(item, &own.kind, offset, Notices::default())
}

fn reference(value: &Value) -> Reference {
    let people = |name: &str| {
        list(value, name)
            .map(named)
            .filter(|name| !name.is_empty())
            .collect()
    };
    let names = |name: &str| {
        list(value, name)
            .map(|named| text(named, "Name").to_owned())
            .collect()
    };
    let fields = value
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            let text = value
                .as_str()
                .map(str::to_owned)
                .or_else(|| value.as_number().map(ToString::to_string));
            let name = match name.as_str() {
                "Doi" => "DOI",
                "Isbn" => "ISBN",
                "PubMedId" => "PubMedID",
                "Title1" => "Title",
                name => name,
            };
            Some((name.to_owned(), text?))
        });
    let periodical = value.get("Periodical").unwrap_or(&Value::Null);
    let series = value.get("SeriesTitle").unwrap_or(&Value::Null);
    let mut reference = Reference {
        kind: text(value, "ReferenceType").to_owned(),
        fields: fields.collect(),
        authors: people("Authors"),
        editors: people("Editors"),
        translators: people("Translators"),
        collaborators: people("Collaborators"),
        others: people("OthersInvolved"),
        organizations: people("Organizations"),
        publishers: names("Publishers"),
        keywords: names("Keywords"),
        series: series.as_str().unwrap_or(text(series, "Name")).to_owned(),
        periodical: Periodical {
            name: periodical
                .as_str()
                .unwrap_or(text(periodical, "Name"))
                .to_owned(),
            abbreviation: text(periodical, "StandardAbbreviation").to_owned(),
            issn: text(periodical, "Issn").to_owned(),
        },
    };
    if reference.field("OnlineAddress").is_empty()
        && let Some(address) = list(value, "Locations").find_map(web_address)
    {
        reference
            .fields
            .insert("OnlineAddress".to_owned(), address.to_owned());
    }
    reference
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value
        .get(name)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn named(value: &Value) -> Name {
    let part = |name: &str| text(value, name);
    let last = match part("LastName") {
        "" => part("Name"),
        last => last,
    };
    person(
        part("FirstName"),
        part("MiddleName"),
        part("Prefix"),
        last,
        part("Suffix"),
    )
}

fn web_address(location: &Value) -> Option<&str> {
    let address = location.get("Address")?;
    let texts = [text(address, "OriginalString"), text(address, "UriString")];
    texts.into_iter().find(|text| text.starts_with("http"))
}
