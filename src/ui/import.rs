//! Taking a file into a collection, and the report of what became of each record.

use super::html::{Html, Template};
use super::page;
use super::words::Words;

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
    pub errors: Vec<Place>,
    pub warnings: Vec<Place>,
}

/// Something wrong at one place of the file.
#[derive(Clone, Debug, Default)]
pub struct Place {
    pub line: u64,
    pub column: u64,
    pub key: String,
    pub message: String,
    pub snippet: String,
}

const IMPORT: Template = Template(
    r#"<p><a href="/c/{collection}" dir="auto">← {name}</a></p>
<p class="lede">{~import.lede}</p>{problem}
<form id="import" data-scripted method="post" action="/c/{collection}/import" enctype="multipart/form-data" data-collection="{collection}">
<div class="drop" id="drop"><label for="file">{~import.file}</label>
<input id="file" type="file" name="file" required accept=".bib,.ris,.bibtex,.txt">
<p class="hint scripted">{~import.drop}</p></div>
<button class="primary">{~import.run}</button>
</form>
<section id="report" aria-live="polite">{report}</section>"#,
);

const REPORT: Template = Template(
    r#"<h2>{~import.report}</h2><ul class="counts"><li><b>{imported}</b> {~import.imported}</li><li><b>{skipped}</b> {~import.skipped}</li><li><b>{failed}</b> {~import.failed}</li></ul>
{errors}{warnings}<p><a class="button" href="/c/{collection}">{~import.open}</a></p>"#,
);

const PLACES: Template = Template(
    r#"<h3>{title}</h3><div class="wide"><table><thead><tr><th scope="col">{~import.line}</th><th scope="col">{~import.key}</th><th scope="col">{~import.problem}</th></tr></thead><tbody>{rows}</tbody></table></div>"#,
);

const PLACE: Template = Template(
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
                    places(words, "import.errors", &report.errors).into(),
                ),
                (
                    "warnings",
                    places(words, "import.warnings", &report.warnings).into(),
                ),
                ("collection", view.collection.as_str().into()),
            ],
        )
    });
    IMPORT.say(
        words,
        &[
            ("collection", view.collection.as_str().into()),
            ("name", view.collection_name.as_str().into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("report", report.into()),
        ],
    )
}

fn places(words: Words, key: &str, places: &[Place]) -> Html {
    if places.is_empty() {
        return Html::empty();
    }
    let rows = places.iter().map(|place| {
        PLACE.fill(&[
            ("line", place.line.into()),
            ("column", place.column.into()),
            ("key", place.key.as_str().into()),
            ("message", place.message.as_str().into()),
            ("snippet", place.snippet.as_str().into()),
        ])
    });
    PLACES.say(
        words,
        &[
            ("title", words.get(key).into()),
            ("rows", Html::join(rows).into()),
        ],
    )
}
