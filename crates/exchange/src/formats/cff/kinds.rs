//! Maps reference types of the format to CSL types.

use citation_model::item_type::ItemType;

use crate::kinds::{self, KindRow, both, read, write};

pub(crate) const KINDS: &[KindRow] = {
    use ItemType::*;
    &[
        write("article", ItemType::JOURNAL_ARTICLES),
        write("magazine-article", &[MagazineArticle]),
        write("newspaper-article", &[NewspaperArticle]),
        write("bill", &[Bill]),
        write("book", &[Book]),
        both(
            "video|audiovisual|film-broadcast|multimedia",
            &[MotionPicture, Broadcast],
        ),
        both("historical-work", &[Classic]),
        write("edited-work", &[Collection]),
        both("data|database", &[Dataset]),
        both("dictionary", &[DictionaryEntry]),
        both("encyclopedia", &[EncyclopediaEntry, Entry]),
        both("conference", &[Event]),
        both("art", &[Graphic, Figure]),
        write("hearing", &[Hearing]),
        write("legal-case", &[LegalCase]),
        write("statute", &[Legislation]),
        write("unpublished", &[Manuscript]),
        write("map", &[Map]),
        both("sound-recording|music", &[Song, MusicalScore]),
        write("pamphlet", &[Pamphlet]),
        write("conference-paper", &[ConferencePaper]),
        write("patent", &[Patent]),
        both("serial", &[Periodical]),
        write("personal-communication", &[PersonalCommunication]),
        both("blog", &[BlogPost]),
        both("legal-rule", &[Regulation]),
        write("report", &[Report]),
        write("software", &[Software]),
        both("slides", &[Speech]),
        write("standard", &[Standard]),
        write("thesis", &[Thesis]),
        both("website", &[Webpage, Post]),
        write(
            "generic",
            &[Chapter, Document, Interview, Performance, Treaty],
        ),
        read("catalogue|edited-work|proceedings", &[Book]),
        read("government-document", &[Report]),
    ]
};

/// The item type of a reference type. Words outside the format are read as in other formats
/// (`mastersthesis`).
pub fn item_type(word: &str) -> ItemType {
    let word = word.trim().to_ascii_lowercase();
    match kinds::read_kind(KINDS, &word) {
        Some(kind) => kind,
        None if word.starts_with("software") => ItemType::Software,
        None => ItemType::parse(&word).unwrap_or_default(),
    }
}

/// The reference type of an item type.
pub fn written(kind: ItemType) -> &'static str {
    kinds::write_kind(KINDS, kind).unwrap_or("generic")
}

/// Whether the collection of a work is a series of such works, not a book or journal.
pub fn is_in_series(kind: ItemType) -> bool {
    use ItemType::*;
    matches!(
        kind,
        Book | Collection | Report | Thesis | Periodical | Standard | Pamphlet
    )
}
