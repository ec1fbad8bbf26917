//! Which write-ahead log belongs to which database file.
//!
//! SQLite replays any log beside a file. If a backup was copied over the file of a
//! killed server, it would silently mix the two. So the file's header contains a
//! random number, the generation, which a backup does not share, and a small file beside it stores
//! the generation of the log.
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::StoreError;

/// The offset of `application_id` in SQLite's header, four bytes, big-endian.
const OFFSET: u64 = 68;

/// A log of so many bytes has no frame.
const LOG_HEADER: u64 = 32;

/// Folders that are created beside a database, never before one.
const COMPANIONS: [&str; 2] = ["index", "usage"];

/// A database file being opened. Others that want to open it wait.
pub struct Opening {
    /// Closing a file releases SQLite's locks on it in this process, so this is
    /// kept open as long as the database.
    database: Option<File>,
    /// The possible generations of the log: one, or two during a change.
    record: File,
    log_is_empty: bool,
}

impl Opening {
    /// Rejects a file that has been replaced: an empty one, or one that does not match the log
    /// beside it.
    pub fn begin(path: &Path) -> Result<Opening, StoreError> {
        let mut record = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(record_of(path))?;
        record.lock()?;
        let known = read_known(&mut record)?;
        let log = sibling(path, "-wal");
        let log_is_empty = length(&log)? <= LOG_HEADER;
        if length(path)? == 0 {
            let companions = COMPANIONS.map(|name| path.with_file_name(name));
            let was_here = !known.is_empty() || companions.iter().any(|folder| folder.exists());
            if !log_is_empty || path.exists() && was_here {
                return Err(StoreError::Unfit(format!(
                    "{} is empty or missing, although there was a database; put the file or its \
                     latest backup there, or start with another directory",
                    path.display()
                )));
            }
        }
        let mut database = match File::open(path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if let (false, Some(file)) = (log_is_empty, &mut database) {
            let generation = read_generation(file)?;
            if known.is_empty() {
                // The log was written by a program without such a record.
                write_known(&mut record, [generation; 2])?;
            } else if !known.contains(&generation) {
                return Err(StoreError::Unfit(format!(
                    "{} has replaced another database, whose last changes are in {}; to \
                     use the current file, delete that file and the one that ends in -shm; to \
                     use the former one, restore the former file",
                    path.display(),
                    log.display()
                )));
            }
        }
        Ok(Opening {
            database,
            record,
            log_is_empty,
        })
    }

    /// Assigns a new generation if the log is empty, so that an older copy of the file
    /// is rejected from now on. The result must live as long as the connections.
    pub fn end(mut self, connection: &Connection) -> Result<Option<File>, StoreError> {
        if self.log_is_empty {
            let old = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
            let new: i32 = random(connection)?;
            write_known(&mut self.record, [old, new])?;
            connection.pragma_update(None, "application_id", new)?;
            let is_partial: bool =
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            if !is_partial {
                write_known(&mut self.record, [new; 2])?;
            }
        }
        Ok(self.database)
    }
}

/// Assigns a generation to a copy of a database that nobody has open.
pub fn renew(connection: &Connection, copy: &mut File) -> Result<(), StoreError> {
    let generation: i32 = random(connection)?;
    copy.seek(SeekFrom::Start(OFFSET))?;
    Ok(copy.write_all(&generation.to_be_bytes())?)
}

fn random(connection: &Connection) -> Result<i32, StoreError> {
    Ok(
        connection.query_row("SELECT 1 + abs(random() % 2147483646)", [], |row| {
            row.get(0)
        })?,
    )
}

fn read_generation(database: &mut File) -> Result<i32, StoreError> {
    let mut bytes = [0; 4];
    database.seek(SeekFrom::Start(OFFSET))?;
    match database.read_exact(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(0),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(i32::from_be_bytes(bytes)),
    }
}

/// The recorded generations; none in a new record.
fn read_known(record: &mut File) -> Result<Vec<i32>, StoreError> {
    let mut text = String::new();
    record.read_to_string(&mut text)?;
    Ok(text
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect())
}

/// Writes both in place, with the same length, so that no moment has half of it.
fn write_known(record: &mut File, known: [i32; 2]) -> Result<(), StoreError> {
    record.seek(SeekFrom::Start(0))?;
    record.write_all(format!("{:011} {:011}\n", known[0], known[1]).as_bytes())?;
    Ok(record.sync_data()?)
}

/// The file with the possible generations of the log.
pub fn record_of(path: &Path) -> PathBuf {
    sibling(path, "-generation")
}

fn sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Size of a file in bytes; 0 if missing.
fn length(path: &Path) -> Result<u64, StoreError> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        metadata => Ok(metadata?.len()),
    }
}
