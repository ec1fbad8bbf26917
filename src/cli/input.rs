//! Input files or standard input; bibliography files parsed into items.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::{Failure, Status};
use citation_exchange::{self as exchange, Content, Format, Hints, Reading};
use citation_model::budget::Budget;
use citation_model::item::Item;

/// The named files; standard input if there is none and it is a pipe.
pub fn or_standard_input(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    match named {
        [] if std::io::stdin().is_terminal() => Err(Failure(
            "name a file, or pipe one in; --help shows examples".to_owned(),
        )),
        [] => Ok(vec![PathBuf::from("-")]),
        named => Ok(named.to_vec()),
    }
}

/// The bytes of a file; those of standard input for `-`.
pub fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    read.map_err(|cause| Failure(format!("{}: {cause}", file.display())))
}

/// The non-empty lines of a file, read on demand. Invalid UTF-8 becomes replacement characters; the
/// rest of the line is kept.
pub fn lines(file: &Path) -> Result<impl Iterator<Item = std::io::Result<String>>, Failure> {
    let source: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(|cause| {
            Failure(format!("{}: {cause}", file.display()))
        })?))
    };
    let texts = source.split(b'\n').map(|line| {
        line.map(|line| {
            String::from_utf8_lossy(&line)
                .trim_end_matches('\r')
                .to_owned()
        })
    });
    Ok(texts.filter(|line| !line.as_ref().is_ok_and(|line| line.trim().is_empty())))
}

/// Bibliography files and the options for reading them.
#[derive(Debug, Args)]
pub struct BibliographyInput {
    /// Bibliography files of any readable format, combined (default, and for `-`:
    /// standard input)
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of the files (default: detected)
    #[arg(short, long, value_name = "FORMAT", value_parser = one_of(Format::readable()))]
    from: Option<&'static Format>,
    /// The meaning of a table's columns if its header does not say: CSL variables, or type,
    /// citation-key, year, page-last; empty to skip a column
    #[arg(long, value_name = "NAME=VARIABLE,…", conflicts_with = "from")]
    columns: Option<String>,
    /// List every warning (default: the first of each kind, and how many more there are)
    #[arg(short, long)]
    verbose: bool,
}

impl BibliographyInput {
    /// Problems and warnings go to standard error, one per line; the outcome is
    /// negative if an entry cannot be read or is never closed, or if a file has none.
    pub fn read(&self) -> Result<(Vec<Item>, Status), Failure> {
        let mut items = Vec::new();
        let mut status = Status::Done;
        for ReadFile {
            name,
            format,
            reading,
        } in self.files()?
        {
            if report_problems(&name, format, &reading, self.verbose) == Status::Negative {
                status = Status::Negative;
            }
            items.extend(reading.items.into_iter().map(|read| read.item));
        }
        Ok((items, status))
    }

    /// The files, of which those of BibTeX share their strings and parents.
    fn files(&self) -> Result<Vec<ReadFile>, Failure> {
        let files = or_standard_input(&self.files)?;
        let bytes: Result<Vec<Vec<u8>>, Failure> = files.iter().map(|file| bytes(file)).collect();
        let bytes = bytes?;
        let mut read = Vec::new();
        let mut entries = Vec::new();
        for (file, bytes) in files.iter().zip(&bytes) {
            let name = file.display().to_string();
            let content = Content::new(bytes);
            let (format, reading) = self.reading(&name, &content)?;
            if matches!(format.id, "bibtex" | "biblatex") {
                entries.push((read.len(), content));
            }
            read.push(ReadFile {
                name,
                format,
                reading,
            });
        }
        if entries.len() > 1 {
            let contents: Vec<&Content<'_>> = entries.iter().map(|(_, content)| content).collect();
            let together = exchange::read_together(&contents, &Budget::unlimited())
                .map_err(|cause| Failure(cause.to_string()))?;
            for ((at, _), reading) in entries.iter().zip(together) {
                if let Some(file) = read.get_mut(*at) {
                    file.reading = reading;
                }
            }
            // A file that only has strings for the others is no mistake.
            read.retain(|file| file.reading.total > 0 || !file.reading.problems.is_empty());
        }
        Ok(read)
    }

    fn reading(
        &self,
        name: &str,
        content: &Content<'_>,
    ) -> Result<(&'static Format, Reading), Failure> {
        let budget = Budget::unlimited();
        let failed = |cause: &dyn Display| Failure(format!("{name}: {cause}"));
        if let Some(columns) = &self.columns {
            let reading = exchange::read_table(content, columns, &budget)
                .map_err(|cause| failed(&cause))?
                .map_err(|fault| failed(&fault))?;
            return Ok((&exchange::CSV, reading));
        }
        let format = match self.from {
            Some(from) => from,
            None => recognise(name, content)?.ok_or_else(|| {
                let ids: Vec<&str> = Format::readable().map(|format| format.id).collect();
                Failure(format!(
                    "{name} has none of the readable formats; name one with --from: {}",
                    ids.join(", ")
                ))
            })?,
        };
        let reading = exchange::read(content, format, &budget).map_err(|cause| failed(&cause))?;
        Ok((format, reading))
    }
}

/// A file and what is in it.
struct ReadFile {
    name: String,
    format: &'static Format,
    reading: Reading,
}

/// Prints the problems of a file and returns its outcome. Of warnings with the same code, the first is printed and
/// the others are counted, unless all are wanted.
fn report_problems(name: &str, format: &Format, reading: &Reading, verbose: bool) -> Status {
    let mut status = Status::Done;
    let mut more: Vec<(&str, usize)> = Vec::new();
    for problem in &reading.problems {
        if problem.is_loss() {
            status = Status::Negative;
        } else if let Some((_, count)) = more.iter_mut().find(|(code, _)| *code == problem.code) {
            *count += 1;
            if !verbose {
                continue;
            }
        } else {
            more.push((problem.code, 0));
        }
        tell!(
            "{name}:{}:{}: {} ({})",
            problem.line,
            problem.column,
            problem.message,
            problem.code
        );
    }
    for (code, count) in more.into_iter().filter(|(_, count)| *count > 0 && !verbose) {
        tell!("{name}: {count} more of {code}; --verbose lists them");
    }
    if reading.total == 0 {
        status = Status::Negative;
        tell!("{name} contains no record of {}", format.title);
    }
    status
}

/// The format of a file; `None` for plain text.
pub fn recognise(name: &str, content: &Content<'_>) -> Result<Option<&'static Format>, Failure> {
    let hints = Hints {
        file_name: Some(name),
        ..Hints::default()
    };
    exchange::recognise(content, hints, &Budget::unlimited())
        .map_err(|cause| Failure(format!("{name}: {cause}")))?
        .map_err(|unreadable| Failure(format!("{name}: {unreadable}")))
}

/// Accepts the id or a file extension of one of these formats.
pub(super) fn one_of(
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
    PossibleValuesParser::new(values).try_map(|name| Format::named(&name).ok_or("unknown format"))
}
