//! A list of references as people paste it, taken apart: numbered, lettered, bulleted, wrapped, one a
//! line, under headings, parted by blank lines, or glued together. What stands around the list is
//! left out, and listed as left out.
//!
//! - `line` says what each line shows by itself
//! - `mark` reads numbers and bullets, and which of them run on
//! - `block` parts lines without marks, `glued` several references in one
//! - `join` makes one line of several

mod block;
mod glued;
mod join;
mod line;
mod mark;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use super::reference::{Reference, Role, cut};
use glued::Patience;
use line::Line;
use mark::{Form, Mark, Start};

/// A text taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The references, in order.
    pub pieces: Vec<Piece>,
    /// Lines that are taken for something else, in order: page headers and numbers, captions,
    /// sentences around the list. Headings that name the list are not among them.
    pub left_out: Vec<Piece>,
}

/// One reference of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The reference in one line, without its number or bullet; a word broken by a hyphen at the
    /// end of a line is put together.
    pub text: String,
    pub place: Place,
}

/// Where something stands in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line on which it begins, from 1; lines end as editors see it, with a line feed, a carriage
    /// return or both.
    pub line: usize,
    /// The character of that line at which it begins, from 1.
    pub column: usize,
    /// In characters (Unicode scalar values) from the start of the text, from 0; its number or bullet
    /// is part of it.
    pub characters: Range<usize>,
}

/// How many references are taken from one text.
pub const MOST_PIECES: usize = 10_000;

/// Takes a pasted text apart. Text without any sign of a list is one reference.
pub fn split(text: &str) -> Split {
    let lines = line::lines(text);
    let kinds = kinds(&lines);
    let content: Vec<usize> = (0..lines.len())
        .filter(|n| matches!(kinds.get(*n), Some(LineKind::Text)))
        .collect();
    let mut reader = Reader {
        lines: &lines,
        kinds: &kinds,
        is_hanging: is_hanging(&lines, &content),
        entries: Vec::new(),
        left_out: Vec::new(),
    };
    match mark::starts(&lines, &content) {
        Some(starts) => reader.marked(&starts),
        None => reader.plain(0..lines.len(), Strictness::Keep),
    }
    reader.finish(text)
}

/// What a line is in the whole of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    Blank,
    /// Names the list.
    Heading,
    /// Begins another part of the document.
    Caption,
    /// A page's number, or what stands at the head of every page.
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
    // A text of nothing but such lines is no page's margin.
    if !kinds.contains(&LineKind::Text) {
        for kind in &mut kinds {
            if *kind == LineKind::Page {
                *kind = LineKind::Text;
            }
        }
    }
    kinds
}

/// What is the same at the head of every page, without the page's number; nothing for a line that
/// ends like a sentence, is marked, or may be a reference by itself.
fn header<'a>(line: &Line<'a>) -> Option<&'a str> {
    const SHORTEST: usize = 6;
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
    let plain = text.len() >= SHORTEST
        && !text.ends_with(['.', ',', ';', ':', '-', ')'])
        && text.starts_with(|c: char| !c.is_lowercase())
        && !line.has_identifier()
        && mark::lone_mark(line.text).is_none_or(|mark| mark.form == Form::Tabulated);
    let is_reference = line.has_year() && line.has_head();
    (plain && !is_reference).then_some(text)
}

/// Whether lines that go on are indented.
fn is_hanging(lines: &[Line<'_>], content: &[usize]) -> bool {
    let mut indents = content
        .iter()
        .filter_map(|n| Some(lines.get(*n)?.is_indented()));
    indents.next() == Some(false) && indents.any(|indented| indented)
}

/// What is asked of text for it to be a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// Nothing: whatever the list is made of.
    Keep,
    /// Authors and a year, or an identifier: it stands where references are not expected.
    Strict,
}

/// Lines of a reference that are looked at to tell whether it is whole.
const LONGEST_ENTRY: usize = 40;

/// Lines that make up one reference, or several that are glued together.
struct Entry {
    lines: Vec<usize>,
    /// The mark of its first line.
    mark: Option<Mark>,
}

struct Reader<'l, 'a> {
    lines: &'l [Line<'a>],
    kinds: &'l [LineKind],
    is_hanging: bool,
    entries: Vec<Entry>,
    /// Indexes of lines.
    left_out: Vec<usize>,
}

impl Reader<'_, '_> {
    fn line(&self, n: usize) -> Option<&Line<'_>> {
        self.lines.get(n)
    }

    fn kind(&self, n: usize) -> LineKind {
        self.kinds.get(n).copied().unwrap_or(LineKind::Blank)
    }

    /// Reads a list whose references are marked. What stands before the first mark, and behind the
    /// last, is a reference only where it plainly looks like one.
    fn marked(&mut self, starts: &[Start]) {
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
    fn marked_entry(&mut self, start: &Start, end: usize, is_last: bool) -> usize {
        let mut entry = Entry {
            lines: vec![start.line],
            mark: Some(start.mark),
        };
        let mut is_interrupted = false;
        let mut behind = end;
        for n in start.line + 1..end {
            match self.kind(n) {
                LineKind::Blank => is_interrupted = true,
                LineKind::Page => self.left_out.push(n),
                LineKind::Text if !is_interrupted || self.goes_on(&entry, n, is_last) => {
                    entry.lines.push(n);
                    is_interrupted = false;
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

    /// Whether a line behind a blank one is still part of a marked reference. Between two marks it is,
    /// unless it looks like a reference itself; behind the last mark only what the reference lacks is.
    fn goes_on(&self, entry: &Entry, n: usize, is_last: bool) -> bool {
        let Some(line) = self.line(n) else {
            return false;
        };
        let above = entry.lines.last().and_then(|n| self.line(*n));
        if above.is_some_and(|above| !above.is_ended()) || line.continues() {
            return true;
        }
        let text = self.raw(entry.lines.iter().take(LONGEST_ENTRY));
        if line.bare_identifier().is_some() {
            return !line::has_identifier(&text);
        }
        let is_reference = line.has_head() && line.has_year();
        if !line::has_year(&text) {
            return !is_reference && line.has_year();
        }
        if !is_last {
            return !is_reference;
        }
        let tail = Reference::parse(line.text);
        let whole = Reference::parse(&text);
        let lacks_place = whole.pages.is_none() && whole.volume.is_none();
        lacks_place && tail.names.is_empty() && (tail.pages.is_some() || tail.volume.is_some())
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
                    self.left_out.push(n);
                    is_behind_page = true;
                }
                LineKind::Heading | LineKind::Caption => {
                    self.block(&mut block, strictness);
                    if self.kind(n) == LineKind::Caption {
                        self.left_out.push(n);
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

    /// Takes the lines between two blank ones apart.
    fn block(&mut self, block: &mut Vec<usize>, strictness: Strictness) {
        let indexes = std::mem::take(block);
        let lines: Vec<&Line> = indexes.iter().filter_map(|n| self.lines.get(*n)).collect();
        for part in block::parts(&lines, self.is_hanging) {
            let part_lines = indexes.get(part.lines).unwrap_or_default().to_vec();
            let entry = Entry {
                lines: part_lines,
                mark: None,
            };
            let is_reference = |entry: &Entry| {
                let raw = self.raw(entry.lines.iter());
                line::has_identifier(&raw) || (line::has_year(&raw) && line::has_names(&raw))
            };
            if part.is_caption || (strictness == Strictness::Strict && !is_reference(&entry)) {
                self.left_out.extend(entry.lines);
            } else {
                self.entries.push(entry);
            }
        }
    }

    /// The lines of an entry as they stand, without white space around them.
    fn raw<'n>(&self, lines: impl Iterator<Item = &'n usize>) -> String {
        let lines: Vec<&str> = lines
            .filter_map(|n| Some(self.line(*n)?.text.trim()))
            .collect();
        lines.join("\n")
    }

    /// The bytes of the input that a part of an entry's raw text takes up.
    fn span(&self, entry: &Entry, part: Range<usize>) -> Range<usize> {
        let mut raw_start = 0;
        let mut span: Option<Range<usize>> = None;
        for line in entry.lines.iter().filter_map(|n| self.line(*n)) {
            let length = line.text.trim().len();
            let indent = line.text.len() - line.text.trim_start().len();
            let start = part.start.max(raw_start);
            let end = part.end.min(raw_start + length);
            if start < end {
                let input = line.span.start + indent;
                let piece = input + start - raw_start..input + end - raw_start;
                span = Some(span.map_or(piece.start, |span| span.start)..piece.end);
            }
            raw_start += length + 1;
        }
        span.unwrap_or_default()
    }

    fn finish(mut self, text: &str) -> Split {
        self.entries
            .sort_by_key(|entry| entry.lines.first().copied());
        let patience = Patience::for_text(text.len());
        let mut found: Vec<Found> = Vec::new();
        for entry in &self.entries {
            if found.len() >= MOST_PIECES {
                break;
            }
            found.extend(self.references(entry, &patience));
        }
        found.truncate(MOST_PIECES);
        let around = around(&found);
        let mut spans: Vec<(Range<usize>, String)> = Vec::new();
        for (n, found) in found.iter().enumerate() {
            if around.contains(&n) {
                spans.push((found.span.clone(), found.text.clone()));
            }
        }
        for line in self.left_out.iter().filter_map(|n| self.line(*n)) {
            let indent = line.text.len() - line.text.trim_start().len();
            let span = line.span.start + indent..line.span.end;
            spans.push((span, line.text.trim().to_owned()));
        }
        spans.sort_by_key(|(span, _)| span.start);
        let kept = found
            .into_iter()
            .enumerate()
            .filter(|(n, _)| !around.contains(n));
        let kept = kept.map(|(_, found)| (found.span, found.text)).collect();
        let mut pieces = placed(text, kept);
        repeat_authors(&mut pieces);
        Split {
            pieces,
            left_out: placed(text, spans),
        }
    }

    /// The references of an entry, each in one line.
    fn references(&self, entry: &Entry, patience: &Patience) -> Vec<Found> {
        let raw = self.raw(entry.lines.iter());
        let indented = entry.lines.first().and_then(|n| self.line(*n));
        let indent = indented.map_or(0, |line| line.text.len() - line.text.trim_start().len());
        let mark = match entry.mark {
            Some(mark) => Some(Mark {
                length: mark.length.saturating_sub(indent).min(raw.len()),
                ..mark
            }),
            None => mark::lone_mark(&raw),
        };
        let is_latex = mark.is_some_and(|mark| mark.form == Form::Bibitem);
        let cuts = glued::cuts(&raw, mark, patience);
        let ends = cuts.iter().skip(1).copied().chain([raw.len()]);
        cuts.iter()
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
                let span = self.span(entry, from..from + part.trim_end().len());
                text.chars().any(char::is_alphanumeric).then_some(Found {
                    text,
                    span,
                    is_marked: entry.mark.is_some(),
                })
            })
            .collect()
    }
}

/// A reference before its place is counted out.
struct Found {
    text: String,
    span: Range<usize>,
    is_marked: bool,
}

/// Which of the pieces are text around the list: those without a mark that have neither a number nor
/// a name nor an identifier, where most others do. A list of bare titles is a list.
fn around(found: &[Found]) -> Vec<usize> {
    let says_nothing = |found: &Found| {
        let has_digit = found.text.contains(|c: char| c.is_numeric());
        !has_digit && !line::has_identifier(&found.text) && !line::has_names(&found.text)
    };
    let silent: Vec<usize> = (0..found.len())
        .filter(|n| {
            found
                .get(*n)
                .is_some_and(|found| !found.is_marked && says_nothing(found))
        })
        .collect();
    if silent.len() * 2 <= found.len() {
        silent
    } else {
        Vec::new()
    }
}

/// Counts lines, columns and characters out.
fn placed(text: &str, spans: Vec<(Range<usize>, String)>) -> Vec<Piece> {
    let (mut starts, mut ends) = (Walk::new(text), Walk::new(text));
    spans
        .into_iter()
        .map(|(span, piece)| {
            starts.go_to(span.start);
            ends.go_to(span.end);
            Piece {
                text: piece,
                place: Place {
                    line: starts.line,
                    column: starts.column,
                    characters: starts.character..ends.character,
                },
            }
        })
        .collect()
}

/// A walk through a text, as far as a byte, never back.
struct Walk<'a> {
    rest: &'a str,
    byte: usize,
    character: usize,
    line: usize,
    column: usize,
}

impl Walk<'_> {
    fn new(text: &str) -> Walk<'_> {
        Walk {
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

/// Writes the authors out where a dash stands for those of the reference before: `———. 1990.`
fn repeat_authors(pieces: &mut [Piece]) {
    for n in 1..pieces.len() {
        let (before, rest) = pieces.split_at_mut(n);
        let (Some(before), Some(piece)) = (before.last(), rest.first_mut()) else {
            continue;
        };
        if let Some(behind) = line::behind_dashes(&piece.text)
            && let Some(authors) = head(&before.text)
        {
            piece.text = format!("{authors}{behind}");
        }
    }
}

/// The authors at the start of a reference, as they are written.
fn head(text: &str) -> Option<&str> {
    let reference = Reference::parse(cut(text, line::HEAD));
    let names = reference
        .roles
        .iter()
        .take_while(|role| **role == Role::Name)
        .count();
    let end = reference.token(names.checked_sub(1)?)?.span.end;
    text.get(..end)
}
