//! HTML: `<i>`, `<b>`, `<sup>`, `<sub>`, spans with a style, and the four block classes. Escapes all
//! text, so markup in an item never becomes a tag.

#![allow(clippy::string_slice, reason = "offsets were found in the same text")]

use unicode_normalization::char::decompose_compatible;

use super::{Mark, Rich, Shape};
use crate::item::is_raised;
use crate::text::has_byte;

/// Writes one citation or entry, without a wrapper element.
pub fn write(rich: &Rich) -> String {
    let mut out = String::with_capacity(rich.text.len() + rich.marks.len() * 8);
    let mut from = 0;
    for (at, mark) in &rich.marks {
        let at = *at as usize;
        content(rich.text.get(from..at).unwrap_or_default(), &mut out);
        from = at;
        match *mark {
            Mark::Open(shape) => out.push_str(opening(shape)),
            Mark::Close(shape) => out.push_str(closing(shape)),
            Mark::OpenLink(link) => {
                let target = rich.links.get(link as usize).map_or("", String::as_str);
                out.push_str("<a href=\"");
                escape_attribute(target, &mut out);
                out.push_str("\">");
            }
            Mark::CloseLink => out.push_str("</a>"),
        }
    }
    content(rich.text.get(from..).unwrap_or_default(), &mut out);
    out
}

/// Escapes text for double-quoted attribute values.
fn escape_attribute(text: &str, out: &mut String) {
    for (at, part) in text.split('"').enumerate() {
        if at > 0 {
            out.push_str("&quot;");
        }
        escape(part, out);
    }
}

/// Writes text as element content: escaped, with superscript characters as ordinary ones in `<sup>`.
fn content(text: &str, out: &mut String) {
    if text.is_ascii() {
        return escape(text, out);
    }
    for part in text.split_inclusive(is_raised) {
        let raised = part.chars().next_back().filter(|&c| is_raised(c));
        escape(part.trim_end_matches(is_raised), out);
        if let Some(c) = raised {
            out.push_str("<sup>");
            match c {
                'ˀ' => out.push('ʔ'),
                'ˁ' => out.push('ʕ'),
                'ۥ' => out.push('و'),
                'ۦ' => out.push('ي'),
                _ => decompose_compatible(c, |plain| out.push(plain)),
            }
            out.push_str("</sup>");
        }
    }
}

/// Escapes text for element content.
pub fn escape(text: &str, out: &mut String) {
    if !has_byte(text, |byte| matches!(byte, b'&' | b'<' | b'>')) {
        return out.push_str(text);
    }
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(entity);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

fn opening(shape: Shape) -> &'static str {
    match shape {
        Shape::Italic => "<i>",
        Shape::Oblique => "<em>",
        Shape::NormalStyle => "<span style=\"font-style:normal;\">",
        Shape::SmallCaps => "<span style=\"font-variant:small-caps;\">",
        Shape::NormalVariant => "<span style=\"font-variant:normal;\">",
        Shape::Bold => "<b>",
        Shape::Light => "<span style=\"font-weight:lighter;\">",
        Shape::NormalWeight => "<span style=\"font-weight:normal;\">",
        Shape::Underline => "<span style=\"text-decoration:underline;\">",
        Shape::NoDecoration => "<span style=\"text-decoration:none;\">",
        Shape::Sup => "<sup>",
        Shape::Sub => "<sub>",
        Shape::Baseline => "<span style=\"baseline\">",
        Shape::Block => "<div class=\"csl-block\">",
        Shape::LeftMargin => "<div class=\"csl-left-margin\">",
        Shape::RightInline => "<div class=\"csl-right-inline\">",
        Shape::Indent => "<div class=\"csl-indent\">",
    }
}

fn closing(shape: Shape) -> &'static str {
    match shape {
        Shape::Italic => "</i>",
        Shape::Oblique => "</em>",
        Shape::Bold => "</b>",
        Shape::Sup => "</sup>",
        Shape::Sub => "</sub>",
        shape if shape.is_block() => "</div>",
        _ => "</span>",
    }
}
