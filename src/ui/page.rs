//! The frame that every page shares: title, navigation, main part, and at the foot the choice of
//! language and appearance.

use super::assets;
use super::html::{Html, Template, message};
use super::words::{LANGUAGES, Words};
use citation_documents as documents;
use citation_exchange::Format;
use citation_model::identifier::percent_encode;
use std::collections::BTreeSet;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the browser wishes.
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// `system`, `light`, `dark`.
    pub fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub fn parse(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// What a page is, around its main part.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'p> {
    pub title: &'p str,
    /// Whoever has signed in, as they know themselves. Nothing: nobody has.
    pub person: Option<&'p str>,
    /// The address of the page in the navigation, where it stands there.
    pub current: &'p str,
    /// An address that the browser goes to by itself after a moment.
    pub next: Option<&'p str>,
    pub words: Words,
    pub theme: Theme,
    /// The page's own path and query, to come back to.
    pub here: &'p str,
    /// The module that the page runs, by its file's name.
    pub script: Option<&'p str>,
    /// Whether the main part brings its own heading.
    pub has_heading: bool,
    /// Whether a search engine may list the page.
    pub is_listed: bool,
    /// Names and contents of further tags of the head: the work that the page is about.
    pub tags: &'p [(&'static str, String)],
}

/// What the navigation offers, in order: address and message.
const NAVIGATION: [(&str, &str); 5] = [
    ("/", "nav.cite"),
    ("/library", "nav.library"),
    ("/verify", "nav.verify"),
    ("/batch", "nav.batch"),
    ("/styles", "nav.styles"),
];

/// What the account's pages offer among themselves.
const PERSONAL: [(&str, &str); 3] = [
    ("/account", "nav.account"),
    ("/account/keys", "nav.keys"),
    ("/account/sessions", "nav.sessions"),
];

/// The policy that goes with every page: nothing from elsewhere, no script or style within the
/// page, and no text that becomes markup in a script.
pub const SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker";

const PAGE: Template = Template(
    r##"<!doctype html>
<html lang="{lang}" dir="{dir}" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}">{robots}{next}{tags}
<title>{heading_title}</title>
<script src="{early}"></script>
<link rel="stylesheet" href="{style}">
<link rel="icon" type="image/svg+xml" href="{icon}">{scripts}
</head>
<body>
<a class="skip" href="#main">{~page.skip}</a>
<header class="bar">
<a class="name" href="/"><span class="mark" aria-hidden="true">❝</span>Citation</a>
<nav class="main" aria-label="{~nav.main}"><ul>{links}</ul></nav>
{person}
</header>
<main id="main" tabindex="-1">
{personal}{heading}{main}
</main>
<footer class="foot">
<form class="preferences" method="post" action="/preferences">
<input type="hidden" name="return_to" value="{here}">
<label>{~page.language} <select name="language">{languages}</select></label>
<label>{~page.appearance} <select name="theme">{themes}</select></label>
<button class="plain">{~page.apply}</button>
</form>
<ul><li><a href="/help">{~nav.help}</a></li><li><a href="/api/docs">{~nav.interface}</a></li><li><a href="/status">{~nav.status}</a></li></ul>
</footer>
<div id="polite" class="unseen" role="status" aria-live="polite"></div>
<div id="assertive" class="unseen" role="alert" aria-live="assertive"></div>
</body>
</html>
"##,
);

const SCRIPTS: Template = Template(
    r#"
<script type="module" src="{common}"></script>
<link rel="modulepreload" href="{words}">"#,
);

const SCRIPT: Template = Template(
    r#"
<script type="module" src="{address}"></script>"#,
);

const ROBOTS: Template = Template("\n<meta name=\"robots\" content=\"noindex\">");

const HEADING: Template = Template("<h1>{title}</h1>\n");

const PERSONAL_LINKS: Template = Template(
    r#"<nav class="tabs" aria-label="{~nav.account}"><ul>{links}</ul></nav>
"#,
);

const LINK: Template = Template(r#"<li><a href="{address}"{mark}>{text}</a></li>"#);

const CURRENT: Template = Template(r#" aria-current="page""#);

const OPTION: Template = Template(r#"<option value="{value}"{selected}{lang}>{text}</option>"#);

const SELECTED: Template = Template(" selected");

const LANG: Template = Template(r#" lang="{tag}""#);

const NEXT: Template = Template("\n<meta http-equiv=\"refresh\" content=\"0; url={address}\">");

const SIGNED_IN: Template = Template(
    r#"<div class="person"><a href="/account" dir="auto">{person}</a><form method="post" action="/auth/logout"><button class="plain">{~nav.sign-out}</button></form></div>"#,
);

const SIGNED_OUT: Template =
    Template(r#"<div class="person"><a href="/auth/login?{query}">{~nav.sign-in}</a></div>"#);

/// Puts the main part into the frame.
pub fn page(frame: &Frame<'_>, main: Html) -> Html {
    let words = frame.words;
    let language = words.language();
    let heading = match frame.has_heading {
        true => Html::empty(),
        false => HEADING.fill(&[("title", frame.title.into())]),
    };
    let heading_title = match frame.title {
        "" => Html::text("Citation"),
        title => message(words, "page.title", &[("title", title.into())]),
    };
    PAGE.say(
        words,
        &[
            ("lang", language.tag.into()),
            (
                "dir",
                if language.is_right_to_left {
                    "rtl"
                } else {
                    "ltr"
                }
                .into(),
            ),
            ("theme", frame.theme.name().into()),
            ("scheme", scheme(frame.theme).into()),
            (
                "robots",
                if frame.is_listed {
                    Html::empty()
                } else {
                    ROBOTS.html()
                }
                .into(),
            ),
            ("next", next(frame.next).into()),
            ("tags", tags(frame.tags).into()),
            ("heading_title", heading_title.into()),
            ("style", assets::address("style.css").into()),
            ("early", assets::address("early.js").into()),
            ("icon", assets::address("icon.svg").into()),
            ("scripts", scripts(frame).into()),
            ("links", links(words, &NAVIGATION, frame.current).into()),
            ("person", person(frame).into()),
            ("personal", personal(frame).into()),
            ("heading", heading.into()),
            ("main", main.into()),
            ("here", frame.here.into()),
            (
                "languages",
                Html::join(
                    LANGUAGES
                        .iter()
                        .map(|l| option(l.tag, l.name, l.tag == language.tag, Some(l.tag))),
                )
                .into(),
            ),
            (
                "themes",
                Html::join(Theme::ALL.into_iter().map(|theme| {
                    let text = words.get(match theme {
                        Theme::System => "page.theme-system",
                        Theme::Light => "page.theme-light",
                        Theme::Dark => "page.theme-dark",
                    });
                    option(theme.name(), text, theme == frame.theme, None)
                }))
                .into(),
            ),
        ],
    )
}

fn scheme(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "light dark",
        Theme::Light => "light",
        Theme::Dark => "dark",
    }
}

fn next(address: Option<&str>) -> Html {
    address.map_or_else(Html::empty, |address| {
        NEXT.fill(&[("address", address.into())])
    })
}

fn tags(tags: &[(&str, String)]) -> Html {
    const TAG: Template = Template("\n<meta name=\"{name}\" content=\"{content}\">");
    Html::join(tags.iter().map(|(name, content)| {
        TAG.fill(&[
            ("name", (*name).into()),
            ("content", content.as_str().into()),
        ])
    }))
}

fn scripts(frame: &Frame<'_>) -> Html {
    let words = format!("words/{}.js", frame.words.language().tag);
    let common = SCRIPTS.fill(&[
        ("common", assets::address("common.js").into()),
        ("words", assets::address(&words).into()),
    ]);
    let own = frame.script.map_or_else(Html::empty, |name| {
        SCRIPT.fill(&[("address", assets::address(name).into())])
    });
    Html::join([common, own])
}

fn person(frame: &Frame<'_>) -> Html {
    match frame.person {
        Some(person) => SIGNED_IN.say(frame.words, &[("person", person.into())]),
        None => {
            let query = format!("return_to={}", percent_encode(frame.here));
            SIGNED_OUT.say(frame.words, &[("query", query.into())])
        }
    }
}

fn personal(frame: &Frame<'_>) -> Html {
    if frame.person.is_none() || !frame.current.starts_with("/account") {
        return Html::empty();
    }
    let links = links(frame.words, &PERSONAL, frame.current);
    PERSONAL_LINKS.say(frame.words, &[("links", links.into())])
}

fn links(words: Words, links: &[(&str, &str)], current: &str) -> Html {
    Html::join(links.iter().map(|(address, key)| {
        let mark = match *address == current {
            true => CURRENT.html(),
            false => Html::empty(),
        };
        LINK.fill(&[
            ("address", (*address).into()),
            ("text", words.get(key).into()),
            ("mark", mark.into()),
        ])
    }))
}

/// A choice of a list.
pub fn option(value: &str, text: &str, is_selected: bool, lang: Option<&str>) -> Html {
    let lang = lang.map_or_else(Html::empty, |tag| LANG.fill(&[("tag", tag.into())]));
    let selected = if is_selected {
        SELECTED.html()
    } else {
        Html::empty()
    };
    OPTION.fill(&[
        ("value", value.into()),
        ("text", text.into()),
        ("selected", selected.into()),
        ("lang", lang.into()),
    ])
}

/// A moment in ISO 8601 as it is shown: `2026-11-21 04:00 UTC`.
pub fn moment(iso8601: &str) -> String {
    match (iso8601.get(..10), iso8601.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => iso8601.to_owned(),
    }
}

const PROBLEM: Template = Template(r#"<p class="problem" role="alert">{text}</p>"#);

const NOTICE: Template = Template(r#"<p class="notice" role="status">{text}</p>"#);

/// A sentence about what went wrong; nothing where nothing did.
pub fn problem(text: Option<&str>) -> Html {
    text.map_or_else(Html::empty, |text| PROBLEM.fill(&[("text", text.into())]))
}

/// A sentence about what was done.
pub fn notice(text: &str) -> Html {
    NOTICE.fill(&[("text", text.into())])
}

/// The bibliographies that are read, as the `accept` of an input.
pub fn readable_files() -> String {
    accepted(&["txt"])
}

/// The bibliographies and manuscripts that are read, as the `accept` of an input.
pub fn checkable_files() -> String {
    let manuscripts: Vec<&str> = { documents::Format::ALL.iter() }
        .flat_map(|format| format.extensions())
        .copied()
        .collect();
    accepted(&manuscripts)
}

/// The endings of the bibliographies and others, and plain text.
fn accepted(others: &[&str]) -> String {
    let bibliographies = Format::readable().flat_map(|format| format.extensions);
    let endings: BTreeSet<&str> = { bibliographies.chain(others) }
        .copied()
        .chain(["text/plain"])
        .collect();
    let endings = endings
        .into_iter()
        .map(|ending| match ending.contains('/') {
            true => ending.to_owned(),
            false => format!(".{ending}"),
        });
    endings.collect::<Vec<_>>().join(",")
}

const FAILURE: Template = Template(
    r#"{problem}
<p>{~failure.next}</p>
<p class="quiet">{~failure.request} <code>{request}</code></p>
<p><a class="button" href="/">{~failure.home}</a></p>"#,
);

/// The main part of a page that could not be shown.
pub fn failure(words: Words, text: &str, request_id: &str) -> Html {
    FAILURE.say(
        words,
        &[
            ("problem", problem(Some(text)).into()),
            ("request", request_id.into()),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_shows_who_has_signed_in_and_where_one_is() {
        let frame = Frame {
            title: "API keys",
            person: Some("<a@b>"),
            current: "/account/keys",
            ..Frame::default()
        };
        let html = page(&frame, Html::text("body")).into_string();
        assert!(html.contains("&lt;a@b&gt;"));
        assert!(html.contains(r#"<a href="/account/keys" aria-current="page">"#));
        assert_eq!(html.matches("aria-current").count(), 1);
        let frame = Frame {
            title: "Sign in",
            here: "/verify?a=b&c",
            ..Frame::default()
        };
        let html = page(&frame, Html::empty()).into_string();
        assert!(!html.contains("/account") && html.contains("return_to=%2Fverify%3Fa%3Db%26c"));
    }

    #[test]
    fn language_and_theme_are_in_the_frame() {
        let frame = Frame {
            words: Words::of("ar").unwrap(),
            theme: Theme::Dark,
            ..Frame::default()
        };
        let html = page(&frame, Html::empty()).into_string();
        assert!(html.contains(r#"<html lang="ar" dir="rtl" data-theme="dark">"#));
        assert!(html.contains(r#"<option value="ar" selected lang="ar">"#));
    }
}
