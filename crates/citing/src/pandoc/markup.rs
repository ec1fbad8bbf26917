//! Converts pandoc's inlines to the text of CSL fields and affixes, and renderings to inlines.

use citation_csl::{Part, Rich, Shape};
use serde_json::{Value, json};

use super::ast;

/// The first of the characters that stand for elements without CSL markup: formulas, code, links.
const FIRST: u32 = 0xF_0000;
/// The number of such characters.
const MAX_COUNT: usize = 0xFFF0;

/// Inlines that pass through the processor as single characters.
#[derive(Debug, Default)]
pub struct Kept(Vec<Value>);

impl Kept {
    fn keep(&mut self, inline: &Value) -> Option<char> {
        if self.0.len() >= MAX_COUNT {
            return None;
        }
        self.0.push(inline.clone());
        char::from_u32(FIRST + self.0.len() as u32 - 1)
    }

    fn get(&self, letter: char) -> Option<&Value> {
        self.0.get((letter as u32).checked_sub(FIRST)? as usize)
    }

    /// Inlines as text with CSL markup.
    pub fn markup(&mut self, inlines: &[Value]) -> String {
        let mut out = String::new();
        self.add(inlines, &mut out);
        out
    }

    fn add(&mut self, inlines: &[Value], out: &mut String) {
        for inline in inlines {
            let (open, close) = match ast::name(inline) {
                "Str" => {
                    self.add_text(ast::content_text(inline), out);
                    continue;
                }
                "Space" | "SoftBreak" => {
                    out.push(' ');
                    continue;
                }
                "Emph" => ("<i>", "</i>"),
                "Strong" => ("<b>", "</b>"),
                "Superscript" => ("<sup>", "</sup>"),
                "Subscript" => ("<sub>", "</sub>"),
                "SmallCaps" => ("<span style=\"font-variant:small-caps;\">", "</span>"),
                "Quoted" => match ast::quotes(inline).0 {
                    '‘' => ("'", "'"),
                    _ => ("\"", "\""),
                },
                "Span" if ast::has_class(inline, "nocase") => {
                    ("<span class=\"nocase\">", "</span>")
                }
                "Span" | "Cite" => ("", ""),
                _ => {
                    match self.keep(inline) {
                        Some(letter) => out.push(letter),
                        None => out.push_str(&ast::text(std::slice::from_ref(inline))),
                    }
                    continue;
                }
            };
            out.push_str(open);
            self.add(ast::inlines(inline), out);
            out.push_str(close);
        }
    }

    /// A text without markup.
    fn add_text(&mut self, text: &str, out: &mut String) {
        for c in text.chars() {
            match c {
                '<' => out.extend(self.keep(&ast::str("<"))),
                '"' => out.extend(self.keep(&ast::str("\""))),
                // Placeholder characters in the document itself would be mistaken for ours.
                c if c as u32 >= FIRST && (c as u32) < FIRST + MAX_COUNT as u32 => {}
                c => out.push(c),
            }
        }
    }

    /// A rendering as inlines.
    pub fn inlines(&self, rich: &Rich) -> Vec<Value> {
        let mut open: Vec<(Part<'_>, Vec<Value>)> = Vec::new();
        let mut level: Vec<Value> = Vec::new();
        for part in rich.parts() {
            match part {
                Part::Text(text) => self.split(text, &mut level),
                Part::Open(_) | Part::OpenLink(_) => {
                    open.push((part, std::mem::take(&mut level)));
                }
                Part::Close(_) | Part::CloseLink => {
                    if let Some((opened, outer)) = open.pop() {
                        let inner = std::mem::replace(&mut level, outer);
                        close(opened, inner, &mut level);
                    }
                }
            }
        }
        while let Some((opened, outer)) = open.pop() {
            let inner = std::mem::replace(&mut level, outer);
            close(opened, inner, &mut level);
        }
        level
    }

    /// Words and spaces.
    fn split(&self, text: &str, out: &mut Vec<Value>) {
        let mut word = String::new();
        let flush = |word: &mut String, out: &mut Vec<Value>| {
            if !word.is_empty() {
                out.push(ast::str(std::mem::take(word)));
            }
        };
        for (at, c) in text.char_indices() {
            match self.get(c) {
                Some(kept) if ast::name(kept) == "Str" => word.push_str(ast::content_text(kept)),
                Some(kept) => {
                    flush(&mut word, out);
                    out.push(kept.clone());
                }
                None if matches!(c, ' ' | '\n' | '\t') => {
                    flush(&mut word, out);
                    if out.last().is_none_or(|last| !ast::is_space(last)) {
                        out.push(ast::space());
                    }
                }
                None => {
                    let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
                    // `.NET` and ` . . .` do not end the preceding text.
                    let is_end = !behind.starts_with(|c: char| c.is_alphanumeric() || c == '.')
                        && !behind.starts_with(" .");
                    if matches!(c, '.' | ',') && word.is_empty() && is_end {
                        drop_blank(out, c);
                    }
                    word.push(c);
                }
            }
        }
        flush(&mut word, out);
    }
}

/// Drops a space before a full stop or a comma unless another mark follows it.
fn drop_blank(out: &mut Vec<Value>, mark: char) {
    if let [.., before, blank] = out.as_slice()
        && ast::is_space(blank)
        && (mark == '.' || !ast::text(std::slice::from_ref(before)).ends_with([',', ';', ':', '.']))
    {
        out.pop();
    }
}

/// Wraps inlines in a shape and adds them.
fn close(opened: Part<'_>, inner: Vec<Value>, out: &mut Vec<Value>) {
    if inner.is_empty() {
        return;
    }
    let element = match opened {
        Part::OpenLink(target) => {
            // The pieces of one cite form one link.
            if let Some(last) = out.last_mut().filter(|last| leads_to(last, target)) {
                if let Some(inlines) = ast::inlines_mut(last) {
                    inlines.extend(inner);
                }
                return;
            }
            json!({"t": "Link", "c": [ast::attributes("", &[]), inner, [target, ""]]})
        }
        Part::Open(shape) => match shape {
            // In pandoc, nested emphasis represents text that stands out from emphasis.
            Shape::Italic | Shape::Oblique | Shape::NormalStyle => ast::element("Emph", inner),
            Shape::Bold => ast::element("Strong", inner),
            Shape::SmallCaps => ast::element("SmallCaps", inner),
            Shape::Underline => ast::element("Underline", inner),
            Shape::Sup => ast::element("Superscript", inner),
            Shape::Sub => ast::element("Subscript", inner),
            Shape::Block => ast::span(&["csl-block"], inner),
            Shape::LeftMargin => ast::span(&["csl-left-margin"], inner),
            Shape::RightInline => ast::span(&["csl-right-inline"], inner),
            Shape::Indent => ast::span(&["csl-indent"], inner),
            Shape::NormalVariant
            | Shape::NormalWeight
            | Shape::Light
            | Shape::NoDecoration
            | Shape::Baseline => ast::span(&[], inner),
        },
        Part::Text(_) | Part::Close(_) | Part::CloseLink => return out.extend(inner),
    };
    out.push(element);
}

fn leads_to(inline: &Value, target: &str) -> bool {
    let own = ast::part(inline, 2).and_then(|link| link.get(0));
    ast::name(inline) == "Link"
        && target.starts_with("#ref-")
        && own.is_some_and(|own| own == target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_before_punctuation_is_removed() {
        let check = |text: &str, expected: &str| {
            let inlines = Kept::default().inlines(&Rich::plain(text));
            assert_eq!(ast::text(&inlines), expected);
        };
        check("Title .", "Title.");
        check("Faraday , forthcoming", "Faraday, forthcoming");
        check("Work A, .", "Work A,.");
        check("Life, , 1965", "Life, , 1965");
        check("One ; so : what", "One ; so : what");
        check("On .NET ... and", "On .NET ... and");
    }
}
