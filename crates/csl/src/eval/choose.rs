//! `cs:choose`: selects the matching branch.

use citation_model::cite::Position;
use citation_model::variable::{DateVar, NumberVar, TextVar, Variable};

use super::{Area, Eval, Usage};
use crate::style::*;
use crate::text::numbers::is_digits;

impl<'a> Eval<'a, '_> {
    pub(super) fn choose(&mut self, choose: &'a Choose) -> Usage {
        let branch = self.branch(choose);
        self.elements(branch)
    }

    /// The elements of the first matching branch.
    pub(super) fn branch(&mut self, choose: &'a Choose) -> &'a [Element] {
        for (at, branch) in choose.branches.iter().enumerate() {
            // Most conditions cost less than a step.
            self.tree.spend(usize::from(at % 4 == 3));
            if self.holds(&branch.condition) {
                return &branch.elements;
            }
        }
        &[]
    }

    fn holds(&mut self, condition: &Condition) -> bool {
        let mode = condition.match_mode;
        for test in &condition.tests {
            let (any, all) = self.test(test, mode);
            match mode {
                MatchMode::All if !all => return false,
                MatchMode::Any if any => return true,
                MatchMode::None if any => return false,
                _ => {}
            }
        }
        mode != MatchMode::Any || condition.tests.is_empty()
    }

    /// Whether any and whether all values of a test match.
    fn test(&mut self, test: &Test, mode: MatchMode) -> (bool, bool) {
        match test {
            // An item has one type, so several types can only be alternatives.
            Test::Type(mask) => {
                let bit = self.context.item.kind.map_or(0, |kind| 1 << kind as u64);
                let is = mask & bit != 0;
                (is, is)
            }
            Test::Variable(set) => {
                let have = self.variables;
                (set.intersects(&have), have.includes(set))
            }
            Test::IsNumeric(variables) => {
                every(variables, mode, |variable| self.is_numeric(*variable))
            }
            Test::IsUncertainDate(variables) => {
                every(variables, mode, |variable| self.is_uncertain(*variable))
            }
            Test::Locator(labels) => {
                self.tree.spend(labels.len() / 16);
                let label = self.locator_label();
                every(labels, mode, |wanted| label == Some(&**wanted))
            }
            Test::Position(positions) => every(positions, mode, |wanted| self.is_at(*wanted)),
            Test::Disambiguate(wanted) => {
                self.ambiguity_tests += 1;
                let is = (self.ambiguity_tests <= self.context.hints.conditions) == *wanted;
                (is, is)
            }
        }
    }

    fn is_numeric(&self, variable: Variable) -> bool {
        match variable {
            Variable::Number(NumberVar::CitationNumber) => true,
            Variable::Number(v) => self.context.number(v).is_some_and(|value| {
                is_digits(&value) || self.numbers(&value, v).first().is_some_and(|n| n.numeric)
            }),
            Variable::Text(TextVar::Title) => self
                .context
                .item
                .text(TextVar::Title)
                .is_some_and(|title| title.ends_with(|c: char| c.is_ascii_digit())),
            Variable::Text(_) => false,
            Variable::Date(_) | Variable::Names(_) => false,
        }
    }

    fn is_uncertain(&self, variable: DateVar) -> bool {
        self.context
            .item
            .date(variable)
            .is_some_and(|date| date.circa)
    }

    fn is_at(&self, wanted: PositionTest) -> bool {
        if self.context.area == Area::Bibliography {
            return false;
        }
        let position = self.context.position;
        match wanted {
            PositionTest::First => position == Position::First,
            PositionTest::Subsequent => position != Position::First,
            PositionTest::Ibid => {
                matches!(position, Position::Ibid | Position::IbidWithLocator)
            }
            PositionTest::IbidWithLocator => position == Position::IbidWithLocator,
            PositionTest::NearNote => position != Position::First && self.context.near_note,
            PositionTest::FarNote => position != Position::First && !self.context.near_note,
        }
    }
}

/// Runs a test over values, stopping as soon as the match mode allows.
fn every<T>(values: &[T], mode: MatchMode, mut holds: impl FnMut(&T) -> bool) -> (bool, bool) {
    let mut any = false;
    let mut all = !values.is_empty();
    for value in values {
        if holds(value) {
            any = true;
            if mode != MatchMode::All {
                break;
            }
        } else {
            all = false;
            if mode == MatchMode::All {
                break;
            }
        }
    }
    (any, all)
}
