//! A file system of its own with so little space that it is soon full.

use std::path::{Path, PathBuf};
use std::process::Command;

pub struct TinyDisk(tempfile::TempDir);

impl TinyDisk {
    /// Nothing (and a printed line) where file systems may not be mounted.
    pub fn mount(kib: u32) -> Option<TinyDisk> {
        let directory = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={kib}k"), "tmpfs"])
            .arg(directory.path())
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(TinyDisk(directory));
        }
        println!("skipped: no file system can be mounted here");
        None
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    fn filling(&self) -> PathBuf {
        self.0.path().join("filling")
    }

    /// Takes all the space that is left.
    pub fn fill(&self) {
        let mut file = std::fs::File::create(self.filling()).unwrap();
        while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
    }

    /// Gives back what [`TinyDisk::fill`] took.
    pub fn free(&self) {
        std::fs::remove_file(self.filling()).unwrap();
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        // Whoever still has files open there keeps it until they are closed.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}
