//! Every table of journals there is, asked as one: the operator's word, imported lists, what records
//! gave, and the table inside the program.

use crate::journals::builtin::BuiltIn;
use crate::journals::{Answer, Pair, Tables, abbreviate, expand};
use crate::store::{Store, StoreError};

/// The title that a short form stands for.
pub fn full_title(store: &Store, short: &str) -> Result<Answer, StoreError> {
    expand(short, &All(store))
}

/// The short form of a title.
pub fn short_form(store: &Store, title: &str) -> Result<Answer, StoreError> {
    abbreviate(title, &All(store))
}

struct All<'a>(&'a Store);

impl All<'_> {
    fn with_builtin(
        &self,
        mut pairs: Vec<Pair>,
        Ok(builtin): Result<Vec<Pair>, std::convert::Infallible>,
    ) -> Vec<Pair> {
        pairs.extend(builtin);
        pairs
    }
}

impl Tables for All<'_> {
    type Error = StoreError;

    fn by_short(&self, key: &str) -> Result<Vec<Pair>, StoreError> {
        Ok(self.with_builtin(self.0.by_short(key)?, BuiltIn.by_short(key)))
    }

    fn by_title(&self, key: &str) -> Result<Vec<Pair>, StoreError> {
        Ok(self.with_builtin(self.0.by_title(key)?, BuiltIn.by_title(key)))
    }

    fn by_initials(&self, beginning: &str, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let known = self.0.by_initials(beginning, limit)?;
        Ok(self.with_builtin(known, BuiltIn.by_initials(beginning, limit)))
    }
}
