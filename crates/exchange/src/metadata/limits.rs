//! Maximum sizes of a work sent by a client. Real records are far below these.

use citation_model::variable::TextVar;

/// Characters of a client-chosen identifier, a type, a number, a keyword, or a literal date.
pub(super) const SHORT_CHARS: usize = 1_000;

/// Characters of a name part: one may hold a whole collaboration.
pub(super) const NAME_CHARS: usize = 10_000;

/// Members of a work, not counting those in `extra`.
pub(super) const MEMBERS: usize = 1_000;

/// Keywords of a work.
pub(super) const KEYWORDS: usize = 1_000;

/// Characters of a text variable.
pub(super) fn text_chars(variable: TextVar) -> usize {
    match variable {
        TextVar::Abstract | TextVar::Note | TextVar::Annote => 200_000,
        TextVar::Keyword => KEYWORDS * SHORT_CHARS,
        _ => 10_000,
    }
}
