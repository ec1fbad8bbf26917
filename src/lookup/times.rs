//! The durations of lookups, by source of the answer.

use std::time::Instant;

use crate::histogram::{Histogram, Times};

/// The source of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerSource {
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

impl AnswerSource {
    const ALL: [AnswerSource; 6] = [
        AnswerSource::Collection,
        AnswerSource::Corpus,
        AnswerSource::Provider,
        AnswerSource::NotFound,
        AnswerSource::NotFoundRemembered,
        AnswerSource::Failed,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            AnswerSource::Collection => "collection",
            AnswerSource::Corpus => "corpus",
            AnswerSource::Provider => "provider",
            AnswerSource::NotFound => "not_found",
            AnswerSource::NotFoundRemembered => "not_found_remembered",
            AnswerSource::Failed => "failed",
        }
    }
}

#[derive(Debug, Default)]
pub struct LookupTimes([Histogram; AnswerSource::ALL.len()]);

impl LookupTimes {
    pub fn add(&self, answer: AnswerSource, since: Instant) {
        if let Some(histogram) = self.0.get(answer as usize) {
            histogram.add(since.elapsed());
        }
    }

    /// The durations of all answers.
    pub fn read(&self) -> Vec<(AnswerSource, Times)> {
        let times = self.0.iter().map(Histogram::read);
        let all = AnswerSource::ALL.into_iter().zip(times);
        all.filter(|(_, times)| times.count() > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbered_in_their_order() {
        for (n, answer) in AnswerSource::ALL.into_iter().enumerate() {
            assert_eq!(answer as usize, n);
        }
    }
}
