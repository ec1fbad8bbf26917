//! Markdown of pandoc, Quarto and R Markdown: citations by key, bibliographies in the front matter, and
//! typed lists.

use citation_model::budget::Budget;
use citation_model::cite::CiteMode;
use citation_model::item::Item;
use serde_json::Value;

use crate::Companions;
use crate::document::{Block, BlockKind, Citation, Cited, Document, Place};
use crate::error::DocumentError;
use crate::keyed::Keyed;
use crate::{keyed, library, list, locator, yaml};

/// Key prefixes of cross-references in Quarto and pandoc-crossref.
const CROSS_REFERENCES: [&str; 30] = [
    "fig", "tbl", "tab", "sec", "eq", "lst", "thm", "lem", "cor", "prp", "cnj", "def", "exm",
    "exr", "sol", "rem", "alg", "nte", "tip", "wrn", "imp", "cau", "apx", "vid", "dia", "supp",
    "suppfig", "supptbl", "eqn", "ref",
];

pub(crate) fn read(
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    budget.spend(text.len() as u64)?;
    let (front, body) = front_matter(&text);
    let mut keyed = Keyed::default();
    let metadata = match yaml::parse("the front matter", front, budget) {
        Ok(metadata) => metadata,
        Err(DocumentError::Exceeded(cause)) => return Err(cause.into()),
        Err(_) => {
            let unread = ("front matter".to_owned(), Place::line(1));
            keyed.missing.push(unread);
            Value::Null
        }
    };
    read_metadata(&metadata, companions, &mut keyed, budget)?;
    if keyed.library.is_empty()
        && let Some(project) = companions("_quarto.yml")
    {
        let (project, _) = citation_exchange::decode(&project);
        let metadata = yaml::parse("_quarto.yml", &project, budget)?;
        read_metadata(&metadata, companions, &mut keyed, budget)?;
    }
    let masked = masked(body);
    let above_bytes = text.len().saturating_sub(body.len());
    let first_line = text.get(..above_bytes);
    let above = first_line.map_or(0, |front| front.matches('\n').count());
    let citations = Scanner::new(&masked, above, budget).run()?;
    let library = &keyed.library;
    keyed.citations = citations
        .into_iter()
        .filter_map(|mut found| {
            let is_bare = found.is_bare;
            if let Some(span) = &mut found.citation.span {
                *span = span.start + above_bytes..span.end + above_bytes;
            }
            found.citation.items.retain(|cited| {
                let key = cited.cite.id.as_str();
                library.position(key).is_some()
                    || !(is_cross_reference(key)
                        || is_bare && library.is_empty() && !key.contains(':'))
            });
            (!found.citation.items.is_empty()).then_some(found.citation)
        })
        .collect();
    let mut document = Document {
        metadata,
        ..keyed.document()
    };
    if document.references.is_empty() {
        let blocks = blocks(&masked, above);
        document.references = list::find(&blocks, budget)?;
        document.marks_citations = !document.citations.is_empty();
        if !document.references.is_empty() && document.citations.is_empty() {
            document.blocks = blocks;
        }
    }
    Ok(document)
}

/// The citations in a text without markup: `[@doi:10.1000/x, p. 3; @doe]`, and in-text `@doi:10.1000/x`.
pub(crate) fn markers(text: &str, budget: &Budget) -> Result<Vec<Citation>, DocumentError> {
    let found = Scanner::new(text, 0, budget).run()?.into_iter();
    let mut citations = Vec::new();
    for Found {
        mut citation,
        is_bare,
    } in found
    {
        let is_work = |cited: &Cited| {
            let key = cited.cite.id.as_str();
            !is_cross_reference(key) && (!is_bare || keyed::named(key).is_some())
        };
        if citation.items.iter().all(is_work) {
            for cited in &mut citation.items {
                cited.item = keyed::named(&cited.cite.id);
                cited.doi = cited.item.as_ref().and_then(Item::doi);
            }
            citation.text = citation
                .span
                .clone()
                .and_then(|span| text.get(span))
                .unwrap_or_default()
                .to_owned();
            citations.push(citation);
        }
    }
    Ok(citations)
}

fn is_cross_reference(key: &str) -> bool {
    let prefix = key.split(['-', ':']).next().unwrap_or_default();
    prefix.len() < key.len() && CROSS_REFERENCES.contains(&prefix)
}

/// The YAML at the start, and the rest.
fn front_matter(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let Some(rest) = text.strip_prefix("---").filter(|rest| {
        rest.trim_start_matches([' ', '\t', '-'])
            .starts_with(['\n', '\r'])
    }) else {
        return ("", text);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if at > 0 && matches!(line.trim_end(), "---" | "...") {
            let front = rest.get(..at).unwrap_or_default();
            return (front, rest.get(at + line.len()..).unwrap_or_default());
        }
        at += line.len();
    }
    ("", text)
}

fn read_metadata(
    metadata: &Value,
    companions: Companions<'_>,
    keyed: &mut Keyed,
    budget: &Budget,
) -> Result<(), DocumentError> {
    let place = Place::line(1);
    if let Some(references) = metadata.get("references") {
        keyed
            .library
            .extend(library::entries_of_yaml(references, &place));
    }
    let named = metadata.get("bibliography").map(yaml::texts_of);
    for name in named.unwrap_or_default() {
        add_file(&name, companions, keyed, budget)?;
    }
    let nocite = metadata.get("nocite").map(yaml::texts_of);
    for text in nocite.unwrap_or_default() {
        keyed.is_whole |= text.contains("@*");
        for found in Scanner::new(&text, 0, budget).run()? {
            let keys = found.citation.items.into_iter().map(|cited| cited.cite.id);
            keyed.nocite.extend(keys);
        }
    }
    Ok(())
}

/// Adds a bibliography; a missing or unreadable one is a finding.
pub(crate) fn add_file(
    name: &str,
    companions: Companions<'_>,
    keyed: &mut Keyed,
    budget: &Budget,
) -> Result<(), DocumentError> {
    let result = match companions(name) {
        Some(bytes) => keyed.library.add_file(name, &bytes, budget),
        None => Err(DocumentError::broken(name, "it is not there")),
    };
    match result {
        Err(DocumentError::Exceeded(cause)) => Err(cause.into()),
        Err(_) => {
            keyed.missing.push((name.to_owned(), Place::line(1)));
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// The text with non-text blanked: code, comments, multi-line formulas.
fn masked(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    let mut fence: Option<&str> = None;
    for line in body.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                blank(line, &mut out);
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                blank(line, &mut out);
            }
            (Some(_), _) => blank(line, &mut out),
            (None, None) => out.push_str(line),
        }
    }
    without_spans(&out)
}

/// The start of a text that is searched for the end of code.
fn near(text: &str) -> &str {
    const LONGEST_CODE: usize = 10_000;
    text.get(..text.floor_char_boundary(LONGEST_CODE))
        .unwrap_or(text)
}

fn blank(text: &str, out: &mut String) {
    // A blank for each byte keeps all offsets.
    out.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

/// Blanks inline code and comments.
fn without_spans(text: &str) -> String {
    // After an unclosed comment no other one is closed.
    let mut is_unclosed = false;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '<', '\\']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let escaped = behind
            .strip_prefix('\\')
            .and_then(|next| next.chars().next());
        if let Some(c) = escaped {
            let length = 1 + c.len_utf8();
            out.push_str(behind.get(..length).unwrap_or_default());
            rest = behind.get(length..).unwrap_or_default();
            continue;
        }
        let ticks = behind.len() - behind.trim_start_matches('`').len();
        let end = match ticks {
            0 if behind.starts_with("<!--") && !is_unclosed => {
                let end = behind.find("-->").map(|end| end + "-->".len());
                is_unclosed = end.is_none();
                end
            }
            0 => None,
            _ => {
                let mark = behind.get(..ticks).unwrap_or_default();
                let inside = behind.get(ticks..).unwrap_or_default();
                let inside = near(inside);
                let paragraph = inside.find("\n\n").unwrap_or(inside.len());
                let inside = inside.get(..paragraph).unwrap_or_default();
                inside.find(mark).map(|end| ticks + end + ticks)
            }
        };
        match end {
            Some(end) => {
                let span = behind.get(..end).unwrap_or(behind);
                blank(span, &mut out);
                rest = behind.get(span.len()..).unwrap_or_default();
            }
            None => {
                let length = ticks.max(1);
                out.push_str(behind.get(..length).unwrap_or_default());
                rest = behind.get(length..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// Maximum number of characters searched for a closing bracket, and the steps for it.
const LONGEST_BRACKETS: usize = 2_000;
const BRACKET_STEPS: u64 = 50;

/// A citation, and whether it is in-text without brackets.
struct Found {
    citation: Citation,
    is_bare: bool,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    counted: usize,
    budget: &'a Budget,
    found: Vec<Found>,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str, above: usize, budget: &'a Budget) -> Scanner<'a> {
        Scanner {
            text,
            at: 0,
            line: above + 1,
            counted: 0,
            budget,
            found: Vec::new(),
        }
    }

    fn run(mut self) -> Result<Vec<Found>, DocumentError> {
        while let Some(next) = self.rest().find(['[', '@', '\\']) {
            self.budget.spend(BRACKET_STEPS)?;
            self.at += next;
            match self.rest().as_bytes().first() {
                Some(b'\\') => {
                    let escaped = self.rest().chars().nth(1).map_or(0, char::len_utf8);
                    self.at += 1 + escaped;
                }
                Some(b'[') => self.bracket(),
                _ => self.bare(),
            }
        }
        Ok(self.found)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn before(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    fn line(&mut self) -> usize {
        let passed = self.text.get(self.counted..self.at).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.counted = self.at;
        self.line
    }

    /// `[see @doe, p. 3; @roe]`. If it is not a citation, its content is read on.
    fn bracket(&mut self) {
        let is_note = self.before() == Some('^');
        let inside = inside_brackets(self.rest()).filter(|inside| !is_note && inside.contains('@'));
        let items = inside.map(cites).unwrap_or_default();
        let Some(inside) = inside.filter(|_| !items.is_empty()) else {
            self.at += 1;
            return;
        };
        let line = self.line();
        self.found.push(Found {
            citation: Citation {
                items,
                text: format!("[{}]", words(inside)),
                place: Place::line(line),
                span: Some(self.at..self.at + inside.len() + 2),
            },
            is_bare: false,
        });
        self.at += inside.len() + 2;
    }

    /// `@doe [p. 3]`
    fn bare(&mut self) {
        let before = self.before();
        let is_start = before.is_none_or(|c| !(c.is_alphanumeric() || "/_@.:".contains(c)));
        let Some((key, length)) = key(self.rest()).filter(|_| is_start) else {
            self.at += 1;
            return;
        };
        let behind = self.rest().get(length..).unwrap_or_default();
        // `(@)` and `(@good)` are numbered examples.
        let is_example = before == Some('(') && behind.starts_with(')');
        let line = self.line();
        let start = self.at - usize::from(before == Some('-'));
        self.at += length;
        if is_example {
            return;
        }
        let mut cited = Cited::key(key);
        cited.cite.mode = match before {
            Some('-') => CiteMode::SuppressAuthor,
            _ => CiteMode::Composite,
        };
        let mut items = vec![cited];
        let bracket = behind.strip_prefix(' ').unwrap_or(behind);
        if let Some(inside) = inside_brackets(bracket)
            && !bracket
                .get(inside.len() + 2..)
                .is_some_and(|rest| rest.starts_with(['(', ':']))
        {
            self.at += behind.len() - bracket.len() + inside.len() + 2;
            let (own, others) = match inside.split_once(';') {
                Some((own, others)) if !own.contains('@') => (own, others),
                _ if inside.contains('@') => ("", inside),
                _ => (inside, ""),
            };
            if let Some(first) = items.first_mut() {
                locator::add(&mut first.cite, own);
            }
            items.extend(cites(others));
        }
        self.found.push(Found {
            citation: Citation {
                items,
                text: String::new(),
                place: Place::line(line),
                span: Some(start..self.at),
            },
            is_bare: true,
        });
    }
}

fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The content of the brackets at the start of a text, within its paragraph.
fn inside_brackets(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?;
    let mut depth = 0_usize;
    let mut is_escaped = false;
    let mut is_line_end = false;
    for (at, c) in inside.char_indices().take(LONGEST_BRACKETS) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => depth += 1,
            ']' if depth == 0 => return inside.get(..at),
            ']' => depth -= 1,
            '\n' if is_line_end => return None,
            _ => {}
        }
        is_line_end = c == '\n' || is_line_end && c.is_whitespace();
    }
    None
}

/// The cites in brackets, separated by semicolons.
fn cites(inside: &str) -> Vec<Cited> {
    let mut cited: Vec<Cited> = Vec::new();
    let mut before = String::new();
    for segment in inside.split(';') {
        match cite(segment) {
            Some(mut found) => {
                if !before.is_empty() {
                    let prefix = format!("{before}; {}", found.cite.prefix);
                    found.cite.prefix = prefix.trim_end().to_owned();
                    before.clear();
                }
                cited.push(found);
            }
            None => match cited.last_mut() {
                Some(last) => {
                    last.cite.suffix.push(';');
                    last.cite.suffix.push_str(segment);
                }
                None => before = words(segment),
            },
        }
    }
    cited
}

/// `see -@doe, p. 3`
fn cite(segment: &str) -> Option<Cited> {
    for (at, _) in segment.match_indices('@') {
        let before = segment.get(..at)?;
        let is_start = before
            .chars()
            .next_back()
            .is_none_or(|c| !(c.is_alphanumeric() || "\\/_@".contains(c)));
        let found = key(segment.get(at..)?).filter(|_| is_start);
        let Some((key, length)) = found else {
            continue;
        };
        let prefix = before.strip_suffix('-');
        let mut cited = Cited::key(key).without_author(prefix.is_some());
        cited.cite.prefix = words(prefix.unwrap_or(before));
        locator::add(&mut cited.cite, segment.get(at + length..)?);
        return Some(cited);
    }
    None
}

/// The key at the start of a text, and its length in bytes including the sign: `@doe2001`, `@{a key}`.
fn key(text: &str) -> Option<(String, usize)> {
    let rest = text.strip_prefix('@')?;
    if let Some(braced) = rest.strip_prefix('{') {
        let end = braced.find(['}', '\n'])?;
        let key = braced.get(..end).filter(|key| !key.is_empty())?;
        return braced
            .get(end..)?
            .starts_with('}')
            .then(|| (key.to_owned(), end + 3));
    }
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = match is_letter(c) {
            true => true,
            false => {
                at > 0
                    && ":.#$%&-+?<>~/".contains(c)
                    && chars.peek().is_some_and(|(_, next)| is_letter(*next))
            }
        };
        if !goes_on {
            break;
        }
        end = at + c.len_utf8();
    }
    let key = rest.get(..end).filter(|key| !key.is_empty())?;
    Some((key.to_owned(), end + 1))
}

/// Headings, paragraphs and list items as plain text.
fn blocks(body: &str, above: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (n, line) in body.lines().enumerate() {
        let line = line.strip_prefix('>').unwrap_or(line);
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(":::") {
            is_open = false;
            continue;
        }
        // An underlined heading.
        if trimmed.len() > 2 && trimmed.chars().all(|c| c == '=' || c == '-') {
            if let Some(block) = blocks.last_mut().filter(|_| is_open) {
                block.kind = BlockKind::Heading(if trimmed.starts_with('=') { 1 } else { 2 });
            }
            is_open = false;
            continue;
        }
        let level = trimmed.len() - trimmed.trim_start_matches('#').len();
        let kind = match () {
            () if (1..=6).contains(&level)
                && trimmed.get(level..).is_some_and(|t| t.starts_with(' ')) =>
            {
                Some(BlockKind::Heading(level as u8))
            }
            () if is_item(trimmed) && line.len() - line.trim_start().len() < 4 => {
                Some(BlockKind::ListItem)
            }
            () if trimmed.starts_with("[^") => Some(BlockKind::Note),
            () if !is_open => Some(BlockKind::Paragraph),
            () => None,
        };
        let text = plain(match kind {
            Some(BlockKind::Heading(_)) => trimmed.trim_matches(['#', ' ']),
            Some(BlockKind::ListItem) => trimmed.trim_start_matches(['-', '*', '+']).trim_start(),
            Some(BlockKind::Note) => trimmed
                .split_once("]:")
                .map_or(trimmed, |(_, text)| text.trim()),
            _ => trimmed,
        });
        match (kind, blocks.last_mut()) {
            (None, Some(block)) => {
                let is_broken = block.text.ends_with('\n');
                block.text.push_str(if is_broken { "" } else { " " });
                block.text.push_str(&text);
            }
            (kind, _) => blocks.push(Block {
                kind: kind.unwrap_or_default(),
                text,
                place: Place::line(above + n + 1),
                ..Block::default()
            }),
        }
        if (trimmed.ends_with('\\') || line.ends_with("  "))
            && let Some(block) = blocks.last_mut()
        {
            block.text.push('\n');
        }
        is_open = !matches!(kind, Some(BlockKind::Heading(_)));
    }
    for block in &mut blocks {
        block.text = list::tidy(&block.text);
    }
    blocks
}

/// `- …`, `* …`, `12. …`, `[12] …`
fn is_item(line: &str) -> bool {
    let bullet = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = line.get(digits..).unwrap_or_default();
    bullet
        || (1..=4).contains(&digits) && (behind.starts_with(". ") || behind.starts_with(") "))
        || is_bracketed(line)
}

/// `[12] …`, `\[12\] …`, but not a link or link definition.
fn is_bracketed(line: &str) -> bool {
    let rest = line.strip_prefix('\\').unwrap_or(line);
    let Some((label, rest)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    let label = label.strip_suffix('\\').unwrap_or(label);
    let is_number = (1..=4).contains(&label.len()) && label.chars().all(|c| c.is_ascii_digit());
    is_number && rest.starts_with(' ')
}

/// A line without emphasis, links and escapes.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '*' => {}
            '_' if out.ends_with(|c: char| c.is_alphanumeric())
                && chars.peek().is_some_and(|next| next.is_alphanumeric()) =>
            {
                out.push('_');
            }
            '_' => {}
            '<' if chars.peek() == Some(&'h') => {}
            '>' if out
                .rsplit(' ')
                .next()
                .is_some_and(|word| word.starts_with("http")) => {}
            ']' if chars.peek() == Some(&'(') => out.push(' '),
            '[' if out.is_empty() => out.push('['),
            _ => out.push(c),
        }
    }
    out
}
