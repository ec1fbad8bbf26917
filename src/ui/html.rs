//! HTML that is escaped by construction: markup comes from templates in the program's own text, and
//! whatever is filled in is either text, which is escaped, or HTML that was made the same way.

use super::words::Words;

/// A piece of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

/// A piece of HTML with places to fill: `<p>{name}</p>`. A name is of small letters and `_`.
/// `{~key}` is a place for a message in the reader's language, whose own places are filled from the
/// same values.
#[derive(Clone, Copy, Debug)]
pub struct Template(pub &'static str);

/// What goes into a place.
#[derive(Clone, Debug)]
pub enum Fill {
    Text(String),
    Html(Html),
}

impl Html {
    pub fn empty() -> Html {
        Html::default()
    }

    /// Text as HTML. Good between tags and in quoted attributes.
    pub fn text(text: &str) -> Html {
        let mut escaped = String::with_capacity(text.len());
        push_escaped(&mut escaped, text);
        Html(escaped)
    }

    /// Pieces one after the other.
    pub fn join(pieces: impl IntoIterator<Item = Html>) -> Html {
        Html(pieces.into_iter().map(|piece| piece.0).collect())
    }

    /// A value as the content of `<script type="application/json">`.
    pub fn json(text: &str) -> Html {
        // Inside a string of JSON these may be written as escapes, and nowhere else do they stand.
        Html(
            text.replace('<', "\\u003c")
                .replace('>', "\\u003e")
                .replace('&', "\\u0026"),
        )
    }

    /// What the formatter made, with its own tags and nothing else: see [`super::rich`].
    pub(super) fn trusted(html: String) -> Html {
        Html(html)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl Template {
    /// Fills the places. A place that nothing is given for stays empty.
    pub fn fill(&self, values: &[(&str, Fill)]) -> Html {
        self.say(Words::default(), values)
    }

    /// Fills the places, with messages from `words`.
    pub fn say(&self, words: Words, values: &[(&str, Fill)]) -> Html {
        let mut html = String::with_capacity(self.0.len() * 2);
        push_filled(&mut html, self.0, Some(words), values);
        Html(html)
    }

    /// A template without places.
    pub fn html(&self) -> Html {
        self.fill(&[])
    }
}

/// A message of the reader's language as HTML, its places filled.
pub fn message(words: Words, key: &str, values: &[(&str, Fill)]) -> Html {
    let mut html = String::new();
    push_filled(&mut html, words.get(key), None, values);
    Html(html)
}

/// Fills a template's places, or, without `words`, those of a message, whose own text is escaped.
fn push_filled(html: &mut String, template: &str, words: Option<Words>, values: &[(&str, Fill)]) {
    let push_literal = |html: &mut String, text: &str| match words {
        Some(_) => html.push_str(text),
        None => push_escaped(html, text),
    };
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        push_literal(html, before);
        rest = match (place(after), words) {
            (Some((name, tail)), Some(words)) if name.starts_with('~') => {
                let text = words.get(name.trim_start_matches('~'));
                push_filled(html, text, None, values);
                tail
            }
            (Some((name, tail)), _) if !name.starts_with('~') => {
                push_value(html, name, values);
                tail
            }
            _ => {
                html.push('{');
                after
            }
        };
    }
    push_literal(html, rest);
}

/// The name of a place and what comes behind it; nothing where the brace opens no place.
fn place(text: &str) -> Option<(&str, &str)> {
    let (name, tail) = text.split_once('}')?;
    let of_value = |c: char| c.is_ascii_lowercase() || c == '_';
    let of_key = |c: char| of_value(c) || c.is_ascii_digit() || matches!(c, '.' | '-');
    let is_place = match name.strip_prefix('~') {
        Some(key) => !key.is_empty() && key.chars().all(of_key),
        None => !name.is_empty() && name.chars().all(of_value),
    };
    is_place.then_some((name, tail))
}

fn push_value(html: &mut String, name: &str, values: &[(&str, Fill)]) {
    let value = values.iter().find(|(given, _)| *given == name);
    debug_assert!(value.is_some(), "nothing is given for {name}");
    match value {
        Some((_, Fill::Text(text))) => push_escaped(html, text),
        Some((_, Fill::Html(piece))) => html.push_str(piece.as_str()),
        None => {}
    }
}

fn push_escaped(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
}

impl From<&str> for Fill {
    fn from(text: &str) -> Fill {
        Fill::Text(text.to_owned())
    }
}

impl From<String> for Fill {
    fn from(text: String) -> Fill {
        Fill::Text(text)
    }
}

impl From<u64> for Fill {
    fn from(number: u64) -> Fill {
        Fill::Text(number.to_string())
    }
}

impl From<Html> for Fill {
    fn from(html: Html) -> Fill {
        Fill::Html(html)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_html_is_not() {
        let template = Template("<a title=\"{title}\">{body}</a>");
        let html = template.fill(&[
            ("title", "\"><script>alert('x')&".into()),
            (
                "body",
                Template("<b>{text}</b>")
                    .fill(&[("text", "<i>".into())])
                    .into(),
            ),
        ]);
        assert_eq!(
            html.as_str(),
            "<a title=\"&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&amp;\"><b>&lt;i&gt;</b></a>"
        );
    }

    #[test]
    fn filled_in_text_is_no_template() {
        let html = Template("{a}{b}").fill(&[("a", "{b}".into()), ("b", "x".into())]);
        assert_eq!(html.as_str(), "{b}x");
    }

    #[test]
    fn messages_are_text_and_have_places() {
        let words = Words::of("de").unwrap();
        let html =
            Template("<h1>{~nav.library}</h1>{~page.title}").say(words, &[("title", "<b>".into())]);
        assert_eq!(html.as_str(), "<h1>Bibliothek</h1>&lt;b&gt; · Citation");
    }

    #[test]
    fn json_ends_no_script() {
        let html = Html::json(r#"{"a":"</script><!-- &"}"#);
        assert_eq!(
            html.as_str(),
            "{\"a\":\"\\u003c/script\\u003e\\u003c!-- \\u0026\"}"
        );
    }

    #[test]
    fn other_braces_stay() {
        assert_eq!(Template("a { b } {C} {").html().as_str(), "a { b } {C} {");
    }
}
