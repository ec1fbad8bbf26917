//! All tables of journals as one: the operator's overrides, imported lists, records,
//! and the built-in table.

use std::sync::LazyLock;

use crate::store::{Store, StoreError};
use citation_embedded as embedded;
use citation_matching::journals::builtin::BuiltIn;
use citation_matching::journals::{Pair, Tables, TitleLookup, abbreviate, expand};

/// The built-in table: some 38,000 pairs, sorted on first use.
static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(|| {
    let pairs = embedded::journals();
    BuiltIn::new(pairs.unwrap_or_else(|cause| {
        tracing::error!(%cause, "the built-in journal table cannot be unpacked");
        String::new()
    }))
});

/// Prepares the built-in table, so that the first request does not wait for it.
pub fn warm() {
    LazyLock::force(&BUILT_IN);
}

/// Number of pairs in the built-in table.
pub fn builtin_count() -> usize {
    BUILT_IN.count()
}

/// The title of a short form.
pub fn full_title(store: &Store, short: &str) -> Result<TitleLookup, StoreError> {
    expand(short, &All(store))
}

/// The short form of a title.
pub fn short_form(store: &Store, title: &str) -> Result<TitleLookup, StoreError> {
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
        Ok(self.with_builtin(self.0.by_short(key)?, (&*BUILT_IN).by_short(key)))
    }

    fn by_title(&self, key: &str) -> Result<Vec<Pair>, StoreError> {
        Ok(self.with_builtin(self.0.by_title(key)?, (&*BUILT_IN).by_title(key)))
    }

    fn by_initials(&self, beginning: &str, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let known = self.0.by_initials(beginning, limit)?;
        Ok(self.with_builtin(known, (&*BUILT_IN).by_initials(beginning, limit)))
    }
}
