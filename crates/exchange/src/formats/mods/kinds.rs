//! Maps genres and resource types to item types: the terms of the MARC genre list, bibutils and BibTeX, as
//! exporters write them, and Zotero's names of types.

use citation_model::item_type::ItemType;

/// The item type of a genre; most genres imply none.
pub fn of_genre(genre: &str) -> Option<ItemType> {
    use ItemType::*;
    let lower = genre.trim().to_lowercase();
    let kind = match lower.as_str() {
        "article" | "journal article" | "periodical article" | "research article" => Article,
        "magazine article" => MagazineArticle,
        "newspaper article" => NewspaperArticle,
        "book" | "edited book" | "monograph" | "ebook" => Book,
        "book chapter" | "chapter" | "book section" | "inbook" | "incollection" | "book part" => {
            Chapter
        }
        "conference paper" | "inproceedings" | "conference" | "conference item" => ConferencePaper,
        "conference publication" | "proceedings" => Book,
        "thesis"
        | "theses"
        | "dissertation"
        | "ph.d. thesis"
        | "masters thesis"
        | "phdthesis"
        | "mastersthesis"
        | "diploma thesis"
        | "doctoral thesis"
        | "habilitation thesis"
        | "academic dissertation" => Thesis,
        "report"
        | "technical report"
        | "techreport"
        | "working paper"
        | "government publication" => Report,
        "web site" | "website" | "web page" | "webpage" | "electronic" | "online" => Webpage,
        "blog" | "weblog" => BlogPost,
        "encyclopedia" => EncyclopediaEntry,
        "dictionary" => DictionaryEntry,
        "patent" => Patent,
        "standard or specification" | "standard" | "technical standard" => Standard,
        "legislation" | "law" | "law report or digest" => Legislation,
        "legal case and case notes" | "legal case" => LegalCase,
        "hearing" => Hearing,
        "bill" => Bill,
        "treaty" => Treaty,
        "letter" | "personal communication" | "e-mail communication" | "email" => {
            PersonalCommunication
        }
        "interview" => Interview,
        "manuscript" | "unpublished" | "unpublished work" => Manuscript,
        "map" | "atlas" | "globe" | "remote-sensing image" => Map,
        "motion picture" | "videorecording" | "video recording" | "filmstrip" => MotionPicture,
        "podcast" | "television broadcast" | "radio broadcast" => Broadcast,
        "sound" | "audio recording" | "sound recording" => Song,
        "picture" | "painting" | "photograph" | "art original" | "art reproduction" | "graphic"
        | "slide" | "chart" | "artwork" => Graphic,
        "database" | "dataset" | "numeric data" | "data set" => Dataset,
        "computer program" | "software" | "game" => Software,
        "periodical" | "academic journal" | "journal" | "newspaper" | "magazine" => Periodical,
        "pamphlet" | "booklet" => Pamphlet,
        "review" => Review,
        "book review" => BookReview,
        "preprint" => Preprint,
        "presentation" | "speech" | "lecture" => Speech,
        "collection" => Collection,
        _ => {
            return crate::formats::zotero::kind_named(genre.trim())
                .filter(|kind| *kind != Document);
        }
    };
    Some(kind)
}

/// The item type of a `typeOfResource`; text may be of any type.
pub fn of_resource(resource: &str) -> Option<ItemType> {
    use ItemType::*;
    let lower = resource.trim().to_lowercase();
    let kind = match lower.as_str() {
        "cartographic" => Map,
        "notated music" => MusicalScore,
        "still image" | "three dimensional object" | "artifact" => Graphic,
        "moving image" => MotionPicture,
        "software, multimedia" | "software" => Software,
        "dataset" => Dataset,
        _ if lower.starts_with("sound recording") || lower == "audio" => Song,
        _ => return None,
    };
    Some(kind)
}

/// The resource type and genre to write.
pub fn write_kind(kind: ItemType) -> (&'static str, &'static str) {
    use ItemType::*;
    match kind {
        Article | Review => ("text", "journal article"),
        BookReview => ("text", "book review"),
        Preprint => ("text", "preprint"),
        MagazineArticle => ("text", "magazine article"),
        NewspaperArticle => ("text", "newspaper article"),
        Book | Classic => ("text", "book"),
        Collection => ("text", "collection"),
        Chapter | Entry => ("text", "book chapter"),
        ConferencePaper => ("text", "conference paper"),
        DictionaryEntry => ("text", "dictionary"),
        EncyclopediaEntry => ("text", "encyclopedia"),
        Thesis => ("text", "thesis"),
        Report => ("text", "report"),
        Webpage | Post => ("text", "web site"),
        BlogPost => ("text", "blog"),
        Patent => ("text", "patent"),
        Standard => ("text", "standard or specification"),
        Legislation | Regulation => ("text", "legislation"),
        LegalCase => ("text", "legal case and case notes"),
        Hearing => ("text", "hearing"),
        Bill => ("text", "bill"),
        Treaty => ("text", "treaty"),
        PersonalCommunication => ("text", "personal communication"),
        Interview => ("text", "interview"),
        Manuscript => ("text", "manuscript"),
        Pamphlet => ("text", "pamphlet"),
        Periodical => ("text", "periodical"),
        Speech => ("text", "presentation"),
        Map => ("cartographic", "map"),
        MusicalScore => ("notated music", ""),
        Song => ("sound recording", ""),
        MotionPicture => ("moving image", "motion picture"),
        Broadcast => ("moving image", "television broadcast"),
        Performance => ("moving image", ""),
        Graphic | Figure => ("still image", "picture"),
        Software => ("software, multimedia", "software"),
        Dataset => ("dataset", "dataset"),
        Document | Event => ("text", ""),
    }
}
