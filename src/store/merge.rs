//! Merges several sources' records of one work. A pure function of the records:
//! neither the order of their arrival nor repetition changes the result.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::sources;
use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};
use citation_model::work::{Provenance, Source};

/// A source's record of a work.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRecord {
    pub item: Item,
    pub provenance: Provenance,
    pub hash: i64,
}

impl SourceRecord {
    /// Whether this record replaces another one with the same source and id: the later one wins, then the fuller
    /// one. The hash only makes the choice deterministic.
    pub fn replaces(&self, other: &SourceRecord) -> bool {
        self.age() > other.age()
    }

    fn age(&self) -> (i64, usize, i64) {
        (self.provenance.fetched_at, fullness(&self.item), self.hash)
    }
}

/// The work that the records form together.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    pub item: Item,
    /// The main record: that of the highest source.
    pub primary: usize,
    /// The sources of variables from other records.
    pub fields: BTreeMap<&'static str, Source>,
}

/// Merges the records of one work. Of two records of one source, which are rare, the one
/// that would replace the other comes first. `None` for an empty list.
pub fn merge(records: &[SourceRecord]) -> Option<Merged> {
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by_cached_key(|&at| {
        records.get(at).map(|record| {
            let source = record.provenance.source;
            (
                Reverse(sources::row(source).rank),
                source,
                Reverse(record.age()),
            )
        })
    });
    let (&primary, others) = order.split_first()?;
    let primary_source = records.get(primary)?.provenance.source;
    let mut item = records.get(primary)?.item.clone();
    let mut fields = BTreeMap::new();
    for record in others.iter().filter_map(|&at| records.get(at)) {
        take_better(
            &mut item,
            &record.item,
            record.provenance.source,
            &mut fields,
        );
    }
    fields.retain(|_, source| *source != primary_source);
    Some(Merged {
        item,
        primary,
        fields,
    })
}

/// Takes from a lower source what the higher ones lack or have less precisely.
fn take_better(
    item: &mut Item,
    other: &Item,
    source: Source,
    fields: &mut BTreeMap<&'static str, Source>,
) {
    if item.kind == ItemType::Document && other.kind != ItemType::Document {
        item.kind = other.kind;
        fields.insert("type", source);
    }
    let same_kind = item.kind == other.kind;
    for (variable, text) in other.text.iter() {
        if travels(Variable::Text(variable), same_kind) && !item.text.contains(variable) {
            item.text.insert(variable, text.clone());
            fields.insert(variable.csl(), source);
        }
    }
    for (variable, number) in other.number.iter() {
        let better = match item.number(variable) {
            None => travels(Variable::Number(variable), same_kind),
            Some(kept) => variable == NumberVar::Page && opens_range(kept, number),
        };
        if better {
            item.number.insert(variable, number.clone());
            fields.insert(variable.csl(), source);
        }
    }
    for (variable, date) in other.date.iter() {
        let better = match item.date(variable) {
            None => travels(Variable::Date(variable), same_kind),
            Some(kept) => refines(kept, date),
        };
        if better {
            item.date.insert(variable, date.clone());
            fields.insert(variable.csl(), source);
        }
    }
    for (variable, names) in other.names.iter() {
        let better = match item.names.get(variable) {
            None => travels(Variable::Names(variable), same_kind),
            Some(kept) => spells_out(kept, names),
        };
        if better {
            item.names.insert(variable, names.clone());
            fields.insert(variable.csl(), source);
        }
    }
}

/// Whether a variable may be taken from another record. The publication details belong
/// together, and sources that disagree about the type mean different publications.
fn travels(variable: Variable, same_kind: bool) -> bool {
    let of_container = matches!(
        variable,
        Variable::Text(
            TextVar::ContainerTitle
                | TextVar::ContainerTitleShort
                | TextVar::CollectionTitle
                | TextVar::EventTitle
                | TextVar::EventPlace
                | TextVar::Issn
                | TextVar::Isbn
                | TextVar::Genre
                | TextVar::Medium
        ) | Variable::Number(
            NumberVar::Volume | NumberVar::Issue | NumberVar::Page | NumberVar::Number
        ) | Variable::Names(NameVar::Editor | NameVar::ContainerAuthor | NameVar::CollectionEditor)
    );
    let personal = matches!(
        variable,
        Variable::Date(DateVar::Accessed)
            | Variable::Text(TextVar::CitationKey | TextVar::Annote | TextVar::CallNumber)
    );
    !personal && (same_kind || !of_container)
}

/// Whether the other pages are the same first page with a last one.
fn opens_range(kept: &str, other: &str) -> bool {
    let is_dash = |c: char| matches!(c, '-' | '–' | '—' | '\u{2010}' | '\u{2011}');
    !kept.contains(is_dash)
        && other
            .split_once(is_dash)
            .is_some_and(|(first, _)| first.trim() == kept.trim())
}

/// Whether the other date is the same, but more precise.
fn refines(kept: &Date, other: &Date) -> bool {
    let (Some(a), Some(b)) = (kept.start, other.start) else {
        return kept.start.is_none() && other.start.is_some();
    };
    kept.end.is_none()
        && b.precision() > a.precision()
        && a.year == b.year
        && (a.month.is_none() || a.month == b.month)
        && a.season.is_none()
}

/// Whether the other list has the same people with more complete given names.
fn spells_out(kept: &[Name], other: &[Name]) -> bool {
    let same_people = kept.len() == other.len()
        && kept
            .iter()
            .zip(other)
            .all(|(a, b)| folded(a.family.as_deref()) == folded(b.family.as_deref()));
    same_people && given_letters(other) > given_letters(kept) && initials_only(kept)
}

fn folded(text: Option<&str>) -> String {
    text.unwrap_or_default().to_lowercase()
}

fn given_letters(names: &[Name]) -> usize {
    let given = names.iter().filter_map(|name| name.given.as_deref());
    given
        .map(|text| text.chars().filter(|c| c.is_alphabetic()).count())
        .sum()
}

/// Whether every given name consists only of initials: `J. R.`, `JR`, `J`.
fn initials_only(names: &[Name]) -> bool {
    names
        .iter()
        .filter_map(|name| name.given.as_deref())
        .flat_map(|given| given.split([' ', '.', '-']))
        .all(|part| part.chars().count() <= 3 && part.chars().all(char::is_uppercase))
}

/// The amount of information in a record: its variables and the names in them.
fn fullness(item: &Item) -> usize {
    let names: usize = item.names.iter().map(|(_, names)| names.len()).sum();
    item.text.len() + item.number.len() + item.date.len() + names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(source: Source, json: &str) -> SourceRecord {
        SourceRecord {
            item: serde_json::from_str(json).unwrap(),
            provenance: Provenance {
                source,
                record_id: String::new(),
                url: None,
                license: None,
                fetched_at: 0,
            },
            hash: 0,
        }
    }

    /// Merges records in every rotation and returns the JSON of the item and the borrowed fields.
    fn check(records: &[(Source, &str)], expected: &str, borrowed: &[(&str, Source)]) {
        let mut records: Vec<SourceRecord> =
            records.iter().map(|(s, json)| record(*s, json)).collect();
        let expected: Item = serde_json::from_str(expected).unwrap();
        for _ in 0..records.len() {
            let merged = merge(&records).unwrap();
            assert_eq!(merged.item, expected);
            let fields: Vec<(&str, Source)> = merged.fields.iter().map(|(k, s)| (*k, *s)).collect();
            assert_eq!(fields, borrowed);
            records.rotate_left(1);
        }
    }

    #[test]
    fn registry_values_stay_and_gaps_are_filled() {
        check(
            &[
                (
                    Source::Openalex,
                    r#"{"type":"article-journal","title":"on x","abstract":"A.","volume":"9"}"#,
                ),
                (
                    Source::Crossref,
                    r#"{"type":"article-journal","title":"On X","volume":"8"}"#,
                ),
            ],
            r#"{"type":"article-journal","title":"On X","abstract":"A.","volume":"8"}"#,
            &[("abstract", Source::Openalex)],
        );
    }

    #[test]
    fn more_precise_date_of_the_same_year_is_better() {
        check(
            &[
                (
                    Source::Crossref,
                    r#"{"type":"book","issued":{"date-parts":[[2004]]}}"#,
                ),
                (
                    Source::Pubmed,
                    r#"{"type":"book","issued":{"date-parts":[[2004,3,1]]}}"#,
                ),
            ],
            r#"{"type":"book","issued":{"date-parts":[[2004,3,1]]}}"#,
            &[("issued", Source::Pubmed)],
        );
        check(
            &[
                (
                    Source::Crossref,
                    r#"{"type":"book","issued":{"date-parts":[[2004]]}}"#,
                ),
                (
                    Source::Pubmed,
                    r#"{"type":"book","issued":{"date-parts":[[2005,3,1]]}}"#,
                ),
            ],
            r#"{"type":"book","issued":{"date-parts":[[2004]]}}"#,
            &[],
        );
    }

    #[test]
    fn given_names_are_better_than_initials() {
        check(
            &[
                (
                    Source::Datacite,
                    r#"{"type":"book","author":[{"family":"Curie","given":"M."}]}"#,
                ),
                (
                    Source::Local,
                    r#"{"type":"book","author":[{"family":"Curie","given":"Marie"}]}"#,
                ),
            ],
            r#"{"type":"book","author":[{"family":"Curie","given":"Marie"}]}"#,
            &[("author", Source::Local)],
        );
    }

    #[test]
    fn range_is_better_than_its_first_page() {
        check(
            &[
                (Source::Crossref, r#"{"type":"chapter","page":"12"}"#),
                (Source::Doi, r#"{"type":"chapter","page":"12-19"}"#),
            ],
            r#"{"type":"chapter","page":"12-19"}"#,
            &[("page", Source::Doi)],
        );
    }

    #[test]
    fn container_fields_are_not_mixed() {
        check(
            &[
                (Source::Crossref, r#"{"type":"article","title":"X"}"#),
                (
                    Source::Openalex,
                    r#"{"type":"article-journal","container-title":"J","volume":"3","PMID":"7"}"#,
                ),
            ],
            r#"{"type":"article","title":"X","PMID":"7"}"#,
            &[("PMID", Source::Openalex)],
        );
    }

    #[test]
    fn newer_record_of_a_source_replaces_the_older() {
        let mut old = record(
            Source::Crossref,
            r#"{"type":"book","title":"A long title"}"#,
        );
        let mut new = record(Source::Crossref, r#"{"type":"book"}"#);
        new.provenance.fetched_at = 1;
        assert!(new.replaces(&old) && !old.replaces(&new));
        old.provenance.fetched_at = 1;
        assert!(old.replaces(&new), "the fuller of two equally new ones");
        assert!(!old.replaces(&old.clone()));
    }
}
