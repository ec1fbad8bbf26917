//! RTF, Markdown, LaTeX and Typst. Each language has a table of opening and closing markup per shape, and
//! its own character escaping.

use super::{Mark, Rich, Shape};
use citation_model::inert::tex;

/// A markup language that a rendering can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputFormat {
    Rtf,
    /// Uses Pandoc's syntax where CommonMark has none.
    Markdown,
    Latex,
    Typst,
}

impl OutputFormat {
    pub const ALL: [OutputFormat; 4] = [
        OutputFormat::Rtf,
        OutputFormat::Markdown,
        OutputFormat::Latex,
        OutputFormat::Typst,
    ];

    /// `rtf`, `markdown`, `latex`, `typst`.
    pub fn name(self) -> &'static str {
        match self {
            OutputFormat::Rtf => "rtf",
            OutputFormat::Markdown => "markdown",
            OutputFormat::Latex => "latex",
            OutputFormat::Typst => "typst",
        }
    }

    pub fn parse(name: &str) -> Option<OutputFormat> {
        OutputFormat::ALL
            .into_iter()
            .find(|format| format.name() == name)
    }
}

/// Where a rendering stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPlace {
    /// It begins a paragraph, so that its first sign must not begin a list.
    Beginning,
    /// It follows other text of its paragraph.
    Inside,
}

/// Writes one citation or entry as a paragraph.
pub fn write(rich: &Rich, format: OutputFormat) -> String {
    write_at(rich, format, TextPlace::Beginning)
}

/// Writes one citation or entry.
pub fn write_at(rich: &Rich, format: OutputFormat, place: TextPlace) -> String {
    let begins = |from: usize| from == 0 && place == TextPlace::Beginning;
    let mut out = String::with_capacity(rich.text.len() + rich.marks.len() * 8);
    let mut from = 0;
    let mut target = "";
    for (at, mark) in &rich.marks {
        let at = *at as usize;
        let text = rich.text.get(from..at).unwrap_or_default();
        escape(text, begins(from), format, &mut out);
        from = at;
        match mark {
            Mark::Open(shape) => {
                if shape.is_block() && !out.is_empty() && !out.ends_with(char::is_whitespace) {
                    out.push(' ');
                }
                out.push_str(tags(*shape, format).0);
            }
            Mark::Close(shape) => out.push_str(tags(*shape, format).1),
            Mark::OpenLink(link) => {
                target = rich.links.get(*link as usize).map_or("", String::as_str);
                open_link(target, format, &mut out);
            }
            Mark::CloseLink => close_link(target, format, &mut out),
        }
    }
    let text = rich.text.get(from..).unwrap_or_default();
    escape(text, begins(from), format, &mut out);
    out
}

/// Writes entries as a list, one paragraph each; for RTF as a complete document, optionally with a
/// hanging indent.
pub fn write_all<'r>(
    entries: impl IntoIterator<Item = &'r Rich>,
    format: OutputFormat,
    has_hanging_indent: bool,
) -> String {
    if format == OutputFormat::Rtf {
        return rtf_document(&entries.into_iter().collect::<Vec<_>>(), has_hanging_indent);
    }
    let entries = entries.into_iter().map(|rich| write(rich, format));
    let mut text = entries.collect::<Vec<_>>().join("\n\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Half an inch; indents are in twentieths of a point.
const HALF_AN_INCH: usize = 720;
/// The width of a digit at twelve points, in the same unit.
const DIGIT: usize = 120;

/// If the style aligns the text after a label, each entry is indented by the widest label and has a tab
/// stop there.
fn rtf_document(entries: &[&Rich], has_hanging_indent: bool) -> String {
    let labels = entries.iter().filter_map(|rich| label_length(rich));
    let paragraph = match labels.max() {
        Some(length) => {
            let indent = (length + 2) * DIGIT;
            format!("\\pard\\sa120\\li{indent}\\fi-{indent}\\tx{indent}")
        }
        None if has_hanging_indent => {
            format!("\\pard\\sa120\\li{HALF_AN_INCH}\\fi-{HALF_AN_INCH}")
        }
        None => "\\pard\\sa120".to_owned(),
    };
    let paragraphs: String = { entries.iter() }
        .map(|rich| format!("{paragraph} {}\\par\n", write(rich, OutputFormat::Rtf)))
        .collect();
    format!(
        "{{\\rtf1\\ansi\\deff0{{\\fonttbl{{\\f0 Times New Roman;}}}}\\f0\\fs24\n{paragraphs}}}\n"
    )
}

/// The number of characters of the label at the start of an entry.
fn label_length(rich: &Rich) -> Option<usize> {
    let offset = |wanted| {
        let mark = rich.marks.iter().find(|(_, mark)| *mark == wanted);
        mark.map(|(at, _)| *at as usize)
    };
    let from = offset(Mark::Open(Shape::LeftMargin))?;
    let to = offset(Mark::Close(Shape::LeftMargin))?;
    Some(rich.text.get(from..to)?.chars().count())
}

fn open_link(target: &str, format: OutputFormat, out: &mut String) {
    match format {
        OutputFormat::Rtf => {
            out.push_str("{\\field{\\*\\fldinst HYPERLINK \"");
            for c in target.chars() {
                match c {
                    // These would end the address or start a command.
                    '"' => out.push_str("%22"),
                    '\\' => out.push_str("%5C"),
                    _ => escape_rtf(c, out),
                }
            }
            out.push_str("\"}{\\fldrslt ");
        }
        OutputFormat::Markdown => out.push('['),
        OutputFormat::Latex => {
            out.push_str("\\href{");
            tex::push_address(target, out);
            out.push_str("}{");
        }
        OutputFormat::Typst => {
            out.push_str("#link(\"");
            out.push_str(&target.replace('\\', "\\\\").replace('"', "\\\""));
            out.push_str("\")[");
        }
    }
}

fn close_link(target: &str, format: OutputFormat, out: &mut String) {
    match format {
        OutputFormat::Rtf => out.push_str("}}"),
        OutputFormat::Markdown => {
            out.push_str("](<");
            for c in target.chars() {
                match c {
                    '<' => out.push_str("%3C"),
                    '>' => out.push_str("%3E"),
                    '\\' => out.push_str("%5C"),
                    _ => out.push(c),
                }
            }
            out.push_str(">)");
        }
        OutputFormat::Latex => out.push('}'),
        OutputFormat::Typst => out.push(']'),
    }
}

/// Escapes text; `begins` is whether it starts a paragraph.
fn escape(text: &str, begins: bool, format: OutputFormat, out: &mut String) {
    let list_sign = match format {
        OutputFormat::Markdown | OutputFormat::Typst if begins => list_sign(text, format),
        _ => None,
    };
    let mut before = '\0';
    for (at, c) in text.char_indices() {
        // A line break would start a paragraph, a list or a heading, or be dropped.
        let c = match c {
            '\t'..='\r' => ' ',
            _ if c.is_ascii_control() => continue,
            _ => c,
        };
        match format {
            OutputFormat::Rtf => escape_rtf(c, out),
            OutputFormat::Latex => escape_latex(c, before, out),
            OutputFormat::Markdown | OutputFormat::Typst => {
                let special = match format {
                    OutputFormat::Markdown => "\\*_`[]<>#~^&$@|",
                    _ => "\\*_`[]#$@<>~='\"",
                };
                // In Typst two slashes start a comment, and two hyphens become a dash.
                let doubled =
                    format == OutputFormat::Typst && c == before && matches!(c, '/' | '-');
                if special.contains(c) || doubled || list_sign == Some(at) {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        before = c;
    }
}

/// The offset of a sign that would turn the text into a list item: `1.`, `(1)`, `a)`, `-`, `+`, and in
/// Typst `/`.
fn list_sign(text: &str, format: OutputFormat) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'-' | b'+' => return Some(0),
        b'/' if format == OutputFormat::Typst => return Some(0),
        _ => {}
    }
    let start = usize::from(bytes.first() == Some(&b'('));
    let label = bytes.get(start..)?;
    let digits = label.iter().take_while(|b| b.is_ascii_digit()).count();
    let length = match label.first()? {
        b'a'..=b'z' => 1,
        _ if digits > 0 => digits,
        _ => return None,
    };
    let sign = label.get(length)?;
    matches!(sign, b'.' | b')').then_some(start + length)
}

/// RTF is ASCII; other characters are written as UTF-16 units.
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

fn escape_latex(c: char, before: char, out: &mut String) {
    if let Some(latex) = tex::escaped(c) {
        return out.push_str(latex);
    }
    match c {
        '<' => out.push_str("\\textless{}"),
        '>' => out.push_str("\\textgreater{}"),
        '|' => out.push_str("\\textbar{}"),
        '\u{a0}' => out.push('~'),
        // Two of these would form a ligature.
        '-' | '\'' | '`' if before == c => out.extend(['{', '}', c]),
        _ => out.push(c),
    }
}

/// The opening and closing markup of a shape; empty if the language has none.
fn tags(shape: Shape, format: OutputFormat) -> (&'static str, &'static str) {
    match format {
        OutputFormat::Rtf => match shape {
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
        OutputFormat::Markdown => match shape {
            Shape::Italic | Shape::Oblique => ("*", "*"),
            Shape::Bold => ("**", "**"),
            Shape::SmallCaps => ("[", "]{.smallcaps}"),
            Shape::Underline => ("[", "]{.underline}"),
            Shape::Sup => ("^", "^"),
            Shape::Sub => ("~", "~"),
            _ => ("", ""),
        },
        OutputFormat::Latex => match shape {
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
        OutputFormat::Typst => match shape {
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

    fn check(rich: &Rich, expected: [&str; 4]) {
        for (format, expected) in OutputFormat::ALL.into_iter().zip(expected) {
            assert_eq!(write(rich, format), expected);
        }
    }

    #[test]
    fn each_dialect_escapes_and_marks() {
        let mut rich = Rich::default();
        rich.push("R&D ");
        rich.open(Shape::Italic);
        rich.push("é_x");
        rich.close(Shape::Italic);
        check(
            &rich,
            [
                "R&D {\\i \\uc0\\u233{}_x}",
                "R\\&D *é\\_x*",
                "R\\&D \\textit{é\\_x}",
                "R&D #text(style: \"italic\")[é\\_x]",
            ],
        );
    }

    #[test]
    fn rtf_entries_with_labels_have_a_tab_and_a_hanging_indent() {
        let entry = |label: &str| {
            let mut rich = Rich::default();
            rich.open(Shape::LeftMargin);
            rich.push(label);
            rich.close(Shape::LeftMargin);
            rich.open(Shape::RightInline);
            rich.push("Young");
            rich.close(Shape::RightInline);
            rich
        };
        let (first, tenth) = (entry("[1]"), entry("[10]"));
        let document = write_all([&first, &tenth], OutputFormat::Rtf, false);
        assert!(document.contains("\\pard\\sa120\\li720\\fi-720\\tx720 [1]\\tab Young\\par"));
        assert_eq!(document.matches("\\tx720").count(), 2);
    }

    #[test]
    fn numbers_at_the_beginning_make_no_list() {
        check(
            &Rich::plain("1. On 2. <a>--b"),
            [
                "1. On 2. <a>--b",
                "1\\. On 2. \\<a\\>--b",
                "1. On 2. \\textless{}a\\textgreater{}-{}-b",
                "1\\. On 2. \\<a\\>-\\-b",
            ],
        );
    }

    #[test]
    fn nothing_begins_a_list_or_a_line() {
        let check = |text: &str, markdown: &str, typst: &str| {
            let rich = Rich::plain(text);
            assert_eq!(write(&rich, OutputFormat::Markdown), markdown);
            assert_eq!(write(&rich, OutputFormat::Typst), typst);
        };
        check("Title\n---", "Title ---", "Title -\\-\\-");
        check("a\n1. x", "a 1. x", "a 1. x");
        check("/ z: w", "/ z: w", "\\/ z: w");
        check("(1) Doe", "(1\\) Doe", "(1\\) Doe");
        check("d. h. so", "d\\. h. so", "d\\. h. so");
        check("A. Doe", "A. Doe", "A. Doe");
        check("(a b)", "(a b)", "(a b)");
        let inside = |text: &str| {
            write_at(
                &Rich::plain(text),
                OutputFormat::Markdown,
                TextPlace::Inside,
            )
        };
        assert_eq!(inside("(4)"), "(4)");
        let rich = Rich::plain("one\ntwo\u{0}");
        assert_eq!(write(&rich, OutputFormat::Rtf), "one two");
        assert_eq!(write(&rich, OutputFormat::Latex), "one two");
    }

    #[test]
    fn an_address_cannot_leave_its_field() {
        let mut rich = Rich::default();
        rich.links.push("https://a.org/\"\\x".to_owned());
        rich.marks.push((0, Mark::OpenLink(0)));
        rich.push("x");
        rich.marks.push((1, Mark::CloseLink));
        check(
            &rich,
            [
                "{\\field{\\*\\fldinst HYPERLINK \"https://a.org/%22%5Cx\"}{\\fldrslt x}}",
                "[x](<https://a.org/\"%5Cx>)",
                "\\href{https://a.org/\\%22\\%5Cx}{x}",
                "#link(\"https://a.org/\\\"\\\\x\")[x]",
            ],
        );
    }

    #[test]
    fn links_lead_where_they_should() {
        let mut rich = Rich::plain("See ");
        rich.links.push("https://example.org/a_b%20c".to_owned());
        let start = rich.text.len() as u32;
        rich.marks.push((start, Mark::OpenLink(0)));
        rich.push("http://x");
        rich.marks.push((rich.text.len() as u32, Mark::CloseLink));
        check(
            &rich,
            [
                "See {\\field{\\*\\fldinst HYPERLINK \"https://example.org/a_b%20c\"}{\\fldrslt http://x}}",
                "See [http://x](<https://example.org/a_b%20c>)",
                "See \\href{https://example.org/a\\_b\\%20c}{http://x}",
                "See #link(\"https://example.org/a_b%20c\")[http:/\\/x]",
            ],
        );
    }

    #[test]
    fn latex_has_no_command_of_a_text() {
        for text in [
            "$\\immediate\\write18{id}y$",
            "^^5cinput",
            "\\^^5cinput }\\input{x",
            "$\\frac{a}{b}$",
        ] {
            let mut rich = Rich::plain(text);
            rich.link(0, text.len(), format!("https://example.org/{text}"));
            for token in tex::tokens(&write(&rich, OutputFormat::Latex)) {
                let is_inert = match token {
                    tex::Token::Command(name) => name == "href" || tex::is_listed(name),
                    tex::Token::Notation => false,
                    tex::Token::Character(_) => true,
                };
                assert!(is_inert, "{token:?} of {text}");
            }
        }
    }

    #[test]
    fn entries_are_paragraphs() {
        let entries = [Rich::plain("A"), Rich::plain("B")];
        assert_eq!(
            write_all(&entries, OutputFormat::Markdown, true),
            "A\n\nB\n"
        );
        assert_eq!(
            write_all(&entries, OutputFormat::Rtf, false),
            "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Times New Roman;}}\\f0\\fs24\n\
             \\pard\\sa120 A\\par\n\\pard\\sa120 B\\par\n}\n"
        );
        assert_eq!(write_all([], OutputFormat::Latex, false), "");
    }
}
