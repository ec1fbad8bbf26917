//! A bibliography file named on the command line, read into items.

use std::io::Read;
use std::path::Path;

use super::{Failure, Status};
use crate::exchange::{self, Format};
use crate::model::budget::Budget;
use crate::model::item::Item;

/// Reads a file, or standard input for `-`. What could not be read, and what is odd, is told on
/// standard error, a line each; the status is negative where an entry could not be read, or was
/// never closed, and where there is none at all.
pub fn read_items(path: &Path, from: Option<&str>) -> Result<(Vec<Item>, Status), Failure> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(path).map_err(|cause| Failure(format!("{name}: {cause}")))?;
    }
    let (text, _) = exchange::decode(&bytes);
    let format = match from {
        Some(from) => format_named(from)?,
        None => exchange::detect(Some(&name), &text).ok_or_else(|| {
            Failure(format!(
                "{name} is neither BibTeX, RIS nor CSL-JSON; --from names the format"
            ))
        })?,
    };
    let reading = exchange::read(&text, format, &Budget::unlimited())
        .map_err(|cause| Failure(format!("{name}: {cause}")))?;
    let mut status = Status::Done;
    for problem in &reading.problems {
        if problem.is_loss() {
            status = Status::Negative;
        }
        eprintln!(
            "{name}:{}:{}: {} ({})",
            problem.line, problem.column, problem.message, problem.code
        );
    }
    if reading.total == 0 {
        status = Status::Negative;
        eprintln!("{name} holds no record of {}", format.name());
    }
    let items = reading.items.into_iter().map(|read| read.item).collect();
    Ok((items, status))
}

/// The format of that name.
fn format_named(name: &str) -> Result<Format, Failure> {
    Format::parse(name).ok_or_else(|| {
        Failure(format!(
            "“{name}” is no format; there are bibtex, biblatex, ris and csl-json"
        ))
    })
}
