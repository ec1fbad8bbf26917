//! The works that keys refer to: bibliography files next to a document, and records embedded by word
//! processors.

use std::collections::HashMap;

use citation_model::budget::Budget;
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::variable::{NameVar, NumberVar, TextVar};
use serde_json::{Map, Value, json};

use crate::document::{Place, Reference};
use crate::error::DocumentError;
use crate::yaml;

/// An entry of a bibliography.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    /// As printed, if the library is a printed list.
    pub text: Option<String>,
    pub item: Option<Item>,
    pub doi: Option<Doi>,
    pub place: Place,
}

impl Entry {
    pub fn of_item(item: Item, place: Place) -> Entry {
        Entry {
            key: item.id.clone(),
            text: None,
            doi: item.doi(),
            item: Some(item),
            place,
        }
    }

    pub fn reference(&self) -> Reference {
        let text = self.text.clone();
        Reference {
            label: None,
            text: text.unwrap_or_else(|| self.item.as_ref().map(line).unwrap_or_default()),
            doi: self.doi.clone(),
            key: Some(self.key.clone()),
            item: self.item.clone(),
            place: self.place.clone(),
        }
    }
}

/// The entries of all bibliographies of a document.
#[derive(Debug, Default)]
pub(crate) struct Library {
    pub entries: Vec<Entry>,
    by_key: HashMap<String, usize>,
}

impl Library {
    /// Adds entries; the first of two with the same key is kept.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = Entry>) {
        for entry in entries {
            if !entry.key.is_empty() && !self.by_key.contains_key(&entry.key) {
                self.by_key.insert(entry.key.clone(), self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    /// Another key of an existing entry: biblatex's `ids`.
    fn alias(&mut self, alias: String, key: &str) {
        if let Some(position) = self.by_key.get(key).copied() {
            self.by_key.entry(alias).or_insert(position);
        }
    }

    pub fn position(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds the entries of a bibliography file: BibTeX, CSL-JSON, CSL-YAML, Hayagriva, RIS.
    pub fn add_file(
        &mut self,
        name: &str,
        bytes: &[u8],
        budget: &Budget,
    ) -> Result<(), DocumentError> {
        let (text, _) = citation_exchange::decode(bytes);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if matches!(extension, "yml" | "yaml") {
            let place = Place {
                file: Some(name.to_owned()),
                ..Place::default()
            };
            self.extend(entries_of_yaml(&yaml::parse(name, &text, budget)?, &place));
            return Ok(());
        }
        let content = citation_exchange::Content::new(bytes);
        let hints = citation_exchange::Hints {
            file_name: Some(name),
            ..citation_exchange::Hints::default()
        };
        let format = match extension {
            "bib" | "bibtex" | "biblatex" => Some(&citation_exchange::BIBLATEX),
            _ => citation_exchange::recognise(&content, hints).ok().flatten(),
        };
        let Some(format) = format else {
            return Err(DocumentError::broken(name, "it is no bibliography"));
        };
        for read in citation_exchange::read(&content, format, budget)?.items {
            let key = match read.citation_key.is_empty() {
                true => read.item.id.clone(),
                false => read.citation_key,
            };
            let aliases = read.item.custom.get("ids").map(yaml::texts_of);
            let place = Place {
                file: Some(name.to_owned()),
                ..Place::line(read.line)
            };
            self.extend([Entry {
                key: key.clone(),
                ..Entry::of_item(read.item, place)
            }]);
            for alias in aliases.iter().flatten().flat_map(|ids| ids.split(',')) {
                self.alias(alias.trim().to_owned(), &key);
            }
        }
        Ok(())
    }
}

/// The entries of YAML: a list of CSL items, `references: […]`, or Hayagriva's mapping by key.
pub(crate) fn entries_of_yaml(value: &Value, place: &Place) -> Vec<Entry> {
    let list = match value {
        Value::Array(_) => Some(value),
        _ => value.get("references").filter(|list| list.is_array()),
    };
    if let Some(Value::Array(list)) = list {
        return list
            .iter()
            .filter_map(csl_item)
            .map(|item| Entry::of_item(item, place.clone()))
            .collect();
    }
    let Value::Object(entries) = value else {
        return Vec::new();
    };
    entries
        .iter()
        .filter(|(_, fields)| fields.is_object())
        .filter_map(|(key, fields)| {
            let mut item = hayagriva(fields)?;
            item.id = key.clone();
            Some(Entry::of_item(item, place.clone()))
        })
        .collect()
}

/// An item of CSL-JSON; `None` if it is not an object.
pub(crate) fn csl_item(value: &Value) -> Option<Item> {
    let mut value = value.clone();
    // Dates in CSL-YAML may be EDTF or mappings of their parts.
    if let Value::Object(members) = &mut value {
        for date in ["issued", "accessed"] {
            if let Some(Value::Array(parts)) = members.get(date) {
                let parts: Vec<Value> = parts
                    .iter()
                    .map(|part| {
                        let number = |name| yaml::text_of(part.get(name)?).parse::<i32>().ok();
                        let parts = [number("year"), number("month"), number("day")];
                        json!(parts.into_iter().map_while(|n| n).collect::<Vec<_>>())
                    })
                    .collect();
                members.insert(date.to_owned(), json!({"date-parts": parts}));
            }
        }
    }
    serde_json::from_value(value).ok()
}

/// An entry of Hayagriva.
fn hayagriva(fields: &Value) -> Option<Item> {
    let parents = match fields.get("parent") {
        Some(Value::Array(parents)) => parents.clone(),
        Some(parent) => vec![parent.clone()],
        None => Vec::new(),
    };
    // Data missing in an entry may be in its parent.
    let find = |name: &str| {
        let own = fields.get(name).filter(|value| !value.is_null());
        own.or_else(|| parents.iter().find_map(|parent| parent.get(name)))
    };
    let text = |value: Option<&Value>| match value {
        Some(Value::Object(members)) => members
            .get("value")
            .or_else(|| members.get("name"))
            .map(yaml::text_of)
            .unwrap_or_default(),
        Some(value) => yaml::text_of(value),
        None => String::new(),
    };
    let kind = yaml::text_of(fields.get("type")?).to_ascii_lowercase();
    let parent_kind = parents.first().and_then(|parent| parent.get("type"));
    let parent_kind = parent_kind.map(yaml::text_of).unwrap_or_default();
    let mut record = Record::new(match (kind.as_str(), parent_kind.as_str()) {
        ("article", "newspaper") => "article-newspaper",
        ("article", "proceedings" | "conference") => "paper-conference",
        ("article", _) => "article-journal",
        ("chapter" | "entry" | "anthos", _) => "chapter",
        ("book" | "anthology" | "reference", _) => "book",
        ("web" | "blog" | "thread" | "post", _) => "webpage",
        ("report", _) => "report",
        ("thesis", _) => "thesis",
        ("repository", _) => "software",
        ("patent", _) => "patent",
        _ => "document",
    });
    record.set("title", text(fields.get("title")));
    let container = parents.first().and_then(|parent| parent.get("title"));
    record.set("container-title", text(container));
    for (from, to) in [
        ("volume", "volume"),
        ("issue", "issue"),
        ("page-range", "page"),
        ("publisher", "publisher"),
        ("edition", "edition"),
        ("url", "URL"),
    ] {
        record.set(to, text(find(from)));
    }
    if let Some(serials) = find("serial-number") {
        for (from, to) in [
            ("doi", "DOI"),
            ("isbn", "ISBN"),
            ("issn", "ISSN"),
            ("pmid", "PMID"),
            ("pmcid", "PMCID"),
            ("arxiv", "arxiv-id"),
        ] {
            record.set(to, text(serials.get(from)));
        }
    }
    record.year(&text(find("date")));
    let people = |value: Option<&Value>| match value {
        Some(Value::Array(people)) => people.clone(),
        Some(person) => vec![person.clone()],
        None => Vec::new(),
    };
    for role in ["author", "editor"] {
        for person in people(fields.get(role)) {
            record.person(role, &text(Some(&person)));
        }
    }
    record.item()
}

/// Builds a record in the terms of CSL-JSON.
pub(crate) struct Record(Map<String, Value>);

impl Record {
    pub fn new(kind: &str) -> Record {
        Record(Map::from_iter([("type".to_owned(), json!(kind))]))
    }

    /// Sets a text unless it is blank.
    pub fn set(&mut self, variable: &str, text: impl AsRef<str>) {
        let text = text.as_ref().trim();
        if !text.is_empty() {
            self.0.insert(variable.to_owned(), json!(text));
        }
    }

    /// Sets the issue date to the first year in a text.
    pub fn year(&mut self, text: &str) {
        let digits = text.split(|c: char| !c.is_ascii_digit());
        if let Some(year) = digits
            .filter(|run| run.len() == 4)
            .find_map(|run| run.parse::<i32>().ok())
        {
            self.0
                .insert("issued".to_owned(), json!({"date-parts": [[year]]}));
        }
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

/// Maximum number of authors before `et al.`
const MOST_AUTHORS: usize = 3;

/// The main facts of a work in one line, for display.
pub(crate) fn line(item: &Item) -> String {
    let authors = [NameVar::Author, NameVar::Editor]
        .iter()
        .map(|role| item.names(*role))
        .find(|names| !names.is_empty())
        .unwrap_or_default();
    let names: Vec<String> = authors
        .iter()
        .take(MOST_AUTHORS)
        .map(|name| name.display())
        .collect();
    let mut line = names.join(", ");
    if authors.len() > MOST_AUTHORS {
        line.push_str(" et al.");
    }
    if let Some(year) = item.year() {
        line.push_str(&format!(" ({year})"));
    }
    let mut sentences = vec![line.trim().to_owned()];
    sentences.extend(item.text(TextVar::Title).map(without_tags));
    let mut place = item
        .text(TextVar::ContainerTitle)
        .map(without_tags)
        .unwrap_or_default();
    if let Some(volume) = item.number(NumberVar::Volume) {
        place.push_str(&format!(" {volume}"));
    }
    if let Some(page) = item.number(NumberVar::Page) {
        place.push_str(&format!(", {page}"));
    }
    sentences.push(place.trim_start_matches([',', ' ']).to_owned());
    let identifier = item.doi().map(|doi| doi.url());
    sentences.extend(identifier.or_else(|| item.text(TextVar::Url).map(str::to_owned)));
    sentences.retain(|sentence| !sentence.is_empty());
    let mut line = sentences.join(". ").replace("?. ", "? ");
    if !line.ends_with('.') && item.doi().is_none() {
        line.push('.');
    }
    line
}

/// A text without CSL rich text tags.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        let tags = ["i>", "b>", "sup>", "sub>", "sc>", "span"];
        let bare = behind.strip_prefix('/').unwrap_or(behind);
        match behind.split_once('>') {
            Some((_, tail)) if tags.iter().any(|tag| bare.starts_with(tag)) => rest = tail,
            _ => {
                out.push('<');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}
