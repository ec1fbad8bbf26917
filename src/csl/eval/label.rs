//! `cs:label` outside names: the term of a number variable, singular or plural.

use crate::model::variable::NumberVar;

use super::{Area, Eval, Usage, number};
use crate::csl::locale::term::{self, TermId};
use crate::csl::style::*;
use crate::csl::text::case::{Language, recase};

impl<'a> Eval<'a, '_> {
    pub(super) fn label(&mut self, label: &'a Label) -> Usage {
        let Some(variable) = label.variable else {
            return Usage::default();
        };
        let Some(value) = self.number_value(variable) else {
            return Usage::default();
        };
        let term = match variable {
            // A locator that names its own parts (`vol. 1, fol. 186`) needs no label.
            NumberVar::Locator if names_itself(&value) => return Usage::default(),
            NumberVar::Locator => {
                let name = self.scene.locator.map_or("page", |(label, _)| label);
                self.locator_term(name)
            }
            other => TermId::number(other),
        };
        let Some(term) = term else {
            return Usage::default();
        };
        let plural = match label.plural {
            Plural::Always => true,
            Plural::Never => false,
            Plural::Contextual => is_plural(variable, &value),
        };
        let locale = &self.scene.compiled.locale;
        if let Some(text) = locale.term(term, label.form, plural) {
            if self.begins_sentence()
                && label.look.case == TextCase::None
                && self.scene.area == Area::Bibliography
            {
                let text = recase(text, TextCase::CapitalizeFirst, Language::English);
                self.rich_term(&text, &label.look);
            } else {
                self.rich_term(text, &label.look);
            }
        }
        Usage::default()
    }

    fn locator_term(&self, label: &str) -> Option<TermId> {
        let name = term::locator_label(label);
        TermId::core(name).or_else(|| {
            let extra = &self.style().extra_terms;
            extra
                .iter()
                .position(|known| **known == *name)
                .map(TermId::extra)
        })
    }
}

/// Counts are plural from two on; other numbers where they name several.
fn is_plural(variable: NumberVar, value: &str) -> bool {
    match variable {
        NumberVar::NumberOfPages | NumberVar::NumberOfVolumes => value
            .trim()
            .parse::<u64>()
            .map_or_else(|_| number::is_plural(value), |n| n != 1),
        _ => number::is_plural(value),
    }
}

/// Whether a value begins with an abbreviation of its own.
fn names_itself(value: &str) -> bool {
    let word = value.split(' ').next().unwrap_or_default();
    word.len() > 1
        && word.len() < value.len()
        && word
            .strip_suffix('.')
            .is_some_and(|word| word.chars().all(char::is_lowercase))
}
