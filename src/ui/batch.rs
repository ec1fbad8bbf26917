//! Many references at once: identifiers and citation texts in, one bibliography out.

use super::bibliography::{self, Choice};
use super::html::{Html, Template, message};
use super::page;
use super::words::Words;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Batch<'p> {
    /// The list as it was pasted.
    pub list: &'p str,
    pub choice: Choice,
    pub rows: Vec<Row>,
    pub problem: Option<String>,
    /// Whether the caller's plan has batches without script.
    pub is_included: bool,
}

/// One line of the list and what became of it.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// `ok`, `not_found`, `low_confidence`, `error`, `quota_exhausted`.
    pub status: &'static str,
    pub given: String,
    /// The formatted entry; empty where there is none.
    pub entry: Html,
    pub failure: String,
}

const BATCH: Template = Template(
    r#"<p class="lede">{~batch.lede}</p>{plan}
<form id="batch" data-scripted class="workbench" method="post" action="/batch">
<div class="box">
<label for="list">{~batch.label}</label>
<textarea id="list" name="list" rows="8" spellcheck="false" required aria-describedby="list-hint">{list}</textarea>
<p class="under" id="list-hint">{~batch.hint}</p>
</div>
{settings}
<div class="row"><button class="primary" id="run">{~batch.run}</button> <span id="progress" class="quiet"></span></div>
{problem}
<section id="results" aria-label="{~batch.results}">{rows}</section>
</form>"#,
);

const PLAN: Template = Template(r#"<p class="scriptless notice">{~batch.plan}</p>"#);

const ROWS: Template = Template(r#"<ol class="verdicts" role="list">{rows}</ol>"#);

const ROW: Template = Template(
    r#"<li class="verdict {status}"><p class="stamp"><span class="badge {status}">{name}</span> <span class="quiet" dir="auto">{given}</span></p>
<div class="text" dir="auto">{entry}</div>{failure}</li>"#,
);

const FAILURE: Template = Template(r#"<p>{failure}</p>"#);

/// The main part of the page.
pub fn batch(words: Words, view: &Batch<'_>) -> Html {
    let rows = view.rows.iter().map(|row| {
        let failure = match row.failure.as_str() {
            "" => Html::empty(),
            failure => FAILURE.fill(&[("failure", failure.into())]),
        };
        ROW.fill(&[
            ("status", row.status.into()),
            (
                "name",
                message(words, &format!("status.{}", row.status), &[]).into(),
            ),
            ("given", row.given.as_str().into()),
            ("entry", row.entry.clone().into()),
            ("failure", failure.into()),
        ])
    });
    let rows = match view.rows.len() {
        0 => Html::empty(),
        _ => ROWS.fill(&[("rows", Html::join(rows).into())]),
    };
    BATCH.say(
        words,
        &[
            (
                "plan",
                if view.is_included {
                    Html::empty()
                } else {
                    PLAN.say(words, &[])
                }
                .into(),
            ),
            ("list", view.list.into()),
            (
                "settings",
                bibliography::settings(words, &view.choice).into(),
            ),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("rows", rows.into()),
        ],
    )
}
