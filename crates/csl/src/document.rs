//! The document as data: items with everything that cites and entries need. The processor fills it stage by
//! stage.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use std::collections::HashMap;

use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::{Citation, CiteMode};
use citation_model::item::Item;
use citation_model::spread::Spread;

use super::compiled::Compiled;
use super::eval::{Area, Context};
use super::hints::Hints;
use super::item::Prepared;
use super::position::CitePosition;

pub struct Document<'a> {
    pub compiled: &'a Compiled,
    pub budget: Budget,
    pub items: Vec<Prepared<'a>>,
    by_id: HashMap<&'a str, usize>,
    /// Indexes in bibliography order.
    pub order: Vec<usize>,
    /// By item index.
    pub numbers: Vec<u32>,
    /// By item index.
    pub hints: Vec<Hints>,
    /// By item index.
    pub citings: Vec<Citings>,
    /// Whether the suite's notation is written where a style shows nothing.
    pub suite_notation: bool,
    /// Whether entries without an address end in that of their work's only identifier.
    pub shows_addresses: bool,
    /// The number of the first entry.
    pub first_number: u32,
}

/// Where a document cites an item.
#[derive(Clone, Copy, Default)]
pub struct Citings {
    /// The note of the first cite, 0 for one in the text; `None` if the item is not cited.
    pub first_note: Option<u32>,
    /// Whether there are several cites.
    pub repeated: bool,
}

impl<'a> Document<'a> {
    /// The items in the order of their first cite, followed by the others in input order.
    pub fn new(
        compiled: &'a Compiled,
        items: &'a [Item],
        citations: &[Citation],
        budget: &Budget,
        spread: Spread,
    ) -> Result<Document<'a>, Exceeded> {
        let prepare = |budget: &mut Budget, at: usize| {
            let prepared = Prepared::new(&items[at]);
            budget.spend(prepared.size() as u64)?;
            Ok(prepared)
        };
        let prepared = spread.map(budget, items.len(), Budget::clone, prepare)?;
        let mut by_id = HashMap::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            by_id.entry(item.id.as_str()).or_insert(at);
        }
        let mut document = Document {
            compiled,
            budget: budget.clone(),
            hints: vec![Hints::default(); items.len()],
            numbers: vec![0; items.len()],
            order: Vec::with_capacity(items.len()),
            items: prepared,
            citings: vec![Citings::default(); items.len()],
            by_id,
            suite_notation: false,
            shows_addresses: false,
            first_number: 1,
        };
        document.register(citations);
        Ok(document)
    }

    fn register(&mut self, citations: &[Citation]) {
        for citation in citations {
            for cite in &citation.cites {
                let Some(at) = self.index(&cite.id) else {
                    continue;
                };
                let citings = &mut self.citings[at];
                match citings.first_note {
                    Some(_) => citings.repeated = true,
                    None => {
                        citings.first_note = Some(citation.note_number);
                        self.order.push(at);
                    }
                }
            }
        }
        let uncited = |at: &usize| self.citings[*at].first_note.is_none();
        self.order.extend((0..self.items.len()).filter(uncited));
    }

    /// The index of the item with an id.
    pub fn index(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Numbers the items in bibliography order.
    pub fn number(&mut self) {
        for (number, &at) in (self.first_number..).zip(&self.order) {
            self.numbers[at] = number;
        }
    }

    /// The context of an item without a cite of its own.
    pub fn context<'s>(
        &'s self,
        item: usize,
        area: Area,
        hints: &'s Hints,
        place: &CitePosition,
    ) -> Context<'s> {
        Context {
            compiled: self.compiled,
            item: &self.items[item],
            area,
            position: place.position,
            near_note: place.near_note,
            first_note: place.first_note,
            locator: None,
            mode: CiteMode::Normal,
            opens_citation: true,
            bare: false,
            prefix_ends_sentence: false,
            hints,
            citation_number: self.numbers[item],
            sort: None,
        }
    }
}
