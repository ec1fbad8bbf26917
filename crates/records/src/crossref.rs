//! Crossref works: the `message` of `/works/{doi}`, an element of a list, a line or array element of the
//! public data files. The fields are those of the import of such records.

use serde::Deserialize;

use citation_exchange::CrossrefRecord;
use citation_model::identifier::{Doi, Issn};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;
use citation_model::work::{Provenance, Source, Work};

use super::{Abstracts, RecordError, clean, json_scan, lenient};

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
    work(&record(json)?)
}

/// Reads the response of `/works/{doi}`: the record in its envelope.
pub fn from_envelope(json: &[u8]) -> Result<Work, RecordError> {
    #[derive(Deserialize)]
    struct Envelope {
        message: CrossrefRecord,
    }
    let envelope: Envelope = serde_json::from_slice(json)?;
    work(&envelope.message)
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
    Ok(records.map(|record| work(&record)).collect())
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

/// Reads a record without its envelope.
pub fn record(json: &[u8]) -> Result<CrossrefRecord, RecordError> {
    // The list of references is most of a record.
    let json = json_scan::without_array(json, "reference");
    Ok(match std::str::from_utf8(&json) {
        // One check of the whole saves checking each text.
        Ok(text) => serde_json::from_str(text)?,
        Err(_) => serde_json::from_slice(&json)?,
    })
}

/// Adds the provenance. Fails without a DOI or without any possible title.
fn work(record: &CrossrefRecord) -> Result<Work, RecordError> {
    let given = record.doi().ok_or(RecordError::Missing("DOI"))?;
    let doi = Doi::parse(given).map_err(|_| RecordError::malformed("DOI", given))?;
    let item = record.item(&doi, Abstracts::Leave);
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    let fetched_at = match record.indexed() {
        (Some(milliseconds), _) => milliseconds / 1000,
        (None, Some(text)) => super::unix_seconds(text),
        (None, None) => 0,
    };
    let provenance = Provenance {
        source: Source::Crossref,
        record_id: doi.as_str().to_owned(),
        url: Some(doi.url()),
        license: None,
        fetched_at,
    };
    Ok(Work {
        updates: record.updates(&doi),
        open_copy: record.open_copy(&doi),
        ..Work::new(item, provenance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::date::Date;
    use citation_model::variable::{DateVar, NameVar, NumberVar};

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
