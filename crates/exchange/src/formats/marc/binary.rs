//! Reads the binary form of MARC 21 (ISO 2709): a leader, a directory of fields, the fields.

use std::borrow::Cow;

use super::item::read_item;
use super::marc8;
use super::record::{DataField, MarcRecord};
use crate::content::Content;
use crate::reading::{Reading, ReadingBuilder};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::notice::Notice;
use citation_model::budget::{Budget, Exceeded};

const END_OF_RECORD: u8 = 0x1d;
const END_OF_FIELD: u8 = 0x1e;
const SUBFIELD: u8 = 0x1f;
const LEADER: usize = 24;
/// Bytes of a directory entry: tag, length, start.
const ENTRY: usize = 12;

/// Whether a leader begins here: checks the length and the offset of the fields.
pub fn is_leader(bytes: &[u8]) -> bool {
    let digits = |from: usize, to: usize| {
        let range = bytes.get(from..to);
        range.is_some_and(|range| range.iter().all(u8::is_ascii_digit))
    };
    // Some catalogues leave the record status and type blank.
    let letters = bytes.get(5..7).is_some_and(|range| {
        let mut letters = range.iter();
        letters.all(|byte| byte.is_ascii_lowercase() || *byte == b' ')
    });
    digits(0, 5) && letters && digits(12, 17) && bytes.get(LEADER..).is_some()
}

/// Reads every record of a file. The file has no lines, so every record is reported on line 1.
pub fn read(content: &Content<'_>, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut reading = ReadingBuilder::new(content.text(), budget)?;
    let bytes = content.bytes();
    for record in bytes.split(|byte| *byte == END_OF_RECORD) {
        let start = record.iter().position(|byte| !byte.is_ascii_whitespace());
        let Some(record) = start.and_then(|start| record.get(start..)) else {
            continue;
        };
        if reading.is_full(0) {
            continue;
        }
        reading.spend(record.len() / 64, record.len())?;
        match fields_of(record) {
            Some(marc) => {
                let mut item = ItemBuilder::new(0);
                let entry_type = read_item(&marc, &mut item);
                let (item, mut notices) = item.finish();
                if item.says_nothing() {
                    notices.push(Notice::new("empty_entry", "The record has no fields.", 0));
                }
                reading.add(item, &entry_type, 0, notices);
            }
            None => {
                let message = "The record has no leader and directory; it was not read.";
                reading.lost(0, "invalid_marc", message.to_owned());
            }
        }
    }
    Ok(reading.finish())
}

/// The fields according to the directory. Its offsets are in bytes; if they are wrong because the file was
/// re-encoded, the fields are taken in order.
fn fields_of(record: &[u8]) -> Option<MarcRecord<'_>> {
    if !is_leader(record) {
        return None;
    }
    let directory_end = record.iter().position(|byte| *byte == END_OF_FIELD)?;
    let directory = record.get(LEADER..directory_end)?;
    let data = record.get(directory_end + 1..)?;
    let by_place: Option<Vec<&[u8]>> = directory
        .chunks_exact(ENTRY)
        .map(|entry| field_at(entry, data))
        .collect();
    let fields = by_place.unwrap_or_else(|| data.split(|byte| *byte == END_OF_FIELD).collect());
    let decode = decoder(record);
    let mut marc = MarcRecord {
        leader: String::from_utf8_lossy(record.get(..LEADER)?),
        ..MarcRecord::default()
    };
    for (entry, field) in directory.chunks_exact(ENTRY).zip(fields) {
        let tag = std::str::from_utf8(entry.get(..3)?).ok()?;
        if tag.starts_with("00") {
            marc.control.push((tag, decode(field)));
        } else {
            let mut parts = field.split(|byte| *byte == SUBFIELD);
            let indicators = parts.next().unwrap_or_default();
            marc.fields.push(DataField {
                tag: Cow::Borrowed(tag),
                first_indicator: indicators.first().map_or(' ', |byte| char::from(*byte)),
                second_indicator: indicators.get(1).map_or(' ', |byte| char::from(*byte)),
                subfields: parts.filter_map(|part| subfield(part, decode)).collect(),
            });
        }
    }
    Some(marc)
}

/// The field of a directory entry, if it ends with a field terminator.
fn field_at<'a>(entry: &[u8], data: &'a [u8]) -> Option<&'a [u8]> {
    let number = |range: &[u8]| std::str::from_utf8(range).ok()?.parse::<usize>().ok();
    let length = number(entry.get(3..7)?)?;
    let start = number(entry.get(7..12)?)?;
    let field = data.get(start..start.checked_add(length)?)?;
    let (last, field) = field.split_last()?;
    (*last == END_OF_FIELD && !field.contains(&END_OF_FIELD)).then_some(field)
}

fn subfield<'a>(part: &'a [u8], decode: Decode) -> Option<(char, Cow<'a, str>)> {
    let (code, value) = part.split_first()?;
    Some((char::from(*code), decode(value)))
}

type Decode = for<'a> fn(&'a [u8]) -> Cow<'a, str>;

/// Many records are UTF-8 regardless of their leader; MARC-8 text with non-ASCII bytes is almost never
/// valid UTF-8.
fn decoder(record: &[u8]) -> Decode {
    let says_utf8 = record.get(9) == Some(&b'a');
    if says_utf8 || std::str::from_utf8(record).is_ok() && !record.contains(&marc8::ESCAPE) {
        |bytes| String::from_utf8_lossy(bytes)
    } else {
        |bytes| marc8::decode(bytes)
    }
}
