//! How reliable an entry of a collection is.

/// The review state of an entry's metadata (interface decisions, section 8). Users may set any; the server
/// sets one when it creates an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReviewStatus {
    #[default]
    Clean,
    /// Something was corrected or is missing.
    NeedsReview,
    PossibleDuplicate,
    Verified,
    /// The metadata disagrees with the identified work.
    Mismatch,
    Retracted,
}

impl ReviewStatus {
    pub const ALL: [ReviewStatus; 6] = [
        ReviewStatus::Clean,
        ReviewStatus::NeedsReview,
        ReviewStatus::PossibleDuplicate,
        ReviewStatus::Verified,
        ReviewStatus::Mismatch,
        ReviewStatus::Retracted,
    ];

    /// The spelling in replies and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            ReviewStatus::Clean => "clean",
            ReviewStatus::NeedsReview => "needs_review",
            ReviewStatus::PossibleDuplicate => "possible_duplicate",
            ReviewStatus::Verified => "verified",
            ReviewStatus::Mismatch => "mismatch",
            ReviewStatus::Retracted => "retracted",
        }
    }

    pub fn parse(text: &str) -> Option<ReviewStatus> {
        ReviewStatus::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}
