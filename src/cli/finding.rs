//! Findings of a check for CI systems: a line of a file, its severity and the reason. Written as
//! workflow commands, or as one SARIF log.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::position::FilePosition;
use crate::lookup::verify::Verdict;
use citation_documents::FindingKind;
use citation_model::identifier::percent_encode_path;
use citation_model::inert::terminal;

/// One finding.
#[derive(Clone, Debug)]
pub struct CheckFinding {
    /// The rule that it breaks: a verdict, or a kind of document finding.
    pub rule: &'static str,
    pub level: Level,
    /// The message for the reader; may have several lines.
    pub message: String,
    pub position: FilePosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Error,
    Warning,
    Notice,
}

impl CheckFinding {
    /// A workflow command: `::error file=refs.bib,line=3::…`, with its terminators escaped.
    pub fn workflow_command(&self) -> String {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Notice => "notice",
        };
        let message = self.message();
        let lines = message.lines().map(|line| escaped(line, ""));
        let message = lines.collect::<Vec<_>>().join("%0A");
        let file = escaped(&self.position.file, ",:");
        let number = |name: &str, number: Option<usize>| {
            number
                .map(|number| format!(",{name}={number}"))
                .unwrap_or_default()
        };
        let line = number("line", self.position.line);
        let column = number("col", self.position.column);
        format!("::{level} file={file}{line}{column}::{message}")
    }

    /// With the position in front if it has no line.
    fn message(&self) -> String {
        match (self.position.line, self.position.within()) {
            (None, within) if !within.is_empty() => format!("{within}: {}", self.message),
            _ => self.message.clone(),
        }
    }

    /// A result, SARIF 2.1.0, section 3.27.
    fn result(&self) -> Value {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Notice => "note",
        };
        let file = self.position.file.replace('\\', "/");
        let mut place = json!({"artifactLocation": {"uri": percent_encode_path(&file)}});
        if let Some(line) = self.position.line {
            place["region"] = json!({"startLine": line});
            if let Some(column) = self.position.column {
                place["region"]["startColumn"] = column.into();
            }
        }
        json!({
            "ruleId": self.rule,
            "level": level,
            "message": {"text": self.message()},
            "locations": [{"physicalLocation": place}],
        })
    }
}

/// A line for a workflow command, with invisible characters shown and the terminators escaped.
fn escaped(line: &str, terminators: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in terminal::line(line).chars() {
        if c == '%' || terminators.contains(c) {
            out.push_str(&format!("%{:02X}", u32::from(c)))
        } else {
            out.push(c)
        }
    }
    out
}

/// The descriptions of document findings.
const DOCUMENT_RULES: [(FindingKind, &str); 7] = [
    (
        FindingKind::UndefinedKey,
        "The text cites a key that no file defines.",
    ),
    (FindingKind::UncitedEntry, "The entry is never cited."),
    (
        FindingKind::DuplicateWork,
        "Two entries describe the same work.",
    ),
    (
        FindingKind::MissingNumber,
        "The numbers of the list leave one out.",
    ),
    (
        FindingKind::MissingFile,
        "A file that the document names is missing or cannot be read.",
    ),
    (
        FindingKind::UnreadPage,
        "A page takes too much work to read, or its letters have no characters.",
    ),
    (
        FindingKind::UnreadField,
        "A field cites works that cannot be read.",
    ),
];

/// The verdicts that are findings, with descriptions.
const RULES: [(Verdict, &str); 6] = [
    (
        Verdict::Verified,
        "The reference agrees with the work, but there is a notice about the work.",
    ),
    (
        Verdict::Mismatch,
        "The work is known, but the reference differs from it.",
    ),
    (
        Verdict::Retracted,
        "The work has been retracted or withdrawn.",
    ),
    (
        Verdict::Ambiguous,
        "Several works match, or the only match is too weak.",
    ),
    (Verdict::NotFound, "No source searched has the work."),
    (
        Verdict::NotChecked,
        "A source did not answer, or the reference has nothing to search for.",
    ),
];

/// A log of one run, SARIF 2.1.0, section 3.13.
pub fn sarif(findings: &[CheckFinding]) -> Value {
    let verdicts = RULES.iter().map(|(verdict, text)| (verdict.as_str(), text));
    let kinds = DOCUMENT_RULES
        .iter()
        .map(|(kind, text)| (kind.as_str(), text));
    let rules: Vec<Value> = verdicts
        .chain(kinds)
        .map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}}))
        .collect();
    let results: Vec<Value> = findings.iter().map(CheckFinding::result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(file: &str, message: &str) -> CheckFinding {
        CheckFinding {
            rule: Verdict::Mismatch.as_str(),
            level: Level::Warning,
            message: message.to_owned(),
            position: FilePosition::line(file, 3),
        }
    }

    #[test]
    fn workflow_command_stays_on_one_line() {
        let check = |file: &str, message: &str, expected: &str| {
            assert_eq!(finding(file, message).workflow_command(), expected);
        };
        check(
            "refs.bib",
            "100 %\nwrong",
            "::warning file=refs.bib,line=3::100 %25%0Awrong",
        );
        check(
            "a,b:c\n::error::x.bib",
            "m",
            "::warning file=a%2Cb%3Ac\\n%3A%3Aerror%3A%3Ax.bib,line=3::m",
        );
        let mut placed = finding("refs.txt", "m");
        placed.position.column = Some(7);
        assert_eq!(
            placed.workflow_command(),
            "::warning file=refs.txt,line=3,col=7::m"
        );
        assert_eq!(
            placed.result()["locations"][0]["physicalLocation"]["region"]["startColumn"],
            7
        );
    }

    #[test]
    fn finding_without_line_has_its_paragraph() {
        let mut placed = finding("paper.docx", "m");
        placed.position.line = None;
        placed.position.paragraph = Some(12);
        assert_eq!(
            placed.workflow_command(),
            "::warning file=paper.docx::paragraph 12: m"
        );
        let result = placed.result();
        assert_eq!(result["message"]["text"], "paragraph 12: m");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place, &json!({"artifactLocation": {"uri": "paper.docx"}}));
    }

    #[test]
    fn log_has_rule_and_place() {
        let log = sarif(&[finding("my refs/ä.bib", "year: “1953”, not “1963”")]);
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(
            (&result["ruleId"], &result["level"]),
            (&json!("mismatch"), &json!("warning"))
        );
        assert_eq!(
            result["locations"][0]["physicalLocation"],
            json!({"artifactLocation": {"uri": "my%20refs/%C3%A4.bib"}, "region": {"startLine": 3}})
        );
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        assert_eq!(sarif(&[])["runs"][0]["results"], json!([]));
    }
}
