//! Reading a whole BibTeX or biblatex text.

use std::collections::HashMap;

use super::fields::read_item;
use super::raw::{Block, BlockKind, Fault, FaultKind, blocks};
use super::resolve::{Library, Notice, Record, Strings};
use crate::format::{ReadItem, Reading, most_records};
use crate::problem::{Lines, Problem, Severity};

/// Reads every entry of a text. Strings and parents of `crossref` may stand anywhere before or
/// behind; `@xdata` lends its fields and is no item.
pub fn read(text: &str) -> Reading {
    read_behind(text, 0)
}

/// Reads a text whose first bytes are lent from elsewhere ([`super::lent`]): they give strings and
/// what others inherit, and no items of their own.
pub fn read_behind(text: &str, lent: usize) -> Reading {
    let lines = Lines::new(text);
    let mut report = Report {
        lines: &lines,
        lent,
        problems: Vec::new(),
    };
    let (records, found) = collect(text, &mut report);
    let mut library = Library::new(&records);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut items = Vec::with_capacity(records.len());
    for (at, (record, found)) in records.iter().zip(found).enumerate() {
        if record.offset < lent {
            continue;
        }
        if record.kind == "xdata" {
            report.data_only(record);
            continue;
        }
        let index = found.index;
        let mut notices = Vec::new();
        if let Some(line) = seen.insert(record.key, report.lines.line(record.offset))
            && !record.key.is_empty()
        {
            notices.push(Notice {
                code: "duplicate_key",
                message: format!("The key “{}” was used before, on line {line}.", record.key),
                offset: record.offset,
            });
        }
        let Some(resolved) = library.resolve(at, &mut notices) else {
            continue;
        };
        let item = read_item(&resolved, &mut notices);
        if record.fields.is_empty() {
            notices.push(Notice {
                code: "empty_entry",
                message: "The entry has no fields.".to_owned(),
                offset: record.offset,
            });
        }
        report.record(record, &found, notices);
        items.push(ReadItem {
            item,
            index,
            line: report.lines.line(record.offset),
            citation_key: record.key.to_owned(),
            entry_type: record.kind.clone(),
        });
    }
    let mut problems = report.problems;
    problems.sort_by_key(|problem| (problem.line, problem.column));
    let failed = problems
        .iter()
        .filter(|p| p.severity == Severity::Error)
        .count();
    Reading {
        total: items.len() + failed,
        items,
        problems,
    }
}

/// The entries of a text with their syntax faults; what stands outside of entries is reported.
fn collect<'a>(text: &'a str, report: &mut Report<'_, '_>) -> (Vec<Record<'a>>, Vec<Found>) {
    let mut strings = Strings::default();
    let mut records = Vec::new();
    let mut found = Vec::new();
    let mut index = 0;
    let end = most_records(text.len());
    for block in blocks(text) {
        if index == end {
            report.too_many(block.offset, index);
            break;
        }
        let mut notices = Vec::new();
        match &block.kind {
            BlockKind::Entry(entry) => {
                let record = strings.record(entry, block.offset, &mut notices);
                if is_lost(&block, &record) {
                    report.lost(&record, index, &block.faults);
                    index += 1;
                    continue;
                }
                found.push(Found {
                    index,
                    faults: block.faults,
                    notices,
                });
                let is_item = record.kind != "xdata" && block.offset >= report.lent;
                index += usize::from(is_item);
                records.push(record);
            }
            BlockKind::Strings(fields) => {
                strings.define(fields, &mut notices);
                report.outside(&block.faults, notices);
            }
            BlockKind::Bodiless { .. } => {
                report.lost_body(&block, index);
                index += 1;
            }
            BlockKind::Preamble => report.outside(&block.faults, notices),
            BlockKind::Comment => {}
        }
    }
    (records, found)
}

/// Faults of one entry that are listed; more of them say nothing new.
const MOST_FAULTS: usize = 20;

/// What was seen while an entry's text was read.
struct Found {
    /// Position among the entries.
    index: usize,
    faults: Vec<Fault>,
    notices: Vec<Notice>,
}

/// An entry of which nothing but its type is left, or its key under what is no type.
fn is_lost(block: &Block<'_>, record: &Record<'_>) -> bool {
    let odd_type = |fault: &Fault| fault.kind == FaultKind::OddType;
    record.fields.is_empty()
        && !block.faults.is_empty()
        && (record.key.is_empty() || block.faults.iter().any(odd_type))
}

struct Report<'l, 't> {
    lines: &'l Lines<'t>,
    /// What stands before this offset was reported where it came from.
    lent: usize,
    problems: Vec<Problem>,
}

impl Report<'_, '_> {
    fn add(&mut self, at: Subject<'_>, offset: usize, code: &'static str, message: String) {
        if offset < self.lent {
            return;
        }
        let place = self.lines.place(offset);
        self.problems.push(Problem {
            index: at.index,
            line: place.line,
            column: place.column,
            citation_key: at.key.filter(|key| !key.is_empty()).map(str::to_owned),
            code,
            message,
            snippet: self.lines.snippet(offset),
            severity: at.severity,
        });
    }

    fn record(&mut self, record: &Record<'_>, found: &Found, notices: Vec<Notice>) {
        let subject = Subject {
            index: Some(found.index),
            key: Some(record.key),
            severity: Severity::Warning,
        };
        for fault in found.faults.iter().take(MOST_FAULTS) {
            self.add(
                subject,
                fault.offset,
                fault.kind.code(),
                fault.kind.to_string(),
            );
        }
        for notice in found.notices.iter().cloned().chain(notices) {
            self.add(subject, notice.offset, notice.code, notice.message);
        }
    }

    fn too_many(&mut self, offset: usize, index: usize) {
        let subject = Subject {
            index: Some(index),
            key: None,
            severity: Severity::Error,
        };
        let message = "The text holds too many entries for its size; the rest was not read.";
        self.add(subject, offset, "too_many_records", message.to_owned());
    }

    fn data_only(&mut self, record: &Record<'_>) {
        let subject = Subject {
            index: None,
            key: Some(record.key),
            severity: Severity::Warning,
        };
        let message = "@xdata lends its fields to other entries and is no item itself.";
        self.add(subject, record.offset, "data_only", message.to_owned());
    }

    fn lost(&mut self, record: &Record<'_>, index: usize, faults: &[Fault]) {
        let subject = Subject {
            index: Some(index),
            key: Some(record.key),
            severity: Severity::Error,
        };
        if let Some(fault) = faults.first() {
            self.add(
                subject,
                record.offset,
                fault.kind.code(),
                fault.kind.to_string(),
            );
        }
    }

    fn lost_body(&mut self, block: &Block<'_>, index: usize) {
        let subject = Subject {
            index: Some(index),
            key: None,
            severity: Severity::Error,
        };
        for fault in &block.faults {
            self.add(
                subject,
                fault.offset,
                fault.kind.code(),
                fault.kind.to_string(),
            );
        }
    }

    fn outside(&mut self, faults: &[Fault], notices: Vec<Notice>) {
        let subject = Subject {
            index: None,
            key: None,
            severity: Severity::Warning,
        };
        for fault in faults {
            self.add(
                subject,
                fault.offset,
                fault.kind.code(),
                fault.kind.to_string(),
            );
        }
        for notice in notices {
            self.add(subject, notice.offset, notice.code, notice.message);
        }
    }
}

/// What a problem belongs to.
#[derive(Clone, Copy)]
struct Subject<'k> {
    index: Option<usize>,
    key: Option<&'k str>,
    severity: Severity,
}
