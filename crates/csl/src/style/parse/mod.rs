//! Parses style XML into a [`Style`].

pub(crate) mod attributes;
mod conditions;
mod elements;
mod layouts;
mod names;
mod reader;
mod unfolding;

use super::{CitationElement, Macro, Style, info};
use crate::error::{StyleError, StyleFault};
use crate::locale::parse::overrides;
use crate::xml::{self, XmlElement};
use attributes::has_date;
use reader::{Parsed, StyleReader};

pub fn style(source: &str) -> Result<Style, StyleError> {
    let root = xml::parse(source)?;
    StyleReader::new(source).read(&root)
}

impl<'a> StyleReader<'a> {
    fn read(&mut self, root: &'a XmlElement<'a>) -> Parsed<Style> {
        if root.name != "style" {
            let found = root.name.to_owned();
            return Err(self.fail(
                root,
                StyleFault::WrongRoot {
                    expected: "style",
                    found,
                },
            ));
        }
        let info = root.child("info").map(info::read).unwrap_or_default();
        for (index, element) in root.children_named("macro").enumerate() {
            let name = self.required(element, "name")?;
            if self.macros.insert(name, index).is_some() {
                return Err(self.fail(element, StyleFault::DuplicateMacro(name.to_owned())));
            }
        }
        let mut macros = Vec::with_capacity(self.macros.len());
        for element in root.children_named("macro") {
            macros.push(Macro {
                name: self.required(element, "name")?.into(),
                has_date: has_date(element),
                elements: self.elements(element)?,
            });
        }
        let citation = match root.child("citation") {
            Some(element) => self.citation(element)?,
            None if info.parent.is_some() => CitationElement::default(),
            None => {
                return Err(self.fail(
                    root,
                    StyleFault::MissingElement {
                        element: "style".into(),
                        child: "citation",
                    },
                ));
            }
        };
        let bibliography = match root.child("bibliography") {
            Some(element) => Some(self.bibliography(element)?),
            None => None,
        };
        let locales = root
            .children_named("locale")
            .map(|element| overrides(element))
            .collect();
        let style = Style {
            info,
            options: self.options(root)?,
            macros,
            citation,
            bibliography,
            locales,
            extra_terms: self.extra_terms(),
            places_year_suffix: self.places_year_suffix,
            asks_ambiguity: self.asks_ambiguity,
        };
        self.refuse_bombs(&style, root)?;
        Ok(style)
    }
}
