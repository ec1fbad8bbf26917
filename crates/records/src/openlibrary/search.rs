//! Results of `/search.json`.

use serde::Deserialize;

use crate::lenient::{self, List, Object, Text, Texts};
use crate::{RecordError, fields, language, names, statement};
use citation_model::date::DateParts;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, TextVar};
use citation_model::work::Work;

use super::{bare_key, provenance};

/// Reads the response of `/search.json`. Each result is a work with editions. If it includes the matching
/// edition, that edition is mapped; otherwise the work, with the year of its first edition, and with ISBN
/// and publisher only if there is a single edition.
pub fn from_search(json: &[u8]) -> Result<Vec<Work>, RecordError> {
    #[derive(Deserialize)]
    struct Answer {
        docs: Vec<Hit>,
    }
    let answer: Answer = serde_json::from_slice(json)?;
    // A result without key or title cannot be cited; the others are independent of it.
    Ok(answer
        .docs
        .iter()
        .filter_map(|hit| hit.work().ok())
        .collect())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Hit {
    key: Text,
    title: Text,
    subtitle: Text,
    author_name: Texts,
    #[serde(deserialize_with = "lenient::number")]
    first_publish_year: Option<i64>,
    #[serde(deserialize_with = "lenient::number")]
    edition_count: Option<i64>,
    isbn: Texts,
    publisher: Texts,
    language: Texts,
    editions: Object<HitEditions>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HitEditions {
    docs: List<HitEdition>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HitEdition {
    key: Text,
    title: Text,
    subtitle: Text,
    isbn: Texts,
    publisher: Texts,
    publish_date: Text,
    language: Texts,
}

impl Hit {
    fn work(&self) -> Result<Work, RecordError> {
        let edition = self
            .editions
            .as_ref()
            .and_then(|editions| editions.docs.first());
        let edition = edition.filter(|edition| edition.key.is_some());
        let key = edition
            .and_then(|edition| edition.key.as_deref())
            .or(self.key.as_deref());
        let key = bare_key(key.ok_or(RecordError::Missing("key"))?);
        let mut item = Item::new(key, ItemType::Book);
        let own_title = edition.and_then(|e| Some((e.title.as_deref()?, e.subtitle.as_deref())));
        let of_work = self
            .title
            .as_deref()
            .map(|title| (title, self.subtitle.as_deref()));
        let (title, subtitle) = own_title.or(of_work).ok_or(RecordError::Missing("title"))?;
        fields::title(&mut item, title, subtitle);
        let authors = self.author_name.iter().map(|name| names::from_text(name));
        item.set_names(NameVar::Author, authors.collect());
        match edition {
            Some(edition) => edition.set(&mut item),
            None => self.set(&mut item),
        }
        let provenance = provenance(key, None);
        item.set_text(TextVar::Url, provenance.url.clone().unwrap_or_default());
        Ok(Work::new(item, provenance))
    }

    fn set(&self, item: &mut Item) {
        let year = self
            .first_publish_year
            .and_then(|year| i32::try_from(year).ok());
        fields::date(
            item,
            DateVar::Issued,
            year.map(|y| DateParts::year(y).into()).as_ref(),
        );
        if self.edition_count == Some(1) {
            fields::isbns(item, self.isbn.iter().map(String::as_str));
            fields::plain(
                item,
                TextVar::Publisher,
                self.publisher.first().map(String::as_str),
            );
            set_language(item, &self.language);
        }
    }
}

impl HitEdition {
    fn set(&self, item: &mut Item) {
        let date = self.publish_date.as_deref().and_then(statement::date);
        fields::date(item, DateVar::Issued, date.as_ref());
        fields::isbns(item, self.isbn.iter().map(String::as_str));
        fields::plain(
            item,
            TextVar::Publisher,
            self.publisher.first().map(String::as_str),
        );
        set_language(item, &self.language);
    }
}

fn set_language(item: &mut Item, codes: &[String]) {
    let tag = codes.first().and_then(|code| language::tag(code));
    fields::plain(item, TextVar::Language, tag.as_deref());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_without_a_title_are_left_out() {
        let hits = from_search(
            br#"{"docs":[{"key":"/works/OL1W","title":"Sabriel","author_name":["Garth Nix"],
                 "first_publish_year":1995,"edition_count":20,"isbn":["9780064471831"]},{}]}"#,
        )
        .unwrap();
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].item.year(), Some(1995));
        assert_eq!(hits[0].item.text(TextVar::Isbn), None);
    }
}
