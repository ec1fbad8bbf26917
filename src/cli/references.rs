//! `citation references`: prints the reference list and the citations of a manuscript.

use std::path::{Component, Path, PathBuf};

use clap::Args;

use super::position::FilePosition;
use super::{Failure, Global, Outcome, Status, terminal};
use crate::manuscript;
use citation_documents::Document;
use citation_model::budget::Budget;

#[derive(Debug, Args)]
pub struct ReferencesCommand {
    /// PDF, Word, OpenDocument, TeX, Markdown, Typst, HTML, RTF or text; bibliographies and included files
    /// are read from the same folder
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print a JSON object per file
    #[arg(long)]
    jsonl: bool,
}

impl ReferencesCommand {
    /// Exits with 1 if a file contains no reference.
    pub fn run(&self, global: &Global) -> Outcome {
        let mut status = Status::Done;
        for path in &self.files {
            let file = path.display().to_string();
            let fail = |cause: &dyn std::fmt::Display| Failure::of_file(&file, cause);
            let bytes = std::fs::read(path).map_err(|cause| fail(&cause))?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let beside = |name: &str| read_beside(folder, name);
            let document = manuscript::read(&file, &bytes, &beside, &Budget::unlimited())
                .map_err(|cause| fail(&cause))?;
            if document.references.is_empty() {
                status = Status::Negative;
            }
            if self.jsonl || global.json {
                terminal::print_json(&document.json(&file))
            } else {
                print(&file, &document)
            }
        }
        Ok(status)
    }
}

/// A file that a document names by a relative path.
pub(super) fn read_beside(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let is_relative = |part: Component<'_>| {
        matches!(
            part,
            Component::Normal(_) | Component::CurDir | Component::ParentDir
        )
    };
    let path = Path::new(name);
    let path = (path.components().all(is_relative)).then(|| folder.join(path))?;
    path.is_file().then(|| std::fs::read(path).ok())?
}

fn print(file: &str, document: &Document) {
    let cited = document.citations.len();
    let references = document.references.len();
    say!("{file}: {references} references, {cited} citations marked");
    for (n, reference) in document.references.iter().enumerate() {
        let key = match &reference.key {
            Some(key) => format!(" [{key}]"),
            None => String::new(),
        };
        say!("{:>4}.{key} {}", n + 1, reference.text);
    }
    for finding in &document.findings {
        let place = FilePosition::in_document(file, &finding.place);
        say!("{place}: {} ({})", finding.message, finding.kind.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_relative() {
        assert_eq!(read_beside(Path::new("."), "/etc/hostname"), None);
        assert!(read_beside(Path::new("."), "Cargo.toml").is_some());
    }
}
