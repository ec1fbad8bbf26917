//! `citation convert`: converts a bibliography file to another format.

use clap::Args;

use super::input::{BibliographyInput, one_of};
use super::output::{Destination, format_of, written};
use super::{Failure, Outcome};
use citation_exchange::{Format, WriteOptions};

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
        self.destination.write(written(&items, to, &options)?)?;
        Ok(status)
    }

    fn format(&self) -> Result<&'static Format, Failure> {
        let format = format_of(self.to, self.destination.file())?;
        format.ok_or_else(|| Failure("name the format to write with --to".to_owned()))
    }
}
