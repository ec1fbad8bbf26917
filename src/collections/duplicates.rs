//! Duplicate works in a collection. `matching::duplicate` compares; this module selects the entries to
//! compare by blocking keys stored with them, so that a collection of thousands need not be read for
//! one work.

use std::collections::{HashMap, HashSet, hash_map};

use super::change::Change;
use super::entry::{Duplicate, Entry};
use super::error::CollectionError;
use super::policy::CollectionAction;
use super::snapshot::Snapshot;
use crate::store::StoreError;
use crate::store::codec::Fingerprint;
use crate::store::collections::{ChangeKind, CollectionRow, EntryRow, View};
use citation_matching::duplicate::{self, Comparison};
use citation_matching::normalize::{squeeze, tokens};
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::variable::{NameVar, TextVar};

/// Words of a title that become blocking keys.
const MARKING_WORDS: usize = 4;

/// The most entries compared with one work: those that share the most blocking keys with it.
const COMPARED: usize = 20;

/// The most entries of one key. A key with more entries, such as a word in the titles of one
/// author's series, does not discriminate.
const MAX_PER_KEY: usize = 100;

/// The most similar entries reported for a work.
const MAX_DUPLICATES: usize = 20;

/// Hashes of which two items share one if they may be the same work: of every identifier, of the
/// longest words of the title, each with the first family name, and of those words together.
pub fn blocking_keys(item: &Item) -> Vec<u32> {
    let identifiers = item.identifiers();
    let isbns = item.isbns();
    let named = identifiers
        .iter()
        .map(|identifier| blocking_key(&[identifier.kind(), identifier.as_str()]))
        // A book's ISBN does not identify a chapter, but a book mistaken for a chapter has it.
        .chain(
            isbns
                .iter()
                .map(|isbn| blocking_key(&["isbn", isbn.as_str()])),
        );
    let mut blocking_keys: Vec<u32> = named.collect();
    let words = title_words(item);
    if !words.is_empty() {
        let family = first_family(item);
        blocking_keys.extend(
            words
                .iter()
                .map(|word| blocking_key(&["word", word, &family])),
        );
        blocking_keys.push(blocking_key(&["title", &words.join(" ")]));
    }
    blocking_keys.sort_unstable();
    blocking_keys.dedup();
    blocking_keys
}

fn blocking_key(parts: &[&str]) -> u32 {
    let hash = parts.iter().fold(Fingerprint::default(), |hash, part| {
        hash.with(part.as_bytes()).with(b"\0")
    });
    hash.value() as u32
}

/// The longest words of a title without its subtitle, in alphabetical order.
fn title_words(item: &Item) -> Vec<String> {
    let title = item.text(TextVar::Title).unwrap_or_default();
    let main = title.split_once(": ").map_or(title, |(main, _)| main);
    let mut words: Vec<String> = tokens(main).into_iter().map(|token| token.text).collect();
    words.sort();
    words.dedup();
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    words.truncate(MARKING_WORDS);
    words.sort();
    words
}

fn first_family(item: &Item) -> String {
    let names = [NameVar::Author, NameVar::Editor]
        .into_iter()
        .find_map(|variable| item.names(variable).first());
    let family = names.and_then(|name| name.family.as_deref().or(name.literal.as_deref()));
    squeeze(family.unwrap_or_default())
}

/// The index of blocking keys: to entries of the collection, or to drafts that came before.
#[derive(Default)]
struct BlockingIndex<T> {
    by_key: HashMap<u32, Vec<T>>,
}

impl<T: Copy + Ord + std::hash::Hash> BlockingIndex<T> {
    fn add(&mut self, blocking_keys: &[u32], value: T) {
        for key in blocking_keys {
            let values = self.by_key.entry(*key).or_default();
            if values.len() < MAX_PER_KEY {
                values.push(value);
            }
        }
    }

    /// The entries that share a key, most shared keys first, then the earliest.
    fn sharing(&self, blocking_keys: &[u32]) -> Vec<T> {
        let mut shared: HashMap<T, usize> = HashMap::new();
        let hits = blocking_keys.iter().filter_map(|key| self.by_key.get(key));
        for value in hits.flatten() {
            *shared.entry(*value).or_default() += 1;
        }
        let mut found: Vec<(T, usize)> = shared.into_iter().collect();
        found.sort_unstable_by_key(|(value, count)| (std::cmp::Reverse(*count), *value));
        found.truncate(COMPARED);
        found.into_iter().map(|(value, _)| value).collect()
    }
}

/// Compares two items. Identical records are the same work, however little they contain: a client
/// that sends one twice does not mean another work.
fn compare(given: &Item, found: &Item) -> Comparison {
    let comparison = duplicate::compare(given, found);
    if says_the_same(given, found) {
        return Comparison {
            score: 1.0,
            ..comparison
        };
    }
    comparison
}

/// Whether two items are the same work. Different DOIs decide without a comparison, which
/// matters for thousands of comparisons.
fn are_one_work(given: &Item, found: &Item) -> bool {
    let differ = matches!((given.doi(), found.doi()), (Some(a), Some(b)) if a != b);
    !differ && compare(given, found).is_duplicate()
}

/// Whether two records differ at most in their ids.
fn says_the_same(a: &Item, b: &Item) -> bool {
    let texts = |item: &Item| {
        let mut texts = item.text.clone();
        texts.remove(TextVar::CitationKey);
        texts
    };
    a.kind == b.kind
        && a.number == b.number
        && a.date == b.date
        && a.names == b.names
        && texts(a) == texts(b)
}

/// The entries of a collection that resemble an item, best first.
pub(super) fn of(
    view: &View<'_>,
    collection: &CollectionRow,
    item: &Item,
) -> Result<Vec<Duplicate>, StoreError> {
    let asked = blocking_keys(item);
    let mut shared: Vec<(i64, usize)> = view
        .blocking_keys(collection.id)?
        .into_iter()
        .map(|(entry, blocking_keys)| {
            let count = blocking_keys
                .iter()
                .filter(|key| asked.binary_search(key).is_ok());
            (entry, count.count())
        })
        .filter(|(_, count)| *count > 0)
        .collect();
    shared.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    shared.truncate(COMPARED);
    let mut alike = Vec::new();
    for (entry, _) in shared {
        let comparison = compare(item, &view.item(entry)?);
        if comparison.is_worth_showing() {
            alike.push((entry, comparison));
        }
    }
    alike.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
    alike.truncate(MAX_DUPLICATES);
    alike
        .into_iter()
        .map(|(entry, comparison)| {
            let row = view.entry_by_id(entry)?;
            let entry = Entry::of_row(view, row)?;
            Ok(Duplicate { entry, comparison })
        })
        .collect()
}

/// A work that may already be in a collection.
pub(super) struct DuplicateQuery<'a> {
    /// UUID of the entry that it is or will be.
    pub uid: &'a str,
    pub item: &'a Item,
    pub blocking_keys: &'a [u32],
}

/// For each requested work, the UUID of the entry that is the same work: one of the collection, or
/// an earlier one of the request.
pub(super) fn among(
    view: &View<'_>,
    collection: Option<&CollectionRow>,
    asked: &[DuplicateQuery<'_>],
) -> Result<Vec<Option<String>>, StoreError> {
    let mut entries = BlockingIndex::default();
    let present = collection.map_or(Ok(Vec::new()), |row| view.blocking_keys(row.id))?;
    for (entry, blocking_keys) in present {
        entries.add(&blocking_keys, entry);
    }
    let mut items: HashMap<i64, Item> = HashMap::new();
    let mut earlier: BlockingIndex<usize> = BlockingIndex::default();
    let mut found = Vec::with_capacity(asked.len());
    for (index, one) in asked.iter().enumerate() {
        let mut same = None;
        for entry in entries.sharing(one.blocking_keys) {
            let item = match items.entry(entry) {
                hash_map::Entry::Occupied(known) => known.into_mut(),
                hash_map::Entry::Vacant(slot) => slot.insert(view.item(entry)?),
            };
            if are_one_work(one.item, item) {
                same = Some(view.entry_by_id(entry)?.uid);
                break;
            }
        }
        if same.is_none() {
            same = earlier
                .sharing(one.blocking_keys)
                .into_iter()
                .filter_map(|index| asked.get(index))
                .find(|other| are_one_work(one.item, other.item))
                .map(|other| other.uid.to_owned());
        }
        if same.is_none() {
            earlier.add(one.blocking_keys, index);
        }
        found.push(same);
    }
    Ok(found)
}

impl Snapshot<'_> {
    /// The entries of a collection that resemble an item, best first.
    pub fn duplicates_of(
        &self,
        collection: &CollectionRow,
        item: &Item,
    ) -> Result<Vec<Duplicate>, CollectionError> {
        Ok(of(self.view, collection, item)?)
    }

    /// The works that a collection has more than once: the UUIDs of their entries.
    pub fn duplicate_groups(
        &self,
        collection: &CollectionRow,
        budget: &Budget,
    ) -> Result<Vec<Vec<String>>, CollectionError> {
        let items = self.view.items(collection.id)?;
        let rows = self.view.entries(collection.id)?;
        let index = duplicate::Index::new(items.iter().map(|(_, item)| item));
        let pairs = self.view.distinct_entries(collection.id)?;
        let pairs: HashSet<(i64, i64)> = pairs.into_iter().collect();
        let are_distinct = |a: i64, b: i64| pairs.contains(&(a.min(b), a.max(b)));
        let groups = index.groups(budget)?.into_iter().map(|group| {
            let rows: Vec<&EntryRow> = group.into_iter().filter_map(|at| rows.get(at)).collect();
            // An entry leaves its group if it is distinct from all others there.
            let stays = |row: &&&EntryRow| {
                let mut others = rows.iter().filter(|other| other.id != row.id);
                others.any(|other| !are_distinct(row.id, other.id))
            };
            let staying = rows.iter().filter(stays);
            staying.map(|row| row.uid.clone()).collect::<Vec<_>>()
        });
        Ok(groups.filter(|group| group.len() > 1).collect())
    }
}

impl Change<'_> {
    /// Notes that entries are different works, each from each other, or no longer. Unknown ones are left out.
    pub fn set_distinct(
        &self,
        collection: &str,
        uids: &[String],
        is_distinct: bool,
    ) -> Result<CollectionRow, CollectionError> {
        let collection = self.open(collection, CollectionAction::EditEntries)?;
        let mut entries = Vec::new();
        for uid in uids {
            entries.extend(self.edit.entry(collection.id, uid)?);
        }
        for (at, one) in entries.iter().enumerate() {
            for other in entries.iter().skip(at + 1) {
                self.edit.set_distinct((one.id, other.id), is_distinct)?;
            }
        }
        let uids: Vec<String> = entries.into_iter().map(|entry| entry.uid).collect();
        self.touch(collection.id, ChangeKind::EntriesAnnotated, &uids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_exchange::{BIBTEX, read};
    use citation_model::budget::Budget;

    fn item(fields: &str) -> Item {
        let text = format!("@article{{a, {fields}}}");
        let reading = read(&text.as_str().into(), &BIBTEX, &Budget::unlimited()).unwrap();
        reading.items.into_iter().next().unwrap().item
    }

    #[test]
    fn blocking_keys_match_spelling_variants() {
        let check = |a: &str, b: &str, shares: bool| {
            let (a, b) = (blocking_keys(&item(a)), blocking_keys(&item(b)));
            assert_eq!(a.iter().any(|key| b.contains(key)), shares);
        };
        let one = "title={The Structure of Deoxyribonucleic Acid}, author={Watson, J.}";
        check(
            one,
            "title={structure of deoxyribonucleic acids: a review}, author={Watson, James}",
            true,
        );
        check(
            one,
            "title={The structure of deoxyribonucleic acid}, author={Crick, F.}",
            true,
        );
        check(one, "title={Something else}, doi={10.1000/x}", false);
        check(
            "title={A}, doi={10.1000/X}",
            "title={B}, doi={https://doi.org/10.1000/x}",
            true,
        );
    }
}
