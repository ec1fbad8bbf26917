//! Bibliography entries in HTML.

use std::fmt::Write;

use citation_model::item::Item;
use citation_model::variable::TextVar;

/// One entry with its id, its language and its direction. `content` is HTML.
pub(super) fn write_entry(html: &mut String, item: &Item, id: &str, content: &str) {
    let _ = write!(html, "<div class=\"csl-entry\" data-id=\"{}\"", escape(id));
    if let Some(language) = item.text(TextVar::Language).filter(|tag| is_tag(tag)) {
        let _ = write!(html, " lang=\"{language}\"");
        if is_right_to_left(language) {
            html.push_str(" dir=\"rtl\"");
        }
    }
    html.push('>');
    html.push_str(content);
    html.push_str("</div>");
}

fn is_tag(text: &str) -> bool {
    (2..=35).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn is_right_to_left(tag: &str) -> bool {
    let language = tag
        .split('-')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    matches!(
        language.as_str(),
        "ar" | "arc" | "dv" | "fa" | "he" | "ku" | "ps" | "sd" | "ug" | "ur" | "yi"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
