//! Which records are one work. What counts is what a record says about the work and where it is kept, never a
//! number that programs give it within one citation.

use std::collections::HashMap;

use citation_matching::duplicate::compare;
use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::{Doi, Identifier};
use citation_model::item::Item;
use citation_model::variable::{NameVar, TextVar};

use crate::document::Cited;
use crate::normalize::letters;

/// Maximum number of works with one claim that a record is compared with.
const MAX_COMPARED: usize = 20;
/// Steps of reading the claims of a record, and of a comparison.
const RECORD_STEPS: u64 = 20;
const COMPARISON_STEPS: u64 = 200;

/// A record of a work.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkRecord<'a> {
    pub item: Option<&'a Item>,
    pub doi: Option<&'a Doi>,
    /// Its ids in libraries, unique everywhere.
    pub records: &'a [String],
    /// Its key in the document, which counts if the record has no title.
    pub key: &'a str,
}

impl<'a> From<&'a Cited> for WorkRecord<'a> {
    fn from(cited: &'a Cited) -> WorkRecord<'a> {
        WorkRecord {
            item: cited.item.as_ref(),
            doi: cited.doi.as_ref(),
            records: &cited.records,
            key: &cited.cite.id,
        }
    }
}

impl<'a> From<&'a Item> for WorkRecord<'a> {
    fn from(item: &'a Item) -> WorkRecord<'a> {
        WorkRecord {
            item: Some(item),
            key: &item.id,
            ..WorkRecord::default()
        }
    }
}

/// What records of one work have in common.
#[derive(PartialEq, Eq, Hash)]
enum Claim {
    Identifier(Identifier),
    Record(String),
    /// Title, year and first author.
    Description(String),
    Key(String),
}

/// For each record the position of the first record of the same work.
pub fn same_works(records: &[WorkRecord<'_>], budget: &Budget) -> Result<Vec<usize>, Exceeded> {
    let mut groups = Groups::default();
    let mut holders: HashMap<Claim, Vec<usize>> = HashMap::new();
    for (n, record) in records.iter().enumerate() {
        groups.firsts.push(n);
        for claim in record.claims() {
            budget.spend(RECORD_STEPS)?;
            let holders = holders.entry(claim).or_default();
            for holder in holders.iter() {
                let known = records.get(*holder);
                let Some(known) = known.filter(|_| groups.first(*holder) != groups.first(n)) else {
                    continue;
                };
                budget.spend(COMPARISON_STEPS)?;
                if record.is_same(known) {
                    groups.join(*holder, n);
                }
            }
            // Of the records of one work with one claim, the first is enough.
            let is_held = holders
                .iter()
                .any(|holder| groups.first(*holder) == groups.first(n));
            if !is_held && holders.len() < MAX_COMPARED {
                holders.push(n);
            }
        }
    }
    Ok((0..records.len()).map(|n| groups.first(n)).collect())
}

/// The records of each work: each names an earlier one, or itself.
#[derive(Default)]
struct Groups {
    firsts: Vec<usize>,
}

impl Groups {
    fn first(&mut self, mut n: usize) -> usize {
        while let Some(before) = self.firsts.get(n).copied().filter(|before| *before < n) {
            // Halves the way for the next search.
            let earlier = self.firsts.get(before).copied().unwrap_or(before);
            if let Some(place) = self.firsts.get_mut(n) {
                *place = earlier;
            }
            n = earlier;
        }
        n
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        if let Some(place) = self.firsts.get_mut(one.max(other)) {
            *place = one.min(other);
        }
    }
}

impl WorkRecord<'_> {
    fn title(&self) -> String {
        let title = self.item.and_then(|item| item.text(TextVar::Title));
        letters(title.unwrap_or_default())
    }

    fn identifiers(&self) -> Vec<Identifier> {
        let mut found = self.item.map(Item::identifiers).unwrap_or_default();
        found.extend(self.doi.cloned().map(Identifier::Doi));
        let twins: Vec<Identifier> = found.iter().filter_map(Identifier::twin).collect();
        found.extend(twins);
        found
    }

    fn claims(&self) -> Vec<Claim> {
        let identifiers = self.identifiers();
        let records = self.records.iter().cloned().map(Claim::Record);
        let title = self.title();
        let author = self.item.map(|item| {
            let names = item.names(NameVar::Author).first();
            let names = names.or_else(|| item.names(NameVar::Editor).first());
            letters(&names.map(|name| name.heading()).unwrap_or_default())
        });
        let year = self.item.and_then(Item::year);
        let facts = format!(
            "{} {}",
            author.unwrap_or_default(),
            year.unwrap_or_default()
        );
        let own = match title.is_empty() {
            false => Some(Claim::Description(format!("{title} {facts}"))),
            true if self.key.is_empty() || !self.records.is_empty() => None,
            true => Some(Claim::Key(format!("{} {facts}", self.key))),
        };
        { identifiers.into_iter().map(Claim::Identifier) }
            .chain(records)
            .chain(own)
            .collect()
    }

    /// Whether two records with a common claim are one work.
    fn is_same(&self, other: &WorkRecord<'_>) -> bool {
        let (Some(one), Some(another)) = (self.item, other.item) else {
            return true;
        };
        let (title, other_title) = (self.title(), other.title());
        let is_untitled = title.is_empty() || other_title.is_empty();
        if !is_untitled && has_same_content(one, another) {
            return true;
        }
        let comparison = compare(one, another);
        let is_duplicate = comparison.is_duplicate();
        if self
            .records
            .iter()
            .any(|record| other.records.contains(record))
        {
            // A library that was copied gives one number to two works.
            let is_part = title.contains(&other_title) || other_title.contains(&title);
            return is_duplicate || is_untitled || is_part;
        }
        let (identifiers, others) = (self.identifiers(), other.identifiers());
        let is_shared = others.iter().any(|id| identifiers.contains(id));
        if is_shared {
            let is_one_doi = one.doi().is_some() && one.doi() == another.doi();
            let may_be = is_one_doi || comparison.vetoes.is_empty();
            return is_duplicate || may_be && (is_untitled || title == other_title);
        }
        // Without a common identifier nothing may contradict.
        is_untitled || is_duplicate && comparison.conflicting_fields().is_empty()
    }
}

fn has_same_content(one: &Item, other: &Item) -> bool {
    one.kind == other.kind
        && one.text == other.text
        && one.number == other.number
        && one.date == other.date
        && one.names == other.names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(records: &[(Value, &[&str])], expected: &[usize]) {
        let items: Vec<Item> = { records.iter() }
            .map(|(item, _)| serde_json::from_value(item.clone()).unwrap())
            .collect();
        let ids: Vec<Vec<String>> = { records.iter() }
            .map(|(_, ids)| ids.iter().map(|id| (*id).to_owned()).collect())
            .collect();
        let records: Vec<WorkRecord<'_>> = { items.iter().zip(&ids) }
            .map(|(item, records)| WorkRecord {
                records,
                ..WorkRecord::from(item)
            })
            .collect();
        let found = same_works(&records, &Budget::unlimited()).unwrap();
        assert_eq!(found, expected, "{items:?}");
    }

    fn article(title: &str, year: i32, more: Value) -> Value {
        let mut item = json!({
            "id": "ITEM-1", "type": "article-journal", "title": title, "container-title": "Journal of Rings",
            "author": [{"family": "Doe", "given": "Jane"}], "issued": {"date-parts": [[year]]},
        });
        for (name, value) in more.as_object().unwrap() {
            item[name] = value.clone();
        }
        item
    }

    #[test]
    fn number_within_a_citation_is_no_identity() {
        let one = article("On the rings of the golden worm", 2001, json!({}));
        let other = article("On knots of silver threads", 2001, json!({}));
        check(&[(one.clone(), &[]), (other, &[]), (one, &[])], &[0, 1, 0]);
    }

    #[test]
    fn record_of_a_library_is_a_work() {
        let one = article("On the rings of the golden worm", 2001, json!({}));
        let renamed = article("On the rings of the golden worm: a survey", 2002, json!({}));
        let other = article("Short knots", 1999, json!({}));
        check(&[(one.clone(), &["a 7"]), (renamed, &["a 7"])], &[0, 0]);
        // One number in two libraries, or in two copies of one.
        check(
            &[(one.clone(), &["a 7"]), (other.clone(), &["b 7"])],
            &[0, 1],
        );
        check(&[(one, &["a 7"]), (other, &["a 7"])], &[0, 1]);
    }

    #[test]
    fn identifiers_join_records() {
        let title = "On the rings of the golden worm";
        let doi = article(title, 2001, json!({"DOI": "10.1000/rings"}));
        let both = article(title, 2001, json!({"DOI": "10.1000/RINGS", "PMID": "123"}));
        let pmid = json!({"id": "x", "type": "document", "PMID": "123"});
        check(&[(doi, &[]), (pmid, &[]), (both, &[])], &[0, 0, 0]);
        // Chapters with the DOI of their book.
        let one = article(
            "On the rings of the golden worm",
            2001,
            json!({"DOI": "10.1000/book"}),
        );
        let other = article(
            "Silver knots in practice",
            2001,
            json!({"DOI": "10.1000/book"}),
        );
        check(&[(one, &[]), (other, &[])], &[0, 1]);
    }

    #[test]
    fn descriptions_join_records_that_do_not_contradict() {
        let title = "On the rings of the golden worm";
        let one = article(title, 2001, json!({"volume": "3", "page": "1-9"}));
        let bare = article(title, 2001, json!({"DOI": "10.1000/rings"}));
        check(&[(one.clone(), &[]), (bare, &[])], &[0, 0]);
        for other in [
            json!({"volume": "4", "page": "20-30"}),
            json!({"container-title": "Proceedings of the Knot Society"}),
            json!({"author": [{"family": "Roe", "given": "Jane"}]}),
        ] {
            check(
                &[(one.clone(), &[]), (article(title, 2001, other), &[])],
                &[0, 1],
            );
        }
    }

    #[test]
    fn key_counts_for_a_record_without_title() {
        let item = |id: &str, family: &str| json!({"id": id, "type": "document", "author": [{"family": family}]});
        let items = [("7", "Doe"), ("7", "Roe"), ("7", "Doe"), ("8", "Doe")];
        let records: Vec<(Value, &[&str])> = { items.iter() }
            .map(|(id, family)| (item(id, family), [].as_slice()))
            .collect();
        check(&records, &[0, 1, 0, 3]);
    }
}
