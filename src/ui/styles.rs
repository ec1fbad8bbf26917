//! The styles: searching them, and one of them with a sample.

use super::html::{Html, Template};
use super::page::option;
use super::words::Words;
use citation_model::identifier::percent_encode;

/// What the search shows.
#[derive(Clone, Debug, Default)]
pub struct Search<'p> {
    pub query: &'p str,
    pub format: &'p str,
    pub field: &'p str,
    pub found: Vec<Card>,
    /// Where nothing is found: short names that are spelt alike.
    pub nearest: Vec<String>,
    /// Styles in all.
    pub total: u64,
    /// The part about styles of one's own.
    pub own: Html,
}

/// A style in the list.
#[derive(Clone, Debug, Default)]
pub struct Card {
    pub id: String,
    pub title: String,
    /// `author-date`, `author`, `numeric`, `label`, `note`; empty where the style does not tell.
    pub format: &'static str,
    /// The style whose rules it takes.
    pub parent: Option<String>,
    /// The disciplines, as styles name them.
    pub fields: Vec<String>,
}

/// The disciplines that styles name (CSL 1.0.2, Appendix I, categories).
const FIELDS: [&str; 26] = [
    "anthropology",
    "astronomy",
    "biology",
    "botany",
    "chemistry",
    "communications",
    "engineering",
    "generic-base",
    "geography",
    "geology",
    "history",
    "humanities",
    "law",
    "linguistics",
    "literature",
    "math",
    "medicine",
    "philosophy",
    "physics",
    "political_science",
    "psychology",
    "science",
    "social_science",
    "sociology",
    "theology",
    "zoology",
];

const FORMATS: [&str; 5] = ["author-date", "author", "numeric", "label", "note"];

const SEARCH: Template = Template(
    r##"<p class="lede">{~styles.lede} <span id="total">{total}</span> <a href="#own">{~own.title}</a></p>
<form id="styles" data-scripted class="filters" method="get" action="/styles" role="search">
<div class="field grow"><label for="q">{~styles.search}</label><input id="q" name="q" type="search" value="{query}" autocomplete="off"></div>
<div class="field"><label for="citation_format">{~styles.format}</label><select id="citation_format" name="citation_format">{formats}</select></div>
<div class="field"><label for="field">{~styles.field}</label><select id="field" name="field">{fields}</select></div>
<button class="scriptless">{~styles.find}</button>
</form>
<div id="results" aria-live="polite">{cards}</div>
{own}"##,
);

const CARDS: Template = Template(r#"<ul class="cards">{cards}</ul>"#);

const NONE: Template = Template(r#"<p class="empty">{~styles.none}</p>"#);

const CARD: Template = Template(
    r#"<li class="card"><a href="/styles/{address}"><b>{title}</b></a><span class="quiet">{about}</span></li>"#,
);

/// The main part of the search.
pub fn search(words: Words, view: &Search<'_>) -> Html {
    let any = words.get("styles.any");
    let cards = match view.found.len() {
        0 => none(words, &view.nearest),
        _ => CARDS.fill(&[(
            "cards",
            Html::join(view.found.iter().map(|c| card(words, c))).into(),
        )]),
    };
    SEARCH.say(
        words,
        &[
            ("total", words.count("count.styles", view.total).into()),
            ("query", view.query.into()),
            ("formats", formats(words, any, view.format).into()),
            ("fields", fields(words, any, view.field).into()),
            ("cards", cards.into()),
            ("own", view.own.clone().into()),
        ],
    )
}

const NEAREST: Template =
    Template(r#"<p>{~styles.nearest}</p><ul class="inline-list">{links}</ul>"#);

const NEAR: Template = Template(r#"<li><a href="/styles/{address}">{id}</a></li>"#);

/// No style, and those that may be meant.
pub fn none(words: Words, nearest: &[String]) -> Html {
    let links = nearest.iter().map(|id| {
        NEAR.fill(&[
            ("address", percent_encode(id).into()),
            ("id", id.as_str().into()),
        ])
    });
    let nearest = match nearest.len() {
        0 => Html::empty(),
        _ => NEAREST.say(words, &[("links", Html::join(links).into())]),
    };
    Html::join([NONE.say(words, &[]), nearest])
}

/// The classes of styles to choose from, after one that stands for all.
pub fn formats(words: Words, all: &str, chosen: &str) -> Html {
    let name = |format| words.find(&format!("format.{format}")).unwrap_or(format);
    choices(all, &FORMATS, chosen, name)
}

/// The fields to choose from, after one that stands for all.
pub fn fields(words: Words, all: &str, chosen: &str) -> Html {
    choices(all, &FIELDS, chosen, |field| field_name(words, field))
}

/// A field as people call it.
pub fn field_name(words: Words, field: &str) -> &str {
    words.find(&format!("discipline.{field}")).unwrap_or(field)
}

fn choices<'n>(
    all: &str,
    values: &[&'n str],
    chosen: &str,
    name: impl Fn(&'n str) -> &'n str,
) -> Html {
    let first = option("", all, chosen.is_empty(), None);
    let values = values
        .iter()
        .map(|value| option(value, name(value), *value == chosen, None));
    Html::join(std::iter::once(first).chain(values))
}

fn card(words: Words, card: &Card) -> Html {
    CARD.fill(&[
        ("address", percent_encode(&card.id).into()),
        ("title", card.title.as_str().into()),
        ("about", about(words, card).into()),
    ])
}

/// Class, fields and parent in one line.
fn about(words: Words, card: &Card) -> String {
    let format = words
        .find(&format!("format.{}", card.format))
        .unwrap_or(card.format);
    let fields = card.fields.iter().map(|field| field_name(words, field));
    let fields = fields.collect::<Vec<_>>().join(", ");
    let parts = [format, &fields, card.parent.as_deref().unwrap_or_default()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

/// One style.
#[derive(Clone, Debug, Default)]
pub struct Style {
    pub card: Card,
    pub updated: Option<String>,
    pub license: Option<String>,
    /// Rendered works: type, in-text citation, entry.
    pub sample: Vec<(&'static str, String, Html)>,
}

const STYLE: Template = Template(
    r#"<p class="quiet">{about}</p>
<p><a class="button primary" href="/?style={address}">{~styles.use}</a></p>
<h2>{~styles.sample}</h2>
<div class="sample">{sample}</div>
<dl><dt>{~styles.id}</dt><dd><code>{id}</code></dd>{facts}</dl>
<p><a href="/styles">{~styles.all}</a></p>"#,
);

const SAMPLE: Template = Template(
    r#"<div class="entry"><p class="quiet"><span class="tag">{kind}</span> {~styles.in-text}: {in_text}</p><div class="text">{entry}</div></div>"#,
);

const FACT: Template = Template("<dt>{name}</dt><dd>{value}</dd>");

/// The main part of one style's page.
pub fn style(words: Words, style: &Style) -> Html {
    let sample = style.sample.iter().map(|(kind, in_text, entry)| {
        SAMPLE.say(
            words,
            &[
                (
                    "kind",
                    words.find(&format!("type.{kind}")).unwrap_or(kind).into(),
                ),
                ("in_text", in_text.as_str().into()),
                ("entry", entry.clone().into()),
            ],
        )
    });
    let fact = |key: &str, value: &Option<String>| match value {
        Some(value) => FACT.fill(&[
            ("name", words.get(key).into()),
            ("value", value.as_str().into()),
        ]),
        None => Html::empty(),
    };
    let facts = [
        fact("styles.updated", &style.updated),
        fact("styles.license", &style.license),
    ];
    STYLE.say(
        words,
        &[
            ("about", about(words, &style.card).into()),
            ("address", percent_encode(&style.card.id).into()),
            ("id", style.card.id.as_str().into()),
            ("sample", Html::join(sample).into()),
            ("facts", Html::join(facts).into()),
        ],
    )
}
