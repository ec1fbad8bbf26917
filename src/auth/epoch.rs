//! A number that increases with every change to accounts, keys and sessions, so that cached owners
//! become invalid with changes in this or another process: the running server rejects a key of an
//! account as soon as `citation user disable` has disabled it.
//!
//! The number is the length of a file beside the database: appending a byte increments it, and
//! reading it takes one system call.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The file in the data directory.
const FILE_NAME: &str = "accounts.epoch";

pub struct Epoch {
    /// `None` if accounts do not change.
    file: Option<File>,
}

impl Epoch {
    pub fn open(directory: &Path) -> io::Result<Epoch> {
        let path = directory.join(FILE_NAME);
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Epoch { file: Some(file) })
    }

    /// For accounts that do not change.
    pub fn fixed() -> Epoch {
        Epoch { file: None }
    }

    /// The current number. `None` if the file cannot be read: then nothing may be cached.
    pub fn now(&self) -> Option<u64> {
        match &self.file {
            Some(file) => file.metadata().ok().map(|metadata| metadata.len()),
            None => Some(0),
        }
    }

    /// Increments the number, after a change was committed.
    pub fn raise(&self) {
        let Some(mut file) = self.file.as_ref() else {
            return;
        };
        if let Err(cause) = file.write_all(b"+") {
            tracing::error!(%cause, "other processes may not see a change to accounts for some seconds");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_is_visible_through_another_handle() {
        let directory = tempfile::tempdir().unwrap();
        let here = Epoch::open(directory.path()).unwrap();
        let there = Epoch::open(directory.path()).unwrap();
        let before = here.now().unwrap();
        there.raise();
        assert!(here.now().unwrap() > before);
    }
}
