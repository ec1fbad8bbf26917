//! The results of `citation verify` as one self-contained page, to be filed and printed.

use super::verify::ReferenceView;
use super::words::Words;
use askama::Template;

/// The whole page, in English like all output of the command.
#[derive(Template)]
#[template(path = "report.html")]
pub struct ReportPage<'r> {
    pub words: Words,
    /// Time of the check: `2026-11-21T04:00:00Z`.
    pub at: &'r str,
    pub program: &'r str,
    /// Names and SHA-256.
    pub files: &'r [(String, String)],
    /// `strict`, `normal` or `lenient`.
    pub strictness: &'r str,
    /// Whether only the corpus was asked.
    pub local_only: bool,
    /// Number of works in the corpus.
    pub works: u64,
    /// Number of references per verdict.
    pub counts: &'r [(&'static str, usize)],
    /// Position and message of each finding in a document.
    pub findings: &'r [(String, String)],
    /// Ids of the sources asked about any of the references.
    pub sources: &'r [&'r str],
    /// Number of verdicts that an earlier, interrupted run has left.
    pub from_checkpoint: usize,
    /// A [`ReportRow`] for each reference.
    pub rows: &'r [String],
}

/// One reference of the page.
#[derive(Template)]
#[template(path = "verdicts.html")]
pub struct ReportRow<'r> {
    pub words: Words,
    pub rows: &'r [ReferenceView],
}

impl ReportPage<'_> {
    fn names(&self) -> String {
        let names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    fn source_names(&self) -> String {
        let names = self.sources.iter();
        let names: Vec<&str> = names.map(|id| self.words.name("source", id)).collect();
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_shows_time_verdict_and_place() {
        let view = ReferenceView {
            verdict: "not_found",
            given: "Doe <i>2001</i>".to_owned(),
            place: "paper.md:7".to_owned(),
            message: "No such work.",
            ..ReferenceView::default()
        };
        let row = ReportRow {
            words: Words::default(),
            rows: &[view],
        };
        let rows = [row.to_string()];
        let page = ReportPage {
            words: Words::default(),
            at: "2026-11-21T04:00:00Z",
            program: "citation 1",
            files: &[("paper.md".to_owned(), "00ff".to_owned())],
            strictness: "strict",
            local_only: true,
            works: 7,
            counts: &[("not_found", 1)],
            findings: &[("paper.md:3".to_owned(), "No file defines “x”.".to_owned())],
            sources: &["local"],
            from_checkpoint: 3,
            rows: &rows,
        };
        let page = page.to_string();
        for said in [
            "2026-11-21T04:00:00Z",
            "This server",
            "1 <span class=\"badge not_found\">Not in the sources searched</span>",
            "paper.md:7",
            "Doe &#60;i&#62;2001&#60;/i&#62;",
            "No such work.",
            "No file defines “x”.",
            "font-family",
            "00ff",
            "strict",
            "7 works",
            "3 verdicts are from an interrupted run",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        assert!(!page.contains("src=") && !page.contains("<link"), "{page}");
    }
}
