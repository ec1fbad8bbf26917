//! A bibliography file named on the command line, read into items.

use std::io::Read;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::{Failure, Status};
use crate::exchange::{self, Content, Format, Hints};
use crate::model::budget::Budget;
use crate::model::item::Item;

/// Reads a file, or standard input for `-`. What could not be read, and what is odd, is told on
/// standard error, a line each; the status is negative where an entry could not be read, or was
/// never closed, and where there is none at all.
pub fn read_items(
    path: &Path,
    from: Option<&'static Format>,
) -> Result<(Vec<Item>, Status), Failure> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(path).map_err(|cause| Failure(format!("{name}: {cause}")))?;
    }
    let content = Content::new(&bytes);
    let format = match from {
        Some(from) => from,
        None => recognise(&name, &content)?.ok_or_else(|| {
            let ids: Vec<&str> = Format::readable().map(|format| format.id).collect();
            Failure(format!(
                "{name} looks like none of the formats that are read; --from names one of {}",
                ids.join(", ")
            ))
        })?,
    };
    let reading = exchange::read(&content, format, &Budget::unlimited())
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
        eprintln!("{name} holds no record of {}", format.title);
    }
    let items = reading.items.into_iter().map(|read| read.item).collect();
    Ok((items, status))
}

/// The format of a file; nothing for plain text.
pub fn recognise(name: &str, content: &Content<'_>) -> Result<Option<&'static Format>, Failure> {
    let hints = Hints {
        file_name: Some(name),
        ..Hints::default()
    };
    exchange::recognise(content, hints)
        .map_err(|unreadable| Failure(format!("{name}: {unreadable}")))
}

/// Takes the id of one of these formats, or a file ending that means it.
pub fn one_of(
    formats: impl Iterator<Item = &'static Format>,
) -> impl TypedValueParser<Value = &'static Format> {
    let values = formats.map(|format| {
        let endings = format.extensions.iter().copied();
        let own =
            endings.filter(|ending| *ending != format.id && Format::named(ending) == Some(format));
        PossibleValue::new(format.id)
            .help(format.title)
            .aliases(own)
    });
    let values: Vec<PossibleValue> = values.collect();
    PossibleValuesParser::new(values)
        .try_map(|name| Format::named(&name).ok_or("there is no such format"))
}
