//! CSL-YAML, the bibliographies of pandoc: CSL-JSON items as a list or as member `references` of a mapping.
//! Texts are Markdown.

use serde::Deserialize;
use serde_json::{Map as Object, Value as Json};

use crate::content::Content;
use crate::cost::spend_written;
use crate::format::{Format, KeyRule};
use crate::keys;
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::tokens;
use crate::syntax::yaml::write::{Map, Value as Yaml, write_listed};
use crate::syntax::yaml::{self, Node, Value};
use citation_fields::notice::Notices;
use citation_fields::rich_text;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateEnd, DateParts};
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{TextVar, Variable};

pub static CSL_YAML: Format = Format {
    id: "csl-yaml",
    title: "CSL-YAML",
    media_types: &[
        "application/vnd.citationstyles.csl+yaml",
        "application/yaml",
    ],
    extensions: &["yaml", "yml"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| read(content.text(), budget)),
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::AnyText,
    tokens: &[
        tokens::YAML,
        &[
            "references:\n",
            "- id: a\n",
            "  type: book\n",
            "  title: ",
            "  author:\n",
            "  - family: ",
            "  issued: ",
            "*a*",
            "<i>",
        ],
    ],
};

/// Whether a list at the start or after `references:` has members of items.
fn recognise(content: &Content<'_>) -> bool {
    let lines = yaml::outline(content);
    let start = match lines.first() {
        Some(line) if line.is_listed => 0,
        _ => match lines
            .iter()
            .position(|line| line.indent == 0 && line.key == "references")
        {
            Some(at) => at + 1,
            None => return false,
        },
    };
    let is_member = |key: &str| matches!(key, "id" | "type") || Variable::from_csl(key).is_some();
    let mut items = lines.iter().skip(start);
    items
        .next()
        .is_some_and(|line| line.is_listed && is_member(line.key))
        && items
            .take_while(|line| !line.is_listed)
            .any(|line| is_member(line.key))
}

/// Reads every item.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut builder = ReadingBuilder::new(text, budget)?;
    let root = match yaml::read(text, budget)? {
        Ok(root) => root,
        Err(notice) => {
            builder.lost(notice.offset, notice.code, notice.message);
            return Ok(builder.finish());
        }
    };
    let references = root.get("references").unwrap_or(&root);
    for node in references.values() {
        match item(node) {
            Ok(item) => {
                let kind = node.text_of("type").unwrap_or_default();
                builder.add_plain(item, kind, node.offset, Notices::default())?;
            }
            Err(message) => builder.lost(node.offset, "invalid_item", message),
        }
    }
    Ok(builder.finish())
}

fn item(node: &Node) -> Result<Item, String> {
    if !node.is_map() {
        return Err("An item is a mapping; this is none.".to_owned());
    }
    let members = node.members().iter().map(|(name, value)| {
        let json = match Variable::from_csl(name) {
            Some(Variable::Date(_)) => date(value),
            _ => json(value),
        };
        (name.clone(), json)
    });
    let mut item = Item::deserialize(Json::Object(members.collect()))
        .map_err(|error| format!("The item cannot be read: {error}."))?;
    for (variable, text) in item.text.iter_mut() {
        if is_markdown(variable) {
            *text = rich_text::from_markdown(text);
        }
    }
    Ok(item)
}

fn json(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Text(text) => Json::String(text.clone()),
        Value::List(values) => Json::Array(values.iter().map(json).collect()),
        Value::Map(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), json(value)));
            Json::Object(members.collect())
        }
    }
}

/// A date in the form of CSL-JSON. A list of two mappings is a range.
fn date(node: &Node) -> Json {
    match node.values() {
        [start, rest @ ..] if start.is_map() => {
            let mut start = date_members(start);
            if let Some(end) = rest.first().filter(|end| end.is_map()) {
                start.insert("end".to_owned(), Json::Object(date_members(end)));
            }
            Json::Object(start)
        }
        _ => json(node),
    }
}

fn date_members(node: &Node) -> Object<String, Json> {
    let name = |name: &str| match name {
        // The name in pandoc before version 2.11.
        "other" => "literal".to_owned(),
        _ => name.to_owned(),
    };
    { node.members().iter() }
        .map(|(key, value)| (name(key), json(value)))
        .collect()
}

/// Whether pandoc reads a variable as Markdown.
fn is_markdown(variable: TextVar) -> bool {
    use TextVar::*;
    !matches!(
        variable,
        Doi | Isbn
            | Issn
            | Pmid
            | Pmcid
            | ArxivId
            | Url
            | CitationKey
            | CitationLabel
            | Language
            | YearSuffix
    )
}

/// Writes items as a document with the member `references`, each with an id.
pub(crate) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut out = String::from("---\nreferences:\n");
    if items.is_empty() {
        out = String::from("---\nreferences: []\n");
    }
    for (item, key) in items
        .iter()
        .zip(keys::for_export(items, keys::Letters::Any))
    {
        let before = out.len();
        let id = if item.id.is_empty() { &key } else { &item.id };
        write_listed(&Yaml::Map(members(item, id)), &mut out);
        spend_written(budget, out.len() - before)?;
    }
    out.push_str("...\n");
    Ok(out)
}

fn members(item: &Item, id: &str) -> Map {
    let mut map = Map::default();
    map.text("id", Some(id));
    map.set("type", Yaml::Word(item.kind.csl()));
    for (variable, text) in item.text.iter() {
        let text = if is_markdown(variable) {
            rich_text::to_markdown(text)
        } else {
            text.clone()
        };
        map.text(variable.csl(), Some(text));
    }
    for (variable, text) in item.number.iter() {
        map.text(variable.csl(), Some(text));
    }
    for (variable, date) in item.date.iter() {
        map.set(variable.csl(), written_date(date));
    }
    for (variable, names) in item.names.iter() {
        map.list(variable.csl(), names.iter().map(written_name).collect());
    }
    for (name, value) in &item.custom {
        let text = value
            .as_str()
            .map(str::to_owned)
            .or_else(|| value.as_number().map(ToString::to_string));
        if let Some(text) = text.filter(|_| {
            !matches!(name.as_str(), "id" | "type") && Variable::from_csl(name).is_none()
        }) {
            map.set(name.clone(), Yaml::Text(text));
        }
    }
    map
}

/// A list of the date, or of the start and end of a range.
fn written_date(date: &Date) -> Yaml {
    let Some(start) = date.start else {
        let mut literal = Map::default();
        literal.text("literal", date.literal.as_deref());
        return Yaml::Map(literal);
    };
    if date.end == Some(DateEnd::Open) {
        return Yaml::Text(date.edtf());
    }
    let mut first = point(start);
    if date.circa {
        first.set("circa", Yaml::Word("true"));
    }
    let end = date.end_parts().map(point);
    Yaml::List([first].into_iter().chain(end).map(Yaml::Map).collect())
}

fn point(parts: DateParts) -> Map {
    let mut map = Map::default();
    map.text("year", Some(parts.year.to_string()));
    map.text("month", parts.month.map(|month| month.to_string()));
    map.text("day", parts.day.map(|day| day.to_string()));
    map.text("season", parts.season.map(|season| season.to_string()));
    map
}

fn written_name(name: &Name) -> Yaml {
    let mut map = Map::default();
    for (key, part) in [
        ("family", &name.family),
        ("given", &name.given),
        ("dropping-particle", &name.dropping_particle),
        ("non-dropping-particle", &name.non_dropping_particle),
        ("suffix", &name.suffix),
        ("literal", &name.literal),
        ("ORCID", &name.orcid),
    ] {
        map.text(key, part.as_deref());
    }
    for (key, is_so) in [
        ("comma-suffix", name.comma_suffix),
        ("static-ordering", name.static_ordering),
    ] {
        if is_so {
            map.set(key, Yaml::Word("true"));
        }
    }
    if !name.parse_names {
        map.set("parse-names", Yaml::Word("false"));
    }
    Yaml::Map(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::variable::{DateVar, NameVar};

    fn items(text: &str) -> Vec<Item> {
        let reading = read(text, &Budget::unlimited()).unwrap();
        assert_eq!(reading.problems, [], "{text}");
        reading.items.into_iter().map(|read| read.item).collect()
    }

    #[test]
    fn dates_are_read_in_every_form() {
        let check = |yaml: &str, expected: &str| {
            let items = items(&format!("- id: a\n  issued: {yaml}\n"));
            let date = items[0].date(DateVar::Issued).unwrap();
            assert_eq!(date.edtf(), expected, "{yaml}");
        };
        check("2012-03", "2012-03");
        check("[{year: 1938}, {year: 1961}]", "1938/1961");
        check("{year: '2012', month: 3, circa: true}", "2012-03~");
        check("{date-parts: [[2012, 3, 4]]}", "2012-03-04");
        check("[{year: 2001, season: 2}]", "2001-22");
        check("[{other: forthcoming}]", "forthcoming");
    }

    #[test]
    fn markdown_becomes_rich_text_but_not_in_identifiers() {
        let read = items(
            "---\nreferences:\n- id: a\n  type: book\n  title: On *it* and [DNA]{.nocase}\n  URL: https://x.org/*a*\n...\n",
        );
        assert_eq!(
            read[0].text(TextVar::Title),
            Some("On <i>it</i> and <span class=\"nocase\">DNA</span>")
        );
        assert_eq!(read[0].text(TextVar::Url), Some("https://x.org/*a*"));
    }

    #[test]
    fn written_items_read_back() {
        let first = items(concat!(
            "- id: '12'\n  type: article-journal\n  title: 'A_b: *c* [x] \"q\"'\n  volume: 007\n",
            "  author: [{family: Doe, given: Jane, suffix: Jr., comma-suffix: true}, {literal: 'yes'}]\n",
            "  issued: [{year: 2001, month: 2}, {year: 2001, month: 3}]\n  accessed: '2001/..'\n  x-note: y\n",
        ));
        let budget = Budget::unlimited();
        let written = write(&first, &budget).unwrap();
        assert_eq!(items(&written), first, "{written}");
        assert_eq!(first[0].names(NameVar::Author).len(), 2);
        assert_eq!(items(&write(&[], &budget).unwrap()), []);
    }

    #[test]
    fn items_are_recognised() {
        let check = |text: &str, expected: bool| {
            assert_eq!(recognise(&Content::of_text(text)), expected, "{text}");
        };
        check("---\nreferences:\n- id: a\n  type: book\n...\n", true);
        check(
            "title: Paper\nreferences:\n  - type: book\n    title: x\n",
            true,
        );
        check("- id: a\n  issued: 2001\n", true);
        check("a:\n  type: book\n", false);
        check("- name: x\n  uses: y\n", false);
        check("References:\n- Doe: A\n", false);
    }

    #[test]
    fn broken_items_cost_no_other() {
        let reading = read("- id: a\n- text\n- id: b\n", &Budget::unlimited()).unwrap();
        assert_eq!((reading.items.len(), reading.total), (2, 3));
        assert_eq!(reading.problems[0].line, 2);
    }
}
