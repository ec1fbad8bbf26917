//! The data directory is for nobody but its owner: it is 0700, and the files in it are 0600.

use std::path::Path;

/// What the program writes into the data directory: files by the beginning of their names, and
/// folders with all that is in them. What else may lie there is left alone.
#[cfg(unix)]
const FILES: [&str; 3] = ["citation.", "accounts.", "index.lock"];
#[cfg(unix)]
const FOLDERS: [&str; 4] = ["backups", "index", "tmp", "usage"];

/// Creates the directory where it is missing. From here on the process creates files for their
/// owner alone, and what is there already, from an earlier version, becomes so.
#[cfg(unix)]
pub fn open(directory: &Path) -> std::io::Result<()> {
    use rustix::fs::Mode;
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    std::fs::create_dir_all(directory)?;
    narrow(directory);
    for entry in std::fs::read_dir(directory)?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if FILES.iter().any(|start| name.starts_with(start)) {
            narrow(&entry.path());
        } else if FOLDERS.iter().any(|folder| name == *folder) {
            narrow_all(&entry.path());
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub fn open(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)
}

#[cfg(unix)]
fn narrow_all(folder: &Path) {
    narrow(folder);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => narrow_all(&entry.path()),
            Ok(_) => narrow(&entry.path()),
            Err(_) => {}
        }
    }
}

/// Takes every right from everybody but the owner. What cannot be changed, such as a file of another
/// user, is told in the log.
#[cfg(unix)]
fn narrow(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // What has gone meanwhile, and links to elsewhere, are nothing to see to.
    let Ok(metadata) = std::fs::symlink_metadata(path) else {
        return;
    };
    let mode = metadata.permissions().mode();
    if metadata.is_symlink() || mode & 0o077 == 0 {
        return;
    }
    let permissions = std::fs::Permissions::from_mode(mode & 0o700);
    if let Err(cause) = std::fs::set_permissions(path, permissions) {
        tracing::warn!(path = %path.display(), %cause, "others can read what only the owner should");
    }
}
