//! How certain it is that a candidate is the work meant: the scores from which it counts, and why these.

/// What a score says about a candidate, from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It only shares words with the reference; its source has not found the work.
    Unlikely,
    /// It may be the work: something for a person to choose from.
    Possible,
    /// It is more probably the work than not: what a reference is compared with, and what is counted as found.
    Accepted,
    /// It may stand for the reference without anybody looking at it.
    Certain,
}

impl Certainty {
    /// The certainty of a score, as it is shown ([`rounded`]): no reader sees a score that a threshold
    /// names and that was refused.
    pub fn of(score: f64) -> Certainty {
        let score = rounded(score);
        let levels = [Certainty::Certain, Certainty::Accepted, Certainty::Possible];
        let reached = levels.into_iter().find(|level| score >= level.threshold());
        reached.unwrap_or(Certainty::Unlikely)
    }

    /// The lowest score of this certainty. The measurements are in docs/matching.md.
    pub const fn threshold(self) -> f64 {
        match self {
            Certainty::Unlikely => 0.0,
            // Below, fewer than 3 in 100 candidates are right; from here on a third and more.
            Certainty::Possible => 0.1,
            // With titles 99.5 % of the right works are accepted, and no other one for a work that is missing;
            // without titles 98.3 %, and 0.6 %.
            Certainty::Accepted => 0.62,
            // The default of `min_score` in interface decisions, section 9. A wrong work that nobody looks
            // at costs more than a question: the few answers between 0.62 and this are asked about.
            Certainty::Certain => 0.8,
        }
    }
}

/// A score as it is shown: four decimals, since more would suggest a precision that does not exist.
pub fn rounded(score: f64) -> f64 {
    (score * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certainty_grows_with_the_score() {
        let of = |n: u32| Certainty::of(f64::from(n) / 10_000.0);
        assert!((0..10_000).all(|n| of(n) <= of(n + 1)));
        for level in [
            Certainty::Unlikely,
            Certainty::Possible,
            Certainty::Accepted,
            Certainty::Certain,
        ] {
            assert_eq!(Certainty::of(level.threshold()), level);
        }
    }

    #[test]
    fn score_shown_as_threshold_reaches_it() {
        assert_eq!(Certainty::of(0.619_96), Certainty::Accepted);
        assert_eq!(Certainty::of(0.619_94), Certainty::Possible);
        assert_eq!(Certainty::of(f64::NAN), Certainty::Unlikely);
    }
}
