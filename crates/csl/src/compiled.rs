//! A style compiled with a locale, ready for formatting. Expensive to create, cheap to share.

use std::sync::Arc;

use citation_model::variable::{NumberVar, Variable};

use super::error::{StyleError, StyleFault};
use super::locale::term::{self, TermForm, TermId};
use super::locale::{Locale, MergedLocale, lang};
use super::style::names::NameOptions;
use super::style::*;
use super::text::case::Language;
use super::text::markup::Marks;

/// The labels of locators (specification, «Locators»).
const LOCATOR_LABELS: [&str; 20] = [
    "act",
    "appendix",
    "book",
    "chapter",
    "column",
    "figure",
    "folio",
    "issue",
    "line",
    "note",
    "opus",
    "page",
    "paragraph",
    "part",
    "section",
    "sub-verbo",
    "table",
    "timestamp",
    "verse",
    "volume",
];

/// A style ready for formatting. Immutable; keep it in an [`Arc`].
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(crate) style: Arc<Style>,
    pub(crate) locale: MergedLocale,
    /// Name options of the citation, falling back to the style's.
    pub(crate) citation_names: NameOptions,
    pub(crate) bibliography_names: NameOptions,
    /// The language of the locale, used for terms and for items without a language.
    pub(crate) language: Language,
    /// The characters that count as quotation marks in fields.
    pub(crate) marks: Marks,
    /// Whether cites show citation numbers.
    pub(crate) numbers_cites: bool,
    /// Whether cites show the number of the note with the item's first cite.
    pub(crate) shows_first_note: bool,
}

impl Compiled {
    /// Compiles a style with the locale `tag`, or the style's default locale, or English. `find` returns
    /// the parsed locale file of a tag, if there is one; it is called for the tag, its language, the
    /// language's main dialect and `en-US`. If none exists, only the style's own terms are available.
    pub fn new(
        style: Arc<Style>,
        tag: Option<&str>,
        find: &dyn Fn(&str) -> Option<Arc<Locale>>,
    ) -> Result<Compiled, StyleError> {
        if let Some(parent) = &style.info.parent
            && style.citation.layout.elements.is_empty()
            && style.bibliography.is_none()
        {
            return Err(StyleError::whole(StyleFault::Dependent(parent.clone())));
        }
        let tag = tag
            .or(style.options.default_locale.as_deref())
            .unwrap_or(lang::ROOT);
        let locale = MergedLocale::merge(&style.locales, &style.extra_terms, tag, find);
        Ok(Compiled::in_locale(style, locale))
    }

    /// Another style in the locale of this one. The style has no terms of its own.
    #[must_use]
    pub fn with_style(&self, style: Arc<Style>) -> Compiled {
        Compiled::in_locale(style, self.locale.clone())
    }

    fn in_locale(style: Arc<Style>, locale: MergedLocale) -> Compiled {
        let citation_names = style.citation.names.inherit(&style.options.names);
        let bibliography_names = style
            .bibliography
            .as_ref()
            .map(|bibliography| bibliography.names.inherit(&style.options.names))
            .unwrap_or_default();
        let cites_show =
            |variable| style.shows(&style.citation.layout.elements, Variable::Number(variable));
        Compiled {
            numbers_cites: cites_show(NumberVar::CitationNumber),
            shows_first_note: cites_show(NumberVar::FirstReferenceNoteNumber),
            language: Language::of(&locale.lang),
            marks: marks(&locale),
            style,
            locale,
            citation_names,
            bibliography_names,
        }
    }

    pub fn style(&self) -> &Style {
        &self.style
    }

    /// Whether the label of a locator has a term.
    pub fn has_label(&self, label: &str) -> bool {
        let term = self.style.term(term::locator_label(label));
        term.is_some_and(|term| self.locale.term(term, TermForm::Long, false).is_some())
    }

    /// The locale's words for locator labels, in every form: each text with its label.
    pub fn locator_terms(&self) -> Vec<(String, &'static str)> {
        let forms = [TermForm::Long, TermForm::Short, TermForm::Symbol];
        let mut found = Vec::new();
        for label in LOCATOR_LABELS {
            let Some(id) = self.style.term(term::locator_label(label)) else {
                continue;
            };
            for (form, plural) in forms.into_iter().flat_map(|f| [(f, false), (f, true)]) {
                let text = self.locale.term(id, form, plural).unwrap_or_default();
                if !text.is_empty() {
                    found.push((text.to_owned(), label));
                }
            }
        }
        found
    }

    /// The prefix, delimiter and suffix of a citation's layout.
    pub fn citation_affixes(&self) -> [&str; 3] {
        let layout = &self.style.citation.layout;
        let affixes = &layout.attributes;
        [&affixes.prefix, &layout.delimiter, &affixes.suffix]
    }

    /// Whether full stops and commas go inside quotation marks.
    pub fn punctuation_in_quote(&self) -> bool {
        self.locale.punctuation_in_quote
    }

    /// The tag of the locale in use.
    pub fn lang(&self) -> &str {
        &self.locale.lang
    }
}

fn marks(locale: &MergedLocale) -> Marks {
    let term = |id| locale.term(id, TermForm::Long, false).unwrap_or_default();
    Marks::new(
        (term(TermId::OPEN_QUOTE), term(TermId::CLOSE_QUOTE)),
        (
            term(TermId::OPEN_INNER_QUOTE),
            term(TermId::CLOSE_INNER_QUOTE),
        ),
    )
}
