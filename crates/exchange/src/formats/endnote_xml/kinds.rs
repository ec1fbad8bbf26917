//! EndNote's reference types.

use citation_model::item_type::ItemType;
use citation_model::variable::NumberVar;

/// Name, number and item type. The first row of an item type is written.
const KINDS: &[(&str, u8, ItemType)] = {
    use ItemType::*;
    &[
        ("Journal Article", 17, Article),
        ("Electronic Article", 43, Article),
        ("Magazine Article", 19, MagazineArticle),
        ("Newspaper Article", 23, NewspaperArticle),
        ("Book", 6, Book),
        ("Edited Book", 28, Book),
        ("Electronic Book", 44, Book),
        ("Book Section", 5, Chapter),
        ("Electronic Book Section", 60, Chapter),
        ("Conference Paper", 47, ConferencePaper),
        ("Conference Proceedings", 10, ConferencePaper),
        ("Report", 27, Report),
        ("Government Document", 46, Report),
        ("Thesis", 32, Thesis),
        ("Web Page", 12, Webpage),
        ("Blog", 56, BlogPost),
        ("Social Media", 69, Post),
        ("Discussion Forum", 66, Post),
        ("Dataset", 59, Dataset),
        ("Online Database", 45, Dataset),
        ("Aggregated Database", 55, Dataset),
        ("Computer Program", 9, Software),
        ("Patent", 25, Patent),
        ("Standard", 58, Standard),
        ("Dictionary", 52, DictionaryEntry),
        ("Encyclopedia", 53, EncyclopediaEntry),
        ("Case", 7, LegalCase),
        ("Statute", 31, Legislation),
        ("Legal Rule or Regulation", 50, Regulation),
        ("Bill", 4, Bill),
        ("Hearing", 14, Hearing),
        ("Film or Broadcast", 21, MotionPicture),
        ("Audiovisual Material", 3, MotionPicture),
        ("Television Episode", 67, Broadcast),
        ("Podcast", 63, Broadcast),
        ("Music", 61, Song),
        ("Artwork", 2, Graphic),
        ("Figure", 37, Figure),
        ("Chart or Table", 38, Figure),
        ("Map", 20, Map),
        ("Manuscript", 36, Manuscript),
        ("Unpublished Work", 34, Manuscript),
        ("Personal Communication", 26, PersonalCommunication),
        ("Interview", 64, Interview),
        ("Pamphlet", 24, Pamphlet),
        ("Classical Work", 49, Classic),
        ("Ancient Text", 51, Classic),
        ("Serial", 57, Periodical),
        ("Press Release", 65, Document),
        ("Multimedia Application", 68, Software),
        ("Online Multimedia", 48, MotionPicture),
        ("Catalog", 8, Document),
        ("Equation", 39, Document),
        ("Grant", 54, Document),
        ("Generic", 13, Document),
    ]
};

/// The names of the types of EndNote 7, whose numbers were others. The numbers that are absent had no type.
const OLD_KINDS: &[(u8, &str)] = &[
    (0, "Journal Article"),
    (1, "Book"),
    (2, "Thesis"),
    (3, "Conference Proceedings"),
    (4, "Personal Communication"),
    (5, "Newspaper Article"),
    (6, "Computer Program"),
    (7, "Book Section"),
    (8, "Magazine Article"),
    (9, "Edited Book"),
    (10, "Report"),
    (11, "Map"),
    (12, "Audiovisual Material"),
    (13, "Artwork"),
    (15, "Patent"),
    (16, "Web Page"),
    (17, "Bill"),
    (18, "Case"),
    (19, "Hearing"),
    (20, "Manuscript"),
    (21, "Film or Broadcast"),
    (22, "Statute"),
    (25, "Figure"),
    (26, "Chart or Table"),
    (27, "Equation"),
    (31, "Generic"),
];

/// The name of a type by its number in EndNote 7.
pub fn old_kind(number: &str) -> Option<&'static str> {
    let number: u8 = number.trim().parse().ok()?;
    let row = OLD_KINDS.iter().find(|(known, _)| *known == number);
    row.map(|(_, name)| *name)
}

/// The variable of `number`.
pub fn number_variable(kind: ItemType) -> NumberVar {
    use ItemType::*;
    match kind {
        Book | Collection | Classic | Pamphlet | Chapter | Entry | DictionaryEntry
        | EncyclopediaEntry => NumberVar::CollectionNumber,
        Report | Patent | Standard | LegalCase | Bill | Legislation | Regulation | Treaty
        | Thesis | Hearing | Manuscript | Broadcast | Document => NumberVar::Number,
        _ => NumberVar::Issue,
    }
}

/// Whether the serial number of works of a type is the number of the work itself.
pub fn is_serial_own(kind: ItemType) -> bool {
    use ItemType::*;
    matches!(
        kind,
        Patent | Report | Standard | Legislation | Regulation | Treaty | Bill | LegalCase
    )
}

/// The item type of a name, or of a number if the name is unknown. Other programs write correct names with
/// wrong numbers.
pub fn read_kind(name: &str, number: &str) -> Option<ItemType> {
    let named = KINDS
        .iter()
        .find(|(known, ..)| known.eq_ignore_ascii_case(name.trim()));
    let number: Option<u8> = number.trim().parse().ok();
    let numbered = || KINDS.iter().find(|(_, known, _)| Some(*known) == number);
    let row = named.or_else(numbered).map(|(.., kind)| *kind);
    row.or_else(|| ItemType::parse(name))
}

/// The name and the number to write.
pub fn write_kind(kind: ItemType) -> (&'static str, u8) {
    use ItemType::*;
    let nearest = match kind {
        Preprint | Review | BookReview => Article,
        Collection => Book,
        Entry => EncyclopediaEntry,
        Treaty => Legislation,
        MusicalScore => Song,
        Speech | Event => ConferencePaper,
        Performance => MotionPicture,
        other => other,
    };
    let row = KINDS.iter().find(|(.., known)| *known == nearest);
    row.map_or(("Generic", 13), |(name, number, _)| (name, *number))
}
