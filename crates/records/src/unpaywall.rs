//! Unpaywall's API: the record of a DOI, whose open copies are its subject.
//!
//! Written after the data format at <https://unpaywall.org/data-format>.

use serde::Deserialize;

use citation_exchange::linked::item_type_of_crossref;
use citation_fields::access;
use citation_model::access::OpenCopy;
use citation_model::date::{Date, DateParts};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::lenient::{self, List, Object, Text};
use super::{RecordError, fields, names};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"doi\":\"10.1000/a\",",
    "\"title\":\"",
    "\"best_oa_location\":{\"url\":\"https://example.org/a\",",
    "\"z_authors\":[{\"raw_author_name\":\"",
    "\",",
    "],",
    "}",
];

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct UnpaywallRecord {
    doi: Text,
    title: Text,
    genre: Text,
    journal_name: Text,
    journal_issns: Text,
    publisher: Text,
    published_date: Text,
    #[serde(deserialize_with = "lenient::number")]
    year: Option<i64>,
    z_authors: List<Author>,
    best_oa_location: Object<Location>,
    updated: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Author {
    family: Text,
    given: Text,
    name: Text,
    raw_author_name: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Location {
    url: Text,
    url_for_landing_page: Text,
    version: Text,
    license: Text,
}

/// Reads one record and maps it. Fails without a DOI or a title.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    let record: UnpaywallRecord = serde_json::from_slice(json)?;
    let given = record.doi.as_deref().ok_or(RecordError::Missing("DOI"))?;
    let doi = Doi::parse(given).map_err(|_| RecordError::malformed("DOI", given))?;
    let title = record
        .title
        .as_deref()
        .ok_or(RecordError::Missing("title"))?;
    let kind = record.genre.as_deref().and_then(item_type_of_crossref);
    let mut item = Item::new(doi.as_str(), kind.unwrap_or(ItemType::Document));
    fields::title(&mut item, title, None);
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    item.set_names(
        NameVar::Author,
        record.z_authors.iter().map(Author::name).collect(),
    );
    fields::date(&mut item, DateVar::Issued, record.date().as_ref());
    fields::plain(
        &mut item,
        TextVar::ContainerTitle,
        record.journal_name.as_deref(),
    );
    fields::plain(&mut item, TextVar::Publisher, record.publisher.as_deref());
    let issns = record.journal_issns.as_deref().unwrap_or_default();
    fields::issns(&mut item, issns.split(','));
    item.set_text(TextVar::Doi, doi.as_str());
    item.set_text(TextVar::Url, doi.url());
    let provenance = Provenance {
        source: Source::Unpaywall,
        record_id: doi.as_str().to_owned(),
        url: Some(doi.url()),
        license: None,
        fetched_at: record.updated.as_deref().map_or(0, super::unix_seconds),
    };
    let mut work = Work::new(item, provenance);
    work.open_copy = record.best_oa_location.as_ref().and_then(Location::copy);
    Ok(work)
}

impl UnpaywallRecord {
    fn date(&self) -> Option<Date> {
        let day = self.published_date.as_deref().and_then(Date::parse_iso);
        day.or_else(|| Some(Date::from(DateParts::year(i32::try_from(self.year?).ok()?))))
    }
}

impl Author {
    fn name(&self) -> Name {
        let whole = self.raw_author_name.as_deref().or(self.name.as_deref());
        match (self.family.as_deref(), whole) {
            (None, Some(whole)) => names::from_text(whole),
            (family, _) => names::from_parts(family, self.given.as_deref(), None),
        }
    }
}

impl Location {
    /// The page rather than the file, if both are known.
    fn copy(&self) -> Option<OpenCopy> {
        let url = self
            .url_for_landing_page
            .as_deref()
            .or(self.url.as_deref())?;
        let (version, license) = (self.version.as_deref(), self.license.as_deref());
        access::open_copy(url, version, license, Source::Unpaywall.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::access::CopyVersion;

    #[test]
    fn best_location_is_the_open_copy() {
        let json = r#"{"doi":"10.5555/A","doi_url":"https://doi.org/10.5555/A","title":"On frogs","genre":"journal-article",
            "is_paratext":false,"published_date":"2019-05-02","year":2019,"journal_name":"Acta","journal_issns":"2049-3630,1234-5679",
            "publisher":"Press","is_oa":true,"oa_status":"green","has_repository_copy":true,"updated":"2024-01-02T03:04:05.678",
            "best_oa_location":{"url":"https://repo.example.org/a.pdf","url_for_pdf":"https://repo.example.org/a.pdf",
              "url_for_landing_page":"https://repo.example.org/a","evidence":"oa repository","license":"cc-by-nc",
              "version":"acceptedVersion","host_type":"repository","is_best":true},
            "z_authors":[{"given":"Ann","family":"Doe","sequence":"first"},{"raw_author_name":"Bo Roe","author_position":"last"}]}"#;
        let work = from_slice(json.as_bytes()).unwrap();
        let copy = work.open_copy.unwrap();
        assert_eq!(copy.url, "https://repo.example.org/a");
        assert_eq!(copy.version, Some(CopyVersion::Accepted));
        assert_eq!(copy.license.as_deref(), Some("cc-by-nc"));
        let families = work.item.names(NameVar::Author).iter();
        let families: Vec<_> = families.filter_map(|name| name.family.as_deref()).collect();
        assert_eq!(families, ["Doe", "Roe"]);
        assert_eq!(work.item.year(), Some(2019));
        assert_eq!(work.item.text(TextVar::ContainerTitle), Some("Acta"));
        let closed = r#"{"doi":"10.5555/b","title":"On toads","is_oa":false,"best_oa_location":null,"z_authors":null}"#;
        assert_eq!(from_slice(closed.as_bytes()).unwrap().open_copy, None);
        assert!(from_slice(br#"{"doi":"10.5555/c","title":null}"#).is_err());
    }
}
