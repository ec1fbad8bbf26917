//! Maps Zotero's fields and creators to CSL variables.

use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

/// The variable of a field, either type-specific (`bookTitle`) or generic (`publicationTitle`).
pub fn variable(field: &str) -> Option<Variable> {
    use Variable::{Date, Number, Text};
    Some(match field {
        "title" | "caseName" | "nameOfAct" | "subject" => Text(TextVar::Title),
        "abstractNote" => Text(TextVar::Abstract),
        "archive" => Text(TextVar::Archive),
        "archiveLocation" => Text(TextVar::ArchiveLocation),
        "authority" | "court" | "issuingAuthority" | "legislativeBody" | "organization" => {
            Text(TextVar::Authority)
        }
        "callNumber" | "applicationNumber" => Text(TextVar::CallNumber),
        "citationKey" => Text(TextVar::CitationKey),
        "seriesTitle" | "series" => Text(TextVar::CollectionTitle),
        "publicationTitle" | "blogTitle" | "bookTitle" | "dictionaryTitle"
        | "encyclopediaTitle" | "forumTitle" | "proceedingsTitle" | "programTitle"
        | "sessionTitle" | "websiteTitle" | "reporter" | "code" => Text(TextVar::ContainerTitle),
        "artworkSize" | "runningTime" => Text(TextVar::Dimensions),
        "DOI" => Text(TextVar::Doi),
        "eventPlace" => Text(TextVar::EventPlace),
        "meetingName" | "conferenceName" => Text(TextVar::EventTitle),
        "type"
        | "genre"
        | "letterType"
        | "manuscriptType"
        | "mapType"
        | "postType"
        | "presentationType"
        | "reportType"
        | "thesisType"
        | "websiteType"
        | "programmingLanguage" => Text(TextVar::Genre),
        "ISBN" => Text(TextVar::Isbn),
        "ISSN" => Text(TextVar::Issn),
        "journalAbbreviation" => Text(TextVar::ContainerTitleShort),
        "language" => Text(TextVar::Language),
        "rights" => Text(TextVar::License),
        "medium"
        | "artworkMedium"
        | "audioFileType"
        | "audioRecordingFormat"
        | "format"
        | "interviewMedium"
        | "videoRecordingFormat"
        | "system" => Text(TextVar::Medium),
        "originalPublisher" => Text(TextVar::OriginalPublisher),
        "originalPlace" => Text(TextVar::OriginalPublisherPlace),
        "partTitle" => Text(TextVar::PartTitle),
        "PMID" => Text(TextVar::Pmid),
        "PMCID" => Text(TextVar::Pmcid),
        "publisher" | "company" | "distributor" | "institution" | "label" | "network"
        | "repository" | "studio" | "university" => Text(TextVar::Publisher),
        "place" | "repositoryLocation" => Text(TextVar::PublisherPlace),
        "history" | "references" => Text(TextVar::References),
        "scale" => Text(TextVar::Scale),
        "shortTitle" => Text(TextVar::TitleShort),
        "libraryCatalog" => Text(TextVar::Source),
        "status" | "legalStatus" => Text(TextVar::Status),
        "url" => Text(TextVar::Url),
        "session" => Number(NumberVar::ChapterNumber),
        "seriesNumber" => Number(NumberVar::CollectionNumber),
        "edition" => Number(NumberVar::Edition),
        "issue" | "priorityNumbers" => Number(NumberVar::Issue),
        "number" | "archiveID" | "billNumber" | "docketNumber" | "documentNumber"
        | "episodeNumber" | "identifier" | "patentNumber" | "publicLawNumber" | "reportNumber" => {
            Number(NumberVar::Number)
        }
        "numPages" => Number(NumberVar::NumberOfPages),
        "numberOfVolumes" => Number(NumberVar::NumberOfVolumes),
        "partNumber" => Number(NumberVar::PartNumber),
        "pages" | "codePages" | "firstPage" => Number(NumberVar::Page),
        "section" | "committee" => Number(NumberVar::Section),
        // In an API object, a numeric `version` is not a field.
        "versionNumber" | "version" => Number(NumberVar::Version),
        "volume" | "codeNumber" | "codeVolume" | "reporterVolume" => Number(NumberVar::Volume),
        "accessDate" => Date(DateVar::Accessed),
        "date" | "dateDecided" | "dateEnacted" | "issueDate" => Date(DateVar::Issued),
        "filingDate" => Date(DateVar::Submitted),
        "originalDate" | "priorityDate" => Date(DateVar::OriginalDate),
        _ => return None,
    })
}

/// The variable of a creator role.
pub fn creator(creator: &str) -> NameVar {
    match creator {
        "editor" => NameVar::Editor,
        "translator" => NameVar::Translator,
        "seriesEditor" => NameVar::CollectionEditor,
        "bookAuthor" => NameVar::ContainerAuthor,
        "castMember" => NameVar::Performer,
        "chair" => NameVar::Chair,
        "composer" => NameVar::Composer,
        "director" => NameVar::Director,
        "executiveProducer" => NameVar::ExecutiveProducer,
        "guest" => NameVar::Guest,
        "host" | "podcaster" => NameVar::Host,
        "interviewer" => NameVar::Interviewer,
        "narrator" => NameVar::Narrator,
        "organizer" => NameVar::Organizer,
        "originalCreator" => NameVar::OriginalAuthor,
        "producer" => NameVar::Producer,
        "recipient" => NameVar::Recipient,
        "reviewedAuthor" => NameVar::ReviewedAuthor,
        "scriptwriter" | "wordsBy" => NameVar::ScriptWriter,
        "seriesCreator" => NameVar::SeriesCreator,
        "contributor" | "commenter" | "counsel" | "cosponsor" | "attorneyAgent" => {
            NameVar::Contributor
        }
        // Type-specific names of the creator: artist, inventor, programmer, …
        _ => NameVar::Author,
    }
}
