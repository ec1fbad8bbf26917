//! Which write-ahead log belongs to which database file.
//!
//! SQLite plays back whatever log lies beside a file. Where a backup was copied over the file of a
//! server that was killed, it would mix the two without a word. So the header of the file has a
//! random number, the generation, which a backup does not share, and a small file beside it says which
//! one the log was written for.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::StoreError;

/// Where SQLite's header has the `application_id`, four bytes, big-endian.
const OFFSET: u64 = 68;

/// A log of so many bytes holds no frame.
const LOG_HEADER: u64 = 32;

/// Folders that are made beside a database, never before one.
const COMPANIONS: [&str; 2] = ["index", "usage"];

/// A database file about to be opened. Others that want to open it wait.
pub struct Opening {
    /// Closing a file takes the locks with it that SQLite holds on it for this process, so this is
    /// kept for as long as the database is open.
    database: Option<File>,
    /// The generations that the log may be of: one, or two while one replaces the other.
    record: File,
    log_is_empty: bool,
}

impl Opening {
    /// Refuses a file that is not the one that was here before: an empty one, or one that the log
    /// beside it was not written for.
    pub fn begin(path: &Path) -> Result<Opening, StoreError> {
        let mut record = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(record_of(path))?;
        record.lock()?;
        let known = read_known(&mut record)?;
        let log = beside(path, "-wal");
        let log_is_empty = length(&log)? <= LOG_HEADER;
        if length(path)? == 0 {
            let companions = COMPANIONS.map(|name| path.with_file_name(name));
            let was_here = !known.is_empty() || companions.iter().any(|folder| folder.exists());
            if !log_is_empty || path.exists() && was_here {
                return Err(StoreError::Unfit(format!(
                    "{} is empty or missing, although there was a database; put the file or its \
                     latest backup there, or begin anew in another directory",
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
                // The log was written by a program that kept no such record.
                write_known(&mut record, [generation; 2])?;
            } else if !known.contains(&generation) {
                return Err(StoreError::Unfit(format!(
                    "{} was put in the place of another database, whose last changes are in {}; to go \
                     on with what is there now, delete that file and the one that ends in -shm; to go \
                     on as before, put the former file back",
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

    /// Gives the file a new generation where nothing is in its log, so that an older copy of it is
    /// another file from now on. What is given back must live as long as the connections.
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

/// Gives a copy of a database, which nobody has open, a generation of its own.
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

/// The generations in the record; none in a new one.
fn read_known(record: &mut File) -> Result<Vec<i32>, StoreError> {
    let mut text = String::new();
    record.read_to_string(&mut text)?;
    Ok(text
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect())
}

/// Writes both in place, in as many bytes as before, so that no moment has half of it.
fn write_known(record: &mut File, known: [i32; 2]) -> Result<(), StoreError> {
    record.seek(SeekFrom::Start(0))?;
    record.write_all(format!("{:011} {:011}\n", known[0], known[1]).as_bytes())?;
    Ok(record.sync_data()?)
}

/// The file that says which generations the log may be of.
pub fn record_of(path: &Path) -> PathBuf {
    beside(path, "-generation")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Bytes of a file; 0 where there is none.
fn length(path: &Path) -> Result<u64, StoreError> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        metadata => Ok(metadata?.len()),
    }
}
