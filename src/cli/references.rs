//! `citation references`: prints the reference list and the citations of a manuscript.

use std::path::{Component, Path, PathBuf};

use clap::Args;

use super::position::FilePosition;
use super::project::Project;
use super::{Global, Outcome, Status, terminal};
use citation_documents::Document;

#[derive(Debug, Args)]
pub struct ReferencesCommand {
    /// PDF, Word, OpenDocument, TeX, Markdown, Typst, HTML, RTF or text, or the folder of a manuscript;
    /// bibliographies and included files are read from the same folder
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
            let mut project = Project::find(path, None)?;
            let document = project.read()?.document;
            let file = project.main.display().to_string();
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
pub(super) fn read_sibling(folder: &Path, name: &str) -> Option<Vec<u8>> {
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
    if let Some(naming) = document.naming {
        say!("{file}: the document names no bibliography; {naming} names one");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_relative() {
        assert_eq!(read_sibling(Path::new("."), "/etc/hostname"), None);
        assert!(read_sibling(Path::new("."), "Cargo.toml").is_some());
    }
}
