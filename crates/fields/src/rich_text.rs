//! CSL rich text (`<i>`, `<b>`, `<sup>`, `<sub>`, `<span …>`) and its form in pandoc's Markdown.

/// Maximum length of a `<span>` tag, in bytes.
const MAX_TAG_LENGTH: usize = 100;

/// The rich text tag at the start of a text.
pub fn tag_at(text: &str) -> Option<&str> {
    const TAGS: [&str; 9] = [
        "<i>", "</i>", "<b>", "</b>", "<sup>", "</sup>", "<sub>", "</sub>", "</span>",
    ];
    let simple = TAGS.into_iter().find(|tag| text.starts_with(tag));
    if simple.is_some() {
        return simple;
    }
    let inside = text.strip_prefix("<span ")?;
    let end = inside
        .bytes()
        .take(MAX_TAG_LENGTH)
        .position(|b| b == b'>')?;
    text.get(..="<span ".len() + end)
}

const NO_CASE: &str = "<span class=\"nocase\">";
const SMALL_CAPS: &str = "<span style=\"font-variant:small-caps;\">";

/// Converts pandoc's Markdown to rich text: emphasis, subscripts and superscripts, spans with a class,
/// escapes. Other markup stays unchanged.
pub fn from_markdown(text: &str) -> String {
    if !text.contains(['*', '_', '^', '~', '[', '\\', '`']) {
        return text.to_owned();
    }
    let mut reader = Markdown::default();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let length = reader.next(rest, c, before);
        before = rest
            .get(..length)
            .and_then(|taken| taken.chars().last())
            .unwrap_or(c);
        rest = rest.get(length..).unwrap_or_default();
    }
    reader.pieces.concat()
}

/// Marks that open and close, in the order of `Markdown::open`.
#[derive(Clone, Copy)]
enum Mark {
    Italic,
    Bold,
    Underscore,
    Superscript,
    Subscript,
    Bracket,
}

#[derive(Default)]
struct Markdown<'t> {
    pieces: Vec<&'t str>,
    /// For each mark the piece that opens it; the piece is the literal mark until it is closed.
    open: [Option<usize>; 6],
}

impl<'t> Markdown<'t> {
    /// Consumes the start of a text; returns the number of bytes.
    fn next(&mut self, rest: &'t str, c: char, before: char) -> usize {
        let length = c.len_utf8();
        let own = rest.get(..length).unwrap_or_default();
        let after = rest.get(length..).unwrap_or_default();
        match c {
            '\\' => self.escaped(own, after),
            '<' if tag_at(rest).is_some() => {
                let tag = tag_at(rest).unwrap_or_default();
                self.pieces.push(tag);
                tag.len()
            }
            '*' if after.starts_with('*') => self.mark(
                Mark::Bold,
                rest.get(..2).unwrap_or_default(),
                ("<b>", "</b>"),
                before,
                after.get(1..),
            ),
            '*' => self.mark(Mark::Italic, own, ("<i>", "</i>"), before, Some(after)),
            '_' => {
                // Inside a word it is literal.
                let next = after.chars().next().unwrap_or(' ');
                if before.is_alphanumeric() && next.is_alphanumeric() {
                    self.pieces.push(own);
                    return length;
                }
                self.mark(Mark::Underscore, own, ("<i>", "</i>"), before, Some(after))
            }
            '^' => self.mark(
                Mark::Superscript,
                own,
                ("<sup>", "</sup>"),
                before,
                Some(after),
            ),
            '~' => self.mark(
                Mark::Subscript,
                own,
                ("<sub>", "</sub>"),
                before,
                Some(after),
            ),
            '[' => {
                self.set_open(Mark::Bracket, Some(self.pieces.len()));
                self.pieces.push(own);
                length
            }
            ']' => self.bracket(own, after),
            _ => {
                if c.is_whitespace() {
                    // Subscripts and superscripts contain no unescaped blank.
                    self.set_open(Mark::Superscript, None);
                    self.set_open(Mark::Subscript, None);
                }
                let plain = rest.find(is_special).filter(|at| *at > 0);
                let length = plain.unwrap_or(if is_special(c) { length } else { rest.len() });
                self.pieces.push(rest.get(..length).unwrap_or_default());
                length
            }
        }
    }

    fn escaped(&mut self, own: &'t str, after: &'t str) -> usize {
        let next = after
            .chars()
            .next()
            .filter(|c| c.is_ascii_punctuation() || *c == ' ');
        match next.and_then(|c| after.get(..c.len_utf8())) {
            Some(character) => {
                self.pieces.push(character);
                own.len() + character.len()
            }
            None => {
                self.pieces.push(own);
                own.len()
            }
        }
    }

    fn mark(
        &mut self,
        mark: Mark,
        own: &'t str,
        tags: (&'static str, &'static str),
        before: char,
        after: Option<&str>,
    ) -> usize {
        let next = after.and_then(|after| after.chars().next()).unwrap_or(' ');
        let opener = self.open.get(mark as usize).copied().flatten();
        match opener {
            Some(at) if !before.is_whitespace() && at + 1 < self.pieces.len() => {
                self.close(mark, at, tags.0);
                self.pieces.push(tags.1);
            }
            _ => {
                if !next.is_whitespace() {
                    self.set_open(mark, Some(self.pieces.len()));
                }
                self.pieces.push(own);
            }
        }
        own.len()
    }

    /// A `]`, which closes a span if a class follows.
    fn bracket(&mut self, own: &'t str, after: &'t str) -> usize {
        let classes = [("{.nocase}", NO_CASE), ("{.smallcaps}", SMALL_CAPS)];
        let class = classes
            .into_iter()
            .find(|(class, _)| after.starts_with(class));
        let opener = self.open.get(Mark::Bracket as usize).copied().flatten();
        if let (Some(at), Some((class, tag))) = (opener, class) {
            self.close(Mark::Bracket, at, tag);
            self.pieces.push("</span>");
            return own.len() + class.len();
        }
        self.set_open(Mark::Bracket, None);
        self.pieces.push(own);
        own.len()
    }

    /// Turns the piece that opened a mark into a tag. Marks opened since then stay literal.
    fn close(&mut self, mark: Mark, at: usize, tag: &'static str) {
        if let Some(piece) = self.pieces.get_mut(at) {
            *piece = tag;
        }
        self.set_open(mark, None);
        for open in &mut self.open {
            *open = open.filter(|opener| *opener < at);
        }
    }

    fn set_open(&mut self, mark: Mark, at: Option<usize>) {
        if let Some(open) = self.open.get_mut(mark as usize) {
            *open = at;
        }
    }
}

fn is_special(c: char) -> bool {
    matches!(c, '\\' | '<' | '*' | '_' | '^' | '~' | '[' | ']') || c.is_whitespace()
}

/// Pandoc's Markdown of rich text.
pub fn to_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Closing text of the open spans, and whether blanks must be escaped.
    let mut spans: Vec<&str> = Vec::new();
    let mut in_script = false;
    while let Some(c) = rest.chars().next() {
        let Some(tag) = (c == '<').then(|| tag_at(rest)).flatten() else {
            if matches!(
                c,
                '\\' | '*' | '_' | '^' | '~' | '[' | ']' | '`' | '$' | '@' | '<'
            ) || in_script && c == ' '
            {
                out.push('\\');
            }
            out.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        };
        match tag {
            "<i>" | "</i>" => out.push('*'),
            "<b>" | "</b>" => out.push_str("**"),
            "<sup>" | "</sup>" => out.push('^'),
            "<sub>" | "</sub>" => out.push('~'),
            "</span>" => out.push_str(spans.pop().unwrap_or_default()),
            _ => {
                let end = match tag {
                    _ if tag.contains("nocase") => "]{.nocase}",
                    _ if tag.contains("small-caps") => "]{.smallcaps}",
                    _ => "",
                };
                if !end.is_empty() {
                    out.push('[');
                }
                spans.push(end);
            }
        }
        if matches!(tag, "<sup>" | "</sup>" | "<sub>" | "</sub>") {
            in_script = !tag.starts_with("</");
        }
        rest = rest.get(tag.len()..).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_rich_text() {
        let check = |markdown: &str, expected: &str| assert_eq!(from_markdown(markdown), expected);
        check(
            "On *Homo sapiens* and **x**",
            "On <i>Homo sapiens</i> and <b>x</b>",
        );
        check(
            "H~2~O, 10^th^, _it_ a_b_c",
            "H<sub>2</sub>O, 10<sup>th</sup>, <i>it</i> a_b_c",
        );
        check(
            "[DNA]{.nocase} [x] [y]{.smallcaps}",
            "<span class=\"nocase\">DNA</span> [x] <span style=\"font-variant:small-caps;\">y</span>",
        );
        check(
            "\\_eprint 2 * 3 * 4 a^b c^ **",
            "_eprint 2 * 3 * 4 a^b c^ **",
        );
        check(
            "<span class=\"nocase\">a_b</span> *[a*]{.nocase}",
            "<span class=\"nocase\">a_b</span> <i>[a</i>]{.nocase}",
        );
    }

    #[test]
    fn rich_text_survives_markdown() {
        for text in [
            "a <i>b</i> <b>c</b> H<sub>2</sub>O x<sup>a b</sup>",
            "<span class=\"nocase\">iPod</span> *_[x]_* 3^2 ~ @ $5 \\ `",
            "snake_case [Twitter, Tweet] < >",
        ] {
            assert_eq!(from_markdown(&to_markdown(text)), text);
        }
    }
}
