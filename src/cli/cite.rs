//! `citation cite`: a manuscript in, the same with its citations set and its bibliography out.

use std::path::{Path, PathBuf};

use clap::Args;

use super::manuscript::{self, LocalSources};
use super::{Failure, Global, Outcome, Status, open, print};
use citation_citing as citing;
use citation_model::budget::Budget;

#[derive(Debug, Args)]
pub struct Cite {
    /// A manuscript in Markdown, TeX, Typst or HTML, in UTF-8
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write, in the language of the manuscript; without it, standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The style instead of the manuscript's own: short name, address, or a .csl file
    #[arg(long)]
    style: Option<String>,
    /// Ask no provider for works that are cited by identifier
    #[arg(long)]
    local_only: bool,
}

impl Cite {
    /// Ends with 1 where the manuscript cites what nothing is known of.
    pub fn run(self, global: &Global) -> Outcome {
        let manuscript = manuscript::read(&self.file)?;
        let fail =
            |cause: &dyn std::fmt::Display| Failure(format!("{}: {cause}", self.file.display()));
        let text = std::str::from_utf8(&manuscript.bytes).map_err(|cause| fail(&cause))?;
        let (mark, text) = match text.strip_prefix('\u{feff}') {
            Some(rest) => ("\u{feff}", rest),
            None => ("", text),
        };
        let folder = self.file.parent().unwrap_or(Path::new("")).to_owned();
        let sources = LocalSources::new(
            open::overrides(global),
            folder,
            self.local_only,
            self.style.clone(),
        )?;
        let set = citing::cite(text, &manuscript.document, &sources, &Budget::unlimited());
        sources.close();
        let set = set.map_err(|cause| fail(&cause))?;
        let text = format!("{mark}{}", set.text);
        match &self.output {
            Some(path) => std::fs::write(path, text)
                .map_err(|cause| Failure(format!("{}: {cause}", path.display())))?,
            None => print(&text)?,
        }
        for key in &set.unknown {
            eprintln!("{}: no work is known of “{key}”", self.file.display());
        }
        Ok(match set.unknown.is_empty() {
            true => Status::Done,
            false => Status::Negative,
        })
    }
}
