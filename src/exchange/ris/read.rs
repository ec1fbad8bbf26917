//! Reading a whole RIS text.

use super::fields::{Notice, read_item};
use super::parse::{Record, records};
use crate::exchange::format::{ReadItem, Reading, most_records};
use crate::exchange::problem::{Lines, Problem, Severity};

/// Reads every record of a text.
pub fn read(text: &str) -> Reading {
    let lines = Lines::new(text);
    let mut reading = Reading::default();
    let end = most_records(text.len());
    for (index, record) in records(text).enumerate() {
        let mut notices = syntax_notices(&record);
        let item = read_item(&record, &mut notices);
        let lost = index == end || record.tags.is_empty() && record.kind.is_empty();
        let severity = if lost {
            notices.truncate(1);
            Severity::Error
        } else {
            Severity::Warning
        };
        if index == end {
            notices = vec![too_many(&record)];
        }
        notices.sort_by_key(|notice| notice.offset);
        for notice in notices {
            let place = lines.place(notice.offset);
            reading.problems.push(Problem {
                index: Some(index),
                line: place.line,
                column: place.column,
                citation_key: Some(item.id.clone()).filter(|key| !key.is_empty()),
                code: notice.code,
                message: notice.message,
                snippet: lines.snippet(notice.offset),
                severity,
            });
        }
        reading.total += 1;
        if index == end {
            break;
        }
        if lost {
            continue;
        }
        reading.items.push(ReadItem {
            citation_key: item.id.clone(),
            item,
            index,
            line: lines.line(record.offset),
            entry_type: record.kind.to_owned(),
        });
    }
    reading
}

fn too_many(record: &Record<'_>) -> Notice {
    Notice {
        code: "too_many_records",
        message: "The text holds too many records for its size; the rest was not read.".to_owned(),
        offset: record.offset,
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
