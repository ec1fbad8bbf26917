//! The rendering elements, except `cs:names` and `cs:choose`.

use super::attributes::{date_parts, rendering_attributes};
use super::reader::{Parsed, StyleReader};
use crate::error::StyleFault;
use crate::style::*;
use crate::xml::XmlElement;
use citation_model::variable::TextVar;

impl<'a> StyleReader<'a> {
    pub(super) fn elements(&mut self, parent: &'a XmlElement<'a>) -> Parsed<Vec<Element>> {
        let mut out = Vec::with_capacity(parent.children.len());
        for child in &parent.children {
            if let Some(element) = self.element(child, parent)? {
                out.push(element);
            }
        }
        Ok(out)
    }

    /// Elements that nest are read separately, which keeps the recursive stack frames small.
    fn element(
        &mut self,
        element: &'a XmlElement<'a>,
        parent: &XmlElement,
    ) -> Parsed<Option<Element>> {
        match element.name {
            "names" => self.boxed_names(element),
            "group" => self.group(element),
            "choose" => self.choose(element),
            _ => self.leaf(element, parent),
        }
    }

    fn boxed_names(&mut self, element: &'a XmlElement<'a>) -> Parsed<Option<Element>> {
        let names = Box::new(self.names(element)?);
        Ok(Some(Element::Names(names)))
    }

    fn group(&mut self, element: &'a XmlElement<'a>) -> Parsed<Option<Element>> {
        let elements = self.elements(element)?;
        Ok(Some(Element::Group(Group {
            attributes: rendering_attributes(element),
            delimiter: element.attribute("delimiter").unwrap_or_default().into(),
            elements,
        })))
    }

    fn leaf(
        &mut self,
        element: &'a XmlElement<'a>,
        parent: &XmlElement,
    ) -> Parsed<Option<Element>> {
        Ok(Some(match element.name {
            "text" => match self.text(element)? {
                Some(text) => Element::Text(text),
                None => return Ok(None),
            },
            "number" => Element::Number(self.number(element)?),
            "label" => Element::Label(self.label(element)?),
            "date" => Element::Date(Box::new(self.date(element)?)),
            "sort" if parent.name == "layout" => return Ok(None),
            _ => {
                return Err(self.fail(
                    element,
                    StyleFault::UnknownElement {
                        element: element.name.to_owned(),
                        parent: parent.name.to_owned(),
                    },
                ));
            }
        }))
    }

    fn text(&mut self, element: &'a XmlElement<'a>) -> Parsed<Option<Text>> {
        let source = if let Some(name) = element.attribute("variable") {
            let variable = self.variable(element, "variable", name.trim())?;
            self.places_year_suffix |= matches!(
                variable,
                Variable::Text(TextVar::YearSuffix | TextVar::CitationLabel)
            );
            TextSource::Variable {
                variable,
                short: element.attribute("form") == Some("short"),
            }
        } else if let Some(name) = element.attribute("macro") {
            TextSource::Macro(self.macro_index(element, name)?)
        } else if let Some(name) = element.attribute("term") {
            TextSource::Term {
                term: self.term(element, name)?,
                form: self.term_form(element)?,
                plural: element.attribute("plural") == Some("true"),
            }
        } else if let Some(value) = element.attribute("value") {
            TextSource::Value(value.into())
        } else {
            return Ok(None);
        };
        Ok(Some(Text {
            source,
            attributes: rendering_attributes(element),
        }))
    }

    fn number(&mut self, element: &'a XmlElement<'a>) -> Parsed<Number> {
        let name = self.required(element, "variable")?;
        Ok(Number {
            variable: self.variable(element, "variable", name.trim())?,
            form: match element.attribute("form") {
                Some("ordinal") => NumberForm::Ordinal,
                Some("long-ordinal") => NumberForm::LongOrdinal,
                Some("roman") => NumberForm::Roman,
                _ => NumberForm::Numeric,
            },
            attributes: rendering_attributes(element),
        })
    }

    pub(super) fn label(&mut self, element: &'a XmlElement<'a>) -> Parsed<Label> {
        let variable = match element.attribute("variable") {
            Some(name) => match self.variable(element, "variable", name.trim())? {
                Variable::Number(v) => Some(v),
                _ => return Err(self.bad(element, "variable", name)),
            },
            None => None,
        };
        Ok(Label {
            variable,
            form: self.term_form(element)?,
            plural: match element.attribute("plural") {
                Some("always" | "true") => Plural::Always,
                Some("never" | "false") => Plural::Never,
                _ => Plural::Contextual,
            },
            attributes: rendering_attributes(element),
        })
    }

    fn date(&mut self, element: &'a XmlElement<'a>) -> Parsed<DateElement> {
        let name = self.required(element, "variable")?;
        let Variable::Date(variable) = self.variable(element, "variable", name.trim())? else {
            return Err(self.bad(element, "variable", name));
        };
        Ok(DateElement {
            variable,
            form: match element.attribute("form") {
                Some("text") => Some(DateForm::Text),
                Some("numeric") => Some(DateForm::Numeric),
                _ => None,
            },
            parts: match element.attribute("date-parts") {
                Some("year") => DatePartsShown::Year,
                Some("year-month") => DatePartsShown::YearMonth,
                _ => DatePartsShown::YearMonthDay,
            },
            delimiter: element.attribute("delimiter").unwrap_or_default().into(),
            date_parts: date_parts(element),
            attributes: rendering_attributes(element),
        })
    }
}
