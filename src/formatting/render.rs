//! Renders items and citations in a style.

use super::bibliography::FormatWarning;
use super::choice::StyleChoice;
use super::{FormatError, Formatter};
use crate::styles::Ready;
use citation_csl::{self as csl, Formatted, Options, Rich};
use citation_model::cite::Citation;
use citation_model::item::Item;
use citation_model::spread::Run;
use citation_model::variable::TextVar;

/// Items and citations rendered in a style.
pub struct Rendered {
    pub ready: Ready,
    pub items: ItemsToFormat,
    pub formatted: Formatted,
    /// Warnings about the locale and the items.
    pub warnings: Vec<FormatWarning>,
}

/// An in-text citation for each item, and the bibliography.
pub fn markers() -> Options {
    Options {
        markers: true,
        ..Options::default()
    }
}

impl Formatter<'_> {
    /// Renders items, and citations of them by position, within the budget.
    pub fn render(
        &self,
        items: Vec<Item>,
        citations: &[Citation],
        choice: &StyleChoice,
        options: Options,
    ) -> Result<Rendered, FormatError> {
        let ready = self.choose(choice)?;
        let items = ItemsToFormat::new(items);
        let options = Options {
            document: false,
            first_number: choice.first_number.max(1),
            budget: self.job.budget().clone(),
            ..options
        };
        let run: &Run = &|work| self.job.spread(work);
        let formatted = csl::format_spread(&ready.compiled, &items.items, citations, &options, run)
            .map_err(|cause| choice.too_complex(cause))?;
        let warnings = locale_warning(choice, &ready).into_iter();
        Ok(Rendered {
            warnings: warnings.chain(items.warnings()).collect(),
            ready,
            items,
            formatted,
        })
    }
}

/// Items ready to format: normalised, with our own ids, since the caller's may repeat.
pub struct ItemsToFormat {
    pub items: Vec<Item>,
    /// The caller's ids.
    ids: Vec<String>,
    /// The items whose control characters were removed.
    garbled: Vec<usize>,
}

impl ItemsToFormat {
    fn new(mut items: Vec<Item>) -> ItemsToFormat {
        let mut garbled = Vec::new();
        let ids = items
            .iter_mut()
            .enumerate()
            .map(|(index, item)| {
                if item.tidy() {
                    garbled.push(index);
                }
                std::mem::replace(&mut item.id, index.to_string())
            })
            .collect();
        ItemsToFormat {
            items,
            ids,
            garbled,
        }
    }

    pub fn warnings(&self) -> impl Iterator<Item = FormatWarning> {
        self.garbled.iter().map(|index| FormatWarning {
            index: Some(*index),
            code: "control_characters".to_owned(),
            message: "Control characters were removed from the entry.".to_owned(),
        })
    }

    /// The annotation of an item as a paragraph, if requested.
    pub fn annotation(&self, index: usize, is_wanted: bool) -> Option<Rich> {
        let item = self.items.get(index).filter(|_| is_wanted)?;
        item.text(TextVar::Annote).map(Rich::plain)
    }

    pub fn id(&self, index: usize) -> String {
        self.ids.get(index).cloned().unwrap_or_default()
    }
}

pub(super) fn locale_warning(choice: &StyleChoice, ready: &Ready) -> Option<FormatWarning> {
    let asked = choice.locale.as_deref()?;
    (!ready.locale_known).then(|| FormatWarning {
        index: None,
        code: "locale_fallback".to_owned(),
        message: format!(
            "The locale {asked} does not exist; {} is used instead.",
            ready.locale
        ),
    })
}
