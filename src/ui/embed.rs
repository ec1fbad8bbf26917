//! A cite box for the pages of others, such as a library's: one thing is looked up, and its entry shown.

use super::html::{Html, Template};
use super::page::Theme;
use super::words::Words;
use super::{assets, page};
use citation_model::identifier::percent_encode;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Embed<'p> {
    pub query: &'p str,
    /// As the address names it; may be empty.
    pub style: &'p str,
    pub theme: Theme,
    /// The work that was found, as the style has it: in the bibliography and in the text.
    pub entry: Option<(Html, Html)>,
    pub problem: Option<String>,
}

const EMBED: Template = Template(
    r#"<!doctype html>
<html lang="{lang}" dir="{dir}" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{~embed.title}</title>
<script src="{early}"></script>
<link rel="stylesheet" href="{sheet}">
<link rel="icon" type="image/svg+xml" href="{icon}">
<script type="module" src="{script}"></script>
</head>
<body class="embed">
<main id="main" tabindex="-1"><h1 class="unseen">{~embed.title}</h1>
<form class="box" method="get" action="/embed">
<label for="q">{~cite.label}</label>
<div class="row"><input id="q" name="q" value="{query}" required autocomplete="off" spellcheck="false">{style}<button class="primary">{~cite.find}</button></div>
</form>
{problem}{entry}
<p class="quiet"><a href="/{full}" target="_blank" rel="noopener">{~embed.more}</a></p>
</main>
<div id="polite" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>
"#,
);

const STYLE: Template = Template(r#"<input type="hidden" name="style" value="{style}">"#);

const ENTRY: Template = Template(
    r#"<section class="panel" role="status"><div class="text" id="entry" dir="auto">{entry}</div><p class="quiet" dir="auto">{in_text}</p><div class="row scripted"><button type="button" id="copy">{~embed.copy}</button></div></section>"#,
);

/// The whole page.
pub fn embed(words: Words, view: &Embed<'_>) -> Html {
    let language = words.language();
    let dir = match language.is_right_to_left {
        true => "rtl",
        false => "ltr",
    };
    let style = match view.style {
        "" => Html::empty(),
        style => STYLE.fill(&[("style", style.into())]),
    };
    let full = match view.query {
        "" => String::new(),
        query => format!(
            "cite?q={}&style={}",
            percent_encode(query),
            percent_encode(view.style)
        ),
    };
    let entry = view.entry.as_ref().map_or_else(Html::empty, |shown| {
        let (entry, in_text) = shown.clone();
        ENTRY.say(
            words,
            &[("entry", entry.into()), ("in_text", in_text.into())],
        )
    });
    EMBED.say(
        words,
        &[
            ("lang", language.tag.into()),
            ("dir", dir.into()),
            ("theme", view.theme.name().into()),
            ("early", assets::address("early.js").into()),
            ("icon", assets::address("icon.svg").into()),
            ("sheet", assets::address("style.css").into()),
            ("script", assets::address("embed.js").into()),
            ("query", view.query.into()),
            ("style", style.into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("entry", entry.into()),
            ("full", full.into()),
        ],
    )
}
