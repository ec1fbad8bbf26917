//! Where data lies when nothing says so: `./data`, else the place that the platform has for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder under the one that the program is run in.
pub const HERE: &str = "data";

/// `./data` where it is a data folder; else the platform's.
pub fn data_folder(directory: &Path, environment: &[(OsString, OsString)]) -> PathBuf {
    let here = PathBuf::from(HERE);
    match may_hold_data(&directory.join(&here)) {
        true => here,
        false => platform_folder(environment).unwrap_or(here),
    }
}

/// Where the platform keeps what a user's programs write. Nothing where the environment does not tell.
fn platform_folder(environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let variable = |wanted: &str| {
        let found = environment.iter().find(|(name, _)| name == wanted);
        // The XDG specification has relative paths ignored.
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

/// Whether a folder is there that holds our data, or nothing: many a project has a folder `data` of
/// its own. One that we may not look into counts, so that it is named when it cannot be opened.
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
