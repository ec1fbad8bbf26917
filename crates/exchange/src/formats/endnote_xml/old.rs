//! The elements of EndNote 7's XML: in capitals, and without groups of fields.

use crate::syntax::xml::tree::Element;

/// The names that are not today's in capitals.
const NAMES: &[(&str, &str)] = &[
    ("ref-type", "REFERENCE_TYPE"),
    ("rec-number", "REFNUM"),
    ("alt-title", "ALTERNATE_TITLE"),
    ("full-title", "PERIODICAL"),
    ("pub-location", "PLACE_PUBLISHED"),
    ("num-vols", "NUMBER_OF_VOLUMES"),
    ("work-type", "TYPE_OF_WORK"),
    ("orig-pub", "ORIGINAL_PUB"),
    ("accession-num", "ACCESSION_NUMBER"),
    ("call-num", "CALL_NUMBER"),
];

/// The old name of an element.
pub fn name(today: &str) -> String {
    let row = NAMES.iter().find(|(known, _)| *known == today);
    match row {
        Some((_, name)) => (*name).to_owned(),
        None => today.to_ascii_uppercase().replace('-', "_"),
    }
}

/// The field of a record, which other programs put into groups as in today's files.
pub fn field<'x>(record: Element<'x>, today: &str) -> Option<Element<'x>> {
    let name = name(today);
    let groups = ["CONTRIBUTORS", "TITLES", "DATES"].into_iter();
    let mut in_groups = groups.filter_map(|group| record.path(&[group, &name]));
    record.child(&name).or_else(|| in_groups.next())
}
