//! `--fix`: corrects in files what verification knows to be wrong, and changes nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::published;
use super::read::ReferenceJob;
use super::reported;
use crate::cli::position::FilePosition;
use crate::cli::{Failure, terminal};
use crate::clock;
use crate::lookup::corrections::corrections;
use crate::lookup::verify::Verification;
use citation_documents::{self as documents, DocumentError, ManuscriptFormat, Revision, Signature};
use citation_exchange::correction::{Corrected, Correction, EntryCorrections, correct_bibtex};
use citation_model::budget::Budget;

/// The corrections.
#[derive(Debug)]
pub struct Fixes {
    by_file: BTreeMap<String, Vec<Fix>>,
    /// Whether preprints are replaced by their published versions.
    is_published_wanted: bool,
}

/// A reference and its errors.
#[derive(Debug)]
struct Fix {
    position: FilePosition,
    text: String,
    corrections: Vec<Correction>,
    /// The message about it; `None` if it is verified.
    said: Option<String>,
}

/// The author of tracked changes.
const AUTHOR: &str = "Citation";

impl Fixes {
    /// No corrections yet; with `is_published_wanted` preprints become their published versions.
    pub fn new(is_published_wanted: bool) -> Fixes {
        Fixes {
            by_file: BTreeMap::new(),
            is_published_wanted,
        }
    }

    pub fn add(&mut self, job: &ReferenceJob, verification: &Verification) {
        let fixes = self.by_file.entry(job.position.file.clone()).or_default();
        let published = if self.is_published_wanted {
            published::only_version(verification)
        } else {
            None
        };
        let corrections = match published {
            Some(item) => published::corrections(&job.given.reference, item),
            None => corrections(&job.given, verification),
        };
        if let Some(item) = published.filter(|_| corrections.is_empty()) {
            let (position, message) = (&job.position, published::message(item));
            tell!(
                "{position}: {message}; not replaced, because the reference and that version have other fields"
            );
        }
        fixes.push(Fix {
            position: job.position.clone(),
            text: job.label.clone(),
            corrections,
            said: { reported::verdict_message(verification) }
                .or_else(|| published.map(published::message)),
        });
    }

    /// Shows the changes of each file, and writes them to it, or to `out`.
    pub fn write(&self, files: &[PathBuf], out: Option<&Path>) -> Result<(), Failure> {
        for (file, fixes) in &self.by_file {
            let path = Path::new(file);
            let fail = |cause: &dyn std::fmt::Display| Failure::of_file(file, cause);
            let is_named = files.iter().any(|named| named == path) && file != "-";
            if is_named && format(path) == Some(ManuscriptFormat::Docx) {
                revise(path, fixes, out).map_err(|Failure(cause)| fail(&cause))?;
                continue;
            }
            let count: usize = fixes.iter().map(|fix| fix.corrections.len()).sum();
            if count == 0 {
                continue;
            }
            if !is_named {
                tell!("{file}: {count} corrections left out; name the file to have it corrected");
                continue;
            }
            let bytes = std::fs::read(path).map_err(|cause| fail(&cause))?;
            let Ok(text) = String::from_utf8(bytes) else {
                tell!("{file}: not corrected, because it is not UTF-8");
                continue;
            };
            let corrected = correct(path, &text, fixes).map_err(|cause| fail(&cause))?;
            let Some(corrected) = corrected else {
                tell!(
                    "{file}: not corrected; supported are .bib, TeX, Markdown, Typst, HTML and .docx"
                );
                continue;
            };
            for left in &corrected.left_out {
                for Correction {
                    field,
                    given,
                    found,
                } in &left.corrections
                {
                    let line = left.line;
                    tell!(
                        "{file}:{line}: {field}: “{found}” for “{given}” is left to you, because its position is not certain"
                    );
                }
            }
            terminal::print_source(&diff(file, &text, &corrected.text));
            std::fs::write(out.unwrap_or(path), &corrected.text).map_err(|cause| fail(&cause))?;
        }
        Ok(())
    }
}

fn format(path: &Path) -> Option<ManuscriptFormat> {
    ManuscriptFormat::of_extension(&path.extension()?.to_string_lossy())
}

/// `None` if files of this kind cannot be corrected.
fn correct(
    path: &Path,
    text: &str,
    fixes: &[Fix],
) -> Result<Option<Corrected>, citation_model::budget::Exceeded> {
    let budget = Budget::unlimited();
    let entry = |fix: &Fix| {
        Some(EntryCorrections {
            line: fix.position.line?,
            corrections: fix.corrections.clone(),
        })
    };
    let entries: Vec<EntryCorrections> = fixes.iter().filter_map(entry).collect();
    if path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("bib"))
    {
        return correct_bibtex(text, &entries, &budget).map(Some);
    }
    match format(path) {
        Some(
            format @ (ManuscriptFormat::Tex
            | ManuscriptFormat::Markdown
            | ManuscriptFormat::Typst
            | ManuscriptFormat::Html),
        ) => documents::correct(text, format, &entries, &budget).map(Some),
        _ => Ok(None),
    }
}

/// Writes a copy with tracked changes and comments for the author to decide.
fn revise(path: &Path, fixes: &[Fix], out: Option<&Path>) -> Result<(), Failure> {
    let Some(out) = out else {
        return Err(Failure(
            "corrections are tracked changes in a copy; name the copy with --output".to_owned(),
        ));
    };
    let revision = |fix: &Fix| {
        Some(Revision {
            place: documents::Place {
                paragraph: fix.position.paragraph,
                note: fix.position.note,
                ..documents::Place::default()
            },
            text: fix.text.clone(),
            corrections: fix.corrections.clone(),
            comment: fix.said.clone()?,
        })
    };
    let revisions: Vec<Revision> = fixes.iter().filter_map(revision).collect();
    let fail = |cause: DocumentError| Failure(cause.to_string());
    let signature = Signature {
        author: AUTHOR,
        date: &clock::iso8601(clock::unix_now()),
    };
    let bytes = std::fs::read(path)?;
    let revised =
        documents::revise(&bytes, &revisions, signature, &Budget::unlimited()).map_err(fail)?;
    say!("--- {}", path.display());
    say!("+++ {}", out.display());
    for change in &revised.changes {
        let documents::TrackedChange {
            paragraph,
            old,
            new,
        } = change;
        say!("@@ paragraph {paragraph} @@");
        say!("-{old}");
        say!("+{new}");
    }
    for paragraph in &revised.comments {
        say!("@@ paragraph {paragraph} @@");
        say!("# comment");
    }
    Ok(std::fs::write(out, revised.bytes)?)
}

/// The changed lines, as a unified diff without context. A correction never adds a line.
fn diff(file: &str, before: &str, after: &str) -> String {
    let mut diff = format!("--- {file}\n+++ {file}");
    for (n, (old, new)) in before.lines().zip(after.lines()).enumerate() {
        if old != new {
            diff.push_str(&format!("\n@@ -{0} +{0} @@\n-{old}\n+{new}", n + 1));
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diff_shows_the_lines_that_differ() {
        assert_eq!(
            diff("a", "x\ny\nz\n", "x\nw\nz\n"),
            "--- a\n+++ a\n@@ -2 +2 @@\n-y\n+w"
        );
    }
}
