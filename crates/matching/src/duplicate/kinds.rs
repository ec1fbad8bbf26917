//! Decides which item types may describe one work. Programs often guess types, so similar types are
//! tolerated; a review and its book, or a thesis and its article, are two works.

use super::super::normalize::squeeze;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;

/// The class of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeClass {
    /// A part of a periodical.
    Piece,
    /// A part of a book or of proceedings.
    Part,
    Whole,
    Periodical,
    Preprint,
    Report,
    Thesis,
    Review,
    Dataset,
    Software,
    /// Unspecific types: a document, a web page.
    Open,
    /// Laws, patents, films, maps: similar only to the same type.
    Other(ItemType),
}

/// The compatibility of two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassFit {
    /// Equal, or no conflict.
    Fits,
    /// Often confused, rarely the same work.
    Doubtful,
    /// A part and the whole that contains it.
    PartAndWhole,
    PreprintAndArticle,
    Never,
}

/// The class of an item. Preprints occur under many types: the server is in place of a journal, or
/// an arXiv id is the only identifier.
pub fn class(item: &Item) -> TypeClass {
    use ItemType::*;
    if is_preprint(item) {
        return TypeClass::Preprint;
    }
    match item.kind {
        Article | MagazineArticle | NewspaperArticle => TypeClass::Piece,
        Chapter | ConferencePaper | Entry | DictionaryEntry | EncyclopediaEntry | Speech => {
            TypeClass::Part
        }
        Book | Classic | Collection | Pamphlet | MusicalScore => TypeClass::Whole,
        Periodical => TypeClass::Periodical,
        Report | Standard => TypeClass::Report,
        Thesis => TypeClass::Thesis,
        Review | BookReview => TypeClass::Review,
        Dataset => TypeClass::Dataset,
        Software => TypeClass::Software,
        Document | Webpage | Post | BlogPost | Manuscript => TypeClass::Open,
        other => TypeClass::Other(other),
    }
}

pub fn fit(a: TypeClass, b: TypeClass) -> ClassFit {
    use TypeClass::*;
    if a == b {
        return ClassFit::Fits;
    }
    match (a, b) {
        (Part, Whole) | (Whole, Part) | (Piece, Periodical) | (Periodical, Piece) => {
            ClassFit::PartAndWhole
        }
        (Preprint, Piece | Part | Whole | Review) | (Piece | Part | Whole | Review, Preprint) => {
            ClassFit::PreprintAndArticle
        }
        (Open, Other(_)) | (Other(_), Open) => ClassFit::Doubtful,
        (Open, _) | (_, Open) | (Piece, Review) | (Review, Piece) => ClassFit::Fits,
        (
            Piece | Part | Whole | Report | Thesis | Preprint,
            Piece | Part | Whole | Report | Thesis | Preprint,
        ) if !matches!((a, b), (Piece, Whole) | (Whole, Piece)) => ClassFit::Doubtful,
        (Whole, Periodical) | (Periodical, Whole) => ClassFit::Doubtful,
        _ => ClassFit::Never,
    }
}

/// Whether an item is a preprint, regardless of its type.
pub fn is_preprint(item: &Item) -> bool {
    if item.kind == ItemType::Preprint {
        return true;
    }
    let names_server = |variable| {
        item.text(variable).is_some_and(|text| {
            let letters = squeeze(text);
            letters.contains("rxiv") || letters.contains("preprint")
        })
    };
    if names_server(TextVar::Genre) || names_server(TextVar::ContainerTitle) {
        return true;
    }
    let unplaced = item.text(TextVar::ContainerTitle).is_none()
        && item.text(TextVar::ContainerTitleShort).is_none()
        && item
            .text(TextVar::Publisher)
            .is_none_or(|_| names_server(TextVar::Publisher));
    let open = matches!(
        item.kind,
        ItemType::Article
            | ItemType::Document
            | ItemType::Manuscript
            | ItemType::Webpage
            | ItemType::Report
    );
    open && unplaced && (item.text(TextVar::ArxivId).is_some() || names_server(TextVar::Publisher))
}
