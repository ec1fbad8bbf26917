//! Journal titles and their short forms: from records, imports and the operator's
//! overrides.

use std::collections::HashSet;
use std::sync::Mutex;

use rusqlite::{Transaction, params};

use super::codec::Fingerprint;
use super::{Store, StoreError, lock, query};
use citation_matching::journals::Tables;
use citation_matching::journals::key::{initials, key};
use citation_matching::journals::pair::{Pair, PairOrigin, bare_title};
use citation_model::item::Item;
use citation_model::variable::TextVar;
use citation_model::work::Source;

/// Pairs known to be in the database, by fingerprint: most records repeat one.
#[derive(Default)]
pub struct Seen(Mutex<HashSet<i64>>);

/// The cache is cleared at this size.
const SEEN_LIMIT: usize = 1 << 17;

impl Seen {
    fn is_new(&self, pair: &Pair) -> bool {
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

    /// Clears the cache: a write was rolled back, so its pairs may not be in the database.
    pub fn clear(&self) {
        lock(&self.0).clear();
    }
}

/// The pair of an item. Without a valid short form only the title: unlisted short
/// forms are found by the prefixes of its words.
pub fn pair_of(item: &Item, source: Source) -> Option<Pair> {
    let title = item.text(TextVar::ContainerTitle)?.trim();
    let short = item.text(TextVar::ContainerTitleShort).unwrap_or_default();
    let is_short = short.chars().count() < title.chars().count();
    let short = if is_short { short.trim() } else { "" };
    let is_journal = item.kind.is_in_periodical() || item.text(TextVar::Issn).is_some();
    (is_journal || !short.is_empty()).then(|| Pair {
        title: title.to_owned(),
        short: short.to_owned(),
        origin: PairOrigin::Record(source.as_str().to_owned()),
    })
}

/// Stores a record's pair.
pub fn learn(transaction: &Transaction<'_>, seen: &Seen, pair: &Pair) -> Result<(), StoreError> {
    if !seen.is_new(pair) {
        return Ok(());
    }
    insert(transaction, pair, "INSERT OR IGNORE")
}

fn insert(transaction: &Transaction<'_>, pair: &Pair, verb: &str) -> Result<(), StoreError> {
    query::execute(
        transaction,
        &format!(
            "{verb} INTO journals (title, short, origin, title_key, short_key, initials)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        ),
        params![
            pair.title,
            pair.short,
            pair.origin.as_str(),
            key(bare_title(&pair.title)),
            key(&pair.short),
            initials(bare_title(&pair.title)),
        ],
    )?;
    Ok(())
}

impl Store {
    /// Stores the pairs of a list; they replace those of records, but not
    /// the operator's. Returns the number of new ones.
    pub fn import_journals(&self, pairs: &[Pair]) -> Result<usize, StoreError> {
        const BATCH: usize = 500;
        let before = self.journal_count()?;
        for batch in pairs.chunks(BATCH) {
            self.write_bulk(|transaction| {
                for pair in batch {
                    if !is_set(transaction, pair)? {
                        insert(transaction, pair, "INSERT OR REPLACE")?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(self.journal_count()?.saturating_sub(before))
    }

    /// Sets the operator's override for a short form; replaces an earlier one.
    pub fn set_journal(&self, short: &str, title: &str) -> Result<(), StoreError> {
        let pair = Pair {
            title: title.to_owned(),
            short: short.to_owned(),
            origin: PairOrigin::Operator,
        };
        self.write(|transaction| {
            remove_set(transaction, short)?;
            insert(transaction, &pair, "INSERT OR REPLACE")
        })
    }

    /// Removes the operator's override for a short form. False if there was none.
    pub fn unset_journal(&self, short: &str) -> Result<bool, StoreError> {
        self.write(|transaction| remove_set(transaction, short))
    }

    /// Number of pairs and single titles.
    pub fn journal_count(&self) -> Result<usize, StoreError> {
        self.read(|connection| {
            let count: i64 =
                connection.query_row("SELECT count(*) FROM journals", [], |row| row.get(0))?;
            Ok(usize::try_from(count).unwrap_or_default())
        })
    }

    fn journals_where(
        &self,
        condition: &'static str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<Pair>, StoreError> {
        let sql = &format!("SELECT title, short, origin FROM journals WHERE {condition}");
        self.all(sql, values, |row| {
            Ok(Pair {
                title: row.get(0)?,
                short: row.get(1)?,
                origin: PairOrigin::parse(&row.get::<_, String>(2)?),
            })
        })
    }
}

impl Tables for Store {
    type Error = StoreError;

    fn by_short(&self, key: &str) -> Result<Vec<Pair>, StoreError> {
        self.journals_where("short_key = ?1 AND short_key <> ''", &[&key])
    }

    fn by_title(&self, key: &str) -> Result<Vec<Pair>, StoreError> {
        self.journals_where("title_key = ?1", &[&key])
    }

    fn by_initials(&self, beginning: &str, limit: usize) -> Result<Vec<Pair>, StoreError> {
        // After every text with this prefix, and before all others.
        let end = format!("{beginning}\u{10ffff}");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.journals_where(
            "initials >= ?1 AND initials < ?2 ORDER BY initials LIMIT ?3",
            &[&beginning, &end, &limit],
        )
    }
}

fn is_set(transaction: &Transaction<'_>, pair: &Pair) -> Result<bool, StoreError> {
    let mut statement = transaction.prepare_cached(
        "SELECT 1 FROM journals WHERE title = ?1 AND short = ?2 AND origin = 'operator'",
    )?;
    Ok(statement.exists(params![pair.title, pair.short])?)
}

fn remove_set(transaction: &Transaction<'_>, short: &str) -> Result<bool, StoreError> {
    let removed = transaction.execute(
        "DELETE FROM journals WHERE short_key = ?1 AND origin = 'operator'",
        [key(short)],
    )?;
    Ok(removed > 0)
}
