//! Reads an article as a stream of events and keeps the data for a citation.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::{RecordError, names};

/// The data of an article before mapping.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) pmid: Option<String>,
    pub(super) title: String,
    pub(super) vernacular: String,
    pub(super) journal: String,
    pub(super) journal_short: String,
    pub(super) issns: Vec<String>,
    pub(super) volume: String,
    pub(super) issue: String,
    pub(super) published: DateText,
    pub(super) electronic: DateText,
    pub(super) revised: DateText,
    pub(super) pages: String,
    pub(super) first_page: String,
    pub(super) last_page: String,
    pub(super) doi: Option<String>,
    pub(super) pmcid: Option<String>,
    pub(super) authors: Vec<Author>,
    pub(super) languages: Vec<String>,
    pub(super) publication_types: Vec<String>,
    pub(super) keywords: Vec<String>,
    pub(super) summary: Vec<String>,
    pub(super) notices: Vec<Notice>,
}

/// A date in elements.
#[derive(Default)]
pub(super) struct DateText {
    pub(super) year: String,
    pub(super) month: String,
    pub(super) day: String,
    pub(super) season: String,
    /// A textual range: `1998 Dec-1999 Jan`.
    pub(super) words: String,
}

#[derive(Default)]
pub(super) struct Author {
    pub(super) family: String,
    pub(super) given: String,
    pub(super) initials: String,
    pub(super) suffix: String,
    pub(super) collective: String,
    pub(super) orcid: Option<String>,
}

/// A member of `CommentsCorrectionsList`.
#[derive(Default)]
pub(super) struct Notice {
    pub(super) kind: String,
    pub(super) source: String,
    pub(super) pmid: String,
}

/// Subtrees that are irrelevant to citations.
fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "MeshHeadingList"
            | "ChemicalList"
            | "GrantList"
            | "ReferenceList"
            | "History"
            | "AffiliationInfo"
            | "DataBankList"
            | "InvestigatorList"
            | "PersonalNameSubjectList"
            | "SupplMeshList"
            | "OtherAbstract"
            | "GeneralNote"
            | "CoiStatement"
            | "GeneSymbolList"
            | "MedlineJournalInfo"
            | "DateCompleted"
            | "CopyrightInformation"
    )
}

/// Elements whose whole content is one value, possibly with markup.
fn is_leaf(name: &str) -> bool {
    matches!(
        name,
        "PMID"
            | "ArticleTitle"
            | "VernacularTitle"
            | "Title"
            | "ISOAbbreviation"
            | "ISSN"
            | "Volume"
            | "Issue"
            | "Year"
            | "Month"
            | "Day"
            | "Season"
            | "MedlineDate"
            | "MedlinePgn"
            | "StartPage"
            | "EndPage"
            | "ELocationID"
            | "LastName"
            | "ForeName"
            | "Initials"
            | "Suffix"
            | "CollectiveName"
            | "Identifier"
            | "Language"
            | "PublicationType"
            | "AbstractText"
            | "RefSource"
            | "ArticleId"
            | "Keyword"
    )
}

/// Maximum nesting of elements. Real articles have about ten levels.
const MOST_DEPTH: usize = 100;

fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = start.try_get_attribute(name).ok().flatten()?;
    Some(attribute.value.into_owned())
}

impl Draft {
    pub(super) fn read(xml: &str) -> Result<Draft, RecordError> {
        let syntax = |error: quick_xml::Error| RecordError::Syntax(error.to_string());
        let mut reader = Reader::from_str(xml);
        let mut draft = Draft::default();
        let mut path: Vec<String> = Vec::new();
        loop {
            match reader.read_event().map_err(syntax)? {
                Event::Start(start) => {
                    let name = start.name().into_inner();
                    if is_skipped(name) {
                        reader.read_to_end(start.name()).map_err(syntax)?;
                    } else if is_leaf(name) {
                        let text = reader.read_text(start.name()).map_err(syntax)?.into_inner();
                        let parent = path.last().map_or("", String::as_str);
                        draft.set(parent, name, &start, &text);
                    } else if path.len() == MOST_DEPTH {
                        return Err(RecordError::Syntax("it nests too deeply".into()));
                    } else {
                        draft.begin(name, &start);
                        path.push(name.to_owned());
                    }
                }
                Event::End(_) => {
                    path.pop();
                }
                Event::Eof if path.is_empty() => return Ok(draft),
                Event::Eof => return Err(RecordError::Syntax("the record is cut off".into())),
                _ => {}
            }
        }
    }

    /// Handles the start of an element with children.
    fn begin(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "Author" => self.authors.push(Author::default()),
            "CommentsCorrections" => self.notices.push(Notice {
                kind: attribute(start, "RefType").unwrap_or_default(),
                ..Notice::default()
            }),
            _ => {}
        }
    }

    /// Stores the value of an element.
    fn set(&mut self, parent: &str, name: &str, start: &BytesStart<'_>, text: &str) {
        match parent {
            "PubDate" => self.published.set(name, text),
            "ArticleDate" => self.electronic.set(name, text),
            "DateRevised" => self.revised.set(name, text),
            "Author" => self.set_author(name, start, text),
            "CommentsCorrections" => self.set_notice(name, text),
            "ArticleIdList" => match attribute(start, "IdType").as_deref() {
                Some("doi") => self.doi = Some(text.to_owned()),
                Some("pmc") => self.pmcid = Some(text.to_owned()),
                _ => {}
            },
            _ => self.set_own(parent, name, start, text),
        }
    }

    fn set_author(&mut self, name: &str, start: &BytesStart<'_>, text: &str) {
        let Some(author) = self.authors.last_mut() else {
            return;
        };
        match name {
            "LastName" => text.clone_into(&mut author.family),
            "ForeName" => text.clone_into(&mut author.given),
            "Initials" => text.clone_into(&mut author.initials),
            "Suffix" => text.clone_into(&mut author.suffix),
            "CollectiveName" => text.clone_into(&mut author.collective),
            "Identifier" if attribute(start, "Source").as_deref() == Some("ORCID") => {
                author.orcid = names::orcid(text);
            }
            _ => {}
        }
    }

    fn set_notice(&mut self, name: &str, text: &str) {
        let Some(notice) = self.notices.last_mut() else {
            return;
        };
        match name {
            "RefSource" => text.clone_into(&mut notice.source),
            "PMID" => text.clone_into(&mut notice.pmid),
            _ => {}
        }
    }

    fn set_own(&mut self, parent: &str, name: &str, start: &BytesStart<'_>, text: &str) {
        match (parent, name) {
            ("MedlineCitation", "PMID") => self.pmid = Some(text.to_owned()),
            ("Article", "ArticleTitle") => text.clone_into(&mut self.title),
            ("Article", "VernacularTitle") => text.clone_into(&mut self.vernacular),
            ("Journal", "Title") => text.clone_into(&mut self.journal),
            ("Journal", "ISOAbbreviation") => text.clone_into(&mut self.journal_short),
            ("Journal", "ISSN") => self.issns.push(text.to_owned()),
            ("JournalIssue", "Volume") => text.clone_into(&mut self.volume),
            ("JournalIssue", "Issue") => text.clone_into(&mut self.issue),
            (_, "MedlinePgn") => text.clone_into(&mut self.pages),
            (_, "StartPage") => text.clone_into(&mut self.first_page),
            (_, "EndPage") => text.clone_into(&mut self.last_page),
            (_, "ELocationID") => {
                let is_doi = attribute(start, "EIdType").as_deref() == Some("doi");
                let is_valid = attribute(start, "ValidYN").as_deref() != Some("N");
                if is_doi && is_valid && self.doi.is_none() {
                    self.doi = Some(text.to_owned());
                }
            }
            ("Article", "Language") => self.languages.push(text.to_owned()),
            (_, "PublicationType") => self.publication_types.push(text.to_owned()),
            ("Abstract", "AbstractText") => self.summary.push(text.to_owned()),
            (_, "Keyword") => self.keywords.push(text.to_owned()),
            _ => {}
        }
    }
}

impl DateText {
    fn set(&mut self, name: &str, text: &str) {
        match name {
            "Year" => text.clone_into(&mut self.year),
            "Month" => text.clone_into(&mut self.month),
            "Day" => text.clone_into(&mut self.day),
            "Season" => text.clone_into(&mut self.season),
            "MedlineDate" => text.clone_into(&mut self.words),
            _ => {}
        }
    }
}
