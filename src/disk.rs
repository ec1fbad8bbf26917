//! Sizes of the data folder and its parts.

use std::path::Path;

use crate::corpus::INDEX_DIRECTORY;
use crate::store::FILE_NAME;

/// Bytes of the parts of the data folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    pub database: u64,
    /// The database's write-ahead log.
    pub log: u64,
    pub index: u64,
}

impl Sizes {
    pub fn of(data: &Path) -> Sizes {
        let length = |name: &str| data.join(name).metadata().map_or(0, |file| file.len());
        Sizes {
            database: length(FILE_NAME),
            log: length(&format!("{FILE_NAME}-wal")),
            index: total(&data.join(INDEX_DIRECTORY)),
        }
    }

    /// Each by its name.
    pub fn parts(&self) -> [(&'static str, u64); 3] {
        [
            ("database", self.database),
            ("log", self.log),
            ("index", self.index),
        ]
    }
}

pub struct FolderFile {
    pub name: String,
    pub bytes: u64,
    /// Unix seconds.
    pub changed_at: i64,
}

/// The files directly in a folder. Skips unreadable and deleted files.
pub fn files(folder: &Path) -> impl Iterator<Item = FolderFile> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let changed = metadata.modified().ok()?;
        let since = changed.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(FolderFile {
            name: entry.file_name().to_string_lossy().into_owned(),
            bytes: metadata.len(),
            changed_at: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        })
    })
}

/// The size of everything in a folder, in bytes.
pub fn total(folder: &Path) -> u64 {
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let below: u64 = folders.map(|entry| total(&entry.path())).sum();
    below + files(folder).map(|file| file.bytes).sum::<u64>()
}
