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
            RecordFormat::Wikidata => self.foreign(records::wikidata::from_slice(bytes)),
            RecordFormat::OpenalexMerged => match records::openalex::merged(bytes) {
                Ok(id) => Ok(Mapped::Withdrawn(Source::Openalex, vec![id])),
                Err(RecordError::NotAWork(_)) => Ok(Mapped::Nothing),
                Err(error) => Err(error.into()),
            },
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
        let record = citation_exchange::csl_record(std::str::from_utf8(bytes)?)?;
        let work = self.local(record.item)?;
        let updates = record.updates;
        Ok(Mapped::Work(Box::new(Work { updates, ..work })))
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
            record_id: if named {
                format!("{}#{}", self.file_name, item.id)
            } else {
                String::new()
            },
            url: None,
            license: None,
            fetched_at: self.modified_at,
        };
        Ok(Work::new(item, provenance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_exchange::{self as exchange, Content, Hints};
    use citation_model::budget::Budget;
    use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

    /// What a file's import has of a record.
    fn imported(bytes: &[u8]) -> Item {
        let (content, budget) = (Content::new(bytes), Budget::unlimited());
        let format = exchange::recognise(&content, Hints::default(), &budget).unwrap();
        let reading = exchange::read(&content, format.unwrap().unwrap(), &budget).unwrap();
        reading.items.into_iter().next().unwrap().item
    }

    /// What ingest has of a record.
    fn ingested(format: RecordFormat, bytes: &[u8]) -> Item {
        let mapper = Mapper {
            format,
            file_name: String::new(),
            modified_at: 0,
            join: None,
        };
        match mapper.map(bytes, 0).remove(0).unwrap() {
            Mapped::Work(work) => work.item,
            other => panic!("{other:?}"),
        }
    }

    /// An item without what a source adds to it (an id and an address) and what may not be stored (abstracts
    /// and subject headings).
    fn work_of(mut item: Item) -> Item {
        item.id.clear();
        for variable in [TextVar::Url, TextVar::Abstract, TextVar::Keyword] {
            item.text.remove(variable);
        }
        item
    }

    #[test]
    fn one_record_is_the_same_work_by_every_way() {
        let check = |format: RecordFormat, record: &str, answer: Item| {
            let bytes = record.as_bytes();
            let ways = [imported(bytes), ingested(format, bytes), answer].map(work_of);
            let [first, others @ ..] = &ways;
            assert!(others.iter().all(|other| other == first), "{ways:#?}");
            let has_all = first.text(TextVar::Title).is_some()
                && !first.names(NameVar::Author).is_empty()
                && first.date(DateVar::Issued).is_some();
            assert!(has_all && first.custom.is_empty(), "{first:#?}");
        };
        let pubmed = "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>123</PMID><Article><Journal>\
            <ISSN>2049-3630</ISSN><JournalIssue><Volume>3(1)</Volume><PubDate><Year>1976</Year><Month>Feb</Month></PubDate>\
            </JournalIssue><Title>Acta of tests</Title></Journal><ArticleTitle>[On <i>x</i> &amp; y].</ArticleTitle>\
            <Pagination><MedlinePgn>69-81</MedlinePgn></Pagination><Abstract><AbstractText>Long.</AbstractText></Abstract>\
            <AuthorList><Author><LastName>Blume</LastName><ForeName>F R</ForeName><Suffix>Jr</Suffix></Author>\
            <Author><CollectiveName>World Bank</CollectiveName></Author></AuthorList><Language>ger</Language></Article>\
            </MedlineCitation></PubmedArticle></PubmedArticleSet>";
        let answer = records::pubmed::from_set(pubmed.as_bytes())
            .remove(0)
            .unwrap();
        check(RecordFormat::Pubmed, pubmed, answer.item);

        let field = |tag: &str, subfields: &[(&str, &str)]| {
            let inner: String = { subfields.iter() }
                .map(|(code, text)| format!("<subfield code=\"{code}\">{text}</subfield>"))
                .collect();
            format!("<datafield tag=\"{tag}\" ind1=\"1\" ind2=\" \">{inner}</datafield>")
        };
        let marc = [
            "<record><leader>00000nam a2200000 a 4500</leader><controlfield tag=\"001\">2004</controlfield>",
            &field("100", &[("a", "Fitzgerald, F. Scott"), ("d", "1896-1940."), ("e", "author.")]),
            &field("245", &[("a", "The great Gatsby :"), ("b", "a novel /"), ("c", "F. Scott Fitzgerald.")]),
            &field("260", &[("a", "New York :"), ("b", "Scribner,"), ("c", "c2004.")]),
            &field("710", &[("a", "World Bank."), ("e", "editor.")]),
            "</record>",
        ]
        .concat();
        let answer = records::marc::from_sru(marc.as_bytes(), Source::Loc).unwrap();
        let answer = answer.into_iter().next().unwrap().unwrap();
        check(RecordFormat::File(&exchange::MARCXML), &marc, answer.item);

        let csl = r#"{"id":"https://doi.org/10.5555/a","type":"dataset","DOI":"10.5555/A","title":"Rain &amp; snow.",
            "author":[{"family":"Roe","given":"Dr. Al"},{"literal":"World Bank"}],"publisher":"(:unav)","page":"1--9",
            "copyright":"CC BY 4.0","categories":["rain"],"issued":{"date-parts":[[2014,5]]}}"#;
        let answer = records::doi_csl::from_slice(csl.as_bytes()).unwrap();
        check(RecordFormat::CslJson, csl, answer.item);

        let crossref = r#"{"DOI":"10.5555/A","type":"journal-article","title":["On <i>x</i>*"],"member":"1",
            "author":[{"family":"Roe","given":"Dr. Al"},{"name":"World Bank"}],"container-title":["Annals"],"volume":"3",
            "issued":{"date-parts":[[2014,5]]},"published-print":{"date-parts":[[2014,6]]},"reference-count":0}"#;
        let answer = records::doi_csl::from_slice(crossref.as_bytes()).unwrap();
        check(RecordFormat::Crossref, crossref, answer.item);
        let envelope = format!("{{\"message\":{crossref}}}");
        let answer = records::crossref::from_envelope(envelope.as_bytes()).unwrap();
        assert_eq!(answer.item.number(NumberVar::Volume), Some("3"));
        check(RecordFormat::Crossref, crossref, answer.item.clone());
        check(RecordFormat::CslJson, crossref, answer.item);
    }
}
