//! BibTeX's syntax: a text into entries, strings and preambles with their offsets; nothing is
//! interpreted here. Whatever is broken ends where the next entry begins at the latest.

use memchr::{memchr, memchr2, memchr3};

/// One `@…{…}` of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'a> {
    pub kind: BlockKind<'a>,
    /// Byte offset of the `@`.
    pub offset: usize,
    /// What is wrong with it, in order.
    pub faults: Vec<Fault>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind<'a> {
    Entry(Entry<'a>),
    /// `@string{name = value}`.
    Strings(Vec<Field<'a>>),
    Preamble,
    Comment,
    /// An `@name` at the start of a line without a body.
    Bodiless {
        name: &'a str,
    },
}

/// `@kind{key, fields}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    /// As written: `Article`.
    pub kind: &'a str,
    /// May be empty.
    pub key: &'a str,
    pub fields: Vec<Field<'a>>,
}

/// `name = value # value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    pub name: &'a str,
    pub value: Vec<Piece<'a>>,
    /// Byte offset of the name.
    pub offset: usize,
}

/// A part of a value, without its delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Braced(&'a str),
    Quoted(&'a str),
    /// A number, or the name of a string.
    Bare(&'a str),
}

/// Something wrong in the syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub offset: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    #[error("The value is never closed: a brace or quote is missing, or one too many is open.")]
    UnclosedValue,
    #[error("The entry is never closed: its last brace is missing.")]
    UnclosedEntry,
    #[error("The entry has no citation key before its first field.")]
    MissingKey,
    #[error("A comma is missing before this field.")]
    MissingComma,
    #[error("The field has no value: an equals sign and a text should follow its name.")]
    MissingValue,
    #[error("This text belongs to no field and was left out.")]
    StrayText,
    #[error("An entry type stands here without the braces of an entry.")]
    MissingBody,
}

impl FaultKind {
    /// Stable, for programs.
    pub fn code(self) -> &'static str {
        match self {
            FaultKind::UnclosedValue => "unbalanced_braces",
            FaultKind::UnclosedEntry => "unterminated_entry",
            FaultKind::MissingKey => "missing_key",
            FaultKind::MissingComma => "missing_comma",
            FaultKind::MissingValue => "missing_value",
            FaultKind::StrayText => "unexpected_text",
            FaultKind::MissingBody => "missing_body",
        }
    }
}

/// The blocks of a text, in order. Takes time linear in the text, whatever it holds.
pub fn blocks(text: &str) -> Blocks<'_> {
    Blocks {
        text,
        at: 0,
        start_ahead: None,
    }
}

/// See [`blocks`].
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    text: &'a str,
    at: usize,
    /// The last answer of [`next_start`], good as long as it lies ahead.
    start_ahead: Option<usize>,
}

/// An entry may run over at most this many lines that look like the start of another one; see
/// [`Blocks::block`].
const EMBEDDED_STARTS: usize = 4;

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        loop {
            let found = memchr(b'@', self.text.as_bytes().get(self.at..)?)?;
            let offset = self.at + found;
            self.at = offset + 1;
            let Some(head) = Head::read(self.text, offset) else {
                continue;
            };
            if in_line_comment(self.text, offset) {
                self.at = line_end(self.text, offset);
                continue;
            }
            if let Some((block, end)) = self.block(&head, offset) {
                self.at = end.max(offset + 1);
                return Some(block);
            }
        }
    }
}

impl<'a> Blocks<'a> {
    /// Reads the block whose `@` stands at `offset`. An entry that is not closed before the next
    /// line that looks like another entry may have such a line inside a value; it is taken to be
    /// so only if the whole then reads without a fault. Else it is broken and ends there.
    fn block(&mut self, head: &Head<'a>, offset: usize) -> Option<(Block<'a>, usize)> {
        let Some(body) = head.body else {
            return bodiless(self.text, head, offset);
        };
        let limit = self.limit(body);
        let text = self.text;
        let parse = |limit, braces| {
            let mut parser = Parser {
                text,
                at: body,
                limit,
                close: head.close,
                braces,
                field_line: None,
                faults: Vec::new(),
                closed: false,
            };
            let kind = parser.block(head.name);
            (parser, kind)
        };
        let (mut parser, mut kind) = parse(limit, Braces::All);
        if !parser.closed && limit < self.text.len() {
            let (wider, wider_kind) = parse(self.far_limit(limit), Braces::All);
            if wider.closed && wider.faults.is_empty() {
                (parser, kind) = (wider, wider_kind);
            }
        }
        if !parser.closed {
            let (unescaped, unescaped_kind) = parse(limit, Braces::Unescaped);
            if unescaped.closed {
                (parser, kind) = (unescaped, unescaped_kind);
            }
        }
        if !parser.closed {
            (parser, kind) = parse(limit, Braces::UpToNextField);
        }
        if !parser.closed && !matches!(kind, BlockKind::Comment) {
            parser.fault(FaultKind::UnclosedEntry, offset);
        }
        parser.faults.sort_by_key(|fault| fault.offset);
        let block = Block {
            kind,
            offset,
            faults: parser.faults,
        };
        Some((block, parser.at))
    }

    /// Where the next entry begins, or the end of the text.
    fn limit(&mut self, from: usize) -> usize {
        match self.start_ahead {
            Some(start) if start >= from => start,
            _ => {
                let start = next_start(self.text, from).unwrap_or(self.text.len());
                self.start_ahead = Some(start);
                start
            }
        }
    }

    fn far_limit(&self, first: usize) -> usize {
        let mut limit = first;
        for _ in 0..EMBEDDED_STARTS {
            match next_start(self.text, limit + 1) {
                Some(next) => limit = next,
                None => return self.text.len(),
            }
        }
        limit
    }
}

/// `@name` with the bracket that opens its body, if there is one.
struct Head<'a> {
    name: &'a str,
    /// Byte offset behind the opening bracket.
    body: Option<usize>,
    close: u8,
}

impl<'a> Head<'a> {
    fn read(text: &'a str, at: usize) -> Option<Head<'a>> {
        let bytes = text.as_bytes();
        let start = skip_space(bytes, at + 1);
        let length = bytes
            .get(start..)?
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+'))
            .count();
        let name = text.get(start..start + length).filter(|name| {
            name.bytes()
                .next()
                .is_some_and(|first| first.is_ascii_alphabetic())
        })?;
        let open = skip_space(bytes, start + length);
        let (body, close) = match bytes.get(open) {
            Some(b'{') => (Some(open + 1), b'}'),
            Some(b'(') => (Some(open + 1), b')'),
            _ => (None, b'}'),
        };
        Some(Head { name, body, close })
    }
}

/// An `@` in running text (an e-mail address) means nothing; alone with a known word at the start
/// of a line, it is an entry that lost its body.
fn bodiless<'a>(text: &'a str, head: &Head<'a>, offset: usize) -> Option<(Block<'a>, usize)> {
    let at_line_start = line_before(text, offset).trim().is_empty();
    let known = crate::model::item_type::ItemType::parse(head.name).is_some();
    if !at_line_start || !known {
        return None;
    }
    let block = Block {
        kind: BlockKind::Bodiless { name: head.name },
        offset,
        faults: vec![Fault {
            kind: FaultKind::MissingBody,
            offset,
        }],
    };
    Some((block, offset + 1))
}

/// Which braces count while the end of a value is sought.
#[derive(Clone, Copy, PartialEq)]
enum Braces {
    /// All, as BibTeX has it.
    All,
    /// All but `\{` and `\}`.
    Unescaped,
    /// All, but a value ends at the latest before a line that looks like the next field.
    UpToNextField,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// No further than here.
    limit: usize,
    close: u8,
    braces: Braces,
    /// The last answer of [`Parser::field_line_limit`], good as long as it lies ahead.
    field_line: Option<usize>,
    faults: Vec<Fault>,
    /// Whether the closing bracket was found.
    closed: bool,
}

impl<'a> Parser<'a> {
    fn block(&mut self, name: &'a str) -> BlockKind<'a> {
        if name.eq_ignore_ascii_case("comment") {
            self.skip_body();
            BlockKind::Comment
        } else if name.eq_ignore_ascii_case("preamble") {
            self.skip_body();
            BlockKind::Preamble
        } else if name.eq_ignore_ascii_case("string") {
            BlockKind::Strings(self.fields())
        } else {
            let key = self.key();
            let fields = self.fields();
            BlockKind::Entry(Entry {
                kind: name,
                key,
                fields,
            })
        }
    }

    /// Skips to the closing bracket; where there is none, stays at the start.
    fn skip_body(&mut self) {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(at) = self.find_brace_or(self.at, self.close) {
            self.at = at + 1;
            match self.byte(at) {
                Some(b'{') => depth += 1,
                Some(close) if depth == 0 && close == self.close => {
                    self.closed = true;
                    return;
                }
                Some(b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        self.at = start;
    }

    /// The key, up to its comma. A body that starts with a field has none.
    fn key(&mut self) -> &'a str {
        self.skip_blank();
        let start = self.at;
        let stops = |byte: &u8| matches!(byte, b',' | b'=' | b'{' | b'}' | b'"' | b'#');
        let rest = self.bytes().get(start..self.limit).unwrap_or_default();
        let mut length = rest
            .iter()
            .position(|byte| stops(byte) || *byte == self.close)
            .unwrap_or(rest.len());
        // Keys such as `Smith(2000)` are fine inside braces.
        if self.close == b')' && rest.get(length) == Some(&b')') {
            let more = rest.get(length..).unwrap_or_default();
            if let Some(comma) = more.iter().position(|b| matches!(b, b',' | b'\n')) {
                let inner = more.get(..comma).unwrap_or_default();
                let balanced = self
                    .text
                    .get(start..start + length + comma)
                    .is_some_and(|key| {
                        key.contains('(') && key.matches('(').count() == key.matches(')').count()
                    });
                if balanced && !inner.iter().any(stops) {
                    length += comma;
                }
            }
        }
        let key = self.text.get(start..start + length).unwrap_or_default();
        match rest.get(length) {
            Some(b',') => {
                self.at = start + length + 1;
                trimmed_key(key)
            }
            Some(b'=') => self.key_without_comma(key, start),
            Some(byte) if *byte == self.close => {
                self.at = start + length;
                trimmed_key(key)
            }
            // A cut file, or a key that no key can be: the first line is the best guess.
            _ => {
                let first_line = key.lines().next().unwrap_or_default();
                self.at = start + first_line.len();
                trimmed_key(first_line)
            }
        }
    }

    /// `key <newline> name =`, or just `name =`.
    fn key_without_comma(&mut self, text: &'a str, start: usize) -> &'a str {
        let trimmed = text.trim_end();
        match trimmed.rsplit_once(char::is_whitespace) {
            Some((key, name)) => {
                self.fault(FaultKind::MissingComma, start + trimmed.len() - name.len());
                self.at = start + trimmed.len() - name.len();
                trimmed_key(key)
            }
            None => {
                self.fault(FaultKind::MissingKey, start);
                self.at = start;
                ""
            }
        }
    }

    fn fields(&mut self) -> Vec<Field<'a>> {
        let mut fields = Vec::new();
        loop {
            self.skip_blank();
            match self.byte(self.at) {
                None => return fields,
                Some(byte) if byte == self.close => {
                    self.at += 1;
                    self.closed = true;
                    return fields;
                }
                Some(b',') => self.at += 1,
                Some(_) => {
                    let before = self.at;
                    fields.extend(self.field());
                    if self.at == before {
                        self.at = self.next_char(before);
                    }
                }
            }
        }
    }

    fn field(&mut self) -> Option<Field<'a>> {
        let offset = self.at;
        let Some(name) = self.name() else {
            self.stray(offset);
            return None;
        };
        self.skip_blank();
        if self.byte(self.at) != Some(b'=') {
            let kind = if matches!(self.byte(self.at), Some(b',' | b'}' | b')') | None) {
                FaultKind::MissingValue
            } else {
                FaultKind::StrayText
            };
            self.fault(kind, offset);
            if kind == FaultKind::StrayText {
                self.resync();
            }
            return None;
        }
        self.at += 1;
        let value = self.value(offset);
        if value.is_empty() {
            self.fault(FaultKind::MissingValue, offset);
            return None;
        }
        self.after_value();
        Some(Field {
            name,
            value,
            offset,
        })
    }

    /// The name of a field. Names hold whatever is not syntax, but not blanks.
    fn name(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.at..self.limit)?;
        let length = rest.find(|c: char| c.is_whitespace() || is_syntax(c))?;
        let name = rest.get(..length).filter(|name| !name.is_empty())?;
        self.at += length;
        Some(name)
    }

    fn value(&mut self, field: usize) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        loop {
            self.skip_blank();
            match self.byte(self.at) {
                Some(b'{') => pieces.push(self.braced(field)),
                Some(b'"') => pieces.push(self.quoted(field)),
                _ => match self.bare() {
                    Some(piece) => pieces.push(piece),
                    None => return pieces,
                },
            }
            let after = self.at;
            self.skip_blank();
            if self.byte(self.at) != Some(b'#') {
                // Blanks behind the value are the caller's, who looks for what follows.
                self.at = after;
                return pieces;
            }
            self.at += 1;
        }
    }

    fn bare(&mut self) -> Option<Piece<'a>> {
        let rest = self.text.get(self.at..self.limit)?;
        let length = rest
            .find(|c: char| c.is_whitespace() || is_syntax(c))
            .unwrap_or(rest.len());
        let word = rest.get(..length).filter(|word| !word.is_empty())?;
        self.at += length;
        Some(Piece::Bare(word))
    }

    fn braced(&mut self, field: usize) -> Piece<'a> {
        let start = self.at + 1;
        let mut depth = 0_usize;
        let mut at = start;
        let limit = self.field_line_limit(start);
        while let Some(found) = self.find_brace(at, limit) {
            at = found + 1;
            match self.byte(found) {
                Some(b'{') => depth += 1,
                _ if depth == 0 => {
                    self.at = found + 1;
                    return Piece::Braced(self.text.get(start..found).unwrap_or_default());
                }
                _ => depth -= 1,
            }
        }
        Piece::Braced(self.unclosed(start, limit, field))
    }

    /// A quoted value ends at a quote outside braces. A quote with more text behind it than a
    /// value may have is part of the text, as people write it.
    fn quoted(&mut self, field: usize) -> Piece<'a> {
        let start = self.at + 1;
        let mut depth = 0_usize;
        let mut at = start;
        let limit = self.field_line_limit(start);
        while let Some(found) = self.find_quote_or_brace(at, limit) {
            at = found + 1;
            match self.byte(found) {
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 0 => break,
                Some(b'}') => depth -= 1,
                _ if depth == 0 && self.ends_value(found + 1) => {
                    self.at = found + 1;
                    return Piece::Quoted(self.text.get(start..found).unwrap_or_default());
                }
                _ if depth == 0 => {
                    // A quote that opens the next field's value: this one lost its own.
                    if let Some(line) = self.field_line_before(found, start) {
                        return Piece::Quoted(self.unclosed(start, line, field));
                    }
                }
                _ => {}
            }
        }
        Piece::Quoted(self.unclosed(start, limit, field))
    }

    /// Where the line begins, behind `start`, on which a field's name and an equals sign stand
    /// right before `at`.
    fn field_line_before(&self, at: usize, start: usize) -> Option<usize> {
        let before = line_before(self.text, at);
        let line = at - before.len();
        let name = before.trim_end().strip_suffix('=')?.trim();
        let is_name =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        (is_name && line > start).then_some(line)
    }

    /// Whether what stands at `at` may follow a value: a separator, the end, or the next field.
    fn ends_value(&self, at: usize) -> bool {
        let bytes = self.bytes();
        let next = skip_space(bytes, at);
        match bytes.get(next) {
            None | Some(b',' | b'}' | b')' | b'#' | b'%' | b'@') => true,
            Some(_) => next > at && self.is_field_start(next),
        }
    }

    /// What an unclosed value most likely held: its first line, or all up to the next field.
    fn unclosed(&mut self, start: usize, end: usize, field: usize) -> &'a str {
        self.fault(FaultKind::UnclosedValue, field);
        self.at = end;
        let text = self.text.get(start..end).unwrap_or_default();
        text.trim_end().trim_end_matches([',', '"', '}']).trim_end()
    }

    /// In a broken entry, where the next line begins that looks like a field, or the limit.
    fn field_line_limit(&mut self, from: usize) -> usize {
        if self.braces != Braces::UpToNextField {
            return self.limit;
        }
        let known = self.field_line.filter(|line| *line >= from);
        let line = known.unwrap_or_else(|| self.next_field_line(from));
        self.field_line = Some(line);
        line
    }

    fn next_field_line(&self, from: usize) -> usize {
        let bytes = self.bytes();
        let mut at = from;
        while let Some(rest) = bytes.get(at..self.limit) {
            let Some(newline) = memchr2(b'\n', b'\r', rest) else {
                break;
            };
            at += newline + 1;
            let line = skip_space(bytes, at);
            if line < self.limit && self.is_field_start(line) {
                return at;
            }
        }
        self.limit
    }

    /// `name = {`, `name = "` or `name = 7`: a word of up to 40 bytes and an equals sign.
    fn is_field_start(&self, at: usize) -> bool {
        let bytes = self.bytes();
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest
            .iter()
            .take(41)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+' | b':'))
            .count();
        if length == 0 || length > 40 || !rest.first().is_some_and(u8::is_ascii_alphabetic) {
            return false;
        }
        let equals = skip_space(bytes, at + length);
        if bytes.get(equals) != Some(&b'=') {
            return false;
        }
        let value = bytes.get(skip_space(bytes, equals + 1));
        value.is_some_and(|b| matches!(b, b'{' | b'"') || b.is_ascii_alphanumeric())
    }

    /// Behind a value stands a comma or the end; the next field without a comma is understood.
    fn after_value(&mut self) {
        self.skip_blank();
        match self.byte(self.at) {
            None | Some(b',') => {}
            Some(byte) if byte == self.close => {}
            Some(_) if self.is_field_start(self.at) => {
                let lost = |fault: &Fault| fault.kind == FaultKind::UnclosedValue;
                if !self.faults.last().is_some_and(lost) {
                    self.fault(FaultKind::MissingComma, self.at);
                }
            }
            Some(_) => self.stray(self.at),
        }
    }

    fn stray(&mut self, offset: usize) {
        self.fault(FaultKind::StrayText, offset);
        self.resync();
    }

    /// Goes on to the next place that can be a field or the end of the entry.
    fn resync(&mut self) {
        let mut previous = b' ';
        let mut depth = 0_usize;
        while let Some(byte) = self.byte(self.at) {
            let fresh = matches!(previous, b',' | b'\n' | b'\r');
            match byte {
                b'{' => depth += 1,
                b'}' if depth > 0 => depth -= 1,
                b'}' | b')' if byte == self.close && depth == 0 => return,
                b',' if depth == 0 => return,
                _ if fresh && self.is_field_start(skip_space(self.bytes(), self.at)) => return,
                _ => {}
            }
            previous = byte;
            self.at = self.next_char(self.at);
        }
    }

    /// Skips white space and comments between fields, which run from `%` to the line's end.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.text.get(self.at..self.limit).unwrap_or_default();
            self.at += rest.len() - rest.trim_start().len();
            if self.byte(self.at) != Some(b'%') {
                return;
            }
            self.at = line_end(self.text, self.at).min(self.limit);
        }
    }

    fn find_brace(&self, from: usize, limit: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let found = at + memchr2(b'{', b'}', self.bytes().get(at..limit)?)?;
            if self.braces != Braces::Unescaped || !is_escaped(self.bytes(), found) {
                return Some(found);
            }
            at = found + 1;
        }
    }

    fn find_quote_or_brace(&self, from: usize, limit: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let found = at + memchr3(b'{', b'}', b'"', self.bytes().get(at..limit)?)?;
            let quote = self.byte(found) == Some(b'"');
            if quote || self.braces != Braces::Unescaped || !is_escaped(self.bytes(), found) {
                return Some(found);
            }
            at = found + 1;
        }
    }

    fn find_brace_or(&self, from: usize, other: u8) -> Option<usize> {
        let bytes = self.bytes().get(from..self.limit)?;
        memchr3(b'{', b'}', other, bytes).map(|found| from + found)
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        (at < self.limit)
            .then(|| self.bytes().get(at).copied())
            .flatten()
    }

    fn next_char(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.chars().next().map_or(1, char::len_utf8)
    }

    fn fault(&mut self, kind: FaultKind, offset: usize) {
        self.faults.push(Fault { kind, offset });
    }
}

fn is_syntax(c: char) -> bool {
    matches!(c, '=' | ',' | '{' | '}' | '"' | '#' | '(' | ')' | '%')
}

fn trimmed_key(key: &str) -> &str {
    // A comment may stand behind the key's line.
    let key = key.split('%').next().unwrap_or_default();
    key.trim()
}

/// Whether an odd number of backslashes stands before the byte.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// The text of the line before an offset, looking back at most 200 bytes.
fn line_before(text: &str, offset: usize) -> &str {
    let bytes = text.as_bytes();
    let mut start = offset;
    while start > 0 && offset - start < 200 && !matches!(bytes[start - 1], b'\n' | b'\r') {
        start -= 1;
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..offset).unwrap_or_default()
}

/// A line that starts with `%` is a comment between entries, as biber has it; people comment
/// entries out so.
fn in_line_comment(text: &str, offset: usize) -> bool {
    line_before(text, offset).trim_start().starts_with('%')
}

fn line_end(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    memchr2(b'\n', b'\r', rest).map_or(text.len(), |found| from + found)
}

/// The next `@name{` that begins a line or stands right behind a closing bracket.
pub(super) fn next_start(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let found = at + memchr(b'@', bytes.get(at..)?)?;
        at = found + 1;
        let before = line_before(text, found).trim_end();
        let begins = before.is_empty() || before.ends_with(['}', ')']);
        if begins && Head::read(text, found).is_some_and(|head| head.body.is_some()) {
            return Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(block: &Block<'_>) -> String {
        let faults: Vec<&str> = block.faults.iter().map(|f| f.kind.code()).collect();
        let body = match &block.kind {
            BlockKind::Entry(entry) => {
                format!(
                    "{}:{} {}",
                    entry.kind,
                    entry.key,
                    show_fields(&entry.fields)
                )
            }
            BlockKind::Strings(fields) => format!("string {}", show_fields(fields)),
            BlockKind::Preamble => "preamble".into(),
            BlockKind::Comment => "comment".into(),
            BlockKind::Bodiless { name } => format!("bodiless {name}"),
        };
        format!("{body} {}", faults.join(" ")).trim().to_owned()
    }

    fn show_fields(fields: &[Field<'_>]) -> String {
        let one = |field: &Field<'_>| {
            let pieces: Vec<String> = field
                .value
                .iter()
                .map(|piece| match piece {
                    Piece::Braced(text) => format!("{{{text}}}"),
                    Piece::Quoted(text) => format!("\"{text}\""),
                    Piece::Bare(text) => (*text).to_owned(),
                })
                .collect();
            format!("[{}={}]", field.name, pieces.join("#"))
        };
        fields.iter().map(one).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown: Vec<String> = blocks(text).map(|block| show(&block)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn well_formed_entries() {
        check(
            "@book{a, title = {T {x} y}, year = 2000 }",
            &["book:a [title={T {x} y}][year=2000]"],
        );
        check(
            "@Article(b,\n author=\"A \"#b # {c},)",
            &["Article:b [author=\"A \"#b#{c}]"],
        );
        check(
            "@string{x = \"y\"} @preamble{\"z\"}",
            &["string [x=\"y\"]", "preamble"],
        );
        check("@misc{only} @misc{key,}", &["misc:only", "misc:key"]);
        check("write to me@example.org, or me @ home", &[]);
    }

    #[test]
    fn comments() {
        check(
            "% @book{a, title={x}}\n@book{b, % why\n year=1 % end\n}",
            &["book:b [year=1]"],
        );
        check(
            "@comment{ @book{a, title={x}} } @book{b}",
            &["comment", "book:b"],
        );
        check("@comment{ never closed {\n@book{b}", &["comment", "book:b"]);
        check("@book{a, title={50% x}}", &["book:a [title={50% x}]"]);
    }

    #[test]
    fn quotes_inside_quotes() {
        check(
            "@a{k, t = \"The \"best\" M\\\"uller\", y = 1}",
            &["a:k [t=\"The \"best\" M\\\"uller\"][y=1]"],
        );
    }

    #[test]
    fn broken_entries_end_where_the_next_begins() {
        check(
            "@a{x, title = {never closed,\n year = 1\n}\n@b{y, n = {2}}",
            &[
                "a:x [title={never closed}][year=1] unbalanced_braces",
                "b:y [n={2}]",
            ],
        );
        check(
            "@a{x, title = \"never closed,\n year = \"1\"\n}",
            &["a:x [title=\"never closed\"][year=\"1\"] unbalanced_braces"],
        );
        check(
            "@a{x, title = \"never closed,\n year = 1\n}\n@b{y}",
            &[
                "a:x [title=\"never closed\"][year=1] unbalanced_braces",
                "b:y",
            ],
        );
        check(
            "@a{x, n = 1\n\n@b{y}",
            &["a:x [n=1] unterminated_entry", "b:y"],
        );
        check(
            "@a{x, t = {cut",
            &["a:x [t={cut}] unterminated_entry unbalanced_braces"],
        );
        check("@article\n@b{y}", &["bodiless article missing_body", "b:y"]);
    }

    #[test]
    fn a_value_may_hold_what_looks_like_an_entry() {
        check(
            "@a{x, abstract = {see\n@article{z, n=1}\n}, n = 2}",
            &["a:x [abstract={see\n@article{z, n=1}\n}][n=2]"],
        );
    }

    #[test]
    fn missing_pieces_are_named() {
        check("@a{ t = 1}", &["a: [t=1] missing_key"]);
        check("@a{k\n t = 1}", &["a:k [t=1] missing_comma"]);
        check(
            "@a{k, t = {x}\n n = 1}",
            &["a:k [t={x}][n=1] missing_comma"],
        );
        check("@a{k, t, n = 1}", &["a:k [n=1] missing_value"]);
        check(
            "@a{k, t = {x} junk, n = 1}",
            &["a:k [t={x}][n=1] unexpected_text"],
        );
        check("@a{k, t = {a \\{ b}, n = 1}", &["a:k [t={a \\{ b}][n=1]"]);
    }

    #[test]
    fn deep_nesting_and_long_junk_are_harmless() {
        let deep = format!(
            "@a{{k, t = {}x{}}}",
            "{".repeat(200_000),
            "}".repeat(200_000)
        );
        assert_eq!(blocks(&deep).count(), 1);
        let starts = "@a{".repeat(50_000);
        assert!(blocks(&starts).count() > 0);
        let lines = "@a{k, t = {\n".repeat(50_000);
        assert_eq!(blocks(&lines).count(), 50_000);
    }
}
