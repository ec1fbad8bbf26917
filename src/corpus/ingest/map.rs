//! Maps the bytes of a record to works, by format.

use citation_model::item::Item;
use citation_model::work::{Provenance, Source, Work};
use citation_records::oai::OaiRecord;
use citation_records::retraction_watch::ListedNotice;
use citation_records::{self as records, Abstracts, RecordError};

use super::format::RecordFormat;
use super::openlibrary::Join;
use super::refused::RejectedRecord;

/// The content of a record.
#[derive(Debug)]
pub enum Mapped {
    Work(Box<Work>),
    /// Records that their source has withdrawn, by its own ids.
    Withdrawn(Source, Vec<String>),
    /// A notice about a work that need not be here.
    Notice(Box<ListedNotice>),
    /// Neither a work nor an error: an author's line, a redirect.
    Nothing,
}

/// The context of a mapper.
pub struct Mapper {
    pub format: RecordFormat,
    /// The name of the file, without its directory.
    pub file_name: String,
    /// When the file was last changed, Unix seconds: the time of records without their
    /// own.
    pub modified_at: i64,
    /// Authors and works for Open Library's editions.
    pub join: Option<Join>,
}

impl Mapper {
    /// Maps the output of the framing: one record, or a run of them in a text format, whose first bytes
    /// may be inherited from other runs.
    pub fn map(&self, bytes: &[u8], inherited: usize) -> Vec<Result<Mapped, RejectedRecord>> {
        match self.format {
            RecordFormat::Bibtex | RecordFormat::Ris | RecordFormat::File(_) => {
                self.run(bytes, inherited)
            }
            RecordFormat::AclAnthology => self.collection(bytes),
            _ => vec![self.record(bytes)],
        }
    }

    fn record(&self, bytes: &[u8]) -> Result<Mapped, RejectedRecord> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match self.format {
            RecordFormat::CslJson => self.csl_json(bytes),
            RecordFormat::Crossref => self.foreign(records::crossref::from_slice(bytes)),
            RecordFormat::Datacite => self.foreign(records::datacite::from_slice(bytes)),
            RecordFormat::Openalex => self.foreign(records::openalex::from_slice(bytes)),
            RecordFormat::Openlibrary => self.openlibrary(bytes),
            RecordFormat::Pubmed => self.pubmed(bytes),
            RecordFormat::Dblp => self.foreign(records::dblp::from_slice(bytes)),
            RecordFormat::Arxiv => {
                self.foreign(records::arxiv::from_snapshot(bytes, Abstracts::Keep))
            }
            RecordFormat::Oai => self.oai(bytes),
            RecordFormat::RetractionWatch => {
                let notice = records::retraction_watch::from_slice(bytes)?;
                Ok(Mapped::Notice(Box::new(notice)))
            }
            RecordFormat::AclAnthology
            | RecordFormat::Bibtex
            | RecordFormat::Ris
            | RecordFormat::File(_) => Ok(Mapped::Nothing),
        }
    }

    fn foreign(&self, work: Result<Work, RecordError>) -> Result<Mapped, RejectedRecord> {
        match work {
            Ok(mut work) => {
                if work.provenance.fetched_at == 0 {
                    work.provenance.fetched_at = self.modified_at;
                }
                Ok(Mapped::Work(Box::new(work)))
            }
            Err(RecordError::NotAWork(_)) => Ok(Mapped::Nothing),
            Err(error) => Err(error.into()),
        }
    }

    fn csl_json(&self, bytes: &[u8]) -> Result<Mapped, RejectedRecord> {
        let item = Item::from_json(bytes)?;
        Ok(Mapped::Work(Box::new(self.local(item)?)))
    }

    fn pubmed(&self, bytes: &[u8]) -> Result<Mapped, RejectedRecord> {
        if bytes.starts_with(b"<DeleteCitation") {
            let ids = records::pubmed::deleted(bytes).into_iter();
            let ids = ids.map(|id| id.as_str().to_owned()).collect();
            return Ok(Mapped::Withdrawn(Source::Pubmed, ids));
        }
        self.foreign(records::pubmed::from_slice(bytes))
    }

    fn oai(&self, bytes: &[u8]) -> Result<Mapped, RejectedRecord> {
        match records::oai::from_slice(bytes)? {
            OaiRecord::Work(work) => self.foreign(Ok(*work)),
            OaiRecord::Deleted { source, record_id } => {
                Ok(Mapped::Withdrawn(source, vec![record_id]))
            }
        }
    }

    /// The papers of a collection of the ACL Anthology.
    fn collection(&self, bytes: &[u8]) -> Vec<Result<Mapped, RejectedRecord>> {
        match records::acl_anthology::from_collection(bytes) {
            Ok(works) => works.into_iter().map(|work| self.foreign(work)).collect(),
            Err(error) => vec![Err(error.into())],
        }
    }

    fn openlibrary(&self, bytes: &[u8]) -> Result<Mapped, RejectedRecord> {
        match super::openlibrary::edition(bytes, self.join.as_ref())? {
            Some(work) => self.foreign(work),
            None => Ok(Mapped::Nothing),
        }
    }

    fn run(&self, bytes: &[u8], inherited: usize) -> Vec<Result<Mapped, RejectedRecord>> {
        let read = super::text::read(self.format, bytes, inherited);
        let items = read.items.into_iter().map(|item| {
            let work = self.local(item)?;
            Ok(Mapped::Work(Box::new(work)))
        });
        items.chain(read.refused.into_iter().map(Err)).collect()
    }

    /// An item of the operator's own file as a work. It is identified by its identifiers, else
    /// by file and key, so that an edited file replaces its earlier version.
    fn local(&self, item: Item) -> Result<Work, RejectedRecord> {
        let says_nothing = item.text.is_empty() && item.names.is_empty();
        if says_nothing {
            return Err(RejectedRecord {
                reason: "the record has neither a title nor any other text".to_owned(),
                line: None,
            });
        }
        let named = !item.id.is_empty() && item.identifiers().is_empty();
        let provenance = Provenance {
            source: Source::Local,
            record_id: match named {
                true => format!("{}#{}", self.file_name, item.id),
                false => String::new(),
            },
            url: None,
            license: None,
            fetched_at: self.modified_at,
        };
        Ok(Work::new(item, provenance))
    }
}
