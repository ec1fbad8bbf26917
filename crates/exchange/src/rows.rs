//! The fields of a format as a table of rows, which serves both directions: a tag, its variable, and the
//! item types for which it has it.

use citation_fields::item_builder::ItemBuilder;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{NumberVar, TextVar, Variable};

/// A field of a format.
#[derive(Clone, Copy)]
pub(crate) struct FieldRow {
    tag: &'static str,
    variable: Variable,
    /// Default: all types.
    of: fn(ItemType) -> bool,
    /// Whether items are written with it, too. Default true.
    is_written: bool,
}

pub(crate) const fn text(tag: &'static str, variable: TextVar) -> FieldRow {
    row(tag, Variable::Text(variable))
}

pub(crate) const fn number(tag: &'static str, variable: NumberVar) -> FieldRow {
    row(tag, Variable::Number(variable))
}

const fn row(tag: &'static str, variable: Variable) -> FieldRow {
    FieldRow {
        tag,
        variable,
        of: |_| true,
        is_written: true,
    }
}

impl FieldRow {
    /// Only for some types.
    pub const fn of(self, of: fn(ItemType) -> bool) -> FieldRow {
        FieldRow { of, ..self }
    }

    /// Another tag of a variable, which programs also use.
    pub const fn read_only(self) -> FieldRow {
        FieldRow {
            is_written: false,
            ..self
        }
    }

    pub fn tag(&self) -> &'static str {
        self.tag
    }

    pub fn is_of(&self, kind: ItemType) -> bool {
        (self.of)(kind)
    }

    pub fn set(&self, item: &mut ItemBuilder, value: &str) {
        match self.variable {
            Variable::Text(variable) => item.text(variable, value),
            Variable::Number(variable) => item.number(variable, value),
            Variable::Names(_) | Variable::Date(_) => {}
        }
    }

    fn value<'i>(&self, item: &'i Item) -> Option<&'i str> {
        match self.variable {
            Variable::Text(variable) => item.text(variable),
            Variable::Number(variable) => item.number(variable),
            Variable::Names(_) | Variable::Date(_) => None,
        }
    }
}

/// Sets the variable that a tag has for the type of the item; `false` if it has none.
pub(crate) fn set(item: &mut ItemBuilder, rows: &[FieldRow], tag: &str, value: &str) -> bool {
    let kind = item.kind();
    let row = rows.iter().find(|row| row.tag == tag && row.is_of(kind));
    if let Some(row) = row {
        row.set(item, value);
    }
    row.is_some()
}

/// The tags and values of an item, in the order of the rows.
pub(crate) fn values<'i>(
    rows: &'static [FieldRow],
    item: &'i Item,
) -> impl Iterator<Item = (&'static str, &'i str)> {
    let rows = rows
        .iter()
        .filter(|row| row.is_written && row.is_of(item.kind));
    rows.filter_map(|row| Some((row.tag, row.value(item)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{endnote_xml, nbib, refer, refworks, ris};

    #[test]
    fn written_tags_are_read_as_their_variable() {
        let tables = [
            endnote_xml::read::FIELDS,
            nbib::FIELDS,
            refer::FIELDS,
            refworks::FIELDS,
            ris::fields::FIELDS,
            ris::fields::FIELDS_OF_TYPES,
        ];
        for rows in tables {
            for &kind in ItemType::ALL {
                let of_kind = || rows.iter().filter(|row| (row.of)(kind));
                for row in of_kind().filter(|row| row.is_written) {
                    let read = of_kind().find(|other| other.tag == row.tag);
                    let read = read.map(|other| other.variable);
                    assert_eq!(read, Some(row.variable), "{} of {kind:?}", row.tag);
                    let same =
                        |other: &&FieldRow| other.is_written && other.variable == row.variable;
                    let count = of_kind().filter(same).count();
                    assert_eq!(count, 1, "{:?} of {kind:?} is written once", row.variable);
                }
            }
        }
    }
}
