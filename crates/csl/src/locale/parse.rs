//! Parses locale XML into [`Overrides`], both locale files and `cs:locale` in a style.

use std::borrow::Cow;

use super::term::{self, Gender, OrdinalMatch, TermDefinition, TermForm};
use super::{LocaleDate, Overrides};
use crate::error::{LocaleError, StyleFault};
use crate::style::parse::attributes::date_parts;
use crate::style::rendering::DateForm;
use crate::xml::{self, XmlElement};

/// Reads a locale file. The root element may be `locale`; unknown content is skipped.
pub fn locale(source: &str) -> Result<Overrides, LocaleError> {
    let root = xml::parse(source)?;
    if root.name != "locale" {
        let reason = StyleFault::WrongRoot {
            expected: "locale",
            found: root.name.to_owned(),
        };
        return Err(xml::error_at(source, root.offset, reason).into());
    }
    Ok(overrides(&root))
}

/// Reads the content of a `locale` element.
pub fn overrides(element: &XmlElement) -> Overrides {
    let mut out = Overrides {
        lang: element
            .attribute("lang")
            .map(str::trim)
            .filter(|lang| !lang.is_empty())
            .map(str::to_owned),
        ..Overrides::default()
    };
    for child in &element.children {
        match child.name {
            "terms" => out
                .terms
                .extend(child.children_named("term").filter_map(definition)),
            "date" => {
                let date = LocaleDate {
                    delimiter: child.attribute("delimiter").unwrap_or_default().into(),
                    parts: date_parts(child),
                };
                match child.attribute("form") {
                    Some("text") => out.set_date(DateForm::Text, date),
                    Some("numeric") => out.set_date(DateForm::Numeric, date),
                    _ => {}
                }
            }
            "style-options" => {
                let truth = |name| child.attribute(name).map(|value| value == "true");
                out.punctuation_in_quote = truth("punctuation-in-quote");
                out.limit_day_ordinals = truth("limit-day-ordinals-to-day-1");
            }
            _ => {}
        }
    }
    out
}

fn definition(element: &XmlElement) -> Option<TermDefinition> {
    let name = element.attribute("name")?;
    let single = element.child("single").map(text);
    let multiple = element.child("multiple").map(text);
    let single = single.unwrap_or(text(element));
    Some(TermDefinition {
        name: term::canonical(name).into(),
        form: element
            .attribute("form")
            .and_then(TermForm::parse)
            .unwrap_or_default(),
        gender: element.attribute("gender").and_then(Gender::parse),
        gender_form: element.attribute("gender-form").and_then(Gender::parse),
        match_mode: match element.attribute("match") {
            Some("last-digit") => Some(OrdinalMatch::LastDigit),
            Some("last-two-digits") => Some(OrdinalMatch::LastTwoDigits),
            Some("whole-number") => Some(OrdinalMatch::WholeNumber),
            _ => None,
        },
        single: unescaped(single).into(),
        multiple: unescaped(multiple.unwrap_or(single)).into(),
    })
}

/// Some styles escape the markup or a character in their terms twice.
fn unescaped(text: &str) -> Cow<'_, str> {
    if text.contains("&lt;") || text.contains("&#") {
        xml::unescaped(text).unwrap_or(text.into())
    } else {
        text.into()
    }
}

/// An element that contains only layout whitespace is empty.
fn text<'x>(element: &'x XmlElement) -> &'x str {
    let is_layout = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    if element.text.contains('\n') && element.text.chars().all(is_layout) {
        ""
    } else {
        &element.text
    }
}
