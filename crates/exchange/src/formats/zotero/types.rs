//! Zotero's item types with their CSL types, creators and fields.

use citation_model::item_type::ItemType;

/// A type of Zotero.
pub struct Type {
    pub name: &'static str,
    pub kind: ItemType,
    /// Allowed creators, separated by blanks; the first is the main one.
    pub creators: &'static str,
    /// Allowed fields in addition to [`COMMON`], separated by blanks.
    pub fields: &'static str,
}

/// Fields of every type.
pub const COMMON: &str =
    "abstractNote date language shortTitle DOI citationKey url accessDate rights";

const fn row(
    name: &'static str,
    kind: ItemType,
    creators: &'static str,
    fields: &'static str,
) -> Type {
    Type {
        name,
        kind,
        creators,
        fields,
    }
}

/// The first of several types with the same meaning is written.
pub static TYPES: [Type; 37] = [
    row(
        "artwork",
        ItemType::Graphic,
        "artist contributor",
        "title artworkMedium artworkSize eventPlace archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "audioRecording",
        ItemType::Song,
        "performer originalCreator composer wordsBy translator contributor",
        "title audioRecordingFormat seriesTitle volume numberOfVolumes label place runningTime ISBN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "bill",
        ItemType::Bill,
        "sponsor cosponsor contributor",
        "title billNumber code codeVolume section codePages legislativeBody session history",
    ),
    row(
        "blogPost",
        ItemType::BlogPost,
        "author translator commenter contributor",
        "title blogTitle websiteType ISSN",
    ),
    row(
        "book",
        ItemType::Book,
        "author contributor editor translator seriesEditor",
        "title series seriesNumber volume numberOfVolumes edition publisher place originalDate originalPublisher originalPlace format numPages ISBN ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "bookSection",
        ItemType::Chapter,
        "author contributor editor bookAuthor translator seriesEditor",
        "title bookTitle series seriesNumber volume numberOfVolumes edition publisher place originalDate originalPublisher originalPlace format pages ISBN ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "case",
        ItemType::LegalCase,
        "author counsel contributor",
        "caseName court dateDecided docketNumber reporter reporterVolume firstPage history",
    ),
    row(
        "computerProgram",
        ItemType::Software,
        "programmer contributor",
        "title seriesTitle versionNumber system company place programmingLanguage ISBN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "conferencePaper",
        ItemType::ConferencePaper,
        "author contributor editor translator seriesEditor",
        "title proceedingsTitle conferenceName publisher place eventPlace volume issue numberOfVolumes pages series seriesNumber ISBN ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "dataset",
        ItemType::Dataset,
        "author contributor",
        "title identifier type versionNumber repository repositoryLocation format archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "dictionaryEntry",
        ItemType::DictionaryEntry,
        "author contributor editor translator seriesEditor",
        "title dictionaryTitle series seriesNumber volume numberOfVolumes edition publisher place pages ISBN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "document",
        ItemType::Document,
        "author contributor editor translator reviewedAuthor",
        "title type publisher place archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "encyclopediaArticle",
        ItemType::EncyclopediaEntry,
        "author contributor editor translator seriesEditor",
        "title encyclopediaTitle series seriesNumber volume numberOfVolumes edition publisher place pages ISBN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "film",
        ItemType::MotionPicture,
        "director producer scriptwriter castMember host guest narrator translator contributor",
        "title distributor place genre videoRecordingFormat runningTime archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "forumPost",
        ItemType::Post,
        "author contributor",
        "title forumTitle postType",
    ),
    row(
        "hearing",
        ItemType::Hearing,
        "contributor",
        "title committee publisher numberOfVolumes documentNumber pages legislativeBody session history place",
    ),
    row(
        "interview",
        ItemType::Interview,
        "interviewee contributor interviewer translator",
        "title interviewMedium publisher place archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "journalArticle",
        ItemType::Article,
        "author contributor editor translator reviewedAuthor",
        "title publicationTitle publisher place volume issue section partNumber partTitle pages seriesTitle series journalAbbreviation PMID PMCID ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "letter",
        ItemType::PersonalCommunication,
        "author recipient contributor translator",
        "title letterType eventPlace archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "email",
        ItemType::PersonalCommunication,
        "author translator contributor recipient",
        "subject",
    ),
    row(
        "instantMessage",
        ItemType::PersonalCommunication,
        "author contributor recipient",
        "title",
    ),
    row(
        "magazineArticle",
        ItemType::MagazineArticle,
        "author contributor translator reviewedAuthor",
        "title publicationTitle publisher place volume issue pages ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "manuscript",
        ItemType::Manuscript,
        "author contributor translator",
        "title manuscriptType institution place numPages number archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "map",
        ItemType::Map,
        "cartographer contributor seriesEditor",
        "title mapType scale seriesTitle edition publisher place ISBN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "newspaperArticle",
        ItemType::NewspaperArticle,
        "author contributor translator reviewedAuthor",
        "title publicationTitle publisher place volume issue edition section pages ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "patent",
        ItemType::Patent,
        "inventor attorneyAgent contributor",
        "title place issuingAuthority patentNumber filingDate pages applicationNumber priorityNumbers issueDate priorityDate references legalStatus",
    ),
    row(
        "podcast",
        ItemType::Broadcast,
        "podcaster guest producer executiveProducer seriesCreator director scriptwriter castMember translator contributor",
        "title seriesTitle episodeNumber audioFileType publisher place runningTime",
    ),
    row(
        "radioBroadcast",
        ItemType::Broadcast,
        "creator host guest producer executiveProducer seriesCreator director scriptwriter castMember translator contributor",
        "title programTitle episodeNumber audioRecordingFormat network place runningTime archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "tvBroadcast",
        ItemType::Broadcast,
        "director producer executiveProducer seriesCreator scriptwriter castMember host guest narrator translator contributor",
        "title programTitle episodeNumber videoRecordingFormat network place runningTime archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "preprint",
        ItemType::Preprint,
        "author contributor editor translator reviewedAuthor",
        "title genre repository archiveID place series seriesNumber archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "presentation",
        ItemType::Speech,
        "presenter chair organizer contributor translator",
        "title presentationType meetingName place series sessionTitle",
    ),
    row(
        "report",
        ItemType::Report,
        "author editor contributor translator seriesEditor",
        "title reportNumber reportType institution place seriesTitle seriesNumber pages ISBN ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "standard",
        ItemType::Standard,
        "author editor contributor",
        "title organization committee type number versionNumber edition status publisher place partNumber partTitle ISBN archive archiveLocation numPages libraryCatalog callNumber",
    ),
    row(
        "statute",
        ItemType::Legislation,
        "author contributor",
        "nameOfAct code codeNumber publicLawNumber dateEnacted pages section session history",
    ),
    row(
        "thesis",
        ItemType::Thesis,
        "author contributor",
        "title thesisType university place series seriesNumber numPages ISBN ISSN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "videoRecording",
        ItemType::MotionPicture,
        "creator director producer scriptwriter executiveProducer castMember host guest narrator translator contributor",
        "title videoRecordingFormat seriesTitle volume numberOfVolumes studio place runningTime ISBN archive archiveLocation libraryCatalog callNumber",
    ),
    row(
        "webpage",
        ItemType::Webpage,
        "author contributor translator",
        "title websiteTitle websiteType publisher place",
    ),
];

/// The item type of a name; `None` for notes, attachments and annotations, which are not references.
pub fn kind(name: &str) -> Option<ItemType> {
    if matches!(name, "note" | "attachment" | "annotation") {
        return None;
    }
    Some(kind_named(name).unwrap_or_else(|| ItemType::parse(name).unwrap_or_default()))
}

/// The item type of one of Zotero's own names.
pub fn kind_named(name: &str) -> Option<ItemType> {
    let known = TYPES.iter().find(|row| row.name == name);
    known.map(|row| row.kind)
}

/// Whether a word is a creator role of any type.
pub fn is_creator(word: &str) -> bool {
    TYPES
        .iter()
        .any(|row| row.creators.split(' ').any(|creator| creator == word))
}

/// The type to write for an item, and whether it matches exactly.
pub fn written(kind: ItemType) -> (&'static Type, bool) {
    use ItemType::*;
    let exact = |kind| TYPES.iter().find(|row| row.kind == kind);
    if let Some(row) = exact(kind) {
        return (row, true);
    }
    let near = match kind {
        Classic | Collection | Pamphlet | Periodical => Book,
        Entry => EncyclopediaEntry,
        Event | Performance => Speech,
        Figure => Graphic,
        MusicalScore => Document,
        Regulation | Treaty => Legislation,
        Review | BookReview => Article,
        _ => Document,
    };
    let [document, ..] = &TYPES;
    (exact(near).unwrap_or(document), false)
}
