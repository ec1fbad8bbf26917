//! Encodes text as LaTeX, the inverse of [`citation_fields::latex`]. The output converts back to the same text.

use unicode_normalization::UnicodeNormalization;

use citation_fields::clean::composed;
use citation_fields::latex::symbols::{ACCENTS, MATH_SYMBOLS, TEXT_SYMBOLS};
use citation_fields::latex::{LatexMarkup, NOCASE_OPEN, PRECAUTION, SMALL_CAPS_OPEN, SPAN_CLOSE};
use citation_model::inert::tex;

/// Options of the encoder.
#[derive(Clone, Copy, Debug)]
pub struct LatexEncoding {
    /// Whether non-ASCII characters become LaTeX commands, if LaTeX has one.
    pub ascii: bool,
    /// Whether words with capitals after their first letter are put in braces. These braces are marked as a
    /// precaution, so they are read back as plain words.
    pub protect: bool,
    pub markup: LatexMarkup,
}

/// Encodes a text as LaTeX. Tags become commands if the markup allows them, otherwise literal characters.
pub fn encode(text: &str, encoding: LatexEncoding) -> String {
    // It is read in this form, too.
    let text = &*composed(text);
    let has_lower = text.chars().any(char::is_lowercase);
    let mut encoder = Encoder {
        encoding,
        tags: encoding.markup != LatexMarkup::None && are_balanced(text, encoding.markup),
        // A title in all capitals is only a way of writing; braces around every word would freeze it.
        protect: encoding.protect && has_lower,
        braces: braces_balance(text),
        out: String::with_capacity(text.len() + 16),
        open: Vec::new(),
        symbol_end: None,
    };
    encoder.run(text);
    let out = encoder.out;
    // A title that is a single group would look like the outer braces that exporting programs add.
    if encoding.markup == LatexMarkup::Title
        && citation_fields::latex::inside_braces(&out).is_some()
    {
        return format!("{{}}{out}");
    }
    out
}

/// Wraps a text in braces that hold it together. A command directly after the brace would make it one of
/// BibTeX's special characters, which protect nothing.
pub fn group(latex: &str) -> String {
    let guard = if latex.starts_with('\\') { "{}" } else { "" };
    format!("{{{guard}{latex}}}")
}

/// Whether every brace is matched; BibTeX counts escaped ones too.
pub fn braces_balance(text: &str) -> bool {
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return false,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// A tag of CSL's rich text: how it opens, how it closes, and the LaTeX around its content.
struct Tag {
    open: &'static str,
    close: &'static str,
    latex: &'static str,
}

const TAGS: &[Tag] = &[
    Tag {
        open: "<i>",
        close: "</i>",
        latex: "\\emph{",
    },
    Tag {
        open: "<b>",
        close: "</b>",
        latex: "\\textbf{",
    },
    Tag {
        open: "<sup>",
        close: "</sup>",
        latex: "\\textsuperscript{",
    },
    Tag {
        open: "<sub>",
        close: "</sub>",
        latex: "\\textsubscript{",
    },
    Tag {
        open: SMALL_CAPS_OPEN,
        close: SPAN_CLOSE,
        latex: "\\textsc{",
    },
    Tag {
        open: NOCASE_OPEN,
        close: SPAN_CLOSE,
        latex: "{",
    },
];

fn tag_at(text: &str, markup: LatexMarkup) -> Option<&'static Tag> {
    let tag = TAGS.iter().find(|tag| text.starts_with(tag.open))?;
    (markup == LatexMarkup::Title || tag.open != NOCASE_OPEN).then_some(tag)
}

/// Whether all tags are properly nested and closed.
fn are_balanced(text: &str, markup: LatexMarkup) -> bool {
    let mut open = Vec::new();
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at..).unwrap_or_default();
        if let Some(tag) = tag_at(rest, markup) {
            open.push(tag.close);
        } else if let Some(tag) = TAGS.iter().find(|tag| rest.starts_with(tag.close))
            && open.pop() != Some(tag.close)
        {
            return false;
        }
    }
    open.is_empty()
}

struct Encoder {
    encoding: LatexEncoding,
    tags: bool,
    protect: bool,
    braces: bool,
    out: String,
    /// Closing tags of the open elements.
    open: Vec<&'static str>,
    /// End in `out` of the last symbol or formula in dollar signs. A dollar sign directly after it would open a displayed
    /// formula.
    symbol_end: Option<usize>,
}

impl Encoder {
    fn run(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = match c {
                '<' if self.tags => self.tag(rest),
                '$' => self.mathematics(rest),
                '-' | '\'' => self.repeated(rest, c),
                _ if self.protect && self.open.is_empty() && c.is_alphanumeric() => self.word(rest),
                _ => self.character(c),
            };
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    fn character(&mut self, c: char) -> usize {
        match (c, tex::escaped(c)) {
            // BibTeX counts escaped braces too.
            ('{', _) if !self.braces => self.out.push_str("\\textbraceleft{}"),
            ('}', _) if !self.braces => self.out.push_str("\\textbraceright{}"),
            (_, Some(latex)) => self.out.push_str(latex),
            ('`', None) => self.out.push_str("\\textasciigrave{}"),
            ('\u{a0}', None) => self.out.push('~'),
            _ if c.is_control() => self.out.push(' '),
            _ if c.is_ascii() || !self.encoding.ascii => self.out.push(c),
            _ => self.command(c),
        }
        c.len_utf8()
    }

    /// Writes a non-ASCII character as its command, or unchanged if LaTeX has none.
    fn command(&mut self, c: char) {
        let text = c.to_string();
        let symbol = |table: &[(&'static str, &str)]| {
            table
                .iter()
                .find(|(_, meant)| *meant == text)
                .map(|(name, _)| *name)
        };
        if let Some(name) = symbol(TEXT_SYMBOLS) {
            self.out.push_str(&format!("{{\\{name}}}"));
        } else if let Some(name) = symbol(MATH_SYMBOLS) {
            self.symbol(name);
        } else {
            self.out.push_str(&accented(c).unwrap_or(text));
        }
    }

    /// Writes a mathematical symbol; adjacent symbols form one formula.
    fn symbol(&mut self, name: &str) {
        if self.symbol_end == Some(self.out.len()) {
            self.out.pop();
        } else {
            self.part_from_formula();
            self.out.push('$');
        }
        self.out.push_str(&format!("\\{name}$"));
        self.symbol_end = Some(self.out.len());
    }

    fn part_from_formula(&mut self) {
        let end = Some(self.out.len());
        if self.symbol_end == end {
            self.out.push_str("{}");
        }
    }

    fn tag(&mut self, rest: &str) -> usize {
        if let Some(tag) = tag_at(rest, self.encoding.markup) {
            self.open.push(tag.close);
            self.out.push_str(tag.latex);
            let inside = rest.get(tag.open.len()..).unwrap_or_default();
            if tag.latex == "{" && begins_with_command(inside) {
                self.out.push_str("{}");
            }
            return tag.open.len();
        }
        match self.open.last() {
            Some(close) if rest.starts_with(close) => {
                let length = close.len();
                self.open.pop();
                self.out.push('}');
                length
            }
            _ => self.character('<'),
        }
    }

    /// A formula in the text of another format stays one, if all that it does is print.
    fn mathematics(&mut self, rest: &str) -> usize {
        let Some((inner, _)) = rest.get(1..).and_then(|rest| rest.split_once('$')) else {
            return self.character('$');
        };
        let formula = rest.get(..inner.len() + 2).unwrap_or_default();
        if !inner.contains('\\') || !braces_balance(inner) || !tex::is_inert_formula(inner) {
            return self.character('$');
        }
        self.part_from_formula();
        self.out.push_str(formula);
        self.symbol_end = Some(self.out.len());
        formula.len()
    }

    /// Repeated hyphens and apostrophes would become a dash or a quote.
    fn repeated(&mut self, rest: &str, c: char) -> usize {
        let count = rest.chars().take_while(|next| *next == c).count();
        let separator = format!("{c}{{}}");
        self.out
            .push_str(&separator.repeat(count.saturating_sub(1)));
        self.out.push(c);
        count
    }

    /// Writes a word, in braces if its capitals would not survive a change of case.
    fn word(&mut self, rest: &str) -> usize {
        let length = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let protected = word.chars().skip(1).any(char::is_uppercase);
        let start = self.out.len();
        for c in word.chars() {
            self.character(c);
        }
        if protected {
            let body = self.out.split_off(start);
            self.out.push_str(&group(&body));
            self.out.push_str(PRECAUTION);
        }
        length
    }
}

/// Whether the LaTeX of a text may begin with a backslash.
fn begins_with_command(text: &str) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    matches!(
        first,
        '&' | '%' | '#' | '_' | '$' | '{' | '}' | '\\' | '~' | '^' | '`' | '<'
    )
}

/// `{\'e}` of `é`, `{\'{\^e}}` of `ế`.
fn accented(c: char) -> Option<String> {
    let mut parts = c.nfd();
    let base = parts.next().filter(char::is_ascii_alphabetic)?;
    let marks: Vec<char> = parts.collect();
    let above = marks
        .iter()
        .any(|mark| !matches!(mark, '\u{323}' | '\u{326}'..='\u{328}' | '\u{331}'));
    let mut latex = match base {
        'i' if above => "\\i".to_owned(),
        'j' if above => "\\j".to_owned(),
        _ => base.to_string(),
    };
    for mark in &marks {
        let (name, _) = ACCENTS
            .iter()
            .find(|(name, known)| known == mark && *name != "t")?;
        latex = format!("\\{name}{{{latex}}}");
    }
    (!marks.is_empty()).then(|| format!("{{{latex}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_fields::latex::convert;

    const UTF8: LatexEncoding = LatexEncoding {
        ascii: false,
        protect: false,
        markup: LatexMarkup::Title,
    };
    const ASCII: LatexEncoding = LatexEncoding {
        ascii: true,
        ..UTF8
    };

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let latex = encode(text, UTF8);
        assert_eq!(latex, expected, "{text}");
        assert_eq!(convert(&latex, LatexMarkup::Title), text);
    }

    #[track_caller]
    fn check_ascii(text: &str, expected: &str) {
        let latex = encode(text, ASCII);
        assert_eq!(latex, expected, "{text}");
        assert_eq!(convert(&latex, LatexMarkup::Title), text);
    }

    #[test]
    fn special_characters_are_escaped() {
        check("50% of R&D #1 a_b $5", "50\\% of R\\&D \\#1 a\\_b \\$5");
        check(
            "~ ^ \\ `x",
            "\\textasciitilde{} \\textasciicircum{} \\textbackslash{} \\textasciigrave{}x",
        );
        check("{a} b", "\\{a\\} b");
        check("a } b", "a \\textbraceright{} b");
        check("it's a--b ''", "it's a-{}-b '{}'");
        check("a\u{a0}b – é", "a~b – é");
        check("a < b > c", "a < b > c");
    }

    #[test]
    fn markup_becomes_commands() {
        check(
            "<i>E. coli</i> H<sub>2</sub>O",
            "\\emph{E. coli} H\\textsubscript{2}O",
        );
        check("The <span class=\"nocase\">DNA</span> x", "The {DNA} x");
        check("<span class=\"nocase\">DNA</span>", "{}{DNA}");
        check("<i>open", "<i>open");
        check("$\\frac x", "\\$\\textbackslash{}frac x");
    }

    #[test]
    fn ascii_has_a_command_for_most() {
        check_ascii(
            "Erdős, Łódź, Haček",
            "Erd{\\H{o}}s, {\\L}{\\'{o}}d{\\'{z}}, Ha{\\v{c}}ek",
        );
        check_ascii(
            "í ß ế – α “x”",
            "{\\'{\\i}} {\\ss} {\\'{\\^{e}}} {\\textendash} $\\alpha$ {\\textquotedblleft}x{\\textquotedblright}",
        );
        check_ascii("漢字", "漢字");
        check_ascii("<span class=\"nocase\">École</span> x", "{{\\'{E}}cole} x");
    }

    #[test]
    fn capitals_inside_words_are_protected() {
        let protect = |text: &str| {
            let encoding = LatexEncoding {
                protect: true,
                ..UTF8
            };
            let latex = encode(text, encoding);
            assert_eq!(convert(&latex, LatexMarkup::Title), text);
            latex
        };
        assert_eq!(
            protect("The mRNA of Paris and COVID-19"),
            "The {mRNA}{} of Paris and {COVID}{}-19"
        );
        assert_eq!(protect("iPhone"), "{iPhone}{}");
        assert_eq!(
            protect("A <span class=\"nocase\">mRNA</span> of Paris"),
            "A {mRNA} of Paris"
        );
        assert_eq!(protect("ALL OF IT"), "ALL OF IT");
        assert_eq!(protect("<i>DNA</i>"), "\\emph{DNA}");
    }
}
