//! The default data folder: `./data`, else the platform's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name of the folder in the current folder.
const HERE: &str = "data";

/// `./data` if it is a data folder; else the platform's.
pub fn data_folder(directory: &Path, environment: &[(OsString, OsString)]) -> PathBuf {
    let here = PathBuf::from(HERE);
    if may_hold_data(&directory.join(&here)) {
        here
    } else {
        platform_folder(environment).unwrap_or(here)
    }
}

/// The platform's folder for application data. `None` if the environment does not define it.
fn platform_folder(environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let variable = |wanted: &str| {
        let found = environment.iter().find(|(name, _)| name == wanted);
        // The XDG specification says to ignore relative paths.
        found
            .map(|(_, value)| PathBuf::from(value))
            .filter(|path| path.is_absolute())
    };
    let home = |folder: &str| Some(variable("HOME")?.join(folder));
    let parent = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        variable("XDG_DATA_HOME").or_else(|| home(".local/share"))
    };
    Some(parent?.join("citation"))
}

/// Whether a folder exists and contains our data, or nothing: many projects have a folder `data` for
/// other purposes. An unreadable one counts, so that the error names it.
fn may_hold_data(folder: &Path) -> bool {
    if !folder.is_dir() {
        return false;
    }
    let Ok(listing) = std::fs::read_dir(folder) else {
        return true;
    };
    let mut names = listing.flatten().map(|entry| entry.file_name()).peekable();
    names.peek().is_none() || names.any(|name| name.to_string_lossy().starts_with("citation."))
}
