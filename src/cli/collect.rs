//! `citation collect`: writes a bibliography of every work that manuscripts cite.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;

use super::input::one_of;
use super::manuscript::LocalSources;
use super::output::{format_of, written};
use super::position::FilePosition;
use super::project::Project;
use super::{Failure, Global, Outcome, Status, open, terminal};
use citation_citing::{self as citing, Collected};
use citation_exchange::{BIBLATEX, Format, WriteOptions};
use citation_model::budget::Budget;

/// How often `--watch` checks the files.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub struct CollectCommand {
    /// Manuscripts: Markdown, TeX, Typst, Word, OpenDocument, HTML, RTF or text, or their folders
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
                terminal::tell_failure(&cause);
            }
        }
    }

    /// Collects and writes once; adds the files read to `seen`.
    fn write(&self, global: &Global, seen: &mut Vec<PathBuf>) -> Outcome {
        let mut all = Collected::default();
        seen.clear();
        seen.extend(self.files.iter().cloned());
        for path in &self.files {
            let mut project = Project::find(path, None)?;
            let manuscript = project.read()?;
            seen.extend(manuscript.companions);
            seen.push(project.main.clone());
            let overrides = open::overrides(global);
            let sources = LocalSources::new(overrides, project.base, self.local_only, None)?;
            let budget = Budget::unlimited();
            let found = citing::collect(&manuscript.document, &sources, &budget);
            sources.close();
            let file = project.main.display().to_string();
            let found = found.map_err(|cause| Failure::of_file(&file, &cause))?;
            for name in &found.missing {
                tell!("{file}: no work is known of “{name}”");
            }
            for finding in &found.unread {
                let place = FilePosition::in_document(&file, &finding.place);
                tell!("{place}: {}", finding.message);
            }
            let added = all.add(found, &budget);
            added.map_err(|cause| Failure::of_file(&file, &cause))?;
        }
        let format = self.format()?;
        let text = written(&all.items, format, &WriteOptions::default())?;
        match &self.output {
            Some(path) => std::fs::write(path, text)
                .map_err(|cause| Failure(format!("{}: {cause}", path.display())))?,
            None => terminal::print(&text)?,
        }
        Ok(if all.missing.is_empty() && all.unread.is_empty() {
            Status::Done
        } else {
            Status::Negative
        })
    }

    fn format(&self) -> Result<&'static Format, Failure> {
        let file = self.output.as_deref();
        // The extension of BibTeX's files is that of BibLaTeX's, too.
        let file = file.filter(|file| file.extension().is_none_or(|ending| ending != "bib"));
        Ok(format_of(self.to, file)?.unwrap_or(&BIBLATEX))
    }
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}
