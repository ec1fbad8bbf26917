//! What a check has to say to a CI system: a line of a file, how grave it is, and why. Written as
//! workflow commands, or as one SARIF log for systems that collect those.

use serde_json::{Value, json};

use crate::lookup::verify::Verdict;
use crate::model::identifier::percent_encode_path;

/// One thing to be looked at.
#[derive(Clone, Debug)]
pub struct Finding {
    pub verdict: Verdict,
    pub level: Level,
    /// For a reader; may have several lines.
    pub message: String,
    /// The path as it was given.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The character of the line, from 1, where it is known.
    pub column: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Notice,
}

impl Finding {
    /// A workflow command: `::error file=refs.bib,line=3::…`, with what would end it escaped.
    pub fn workflow_command(&self) -> String {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Notice => "notice",
        };
        let message = self
            .message
            .replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A");
        let file = self
            .file
            .replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A")
            .replace(',', "%2C")
            .replace(':', "%3A");
        let column = self.column.map(|column| format!(",col={column}"));
        let column = column.unwrap_or_default();
        format!(
            "::{level} file={file},line={}{column}::{message}",
            self.line
        )
    }

    /// A result, SARIF 2.1.0, section 3.27.
    fn result(&self) -> Value {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Notice => "note",
        };
        let mut region = json!({"startLine": self.line});
        if let (Some(column), Some(members)) = (self.column, region.as_object_mut()) {
            members.insert("startColumn".to_owned(), column.into());
        }
        json!({
            "ruleId": self.verdict.as_str(),
            "level": level,
            "message": {"text": self.message},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": percent_encode_path(&self.file.replace('\\', "/"))},
                "region": region,
            }}],
        })
    }
}

/// The verdicts that are findings, and what each means.
const RULES: [(Verdict, &str); 6] = [
    (
        Verdict::Verified,
        "The work is known and the reference agrees with it, but there is a notice about the work.",
    ),
    (
        Verdict::Mismatch,
        "The work is known, but the reference says something else of it.",
    ),
    (
        Verdict::Retracted,
        "The work has been retracted or withdrawn.",
    ),
    (
        Verdict::Ambiguous,
        "Several works fit, or one fits too loosely to tell.",
    ),
    (
        Verdict::NotFound,
        "No such work is in the sources searched.",
    ),
    (
        Verdict::NotChecked,
        "A source could not be asked, or there was nothing to ask for.",
    ),
];

/// A log of one run, SARIF 2.1.0, section 3.13.
pub fn sarif(findings: &[Finding]) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(verdict, text)| json!({"id": verdict.as_str(), "shortDescription": {"text": text}}))
        .collect();
    let results: Vec<Value> = findings.iter().map(Finding::result).collect();
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

    fn finding(file: &str, message: &str) -> Finding {
        Finding {
            verdict: Verdict::Mismatch,
            level: Level::Warning,
            message: message.to_owned(),
            file: file.to_owned(),
            line: 3,
            column: None,
        }
    }

    #[test]
    fn a_command_stays_on_its_line() {
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
            "::warning file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax.bib,line=3::m",
        );
        let placed = Finding {
            column: Some(7),
            ..finding("refs.txt", "m")
        };
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
    fn a_log_names_the_rule_and_the_place() {
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
