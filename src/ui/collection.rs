//! A collection of the account.

use super::bibliography::{self, Choice, Line};
use super::html::{Html, Template};
use super::page;
use super::words::Words;

/// What a collection's page shows.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    pub id: String,
    pub name: String,
    pub description: String,
    pub tags: String,
    pub choice: Choice,
    pub lines: Vec<Line>,
    pub has_hanging_indent: bool,
    /// The address of the read-only page; nothing while it is not shared.
    pub share_url: Option<String>,
    pub problem: Option<String>,
    /// The collection as the interface gives it, for the page's module: JSON.
    pub data: String,
}

const COLLECTION: Template = Template(
    r#"{problem}
<script type="application/json" id="data">{data}</script>
<form id="cite" data-scripted class="workbench" method="post" action="/c/{id}">
<div class="box">
<label for="q">{~collection.add}</label>
<div class="ask"><textarea id="q" name="q" rows="1" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="kind hint" placeholder="{~cite.placeholder}"></textarea>
<span id="kind" class="kind" hidden></span><button class="primary" id="find" name="do" value="add">{~collection.add-button}</button></div>
<p class="under"><span id="hint">{~cite.hint}</span> <span id="quota" class="quota"></span></p>
</div>
<div id="outcome"></div>
<section id="list" aria-labelledby="name">
<div class="head"><nav class="crumbs" aria-label="{~nav.crumbs}"><a href="/library">{~nav.library}</a></nav><h1 id="name" dir="auto">{name}</h1><span id="count" class="quiet">{count}</span><div id="tools" class="tools"></div></div>
<p class="lede" id="description" dir="auto">{description}</p>
{settings}
<div id="entries">{list}</div></section>
</form>{coins}
<details class="panel scriptless" open><summary>{~collection.settings}</summary>
<form method="post" action="/c/{id}">
<label for="new-name">{~collection.name}</label><input id="new-name" name="name" required maxlength="200" value="{name}">
<label for="new-description">{~collection.description}</label><textarea id="new-description" name="description" rows="2" maxlength="2000">{description}</textarea>
<label for="tags">{~collection.tags}</label><input id="tags" name="tags" value="{tags}" aria-describedby="tags-hint">
<p class="hint" id="tags-hint">{~collection.tags-hint}</p>
<button name="do" value="save">{~collection.save}</button>
</form></details>
<section class="panel scriptless"><h2>{~share.title}</h2>{share}</section>
<section class="panel scriptless"><h2>{~export.title}</h2><ul class="inline-list">{exports}</ul></section>
<section class="panel scriptless"><a class="button" href="/c/{id}/import">{~import.title}</a>
<form method="post" action="/c/{id}"><button class="danger" name="do" value="delete">{~collection.delete}</button></form></section>"#,
);

const SHARED: Template = Template(
    r#"<p><a href="{url}">{url}</a></p><form method="post" action="/c/{id}"><button name="do" value="unshare">{~share.revoke}</button></form>"#,
);

const NOT_SHARED: Template = Template(
    r#"<p>{~share.what}</p><form method="post" action="/c/{id}"><button name="do" value="share">{~share.make}</button></form>"#,
);

const EMPTY: Template = Template(r#"<p class="empty">{~collection.empty}</p>"#);

/// The main part of a collection's page.
pub fn collection(words: Words, view: &Collection) -> Html {
    let id = view.id.as_str();
    let list = match view.lines.as_slice() {
        [] => EMPTY.say(words, &[]),
        lines => bibliography::list(lines, view.has_hanging_indent),
    };
    let share = match &view.share_url {
        Some(url) => SHARED.say(words, &[("url", url.as_str().into()), ("id", id.into())]),
        None => NOT_SHARED.say(words, &[("id", id.into())]),
    };
    let exports = bibliography::export_links(
        &format!("/c/{id}/export."),
        &view.choice.style,
        &view.choice.locale,
    );
    COLLECTION.say(
        words,
        &[
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("data", Html::json(&view.data).into()),
            ("id", id.into()),
            ("name", view.name.as_str().into()),
            (
                "count",
                words.count("count.works", view.lines.len() as u64).into(),
            ),
            ("description", view.description.as_str().into()),
            ("tags", view.tags.as_str().into()),
            (
                "settings",
                bibliography::settings(words, &view.choice).into(),
            ),
            ("list", list.into()),
            ("share", share.into()),
            ("coins", bibliography::coins(&view.lines).into()),
            ("exports", exports.into()),
        ],
    )
}

const ENTRY_LINK: Template = Template(
    r#"<a class="button plain" href="/c/{collection}/e/{id}" aria-label="{~entry.edit}: {title}">{~entry.edit}</a>"#,
);

/// The buttons of one entry in its collection's list.
pub fn entry_buttons(
    words: Words,
    collection: &str,
    id: &str,
    title: &str,
    can_rise: bool,
) -> Html {
    let edit = ENTRY_LINK.say(
        words,
        &[
            ("collection", collection.into()),
            ("id", id.into()),
            ("title", title.into()),
        ],
    );
    let up = match can_rise {
        true => bibliography::button(words, &format!("up:{id}"), "entry.up", title),
        false => Html::empty(),
    };
    let remove = bibliography::button(words, &format!("remove:{id}"), "entry.remove", title);
    Html::join([edit, up, remove])
}

const STATE: Template = Template(r#" <span class="badge {state}">{text}</span>"#);

/// Tags and state of one entry in the list.
pub fn entry_badges(words: Words, state: &str, tags: &[String]) -> Html {
    let state = match state {
        "" | "clean" => Html::empty(),
        state => STATE.fill(&[
            ("state", state.into()),
            (
                "text",
                words
                    .find(&format!("review.{state}"))
                    .unwrap_or(state)
                    .into(),
            ),
        ]),
    };
    Html::join([Html::text(" "), super::library::tags(tags), state])
}
