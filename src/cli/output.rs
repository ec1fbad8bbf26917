//! The output of a command: a file or standard output.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, terminal::print};
use citation_exchange::{self as exchange, Format, WriteOptions};
use citation_model::budget::Budget;
use citation_model::inert::terminal;
use citation_model::item::Item;

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

/// The format to write: the one that was named, or the one of a file's extension. None without either.
pub fn format_of(
    named: Option<&'static Format>,
    file: Option<&Path>,
) -> Result<Option<&'static Format>, Failure> {
    let ending = file.and_then(|file| file.extension());
    let (None, Some(ending)) = (named, ending.map(|ending| ending.to_string_lossy())) else {
        return Ok(named);
    };
    match Format::writable().find(|format| format.extensions.contains(&&*ending)) {
        Some(format) => Ok(Some(format)),
        None => Err(Failure(format!(
            "no format has the extension .{ending}; name one with --to"
        ))),
    }
}

/// Items in a format. Tells which keys are written differently.
pub fn written(
    items: &[Item],
    format: &'static Format,
    options: &WriteOptions,
) -> Result<String, Failure> {
    for change in exchange::changed_keys(items, format, options) {
        tell!(
            "the key “{}” is written as “{}” (changed_key)",
            change.from,
            change.to
        );
    }
    let text = exchange::write(items, format, options, &Budget::unlimited())
        .map_err(|cause| Failure(cause.to_string()))?;
    let is_json = format.media_types.iter().any(|kind| kind.contains("json"));
    Ok(if is_json {
        terminal::json(&text).into_owned()
    } else {
        text
    })
}
