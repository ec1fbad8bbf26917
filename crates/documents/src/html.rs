//! HTML: paragraphs, entries and notes of a page, and links from citations to entries.

use std::collections::HashMap;

use citation_model::budget::Budget;
use citation_model::identifier::{Doi, percent_decode};
use citation_model::lists::{phrases, words};
use html5gum::Tokenizer;
use html5gum::emitters::default::{DefaultEmitter, StartTag, Token};

use crate::document::{Block, BlockKind, Cited, Document, ManuscriptCitation, Place};
use crate::error::DocumentError;
use crate::list;
use crate::normalize::tidy;

/// Maximum nesting of elements.
const DEEPEST: usize = 2_000;

/// Elements whose text is skipped.
const UNREAD: [&str; 13] = [
    "head", "script", "style", "nav", "noscript", "template", "svg", "button", "select",
    "textarea", "form", "iframe", "object",
];

/// Elements that begin and end a paragraph.
const BLOCKS: [&str; 33] = words(
    "address article aside blockquote body caption center dd details div dl dt fieldset \
     figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tr ul",
);

/// Elements without end tag.
const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Texts of links that publishers put after an entry, in lower case.
const LINKS: [&str; 38] = phrases(
    "article|google scholar|pubmed|pubmed central|pmc|cas|crossref|ads|mathscinet|math|zbmath|\
     web of science|scopus|springerlink|full text|view|view article|view in article|download|\
     download pdf|pdf|abstract|free full text|free pmc article|open url|doi|links|\
     external resources|download references|view record in scopus|find this resource|\
     go to reference|pubmed abstract|crossref full text|search pubmed|isi|chapter|book",
);

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<div id=\"refs\">",
    "<a href='#b'>",
    "</a>",
    "<li id=b>",
    "<ol>",
    "<h2>References</h2>",
    "<sup>",
    "<i>",
    "<table><tr><td>",
    "<script>",
    "<!--",
    "-->",
    "<",
    ">",
    "&amp;",
    "&",
    "\"",
    "=",
    "[1]",
    "[@a]",
    "<span class=\"citation\" data-cites=\"",
    "</span>",
    "Doe 2001, ",
    "10.1000/",
    "\n",
    "a ",
];

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let mut page = PageReader::default();
    let mut lines = LineCounter::new(&text);
    for token in Tokenizer::new_with_emitter(&*text, emitter) {
        budget.spend(4)?;
        match token {
            Ok(Token::StartTag(tag)) => {
                page.line = lines.at(tag.span.start);
                page.start(&tag)?;
            }
            Ok(Token::EndTag(tag)) => page.end(&String::from_utf8_lossy(&tag.name)),
            Ok(Token::String(text)) => page.text(&String::from_utf8_lossy(&text)),
            Ok(_) => {}
        }
    }
    page.flush();
    page.document(budget)
}

/// Line numbers of increasing offsets.
struct LineCounter<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    fn new(text: &'a str) -> LineCounter<'a> {
        LineCounter {
            text: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    fn at(&mut self, offset: usize) -> usize {
        let passed = self.text.get(self.at..offset).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = self.at.max(offset);
        self.line
    }
}

/// What a start tag says about its element.
struct HtmlElement<'t> {
    tag: &'t StartTag<usize>,
    /// In lower case.
    name: String,
    role: String,
    class: String,
}

impl HtmlElement<'_> {
    fn of(tag: &StartTag<usize>) -> HtmlElement<'_> {
        let attribute = |name| attribute(tag, name).unwrap_or_default();
        HtmlElement {
            tag,
            name: String::from_utf8_lossy(&tag.name).to_ascii_lowercase(),
            role: attribute("role"),
            class: attribute("class"),
        }
    }

    fn attribute(&self, name: &str) -> Option<String> {
        attribute(self.tag, name)
    }

    fn has_class(&self, wanted: &str) -> bool {
        { self.class.split_whitespace() }.any(|class| class == wanted)
    }

    /// An entry of a formatted bibliography.
    fn is_csl_entry(&self) -> bool {
        self.has_class("csl-entry") || self.role == "doc-biblioentry"
    }

    fn is_unread(&self) -> bool {
        UNREAD.contains(&self.name.as_str())
            || matches!(self.role.as_str(), "doc-backlink" | "navigation")
            || self.has_class("footnote-back")
    }

    fn is_note(&self) -> bool {
        let roles = ["doc-endnotes", "doc-footnote", "doc-endnote"];
        roles.contains(&self.role.as_str())
            || self.has_class("footnotes")
            || self.has_class("footnote")
    }

    /// The name that links point to; for an entry of pandoc its key.
    fn anchor(&self) -> Option<String> {
        let name = || self.attribute("name").filter(|_| self.name == "a");
        let id = self.attribute("id").or_else(name)?;
        let key = id.strip_prefix("ref-").filter(|_| self.is_csl_entry());
        Some(key.unwrap_or(&id).to_owned())
    }

    /// The target of a link within the page.
    fn target(&self) -> Option<String> {
        let address = self.attribute("href")?;
        Some(percent_decode(address.strip_prefix('#')?))
    }
}

/// The level of a heading by the name of its element.
fn level(name: &str) -> Option<u8> {
    let level = name.strip_prefix('h').filter(|level| level.len() == 1)?;
    level.parse().ok()
}

fn attribute(tag: &StartTag<usize>, name: &str) -> Option<String> {
    let value = tag.attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(value).into_owned())
}

#[derive(Default)]
struct OpenElement {
    name: String,
    is_unread: bool,
    is_note: bool,
    /// An entry: the blocks in it are one paragraph.
    is_entry: bool,
    is_reference: bool,
    /// The level of the heading that it is or is in.
    level: Option<u8>,
    /// Start of its text, and the number of paragraphs before it.
    start: usize,
    paragraph: usize,
    /// The citation of the element.
    citation: Option<usize>,
}

/// A link within the page.
struct PageLink {
    target: String,
    text: String,
    /// The text between the previous link and this one, if both are in one paragraph.
    gap: Option<String>,
    place: Place,
}

#[derive(Default)]
struct PageReader {
    open: Vec<OpenElement>,
    blocks: Vec<Block>,
    text: String,
    /// Number of paragraphs that ended.
    paragraph: usize,
    /// Where the first text that is not blank was added to the open paragraph.
    begun_at: Option<usize>,
    anchors: Vec<String>,
    doi: Option<Doi>,
    line: usize,
    first_line: usize,
    note: usize,
    citations: Vec<ManuscriptCitation>,
    links: Vec<PageLink>,
    /// The target of the open link, and the end of the previous one.
    target: Option<String>,
    link_end: Option<usize>,
}

impl PageReader {
    fn start(&mut self, tag: &StartTag<usize>) -> Result<(), DocumentError> {
        let element = HtmlElement::of(tag);
        let name = element.name.as_str();
        if name == "br" {
            self.text.push('\n');
            return Ok(());
        }
        if BLOCKS.contains(&name) || element.is_csl_entry() {
            if self.continues_entry(&element) {
                self.text.push(' ')
            } else {
                self.flush()
            }
        }
        if matches!(name, "td" | "th") {
            self.text.push(' ');
        }
        self.anchors.extend(element.anchor());
        self.read_doi(
            element
                .attribute("data-doi")
                .or_else(|| element.attribute("href")),
        );
        let citation = { element.attribute("data-cites") }.map(|keys| self.add_citation(&keys));
        if name == "a" {
            self.target = element.target();
        }
        if tag.self_closing || VOID.contains(&name) {
            return Ok(());
        }
        if self.open.len() >= DEEPEST {
            return Err(DocumentError::TooDeep {
                what: "the page".to_owned(),
                limit: DEEPEST,
            });
        }
        let above = self.open.last();
        let open = OpenElement {
            is_unread: element.is_unread() || above.is_some_and(|above| above.is_unread),
            is_note: element.is_note() || above.is_some_and(|above| above.is_note),
            is_entry: element.is_csl_entry() || matches!(name, "li" | "dd"),
            is_reference: element.is_csl_entry() || above.is_some_and(|above| above.is_reference),
            level: level(name).or_else(|| above.and_then(|above| above.level)),
            start: self.text.len(),
            paragraph: self.paragraph,
            citation,
            name: element.name,
        };
        if open.is_note && open.name == "li" {
            self.note += 1;
        }
        self.open.push(open);
        Ok(())
    }

    /// Adds a citation of pandoc; returns its index.
    fn add_citation(&mut self, keys: &str) -> usize {
        self.citations.push(ManuscriptCitation {
            items: keys.split_whitespace().map(Cited::key).collect(),
            place: Place::line(self.line),
            ..ManuscriptCitation::default()
        });
        self.citations.len() - 1
    }

    /// Whether the text of a block is part of the entry that it is in, or of the term before it.
    fn continues_entry(&self, element: &HtmlElement<'_>) -> bool {
        let name = element.name.as_str();
        let begins_entry = element.is_csl_entry() || matches!(name, "li" | "dd" | "dt");
        self.is_in_entry() && !begins_entry || name == "dd"
    }

    /// Whether the innermost open list or entry is an entry.
    fn is_in_entry(&self) -> bool {
        let near = self.open.iter().rev().take(12);
        let mut near = near.filter(|open| {
            open.is_entry || matches!(open.name.as_str(), "ul" | "ol" | "dl" | "table" | "section")
        });
        near.next().is_some_and(|open| open.is_entry)
    }

    fn end(&mut self, name: &str) {
        // Closing an element closes unclosed ones inside; an unmatched end tag is ignored.
        const LOOKED_AT: usize = 40;
        let name = name.to_ascii_lowercase();
        let near = self.open.iter().rev().take(LOOKED_AT);
        let Some(above) = near.map(|open| &open.name).position(|open| *open == name) else {
            if name == "p" {
                self.flush();
            }
            return;
        };
        for _ in 0..=above {
            self.end_innermost();
        }
    }

    fn end_innermost(&mut self) {
        let Some(open) = self.open.last() else {
            return;
        };
        let name = open.name.clone();
        // A paragraph that ended inside took its text.
        let is_whole = open.paragraph == self.paragraph;
        let start = if is_whole {
            open.start.min(self.text.len())
        } else {
            0
        };
        let citation = open.citation;
        let is_entry = open.is_entry;
        let written = self.text.get(start..).unwrap_or_default();
        if let Some(citation) = citation.and_then(|n| self.citations.get_mut(n)) {
            citation.text = tidy(written).replace('\n', " ");
        }
        if name == "a" {
            let written = written.trim().to_owned();
            self.end_link(start, written);
        }
        // The block is written while its element still determines its kind.
        if BLOCKS.contains(&name.as_str()) || is_entry {
            match name.as_str() {
                "dt" => self.text.push(' '),
                _ if self.is_in_entry() && !is_entry => self.text.push(' '),
                _ => self.flush(),
            }
        }
        self.open.pop();
    }

    fn end_link(&mut self, start: usize, written: String) {
        let bare = written.trim_matches(|c: char| !c.is_alphanumeric());
        if LINKS.contains(&bare.to_lowercase().as_str()) {
            self.text.truncate(start);
            self.begun_at = self.begun_at.filter(|begun| *begun < start);
            self.target = None;
            return;
        }
        if let Some(target) = self.target.take() {
            let gap = self
                .link_end
                .and_then(|end| self.text.get(end..start))
                .map(str::to_owned);
            self.links.push(PageLink {
                target,
                text: written,
                gap,
                place: Place::line(self.line),
            });
            self.link_end = Some(self.text.len());
        }
    }

    fn read_doi(&mut self, address: Option<String>) {
        if self.doi.is_none()
            && let Some(address) = address
            && (address.starts_with("10.") || address.contains("doi.org/10."))
        {
            self.doi = Doi::parse(&address).ok();
        }
    }

    fn text(&mut self, text: &str) {
        if self.open.last().is_some_and(|open| open.is_unread) {
            return;
        }
        if self.begun_at.is_none() && !text.trim().is_empty() {
            self.first_line = self.line;
            self.begun_at = Some(self.text.len());
        }
        let is_blank = |c: char| c.is_ascii_whitespace() || c == '\u{a0}';
        self.text
            .extend(text.chars().map(|c| if is_blank(c) { ' ' } else { c }));
    }

    fn flush(&mut self) {
        let text = tidy(&std::mem::take(&mut self.text));
        self.begun_at = None;
        // The remainder of a row of links.
        let text = text
            .replace("[]", "")
            .trim_end_matches(['|', ' ', '·'])
            .to_owned();
        let anchors = std::mem::take(&mut self.anchors);
        let doi = self.doi.take();
        self.link_end = None;
        self.paragraph += 1;
        if text.is_empty() {
            return;
        }
        let is = |wanted: fn(&OpenElement) -> bool| self.open.last().is_some_and(wanted);
        let names = || self.open.iter().rev().map(|open| open.name.as_str());
        let level = self.open.last().and_then(|open| open.level);
        let is_note = is(|open| open.is_note);
        self.blocks.push(Block {
            kind: match level {
                _ if is_note => BlockKind::Note,
                Some(level) => BlockKind::Heading(level),
                None if names().take(6).any(|name| name == "li") => BlockKind::ListItem,
                None => BlockKind::Paragraph,
            },
            is_reference: is(|open| open.is_reference),
            text,
            place: Place {
                note: is_note.then_some(self.note),
                ..Place::line(self.first_line)
            },
            anchors,
            doi,
        });
    }

    fn document(mut self, budget: &Budget) -> Result<Document, DocumentError> {
        let mut citations = std::mem::take(&mut self.citations);
        citations.retain(|citation| !citation.items.is_empty());
        let links = std::mem::take(&mut self.links);
        let mut document = list::assemble(self.blocks, Vec::new(), Vec::new(), budget)?;
        if citations.is_empty() {
            citations = linked(&links, &document);
        }
        let by_key: HashMap<&str, &Doi> = document
            .references
            .iter()
            .filter_map(|reference| Some((reference.key.as_deref()?, reference.doi.as_ref()?)))
            .collect();
        for cited in citations
            .iter_mut()
            .flat_map(|citation| &mut citation.items)
        {
            cited.doi = by_key.get(cited.cite.id.as_str()).map(|doi| (*doi).clone());
        }
        document.marks_citations = !citations.is_empty();
        document.citations = citations;
        Ok(document)
    }
}

/// Links to entries of the list, as citations. Links separated only by punctuation form one citation; a
/// dash includes the entries between.
fn linked(links: &[PageLink], document: &Document) -> Vec<ManuscriptCitation> {
    let mut position: HashMap<&str, usize> = HashMap::new();
    for (n, reference) in document.references.iter().enumerate() {
        if let Some(key) = &reference.key {
            position.insert(key, n);
        }
    }
    for block in &document.blocks {
        let first = block
            .anchors
            .first()
            .and_then(|anchor| position.get(anchor.as_str()));
        if let Some(n) = first.copied() {
            for anchor in &block.anchors {
                position.entry(anchor).or_insert(n);
            }
        }
    }
    let mut citations: Vec<ManuscriptCitation> = Vec::new();
    let mut last = None;
    for link in links {
        let Some(n) = position.get(link.target.as_str()).copied() else {
            last = None;
            continue;
        };
        let key = |n: usize| {
            let reference = document.references.get(n);
            Cited::key(reference.and_then(|r| r.key.clone()).unwrap_or_default())
        };
        let gap = link.gap.as_deref().map(str::trim);
        let joins =
            gap.is_some_and(|gap| !gap.contains(|c: char| c.is_alphanumeric()) && gap.len() < 8);
        match (citations.last_mut(), last) {
            (Some(citation), Some(before)) if joins => {
                let is_range = gap.is_some_and(|gap| gap.contains(['-', '–', '—', '‒']));
                let from = if is_range { before + 1 } else { n };
                citation.items.extend((from..n).map(key));
                citation.items.push(key(n));
                citation
                    .text
                    .push_str(link.gap.as_deref().unwrap_or_default());
                citation.text.push_str(&link.text);
            }
            _ => citations.push(ManuscriptCitation {
                items: vec![key(n)],
                text: link.text.clone(),
                place: link.place.clone(),
                ..ManuscriptCitation::default()
            }),
        }
        last = Some(n);
    }
    citations
}
