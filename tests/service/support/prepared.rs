//! A data folder that holds the starter corpus, made once and copied, so that not every test indexes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

use citation::app::App;
use citation::clock::Clock;
use citation::config::Config;

/// Kept between runs of the same build of the tests.
static PREPARED: LazyLock<PathBuf> = LazyLock::new(|| {
    let folders = Path::new(env!("CARGO_TARGET_TMPDIR")).join("starter");
    let program = fs::metadata(std::env::current_exe().unwrap()).unwrap();
    let built = program.modified().unwrap().duration_since(UNIX_EPOCH);
    let prepared = folders.join(built.unwrap().as_nanos().to_string());
    if !prepared.exists() {
        let _ = fs::remove_dir_all(&folders);
        fs::create_dir_all(&folders).unwrap();
        let fresh = tempfile::tempdir_in(&folders).unwrap();
        let mut config = Config::default();
        config.data.dir = fresh.path().to_path_buf();
        let app = App::open_at(config, Clock::system()).unwrap();
        app.close();
        drop(app);
        // Another run of the same build may have been faster.
        let _ = fs::rename(fresh.path(), &prepared);
    }
    prepared
});

/// Fills an empty folder.
pub fn copy_to(folder: &Path) {
    copy(&PREPARED, folder);
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let copied = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&copied).unwrap();
            copy(&entry.path(), &copied);
        } else {
            fs::copy(entry.path(), &copied).unwrap();
        }
    }
}
