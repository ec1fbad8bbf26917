//! Reads a whole RIS text.

use super::fields::read_item;
use super::parse::{MAX_TAGS, RisBlock, RisRecord, parts};
use crate::reading::{Reading, ReadingBuilder};
use citation_fields::notice::{Notice, Notices};
use citation_model::budget::{Budget, Exceeded};

/// Reads every record of a text.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut reading = ReadingBuilder::new(text, budget)?;
    for part in parts(text) {
        let (RisBlock::Record(RisRecord { offset, .. })
        | RisBlock::Foreign(offset)
        | RisBlock::Stray(offset)) = part;
        if !matches!(part, RisBlock::Stray(_)) && reading.is_full(offset) {
            continue;
        }
        match part {
            RisBlock::Record(record) => add(&record, &mut reading)?,
            RisBlock::Foreign(offset) => reading.lost(
                offset,
                "unknown_record",
                "A record begins here, but not as RIS has it (“TY  - ” and a type); it was not read."
                    .to_owned(),
            ),
            RisBlock::Stray(offset) => reading.between(
                offset,
                "unexpected_text",
                "This text belongs to no record and was left out.".to_owned(),
            ),
        }
    }
    Ok(reading.finish())
}

fn add(record: &RisRecord<'_>, reading: &mut ReadingBuilder<'_>) -> Result<(), Exceeded> {
    let bytes = record.tags.iter().map(|tagged| tagged.value.len()).sum();
    reading.spend(record.tags.len(), bytes)?;
    let (item, notices) = read_item(record, syntax_notices(record));
    let is_lost = record.tags.is_empty() && record.kind.is_empty();
    match notices.first() {
        Some(notice) if is_lost => {
            reading.lost(notice.offset, notice.code, notice.message.clone());
        }
        _ => reading.add(item, record.kind, record.offset, notices),
    }
    Ok(())
}

fn syntax_notices(record: &RisRecord<'_>) -> Notices {
    let mut notices = Notices::default();
    let mut notice = |code, message: &str| {
        notices.push(Notice::new(code, message, record.offset));
    };
    if !record.typed {
        notice("missing_type", "The record does not begin with TY.");
    }
    if !record.ended {
        notice("missing_end", "The record is not closed with ER.");
    }
    if record.tags.iter().all(|tagged| tagged.value.is_empty()) {
        notice("empty_entry", "The record has no fields.");
    }
    if record.more_tags > 0 {
        let message = format!("The tags behind the first {MAX_TAGS} were left out.");
        notice("too_many_fields", &message);
    }
    notices
}
