//! HTML that is escaped by construction: markup comes from templates in the program's own text, and
//! whatever is filled in is either text, which is escaped, or HTML that was made the same way.

/// A piece of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

/// A piece of HTML with places to fill: `<p>{name}</p>`. A name is of small letters and `_`.
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
        let mut html = String::with_capacity(self.0.len() * 2);
        let mut rest = self.0;
        while let Some((before, after)) = rest.split_once('{') {
            html.push_str(before);
            let name_end = after.find(|c: char| !(c.is_ascii_lowercase() || c == '_'));
            match name_end.map(|end| after.split_at(end)) {
                Some((name, tail)) if !name.is_empty() && tail.starts_with('}') => {
                    let value = values.iter().find(|(given, _)| *given == name);
                    debug_assert!(value.is_some(), "nothing is given for {name}");
                    match value {
                        Some((_, Fill::Text(text))) => push_escaped(&mut html, text),
                        Some((_, Fill::Html(piece))) => html.push_str(piece.as_str()),
                        None => {}
                    }
                    rest = tail.get(1..).unwrap_or_default();
                }
                _ => {
                    html.push('{');
                    rest = after;
                }
            }
        }
        html.push_str(rest);
        Html(html)
    }

    /// A template without places.
    pub fn html(&self) -> Html {
        self.fill(&[])
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
    fn what_is_filled_in_is_not_a_template_again() {
        let html = Template("{a}{b}").fill(&[("a", "{b}".into()), ("b", "x".into())]);
        assert_eq!(html.as_str(), "{b}x");
    }

    #[test]
    fn other_braces_stay() {
        assert_eq!(Template("a { b } {C} {").html().as_str(), "a { b } {C} {");
    }
}
