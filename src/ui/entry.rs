//! One entry of a collection: its fields, and what it said before.

use super::breadcrumbs;
use super::html::{Html, Template, message};
use super::page::{self, option};
use super::words::Words;

/// What an entry's page shows.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    pub collection: String,
    pub collection_name: String,
    pub id: String,
    pub title: String,
    /// Name and value of each field, in order.
    pub fields: Vec<(&'static str, String)>,
    pub kind: &'static str,
    pub authors: String,
    pub note: String,
    pub tags: String,
    pub status: &'static str,
    pub preview: Html,
    /// The title in sentence case, where that is suggested.
    pub sentence_case: Option<String>,
    /// Newest first.
    pub versions: Vec<Version>,
    pub problem: Option<String>,
}

/// An earlier version of an entry, and what was changed then.
#[derive(Clone, Debug, Default)]
pub struct Version {
    /// Counts the versions of the entry, from 1.
    pub number: i64,
    /// `edited`, `merged` or `restored`.
    pub cause: &'static str,
    /// When it was replaced, as it is shown.
    pub time: String,
    /// Name, old and new value of each field that was changed.
    pub changes: Vec<(String, String, String)>,
}

/// The types that the page offers, as the interface spells them.
pub const KINDS: [&str; 16] = [
    "Article",
    "Book",
    "Chapter",
    "ConferencePaper",
    "Thesis",
    "Report",
    "Preprint",
    "Webpage",
    "NewspaperArticle",
    "MagazineArticle",
    "Dataset",
    "Software",
    "Standard",
    "Patent",
    "MotionPicture",
    "Document",
];

/// What may be said of an entry's state.
const STATES: [&str; 6] = [
    "clean",
    "needs_review",
    "possible_duplicate",
    "verified",
    "mismatch",
    "retracted",
];

const ENTRY: Template = Template(
    r#"{trail}
<h1 dir="auto">{title}</h1>{problem}
<div class="panel text" dir="auto">{preview}</div>{sentence_case}
<form class="editor" method="post" action="/c/{collection}/e/{id}">
<label for="entry_type">{~field.entry_type}</label><select id="entry_type" name="entry_type">{kinds}</select>
<label for="authors">{~field.authors}</label><textarea id="authors" name="authors" rows="3" aria-describedby="authors-hint" dir="auto">{authors}</textarea>
<p class="hint" id="authors-hint">{~editor.authors-hint}</p>
{fields}
<label for="note">{~field.note}</label><textarea id="note" name="note" rows="3" dir="auto">{note}</textarea>
<label for="tags">{~collection.tags}</label><input id="tags" name="tags" value="{tags}">
<label for="review_status">{~field.review_status}</label><select id="review_status" name="review_status">{states}</select>
<div class="row"><button class="primary" name="do" value="save">{~collection.save}</button>
<button class="danger" name="do" value="remove" formnovalidate>{~entry.remove}</button></div>
</form>
<section class="panel" id="history"><h2>{~history.title}</h2>{versions}</section>"#,
);

const FIELD: Template = Template(
    r#"<label for="{name}">{label}</label><input id="{name}" name="{name}" value="{value}" dir="auto">"#,
);

/// The main part of an entry's page.
pub fn entry(words: Words, view: &Entry) -> Html {
    let known = KINDS.contains(&view.kind);
    let own = (!known).then_some(view.kind).into_iter();
    let kinds = own.chain(KINDS).map(|kind| {
        let text = words.find(&format!("type.{kind}")).unwrap_or(kind);
        option(kind, text, kind == view.kind, None)
    });
    let states = STATES.into_iter().map(|state| {
        let text = words.find(&format!("review.{state}")).unwrap_or(state);
        option(state, text, state == view.status, None)
    });
    let fields = view.fields.iter().map(|(name, value)| {
        let label = words.find(&format!("field.{name}")).unwrap_or(name);
        FIELD.fill(&[
            ("name", (*name).into()),
            ("label", label.into()),
            ("value", value.as_str().into()),
        ])
    });
    let address = format!("/c/{}", view.collection);
    let above = [(address.as_str(), view.collection_name.as_str())];
    ENTRY.say(
        words,
        &[
            ("collection", view.collection.as_str().into()),
            ("trail", breadcrumbs::below_library(words, &above).into()),
            ("title", view.title.as_str().into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("preview", view.preview.clone().into()),
            ("sentence_case", sentence_case(words, view).into()),
            ("id", view.id.as_str().into()),
            ("kinds", Html::join(kinds).into()),
            ("authors", view.authors.as_str().into()),
            ("fields", Html::join(fields).into()),
            ("note", view.note.as_str().into()),
            ("tags", view.tags.as_str().into()),
            ("states", Html::join(states).into()),
            ("versions", versions(words, view).into()),
        ],
    )
}

const SENTENCE_CASE: Template = Template(
    r#"<form class="notice" method="post" action="/c/{collection}/e/{id}">{~editor.sentence-case} <b dir="auto">{title}</b> <button name="do" value="sentence-case">{~editor.take-title}</button></form>"#,
);

fn sentence_case(words: Words, view: &Entry) -> Html {
    let Some(title) = &view.sentence_case else {
        return Html::empty();
    };
    SENTENCE_CASE.say(
        words,
        &[
            ("collection", view.collection.as_str().into()),
            ("id", view.id.as_str().into()),
            ("title", title.as_str().into()),
        ],
    )
}

const VERSIONS: Template = Template(
    r#"<form method="post" action="/c/{collection}/e/{id}"><ol class="versions" role="list">{versions}</ol></form>"#,
);

const NO_VERSION: Template = Template(r#"<p class="quiet">{~history.none}</p>"#);

const VERSION: Template = Template(
    r#"<li><h3 id="version-{number}">{heading}</h3>
<table class="diff"><thead><tr><th scope="col">{~history.field}</th><th scope="col">{~history.before}</th><th scope="col">{~history.after}</th></tr></thead><tbody>{changes}</tbody></table>
<button name="do" value="restore:{number}" aria-describedby="version-{number}">{~history.restore}</button></li>"#,
);

const CHANGE: Template = Template(
    r#"<tr><th scope="row">{field}</th><td dir="auto"><del>{before}</del></td><td dir="auto"><ins>{after}</ins></td></tr>"#,
);

fn versions(words: Words, view: &Entry) -> Html {
    if view.versions.is_empty() {
        return NO_VERSION.say(words, &[]);
    }
    let versions = view.versions.iter().map(|version| {
        let heading = message(
            words,
            &format!("history.{}", version.cause),
            &[("time", version.time.as_str().into())],
        );
        let changes = version.changes.iter().map(|(field, before, after)| {
            CHANGE.fill(&[
                (
                    "field",
                    words
                        .find(&format!("field.{field}"))
                        .unwrap_or(field)
                        .into(),
                ),
                ("before", before.as_str().into()),
                ("after", after.as_str().into()),
            ])
        });
        VERSION.say(
            words,
            &[
                ("number", version.number.to_string().into()),
                ("heading", heading.into()),
                ("changes", Html::join(changes).into()),
            ],
        )
    });
    VERSIONS.fill(&[
        ("collection", view.collection.as_str().into()),
        ("id", view.id.as_str().into()),
        ("versions", Html::join(versions).into()),
    ])
}
