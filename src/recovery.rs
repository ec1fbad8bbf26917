//! Recovery of a damaged database from the newest sound backup: by `citation restore` or, with
//! `backup.recover = "automatic"`, when a server starts. The damaged files are kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::{self, AppError};
use crate::backups;
use crate::clock;
use crate::config::{Config, Recover};
use crate::quota::JOURNAL_FOLDER;
use crate::quota::journal::{Journal, JournalError};
use crate::store::audit::Event;
use crate::store::restore::{self, Restored};
use crate::store::{Store, StoreError};

/// How long a start waits at most for the check of the database. The users' tables are checked first and take
/// a fraction of it.
const CHECK_TIME: Duration = Duration::from_secs(30);

/// Why a backup could not be restored, or a server not start.
#[derive(Debug, thiserror::Error)]
pub enum RecoveryError {
    #[error(transparent)]
    App(#[from] AppError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(
        "{0}. The server would do so by itself, but there is no sound backup in the folder for them"
    )]
    NoBackup(StoreError),
    #[error(
        "{damage}. The newest sound backup is of {made_at}: `citation restore {}` puts it in place and keeps \
         the damaged files; what was written since then is not in it. With backup.recover = \"automatic\" \
         the server does so by itself",
        file.display()
    )]
    Damaged {
        damage: StoreError,
        file: PathBuf,
        made_at: String,
    },
}

/// Opens the database for a server. With [`Recover::Automatic`] checks it first, and replaces it if it is
/// damaged.
pub fn open_store(config: &Config) -> Result<Arc<Store>, RecoveryError> {
    let is_automatic = config.backup.recover == Recover::Automatic && !config.data.read_only;
    match open_checked(config, is_automatic) {
        Err(damage @ StoreError::Corrupt(_)) if is_automatic => recover(config, damage),
        Err(damage @ StoreError::Corrupt(_)) => Err(explained(config, damage)),
        opened => Ok(opened?),
    }
}

fn open_checked(config: &Config, is_automatic: bool) -> Result<Arc<Store>, StoreError> {
    let store = app::open_store(config)?;
    if is_automatic {
        store.check(Instant::now() + CHECK_TIME)?;
        if let Some(damage) = store.condition().damaged {
            return Err(damage);
        }
    }
    Ok(store)
}

/// The damage, and the backup that would replace the database.
pub fn explained(config: &Config, damage: StoreError) -> RecoveryError {
    match newest_sound(config) {
        Some(file) => RecoveryError::Damaged {
            damage,
            made_at: backups::made_at(&file),
            file,
        },
        None => damage.into(),
    }
}

/// The newest scheduled backup that can be restored.
pub fn newest_sound(config: &Config) -> Option<PathBuf> {
    let files = backups::newest_first(&config.backup, &config.data.dir);
    files.into_iter().find(|file| restore::check(file).is_ok())
}

fn recover(config: &Config, damage: StoreError) -> Result<Arc<Store>, RecoveryError> {
    let Some(file) = newest_sound(config) else {
        return Err(RecoveryError::NoBackup(damage));
    };
    let restored = put_back(&file, &config.data.dir)?;
    let made_at = backups::made_at(&file);
    let kept = restored.kept.unwrap_or_default();
    let (file, kept) = (file.display(), kept.display());
    tracing::error!(
        %damage, %file, %kept,
        "the backup of {made_at} was put in the place of a damaged database: what was written since \
         then is not in it; the damaged files are kept"
    );
    let store = app::open_store(config)?;
    let event = Event::new(clock::unix_now(), "server", "database_recovered");
    store.record(&event.with(format!(
        "by the backup of {made_at}, {file}; {damage}; damaged files in {kept}"
    )))?;
    Ok(store)
}

/// Replaces the database by a backup, and keeps the old files. Fails while a server is running.
pub fn put_back(file: &Path, directory: &Path) -> Result<Restored, RecoveryError> {
    // The lock on the journal shows that no server runs. It is released before the folder is moved.
    let journal = directory.join(JOURNAL_FOLDER);
    if journal.exists() {
        drop(Journal::open(&journal)?);
    }
    let stamp = clock::iso8601(clock::unix_now()).replace([':', '-'], "");
    Ok(restore::restore(file, directory, &stamp)?)
}
