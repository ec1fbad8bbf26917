//! RTF, Markdown, LaTeX and Typst: the same rendering in the marks of each language. One table a
//! dialect: how a character is escaped, and what opens and closes a shape.

use super::{Mark, Rich, Shape};

/// A markup language that a rendering can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Rtf,
    Markdown,
    Latex,
    Typst,
}

/// Writes one citation or entry.
pub fn write(rich: &Rich, dialect: Dialect) -> String {
    let mut out = String::with_capacity(rich.text.len() + rich.marks.len() * 8);
    let mut from = 0;
    for (at, mark) in &rich.marks {
        let at = *at as usize;
        escape(
            rich.text.get(from..at).unwrap_or_default(),
            dialect,
            &mut out,
        );
        from = at;
        match mark {
            Mark::Open(shape) => {
                if shape.is_block() && !out.is_empty() && !out.ends_with(char::is_whitespace) {
                    out.push(' ');
                }
                out.push_str(tags(*shape, dialect).0);
            }
            Mark::Close(shape) => out.push_str(tags(*shape, dialect).1),
            // The address stands in the text; only HTML makes it a link.
            Mark::OpenLink(_) | Mark::CloseLink => {}
        }
    }
    escape(rich.text.get(from..).unwrap_or_default(), dialect, &mut out);
    out
}

fn escape(text: &str, dialect: Dialect, out: &mut String) {
    for c in text.chars() {
        match dialect {
            Dialect::Rtf => escape_rtf(c, out),
            Dialect::Markdown => {
                if matches!(
                    c,
                    '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '~' | '^'
                ) {
                    out.push('\\');
                }
                out.push(c);
            }
            Dialect::Latex => escape_latex(c, out),
            Dialect::Typst => {
                if matches!(
                    c,
                    '\\' | '*' | '_' | '`' | '[' | ']' | '#' | '$' | '@' | '<' | '>' | '~' | '='
                ) {
                    out.push('\\');
                }
                out.push(c);
            }
        }
    }
}

/// RTF is ASCII: other characters are written as UTF-16 units.
fn escape_rtf(c: char, out: &mut String) {
    match c {
        '\\' | '{' | '}' => out.extend(['\\', c]),
        '\u{a0}' => out.push_str("\\~"),
        _ if c.is_ascii() => out.push(c),
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\uc0\\u{}{{}}", *unit as i16));
            }
        }
    }
}

fn escape_latex(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\textbackslash{}"),
        '~' => out.push_str("\\textasciitilde{}"),
        '^' => out.push_str("\\textasciicircum{}"),
        '\u{a0}' => out.push('~'),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
        _ => out.push(c),
    }
}

/// What opens and what closes a shape; empty where the language has nothing for it.
fn tags(shape: Shape, dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Rtf => match shape {
            Shape::Italic | Shape::Oblique => ("{\\i ", "}"),
            Shape::NormalStyle => ("{\\i0 ", "}"),
            Shape::SmallCaps => ("{\\scaps ", "}"),
            Shape::NormalVariant => ("{\\scaps0 ", "}"),
            Shape::Bold => ("{\\b ", "}"),
            Shape::NormalWeight | Shape::Light => ("{\\b0 ", "}"),
            Shape::Underline => ("{\\ul ", "}"),
            Shape::NoDecoration => ("{\\ul0 ", "}"),
            Shape::Sup => ("{\\super ", "}"),
            Shape::Sub => ("{\\sub ", "}"),
            Shape::LeftMargin => ("", "\\tab "),
            _ => ("", ""),
        },
        Dialect::Markdown => match shape {
            Shape::Italic | Shape::Oblique => ("*", "*"),
            Shape::Bold => ("**", "**"),
            Shape::SmallCaps => ("[", "]{.smallcaps}"),
            Shape::Underline => ("[", "]{.underline}"),
            Shape::Sup => ("^", "^"),
            Shape::Sub => ("~", "~"),
            _ => ("", ""),
        },
        Dialect::Latex => match shape {
            Shape::Italic => ("\\textit{", "}"),
            Shape::Oblique => ("\\textsl{", "}"),
            Shape::NormalStyle | Shape::NormalVariant => ("\\textup{", "}"),
            Shape::SmallCaps => ("\\textsc{", "}"),
            Shape::Bold => ("\\textbf{", "}"),
            Shape::NormalWeight | Shape::Light => ("\\textmd{", "}"),
            Shape::Underline => ("\\underline{", "}"),
            Shape::Sup => ("\\textsuperscript{", "}"),
            Shape::Sub => ("\\textsubscript{", "}"),
            _ => ("", ""),
        },
        Dialect::Typst => match shape {
            Shape::Italic => ("#text(style: \"italic\")[", "]"),
            Shape::Oblique => ("#text(style: \"oblique\")[", "]"),
            Shape::NormalStyle => ("#text(style: \"normal\")[", "]"),
            Shape::SmallCaps => ("#smallcaps[", "]"),
            Shape::Bold => ("#strong[", "]"),
            Shape::NormalWeight | Shape::Light => ("#text(weight: \"regular\")[", "]"),
            Shape::Underline => ("#underline[", "]"),
            Shape::Sup => ("#super[", "]"),
            Shape::Sub => ("#sub[", "]"),
            _ => ("", ""),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dialect: Dialect, expected: &str) {
        let mut rich = Rich::default();
        rich.push("R&D ");
        rich.open(Shape::Italic);
        rich.push("é_x");
        rich.close(Shape::Italic);
        assert_eq!(write(&rich, dialect), expected);
    }

    #[test]
    fn each_dialect_escapes_and_marks() {
        check(Dialect::Rtf, "R&D {\\i \\uc0\\u233{}_x}");
        check(Dialect::Markdown, "R&D *é\\_x*");
        check(Dialect::Latex, "R\\&D \\textit{é\\_x}");
        check(Dialect::Typst, "R&D #text(style: \"italic\")[é\\_x]");
    }
}
