//! Maps entry types of BibTeX and biblatex to item types (field mapping, section 1).

use citation_model::item_type::ItemType;

/// What an entry type means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub item: ItemType,
    /// The genre that the entry type implies: the degree of a thesis.
    pub genre: Option<&'static str>,
}

/// Reads an entry type in lower case; `None` if unknown.
pub fn read_kind(entry: &str) -> Option<Kind> {
    use ItemType::*;
    let item = match entry {
        "article" | "suppperiodical" => Article,
        "book" | "mvbook" | "collection" | "mvcollection" | "reference" | "mvreference"
        | "proceedings" | "mvproceedings" | "bookinbook" => Book,
        "booklet" => Pamphlet,
        "inbook" | "incollection" | "suppbook" | "suppcollection" => Chapter,
        "inproceedings" | "conference" => ConferencePaper,
        "inreference" => EncyclopediaEntry,
        "manual" | "techreport" | "report" => Report,
        "phdthesis" => return thesis("PhD thesis"),
        "mastersthesis" => return thesis("Master's thesis"),
        "bachelorsthesis" => return thesis("Bachelor's thesis"),
        "candthesis" => return thesis("Candidate thesis"),
        "thesis" => Thesis,
        "online" | "electronic" | "www" | "webpage" => Webpage,
        "misc" => Document,
        "unpublished" => Manuscript,
        "dataset" | "data" => Dataset,
        "software" => Software,
        "patent" => Patent,
        "periodical" => Periodical,
        "artwork" => Graphic,
        "image" => Figure,
        "audio" => Song,
        "music" => MusicalScore,
        "video" | "movie" => MotionPicture,
        "performance" => Performance,
        "jurisdiction" => LegalCase,
        "legislation" => Legislation,
        "legal" => Treaty,
        "letter" => PersonalCommunication,
        "review" => Review,
        "standard" => Standard,
        "presentation" | "speech" => Speech,
        "preprint" => Preprint,
        _ => return None,
    };
    Some(Kind { item, genre: None })
}

fn thesis(genre: &'static str) -> Option<Kind> {
    Some(Kind {
        item: ItemType::Thesis,
        genre: Some(genre),
    })
}

/// The dialects to write entries in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Bibtex,
    Biblatex,
}

/// The entry type to write for an item, and the genre that it implies.
pub fn write_kind(item: ItemType, genre: Option<&str>, dialect: Dialect) -> &'static str {
    use ItemType::*;
    let latex = dialect == Dialect::Biblatex;
    match item {
        Article | MagazineArticle | NewspaperArticle => "article",
        Review | BookReview if latex => "review",
        Review | BookReview => "article",
        Book | Classic | Collection => "book",
        Pamphlet => "booklet",
        Chapter => "incollection",
        ConferencePaper => "inproceedings",
        Entry | DictionaryEntry | EncyclopediaEntry if latex => "inreference",
        Entry | DictionaryEntry | EncyclopediaEntry => "incollection",
        Report if latex => "report",
        Report => "techreport",
        Thesis => thesis_kind(genre, latex),
        Webpage | BlogPost | Post if latex => "online",
        Manuscript | Preprint => "unpublished",
        Dataset if latex => "dataset",
        Software if latex => "software",
        Patent if latex => "patent",
        Periodical if latex => "periodical",
        Graphic if latex => "artwork",
        Figure if latex => "image",
        Song if latex => "audio",
        MusicalScore if latex => "music",
        MotionPicture | Broadcast if latex => "video",
        Performance if latex => "performance",
        LegalCase if latex => "jurisdiction",
        Legislation | Bill | Hearing | Regulation if latex => "legislation",
        Treaty if latex => "legal",
        PersonalCommunication if latex => "letter",
        Standard if latex => "standard",
        _ => "misc",
    }
}

fn thesis_kind(genre: Option<&str>, latex: bool) -> &'static str {
    let lower = genre.unwrap_or_default().to_lowercase();
    if lower.contains("master") || lower.contains("mathesis") || lower.contains("msc") {
        "mastersthesis"
    } else if latex && !lower.starts_with("phd") {
        "thesis"
    } else {
        "phdthesis"
    }
}

/// The genre that a thesis entry type implies.
pub fn own_genre(entry: &str) -> Option<&'static str> {
    read_kind(entry).and_then(|kind| kind.genre)
}

/// biblatex's `type` keys, which its styles replace with localised words.
pub fn type_key(text: &str) -> Option<&'static str> {
    let words = match text {
        "phdthesis" => "PhD thesis",
        "mathesis" => "Master's thesis",
        "bathesis" => "Bachelor's thesis",
        "candthesis" => "Candidate thesis",
        "techreport" => "Technical report",
        "resreport" => "Research report",
        "software" => "Computer software",
        "datacd" => "Data CD",
        "audiocd" => "Audio CD",
        "patent" => "Patent",
        "patentus" => "U.S. patent",
        "patenteu" => "European patent",
        "patentde" => "German patent",
        "patentfr" => "French patent",
        "patentuk" => "British patent",
        "patreq" => "Patent request",
        "patrequs" => "U.S. patent request",
        "patreqeu" => "European patent request",
        "patreqde" => "German patent request",
        "patreqfr" => "French patent request",
        "patrequk" => "British patent request",
        _ => return None,
    };
    Some(words)
}

/// biblatex's `pubstate` keys in words.
pub fn publication_state(text: &str) -> Option<&'static str> {
    let words = match text {
        "inpreparation" => "in preparation",
        "submitted" => "submitted",
        "forthcoming" => "forthcoming",
        "inpress" => "in press",
        "prepublished" => "pre-published",
        _ => return None,
    };
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn biblatex_keeps_the_types_that_it_knows() {
        for entry in [
            "article",
            "book",
            "incollection",
            "inproceedings",
            "online",
            "dataset",
        ] {
            let kind = read_kind(entry).unwrap();
            assert_eq!(write_kind(kind.item, None, Dialect::Biblatex), entry);
        }
        assert_eq!(read_kind("no such thing"), None);
    }

    #[test]
    fn a_thesis_keeps_its_degree() {
        for entry in ["phdthesis", "mastersthesis"] {
            let kind = read_kind(entry).unwrap();
            assert_eq!(write_kind(kind.item, kind.genre, Dialect::Bibtex), entry);
        }
    }
}
