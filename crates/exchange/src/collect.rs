//! Gathers the items and the problems of a text while it is read.

use crate::format::{MOST_NAMES, ReadItem, Reading, most_records};
use crate::problem::{Notice, Notices, Problems, Subject};
use crate::{STEPS_OF_ITEM, identifiers};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// What was read of a text so far.
pub(crate) struct Collector<'t> {
    problems: Problems<'t>,
    items: Vec<ReadItem>,
    total: usize,
    most: usize,
    budget: &'t Budget,
}

impl<'t> Collector<'t> {
    /// Spends what it costs to go through the text once.
    pub fn new(text: &'t str, budget: &'t Budget) -> Result<Collector<'t>, Exceeded> {
        crate::spend_text(budget, text.len())?;
        Ok(Collector {
            problems: Problems::new(text, 0),
            items: Vec::new(),
            total: 0,
            most: most_records(text.len()),
            budget,
        })
    }

    /// Adds an item that begins at an offset. Its identifiers become canonical, and its key is its id.
    /// Records beyond the most that a text may hold are counted as one that is lost.
    pub fn add(
        &mut self,
        mut item: Item,
        entry_type: &str,
        offset: usize,
        mut notices: Notices,
    ) -> Result<(), Exceeded> {
        self.budget.spend(STEPS_OF_ITEM)?;
        self.budget.spend_bytes(size_of::<ReadItem>())?;
        if self.total >= self.most {
            self.full(offset);
            return Ok(());
        }
        canonical_identifiers(&mut item, offset, &mut notices);
        cut_names(&mut item, offset, &mut notices);
        self.problems
            .add_all(Subject::read(self.total, &item.id), offset, notices);
        self.items.push(ReadItem {
            citation_key: item.id.clone(),
            item,
            index: self.total,
            line: self.problems.line(offset),
            entry_type: entry_type.to_owned(),
        });
        self.total += 1;
        Ok(())
    }

    /// Adds a record that was not read.
    pub fn lose(&mut self, notice: Notice) {
        if self.total >= self.most {
            return self.full(notice.offset);
        }
        self.problems.add(Subject::lost(self.total, ""), notice);
        self.total += 1;
    }

    pub fn finish(self) -> Reading {
        Reading {
            items: self.items,
            problems: self.problems.finish(),
            total: self.total,
        }
    }

    fn full(&mut self, offset: usize) {
        if self.total == self.most {
            let message = "The text holds too many records for its size; the rest was not read.";
            let notice = Notice {
                code: "too_many_records",
                message: message.to_owned(),
                offset,
            };
            self.problems.add(Subject::lost(self.total, ""), notice);
            self.total += 1;
        }
    }
}

fn canonical_identifiers(item: &mut Item, offset: usize, notices: &mut Notices) {
    use TextVar::*;
    for variable in [Doi, Isbn, Issn, Pmid, Pmcid, ArxivId] {
        let Some(text) = item.text(variable) else {
            continue;
        };
        match identifiers::canonical(variable, text) {
            Some(Ok(canonical)) => item.set_text(variable, canonical),
            Some(Err(wrong)) => notices.push(Notice {
                code: wrong.code,
                message: wrong.message,
                offset,
            }),
            None => {}
        }
    }
}

fn cut_names(item: &mut Item, offset: usize, notices: &mut Notices) {
    for (variable, names) in item.names.iter_mut() {
        if names.len() > MOST_NAMES {
            names.truncate(MOST_NAMES);
            names.shrink_to_fit();
            let message = format!(
                "The names of “{}” behind the first {MOST_NAMES} were left out.",
                variable.csl()
            );
            notices.push(Notice {
                code: "too_many_names",
                message,
                offset,
            });
        }
    }
}
