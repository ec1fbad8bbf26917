//! The usage journal: counts are appended to a small file before the reply is sent, and folded
//! into the database later, many at once.
//!
//! When a write to a file returns, the operating system has the data, so an acknowledged count
//! survives the end of the process, at the price of one system call and without
//! waiting for other writers of the database. Only a power loss can lose counts that were
//! not folded yet: those of the last seconds.
//!
//! Every record has the new value, not the change, so reading a record twice is harmless. A
//! record has a CRC, so a partially written one ends the file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Subject;
use super::address::Address;
use super::networks::NetworkKey;
use crate::store::jobs::ResultKey;
use crate::store::usage::CallsRow;
use citation_model::plan::Plan;

/// One new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalRecord {
    /// The daily window of a caller.
    Window {
        subject: Subject,
        opened_at: i64,
        used: u64,
    },
    /// The API calls of a user on a day.
    Calls(CallsRow),
    /// The lookups of a job's result are in the window before it.
    JobResult(ResultKey),
}

/// The journal of a running server. Only one process can open it.
pub struct Journal {
    directory: PathBuf,
    current: Mutex<Current>,
    /// Locked while the journal is open.
    _lock: File,
}

/// The current file.
struct Current {
    number: u64,
    /// Opened with the first record, so that an idle server creates no files.
    file: Option<File>,
}

/// Why a journal cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error(
        "another server is running on this data directory ({0}); stop it first, or choose another directory with --data"
    )]
    InUse(PathBuf),
    #[error("cannot write the usage journal in {directory}: {cause}")]
    Io {
        directory: PathBuf,
        cause: io::Error,
    },
}

const EXTENSION: &str = "journal";
const RECORD_BYTES: usize = 40;
const CHECKED_BYTES: usize = RECORD_BYTES - 4;

impl Journal {
    /// Opens the journal in a directory, which is created if missing. [`Journal::close_file`] returns
    /// the files of an earlier process.
    pub fn open(directory: &Path) -> Result<Journal, JournalError> {
        let failed = |cause| JournalError::Io {
            directory: directory.to_owned(),
            cause,
        };
        std::fs::create_dir_all(directory).map_err(failed)?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(directory.join("lock"))
            .map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(directory.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        let last = files(directory).map_err(failed)?.pop();
        let number = last.map_or(1, |(number, _)| number + 1);
        Ok(Journal {
            directory: directory.to_owned(),
            current: Mutex::new(Current { number, file: None }),
            _lock: lock,
        })
    }

    /// Appends records, all or none, and returns the number of their file. They
    /// survive the process when this returns.
    pub fn append(&self, records: &[JournalRecord]) -> io::Result<u64> {
        let bytes: Vec<u8> = records.iter().flat_map(encode).collect();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let number = current.number;
        let file = match &mut current.file {
            Some(file) => file,
            empty => {
                let path = self.directory.join(file_name(number));
                empty.insert(OpenOptions::new().create(true).append(true).open(path)?)
            }
        };
        if let Err(cause) = file.write_all(&bytes) {
            // A partial record ends this file; the next record starts another.
            current.file = None;
            current.number += 1;
            return Err(cause);
        }
        Ok(number)
    }

    /// Closes the current file and returns all closed files, oldest first: everything
    /// appended so far is in these, and nothing will be added to them.
    pub fn close_file(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.file.take().is_some() {
            current.number += 1;
        }
        let next = current.number;
        drop(current);
        // A concurrent append may start the next file; it is not closed yet.
        let mut files = files(&self.directory)?;
        files.retain(|(number, _)| *number < next);
        Ok(files)
    }
}

/// The files in a journal's directory, oldest first; none if the directory is missing.
pub fn files(directory: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let entries = match std::fs::read_dir(directory) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path
            .extension()
            .is_none_or(|extension| extension != EXTENSION)
        {
            continue;
        }
        let number = path
            .file_stem()
            .and_then(|stem| stem.to_str()?.parse().ok());
        files.extend(number.map(|number: u64| (number, path)));
    }
    files.sort();
    Ok(files)
}

/// All complete records of a file. A file removed meanwhile has none: it was folded.
pub fn read(path: &Path) -> io::Result<Vec<JournalRecord>> {
    let bytes = match std::fs::read(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        bytes => bytes?,
    };
    Ok(bytes.chunks(RECORD_BYTES).map_while(decode).collect())
}

fn file_name(number: u64) -> String {
    format!("{number:012}.{EXTENSION}")
}

/// Kind, plan, two zeros; then three or four numbers of 8 bytes; then the CRC. Little-endian.
fn encode(record: &JournalRecord) -> [u8; RECORD_BYTES] {
    let (kind, plan, numbers) = match *record {
        JournalRecord::Window {
            subject,
            opened_at,
            used,
        } => {
            let (kind, key) = match subject {
                Subject::User(user) => (1, user as u64),
                Subject::Address(Address::V4(ip)) => (2, u64::from(u32::from(ip))),
                Subject::Address(Address::V6(upper)) => (3, upper),
                Subject::Network(NetworkKey(key)) => (5, key),
            };
            (kind, 0, [key, opened_at as u64, used, 0])
        }
        JournalRecord::Calls(row) => {
            let numbers = [row.user as u64, row.day as u64, row.calls, row.included];
            (4, row.plan.number(), numbers)
        }
        JournalRecord::JobResult(result) => (6, 0, [result.job as u64, result.number, 0, 0]),
    };
    let mut bytes = Vec::with_capacity(RECORD_BYTES);
    bytes.extend([kind, plan, 0, 0]);
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    let mut record = [0; RECORD_BYTES];
    record.copy_from_slice(&bytes);
    record
}

fn decode(bytes: &[u8]) -> Option<JournalRecord> {
    let checked = bytes.get(..CHECKED_BYTES)?;
    let crc = bytes.get(CHECKED_BYTES..RECORD_BYTES)?;
    if crc != crc32fast::hash(checked).to_le_bytes() {
        return None;
    }
    let number = |index: usize| {
        let start = 4 + 8 * index;
        let part = bytes.get(start..start + 8)?;
        Some(u64::from_le_bytes(part.try_into().ok()?))
    };
    let window = |subject| {
        Some(JournalRecord::Window {
            subject,
            opened_at: number(1)? as i64,
            used: number(2)?,
        })
    };
    match *bytes.first()? {
        1 => window(Subject::User(number(0)? as i64)),
        2 => window(Subject::Address(Address::V4(Ipv4Addr::from(
            number(0)? as u32
        )))),
        3 => window(Subject::Address(Address::V6(number(0)?))),
        5 => window(Subject::Network(NetworkKey(number(0)?))),
        4 => Some(JournalRecord::Calls(CallsRow {
            user: number(0)? as i64,
            day: number(1)? as i64,
            plan: Plan::from_number(*bytes.get(1)?)?,
            calls: number(2)?,
            included: number(3)?,
        })),
        6 => Some(JournalRecord::JobResult(ResultKey {
            job: number(0)? as i64,
            number: number(1)?,
        })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(user: i64, used: u64) -> JournalRecord {
        JournalRecord::Window {
            subject: Subject::User(user),
            opened_at: 1_795_234_567,
            used,
        }
    }

    #[test]
    fn journal_records_round_trip() {
        let addresses =
            ["203.0.113.7", "2001:db8:1:2::1"].map(|ip| Address::of(ip.parse().unwrap()));
        let records = [
            window(7, 3),
            JournalRecord::Window {
                subject: Subject::Address(addresses[0]),
                opened_at: -5,
                used: 1,
            },
            JournalRecord::Window {
                subject: Subject::Address(addresses[1]),
                opened_at: 0,
                used: u64::MAX,
            },
            JournalRecord::Window {
                subject: Subject::Network(NetworkKey::of("campus")),
                opened_at: 1,
                used: 2,
            },
            JournalRecord::Calls(CallsRow {
                user: 9,
                day: 20_000,
                plan: Plan::Academic,
                calls: 5,
                included: 10_000,
            }),
            JournalRecord::JobResult(ResultKey { job: 3, number: 8 }),
        ];
        for record in records {
            assert_eq!(decode(&encode(&record)), Some(record));
        }
    }

    #[test]
    fn partial_record_ends_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::open(directory.path()).unwrap();
        for used in 1..=3 {
            journal.append(&[window(1, used)]).unwrap();
        }
        let files = journal.close_file().unwrap();
        let path = &files[0].1;
        let bytes = std::fs::read(path).unwrap();
        std::fs::write(path, &bytes[..2 * RECORD_BYTES + 13]).unwrap();
        assert_eq!(read(path).unwrap(), [window(1, 1), window(1, 2)]);
    }

    #[test]
    fn files_are_numbered_in_order_over_restarts() {
        let directory = tempfile::tempdir().unwrap();
        for round in 1..=3 {
            let journal = Journal::open(directory.path()).unwrap();
            assert_eq!(journal.append(&[window(1, round)]).unwrap(), round);
        }
        let journal = Journal::open(directory.path()).unwrap();
        let records: Vec<JournalRecord> = journal
            .close_file()
            .unwrap()
            .iter()
            .flat_map(|(_, path)| read(path).unwrap())
            .collect();
        assert_eq!(records, [window(1, 1), window(1, 2), window(1, 3)]);
        assert!(files(&directory.path().join("none")).unwrap().is_empty());
    }

    #[test]
    fn two_servers_do_not_share_a_journal() {
        let directory = tempfile::tempdir().unwrap();
        let _first = Journal::open(directory.path()).unwrap();
        assert!(matches!(
            Journal::open(directory.path()),
            Err(JournalError::InUse(_))
        ));
    }
}
