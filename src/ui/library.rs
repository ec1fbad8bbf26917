//! The library: every collection of the account, and the lists that only this browser has.

use super::html::{Html, Template};
use super::page;
use super::words::Words;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Whether somebody has signed in; without, only what the browser keeps is shown.
    pub is_signed_in: bool,
    pub collections: Vec<Card>,
    /// How many collections the plan has.
    pub limit: u64,
    pub problem: Option<String>,
    /// The id of a collection that was deleted just now.
    pub deleted: Option<String>,
    /// Words that are looked for in all collections; nothing: none are.
    pub query: Option<String>,
    pub found: Vec<Found>,
    /// Whether there is more than is shown.
    pub is_cut_off: bool,
}

/// A work that has the words.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub collection: String,
    pub collection_name: String,
    pub id: String,
    pub title: String,
    pub about: String,
    pub tags: Vec<String>,
}

/// A collection in the list.
#[derive(Clone, Debug, Default)]
pub struct Card {
    pub id: String,
    pub name: String,
    pub entries: u64,
    pub tags: Vec<String>,
    /// A day: `2026-11-21`.
    pub updated: String,
    pub is_shared: bool,
}

const LIBRARY: Template = Template(
    r#"{notice}{problem}
<section id="here" class="scripted panel" hidden aria-labelledby="here-title"><h2 id="here-title">{~library.here}</h2><div id="local"></div></section>
{account}"#,
);

const SIGNED_OUT: Template = Template(
    r#"<section class="panel"><h2>{~library.signed-out}</h2><p>{~library.why}</p>
<p><a class="button primary" href="/auth/login?return_to=/library">{~nav.sign-in}</a> <a class="button" href="/">{~library.cite}</a></p></section>"#,
);

const SIGNED_IN: Template = Template(
    r#"{search}<section aria-labelledby="all-title"><div class="head"><h2 id="all-title">{~library.collections}</h2><span class="quiet">{count}</span></div>
{cards}</section>
{new}"#,
);

const SEARCH: Template = Template(
    r#"<form class="inline" method="get" action="/library" role="search"><div class="field grow"><label for="words">{~library.search}</label>
<input id="words" name="q" type="search" value="{query}" maxlength="200" autocomplete="off"></div><button>{~library.find}</button></form>{found}"#,
);

const FOUND: Template = Template(
    r#"<section aria-labelledby="found-title"><h2 id="found-title">{title}</h2><ul class="hits">{works}</ul>{more}</section>"#,
);

const WORK: Template = Template(
    r#"<li class="hit"><div><a href="/c/{collection}/e/{id}" dir="auto"><b>{title}</b></a><br><span class="quiet" dir="auto">{about}</span><br><a class="quiet" href="/c/{collection}" dir="auto">{name}</a> {tags}</div></li>"#,
);

const MORE: Template = Template(r#"<p class="quiet">{~library.more-found}</p>"#);

const FULL: Template = Template(
    r#"<p class="notice warn">{~library.full} <a href="/account">{~library.plan}</a></p>"#,
);

const NEW: Template = Template(
    r#"<form class="inline" method="post" action="/library"><div class="field grow"><label for="name">{~library.new}</label>
<input id="name" name="name" required maxlength="200" autocomplete="off"></div><button class="primary" name="do" value="create">{~library.create}</button></form>"#,
);

const CARDS: Template = Template(r#"<ul class="cards">{cards}</ul>"#);

const EMPTY: Template = Template(r#"<p class="empty">{~library.empty}</p>"#);

const CARD: Template = Template(
    r#"<li class="card"><a href="/c/{id}"><b dir="auto">{name}</b></a><span class="quiet">{about}</span><span>{tags}{shared}</span></li>"#,
);

const TAG: Template = Template(r#"<span class="tag" dir="auto">{tag}</span> "#);

const SHARED: Template = Template(r#"<span class="badge ok">{~library.shared}</span>"#);

const DELETED: Template = Template(
    r#"<div class="notice" role="status"><form class="row" method="post" action="/library">{~library.deleted}
<input type="hidden" name="id" value="{id}"><button name="do" value="restore">{~library.restore}</button></form></div>"#,
);

/// The main part of the page.
pub fn library(words: Words, view: &Library) -> Html {
    let account = match view.is_signed_in {
        false => SIGNED_OUT.say(words, &[]),
        true => signed_in(words, view),
    };
    let notice = view
        .deleted
        .as_deref()
        .map_or_else(Html::empty, |id| DELETED.say(words, &[("id", id.into())]));
    LIBRARY.say(
        words,
        &[
            ("notice", notice.into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("account", account.into()),
        ],
    )
}

fn signed_in(words: Words, view: &Library) -> Html {
    let cards = match view.collections.len() {
        0 => EMPTY.say(words, &[]),
        _ => {
            let cards = view.collections.iter().map(|card| self::card(words, card));
            CARDS.fill(&[("cards", Html::join(cards).into())])
        }
    };
    let count = super::html::message(
        words,
        "library.count",
        &[
            ("used", (view.collections.len() as u64).into()),
            ("limit", view.limit.into()),
        ],
    );
    let new = match view.collections.len() as u64 >= view.limit {
        true => FULL.say(words, &[]),
        false => NEW.say(words, &[]),
    };
    let found = match view.query {
        Some(_) => found(words, view),
        None => Html::empty(),
    };
    let query = view.query.as_deref().unwrap_or_default();
    let search = match view.collections.len() {
        0 => Html::empty(),
        _ => SEARCH.say(words, &[("query", query.into()), ("found", found.into())]),
    };
    SIGNED_IN.say(
        words,
        &[
            ("search", search.into()),
            ("count", count.into()),
            ("cards", cards.into()),
            ("new", new.into()),
        ],
    )
}

fn found(words: Words, view: &Library) -> Html {
    let works = view.found.iter().map(|work| {
        WORK.fill(&[
            ("collection", work.collection.as_str().into()),
            ("id", work.id.as_str().into()),
            ("title", work.title.as_str().into()),
            ("about", work.about.as_str().into()),
            ("name", work.collection_name.as_str().into()),
            ("tags", tags(&work.tags).into()),
        ])
    });
    let more = match view.is_cut_off {
        true => MORE.say(words, &[]),
        false => Html::empty(),
    };
    let title = words.count("library.found", view.found.len() as u64);
    FOUND.fill(&[
        ("title", title.into()),
        ("works", Html::join(works).into()),
        ("more", more.into()),
    ])
}

fn card(words: Words, card: &Card) -> Html {
    let about = format!(
        "{} · {}",
        words.count("count.works", card.entries),
        card.updated
    );
    CARD.fill(&[
        ("id", card.id.as_str().into()),
        ("name", card.name.as_str().into()),
        ("about", about.into()),
        ("tags", tags(&card.tags).into()),
        (
            "shared",
            if card.is_shared {
                SHARED.say(words, &[])
            } else {
                Html::empty()
            }
            .into(),
        ),
    ])
}

/// Tags, one behind the other.
pub fn tags(tags: &[String]) -> Html {
    Html::join(
        tags.iter()
            .map(|tag| TAG.fill(&[("tag", tag.as_str().into())])),
    )
}
