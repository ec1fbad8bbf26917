//! arXiv: the Atom feed of its API.

use quick_xml::Reader;
use quick_xml::events::Event;

use citation_model::date::Date;
use citation_model::identifier::ArxivId;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

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

#[derive(Default)]
struct Entry {
    id: String,
    title: String,
    authors: Vec<String>,
    published: String,
    updated: String,
    summary: String,
}

impl Entry {
    fn set(&mut self, name: &str, text: &str) {
        let place = match name {
            "id" => &mut self.id,
            "title" => &mut self.title,
            "published" => &mut self.published,
            "updated" => &mut self.updated,
            "summary" => &mut self.summary,
            "name" => {
                self.authors.push(text.to_owned());
                return;
            }
            _ => return,
        };
        text.clone_into(place);
    }

    fn work(self, abstracts: Abstracts) -> Result<Work, RecordError> {
        let id = ArxivId::parse(&self.id).map_err(|_| RecordError::malformed("id", &self.id))?;
        // `arxiv:doi` identifies the journal article, which is another work.
        let doi = id.doi();
        let mut item = Item::new(id.as_str(), ItemType::Preprint);
        fields::title(&mut item, &self.title, None);
        if item.text(TextVar::Title).is_none() {
            return Err(RecordError::Missing("title"));
        }
        let authors = self
            .authors
            .iter()
            .map(|name| names::from_text(&clean::plain(name)));
        item.set_names(NameVar::Author, authors.collect());
        fields::date(
            &mut item,
            DateVar::Issued,
            Date::parse_iso(&self.published).as_ref(),
        );
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
            fetched_at: super::unix_seconds(self.updated.trim()),
        };
        Ok(Work::new(item, provenance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
