//! Maps RIS reference types to item types (field mapping, section 1).

use citation_model::item_type::ItemType;

use crate::kinds::{self, KindRow, both, read, write};

pub(crate) const KINDS: &[KindRow] = {
    use ItemType::*;
    &[
        both("JOUR|EJOUR|ABST|INPR", ItemType::JOURNAL_ARTICLES),
        both("JFULL", &[Periodical]),
        both("MGZN", &[MagazineArticle]),
        both("NEWS", &[NewspaperArticle]),
        both("BOOK|EBOOK|EDBOOK|WHOLE|SER", &[Book, Collection]),
        both("CLSWK", &[Classic]),
        both("CHAP|ECHAP", &[Chapter, Entry]),
        both("CONF|CPAPER", &[ConferencePaper]),
        both("DICT", &[DictionaryEntry]),
        both("ENCYC", &[EncyclopediaEntry]),
        both("RPRT|GOVDOC", &[Report]),
        both("THES", &[Thesis]),
        both("ELEC|WEB", &[Webpage, Post]),
        both("BLOG", &[BlogPost]),
        both("DATA|DBASE|AGGR", &[Dataset]),
        both("COMP", &[Software]),
        both("PAT", &[Patent]),
        both("STAND", &[Standard]),
        both("CASE", &[LegalCase]),
        both("STAT|LEGAL", ItemType::LAWS),
        both("BILL|UNBILL", &[Bill]),
        both("HEAR", &[Hearing]),
        both("MPCT|VIDEO|ADVS", &[MotionPicture, Broadcast]),
        both("SOUND", &[Song]),
        both("MUSIC", &[MusicalScore]),
        both("ART", &[Graphic]),
        both("FIGURE|CHART", &[Figure]),
        both("MAP", &[Map]),
        both("UNPB|MANSCPT", &[Manuscript]),
        both("PCOMM|ICOMM", &[PersonalCommunication]),
        both("PAMP", &[Pamphlet]),
        both("SLIDE", &[Speech]),
        write("GEN", &[Document, Event, Interview, Performance]),
        read("MULTI|EQUA|GRANT|CTLG", &[Document]),
    ]
};

/// Reads a `TY`; `None` for `GEN` and unknown types.
pub fn read_kind(text: &str) -> Option<ItemType> {
    kinds::read_kind(KINDS, text).or_else(|| written_out(text))
}

/// A type in words, as some exporters write it: `Journal Article`.
fn written_out(text: &str) -> Option<ItemType> {
    let in_words = text.chars().any(char::is_lowercase);
    ItemType::parse(text).filter(|kind| in_words && *kind != ItemType::Document)
}

/// The `TY` of an item. Preprints are written as `JOUR`, which most readers support.
pub fn write_kind(kind: ItemType) -> &'static str {
    kinds::write_kind(KINDS, kind).unwrap_or("GEN")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_types_read_back() {
        for &kind in ItemType::ALL {
            let written = write_kind(kind);
            let read = read_kind(written);
            let again = read.map(write_kind);
            assert_eq!(again.unwrap_or("GEN"), written, "{kind:?}");
        }
    }
}
