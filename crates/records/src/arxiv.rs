//! arXiv: the Atom feed of its API, and the lines of its metadata snapshot.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde::Deserialize;

use citation_model::date::Date;
use citation_model::identifier::ArxivId;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

use super::lenient::{List, Text};
use super::{Abstracts, RecordError, clean, fields, names};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<feed>",
    "<entry>",
    "</entry>",
    "<id>http://arxiv.org/abs/2001.00001</id>",
    "<title>",
    "</title>",
    "<author><name>",
    "<summary>",
    "<arxiv:doi>",
    "<published>2001",
];

/// Reads the entries of a feed, each as a work or an error.
pub fn from_feed(
    xml: &[u8],
    abstracts: Abstracts,
) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    let xml = std::str::from_utf8(xml).map_err(|error| RecordError::Syntax(error.to_string()))?;
    let syntax = |error: quick_xml::Error| RecordError::Syntax(error.to_string());
    let mut reader = Reader::from_str(xml);
    let mut works = Vec::new();
    let mut entry: Option<Entry> = None;
    loop {
        match reader.read_event().map_err(syntax)? {
            Event::Start(start) => match (start.name().into_inner(), &mut entry) {
                ("entry", _) => entry = Some(Entry::default()),
                ("feed" | "author", _) | (_, None) => {}
                (name, Some(entry)) => {
                    let text = reader.read_text(start.name()).map_err(syntax)?;
                    entry.set(name, &text.into_inner());
                }
            },
            Event::End(end) if end.name().into_inner() == "entry" => {
                works.extend(entry.take().map(|entry| entry.work(abstracts)));
            }
            Event::Eof if entry.is_some() => {
                return Err(RecordError::Syntax("the feed is cut off".into()));
            }
            Event::Eof => return Ok(works),
            _ => {}
        }
    }
}

/// Reads a line of the snapshot (`arxiv-metadata-oai-snapshot.json`) and maps it.
pub fn from_snapshot(json: &[u8], abstracts: Abstracts) -> Result<Work, RecordError> {
    let record: SnapshotRecord = serde_json::from_slice(json)?;
    record.eprint()?.work(abstracts)
}

/// A line of the snapshot.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SnapshotRecord {
    id: Text,
    title: Text,
    comments: Text,
    #[serde(rename = "abstract")]
    summary: Text,
    authors: Text,
    /// Family name, given name, suffix, affiliations; absent parts are empty.
    authors_parsed: Option<Vec<Vec<Option<String>>>>,
    versions: List<Version>,
    update_date: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Version {
    /// `Mon, 2 Apr 2007 19:18:42 GMT`
    created: Text,
}

impl SnapshotRecord {
    fn eprint(self) -> Result<Eprint, RecordError> {
        let id = self.id.as_deref().ok_or(RecordError::Missing("id"))?;
        let owned = |text: &Text| text.as_deref().unwrap_or_default().to_owned();
        let parsed = self.authors_parsed.iter().flatten().map(|parts| {
            let part = |at: usize| {
                let text = parts.get(at)?.as_deref();
                text.filter(|text| !text.trim().is_empty())
            };
            names::from_parts(part(0), part(1), part(2))
        });
        let mut authors: Vec<Name> = parsed.collect();
        if authors.is_empty() {
            let text = self.authors.as_deref().unwrap_or_default();
            authors
                .extend(Some(names::from_text(&clean::plain(text))).filter(|_| !text.is_empty()));
        }
        let first = self.versions.0.first();
        let created = first.and_then(|version| version.created.as_deref());
        let day = created.and_then(|text| jiff::fmt::rfc2822::parse(text).ok());
        Ok(Eprint {
            id: id.to_owned(),
            title: owned(&self.title),
            authors,
            published: day.and_then(|day| Date::parse_iso(&day.date().to_string())),
            summary: owned(&self.summary),
            comments: owned(&self.comments),
            changed_at: self.update_date.as_deref().map_or(0, super::unix_seconds),
        })
    }
}

/// What every format of arXiv says about a preprint.
#[derive(Debug, Default)]
pub(super) struct Eprint {
    pub id: String,
    pub title: String,
    pub authors: Vec<Name>,
    /// The day of the first version.
    pub published: Option<Date>,
    pub summary: String,
    /// The authors’ remarks, which say if they have withdrawn the preprint.
    pub comments: String,
    /// Unix seconds, or 0.
    pub changed_at: i64,
}

impl Eprint {
    pub fn work(self, abstracts: Abstracts) -> Result<Work, RecordError> {
        let id = ArxivId::parse(&self.id).map_err(|_| RecordError::malformed("id", &self.id))?;
        // The record's `doi` identifies the journal article, which is another work.
        let doi = id.doi();
        let mut item = Item::new(id.as_str(), ItemType::Preprint);
        fields::title(&mut item, &self.title, None);
        if item.text(TextVar::Title).is_none() {
            return Err(RecordError::Missing("title"));
        }
        item.set_names(NameVar::Author, self.authors);
        fields::date(&mut item, DateVar::Issued, self.published.as_ref());
        item.set_text(TextVar::Doi, doi.as_str());
        item.set_text(TextVar::ArxivId, id.as_str());
        item.set_text(TextVar::Publisher, "arXiv");
        item.set_text(TextVar::Genre, "preprint");
        let url = format!("https://arxiv.org/abs/{id}");
        item.set_text(TextVar::Url, url.as_str());
        if abstracts == Abstracts::Keep {
            fields::rich(&mut item, TextVar::Abstract, Some(&self.summary));
        }
        let provenance = Provenance {
            source: Source::Arxiv,
            record_id: id.as_str().to_owned(),
            url: Some(url),
            license: Some("CC0-1.0".into()),
            fetched_at: self.changed_at,
        };
        let mut work = Work::new(item, provenance);
        if is_withdrawal(&self.comments) {
            work.updates.push(Update {
                kind: UpdateKind::Withdrawal,
                relation: UpdateRelation::UpdatedBy,
                doi,
                date: None,
                source: Source::Arxiv.as_str().to_owned(),
                reasons: vec![clean::plain(&self.comments)],
            });
        }
        Ok(work)
    }
}

/// Whether the remarks say that the whole preprint is withdrawn. arXiv puts its own sentence or the
/// authors’ there, always in English.
fn is_withdrawal(comments: &str) -> bool {
    let comments = comments.to_lowercase();
    let starts = [
        "withdrawn",
        "this paper has been withdrawn",
        "this submission has been withdrawn",
    ];
    let starts = starts
        .iter()
        .any(|start| comments.trim_start().starts_with(start));
    let said = [
        "this paper is withdrawn",
        "paper withdrawn by",
        "this article has been withdrawn",
    ];
    starts || said.iter().any(|said| comments.contains(said))
}

#[derive(Default)]
struct Entry {
    id: String,
    title: String,
    authors: Vec<String>,
    published: String,
    updated: String,
    summary: String,
    comment: String,
}

impl Entry {
    fn set(&mut self, name: &str, text: &str) {
        let place = match name {
            "id" => &mut self.id,
            "title" => &mut self.title,
            "published" => &mut self.published,
            "updated" => &mut self.updated,
            "summary" => &mut self.summary,
            "arxiv:comment" => &mut self.comment,
            "name" => {
                self.authors.push(text.to_owned());
                return;
            }
            _ => return,
        };
        text.clone_into(place);
    }

    fn work(self, abstracts: Abstracts) -> Result<Work, RecordError> {
        let authors = { self.authors.iter() }.map(|name| names::from_text(&clean::plain(name)));
        let eprint = Eprint {
            authors: authors.collect(),
            id: self.id,
            title: self.title,
            published: Date::parse_iso(&self.published),
            summary: self.summary,
            comments: self.comment,
            changed_at: super::unix_seconds(self.updated.trim()),
        };
        eprint.work(abstracts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_of_the_snapshot() {
        let json = br#"{"id":"0704.0001","submitter":"Jo Doe","authors":"Jo Doe, A. Roe","title":"On the\n  marsh",
            "comments":"37 pages","journal-ref":"J. Frogs 3, 11","doi":"10.5555/journal","categories":"q-bio",
            "license":null,"abstract":" Long. ","versions":[{"version":"v1","created":"Mon, 2 Apr 2007 19:18:42 GMT"},
            {"version":"v2","created":"Tue, 24 Jul 2007 20:10:27 GMT"}],"update_date":"2008-11-26",
            "authors_parsed":[["Doe","Jo","",""],["Roe","A.","Jr."]]}"#;
        let work = from_snapshot(json, Abstracts::Leave).unwrap();
        let item = &work.item;
        assert_eq!(item.text(TextVar::Title), Some("On the marsh"));
        assert_eq!(item.text(TextVar::Doi), Some("10.48550/arxiv.0704.0001"));
        assert_eq!(item.names(NameVar::Author)[1].display(), "A. Roe Jr.");
        assert_eq!(item.date(DateVar::Issued).unwrap().edtf(), "2007-04-02");
        assert_eq!(work.provenance.fetched_at, 1_227_657_600);
        assert!(work.updates.is_empty());
    }

    #[test]
    fn withdrawn_preprint_has_a_notice() {
        let check = |comments: &str, expected: bool| {
            let json =
                format!("{{\"id\":\"0704.0001\",\"title\":\"T\",\"comments\":\"{comments}\"}}");
            let work = from_snapshot(json.as_bytes(), Abstracts::Leave).unwrap();
            assert_eq!(
                citation_model::work::standing_retraction(&work.updates).is_some(),
                expected,
                "{comments}"
            );
        };
        check(
            "This paper has been withdrawn by the author due to an error",
            true,
        );
        check("Withdrawn", true);
        check("12 pages; replaces the withdrawn version", false);
        check("", false);
    }

    #[test]
    fn an_entry_of_a_feed() {
        let feed = br#"<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>query</title>
            <entry><id>http://arxiv.org/abs/1706.03762v7</id><title>On
              x &amp; y</title><updated>2023-08-02T00:41:18Z</updated><published>2017-06-12T17:57:34Z</published>
              <summary>Long.</summary><author><name>Ann Doe</name></author><author><name>Bo Roe</name></author>
              <link href="x" rel="alternate"/></entry><entry><id>none</id></entry></feed>"#;
        let mut works = from_feed(feed, Abstracts::Leave).unwrap().into_iter();
        let item = works.next().unwrap().unwrap().item;
        assert_eq!(item.text(TextVar::Title), Some("On x & y"));
        assert_eq!(item.text(TextVar::Doi), Some("10.48550/arxiv.1706.03762"));
        assert_eq!(item.names(NameVar::Author).len(), 2);
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("2017-06-12")
        );
        assert!(works.next().unwrap().is_err());
        assert!(from_feed(b"<feed><entry>", Abstracts::Leave).is_err());
    }
}
