//! Finds the start and end of each block of a text.

use memchr::memchr;

use super::parser::{Braces, Parser};
use super::scan::{in_line_comment, line_before, line_end, skip_space};
use super::{Block, BlockKind, Fault, FaultKind};

/// The blocks of a text, in order. Takes time linear in the length of the text.
pub fn blocks(text: &str) -> Blocks<'_> {
    Blocks {
        text,
        at: 0,
        start_ahead: None,
        tries: MAX_TRIES.saturating_mul(text.len()),
    }
}

/// See [`blocks`].
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    text: &'a str,
    at: usize,
    /// The last answer of [`next_start`], valid while it lies ahead.
    start_ahead: Option<usize>,
    /// Bytes that may still be spent on rereading broken blocks.
    tries: usize,
}

/// How often, on average, each byte of a text may be reread to recover broken blocks. Beyond that, a broken
/// block is cut at its fields without further attempts, and comments and preambles are no longer skipped.
const MAX_TRIES: usize = 32;

/// Maximum number of lines inside an entry that look like the start of another one; see [`Blocks::block`].
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
    /// Reads the block whose `@` is at `offset`. If an entry is not closed before the next line that looks
    /// like an entry, that line may be part of a value. This is assumed only if the whole then parses
    /// without a fault; otherwise the entry is broken and ends there.
    fn block(&mut self, head: &Head<'a>, offset: usize) -> Option<(Block<'a>, usize)> {
        let Some(body) = head.body else {
            return bodiless(self.text, head, offset);
        };
        let (parser, kind) = self.read(head, body);
        let mut faults = parser.faults;
        if !parser.closed && !matches!(kind, BlockKind::Comment) {
            faults.push(Fault {
                kind: FaultKind::UnclosedEntry,
                offset,
            });
        }
        if !is_type_name(head.name) {
            faults.push(Fault {
                kind: FaultKind::OddType,
                offset,
            });
        }
        faults.sort_by_key(|fault| fault.offset);
        let block = Block {
            kind,
            offset,
            faults,
            more_faults: parser.more_faults,
        };
        Some((block, parser.at))
    }

    /// Reads a block in the first way that parses it whole: up to the next entry, over some lines that look
    /// like entries, or with escaped braces. Otherwise cuts it at its fields. An entry behind whose end its
    /// fields go on was closed by an escaped brace.
    fn read(&mut self, head: &Head<'a>, body: usize) -> (Parser<'a>, BlockKind<'a>) {
        let limit = self.limit(body);
        let text = self.text;
        let parse = |limit, braces| {
            let mut parser = Parser::new(text, body..limit, head.close, braces);
            let kind = parser.block(head.name);
            (parser, kind)
        };
        if self.tries == 0 {
            let near = if Parser::is_skipped(head.name) {
                body
            } else {
                limit
            };
            return parse(near, Braces::UpToNextField);
        }
        let whole = parse(limit, Braces::All);
        if whole.0.closed {
            if !goes_on(text, whole.0.at) {
                return whole;
            }
            self.tries = self.tries.saturating_sub(limit - body + 1);
            let unescaped = parse(limit, Braces::Unescaped);
            let is_better = unescaped.0.closed && !goes_on(text, unescaped.0.at);
            return if is_better { unescaped } else { whole };
        }
        let mut far = limit;
        if limit < text.len() {
            far = self.far_limit(limit);
            let wider = parse(far, Braces::All);
            if wider.0.closed && wider.0.faults.is_empty() {
                return wider;
            }
        }
        self.tries = self.tries.saturating_sub(far - body + 1);
        let unescaped = parse(limit, Braces::Unescaped);
        if unescaped.0.closed {
            unescaped
        } else {
            parse(limit, Braces::UpToNextField)
        }
    }

    /// The start of the next entry, or the end of the text.
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

/// `@name` with the opening bracket of its body, if any.
struct Head<'a> {
    name: &'a str,
    /// Byte offset after the opening bracket.
    body: Option<usize>,
    close: u8,
}

impl<'a> Head<'a> {
    fn read(text: &'a str, at: usize) -> Option<Head<'a>> {
        let bytes = text.as_bytes();
        let start = skip_space(bytes, at + 1);
        let rest = bytes.get(start..)?;
        let length = rest.iter().take_while(|b| is_name_byte(**b)).count();
        let name = text
            .get(start..start + length)
            .filter(|name| is_type_name(name));
        let open = skip_space(bytes, start + length);
        let (body, close) = match bytes.get(open) {
            Some(b'{') => (Some(open + 1), b'}'),
            Some(b'(') => (Some(open + 1), b')'),
            _ => (None, b'}'),
        };
        match (name, body) {
            (Some(name), Some(_)) => Some(Head { name, body, close }),
            _ => Head::odd(text, at).or(name.map(|name| Head { name, body, close })),
        }
    }

    /// `@{`, `@123{`, `@two words(`: not a valid type, but still a head at a place where an entry may
    /// begin.
    fn odd(text: &'a str, at: usize) -> Option<Head<'a>> {
        let rest = text.get(at + 1..)?;
        let (length, open) = rest.char_indices().take(MAX_ODD_NAME).find(|(_, c)| {
            matches!(
                c,
                '{' | '(' | '}' | ')' | ',' | '=' | '"' | '@' | '%' | '\\' | '\n' | '\r'
            )
        })?;
        let close = match open {
            '{' => b'}',
            '(' => b')',
            _ => return None,
        };
        begins_entry(text, at).then_some(Head {
            name: rest.get(..length)?.trim(),
            body: Some(at + 1 + length + 1),
            close,
        })
    }
}

/// Maximum number of characters before the bracket of an invalid head.
const MAX_ODD_NAME: usize = 40;

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+')
}

fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(is_name_byte)
}

/// Whether an `@` begins a line or directly follows a closing bracket.
fn begins_entry(text: &str, at: usize) -> bool {
    let before = line_before(text, at).trim_end();
    before.is_empty() || before.ends_with(['}', ')'])
}

/// An `@` in running text (an e-mail address) means nothing; with a known type alone at the start of a line
/// it is an entry that lost its body.
fn bodiless<'a>(text: &'a str, head: &Head<'a>, offset: usize) -> Option<(Block<'a>, usize)> {
    let known = citation_model::item_type::ItemType::parse(head.name).is_some();
    if !known || !line_before(text, offset).trim().is_empty() {
        return None;
    }
    let block = Block {
        kind: BlockKind::Bodiless { name: head.name },
        offset,
        faults: vec![Fault {
            kind: FaultKind::MissingBody,
            offset,
        }],
        more_faults: 0,
    };
    Some((block, offset + 1))
}

/// Whether another field follows the end of an entry: `, year = `.
fn goes_on(text: &str, end: usize) -> bool {
    let bytes = text.as_bytes();
    let comma = skip_space(bytes, end);
    if bytes.get(comma) != Some(&b',') {
        return false;
    }
    let name = skip_space(bytes, comma + 1);
    let behind = bytes.get(name..).unwrap_or_default();
    let length = behind
        .iter()
        .take_while(|byte| is_name_byte(**byte))
        .count();
    length > 0 && bytes.get(skip_space(bytes, name + length)) == Some(&b'=')
}

/// The next `@name{` that begins a line or directly follows a closing bracket.
fn next_start(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let found = at + memchr(b'@', bytes.get(at..)?)?;
        at = found + 1;
        if begins_entry(text, found)
            && Head::read(text, found).is_some_and(|head| head.body.is_some())
        {
            return Some(found);
        }
    }
}
