//! Reading a whole RIS text.

use super::fields::{Notice, read_item};
use super::parse::{Part, Record, parts};
use crate::format::{ReadItem, Reading, most_records};
use crate::problem::{Lines, Problem, Severity};

/// Reads every record of a text.
pub fn read(text: &str) -> Reading {
    let mut reader = Reader {
        lines: Lines::new(text),
        reading: Reading::default(),
    };
    let end = most_records(text.len());
    for part in parts(text) {
        let full = reader.reading.total == end;
        match part {
            Part::Record(Record { offset, .. }) | Part::Foreign(offset) if full => {
                reader.lost(None, too_many(offset));
                break;
            }
            Part::Record(record) => reader.record(&record),
            Part::Foreign(offset) => reader.lost(None, foreign(offset)),
            Part::Stray(offset) => reader.problem(None, None, stray(offset), Severity::Warning),
        }
    }
    reader.reading
}

struct Reader<'t> {
    lines: Lines<'t>,
    reading: Reading,
}

impl Reader<'_> {
    fn record(&mut self, record: &Record<'_>) {
        let mut notices = syntax_notices(record);
        let item = read_item(record, &mut notices);
        let key = Some(item.id.clone()).filter(|key| !key.is_empty());
        let lost = record.tags.is_empty() && record.kind.is_empty();
        if let (true, Some(notice)) = (lost, notices.first()) {
            return self.lost(key, notice.clone());
        }
        notices.sort_by_key(|notice| notice.offset);
        let index = self.reading.total;
        for notice in notices {
            self.problem(Some(index), key.clone(), notice, Severity::Warning);
        }
        self.reading.total += 1;
        self.reading.items.push(ReadItem {
            citation_key: item.id.clone(),
            item,
            index,
            line: self.lines.line(record.offset),
            entry_type: record.kind.to_owned(),
        });
    }

    fn lost(&mut self, key: Option<String>, notice: Notice) {
        let index = self.reading.total;
        self.problem(Some(index), key, notice, Severity::Error);
        self.reading.total += 1;
    }

    fn problem(
        &mut self,
        index: Option<usize>,
        citation_key: Option<String>,
        notice: Notice,
        severity: Severity,
    ) {
        let place = self.lines.place(notice.offset);
        self.reading.problems.push(Problem {
            index,
            line: place.line,
            column: place.column,
            citation_key,
            code: notice.code,
            message: notice.message,
            snippet: self.lines.snippet(notice.offset),
            severity,
        });
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

fn syntax_notices(record: &Record<'_>) -> Vec<Notice> {
    let mut notices = Vec::new();
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
    if record.tags.iter().all(|tagged| tagged.lines.is_empty()) {
        notice("empty_entry", "The record has no fields.");
    }
    notices
}
