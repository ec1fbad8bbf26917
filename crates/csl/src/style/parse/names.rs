//! `cs:names` and the name options.

use super::attributes::{number, rendering_attributes, truth};
use super::reader::{Parsed, StyleReader};
use crate::error::StyleFault;
use crate::style::names::*;
use crate::xml::XmlElement;
use citation_model::variable::Variable;

impl<'a> StyleReader<'a> {
    pub(super) fn names(&mut self, element: &'a XmlElement<'a>) -> Parsed<Names> {
        let mut names = Names {
            attributes: rendering_attributes(element),
            delimiter: element.attribute("delimiter").map(Box::from),
            ..Names::default()
        };
        for name in element
            .attribute("variable")
            .unwrap_or_default()
            .split_whitespace()
        {
            match self.variable(element, "variable", name)? {
                Variable::Names(v) => names.variables.push(v),
                _ => return Err(self.bad(element, "variable", name)),
            }
        }
        for child in &element.children {
            match child.name {
                "name" => names.name = Some(self.name(child)),
                "et-al" => {
                    let term = child.attribute("term").unwrap_or("et-al");
                    names.et_al = Some(EtAl {
                        term: self.term(child, term)?,
                        attributes: rendering_attributes(child),
                    });
                }
                "label" => {
                    names.label_before_name = names.name.is_none();
                    names.label = Some(self.label(child)?);
                }
                "substitute" => names.substitute = Some(self.elements(child)?),
                // `cs:institution` belongs to an extension; a name list works without it.
                "institution" => {}
                _ => {
                    return Err(self.fail(
                        child,
                        StyleFault::UnknownElement {
                            element: child.name.to_owned(),
                            parent: "names".into(),
                        },
                    ));
                }
            }
        }
        // A label precedes the names only if a name element follows it.
        names.label_before_name &= names.name.is_some();
        Ok(names)
    }

    fn name(&self, element: &XmlElement) -> NameElement {
        let part = |wanted: &str| {
            let part = element
                .children_named("name-part")
                .find(|part| part.attribute("name") == Some(wanted))?;
            let attributes = rendering_attributes(part);
            Some(NamePart {
                formatting: attributes.formatting,
                prefix: attributes.prefix,
                suffix: attributes.suffix,
                case: attributes.case,
            })
        };
        NameElement {
            options: self.name_options(element, false),
            attributes: rendering_attributes(element),
            family: part("family"),
            given: part("given"),
        }
    }

    /// Reads the name options of `cs:name`, or the inheritable ones of a higher element, which take the
    /// prefix `name-` where the plain attribute would be ambiguous.
    pub(super) fn name_options(&self, element: &XmlElement, inherited: bool) -> NameOptions {
        let plain = |name: &'static str, long: &'static str| {
            element.attribute(if inherited { long } else { name })
        };
        let precedes = |name: &str| match element.attribute(name)? {
            "always" => Some(DelimiterPrecedes::Always),
            "never" => Some(DelimiterPrecedes::Never),
            "after-inverted-name" => Some(DelimiterPrecedes::AfterInvertedName),
            _ => Some(DelimiterPrecedes::Contextual),
        };
        NameOptions {
            and: match element.attribute("and") {
                Some("text") => Some(And::Text),
                Some("symbol") => Some(And::Symbol),
                _ => None,
            },
            delimiter: plain("delimiter", "name-delimiter").map(Box::from),
            names_delimiter: element.attribute("names-delimiter").map(Box::from),
            delimiter_precedes_et_al: precedes("delimiter-precedes-et-al"),
            delimiter_precedes_last: precedes("delimiter-precedes-last"),
            et_al_min: number(element, "et-al-min"),
            et_al_use_first: number(element, "et-al-use-first"),
            et_al_use_last: truth(element, "et-al-use-last"),
            et_al_subsequent_min: number(element, "et-al-subsequent-min"),
            et_al_subsequent_use_first: number(element, "et-al-subsequent-use-first"),
            form: match plain("form", "name-form") {
                Some("short") => Some(NameForm::Short),
                Some("count") => Some(NameForm::Count),
                Some("long") => Some(NameForm::Long),
                _ => None,
            },
            initialize: truth(element, "initialize"),
            initialize_with: element.attribute("initialize-with").map(Box::from),
            name_as_sort_order: match element.attribute("name-as-sort-order") {
                Some("first") => Some(NameAsSortOrder::First),
                Some("all") => Some(NameAsSortOrder::All),
                _ => None,
            },
            sort_separator: element.attribute("sort-separator").map(Box::from),
        }
    }
}
