//! An XML pull reader with bounded depth, without document types, so that entities cannot expand.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use crate::error::DocumentError;

const DEEPEST: usize = 400;

pub(crate) enum Node<'a> {
    Open(Element<'a>),
    /// The local name.
    Close(String),
    Text(Cow<'a, str>),
}

/// A start tag.
pub(crate) struct Element<'a> {
    /// Without prefix.
    pub name: String,
    tag: BytesStart<'a>,
}

impl Element<'_> {
    /// The value of an attribute with any prefix.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.tag.attributes();
        let mut found = attributes.with_checks(false).flatten();
        let value = found.find(|attribute| attribute.key.local_name().as_ref() == name)?;
        let raw = value.value.to_string();
        Some(match quick_xml::escape::unescape(&raw) {
            Ok(text) => text.into_owned(),
            Err(_) => raw,
        })
    }
}

pub(crate) struct Xml<'a> {
    reader: Reader<&'a [u8]>,
    what: &'a str,
    depth: usize,
    /// Number of bytes before the reader's input.
    skipped: usize,
    /// Start of the last node.
    start: usize,
}

impl<'a> Xml<'a> {
    /// `what` names the part in errors.
    pub fn new(text: &'a str, what: &'a str) -> Xml<'a> {
        let read = text.trim_start_matches('\u{feff}');
        let mut reader = Reader::from_str(read);
        reader.config_mut().expand_empty_elements = true;
        Xml {
            reader,
            what,
            depth: 0,
            skipped: text.len() - read.len(),
            start: 0,
        }
    }

    /// Byte range of the last node; an empty element is both its start and its end.
    pub fn place(&self) -> Range<usize> {
        self.start..self.position()
    }

    fn position(&self) -> usize {
        self.skipped + usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    pub fn next(&mut self) -> Result<Option<Node<'a>>, DocumentError> {
        loop {
            self.start = self.position();
            let event = self
                .reader
                .read_event()
                .map_err(|cause| DocumentError::broken(self.what, cause))?;
            return Ok(Some(match event {
                Event::Start(tag) => {
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return Err(DocumentError::TooDeep {
                            what: self.what.to_owned(),
                            limit: DEEPEST,
                        });
                    }
                    Node::Open(Element {
                        name: tag.local_name().as_ref().to_owned(),
                        tag,
                    })
                }
                Event::End(tag) => {
                    self.depth = self.depth.saturating_sub(1);
                    Node::Close(tag.local_name().as_ref().to_owned())
                }
                Event::Text(text) => Node::Text(text.into_inner()),
                Event::CData(text) => Node::Text(text.into_inner()),
                Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                    Ok(Some(c)) => Node::Text(Cow::Owned(c.to_string())),
                    _ => {
                        let name = reference.into_inner();
                        match resolve_predefined_entity(&name) {
                            Some(text) => Node::Text(Cow::Borrowed(text)),
                            None => continue,
                        }
                    }
                },
                Event::DocType(_) => {
                    return Err(DocumentError::broken(
                        self.what,
                        "it declares a document type",
                    ));
                }
                Event::Eof => return Ok(None),
                _ => continue,
            }));
        }
    }

    /// Skips the rest of the element just opened.
    pub fn skip(&mut self) -> Result<(), DocumentError> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside && self.next()?.is_some() {}
        Ok(())
    }

    /// The text of the element just opened, including descendants.
    pub fn inner_text(&mut self) -> Result<String, DocumentError> {
        let outside = self.depth.saturating_sub(1);
        let mut text = String::new();
        while self.depth > outside {
            match self.next()? {
                Some(Node::Text(run)) => text.push_str(&run),
                Some(_) => {}
                None => break,
            }
        }
        Ok(text)
    }
}
