//! DataCite DOIs: the `data` object of `/dois/{doi}`, an element of a list, a line of the public data file;
//! all are the same JSON:API resource.

mod dto;
mod kind;

use serde::Deserialize;

use citation_fields::access;
use citation_model::access::OpenCopy;
use citation_model::date::Date;
use citation_model::identifier::{ArxivId, Doi, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

use super::{
    Abstracts, RecordError, clean, fields, identifiers, language, lenient, names, statement,
};
pub use dto::DataciteRecord;
use dto::{
    Attributes, Container, Description, NameIdentifier, Person, Related, RelatedItem, Title, Types,
};
use kind::is_part;

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"data\":{",
    "\"attributes\":{",
    "\"doi\":\"10.1000/a\",",
    "\"titles\":[{\"title\":\"",
    "\"creators\":[{\"name\":\"",
    "\"dates\":[{\"date\":\"",
    "\"relatedItems\":[{",
    "\"descriptions\":[{",
    "\"},",
    "1,",
    "],",
    "}",
];

/// Reads one resource and maps it.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    let record: DataciteRecord = serde_json::from_slice(json)?;
    record.work(Abstracts::Leave)
}

/// Reads the response of `/dois/{doi}`: the resource in its envelope.
pub fn from_envelope(json: &[u8]) -> Result<Work, RecordError> {
    #[derive(Deserialize)]
    struct Envelope {
        data: DataciteRecord,
    }
    let envelope: Envelope = serde_json::from_slice(json)?;
    envelope.data.work(Abstracts::Leave)
}

/// Reads the response of a search: each resource as a work or an error.
pub fn from_list(json: &[u8]) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    #[derive(Deserialize)]
    struct Envelope {
        #[serde(deserialize_with = "lenient::list")]
        data: Vec<DataciteRecord>,
    }
    let envelope: Envelope = serde_json::from_slice(json)?;
    let records = envelope.data.into_iter();
    Ok(records
        .map(|record| record.work(Abstracts::Leave))
        .collect())
}

impl DataciteRecord {
    /// Maps the resource. Fails without a DOI or a title.
    pub fn work(self, abstracts: Abstracts) -> Result<Work, RecordError> {
        let id = self.id.0;
        let data = self.attributes.0.unwrap_or_default();
        let given = data
            .doi
            .0
            .clone()
            .or(id)
            .ok_or(RecordError::Missing("DOI"))?;
        let doi = Doi::parse(&given).map_err(|_| RecordError::malformed("DOI", &given))?;
        let mut item = Item::new(
            doi.as_str(),
            data.types
                .as_ref()
                .map_or(ItemType::Document, Types::item_type),
        );
        item.set_text(TextVar::Doi, doi.as_str());
        data.set_title(&mut item)?;
        data.set_people(&mut item);
        data.set_dates(&mut item);
        data.set_container(&mut item);
        data.set_identifiers(&mut item, &doi);
        data.set_description(&mut item, abstracts);
        let provenance = Provenance {
            source: Source::Datacite,
            record_id: doi.as_str().to_owned(),
            url: Some(doi.url()),
            license: Some("CC0-1.0".into()),
            fetched_at: data.updated.as_deref().map_or(0, super::unix_seconds),
        };
        let mut work = Work::new(item, provenance);
        work.updates = data.updates();
        work.open_copy = data.open_copy(&doi);
        Ok(work)
    }
}

/// Maximum number of related works per record; updates are compared with the earlier ones.
const MAX_RELATED: usize = 2_000;

impl Attributes {
    fn set_title(&self, item: &mut Item) -> Result<(), RecordError> {
        let of = |kind: Option<&str>| {
            let titles = self
                .titles
                .iter()
                .filter(move |title| title.title_type.as_deref() == kind);
            titles.filter_map(|title| title.title.as_deref()).next()
        };
        let any = self.titles.iter().find_map(|title| title.title.as_deref());
        let title = of(None).or(any).ok_or(RecordError::Missing("title"))?;
        fields::title(item, title, of(Some("Subtitle")));
        let is_further = |further: &&Title| {
            let kind = further.title_type.as_deref();
            let is_own = further.title.as_deref() == Some(title);
            matches!(kind, None | Some("TranslatedTitle")) && !is_own
        };
        let further = self.titles.iter().filter(is_further);
        fields::further_titles(item, further.filter_map(|further| further.title.as_deref()));
        match item.text(TextVar::Title) {
            Some(title) if !names::is_nobody(title) => Ok(()),
            _ => Err(RecordError::Missing("title")),
        }
    }

    fn set_people(&self, item: &mut Item) {
        item.set_names(
            NameVar::Author,
            self.creators.iter().flat_map(Person::names).collect(),
        );
        let roles = [
            ("Editor", NameVar::Editor),
            ("Translator", NameVar::Translator),
            ("Producer", NameVar::Producer),
        ];
        let around = self
            .container()
            .map_or(&[][..], |around| &around.contributors);
        for (word, role) in roles {
            let in_role = |people: &[Person]| -> Vec<Name> {
                let people = people
                    .iter()
                    .filter(|person| person.contributor_type.as_deref() == Some(word));
                people.flat_map(Person::names).collect()
            };
            // The editors of the volume are in the record of the part or of the volume.
            let own = in_role(&self.contributors);
            let names = if own.is_empty() { in_role(around) } else { own };
            item.set_names(role, names);
        }
    }

    fn date(&self, kind: &str) -> Option<Date> {
        let dates = self
            .dates
            .iter()
            .filter(|date| date.date_type.as_deref() == Some(kind));
        dates
            .filter_map(|date| Date::parse_iso(date.date.as_deref()?))
            .next()
    }

    fn set_dates(&self, item: &mut Item) {
        // 9999 and 0 stand for an unknown year.
        let is_year = |date: &Date| {
            date.start
                .is_some_and(|start| (1..9999).contains(&start.year))
        };
        let year = || Date::parse_iso(self.publication_year.as_deref()?).filter(is_year);
        let later = || {
            let kinds = ["Available", "Accepted", "Submitted", "Created", "Updated"];
            kinds.into_iter().find_map(|kind| self.date(kind))
        };
        let issued = self
            .date("Issued")
            .filter(is_year)
            .or_else(year)
            .or_else(later);
        fields::date(item, DateVar::Issued, issued.as_ref());
        fields::date(
            item,
            DateVar::AvailableDate,
            self.date("Available").as_ref(),
        );
        fields::date(item, DateVar::Submitted, self.date("Submitted").as_ref());
    }

    /// The work in which this one is published.
    fn container(&self) -> Option<&RelatedItem> {
        let around = |item: &&RelatedItem| item.relation_type.as_deref() == Some("IsPublishedIn");
        self.related_items.iter().find(around)
    }

    fn set_container(&self, item: &mut Item) {
        let none = Container::default();
        let container = self.container.as_ref().unwrap_or(&none);
        let around = self.container();
        let of_around = around.and_then(|around| around.titles.first()?.title.as_deref());
        let title = container.title.as_deref().or(of_around);
        let is_series = container.kind.as_deref() == Some("Series") && !is_part(item.kind);
        let either = |own: &Option<String>, part: fn(&RelatedItem) -> &Option<String>| {
            own.clone()
                .or_else(|| around.and_then(|around| part(around).clone()))
        };
        // DataCite takes containers from free text, in which other things stand at the place of the volume.
        let volume =
            either(&container.volume, |around| &around.volume).filter(|text| is_number(text));
        if is_series {
            fields::rich(item, TextVar::CollectionTitle, title);
            fields::number(item, NumberVar::CollectionNumber, volume.as_deref());
        } else {
            fields::rich(item, TextVar::ContainerTitle, title);
            fields::volume_or_issue(item, NumberVar::Volume, volume.as_deref());
        }
        let issue = either(&container.issue, |around| &around.issue);
        fields::volume_or_issue(item, NumberVar::Issue, issue.as_deref());
        let first = either(&container.first_page, |around| &around.first_page);
        let last = either(&container.last_page, |around| &around.last_page);
        let first =
            first.filter(|page| last.is_some() || Some(page) != self.publication_year.as_ref());
        fields::pages(
            item,
            page_range(first.as_deref(), last.as_deref()).as_deref(),
        );
        let number = either(&container.number, |around| &around.number);
        let is_chapter =
            around.is_some_and(|around| around.number_type.as_deref() == Some("Chapter"));
        let number_variable = if is_chapter {
            NumberVar::ChapterNumber
        } else {
            NumberVar::Number
        };
        fields::number(item, number_variable, number.as_deref());
        if item.number(NumberVar::Page).is_none() && item.kind.is_in_periodical() {
            fields::pages(item, number.as_deref());
        }
        let edition = around.and_then(|around| around.edition.as_deref());
        let edition = edition.map(statement::edition);
        fields::number(item, NumberVar::Edition, edition.as_deref());
        fields::imprint(item, TextVar::Publisher, self.publisher.as_deref());
    }

    fn set_identifiers(&self, item: &mut Item, doi: &Doi) {
        if let Ok(arxiv) = ArxivId::parse(doi.as_str()) {
            item.set_text(TextVar::ArxivId, arxiv.as_str());
        }
        let container = self.container.iter();
        let own = container.map(|c| (c.identifier_type.as_deref(), c.identifier.as_deref()));
        let around = self.related_identifiers.iter();
        let around = around.filter(|related| {
            let relation = related.relation_type.as_deref();
            matches!(
                relation,
                Some("IsPartOf" | "IsPublishedIn" | "IsIdenticalTo")
            )
        });
        let around = around.map(Related::pair);
        let inside = self
            .container()
            .and_then(|item| item.related_item_identifier.as_ref());
        let inside = inside.map(|id| {
            let kind = id.related_item_identifier_type.as_deref();
            (kind, id.related_item_identifier.as_deref())
        });
        let pairs: Vec<(Option<&str>, Option<&str>)> = own.chain(around).chain(inside).collect();
        let of = |kinds: &'static [&'static str]| {
            let pairs = pairs
                .iter()
                .filter(|pair| pair.0.is_some_and(|kind| kinds.contains(&kind)));
            pairs.filter_map(|pair| pair.1)
        };
        fields::issns(item, of(&["ISSN", "EISSN", "LISSN"]));
        fields::isbns(item, of(&["ISBN"]));
        let same = self.related_identifiers.iter();
        let mut same = same.filter(|r| r.relation_type.as_deref() == Some("IsIdenticalTo"));
        let pmid = same.find_map(|related| match related.pair() {
            (Some("PMID"), Some(id)) => Pmid::parse(id).ok(),
            _ => None,
        });
        if let Some(pmid) = pmid {
            item.set_text(TextVar::Pmid, pmid.as_str());
        }
        let url = self.url.as_deref().and_then(fields::web_address);
        item.set_text(TextVar::Url, url.unwrap_or_else(|| doi.url()));
    }

    fn set_description(&self, item: &mut Item, abstracts: Abstracts) {
        fields::number(item, NumberVar::Version, self.version.as_deref());
        let language = self.language.as_deref().and_then(language::tag);
        fields::plain(item, TextVar::Language, language.as_deref());
        let rights = self.rights_list.iter();
        let license = rights
            .clone()
            .find_map(|r| r.rights_uri.as_deref().and_then(fields::web_address));
        let license = license.or_else(|| rights.clone().find_map(|right| right.rights.0.clone()));
        fields::plain(item, TextVar::License, license.as_deref());
        fields::keywords(
            item,
            self.subjects.iter().filter_map(|s| s.subject.as_deref()),
        );
        let genre = self.types.as_ref().and_then(|types| types.genre(item.kind));
        fields::plain(item, TextVar::Genre, genre);
        let pages = self.sizes.iter().find_map(|size| page_count(size));
        fields::number(item, NumberVar::NumberOfPages, pages.as_deref());
        if abstracts == Abstracts::Keep {
            let is_abstract = |d: &&Description| d.description_type.as_deref() == Some("Abstract");
            let summary = self.descriptions.iter().find(is_abstract);
            let summary = summary.and_then(|summary| summary.description.as_deref());
            fields::rich(item, TextVar::Abstract, summary);
        }
    }

    /// The page of a work whose rights let everybody read it.
    fn open_copy(&self, doi: &Doi) -> Option<OpenCopy> {
        let rights = self.rights_list.iter().take(MAX_RELATED);
        let statements = rights.flat_map(|r| [&r.rights_uri, &r.rights_identifier, &r.rights]);
        let mut statements = statements.filter_map(|text| text.as_deref());
        let license = statements.find(|license| access::is_open(license))?;
        let url = self.url.0.clone().unwrap_or_else(|| doi.url());
        access::open_copy(&url, None, Some(license), Source::Datacite.as_str())
    }

    /// Versions that replace each other. `HasVersion` and `IsVersionOf` relate a work to its versions, none
    /// of which changes another, so they are not notices.
    fn updates(&self) -> Vec<Update> {
        let mut updates: Vec<Update> = Vec::new();
        for related in self.related_identifiers.iter().take(MAX_RELATED) {
            let relation = match related.relation_type.as_deref() {
                Some("IsPreviousVersionOf" | "IsObsoletedBy") => UpdateRelation::UpdatedBy,
                Some("IsNewVersionOf" | "Obsoletes") => UpdateRelation::UpdateTo,
                _ => continue,
            };
            let (Some("DOI"), Some(id)) = related.pair() else {
                continue;
            };
            let Ok(doi) = Doi::parse(id) else { continue };
            let update = Update {
                kind: UpdateKind::NewVersion,
                relation,
                doi,
                date: None,
                source: "datacite".into(),
                reasons: Vec::new(),
            };
            if !updates.contains(&update) {
                updates.push(update);
            }
        }
        updates
    }
}

impl Related {
    fn pair(&self) -> (Option<&str>, Option<&str>) {
        let kind = self.related_identifier_type.as_deref();
        (kind, self.related_identifier.as_deref())
    }
}

impl Person {
    /// The name, or the names of several people in one text: `Doe, Jane (Some University); Roe, Al`.
    fn names(&self) -> Vec<Name> {
        let whole = self.name.as_deref().unwrap_or_default();
        let people: Vec<&str> = whole.split(';').map(without_note).collect();
        let are_people = people.len() > 1
            && self.family_name.is_none()
            && people.iter().all(|text| text.split(", ").count() == 2);
        if are_people {
            people.into_iter().map(names::from_text).collect()
        } else {
            vec![self.name()]
        }
    }

    fn name(&self) -> Name {
        let whole = self.name.as_deref().unwrap_or_default();
        let family = self.family_name.as_deref().unwrap_or_default();
        let is_body = self.name_type.as_deref() == Some("Organizational")
            || family.split_whitespace().count() > 2 && names::is_institution(family);
        let mut name = if is_body {
            names::literal(whole)
        } else if self.family_name.is_some() {
            names::from_parts(
                self.family_name.as_deref(),
                self.given_name.as_deref(),
                None,
            )
        } else if self.name_type.is_none() && is_whole(whole) {
            names::literal(whole)
        } else {
            names::from_text(without_note(whole))
        };
        let is_orcid = |id: &&NameIdentifier| {
            id.name_identifier_scheme
                .as_deref()
                .is_some_and(|s| s.eq_ignore_ascii_case("orcid"))
        };
        let orcid = self.name_identifiers.iter().find(is_orcid);
        name.orcid = orcid.and_then(|id| identifiers::bare_orcid(id.name_identifier.as_deref()?));
        name
    }
}

/// Whether a name without a comma that is not declared as a person is probably none, because it has a
/// single word (`Swissair`) or many.
fn is_whole(name: &str) -> bool {
    let words = name.split_whitespace().count();
    words < 2 || words > 4 && !name.contains(',')
}

/// Without a role or affiliation in brackets behind a name: `Doe, Jane (Ed.)`.
fn without_note(name: &str) -> &str {
    let name = name.trim();
    let bare = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once(" ("));
    // The brackets of an institution are part of its name.
    match bare {
        Some((bare, _)) if bare.contains(", ") && !names::is_institution(bare) => bare.trim_end(),
        _ => name,
    }
}

/// First and last page as a range. A page has a digit or is a Roman numeral, and has no spaces as in
/// `Bd. 28 Nr. 2 (2001)`.
fn page_range(first: Option<&str>, last: Option<&str>) -> Option<String> {
    let is_page = |page: &&str| {
        let page = page.trim();
        !page.contains(char::is_whitespace) && is_number(page)
    };
    match (first.filter(is_page), last.filter(is_page)) {
        (Some(first), Some(last)) if first != last => Some(format!("{first}-{last}")),
        (Some(first), _) => Some(first.to_owned()),
        (None, _) => None,
    }
}

/// Whether a text is a number, perhaps with a label: `Vol. 12`, `12a`, `IV`; not `Diss.` or a date.
fn is_number(text: &str) -> bool {
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let is_roman = text.chars().all(|c| "ivxlcdmIVXLCDM".contains(c));
    text.split_whitespace().count() <= 2 && (has_digit || is_roman)
}

/// `12` in `12 pages`.
fn page_count(size: &str) -> Option<String> {
    let size = clean::plain(size);
    let (digits, unit) = size.split_once(' ')?;
    let is_pages = matches!(
        unit.trim_end_matches('.').to_lowercase().as_str(),
        "page" | "pages" | "p" | "pp" | "seiten" | "s" | "páginas"
    );
    (is_pages && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(attributes: &str) -> Work {
        let json = format!(r#"{{"id":"10.5555/A","attributes":{{{attributes}}}}}"#);
        from_slice(json.as_bytes()).unwrap()
    }

    #[test]
    fn work_with_open_rights_is_an_open_copy() {
        let copy = |rights: &str| {
            let json = format!(
                r#"{{"attributes":{{"doi":"10.5555/a","titles":[{{"title":"x"}}],"url":"https://example.org/a","rightsList":[{rights}]}}}}"#
            );
            from_slice(json.as_bytes()).unwrap().open_copy
        };
        let open = copy(
            r#"{"rights":"Free"},{"rightsIdentifier":"cc-by-4.0","rightsUri":"https://creativecommons.org/licenses/by/4.0/legalcode"}"#,
        );
        let open = open.unwrap();
        assert_eq!(open.url, "https://example.org/a");
        assert_eq!(open.license.as_deref(), Some("cc-by-4.0"));
        assert!(copy(r#"{"rightsUri":"info:eu-repo/semantics/openAccess"}"#).is_some());
        assert_eq!(copy(r#"{"rights":"All rights reserved"}"#), None);
    }

    #[test]
    fn translated_title_is_kept() {
        let work = map(
            r#""titles":[{"title":"Модель процесса"},{"title":"Model of a process","titleType":"TranslatedTitle"}]"#,
        );
        let translated = work.item.custom.get("translated-title");
        assert_eq!(work.item.text(TextVar::Title), Some("Модель процесса"));
        assert_eq!(
            translated.and_then(|title| title.as_str()),
            Some("Model of a process")
        );
    }

    #[test]
    fn a_data_set() {
        let work = map(
            r#""doi":"10.5555/A","titles":[{"title":"Rain","titleType":null},{"title":"in Ohio","titleType":"Subtitle"}],
               "creators":[{"name":"Berg, Ann van der","nameIdentifiers":[{"nameIdentifierScheme":"ORCID",
                 "nameIdentifier":"https://orcid.org/0000-0002-1825-0097"}]},
                 {"name":"Met Office","nameType":"Organizational"},{"name":"(:Unav)"}],
               "contributors":[{"name":"Doe, Jo","contributorType":"Editor"}],
               "publisher":{"name":"Zenodo"},"publicationYear":2014,"version":"1.2",
               "dates":[{"date":"2014-05-06","dateType":"Issued"}],"url":"https://example.org/a",
               "rightsList":[{"rights":"CC BY","rightsUri":"https://creativecommons.org/licenses/by/4.0/"}],
               "types":{"resourceTypeGeneral":"Dataset"},"language":"eng","sizes":["3 MB","12 pages"],
               "relatedIdentifiers":[{"relatedIdentifier":"10.5555/B","relatedIdentifierType":"DOI",
                 "relationType":"IsPreviousVersionOf"}],"updated":"2020-01-01T00:00:00.000Z""#,
        );
        let item = &work.item;
        assert_eq!(item.text(TextVar::Title), Some("Rain: in Ohio"));
        let names: Vec<String> = item
            .names(NameVar::Author)
            .iter()
            .map(Name::display)
            .collect();
        assert_eq!(names, ["Ann van der Berg", "Met Office"]);
        assert!(item.names(NameVar::Author)[0].orcid.is_some());
        assert_eq!(item.text(TextVar::Publisher), Some("Zenodo"));
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("2014-05-06")
        );
        assert_eq!(item.number(NumberVar::Version), Some("1.2"));
        assert_eq!(item.number(NumberVar::NumberOfPages), Some("12"));
        assert_eq!(item.text(TextVar::Language), Some("en"));
        assert_eq!(work.updates.len(), 1);
        assert_eq!(work.provenance.fetched_at, 1_577_836_800);
    }

    #[test]
    fn containers_and_pages() {
        let work = map(
            r#""titles":[{"title":"t"}],"types":{"resourceTypeGeneral":"JournalArticle"},
               "container":{"type":"Series","title":"Acta","volume":"3","issue":"2","firstPage":"10",
               "lastPage":"12","identifier":"2049-3630","identifierType":"ISSN"}"#,
        );
        assert_eq!(work.item.text(TextVar::ContainerTitle), Some("Acta"));
        assert_eq!(work.item.number(NumberVar::Page), Some("10-12"));
        assert_eq!(work.item.text(TextVar::Issn), Some("2049-3630"));
        let report = map(
            r#""titles":[{"title":"t"}],"types":{"resourceTypeGeneral":"Report"},
               "container":{"type":"Series","title":"Papers","volume":"3","firstPage":"vol. 3 (2001)"}"#,
        );
        assert_eq!(report.item.text(TextVar::CollectionTitle), Some("Papers"));
        assert_eq!(report.item.number(NumberVar::CollectionNumber), Some("3"));
        assert_eq!(report.item.number(NumberVar::Page), None);
    }

    #[test]
    fn article_in_a_related_item() {
        let work = map(
            r#""titles":[{"title":"t"}],"types":{"resourceTypeGeneral":"JournalArticle"},"publicationYear":9999,
               "publisher":{"name":"House","publisherIdentifier":"x"},"dates":[{"date":"2020-05","dateType":"Available"}],
               "relatedItems":[{"relationType":"IsPublishedIn","titles":[{"title":"Acta"}],"volume":"3","number":"e7",
               "numberType":"Article","relatedItemIdentifier":{"relatedItemIdentifier":"2049-3630","relatedItemIdentifierType":"ISSN"},
               "contributors":[{"name":"Roe, Al","contributorType":"Editor"}]}]"#,
        );
        let item = work.item;
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Acta"));
        assert_eq!(item.text(TextVar::Issn), Some("2049-3630"));
        assert_eq!(item.text(TextVar::Publisher), Some("House"));
        assert_eq!(item.number(NumberVar::Number), Some("e7"));
        assert_eq!(item.number(NumberVar::Page), Some("e7"));
        assert_eq!(
            item.names(NameVar::Editor)[0].family.as_deref(),
            Some("Roe")
        );
        let issued = item.date(DateVar::Issued).map(Date::edtf);
        assert_eq!(issued.as_deref(), Some("2020-05"));
    }

    #[test]
    fn people_are_named_without_roles_and_affiliations() {
        let check = |creator: &str, expected: &[&str]| {
            let work = map(&format!(
                r#""titles":[{{"title":"t"}}],"creators":[{{{creator}}}]"#
            ));
            let names = work.item.names(NameVar::Author).iter().map(Name::display);
            assert_eq!(names.collect::<Vec<_>>(), expected, "{creator}");
        };
        check(
            r#""name":"Doe, Jane (Some University); Roe, Al (Other Institute)""#,
            &["Jane Doe", "Al Roe"],
        );
        check(
            r#""name":"Doe, Jane (Ed.)","nameType":"Personal""#,
            &["Jane Doe"],
        );
        check(
            r#""name":"Institute of Tests; Department A""#,
            &["Institute of Tests; Department A"],
        );
        check(
            r#""name":"North Sea Test Consortium, Coordinators","nameType":"Personal",
               "familyName":"North Sea Test Consortium","givenName":"Coordinators""#,
            &["North Sea Test Consortium, Coordinators"],
        );
    }

    #[test]
    fn free_text_is_no_volume_or_page() {
        let work = map(
            r#""titles":[{"title":"t"}],"types":{"resourceTypeGeneral":"Dissertation"},"publicationYear":2014,
               "creators":[{"name":"Royal Test Service Southern Branch"}],
               "container":{"type":"Series","title":"University","volume":"Diss.","firstPage":"2014"}"#,
        );
        assert_eq!(work.item.number(NumberVar::CollectionNumber), None);
        assert_eq!(work.item.number(NumberVar::Page), None);
        assert!(work.item.names(NameVar::Author)[0].literal.is_some());
        assert!(is_number("Vol. 12") && is_number("IV") && !is_number("1-5 May 2008"));
    }

    #[test]
    fn words_are_no_pages() {
        assert_eq!(page_range(Some("Korea"), None), None);
        assert_eq!(
            page_range(Some("xii"), Some("xx")).as_deref(),
            Some("xii-xx")
        );
        assert_eq!(page_range(Some("S12"), Some("S12")).as_deref(), Some("S12"));
    }

    #[test]
    fn untitled_resources_are_refused() {
        let refused =
            from_slice(br#"{"id":"10.5555/a","attributes":{"titles":[{"title":"(:unav)"}]}}"#);
        assert_eq!(refused, Err(RecordError::Missing("title")));
    }
}
