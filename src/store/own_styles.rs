//! Users' own styles, each private to its owner.

use rusqlite::{params, params_from_iter};

use super::collections::bytes_kept;
use super::styles::{StyleRow, pack, style_columns, style_row, style_values, unpack};
use super::{Store, StoreError};

/// The limits of an account.
#[derive(Clone, Copy, Debug)]
pub struct OwnStyleLimits {
    pub styles: u32,
    /// Of all data stored for the account.
    pub bytes: u64,
}

/// Why a style is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnStyleError {
    Store(StoreError),
    Styles,
    Bytes { used: u64, requested: u64 },
}

impl From<StoreError> for OwnStyleError {
    fn from(cause: StoreError) -> OwnStyleError {
        OwnStyleError::Store(cause)
    }
}

impl Store {
    /// The descriptions of a user's own styles, by title.
    pub fn own_styles(&self, user: i64) -> Result<Vec<StyleRow>, StoreError> {
        let sql = concat!(
            "SELECT ",
            style_columns!(),
            " FROM own_styles WHERE user = ?1 ORDER BY title, id"
        );
        self.all(sql, [user], style_row)
    }

    /// The description of one own style.
    pub fn own_style(&self, user: i64, id: &str) -> Result<Option<StyleRow>, StoreError> {
        let sql = concat!(
            "SELECT ",
            style_columns!(),
            " FROM own_styles WHERE user = ?1 AND id = ?2"
        );
        self.first(sql, params![user, id], style_row)
    }

    /// The file of one own style.
    pub fn own_style_xml(&self, user: i64, id: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT xml FROM own_styles WHERE user = ?1 AND id = ?2";
        let packed: Option<Vec<u8>> = self.value(sql, params![user, id])?;
        packed.map(|packed| unpack(id, &packed)).transpose()
    }

    /// Stores a style for a user, replacing one with the same name; returns whether it is new.
    pub fn put_own_style(
        &self,
        user: i64,
        style: &StyleRow,
        xml: &str,
        limits: OwnStyleLimits,
    ) -> Result<bool, OwnStyleError> {
        let packed = pack(xml)?;
        self.write_or(|transaction| {
            let used = bytes_kept(transaction, user)?;
            let others: i64 = transaction
                .query_row(
                    "SELECT count(*) FROM own_styles WHERE user = ?1 AND id <> ?2",
                    params![user, style.id],
                    |row| row.get(0),
                )
                .map_err(StoreError::from)?;
            if others >= i64::from(limits.styles) {
                return Err(OwnStyleError::Styles);
            }
            let replaced = transaction
                .execute(
                    "DELETE FROM own_styles WHERE user = ?1 AND id = ?2",
                    params![user, style.id],
                )
                .map_err(StoreError::from)?;
            let insert = concat!(
                "INSERT INTO own_styles (",
                style_columns!(),
                ", xml, user) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
            );
            let values = style_values(style, packed).into_iter().chain([user.into()]);
            transaction
                .execute(insert, params_from_iter(values))
                .map_err(StoreError::from)?;
            let after = bytes_kept(transaction, user)?;
            if after > limits.bytes && after > used {
                let requested = after - used;
                return Err(OwnStyleError::Bytes { used, requested });
            }
            Ok(replaced == 0)
        })
    }

    /// Removes a user's own style; returns whether there was one.
    pub fn remove_own_style(&self, user: i64, id: &str) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let removed = transaction.execute(
                "DELETE FROM own_styles WHERE user = ?1 AND id = ?2",
                params![user, id],
            )?;
            Ok(removed > 0)
        })
    }
}
