//! Typst: `@key`, `#cite` and `#bibliography` in a file and its includes.

use std::collections::HashSet;

use citation_model::budget::Budget;
use citation_model::cite::CiteMode;
use citation_model::lookahead::Lookahead;

use crate::Companions;
use crate::document::{Cited, Document, ManuscriptCitation, Place};
use crate::error::DocumentError;
use crate::included::IncludedFiles;
use crate::keyed::Keyed;
use crate::locator;

/// The cost of a citation without its supplement.
const CITE_STEPS: u64 = 8;

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "@a",
    "@",
    "[",
    "]",
    "#cite(",
    "#cite(<a>",
    "label(",
    "<a>",
    "<",
    ">",
    "#include \"",
    "#bibliography(\"",
    "bibliography(",
    "\"",
    "(",
    ")",
    "supplement: [",
    "//",
    "/*",
    "*/",
    "`",
    "```",
    "\\",
    "#",
    "https:",
    "\n",
    "a ",
];

pub(crate) fn read(
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    let mut reader = TypstReader {
        companions,
        budget,
        ahead: Lookahead::new(0, budget),
        keyed: Keyed::default(),
        labels: HashSet::new(),
        bibliographies: Vec::new(),
        named: Vec::new(),
        files: IncludedFiles::default(),
    };
    reader.read_file(&text, None, 0)?;
    let mut names = reader.bibliographies;
    if names.is_empty() {
        names = reader.named;
    }
    let mut keyed = reader.keyed;
    let mut seen = HashSet::new();
    for name in names.iter().filter(|name| seen.insert(*name)) {
        keyed.add_file(name.trim_start_matches('/'), companions, budget)?;
    }
    let (library, labels) = (&keyed.library, &reader.labels);
    for citation in &mut keyed.citations {
        citation.items.retain(|cited| {
            let key = cited.cite.id.as_str();
            library.position(key).is_some() || !labels.contains(key)
        });
    }
    keyed
        .citations
        .retain(|citation| !citation.items.is_empty());
    Ok(keyed.document())
}

struct TypstReader<'a> {
    companions: Companions<'a>,
    budget: &'a Budget,
    /// Finds the ends of arguments.
    ahead: Lookahead<'a>,
    keyed: Keyed,
    /// Labels defined in the text: figures, headings.
    labels: HashSet<String>,
    bibliographies: Vec<String>,
    /// Files named anywhere that look like bibliographies.
    named: Vec<String>,
    files: IncludedFiles,
}

impl TypstReader<'_> {
    fn read_file(
        &mut self,
        text: &str,
        file: Option<&str>,
        depth: usize,
    ) -> Result<(), DocumentError> {
        self.files.add(file, depth)?;
        self.budget.spend(text.len() as u64)?;
        self.ahead.add(text.len());
        let masked = masked(text);
        let mut scan = Scan {
            text: &masked,
            at: 0,
            line: 1,
            counted: 0,
            end_of_last: None,
        };
        while let Some(next) = scan.rest().find(['@', '#', '<', '\\', '"', 'b']) {
            self.budget.spend(1)?;
            scan.at += next;
            let rest = scan.rest();
            match rest.as_bytes().first() {
                Some(b'\\') => scan.at += 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
                Some(b'@') => {
                    self.budget.spend(CITE_STEPS)?;
                    self.reference(&mut scan, file);
                }
                Some(b'<') => {
                    if let Some(label) = label(rest) {
                        scan.at += label.len() + 1;
                        self.labels.insert(label.to_owned());
                    }
                    scan.at += 1;
                }
                Some(b'"') => {
                    let string = string(rest, &self.ahead).unwrap_or_default();
                    if is_bibliography(string) {
                        self.named.push(string.to_owned());
                    }
                    // Quotation marks in running text are not strings.
                    scan.at += 1;
                }
                Some(b'#') if rest.starts_with("#cite(") => {
                    self.budget.spend(CITE_STEPS)?;
                    self.cite(&mut scan, file);
                }
                Some(b'#') if rest.starts_with("#include") => {
                    scan.at += 1;
                    self.include(rest, file, depth)?;
                }
                Some(b'b') if rest.starts_with("bibliography(") => {
                    scan.at += "bibliography(".len();
                    self.bibliography(rest, file);
                }
                _ => scan.at += 1,
            }
        }
        Ok(())
    }

    /// `#include "chapter.typ"`
    fn include(
        &mut self,
        text: &str,
        file: Option<&str>,
        depth: usize,
    ) -> Result<(), DocumentError> {
        let text = text.strip_prefix("#include").unwrap_or(text);
        let name = string(text.trim_start(), &self.ahead);
        if let Some(path) = name.map(|name| beside(file, name))
            && let Some(bytes) = (self.companions)(&path)
        {
            let (text, _) = citation_exchange::decode(&bytes);
            self.read_file(&text, Some(&path), depth + 1)?;
        }
        Ok(())
    }

    /// `bibliography("refs.bib", full: true)`
    fn bibliography(&mut self, text: &str, file: Option<&str>) {
        let arguments = arguments(text, &self.ahead).unwrap_or_default();
        let names = strings(arguments).filter(|name| is_bibliography(name));
        self.bibliographies
            .extend(names.map(|name| beside(file, name)));
        let compact: String = arguments.split_whitespace().collect();
        self.keyed.is_whole |= compact.contains("full:true");
    }

    /// `@key[p. 3]`
    fn reference(&mut self, scan: &mut Scan<'_>, file: Option<&str>) {
        let before = scan
            .text
            .get(..scan.at)
            .and_then(|text| text.chars().next_back());
        let key = name(scan.rest().get(1..).unwrap_or_default());
        let is_start = before.is_none_or(|c| !c.is_alphanumeric() && !"/_.@".contains(c));
        if key.is_empty() || !is_start {
            scan.at += 1;
            return;
        }
        let mut cited = Cited::key(key);
        let start = scan.at;
        scan.at += 1 + key.len();
        if let Some(supplement) = content(scan.rest(), &self.ahead) {
            locator::add(&mut cited.cite, supplement);
            scan.at += supplement.len() + 2;
        }
        self.add(cited, start, scan, file);
    }

    /// `#cite(<key>, form: "prose", supplement: [p. 3])`
    fn cite(&mut self, scan: &mut Scan<'_>, file: Option<&str>) {
        let start = scan.at;
        let rest = scan.rest();
        let arguments = rest.get(1..).and_then(|rest| arguments(rest, &self.ahead));
        let arguments = arguments.unwrap_or_default();
        let key = match label(arguments.trim_start()) {
            Some(key) => Some(key),
            None => {
                // `label("key")`, and `"key"` before Typst 0.9.
                let text = arguments.trim_start();
                let text = text.strip_prefix("label(").unwrap_or(text);
                string(text.trim_start(), &self.ahead)
            }
        };
        let Some(key) = key else {
            scan.at += 1;
            return;
        };
        scan.at += "#cite()".len() + arguments.len();
        let mut cited = Cited::key(key);
        let compact: String = arguments.split_whitespace().collect();
        if compact.contains("form:none") {
            self.keyed.nocite.push(key.to_owned());
            return;
        }
        cited.cite.mode = match () {
            () if compact.contains("form:\"prose\"") => CiteMode::Composite,
            () if compact.contains("form:\"author\"") => CiteMode::AuthorOnly,
            () if compact.contains("form:\"year\"") => CiteMode::SuppressAuthor,
            () => CiteMode::Normal,
        };
        let supplement = arguments
            .split_once("supplement:")
            .and_then(|(_, rest)| content(rest.trim_start(), &self.ahead));
        if let Some(supplement) = supplement {
            locator::add(&mut cited.cite, supplement);
        }
        self.add(cited, start, scan, file);
    }

    /// Citations separated only by blanks form one.
    fn add(&mut self, cited: Cited, start: usize, scan: &mut Scan<'_>, file: Option<&str>) {
        let gap = scan.end_of_last.and_then(|end| scan.text.get(end..start));
        let is_beside = gap.is_some_and(|gap| gap.trim().is_empty() && !gap.contains("\n\n"));
        let line = scan.line_of(start);
        match self.keyed.citations.last_mut() {
            Some(citation) if is_beside => {
                citation.items.push(cited);
                if let Some(span) = &mut citation.span {
                    span.end = scan.at;
                }
            }
            _ => self.keyed.citations.push(ManuscriptCitation {
                items: vec![cited],
                text: String::new(),
                place: Place {
                    file: file.map(str::to_owned),
                    ..Place::line(line)
                },
                span: file.is_none().then_some(start..scan.at),
            }),
        }
        scan.end_of_last = Some(scan.at);
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    counted: usize,
    end_of_last: Option<usize>,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn line_of(&mut self, at: usize) -> usize {
        let passed = self.text.get(self.counted..at).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.counted = at.max(self.counted);
        self.line
    }
}

/// A path named in a file, relative to the document's folder.
fn beside(file: Option<&str>, name: &str) -> String {
    match file.and_then(|file| file.rsplit_once('/')) {
        Some((folder, _)) if !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name.trim_start_matches('/').to_owned(),
    }
}

fn is_bibliography(name: &str) -> bool {
    [".bib", ".yml", ".yaml"]
        .iter()
        .any(|end| name.ends_with(end))
        && !name.contains('\n')
}

/// The text with comments and raw text blanked.
fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '`', '\\']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let is_address = before.ends_with(':') || at == 0 && out.ends_with(':');
        let ticks = behind.len() - behind.trim_start_matches('`').len();
        let length = match () {
            () if behind.starts_with('\\') => {
                let length = 1 + behind.chars().nth(1).map_or(0, char::len_utf8);
                out.push_str(behind.get(..length).unwrap_or_default());
                rest = behind.get(length..).unwrap_or_default();
                continue;
            }
            () if behind.starts_with("//") && !is_address => {
                behind.find('\n').or(Some(behind.len()))
            }
            () if behind.starts_with("/*") => {
                behind.find("*/").map(|end| end + 2).or(Some(behind.len()))
            }
            () if ticks > 0 && ticks != 2 => {
                let mark = behind.get(..ticks).unwrap_or_default();
                let inside = behind.get(ticks..).unwrap_or_default();
                inside.find(mark).map(|end| end + 2 * ticks)
            }
            () => None,
        };
        match length {
            Some(length) => {
                let span = behind.get(..length).unwrap_or(behind);
                // A blank for each byte keeps all offsets.
                out.extend(span.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
                rest = behind.get(span.len()..).unwrap_or_default();
            }
            None => {
                // Both slashes of an address are skipped together, so that they do not start a comment.
                let length = match (behind.starts_with("//"), ticks) {
                    (true, _) => 2,
                    (false, ticks) => ticks.max(1),
                };
                out.push_str(behind.get(..length).unwrap_or_default());
                rest = behind.get(length..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// The name at the start of a text, without final punctuation.
fn name(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || "_-.:".contains(c)))
        .unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default();
    name.trim_end_matches(['.', ':'])
}

/// The name of `<name>` at the start of a text.
fn label(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let name = name(rest);
    (!name.is_empty() && rest.get(name.len()..)?.starts_with('>')).then_some(name)
}

/// The content of the string at the start of a text.
fn string<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    const LONGEST: usize = 1_000;
    let rest = text.strip_prefix('"')?;
    let end = ahead.find(rest, LONGEST, |window| window.find('"'))?;
    rest.get(..end)
}

fn strings(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// The content of the square brackets at the start of a text.
fn content<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    enclosed(text, '[', ']', ahead)
}

/// The content of the brackets after the name at the start of a text.
fn arguments<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    enclosed(text.get(text.find('(')?..)?, '(', ')', ahead)
}

fn enclosed<'t>(text: &'t str, open: char, close: char, ahead: &Lookahead<'_>) -> Option<&'t str> {
    const LONGEST: usize = 8_000;
    let rest = text.strip_prefix(open)?;
    let end = ahead.find(rest, LONGEST, |window| closing(window, open, close))?;
    rest.get(..end)
}

/// The offset of the end of what was opened before a text.
fn closing(rest: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_string = false;
    for (at, c) in rest.char_indices() {
        match c {
            '"' if open == '(' => is_string = !is_string,
            _ if is_string => {}
            c if c == open => depth += 1,
            c if c == close && depth == 0 => return Some(at),
            c if c == close => depth -= 1,
            _ => {}
        }
    }
    None
}
