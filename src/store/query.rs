//! One statement at a time, compiled once for each connection.

use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, Row};

use super::{Store, StoreError};

/// The first row, if there is one.
pub fn first<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    rows.next()?.map(read).transpose()
}

/// The first column of the first row, if there is one.
pub fn value<T: FromSql>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<Option<T>, StoreError> {
    first(connection, sql, parameters, |row| Ok(row.get(0)?))
}

/// Every row, in order.
pub fn all<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Changes rows; returns their number.
pub fn execute(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<usize, StoreError> {
    Ok(connection.prepare_cached(sql)?.execute(parameters)?)
}

impl Store {
    /// [`first`], in a read of its own.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.read(|connection| first(connection, sql, parameters, read))
    }

    /// [`value`], in a read of its own.
    pub(super) fn value<T: FromSql>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<Option<T>, StoreError> {
        self.read(|connection| value(connection, sql, parameters))
    }

    /// [`all`], in a read of its own.
    pub(super) fn all<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.read(|connection| all(connection, sql, parameters, read))
    }
}
