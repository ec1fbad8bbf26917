//! Collects the texts of an HTML page in one pass. No tree is built, so depth costs nothing.

use citation_model::budget::{Budget, Exceeded};
use citation_model::lists::words;
use citation_model::name::Name;
use serde_json::Value;

use super::labels::{self, Pair};
use super::marks::{Marks, Part, Words};
use super::objects::{self, Objects};
use super::tokens::{self, LocalName, Sink, Tag, attribute, element};
use crate::{clean, names};

/// The collected data of a page in document order.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The language of the root element.
    pub lang: Option<String>,
    /// The text of `<title>`.
    pub title: String,
    /// `<link rel="canonical">`.
    pub canonical: Option<String>,
    /// `<meta>`: name, property or itemprop in lower case, and content.
    pub metas: Vec<(String, String)>,
    /// Names of the site in its feeds and search.
    pub feeds: Vec<String>,
    /// The objects of JSON-LD, microdata and RDFa, in the form of JSON-LD.
    pub objects: Vec<Value>,
    /// The visible lines.
    pub lines: Vec<Line>,
    /// Elements marked as author.
    pub bylines: Vec<Marked>,
    /// Elements marked as title.
    pub titles: Vec<Marked>,
    /// Links to the pages of people on the site.
    pub profiles: Vec<Marked>,
    /// Elements marked as publication date.
    pub dates: Vec<Marked>,
    /// People with marked given and family names.
    pub people: Vec<Name>,
    /// Links to doi.org.
    pub doi_links: Vec<Marked>,
    /// The texts that stand for the images and the titles of links to the start page.
    pub logos: Vec<String>,
    /// The titles of COinS spans.
    pub coins: Vec<String>,
    /// The labels and values of the lines.
    pub pairs: Vec<Pair>,
}

/// The work of a page, as far as it is known before its date and its DOI are chosen.
pub(super) struct WorkOnPage<'k> {
    /// The line of its heading.
    pub heading: Option<usize>,
    pub url: Option<&'k str>,
    pub is_article: bool,
    pub is_story: bool,
    /// The lines near the heading that name the authors.
    pub author_lines: &'k [usize],
}

impl WorkOnPage<'_> {
    /// Whether a line is next to one that names the authors, as the date of a byline is.
    pub fn is_beside_authors(&self, line: usize) -> bool {
        self.author_lines.iter().any(|at| at.abs_diff(line) <= 2)
    }
}

impl Page {
    /// The text behind the sign of a copyright line near the end: `2013 Example. All rights reserved`.
    pub fn copyright(&self) -> Option<&str> {
        self.copyrights().next()
    }

    /// The texts behind the signs of the copyright lines near the end, the last first.
    pub fn copyrights(&self) -> impl Iterator<Item = &str> {
        /// Number of lines that are searched.
        const LAST: usize = 60;
        let lines = self.lines.iter().rev().take(LAST);
        lines.filter_map(|line| {
            let text = &line.text;
            let parts = text.split_once('©').or_else(|| text.split_once("(c)"));
            Some(parts?.1)
        })
    }
}

/// A visible line.
#[derive(Debug)]
pub(super) struct Line {
    pub text: String,
    pub part: Part,
    /// 1 to 3 for `<h1>` to `<h3>`, otherwise 0.
    pub heading: u8,
    /// The text of a heading with the markup of italics and raised or lowered letters, if it has any.
    pub rich: Option<String>,
    /// The text of a heading behind its first inline element.
    pub behind: Option<Behind>,
    /// Whether it is a link to the start page of the site, as the site's name is.
    pub is_home: bool,
    /// Whether it is the term of a list of definitions, the heading of a row, or the first of two cells of a row.
    pub is_term: bool,
}

/// The text of a heading behind its first inline element, which may be a kicker.
#[derive(Debug)]
pub(super) struct Behind {
    pub text: String,
    /// Whether the class of the element is that of a kicker.
    pub is_kicker: bool,
}

/// A text with a meaning given by markup.
#[derive(Debug)]
pub(super) struct Marked {
    pub text: String,
    /// `rel="author"`, `itemprop` and `<time pubdate>` are reliable, a class name is not.
    pub is_sure: bool,
    pub part: Part,
    /// Index of its line or of the next one.
    pub line: usize,
    /// The classes of its element; they are the same for elements of a list.
    pub class: String,
}

/// Maximum bytes kept per element and per line; JSON-LD may be longer.
const TEXT_BYTES: usize = 1_000;

/// Maximum bytes of JSON-LD per element.
const JSON_BYTES: usize = 1 << 20;

/// Maximum number of open elements; deeper ones are treated as siblings.
const DEPTH: usize = 256;

/// Number of innermost elements that an end tag may close.
const CLOSES: usize = 64;

const LINES: usize = 5_000;
const METAS: usize = 5_000;

/// Maximum number of texts collected at the same time.
const CAPTURES: usize = 32;

/// Maximum number of bylines, dates and links kept.
const MARKED: usize = 64;

/// Number of cells from which on a row is one of a table, not a term with its value.
const CELLS: usize = 3;

/// Maximum number of logos kept.
const LOGOS: usize = 8;

/// Elements without an end tag.
const VOID: [LocalName; 14] = LocalName::table([
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
]);

/// Inline elements.
const INLINE: [LocalName; 30] = LocalName::table([
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "label", "mark", "q", "s", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var",
]);

/// Elements whose text is not visible.
const HIDDEN: [LocalName; 9] = LocalName::table([
    "script", "style", "noscript", "template", "svg", "select", "textarea", "title", "iframe",
]);

/// Reads a page.
pub(super) fn read(html: &str, budget: &Budget) -> Result<Page, Exceeded> {
    let mut reader = PageReader::default();
    tokens::walk(html, &mut reader, budget)?;
    reader.close(0);
    reader.end_line();
    let mut page = reader.page;
    page.objects.extend(reader.objects.into_values());
    page.pairs = labels::pairs(&page.lines);
    Ok(page)
}

#[derive(Default)]
struct PageReader {
    page: Page,
    open: Vec<Open>,
    /// Texts being collected, each until its element ends.
    captures: Vec<Capture>,
    objects: Objects,
    line: String,
    line_part: Part,
    line_heading: u8,
    line_is_home: bool,
    line_is_term: bool,
    /// The lines at which the cells of the row begin.
    cells: Vec<usize>,
    /// The line with markup, if it is a heading.
    rich: String,
    /// Where the first inline element of the heading ends in the line, and whether it is a kicker.
    first_end: Option<(usize, bool)>,
    /// A given name waiting for a family name.
    given: Option<String>,
    words: Words,
}

struct Open {
    name: LocalName,
    part: Part,
    /// A link to the start page.
    is_home: bool,
    is_kicker: bool,
    /// Whether it begins the text of a heading.
    is_first: bool,
}

struct Capture {
    /// Number of open elements outside of it.
    depth: usize,
    kind: Kind,
    text: String,
    /// The line in which its element begins.
    line: usize,
    class: String,
}

#[derive(PartialEq)]
enum Kind {
    Title,
    Json,
    Byline {
        is_sure: bool,
    },
    Profile,
    Heading {
        is_sure: bool,
    },
    Date {
        is_sure: bool,
    },
    Given,
    Family,
    /// Properties of the innermost object.
    Property(String),
}

impl Sink for PageReader {
    fn start(&mut self, tag: &Tag) {
        let name = tag.name;
        if !INLINE.contains(&name) {
            self.end_line();
        }
        let is_void = tag.is_closed || VOID.contains(&name);
        match name {
            element::HTML => self.page.lang = language(tag),
            element::META => self.meta(tag),
            element::LINK => self.link(tag),
            element::A => {
                self.doi_link(tag);
                if tag.get(attribute::HREF).is_some_and(is_home) {
                    self.logo(tag.get(attribute::TITLE));
                }
            }
            element::IMG => {
                let mut around = self.open.iter().rev().take(4);
                let is_logo = around.any(|open| open.is_home)
                    || tag.has_word(attribute::CLASS, "logo")
                    || tag.has_word(attribute::ID, "logo");
                if is_logo {
                    self.logo(tag.get(attribute::ALT));
                }
            }
            element::SPAN
                if tag.has_word(attribute::CLASS, "z3988") && self.page.coins.len() < MARKED =>
            {
                self.page
                    .coins
                    .extend(tag.get(attribute::TITLE).map(str::to_owned));
            }
            element::TR => self.end_row(),
            element::TD | element::TH if self.cells.len() <= CELLS => {
                self.cells.push(self.page.lines.len());
            }
            _ => {}
        }
        self.mark_up(name, false);
        let marks = self.marks(tag);
        let is_object = objects::is_object(tag);
        if let Some(properties) = objects::properties(tag).filter(|_| !is_object) {
            self.property(properties, tag, is_void);
        }
        if is_void || self.open.len() >= DEPTH {
            return;
        }
        if is_object {
            self.objects.open(tag, self.open.len());
        }
        let part = self.part_of(name, &marks);
        let kind = self.kind(tag, &marks, part);
        match (kind, stated_date(tag)) {
            (Some(kind @ Kind::Date { .. }), Some(date)) => {
                self.mark(kind, date.to_owned(), self.page.lines.len(), class(tag));
            }
            (Some(kind), _) => self.capture(kind, tag),
            (None, _) => {}
        }
        self.open.push(Open {
            name: tag.name,
            part,
            is_home: name == element::A && tag.get(attribute::HREF).is_some_and(is_home),
            is_kicker: marks.kicker,
            is_first: self.line.trim().is_empty() && INLINE.contains(&name) && self.heading() > 0,
        });
    }

    fn end(&mut self, name: LocalName) {
        self.mark_up(name, true);
        if !INLINE.contains(&name) {
            self.end_line();
        } else if name == element::A || name == element::SPAN {
            // Separate elements are visually separated by their styles.
            push(&mut self.line, " ", TEXT_BYTES);
        }
        if name == element::TR {
            self.end_row();
        }
        // An unmatched end tag is ignored; a late one also ends the elements inside.
        let innermost = self.open.iter().enumerate().rev().take(CLOSES);
        let found = innermost.into_iter().find(|(_, open)| open.name == name);
        let found = found.map(|(at, open)| (at, open.is_first, open.is_kicker));
        if let Some((at, is_first, is_kicker)) = found {
            if is_first && self.first_end.is_none() && !self.line.trim().is_empty() {
                self.first_end = Some((self.line.len(), is_kicker));
            }
            self.close(at);
        }
    }

    fn text(&mut self, text: &str) {
        let part = self.open.last().map(|open| open.part).unwrap_or_default();
        if part != Part::Hidden && self.page.lines.len() < LINES {
            if self.line.is_empty() && !text.trim().is_empty() {
                self.line_part = part;
                self.line_heading = self.heading();
                let mut around = self.open.iter().rev().take(4);
                self.line_is_home = around.clone().any(|open| open.is_home);
                self.line_is_term =
                    around.any(|open| matches!(open.name, element::DT | element::TH));
            }
            push(&mut self.line, text, TEXT_BYTES);
            if self.line_heading > 0 {
                push(&mut self.rich, text, TEXT_BYTES);
            }
        }
        if self.captures.is_empty() {
            return;
        }
        // Superscripts after a name are footnote marks.
        let mut innermost = self.open.iter().rev().take(3);
        let is_raised = innermost.any(|open| open.name == element::SUP);
        // A line break in the source is a blank; visible line breaks come from elements.
        let flat = || text.replace(['\n', '\r'], " ");
        for capture in &mut self.captures {
            match capture.kind {
                Kind::Json => push(&mut capture.text, text, JSON_BYTES),
                Kind::Title => push(&mut capture.text, text, TEXT_BYTES),
                Kind::Byline { .. } | Kind::Profile if is_raised => {}
                _ if part == Part::Hidden => {}
                _ if capture.text.len() >= TEXT_BYTES => {}
                Kind::Byline { .. } | Kind::Profile => {
                    push(&mut capture.text, &flat(), TEXT_BYTES);
                }
                _ => push(&mut capture.text, text, TEXT_BYTES),
            }
        }
    }
}

impl PageReader {
    /// Closes all elements from `depth` on.
    fn close(&mut self, depth: usize) {
        self.open.truncate(depth);
        let is_closed = |capture: &mut Capture| capture.depth >= depth;
        while let Some(capture) = self.captures.pop_if(is_closed) {
            self.keep(capture);
        }
        self.objects.close(depth);
        // Prevents words of adjacent elements from running together.
        for capture in &mut self.captures {
            push(&mut capture.text, " ", TEXT_BYTES);
        }
    }

    fn end_line(&mut self) {
        for capture in &mut self.captures {
            push(&mut capture.text, "\n", TEXT_BYTES);
        }
        if self.line.is_empty() {
            return;
        }
        let (text, rich) = (squeeze(&self.line), squeeze(&self.rich));
        let behind = self.first_end.take().and_then(|(at, is_kicker)| {
            let text = squeeze(self.line.get(at..)?);
            let text = text.trim_start_matches(|c: char| ":–—|/· ".contains(c));
            let is_title = text.chars().count() > 9;
            is_title.then(|| Behind {
                text: text.to_owned(),
                is_kicker,
            })
        });
        self.line.clear();
        self.rich.clear();
        let (text, rich) = without_footnote(text, rich);
        if !text.is_empty() {
            self.page.lines.push(Line {
                text,
                part: self.line_part,
                heading: self.line_heading,
                rich: Some(clean::rich(&rich)).filter(|_| rich.contains('<')),
                behind,
                is_home: self.line_is_home,
                is_term: self.line_is_term,
            });
        }
    }

    /// Marks the first of two cells of a row as the term of the other.
    fn end_row(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        if let [first, second] = cells.as_slice()
            && first + 1 == *second
            && let Some(line) = self.page.lines.get_mut(*first)
        {
            line.is_term = true;
        }
    }

    /// Keeps the markup of italics and raised or lowered letters of a heading.
    fn mark_up(&mut self, name: LocalName, is_end: bool) {
        let tag = match name {
            element::I | element::EM => "i>",
            element::SUB => "sub>",
            element::SUP => "sup>",
            _ => return,
        };
        if self.heading() > 0 && (is_end || !self.rich.is_empty() || self.line.is_empty()) {
            if self.line.is_empty() {
                self.line_heading = self.heading();
            }
            push(&mut self.rich, if is_end { "</" } else { "<" }, TEXT_BYTES);
            push(&mut self.rich, tag, TEXT_BYTES);
        }
    }

    fn heading(&self) -> u8 {
        let level = |open: &Open| match open.name {
            element::H1 => Some(1),
            element::H2 => Some(2),
            element::H3 => Some(3),
            _ => None,
        };
        self.open.iter().rev().take(6).find_map(level).unwrap_or(0)
    }

    fn meta(&mut self, tag: &Tag) {
        let Some(content) = tag.get(attribute::CONTENT) else {
            return;
        };
        for name in [attribute::NAME, attribute::PROPERTY, attribute::ITEMPROP] {
            if let Some(name) = tag.get(name).filter(|_| self.page.metas.len() < METAS) {
                let name = meta_name(name);
                // Dublin Core's qualifiers: `dc.contributor` of the scheme `inventor`.
                if let Some(scheme) = tag
                    .get(attribute::SCHEME)
                    .filter(|_| name.starts_with("dc."))
                {
                    let name = format!("{name}.{}", cut(scheme, 40).to_lowercase());
                    self.page.metas.push((name, content.to_owned()));
                }
                self.page.metas.push((name, content.to_owned()));
            }
        }
    }

    fn link(&mut self, tag: &Tag) {
        if tag.has_word(attribute::REL, "canonical") {
            let address = tag.get(attribute::HREF).map(str::to_owned);
            self.page.canonical = self.page.canonical.take().or(address);
        }
        let is_feed = tag.get(attribute::TYPE).is_some_and(|kind| {
            ["rss", "atom", "opensearch"]
                .iter()
                .any(|feed| kind.contains(feed))
        });
        if is_feed && self.page.feeds.len() < MARKED {
            self.page
                .feeds
                .extend(tag.get(attribute::TITLE).map(str::to_owned));
        }
    }

    fn logo(&mut self, text: Option<&str>) {
        let text = text.map(squeeze).filter(|text| !text.is_empty());
        if self.page.logos.len() < LOGOS && text.as_ref().is_some_and(|text| text.len() <= 120) {
            self.page.logos.extend(text);
        }
    }

    fn doi_link(&mut self, tag: &Tag) {
        let Some(address) = tag
            .get(attribute::HREF)
            .filter(|href| href.contains("doi.org/10."))
        else {
            return;
        };
        let part = self.open.last().map(|open| open.part).unwrap_or_default();
        if self.page.doi_links.len() < MARKED {
            self.page.doi_links.push(Marked {
                text: cut(address, TEXT_BYTES).to_owned(),
                is_sure: false,
                part,
                line: self.page.lines.len(),
                class: String::new(),
            });
        }
    }

    fn marks(&mut self, tag: &Tag) -> Marks {
        let of = |name| tag.get(name).map(|words| cut(words, TEXT_BYTES));
        let class = self.words.read(of(attribute::CLASS).unwrap_or_default());
        class.and(self.words.read(of(attribute::ID).unwrap_or_default()))
    }

    /// The part of the page that an element begins, if it is inside the work.
    fn part_of(&self, name: LocalName, marks: &Marks) -> Part {
        let outer = self.open.last().map(|open| open.part).unwrap_or_default();
        match name {
            _ if HIDDEN.contains(&name) => Part::Hidden,
            _ if outer != Part::Main => outer,
            element::HTML | element::BODY | element::MAIN | element::ARTICLE => Part::Main,
            element::NAV | element::FOOTER | element::ASIDE => Part::Aside,
            element::FIGCAPTION => Part::Others,
            // `post sidebar-right` is a post that has a sidebar.
            _ if marks.is_work && marks.part == Part::Aside => Part::Main,
            _ => marks.part,
        }
    }

    /// The kind of text in an element, if it is relevant.
    fn kind(&self, tag: &Tag, marks: &Marks, part: Part) -> Option<Kind> {
        let is_sure = tag.has_word(attribute::REL, "author");
        match tag.name {
            element::TITLE => {
                let is_drawing = || self.open.iter().any(|open| open.name == element::SVG);
                (self.page.title.is_empty() && !is_drawing()).then_some(Kind::Title)
            }
            element::SCRIPT => {
                let kind = tag.get(attribute::TYPE).unwrap_or_default();
                let is_json = kind.to_ascii_lowercase().contains("ld+json");
                is_json.then_some(Kind::Json)
            }
            element::BODY | element::HTML | element::HEAD | element::NAV => None,
            element::FOOTER | element::FORM | element::MAIN => None,
            _ if matches!(part, Part::Hidden | Part::Others) => None,
            _ if marks.given => Some(Kind::Given),
            _ if marks.family => Some(Kind::Family),
            element::TIME => Some(Kind::Date {
                is_sure: tag.has(attribute::PUBDATE),
            }),
            _ if is_sure || marks.author => Some(Kind::Byline { is_sure }),
            _ if marks.date => Some(Kind::Date { is_sure: false }),
            _ if marks.title => Some(Kind::Heading { is_sure: false }),
            element::ABBR | element::SPAN if titled_date(tag).is_some() => {
                Some(Kind::Date { is_sure: false })
            }
            element::A if tag.get(attribute::HREF).is_some_and(is_profile) => Some(Kind::Profile),
            _ => None,
        }
    }

    fn capture(&mut self, kind: Kind, tag: &Tag) {
        if self.captures.len() < CAPTURES {
            self.captures.push(Capture {
                depth: self.open.len(),
                kind,
                text: String::new(),
                line: self.page.lines.len(),
                class: class(tag),
            });
        }
    }

    /// Adds the properties of an element, from an attribute or from its text.
    fn property(&mut self, properties: &str, tag: &Tag, is_void: bool) {
        let first = properties.split_ascii_whitespace().next();
        let first = first.and_then(|first| first.rsplit([':', '/']).next());
        let first = first.unwrap_or_default();
        let stated = objects::stated(first, tag).map(|value| cut(value, TEXT_BYTES).to_owned());
        if self.objects.is_inside() {
            let is_dublin_core = ["dc:date", "dc:created", "dcterms:created", "dcterms:issued"]
                .iter()
                .any(|name| {
                    properties
                        .split_ascii_whitespace()
                        .any(|word| word == *name)
                });
            if let Some(value) = stated.clone().filter(|_| is_dublin_core) {
                let kind = Kind::Date { is_sure: true };
                self.mark(kind, value, self.page.lines.len(), class(tag));
            }
            match stated {
                Some(value) => self.objects.add(properties, Value::String(value)),
                None if is_void => {}
                None => self.capture(Kind::Property(properties.to_owned()), tag),
            }
            return;
        }
        let kind = match first {
            "author" | "creator" => Kind::Byline { is_sure: true },
            "headline" | "title" => Kind::Heading { is_sure: true },
            "datePublished" | "date" | "created" | "issued" => Kind::Date { is_sure: true },
            _ => return,
        };
        match stated {
            Some(value) => self.mark(kind, value, self.page.lines.len(), class(tag)),
            None if is_void => {}
            None => self.capture(kind, tag),
        }
    }

    fn keep(&mut self, capture: Capture) {
        match capture.kind {
            Kind::Title => self.page.title = squeeze(&capture.text),
            Kind::Json => self.page.objects.extend(json(&capture.text)),
            Kind::Property(properties) => {
                let text = Value::String(squeeze(&capture.text));
                self.objects.add(&properties, text);
            }
            Kind::Given => self.given = Some(squeeze(&capture.text)),
            Kind::Family => {
                let family = squeeze(&capture.text);
                let name = names::from_parts(Some(&family), self.given.take().as_deref(), None);
                let is_new = !name.is_empty() && !self.page.people.contains(&name);
                if is_new && self.page.people.len() < MARKED {
                    self.page.people.push(name);
                }
            }
            kind => self.mark(kind, capture.text, capture.line, capture.class),
        }
    }

    /// Keeps a byline or a date.
    fn mark(&mut self, kind: Kind, text: String, line: usize, class: String) {
        let (list, is_sure) = match kind {
            Kind::Byline { is_sure } => (&mut self.page.bylines, is_sure),
            Kind::Profile => (&mut self.page.profiles, false),
            Kind::Heading { is_sure } => (&mut self.page.titles, is_sure),
            Kind::Date { is_sure } => (&mut self.page.dates, is_sure),
            _ => return,
        };
        if list.len() < MARKED && !text.trim().is_empty() {
            list.push(Marked {
                text,
                is_sure,
                part: self.open.last().map(|open| open.part).unwrap_or_default(),
                line,
                class,
            });
        }
    }
}

/// The name of a tag in lower case; Dublin Core and PRISM are written with a stop or a colon, and Dublin Core's
/// terms under two prefixes.
fn meta_name(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let Some((prefix, rest)) = name.split_once([':', '.']) else {
        return name;
    };
    match prefix {
        "dct" | "dcterms" | "dcterm" => format!("dcterms.{rest}"),
        "dc" | "prism" | "eprints" => format!("{prefix}.{rest}"),
        _ => name,
    }
}

/// A heading without the mark of a footnote at its end.
fn without_footnote(text: String, rich: String) -> (String, String) {
    let mark = rich
        .strip_suffix("</sup>")
        .and_then(|head| head.rsplit_once("<sup>"))
        .filter(|(_, mark)| {
            mark.chars()
                .all(|c| c.is_ascii_digit() || "*†‡§#, ".contains(c))
        });
    match mark {
        Some((head, mark))
            if text.trim_end().ends_with(mark) && head.ends_with(char::is_alphabetic) =>
        {
            let text = text.trim_end();
            let text = text
                .get(..text.len() - mark.len())
                .unwrap_or(text)
                .trim_end();
            (text.to_owned(), head.trim_end().to_owned())
        }
        _ => (text, rich),
    }
}

/// Whether an address is the page of a person on a site: `/author/jane-roe`.
fn is_profile(address: &str) -> bool {
    const PEOPLE: [&str; 29] = words(
        "author authors autor autora autoren autores autori auteur auteurs byline contributor \
         contributors journalist journalists profile profiles staff user users member members people person \
         columnist columnists blogger bloggers redakteur redaktion",
    );
    // Pages of members whose numbers are in the query.
    const MEMBERS: [&str; 8] = words(
        "mode=viewprofile action=profile member.php?u= member.php?action= profile.php?id= profile.php?mode= \
         memberinfo.php? user.php?id=",
    );
    let address = cut(address, TEXT_BYTES);
    if MEMBERS.iter().any(|member| address.contains(member)) {
        return true;
    }
    let path = address.split(['?', '#']).next();
    let mut parts = path.unwrap_or_default().split('/');
    parts.any(|part| PEOPLE.contains(&part)) && parts.any(|part| !part.is_empty())
}

/// Whether an address is the start page of a site: `/`, `https://example.org/`, `index.html`.
fn is_home(address: &str) -> bool {
    let address = cut(address.trim(), 200);
    let path = match address.split_once("//") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address.trim_start_matches(['.', '/']),
    };
    let is_start = path.is_empty() || path.starts_with("index.") && !path.contains(['/', '?']);
    is_start
        && !address.is_empty()
        && !address.starts_with('#')
        && !address.starts_with("javascript")
}

fn class(tag: &Tag) -> String {
    cut(tag.get(attribute::CLASS).unwrap_or_default(), 100).to_owned()
}

fn language(tag: &Tag) -> Option<String> {
    let stated = tag
        .get(attribute::LANG)
        .or_else(|| tag.get(attribute::XML_LANG));
    stated.map(str::to_owned)
}

/// The date in an attribute: `<time datetime>`, and hAtom's `<abbr title>`.
fn stated_date(tag: &Tag) -> Option<&str> {
    match tag.name {
        element::ABBR => tag.get(attribute::TITLE),
        element::SPAN if titled_date(tag).is_some() => titled_date(tag),
        _ => tag
            .get(attribute::DATETIME)
            .or_else(|| tag.get(attribute::CONTENT)),
    }
}

/// The title of an element that shows how long ago something was: `2021-07-03T10:00:00Z`, `2021-07-03 10:00`.
fn titled_date(tag: &Tag) -> Option<&str> {
    let title = tag.get(attribute::TITLE)?;
    let is_time = title.len() <= 40
        && title
            .bytes()
            .take(16)
            .enumerate()
            .all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                10 => matches!(byte, b'T' | b' '),
                13 => byte == b':',
                _ => byte.is_ascii_digit(),
            });
    (is_time && title.len() >= 16).then_some(title)
}

/// Parses a JSON-LD element without surrounding comments, and with the unescaped line breaks, the commas
/// before closing brackets and the several values that some systems write.
fn json(text: &str) -> Vec<Value> {
    let text = text.replace(char::is_control, " ");
    let text = text.replace("<![CDATA[", " ").replace("]]>", " ");
    let text = text.find(['{', '[']).and_then(|start| text.get(start..));
    let text = text.unwrap_or_default();
    let values = |text: &str| -> Vec<Value> {
        let values = serde_json::Deserializer::from_str(text).into_iter();
        values.map_while(Result::ok).take(100).collect()
    };
    let found = values(text);
    if found.is_empty() && !text.is_empty() {
        values(&without_last_commas(text))
    } else {
        found
    }
}

/// Removes commas before closing brackets.
fn without_last_commas(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for part in text.split_inclusive(['}', ']']) {
        let close = part.chars().next_back().filter(|c| matches!(c, '}' | ']'));
        let inner = part.trim_end_matches(['}', ']']).trim_end();
        match (inner.strip_suffix(','), close) {
            (Some(inner), Some(close)) => {
                found.push_str(inner);
                found.push(close);
            }
            _ => found.push_str(part),
        }
    }
    found
}

/// Appends as much as fits; blanks and line breaks are not repeated.
fn push(to: &mut String, text: &str, most: usize) {
    let is_gap = matches!(text, " " | "\n");
    if is_gap && (to.is_empty() || to.ends_with(text)) {
        return;
    }
    to.push_str(cut(text, most.saturating_sub(to.len())));
}

/// At most `bytes` bytes of a text, cut between characters.
fn cut(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// Collapses runs of white space to one blank.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
