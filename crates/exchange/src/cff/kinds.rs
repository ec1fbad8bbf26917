//! Maps reference types of the format to CSL types.

use citation_model::item_type::ItemType;

/// The item type of a reference type. Words outside the format are read as in other formats
/// (`mastersthesis`).
pub fn read(word: &str) -> ItemType {
    use ItemType::*;
    match word.trim().to_ascii_lowercase().as_str() {
        "art" => Graphic,
        "audiovisual" | "film-broadcast" | "multimedia" | "video" => MotionPicture,
        "blog" => BlogPost,
        "catalogue" | "edited-work" | "proceedings" => Book,
        "conference" => Event,
        "data" | "database" => Dataset,
        "dictionary" => DictionaryEntry,
        "encyclopedia" => EncyclopediaEntry,
        "government-document" => Report,
        "historical-work" => Classic,
        "legal-rule" => Regulation,
        "music" | "sound-recording" => Song,
        "serial" => Periodical,
        "slides" => Speech,
        "website" => Webpage,
        word if word.starts_with("software") => Software,
        word => ItemType::parse(word).unwrap_or_default(),
    }
}

/// The reference type of an item type.
pub fn written(kind: ItemType) -> &'static str {
    use ItemType::*;
    match kind {
        Article | Preprint | Review | BookReview => "article",
        MagazineArticle => "magazine-article",
        NewspaperArticle => "newspaper-article",
        Bill => "bill",
        Book => "book",
        Broadcast | MotionPicture => "video",
        Classic => "historical-work",
        Collection => "edited-work",
        Dataset => "data",
        DictionaryEntry => "dictionary",
        Entry | EncyclopediaEntry => "encyclopedia",
        Event => "conference",
        Figure | Graphic => "art",
        Hearing => "hearing",
        LegalCase => "legal-case",
        Legislation => "statute",
        Manuscript => "unpublished",
        Map => "map",
        MusicalScore | Song => "sound-recording",
        Pamphlet => "pamphlet",
        ConferencePaper => "conference-paper",
        Patent => "patent",
        Periodical => "serial",
        PersonalCommunication => "personal-communication",
        BlogPost => "blog",
        Regulation => "legal-rule",
        Report => "report",
        Software => "software",
        Speech => "slides",
        Standard => "standard",
        Thesis => "thesis",
        Webpage | Post => "website",
        Chapter | Document | Interview | Performance | Treaty => "generic",
    }
}

/// Whether the collection of a work is a series of such works, not a book or journal.
pub fn is_in_series(kind: ItemType) -> bool {
    use ItemType::*;
    matches!(
        kind,
        Book | Collection | Report | Thesis | Periodical | Standard | Pamphlet
    )
}
