//! Typst: `@key`, `#cite` and `#bibliography` in a file and its includes.

use std::collections::HashSet;

use citation_model::budget::Budget;
use citation_model::cite::CiteMode;
use citation_model::lookahead::Lookahead;
use serde_json::{Value, json};

use crate::Companions;
use crate::document::{
    CitationForm, Cited, Document, ListHeading, ListPlace, ListPlaceKind, ManuscriptCitation, Place,
};
use crate::error::DocumentError;
use crate::keyed::Keyed;
use crate::locator;
use crate::sources::{Added, FileId, SourceMode, SourceSpan, folder, joined};

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
    let mut reader = TypstReader {
        companions,
        budget,
        ahead: Lookahead::new(0, budget),
        keyed: Keyed {
            naming: "`#bibliography(\"FILE\")`",
            ..Keyed::default()
        },
        references: Vec::new(),
        labels: HashSet::new(),
        terms: HashSet::new(),
        has_glossary: false,
        bibliographies: Vec::new(),
        named: Vec::new(),
        is_place_named: false,
        heading: ListHeading::Default,
        language: None,
    };
    let file = reader.keyed.sources.add_document(bytes);
    reader.read_file(file)?;
    let mut names = reader.bibliographies;
    if names.is_empty() {
        names = reader.named;
    }
    let language = reader.language;
    let mut keyed = reader.keyed;
    if let Some(place) = &mut keyed.list_place
        && place.heading == ListHeading::Default
    {
        place.heading = reader.heading;
    }
    let end = keyed.sources.text(file).len();
    keyed.list_place.get_or_insert(ListPlace {
        span: file.span(end..end),
        kind: ListPlaceKind::End,
        heading: ListHeading::Default,
    });
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    keyed.add_files(&names, companions, budget)?;
    let mut labels = reader.labels;
    if reader.has_glossary {
        labels.extend(reader.terms);
    }
    keyed.citations = grouped(reader.references, &keyed, &labels);
    let document = keyed.document();
    Ok(Document {
        metadata: language.map_or(Value::Null, |lang| json!({ "lang": lang })),
        ..document
    })
}

/// A cite, and whether only blanks separate it from the one before.
struct Reference {
    citation: ManuscriptCitation,
    is_beside: bool,
}

/// What a reference names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Work,
    /// A label of the document.
    Label,
    /// A work that is missing, or a label that code makes.
    Unknown,
}

/// The citations: cites of works beside each other form one. A reference to a label is none, and stays.
fn grouped(
    references: Vec<Reference>,
    keyed: &Keyed,
    labels: &HashSet<String>,
) -> Vec<ManuscriptCitation> {
    let named = |citation: &ManuscriptCitation| {
        let key = citation
            .items
            .first()
            .map_or("", |cited| cited.cite.id.as_str());
        match () {
            () if keyed.library.position(key).is_some() => Named::Work,
            () if labels.contains(key) => Named::Label,
            // A form of a term: `@nfc:pl`.
            () if key
                .split_once(':')
                .is_some_and(|(term, _)| labels.contains(term)) =>
            {
                Named::Label
            }
            () => Named::Unknown,
        }
    };
    let mut citations: Vec<ManuscriptCitation> = Vec::new();
    let mut before = Named::Label;
    for Reference {
        citation,
        is_beside,
    } in references
    {
        let own = named(&citation);
        match citations.last_mut() {
            Some(last)
                if is_beside
                    && own == before
                    && own != Named::Label
                    && last.form == CitationForm::Styled =>
            {
                if let (Some(whole), Some(span)) = (&mut last.span, &citation.span) {
                    *whole = whole.with_range(whole.range().start..span.range().end);
                }
                last.items.extend(citation.items);
            }
            _ if own == Named::Label => {}
            _ => citations.push(citation),
        }
        before = own;
    }
    citations
}

struct TypstReader<'a> {
    companions: Companions<'a>,
    budget: &'a Budget,
    /// Finds the ends of arguments.
    ahead: Lookahead<'a>,
    keyed: Keyed,
    references: Vec<Reference>,
    /// Labels defined in the text: figures, headings.
    labels: HashSet<String>,
    /// What may be terms of a glossary.
    terms: HashSet<String>,
    /// Whether a package makes references to terms of a glossary.
    has_glossary: bool,
    bibliographies: Vec<String>,
    /// Files named anywhere that look like bibliographies.
    named: Vec<String>,
    /// Whether the place of the list names its files itself.
    is_place_named: bool,
    /// That of `set bibliography(title: …)`.
    heading: ListHeading,
    /// That of `set text(lang: …)`.
    language: Option<String>,
}

impl TypstReader<'_> {
    fn read_file(&mut self, id: FileId) -> Result<(), DocumentError> {
        let name = self.keyed.sources.name(id).map(str::to_owned);
        let file = name.as_deref();
        let masked = masked(self.keyed.sources.text(id));
        self.budget.spend(masked.len() as u64)?;
        self.ahead.add(masked.len());
        self.read_rules(&masked);
        self.read_terms(&masked);
        let mut scan = Scan {
            id,
            text: &masked,
            at: 0,
            line: 1,
            counted: 0,
            end_of_last: None,
        };
        while let Some(next) = scan.rest().find(['@', '<', '\\', '"', 'b', 'c', 'i']) {
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
                        self.named.push(self.existing(file, string));
                    }
                    // Quotation marks in running text are not strings.
                    scan.at += 1;
                }
                Some(b'c') if rest.starts_with("cite.with(") && scan.is_call() => {
                    let place = scan.place(scan.at, file);
                    self.keyed.add_unread_markup("cite.with", &place);
                    scan.at += "cite.with".len();
                }
                Some(b'c') if rest.starts_with("cite(") && scan.is_call() => {
                    self.budget.spend(CITE_STEPS)?;
                    self.cite(&mut scan, file);
                }
                Some(b'i') if scan.is_word("include") || scan.is_word("import") => {
                    self.include(&mut scan, file)?;
                }
                Some(b'b') if rest.starts_with("bibliography(") && scan.is_call() => {
                    self.bibliography(&mut scan, file);
                }
                _ => scan.at += 1,
            }
        }
        Ok(())
    }

    /// `set text(lang: "de")` and `set bibliography(title: none)`
    fn read_rules(&mut self, text: &str) {
        for (at, _) in text.match_indices("set text(") {
            let rest = text.get(at..).unwrap_or_default();
            let arguments = arguments(rest, &self.ahead).unwrap_or_default();
            let lang = named_argument(arguments, "lang");
            let lang = lang.and_then(|value| string(value, &self.ahead));
            if self.language.is_none() {
                self.language = lang.map(str::to_owned);
            }
        }
        for (at, _) in text.match_indices("set bibliography(") {
            let rest = text.get(at..).unwrap_or_default();
            let arguments = arguments(rest, &self.ahead).unwrap_or_default();
            if self.heading == ListHeading::Default {
                self.heading = heading(arguments, &self.ahead);
            }
        }
    }

    /// The terms of glossaries, for references such as `@nfc`: `nfc: (short: "NFC")` of glossy, `(key: "nfc")` of glossarium.
    fn read_terms(&mut self, text: &str) {
        const PACKAGES: [&str; 2] = ["@preview/glossy", "@preview/glossarium"];
        self.has_glossary |= PACKAGES.iter().any(|package| text.contains(package));
        for (at, word) in text.match_indices("key:") {
            let rest = text.get(at + word.len()..).unwrap_or_default();
            if let Some(term) = string(rest.trim_start(), &self.ahead) {
                self.terms.insert(term.to_owned());
            }
        }
        for (at, _) in text.match_indices("short:") {
            let before = text.get(..at).unwrap_or_default().trim_end();
            let before = before.strip_suffix('(').unwrap_or_default().trim_end();
            let before = before.strip_suffix(':').unwrap_or_default().trim_end();
            let before = before.strip_suffix('"').unwrap_or(before);
            let term = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
            if !term.is_empty() {
                self.terms.insert(term.to_owned());
            }
        }
    }

    /// `#include "chapter.typ"`, `#import "template.typ": thesis`. Packages are no files of the document.
    fn include(&mut self, scan: &mut Scan<'_>, file: Option<&str>) -> Result<(), DocumentError> {
        let is_include = scan.is_word("include");
        let is_marked = scan.before() == Some('#');
        let place = scan.place(scan.at, file);
        scan.at += if is_include {
            "include".len()
        } else {
            "import".len()
        };
        let rest = scan.rest();
        let blank = rest.len() - rest.trim_start().len();
        let Some(name) = string(rest.trim_start(), &self.ahead) else {
            if is_marked && is_include {
                self.keyed.add_unread_markup("#include", &place);
            }
            return Ok(());
        };
        scan.at += blank + name.len() + 2;
        if is_include && scan.rest().trim_start().starts_with('+') {
            self.keyed.add_unread_markup("#include", &place);
            return Ok(());
        }
        if !name.ends_with(".typ") {
            return Ok(());
        }
        let path = sibling(file, name);
        match (self.companions)(&path) {
            Some(bytes) => {
                self.budget.spend_bytes(bytes.len())?;
                if let Added::New(included) = self.keyed.sources.open(&path, &bytes)? {
                    self.read_file(included)?;
                    self.keyed.sources.close();
                }
            }
            None if is_marked && is_include => self.keyed.add_missing_include(&path, &place),
            // A module defines functions, and seldom cites.
            None if is_marked => self.keyed.missing.push((path, place)),
            None => {}
        }
        Ok(())
    }

    /// `bibliography("refs.bib", full: true)`
    fn bibliography(&mut self, scan: &mut Scan<'_>, file: Option<&str>) {
        let rest = scan.rest();
        let arguments = arguments(rest, &self.ahead).unwrap_or_default();
        let names: Vec<String> = strings(arguments)
            .filter(|name| is_bibliography(name))
            .map(|name| self.existing(file, name))
            .collect();
        let compact: String = arguments.split_whitespace().collect();
        self.keyed.is_whole |= compact.contains("full:true");
        let is_better =
            self.keyed.list_place.is_none() || !names.is_empty() && !self.is_place_named;
        if is_better {
            self.is_place_named = !names.is_empty();
            let end = scan.at + "bibliography()".len() + arguments.len();
            self.keyed.list_place = Some(ListPlace {
                span: scan.call(end),
                kind: ListPlaceKind::Command,
                heading: heading(arguments, &self.ahead),
            });
        }
        self.bibliographies.extend(names);
        scan.at += "bibliography(".len() + arguments.len();
    }

    /// A bibliography beside the file that names it; a template may be given a name from its document.
    fn existing(&self, file: Option<&str>, name: &str) -> String {
        let own = sibling(file, name);
        let of_document = sibling(None, name);
        if own != of_document && (self.companions)(&own).is_none() {
            of_document
        } else {
            own
        }
    }

    /// `@key[p. 3]`
    fn reference(&mut self, scan: &mut Scan<'_>, file: Option<&str>) {
        let before = scan
            .text
            .get(..scan.at)
            .and_then(|text| text.chars().next_back());
        let key = name(scan.rest().get(1..).unwrap_or_default());
        let is_start =
            before.is_none_or(|c| is_unspaced(c) || !c.is_alphanumeric() && !"/_.@".contains(c));
        let is_package = is_package(scan.rest());
        if key.is_empty() || !is_start || is_package {
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
        let span = scan.id.span(start..scan.at);
        self.add(cited, CitationForm::Styled, span, scan, file);
    }

    /// `#cite(<key>, form: "prose", supplement: [p. 3])`
    fn cite(&mut self, scan: &mut Scan<'_>, file: Option<&str>) {
        let rest = scan.rest();
        let arguments = arguments(rest, &self.ahead).unwrap_or_default();
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
            // The key is the value of a variable or of a function.
            let place = scan.place(scan.at, file);
            self.keyed.add_unread_markup("cite", &place);
            scan.at += 1;
            return;
        };
        let span = scan.call(scan.at + "cite()".len() + arguments.len());
        scan.at = span.range().end;
        let mut cited = Cited::key(key);
        let compact: String = arguments.split_whitespace().collect();
        if compact.contains("form:none") {
            self.keyed.nocite.push(key.to_owned());
            self.keyed.additions.push(span);
            return;
        }
        let form;
        (cited.cite.mode, form) = match () {
            () if compact.contains("form:\"prose\"") => (CiteMode::Composite, CitationForm::Styled),
            () if compact.contains("form:\"author\"") => {
                (CiteMode::AuthorOnly, CitationForm::Styled)
            }
            () if compact.contains("form:\"year\"") => {
                (CiteMode::SuppressAuthor, CitationForm::Year)
            }
            () if compact.contains("form:\"full\"") => (CiteMode::Normal, CitationForm::Entry),
            () => (CiteMode::Normal, CitationForm::Styled),
        };
        let supplement = arguments
            .split_once("supplement:")
            .and_then(|(_, rest)| content(rest.trim_start(), &self.ahead));
        if let Some(supplement) = supplement {
            locator::add(&mut cited.cite, supplement);
        }
        self.add(cited, form, span, scan, file);
    }

    fn add(
        &mut self,
        cited: Cited,
        form: CitationForm,
        span: SourceSpan,
        scan: &mut Scan<'_>,
        file: Option<&str>,
    ) {
        let start = span.range().start;
        let gap = scan.end_of_last.and_then(|end| scan.text.get(end..start));
        let is_beside = gap.is_some_and(|gap| gap.trim().is_empty() && !gap.contains("\n\n"));
        let is_markup = span.mode() == SourceMode::Markup;
        scan.end_of_last = is_markup.then_some(scan.at);
        self.references.push(Reference {
            citation: ManuscriptCitation {
                items: vec![cited],
                place: scan.place(start, file),
                span: Some(span),
                form,
                ..ManuscriptCitation::default()
            },
            is_beside: is_beside && is_markup && form == CitationForm::Styled,
        });
    }
}

struct Scan<'a> {
    id: FileId,
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

    fn before(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    /// Whether a keyword stands here, with a string or a blank behind it.
    fn is_word(&self, word: &str) -> bool {
        let is_start = self.before().is_none_or(|c| !is_name(c) && c != '.');
        let behind = self.rest().strip_prefix(word);
        is_start && behind.is_some_and(|rest| rest.starts_with([' ', '"', '\n', '\t']))
    }

    /// Whether a call begins here: not a `set` or `show` rule, nor the definition of a function.
    fn is_call(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let is_rule = ["set ", "show ", "let "]
            .iter()
            .any(|word| before.ends_with(word));
        let is_start = self.before().is_none_or(|c| !is_name(c) && c != '.');
        !is_rule && (is_start || before.ends_with("std."))
    }

    /// The range of a call that begins here, with its sign. Without one it is code.
    fn call(&self, end: usize) -> SourceSpan {
        let before = self.text.get(..self.at).unwrap_or_default();
        let before = before.strip_suffix("std.").unwrap_or(before);
        let marked = before.strip_suffix('#');
        let start = marked.unwrap_or(before).len();
        self.id.span(start..end).in_code(marked.is_none())
    }

    fn place(&mut self, at: usize, file: Option<&str>) -> Place {
        Place {
            file: file.map(str::to_owned),
            ..Place::line(self.line_of(at))
        }
    }

    fn line_of(&mut self, at: usize) -> usize {
        let passed = self.text.get(self.counted..at).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.counted = at.max(self.counted);
        self.line
    }
}

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// `@preview/cetz:0.2.2`
fn is_package(text: &str) -> bool {
    let inside = |text: &str| text.find(|c: char| !is_name(c)).unwrap_or(text.len());
    let version = || {
        let rest = text.get(1..)?;
        let rest = rest.get(inside(rest)..)?.strip_prefix('/')?;
        rest.get(inside(rest)..)?.strip_prefix(':')
    };
    version().is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// A path named in a file, relative to the document's folder.
fn sibling(file: Option<&str>, name: &str) -> String {
    match name.strip_prefix('/') {
        Some(name) => joined("", name),
        None => joined(folder(file), name),
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
    const MAX_LENGTH: usize = 1_000;
    let rest = text.strip_prefix('"')?;
    let end = ahead.find(rest, MAX_LENGTH, |window| window.find('"'))?;
    rest.get(..end)
}

/// The heading of `bibliography("refs.bib", title: [Works cited])`.
fn heading(arguments: &str, ahead: &Lookahead<'_>) -> ListHeading {
    let value = named_argument(arguments, "title");
    match value {
        None => ListHeading::Default,
        Some(value) if value.starts_with("none") => ListHeading::None,
        Some(value) if value.starts_with("auto") => ListHeading::Default,
        Some(value) => match content(value, ahead).or_else(|| string(value, ahead)) {
            Some(title) => ListHeading::Title(title.to_owned()),
            // An expression: its value is markup, too.
            None => {
                let end = value.find([',', '\n']).unwrap_or(value.len());
                let expression = value.get(..end).unwrap_or_default().trim();
                ListHeading::Title(format!("#({expression})"))
            }
        },
    }
}

/// What stands behind the name of an argument.
fn named_argument<'t>(arguments: &'t str, name: &str) -> Option<&'t str> {
    let mut found = arguments.match_indices(name).filter_map(|(at, _)| {
        let before = arguments.get(..at)?.chars().next_back();
        let is_start = before.is_none_or(|c| !is_name(c));
        let rest = arguments.get(at + name.len()..)?.trim_start();
        rest.strip_prefix(':')
            .filter(|_| is_start)
            .map(str::trim_start)
    });
    found.next()
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
    const MAX_LENGTH: usize = 8_000;
    let rest = text.strip_prefix(open)?;
    let end = ahead.find(rest, MAX_LENGTH, |window| closing(window, open, close))?;
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
