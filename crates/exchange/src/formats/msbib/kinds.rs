//! Word's source types.

use citation_model::item_type::ItemType;

use crate::kinds::{KindRow, both, read};

/// `Misc`, which is written for other types, says nothing.
pub(crate) const KINDS: &[KindRow] = {
    use ItemType::*;
    &[
        both("JournalArticle", ItemType::JOURNAL_ARTICLES),
        both(
            "ArticleInAPeriodical",
            &[MagazineArticle, NewspaperArticle, Periodical],
        ),
        both("Book", ItemType::BOOKS),
        both("BookSection", ItemType::PARTS_OF_BOOKS),
        both("ConferenceProceedings", &[ConferencePaper, Speech]),
        both("Report", &[Report, Thesis, Manuscript, Standard]),
        both("SoundRecording", &[Song, MusicalScore]),
        both("Performance", &[Performance]),
        both("Art", &[Graphic, Figure]),
        both("InternetSite", &[Webpage, Post, BlogPost]),
        both("Film", &[MotionPicture, Broadcast]),
        both("Interview", &[Interview]),
        both("Patent", &[Patent]),
        both("Case", &[LegalCase]),
        read("DocumentFromInternetSite", &[Webpage]),
        read("ElectronicSource", &[Document]),
    ]
};
