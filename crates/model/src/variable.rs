//! The variables of CSL 1.0.2 (specification, appendix IV), one table per kind, each with its CSL spelling
//! and its spelling in the REST API.

/// Declares one kind of variable: the enum, its CSL spellings and its names in the API's JSON.
macro_rules! variables {
    ($(#[$doc:meta])* $kind:ident { $($name:ident = $csl:literal | $json:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $kind { $($name),* }

        impl $kind {
            /// Every variable of this kind, in table order.
            pub const ALL: &'static [$kind] = &[$($kind::$name),*];

            /// The CSL spelling, as styles and CSL-JSON write it: `container-title`.
            pub fn csl(self) -> &'static str {
                match self { $($kind::$name => $csl),* }
            }

            /// The REST API spelling: `container_title`.
            pub fn json_name(self) -> &'static str {
                match self { $($kind::$name => $json),* }
            }

            /// Parses a CSL spelling.
            pub fn from_csl(text: &str) -> Option<$kind> {
                match text { $($csl => Some($kind::$name),)* _ => None }
            }

            /// Parses a REST API spelling.
            pub fn from_json_name(text: &str) -> Option<$kind> {
                match text { $($json => Some($kind::$name),)* _ => None }
            }
        }
    };
}

variables! {
    /// A variable that holds text. `ArxivId` is our addition: CSL has no arXiv identifier. `Event` is the
    /// CSL 1.0.1 name of `EventTitle`.
    TextVar {
        Abstract = "abstract" | "abstract",
        Annote = "annote" | "annote",
        Archive = "archive" | "archive",
        ArchiveCollection = "archive_collection" | "archive_collection",
        ArchiveLocation = "archive_location" | "archive_location",
        ArchivePlace = "archive-place" | "archive_place",
        ArxivId = "arxiv-id" | "arxiv_id",
        Authority = "authority" | "authority",
        CallNumber = "call-number" | "call_number",
        CitationKey = "citation-key" | "citation_key",
        CitationLabel = "citation-label" | "citation_label",
        CollectionTitle = "collection-title" | "collection_title",
        ContainerTitle = "container-title" | "container_title",
        ContainerTitleShort = "container-title-short" | "container_title_short",
        Dimensions = "dimensions" | "dimensions",
        Division = "division" | "division",
        Doi = "DOI" | "doi",
        Event = "event" | "event",
        EventTitle = "event-title" | "event_title",
        EventPlace = "event-place" | "event_place",
        Genre = "genre" | "genre",
        Isbn = "ISBN" | "isbn",
        Issn = "ISSN" | "issn",
        Jurisdiction = "jurisdiction" | "jurisdiction",
        Keyword = "keyword" | "keyword",
        Language = "language" | "language",
        License = "license" | "license",
        Medium = "medium" | "medium",
        Note = "note" | "note",
        OriginalPublisher = "original-publisher" | "original_publisher",
        OriginalPublisherPlace = "original-publisher-place" | "original_publisher_place",
        OriginalTitle = "original-title" | "original_title",
        PartTitle = "part-title" | "part_title",
        Pmcid = "PMCID" | "pmcid",
        Pmid = "PMID" | "pmid",
        Publisher = "publisher" | "publisher",
        PublisherPlace = "publisher-place" | "publisher_place",
        References = "references" | "references",
        ReviewedGenre = "reviewed-genre" | "reviewed_genre",
        ReviewedTitle = "reviewed-title" | "reviewed_title",
        Scale = "scale" | "scale",
        Source = "source" | "source",
        Status = "status" | "status",
        Title = "title" | "title",
        TitleShort = "title-short" | "title_short",
        Url = "URL" | "url",
        VolumeTitle = "volume-title" | "volume_title",
        YearSuffix = "year-suffix" | "year_suffix",
    }
}

variables! {
    /// A variable that CSL calls a number. Its value is text: `12a`, `3-5`, `2nd`.
    NumberVar {
        ChapterNumber = "chapter-number" | "chapter_number",
        CitationNumber = "citation-number" | "citation_number",
        CollectionNumber = "collection-number" | "collection_number",
        Edition = "edition" | "edition",
        FirstReferenceNoteNumber = "first-reference-note-number" | "first_reference_note_number",
        Issue = "issue" | "issue",
        Locator = "locator" | "locator",
        Number = "number" | "number",
        NumberOfPages = "number-of-pages" | "number_of_pages",
        NumberOfVolumes = "number-of-volumes" | "number_of_volumes",
        Page = "page" | "pages",
        PageFirst = "page-first" | "page_first",
        PartNumber = "part-number" | "part_number",
        PrintingNumber = "printing-number" | "printing_number",
        Section = "section" | "section",
        SupplementNumber = "supplement-number" | "supplement_number",
        Version = "version" | "version",
        Volume = "volume" | "volume",
    }
}

variables! {
    /// A variable that holds a date.
    DateVar {
        Accessed = "accessed" | "accessed",
        AvailableDate = "available-date" | "available_date",
        EventDate = "event-date" | "event_date",
        Issued = "issued" | "date",
        OriginalDate = "original-date" | "original_date",
        Submitted = "submitted" | "submitted",
    }
}

variables! {
    /// A variable that holds a list of names.
    NameVar {
        Author = "author" | "authors",
        Chair = "chair" | "chairs",
        CollectionEditor = "collection-editor" | "collection_editors",
        Compiler = "compiler" | "compilers",
        Composer = "composer" | "composers",
        ContainerAuthor = "container-author" | "container_authors",
        Contributor = "contributor" | "contributors",
        Curator = "curator" | "curators",
        Director = "director" | "directors",
        Editor = "editor" | "editors",
        EditorTranslator = "editor-translator" | "editor_translators",
        EditorialDirector = "editorial-director" | "editorial_directors",
        ExecutiveProducer = "executive-producer" | "executive_producers",
        Guest = "guest" | "guests",
        Host = "host" | "hosts",
        Illustrator = "illustrator" | "illustrators",
        Interviewer = "interviewer" | "interviewers",
        Narrator = "narrator" | "narrators",
        Organizer = "organizer" | "organizers",
        OriginalAuthor = "original-author" | "original_authors",
        Performer = "performer" | "performers",
        Producer = "producer" | "producers",
        Recipient = "recipient" | "recipients",
        ReviewedAuthor = "reviewed-author" | "reviewed_authors",
        ScriptWriter = "script-writer" | "script_writers",
        SeriesCreator = "series-creator" | "series_creators",
        Translator = "translator" | "translators",
    }
}

/// A variable of any kind, as a style names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    Text(TextVar),
    Number(NumberVar),
    Date(DateVar),
    Names(NameVar),
}

impl Variable {
    /// Parses a CSL spelling, including the deprecated ones of CSL 1.0.1 and of citeproc's old CSL-JSON
    /// (`journalAbbreviation`, `shortTitle`).
    pub fn from_csl(text: &str) -> Option<Variable> {
        if let Some(v) = TextVar::from_csl(text) {
            return Some(Variable::Text(v));
        }
        if let Some(v) = NumberVar::from_csl(text) {
            return Some(Variable::Number(v));
        }
        if let Some(v) = NameVar::from_csl(text) {
            return Some(Variable::Names(v));
        }
        if let Some(v) = DateVar::from_csl(text) {
            return Some(Variable::Date(v));
        }
        match text {
            "journalAbbreviation" => Some(Variable::Text(TextVar::ContainerTitleShort)),
            "shortTitle" => Some(Variable::Text(TextVar::TitleShort)),
            "editortranslator" => Some(Variable::Names(NameVar::EditorTranslator)),
            _ => None,
        }
    }

    /// The CSL spelling.
    pub fn csl(self) -> &'static str {
        match self {
            Variable::Text(v) => v.csl(),
            Variable::Number(v) => v.csl(),
            Variable::Date(v) => v.csl(),
            Variable::Names(v) => v.csl(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_reads_back() {
        for &v in TextVar::ALL {
            assert_eq!(Variable::from_csl(v.csl()), Some(Variable::Text(v)));
            assert_eq!(TextVar::from_json_name(v.json_name()), Some(v));
        }
        for &v in NumberVar::ALL {
            assert_eq!(Variable::from_csl(v.csl()), Some(Variable::Number(v)));
        }
        for &v in DateVar::ALL {
            assert_eq!(Variable::from_csl(v.csl()), Some(Variable::Date(v)));
        }
        for &v in NameVar::ALL {
            assert_eq!(Variable::from_csl(v.csl()), Some(Variable::Names(v)));
        }
    }
}
