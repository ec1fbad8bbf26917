//! Taking a file into a collection, and the report of what became of each record.

use super::breadcrumbs;
use super::html::{Html, Template};
use super::page;
use super::words::Words;
use citation_exchange::Problem;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Import {
    pub collection: String,
    pub collection_name: String,
    pub report: Option<Report>,
    pub problem: Option<String>,
}

/// What became of a file.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub imported: u64,
    pub skipped: u64,
    pub failed: u64,
    pub errors: Vec<Problem>,
    pub warnings: Vec<Problem>,
}

const IMPORT: Template = Template(
    r#"{trail}
<p class="lede">{~import.lede}</p>{problem}
<form id="import" data-scripted method="post" action="/c/{collection}/import" enctype="multipart/form-data" data-collection="{collection}">
<div class="drop" id="drop"><label for="file">{~import.file}</label>
<input id="file" type="file" name="file" required accept="{accept}">
<p class="hint scripted">{~import.drop}</p></div>
<button class="primary">{~import.run}</button>
</form>
<section id="report" aria-live="polite">{report}</section>"#,
);

const REPORT: Template = Template(
    r#"<h2>{~import.report}</h2><ul class="counts"><li><b>{imported}</b> {~import.imported}</li><li><b>{skipped}</b> {~import.skipped}</li><li><b>{failed}</b> {~import.failed}</li></ul>
{errors}{warnings}<p><a class="button" href="/c/{collection}">{~import.open}</a></p>"#,
);

const PROBLEMS: Template = Template(
    r#"<h3>{title}</h3><div class="wide"><table><thead><tr><th scope="col">{~import.line}</th><th scope="col">{~import.key}</th><th scope="col">{~import.problem}</th></tr></thead><tbody>{rows}</tbody></table></div>"#,
);

const PROBLEM: Template = Template(
    r#"<tr><th scope="row">{line}:{column}</th><td dir="auto">{key}</td><td>{message}<br><code dir="auto">{snippet}</code></td></tr>"#,
);

/// The main part of the page.
pub fn import(words: Words, view: &Import) -> Html {
    let report = view.report.as_ref().map_or_else(Html::empty, |report| {
        REPORT.say(
            words,
            &[
                ("imported", report.imported.into()),
                ("skipped", report.skipped.into()),
                ("failed", report.failed.into()),
                (
                    "errors",
                    problems(words, "import.errors", &report.errors).into(),
                ),
                (
                    "warnings",
                    problems(words, "import.warnings", &report.warnings).into(),
                ),
                ("collection", view.collection.as_str().into()),
            ],
        )
    });
    let address = format!("/c/{}", view.collection);
    let above = [(address.as_str(), view.collection_name.as_str())];
    IMPORT.say(
        words,
        &[
            ("trail", breadcrumbs::below_library(words, &above).into()),
            ("collection", view.collection.as_str().into()),
            ("accept", page::readable_files().into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("report", report.into()),
        ],
    )
}

fn problems(words: Words, key: &str, problems: &[Problem]) -> Html {
    if problems.is_empty() {
        return Html::empty();
    }
    let rows = problems.iter().map(|problem| {
        PROBLEM.fill(&[
            ("line", (problem.line as u64).into()),
            ("column", (problem.column as u64).into()),
            (
                "key",
                problem.citation_key.as_deref().unwrap_or_default().into(),
            ),
            ("message", problem.message.as_str().into()),
            ("snippet", problem.snippet.as_str().into()),
        ])
    });
    PROBLEMS.say(
        words,
        &[
            ("title", words.get(key).into()),
            ("rows", Html::join(rows).into()),
        ],
    )
}
