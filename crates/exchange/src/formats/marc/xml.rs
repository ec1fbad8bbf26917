//! Reads MARCXML.

use std::borrow::Cow;
use std::cell::RefCell;

use super::item::read_item;
use super::record::{DataField, MarcRecord};
use crate::problem::ReadError;
use crate::reading::Reading;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::Element;
use citation_fields::item_builder::ItemBuilder;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// Reads every record of a document.
pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    read_each(text, budget, &|_| {})
}

/// A record of a library catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueRecord {
    /// Of the library; may be empty.
    pub control_number: String,
    pub item: Item,
}

/// Reads every record of a catalogue's response in MARCXML. The error is the problem of a broken record.
pub fn catalogue_records(text: &str, budget: &Budget) -> Result<Vec<CatalogueRecord>, ReadError> {
    let numbers = RefCell::new(Vec::new());
    let reading = read_each(text, budget, &|record| {
        let number = record.control("001").unwrap_or_default();
        numbers.borrow_mut().push(number.trim().to_owned());
    })?;
    ReadError::of_loss(&reading.problems)?;
    let records = reading.items.into_iter().zip(numbers.into_inner());
    let records = records.map(|(read, control_number)| CatalogueRecord {
        control_number,
        item: read.item,
    });
    Ok(records.collect())
}

/// Calls `beside` with every record.
fn read_each(
    text: &str,
    budget: &Budget,
    beside: &dyn Fn(&MarcRecord<'_>),
) -> Result<Reading, Exceeded> {
    const LAYOUT: Layout = Layout {
        is_record: |name, _| name == "record",
        is_skipped: |_| false,
    };
    records::read(text, budget, &LAYOUT, |record, offset, found| {
        // SRU and OAI use the same name for the wrapper of a record.
        let is_marc = |record: &Element<'_>| record.child("datafield").is_some();
        let inside = || {
            record
                .descendants()
                .filter(|inside| inside.name() == "record")
        };
        let record = Some(record)
            .filter(is_marc)
            .or_else(|| inside().find(is_marc));
        found.extend(record.map(|record| {
            let mut item = ItemBuilder::new(offset);
            let fields = fields_of(record);
            beside(&fields);
            let entry_type = read_item(&fields, &mut item);
            Found { item, entry_type }
        }));
    })
}

fn fields_of<'x>(record: Element<'x>) -> MarcRecord<'x> {
    let mut marc = MarcRecord::default();
    for element in record.children() {
        let tag = element.attribute("tag");
        match (element.name(), tag) {
            ("leader", _) => marc.leader = Cow::Owned(element.verbatim()),
            ("controlfield", Some(Cow::Borrowed(tag))) => {
                marc.control.push((tag, Cow::Owned(element.verbatim())));
            }
            ("datafield", Some(tag)) => marc.fields.push(DataField {
                tag,
                first_indicator: indicator(element, "ind1"),
                second_indicator: indicator(element, "ind2"),
                subfields: element.children().filter_map(subfield).collect(),
            }),
            _ => {}
        }
    }
    marc
}

fn indicator(element: Element<'_>, name: &str) -> char {
    let indicator = element.attribute(name);
    indicator
        .and_then(|text| text.chars().next())
        .unwrap_or(' ')
}

fn subfield<'x>(element: Element<'x>) -> Option<(char, Cow<'x, str>)> {
    let code = element.attribute("code")?.chars().next()?;
    Some((code, Cow::Owned(element.text())))
}
