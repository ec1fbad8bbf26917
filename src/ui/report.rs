//! What `citation verify` found, as one page that needs nothing beside it: it can be filed and printed.

use super::cite::source_name;
use super::html::{Html, Template};
use super::verify::{Row, verdicts};
use super::words::Words;

/// What the page shows.
#[derive(Debug)]
pub struct Report<'r> {
    /// When it was checked: `2026-11-21T04:00:00Z`.
    pub at: &'r str,
    pub program: &'r str,
    pub files: &'r [String],
    /// How many references got which verdict.
    pub counts: &'r [(&'static str, usize)],
    /// Where each finding of a document is, and what it says.
    pub findings: &'r [(String, String)],
    pub rows: &'r [Row],
}

const STYLE: &str = include_str!("assets/report.css");

const REPORT: Template = Template(
    r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Verification of {files}</title>
<style>
{style}</style>
</head>
<body>
<h1>Verification of references</h1>
<table class="facts">
<tr><th scope="row">Files</th><td>{files}</td></tr>
<tr><th scope="row">Checked</th><td><time datetime="{at}">{at}</time>, {program}</td></tr>
<tr><th scope="row">Sources asked</th><td>{sources}</td></tr>
<tr><th scope="row">References</th><td>{all}{counts}</td></tr>
</table>
<p>{~verify.fair}</p>
{findings}<h2>References</h2>
<ol>{rows}</ol>
</body>
</html>
"#,
);

const COUNT: Template = Template(r#" · {count} <span class="badge {class}">{verdict}</span>"#);

const FINDINGS: Template = Template("<h2>The document</h2>\n<ul>{findings}</ul>\n");

const FINDING: Template = Template(r#"<li dir="auto"><b>{place}</b>: {message}</li>"#);

/// The whole page, in English as everything that the command says.
pub fn report(report: &Report<'_>) -> String {
    let words = Words::default();
    let mut sources: Vec<&str> = Vec::new();
    for tried in report.rows.iter().flat_map(|row| &row.asked) {
        let name = source_name(words, tried);
        if !sources.contains(&name) {
            sources.push(name);
        }
    }
    let counts = report.counts.iter().map(|(verdict, count)| {
        let name = words.find(&format!("verdict.{verdict}"));
        COUNT.fill(&[
            ("count", (*count as u64).into()),
            ("class", (*verdict).into()),
            ("verdict", name.unwrap_or(verdict).into()),
        ])
    });
    let findings = report.findings.iter().map(|(place, message)| {
        FINDING.fill(&[
            ("place", place.as_str().into()),
            ("message", message.as_str().into()),
        ])
    });
    let findings = match report.findings {
        [] => Html::empty(),
        _ => FINDINGS.fill(&[("findings", Html::join(findings).into())]),
    };
    REPORT
        .say(
            words,
            &[
                ("files", report.files.join(", ").into()),
                ("style", Template(STYLE).html().into()),
                ("at", report.at.into()),
                ("program", report.program.into()),
                ("sources", sources.join(", ").into()),
                ("all", (report.rows.len() as u64).into()),
                ("counts", Html::join(counts).into()),
                ("findings", findings.into()),
                ("rows", verdicts(words, report.rows).into()),
            ],
        )
        .into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_says_when_what_and_where() {
        let rows = [Row {
            verdict: "not_found",
            given: "Doe <i>2001</i>".to_owned(),
            place: "paper.md:7".to_owned(),
            message: "No such work.",
            asked: vec!["local"],
            ..Row::default()
        }];
        let page = report(&Report {
            at: "2026-11-21T04:00:00Z",
            program: "citation 1",
            files: &["paper.md".to_owned()],
            counts: &[("not_found", 1)],
            findings: &[("paper.md:3".to_owned(), "No file defines “x”.".to_owned())],
            rows: &rows,
        });
        for said in [
            "2026-11-21T04:00:00Z",
            "This server",
            "1 <span class=\"badge not_found\">Not in the sources searched</span>",
            "paper.md:7",
            "Doe &lt;i&gt;2001&lt;/i&gt;",
            "No such work.",
            "No file defines “x”.",
            "font-family",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        assert!(!page.contains("src=") && !page.contains("<link"), "{page}");
    }
}
