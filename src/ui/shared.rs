//! A collection that somebody shares: to read, to take along, to keep a copy of.

use super::bibliography::{self, Choice, Line};
use super::html::{Html, Template};
use super::page;
use super::words::Words;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    pub token: String,
    pub name: String,
    pub description: String,
    pub choice: Choice,
    pub lines: Vec<Line>,
    pub has_hanging_indent: bool,
    pub problem: Option<String>,
    /// Whether somebody has signed in who can keep a copy on the server.
    pub is_signed_in: bool,
}

const SHARED: Template = Template(
    r#"<div class="head"><h1 dir="auto">{name}</h1><span class="quiet">{count}</span></div>
<p class="lede" dir="auto">{description}</p>{problem}
<form class="workbench" method="get" action="/s/{token}">{settings}</form>
<section aria-label="{~cite.bibliography}">{list}{coins}</section>
<section class="panel"><h2>{~export.title}</h2><ul class="inline-list">{exports}</ul>{annotated}</section>
{copy}
<p class="quiet">{~shared.what}</p>"#,
);

const COPY: Template = Template(
    r#"<form class="panel" method="post" action="/library"><h2>{~shared.copy-title}</h2><p>{~shared.copy-text}</p>
<input type="hidden" name="token" value="{token}"><button class="primary" name="do" value="copy">{~shared.copy}</button></form>"#,
);

const ANNOTATED: Template =
    Template(r#"<p>{~shared.with-notes}</p><ul class="inline-list">{exports}</ul>"#);

const EMPTY: Template = Template(r#"<p class="empty">{~shared.empty}</p>"#);

/// The main part of the page.
pub fn shared(words: Words, view: &Shared) -> Html {
    let token = view.token.as_str();
    let list = match view.lines.as_slice() {
        [] => EMPTY.say(words, &[]),
        lines => bibliography::list(lines, view.has_hanging_indent),
    };
    let copy = match view.is_signed_in {
        true => COPY.say(words, &[("token", token.into())]),
        false => Html::empty(),
    };
    let exports = bibliography::export_links(
        &format!("/s/{token}/export."),
        &view.choice.style,
        &view.choice.locale,
    );
    let has_notes = view.lines.iter().any(|line| !line.note.is_empty());
    let annotated = match has_notes {
        true => {
            let address = |form: &str| format!("/s/{token}/export.{form}");
            let exports = bibliography::annotated_links(address, &view.choice);
            ANNOTATED.say(words, &[("exports", exports.into())])
        }
        false => Html::empty(),
    };
    SHARED.say(
        words,
        &[
            ("annotated", annotated.into()),
            ("token", token.into()),
            ("name", view.name.as_str().into()),
            (
                "count",
                words.count("count.works", view.lines.len() as u64).into(),
            ),
            ("description", view.description.as_str().into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            (
                "settings",
                bibliography::settings(words, &view.choice).into(),
            ),
            ("list", list.into()),
            ("coins", bibliography::coins(&view.lines).into()),
            ("exports", exports.into()),
            ("copy", copy.into()),
        ],
    )
}
