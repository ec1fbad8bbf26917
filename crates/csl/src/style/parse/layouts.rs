//! The attributes of `cs:style`, `cs:citation` and `cs:bibliography`; layouts and sort keys.

use super::attributes::{number, rendering_attributes, truth};
use super::reader::{Parsed, StyleReader};
use crate::error::StyleFault;
use crate::style::*;
use crate::xml::XmlElement;

impl<'a> StyleReader<'a> {
    pub(super) fn options(&self, root: &XmlElement) -> Parsed<StyleOptions> {
        Ok(StyleOptions {
            class: match root.attribute("class") {
                Some("note") => Class::Note,
                _ => Class::InText,
            },
            default_locale: root
                .attribute("default-locale")
                .map(str::trim)
                .filter(|lang| !lang.is_empty())
                .map(str::to_owned),
            demote_particle: match root.attribute("demote-non-dropping-particle") {
                Some("never") => DemoteParticle::Never,
                Some("sort-only") => DemoteParticle::SortOnly,
                _ => DemoteParticle::DisplayAndSort,
            },
            initialize_with_hyphen: root.attribute("initialize-with-hyphen") != Some("false"),
            page_range_format: match root.attribute("page-range-format") {
                Some("expanded") => Some(PageRangeFormat::Expanded),
                Some("minimal") => Some(PageRangeFormat::Minimal),
                Some("minimal-two") => Some(PageRangeFormat::MinimalTwo),
                Some("chicago" | "chicago-15") => Some(PageRangeFormat::Chicago15),
                Some("chicago-16") => Some(PageRangeFormat::Chicago16),
                _ => None,
            },
            names: self.name_options(root, true),
        })
    }

    pub(super) fn citation(&mut self, element: &'a XmlElement<'a>) -> Parsed<CitationElement> {
        let truth = |name| element.attribute(name) == Some("true");
        let text = |name| element.attribute(name).map(Box::from);
        Ok(CitationElement {
            layout: self.layout(element)?,
            sort: self.sort(element)?,
            names: self.name_options(element, true),
            disambiguate_add_names: truth("disambiguate-add-names"),
            disambiguate_add_givenname: truth("disambiguate-add-givenname"),
            disambiguate_add_year_suffix: truth("disambiguate-add-year-suffix"),
            givenname_rule: match element.attribute("givenname-disambiguation-rule") {
                Some("all-names") => GivennameRule::AllNames,
                Some("all-names-with-initials") => GivennameRule::AllNamesWithInitials,
                Some("primary-name") => GivennameRule::PrimaryName,
                Some("primary-name-with-initials") => GivennameRule::PrimaryNameWithInitials,
                _ => GivennameRule::ByCite,
            },
            cite_group_delimiter: element
                .attribute("cite-group-delimiter")
                .filter(|text| !text.is_empty())
                .map(Box::from),
            collapse: match element.attribute("collapse") {
                Some("citation-number") => Collapse::CitationNumber,
                Some("year") => Collapse::Year,
                Some("year-suffix") => Collapse::YearSuffix,
                Some("year-suffix-ranged") => Collapse::YearSuffixRanged,
                _ => Collapse::None,
            },
            year_suffix_delimiter: text("year-suffix-delimiter"),
            after_collapse_delimiter: text("after-collapse-delimiter"),
            near_note_distance: number(element, "near-note-distance").unwrap_or(5),
        })
    }

    pub(super) fn bibliography(&mut self, element: &'a XmlElement<'a>) -> Parsed<Bibliography> {
        Ok(Bibliography {
            layout: self.layout(element)?,
            sort: self.sort(element)?,
            names: self.name_options(element, true),
            hanging_indent: element.attribute("hanging-indent") == Some("true"),
            second_field_align: match element.attribute("second-field-align") {
                Some("flush" | "true") => Some(SecondFieldAlign::Flush),
                Some("margin") => Some(SecondFieldAlign::Margin),
                _ => None,
            },
            line_spacing: number(element, "line-spacing").unwrap_or(1),
            entry_spacing: number(element, "entry-spacing").unwrap_or(1),
            subsequent_author_substitute: element
                .attribute("subsequent-author-substitute")
                .map(Box::from),
            substitute_rule: match element.attribute("subsequent-author-substitute-rule") {
                Some("complete-each") => SubstituteRule::CompleteEach,
                Some("partial-each") => SubstituteRule::PartialEach,
                Some("partial-first") => SubstituteRule::PartialFirst,
                _ => SubstituteRule::CompleteAll,
            },
        })
    }

    fn layout(&mut self, element: &'a XmlElement<'a>) -> Parsed<Layout> {
        let Some(layout) = element.child("layout") else {
            return Err(self.fail(
                element,
                StyleFault::MissingElement {
                    element: element.name.to_owned(),
                    child: "layout",
                },
            ));
        };
        Ok(Layout {
            attributes: rendering_attributes(layout),
            delimiter: layout.attribute("delimiter").unwrap_or_default().into(),
            elements: self.elements(layout)?,
        })
    }

    fn sort(&mut self, element: &'a XmlElement<'a>) -> Parsed<Vec<SortKey>> {
        let Some(sort) = element.child("sort") else {
            return Ok(Vec::new());
        };
        let mut keys = Vec::new();
        for key in sort.children_named("key") {
            let by = match (key.attribute("macro"), key.attribute("variable")) {
                (Some(name), _) => SortBy::Macro(self.macro_index(key, name)?),
                (None, Some(name)) => SortBy::Variable(self.variable(key, "variable", name)?),
                (None, None) => return Err(self.missing(key, "variable")),
            };
            keys.push(SortKey {
                by,
                descending: key.attribute("sort") == Some("descending"),
                names_min: number(key, "names-min"),
                names_use_first: number(key, "names-use-first"),
                names_use_last: truth(key, "names-use-last"),
            });
        }
        Ok(keys)
    }
}
