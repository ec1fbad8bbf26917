//! The item types of a format as a table of rows, which serves both directions.

use citation_model::item_type::ItemType;

/// A type of a format.
pub(crate) struct KindRow {
    /// Its names, separated by `|`, in any case. The first is written.
    names: &'static str,
    /// The first is read. All are written, unless an earlier row has them.
    kinds: &'static [ItemType],
    direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Both,
    Read,
    Write,
}

pub(crate) const fn both(names: &'static str, kinds: &'static [ItemType]) -> KindRow {
    KindRow {
        names,
        kinds,
        direction: Direction::Both,
    }
}

/// A row for types that other rows write.
pub(crate) const fn read(names: &'static str, kinds: &'static [ItemType]) -> KindRow {
    KindRow {
        names,
        kinds,
        direction: Direction::Read,
    }
}

/// A row for a name that says too little to be read, or that another row reads.
pub(crate) const fn write(names: &'static str, kinds: &'static [ItemType]) -> KindRow {
    KindRow {
        names,
        kinds,
        direction: Direction::Write,
    }
}

/// The item type of a name.
pub(crate) fn read_kind(rows: &[KindRow], name: &str) -> Option<ItemType> {
    let name = name.trim();
    let mut rows = { rows.iter() }.filter(|row| row.direction != Direction::Write);
    let row = rows.find(|row| {
        let mut names = row.names.split('|');
        names.any(|known| known.eq_ignore_ascii_case(name))
    })?;
    row.kinds.first().copied()
}

/// The name of an item type.
pub(crate) fn write_kind(rows: &[KindRow], kind: ItemType) -> Option<&'static str> {
    let mut rows = { rows.iter() }.filter(|row| row.direction != Direction::Read);
    let row = rows.find(|row| row.kinds.contains(&kind))?;
    row.names.split('|').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_are_read_are_written_by_their_name() {
        for rows in [
            crate::formats::cff::kinds::KINDS,
            crate::formats::msbib::kinds::KINDS,
            crate::formats::refer::KINDS,
            crate::formats::refworks::KINDS,
            crate::formats::ris::kinds::KINDS,
        ] {
            for row in rows.iter().filter(|row| row.direction == Direction::Both) {
                let kind = row.kinds.first().copied();
                let name = row.names.split('|').next();
                assert_eq!(kind.and_then(|kind| write_kind(rows, kind)), name);
                assert_eq!(name.and_then(|name| read_kind(rows, name)), kind);
            }
        }
    }
}
