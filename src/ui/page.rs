//! The frame that every page shares: title, navigation, main part, and at the foot the choice of
//! language and appearance.

use super::assets;
use super::html::Html;
use super::words::{LANGUAGES, Words};
use crate::clock;
use askama::Template;
use citation_documents as documents;
use citation_exchange::Format;
use citation_model::identifier::percent_encode;
use std::collections::BTreeSet;
use std::fmt;

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

    /// The schemes that the browser's own controls may take (CSS Color Adjustment 1, section 2.1).
    fn scheme(self) -> &'static str {
        match self {
            Theme::System => "light dark",
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

/// The whole page, with its main part in the frame.
#[derive(Template)]
#[template(path = "page.html")]
pub struct Page<'p> {
    words: Words,
    frame: &'p Frame<'p>,
    main: Html,
}

impl<'p> Page<'p> {
    pub fn new(frame: &'p Frame<'p>, main: impl Into<Html>) -> Page<'p> {
        Page {
            words: frame.words,
            frame,
            main: main.into(),
        }
    }

    /// The module with what the scripts say in the reader's language.
    fn words_module(&self) -> String {
        format!("words/{}.js", self.words.language().tag)
    }
}

/// A moment in Unix seconds, which is shown as `2026-11-21 04:00 UTC`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment(pub i64);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let iso8601 = clock::iso8601(self.0);
        match (iso8601.get(..10), iso8601.get(11..16)) {
            (Some(day), Some(time)) => write!(f, "{day} {time} UTC"),
            _ => f.write_str(&iso8601),
        }
    }
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

/// The main part of a page that could not be shown.
#[derive(Template)]
#[template(path = "failure.html")]
pub struct Failure<'p> {
    pub words: Words,
    pub text: &'p str,
    pub request_id: &'p str,
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
        let html = Page::new(&frame, Html::text("body")).to_string();
        assert!(html.contains("&#60;a@b&#62;"));
        assert!(html.contains(r#"<a href="/account/keys" aria-current="page">"#));
        assert_eq!(html.matches("aria-current").count(), 1);
        let frame = Frame {
            title: "Sign in",
            here: "/verify?a=b&c",
            ..Frame::default()
        };
        let html = Page::new(&frame, Html::default()).to_string();
        assert!(!html.contains("/account") && html.contains("return_to=%2Fverify%3Fa%3Db%26c"));
    }

    #[test]
    fn language_and_theme_are_in_the_frame() {
        let frame = Frame {
            words: Words::of("ar").unwrap(),
            theme: Theme::Dark,
            ..Frame::default()
        };
        let html = Page::new(&frame, Html::default()).to_string();
        assert!(html.contains(r#"<html lang="ar" dir="rtl" data-theme="dark">"#));
        assert!(html.contains(r#"<option value="ar" selected lang="ar">"#));
    }
}
