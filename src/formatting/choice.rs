//! The choice of a style and a locale.

use super::{FormatError, Formatter};
use crate::styles::own::own_name;
use crate::styles::{Ready, StyleProblem};
use citation_model::budget::Exceeded;

/// The style and locale that a caller chooses.
#[derive(Clone, Debug, Default)]
pub struct StyleChoice {
    pub style: Option<String>,
    pub locale: Option<String>,
    /// The XML of a style to use instead of a named one.
    pub style_xml: Option<String>,
    /// Whether the annotation of each work (`annote`) follows it as a separate paragraph.
    pub annotated: bool,
    /// Where the items are a part of a longer list: the number of the first; 0 or 1 for the start.
    pub first_number: u32,
}

impl StyleChoice {
    /// A named or own style, and a locale.
    pub fn named(style: Option<String>, locale: Option<String>) -> StyleChoice {
        StyleChoice {
            style,
            locale,
            ..StyleChoice::default()
        }
    }

    /// The error if formatting exceeds the budget.
    pub(in crate::formatting) fn too_complex(&self, cause: Exceeded) -> FormatError {
        FormatError::TooComplex {
            cause,
            is_inline: self.style_xml.is_some(),
        }
    }
}

impl Formatter<'_> {
    /// The chosen style and locale, or the configured ones.
    pub fn choose(&self, choice: &StyleChoice) -> Result<Ready, FormatError> {
        let locale = choice.locale.as_deref();
        if let Some(xml) = &choice.style_xml {
            let most = self.settings.max_style_bytes;
            if xml.len() as u64 > most {
                return Err(FormatError::StyleTooLong(most));
            }
            let ready = self.styles.ready_inline("style_xml", xml, locale);
            return ready.map_err(|problem| FormatError::Style {
                problem,
                is_inline: true,
            });
        }
        let style = choice.style.as_deref().map(str::trim);
        let style = style.filter(|style| !style.is_empty());
        self.named(style.unwrap_or(&self.settings.style), locale)
            .map_err(FormatError::from)
    }

    /// A style by name: a public one, or the caller's own.
    fn named(&self, name: &str, locale: Option<&str>) -> Result<Ready, StyleProblem> {
        match (own_name(name), self.user) {
            (Some(own), Some(user)) => self.styles.ready_own(user, own, locale),
            _ => self.styles.ready(name, locale),
        }
    }

    /// Rejects an unknown style name.
    pub fn check_style(&self, name: &str) -> Result<(), FormatError> {
        let found = match (own_name(name), self.user) {
            (Some(own), Some(user)) => self.styles.own_entry(user, own).map(|_| ()),
            _ => self.styles.check(name),
        };
        found.map_err(FormatError::from)
    }
}

impl From<StyleProblem> for FormatError {
    fn from(problem: StyleProblem) -> FormatError {
        FormatError::Style {
            problem,
            is_inline: false,
        }
    }
}
