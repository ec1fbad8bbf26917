//! Reads MARCXML.

use std::borrow::Cow;

use super::item::read_item;
use super::record::{DataField, MarcRecord};
use citation_fields::item_builder::ItemBuilder;
use crate::reading::Reading;
use crate::xml::records::{self, Found, Layout};
use crate::xml::tree::Element;
use citation_model::budget::{Budget, Exceeded};

/// Reads every record of a document.
pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
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
            let entry_type = read_item(&fields_of(record), &mut item);
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
                second_indicator: indicator(element),
                subfields: element.children().filter_map(subfield).collect(),
            }),
            _ => {}
        }
    }
    marc
}

fn indicator(element: Element<'_>) -> char {
    let indicator = element.attribute("ind2");
    indicator
        .and_then(|text| text.chars().next())
        .unwrap_or(' ')
}

fn subfield<'x>(element: Element<'x>) -> Option<(char, Cow<'x, str>)> {
    let code = element.attribute("code")?.chars().next()?;
    Some((code, Cow::Owned(element.text())))
}
