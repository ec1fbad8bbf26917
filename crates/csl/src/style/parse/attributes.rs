//! Attributes shared by many elements.

use crate::style::rendering::*;
use crate::xml::XmlElement;

/// Reads affixes, formatting and other common attributes.
pub fn rendering_attributes(element: &XmlElement) -> RenderingAttributes {
    let mut attributes = RenderingAttributes::default();
    for (name, value) in &element.attributes {
        let value: &str = value;
        let font = &mut attributes.formatting;
        match *name {
            "prefix" => attributes.prefix = value.into(),
            "suffix" => attributes.suffix = value.into(),
            "quotes" => attributes.quotes = value == "true",
            "strip-periods" => attributes.strip_periods = value == "true",
            "font-style" => {
                font.font_style = match value {
                    "italic" => Some(FontStyle::Italic),
                    "oblique" => Some(FontStyle::Oblique),
                    "normal" => Some(FontStyle::Normal),
                    _ => None,
                }
            }
            "font-variant" => {
                font.font_variant = match value {
                    "small-caps" => Some(FontVariant::SmallCaps),
                    "normal" => Some(FontVariant::Normal),
                    _ => None,
                }
            }
            "font-weight" => {
                font.font_weight = match value {
                    "bold" => Some(FontWeight::Bold),
                    "light" => Some(FontWeight::Light),
                    "normal" => Some(FontWeight::Normal),
                    _ => None,
                }
            }
            "text-decoration" => {
                font.text_decoration = match value {
                    "underline" => Some(TextDecoration::Underline),
                    "none" => Some(TextDecoration::None),
                    _ => None,
                }
            }
            "vertical-align" => {
                font.vertical_align = match value {
                    "sup" => Some(VerticalAlign::Sup),
                    "sub" => Some(VerticalAlign::Sub),
                    "baseline" => Some(VerticalAlign::Baseline),
                    _ => None,
                }
            }
            "text-case" => {
                attributes.case = match value {
                    "lowercase" => TextCase::Lowercase,
                    "uppercase" => TextCase::Uppercase,
                    "capitalize-first" => TextCase::CapitalizeFirst,
                    "capitalize-all" => TextCase::CapitalizeAll,
                    "sentence" => TextCase::Sentence,
                    "title" => TextCase::Title,
                    _ => TextCase::None,
                }
            }
            "display" => {
                attributes.display = match value {
                    "block" => Some(Display::Block),
                    "left-margin" => Some(Display::LeftMargin),
                    "right-inline" => Some(Display::RightInline),
                    "indent" => Some(Display::Indent),
                    _ => None,
                }
            }
            _ => {}
        }
    }
    attributes
}

/// Reads the `cs:date-part` children, in a style or a locale.
pub fn date_parts(element: &XmlElement) -> Vec<DatePart> {
    let mut parts = Vec::new();
    for child in element.children_named("date-part") {
        let name = match child.attribute("name") {
            Some("year") => DatePartName::Year,
            Some("month") => DatePartName::Month,
            Some("day") => DatePartName::Day,
            _ => continue,
        };
        parts.push(DatePart {
            name,
            form: match child.attribute("form") {
                Some("long") => DatePartForm::Long,
                Some("short") => DatePartForm::Short,
                Some("numeric") => DatePartForm::Numeric,
                Some("numeric-leading-zeros") => DatePartForm::NumericLeadingZeros,
                Some("ordinal") => DatePartForm::Ordinal,
                _ => DatePartForm::Unset,
            },
            range_delimiter: child.attribute("range-delimiter").map(Box::from),
            attributes: rendering_attributes(child),
        });
    }
    parts
}

/// Whether an element contains a `cs:date`.
pub(super) fn has_date(element: &XmlElement) -> bool {
    element
        .children
        .iter()
        .any(|child| child.name == "date" || has_date(child))
}

pub(super) fn number(element: &XmlElement, name: &str) -> Option<u32> {
    element.attribute(name)?.trim().parse().ok()
}

pub(super) fn truth(element: &XmlElement, name: &str) -> Option<bool> {
    match element.attribute(name)?.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
