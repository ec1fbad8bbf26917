//! HTML that is escaped by construction. Markup comes from the templates (`templates/*.html`), which are
//! checked at compile time; values are either text, which is escaped, or HTML made the same way.

use askama::filters::{Escaper, HtmlSafe};
use askama::{FastWritable, Values};
use std::fmt;

/// A piece of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Text as HTML. Safe between tags and in quoted attributes.
    pub fn text(text: &str) -> Html {
        let mut escaped = String::with_capacity(text.len());
        let written = askama::filters::Html.write_escaped_str(&mut escaped, text);
        debug_assert!(written.is_ok(), "a text takes whatever is written");
        Html(escaped)
    }

    /// A value as the content of `<script type="application/json">`.
    pub fn json(text: &str) -> Html {
        // JSON has these only in strings, where they may be escaped.
        Html(
            text.replace('<', "\\u003c")
                .replace('>', "\\u003e")
                .replace('&', "\\u0026"),
        )
    }

    /// The formatter's output with only its own tags: see [`super::rich`].
    pub(super) fn trusted(html: String) -> Html {
        Html(html)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A template and its values.
impl<T: askama::Template> From<T> for Html {
    fn from(template: T) -> Html {
        let mut html = String::with_capacity(T::SIZE_HINT);
        let written = template.render_into(&mut html);
        debug_assert!(written.is_ok(), "no value of a template fails");
        Html(html)
    }
}

impl HtmlSafe for Html {}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FastWritable for Html {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askama::Template;

    #[test]
    fn text_is_escaped_unlike_html() {
        #[derive(Template)]
        #[template(source = "<a title=\"{{ title }}\">{{ body }}</a>", ext = "html")]
        struct Link {
            title: &'static str,
            body: Html,
        }
        let link = Link {
            title: "\"><script>alert('x')&",
            body: Html::text("<i>"),
        };
        assert_eq!(
            Html::from(link).as_str(),
            "<a title=\"&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#38;\">&#60;i&#62;</a>"
        );
    }

    #[test]
    fn json_cannot_close_a_script_element() {
        let html = Html::json(r#"{"a":"</script><!-- &"}"#);
        assert_eq!(
            html.as_str(),
            "{\"a\":\"\\u003c/script\\u003e\\u003c!-- \\u0026\"}"
        );
    }
}
