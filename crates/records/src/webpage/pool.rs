//! The candidates for a field: equal claims are one candidate with the traits of all, and the one with the
//! highest sum of weights is chosen.

use std::collections::HashMap;

use super::traits::{Trait, Traits};
use super::weights::{Field, weight};

/// Maximum number of candidates for a field; later claims are dropped.
const CANDIDATES: usize = 64;

/// A value that the page may mean for a field.
#[derive(Clone, Debug)]
pub(super) struct Candidate<T> {
    pub value: T,
    /// Claims with equal keys are one candidate.
    pub key: String,
    pub traits: Traits,
    /// The sum of the weights of its traits.
    pub score: f32,
}

/// The candidates for one field.
#[derive(Clone, Debug)]
pub(super) struct Pool<T> {
    field: Field,
    candidates: Vec<Candidate<T>>,
    by_key: HashMap<String, usize>,
}

impl<T> Pool<T> {
    pub fn new(field: Field) -> Pool<T> {
        Pool {
            field,
            candidates: Vec::new(),
            by_key: HashMap::new(),
        }
    }

    /// Adds a claim. The value of the first claim with a key is kept; claims without a key say nothing.
    pub fn add(&mut self, key: String, value: T, traits: Traits) {
        self.add_or(key, value, traits, |_, _| false);
    }

    /// As [`Pool::add`], of values of which a later one may be the better spelling of an earlier one.
    pub fn add_or(
        &mut self,
        key: String,
        value: T,
        traits: Traits,
        is_better: impl Fn(&T, &T) -> bool,
    ) {
        if key.is_empty() {
            return;
        }
        let traits = traits.with(Trait::Given);
        if let Some(known) = self.by_key.get(&key).copied() {
            if let Some(known) = self.candidates.get_mut(known) {
                known.traits = known.traits.and(traits);
                if is_better(&value, &known.value) {
                    known.value = value;
                }
            }
        } else if self.candidates.len() < CANDIDATES {
            self.by_key.insert(key.clone(), self.candidates.len());
            self.candidates.push(Candidate {
                value,
                key,
                traits,
                score: 0.0,
            });
        }
    }

    pub fn candidates(&self) -> &[Candidate<T>] {
        &self.candidates
    }

    pub fn candidates_mut(&mut self) -> &mut [Candidate<T>] {
        &mut self.candidates
    }

    /// Scores the candidates and orders them, the best first; equal ones keep the order of their claims.
    pub fn rank(&mut self) {
        let is_alone = self.candidates.len() == 1;
        for candidate in &mut self.candidates {
            let kinds = candidate.traits.kinds_of_sources();
            candidate.traits = candidate
                .traits
                .with_if(kinds == 2, Trait::Agreed)
                .with_if(kinds > 2, Trait::AgreedTwice)
                .with_if(is_alone, Trait::Alone);
            let weights = candidate.traits.iter().map(|one| weight(one, self.field));
            candidate.score = weights.sum();
        }
        self.candidates
            .sort_by(|one, other| other.score.total_cmp(&one.score));
        self.by_key.clear();
    }

    /// The best candidate, if its evidence outweighs the possibility that the page has none.
    pub fn best(&self) -> Option<&Candidate<T>> {
        self.candidates
            .first()
            .filter(|best| self.field.is_always_given() || best.score > 0.0)
    }
}
