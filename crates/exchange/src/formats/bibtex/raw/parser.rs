//! Reads one block field by field and records its faults.

use std::cmp::Ordering;
use std::ops::Range;

use memchr::{memchr2, memchr3};

use super::scan::{is_escaped, line_before, line_end, skip_space};
use super::{
    BlockKind, Entry, Fault, FaultKind, Field, MAX_FAULTS, MAX_FIELDS, MAX_PIECES, MAX_STRINGS,
    Piece,
};

/// Which braces count when searching for the end of a value.
#[derive(Clone, Copy, PartialEq)]
pub enum Braces {
    /// All, as in BibTeX.
    All,
    /// All but `\{` and `\}`.
    Unescaped,
    /// All, but a value ends before a line that looks like the next field.
    UpToNextField,
}

/// Reads one block, starting after its opening bracket.
pub struct Parser<'a> {
    text: &'a str,
    /// The next byte to read.
    pub at: usize,
    /// End of the readable bytes.
    limit: usize,
    close: u8,
    braces: Braces,
    /// The last answer of [`Parser::field_line_limit`], valid while it lies ahead.
    field_line: Option<usize>,
    pub faults: Vec<Fault>,
    /// Number of faults not kept.
    pub more_faults: usize,
    /// Whether the last value read is closed.
    value_closed: bool,
    /// Whether the closing bracket was found.
    pub closed: bool,
}

impl<'a> Parser<'a> {
    /// A parser of the bytes in `span`, for a block that ends with `close`.
    pub fn new(text: &'a str, span: Range<usize>, close: u8, braces: Braces) -> Parser<'a> {
        Parser {
            text,
            at: span.start,
            limit: span.end,
            close,
            braces,
            field_line: None,
            faults: Vec::new(),
            more_faults: 0,
            value_closed: true,
            closed: false,
        }
    }

    /// Whether the body of a block with this name is skipped.
    pub fn is_skipped(name: &str) -> bool {
        name.eq_ignore_ascii_case("comment") || name.eq_ignore_ascii_case("preamble")
    }

    pub fn block(&mut self, name: &'a str) -> BlockKind<'a> {
        if name.eq_ignore_ascii_case("comment") {
            self.skip_body();
            BlockKind::Comment
        } else if name.eq_ignore_ascii_case("preamble") {
            self.skip_body();
            BlockKind::Preamble
        } else if name.eq_ignore_ascii_case("string") {
            BlockKind::Strings(self.fields(MAX_STRINGS))
        } else {
            let key = self.key();
            let fields = self.fields(MAX_FIELDS + 1);
            BlockKind::Entry(Entry {
                kind: name,
                key,
                fields,
            })
        }
    }

    /// Skips to the closing bracket; stays at the start if there is none.
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

    /// The key, up to its comma. A body that starts with a field has no key.
    fn key(&mut self) -> &'a str {
        self.skip_blank();
        let start = self.at;
        let stops = |byte: &u8| matches!(byte, b',' | b'=' | b'{' | b'}' | b'"' | b'#');
        let rest = self.bytes().get(start..self.limit).unwrap_or_default();
        let mut length = rest
            .iter()
            .position(|byte| stops(byte) || *byte == self.close)
            .unwrap_or(rest.len());
        // Keys such as `Smith(2000)` are valid inside braces.
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
            // A truncated file or an invalid key: the first line is the best guess.
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

    /// Reads all fields and returns the first `most`.
    fn fields(&mut self, most: usize) -> Vec<Field<'a>> {
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
                    let field = self.field();
                    fields.extend(field.filter(|_| fields.len() < most));
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

    /// The name of a field: any characters except syntax and blanks.
    fn name(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.at..self.limit)?;
        let length = rest.find(|c: char| c.is_whitespace() || is_syntax(c))?;
        let name = rest.get(..length).filter(|name| !name.is_empty())?;
        self.at += length;
        Some(name)
    }

    fn value(&mut self, field: usize) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        self.value_closed = true;
        loop {
            self.skip_blank();
            let piece = match self.byte(self.at) {
                Some(b'{') => self.braced(field),
                Some(b'"') => self.quoted(field),
                _ => match self.bare() {
                    Some(piece) => piece,
                    None => return pieces,
                },
            };
            match pieces.len().cmp(&MAX_PIECES) {
                Ordering::Less => pieces.push(piece),
                _ if self.has_fault_at(FaultKind::TooManyPieces, field) => {}
                _ => self.fault(FaultKind::TooManyPieces, field),
            }
            let after = self.at;
            self.skip_blank();
            if self.byte(self.at) != Some(b'#') {
                // The caller handles blanks after the value.
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

    /// A quoted value ends at a quote outside braces. A quote followed by text that cannot follow a value
    /// is part of the text.
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
                    // A quote that opens the next field's value: this value lost its own.
                    if let Some(line) = self.field_line_before(found, start) {
                        return Piece::Quoted(self.unclosed(start, line, field));
                    }
                }
                _ => {}
            }
        }
        Piece::Quoted(self.unclosed(start, limit, field))
    }

    /// The start of the line, after `start`, on which a field name and an equals sign directly precede
    /// `at`.
    fn field_line_before(&self, at: usize, start: usize) -> Option<usize> {
        // Most quotes follow something else, so most lines need no scan.
        let near = self.text.get(..at)?.trim_end_matches([' ', '\t']);
        if !near.ends_with('=') {
            return None;
        }
        let before = line_before(self.text, at);
        let line = at - before.len();
        let name = before.trim_end().strip_suffix('=')?.trim();
        let is_name =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        (is_name && line > start).then_some(line)
    }

    /// Whether the text at `at` may follow a value: a separator, the end, or the next field.
    fn ends_value(&self, at: usize) -> bool {
        let bytes = self.bytes();
        let next = skip_space(bytes, at);
        match bytes.get(next) {
            None | Some(b',' | b'}' | b')' | b'#' | b'%' | b'@') => true,
            Some(_) => next > at && self.is_field_start(next),
        }
    }

    /// The likely content of an unclosed value: its first line, or all up to the next field.
    fn unclosed(&mut self, start: usize, end: usize, field: usize) -> &'a str {
        self.fault(FaultKind::UnclosedValue, field);
        self.value_closed = false;
        self.at = end;
        let text = self.text.get(start..end).unwrap_or_default();
        text.trim_end().trim_end_matches([',', '"', '}']).trim_end()
    }

    /// In a broken entry, the start of the next line that looks like a field, or the limit.
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
            at = line.min(self.limit);
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

    /// A comma or the end follows a value; a missing comma before the next field is tolerated.
    fn after_value(&mut self) {
        self.skip_blank();
        match self.byte(self.at) {
            None | Some(b',') => {}
            Some(byte) if byte == self.close => {}
            Some(_) if self.is_field_start(self.at) => {
                if self.value_closed {
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

    /// Advances to the next place that can be a field or the end of the entry.
    fn resync(&mut self) {
        let mut fresh = false;
        let mut depth = 0_usize;
        while let Some(byte) = self.byte(self.at) {
            match byte {
                b'{' => depth += 1,
                b'}' if depth > 0 => depth -= 1,
                b'}' | b')' if byte == self.close && depth == 0 => return,
                b',' if depth == 0 => return,
                _ if fresh && self.is_field_start(self.at) => return,
                _ => {}
            }
            // Blanks may stand between the comma or the line break and the field.
            fresh = matches!(byte, b',' | b'\n' | b'\r') || fresh && byte.is_ascii_whitespace();
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
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault { kind, offset });
        } else {
            self.more_faults += 1;
        }
    }

    fn has_fault_at(&self, kind: FaultKind, offset: usize) -> bool {
        self.faults.len() == MAX_FAULTS || self.faults.contains(&Fault { kind, offset })
    }
}

fn is_syntax(c: char) -> bool {
    matches!(c, '=' | ',' | '{' | '}' | '"' | '#' | '(' | ')' | '%')
}

fn trimmed_key(key: &str) -> &str {
    // A comment may follow the key.
    let key = key.split('%').next().unwrap_or_default();
    key.trim()
}
