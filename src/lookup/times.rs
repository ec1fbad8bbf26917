//! The durations of lookups, by source of the answer.

use std::time::Instant;

use crate::histogram::{Histogram, Times};

/// The source of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// One of the caller's collections.
    Collection,
    Corpus,
    Provider,
    /// Every source has no such work.
    NotFound,
    /// The same, remembered.
    NotFoundRemembered,
    /// A source failed.
    Failed,
}

impl Answer {
    const ALL: [Answer; 6] = [
        Answer::Collection,
        Answer::Corpus,
        Answer::Provider,
        Answer::NotFound,
        Answer::NotFoundRemembered,
        Answer::Failed,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Answer::Collection => "collection",
            Answer::Corpus => "corpus",
            Answer::Provider => "provider",
            Answer::NotFound => "not_found",
            Answer::NotFoundRemembered => "not_found_remembered",
            Answer::Failed => "failed",
        }
    }
}

#[derive(Debug, Default)]
pub struct LookupTimes([Histogram; Answer::ALL.len()]);

impl LookupTimes {
    pub fn add(&self, answer: Answer, since: Instant) {
        if let Some(histogram) = self.0.get(answer as usize) {
            histogram.add(since.elapsed());
        }
    }

    /// The durations of all answers.
    pub fn read(&self) -> Vec<(Answer, Times)> {
        let times = self.0.iter().map(Histogram::read);
        let all = Answer::ALL.into_iter().zip(times);
        all.filter(|(_, times)| times.count() > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbered_in_their_order() {
        for (n, answer) in Answer::ALL.into_iter().enumerate() {
            assert_eq!(answer as usize, n);
        }
    }
}
