//! Bibliographic items of Wikidata: an entity as its dumps and its API have it, or a row of a query's result.
//!
//! An entity names other entities by number alone, so journals and publishers come only from a query, which
//! asks for their labels. The columns of a query are the names in `Row`.
//!
//! Written after the Wikibase JSON format and SPARQL 1.1 Query Results JSON.

use serde_json::Value;

use citation_model::date::Date;
use citation_model::identifier::{ArxivId, Doi, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

use super::{RecordError, fields, language, names, unix_seconds};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"type\":\"item\",\"id\":\"Q1\",\"claims\":{",
    "\"P1476\":[{\"mainsnak\":{\"datavalue\":{\"value\":{\"text\":\"",
    "\"P2093\":[{\"mainsnak\":{\"datavalue\":{\"value\":\"",
    "\"qualifiers\":{\"P1545\":[{\"datavalue\":{\"value\":\"1\"}}]}",
    "{\"item\":{\"value\":\"http://www.wikidata.org/entity/Q1\"},",
    "\"title\":{\"value\":\"",
    "\"},",
    "}}}],",
    "}",
];

/// Maximum number of statements of one property, and of the names in one column.
const MAX_STATEMENTS: usize = 5_000;

/// Reads one entity or one row. Lines of a dump end with a comma. Fails without an id or a title; other entities
/// than works are no works.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    let json = json.trim_ascii_end();
    let value: Value = serde_json::from_slice(json.strip_suffix(b",").unwrap_or(json))?;
    if value.get("claims").is_some() {
        return entity(&Entity(&value));
    }
    if value.get("item").is_some() {
        return row(&Row(&value));
    }
    Err(RecordError::NotAWork("something without claims".to_owned()))
}

fn work(item: Item, id: &str, fetched_at: i64, is_retracted: bool) -> Result<Work, RecordError> {
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    let doi = item.doi();
    let provenance = Provenance {
        source: Source::Wikidata,
        record_id: id.to_owned(),
        url: Some(format!("https://www.wikidata.org/wiki/{id}")),
        license: Some("CC0-1.0".into()),
        fetched_at,
    };
    let mut work = Work::new(item, provenance);
    // Wikidata names the notice by number, so the work's own DOI is used.
    work.updates
        .extend(doi.filter(|_| is_retracted).map(|doi| Update {
            kind: UpdateKind::Retraction,
            relation: UpdateRelation::UpdatedBy,
            doi,
            date: None,
            source: Source::Wikidata.as_str().to_owned(),
            reasons: Vec::new(),
        }));
    Ok(work)
}

/// The class of retracted papers.
const RETRACTED: &str = "Q45182324";

/// The type of a class that `instance of` names.
fn type_of(class: &str) -> Option<ItemType> {
    use ItemType::*;
    Some(match class {
        "Q13442814" | "Q18918145" | "Q7318358" | "Q191067" | "Q2782326" | "Q871232" | RETRACTED => {
            Article
        }
        "Q5707594" => NewspaperArticle,
        "Q30070590" => MagazineArticle,
        "Q571" | "Q3331189" | "Q47461344" | "Q20540385" | "Q193955" | "Q8261" | "Q1279564"
        | "Q83790" | "Q7725634" => Book,
        "Q1980247" => Chapter,
        "Q23927052" => ConferencePaper,
        "Q580922" => Preprint,
        "Q187685" | "Q1266946" | "Q1907875" | "Q798134" => Thesis,
        "Q10870555" | "Q3099732" => Report,
        "Q1172284" => Dataset,
        "Q7397" | "Q341" => Software,
        "Q5633421" | "Q737498" | "Q1002697" | "Q41298" => Periodical,
        "Q17329259" => EncyclopediaEntry,
        "Q637866" => BookReview,
        "Q253623" | "Q43305660" => Patent,
        _ => return None,
    })
}

/// An entity with its statements by property.
struct Entity<'v>(&'v Value);

impl<'v> Entity<'v> {
    /// The statements of a property; deprecated ones are known to be wrong, and preferred ones come first.
    fn statements(&self, property: &str) -> Vec<&'v Value> {
        let all = self.0.get("claims").and_then(|claims| claims.get(property));
        let all = all.and_then(Value::as_array).into_iter().flatten();
        let rank =
            |statement: &Value| statement.get("rank").and_then(Value::as_str) == Some("preferred");
        let is_valid = |statement: &&Value| {
            statement.get("rank").and_then(Value::as_str) != Some("deprecated")
        };
        let mut found: Vec<&Value> = all.take(MAX_STATEMENTS).filter(is_valid).collect();
        found.sort_by_key(|statement| !rank(statement));
        found
    }

    /// The values of a property that are texts.
    fn texts(&self, property: &str) -> Vec<&'v str> {
        let values = self.statements(property).into_iter().filter_map(value_of);
        values.filter_map(text_of).collect()
    }

    fn first(&self, property: &str) -> Option<&'v str> {
        self.texts(property).into_iter().next()
    }

    /// The classes of the entity.
    fn classes(&self) -> Vec<&'v str> {
        let values = self.statements("P31").into_iter().filter_map(value_of);
        values
            .filter_map(|value| value.get("id")?.as_str())
            .collect()
    }

    /// Authors as strings and as entities, in the order of their ordinals. An entity has a name only if the
    /// statement says how the work prints it.
    fn authors(&self) -> Vec<Name> {
        let named_as = |statement: &'v Value| {
            let own = value_of(statement).and_then(text_of);
            own.or_else(|| qualifier(statement, "P1932"))
        };
        let mut authors: Vec<(u32, &str)> = Vec::new();
        for statement in { self.statements("P2093").into_iter() }.chain(self.statements("P50")) {
            let ordinal =
                qualifier(statement, "P1545").and_then(|number| number.trim().parse().ok());
            if let Some(name) = named_as(statement) {
                authors.push((ordinal.unwrap_or(u32::MAX), name));
            }
        }
        authors.sort_by_key(|(ordinal, _)| *ordinal);
        authors
            .into_iter()
            .map(|(_, name)| names::from_text(name))
            .collect()
    }

    fn date(&self) -> Option<Date> {
        let statements = self.statements("P577").into_iter().filter_map(value_of);
        statements
            .filter_map(|value| {
                let precision = value.get("precision")?.as_i64()?;
                point_in_time(value.get("time")?.as_str()?, precision)
            })
            .next()
    }
}

fn value_of(statement: &Value) -> Option<&Value> {
    statement.pointer("/mainsnak/datavalue/value")
}

/// A string, or the text of one in some language.
fn text_of(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("text")?.as_str())
}

fn qualifier<'v>(statement: &'v Value, property: &str) -> Option<&'v str> {
    let values = statement.get("qualifiers")?.get(property)?;
    values.get(0)?.pointer("/datavalue/value").and_then(text_of)
}

/// `+2004-05-00T00:00:00Z` with its precision: 9 is a year, 10 a month, 11 a day.
fn point_in_time(time: &str, precision: i64) -> Option<Date> {
    let length = match precision {
        9 => 4,
        10 => 7,
        11.. => 10,
        _ => return None,
    };
    Date::parse_iso(time.strip_prefix('+')?.get(..length)?)
}

fn entity(entity: &Entity<'_>) -> Result<Work, RecordError> {
    let id = entity.0.get("id").and_then(Value::as_str);
    let id = id.ok_or(RecordError::Missing("id"))?;
    let classes = entity.classes();
    let mut kinds = classes.iter().filter_map(|class| type_of(class));
    let has_identifier = ["P356", "P698", "P212", "P957", "P818"]
        .iter()
        .any(|property| entity.first(property).is_some());
    let kind = kinds.next();
    if kind.is_none() && !has_identifier {
        return Err(RecordError::NotAWork(format!("another entity ({id})")));
    }
    let mut item = Item::new(id, kind.unwrap_or(ItemType::Document));
    let labels = ["en", "mul", "de", "fr", "es"].iter();
    let mut labels = labels.filter_map(|language| {
        entity
            .0
            .get("labels")?
            .get(language)?
            .get("value")?
            .as_str()
    });
    let title = entity.first("P1476").or_else(|| labels.next());
    fields::title(&mut item, title.unwrap_or_default(), entity.first("P1680"));
    item.set_names(NameVar::Author, entity.authors());
    fields::date(&mut item, DateVar::Issued, entity.date().as_ref());
    fields::volume_or_issue(&mut item, NumberVar::Volume, entity.first("P478"));
    fields::volume_or_issue(&mut item, NumberVar::Issue, entity.first("P433"));
    fields::pages(&mut item, entity.first("P304"));
    fields::number(&mut item, NumberVar::Edition, entity.first("P393"));
    let title_language = entity.statements("P1476").into_iter().find_map(value_of);
    let title_language = title_language.and_then(|value| value.get("language")?.as_str());
    let tag = title_language.and_then(language::tag);
    fields::plain(&mut item, TextVar::Language, tag.as_deref());
    let isbns = entity.texts("P212").into_iter().chain(entity.texts("P957"));
    fields::isbns(&mut item, isbns);
    fields::issns(&mut item, entity.texts("P236"));
    let first = |property| entity.first(property).unwrap_or_default();
    set_identifiers(
        &mut item,
        first("P356"),
        first("P698"),
        first("P932"),
        first("P818"),
    );
    let modified = entity.0.get("modified").and_then(Value::as_str);
    let is_retracted = classes.contains(&RETRACTED) || !entity.statements("P5824").is_empty();
    work(item, id, modified.map_or(0, unix_seconds), is_retracted)
}

fn set_identifiers(item: &mut Item, doi: &str, pmid: &str, pmcid: &str, arxiv: &str) {
    if let Ok(doi) = Doi::parse(doi) {
        item.set_text(TextVar::Doi, doi.as_str());
        item.set_text(TextVar::Url, doi.url());
    }
    if let Ok(pmid) = Pmid::parse(pmid) {
        item.set_text(TextVar::Pmid, pmid.as_str());
    }
    // Wikidata leaves the letters out.
    let pmcid = if pmcid.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("PMC{pmcid}")
    } else {
        pmcid.to_owned()
    };
    if let Ok(pmcid) = Pmcid::parse(&pmcid) {
        item.set_text(TextVar::Pmcid, pmcid.as_str());
    }
    if let Ok(arxiv) = ArxivId::parse(arxiv) {
        item.set_text(TextVar::ArxivId, arxiv.as_str());
    }
}

/// A row of a query's result: `item`, `type`, `title` or `itemLabel`, `authors` (separated by `|`), `date`,
/// `container`, `publisher`, `volume`, `issue`, `pages`, `language`, `doi`, `pmid`, `pmcid`, `arxiv`, `isbn`.
struct Row<'v>(&'v Value);

impl Row<'_> {
    /// A cell: a text, or the value of a term of SPARQL.
    fn cell(&self, name: &str) -> &str {
        let cell = self.0.get(name);
        let term = cell.and_then(|cell| cell.as_str().or_else(|| cell.get("value")?.as_str()));
        term.unwrap_or_default().trim()
    }

    /// The number of the entity that a cell names.
    fn entity(&self, name: &str) -> &str {
        self.cell(name).rsplit('/').next().unwrap_or_default()
    }

    /// A day as the query gives it, `2004-05-01T00:00:00Z`; the first of January stands for the year.
    fn date(&self) -> Option<Date> {
        let day = self.cell("date").split('T').next()?;
        Date::parse_iso(day.strip_suffix("-01-01").unwrap_or(day))
    }
}

fn row(row: &Row<'_>) -> Result<Work, RecordError> {
    let id = row.entity("item");
    let is_item = id.strip_prefix('Q').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    if !is_item {
        return Err(RecordError::malformed("item", id));
    }
    let class = row.entity("type");
    let container = row.cell("container");
    let kind = type_of(class).unwrap_or(match container {
        "" => ItemType::Document,
        _ => ItemType::Article,
    });
    let mut item = Item::new(id, kind);
    let title = [row.cell("title"), row.cell("itemLabel")];
    let title = title.into_iter().find(|title| !title.is_empty());
    fields::title(&mut item, title.unwrap_or_default(), None);
    let authors = row.cell("authors").split('|').take(MAX_STATEMENTS);
    let authors = authors.map(str::trim).filter(|name| !name.is_empty());
    item.set_names(NameVar::Author, authors.map(names::from_text).collect());
    fields::date(&mut item, DateVar::Issued, row.date().as_ref());
    fields::plain(&mut item, TextVar::ContainerTitle, Some(container));
    fields::plain(&mut item, TextVar::Publisher, Some(row.cell("publisher")));
    fields::volume_or_issue(&mut item, NumberVar::Volume, Some(row.cell("volume")));
    fields::volume_or_issue(&mut item, NumberVar::Issue, Some(row.cell("issue")));
    fields::pages(&mut item, Some(row.cell("pages")));
    let tag = language::tag(row.cell("language"));
    fields::plain(&mut item, TextVar::Language, tag.as_deref());
    fields::isbns(&mut item, row.cell("isbn").split('|').map(str::trim));
    let [doi, pmid, pmcid, arxiv] = ["doi", "pmid", "pmcid", "arxiv"].map(|name| row.cell(name));
    set_identifiers(&mut item, doi, pmid, pmcid, arxiv);
    work(item, id, 0, class == RETRACTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(value: &str, qualifiers: &str) -> String {
        format!(
            r#"{{"mainsnak":{{"snaktype":"value","datavalue":{{"value":{value}}}}},"rank":"normal","qualifiers":{{{qualifiers}}}}}"#
        )
    }

    #[test]
    fn entity_is_a_work() {
        let ordinal = |n: u8| format!(r#""P1545":[{{"datavalue":{{"value":"{n}"}}}}]"#);
        let named = format!(
            r#"{},"P1932":[{{"datavalue":{{"value":"Ann B. Doe"}}}}]"#,
            ordinal(1)
        );
        let claims = [
            (
                "P31",
                statement(r#"{"entity-type":"item","id":"Q13442814"}"#, ""),
            ),
            (
                "P1476",
                statement(r#"{"text":"On frogs","language":"en"}"#, ""),
            ),
            ("P2093", statement("\"Bo Roe\"", &ordinal(2))),
            (
                "P50",
                statement(r#"{"entity-type":"item","id":"Q42"}"#, &named),
            ),
            (
                "P577",
                statement(r#"{"time":"+2004-05-00T00:00:00Z","precision":10}"#, ""),
            ),
            ("P478", statement("\"12\"", "")),
            ("P433", statement("\"3\"", "")),
            ("P304", statement("\"23-45\"", "")),
            ("P356", statement("\"10.5555/FROGS\"", "")),
            ("P698", statement("\"777\"", "")),
            ("P932", statement("\"123\"", "")),
            (
                "P5824",
                statement(r#"{"entity-type":"item","id":"Q43"}"#, ""),
            ),
        ];
        let claims: Vec<String> = { claims.iter() }
            .map(|(property, statement)| format!("\"{property}\":[{statement}]"))
            .collect();
        let json = format!(
            "{{\"type\":\"item\",\"id\":\"Q1001\",\"labels\":{{}},\"claims\":{{{}}},\"modified\":\"2024-01-02T03:04:05Z\"}},",
            claims.join(",")
        );
        let work = from_slice(json.as_bytes()).unwrap();
        let item = &work.item;
        assert_eq!(item.kind, ItemType::Article);
        assert_eq!(item.text(TextVar::Title), Some("On frogs"));
        let families: Vec<_> = { item.names(NameVar::Author).iter() }
            .filter_map(|name| name.family.as_deref())
            .collect();
        assert_eq!(families, ["Doe", "Roe"]);
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("2004-05")
        );
        assert_eq!(item.number(NumberVar::Page), Some("23-45"));
        assert_eq!(item.text(TextVar::Pmcid), Some("PMC123"));
        assert_eq!(work.updates[0].doi.as_str(), "10.5555/frogs");
        assert_eq!(work.provenance.record_id, "Q1001");
        assert_eq!(work.provenance.fetched_at, 1_704_164_645);
    }

    #[test]
    fn row_of_a_query_is_a_work() {
        let json = r#"{"item":{"type":"uri","value":"http://www.wikidata.org/entity/Q1002"},
            "type":{"type":"uri","value":"http://www.wikidata.org/entity/Q13442814"},
            "title":{"xml:lang":"en","type":"literal","value":"On toads"},"authors":{"value":"Ann Doe|Bo Roe"},
            "date":{"datatype":"http://www.w3.org/2001/XMLSchema#dateTime","value":"2004-01-01T00:00:00Z"},
            "container":{"value":"Acta"},"volume":{"value":"7"},"doi":{"value":"10.5555/TOADS"}}"#;
        let item = from_slice(json.as_bytes()).unwrap().item;
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Acta"));
        assert_eq!(item.names(NameVar::Author).len(), 2);
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("2004")
        );
        assert_eq!(item.text(TextVar::Doi), Some("10.5555/toads"));
    }

    #[test]
    fn other_entities_are_no_works() {
        let person = format!(
            r#"{{"id":"Q42","labels":{{"en":{{"value":"Ann Doe"}}}},"claims":{{"P31":[{}]}}}}"#,
            statement(r#"{"id":"Q5"}"#, "")
        );
        assert!(matches!(
            from_slice(person.as_bytes()),
            Err(RecordError::NotAWork(_))
        ));
        assert!(matches!(from_slice(b"{}"), Err(RecordError::NotAWork(_))));
        assert!(from_slice(br#"{"item":"Q1x","title":"T"}"#).is_err());
        assert!(from_slice(br#"{"item":"Q1"}"#).is_err());
    }
}
