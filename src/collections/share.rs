//! Links: a random token opens a collection to anyone who has it, until it is revoked.

use super::change::Change;
use super::error::CollectionError;
use super::policy::CollectionAction;
use crate::store::StoreError;
use crate::store::collections::{ChangeKind, CollectionRow, ShareRow};

/// Changes to a link; absent members stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShareOptions {
    /// Whether the link also shows the notes. Default for a new link: no.
    pub with_notes: Option<bool>,
    /// Whether whoever has the link may change the entries. Default for a new link: no.
    pub can_edit: Option<bool>,
    /// Expiry, Unix seconds; `Some(None)`: never, the default for a new link.
    pub expires_at: Option<Option<i64>>,
    /// Whether the link gets a new token, which revokes the old one.
    pub rotate: bool,
}

/// A link, and whether its token is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareLink {
    pub collection: CollectionRow,
    pub share: ShareRow,
    pub is_new: bool,
}

impl Change<'_> {
    /// Creates the link to a collection, or changes the existing one. An expired link is treated as
    /// missing: it gets a new token.
    pub fn share(
        &self,
        collection: &str,
        options: ShareOptions,
    ) -> Result<ShareLink, CollectionError> {
        let row = self.open(collection, CollectionAction::Share)?;
        let open = row.share.clone().filter(|share| share.is_open(self.now));
        let present = open.filter(|_| !options.rotate);
        let is_new = present.is_none();
        let share = match present {
            Some(share) => share,
            None => ShareRow {
                token: new_token()?,
                with_notes: row.share.as_ref().is_some_and(|share| share.with_notes),
                can_edit: row.share.as_ref().is_some_and(|share| share.can_edit),
                created_at: self.now,
                expires_at: None,
            },
        };
        let share = ShareRow {
            with_notes: options.with_notes.unwrap_or(share.with_notes),
            can_edit: options.can_edit.unwrap_or(share.can_edit),
            expires_at: options.expires_at.unwrap_or(share.expires_at),
            ..share
        };
        if row.share.as_ref() == Some(&share) {
            return Ok(ShareLink {
                collection: row,
                share,
                is_new,
            });
        }
        self.edit.set_share(row.id, &share)?;
        Ok(ShareLink {
            collection: self.touch(row.id, ChangeKind::ShareChanged, &[])?,
            share,
            is_new,
        })
    }

    /// Revokes the link to a collection; does nothing if there is none.
    pub fn revoke_share(&self, collection: &str) -> Result<CollectionRow, CollectionError> {
        let row = self.open(collection, CollectionAction::Share)?;
        if row.share.is_none() {
            return Ok(row);
        }
        self.edit.delete_share(row.id)?;
        self.touch(row.id, ChangeKind::ShareChanged, &[])
    }
}

/// Digits of a token: the fewest in base 62 for 128 bits.
const TOKEN_DIGITS: usize = 22;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// 128 random bits in base 62.
pub(super) fn new_token() -> Result<String, StoreError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)
        .map_err(|cause| StoreError::Io(format!("no random numbers: {cause}")))?;
    Ok(in_base_62(u128::from_be_bytes(random)))
}

fn in_base_62(mut number: u128) -> String {
    let mut digits = [b'0'; TOKEN_DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET
            .get((number % 62) as usize)
            .copied()
            .unwrap_or_default();
        number /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_keeps_all_its_bits() {
        assert_eq!(in_base_62(0), "0".repeat(22));
        assert_eq!(in_base_62(61), format!("{}z", "0".repeat(21)));
        let largest = in_base_62(u128::MAX);
        assert_eq!(largest.len(), 22);
        assert!(!largest.starts_with('0'));
        assert_ne!(new_token().unwrap(), new_token().unwrap());
    }
}
