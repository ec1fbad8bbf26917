//! Key-value metadata of the database, and counters that are updated with every write.

use std::collections::BTreeMap;

use rusqlite::{Connection, Transaction};

use super::{Store, StoreError, query};
use citation_model::work::Source;

impl Store {
    /// A metadata value of the database.
    pub fn fact(&self, key: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        self.value(sql, [key])
    }

    /// Sets a metadata value of the database.
    pub fn set_fact(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.write(|transaction| set_fact(transaction, key, value))
    }

    /// The random id of this database, which never changes.
    pub fn database_id(&self) -> Result<String, StoreError> {
        self.fact("database_id")?
            .ok_or_else(|| StoreError::Corrupt("the database id is missing".to_owned()))
    }

    /// Every counter by name: `works`, `works.SOURCE` by the main source of each work, `newest.SOURCE`, the
    /// time of a source's newest record in Unix seconds, and `last_deleted`.
    pub fn counters(&self) -> Result<BTreeMap<String, i64>, StoreError> {
        let sql = "SELECT name, value FROM counters WHERE value <> 0";
        let rows = self.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.into_iter().collect())
    }

    /// One counter; 0 if nothing has been counted.
    pub fn counter(&self, name: &str) -> Result<i64, StoreError> {
        self.read(|connection| counter(connection, name))
    }
}

pub fn set_fact(transaction: &Transaction<'_>, key: &str, value: &str) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT INTO meta (key, value) VALUES (?1, ?2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [key, value],
    )?;
    Ok(())
}

pub fn delete_fact(transaction: &Transaction<'_>, key: &str) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM meta WHERE key = ?1", [key])?;
    Ok(())
}

pub fn counter(connection: &Connection, name: &str) -> Result<i64, StoreError> {
    let value = query::value(
        connection,
        "SELECT value FROM counters WHERE name = ?1",
        [name],
    )?;
    Ok(value.unwrap_or(0))
}

/// Raises a counter to a value, unless it is higher.
pub fn raise_counter(
    transaction: &Transaction<'_>,
    name: &str,
    value: i64,
) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT INTO counters (name, value) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)",
        (name, value),
    )?;
    Ok(())
}

/// Changes to the counters of works, collected over a batch and written once.
#[derive(Default)]
pub struct CounterChanges {
    works: BTreeMap<Source, i64>,
    newest: BTreeMap<Source, i64>,
}

impl CounterChanges {
    /// Counts works by main source.
    pub fn add_works(&mut self, source: Source, by: i64) {
        *self.works.entry(source).or_default() += by;
    }

    /// Notes the time of a record of a source: `newest.SOURCE` is that of its newest one.
    pub fn add_time(&mut self, source: Source, fetched_at: i64) {
        let newest = self.newest.entry(source).or_default();
        *newest = fetched_at.max(*newest);
    }

    pub fn save(&self, transaction: &Transaction<'_>) -> Result<(), StoreError> {
        let mut statement = transaction.prepare_cached(
            "INSERT INTO counters (name, value) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
        )?;
        for (source, by) in self.works.iter().filter(|(_, by)| **by != 0) {
            statement.execute((format!("works.{}", source.as_str()), by))?;
        }
        let all: i64 = self.works.values().sum();
        if all != 0 {
            statement.execute(("works", all))?;
        }
        for (source, fetched_at) in self.newest.iter().filter(|(_, at)| **at > 0) {
            raise_counter(
                transaction,
                &format!("newest.{}", source.as_str()),
                *fetched_at,
            )?;
        }
        Ok(())
    }
}
