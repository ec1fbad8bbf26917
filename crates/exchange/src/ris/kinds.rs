//! Maps RIS reference types to item types (field mapping, section 1).

use citation_model::item_type::ItemType;

/// Reads a `TY`, case-insensitively; `None` for `GEN` and unknown types.
pub fn read_kind(text: &str) -> Option<ItemType> {
    use ItemType::*;
    let kind = match text.trim().to_ascii_uppercase().as_str() {
        "JOUR" | "EJOUR" | "ABST" | "INPR" => Article,
        "JFULL" => Periodical,
        "MGZN" => MagazineArticle,
        "NEWS" => NewspaperArticle,
        "BOOK" | "EBOOK" | "EDBOOK" | "WHOLE" | "SER" => Book,
        "CHAP" | "ECHAP" => Chapter,
        "CONF" | "CPAPER" => ConferencePaper,
        "DICT" => DictionaryEntry,
        "ENCYC" => EncyclopediaEntry,
        "RPRT" | "GOVDOC" => Report,
        "THES" => Thesis,
        "ELEC" | "WEB" => Webpage,
        "BLOG" => BlogPost,
        "DATA" | "DBASE" | "AGGR" => Dataset,
        "COMP" => Software,
        "PAT" => Patent,
        "STAND" => Standard,
        "CASE" => LegalCase,
        "STAT" | "LEGAL" => Legislation,
        "BILL" | "UNBILL" => Bill,
        "HEAR" => Hearing,
        "MPCT" | "VIDEO" | "ADVS" => MotionPicture,
        "SOUND" => Song,
        "MUSIC" => MusicalScore,
        "ART" => Graphic,
        "FIGURE" | "CHART" => Figure,
        "MAP" => Map,
        "MANSCPT" | "UNPB" => Manuscript,
        "PCOMM" | "ICOMM" => PersonalCommunication,
        "PAMP" => Pamphlet,
        "CLSWK" => Classic,
        "SLIDE" => Speech,
        "MULTI" | "EQUA" | "GRANT" | "CTLG" => Document,
        _ => return written_out(text),
    };
    Some(kind)
}

/// A type in words, as some exporters write it: `Journal Article`.
fn written_out(text: &str) -> Option<ItemType> {
    let in_words = text.chars().any(char::is_lowercase);
    ItemType::parse(text).filter(|kind| in_words && *kind != ItemType::Document)
}

/// The `TY` of an item. Preprints are written as `JOUR`, which most readers support.
pub fn write_kind(kind: ItemType) -> &'static str {
    use ItemType::*;
    match kind {
        Article | Preprint | Review | BookReview => "JOUR",
        Periodical => "JFULL",
        MagazineArticle => "MGZN",
        NewspaperArticle => "NEWS",
        Book | Collection => "BOOK",
        Classic => "CLSWK",
        Chapter | Entry => "CHAP",
        ConferencePaper => "CONF",
        DictionaryEntry => "DICT",
        EncyclopediaEntry => "ENCYC",
        Report => "RPRT",
        Thesis => "THES",
        Webpage | Post => "ELEC",
        BlogPost => "BLOG",
        Dataset => "DATA",
        Software => "COMP",
        Patent => "PAT",
        Standard => "STAND",
        LegalCase => "CASE",
        Legislation | Regulation | Treaty => "STAT",
        Bill => "BILL",
        Hearing => "HEAR",
        MotionPicture | Broadcast => "MPCT",
        Song => "SOUND",
        MusicalScore => "MUSIC",
        Graphic => "ART",
        Figure => "FIGURE",
        Map => "MAP",
        Manuscript => "UNPB",
        PersonalCommunication => "PCOMM",
        Pamphlet => "PAMP",
        Speech => "SLIDE",
        Document | Event | Interview | Performance => "GEN",
    }
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
