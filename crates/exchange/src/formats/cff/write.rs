//! Writes CITATION.cff. A file describes one software or dataset; another work in first place becomes the
//! preferred citation, and later items become references.

use super::kinds;
use super::read::{ADDRESSES, KEPT, NAMES, NUMBERS, TEXTS};
use crate::cost::spend_written;
use crate::syntax::yaml::write::{Map, Value, write_member};
use citation_fields::keywords;
use citation_fields::names::joined;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateParts};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Writes items as one file.
pub(crate) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut out = String::new();
    let mut head = Map::default();
    head.text("cff-version", Some("1.2.0"));
    head.text(
        "message",
        Some("If you use this work, please cite it using these metadata."),
    );
    let mut references = items;
    if let Some((first, rest)) = items.split_first() {
        references = rest;
        match first.kind {
            ItemType::Software => reference(first, "software", &mut head),
            ItemType::Dataset => reference(first, "dataset", &mut head),
            kind => {
                head.text("title", first.text(TextVar::Title));
                head.list("authors", people(first.names(NameVar::Author)));
                let mut preferred = Map::default();
                reference(first, kinds::written(kind), &mut preferred);
                head.map("preferred-citation", preferred);
            }
        }
    }
    let references = references.iter().map(|item| {
        let mut map = Map::default();
        reference(item, kinds::written(item.kind), &mut map);
        Value::Map(map)
    });
    head.list("references", references.collect());
    for (name, value) in head.members() {
        let before = out.len();
        write_member(name, value, &mut out);
        spend_written(budget, out.len() - before)?;
    }
    Ok(out)
}

/// A work as the head of a file or a reference in it.
fn reference(item: &Item, kind: &'static str, map: &mut Map) {
    let in_file = !matches!(kind, "software" | "dataset");
    map.set("type", Value::Word(kind));
    map.text("title", item.text(TextVar::Title));
    for (name, variable) in NAMES {
        map.list(name, people(item.names(variable)));
    }
    // Containers have their own rules.
    for (name, variable) in TEXTS
        .iter()
        .filter(|(name, _)| !matches!(*name, "title" | "journal"))
    {
        map.text(*name, item.text(*variable));
    }
    map.text("url", item.text(TextVar::Url));
    map.text("license", item.text(TextVar::License));
    for (name, variable) in NUMBERS {
        map.text(name, item.number(variable));
    }
    map.text("pages", item.number(NumberVar::NumberOfPages));
    containers(item, map);
    dates(item, in_file, map);
    range(item, map);
    let words = item.text(TextVar::Keyword).unwrap_or_default();
    map.list("keywords", texts(keywords::split(words)));
    let languages = item.text(TextVar::Language).unwrap_or_default().split(", ");
    map.list(
        "languages",
        texts(languages.filter(|language| !language.is_empty())),
    );
    // The schema has no other members.
    for name in KEPT.iter().chain(&ADDRESSES) {
        let text = item.custom.get(*name).and_then(|value| value.as_str());
        if let Some(text) = text.filter(|_| map.get(name).is_none()) {
            map.text(*name, Some(text));
        }
    }
}

fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Value> {
    texts.map(|text| Value::Text(text.to_owned())).collect()
}

fn containers(item: &Item, map: &mut Map) {
    let container = item.text(TextVar::ContainerTitle);
    let series = item.text(TextVar::CollectionTitle);
    match container {
        Some(_) if series.is_some() || item.kind.is_in_periodical() => {
            map.text("journal", container);
            map.text("collection-title", series);
        }
        _ => map.text("collection-title", container.or(series)),
    }
    let publisher = match item.kind {
        ItemType::Thesis | ItemType::Report => "institution",
        _ => "publisher",
    };
    map.map(
        publisher,
        entity(
            item.text(TextVar::Publisher),
            item.text(TextVar::PublisherPlace),
        ),
    );
    let mut conference = entity(
        item.text(TextVar::EventTitle),
        item.text(TextVar::EventPlace),
    );
    if let Some(date) = item.date(DateVar::EventDate) {
        conference.text("date-start", date.start.map(|start| start.iso()));
        conference.text("date-end", date.end_parts().map(|end| end.iso()));
    }
    map.map("conference", conference);
    map.map(
        "location",
        entity(item.text(TextVar::ArchiveLocation), None),
    );
}

fn entity(name: Option<&str>, city: Option<&str>) -> Map {
    let mut entity = Map::default();
    entity.text("name", name);
    entity.text("city", city);
    entity
}

/// Days are written only for full dates; the head of a file has no other.
fn dates(item: &Item, in_file: bool, map: &mut Map) {
    let start = |variable| item.date(variable).and_then(|date: &Date| date.start);
    if let Some(issued) = start(DateVar::Issued) {
        let is_whole = issued.day.is_some();
        match (in_file, is_whole) {
            (false, _) => map.text("date-released", Some(issued.iso())),
            (true, true) => map.text("date-published", Some(issued.iso())),
            (true, false) => {
                map.text("year", Some(issued.year.to_string()));
                map.text("month", issued.month.map(|month| month.to_string()));
            }
        }
    }
    map.text(
        "date-accessed",
        start(DateVar::Accessed).map(|date: DateParts| date.iso()),
    );
    let original = start(DateVar::OriginalDate).map(|date| date.year.to_string());
    map.text("year-original", original);
}

fn range(item: &Item, map: &mut Map) {
    let Some(page) = item
        .number(NumberVar::Page)
        .or(item.number(NumberVar::PageFirst))
    else {
        return;
    };
    match page.split_once('-') {
        Some((start, end)) if !end.contains(['-', ',']) => {
            map.text("start", Some(start));
            map.text("end", Some(end));
        }
        _ => map.text("start", Some(page)),
    }
}

fn people(names: &[Name]) -> Vec<Value> {
    names.iter().map(person).collect()
}

fn person(name: &Name) -> Value {
    let mut map = Map::default();
    if let Some(literal) = &name.literal {
        map.text("name", Some(literal));
    } else {
        let particles = [&name.dropping_particle, &name.non_dropping_particle];
        map.text("family-names", name.family.as_deref());
        map.text("given-names", name.given.as_deref());
        map.text("name-particle", non_blank(&joined(&particles)));
        map.text("name-suffix", name.suffix.as_deref());
    }
    map.text(
        "orcid",
        name.orcid
            .as_ref()
            .map(|orcid| format!("https://orcid.org/{orcid}")),
    );
    Value::Map(map)
}
