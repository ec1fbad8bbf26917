//! How long what a client sends of a work may be. No honest record comes near these.

use citation_model::budget::is_longer;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// Characters of an identifier of the caller's choice, a type, a number, a keyword, or a date in
/// words.
pub(super) const SHORT_CHARS: usize = 1_000;

/// Characters of a part of a name: collaborations stand in one.
pub(super) const NAME_CHARS: usize = 10_000;

/// Members of a work, those in `extra` not counted.
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

/// The text of an item that was not read as metadata which is longer than metadata may be, and how
/// long that is.
pub fn too_long(item: &Item) -> Option<(TextVar, usize)> {
    let texts = item.text.iter();
    let mut limits = texts.map(|(variable, text)| (variable, text, text_chars(variable)));
    let (variable, _, most) = limits.find(|(_, text, most)| is_longer(text, *most))?;
    Some((variable, most))
}
