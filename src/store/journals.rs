//! Journal titles and their short forms, learnt from the records that give both.

use std::collections::HashSet;
use std::sync::Mutex;

use rusqlite::{Transaction, params};

use super::codec::Fingerprint;
use super::{Store, StoreError, lock};
use crate::model::item::Item;
use crate::model::variable::TextVar;
use crate::model::work::Source;

/// A journal's title and a short form of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalPair {
    pub title: String,
    pub short: String,
    /// ISSNs as the record gave them.
    pub issn: Option<String>,
}

/// Pairs that are in the database already, by fingerprint: most records repeat one.
#[derive(Default)]
pub struct Seen(Mutex<HashSet<i64>>);

/// Beyond this many the memory is emptied and fills again.
const SEEN_LIMIT: usize = 1 << 17;

impl Seen {
    fn is_new(&self, pair: &JournalPair) -> bool {
        let fingerprint = Fingerprint::default()
            .with(pair.title.as_bytes())
            .with(b"\0")
            .with(pair.short.as_bytes())
            .value();
        let mut seen = lock(&self.0);
        if seen.len() >= SEEN_LIMIT {
            seen.clear();
        }
        seen.insert(fingerprint)
    }

    /// Forgets everything: a write was undone, and what it noted may not be in the database.
    pub fn clear(&self) {
        lock(&self.0).clear();
    }
}

impl JournalPair {
    /// The pair that an item gives, if its short form is one.
    pub fn of(item: &Item) -> Option<JournalPair> {
        let title = item.text(TextVar::ContainerTitle)?.trim();
        let short = item.text(TextVar::ContainerTitleShort)?.trim();
        let is_short = short.chars().count() < title.chars().count();
        is_short.then(|| JournalPair {
            title: title.to_owned(),
            short: short.to_owned(),
            issn: item.text(TextVar::Issn).map(str::to_owned),
        })
    }
}

/// Stores a pair that a record gives.
pub fn learn(
    transaction: &Transaction<'_>,
    seen: &Seen,
    pair: &JournalPair,
    source: Source,
) -> Result<(), StoreError> {
    if !seen.is_new(pair) {
        return Ok(());
    }
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO journals (title, short, issn, source) VALUES (?1, ?2, ?3, ?4)",
    )?;
    statement.execute(params![pair.title, pair.short, pair.issn, source.as_str()])?;
    Ok(())
}

impl Store {
    /// Short forms of a journal's title, and titles that it is a short form of.
    pub fn journal_pairs(&self, text: &str) -> Result<Vec<JournalPair>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT title, short, issn FROM journals WHERE title = ?1
                 UNION SELECT title, short, issn FROM journals WHERE short = ?1",
            )?;
            let rows = statement.query_map([text], |row| {
                Ok(JournalPair {
                    title: row.get(0)?,
                    short: row.get(1)?,
                    issn: row.get(2)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}
