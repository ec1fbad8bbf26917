//! What reading and writing spend of a budget.

use citation_model::budget::{Budget, Exceeded};

/// Spends the cost of reading or writing text: one step per 8 bytes.
pub(crate) fn spend_text(budget: &Budget, bytes: usize) -> Result<(), Exceeded> {
    budget.spend(bytes as u64 / 8 + 1)?;
    budget.spend_bytes(bytes)
}

/// Spends the cost of writing one item, without making its keys.
pub(crate) fn spend_written(budget: &Budget, bytes: usize) -> Result<(), Exceeded> {
    budget.spend(STEPS_OF_ITEM)?;
    spend_text(budget, bytes)
}

/// The cost of an item apart from its text: looking up some 150 fields.
pub(crate) const STEPS_OF_ITEM: u64 = 40;
