//! `citation cite`: formats the citations of a manuscript and inserts its bibliography.

use std::path::{Path, PathBuf};

use clap::Args;

use super::manuscript::{self, LocalSources};
use super::output::Destination;
use super::position::FilePosition;
use super::{Failure, Global, Outcome, Status, open};
use citation_citing::{self as citing, CitingError, IncompleteList, Word, WordOptions};
use citation_documents::{FieldHandling, ManuscriptFormat, PlacedText};
use citation_model::budget::Budget;

#[derive(Debug, Args)]
pub struct CiteCommand {
    /// A manuscript in Markdown, TeX, Typst or HTML, in UTF-8, or a .docx
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    output: Destination,
    /// The style instead of the manuscript's own: short name, address, or a .csl file
    #[arg(long)]
    style: Option<String>,
    /// A bibliography in addition to those that the manuscript names; may be given several times
    #[arg(long, value_name = "FILE")]
    bibliography: Vec<String>,
    /// In a .docx, keep the fields of Zotero, Mendeley, EndNote and Word and change only their texts and Zotero's style
    #[arg(long)]
    keep_fields: bool,
    /// In a .docx, replace the reference list even if fields cite works that cannot be read or are not known, which
    /// the new list lacks
    #[arg(long)]
    replace_list: bool,
    /// Ask no provider for works that are cited by identifier
    #[arg(long)]
    local_only: bool,
}

impl CiteCommand {
    /// Exits with 1 if the manuscript cites an unknown work.
    pub fn run(self, global: &Global) -> Outcome {
        let file = self.file.display().to_string();
        let folder = self.file.parent().unwrap_or(Path::new("")).to_owned();
        let sources = LocalSources::new(
            open::overrides(global),
            folder,
            self.local_only,
            self.style.clone(),
        )?;
        let set = self.set(&sources);
        sources.close();
        let set = set?;
        self.output.write(&set.bytes)?;
        for key in &set.unknown {
            eprintln!("{file}: no work is known of “{key}”");
        }
        say_places(
            &file,
            &set.left,
            "is in a place where it cannot be replaced",
        );
        say_places(&file, &set.unread, UNREAD);
        say_places(
            &file,
            &set.by_hand,
            "is not in the form of a style, and stays as it is",
        );
        let is_whole = set.unknown.is_empty() && set.left.is_empty() && set.unread.is_empty();
        Ok(match is_whole {
            true => Status::Done,
            false => Status::Negative,
        })
    }

    fn set(&self, sources: &LocalSources) -> Result<Word, Failure> {
        let file = self.file.display().to_string();
        let fail = |cause: &dyn std::fmt::Display| Failure::of_file(&file, cause);
        let manuscript = manuscript::read(&self.file)?;
        let named = { self.bibliography.iter() }
            .map(|name| Ok(std::path::absolute(name)?.display().to_string()))
            .collect::<Result<Vec<String>, Failure>>()?;
        let budget = Budget::unlimited();
        if manuscript.document.format == ManuscriptFormat::Docx {
            let fields = match self.keep_fields {
                true => FieldHandling::Keep,
                false => FieldHandling::Replace,
            };
            let options = WordOptions {
                fields,
                incomplete_list: match self.replace_list {
                    true => IncompleteList::Replace,
                    false => IncompleteList::Refuse,
                },
            };
            let set = citing::cite_word(&manuscript.bytes, &named, options, sources, &budget);
            if let Err(CitingError::IncompleteList(fields)) = &set {
                say_places(&file, fields, UNREAD);
            }
            return set.map_err(|cause| match cause {
                CitingError::IncompleteList(_) => {
                    fail(&format!("{cause}; --replace-list replaces it without them"))
                }
                cause => fail(&cause),
            });
        }
        if matches!(
            manuscript.document.format,
            ManuscriptFormat::Odt | ManuscriptFormat::Pdf
        ) {
            return Err(fail(&CitingError::NoMarkers));
        }
        let text = std::str::from_utf8(&manuscript.bytes).map_err(|cause| fail(&cause))?;
        let (mark, text) = match text.strip_prefix('\u{feff}') {
            Some(rest) => ("\u{feff}", rest),
            None => ("", text),
        };
        let set = citing::cite(text, &manuscript.document, &named, sources, &budget);
        let set = set.map_err(|cause| fail(&cause))?;
        Ok(Word {
            bytes: format!("{mark}{}", set.text).into_bytes(),
            unknown: set.unknown,
            ..Word::default()
        })
    }
}

const UNREAD: &str = "is a field whose works cannot be read or are not known, and stays as it is";

fn say_places(file: &str, texts: &[PlacedText], what: &str) {
    for PlacedText { place, text } in texts {
        let place = FilePosition::in_document(file, place);
        eprintln!("{place}: “{text}” {what}");
    }
}
