//! Parses XML into a small tree with source offsets. Limits size, depth and attributes and rejects
//! document types, so that the cost of hostile files is linear in their length.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::error::{StyleError, StyleFault};

/// In bytes. The largest style of the public collection has a quarter of a million.
const MAX_SIZE: usize = 4 * 1024 * 1024;
/// The deepest style of the public collection nests 32 levels. Readers of the tree recurse per level, on
/// stacks of 256 KiB.
const MAX_DEPTH: usize = 48;
/// The largest style of the public collection has 6,000.
const MAX_ELEMENTS: usize = 100_000;
const MAX_ATTRIBUTES: usize = 64;
/// In bytes. An attribute is copied as often as the style uses it.
const MAX_ATTRIBUTE: usize = 4096;

/// One element with its attributes, child elements and own text.
#[derive(Debug, Default)]
pub struct XmlElement<'a> {
    /// Without a namespace prefix.
    pub name: &'a str,
    pub attributes: Vec<(&'a str, Cow<'a, str>)>,
    pub children: Vec<XmlElement<'a>>,
    /// The text directly inside the element, without comments.
    pub text: String,
    /// Byte offset of the tag in the source.
    pub offset: usize,
}

impl<'a> XmlElement<'a> {
    /// The value of an attribute, ignoring its namespace prefix.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.as_ref())
    }

    pub fn child(&self, name: &str) -> Option<&XmlElement<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    pub fn children_named<'s>(
        &'s self,
        name: &'s str,
    ) -> impl Iterator<Item = &'s XmlElement<'a>> + 's {
        self.children.iter().filter(move |child| child.name == name)
    }
}

/// Parses a document and returns its root element.
pub fn parse(source: &str) -> Result<XmlElement<'_>, StyleError> {
    if source.len() > MAX_SIZE {
        return Err(StyleError::whole(StyleFault::TooLarge {
            size: source.len(),
            limit: MAX_SIZE,
        }));
    }
    let source = source.trim_start_matches('\u{feff}');
    let mut reader = Reader::from_str(source);
    let mut document = OpenDocument {
        source,
        ..OpenDocument::default()
    };
    loop {
        let offset = reader.buffer_position() as usize;
        let event = match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => event,
            Err(error) => {
                let at = reader.error_position() as usize;
                return Err(error_at(source, at, StyleFault::Xml(error.to_string())));
            }
        };
        document
            .take(event, offset)
            .map_err(|reason| error_at(source, offset, reason))?;
    }
    document
        .close()
        .map_err(|reason| error_at(source, source.len(), reason))
}

/// A document that has been read in part.
#[derive(Default)]
struct OpenDocument<'a> {
    source: &'a str,
    /// The elements that are not closed, from the root inwards.
    open: Vec<XmlElement<'a>>,
    root: Option<XmlElement<'a>>,
    elements: usize,
}

impl<'a> OpenDocument<'a> {
    fn take(&mut self, event: Event<'a>, offset: usize) -> Result<(), StyleFault> {
        match event {
            Event::Start(tag) => {
                let opened = self.element(&tag, offset)?;
                if self.open.len() >= MAX_DEPTH {
                    return Err(StyleFault::TooDeep(MAX_DEPTH));
                }
                self.open.push(opened);
            }
            Event::Empty(tag) => {
                let whole = self.element(&tag, offset)?;
                self.place(whole)?;
            }
            Event::End(_) => {
                if let Some(done) = self.open.pop() {
                    self.place(done)?;
                }
            }
            Event::Text(text) => self.add_text(&allowed(text.xml10_content())?),
            Event::CData(text) => self.add_text(&allowed(text.xml10_content())?),
            Event::GeneralRef(name) => {
                let reference = format!("&{};", name.xml10_content());
                self.add_text(&unescaped(&reference)?);
            }
            Event::DocType(_) => return Err(StyleFault::DocType),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(())
    }

    /// Adds a complete element to its parent; without one it is the root.
    fn place(&mut self, element: XmlElement<'a>) -> Result<(), StyleFault> {
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None if self.root.is_none() => self.root = Some(element),
            None => return Err(StyleFault::Xml("more than one root element".into())),
        }
        Ok(())
    }

    fn add_text(&mut self, text: &str) {
        if let Some(parent) = self.open.last_mut() {
            parent.text.push_str(text);
        }
    }

    /// Reads the name and the attributes of an element.
    fn element(
        &mut self,
        tag: &BytesStart<'a>,
        offset: usize,
    ) -> Result<XmlElement<'a>, StyleFault> {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return Err(StyleFault::TooManyElements(MAX_ELEMENTS));
        }
        // The tag's text is part of the source, so its pieces can be borrowed from it.
        let start = offset + 1;
        let length: usize = tag.name().as_ref().len();
        let name = self.source.get(start..start + length).unwrap_or_default();
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| StyleFault::Xml(error.to_string()))?;
            if attributes.len() >= MAX_ATTRIBUTES {
                return Err(StyleFault::TooManyAttributes(MAX_ATTRIBUTES));
            }
            let key = local(borrowed(self.source, offset, attribute.key.as_ref()));
            if attribute.value.len() > MAX_ATTRIBUTE {
                return Err(StyleFault::AttributeTooLong {
                    attribute: key.to_owned(),
                    limit: MAX_ATTRIBUTE,
                });
            }
            let value = attribute_value(attribute.value.as_ref())?;
            attributes.push((key, Cow::Owned(value)));
        }
        Ok(XmlElement {
            name: local(name),
            attributes,
            offset,
            ..XmlElement::default()
        })
    }

    /// The root element of the complete document.
    fn close(self) -> Result<XmlElement<'a>, StyleFault> {
        match self.root {
            _ if !self.open.is_empty() => {
                Err(StyleFault::Xml("the file ends inside an element".into()))
            }
            Some(root) => Ok(root),
            None => Err(StyleFault::Xml("there is no element".into())),
        }
    }
}

/// The same text as a slice of the source, searched from the tag's start.
fn borrowed<'a>(source: &'a str, offset: usize, text: &str) -> &'a str {
    let tail = source.get(offset..).unwrap_or_default();
    tail.find(text)
        .and_then(|at| tail.get(at..at + text.len()))
        .unwrap_or_default()
}

/// Normalizes attribute values as XML requires: literal whitespace becomes blanks, whitespace in
/// character references is kept.
fn attribute_value(raw: &str) -> Result<String, StyleFault> {
    let spaced: Cow<str> = if raw.contains(['\t', '\n', '\r']) {
        Cow::Owned(raw.replace("\r\n", " ").replace(['\t', '\n', '\r'], " "))
    } else {
        Cow::Borrowed(raw)
    };
    let text = unescaped(&spaced)?;
    // Some styles encode their references twice.
    if text.contains("&#")
        && let Ok(twice) = unescaped(&text)
    {
        return Ok(twice.into_owned());
    }
    Ok(text.into_owned())
}

/// Resolves references.
pub fn unescaped(raw: &str) -> Result<Cow<'_, str>, StyleFault> {
    allowed(unescape(raw).map_err(|error| StyleFault::Xml(error.to_string()))?)
}

/// Returns the text if it contains only characters of XML 1.0.
fn allowed(text: Cow<'_, str>) -> Result<Cow<'_, str>, StyleFault> {
    match text.chars().find(|c| !is_allowed(*c)) {
        None => Ok(text),
        Some(c) => Err(StyleFault::Xml(format!(
            "the character U+{:04X} is not allowed in XML",
            u32::from(c)
        ))),
    }
}

/// Whether a character may appear in a document (XML 1.0, production 2).
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// An error with the line and column of a byte offset.
pub fn error_at(source: &str, offset: usize, reason: StyleFault) -> StyleError {
    let before = source.get(..offset.min(source.len())).unwrap_or(source);
    let line = before.rsplit('\n').next().unwrap_or_default();
    StyleError {
        line: before.matches('\n').count() + 1,
        column: line.chars().count() + 1,
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_elements_attributes_and_text() {
        let root = parse("<a x:b='1&#9;&lt;\t2'>t&amp;<!-- no --><c/>u</a>").unwrap();
        assert_eq!(root.name, "a");
        assert_eq!(root.attribute("b"), Some("1\t< 2"));
        assert_eq!(root.text, "t&u");
        assert_eq!(root.children[0].name, "c");
    }

    #[test]
    fn says_where_it_went_wrong() {
        let error = parse("<a>\n  <b></c>\n</a>").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(parse("<!DOCTYPE a [<!ENTITY x 'y'>]><a/>").is_err());
        assert!(parse(&"<a>".repeat(1000)).is_err());
        assert!(parse(&format!("<a>{}</a>", "<b/>".repeat(MAX_ELEMENTS))).is_err());
        assert!(parse(&format!("<a b='{}'/>", "x".repeat(MAX_ATTRIBUTE + 1))).is_err());
        assert!(parse("<a>").is_err());
        assert!(parse("<a b='&#1;'/>").is_err());
        assert!(parse("<a>&#x1F;</a>").is_err());
        assert!(parse("<a>\u{1}</a>").is_err());
        assert!(parse("<a b='\u{1}'/>").is_err());
        assert!(parse("").is_err());
    }
}
