//! Tags and texts of a page, one after the other, out of html5gum's events. Nothing of a tag is kept but
//! the attributes that say something of a work, so that endless attributes cost no memory.

use html5gum::Span;
use html5gum::Tokenizer;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};

use citation_model::budget::{Budget, Exceeded};

/// What takes the tags and texts.
pub(super) trait Sink {
    fn start(&mut self, tag: &Tag);
    fn end(&mut self, name: ElementName);
    fn text(&mut self, text: &str);
}

/// An element's name in lower case, without what is behind the twelfth letter; no element of HTML
/// that matters here has a longer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ElementName([u8; 12]);

impl ElementName {
    fn new(name: &[u8]) -> ElementName {
        let mut letters = [0; 12];
        for (to, from) in letters.iter_mut().zip(name) {
            *to = from.to_ascii_lowercase();
        }
        ElementName(letters)
    }

    pub fn as_str(&self) -> &str {
        let end = self.0.iter().position(|letter| *letter == 0);
        let letters = self.0.get(..end.unwrap_or(self.0.len()));
        std::str::from_utf8(letters.unwrap_or_default()).unwrap_or_default()
    }
}

/// The attributes that are read.
const READ: [&str; 16] = [
    "class",
    "content",
    "datetime",
    "href",
    "id",
    "itemprop",
    "itemscope",
    "itemtype",
    "lang",
    "name",
    "property",
    "pubdate",
    "rel",
    "title",
    "type",
    "typeof",
];

/// The longest value of an attribute, in bytes.
const VALUE_BYTES: usize = 64 * 1024;

/// A start tag.
#[derive(Debug, Default)]
pub(super) struct Tag {
    pub name: ElementName,
    /// `<br/>`.
    pub is_closed: bool,
    attributes: Vec<(&'static str, String)>,
    /// Where in the attributes the value to come belongs.
    current: Option<usize>,
}

impl Tag {
    /// The value of an attribute, unless it is blank.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| *known == name);
        let value = found.map(|(_, value)| value.trim())?;
        (!value.is_empty()).then_some(value)
    }

    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(known, _)| *known == name)
    }

    /// Whether a value of words has this one.
    pub fn has_word(&self, name: &str, word: &str) -> bool {
        let mut words = self.get(name).unwrap_or_default().split_ascii_whitespace();
        words.any(|found| found.eq_ignore_ascii_case(word))
    }

    fn open(&mut self, name: &[u8]) {
        self.name = ElementName::new(name);
        self.attributes.clear();
        self.current = None;
        self.is_closed = false;
    }

    fn name_attribute(&mut self, name: &[u8]) {
        let name = match name {
            b"xml:lang" => b"lang",
            name => name,
        };
        let known = READ.iter().find(|known| known.as_bytes() == name);
        // Of two attributes of one name the first counts.
        self.current = known.filter(|known| !self.has(known)).map(|known| {
            self.attributes.push((known, String::new()));
            self.attributes.len() - 1
        });
    }

    fn give_value(&mut self, value: &[u8]) {
        let slot = self.current.and_then(|at| self.attributes.get_mut(at));
        if let Some((_, kept)) = slot {
            let value = value.get(..VALUE_BYTES).unwrap_or(value);
            kept.push_str(&String::from_utf8_lossy(value));
        }
    }
}

/// Walks through a page. Costs two steps for each tag and one for a hundred bytes of text.
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
                sink.end(ElementName::new(name));
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
