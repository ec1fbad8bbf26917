//! State shared by the style parsers: the names known so far, and errors.

use std::collections::HashMap;

use crate::error::{StyleError, StyleFault};
use crate::locale::term::{self, TermForm, TermId};
use crate::xml::{self, XmlElement};
use citation_model::variable::Variable;

pub type Parsed<T> = Result<T, StyleError>;

/// The maximum number of non-core terms in a style.
const MAX_TERMS: usize = 1000;

/// Reads one style.
pub struct StyleReader<'a> {
    source: &'a str,
    /// The index of each macro.
    pub(super) macros: HashMap<&'a str, usize>,
    /// Non-core terms with their index, in order of appearance.
    terms: HashMap<Box<str>, usize>,
    pub(super) places_year_suffix: bool,
    pub(super) asks_ambiguity: bool,
}

impl<'a> StyleReader<'a> {
    pub fn new(source: &'a str) -> StyleReader<'a> {
        StyleReader {
            source: source.trim_start_matches('\u{feff}'),
            macros: HashMap::new(),
            terms: HashMap::new(),
            places_year_suffix: false,
            asks_ambiguity: false,
        }
    }

    pub(super) fn variable(
        &self,
        element: &XmlElement,
        attribute: &str,
        name: &str,
    ) -> Parsed<Variable> {
        Variable::from_csl(name).ok_or_else(|| self.bad(element, attribute, name))
    }

    pub(super) fn macro_index(&self, element: &XmlElement, name: &str) -> Parsed<usize> {
        self.macros
            .get(name)
            .copied()
            .ok_or_else(|| self.fail(element, StyleFault::UnknownMacro(name.to_owned())))
    }

    pub(super) fn term(&mut self, element: &XmlElement, name: &str) -> Parsed<TermId> {
        let name = term::canonical(name);
        if let Some(id) = TermId::core(&name) {
            return Ok(id);
        }
        let at = self.terms.len();
        if at >= MAX_TERMS && !self.terms.contains_key(&*name) {
            return Err(self.fail(element, StyleFault::TooManyTerms(MAX_TERMS)));
        }
        Ok(TermId::extra(*self.terms.entry(name.into()).or_insert(at)))
    }

    /// The non-core terms in order.
    pub(super) fn extra_terms(&mut self) -> Vec<Box<str>> {
        let mut terms: Vec<_> = std::mem::take(&mut self.terms).into_iter().collect();
        terms.sort_by_key(|(_, at)| *at);
        terms.into_iter().map(|(name, _)| name).collect()
    }

    pub(super) fn term_form(&self, element: &XmlElement) -> Parsed<TermForm> {
        Ok(element
            .attribute("form")
            .and_then(TermForm::parse)
            .unwrap_or_default())
    }

    pub(super) fn required(
        &self,
        element: &'a XmlElement<'a>,
        attribute: &'static str,
    ) -> Parsed<&'a str> {
        element
            .attribute(attribute)
            .ok_or_else(|| self.missing(element, attribute))
    }

    pub(super) fn missing(&self, element: &XmlElement, attribute: &'static str) -> StyleError {
        let name = element.name.to_owned();
        self.fail(
            element,
            StyleFault::MissingAttribute {
                element: name,
                attribute,
            },
        )
    }

    pub(super) fn bad(&self, element: &XmlElement, attribute: &str, value: &str) -> StyleError {
        self.fail(
            element,
            StyleFault::BadValue {
                element: element.name.to_owned(),
                attribute: attribute.to_owned(),
                value: value.to_owned(),
            },
        )
    }

    pub(super) fn fail(&self, element: &XmlElement, reason: StyleFault) -> StyleError {
        xml::error_at(self.source, element.offset, reason)
    }
}
