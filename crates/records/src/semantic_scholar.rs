//! Semantic Scholar: papers of its Graph API, by id or as the match of a title.
//!
//! Written after <https://api.semanticscholar.org/api-docs/graph>.

use serde::Deserialize;

use citation_model::date::Date;
use citation_model::identifier::{ArxivId, Doi, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::lenient::{self, List, Object, Text, Texts};
use super::{RecordError, clean, fields, names};

/// The members that [`from_slice`] reads, as the API wants them named.
pub const FIELDS: &str =
    "externalIds,title,venue,year,publicationDate,publicationTypes,journal,authors,url";

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"data\":[",
    "{\"paperId\":\"a\",",
    "\"externalIds\":{\"DOI\":\"10.1000/a\"},",
    "\"title\":\"",
    "\"authors\":[{\"name\":\"",
    "\"journal\":{\"name\":\"",
    "\",",
    "1,",
    "],",
    "}",
];

/// Reads one paper and maps it.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    let paper: Paper = serde_json::from_slice(json)?;
    paper.work()
}

/// Reads the papers of an answer (`data`), each as a work or an error.
pub fn from_list(json: &[u8]) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    #[derive(Deserialize)]
    struct Answer {
        data: List<Paper>,
    }
    let answer: Answer = serde_json::from_slice(json)?;
    Ok(answer.data.0.into_iter().map(Paper::work).collect())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Paper {
    paper_id: Text,
    external_ids: Object<ExternalIds>,
    title: Text,
    venue: Text,
    #[serde(deserialize_with = "lenient::number")]
    year: Option<i64>,
    publication_date: Text,
    publication_types: Texts,
    journal: Object<Journal>,
    authors: List<Author>,
    url: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ExternalIds {
    #[serde(rename = "DOI")]
    doi: Text,
    #[serde(rename = "ArXiv")]
    arxiv: Text,
    #[serde(rename = "PubMed")]
    pmid: Text,
    #[serde(rename = "PubMedCentral")]
    pmcid: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Journal {
    name: Text,
    volume: Text,
    pages: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Author {
    name: Text,
}

impl Paper {
    /// Maps the paper. Fails without an id or a title.
    fn work(self) -> Result<Work, RecordError> {
        let id = self.paper_id.as_deref().ok_or(RecordError::Missing("id"))?;
        let title = self.title.as_deref().ok_or(RecordError::Missing("title"))?;
        let mut item = Item::new(id, self.item_type());
        fields::title(&mut item, title, None);
        if item.text(TextVar::Title).is_none() {
            return Err(RecordError::Missing("title"));
        }
        let authors = self.authors.0.iter();
        let authors = authors.filter_map(|author| author.name.as_deref());
        let authors = authors.map(|name| names::from_text(&clean::plain(name)));
        item.set_names(NameVar::Author, authors.collect());
        fields::date(&mut item, DateVar::Issued, self.date().as_ref());
        self.set_container(&mut item);
        self.set_identifiers(&mut item);
        let url = self.url.as_deref().and_then(fields::web_address);
        let provenance = Provenance {
            source: Source::SemanticScholar,
            record_id: id.to_owned(),
            url,
            license: None,
            fetched_at: 0,
        };
        Ok(Work::new(item, provenance))
    }

    fn external_ids(&self) -> Option<&ExternalIds> {
        self.external_ids.as_ref()
    }

    fn doi(&self) -> Option<Doi> {
        let doi = self.external_ids()?.doi.as_deref()?;
        Doi::parse(doi).ok()
    }

    fn arxiv(&self) -> Option<ArxivId> {
        let id = self.external_ids()?.arxiv.as_deref()?;
        ArxivId::parse(id).ok()
    }

    fn is_of_type(&self, name: &str) -> bool {
        self.publication_types.iter().any(|kind| kind == name)
    }

    fn item_type(&self) -> ItemType {
        let is_preprint = self
            .doi()
            .is_none_or(|doi| doi.as_str().starts_with("10.48550/"));
        match () {
            () if self.is_of_type("BookSection") => ItemType::Chapter,
            () if self.is_of_type("Book") => ItemType::Book,
            () if self.is_of_type("Conference") => ItemType::ConferencePaper,
            () if self.is_of_type("Dataset") => ItemType::Dataset,
            () if self.arxiv().is_some() && is_preprint => ItemType::Preprint,
            () if self.is_of_type("JournalArticle") || self.is_of_type("Review") => {
                ItemType::Article
            }
            () => ItemType::Document,
        }
    }

    /// The day where it is known, else the year.
    fn date(&self) -> Option<Date> {
        let day = self.publication_date.as_deref().and_then(Date::parse_iso);
        let year = || Date::parse_iso(&format!("{:04}", self.year?));
        day.or_else(year)
    }

    fn set_container(&self, item: &mut Item) {
        let journal = self.journal.as_ref();
        let named = journal.and_then(|journal| journal.name.as_deref());
        let container = named.or(self.venue.as_deref());
        if item.kind == ItemType::Preprint {
            item.set_text(TextVar::Publisher, "arXiv");
        } else {
            fields::plain(item, TextVar::ContainerTitle, container);
        }
        if let Some(journal) = journal.filter(|_| item.kind != ItemType::Preprint) {
            fields::volume_or_issue(item, NumberVar::Volume, journal.volume.as_deref());
            fields::pages(item, journal.pages.as_deref());
        }
    }

    /// A paper stands for all its versions: with the DOI of an article it is not the preprint.
    fn set_identifiers(&self, item: &mut Item) {
        let doi = self.doi();
        let arxiv = self.arxiv().filter(|_| item.kind == ItemType::Preprint);
        if let Some(id) = &arxiv {
            item.set_text(TextVar::ArxivId, id.as_str());
        }
        if let Some(doi) = doi.or_else(|| arxiv.as_ref().map(ArxivId::doi)) {
            item.set_text(TextVar::Doi, doi.as_str());
            item.set_text(TextVar::Url, doi.url());
        }
        let ids = self.external_ids();
        let pmid = ids.and_then(|ids| Pmid::parse(ids.pmid.as_deref()?).ok());
        if let Some(pmid) = pmid {
            item.set_text(TextVar::Pmid, pmid.as_str());
        }
        let pmcid = ids.and_then(|ids| {
            let id = ids.pmcid.as_deref()?;
            Pmcid::parse(&format!("PMC{}", id.trim_start_matches("PMC"))).ok()
        });
        if let Some(pmcid) = pmcid {
            item.set_text(TextVar::Pmcid, pmcid.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paper_is_mapped() {
        let json = br#"{"data":[{"paperId":"abc1","externalIds":{"DOI":"10.5555/FROGS","PubMed":"123",
            "PubMedCentral":"77","ArXiv":"2001.00001","CorpusId":9},"title":"On frogs","venue":"J. Frogs",
            "year":2020,"publicationDate":"2020-03-01","publicationTypes":["JournalArticle"],
            "journal":{"name":"Journal of Frogs","volume":"3","pages":"11-19"},
            "authors":[{"authorId":"1","name":"Jo van Doe"}],
            "url":"https://www.semanticscholar.org/paper/abc1"},{"paperId":"x","title":null}],"total":2}"#;
        let mut works = from_list(json).unwrap().into_iter();
        let work = works.next().unwrap().unwrap();
        let item = &work.item;
        assert_eq!(item.kind, ItemType::Article);
        assert_eq!(item.text(TextVar::Doi), Some("10.5555/frogs"));
        assert_eq!(item.text(TextVar::ArxivId), None);
        assert_eq!(item.text(TextVar::Pmcid), Some("PMC77"));
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Journal of Frogs"));
        assert_eq!(item.number(NumberVar::Page), Some("11-19"));
        assert_eq!(item.date(DateVar::Issued).unwrap().edtf(), "2020-03-01");
        assert_eq!(item.names(NameVar::Author)[0].display(), "Jo van Doe");
        assert_eq!(work.provenance.record_id, "abc1");
        assert!(works.next().unwrap().is_err());
    }

    #[test]
    fn preprint_has_its_arxiv_id() {
        let json = br#"{"paperId":"a","externalIds":{"ArXiv":"2001.00001"},"title":"On toads","year":2020,
            "venue":"arXiv.org","publicationTypes":["JournalArticle"],"journal":{"name":"ArXiv","volume":"abs/2001.00001"}}"#;
        let item = from_slice(json).unwrap().item;
        assert_eq!(item.kind, ItemType::Preprint);
        assert_eq!(item.text(TextVar::Doi), Some("10.48550/arxiv.2001.00001"));
        assert_eq!(item.text(TextVar::ContainerTitle), None);
        assert_eq!(item.number(NumberVar::Volume), None);
    }
}
