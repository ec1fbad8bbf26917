//! LaTeX to Unicode: accents, commands, ligatures, mathematics and markup. One pass over the text
//! with a stack of open groups; groups that nest deeper than any honest text are read as their text.
//!
//! `converter` goes through the text, `commands` knows what a backslash begins.

mod commands;
mod converter;

use converter::Converter;

/// What a converted text may hold beside characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Characters alone: names, publishers, places.
    None,
    /// CSL's rich text: `<i> <b> <sup> <sub>` and small capitals.
    Rich,
    /// Rich text in which braces protect from changes of case: `<span class="nocase">`.
    Title,
}

pub const NOCASE_OPEN: &str = "<span class=\"nocase\">";
pub const SMALL_CAPS_OPEN: &str = "<span style=\"font-variant:small-caps;\">";
pub const SPAN_CLOSE: &str = "</span>";

/// An empty group behind braces says that they are a precaution of whoever wrote the file, and no mark
/// of the title's: `{mRNA}{}`. LaTeX prints nothing for it.
pub const PRECAUTION: &str = "{}";

/// Converts a value of a BibTeX field. What no rule knows stays as it is, backslash and all.
pub fn convert(text: &str, markup: Markup) -> String {
    if is_plain(text) {
        return collapse_blanks(text);
    }
    let text = if markup == Markup::Title {
        strip_outer_braces(text)
    } else {
        text
    };
    let mut converter = Converter {
        text,
        at: 0,
        out: String::with_capacity(text.len()),
        groups: Vec::new(),
        deeper: 0,
        accents: Vec::new(),
        script: None,
        math: None,
        markup,
    };
    converter.run();
    converter.finish()
}

/// Converts to characters alone.
pub fn plain(text: &str) -> String {
    convert(text, Markup::None)
}

fn is_plain(text: &str) -> bool {
    !text.bytes().any(|b| {
        matches!(
            b,
            b'\\' | b'{' | b'}' | b'$' | b'~' | b'`' | b'\'' | b'-' | b'^'
        )
    })
}

/// Runs of white space become one blank; outer white space goes.
pub fn collapse_blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text
        .split([' ', '\t', '\n', '\r'])
        .filter(|w| !w.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Pairs of braces around the whole of a text that are taken off. Nobody writes more, and each
/// costs a look at all of it.
const MOST_OUTER_BRACES: usize = 8;

/// Braces around the whole of a title are a habit of exporting programs; they would protect
/// everything and so say nothing.
pub fn strip_outer_braces(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..MOST_OUTER_BRACES {
        match inside_braces(text) {
            Some(inner) => text = inner.trim(),
            None => break,
        }
    }
    text
}

/// What stands inside, where one pair of braces encloses the whole text.
pub fn inside_braces(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    if inner.starts_with('\\') {
        return None;
    }
    let mut depth = 0_usize;
    for byte in inner.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(inner)
}

#[cfg(test)]
mod tests;
