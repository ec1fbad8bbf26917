//! Imports files into collections. Every record of a file is imported, skipped as a duplicate, or reported
//! with its position.

use std::collections::HashSet;

use super::change::Change;
use super::compared::{Compared, Same, among};
use super::draft::{Annotations, Draft, check_entry, metadata_limits};
use super::entries::OnDuplicate;
use super::error::CollectionError;
use super::input;
use super::policy::CollectionAction;
use super::service::Collections;
use crate::config::LimitSettings;
use crate::store::StoreError;
use crate::store::collections::{ChangeKind, CollectionRow};
use citation_exchange::{Column, Problem, ReadItem, Reading, Severity};
use citation_fields::keywords;
use citation_model::budget::is_longer;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// A parsed file, ready to be stored.
#[derive(Debug)]
pub struct PreparedFile {
    records: Vec<FileRecord>,
    drafts: Vec<Draft>,
    /// The problems of the file, in order.
    pub problems: Vec<Problem>,
    /// Number of records in the file, read and lost.
    pub total: usize,
    /// The columns read from a table.
    pub columns: Vec<Column>,
}

/// The origin of a draft.
#[derive(Debug)]
struct FileRecord {
    index: usize,
    line: usize,
    citation_key: Option<String>,
}

/// The options of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// How to handle works that are already in the collection.
    pub on_duplicate: OnDuplicate,
    /// Whether to import as many records as the plan allows if not all fit.
    pub partial: bool,
}

impl PreparedFile {
    /// The importable records.
    pub fn drafts(&self) -> &[Draft] {
        &self.drafts
    }

    /// Whether the file has no importable record.
    pub fn is_useless(&self) -> bool {
        self.drafts.is_empty()
    }
}

/// The result of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOutcome {
    pub entries: Vec<ImportedRecord>,
    /// Records that are the same work as an entry, by position in the file, with its UUID.
    pub duplicates: Vec<(usize, String)>,
    /// How many of those were skipped.
    pub skipped: usize,
    /// The problems of the file and of its records, in the file's order.
    pub problems: Vec<Problem>,
    /// Number of records of the file: imported, skipped and failed.
    pub total: usize,
    /// The columns read from a table.
    pub columns: Vec<Column>,
}

impl ImportOutcome {
    /// The result for a file that is not imported.
    pub fn nothing(file: PreparedFile) -> ImportOutcome {
        ImportOutcome {
            problems: file.problems,
            total: file.total,
            columns: file.columns,
            ..ImportOutcome::default()
        }
    }

    /// The UUIDs of the new entries.
    fn uids(&self) -> Vec<String> {
        let entries = self.entries.iter();
        entries.map(|record| record.entry.clone()).collect()
    }

    /// Number of records that are neither imported nor skipped.
    pub fn failed(&self) -> usize {
        self.total.saturating_sub(self.entries.len() + self.skipped)
    }
}

/// An imported record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRecord {
    /// Position among the records of the file, from 0.
    pub index: usize,
    /// UUID.
    pub entry: String,
    pub citation_key: Option<String>,
}

impl Collections {
    /// Prepares the records of a file.
    pub fn prepare(&self, reading: Reading) -> Result<PreparedFile, StoreError> {
        let doubtful: HashSet<usize> = reading
            .problems
            .iter()
            .filter(|problem| problem.severity == Severity::Warning)
            .filter_map(|problem| problem.index)
            .collect();
        let mut read = PreparedFile {
            records: Vec::with_capacity(reading.items.len()),
            drafts: Vec::with_capacity(reading.items.len()),
            problems: reading.problems,
            total: reading.total,
            columns: reading.columns,
        };
        let limits = metadata_limits(self.limits());
        for mut record in reading.items {
            if let Err(fault) = check_entry(&record.item, &limits) {
                read.problems.push(refused(&record, &fault));
                continue;
            }
            let warning = key_warning(&record);
            let annotations = Annotations {
                tags: take_tags(&mut record.item, self.limits()),
                is_doubtful: doubtful.contains(&record.index) || warning.is_some(),
                ..Annotations::default()
            };
            read.problems.extend(warning);
            let draft = self.draft(record.item, annotations)?;
            read.records.push(FileRecord {
                index: record.index,
                line: record.line,
                citation_key: Some(record.citation_key).filter(|key| !key.is_empty()),
            });
            read.drafts.push(draft);
        }
        read.problems
            .sort_by_key(|problem| (problem.line, problem.column));
        Ok(read)
    }
}

/// The keywords of a file are tags, which can be seen, edited and searched. Those that exceed the limits of tags
/// stay keywords of the work.
fn take_tags(item: &mut Item, limits: &LimitSettings) -> Vec<String> {
    let words = item.text(TextVar::Keyword).unwrap_or_default().to_owned();
    let mut tags: Vec<String> = Vec::new();
    let mut rest = Vec::new();
    for word in keywords::split(&words) {
        let has_room = tags.len() < limits.tags as usize;
        if has_room && !is_longer(word, limits.tag_chars as usize) {
            tags.push(word.to_owned());
        } else {
            rest.push(word);
        }
    }
    item.text.remove(TextVar::Keyword);
    if !rest.is_empty() {
        item.set_text(TextVar::Keyword, keywords::join(rest.into_iter()));
    }
    input::tags("/tags", &tags, limits).unwrap_or_default()
}

/// A citation key of a file stays, because manuscripts cite it, although a client may not set such a key.
fn key_warning(record: &ReadItem) -> Option<Problem> {
    let key = record.item.text(TextVar::CitationKey)?;
    let fault = input::citation_key("", key).err()?;
    let message = format!(
        "The key is stored, but exports use another one; a key {}.",
        fault.message
    );
    let code = "invalid_citation_key";
    Some(of_record(record, code, message, Severity::Warning))
}

/// A record that may not be stored.
fn refused(record: &ReadItem, fault: &input::Fault) -> Problem {
    let message = format!(
        "The record was not imported: its `{}` {}.",
        fault.field, fault.message
    );
    of_record(record, fault.code, message, Severity::Error)
}

fn of_record(
    record: &ReadItem,
    code: &'static str,
    message: String,
    severity: Severity,
) -> Problem {
    Problem {
        index: Some(record.index),
        line: record.line,
        column: 1,
        citation_key: Some(record.citation_key.clone()).filter(|key| !key.is_empty()),
        code,
        message,
        snippet: String::new(),
        severity,
    }
}

impl Change<'_> {
    /// Imports a file after the existing entries.
    pub fn import(
        &self,
        collection: &str,
        file: &PreparedFile,
        compared: &Compared<Same>,
        options: ImportOptions,
    ) -> Result<(CollectionRow, ImportOutcome), CollectionError> {
        let collection = self.open(collection, CollectionAction::EditEntries)?;
        let same = compared.or([&collection], || {
            among(self.edit, Some(&collection), &file.drafts)
        })?;
        let mut imported = ImportOutcome {
            problems: file.problems.clone(),
            total: file.total,
            columns: file.columns.clone(),
            ..ImportOutcome::default()
        };
        let mut wanted = Vec::with_capacity(file.drafts.len());
        for ((record, draft), same) in file.records.iter().zip(&file.drafts).zip(same) {
            let is_same = same.is_some();
            imported
                .duplicates
                .extend(same.map(|uid| (record.index, uid)));
            if is_same && options.on_duplicate == OnDuplicate::Skip {
                imported.skipped += 1;
            } else {
                wanted.push((record, draft, is_same));
            }
        }
        if options.on_duplicate == OnDuplicate::Refuse && !imported.duplicates.is_empty() {
            return Err(CollectionError::Duplicates(imported.duplicates));
        }
        let most = self.owner_of(&collection)?.entries;
        let room = most.saturating_sub(collection.entries) as usize;
        if options.partial && wanted.len() > room {
            let left_out = wanted.split_off(room);
            let problems = left_out.iter().map(|(record, ..)| no_room(record, most));
            imported.problems.extend(problems);
            imported
                .problems
                .sort_by_key(|problem| (problem.line, problem.column));
        } else {
            self.check_room(&collection, wanted.len())?;
        }
        let drafts = wanted.iter().map(|(_, draft, is_same)| (*draft, *is_same));
        let entries = self.append(&collection, drafts)?;
        let records = wanted.iter().map(|(record, ..)| record);
        imported.entries = records
            .zip(entries)
            .map(|(record, entry)| ImportedRecord {
                index: record.index,
                entry: entry.stored.row.uid,
                citation_key: record.citation_key.clone(),
            })
            .collect();
        if imported.entries.is_empty() {
            return Ok((collection, imported));
        }
        Ok((
            self.touch(collection.id, ChangeKind::EntriesAdded, &imported.uids())?,
            imported,
        ))
    }
}

fn no_room(record: &FileRecord, limit: u64) -> Problem {
    Problem {
        index: Some(record.index),
        line: record.line,
        column: 1,
        citation_key: record.citation_key.clone(),
        code: "entry_limit_reached",
        message: format!("The plan allows {limit} entries in a collection."),
        snippet: String::new(),
        severity: Severity::Error,
    }
}
