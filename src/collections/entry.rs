//! An entry as replies show it, and an entry similar to a work.

use super::shown;
use crate::store::StoreError;
use crate::store::collections::{EntryRow, Stored, View};
use citation_matching::duplicate::Comparison;
use citation_model::work::Update;

/// The current state of an entry, with the members that replies add.
#[derive(Clone, Debug)]
pub struct Entry {
    pub stored: Stored,
    /// Notices about the work.
    pub updates: Vec<Update>,
}

impl Entry {
    pub(super) fn of_row(view: &View<'_>, row: EntryRow) -> Result<Entry, StoreError> {
        let updates = view.notices_of_entry(row.id)?;
        let stored = in_form(view, view.stored_entry(row)?)?;
        Ok(Entry { stored, updates })
    }
}

/// An entry's metadata in the current format; an older program may have stored another one.
pub(super) fn in_form(view: &View<'_>, stored: Stored) -> Result<Stored, StoreError> {
    if stored.form == shown::FORM {
        return Ok(stored);
    }
    let shown = shown::metadata(&view.item(stored.row.id)?);
    Ok(Stored { shown, ..stored })
}

/// An entry similar to a work.
#[derive(Clone, Debug)]
pub struct Duplicate {
    pub entry: Entry,
    pub comparison: Comparison,
}

impl Duplicate {
    pub fn is_duplicate(&self) -> bool {
        self.comparison.is_duplicate()
    }
}

impl PartialEq for Duplicate {
    fn eq(&self, other: &Duplicate) -> bool {
        self.entry.stored.row == other.entry.stored.row && self.comparison == other.comparison
    }
}
