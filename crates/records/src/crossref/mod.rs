//! Crossref works: the `message` of `/works/{doi}`, an element of a list, a line or array element of the
//! public data files, in every format since 2013. The JSON of Crossref's content negotiation, with texts
//! instead of lists, is also supported.

mod container;
mod dto;

use serde::Deserialize;

use citation_exchange::linked::item_type_of_crossref;
use citation_model::date::{Date, DateEnd};
use citation_model::identifier::{Doi, Issn};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::lists::words;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

use super::{
    Abstracts, RecordError, clean, fields, json_scan, language, lenient, names, statement,
};
use container::Containers;
pub use dto::CrossrefRecord;
use dto::{Contributor, Related, Relations, TypedNumber, UpdateNotice};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"message\":{",
    "\"items\":[",
    "\"DOI\":\"10.1000/a\",",
    "\"title\":[\"",
    "\"author\":[",
    "{\"family\":\"",
    "\"issued\":{\"date-parts\":[[",
    "\"page\":\"",
    "\"relation\":{",
    "\"update-to\":[",
    "\"},",
    "1,",
    "],",
    "}",
];

/// Reads one record and maps it.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    CrossrefRecord::from_slice(json)?.work(Abstracts::Leave)
}

/// Reads the response of `/works/{doi}`: the record in its envelope.
pub fn from_envelope(json: &[u8]) -> Result<Work, RecordError> {
    #[derive(Deserialize)]
    struct Envelope {
        message: CrossrefRecord,
    }
    let envelope: Envelope = serde_json::from_slice(json)?;
    envelope.message.work(Abstracts::Leave)
}

/// Reads the response of a search: each record as a work or an error.
pub fn from_list(json: &[u8]) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    #[derive(Deserialize)]
    struct Envelope {
        message: List,
    }
    #[derive(Deserialize)]
    struct List {
        #[serde(deserialize_with = "lenient::list")]
        items: Vec<CrossrefRecord>,
    }
    let envelope: Envelope = serde_json::from_slice(json)?;
    let records = envelope.message.items.into_iter();
    Ok(records
        .map(|record| record.work(Abstracts::Leave))
        .collect())
}

/// Reads the response of `/journals/{issn}`: the journal, with the requested ISSN.
pub fn journal_from_envelope(issn: &Issn, json: &[u8]) -> Result<Work, RecordError> {
    #[derive(Deserialize)]
    struct Envelope {
        message: Journal,
    }
    #[derive(Deserialize)]
    struct Journal {
        title: Option<String>,
        publisher: Option<String>,
        #[serde(rename = "ISSN", default)]
        issns: Vec<String>,
    }
    let Envelope { message } = serde_json::from_slice(json)?;
    let mut item = Item::new("", ItemType::Periodical);
    for (variable, text) in [
        (TextVar::Title, message.title),
        (TextVar::Publisher, message.publisher),
    ] {
        item.set_text(variable, clean::plain(&text.unwrap_or_default()));
    }
    let known = message
        .issns
        .iter()
        .filter_map(|text| Issn::parse(text).ok());
    let mut issns: Vec<String> = known.map(|issn| issn.to_string()).collect();
    if issns.is_empty() {
        issns.push(issn.to_string());
    }
    item.set_text(TextVar::Issn, issns.join(" "));
    let provenance = Provenance {
        source: Source::Crossref,
        record_id: format!("issn:{issn}"),
        url: None,
        license: None,
        fetched_at: 0,
    };
    Ok(Work::new(item, provenance))
}

/// Maximum number of notices per work; each is compared with the earlier ones.
const MAX_UPDATES: usize = 500;

impl CrossrefRecord {
    /// Reads a record without its envelope.
    pub fn from_slice(json: &[u8]) -> Result<CrossrefRecord, RecordError> {
        // The list of references is most of a record.
        let json = json_scan::without_array(json, "reference");
        Ok(match std::str::from_utf8(&json) {
            // One check of the whole saves checking each text.
            Ok(text) => serde_json::from_str(text)?,
            Err(_) => serde_json::from_slice(&json)?,
        })
    }

    /// Whether a content negotiation response is from Crossref and not from another agency.
    pub(super) fn is_from_crossref(&self) -> bool {
        let named = |source: &str| source.eq_ignore_ascii_case("crossref");
        self.member.is_some() || self.source.as_deref().is_some_and(named)
    }

    /// Maps the record. Fails without a DOI or without any possible title.
    pub fn work(self, abstracts: Abstracts) -> Result<Work, RecordError> {
        let given = self.doi.as_deref().ok_or(RecordError::Missing("DOI"))?;
        let doi = Doi::parse(given).map_err(|_| RecordError::malformed("DOI", given))?;
        let kind = self.item_type();
        let mut item = Item::new(doi.as_str(), kind);
        item.set_text(TextVar::Doi, doi.as_str());
        self.set_titles(&mut item)?;
        self.set_names(&mut item);
        self.set_containers(&mut item);
        self.set_numbers(&mut item);
        self.set_dates(&mut item);
        self.set_publisher(&mut item);
        self.set_event(&mut item);
        self.set_identifiers(&mut item, &doi);
        self.set_description(&mut item, abstracts);
        let provenance = Provenance {
            source: Source::Crossref,
            record_id: doi.as_str().to_owned(),
            url: Some(doi.url()),
            license: None,
            fetched_at: self.indexed_at(),
        };
        let mut work = Work::new(item, provenance);
        work.updates = self.updates(&doi);
        Ok(work)
    }

    fn item_type(&self) -> ItemType {
        let is_part = !self.isbn.is_empty() && !self.container_title.is_empty();
        let is_preprint = self.subtype.as_deref().is_none_or(|s| s == "preprint");
        match self.kind.as_deref().unwrap_or_default() {
            "posted-content" if !is_preprint => ItemType::BlogPost,
            "other" if is_part => ItemType::Chapter,
            "" if !self.issn.is_empty() => ItemType::Article,
            // doi.org has had the type names of CSL.
            kind => item_type_of_crossref(kind)
                .or_else(|| ItemType::from_csl(kind))
                .unwrap_or_default(),
        }
    }

    fn set_titles(&self, item: &mut Item) -> Result<(), RecordError> {
        let first = |titles: &'_ [String]| titles.first().cloned();
        let title = first(&self.title)
            .or_else(|| first(&self.original_title))
            .or_else(|| first(&self.short_title));
        // An issue has only the title of its journal.
        let is_periodical = item.kind == ItemType::Periodical;
        let container = || first(&self.container_title).filter(|_| is_periodical);
        let title = title
            .or_else(container)
            .ok_or(RecordError::Missing("title"))?;
        fields::title(item, &title, self.subtitle.first().map(String::as_str));
        if item.text(TextVar::Title).is_none() {
            return Err(RecordError::Missing("title"));
        }
        set_unless_title(item, TextVar::TitleShort, self.short_title.first());
        set_unless_title(item, TextVar::OriginalTitle, self.original_title.first());
        let further = self.title.iter().skip(1).map(String::as_str);
        fields::further_titles(item, further);
        Ok(())
    }

    fn set_names(&self, item: &mut Item) {
        let lists = [
            (NameVar::Author, &self.author),
            (NameVar::Editor, &self.editor),
            (NameVar::Translator, &self.translator),
            (NameVar::Chair, &self.chair),
        ];
        for (variable, contributors) in lists {
            let names = contributors.iter().map(Contributor::name).collect();
            item.set_names(variable, names);
        }
    }

    /// A work is dated by the cited form: the printed one, except for an article without volume, issue or
    /// page, which is not yet in print. For that, Crossref's `issued` is used, the earlier of both dates.
    /// The other date is kept: the online date as `available-date`, the date of a future issue in `custom`.
    fn set_dates(&self, item: &mut Item) {
        let approved_first = item.kind == ItemType::Thesis;
        let placed = [NumberVar::Volume, NumberVar::Issue, NumberVar::Page];
        let is_placed = placed
            .into_iter()
            .any(|number| item.number(number).is_some());
        let in_print = is_placed || !item.kind.is_in_periodical();
        let print = self.published_print.as_ref();
        let dates = [
            self.approved.as_ref().filter(|_| approved_first),
            print.filter(|_| in_print),
            self.issued.as_ref(),
            self.published_online.as_ref(),
            self.published.as_ref(),
            self.posted.as_ref(),
            self.published_other.as_ref(),
            self.journal_issue
                .as_ref()
                .and_then(|issue| issue.published_print.as_ref()),
            self.approved.as_ref(),
            self.content_created.as_ref(),
            // The deposit date: late for old works, but the only date left.
            self.created.as_ref(),
        ];
        fields::date(item, DateVar::Issued, dates.into_iter().flatten().next());
        let other = |date: &Option<Date>| {
            let issued = item.date(DateVar::Issued);
            date.clone()
                .filter(|date| issued.is_some_and(|issued| issued != date))
        };
        let (online, print) = (other(&self.published_online), other(&self.published_print));
        fields::date(item, DateVar::AvailableDate, online.as_ref());
        if let Some(print) = print {
            item.custom
                .insert("published-print".into(), print.edtf().into());
        }
    }

    fn set_containers(&self, item: &mut Item) {
        let containers = Containers::of(item.kind, &self.container_title);
        fields::rich(item, TextVar::ContainerTitle, containers.title);
        fields::rich(item, TextVar::CollectionTitle, containers.series);
        if item.kind == ItemType::BlogPost {
            let blog = self.group_title.as_deref().or(self.institution_name());
            fields::plain(item, TextVar::ContainerTitle, blog);
        }
        let short = self.short_container_title.first();
        let short = short
            .or(self.container_title_short.first())
            .map(String::as_str);
        let short = short.or(containers.short).map(clean::rich);
        // With two containers, the short title may belong to either.
        let is_single = containers.series.is_none() || containers.title.is_none();
        if let Some(short) = short.filter(|_| is_single)
            && item
                .text(TextVar::ContainerTitle)
                .is_some_and(|title| title != short)
        {
            item.set_text(TextVar::ContainerTitleShort, short);
        }
    }

    fn set_numbers(&self, item: &mut Item) {
        let issue = self
            .journal_issue
            .as_ref()
            .and_then(|issue| issue.issue.as_deref());
        let issue = self.issue.as_deref().or(issue);
        fields::volume_or_issue(item, NumberVar::Volume, self.volume.as_deref());
        fields::volume_or_issue(item, NumberVar::Issue, issue);
        fields::pages(item, self.page.as_deref());
        let number = [&self.article_number, &self.report_number, &self.number];
        let number = number.into_iter().find_map(|number| number.as_deref());
        fields::number(item, NumberVar::Number, number);
        if item.number(NumberVar::Page).is_none() {
            fields::pages(item, self.article_number.as_deref());
        }
        // 0 stands for no edition.
        let edition = self.edition_number.as_deref().map(statement::edition);
        let edition = edition.filter(|edition| edition != "0");
        fields::number(item, NumberVar::Edition, edition.as_deref());
    }

    fn institution_name(&self) -> Option<&str> {
        self.institution.first()?.name.as_deref()
    }

    fn set_publisher(&self, item: &mut Item) {
        let institution = self.institution_name();
        let publisher = match item.kind {
            ItemType::Report | ItemType::Thesis => institution,
            // Preprints are known by their server.
            ItemType::Preprint => institution.or(self.server()),
            ItemType::Standard => self.standards_body.as_ref().and_then(|b| b.name.as_deref()),
            _ => None,
        };
        fields::imprint(
            item,
            TextVar::Publisher,
            publisher.or(self.publisher.as_deref()),
        );
        let place = match item.kind {
            ItemType::Report | ItemType::Thesis => self.institution.first(),
            _ => None,
        };
        let place = place.and_then(|institution| institution.place.as_deref());
        let place = self.publisher_location.as_deref().or(place);
        fields::imprint(item, TextVar::PublisherPlace, place);
    }

    /// The group title of a preprint, if it names a server and not a subject.
    fn server(&self) -> Option<&str> {
        let title = self.group_title.as_deref()?;
        let last = title.split_whitespace().next_back()?.to_lowercase();
        const ENDS: [&str; 11] = words(
            "logy graphy omics istry physics science sciences medicine engineering mathematics \
             health",
        );
        (!ENDS.iter().any(|end| last.ends_with(end))).then_some(title)
    }

    fn set_event(&self, item: &mut Item) {
        let Some(event) = self.event.as_ref() else {
            return;
        };
        fields::plain(item, TextVar::EventTitle, event.name.as_deref());
        fields::plain(item, TextVar::EventPlace, event.location.as_deref());
        let Some(start) = event.start.as_ref().and_then(|date| date.start) else {
            return;
        };
        let end = event.end.as_ref().and_then(|date| date.start);
        let date = Date {
            start: Some(start),
            end: end.filter(|end| *end != start).map(DateEnd::At),
            ..Date::default()
        };
        item.set_date(DateVar::EventDate, date);
    }

    fn set_identifiers(&self, item: &mut Item, doi: &Doi) {
        let is_print = |number: &&TypedNumber| number.kind.as_deref() == Some("print");
        let print = self.isbn_type.iter().filter(is_print);
        let print = print.filter_map(|number| number.value.as_deref());
        let all = self.isbn.iter().map(String::as_str);
        fields::isbns(item, print.chain(all));
        fields::issns(item, self.issn.iter().map(String::as_str));
        let primary = self
            .resource
            .as_ref()
            .and_then(|resource| resource.primary.as_ref());
        let url = primary.and_then(|address| address.url.as_deref());
        let url = url.and_then(fields::web_address);
        item.set_text(TextVar::Url, url.unwrap_or_else(|| doi.url()));
    }

    fn set_description(&self, item: &mut Item, abstracts: Abstracts) {
        let language = self.language.as_deref().and_then(language::tag);
        fields::plain(item, TextVar::Language, language.as_deref());
        let licenses = self
            .license
            .iter()
            .filter_map(|license| license.url.as_deref());
        let license = licenses.filter_map(fields::web_address).next();
        fields::plain(item, TextVar::License, license.as_deref());
        fields::keywords(item, self.subject.iter().map(String::as_str));
        let genre = match item.kind {
            ItemType::Preprint => Some("preprint"),
            ItemType::Thesis => self.degree.first().map(String::as_str),
            _ => None,
        };
        fields::plain(item, TextVar::Genre, genre);
        let reviewed = self.relation.iter().flat_map(|r| r.is_review_of.iter());
        if let Some(doi) = reviewed.filter_map(Related::doi).next() {
            item.set_text(TextVar::Note, format!("Review of {}", doi.url()));
        }
        if abstracts == Abstracts::Keep {
            fields::rich(item, TextVar::Abstract, self.summary.as_deref());
        }
    }

    /// Unix seconds.
    fn indexed_at(&self) -> i64 {
        let Some(moment) = self.indexed.as_ref() else {
            return 0;
        };
        match (moment.timestamp, moment.date_time.as_deref()) {
            (Some(milliseconds), _) => milliseconds / 1000,
            (None, Some(text)) => super::unix_seconds(text),
            (None, None) => 0,
        }
    }

    /// All distinct notices in both directions.
    fn updates(&self, own: &Doi) -> Vec<Update> {
        use UpdateRelation::{UpdateTo, UpdatedBy};
        let by = self
            .updated_by
            .iter()
            .map(|notice| notice.update(UpdatedBy));
        let to = self.update_to.iter().map(|notice| notice.update(UpdateTo));
        let none = Relations::default();
        let relations = self.relation.as_ref().unwrap_or(&none);
        let related = relations.updates();
        let mut updates: Vec<Update> = Vec::new();
        for update in by.chain(to).flatten().chain(related).take(MAX_UPDATES) {
            let is_known = updates.iter().any(|known| {
                let same = (known.kind, known.relation) == (update.kind, update.relation);
                same && known.doi == update.doi
            });
            // A notice that updates itself, as some publishers register it, concerns no other work; a
            // retraction in place does.
            let is_idle = update.doi == *own && update.relation == UpdateTo;
            if !is_known && !is_idle {
                updates.push(update);
            }
        }
        updates
    }
}

impl Contributor {
    fn name(&self) -> Name {
        let whole = self.name.as_deref().or(self.literal.as_deref());
        let family = self.family.as_deref();
        let mut name = match (family.or(self.given.as_deref()), whole) {
            (None, Some(whole)) => names::literal(whole),
            _ => names::from_parts(family, self.given.as_deref(), self.suffix.as_deref()),
        };
        name.orcid = self.orcid.as_deref().and_then(names::orcid);
        name
    }
}

impl UpdateNotice {
    fn update(&self, relation: UpdateRelation) -> Option<Update> {
        let doi = Doi::parse(self.doi.as_deref()?).ok()?;
        Some(Update {
            kind: UpdateKind::parse(self.kind.as_deref().unwrap_or_default()),
            relation,
            doi,
            date: self.updated.0.clone(),
            source: self.source.as_deref().unwrap_or("publisher").into(),
            reasons: Vec::new(),
        })
    }
}

impl Relations {
    fn updates(&self) -> Vec<Update> {
        use UpdateRelation::{UpdateTo, UpdatedBy};
        let groups = [
            (&self.retraction, UpdateKind::Retraction, UpdatedBy),
            (&self.withdrawal, UpdateKind::Withdrawal, UpdatedBy),
            (
                &self.expression_of_concern,
                UpdateKind::ExpressionOfConcern,
                UpdatedBy,
            ),
            (&self.correction, UpdateKind::Correction, UpdatedBy),
            (&self.corrigendum, UpdateKind::Correction, UpdatedBy),
            (&self.erratum, UpdateKind::Correction, UpdatedBy),
            (&self.is_replaced_by, UpdateKind::NewVersion, UpdatedBy),
            (&self.replaces, UpdateKind::NewVersion, UpdateTo),
        ];
        let mut updates = Vec::new();
        for (related, kind, relation) in groups {
            for doi in related.iter().filter_map(Related::doi) {
                updates.push(Update {
                    kind,
                    relation,
                    doi,
                    date: None,
                    source: "publisher".into(),
                    reasons: Vec::new(),
                });
            }
        }
        updates
    }
}

impl Related {
    fn doi(&self) -> Option<Doi> {
        let is_doi = self
            .id_type
            .as_deref()
            .is_none_or(|kind| kind.eq_ignore_ascii_case("doi"));
        Doi::parse(self.id.as_deref()?).ok().filter(|_| is_doi)
    }
}

/// Sets a further title if it differs from the title.
fn set_unless_title(item: &mut Item, variable: TextVar, value: Option<&String>) {
    let value = clean::rich(value.map_or("", String::as_str));
    if item.text(TextVar::Title) != Some(value.as_str()) {
        item.set_text(variable, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::date::Date;

    fn map(json: &str) -> Work {
        from_slice(json.as_bytes()).unwrap()
    }

    fn date(json: &str) -> String {
        let json = format!(r#"{{"DOI":"10.5555/1","title":["t"],{json}}}"#);
        let work = map(&json);
        work.item
            .date(DateVar::Issued)
            .map(Date::edtf)
            .unwrap_or_default()
    }

    #[test]
    fn a_journal_article() {
        let work = map(
            r#"{"DOI":"10.5555/ABC","type":"journal-article","title":["On\n  <jats:italic>x</jats:italic>"],
                "subtitle":["A Study"],"author":[{"given":"Ludwig","family":"van der Berg","suffix":"Jr.",
                "ORCID":"http://orcid.org/0000-0002-1825-0097"},{"name":"The Group"},{"name":"et al."}],
                "container-title":["Journal of Tests"],"short-container-title":["J Tests"],
                "volume":"12","issue":"3","article-number":"e77","publisher":"R &amp; D Press",
                "ISSN":["2049-3630"],"language":"en","published-print":{"date-parts":[[2012,3]]},
                "issued":{"date-parts":[[2011,12,5]]},"indexed":{"timestamp":{"$numberLong":"1508769329541"}},
                "abstract":"<jats:p>Long.</jats:p>"}"#,
        );
        let item = &work.item;
        assert_eq!(item.kind, ItemType::Article);
        assert_eq!(item.text(TextVar::Title), Some("On <i>x</i>: A Study"));
        assert_eq!(item.text(TextVar::Doi), Some("10.5555/abc"));
        let names = item.names(NameVar::Author);
        assert_eq!(names.len(), 2);
        assert_eq!(names[0].family.as_deref(), Some("van der Berg"));
        assert_eq!(names[0].suffix.as_deref(), Some("Jr."));
        assert_eq!(names[0].orcid.as_deref(), Some("0000-0002-1825-0097"));
        assert_eq!(names[1].literal.as_deref(), Some("The Group"));
        assert_eq!(item.text(TextVar::ContainerTitleShort), Some("J Tests"));
        assert_eq!(item.number(NumberVar::Page), Some("e77"));
        assert_eq!(item.number(NumberVar::Number), Some("e77"));
        assert_eq!(item.text(TextVar::Publisher), Some("R & D Press"));
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("2012-03")
        );
        assert_eq!(item.text(TextVar::Abstract), None);
        assert_eq!(work.provenance.fetched_at, 1_508_769_329);
    }

    #[test]
    fn the_best_date_is_taken() {
        assert_eq!(
            date(r#""issued":{"date-parts":[[null]]},"posted":{"date-parts":[[2020,1,2]]}"#),
            "2020-01-02"
        );
        assert_eq!(date(r#""issued":{"date-parts":[[1999]]}"#), "1999");
        assert_eq!(
            date(
                r#""type":"dissertation","approved":{"date-parts":[[2013,5]]},"issued":{"date-parts":[[2014]]}"#
            ),
            "2013-05"
        );
    }

    #[test]
    fn an_article_is_dated_by_the_form_that_is_cited() {
        let check = |place: &str, issued: &str, online: Option<&str>, print: Option<&str>| {
            let work = map(&format!(
                r#"{{"DOI":"10.5555/1","title":["t"],{place},"issued":{{"date-parts":[[2019,11,19]]}},
                    "published-online":{{"date-parts":[[2019,11,19]]}},"published-print":{{"date-parts":[[2020,1]]}}}}"#
            ));
            let date = |variable| work.item.date(variable).map(Date::edtf);
            let in_print = work
                .item
                .custom
                .get("published-print")
                .and_then(|date| date.as_str());
            assert_eq!(date(DateVar::Issued).as_deref(), Some(issued), "{place}");
            assert_eq!(date(DateVar::AvailableDate).as_deref(), online, "{place}");
            assert_eq!(in_print, print, "{place}");
        };
        let online = Some("2019-11-19");
        let article = r#""type":"journal-article""#;
        check(
            &format!(r#"{article},"volume":"33","page":"e1""#),
            "2020-01",
            online,
            None,
        );
        check(
            &format!(r#"{article},"volume":"33""#),
            "2020-01",
            online,
            None,
        );
        check(article, "2019-11-19", None, Some("2020-01"));
        check(
            &format!(r#"{article},"volume":"ahead-of-print""#),
            "2019-11-19",
            None,
            Some("2020-01"),
        );
        check(r#""type":"monograph""#, "2020-01", online, None);
    }

    #[test]
    fn titles_in_two_languages_are_kept() {
        let check = |titles: &str, original: Option<&str>, translated: Option<&str>| {
            let work = map(&format!(r#"{{"DOI":"10.5555/1","title":{titles}}}"#));
            let custom = work.item.custom.get("translated-title");
            assert_eq!(work.item.text(TextVar::OriginalTitle), original, "{titles}");
            assert_eq!(
                custom.and_then(|title| title.as_str()),
                translated,
                "{titles}"
            );
        };
        check(
            r#"["A Study of Weirs", "보에 관한 연구"]"#,
            Some("보에 관한 연구"),
            None,
        );
        check(
            r#"["堰の研究", "A Study of Weirs"]"#,
            None,
            Some("A Study of Weirs"),
        );
        check(r#"["Wehre", "Weirs"]"#, None, Some("Weirs"));
        check(r#"["Weirs", "WEIRS "]"#, None, None);
    }

    #[test]
    fn notices_in_both_directions() {
        let work = map(r#"{"DOI":"10.5555/1","title":["t"],
                "updated-by":[{"DOI":"10.5555/N","type":"retraction","source":"retraction-watch",
                               "updated":{"date-parts":[[2020,2,3]]}},
                              {"DOI":"10.5555/n","type":"retraction","source":"publisher"}],
                "update-to":[{"DOI":"10.5555/old","type":"erratum"},{"DOI":"10.5555/1","type":"correction"}],
                "relation":{"correction":[{"id-type":"doi","id":"10.5555/c"}],"cites":[]}}"#);
        let shown: Vec<String> = work
            .updates
            .iter()
            .map(|u| {
                format!(
                    "{} {} {} {}",
                    u.relation.as_str(),
                    u.kind.as_str(),
                    u.doi,
                    u.source
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "updated_by retraction 10.5555/n retraction-watch",
                "update_to correction 10.5555/old publisher",
                "updated_by correction 10.5555/c publisher",
            ]
        );
        assert_eq!(
            work.updates[0].date.as_ref().map(Date::edtf).as_deref(),
            Some("2020-02-03")
        );
    }

    #[test]
    fn peer_review_names_the_reviewed_work() {
        let work = map(
            r#"{"DOI":"10.5555/1","type":"peer-review","title":["Review for \"On x\""],
                "relation":{"is-review-of":[{"id-type":"doi","id":"10.5555/X","asserted-by":"subject"}]}}"#,
        );
        assert_eq!(work.item.kind, ItemType::Review);
        assert_eq!(
            work.item.text(TextVar::Note),
            Some("Review of https://doi.org/10.5555/x")
        );
        assert!(work.updates.is_empty());
    }

    #[test]
    fn records_without_doi_or_title_are_refused() {
        let refusal = |json: &str| from_slice(json.as_bytes()).unwrap_err().to_string();
        assert_eq!(refusal(r#"{"title":["x"]}"#), "the record has no DOI");
        assert_eq!(
            refusal(r#"{"DOI":"10.5555/1","title":[" "]}"#),
            "the record has no title"
        );
        assert_eq!(
            refusal(r#"{"DOI":"10.5555/1","title":["<b></b>"]}"#),
            "the record has no title"
        );
        assert!(refusal(r#"{"DOI":"#).starts_with("the record cannot be read"));
        assert!(refusal(r#"{"DOI":"nonsense","title":["x"]}"#).contains("malformed"));
    }

    #[test]
    fn odd_shapes_are_read() {
        let work = map(
            r#"{"DOI":"10.5555/1","member":"http://id.crossref.org/member/339","title":"One text",
                "author":{"family":"Solo"},"volume":12,"reference-count":null,"ISBN":null,
                "container-title":null,"license":[null],"event":"nothing"}"#,
        );
        assert_eq!(work.item.text(TextVar::Title), Some("One text"));
        assert_eq!(work.item.names(NameVar::Author).len(), 1);
        assert_eq!(work.item.number(NumberVar::Volume), Some("12"));
        let edition = |number: &str| {
            let json =
                format!(r#"{{"DOI":"10.5555/1","title":["t"],"edition-number":"{number}"}}"#);
            map(&json)
                .item
                .number(NumberVar::Edition)
                .map(str::to_owned)
        };
        assert_eq!(edition("0"), None);
        assert_eq!(edition("2nd ed.").as_deref(), Some("2"));
    }
}
