//! Searches ahead in a text, for the end of what begins somewhere, at a cost that is linear in the text.
//!
//! A search that starts at each of many beginnings and finds no end would read the rest of the text each
//! time. Here all searches together look at a few times the text; after that, each looks at a short piece.
//!
//! ```
//! use citation_model::budget::Budget;
//! use citation_model::lookahead::Lookahead;
//!
//! let (text, budget) = ("[".repeat(10_000), Budget::unlimited());
//! let ahead = Lookahead::new(text.len(), &budget);
//! for at in 0..text.len() {
//!     assert_eq!(ahead.find(&text[at..], usize::MAX, |window| window.find(']')), None);
//! }
//! assert!(budget.steps() < 100 * text.len() as u64);
//! ```

use std::cell::Cell;

use crate::budget::Budget;

/// How often all searches together may look at the text. In real texts an end is near its beginning, and
/// few are inside others.
const MAX_PASSES: usize = 8;

/// What each search may look at after that, in bytes.
const MIN_WINDOW: usize = 500;

/// Bytes searched for one step.
const BYTES_A_STEP: usize = 8;

/// The searches in one text. They spend a budget by the byte; when it is spent, nothing is found.
#[derive(Debug)]
pub struct Lookahead<'b> {
    budget: &'b Budget,
    /// Bytes that may still be looked at without the limit.
    left: Cell<usize>,
}

impl<'b> Lookahead<'b> {
    /// For a text of this many bytes.
    pub fn new(length: usize, budget: &'b Budget) -> Lookahead<'b> {
        Lookahead {
            budget,
            left: Cell::new(length.saturating_mul(MAX_PASSES)),
        }
    }

    /// Adds a text of this many bytes, such as an included file.
    pub fn add(&self, length: usize) {
        let more = length.saturating_mul(MAX_PASSES);
        self.left.set(self.left.get().saturating_add(more));
    }

    /// Searches the start of a text, at most `longest` bytes of it. `find` returns the offset where it
    /// ended: the bytes before it, or the whole window, are spent.
    pub fn find(
        &self,
        text: &str,
        longest: usize,
        find: impl FnOnce(&str) -> Option<usize>,
    ) -> Option<usize> {
        let window = self.window(text, longest);
        let found = find(window);
        self.spend(found.unwrap_or(window.len()));
        found
    }

    /// The start of a text that a search may look at. The caller spends what it looks at.
    pub fn window<'t>(&self, text: &'t str, longest: usize) -> &'t str {
        if self.budget.is_spent() {
            return "";
        }
        let longest = longest.min(self.left.get().max(MIN_WINDOW));
        match text.get(..longest.min(text.len())) {
            Some(window) => window,
            None => text
                .get(..text.floor_char_boundary(longest))
                .unwrap_or_default(),
        }
    }

    /// Spends bytes that were looked at.
    pub fn spend(&self, bytes: usize) {
        self.left.set(self.left.get().saturating_sub(bytes));
        // The caller's next step fails if the budget is spent.
        let _ = self.budget.spend((bytes / BYTES_A_STEP + 1) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_ends_are_found_while_few_are_missing() {
        let text = format!("{}]", "[".repeat(2_000));
        let budget = Budget::unlimited();
        let ahead = Lookahead::new(text.len(), &budget);
        let find = |at: usize| {
            ahead.find(text.get(at..).unwrap(), usize::MAX, |window| {
                window.find(']')
            })
        };
        assert_eq!(find(0), Some(2_000));
        for _ in 0..10 {
            find(0);
        }
        assert_eq!(find(0), None);
        assert_eq!(find(1_900), Some(100));
    }

    #[test]
    fn window_ends_between_characters() {
        let budget = Budget::unlimited();
        let ahead = Lookahead::new(10, &budget);
        assert_eq!(ahead.window("aéé", 2), "a");
        assert_eq!(ahead.window("aéé", 9), "aéé");
    }

    #[test]
    fn nothing_is_found_without_budget() {
        let budget = Budget::new(1, 1);
        let ahead = Lookahead::new(100, &budget);
        ahead.spend(100);
        assert_eq!(ahead.window("a", 1), "");
    }
}
