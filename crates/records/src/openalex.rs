//! OpenAlex works: a line of the snapshot or an element of an API response, including the format before
//! 2023 (`host_venue`).

use serde::Deserialize;

use citation_exchange::linked::item_type_of_crossref;
use citation_exchange::table::Rows;
use citation_fields::access;
use citation_model::access::OpenCopy;
use citation_model::date::{Date, DateParts};
use citation_model::identifier::{Doi, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

use super::lenient::{self, List, Object, Text, Texts};
use super::{RecordError, fields, identifiers, language, names};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"results\":[",
    "{\"id\":\"https://openalex.org/W1\",",
    "\"doi\":\"",
    "\"title\":\"",
    "\"authorships\":[{\"author\":{\"display_name\":\"",
    "\"abstract_inverted_index\":{\"a\":[",
    "\"biblio\":{",
    "\",",
    "1,",
    "],",
    "}",
];

/// Reads one work and maps it.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    let record: OpenAlexRecord = serde_json::from_slice(json)?;
    record.work()
}

/// Reads a page of a list (`/works?…`), each element as a work or an error.
pub fn from_list(json: &[u8]) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    #[derive(Deserialize)]
    struct Answer {
        results: List<OpenAlexRecord>,
    }
    let answer: Answer = serde_json::from_slice(json)?;
    let records = answer.results.0.into_iter();
    Ok(records.map(OpenAlexRecord::work).collect())
}

/// Whether the start of a file is the header of a list of merged ids.
pub fn is_merge_list(head: &str) -> bool {
    let line = head.lines().next().unwrap_or_default();
    line.contains("merge_into_id") && line.contains("id")
}

/// Reads a row of such a list behind its header, in one text: the id of a work that has become another one. The
/// lists of authors and institutions look the same, and are about no works.
pub fn merged(bytes: &[u8]) -> Result<String, RecordError> {
    let text = String::from_utf8_lossy(bytes);
    let mut rows = Rows::new(&text);
    let header = rows.next().ok_or(RecordError::Missing("header"))?;
    let row = rows.next().ok_or(RecordError::Missing("row"))?;
    let at = header.cells.iter().position(|cell| cell.trim() == "id");
    let cell = at
        .and_then(|at| row.cells.get(at))
        .ok_or(RecordError::Missing("id"))?;
    let id = cell.trim().rsplit('/').next().unwrap_or_default();
    let digits = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    match id.strip_prefix('W') {
        Some(number) if digits(number) => Ok(id.to_owned()),
        _ if id.get(1..).is_some_and(digits) => Err(RecordError::NotAWork(id.to_owned())),
        _ => Err(RecordError::malformed("id", id)),
    }
}

/// An OpenAlex work.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct OpenAlexRecord {
    id: Text,
    doi: Text,
    title: Text,
    display_name: Text,
    publication_date: Text,
    #[serde(deserialize_with = "lenient::number")]
    publication_year: Option<i64>,
    #[serde(rename = "type")]
    kind: Text,
    type_crossref: Text,
    ids: Object<Ids>,
    language: Text,
    primary_location: Object<Location>,
    best_oa_location: Object<Location>,
    open_access: Object<OpenAccess>,
    host_venue: Object<Venue>,
    authorships: List<Authorship>,
    biblio: Object<Biblio>,
    #[serde(deserialize_with = "lenient::truth")]
    is_retracted: bool,
    updated_date: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ids {
    doi: Text,
    pmid: Text,
    pmcid: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Location {
    source: Object<Venue>,
    landing_page_url: Text,
    pdf_url: Text,
    license: Text,
    version: Text,
    raw_type: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OpenAccess {
    oa_url: Text,
}

/// The place of publication: a source, or a host venue in old records.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Venue {
    display_name: Text,
    issn: Texts,
    #[serde(rename = "type")]
    kind: Text,
    host_organization_name: Text,
    publisher: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Authorship {
    author: Object<Author>,
    raw_author_name: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Author {
    display_name: Text,
    orcid: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Biblio {
    volume: Text,
    issue: Text,
    first_page: Text,
    last_page: Text,
}

impl OpenAlexRecord {
    /// Maps the work. Fails without an id or a title.
    pub fn work(self) -> Result<Work, RecordError> {
        let id = self.id.as_deref().ok_or(RecordError::Missing("id"))?;
        let id = id.rsplit('/').next().unwrap_or(id).to_owned();
        let title = self.title.as_deref().or(self.display_name.as_deref());
        let title = title.ok_or(RecordError::Missing("title"))?;
        let doi = self
            .doi
            .as_deref()
            .or(self.ids.as_ref().and_then(|ids| ids.doi.as_deref()));
        let doi = doi.and_then(|doi| Doi::parse(doi).ok());
        let own_id = doi.as_ref().map_or(id.as_str(), Doi::as_str);
        let mut item = Item::new(own_id, self.item_type());
        fields::title(&mut item, title, None);
        if item.text(TextVar::Title).is_none() {
            return Err(RecordError::Missing("title"));
        }
        let authors = self.authorships.iter().map(Authorship::name);
        item.set_names(NameVar::Author, authors.collect());
        fields::date(&mut item, DateVar::Issued, self.date().as_ref());
        self.set_venue(&mut item);
        self.set_biblio(&mut item);
        self.set_identifiers(&mut item, doi.as_ref());
        let mut work = Work::new(item, self.provenance(&id));
        work.open_copy = self.open_copy();
        if self.is_retracted {
            work.item.set_text(TextVar::Status, "retracted");
            // OpenAlex does not identify the notice, so the work's own DOI is used.
            work.updates.extend(doi.map(|doi| Update {
                kind: UpdateKind::Retraction,
                relation: UpdateRelation::UpdatedBy,
                doi,
                date: None,
                source: "openalex".into(),
                reasons: Vec::new(),
            }));
        }
        Ok(work)
    }

    fn item_type(&self) -> ItemType {
        let raw = self
            .primary_location
            .as_ref()
            .and_then(|place| place.raw_type.as_deref());
        let crossref = self
            .type_crossref
            .as_deref()
            .or(raw)
            .and_then(item_type_of_crossref);
        let own = match self.kind.as_deref().unwrap_or_default() {
            "article" | "review" | "editorial" | "letter" | "erratum" | "retraction" => {
                ItemType::Article
            }
            "book" => ItemType::Book,
            "book-chapter" => ItemType::Chapter,
            "book-review" => ItemType::BookReview,
            "conference-paper" => ItemType::ConferencePaper,
            "conference-abstract" => ItemType::ConferencePaper,
            "dataset" | "database" => ItemType::Dataset,
            "dissertation" => ItemType::Thesis,
            "preprint" => ItemType::Preprint,
            "peer-review" => ItemType::Review,
            "reference-entry" => ItemType::EncyclopediaEntry,
            "report" => ItemType::Report,
            "software" => ItemType::Software,
            "standard" => ItemType::Standard,
            "libguides" => ItemType::Webpage,
            _ => ItemType::Document,
        };
        // Crossref's type is more specific if OpenAlex only has article.
        match own {
            ItemType::Article => crossref
                .filter(|kind| *kind != ItemType::Document)
                .unwrap_or(own),
            _ => own,
        }
    }

    /// The date, or only the year if it is 1 January, which OpenAlex uses when it knows only the year.
    fn date(&self) -> Option<Date> {
        let year = || {
            let year = i32::try_from(self.publication_year?).ok()?;
            Some(Date::from(DateParts::year(year)))
        };
        match self.publication_date.as_deref() {
            Some(day) if day.ends_with("-01-01") => year().or_else(|| Date::parse_iso(day)),
            Some(day) => Date::parse_iso(day).or_else(year),
            None => year(),
        }
    }

    fn set_venue(&self, item: &mut Item) {
        let venue = self
            .primary_location
            .as_ref()
            .and_then(|place| place.source.as_ref());
        let Some(venue) = venue.or(self.host_venue.as_ref()) else {
            return;
        };
        let name = venue.display_name.as_deref();
        let publisher = venue
            .host_organization_name
            .as_deref()
            .or(venue.publisher.as_deref());
        fields::plain(item, TextVar::Publisher, publisher);
        match venue.kind.as_deref() {
            // A publisher's e-book platform is not a container.
            Some("ebook platform") => {}
            // A thesis is published by its university; the name of a repository ends with its operator.
            Some("repository") if item.kind == ItemType::Thesis && publisher.is_some() => {}
            Some("repository") => {
                let name = name.map(|name| name.split(" (").next().unwrap_or(name));
                fields::plain(item, TextVar::Publisher, name);
            }
            Some("book series") => fields::plain(item, TextVar::CollectionTitle, name),
            _ if item.kind.is_whole_book() && !item.kind.is_in_periodical() => {
                fields::plain(item, TextVar::CollectionTitle, name);
            }
            _ => fields::plain(item, TextVar::ContainerTitle, name),
        }
        fields::issns(item, venue.issn.iter().map(String::as_str));
    }

    fn set_biblio(&self, item: &mut Item) {
        let Some(biblio) = self.biblio.as_ref() else {
            return;
        };
        fields::volume_or_issue(item, NumberVar::Volume, biblio.volume.as_deref());
        fields::volume_or_issue(item, NumberVar::Issue, biblio.issue.as_deref());
        let pages = match (biblio.first_page.as_deref(), biblio.last_page.as_deref()) {
            (Some(first), Some(last)) if first != last => Some(format!("{first}-{last}")),
            (first, _) => first.map(str::to_owned),
        };
        fields::pages(item, pages.as_deref());
    }

    fn set_identifiers(&self, item: &mut Item, doi: Option<&Doi>) {
        let place = self.primary_location.as_ref();
        let page = place.and_then(|place| place.landing_page_url.as_deref());
        let url = page.and_then(fields::web_address);
        let url = doi.map(Doi::url).or(url);
        fields::plain(item, TextVar::Url, url.as_deref());
        item.set_text(TextVar::Doi, doi.map_or("", Doi::as_str));
        if let Some(ids) = self.ids.as_ref() {
            let pmid = ids.pmid.as_deref().and_then(|id| Pmid::parse(id).ok());
            item.set_text(TextVar::Pmid, pmid.as_ref().map_or("", Pmid::as_str));
            let pmcid = ids.pmcid.as_deref().and_then(|id| Pmcid::parse(id).ok());
            item.set_text(TextVar::Pmcid, pmcid.as_ref().map_or("", Pmcid::as_str));
        }
        let language = self.language.as_deref().and_then(language::tag);
        fields::plain(item, TextVar::Language, language.as_deref());
        let license = place.and_then(|place| place.license.as_deref());
        fields::plain(item, TextVar::License, license);
        if item.kind == ItemType::Preprint {
            item.set_text(TextVar::Genre, "preprint");
        }
    }

    /// Older records have an address alone.
    fn open_copy(&self) -> Option<OpenCopy> {
        let text = |text: &Text| text.0.clone();
        let best = self.best_oa_location.as_ref();
        let url = best.and_then(|best| text(&best.landing_page_url).or(text(&best.pdf_url)));
        let old = self.open_access.as_ref();
        let url = url.or_else(|| old.and_then(|old| text(&old.oa_url)))?;
        access::open_copy(
            &url,
            best.and_then(|best| best.version.as_deref()),
            best.and_then(|best| best.license.as_deref()),
            Source::Openalex.as_str(),
        )
    }

    fn provenance(&self, id: &str) -> Provenance {
        Provenance {
            source: Source::Openalex,
            record_id: id.to_owned(),
            url: Some(format!("https://openalex.org/{id}")),
            license: Some("CC0-1.0".into()),
            fetched_at: self.updated_date.as_deref().map_or(0, super::unix_seconds),
        }
    }
}

impl Authorship {
    /// The name as printed if it is complete, otherwise OpenAlex's form.
    fn name(&self) -> Name {
        let author = self.author.as_ref();
        let known = author.and_then(|author| author.display_name.as_deref());
        let printed = self
            .raw_author_name
            .as_deref()
            .filter(|name| name.trim().contains(' '));
        let initials_last = printed.zip(known).and_then(|(printed, known)| {
            let (family, initials) = printed.trim().rsplit_once(' ')?;
            let are_initials =
                initials.len() <= 3 && initials.bytes().all(|b| b.is_ascii_uppercase());
            (are_initials && known.to_lowercase().ends_with(&family.to_lowercase()))
                .then(|| format!("{family}, {initials}"))
        });
        let printed = initials_last.as_deref().or(printed);
        let mut name = names::from_text(printed.or(known).unwrap_or_default());
        let orcid = author.and_then(|author| author.orcid.as_deref());
        name.orcid = orcid.and_then(identifiers::bare_orcid);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::access::CopyVersion;

    #[test]
    fn a_retracted_article() {
        let work = from_slice(
            br#"{"id":"https://openalex.org/W1","doi":"https://doi.org/10.5555/A","title":"On x",
                 "publication_date":"2018-01-01","publication_year":2018,"type":"article","language":"en",
                 "authorships":[{"author":{"display_name":"A Doe","orcid":"https://orcid.org/0000-0002-1825-0097"},
                   "raw_author_name":"Ann B. Doe"}],"ids":{"pmid":"https://pubmed.ncbi.nlm.nih.gov/123"},
                 "primary_location":{"source":{"display_name":"Acta","type":"journal","issn":["2049-3630"],
                   "host_organization_name":"Press"},"raw_type":"journal-article"},
                 "biblio":{"volume":"3","issue":null,"first_page":"e30","last_page":"e30"},
                 "is_retracted":true,"updated_date":"2024-01-02T03:04:05.6"}"#,
        )
        .unwrap();
        let item = &work.item;
        assert_eq!(item.id, "10.5555/a");
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("2018")
        );
        assert_eq!(
            item.names(NameVar::Author)[0].given.as_deref(),
            Some("Ann B.")
        );
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Acta"));
        assert_eq!(item.number(NumberVar::Page), Some("e30"));
        assert_eq!(item.text(TextVar::Pmid), Some("123"));
        assert_eq!(work.updates[0].kind, UpdateKind::Retraction);
        assert_eq!(item.text(TextVar::Status), Some("retracted"));
        assert_eq!(work.provenance.fetched_at, 1_704_164_645);
    }

    #[test]
    fn initials_may_stand_last_and_repositories_have_operators() {
        let work = from_slice(
            br#"{"id":"W5","title":"x","type":"preprint","authorships":[{"author":{"display_name":"X. Li"},"raw_author_name":"Li X"}],
                 "primary_location":{"source":{"display_name":"arXiv (Cornell University)","type":"repository"}}}"#,
        )
        .unwrap();
        let name = &work.item.names(NameVar::Author)[0];
        assert_eq!(name.family.as_deref(), Some("Li"));
        assert_eq!(work.item.text(TextVar::Publisher), Some("arXiv"));
    }

    #[test]
    fn merged_works_are_known_by_their_ids() {
        let read = |row: &str| merged(format!("merge_date,id,merge_into_id\n{row}").as_bytes());
        assert_eq!(read("2024-01-01,W12,W13").as_deref(), Ok("W12"));
        assert_eq!(
            read("2024-01-01,https://openalex.org/W12,W13").as_deref(),
            Ok("W12")
        );
        assert!(matches!(
            read("2024-01-01,A12,A13"),
            Err(RecordError::NotAWork(_))
        ));
        assert!(matches!(
            read("2024-01-01,,W13"),
            Err(RecordError::Malformed { .. })
        ));
        assert!(merged(b"").is_err());
    }

    #[test]
    fn best_location_is_an_open_copy() {
        let work = |members: &str| {
            let json = format!("{{\"id\":\"W6\",\"title\":\"x\",{members}}}");
            from_slice(json.as_bytes()).unwrap().open_copy
        };
        let copy = work(
            r#""best_oa_location":{"is_oa":true,"landing_page_url":"https://doi.org/10.5555/a",
                "pdf_url":"https://example.org/a.pdf","version":"acceptedVersion","license":"cc-by"}"#,
        )
        .unwrap();
        assert_eq!(copy.url, "https://doi.org/10.5555/a");
        assert_eq!(copy.version, Some(CopyVersion::Accepted));
        assert_eq!(copy.license.as_deref(), Some("cc-by"));
        let old = work(r#""open_access":{"is_oa":true,"oa_url":"http://example.org/a"}"#);
        assert_eq!(old.unwrap().version, None);
        assert_eq!(
            work(r#""best_oa_location":null,"open_access":{"is_oa":false,"oa_url":null}"#),
            None
        );
    }

    #[test]
    fn old_records_and_odd_ones() {
        let work = from_slice(
            br#"{"id":"W2","display_name":"Y","type":null,"type_crossref":"proceedings-article",
                 "host_venue":{"display_name":"Proc","publisher":"ACM"},"publication_year":"1999"}"#,
        )
        .unwrap();
        assert_eq!(work.item.kind, ItemType::Document);
        assert_eq!(work.item.year(), Some(1999));
        assert_eq!(
            from_slice(br#"{"id":"W3","title":null}"#),
            Err(RecordError::Missing("title"))
        );
    }
}
