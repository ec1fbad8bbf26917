//! The output of a command: a file or standard output.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, print};

#[derive(Debug, Args)]
pub struct Destination {
    /// The file to write (default, and for `-`: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Destination {
    /// The file that was named.
    pub fn file(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }

    pub fn write(&self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        match self.file() {
            Some(path) => std::fs::write(path, text)
                .map_err(|cause| Failure(format!("{}: {cause}", path.display()))),
            None => print(text),
        }
    }
}
