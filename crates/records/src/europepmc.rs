//! Europe PMC: the results of its search in their `core` form.

use serde::Deserialize;

use citation_model::date::Date;
use citation_model::identifier::{Doi, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::lenient::{List, Object, Text};
use super::{RecordError, clean, fields, language, names};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"resultList\":{\"result\":[",
    "{\"id\":\"1\",",
    "\"doi\":\"",
    "\"title\":\"",
    "\"authorString\":\"",
    "\"journalInfo\":{",
    "\",",
    "1,",
    "],",
    "}",
];

/// Reads a response of `/search?resultType=core&format=json`, each result as a work or an error.
pub fn from_search(json: &[u8]) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    let answer: Answer = serde_json::from_slice(json)?;
    let results = answer.results.0.unwrap_or_default().results;
    Ok(results.0.into_iter().map(EuropePmcRecord::work).collect())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer {
    #[serde(rename = "resultList")]
    results: Object<ResultList>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ResultList {
    #[serde(rename = "result")]
    results: List<EuropePmcRecord>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct EuropePmcRecord {
    id: Text,
    source: Text,
    pmid: Text,
    pmcid: Text,
    doi: Text,
    title: Text,
    author_list: Object<AuthorList>,
    journal_info: Object<JournalInfo>,
    pub_year: Text,
    page_info: Text,
    first_publication_date: Text,
    language: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AuthorList {
    author: List<Author>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Author {
    first_name: Text,
    initials: Text,
    last_name: Text,
    collective_name: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct JournalInfo {
    volume: Text,
    issue: Text,
    print_publication_date: Text,
    journal: Object<Journal>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Journal {
    title: Text,
    #[serde(rename = "isoabbreviation")]
    abbreviation: Text,
    issn: Text,
    essn: Text,
}

impl EuropePmcRecord {
    /// Maps the record. Fails without an id or a title.
    fn work(self) -> Result<Work, RecordError> {
        let id = self.id.as_deref().ok_or(RecordError::Missing("id"))?;
        let title = self.title.as_deref().ok_or(RecordError::Missing("title"))?;
        // Only preprints have a source of their own besides articles and books.
        let kind = match self.source.as_deref() {
            Some("PPR") => ItemType::Preprint,
            _ => ItemType::Article,
        };
        let mut item = Item::new(id, kind);
        let clean_title = clean::rich(title);
        let bare = clean_title
            .strip_suffix('.')
            .filter(|title| !title.ends_with('.'));
        fields::title(&mut item, bare.unwrap_or(&clean_title), None);
        let authors = self.author_list.0.unwrap_or_default().author;
        item.set_names(NameVar::Author, authors.iter().map(Author::name).collect());
        let info = self.journal_info.0.unwrap_or_default();
        let journal = info.journal.0.unwrap_or_default();
        fields::rich(&mut item, TextVar::ContainerTitle, journal.title.as_deref());
        fields::plain(
            &mut item,
            TextVar::ContainerTitleShort,
            journal.abbreviation.as_deref(),
        );
        let issns = [journal.issn.as_deref(), journal.essn.as_deref()];
        fields::issns(&mut item, issns.into_iter().flatten());
        fields::volume_or_issue(&mut item, NumberVar::Volume, info.volume.as_deref());
        fields::volume_or_issue(&mut item, NumberVar::Issue, info.issue.as_deref());
        fields::pages(&mut item, self.page_info.as_deref());
        let dates = [
            info.print_publication_date,
            self.first_publication_date,
            self.pub_year,
        ];
        let mut dates = dates.iter().filter_map(|text| text.as_deref());
        let date = dates.find_map(Date::parse_iso);
        fields::date(&mut item, DateVar::Issued, date.as_ref());
        let language = self.language.as_deref().and_then(language::tag);
        fields::plain(&mut item, TextVar::Language, language.as_deref());
        let doi = self.doi.as_deref().and_then(|doi| Doi::parse(doi).ok());
        item.set_text(TextVar::Doi, doi.as_ref().map_or("", Doi::as_str));
        let pmid = self.pmid.as_deref().and_then(|id| Pmid::parse(id).ok());
        item.set_text(TextVar::Pmid, pmid.as_ref().map_or("", Pmid::as_str));
        let pmcid = self.pmcid.as_deref().and_then(|id| Pmcid::parse(id).ok());
        item.set_text(TextVar::Pmcid, pmcid.as_ref().map_or("", Pmcid::as_str));
        let url = format!(
            "https://europepmc.org/article/{}/{id}",
            self.source.as_deref().unwrap_or("MED")
        );
        item.set_text(
            TextVar::Url,
            doi.as_ref().map_or_else(|| url.clone(), Doi::url),
        );
        let provenance = Provenance {
            source: Source::Europepmc,
            record_id: id.to_owned(),
            url: Some(url),
            license: None,
            fetched_at: 0,
        };
        Ok(Work::new(item, provenance))
    }
}

impl Author {
    fn name(&self) -> Name {
        match (self.last_name.as_deref(), self.collective_name.as_deref()) {
            (None, Some(collective)) => names::literal(collective),
            (family, _) => {
                let given = self.first_name.as_deref().or(self.initials.as_deref());
                names::from_parts(family, given, None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written after the documentation of the service (europepmc.org/RestfulWebService, `resultType=core`).
    #[test]
    fn a_result_of_a_search_is_mapped() {
        let json = br#"{"hitCount":1,"resultList":{"result":[{"id":"23903748","source":"MED","pmid":"23903748",
            "pmcid":"PMC4221854","doi":"10.1038/nature12373","title":"On <i>x</i>.",
            "authorList":{"author":[{"fullName":"Kucsko G","firstName":"G","lastName":"Kucsko","initials":"G"},
              {"collectiveName":"A Group"}]},
            "journalInfo":{"issue":"7460","volume":"500","printPublicationDate":"2013-08-01",
              "journal":{"title":"Nature","isoabbreviation":"Nature","issn":"0028-0836","essn":"1476-4687"}},
            "pubYear":"2013","pageInfo":"54-58","language":"eng"},{"id":"x"}]}}"#;
        let mut works = from_search(json).unwrap().into_iter();
        let item = works.next().unwrap().unwrap().item;
        assert_eq!(item.text(TextVar::Title), Some("On <i>x</i>"));
        assert_eq!(item.text(TextVar::Pmcid), Some("PMC4221854"));
        assert_eq!(item.names(NameVar::Author).len(), 2);
        assert_eq!(item.number(NumberVar::Page), Some("54-58"));
        assert_eq!(item.year(), Some(2013));
        assert!(works.next().unwrap().is_err());
        assert!(from_search(b"{\"hitCount\":0}").unwrap().is_empty());
    }
}
