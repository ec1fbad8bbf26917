//! Reading a whole RIS text.

use super::fields::read_item;
use super::parse::{MOST_TAGS, RisBlock, RisRecord, parts};
use crate::STEPS_OF_ITEM;
use crate::format::{ReadItem, Reading, most_records};
use crate::problem::{Notice, Notices, Problems, Subject};
use citation_model::budget::{Budget, Exceeded};

/// Reads every record of a text.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    budget.spend(text.len() as u64 / 8)?;
    let mut reader = Reader {
        problems: Problems::new(text, 0),
        items: Vec::new(),
        total: 0,
    };
    let end = most_records(text.len());
    for part in parts(text) {
        let full = reader.total == end;
        match part {
            RisBlock::Record(RisRecord { offset, .. }) | RisBlock::Foreign(offset) if full => {
                reader.lost("", too_many(offset));
                break;
            }
            RisBlock::Record(record) => {
                spend(&record, budget)?;
                reader.record(&record);
            }
            RisBlock::Foreign(offset) => reader.lost("", foreign(offset)),
            RisBlock::Stray(offset) => reader.problems.add(Subject::between(""), stray(offset)),
        }
    }
    Ok(Reading {
        items: reader.items,
        problems: reader.problems.finish(),
        total: reader.total,
    })
}

/// Spends what it costs to make an item of a record.
fn spend(record: &RisRecord<'_>, budget: &Budget) -> Result<(), Exceeded> {
    let bytes: usize = record.tags.iter().map(|tagged| tagged.value.len()).sum();
    let tags = record.tags.len();
    budget.spend(STEPS_OF_ITEM + tags as u64 * 8)?;
    budget.spend_bytes(ITEM_BYTES + tags * TAG_BYTES + bytes)
}

/// What an item takes without its values, and a value without its text.
const ITEM_BYTES: usize = 256;
const TAG_BYTES: usize = 128;

struct Reader<'t> {
    problems: Problems<'t>,
    items: Vec<ReadItem>,
    /// Records read and lost.
    total: usize,
}

impl Reader<'_> {
    fn record(&mut self, record: &RisRecord<'_>) {
        let mut notices = syntax_notices(record);
        let item = read_item(record, &mut notices);
        let is_lost = record.tags.is_empty() && record.kind.is_empty();
        if let (true, Some(notice)) = (is_lost, notices.first()) {
            return self.lost(&item.id, notice.clone());
        }
        let subject = Subject::read(self.total, &item.id);
        self.problems.add_all(subject, record.offset, notices);
        self.items.push(ReadItem {
            citation_key: item.id.clone(),
            item,
            index: self.total,
            line: self.problems.line(record.offset),
            entry_type: record.kind.to_owned(),
        });
        self.total += 1;
    }

    fn lost(&mut self, key: &str, notice: Notice) {
        self.problems.add(Subject::lost(self.total, key), notice);
        self.total += 1;
    }
}

fn foreign(offset: usize) -> Notice {
    Notice {
        code: "unknown_record",
        message:
            "A record begins here, but not as RIS has it (“TY  - ” and a type); it was not read."
                .to_owned(),
        offset,
    }
}

fn stray(offset: usize) -> Notice {
    Notice {
        code: "unexpected_text",
        message: "This text belongs to no record and was left out.".to_owned(),
        offset,
    }
}

fn too_many(offset: usize) -> Notice {
    Notice {
        code: "too_many_records",
        message: "The text holds too many records for its size; the rest was not read.".to_owned(),
        offset,
    }
}

fn syntax_notices(record: &RisRecord<'_>) -> Notices {
    let mut notices = Notices::default();
    let mut notice = |code, message: &str| {
        notices.push(Notice {
            code,
            message: message.to_owned(),
            offset: record.offset,
        });
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
        let message = format!("The tags behind the first {MOST_TAGS} were left out.");
        notice("too_many_fields", &message);
    }
    notices
}
