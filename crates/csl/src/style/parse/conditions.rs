//! `cs:choose` and its conditions.

use super::reader::{Parsed, StyleReader};
use crate::error::StyleFault;
use crate::locale::term;
use crate::style::*;
use crate::xml::XmlElement;
use citation_model::item_type::ItemType;

impl<'a> StyleReader<'a> {
    pub(super) fn choose(&mut self, element: &'a XmlElement<'a>) -> Parsed<Option<Element>> {
        let mut branches = Vec::with_capacity(element.children.len());
        for child in &element.children {
            let condition = match child.name {
                "if" | "else-if" => self.condition(child)?,
                "else" => Condition::default(),
                _ => {
                    return Err(self.fail(
                        child,
                        StyleFault::UnknownElement {
                            element: child.name.to_owned(),
                            parent: "choose".into(),
                        },
                    ));
                }
            };
            branches.push(Branch {
                condition,
                elements: self.elements(child)?,
            });
        }
        Ok(Some(Element::Choose(Choose { branches })))
    }

    fn condition(&mut self, element: &XmlElement) -> Parsed<Condition> {
        let mut tests = Vec::new();
        for (name, value) in &element.attributes {
            let words = value.split_whitespace();
            tests.push(match *name {
                "type" => {
                    let mut mask = 0;
                    for word in words {
                        // A type unknown to CSL matches no item.
                        if let Some(kind) = ItemType::from_csl(word) {
                            mask |= 1 << kind as u8;
                        }
                    }
                    Test::Type(mask)
                }
                "variable" => {
                    let mut set = VariableSet::default();
                    for word in words {
                        if let Some(variable) = Variable::from_csl(word) {
                            set.insert(variable);
                        }
                    }
                    Test::Variable(set)
                }
                "is-numeric" => Test::IsNumeric(words.filter_map(Variable::from_csl).collect()),
                "is-uncertain-date" => {
                    Test::IsUncertainDate(words.filter_map(DateVar::from_csl).collect())
                }
                "locator" => Test::Locator(words.map(|w| term::locator_label(w).into()).collect()),
                "position" => Test::Position(words.filter_map(position).collect()),
                "disambiguate" => {
                    self.asks_ambiguity = true;
                    Test::Disambiguate(value.trim() == "true")
                }
                _ => continue,
            });
        }
        Ok(Condition {
            match_mode: match element.attribute("match") {
                Some("any") => MatchMode::Any,
                Some("none") => MatchMode::None,
                _ => MatchMode::All,
            },
            tests,
        })
    }
}

fn position(word: &str) -> Option<PositionTest> {
    match word {
        "first" => Some(PositionTest::First),
        "subsequent" => Some(PositionTest::Subsequent),
        "ibid" => Some(PositionTest::Ibid),
        "ibid-with-locator" => Some(PositionTest::IbidWithLocator),
        "near-note" => Some(PositionTest::NearNote),
        "far-note" => Some(PositionTest::FarNote),
        _ => None,
    }
}
