//! The file of rejected records: one JSON object per line, with reason and position, for the
//! operator.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

/// Maximum number of characters shown of a rejected record.
const SNIPPET: usize = 200;

/// A rejected record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reject {
    pub file: String,
    /// The member of the archive; absent without an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The number of the record in the file, from 1; 0 if a whole member could not be read.
    pub record: u64,
    /// Where the record starts in the unpacked member, in bytes.
    pub offset: u64,
    /// For a text format: the line in the run that starts at `offset`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    pub reason: String,
    /// The start of the record, at most 200 characters.
    pub snippet: String,
}

/// The start of a record as text.
pub fn snippet(record: &[u8]) -> String {
    let head = record.get(..SNIPPET * 4).unwrap_or(record);
    String::from_utf8_lossy(head)
        .chars()
        .take(SNIPPET)
        .collect()
}

/// A rejects file, created at the first reject.
pub struct Rejects {
    path: PathBuf,
    file: Option<File>,
    size: u64,
}

impl Rejects {
    /// Continues a file of which `size` bytes belong to committed records; the rest, from an interrupted
    /// run, is truncated.
    pub fn resume(path: &Path, size: u64) -> io::Result<Rejects> {
        let mut rejects = Rejects {
            path: path.to_owned(),
            file: None,
            size,
        };
        if path.exists() {
            let file = rejects.open()?;
            file.set_len(size)?;
        } else {
            rejects.size = 0;
        }
        Ok(rejects)
    }

    /// Appends rejects; the operating system has them when this returns.
    pub fn add(&mut self, rejects: &[Reject]) -> io::Result<()> {
        if rejects.is_empty() {
            return Ok(());
        }
        let mut text = Vec::new();
        for reject in rejects {
            serde_json::to_writer(&mut text, reject)?;
            text.push(b'\n');
        }
        self.open()?.write_all(&text)?;
        self.size += text.len() as u64;
        Ok(())
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    fn open(&mut self) -> io::Result<&mut File> {
        if self.file.is_none() {
            if let Some(parent) = self.path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            let file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&self.path)?;
            self.file = Some(file);
        }
        self.file
            .as_mut()
            .ok_or_else(|| io::Error::other("the rejects file is not open"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reject(record: u64) -> Reject {
        Reject {
            file: "a.jsonl".to_owned(),
            member: None,
            record,
            offset: 0,
            line: None,
            reason: "no title".to_owned(),
            snippet: snippet("ü".repeat(900).as_bytes()),
        }
    }

    #[test]
    fn uncommitted_lines_are_truncated() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/rejects.jsonl");
        let mut rejects = Rejects::resume(&path, 0).unwrap();
        assert!(!path.exists());
        rejects.add(&[reject(1)]).unwrap();
        let committed = rejects.size();
        rejects.add(&[reject(2), reject(3)]).unwrap();
        drop(rejects);

        let mut rejects = Rejects::resume(&path, committed).unwrap();
        rejects.add(&[reject(4)]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.len() as u64, rejects.size());
        let records: Vec<bool> = text
            .lines()
            .map(|line| line.contains("\"record\":4"))
            .collect();
        assert_eq!(records, [false, true]);
        assert!(text.lines().all(|line| line.chars().count() < 400));
    }
}
