//! Permissions: only the owner can access the data directory (0700) and its files (0600).

use std::path::Path;

/// The program's files in the data directory: files by the prefix of their names, and
/// folders with their content. Other files are left alone.
#[cfg(unix)]
const FILES: [&str; 3] = ["citation.", "accounts.", "index.lock"];
#[cfg(unix)]
const FOLDERS: [&str; 4] = ["backups", "index", "tmp", "usage"];

/// Creates the directory if missing. From here on the process creates private files, and
/// existing ones, from an earlier version, become private.
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

/// Removes all permissions except the owner's. Failures, such as for a file of another
/// user, are logged.
#[cfg(unix)]
fn narrow(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // Removed files, and symbolic links, are skipped.
    let Ok(metadata) = std::fs::symlink_metadata(path) else {
        return;
    };
    let mode = metadata.permissions().mode();
    if metadata.is_symlink() || mode & 0o077 == 0 {
        return;
    }
    let permissions = std::fs::Permissions::from_mode(mode & 0o700);
    if let Err(cause) = std::fs::set_permissions(path, permissions) {
        tracing::warn!(path = %path.display(), %cause, "other accounts can read this file");
    }
}
