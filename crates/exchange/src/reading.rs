//! The result of reading a file, and its builder.

use std::cmp::Ordering;

use serde::Serialize;

use super::cost::STEPS_OF_ITEM;
use super::mend;
use crate::formats::csv::columns::Column;
use crate::problem::{Problem, Problems, Subject};
use citation_fields::identifiers;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names::MAX_NAMES;
use citation_fields::notice::{Notice, Notices};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// The result of reading a text. Every record is in `items` or, as an error, in `problems`; a very long
/// list of problems is cut and the rest counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub items: Vec<ReadItem>,
    /// In the order of the text.
    pub problems: Vec<Problem>,
    /// Number of records in the text, read and lost.
    pub total: usize,
    /// The columns of a table; empty for other formats.
    pub columns: Vec<Column>,
}

/// An item and its source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadItem {
    pub item: Item,
    /// Index among the records of the text, from 0.
    pub index: usize,
    /// First line of the record, from 1.
    pub line: usize,
    /// As in the text; empty if absent.
    pub citation_key: String,
    /// As in the text: `incollection`, `JOUR`.
    pub entry_type: String,
}

/// Maximum number of records in a text of `bytes`: far more than in real texts, but few enough that a text
/// of empty records cannot exhaust memory.
pub(crate) fn most_records(bytes: usize) -> usize {
    10_000 + bytes / 120
}

/// Memory of an item without its values.
const ITEM_BYTES: usize = 256;

/// Builds a [`Reading`] record by record and spends its cost.
pub(crate) struct ReadingBuilder<'t> {
    problems: Problems<'t>,
    items: Vec<ReadItem>,
    /// Number of records read and lost.
    total: usize,
    most: usize,
    budget: &'t Budget,
}

impl<'t> ReadingBuilder<'t> {
    /// Spends the cost of one pass over the text.
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

    /// Whether the limit of records is reached, which is then reported. Such a record is only counted. Call it
    /// before each record.
    pub fn is_full(&mut self, offset: usize) -> bool {
        match self.total.cmp(&self.most) {
            Ordering::Less => return false,
            Ordering::Equal => {
                let message =
                    "The text holds too many records for its size; the rest was not read.";
                self.lost(offset, "too_many_records", message.to_owned());
            }
            Ordering::Greater => self.total += 1,
        }
        true
    }

    /// Spends the cost of a record with this many fields and bytes. Call it before creating the item.
    pub fn spend(&self, fields: usize, bytes: usize) -> Result<(), Exceeded> {
        self.budget
            .spend(STEPS_OF_ITEM + fields as u64 * 8 + bytes as u64 / 8)?;
        self.budget.spend_bytes(ITEM_BYTES + fields * 128 + bytes)
    }

    /// Adds the item of the record at a byte offset. Its key is the citation key, otherwise the id.
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

    /// Adds an item with unprocessed identifiers and names: makes identifiers canonical, drops names beyond
    /// the maximum, and spends the cost of the record.
    pub fn add_plain(
        &mut self,
        mut item: Item,
        entry_type: &str,
        offset: usize,
        mut notices: Notices,
    ) -> Result<(), Exceeded> {
        self.spend(0, 0)?;
        if self.is_full(offset) {
            return Ok(());
        }
        identifiers::make_canonical(&mut item, offset, &mut notices);
        limit_names(&mut item, offset, &mut notices);
        self.add(item, entry_type, offset, notices);
        Ok(())
    }

    /// Adds the item of a builder, and spends the cost of the record.
    pub fn add_built(
        &mut self,
        builder: ItemBuilder,
        entry_type: &str,
        offset: usize,
    ) -> Result<(), Exceeded> {
        self.spend(0, 0)?;
        if !self.is_full(offset) {
            let (item, notices) = builder.finish();
            self.add(item, entry_type, offset, notices);
        }
        Ok(())
    }

    /// Adds a record that could not be read.
    pub fn lost(&mut self, offset: usize, code: &'static str, message: String) {
        let notice = Notice::new(code, message, offset);
        self.problems.add(Subject::lost(self.total, ""), notice);
        self.total += 1;
    }

    /// Reports a problem between records.
    pub fn between(&mut self, offset: usize, code: &'static str, message: String) {
        let notice = Notice::new(code, message, offset);
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

/// Drops names beyond the maximum per variable.
pub(crate) fn limit_names(item: &mut Item, offset: usize, notices: &mut Notices) {
    for (variable, names) in item.names.iter_mut() {
        if names.len() > MAX_NAMES {
            names.truncate(MAX_NAMES);
            names.shrink_to_fit();
            let variable = variable.csl();
            let message =
                format!("The names of “{variable}” behind the first {MAX_NAMES} were left out.");
            notices.push(Notice::new("too_many_names", message, offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use citation_model::budget::Budget;

    use super::most_records;
    use crate::content::Content;
    use crate::{BIBTEX, CSL_JSON, CSV, RIS, read};

    #[test]
    fn records_beyond_the_limit_are_counted() {
        const RECORDS: usize = 12_000;
        let check = |format, head: &str, record: &str| {
            let text = format!("{head}{}", record.repeat(RECORDS));
            let most = most_records(text.len());
            assert!(most < RECORDS, "{record}");
            let content = Content::new(text.as_bytes());
            let reading = read(&content, format, &Budget::unlimited()).unwrap();
            assert_eq!(
                (reading.total, reading.items.len()),
                (RECORDS, most),
                "{record}"
            );
            let reports = reading.problems.iter();
            let reports = reports.filter(|problem| problem.code == "too_many_records");
            assert_eq!(reports.count(), 1, "{record}");
        };
        check(&BIBTEX, "", "@misc{a,\n}");
        check(&CSL_JSON, "[", "{\"note\":1},");
        check(&RIS, "", "TY  - BOOK\nER  -\n");
        check(&CSV, "title,year\n", "A,2001\n");
    }
}
