//! Citations of pandoc by key: `[see @doe, p. 3; @roe]`, `@doe [p. 3]`.

use std::ops::Range;

use citation_model::budget::Budget;
use citation_model::cite::CiteMode;
use citation_model::item::Item;
use citation_model::lookahead::Lookahead;

use crate::document::{Cited, ManuscriptCitation, Place};
use crate::error::DocumentError;
use crate::{keyed, locator};

/// Key prefixes of cross-references in Quarto and pandoc-crossref.
const CROSS_REFERENCES: [&str; 30] = [
    "fig", "tbl", "tab", "sec", "eq", "lst", "thm", "lem", "cor", "prp", "cnj", "def", "exm",
    "exr", "sol", "rem", "alg", "nte", "tip", "wrn", "imp", "cau", "apx", "vid", "dia", "supp",
    "suppfig", "supptbl", "eqn", "ref",
];

/// The citations in a text without markup: `[@doi:10.1000/x, p. 3; @doe]`, and in-text `@doi:10.1000/x`.
pub(crate) fn markers(text: &str, budget: &Budget) -> Result<Vec<Marker>, DocumentError> {
    let found = CitationScanner::new(text, 0, budget).run()?.into_iter();
    let mut citations = Vec::new();
    for KeyCitation {
        mut citation,
        range,
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
            citation.text = text.get(range.clone()).unwrap_or_default().to_owned();
            citations.push(Marker { range, citation });
        }
    }
    Ok(citations)
}

/// Maximum number of bytes searched for a closing bracket.
const MAX_BRACKETS: usize = 4_000;

/// Maximum length of a key in braces, in bytes.
const MAX_KEY: usize = 1_000;

/// The cost of a citation without its text.
const CITE_STEPS: u64 = 8;

/// A citation in a text without markup.
pub(crate) struct Marker {
    pub range: Range<usize>,
    pub citation: ManuscriptCitation,
}

/// A citation, its range in the text, and whether it is in-text without brackets.
pub(super) struct KeyCitation {
    pub citation: ManuscriptCitation,
    pub range: Range<usize>,
    pub is_bare: bool,
}

pub(super) struct CitationScanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    counted: usize,
    budget: &'a Budget,
    ahead: Lookahead<'a>,
    found: Vec<KeyCitation>,
}

impl<'a> CitationScanner<'a> {
    pub fn new(text: &'a str, above: usize, budget: &'a Budget) -> CitationScanner<'a> {
        CitationScanner {
            text,
            at: 0,
            line: above + 1,
            counted: 0,
            budget,
            ahead: Lookahead::new(text.len(), budget),
            found: Vec::new(),
        }
    }

    pub fn run(mut self) -> Result<Vec<KeyCitation>, DocumentError> {
        while let Some(next) = self.rest().find(['[', '@', '\\']) {
            self.budget.spend(CITE_STEPS)?;
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
        let is_image = self.before() == Some('!');
        let inside = inside_brackets(self.rest(), &self.ahead)
            .filter(|inside| !is_note && !is_image && inside.contains('@'));
        if let Some(name) = inside.filter(|inside| self.is_definition(inside)) {
            self.at += name.len() + 2;
            return;
        }
        let inside = inside.filter(|inside| !self.is_link(inside));
        let items = inside
            .map(|inside| cites(inside, &self.ahead))
            .unwrap_or_default();
        let Some(inside) = inside.filter(|_| !items.is_empty()) else {
            self.at += 1;
            return;
        };
        let line = self.line();
        self.found.push(KeyCitation {
            citation: ManuscriptCitation {
                items,
                text: format!("[{}]", words(inside)),
                place: Place::line(line),
                ..ManuscriptCitation::default()
            },
            range: self.at..self.at + inside.len() + 2,
            is_bare: false,
        });
        self.at += inside.len() + 2;
    }

    /// `[text](address)` and `[text]{.class}`: what is cited in the text is read on.
    fn is_link(&self, inside: &str) -> bool {
        self.after_brackets(inside).starts_with(['(', '{'])
    }

    /// `[name]: address` at the start of a line cites nothing.
    fn is_definition(&self, inside: &str) -> bool {
        matches!(self.before(), None | Some('\n')) && self.after_brackets(inside).starts_with(':')
    }

    fn after_brackets(&self, inside: &str) -> &'a str {
        self.rest().get(inside.len() + 2..).unwrap_or_default()
    }

    /// `@doe [p. 3]`
    fn bare(&mut self) {
        let before = self.before();
        let is_start = before.is_none_or(|c| !(c.is_alphanumeric() || "/_@.:".contains(c)));
        let Some((key, length)) = key(self.rest(), &self.ahead).filter(|_| is_start) else {
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
        if let Some(inside) = inside_brackets(bracket, &self.ahead)
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
            items.extend(cites(others, &self.ahead));
        }
        self.found.push(KeyCitation {
            citation: ManuscriptCitation {
                items,
                place: Place::line(line),
                ..ManuscriptCitation::default()
            },
            range: start..self.at,
            is_bare: true,
        });
    }
}

fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The content of the brackets at the start of a text, within its paragraph.
fn inside_brackets<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    let inside = text.strip_prefix('[')?;
    let end = ahead.find(inside, MAX_BRACKETS, closing_bracket)?;
    inside.get(..end)
}

/// The offset of the end of what was opened before a text.
fn closing_bracket(inside: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    let mut is_line_end = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            '\n' if is_line_end => return None,
            _ => {}
        }
        is_line_end = c == '\n' || is_line_end && c.is_whitespace();
    }
    None
}

/// The cites in brackets, separated by semicolons.
fn cites(inside: &str, ahead: &Lookahead<'_>) -> Vec<Cited> {
    let mut cited: Vec<Cited> = Vec::new();
    let mut before = String::new();
    for segment in inside.split(';') {
        let mut found = cites_of(segment, ahead);
        match found.first_mut() {
            Some(first) => {
                if !before.is_empty() {
                    let prefix = format!("{before}; {}", first.cite.prefix);
                    first.cite.prefix = prefix.trim_end().to_owned();
                    before.clear();
                }
                cited.extend(found);
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

/// `see -@doe, p. 3`. Keys separated by other signs, `@doe, @roe` and `@doe and @roe`, are cites too.
fn cites_of(segment: &str, ahead: &Lookahead<'_>) -> Vec<Cited> {
    let keys: Vec<(usize, String, usize)> = segment
        .match_indices('@')
        .filter_map(|(at, _)| {
            let before = segment.get(..at)?.chars().next_back();
            let is_start = before.is_none_or(|c| !(c.is_alphanumeric() || "\\/_@".contains(c)));
            let (key, length) = key(segment.get(at..)?, ahead).filter(|_| is_start)?;
            Some((at, key, at + length))
        })
        .collect();
    let ends = keys.iter().skip(1).map(|(next, ..)| *next);
    let ends = ends.chain([segment.len()]);
    let mut cited: Vec<Cited> = Vec::with_capacity(keys.len());
    for ((start, key, end), next) in keys.iter().zip(ends) {
        let before = segment.get(..*start).unwrap_or_default();
        let bare = before.strip_suffix('-');
        let mut found = Cited::key(key.clone()).without_author(bare.is_some());
        if cited.is_empty() {
            found.cite.prefix = words(bare.unwrap_or(before));
        }
        let behind = segment.get(*end..next).unwrap_or_default();
        let behind = if next < segment.len() {
            without_joint(behind)
        } else {
            behind
        };
        locator::add(&mut found.cite, behind);
        cited.push(found);
    }
    cited
}

/// The text between two keys without the sign or word that joins them.
fn without_joint(text: &str) -> &str {
    let text = text.trim_end_matches(['-', ' ', '\n']);
    ["and", "&", ","]
        .iter()
        .find_map(|joint| text.strip_suffix(joint))
        .unwrap_or(text)
        .trim_end()
}

/// The key at the start of a text, and its length in bytes including the sign: `@doe2001`, `@{a key}`.
fn key(text: &str, ahead: &Lookahead<'_>) -> Option<(String, usize)> {
    let rest = text.strip_prefix('@')?;
    if let Some(braced) = rest.strip_prefix('{') {
        let end = ahead.find(braced, MAX_KEY, |window| window.find(['}', '\n']))?;
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
        let goes_on = if is_letter(c) {
            true
        } else {
            at > 0
                && ":.#$%&-+?<>~/".contains(c)
                && chars.peek().is_some_and(|(_, next)| is_letter(*next))
        };
        if !goes_on {
            break;
        }
        end = at + c.len_utf8();
    }
    let key = rest.get(..end).filter(|key| !key.is_empty())?;
    Some((key.to_owned(), end + 1))
}

pub(super) fn is_cross_reference(key: &str) -> bool {
    let prefix = key.split(['-', ':']).next().unwrap_or_default();
    prefix.len() < key.len() && CROSS_REFERENCES.contains(&prefix)
}
