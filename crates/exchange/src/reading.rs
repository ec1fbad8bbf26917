//! What reading a file gives, and how a reader puts it together.

use serde::Serialize;

use super::csv::columns::Column;
use super::problem::{Notice, Notices, Problem, Problems, Subject};
use super::{STEPS_OF_ITEM, identifiers, mend};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// What reading a text gave. Every record of the text is in `items` or, as an error, in
/// `problems`, where of very many the rest is told as a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub items: Vec<ReadItem>,
    /// In the order of the text.
    pub problems: Vec<Problem>,
    /// Records in the text: those read and those lost.
    pub total: usize,
    /// What was read from which column of a table; empty for other formats.
    pub columns: Vec<Column>,
}

/// An item and where it came from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadItem {
    pub item: Item,
    /// Position among the records of the text, from 0.
    pub index: usize,
    /// Line on which the record begins, from 1.
    pub line: usize,
    /// As the text has it; empty where it has none.
    pub citation_key: String,
    /// As the text has it: `incollection`, `JOUR`.
    pub entry_type: String,
}

/// How many records a text of so many bytes may hold before the rest is refused: far more than any
/// real one, and few enough that a text of nothing but empty records cannot fill the memory.
pub(crate) fn most_records(bytes: usize) -> usize {
    10_000 + bytes / 120
}

/// Names of one list that are read. The longest real lists have some 5,000.
pub(crate) const MOST_NAMES: usize = 5_000;

/// What an item takes in memory without its values.
const ITEM_BYTES: usize = 256;

/// Puts a [`Reading`] together, record by record, and spends what that costs.
pub(crate) struct ReadingBuilder<'t> {
    problems: Problems<'t>,
    items: Vec<ReadItem>,
    /// Records read and lost.
    total: usize,
    most: usize,
    budget: &'t Budget,
}

impl<'t> ReadingBuilder<'t> {
    /// Spends one pass over the text.
    pub fn new(text: &'t str, budget: &'t Budget) -> Result<ReadingBuilder<'t>, Exceeded> {
        budget.spend(text.len() as u64 / 8)?;
        Ok(ReadingBuilder {
            problems: Problems::new(text, 0),
            items: Vec::new(),
            total: 0,
            most: most_records(text.len()),
            budget,
        })
    }

    /// Whether no more records are to be read, which is then said. Ask before each record.
    pub fn is_full(&mut self, offset: usize) -> bool {
        let is_full = self.total == self.most;
        if is_full {
            self.lost(
                offset,
                "too_many_records",
                "The text holds too many records for its size; the rest was not read.".to_owned(),
            );
        }
        is_full
    }

    /// Spends what a record costs that holds so many fields and so much text. Call it before the item is made.
    pub fn spend(&self, fields: usize, bytes: usize) -> Result<(), Exceeded> {
        self.budget
            .spend(STEPS_OF_ITEM + fields as u64 * 8 + bytes as u64 / 8)?;
        self.budget.spend_bytes(ITEM_BYTES + fields * 128 + bytes)
    }

    /// Adds what a record at a byte offset of the text says. Its key is its citation key or else its id.
    pub fn add(&mut self, mut item: Item, entry_type: &str, offset: usize, mut notices: Notices) {
        mend::mend(&mut item, offset, &mut notices);
        let key = item.id.clone();
        self.problems
            .add_all(Subject::read(self.total, &key), offset, notices);
        self.items.push(ReadItem {
            item,
            index: self.total,
            line: self.problems.line(offset),
            citation_key: key,
            entry_type: entry_type.to_owned(),
        });
        self.total += 1;
    }

    /// Adds an item whose identifiers and names are as the file has them: identifiers become canonical, and
    /// names behind the first of very many go. Spends what the record costs.
    pub fn add_plain(
        &mut self,
        mut item: Item,
        entry_type: &str,
        offset: usize,
        mut notices: Notices,
    ) -> Result<(), Exceeded> {
        self.spend(0, 0)?;
        if self.total > self.most || self.is_full(offset) {
            return Ok(());
        }
        identifiers::make_canonical(&mut item, offset, &mut notices);
        for (variable, names) in item.names.iter_mut() {
            if names.len() > MOST_NAMES {
                names.truncate(MOST_NAMES);
                names.shrink_to_fit();
                let message = format!(
                    "The names of “{}” behind the first {MOST_NAMES} were left out.",
                    variable.csl()
                );
                let code = "too_many_names";
                notices.push(Notice {
                    code,
                    message,
                    offset,
                });
            }
        }
        self.add(item, entry_type, offset, notices);
        Ok(())
    }

    /// Adds a record that could not be read.
    pub fn lost(&mut self, offset: usize, code: &'static str, message: String) {
        let notice = Notice {
            code,
            message,
            offset,
        };
        self.problems.add(Subject::lost(self.total, ""), notice);
        self.total += 1;
    }

    /// Says something about what stands between records.
    pub fn between(&mut self, offset: usize, code: &'static str, message: String) {
        let notice = Notice {
            code,
            message,
            offset,
        };
        self.problems.add(Subject::between(""), notice);
    }

    pub fn finish(self) -> Reading {
        Reading {
            items: self.items,
            problems: self.problems.finish(),
            total: self.total,
            columns: Vec::new(),
        }
    }
}
