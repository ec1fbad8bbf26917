//! A work: an item with its identifiers and its provenance.

use super::access::OpenCopy;
use super::date::Date;
use super::identifier::{Doi, Identifier};
use super::item::Item;

/// One bibliographic record and its provenance, as lookup and corpus exchange it.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    pub item: Item,
    pub provenance: Provenance,
    /// Notices of change, in both directions, without duplicates.
    pub updates: Vec<Update>,
    /// Where its source says that the text is open. A work from the store has none: the store knows several,
    /// which are read on request.
    pub open_copy: Option<OpenCopy>,
    /// What its source needs to say later that the record has not changed. None in a work from the store.
    pub validator: Option<Validator>,
}

/// What a service sent with a record, to be sent back when the record is asked for again: it then answers
/// that nothing has changed (RFC 9110, section 13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validator {
    /// The path that was asked, without its query.
    pub request: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

impl Work {
    /// A work without notices.
    pub fn new(item: Item, provenance: Provenance) -> Work {
        Work {
            item,
            provenance,
            updates: Vec::new(),
            open_copy: None,
            validator: None,
        }
    }

    /// The work's identifiers, read from the item's variables, without duplicates.
    pub fn identifiers(&self) -> Vec<Identifier> {
        self.item.identifiers()
    }
}

/// Where a record came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    pub source: Source,
    /// The record's own id at its source (a DOI, `/books/OL1M`, a PMID); empty if it has none.
    pub record_id: String,
    /// An address that a reader can open, if there is one.
    pub url: Option<String>,
    /// The licence of the metadata, if the source states one.
    pub license: Option<String>,
    /// Time of retrieval: Unix seconds, UTC.
    pub fetched_at: i64,
}

/// Declares the sources, a row each: the name here, the id, and the name to show if it is the same in every
/// language.
macro_rules! sources {
    ($($(#[doc = $about:literal])* $name:ident = $id:literal $(, $title:literal)?;)*) => {
        /// A source of records. The ids are those of `ReverseLookupCandidate.source`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Source { $($(#[doc = $about])* $name),* }

        impl Source {
            pub const ALL: [Source; [$(Source::$name),*].len()] = [$(Source::$name),*];

            /// Its id.
            pub fn as_str(self) -> &'static str {
                match self { $(Source::$name => $id),* }
            }

            /// The name of a service, to show; `None` for other sources.
            pub fn title(self) -> Option<&'static str> {
                let titles: &[&str] = match self { $(Source::$name => &[$($title)?]),* };
                titles.first().copied()
            }
        }
    };
}

sources! {
    /// The starter corpus, or a file ingested without a source name.
    Local = "local";
    Crossref = "crossref", "Crossref";
    Datacite = "datacite", "DataCite";
    /// doi.org content negotiation.
    Doi = "doi", "doi.org";
    Openlibrary = "openlibrary", "Open Library";
    Openalex = "openalex", "OpenAlex";
    Pubmed = "pubmed", "PubMed";
    Arxiv = "arxiv", "arXiv";
    Europepmc = "europepmc", "Europe PMC";
    Loc = "loc", "Library of Congress";
    Dblp = "dblp", "DBLP";
    AclAnthology = "acl-anthology", "ACL Anthology";
    /// A library catalogue asked by SRU.
    Catalogue = "catalogue";
    /// A repository harvested by OAI-PMH.
    Repository = "repository";
    SemanticScholar = "semanticscholar", "Semantic Scholar";
    Unpaywall = "unpaywall", "Unpaywall";
    Wikidata = "wikidata", "Wikidata";
    /// A web page's own metadata.
    Page = "page";
    /// The caller's own collection.
    Collection = "collection";
}

impl Source {
    pub fn parse(text: &str) -> Option<Source> {
        Source::ALL.into_iter().find(|s| s.as_str() == text)
    }
}

/// A notice that affects how a work may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    pub kind: UpdateKind,
    pub relation: UpdateRelation,
    /// The other work: the notice for `UpdatedBy`, the changed work for `UpdateTo`.
    pub doi: Doi,
    pub date: Option<Date>,
    /// Who published the notice (`publisher`, `retraction-watch`, a source's name).
    pub source: String,
    /// Why, in the words of whoever published it; mostly empty.
    pub reasons: Vec<String>,
}

impl Update {
    /// Whether it withdraws the work. [`standing_retraction`] says whether the work is still withdrawn.
    fn is_retraction(&self) -> bool {
        self.concerns_work() && matches!(self.kind, UpdateKind::Retraction | UpdateKind::Withdrawal)
    }

    /// Whether it is about this work, not a notice that this work makes about another.
    pub fn concerns_work(&self) -> bool {
        self.relation == UpdateRelation::UpdatedBy
    }

    /// Whether both notices are dated and this one is later.
    fn is_after(&self, other: &Update) -> bool {
        match (&self.date, &other.date) {
            (Some(own), Some(other)) => own.edtf() > other.edtf(),
            _ => false,
        }
    }
}

/// The notice that withdraws a work. A retraction stands unless the work was reinstated after it; of
/// notices without a date the reinstatement is taken for the later one.
pub fn standing_retraction(updates: &[Update]) -> Option<&Update> {
    let is_reinstatement =
        |update: &&Update| update.concerns_work() && update.kind == UpdateKind::Reinstatement;
    let mut retractions = updates.iter().filter(|update| update.is_retraction());
    retractions.find(|retraction| {
        let mut reinstatements = updates.iter().filter(is_reinstatement);
        reinstatements.all(|reinstatement| retraction.is_after(reinstatement))
    })
}

/// Which of the two works is the notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateRelation {
    /// This work is changed by the notice `doi`.
    UpdatedBy,
    /// This work is a notice about `doi`.
    UpdateTo,
}

impl UpdateRelation {
    pub fn as_str(self) -> &'static str {
        match self {
            UpdateRelation::UpdatedBy => "updated_by",
            UpdateRelation::UpdateTo => "update_to",
        }
    }
}

/// The effect of a notice. Crossref's spellings are mapped to these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateKind {
    Retraction,
    Withdrawal,
    ExpressionOfConcern,
    Correction,
    /// A retraction is taken back.
    Reinstatement,
    /// A new version or an addition that leaves the work valid.
    NewVersion,
    Other,
}

impl UpdateKind {
    pub fn as_str(self) -> &'static str {
        match self {
            UpdateKind::Retraction => "retraction",
            UpdateKind::Withdrawal => "withdrawal",
            UpdateKind::ExpressionOfConcern => "expression_of_concern",
            UpdateKind::Correction => "correction",
            UpdateKind::Reinstatement => "reinstatement",
            UpdateKind::NewVersion => "new_version",
            UpdateKind::Other => "other",
        }
    }

    /// Parses a spelling of Crossref's `update-to[].type`, of Retraction Watch, or our own.
    pub fn parse(text: &str) -> UpdateKind {
        let folded = text.to_ascii_lowercase().replace([' ', '-'], "_");
        match folded.as_str() {
            "retraction" | "retracted" | "partial_retraction" | "removal" => UpdateKind::Retraction,
            "withdrawal" | "withdrawn" => UpdateKind::Withdrawal,
            "expression_of_concern" | "concern" => UpdateKind::ExpressionOfConcern,
            "correction" | "corrigendum" | "erratum" | "err" | "clarification" => {
                UpdateKind::Correction
            }
            "reinstatement" | "reinstated" => UpdateKind::Reinstatement,
            "new_version" | "new_edition" | "addendum" => UpdateKind::NewVersion,
            _ => UpdateKind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(notices: &[(UpdateKind, Option<&str>)], is_retracted: bool) {
        let update = |(kind, date): &(UpdateKind, Option<&str>)| Update {
            kind: *kind,
            relation: UpdateRelation::UpdatedBy,
            doi: Doi::parse("10.1000/notice").unwrap(),
            date: date.and_then(Date::parse_iso),
            source: String::new(),
            reasons: Vec::new(),
        };
        let forward: Vec<Update> = notices.iter().map(update).collect();
        let backward: Vec<Update> = notices.iter().rev().map(update).collect();
        for updates in [forward, backward] {
            assert_eq!(standing_retraction(&updates).is_some(), is_retracted);
        }
    }

    #[test]
    fn retraction_stands_until_reinstatement() {
        use UpdateKind::{Correction, Reinstatement, Retraction};
        check(&[(Retraction, None)], true);
        check(&[(Correction, None)], false);
        check(
            &[
                (Retraction, Some("2020-03-01")),
                (Reinstatement, Some("2021")),
            ],
            false,
        );
        check(
            &[
                (Retraction, Some("2022-03-01")),
                (Reinstatement, Some("2021-12-24")),
            ],
            true,
        );
        check(&[(Retraction, None), (Reinstatement, Some("2021"))], false);
        check(&[(Retraction, Some("2020")), (Reinstatement, None)], false);
        check(
            &[
                (Retraction, Some("2019")),
                (Reinstatement, Some("2020")),
                (Retraction, Some("2021")),
            ],
            true,
        );
    }
}
