//! The decisions of an account about references, kept by the server.

use super::overrides::{Decision, Override, Overrides};
use crate::clock::iso8601;
use crate::store::reviews::DecisionRow;
use crate::store::{Store, StoreError};

/// The maximum number of decisions of an account.
pub const MAX_DECISIONS: u64 = 5_000;

/// All decisions of an account.
pub fn of_account(store: &Store, user: i64) -> Result<Overrides, StoreError> {
    let mut all = Overrides::default();
    for row in store.decisions(user)? {
        add(&mut all, row);
    }
    Ok(all)
}

/// The decision of an account about the reference with a key, if there is one.
pub fn of_reference(store: &Store, user: i64, key: &str) -> Result<Overrides, StoreError> {
    let mut all = Overrides::default();
    if let Some(row) = store.decision(user, key)? {
        add(&mut all, row);
    }
    Ok(all)
}

/// One of another version's kinds is left out.
fn add(all: &mut Overrides, row: DecisionRow) {
    if let Some(decision) = Decision::parse(&row.decision) {
        let made = Override {
            reference: row.reference,
            decision,
            by: row.made_by,
            date: iso8601(row.made_at).chars().take(10).collect(),
            why: row.why,
        };
        all.add_keyed(row.key, made);
    }
}
