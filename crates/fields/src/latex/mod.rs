//! Converts LaTeX to Unicode: accents, commands, ligatures, mathematics and markup. One pass over the text
//! with a stack of open groups; groups nested too deep become plain text. `converter` makes the pass,
//! `commands` handles commands.

mod commands;
mod converter;
mod journals;
pub mod leftover;
pub mod symbols;

use std::borrow::Cow;

use converter::Converter;

/// What a converted text may contain besides characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatexMarkup {
    /// Characters only: names, publishers, places.
    None,
    /// CSL's rich text: `<i> <b> <sup> <sub>` and small capitals.
    Rich,
    /// Rich text in which braces protect from changes of case: `<span class="nocase">`.
    Title,
}

pub const NOCASE_OPEN: &str = "<span class=\"nocase\">";
pub const SMALL_CAPS_OPEN: &str = "<span style=\"font-variant:small-caps;\">";
pub const SPAN_CLOSE: &str = "</span>";

/// An empty group after braces marks them as a precaution of the writing program, not as part of the title:
/// `{mRNA}{}`. LaTeX prints nothing for it.
pub const PRECAUTION: &str = "{}";

/// Converts a value of a BibTeX field. Of an unknown command the arguments stay, or its name if it has none.
pub fn convert(text: &str, markup: LatexMarkup) -> String {
    if is_plain(text) {
        return collapse_blanks(text);
    }
    let text = &*with_protection(text);
    let text = if markup == LatexMarkup::Title {
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

/// Restores braces that protect words and that a program took for letters and escaped: `$\\{$DNA$\\}$` of Google
/// Scholar, `{\\{}DNA{\\}}` of Mendeley, `{\\textbraceleft}DNA{\\textbraceright}` and
/// `\\{\\vphantom\\}DNA\\vphantom\\{\\}` of Zotero.
fn with_protection(text: &str) -> Cow<'_, str> {
    const ESCAPED: [(&str, &str); 4] = [
        ("$\\{$", "$\\}$"),
        ("{\\{}", "{\\}}"),
        ("{\\textbraceleft}", "{\\textbraceright}"),
        ("\\{\\vphantom\\}", "\\vphantom\\{\\}"),
    ];
    let mut text = Cow::Borrowed(text);
    for (open, close) in ESCAPED {
        if text.contains(open) {
            text = Cow::Owned(with_braces_for(&text, open, close));
        }
    }
    text
}

/// Maximum bytes between escaped braces.
const MAX_PROTECTED: usize = 200;

/// A text with braces in place of pairs of marks around words, outside of formulas.
fn with_braces_for(text: &str, open: &str, close: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut is_formula) = (text, false);
    while let Some((before, behind)) = rest.split_once(open) {
        out.push_str(before);
        is_formula ^= before.matches('$').count() % 2 == 1;
        let near = behind.get(..behind.floor_char_boundary(MAX_PROTECTED));
        let word = near.and_then(|near| near.split(close).next().filter(|word| *word != near));
        let word = word.filter(|word| {
            let begins = word
                .trim_start_matches('{')
                .starts_with(char::is_alphabetic);
            let is_whole = inside_braces(&format!("{{{word}}}")).is_some();
            begins && is_whole && !word.contains(['$', '\\']) && !is_formula
        });
        match word {
            Some(word) => {
                out.extend(["{", word, "}"]);
                rest = behind.get(word.len() + close.len()..).unwrap_or_default();
            }
            None => {
                out.push_str(open);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The text of a TeX formula without its dollar signs, in CSL's rich text.
pub fn formula(tex: &str) -> String {
    convert(&format!("${tex}$"), LatexMarkup::Rich)
}

/// The paragraphs of a text: blank lines and `\par` outside of groups part them. The first may be empty.
pub fn paragraphs(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut rest, mut start) = (text, 0);
    let (mut depth, mut is_blank, mut is_escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        let is_par = || {
            let after = text.get(at..).and_then(|rest| rest.strip_prefix("\\par"));
            after.is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        let length = match c {
            '\\' if depth == 0 && !is_escaped && is_par() => "\\par".len(),
            '\n' if depth == 0 && is_blank => 1,
            _ => 0,
        };
        if length > 0 {
            let (part, after) = rest.split_at_checked(at - start).unwrap_or((rest, ""));
            parts.push(part);
            rest = after.get(length..).unwrap_or_default();
            start = at + length;
        }
        match c {
            '{' if !is_escaped => depth += 1,
            '}' if !is_escaped => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_blank = c == '\n' || is_blank && c.is_whitespace();
        is_escaped = c == '\\' && !is_escaped;
    }
    parts.push(rest);
    parts
}

/// Converts to characters only.
pub fn plain(text: &str) -> String {
    convert(text, LatexMarkup::None)
}

fn is_plain(text: &str) -> bool {
    !text.bytes().any(|b| {
        matches!(
            b,
            b'\\' | b'{' | b'}' | b'$' | b'~' | b'`' | b'\'' | b'-' | b'^'
        )
    })
}

/// Collapses runs of white space to one blank and trims the ends.
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

/// Maximum number of outer brace pairs removed; each costs a scan of the whole text.
const MAX_OUTER_BRACES: usize = 8;

/// Removes braces around a whole title. Exporting programs add them; they protect everything and so mean
/// nothing.
pub fn strip_outer_braces(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..MAX_OUTER_BRACES {
        match inside_braces(text) {
            Some(inner) => text = inner.trim(),
            None => break,
        }
    }
    text
}

/// The content, if one pair of braces encloses the whole text.
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
