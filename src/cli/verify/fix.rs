//! `--fix`: files with what verification knows to be wrong put right, and nothing else touched.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::read::Job;
use crate::cli::Failure;
use crate::lookup::verify::{Severity, Verdict, Verification};
use citation_documents as documents;
use citation_exchange::correction::{Corrected, Correction, correct_bibtex};
use citation_model::budget::Budget;

/// What is to be corrected, by file.
#[derive(Debug, Default)]
pub struct Fixes(BTreeMap<String, FileFixes>);

#[derive(Debug, Default)]
struct FileFixes {
    /// The lines on which references begin.
    lines: Vec<usize>,
    corrections: Vec<Correction>,
}

/// The fields that are corrected: facts of where a work was published, none of which says what work it is.
const FIELDS: [&str; 5] = ["year", "volume", "issue", "pages", "container_title"];

impl Fixes {
    pub fn add(&mut self, job: &Job, verification: &Verification) {
        let Some(line) = job.position.line else {
            return;
        };
        let fixes = self.0.entry(job.position.file.clone()).or_default();
        fixes.lines.push(line);
        fixes.corrections.extend(corrections(line, verification));
    }

    /// Shows what changes in each file, and writes it there, or to `out`.
    pub fn write(&self, files: &[PathBuf], out: Option<&Path>) -> Result<(), Failure> {
        for (file, fixes) in &self.0 {
            let path = Path::new(file);
            if fixes.corrections.is_empty() {
                continue;
            }
            if !files.iter().any(|named| named == path) || file == "-" {
                let count = fixes.corrections.len();
                eprintln!(
                    "{file}: {count} corrections left out; name the file to have it corrected"
                );
                continue;
            }
            let fail = |cause: &dyn std::fmt::Display| Failure(format!("{file}: {cause}"));
            let bytes = std::fs::read(path).map_err(|cause| fail(&cause))?;
            let Ok(text) = String::from_utf8(bytes) else {
                eprintln!("{file}: not corrected, since it is not in UTF-8");
                continue;
            };
            let corrected = fixes.correct(path, &text).map_err(|cause| fail(&cause))?;
            let Some(corrected) = corrected else {
                eprintln!("{file}: not corrected; .bib, TeX, Markdown, Typst and HTML can be");
                continue;
            };
            for left in &corrected.left_out {
                let Correction {
                    line,
                    field,
                    given,
                    found,
                } = left;
                eprintln!(
                    "{file}:{line}: {field}: “{found}” for “{given}” left to you, as its place is not plain"
                );
            }
            say!("{}", diff(file, &text, &corrected.text));
            std::fs::write(out.unwrap_or(path), &corrected.text).map_err(|cause| fail(&cause))?;
        }
        Ok(())
    }
}

impl FileFixes {
    /// Nothing where files of this kind are not corrected.
    fn correct(
        &self,
        path: &Path,
        text: &str,
    ) -> Result<Option<Corrected>, citation_model::budget::Exceeded> {
        use documents::Format::{Html, Markdown, Tex, Typst};
        let budget = Budget::unlimited();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if extension.eq_ignore_ascii_case("bib") {
            return correct_bibtex(text, &self.corrections, &budget).map(Some);
        }
        match documents::Format::of_extension(&extension) {
            Some(Tex | Markdown | Typst | Html) => {
                documents::correct(text, &self.lines, &self.corrections, &budget).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// What is certain to be wrong: the work is known by its title and authors, and something else of it is
/// given otherwise.
fn corrections(line: usize, verification: &Verification) -> Vec<Correction> {
    let grave = |severity| severity != Severity::Info;
    let differences = verification
        .differences
        .iter()
        .filter(|d| grave(d.severity));
    let is_sure = verification.verdict == Verdict::Mismatch
        && differences.clone().all(|d| FIELDS.contains(&d.field));
    if !is_sure {
        return Vec::new();
    }
    let corrections = differences.filter_map(|difference| {
        Some(Correction {
            line,
            field: difference.field,
            given: difference.given.clone()?,
            found: difference.found.clone()?,
        })
    });
    corrections.collect()
}

/// The lines that differ, as a unified diff without context. A correction never adds a line.
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
