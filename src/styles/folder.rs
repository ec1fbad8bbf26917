//! The styles folders: new files are available without a restart; invalid ones are logged and
//! ignored.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::entry::{StyleEntry, StyleOrigin, short_name};
use citation_csl::Style;

/// The largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// The state of the folders when last read.
#[derive(Debug, Default)]
pub struct Folders {
    paths: Vec<PathBuf>,
    files: HashMap<PathBuf, StyleFile>,
}

#[derive(Debug)]
struct StyleFile {
    stamp: (Option<SystemTime>, u64),
    /// `None` if the file is not a valid style.
    entry: Option<StyleEntry>,
}

impl Folders {
    pub fn new(paths: Vec<PathBuf>) -> Folders {
        Folders {
            paths,
            files: HashMap::new(),
        }
    }

    /// Reads the folders again; returns whether anything has changed. A missing folder is empty.
    pub fn refresh(&mut self) -> bool {
        let mut present = HashMap::new();
        let mut changed = false;
        for path in self.paths.iter().flat_map(|folder| style_files(folder)) {
            let stamp = stamp(&path);
            match self.files.remove(&path) {
                Some(file) if file.stamp == stamp => {
                    present.insert(path, file);
                }
                _ => {
                    changed = true;
                    let entry = describe(&path);
                    present.insert(path, StyleFile { stamp, entry });
                }
            }
        }
        // Entries that were not carried over are gone.
        changed |= !self.files.is_empty();
        self.files = present;
        changed
    }

    pub fn entries(&self) -> impl Iterator<Item = &StyleEntry> {
        self.files.values().filter_map(|file| file.entry.as_ref())
    }

    /// The text of a style in the folders.
    pub fn read(&self, id: &str) -> Option<String> {
        let (path, _) = self
            .files
            .iter()
            .find(|(_, file)| file.entry.as_ref().is_some_and(|entry| entry.id == id))?;
        fs::read_to_string(path).ok()
    }
}

/// The style files in a folder and in its subfolder `dependent`.
pub fn style_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in [folder.to_path_buf(), folder.join("dependent")] {
        let Ok(listing) = fs::read_dir(&folder) else {
            continue;
        };
        let paths = listing.flatten().map(|file| file.path());
        files.extend(paths.filter(|path| is_style_file(path)));
    }
    files.sort();
    files
}

/// Whether a file is named `*.csl`, in any case, and is not one of the metadata files that macOS adds
/// to archives (`__MACOSX/._apa.csl`).
pub fn is_style_file(path: &Path) -> bool {
    let is_csl = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("csl"));
    let name = path.file_name().unwrap_or_default();
    is_csl && !name.as_encoded_bytes().starts_with(b"._")
}

fn stamp(path: &Path) -> (Option<SystemTime>, u64) {
    match fs::metadata(path) {
        Ok(metadata) => (metadata.modified().ok(), metadata.len()),
        Err(_) => (None, 0),
    }
}

/// Parses a file for its description, and logs an unusable one.
fn describe(path: &Path) -> Option<StyleEntry> {
    let name = path.file_stem()?.to_str()?;
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    if size > MAX_FILE_BYTES {
        tracing::warn!(file = %path.display(), size, "ignoring a style file that is too large");
        return None;
    }
    let parsed = fs::read_to_string(path)
        .map_err(|cause| cause.to_string())
        .and_then(|xml| Style::parse(&xml).map_err(|fault| fault.to_string()));
    match parsed {
        Ok(style) => Some(StyleEntry::of(
            short_name(name),
            &style,
            StyleOrigin::Folder,
        )),
        Err(fault) => {
            tracing::warn!(file = %path.display(), %fault, "ignoring an invalid style file");
            None
        }
    }
}
