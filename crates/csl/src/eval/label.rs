//! `cs:label` outside names: the singular or plural term of a number variable.

use citation_model::variable::NumberVar;

use super::{Area, Eval, Usage};
use crate::locale::term::{self, TermId};
use crate::style::*;
use crate::text::case::recase;
use crate::text::numbers;

impl<'a> Eval<'a, '_> {
    pub(super) fn label(&mut self, label: &'a Label) -> Usage {
        let Some(variable) = label.variable else {
            return Usage::default();
        };
        // A label is shown even if its variable has no value: styles rely on this to label the value of
        // another variable.
        let value = self.context.number(variable);
        let numbers = value
            .as_ref()
            .map(|value| self.numbers(value, variable))
            .unwrap_or_default();
        let own = numbers.first().and_then(|n| numbers::label_term(&n.label));
        let term = match (variable, own) {
            (NumberVar::Locator, _) => {
                let name = self.locator_label().unwrap_or("page");
                self.tree.spend(self.style().extra_terms.len() / 16);
                self.style().term(name)
            }
            (NumberVar::Page, Some(name)) => TermId::core(name),
            // In the variable `number`, the label `no.` means `number`, not `issue`.
            (NumberVar::Number, Some(name)) if name != "issue" => TermId::core(name),
            (other, _) => TermId::number(other),
        };
        let Some(term) = term else {
            return Usage::default();
        };
        let plural = match label.plural {
            Plural::Always => true,
            Plural::Never => false,
            Plural::Contextual => numbers.first().is_some_and(|n| n.plural),
        };
        let locale = &self.context.compiled.locale;
        if let Some(text) = locale.term(term, label.form, plural) {
            if self.begins_sentence()
                && label.attributes.case == TextCase::None
                && self.context.area == Area::Bibliography
            {
                let text = recase(text, TextCase::CapitalizeFirst, self.term_language());
                self.rich_term(&text, &label.attributes);
            } else {
                self.rich_term(text, &label.attributes);
            }
        }
        Usage::default()
    }

    /// The label of the locator: the one in its value, or the cite's.
    pub(super) fn locator_label(&self) -> Option<&'a str> {
        let (label, value) = self.context.locator?;
        if self.context.area != Area::Citation {
            return None;
        }
        let numbers = self.numbers(value, NumberVar::Locator);
        let own = numbers.first().and_then(|n| numbers::label_term(&n.label));
        Some(term::locator_label(own.unwrap_or(label)))
    }
}
