//! Formatted citations as part of a page. The formatter's HTML has a few tags and some `style`
//! attributes, which the pages' security policy forbids: each becomes a class, and anything else is
//! shown as text.

use super::html::Html;
use citation_model::inert::link;

/// The formatter's tags and their form in a page.
const TAGS: [(&str, &str); 22] = [
    ("<i>", "<i>"),
    ("</i>", "</i>"),
    ("<em>", "<em>"),
    ("</em>", "</em>"),
    ("<b>", "<b>"),
    ("</b>", "</b>"),
    ("<sup>", "<sup>"),
    ("</sup>", "</sup>"),
    ("<sub>", "<sub>"),
    ("</sub>", "</sub>"),
    ("</span>", "</span>"),
    ("</a>", "</a>"),
    ("</div>", "</span>"),
    ("<div class=\"csl-block\">", "<span class=\"csl-block\">"),
    (
        "<div class=\"csl-left-margin\">",
        "<span class=\"csl-left-margin\">",
    ),
    (
        "<div class=\"csl-right-inline\">",
        "<span class=\"csl-right-inline\">",
    ),
    ("<div class=\"csl-indent\">", "<span class=\"csl-indent\">"),
    (
        "<span style=\"font-style:normal;\">",
        "<span class=\"csl-upright\">",
    ),
    (
        "<span style=\"font-variant:small-caps;\">",
        "<span class=\"csl-small-caps\">",
    ),
    (
        "<span style=\"text-decoration:underline;\">",
        "<span class=\"csl-underline\">",
    ),
    (
        "<span style=\"font-weight:normal;\">",
        "<span class=\"csl-regular\">",
    ),
    (
        "<span style=\"font-weight:lighter;\">",
        "<span class=\"csl-regular\">",
    ),
];

/// A formatted entry or citation.
pub fn rich(formatted: &str) -> Html {
    let mut html = String::with_capacity(formatted.len() + 32);
    let mut rest = formatted;
    while let Some(at) = rest.find('<') {
        let (before, tail) = rest.split_at(at);
        push_text(&mut html, before);
        let Some(end) = tail.find('>') else {
            rest = tail;
            break;
        };
        let (tag, after) = tail.split_at(end + 1);
        push_tag(&mut html, tag);
        rest = after;
    }
    push_text(&mut html, rest);
    Html::trusted(html)
}

fn push_tag(html: &mut String, tag: &str) {
    if let Some((_, known)) = TAGS.iter().find(|(theirs, _)| *theirs == tag) {
        html.push_str(known);
    } else if let Some(address) = link_address(tag) {
        html.push_str("<a href=\"");
        push_text(html, address);
        html.push_str("\" rel=\"noreferrer\">");
    } else if tag.starts_with("<span style=\"") {
        html.push_str("<span>");
    } else {
        push_text(html, tag);
    }
}

/// The address of a link.
fn link_address(tag: &str) -> Option<&str> {
    let address = tag.strip_prefix("<a href=\"")?.strip_suffix("\">")?;
    (link::parse(address).is_some() && !address.contains('"')).then_some(address)
}

/// Text that already contains entities: escapes only what could open a tag or end an attribute.
fn push_text(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formatted: &str, expected: &str) {
        assert_eq!(rich(formatted).as_str(), expected);
    }

    #[test]
    fn markup_other_than_the_formatters_is_escaped() {
        check("<i>A</i> &amp; B", "<i>A</i> &amp; B");
        check(
            "<span style=\"font-variant:small-caps;\">x</span>",
            "<span class=\"csl-small-caps\">x</span>",
        );
        check(
            "<script>alert(1)</script>",
            "&lt;script&gt;alert(1)&lt;/script&gt;",
        );
        check("<i onclick=\"x\">", "&lt;i onclick=&quot;x&quot;&gt;");
        check("a < b", "a &lt; b");
        check(
            "<a href=\"https://doi.org/10.1/x\">x</a>",
            "<a href=\"https://doi.org/10.1/x\" rel=\"noreferrer\">x</a>",
        );
        check(
            "<a href=\"javascript:x\">",
            "&lt;a href=&quot;javascript:x&quot;&gt;",
        );
    }
}
