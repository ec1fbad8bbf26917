//! `citation references`: a manuscript in, its reference list and citations out.

use std::path::{Component, Path, PathBuf};

use clap::Args;

use super::{Failure, Global, Outcome, Status};
use crate::documents::{self, Document, Place};
use crate::model::budget::Budget;

#[derive(Debug, Args)]
pub struct References {
    /// Word, OpenDocument, TeX, Markdown, Typst, HTML, RTF or text; bibliographies and included files
    /// are looked for beside it
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print a JSON object a file
    #[arg(long)]
    jsonl: bool,
}

impl References {
    /// Ends with 1 where a file holds no reference.
    pub fn run(&self, global: &Global) -> Outcome {
        let mut status = Status::Done;
        for path in &self.files {
            let file = path.display().to_string();
            let fail = |cause: &dyn std::fmt::Display| Failure(format!("{file}: {cause}"));
            let bytes = std::fs::read(path).map_err(|cause| fail(&cause))?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let beside = |name: &str| read_beside(folder, name);
            let document = documents::read(&file, &bytes, &beside, &Budget::unlimited())
                .map_err(|cause| fail(&cause))?;
            if document.references.is_empty() {
                status = Status::Negative;
            }
            match self.jsonl || global.json {
                true => say!("{}", document.json(&file)),
                false => print(&file, &document),
            }
        }
        Ok(status)
    }
}

/// A file that a document names by a relative path.
pub fn read_beside(folder: &Path, name: &str) -> Option<Vec<u8>> {
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
        let place = position(file, &finding.place);
        say!("{place}: {} ({})", finding.message, finding.kind.as_str());
    }
}

/// `paper.tex:12`, `paper.docx, paragraph 3, note 1`
fn position(file: &str, place: &Place) -> String {
    let mut position = place.file.as_deref().unwrap_or(file).to_owned();
    if let Some(line) = place.line {
        position.push_str(&format!(":{line}"));
    }
    if let Some(paragraph) = place.paragraph {
        position.push_str(&format!(", paragraph {paragraph}"));
    }
    if let Some(note) = place.note {
        position.push_str(&format!(", note {note}"));
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_names_line_paragraph_and_note() {
        let check = |place: Place, expected: &str| assert_eq!(position("a.tex", &place), expected);
        check(Place::line(3), "a.tex:3");
        let note = Place {
            paragraph: Some(2),
            note: Some(1),
            ..Place::default()
        };
        check(note, "a.tex, paragraph 2, note 1");
    }

    #[test]
    fn companions_are_relative() {
        assert_eq!(read_beside(Path::new("."), "/etc/hostname"), None);
        assert!(read_beside(Path::new("."), "Cargo.toml").is_some());
    }
}
