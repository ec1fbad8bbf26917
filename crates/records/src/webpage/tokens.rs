//! Tags and texts of a page in order, from html5gum's events. Only the relevant attributes of a tag are
//! kept, so that any number of attributes costs no memory.

use html5gum::Span;
use html5gum::Tokenizer;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};

use citation_model::budget::{Budget, Exceeded};

/// Receives the tags and texts.
pub(super) trait Sink {
    fn start(&mut self, tag: &Tag);
    fn end(&mut self, name: LocalName);
    fn text(&mut self, text: &str);
}

/// The lower-case name of an element or attribute, cut after 16 letters; no relevant name is longer. Stored
/// as a number because names are compared very often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LocalName(u128);

impl LocalName {
    pub const fn of(name: &str) -> LocalName {
        LocalName::of_bytes(name.as_bytes())
    }

    const fn of_bytes(mut name: &[u8]) -> LocalName {
        let mut number = 0;
        while let [letter, rest @ ..] = name {
            if number >> 120 == 0 {
                number = number << 8 | letter.to_ascii_lowercase() as u128;
            }
            name = rest;
        }
        LocalName(number)
    }

    /// The names of a table.
    #[allow(
        clippy::indexing_slicing,
        reason = "a constant function has no iterators"
    )]
    pub const fn table<const N: usize>(names: [&str; N]) -> [LocalName; N] {
        let mut table = [LocalName(0); N];
        let mut at = 0;
        while at < N {
            table[at] = LocalName::of(names[at]);
            at += 1;
        }
        table
    }
}

/// The attributes that are read.
pub(super) mod attribute {
    use super::LocalName;

    pub const ALT: LocalName = LocalName::of("alt");
    pub const CLASS: LocalName = LocalName::of("class");
    pub const CONTENT: LocalName = LocalName::of("content");
    pub const SCHEME: LocalName = LocalName::of("scheme");
    pub const DATETIME: LocalName = LocalName::of("datetime");
    pub const HREF: LocalName = LocalName::of("href");
    pub const ID: LocalName = LocalName::of("id");
    pub const ITEMPROP: LocalName = LocalName::of("itemprop");
    pub const ITEMSCOPE: LocalName = LocalName::of("itemscope");
    pub const ITEMTYPE: LocalName = LocalName::of("itemtype");
    pub const LANG: LocalName = LocalName::of("lang");
    pub const NAME: LocalName = LocalName::of("name");
    pub const PROPERTY: LocalName = LocalName::of("property");
    pub const PUBDATE: LocalName = LocalName::of("pubdate");
    pub const REL: LocalName = LocalName::of("rel");
    pub const TITLE: LocalName = LocalName::of("title");
    pub const TYPE: LocalName = LocalName::of("type");
    pub const TYPEOF: LocalName = LocalName::of("typeof");
    pub const XML_LANG: LocalName = LocalName::of("xml:lang");

    pub const ALL: [LocalName; 19] = [
        ALT, CLASS, CONTENT, DATETIME, HREF, ID, ITEMPROP, ITEMSCOPE, ITEMTYPE, LANG, NAME,
        PROPERTY, PUBDATE, REL, SCHEME, TITLE, TYPE, TYPEOF, XML_LANG,
    ];
}

/// The relevant elements.
pub(super) mod element {
    use super::LocalName;

    pub const A: LocalName = LocalName::of("a");
    pub const ABBR: LocalName = LocalName::of("abbr");
    pub const AREA: LocalName = LocalName::of("area");
    pub const ARTICLE: LocalName = LocalName::of("article");
    pub const ASIDE: LocalName = LocalName::of("aside");
    pub const FIGCAPTION: LocalName = LocalName::of("figcaption");
    pub const BODY: LocalName = LocalName::of("body");
    pub const DT: LocalName = LocalName::of("dt");
    pub const EM: LocalName = LocalName::of("em");
    pub const FOOTER: LocalName = LocalName::of("footer");
    pub const FORM: LocalName = LocalName::of("form");
    pub const H1: LocalName = LocalName::of("h1");
    pub const H2: LocalName = LocalName::of("h2");
    pub const H3: LocalName = LocalName::of("h3");
    pub const HEAD: LocalName = LocalName::of("head");
    pub const HTML: LocalName = LocalName::of("html");
    pub const I: LocalName = LocalName::of("i");
    pub const IMG: LocalName = LocalName::of("img");
    pub const LINK: LocalName = LocalName::of("link");
    pub const MAIN: LocalName = LocalName::of("main");
    pub const META: LocalName = LocalName::of("meta");
    pub const NAV: LocalName = LocalName::of("nav");
    pub const SCRIPT: LocalName = LocalName::of("script");
    pub const SPAN: LocalName = LocalName::of("span");
    pub const SUB: LocalName = LocalName::of("sub");
    pub const SUP: LocalName = LocalName::of("sup");
    pub const SVG: LocalName = LocalName::of("svg");
    pub const TD: LocalName = LocalName::of("td");
    pub const TH: LocalName = LocalName::of("th");
    pub const TIME: LocalName = LocalName::of("time");
    pub const TITLE: LocalName = LocalName::of("title");
    pub const TR: LocalName = LocalName::of("tr");
}

/// Maximum bytes of an attribute value.
const VALUE_BYTES: usize = 64 * 1024;

/// A start tag.
#[derive(Debug, Default)]
pub(super) struct Tag {
    pub name: LocalName,
    /// `<br/>`.
    pub is_closed: bool,
    attributes: Vec<(LocalName, String)>,
    /// Index of the attribute whose value comes next.
    current: Option<usize>,
}

impl Tag {
    /// The value of an attribute, unless it is blank.
    pub fn get(&self, name: LocalName) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| *known == name);
        let value = found.map(|(_, value)| value.trim())?;
        (!value.is_empty()).then_some(value)
    }

    pub fn has(&self, name: LocalName) -> bool {
        self.attributes.iter().any(|(known, _)| *known == name)
    }

    /// Whether a space-separated value contains this word.
    pub fn has_word(&self, name: LocalName, word: &str) -> bool {
        let mut words = self.get(name).unwrap_or_default().split_ascii_whitespace();
        words.any(|found| found.eq_ignore_ascii_case(word))
    }

    fn open(&mut self, name: &[u8]) {
        self.name = LocalName::of_bytes(name);
        self.attributes.clear();
        self.current = None;
        self.is_closed = false;
    }

    fn name_attribute(&mut self, name: &[u8]) {
        let name = LocalName::of_bytes(name);
        // The first of duplicate attributes counts.
        let is_read = attribute::ALL.contains(&name) && !self.has(name);
        self.current = is_read.then_some(self.attributes.len());
        if is_read {
            self.attributes.push((name, String::new()));
        }
    }

    fn give_value(&mut self, value: &[u8]) {
        let slot = self.current.and_then(|at| self.attributes.get_mut(at));
        if let Some((_, kept)) = slot {
            let value = value.get(..VALUE_BYTES).unwrap_or(value);
            kept.push_str(&String::from_utf8_lossy(value));
        }
    }
}

/// Visits a page. Costs two steps per tag and one per hundred bytes of text.
pub(super) fn walk(html: &str, sink: &mut impl Sink, budget: &Budget) -> Result<(), Exceeded> {
    let mut tag = Tag::default();
    let callback = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Exceeded> {
        match event {
            CallbackEvent::OpenStartTag { name } => tag.open(name),
            CallbackEvent::AttributeName { name } => tag.name_attribute(name),
            CallbackEvent::AttributeValue { value } => tag.give_value(value),
            CallbackEvent::CloseStartTag { self_closing } => {
                tag.is_closed = self_closing;
                sink.start(&tag);
                return budget.spend(2).err();
            }
            CallbackEvent::EndTag { name } => {
                sink.end(LocalName::of_bytes(name));
                return budget.spend(2).err();
            }
            CallbackEvent::String { value } => {
                sink.text(&String::from_utf8_lossy(value));
                return budget.spend(1 + value.len() as u64 / 100).err();
            }
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::new(callback);
    emitter.naively_switch_states(true);
    match Tokenizer::new_with_emitter(html, emitter).next() {
        Some(Ok(exceeded)) => Err(exceeded),
        None => Ok(()),
    }
}
