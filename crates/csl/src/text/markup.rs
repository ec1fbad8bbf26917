//! Parses a field into pieces: its markup (`<i> <b> <sup> <sub> <sc>`, spans for small capitals, `nocase`
//! and `nodecor`) and quotation marks. Unpaired tags and marks are text.

#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "offsets were found in the same text"
)]

use std::borrow::Cow;
use std::ops::Range;

use super::{has_byte, is_alphanumeric};

/// A piece of a field. Opening and closing pieces always pair up.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece<'a> {
    Text(Cow<'a, str>),
    Open(Markup),
    Close(Markup),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    Italic,
    Bold,
    Sup,
    Sub,
    SmallCaps,
    NoCase,
    NoDecor,
    Quote,
    /// Inside the locale's inner quotation marks.
    InnerQuote,
}

impl Markup {
    fn is_quote(self) -> bool {
        matches!(self, Markup::Quote | Markup::InnerQuote)
    }
}

/// The quotation marks of a locale, opening and closing. Only these and straight ones count as quotation
/// marks in a field; those of other languages are ordinary characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    pub outer: (char, char),
    pub inner: (char, char),
    /// Whether the outer marks include blanks.
    pub spaced: bool,
}

impl Marks {
    /// Builds the marks from the four terms. Ignores a blank inside a mark, as in French.
    pub fn new(outer: (&str, &str), inner: (&str, &str)) -> Marks {
        let mark = |text: &str| text.chars().find(|c| !c.is_whitespace()).unwrap_or('\0');
        Marks {
            outer: (mark(outer.0), mark(outer.1)),
            inner: (mark(inner.0), mark(inner.1)),
            spaced: outer.0.ends_with(char::is_whitespace),
        }
    }

    fn contains(&self, c: char) -> bool {
        [self.outer.0, self.outer.1, self.inner.0, self.inner.1].contains(&c)
    }

    fn opens(&self, c: char) -> bool {
        c == self.outer.0 || c == self.inner.0
    }

    fn opening_of(&self, close: char) -> char {
        if close == self.outer.1 {
            self.outer.0
        } else {
            self.inner.0
        }
    }
}

/// Whether a field contains nothing that [`parse`] would act on.
pub fn is_plain(text: &str) -> bool {
    !has_byte(text, |b| matches!(b, b'<' | b'"' | b'\'' | 0xE2 | 0xC2))
}

/// Whether a field has characters that may be quotation marks or apostrophes.
pub fn has_marks(text: &str, marks: &Marks) -> bool {
    text.chars()
        .any(|c| matches!(c, '\'' | '"' | '’') || marks.contains(c))
}

/// A token of the field.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Open(Markup),
    Close(Markup),
    /// `</span>`, which closes any open span.
    CloseSpan,
    Quote(char),
}

struct TokenSpan {
    range: Range<usize>,
    token: Token,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Text,
    Open(Markup),
    Close(Markup),
    Apostrophe,
}

/// The maximum nesting depth of tags and quotation marks; deeper pairs are text. Real fields have only a
/// few levels.
const MAX_DEPTH: usize = 16;

/// The maximum length of a tag in bytes, including blanks and quotation marks.
const MAX_TAG: usize = 64;

/// Parses a field into pieces.
pub fn parse<'a>(text: &'a str, marks: &Marks) -> Vec<Piece<'a>> {
    let mut found = tokens(text, marks);
    pair_tags(&mut found);
    pair_quotes(text, marks, &mut found);
    drop_crossing(&mut found);
    drop_deep(&mut found);
    pieces(text, &found, marks)
}

fn tokens(text: &str, marks: &Marks) -> Vec<TokenSpan> {
    let mut found = Vec::new();
    let mut push = |range: Range<usize>, token| {
        found.push(TokenSpan {
            range,
            token,
            role: Role::Text,
        });
    };
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(c) = rest.chars().next() else { break };
        let length = match c {
            '<' => match tag(rest) {
                Some((length, token)) => {
                    push(at..at + length, token);
                    length
                }
                None => 1,
            },
            '"' | '\'' => {
                push(at..at + 1, Token::Quote(c));
                1
            }
            _ if marks.contains(c) => {
                push(at..at + c.len_utf8(), Token::Quote(c));
                c.len_utf8()
            }
            _ => c.len_utf8(),
        };
        at += length;
    }
    found
}

fn tag(text: &str) -> Option<(usize, Token)> {
    const FIXED: &[(&str, Token)] = &[
        ("<i>", Token::Open(Markup::Italic)),
        ("</i>", Token::Close(Markup::Italic)),
        ("<b>", Token::Open(Markup::Bold)),
        ("</b>", Token::Close(Markup::Bold)),
        ("<sup>", Token::Open(Markup::Sup)),
        ("</sup>", Token::Close(Markup::Sup)),
        ("<sub>", Token::Open(Markup::Sub)),
        ("</sub>", Token::Close(Markup::Sub)),
        ("<sc>", Token::Open(Markup::SmallCaps)),
        ("</sc>", Token::Close(Markup::SmallCaps)),
        ("</span>", Token::CloseSpan),
    ];
    if let Some((name, token)) = FIXED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((name.len(), *token));
    }
    if !text.starts_with("<span") {
        return None;
    }
    let end = text.bytes().take(MAX_TAG).position(|b| b == b'>')?;
    let attributes: String = text[5..end]
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | ';'))
        .collect();
    let markup = match attributes.as_str() {
        "class=nocase" => Markup::NoCase,
        "class=nodecor" => Markup::NoDecor,
        "style=font-variant:small-caps" => Markup::SmallCaps,
        _ => return None,
    };
    Some((end + 1, Token::Open(markup)))
}

/// The tokens open at a position of the field, with a count per kind, so that an unmatched closing mark
/// costs no search.
struct Opened<K> {
    stack: Vec<(usize, K)>,
    counts: Vec<(K, usize)>,
}

impl<K: Copy + PartialEq> Opened<K> {
    fn new() -> Opened<K> {
        Opened {
            stack: Vec::new(),
            counts: Vec::new(),
        }
    }

    fn has(&self, kind: K) -> bool {
        self.counts
            .iter()
            .any(|(k, count)| *k == kind && *count > 0)
    }

    fn push(&mut self, at: usize, kind: K) {
        self.stack.push((at, kind));
        match self.counts.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((kind, 1)),
        }
    }

    /// Closes the nearest token of a kind and all opened after it. Returns its index.
    fn close(&mut self, kind: K) -> Option<usize> {
        if !self.has(kind) {
            return None;
        }
        while let Some((at, found)) = self.stack.pop() {
            if let Some((_, count)) = self.counts.iter_mut().find(|(k, _)| *k == found) {
                *count -= 1;
            }
            if found == kind {
                return Some(at);
            }
        }
        None
    }
}

/// Pairs each closing tag with the nearest opening tag of its kind; `None` is any span.
fn pair_tags(found: &mut [TokenSpan]) {
    let mut open: Opened<Option<Markup>> = Opened::new();
    for at in 0..found.len() {
        let kind = match found[at].token {
            Token::Open(markup) => {
                let is_span = found[at].range.len() > "<sup>".len();
                open.push(at, (!is_span).then_some(markup));
                continue;
            }
            Token::Close(markup) => Some(markup),
            Token::CloseSpan => None,
            Token::Quote(_) => continue,
        };
        if let Some(start) = open.close(kind)
            && let Token::Open(markup) = found[start].token
        {
            found[start].role = Role::Open(markup);
            found[at].role = Role::Close(markup);
        }
    }
}

/// Pairs quotation marks. A straight or single mark opens at the start of a word and closes at the end of
/// one. A straight double mark also opens between blanks. An unpaired mark is an apostrophe.
fn pair_quotes(text: &str, marks: &Marks, found: &mut [TokenSpan]) {
    let mut open: Opened<char> = Opened::new();
    for at in 0..found.len() {
        let Token::Quote(mark) = found[at].token else {
            continue;
        };
        let before = neighbour_before(text, found, at);
        let after = neighbour_after(text, found, at);
        let at_start = before.is_none_or(|c| {
            c.is_whitespace()
                || matches!(
                    c,
                    '(' | '['
                        | '{'
                        | '-'
                        | '–'
                        | '—'
                        | '/'
                        | '“'
                        | '‘'
                        | '"'
                        | '\''
                        | '«'
                        | '\u{a0}'
                )
        });
        let at_end = after.is_none_or(|c| !is_alphanumeric(c));
        let before_word = after.is_some_and(|c| !c.is_whitespace());
        match mark {
            '"' | '\'' => {
                let opened = open.has(mark);
                let behind_word = before.is_some_and(|c| !c.is_whitespace());
                if opened
                    && at_end
                    && behind_word
                    && !(at_start && before_word && before.is_some_and(char::is_whitespace))
                {
                    close_quote(found, &mut open, at, mark, marks.inner.0);
                } else if at_start && (before_word || mark == '"' && !opened) {
                    open.push(at, mark);
                } else if mark == '"' && opened && behind_word {
                    close_quote(found, &mut open, at, mark, marks.inner.0);
                }
            }
            _ if marks.opens(mark) => open.push(at, mark),
            _ => {
                // A closing mark that looks like an apostrophe is an apostrophe inside a word.
                if mark != '’' || at_end {
                    let opening = marks.opening_of(mark);
                    close_quote(found, &mut open, at, opening, marks.inner.0);
                }
            }
        }
    }
    for item in found.iter_mut() {
        if item.role == Role::Text && matches!(item.token, Token::Quote('\'')) {
            item.role = Role::Apostrophe;
        }
    }
}

fn close_quote(
    found: &mut [TokenSpan],
    open: &mut Opened<char>,
    at: usize,
    mark: char,
    inner_mark: char,
) {
    let Some(opening) = open.close(mark) else {
        return;
    };
    // Marks around an empty text are not a quotation (see flipflop_ApostropheInsideTag).
    if found[opening].range.end == found[at].range.start {
        return;
    }
    // Straight marks say nothing of the level, though they may be the locale's inner ones.
    let inner = mark == inner_mark && !matches!(mark, '\'' | '"');
    let markup = if inner {
        Markup::InnerQuote
    } else {
        Markup::Quote
    };
    found[opening].role = Role::Open(markup);
    found[at].role = Role::Close(markup);
}

/// The character before a token, skipping tags.
fn neighbour_before(text: &str, found: &[TokenSpan], mut at: usize) -> Option<char> {
    loop {
        let start = found[at].range.start;
        if at > 0 && found[at - 1].range.end == start && is_tag(&found[at - 1]) {
            at -= 1;
            continue;
        }
        return text[..start].chars().next_back();
    }
}

fn neighbour_after(text: &str, found: &[TokenSpan], mut at: usize) -> Option<char> {
    loop {
        let end = found[at].range.end;
        if found
            .get(at + 1)
            .is_some_and(|next| next.range.start == end && is_tag(next))
        {
            at += 1;
            continue;
        }
        return text[end..].chars().next();
    }
}

fn is_tag(found: &TokenSpan) -> bool {
    matches!(found.role, Role::Open(m) | Role::Close(m) if !m.is_quote())
}

/// Turns pairs of quotation marks that cross tags back into text, so that the rest nests: they may be
/// apostrophes. Such a pair does not close in the tag where it opens.
fn drop_crossing(found: &mut [TokenSpan]) {
    let mut tags: Vec<usize> = Vec::new();
    let mut quotes: Vec<(usize, Option<usize>)> = Vec::new();
    for at in 0..found.len() {
        match found[at].role {
            Role::Open(markup) if markup.is_quote() => quotes.push((at, tags.last().copied())),
            Role::Close(markup) if markup.is_quote() => {
                if let Some((opening, tag)) = quotes.pop()
                    && tag != tags.last().copied()
                {
                    demote(found, opening);
                    demote(found, at);
                }
            }
            Role::Open(_) => tags.push(at),
            Role::Close(_) => {
                tags.pop();
            }
            Role::Text | Role::Apostrophe => {}
        }
    }
}

/// Turns pairs nested too deep back into text.
fn drop_deep(found: &mut [TokenSpan]) {
    let mut depth = 0;
    for at in 0..found.len() {
        match found[at].role {
            Role::Open(_) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    demote(found, at);
                }
            }
            Role::Close(_) => {
                if depth > MAX_DEPTH {
                    demote(found, at);
                }
                depth -= 1;
            }
            Role::Text | Role::Apostrophe => {}
        }
    }
}

fn demote(found: &mut [TokenSpan], at: usize) {
    found[at].role = match found[at].token {
        Token::Quote('\'') => Role::Apostrophe,
        _ => Role::Text,
    };
}

fn pieces<'a>(text: &'a str, found: &[TokenSpan], marks: &Marks) -> Vec<Piece<'a>> {
    // If a mark includes its own blank, blanks inside it are dropped.
    let spaced = |token: Token| {
        let outer = [marks.outer.0, marks.outer.1].map(Token::Quote);
        marks.spaced && outer.contains(&token)
    };
    let mut out = Vec::with_capacity(found.len() * 2 + 1);
    let mut run: Cow<'a, str> = Cow::Borrowed("");
    let mut from = 0;
    for item in found.iter().filter(|item| item.role != Role::Text) {
        let before = &text[from..item.range.start];
        let close = matches!(item.role, Role::Close(_)) && spaced(item.token);
        extend(&mut run, if close { before.trim_end() } else { before });
        from = item.range.end;
        let piece = match item.role {
            Role::Open(markup) => {
                if spaced(item.token) {
                    from = text.len() - text[from..].trim_start().len();
                }
                Piece::Open(markup)
            }
            Role::Close(markup) => Piece::Close(markup),
            _ => {
                run.to_mut().push('’');
                continue;
            }
        };
        if !run.is_empty() {
            out.push(Piece::Text(std::mem::take(&mut run)));
        }
        out.push(piece);
    }
    extend(&mut run, &text[from..]);
    if !run.is_empty() {
        out.push(Piece::Text(run));
    }
    out
}

fn extend<'a>(run: &mut Cow<'a, str>, more: &'a str) {
    if run.is_empty() {
        *run = Cow::Borrowed(more);
    } else if !more.is_empty() {
        run.to_mut().push_str(more);
    }
}

const NO_MARKS: Marks = Marks {
    outer: ('\0', '\0'),
    inner: ('\0', '\0'),
    spaced: false,
};

/// The text of a field without its markup.
pub fn stripped(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut found = tokens(text, &NO_MARKS);
    pair_tags(&mut found);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for item in found.iter().filter(|item| item.role != Role::Text) {
        out.push_str(&text[from..item.range.start]);
        from = item.range.end;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        let marks = Marks::new(("“", "”"), ("‘", "’"));
        let shown: String = parse(input, &marks)
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.to_string(),
                Piece::Open(m) if m.is_quote() => "{".into(),
                Piece::Close(m) if m.is_quote() => "}".into(),
                Piece::Open(_) => "(".into(),
                Piece::Close(_) => ")".into(),
            })
            .collect();
        assert_eq!(shown, expected, "{input}");
    }

    #[test]
    fn tags_and_quotes_pair_up() {
        check("a <i>b</i> c", "a (b) c");
        check("a <i>b c", "a <i>b c");
        check("<span class=\"nocase\">x</span></span>", "(x)</span>");
        check("it's \"so 'x' y\"", "it’s {so {x} y}");
        check("“a ‘b’ c’s”", "{a {b} c’s}");
        check("a “b <i>c” d</i>", "a “b (c” d)");
        check("rock 'n' roll", "rock {n} roll");
        check("<script>", "<script>");
        check("“a <i>b” c</i>", "“a (b” c)");
        check("<i>a “b <b>c” d</b> “e” f</i>", "(a “b (c” d) {e} f)");
        check("“a <i>b “c” d</i> e”", "{a (b {c} d) e}");
    }

    #[test]
    fn blanks_within_guillemets_belong_to_them() {
        let marks = Marks::new(("«\u{a0}", "\u{a0}»"), ("“", "”"));
        let quoted = |text: &'static str| {
            let open = Piece::Open(Markup::Quote);
            vec![open, Piece::Text(text.into()), Piece::Close(Markup::Quote)]
        };
        for spaced in ["«mot»", "« mot »", "«\u{202f}mot\u{202f}»", "«\u{a0}mot »"] {
            assert_eq!(parse(spaced, &marks), quoted("mot"), "{spaced}");
        }
    }

    #[test]
    fn straight_marks_are_no_inner_ones() {
        let marks = Marks::new(("‘", "’"), ("'", "'"));
        let quoted = |text: &'static str, markup| {
            vec![
                Piece::Open(markup),
                Piece::Text(text.into()),
                Piece::Close(markup),
            ]
        };
        assert_eq!(parse("'mot'", &marks), quoted("mot", Markup::Quote));
        let marks = Marks::new(("«", "»"), ("“", "”"));
        assert_eq!(parse("“mot”", &marks), quoted("mot", Markup::InnerQuote));
    }

    #[test]
    fn markup_that_lies_too_deep_is_text() {
        let nest = |depth: usize| {
            let (open, close) = ("<i>".repeat(depth), "</i>".repeat(depth));
            format!("{open}x{close}")
        };
        let shown = |depth: usize| {
            let (open, close) = ("(".repeat(depth), ")".repeat(depth));
            format!("{open}x{close}")
        };
        check(&nest(MAX_DEPTH), &shown(MAX_DEPTH));
        let deepest = shown(MAX_DEPTH).replace('x', "<i>x</i>");
        check(&nest(MAX_DEPTH + 1), &deepest);
    }
}
