//! The 45 item types of CSL 1.0.2 with their REST API names, and the names that other formats use for them
//! (interface decisions, table 4b; field mapping, section 1).

macro_rules! item_types {
    ($($name:ident = $csl:literal),* $(,)?) => {
        /// An item type of CSL 1.0.2. The variant is named as in the REST API, with one historical
        /// exception: the API's `Article` is CSL's `article-journal`, and CSL's `article` is the API's
        /// `Preprint`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ItemType { $(#[allow(missing_docs)] $name),*, #[default] Document }

        impl ItemType {
            /// Every type.
            pub const ALL: &'static [ItemType] = &[$(ItemType::$name),*, ItemType::Document];

            /// The CSL spelling: `article-journal`.
            pub fn csl(self) -> &'static str {
                match self { $(ItemType::$name => $csl),*, ItemType::Document => "document" }
            }

            /// The REST API spelling: `Article`.
            pub fn json_name(self) -> &'static str {
                match self {
                    $(ItemType::$name => stringify!($name)),*,
                    ItemType::Document => "Document",
                }
            }

            /// Parses an exact CSL spelling.
            pub fn from_csl(text: &str) -> Option<ItemType> {
                match text {
                    $($csl => Some(ItemType::$name),)*
                    "document" => Some(ItemType::Document),
                    _ => None,
                }
            }
        }
    };
}

item_types! {
    Article = "article-journal",
    Preprint = "article",
    MagazineArticle = "article-magazine",
    NewspaperArticle = "article-newspaper",
    Bill = "bill",
    Book = "book",
    Broadcast = "broadcast",
    Chapter = "chapter",
    Classic = "classic",
    Collection = "collection",
    Dataset = "dataset",
    Entry = "entry",
    DictionaryEntry = "entry-dictionary",
    EncyclopediaEntry = "entry-encyclopedia",
    Event = "event",
    Figure = "figure",
    Graphic = "graphic",
    Hearing = "hearing",
    Interview = "interview",
    LegalCase = "legal_case",
    Legislation = "legislation",
    Manuscript = "manuscript",
    Map = "map",
    MotionPicture = "motion_picture",
    MusicalScore = "musical_score",
    Pamphlet = "pamphlet",
    ConferencePaper = "paper-conference",
    Patent = "patent",
    Performance = "performance",
    Periodical = "periodical",
    PersonalCommunication = "personal_communication",
    Post = "post",
    BlogPost = "post-weblog",
    Regulation = "regulation",
    Report = "report",
    Review = "review",
    BookReview = "review-book",
    Software = "software",
    Song = "song",
    Speech = "speech",
    Standard = "standard",
    Thesis = "thesis",
    Treaty = "treaty",
    Webpage = "webpage",
}

impl ItemType {
    /// Parses any spelling that clients and formats use: those of the REST API, CSL, BibTeX and biblatex,
    /// RIS, Crossref and Zotero; case is ignored. `article` is BibTeX's journal article here; use
    /// [`ItemType::from_csl`] for CSL's preprint.
    pub fn parse(text: &str) -> Option<ItemType> {
        let folded: String = text
            .trim()
            .chars()
            .filter(|c| !matches!(c, '-' | '_' | ' '))
            .flat_map(char::to_lowercase)
            .collect();
        alias(&folded)
    }

    /// Whether an ISBN of the item identifies the item itself and not the containing book.
    pub fn is_whole_book(self) -> bool {
        !matches!(
            self,
            ItemType::Chapter
                | ItemType::ConferencePaper
                | ItemType::Entry
                | ItemType::DictionaryEntry
                | ItemType::EncyclopediaEntry
                | ItemType::Article
                | ItemType::Preprint
                | ItemType::Figure
        )
    }

    /// Whether the item is part of a periodical, whose title is then its `journal`.
    pub fn is_in_periodical(self) -> bool {
        self.is_one_of(ItemType::PARTS_OF_PERIODICALS)
    }

    /// Whether works of the type stand alone and may have the title of a series.
    pub fn has_series(self) -> bool {
        use ItemType::*;
        self.is_one_of(&[
            Book, Report, Software, Map, Pamphlet, Classic, Thesis, Collection,
        ])
    }

    /// Whether a single number of pages is the extent of a work of the type.
    pub fn counts_pages(self) -> bool {
        use ItemType::*;
        self.is_one_of(ItemType::BOOKS) || self.is_one_of(&[Thesis, Report, Standard, MusicalScore])
    }

    /// Whether the edition of a work of the type is a version.
    pub fn has_versions(self) -> bool {
        matches!(self, ItemType::Software | ItemType::Dataset)
    }

    pub fn is_one_of(self, types: &[ItemType]) -> bool {
        types.contains(&self)
    }
}

/// Sets of types; the first is the usual one of the set.
impl ItemType {
    pub const BOOKS: &[ItemType] = {
        use ItemType::*;
        &[Book, Collection, Classic, Pamphlet]
    };

    /// Entries of works of reference.
    pub const ENTRIES: &[ItemType] = {
        use ItemType::*;
        &[Entry, DictionaryEntry, EncyclopediaEntry]
    };

    pub const PARTS_OF_BOOKS: &[ItemType] = {
        use ItemType::*;
        &[Chapter, Entry, DictionaryEntry, EncyclopediaEntry]
    };

    pub const PARTS_OF_PERIODICALS: &[ItemType] = {
        use ItemType::*;
        &[
            Article,
            MagazineArticle,
            NewspaperArticle,
            Review,
            BookReview,
        ]
    };

    /// What formats without types of their own for them have as articles of a journal.
    pub const JOURNAL_ARTICLES: &[ItemType] = {
        use ItemType::*;
        &[Article, Preprint, Review, BookReview]
    };

    pub const LAWS: &[ItemType] = {
        use ItemType::*;
        &[Legislation, Regulation, Treaty]
    };

    /// Works that are cited by a number of their own.
    pub const NUMBERED: &[ItemType] = {
        use ItemType::*;
        &[Report, Patent, Standard, LegalCase, Bill, Legislation]
    };
}

/// Names in lower case without hyphens, underscores and spaces.
fn alias(folded: &str) -> Option<ItemType> {
    use ItemType::*;
    let kind = match folded {
        "article" | "articlejournal" | "journalarticle" | "jour" | "ejour" | "abst" | "inpr"
        | "suppperiodical" | "scholarlyarticle" => Article,
        "preprint" | "postedcontent" | "arxiv" => Preprint,
        "articlemagazine" | "magazinearticle" | "mgzn" => MagazineArticle,
        "articlenewspaper" | "newspaperarticle" | "news" => NewspaperArticle,
        "bill" => Bill,
        "book" | "monograph" | "editedbook" | "referencebook" | "mvbook" | "bookset"
        | "bookseries" | "booktrack" | "collection" | "mvcollection" | "reference"
        | "mvreference" | "proceedings" | "mvproceedings" | "proceedingsseries" | "ebook"
        | "edbook" | "bookinbook" => Book,
        "broadcast" | "podcast" | "tvbroadcast" | "radiobroadcast" | "mpct" => Broadcast,
        "chapter" | "inbook" | "incollection" | "suppbook" | "suppcollection" | "booksection"
        | "bookchapter" | "bookpart" | "chap" | "echap" => Chapter,
        "classic" | "clswk" => Classic,
        "dataset" | "data" | "database" | "dbase" | "aggr" => Dataset,
        "entry" | "inreference" => Entry,
        "dictionaryentry" | "entrydictionary" | "dict" => DictionaryEntry,
        "encyclopediaentry"
        | "entryencyclopedia"
        | "encyclopediaarticle"
        | "encyc"
        | "referenceentry" => EncyclopediaEntry,
        "event" => Event,
        "figure" | "image" | "chart" => Figure,
        "graphic" | "artwork" | "art" => Graphic,
        "hearing" | "hear" => Hearing,
        "interview" => Interview,
        "legalcase" | "case" | "jurisdiction" => LegalCase,
        "legislation" | "stat" | "statute" | "legal" => Legislation,
        "manuscript" | "unpublished" | "manscpt" | "unpb" => Manuscript,
        "map" => Map,
        "motionpicture" | "film" | "video" | "movie" | "videorecording" | "advs" => MotionPicture,
        "musicalscore" | "music" => MusicalScore,
        "pamphlet" | "booklet" | "pamp" => Pamphlet,
        "conferencepaper" | "paperconference" | "inproceedings" | "conference"
        | "proceedingsarticle" | "cpaper" | "conf" => ConferencePaper,
        "patent" | "pat" => Patent,
        "performance" => Performance,
        "periodical" | "journal" | "journalissue" | "journalvolume" | "jfull" => Periodical,
        "personalcommunication" | "pcomm" | "icomm" | "email" | "letter" | "instantmessage" => {
            PersonalCommunication
        }
        "post" | "forumpost" | "social" => Post,
        "blogpost" | "postweblog" | "blog" => BlogPost,
        "regulation" => Regulation,
        "report" | "techreport" | "workingpaper" | "manual" | "rprt" | "govdoc"
        | "reportcomponent" | "reportseries" => Report,
        "review" | "peerreview" => Review,
        "bookreview" | "reviewbook" => BookReview,
        "software" | "computerprogram" | "comp" => Software,
        "song" | "audio" | "audiorecording" | "sound" => Song,
        "speech" | "presentation" | "slide" => Speech,
        "standard" | "stand" => Standard,
        "thesis" | "phdthesis" | "mastersthesis" | "dissertation" | "thes" => Thesis,
        "treaty" => Treaty,
        "webpage" | "online" | "electronic" | "www" | "elec" | "web" => Webpage,
        "document" | "misc" | "gen" | "other" | "component" | "generic" => Document,
        _ => return None,
    };
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_reads_back_from_its_own_names() {
        assert_eq!(ItemType::ALL.len(), 45);
        for &kind in ItemType::ALL {
            assert_eq!(ItemType::from_csl(kind.csl()), Some(kind));
            // These two names mean something else in other formats; see `parse`.
            if !matches!(kind, ItemType::Collection) {
                assert_eq!(
                    ItemType::parse(kind.json_name()),
                    Some(kind),
                    "{}",
                    kind.json_name()
                );
            }
        }
    }

    #[test]
    fn foreign_names_are_known() {
        assert_eq!(
            ItemType::parse("proceedings-article"),
            Some(ItemType::ConferencePaper)
        );
        assert_eq!(ItemType::parse("JOUR"), Some(ItemType::Article));
        assert_eq!(ItemType::parse("posted-content"), Some(ItemType::Preprint));
        assert_eq!(ItemType::parse("no such thing"), None);
    }
}
