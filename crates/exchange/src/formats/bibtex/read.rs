//! Reads a whole BibTeX or biblatex text.

use std::collections::HashMap;

use super::fields::read_item;
use super::inheritance::Inheritance;
use super::raw::{Block, BlockKind, Fault, FaultKind, blocks};
use super::resolve::{Library, ResolvedEntry, Strings};
use crate::cost::STEPS_OF_ITEM;
use crate::mend::mend;
use crate::problem::{Problems, Subject};
use crate::reading::{ReadItem, Reading, most_records};
use citation_fields::clean::cut;
use citation_fields::notice::{Notice, Notices};
use citation_model::budget::{Budget, Exceeded};

/// Reads every entry of a text. Strings and parents of `crossref` may be anywhere in it; `@xdata` only
/// supplies fields and is not an item.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    read_after(text, 0, budget)
}

/// Reads the texts of one bibliography in several files, in order: the strings of earlier files apply in later
/// ones, and entries inherit from entries of any file.
pub fn read_together(texts: &[&str], budget: &Budget) -> Result<Vec<Reading>, Exceeded> {
    let mut inherited = Inheritance::default();
    texts.iter().for_each(|text| inherited.note(text));
    let numbered = || (0_u64..).zip(texts);
    numbered().for_each(|(number, text)| inherited.gather(text, number));
    let readings = numbered().map(|(number, text)| {
        let before = inherited.before(text, number);
        budget.spend_bytes(before.len())?;
        read_after(&format!("{before}{text}"), before.len(), budget)
    });
    readings.collect()
}

/// Reads a text whose first bytes are inherited from other pieces ([`super::inheritance`]). They supply
/// strings and inherited entries, but no items.
pub fn read_after(text: &str, inherited: usize, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut problems = Problems::new(text, inherited);
    let Entries {
        records,
        found,
        more,
    } = collect(text, inherited, &mut problems, budget)?;
    let mut library = Library::new(&records, budget);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut items = Vec::with_capacity(records.len());
    for (at, (record, EntryNotices { index, mut notices })) in records.iter().zip(found).enumerate()
    {
        if record.offset < inherited {
            continue;
        }
        if record.kind == "xdata" {
            problems.add(Subject::between(record.key), data_only(record));
            continue;
        }
        let line = problems.line(record.offset);
        if let Some(line) = seen.insert(record.key, line)
            && !record.key.is_empty()
        {
            let key = cut(record.key, MAX_NAME_LENGTH);
            notices.push(Notice {
                code: "duplicate_key",
                message: format!("The key “{key}” was used before, on line {line}."),
                offset: record.offset,
            });
        }
        let Some(resolved) = library.resolve(at, &mut notices)? else {
            continue;
        };
        spend(&resolved, budget)?;
        let (mut item, mut notices) = read_item(&resolved, notices);
        mend(&mut item, record.offset, &mut notices);
        if record.fields.is_empty() {
            notices.push(Notice {
                code: "empty_entry",
                message: "The entry has no fields.".to_owned(),
                offset: record.offset,
            });
        }
        problems.add_all(Subject::read(index, record.key), record.offset, notices);
        items.push(ReadItem {
            item,
            index,
            line,
            citation_key: record.key.to_owned(),
            entry_type: record.kind.clone(),
        });
    }
    Ok(Reading {
        total: items.len() + problems.errors() + more,
        items,
        problems: problems.finish(),
        columns: Vec::new(),
    })
}

/// Spends the cost of converting a record to an item.
fn spend(record: &ResolvedEntry<'_>, budget: &Budget) -> Result<(), Exceeded> {
    let bytes: usize = record.fields.iter().map(|field| field.text.len()).sum();
    let fields = record.fields.len();
    budget.spend(STEPS_OF_ITEM + fields as u64 * 8 + bytes as u64 / 8)?;
    budget.spend_bytes(ITEM_BYTES + fields * FIELD_BYTES + bytes)
}

/// Size of an item without its fields, and of a field without its text.
const ITEM_BYTES: usize = 256;
const FIELD_BYTES: usize = 64;
/// Maximum bytes of a key in a message.
const MAX_NAME_LENGTH: usize = 100;

/// The entries of a text. Reports syntax faults and text outside of entries.
fn collect<'a>(
    text: &'a str,
    inherited: usize,
    problems: &mut Problems<'_>,
    budget: &Budget,
) -> Result<Entries<'a>, Exceeded> {
    let mut strings = Strings::new(budget);
    let mut records = Vec::new();
    let mut found = Vec::new();
    let mut index = 0;
    let mut more = 0;
    let end = most_records(text.len());
    let mut read_to = 0;
    for block in blocks(text) {
        budget.spend(1 + (block.offset - read_to) as u64 / 8)?;
        read_to = block.offset;
        if index >= end {
            if matches!(block.kind, BlockKind::Entry(_) | BlockKind::Bodiless { .. }) {
                if index == end {
                    problems.add(Subject::lost(index, ""), too_many(block.offset))
                } else {
                    more += 1
                }
                index += 1;
            }
            continue;
        }
        let mut notices = faults(&block);
        match &block.kind {
            BlockKind::Entry(entry) => {
                let record = strings.record(entry, block.offset, &mut notices);
                if is_lost(&block, &record) {
                    let fault = block.faults.first().map(|fault| fault.kind);
                    let fault = fault.unwrap_or(FaultKind::MissingBody);
                    problems.add(
                        Subject::lost(index, record.key),
                        notice(fault, block.offset),
                    );
                    index += 1;
                    continue;
                }
                budget.spend_bytes(ITEM_BYTES + record.fields.len() * FIELD_BYTES)?;
                let is_item = record.kind != "xdata";
                if is_item {
                    problems.take(Subject::read(index, record.key), &mut notices);
                }
                found.push(EntryNotices { index, notices });
                index += usize::from(is_item && block.offset >= inherited);
                records.push(record);
            }
            BlockKind::Strings(fields) => {
                strings.define(fields, &mut notices);
                problems.add_all(Subject::between(""), block.offset, notices);
            }
            BlockKind::Bodiless { .. } => {
                problems.add_all(Subject::lost(index, ""), block.offset, notices);
                index += 1;
            }
            BlockKind::Preamble => {
                problems.add_all(Subject::between(""), block.offset, notices);
            }
            BlockKind::Comment => {}
        }
    }
    budget.spend((text.len() - read_to) as u64 / 8)?;
    Ok(Entries {
        records,
        found,
        more,
    })
}

/// The entries of a text, as written.
struct Entries<'a> {
    records: Vec<ResolvedEntry<'a>>,
    /// For each record.
    found: Vec<EntryNotices>,
    /// Number of entries beyond the limit, which are only counted.
    more: usize,
}

/// Notices about a record apart from its fields.
struct EntryNotices {
    /// Index of the entry.
    index: usize,
    /// Syntax faults reported so far.
    notices: Notices,
}

/// Whether only the type of an entry is left, or only a key with an invalid type.
fn is_lost(block: &Block<'_>, record: &ResolvedEntry<'_>) -> bool {
    let odd_type = |fault: &Fault| fault.kind == FaultKind::OddType;
    record.fields.is_empty()
        && !block.faults.is_empty()
        && (record.key.is_empty() || block.faults.iter().any(odd_type))
}

/// The syntax faults of a block.
fn faults(block: &Block<'_>) -> Notices {
    let mut notices = Notices::default();
    for fault in &block.faults {
        notices.push(notice(fault.kind, fault.offset));
    }
    notices.skip(block.more_faults);
    notices
}

fn notice(fault: FaultKind, offset: usize) -> Notice {
    Notice {
        code: fault.code(),
        message: fault.to_string(),
        offset,
    }
}

fn too_many(offset: usize) -> Notice {
    Notice {
        code: "too_many_records",
        message: "The text holds too many entries for its size; the rest was not read.".to_owned(),
        offset,
    }
}

fn data_only(record: &ResolvedEntry<'_>) -> Notice {
    Notice {
        code: "data_only",
        message: "@xdata lends its fields to other entries and is no item itself.".to_owned(),
        offset: record.offset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::variable::TextVar;

    #[test]
    fn files_of_one_bibliography_share_strings_and_parents() {
        let texts = [
            "@string{jt = {Journal of Tests}}",
            "@article{a, title = {A}, journal = jt}\n@inproceedings{b, title = {B}, crossref = {p}}",
            "@proceedings{p, title = {Proceedings of Tests}}",
        ];
        let readings = read_together(&texts, &Budget::unlimited()).unwrap();
        let container =
            |file: usize, at: usize| readings[file].items[at].item.text(TextVar::ContainerTitle);
        assert_eq!(container(1, 0), Some("Journal of Tests"));
        assert_eq!(container(1, 1), Some("Proceedings of Tests"));
        assert!(readings.iter().all(|reading| reading.problems.is_empty()));
        let counts: Vec<usize> = readings.iter().map(|reading| reading.items.len()).collect();
        assert_eq!(counts, [0, 2, 1]);
    }
}
