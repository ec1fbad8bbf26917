//! Word's source types.

use citation_model::item_type::ItemType;

/// The item type of a source. `Misc` and unknown types give none.
pub fn read_kind(source: &str) -> Option<ItemType> {
    use ItemType::*;
    let kind = match source {
        "ArticleInAPeriodical" => MagazineArticle,
        "JournalArticle" => Article,
        "Book" => Book,
        "BookSection" => Chapter,
        "ConferenceProceedings" => ConferencePaper,
        "Report" => Report,
        "SoundRecording" => Song,
        "Performance" => Performance,
        "Art" => Graphic,
        "DocumentFromInternetSite" | "InternetSite" => Webpage,
        "Film" => MotionPicture,
        "Interview" => Interview,
        "Patent" => Patent,
        "ElectronicSource" => Document,
        "Case" => LegalCase,
        _ => return None,
    };
    Some(kind)
}

/// The source type to write.
pub fn write_kind(kind: ItemType) -> &'static str {
    use ItemType::*;
    match kind {
        Article | Preprint | Review | BookReview => "JournalArticle",
        MagazineArticle | NewspaperArticle | Periodical => "ArticleInAPeriodical",
        Book | Collection | Classic | Pamphlet => "Book",
        Chapter | Entry | DictionaryEntry | EncyclopediaEntry => "BookSection",
        ConferencePaper | Speech => "ConferenceProceedings",
        Report | Thesis | Manuscript | Standard => "Report",
        Song | MusicalScore => "SoundRecording",
        Performance => "Performance",
        Graphic | Figure => "Art",
        Webpage | Post => "InternetSite",
        BlogPost => "DocumentFromInternetSite",
        MotionPicture | Broadcast => "Film",
        Interview => "Interview",
        Patent => "Patent",
        Dataset | Software => "ElectronicSource",
        LegalCase => "Case",
        _ => "Misc",
    }
}
