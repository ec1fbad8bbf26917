//! The frame that every page shares: title, navigation, main part.

use super::html::{Html, Template};

/// What a page is, around its main part.
#[derive(Clone, Debug, Default)]
pub struct Frame<'p> {
    pub title: &'p str,
    /// Whoever has signed in, as they know themselves. Nothing: nobody has.
    pub person: Option<&'p str>,
    /// The address of the page in the navigation, where it stands there.
    pub current: &'p str,
    /// An address that the browser goes to by itself after a moment.
    pub next: Option<&'p str>,
}

/// What the navigation offers to everybody, in order.
const NAVIGATION: [(&str, &str); 1] = [("/api/docs", "Interface")];

/// What it offers to those who have signed in.
const PERSONAL: [(&str, &str); 3] = [
    ("/account", "Account"),
    ("/account/keys", "API keys"),
    ("/account/sessions", "Sessions"),
];

/// The policy that goes with every page: nothing from elsewhere, no script at all.
pub const SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; \
                                   base-uri 'none'; frame-ancestors 'none'";

const PAGE: Template = Template(
    r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">{next}
<title>{title} · Citation</title>
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<span class="name">Citation</span>
<nav aria-label="Main"><ul>{links}</ul></nav>
{person}
</header>
<main id="main" tabindex="-1">
<h1>{title}</h1>
{main}
</main>
</body>
</html>
"##,
);

const LINK: Template = Template(r#"<li><a href="{address}"{mark}>{text}</a></li>"#);

const CURRENT: Template = Template(r#" aria-current="page""#);

const NEXT: Template = Template("\n<meta http-equiv=\"refresh\" content=\"0; url={address}\">");

const SIGNED_IN: Template = Template(
    r#"<form class="person" method="post" action="/auth/logout"><span>{person}</span> <button>Sign out</button></form>"#,
);

const SIGNED_OUT: Template = Template(r#"<p class="person"><a href="/auth/login">Sign in</a></p>"#);

/// Puts the main part into the frame.
pub fn page(frame: &Frame<'_>, main: Html) -> Html {
    let personal = if frame.person.is_some() {
        &PERSONAL[..]
    } else {
        &[]
    };
    let links = personal.iter().chain(&NAVIGATION).map(|(address, text)| {
        let mark = if *address == frame.current {
            CURRENT.html()
        } else {
            Html::empty()
        };
        LINK.fill(&[
            ("address", (*address).into()),
            ("text", (*text).into()),
            ("mark", mark.into()),
        ])
    });
    let person = match frame.person {
        Some(person) => SIGNED_IN.fill(&[("person", person.into())]),
        None => SIGNED_OUT.html(),
    };
    let next = frame.next.map_or_else(Html::empty, |address| {
        NEXT.fill(&[("address", address.into())])
    });
    PAGE.fill(&[
        ("title", frame.title.into()),
        ("links", Html::join(links).into()),
        ("person", person.into()),
        ("next", next.into()),
        ("main", main.into()),
    ])
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

const FAILURE: Template = Template(
    r#"{problem}
<p class="small">Number of this request: <code>{request}</code></p>
<p><a href="/account">To the account</a></p>"#,
);

/// The main part of a page that could not be shown.
pub fn failure(message: &str, request_id: &str) -> Html {
    FAILURE.fill(&[
        ("problem", problem(Some(message)).into()),
        ("request", request_id.into()),
    ])
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
            next: None,
        };
        let html = page(&frame, Html::text("body")).into_string();
        assert!(html.contains("&lt;a@b&gt;"));
        assert!(html.contains(r#"<a href="/account/keys" aria-current="page">"#));
        assert_eq!(html.matches("aria-current").count(), 1);
        let html = page(
            &Frame {
                title: "Sign in",
                ..Frame::default()
            },
            Html::empty(),
        )
        .into_string();
        assert!(!html.contains("/account") && html.contains("/auth/login"));
    }
}
