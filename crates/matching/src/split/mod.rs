//! Splits a pasted list of references: numbered, lettered, bulleted, wrapped, one per line, under headings,
//! separated by blank lines, or run together. Text around the list is left out and reported.
//!
//! - `line` classifies single lines
//! - `mark` recognises numbers and bullets, and which of them form a sequence
//! - `block` splits lines without marks, `glued` separates several references in one
//! - `join` joins several lines

mod block;
mod glued;
mod join;
mod line;
mod mark;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use citation_model::budget::{Budget, Exceeded};

use super::reference::{MAX_TEXT_LENGTH, Reference, Role, cut};
use block::BlockLayout;
use line::Line;
use mark::{Mark, MarkForm, MarkedStart};

/// The result of splitting a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The references, in order.
    pub pieces: Vec<Piece>,
    /// Lines that are not references, in order: page headers and numbers, captions, sentences around the
    /// list. Headings of the list itself are not included. At most `MAX_LEFT_OUT` are listed.
    pub left_out: Vec<LeftOutLine>,
    /// The number of further lines left out.
    pub more_left_out: usize,
    /// Whether the text continues after `MAX_PIECES` references.
    pub is_cut_off: bool,
}

/// One reference of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The reference in one line, without its number or bullet; words hyphenated at the end of a line are
    /// rejoined.
    pub text: String,
    pub place: TextPosition,
}

/// A line that is not a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutLine {
    pub text: String,
    pub place: TextPosition,
    pub reason: Reason,
}

/// Why a line is not a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A page number or page header.
    Page,
    /// The heading of a part of the list or of the document.
    Caption,
    /// Surrounding text with neither names and a year nor an identifier.
    Around,
}

impl Reason {
    /// One sentence for the reader.
    pub fn sentence(self) -> &'static str {
        match self {
            Reason::Page => "This is the number or the head of a page.",
            Reason::Caption => "This is a heading.",
            Reason::Around => "This names neither authors and a year nor an identifier.",
        }
    }
}

/// A position in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextPosition {
    /// The line where it begins, from 1; lines end with a line feed, a carriage return or both, as in
    /// editors.
    pub line: usize,
    /// The character in that line where it begins, from 1.
    pub column: usize,
    /// Characters (Unicode scalar values) from the start of the text, from 0; the number or bullet is
    /// included.
    pub characters: Range<usize>,
}

/// The maximum number of references taken from one text.
pub const MAX_PIECES: usize = 10_000;

/// The maximum number of left-out lines reported for one text.
pub const MAX_LEFT_OUT: usize = 1_000;

/// What lists of references are made of, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "Doe, J. ",
    "Doe J, ",
    "DOE J: ",
    "and ",
    "et al. ",
    "van der ",
    "(2001). ",
    "2001;",
    "(ed.), ",
    "A title. ",
    "“",
    "”",
    "\"",
    "In: ",
    "J. ",
    "1(2), ",
    "3-4.",
    "pp. ",
    "vol. ",
    "doi:10.1000/",
    "https://",
    "arXiv:",
    "ISBN ",
    "[1] ",
    "1. ",
    "References\n",
    "\n",
    "\n\n",
    "\t",
    "- ",
    "(",
    "[",
    ")",
    ",",
    ".",
    ":",
    ";",
    "&",
    "—",
    "-\n",
    "9",
    "a ",
];

/// Splits a pasted text. Text without any sign of a list is one reference. Time and memory are linear in
/// the length of the text.
pub fn split(text: &str, budget: &Budget) -> Result<Split, Exceeded> {
    let lines = line::lines(text, budget)?;
    let kinds = kinds(&lines);
    let content: Vec<usize> = (0..lines.len())
        .filter(|n| matches!(kinds.get(*n), Some(LineKind::Text)))
        .collect();
    let blocks = blocks(&lines, &kinds);
    let mut reader = Reader {
        lines: &lines,
        kinds: &kinds,
        layout: BlockLayout {
            is_hanging: is_hanging(&lines, &content),
            filled_to: block::filled_to(&blocks),
            has_links_below: block::has_links_below(&blocks),
        },
        budget,
        entries: Vec::new(),
        left_out: Vec::new(),
    };
    match mark::starts(&lines, &content) {
        Some(starts) => reader.marked(&starts),
        None => reader.plain(0..lines.len(), Strictness::Keep),
    }
    reader.finish(text)
}

/// The role of a line in the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    Blank,
    /// Names the list.
    Heading,
    /// Begins another part of the document.
    Caption,
    /// A page number, or a header repeated on every page.
    Page,
    Text,
}

fn kinds(lines: &[Line<'_>]) -> Vec<LineKind> {
    let mut repeated: HashMap<&str, usize> = HashMap::new();
    for line in lines {
        if let Some(header) = header(line) {
            *repeated.entry(header).or_default() += 1;
        }
    }
    let is_repeated = |line: &Line| header(line).is_some_and(|h| repeated.get(h) > Some(&1));
    let above = |n: usize| n.checked_sub(1).and_then(|n| lines.get(n));
    let stands_alone = |n: usize| {
        let blank = |line: Option<&Line>| line.is_none_or(|line| line.is_blank() || line.is_page());
        blank(above(n)) || blank(lines.get(n + 1))
    };
    let mut kinds: Vec<LineKind> = lines
        .iter()
        .enumerate()
        .map(|(n, line)| match line {
            line if line.is_blank() => LineKind::Blank,
            line if line.is_heading() => LineKind::Heading,
            line if line.is_caption() => LineKind::Caption,
            line if line.is_page() && above(n).is_none_or(|a| a.is_blank() || a.is_ended()) => {
                LineKind::Page
            }
            line if is_repeated(line) && stands_alone(n) => LineKind::Page,
            _ => LineKind::Text,
        })
        .collect();
    // A text with nothing but such lines has no page margins.
    if !kinds.contains(&LineKind::Text) {
        for kind in &mut kinds {
            if *kind == LineKind::Page {
                *kind = LineKind::Text;
            }
        }
    }
    kinds
}

/// The part of a page header that is the same on every page, without the page number; `None` for a
/// line that ends like a sentence, has a mark, or may be a reference.
fn header<'a>(line: &Line<'a>) -> Option<&'a str> {
    const MIN_LENGTH: usize = 6;
    let number = |word: &str| word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
    let mut text = line.text.trim();
    if let Some((before, last)) = text.rsplit_once(char::is_whitespace)
        && number(last)
    {
        text = before.trim_end();
    }
    if let Some((first, behind)) = text.split_once(char::is_whitespace)
        && number(first)
    {
        text = behind.trim_start();
    }
    let plain = text.len() >= MIN_LENGTH
        && !text.ends_with(['.', ',', ';', ':', '-', ')'])
        && text.starts_with(|c: char| !c.is_lowercase())
        && !line.has_identifier()
        && mark::lone_mark(line.text).is_none_or(|mark| mark.form == MarkForm::Tabulated);
    let is_reference = line.has_year() && line.has_head();
    (plain && !is_reference).then_some(text)
}

/// Whether continuation lines are indented.
fn is_hanging(lines: &[Line<'_>], content: &[usize]) -> bool {
    let mut indents = content
        .iter()
        .filter_map(|n| Some(lines.get(*n)?.is_indented()));
    indents.next() == Some(false) && indents.any(|indented| indented)
}

/// The lines of text between other lines.
fn blocks<'l, 'a>(lines: &'l [Line<'a>], kinds: &[LineKind]) -> Vec<Vec<&'l Line<'a>>> {
    let lines: Vec<(&Line, &LineKind)> = lines.iter().zip(kinds).collect();
    let blocks = lines.split(|(_, kind)| **kind != LineKind::Text);
    let block = |lines: &[(&'l Line<'a>, _)]| lines.iter().map(|(line, _)| *line).collect();
    blocks
        .filter(|lines| !lines.is_empty())
        .map(block)
        .collect()
}

/// The conditions for accepting text as a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// None: accept any text of the list.
    Keep,
    /// Authors and a year, or an identifier, because the place is unusual for references.
    Strict,
}

/// The maximum number of lines checked for completeness of a reference.
const MAX_ENTRY_LENGTH: usize = 40;

/// Cached facts about the lines of an entry, so that they are not parsed again for each further line.
#[derive(Default)]
struct Seen {
    lines: usize,
    has_year: bool,
    has_identifier: bool,
    /// Whether it lacks both volume and pages; `None` if a line was added since the last parse.
    lacks_place: Option<bool>,
}

impl Seen {
    fn add(&mut self, line: &Line<'_>) {
        if self.lines < MAX_ENTRY_LENGTH {
            self.lines += 1;
            self.has_year |= line.has_year();
            self.has_identifier |= line.has_identifier();
            self.lacks_place = None;
        }
    }
}

/// The lines of one reference, or of several joined ones.
struct Entry {
    lines: Vec<usize>,
    /// The mark of its first line.
    mark: Option<Mark>,
}

struct Reader<'l, 'a> {
    lines: &'l [Line<'a>],
    kinds: &'l [LineKind],
    layout: BlockLayout,
    budget: &'l Budget,
    entries: Vec<Entry>,
    /// Line indexes.
    left_out: Vec<(usize, Reason)>,
}

impl Reader<'_, '_> {
    fn line(&self, n: usize) -> Option<&Line<'_>> {
        self.lines.get(n)
    }

    fn kind(&self, n: usize) -> LineKind {
        self.kinds.get(n).copied().unwrap_or(LineKind::Blank)
    }

    /// Reads a list with marked references. Text before the first and behind the last mark must
    /// clearly look like a reference to count as one.
    fn marked(&mut self, starts: &[MarkedStart]) {
        let first = starts.first().map_or(0, |start| start.line);
        self.plain(0..first, Strictness::Strict);
        for (n, start) in starts.iter().enumerate() {
            let next = starts.get(n + 1).map(|start| start.line);
            let end = next.unwrap_or(self.lines.len());
            let begins_again = starts
                .get(n + 1)
                .is_some_and(|next| next.mark.number == Some(1));
            let end = match self.line(end - 1) {
                Some(above) if begins_again && end - 1 > start.line && above.is_title() => end - 1,
                _ => end,
            };
            let behind = self.marked_entry(start, end, next.is_none());
            self.plain(behind..next.unwrap_or(end), Strictness::Strict);
        }
    }

    /// Reads one marked reference, which ends before `end`, and returns the line behind it.
    fn marked_entry(&mut self, start: &MarkedStart, end: usize, is_last: bool) -> usize {
        let mut entry = Entry {
            lines: vec![start.line],
            mark: Some(start.mark),
        };
        let mut seen = Seen::default();
        if let Some(line) = self.line(start.line) {
            seen.add(line);
        }
        let mut is_interrupted = false;
        let mut behind = end;
        for n in start.line + 1..end {
            match self.kind(n) {
                LineKind::Blank => is_interrupted = true,
                LineKind::Page => self.left_out.push((n, Reason::Page)),
                LineKind::Text
                    if !is_interrupted || self.goes_on(&entry, &mut seen, n, is_last) =>
                {
                    entry.lines.push(n);
                    is_interrupted = false;
                    if let Some(line) = self.line(n) {
                        seen.add(line);
                    }
                }
                LineKind::Heading | LineKind::Caption | LineKind::Text => {
                    behind = n;
                    break;
                }
            }
        }
        self.entries.push(entry);
        behind
    }

    /// Whether a line behind a blank one still belongs to a marked reference. Between two marks it does
    /// unless it looks like a reference; behind the last mark it must add what the reference lacks.
    fn goes_on(&self, entry: &Entry, seen: &mut Seen, n: usize, is_last: bool) -> bool {
        let Some(line) = self.line(n) else {
            return false;
        };
        let above = entry.lines.last().and_then(|n| self.line(*n));
        if above.is_some_and(|above| !above.is_ended()) || line.continues() {
            return true;
        }
        if line.bare_identifier().is_some() {
            return !seen.has_identifier;
        }
        let is_reference = line.has_head() && line.has_year();
        if !seen.has_year {
            return !is_reference && line.has_year();
        }
        if !is_last {
            return !is_reference;
        }
        let lacks_place = *seen.lacks_place.get_or_insert_with(|| {
            let whole = glued::read(&self.start_of(entry), self.budget);
            whole.is_some_and(|whole| whole.pages.is_none() && whole.volume.is_none())
        });
        if !lacks_place {
            return false;
        }
        glued::read(line.text, self.budget).is_some_and(|tail| {
            tail.names.is_empty() && (tail.pages.is_some() || tail.volume.is_some())
        })
    }

    /// Reads lines without marks.
    fn plain(&mut self, range: Range<usize>, strictness: Strictness) {
        let mut strictness = strictness;
        let mut block: Vec<usize> = Vec::new();
        let mut is_interrupted = false;
        let mut is_behind_page = false;
        for n in range {
            match self.kind(n) {
                LineKind::Blank => is_interrupted = true,
                LineKind::Page => {
                    self.left_out.push((n, Reason::Page));
                    is_behind_page = true;
                }
                LineKind::Heading | LineKind::Caption => {
                    self.block(&mut block, strictness);
                    if self.kind(n) == LineKind::Caption {
                        self.left_out.push((n, Reason::Caption));
                        strictness = Strictness::Strict;
                    }
                }
                LineKind::Text => {
                    let above = block.last().and_then(|n| self.line(*n));
                    let is_torn = is_behind_page
                        && above.is_some_and(|above| !above.is_ended())
                        && self.line(n).is_some_and(|line| line.continues());
                    if (is_interrupted || is_behind_page) && !is_torn {
                        self.block(&mut block, strictness);
                    }
                    block.push(n);
                    (is_interrupted, is_behind_page) = (false, false);
                }
            }
        }
        self.block(&mut block, strictness);
    }

    /// Splits the lines between two blank ones.
    fn block(&mut self, block: &mut Vec<usize>, strictness: Strictness) {
        let indexes = std::mem::take(block);
        let lines: Vec<&Line> = indexes.iter().filter_map(|n| self.lines.get(*n)).collect();
        for part in block::parts(&lines, self.layout) {
            let part_lines = indexes.get(part.lines).unwrap_or_default().to_vec();
            let entry = Entry {
                lines: part_lines,
                mark: None,
            };
            let is_reference = |entry: &Entry| {
                let raw = self.raw(entry).text;
                line::has_identifier(&raw) || (line::has_year(&raw) && line::has_names(&raw))
            };
            let reason = if part.is_caption {
                Some(Reason::Caption)
            } else {
                (strictness == Strictness::Strict && !is_reference(&entry))
                    .then_some(Reason::Around)
            };
            match reason {
                Some(reason) => {
                    let lines = entry.lines.into_iter().map(|line| (line, reason));
                    self.left_out.extend(lines);
                }
                None => self.entries.push(entry),
            }
        }
    }

    /// The first lines of an entry, as far as a reference is parsed.
    fn start_of(&self, entry: &Entry) -> String {
        let mut text = String::new();
        for n in entry.lines.iter().take(MAX_ENTRY_LENGTH) {
            let line = self.line(*n).map_or("", |line| line.text.trim());
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(cut(line, MAX_TEXT_LENGTH));
            if text.len() >= MAX_TEXT_LENGTH {
                break;
            }
        }
        text
    }

    fn raw(&self, entry: &Entry) -> Raw {
        let mut raw = Raw::default();
        for line in entry.lines.iter().filter_map(|n| self.line(*n)) {
            let text = line.text.trim_start();
            if !raw.text.is_empty() {
                raw.text.push('\n');
            }
            let start = raw.text.len();
            raw.text.push_str(text);
            raw.lines.push(RawLine {
                range: start..raw.text.len(),
                input: line.span.end - text.len(),
            });
        }
        raw
    }

    fn finish(mut self, text: &str) -> Result<Split, Exceeded> {
        self.entries
            .sort_by_key(|entry| entry.lines.first().copied());
        let mut found: Vec<RawPiece> = Vec::new();
        for entry in &self.entries {
            if found.len() > MAX_PIECES {
                break;
            }
            found.extend(self.references(entry)?);
        }
        let is_cut_off = found.len() > MAX_PIECES;
        found.truncate(MAX_PIECES);
        let around = surroundings(&found);
        let mut left_out: Vec<(Range<usize>, String, Reason)> = Vec::new();
        let mut kept: Vec<(Range<usize>, String)> = Vec::new();
        for (found, is_around) in found.into_iter().zip(around) {
            if is_around {
                left_out.push((found.span, found.text, Reason::Around))
            } else {
                kept.push((found.span, found.text))
            }
        }
        for (n, reason) in &self.left_out {
            let Some(line) = self.line(*n) else { continue };
            let indent = line.text.len() - line.text.trim_start().len();
            let span = line.span.start + indent..line.span.end;
            left_out.push((span, line.text.trim().to_owned(), *reason));
        }
        left_out.sort_by_key(|(span, ..)| span.start);
        let more_left_out = left_out.len().saturating_sub(MAX_LEFT_OUT);
        left_out.truncate(MAX_LEFT_OUT);
        let reasons: Vec<Reason> = left_out.iter().map(|(.., reason)| *reason).collect();
        let spans = left_out
            .into_iter()
            .map(|(span, text, _)| (span, text))
            .collect();
        let left_out = placed(text, spans).into_iter().zip(reasons);
        let left_out = left_out.map(|(Piece { text, place }, reason)| LeftOutLine {
            text,
            place,
            reason,
        });
        let mut pieces = placed(text, kept);
        repeat_authors(&mut pieces);
        self.budget.check()?;
        Ok(Split {
            pieces,
            left_out: left_out.collect(),
            more_left_out,
            is_cut_off,
        })
    }

    /// The references of an entry, each on one line.
    fn references(&self, entry: &Entry) -> Result<Vec<RawPiece>, Exceeded> {
        let lines = self.raw(entry);
        let raw = lines.text.as_str();
        self.budget.spend_bytes(2 * raw.len())?;
        let indented = entry.lines.first().and_then(|n| self.line(*n));
        let indent = indented.map_or(0, |line| line.text.len() - line.text.trim_start().len());
        let mark = match entry.mark {
            Some(mark) => Some(Mark {
                length: mark.length.saturating_sub(indent).min(raw.len()),
                ..mark
            }),
            None => mark::lone_mark(raw),
        };
        let is_latex = mark.is_some_and(|mark| mark.form == MarkForm::Bibitem);
        let cuts = glued::cuts(raw, mark, self.budget)?;
        let ends = cuts.iter().skip(1).copied().chain([raw.len()]);
        let found = cuts
            .iter()
            .zip(ends)
            .filter_map(|(&from, to)| {
                let part = raw.get(from..to)?;
                let body = part.get(glued::mark_length(part, mark)..)?;
                let body = match mark {
                    Some(_) => body.get(glued::letter_length(body)..)?,
                    None => body,
                };
                let joined = join::lines(body.split('\n'));
                let text = if is_latex {
                    join::plain_latex(&joined)
                } else {
                    joined
                };
                let span = lines.span(from..from + part.trim_end().len());
                text.chars().any(char::is_alphanumeric).then_some(RawPiece {
                    text,
                    span,
                    is_marked: entry.mark.is_some(),
                })
            })
            .collect();
        Ok(found)
    }
}

/// The unchanged lines of an entry, without surrounding white space.
#[derive(Default)]
struct Raw {
    text: String,
    lines: Vec<RawLine>,
}

struct RawLine {
    /// The byte range of the line in the raw text.
    range: Range<usize>,
    /// Its start in the input.
    input: usize,
}

impl Raw {
    /// The input bytes of a range of the raw text.
    fn span(&self, part: Range<usize>) -> Range<usize> {
        let first = self
            .lines
            .partition_point(|line| line.range.end <= part.start);
        let behind = self
            .lines
            .partition_point(|line| line.range.start < part.end);
        let last = behind.checked_sub(1).filter(|last| *last >= first);
        let lines = last.and_then(|last| Some((self.lines.get(first)?, self.lines.get(last)?)));
        lines.map_or_else(Range::default, |(first, last)| {
            let start = part.start.max(first.range.start) - first.range.start;
            let end = part.end.min(last.range.end) - last.range.start;
            first.input + start..last.input + end
        })
    }
}

/// A reference before its position is counted.
struct RawPiece {
    text: String,
    span: Range<usize>,
    is_marked: bool,
}

/// Which pieces are text around the list: those without mark, number, name or identifier, if most
/// others have one. A list of bare titles is still a list.
fn surroundings(found: &[RawPiece]) -> Vec<bool> {
    let says_nothing = |found: &RawPiece| {
        let has_digit = found.text.contains(|c: char| c.is_numeric());
        !has_digit && !line::has_identifier(&found.text) && !line::has_names(&found.text)
    };
    let mut silent: Vec<bool> = found
        .iter()
        .map(|found| !found.is_marked && says_nothing(found))
        .collect();
    let count = silent.iter().filter(|silent| **silent).count();
    if count * 2 > found.len() {
        silent.fill(false);
    }
    silent
}

/// Counts lines, columns and characters of each position.
fn placed(text: &str, spans: Vec<(Range<usize>, String)>) -> Vec<Piece> {
    let (mut starts, mut ends) = (Cursor::new(text), Cursor::new(text));
    spans
        .into_iter()
        .map(|(span, piece)| {
            starts.go_to(span.start);
            ends.go_to(span.end);
            Piece {
                text: piece,
                place: TextPosition {
                    line: starts.line,
                    column: starts.column,
                    characters: starts.character..ends.character,
                },
            }
        })
        .collect()
}

/// A position in a text that only moves forward.
struct Cursor<'a> {
    rest: &'a str,
    byte: usize,
    character: usize,
    line: usize,
    column: usize,
}

impl Cursor<'_> {
    fn new(text: &str) -> Cursor<'_> {
        Cursor {
            rest: text,
            byte: 0,
            character: 0,
            line: 1,
            column: 1,
        }
    }

    fn go_to(&mut self, byte: usize) {
        let mut characters = self.rest.chars();
        while self.byte < byte
            && let Some(c) = characters.next()
        {
            self.byte += c.len_utf8();
            self.character += 1;
            self.column += 1;
            if c == '\n' || (c == '\r' && !characters.as_str().starts_with('\n')) {
                (self.line, self.column) = (self.line + 1, 1);
            }
        }
        self.rest = characters.as_str();
    }
}

/// Replaces a dash for repeated authors with the authors of the previous reference: `———. 1990.`
fn repeat_authors(pieces: &mut [Piece]) {
    for n in 1..pieces.len() {
        let (before, rest) = pieces.split_at_mut(n);
        let (Some(before), Some(piece)) = (before.last(), rest.first_mut()) else {
            continue;
        };
        if let Some(behind) = line::after_dashes(&piece.text)
            && let Some(authors) = head(&before.text)
        {
            piece.text = format!("{authors}{behind}");
        }
    }
}

/// The authors at the start of a reference, as written.
fn head(text: &str) -> Option<&str> {
    let reference = Reference::parse(cut(text, line::HEAD));
    let roles = &reference.roles;
    let names = roles.iter().take_while(|role| **role == Role::Name).count();
    let end = reference.token(names.checked_sub(1)?)?.span.end;
    text.get(..end)
}
