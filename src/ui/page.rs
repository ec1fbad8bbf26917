//! The frame that all pages share: title, navigation, main part, and a footer to choose language
//! and appearance.

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
    /// As the browser prefers.
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

    /// Values of `color-scheme` for browser controls (CSS Color Adjustment 1, section 2.1).
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

/// The parameters of the frame around the main part.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'p> {
    pub title: &'p str,
    /// Display name of the signed-in user; None if nobody has signed in.
    pub person: Option<&'p str>,
    /// The page's address in the navigation, if listed there.
    pub current: &'p str,
    /// An address that the browser opens after a moment.
    pub next: Option<&'p str>,
    pub words: Words,
    pub theme: Theme,
    /// The page's own path and query, to return to.
    pub here: &'p str,
    /// File name of the page's module.
    pub script: Option<&'p str>,
    /// Whether the main part has its own heading.
    pub has_heading: bool,
    /// Whether search engines may index the page.
    pub is_listed: bool,
    /// Names and contents of further meta tags: the work that the page describes.
    pub tags: &'p [(&'static str, String)],
    /// Whether pages may lead to the plans.
    pub sells_plans: bool,
}

/// The navigation in order: address and message.
const NAVIGATION: [(&str, &str); 5] = [
    ("/", "nav.cite"),
    ("/library", "nav.library"),
    ("/verify", "nav.verify"),
    ("/batch", "nav.batch"),
    ("/styles", "nav.styles"),
];

/// The navigation among the account's pages.
const PERSONAL: [(&str, &str); 8] = [
    ("/account", "nav.account"),
    ("/account/reviews", "nav.reviews"),
    ("/account/jobs", "nav.jobs"),
    ("/account/groups", "nav.groups"),
    ("/account/keys", "nav.keys"),
    ("/account/programs", "nav.programs"),
    ("/account/webhooks", "nav.webhooks"),
    ("/account/sessions", "nav.sessions"),
];

/// The navigation among the operator's pages.
const OPERATION: [(&str, &str); 5] = [
    ("/operator", "nav.setup"),
    ("/operator/accounts", "nav.accounts"),
    ("/operator/sources", "nav.sources"),
    ("/operator/styles", "nav.styles"),
    ("/operator/backups", "nav.backups"),
];

/// The content security policy of every page: no foreign content, no inline script or style, and no
/// text that a script turns into markup.
pub const SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker";

/// The whole page: the main part in its frame.
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

    /// The module of script messages in the reader's language.
    fn words_module(&self) -> String {
        format!("words/{}.js", self.words.language().tag)
    }
}

/// A time in Unix seconds, shown as `2026-11-21 04:00 UTC`.
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

/// The bibliography formats that can be read, as the `accept` of an input.
pub fn readable_files() -> String {
    accepted(&["txt"])
}

/// The bibliography and manuscript formats that can be read, as the `accept` of an input.
pub fn checkable_files() -> String {
    let manuscripts: Vec<&str> = { documents::ManuscriptFormat::ALL.iter() }
        .flat_map(|format| format.extensions())
        .copied()
        .collect();
    accepted(&manuscripts)
}

/// File extensions of the bibliographies and others, and plain text.
fn accepted(others: &[&str]) -> String {
    let bibliographies = Format::readable().flat_map(|format| format.extensions);
    let endings: BTreeSet<&str> = { bibliographies.chain(others) }
        .copied()
        .chain(["text/plain"])
        .collect();
    let endings = endings.into_iter().map(|ending| {
        if ending.contains('/') {
            ending.to_owned()
        } else {
            format!(".{ending}")
        }
    });
    endings.collect::<Vec<_>>().join(",")
}

/// The main part of an error page.
#[derive(Template)]
#[template(path = "failure.html")]
pub struct FailurePage<'p> {
    pub words: Words,
    pub text: &'p str,
    pub request_id: &'p str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_shows_user_and_current_page() {
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
    fn frame_has_language_and_theme() {
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
