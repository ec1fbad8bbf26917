//! Scheduled backups: when one is due, which ones are kept, and the program that copies them elsewhere.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::background::{self, BackgroundThread};
use crate::clock::{self, Clock};
use crate::config::BackupSettings;
use crate::store::{Store, StoreError};

/// How often the thread checks whether a backup is due.
const LOOK: Duration = Duration::from_secs(30);

const HOUR_SECONDS: i64 = 3_600;

/// Names of backups: `citation-20261122T194500Z.db`. They sort by time.
const PREFIX: &str = "citation-";
const SUFFIX: &str = ".db";

/// Starts the thread that makes the backups. Dropping it ends it, after a backup that has started is
/// complete. None if backups are disabled.
pub fn start(
    store: Arc<Store>,
    settings: BackupSettings,
    clock: Clock,
) -> std::io::Result<Option<BackgroundThread>> {
    if settings.every_hours == 0 {
        return Ok(None);
    }
    let thread = BackgroundThread::start("backups", move |stop| {
        background::step_back();
        loop {
            if let Err(cause) = back_up_if_due(&store, &settings, clock.unix()) {
                tracing::error!(%cause, "the scheduled backup failed; it is tried again");
            }
            if stop.wait(LOOK) {
                return;
            }
        }
    });
    thread.map(Some)
}

/// Makes a backup if the newest is older than `every_hours`, then deletes those beyond `keep`. Returns the
/// new file.
fn back_up_if_due(
    store: &Store,
    settings: &BackupSettings,
    now: i64,
) -> Result<Option<PathBuf>, StoreError> {
    let folder = folder(settings, store.directory());
    std::fs::create_dir_all(&folder)?;
    let interval = i64::from(settings.every_hours) * HOUR_SECONDS;
    let known = backups(&folder)?;
    // The time is in the name, so copies and file systems' clocks do not matter. A backup from the future,
    // made while the clock was wrong, does not prevent a new one.
    let (oldest, newest) = (name_at(now - interval), name_at(now));
    let is_recent = |name: &String| *name > oldest && *name <= newest;
    if known.iter().any(is_recent) {
        return Ok(None);
    }
    back_up_now(store, settings, now).map(Some)
}

/// Makes a backup, then deletes the oldest ones beyond `keep`. Returns the new file.
pub fn back_up_now(
    store: &Store,
    settings: &BackupSettings,
    now: i64,
) -> Result<PathBuf, StoreError> {
    let folder = folder(settings, store.directory());
    std::fs::create_dir_all(&folder)?;
    let newest = name_at(now);
    let file = folder.join(&newest);
    store.back_up(&file)?;
    tracing::info!(file = %file.display(), "a backup was made");
    let mut names = backups(&folder)?;
    names.sort();
    let surplus = names.len().saturating_sub(settings.keep as usize);
    for name in names.iter().take(surplus).filter(|name| **name != newest) {
        std::fs::remove_file(folder.join(name))?;
    }
    carry_off(&settings.command, &file);
    Ok(file)
}

/// The folder for backups.
pub fn folder(settings: &BackupSettings, data: &Path) -> PathBuf {
    match settings.directory.as_str() {
        "" => data.join("backups"),
        directory => PathBuf::from(directory),
    }
}

/// The backups of a data directory, the newest first.
pub fn newest_first(settings: &BackupSettings, data: &Path) -> Vec<PathBuf> {
    let folder = folder(settings, data);
    let mut names = backups(&folder).unwrap_or_default();
    names.sort_by(|a, b| b.cmp(a));
    names.iter().map(|name| folder.join(name)).collect()
}

/// The time in a backup's name: `20261122T194500Z`.
pub fn made_at(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem.trim_start_matches(PREFIX).to_owned()
}

fn name_at(unix_seconds: i64) -> String {
    let stamp = clock::iso8601(unix_seconds).replace([':', '-'], "");
    format!("{PREFIX}{stamp}{SUFFIX}")
}

/// The names of the backups in a folder.
fn backups(folder: &Path) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) && name.len() == name_at(0).len() {
            names.push(name);
        }
    }
    Ok(names)
}

fn carry_off(command: &str, file: &Path) {
    if command.is_empty() {
        return;
    }
    match Command::new(command).arg(file).status() {
        Ok(status) if status.success() => {}
        Ok(status) => tracing::error!(%status, command, "the program for backups failed"),
        Err(cause) => tracing::error!(%cause, command, "the program for backups cannot be run"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreSettings;

    const NOW: i64 = 1_795_234_567;

    fn settings(folder: &Path) -> BackupSettings {
        BackupSettings {
            every_hours: 24,
            keep: 2,
            directory: folder.to_string_lossy().into_owned(),
            ..BackupSettings::default()
        }
    }

    #[test]
    fn backups_are_made_when_due_and_rotated() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data"), &StoreSettings::default()).unwrap();
        let settings = settings(&folder.path().join("backups"));
        let due = |now| back_up_if_due(&store, &settings, now).unwrap();
        let first = due(NOW).unwrap();
        assert!(due(NOW + 3_600).is_none());
        let second = due(NOW + 24 * HOUR_SECONDS).unwrap();
        assert!(first.exists() && second.exists());
        let third = due(NOW + 48 * HOUR_SECONDS).unwrap();
        assert!(!first.exists() && second.exists() && third.exists());
        // A clock that was set back neither prevents backups nor deletes the new one.
        let back = due(NOW - 48 * HOUR_SECONDS).unwrap();
        assert!(back.exists());
    }

    #[cfg(unix)]
    #[test]
    fn command_receives_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data"), &StoreSettings::default()).unwrap();
        let program = folder.path().join("carry");
        let taken = folder.path().join("taken.db");
        std::fs::write(
            &program,
            format!("#!/bin/sh\ncp \"$1\" {}\n", taken.display()),
        )
        .unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut settings = settings(&folder.path().join("backups"));
        settings.command = program.to_string_lossy().into_owned();
        let file = back_up_if_due(&store, &settings, NOW).unwrap().unwrap();
        assert_eq!(std::fs::read(taken).unwrap(), std::fs::read(file).unwrap());
    }
}
