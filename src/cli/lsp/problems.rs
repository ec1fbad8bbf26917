//! Diagnostics: keys without an entry, entries with the key of another, entries that nothing cites, and what checks
//! found.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::{Value, json};

use super::entries::Entry;
use super::project::{FileContent, Project, ProjectFile};
use super::worker::Worker;
use super::works::Severity;
use crate::config::nearest::nearest_word;
use citation_citing::identifier;
use citation_exchange::Severity as ProblemSeverity;

const SOURCE: &str = "citation";
pub const UNDEFINED: &str = "undefined-key";
/// The tag of the protocol for what is not needed.
const UNNECESSARY: u8 = 1;

/// The diagnostics of the open files, by their addresses.
pub fn diagnostics(project: &Project, worker: &Worker) -> Vec<(String, Vec<Value>)> {
    let by_key = project.by_key();
    let used: HashSet<&str> = { project.files() }
        .flat_map(|file| file.uses())
        .map(|found| found.key.as_str())
        .collect();
    let has_manuscript = project
        .files()
        .any(|file| !file.uses().is_empty() && file.is_manuscript());
    let scene = Scene {
        by_key,
        used,
        has_manuscript,
        worker,
    };
    let open = project.files().filter(|file| file.is_open);
    open.map(|file| (file.uri.clone(), scene.of_file(file)))
        .collect()
}

struct Scene<'p> {
    by_key: HashMap<&'p str, Vec<(&'p ProjectFile, &'p Entry)>>,
    used: HashSet<&'p str>,
    /// Without one, nothing is known to be cited.
    has_manuscript: bool,
    worker: &'p Worker,
}

impl Scene<'_> {
    fn of_file(&self, file: &ProjectFile) -> Vec<Value> {
        let mut found = Vec::new();
        for used in file.uses() {
            match self
                .by_key
                .get(used.key.as_str())
                .and_then(|entries| entries.first())
            {
                Some((_, entry)) if file.is_manuscript() => {
                    found.extend(self.check(file, entry, &used.range));
                }
                Some(_) => {}
                // Works that are cited by identifier need no entry.
                None if used.is_certain && used.key != "*" && identifier(&used.key).is_none() => {
                    let message =
                        format!("No bibliography of the project has the key “{}”.", used.key);
                    found.push(diagnostic(
                        file,
                        &used.range,
                        Severity::Warning,
                        UNDEFINED,
                        &message,
                    ));
                }
                None => {}
            }
        }
        for entry in file.entries() {
            found.extend(self.check(file, entry, &entry.range));
            found.extend(self.duplicate(file, entry));
            found.extend(self.unused(file, entry));
        }
        if let FileContent::Bibliography(read) = &file.content {
            for problem in &read.problems {
                let start = file.text.line_start(problem.line.saturating_sub(1));
                let end = file.text.line_start(problem.line);
                let line = file.text.as_str().get(start..end).unwrap_or_default();
                let range = start..start + line.trim_end().len();
                let severity = match problem.severity {
                    ProblemSeverity::Error => Severity::Error,
                    _ => Severity::Information,
                };
                found.push(diagnostic(
                    file,
                    &range,
                    severity,
                    problem.code,
                    &problem.message,
                ));
            }
        }
        found
    }

    fn check(&self, file: &ProjectFile, entry: &Entry, range: &Range<usize>) -> Option<Value> {
        let checked = self.worker.checked(&entry.item)??;
        Some(diagnostic(
            file,
            range,
            checked.severity,
            checked.code,
            &checked.message,
        ))
    }

    fn duplicate(&self, file: &ProjectFile, entry: &Entry) -> Option<Value> {
        let entries = self.by_key.get(entry.key.as_str())?;
        let (first_file, first) = entries.first()?;
        let is_first = first_file.uri == file.uri && first.range == entry.range;
        if is_first || !same_kind(first_file, file) {
            return None;
        }
        let message = format!(
            "The key “{}” is defined before, in {}.",
            entry.key, first_file.name
        );
        let mut found = diagnostic(
            file,
            &entry.range,
            Severity::Warning,
            "duplicate-key",
            &message,
        );
        found["relatedInformation"] = json!([{
            "location": {"uri": first_file.uri, "range": first_file.text.range(&first.range)},
            "message": "The first entry with this key",
        }]);
        Some(found)
    }

    fn unused(&self, file: &ProjectFile, entry: &Entry) -> Option<Value> {
        let is_used = self.used.contains(entry.key.as_str()) || self.used.contains("*");
        if is_used || !self.has_manuscript {
            return None;
        }
        let message = format!("Nothing cites “{}”.", entry.key);
        let mut found = diagnostic(file, &entry.range, Severity::Hint, "unused-key", &message);
        found["tags"] = json!([UNNECESSARY]);
        Some(found)
    }
}

/// Whether two files are in one format: an export in another one has the same keys.
fn same_kind(one: &ProjectFile, other: &ProjectFile) -> bool {
    let extension = |file: &ProjectFile| file.name.rsplit_once('.').map(|(_, e)| e.to_owned());
    extension(one) == extension(other)
}

fn diagnostic(
    file: &ProjectFile,
    range: &Range<usize>,
    severity: Severity,
    code: &str,
    message: &str,
) -> Value {
    json!({
        "range": file.text.range(range), "severity": severity as u8, "code": code, "source": SOURCE,
        "message": message,
    })
}

/// Quick fixes for keys without an entry: a key that is spelt alike, and for an identifier its work.
pub fn quick_fixes(project: &Project, file: &ProjectFile, range: &Value) -> Vec<Value> {
    let offset = |name: &str| range.get(name).map(|position| file.text.offset(position));
    let (Some(start), Some(end)) = (offset("start"), offset("end")) else {
        return Vec::new();
    };
    let touched = file
        .uses()
        .iter()
        .filter(|found| found.range.start <= end && start <= found.range.end);
    let mut fixes = Vec::new();
    for used in touched.filter(|found| project.entry(&found.key).is_none()) {
        if identifier(&used.key).is_some() {
            if let Some(target) = project.target(file) {
                fixes.push(json!({
                    "title": format!("Add {} to {}", used.key, target.name), "kind": "quickfix",
                    "command": {
                        "title": "Add the work", "command": super::ADD_WORK,
                        "arguments": [{"uri": file.uri, "key": used.key}],
                    },
                }));
            }
            continue;
        }
        let keys: Vec<&str> = project
            .entries()
            .map(|(_, entry)| entry.key.as_str())
            .collect();
        if let Some(nearest) = nearest_word(&used.key, &keys) {
            fixes.push(json!({
                "title": format!("Change to “{nearest}”"), "kind": "quickfix", "isPreferred": true,
                "edit": {"changes": {&file.uri: [{"range": file.text.range(&used.range), "newText": nearest}]}},
            }));
        }
    }
    fixes
}
