//! `citation collect`: writes a bibliography of every work that manuscripts cite.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;

use super::input::one_of;
use super::manuscript::{self, LocalSources};
use super::{Failure, Global, Outcome, Status, open, print};
use citation_citing::{self as citing, Collected};
use citation_exchange::{self as exchange, BIBLATEX, Format, WriteOptions};
use citation_model::budget::Budget;

/// How often `--watch` checks the files.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub struct CollectCommand {
    /// Manuscripts: Markdown, TeX, Typst, Word, OpenDocument, HTML, RTF or text
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The bibliography to write, in the format of its extension (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format to write (default: that of the extension, else biblatex)
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::writable()))]
    to: Option<&'static Format>,
    /// Ask no provider
    #[arg(long)]
    local_only: bool,
    /// Write again whenever a manuscript or a file that it names changes
    #[arg(long, requires = "output")]
    watch: bool,
}

impl CollectCommand {
    /// Exits with 1 if a work is missing; the works found are still written.
    pub fn run(&self, global: &Global) -> Outcome {
        let mut seen = Vec::new();
        let status = self.write(global, &mut seen)?;
        if !self.watch {
            return Ok(status);
        }
        loop {
            let before: Vec<Option<SystemTime>> = seen.iter().map(|path| changed(path)).collect();
            while seen
                .iter()
                .map(|path| changed(path))
                .eq(before.iter().copied())
            {
                std::thread::sleep(WATCH_INTERVAL);
            }
            // A file that is being saved may be missing for a moment.
            if let Err(Failure(cause)) = self.write(global, &mut seen) {
                eprintln!("citation: {cause}");
            }
        }
    }

    /// Collects and writes once; adds the files read to `seen`.
    fn write(&self, global: &Global, seen: &mut Vec<PathBuf>) -> Outcome {
        let mut all = Collected::default();
        seen.clear();
        seen.extend(self.files.iter().cloned());
        for path in &self.files {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let manuscript = manuscript::read(path)?;
            seen.extend(manuscript.companions);
            let sources =
                LocalSources::new(open::overrides(global), folder, self.local_only, None)?;
            let found = citing::collect(&manuscript.document, &sources);
            sources.close();
            for item in found.items {
                if item.id.is_empty() || !all.items.iter().any(|known| known.id == item.id) {
                    all.items.push(item);
                }
            }
            for name in found.missing {
                eprintln!("{}: no work is known of “{name}”", path.display());
                all.missing.push(name);
            }
        }
        let format = self.format()?;
        let options = WriteOptions::default();
        for changed in exchange::changed_keys(&all.items, format, &options) {
            eprintln!(
                "the key “{}” is written as “{}” (changed_key)",
                changed.from, changed.to
            );
        }
        let text = exchange::write(&all.items, format, &options, &Budget::unlimited())?;
        match &self.output {
            Some(path) => std::fs::write(path, text)
                .map_err(|cause| Failure(format!("{}: {cause}", path.display())))?,
            None => print(&text)?,
        }
        Ok(match all.missing.is_empty() {
            true => Status::Done,
            false => Status::Negative,
        })
    }

    fn format(&self) -> Result<&'static Format, Failure> {
        let ending = self.output.as_ref().and_then(|path| path.extension());
        match (self.to, ending.map(|ending| ending.to_string_lossy())) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(&BIBLATEX),
            (None, Some(ending)) if ending == "bib" => Ok(&BIBLATEX),
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

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}
