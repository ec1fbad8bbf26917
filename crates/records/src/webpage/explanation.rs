//! Why a page was read as it was: the candidates of each field with their evidence.

use std::fmt;

use citation_model::item_type::ItemType;

use super::pool::Pool;
use super::signs::Sign;
use super::traits::Trait;
use super::weights::Field;

/// The candidates of each field and the signs of each type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// In the order of [`Field::ALL`]; empty for a challenge page.
    pub fields: Vec<FieldExplanation>,
    /// The types with their scores and what speaks for them, the chosen first.
    pub kinds: Vec<(ItemType, f32, Vec<&'static str>)>,
    /// The types that are voted for, each with a weight; they may repeat.
    pub votes: Vec<(ItemType, f32)>,
    /// What the page shows of the publication that it stands in.
    pub signs: Vec<Sign>,
}

/// The candidates of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldExplanation {
    pub field: Field,
    /// Whether the first candidate was chosen; otherwise none was.
    pub is_chosen: bool,
    /// The best first.
    pub candidates: Vec<CandidateExplanation>,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateExplanation {
    /// The value as text; people are separated by semicolons, dates are in EDTF.
    pub value: String,
    /// The sum of the weights of the traits.
    pub score: f32,
    pub traits: Vec<Trait>,
}

/// Lines for a reader: a field, then its candidates with their scores and traits.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in &self.fields {
            let none = if field.is_chosen {
                ""
            } else {
                ": none is chosen"
            };
            writeln!(f, "{}{none}", field.field.as_str())?;
            for candidate in field.candidates.iter().take(SHOWN) {
                let traits: Vec<&str> = candidate.traits.iter().map(|one| one.as_str()).collect();
                writeln!(f, "  {:+.2} {}", candidate.score, candidate.value)?;
                writeln!(f, "        {}", traits.join(", "))?;
            }
        }
        writeln!(f, "type")?;
        for (kind, score, reasons) in &self.kinds {
            writeln!(f, "  {score:+.2} {}", kind.csl())?;
            writeln!(f, "        {}", reasons.join(", "))?;
        }
        Ok(())
    }
}

/// Maximum number of candidates of a field that are printed.
const SHOWN: usize = 8;

impl FieldExplanation {
    pub(super) fn of<T>(
        field: Field,
        pool: &Pool<T>,
        show: impl Fn(&T) -> String,
    ) -> FieldExplanation {
        let candidates = pool
            .candidates()
            .iter()
            .map(|candidate| CandidateExplanation {
                value: show(&candidate.value),
                score: candidate.score,
                traits: candidate.traits.iter().collect(),
            });
        FieldExplanation {
            field,
            is_chosen: pool.best().is_some(),
            candidates: candidates.collect(),
        }
    }
}
