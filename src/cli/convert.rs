//! `citation convert`: converts a bibliography file to another format.

use clap::Args;

use super::input::{BibliographyInput, one_of};
use super::output::Destination;
use super::{Failure, Outcome};
use citation_exchange::{self as exchange, Format, WriteOptions};
use citation_model::budget::Budget;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation convert library.ris -o library.bib
  citation convert a.bib b.bib --to csl-json > items.json
  citation convert - --from ris --to biblatex < export.txt")]
pub struct ConvertCommand {
    #[command(flatten)]
    input: BibliographyInput,
    /// The format to write (default: that of the extension of --output)
    #[arg(short, long, value_name = "FORMAT", value_parser = one_of(Format::writable()))]
    to: Option<&'static Format>,
    #[command(flatten)]
    destination: Destination,
    /// Write LaTeX commands instead of non-ASCII characters (BibTeX and biblatex)
    #[arg(long)]
    latex: bool,
}

impl ConvertCommand {
    /// Exits with 1 if an entry cannot be read or is never closed, or if there is none; the entries
    /// read are still written.
    pub fn run(&self) -> Outcome {
        let to = self.format()?;
        let (items, status) = self.input.read()?;
        let options = WriteOptions { latex: self.latex };
        for change in exchange::changed_keys(&items, to, &options) {
            eprintln!(
                "the key “{}” is written as “{}” (changed_key)",
                change.from, change.to
            );
        }
        let text = exchange::write(&items, to, &options, &Budget::unlimited())
            .map_err(|cause| Failure(cause.to_string()))?;
        self.destination.write(&text)?;
        Ok(status)
    }

    fn format(&self) -> Result<&'static Format, Failure> {
        let ending = self.destination.file().and_then(|file| file.extension());
        match (self.to, ending.map(|ending| ending.to_string_lossy())) {
            (Some(format), _) => Ok(format),
            (None, None) => Err(Failure("name the format to write with --to".to_owned())),
            (None, Some(ending)) => Format::writable()
                .find(|format| format.extensions.contains(&&*ending))
                .ok_or_else(|| {
                    Failure(format!(
                        "no format has the extension .{ending}; name one with --to"
                    ))
                }),
        }
    }
}
