//! One pass over the HTML of a page: what its tags say, as lists of texts. No tree is built, so depth
//! costs nothing.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};
use serde_json::{Map, Value};

use citation_model::budget::{Budget, Exceeded};

/// What the tags of a page say, in the order of the page.
#[derive(Debug, Default)]
pub(super) struct Markup {
    /// The language of the root element.
    pub lang: Option<String>,
    /// The text of `<title>`.
    pub title: String,
    /// The texts of the first `<h1>` elements.
    pub headings: Vec<String>,
    /// `<link rel="canonical">`.
    pub canonical: Option<String>,
    /// `<meta>`: name, property or itemprop in lower case, and content.
    pub metas: Vec<(String, String)>,
    /// The objects of JSON-LD and of microdata, as JSON-LD has them.
    pub objects: Vec<Value>,
    /// Texts of elements that are marked as the author's name.
    pub bylines: Vec<Byline>,
    /// Texts of elements that are marked as the date of publication.
    pub dates: Vec<String>,
    /// The titles of COinS spans.
    pub coins: Vec<String>,
}

/// A text that is marked as naming authors.
#[derive(Debug)]
pub(super) struct Byline {
    pub text: String,
    /// `rel="author"` and `itemprop="author"` are sure, the name of a class is not.
    pub is_sure: bool,
}

/// The longest text of one element that is kept, in bytes; JSON-LD may be longer.
const TEXT_BYTES: usize = 2_000;

/// The longest JSON-LD of one element, in bytes.
const JSON_BYTES: usize = 1 << 20;

/// The most elements that are open at once; deeper ones are read as siblings.
const DEPTH: usize = 512;

/// The most values of one kind that are kept.
const VALUES: usize = 5_000;

/// The most headings, bylines and dates that are kept.
const FEW: usize = 40;

/// Elements without an end tag.
const VOID: [&[u8]; 14] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param",
    b"source", b"track", b"wbr",
];

/// Reads a page. Costs a step for every tag and text.
pub(super) fn read(html: &str, budget: &Budget) -> Result<Markup, Exceeded> {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let mut reader = Reader::default();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        budget.spend(4)?;
        match token {
            Ok(Token::StartTag(tag)) => reader.start(&tag),
            Ok(Token::EndTag(tag)) => reader.end(&tag.name.0),
            Ok(Token::String(text)) => reader.text(&text),
            Ok(_) => {}
        }
    }
    reader.close(0);
    Ok(reader.markup)
}

#[derive(Default)]
struct Reader {
    markup: Markup,
    /// The names of the open elements.
    open: Vec<Vec<u8>>,
    /// Texts that are being gathered, each until its element ends.
    captures: Vec<Capture>,
    /// Microdata objects whose elements are open.
    scopes: Vec<Scope>,
}

struct Capture {
    /// How many elements are open outside of it.
    depth: usize,
    kind: Kind,
    text: String,
}

enum Kind {
    Title,
    Heading,
    Json,
    Byline {
        is_sure: bool,
    },
    Date,
    /// A property of the innermost microdata object.
    Property(String),
}

struct Scope {
    depth: usize,
    object: Map<String, Value>,
    /// The property of the object around it that it is the value of.
    property: Option<String>,
}

impl Reader {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = tag.name.0.as_slice();
        let attribute = |name: &[u8]| {
            let value = tag.attributes.get(name)?;
            let text = String::from_utf8_lossy(&value.0).trim().to_owned();
            (!text.is_empty()).then_some(text)
        };
        match name {
            b"html" => self.markup.lang = attribute(b"lang").or_else(|| attribute(b"xml:lang")),
            b"meta" => self.meta(&attribute),
            b"link" if has_word(attribute(b"rel"), "canonical") => {
                self.markup.canonical = self.markup.canonical.take().or(attribute(b"href"));
            }
            b"span" if has_word(attribute(b"class"), "z3988") => {
                keep(&mut self.markup.coins, attribute(b"title"), VALUES);
            }
            _ => {}
        }
        let is_void = tag.self_closing || VOID.contains(&name);
        let scope = tag.attributes.contains_key(b"itemscope".as_slice());
        let property = attribute(b"itemprop");
        if let Some(property) = property.as_deref().filter(|_| !scope) {
            self.property(property, name, is_void, &attribute);
        }
        if is_void || self.open.len() >= DEPTH {
            return;
        }
        if scope {
            let mut object = Map::new();
            if let Some(kind) = attribute(b"itemtype") {
                let kind = kind.rsplit(['/', '#']).next().unwrap_or_default();
                object.insert("@type".to_owned(), kind.into());
            }
            self.scopes.push(Scope {
                depth: self.open.len(),
                object,
                property,
            });
        }
        if let Some(kind) = self.kind(name, &attribute) {
            self.captures.push(Capture {
                depth: self.open.len(),
                kind,
                text: String::new(),
            });
        }
        self.open.push(name.to_vec());
    }

    fn meta(&mut self, attribute: &impl Fn(&[u8]) -> Option<String>) {
        let Some(content) = attribute(b"content") else {
            return;
        };
        let names = [b"name".as_slice(), b"property", b"itemprop"];
        for name in names.into_iter().filter_map(attribute) {
            if self.markup.metas.len() < VALUES {
                let pair = (name.to_lowercase(), cut(&content, JSON_BYTES).to_owned());
                self.markup.metas.push(pair);
            }
        }
    }

    /// What the text of an element is, where it is of use.
    fn kind(&mut self, name: &[u8], attribute: &impl Fn(&[u8]) -> Option<String>) -> Option<Kind> {
        let markup = &self.markup;
        match name {
            b"title" if markup.title.is_empty() && !self.open.iter().any(|n| n == b"svg") => {
                return Some(Kind::Title);
            }
            b"h1" if markup.headings.len() < FEW => return Some(Kind::Heading),
            b"script" if attribute(b"type").is_some_and(|t| t.contains("ld+json")) => {
                return Some(Kind::Json);
            }
            b"script" | b"style" | b"body" | b"html" | b"head" | b"nav" | b"footer" | b"form" => {
                return None;
            }
            _ => {}
        }
        let classes = [attribute(b"class"), attribute(b"id")];
        let words: Vec<String> = (classes.into_iter().flatten())
            .flat_map(|text| {
                let words = text.split_whitespace().map(str::to_lowercase);
                words.take(20).collect::<Vec<_>>()
            })
            .collect();
        if name == b"time" || words.iter().any(|word| is_date_class(word)) {
            let stated = attribute(b"datetime").or_else(|| {
                let is_abbreviation = name == b"abbr";
                attribute(b"title").filter(|_| is_abbreviation)
            });
            if self.markup.dates.len() >= FEW {
                return None;
            }
            let Some(stated) = stated else {
                return Some(Kind::Date);
            };
            self.markup.dates.push(cut(&stated, TEXT_BYTES).to_owned());
            return None;
        }
        let is_sure = has_word(attribute(b"rel"), "author");
        if self.markup.bylines.len() < FEW && (is_sure || words.iter().any(|w| is_author_class(w)))
        {
            return Some(Kind::Byline { is_sure });
        }
        None
    }

    /// A property of a microdata object, from an attribute or from the text to come.
    fn property(
        &mut self,
        property: &str,
        name: &[u8],
        is_void: bool,
        attribute: &impl Fn(&[u8]) -> Option<String>,
    ) {
        let stated = match name {
            b"meta" => attribute(b"content"),
            b"time" => attribute(b"datetime"),
            b"a" | b"link" | b"area" if property != "author" && property != "name" => {
                attribute(b"href")
            }
            b"img" | b"audio" | b"video" | b"source" | b"embed" | b"iframe" => attribute(b"src"),
            _ => attribute(b"content"),
        };
        match stated {
            Some(value) => self.add(property, Value::String(cut(&value, TEXT_BYTES).to_owned())),
            None if is_void => {}
            None => self.captures.push(Capture {
                depth: self.open.len(),
                kind: Kind::Property(property.to_owned()),
                text: String::new(),
            }),
        }
    }

    fn text(&mut self, text: &HtmlString) {
        if self.captures.is_empty() {
            return;
        }
        // Raised figures and letters in a byline are marks of footnotes, and scripts no text.
        let is_within = |name: &[u8]| self.open.iter().rev().take(4).any(|open| open == name);
        let is_mark = is_within(b"sup");
        let is_script = is_within(b"script") || is_within(b"style");
        let text = String::from_utf8_lossy(&text.0);
        for capture in &mut self.captures {
            let is_left_out = match capture.kind {
                Kind::Json => false,
                Kind::Byline { .. } => is_mark || is_script,
                _ => is_script,
            };
            if is_left_out {
                continue;
            }
            let limit = match capture.kind {
                Kind::Json => JSON_BYTES,
                _ => TEXT_BYTES,
            };
            let room = limit.saturating_sub(capture.text.len());
            capture.text.push_str(cut(&text, room));
        }
    }

    fn end(&mut self, name: &[u8]) {
        // An end tag without its start ends nothing; one that comes late ends what is inside it.
        if let Some(at) = self.open.iter().rposition(|open| open == name) {
            self.close(at);
        } else if name == b"br" || name == b"p" {
            self.text(&HtmlString(b" ".to_vec()));
        }
    }

    /// Ends all elements from the given one on.
    fn close(&mut self, depth: usize) {
        self.open.truncate(depth);
        while self.captures.last().is_some_and(|c| c.depth >= depth) {
            if let Some(capture) = self.captures.pop() {
                self.keep(capture);
            }
        }
        while self.scopes.last().is_some_and(|s| s.depth >= depth) {
            let Some(scope) = self.scopes.pop() else {
                break;
            };
            let object = Value::Object(scope.object);
            match (scope.property, self.scopes.is_empty()) {
                (Some(property), false) => self.add(&property, object),
                _ => keep(&mut self.markup.objects, Some(object), VALUES),
            }
        }
        // Words of neighbouring elements do not run together.
        self.text(&HtmlString(b" ".to_vec()));
    }

    fn keep(&mut self, capture: Capture) {
        let text = match capture.kind {
            Kind::Json => capture.text,
            _ => squeeze(&capture.text),
        };
        let markup = &mut self.markup;
        match capture.kind {
            Kind::Property(property) => self.add(&property, Value::String(text)),
            _ if text.is_empty() => {}
            Kind::Title => markup.title = text,
            Kind::Heading => markup.headings.push(text),
            Kind::Json => markup.objects.extend(json(&text)),
            Kind::Byline { is_sure } => markup.bylines.push(Byline { text, is_sure }),
            Kind::Date => markup.dates.push(text),
        }
    }

    /// Adds a value to the innermost microdata object; several values of one property make a list.
    fn add(&mut self, property: &str, value: Value) {
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        for property in property.split_whitespace() {
            match scope.object.get_mut(property) {
                Some(Value::Array(list)) if list.len() < VALUES => list.push(value.clone()),
                Some(Value::Array(_)) => {}
                Some(first) => {
                    let first = first.take();
                    let list = Value::Array(vec![first, value.clone()]);
                    scope.object.insert(property.to_owned(), list);
                }
                None => {
                    scope.object.insert(property.to_owned(), value.clone());
                }
            }
        }
    }
}

/// The value of a JSON-LD element, without the comments that some systems put around it and with the
/// line breaks that they leave inside of texts.
fn json(text: &str) -> Option<Value> {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let text = text.replace("<![CDATA[", " ").replace("]]>", " ");
    let (start, end) = (text.find(['{', '['])?, text.rfind(['}', ']'])?);
    serde_json::from_str(text.get(start..=end)?).ok()
}

fn keep<T>(list: &mut Vec<T>, value: Option<T>, most: usize) {
    if list.len() < most {
        list.extend(value);
    }
}

fn has_word(text: Option<String>, word: &str) -> bool {
    text.is_some_and(|text| {
        text.split_whitespace()
            .any(|w| w.eq_ignore_ascii_case(word))
    })
}

/// At most so many bytes of a text, cut between characters.
fn cut(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// Runs of white space as one blank.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a class or an id marks who wrote the page: `byline`, `author-name`, `post__author`.
fn is_author_class(word: &str) -> bool {
    const NOT: [&str; 16] = [
        "bio",
        "box",
        "comment",
        "image",
        "img",
        "avatar",
        "photo",
        "follow",
        "social",
        "link-",
        "info",
        "notes",
        "list",
        "count",
        "description",
        "title",
    ];
    let named = ["byline", "author", "autor", "verfasser", "writer"]
        .iter()
        .any(|n| word.contains(n));
    named && !NOT.iter().any(|part| word.contains(part))
}

/// Whether a class or an id marks when the page was published.
fn is_date_class(word: &str) -> bool {
    const MARKS: [&str; 12] = [
        "published",
        "pubdate",
        "pub-date",
        "entry-date",
        "post-date",
        "postdate",
        "article-date",
        "date-header",
        "datepublished",
        "publish-date",
        "dateline",
        "timestamp",
    ];
    const NOT: [&str; 4] = ["updat", "modif", "comment", "unpublish"];
    let is_marked = word == "date" || MARKS.iter().any(|mark| word.contains(mark));
    is_marked && !NOT.iter().any(|part| word.contains(part))
}
