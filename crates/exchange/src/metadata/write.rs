//! Writes CitationMetadata directly from an item or work, without an intermediate tree, because this runs
//! on every lookup.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::date::DateView;
use citation_fields::identifiers::{canonical_isbns, canonical_issns};
use citation_fields::keywords;
use citation_model::access::{OpenCopy, TextAccess};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Update, Work};

/// An item in the JSON form of the API. Serialises to the canonical object; absent members are omitted.
#[derive(Clone, Debug)]
pub struct CitationMetadata<'a> {
    item: &'a Item,
    provenance: Option<&'a Provenance>,
    updates: &'a [Update],
    with_abstract: bool,
    access: Option<TextAccess>,
}

impl<'a> CitationMetadata<'a> {
    /// An item alone, without abstract.
    pub fn of_item(item: &'a Item) -> CitationMetadata<'a> {
        CitationMetadata {
            item,
            provenance: None,
            updates: &[],
            with_abstract: false,
            access: None,
        }
    }

    /// A work: the item with its provenance and the notices about it.
    pub fn of_work(work: &'a Work) -> CitationMetadata<'a> {
        CitationMetadata {
            provenance: Some(&work.provenance),
            updates: &work.updates,
            ..CitationMetadata::of_item(&work.item)
        }
    }

    /// The ways to the text, if they are requested: then `open_access` is written even where there is none.
    pub fn with_access(mut self, access: Option<TextAccess>) -> CitationMetadata<'a> {
        self.access = access;
        self
    }

    /// Whether the abstract is written. Default false, because it is much longer than the rest.
    pub fn with_abstract(mut self, wanted: bool) -> CitationMetadata<'a> {
        self.with_abstract = wanted;
        self
    }
}

/// Written first, where readers look for them; the others follow in table order.
const FIRST_NUMBERS: [NumberVar; 3] = [NumberVar::Volume, NumberVar::Issue, NumberVar::Page];

impl Serialize for CitationMetadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let item = self.item;
        let mut map = serializer.serialize_map(None)?;
        if !item.id.is_empty() {
            map.serialize_entry("id", &item.id)?;
        }
        map.serialize_entry("entry_type", item.kind.json_name())?;
        map.serialize_entry("csl_type", item.kind.csl())?;
        text_if_there(&mut map, "title", item.text(TextVar::Title))?;
        if let Some(authors) = item.names.get(NameVar::Author) {
            map.serialize_entry("authors", &NamesView(authors))?;
        }
        if let Some(date) = item.date(DateVar::Issued) {
            map.serialize_entry("date", &DateView(date))?;
        }
        self.write_container(&mut map)?;
        for variable in FIRST_NUMBERS {
            text_if_there(&mut map, variable.json_name(), item.number(variable))?;
        }
        self.write_texts(&mut map)?;
        for (variable, value) in item.number.iter() {
            if !FIRST_NUMBERS.contains(&variable) {
                map.serialize_entry(variable.json_name(), value)?;
            }
        }
        for (variable, value) in item.names.iter() {
            if variable != NameVar::Author {
                map.serialize_entry(variable.json_name(), &NamesView(value))?;
            }
        }
        for (variable, value) in item.date.iter() {
            if variable != DateVar::Issued {
                map.serialize_entry(variable.json_name(), &DateView(value))?;
            }
        }
        if let Some(provenance) = self.provenance {
            map.serialize_entry("provenance", &ProvenanceView(provenance))?;
        }
        if !self.updates.is_empty() {
            map.serialize_entry("updates", &UpdatesView(self.updates))?;
        }
        if let Some(access) = &self.access {
            let copy = access.open_copy.as_ref().map(OpenCopyView);
            map.serialize_entry("open_access", &copy)?;
            text_if_there(&mut map, "library_url", access.library_url.as_deref())?;
        }
        if !item.custom.is_empty() {
            map.serialize_entry("extra", &item.custom)?;
        }
        map.end()
    }
}

impl CitationMetadata<'_> {
    /// The container: `journal` as well as `container_title` for articles, and the short form under both
    /// names.
    fn write_container<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let title = self.item.text(TextVar::ContainerTitle);
        let short = self.item.text(TextVar::ContainerTitleShort);
        let periodical = self.item.kind.is_in_periodical();
        if periodical {
            text_if_there(map, "journal", title)?;
        }
        text_if_there(map, "container_title", title)?;
        if periodical {
            text_if_there(map, "journal_abbreviation", short)?;
        }
        text_if_there(map, "container_title_short", short)
    }

    fn write_texts<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        for (variable, value) in self.item.text.iter() {
            match variable {
                TextVar::Title | TextVar::ContainerTitle | TextVar::ContainerTitleShort => {}
                TextVar::Abstract if !self.with_abstract => {}
                TextVar::Keyword => map.serialize_entry("keywords", &KeywordsView(value))?,
                TextVar::Doi => map.serialize_entry("doi", &DoiView(value))?,
                TextVar::Isbn => map.serialize_entry("isbn", &canonical_isbns(value))?,
                TextVar::Issn => map.serialize_entry("issn", &canonical_issns(value))?,
                _ => map.serialize_entry(variable.json_name(), value)?,
            }
        }
        Ok(())
    }
}

fn text_if_there<M: SerializeMap>(
    map: &mut M,
    name: &'static str,
    value: Option<&str>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => map.serialize_entry(name, value),
        None => Ok(()),
    }
}

struct NamesView<'a>(&'a [Name]);

impl Serialize for NamesView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(NameView))
    }
}

struct NameView<'a>(&'a Name);

impl Serialize for NameView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.0;
        let parts = [
            ("family", &name.family),
            ("given", &name.given),
            ("suffix", &name.suffix),
            ("dropping_particle", &name.dropping_particle),
            ("non_dropping_particle", &name.non_dropping_particle),
            ("literal", &name.literal),
            ("orcid", &name.orcid),
        ];
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in parts {
            text_if_there(&mut map, key, value.as_deref())?;
        }
        if name.comma_suffix {
            map.serialize_entry("comma_suffix", &true)?;
        }
        if name.static_ordering {
            map.serialize_entry("static_ordering", &true)?;
        }
        if !name.parse_names {
            map.serialize_entry("parse_names", &false)?;
        }
        map.end()
    }
}

struct KeywordsView<'a>(&'a str);

impl Serialize for KeywordsView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(keywords::split(self.0))
    }
}

/// Without prefix and in lower case; text that is not a DOI stays unchanged.
struct DoiView<'a>(&'a str);

impl Serialize for DoiView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0;
        let canonical = text.starts_with("10.")
            && text
                .bytes()
                .all(|b| b.is_ascii_graphic() && !b.is_ascii_uppercase() && b != b'%' && b != b'&');
        if canonical {
            return serializer.serialize_str(text);
        }
        match Doi::parse(text) {
            Ok(doi) => serializer.serialize_str(doi.as_str()),
            Err(_) => serializer.serialize_str(text),
        }
    }
}

struct ProvenanceView<'a>(&'a Provenance);

impl Serialize for ProvenanceView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let provenance = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("source", provenance.source.as_str())?;
        map.serialize_entry("fetched_at", &Timestamp(provenance.fetched_at))?;
        text_if_there(&mut map, "url", provenance.url.as_deref())?;
        text_if_there(&mut map, "license", provenance.license.as_deref())?;
        map.end()
    }
}

/// `{url, version, license?, source}`; `version` is null if unknown.
struct OpenCopyView<'a>(&'a OpenCopy);

impl Serialize for OpenCopyView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let copy = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("url", &copy.url)?;
        map.serialize_entry("version", &copy.version.map(|version| version.as_str()))?;
        text_if_there(&mut map, "license", copy.license.as_deref())?;
        map.serialize_entry("source", &copy.source)?;
        map.end()
    }
}

/// Notices in output form: each `{type, relation, doi, date?, source?, reasons?}`.
pub struct UpdatesView<'a>(pub &'a [Update]);

impl Serialize for UpdatesView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for update in self.0 {
            seq.serialize_element(&UpdateView(update))?;
        }
        seq.end()
    }
}

struct UpdateView<'a>(&'a Update);

impl Serialize for UpdateView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let update = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", update.kind.as_str())?;
        map.serialize_entry("relation", update.relation.as_str())?;
        map.serialize_entry("doi", update.doi.as_str())?;
        if let Some(date) = &update.date {
            map.serialize_entry("date", &date.edtf())?;
        }
        if !update.source.is_empty() {
            map.serialize_entry("source", &update.source)?;
        }
        if !update.reasons.is_empty() {
            map.serialize_entry("reasons", &update.reasons)?;
        }
        map.end()
    }
}

/// Unix seconds as ISO 8601 in UTC: `2024-02-29T12:00:00Z`.
struct Timestamp(i64);

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, seconds) = (self.0.div_euclid(86_400), self.0.rem_euclid(86_400));
        let (year, month, day) = civil_from_days(days);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// The Gregorian date of a day counted from 1970-01-01. Years start in March, so that the leap day is last,
/// and form cycles of 400 years with 146,097 days.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let since_march_0 = days.saturating_add(719_468);
    let (cycle, day) = (
        since_march_0.div_euclid(146_097),
        since_march_0.rem_euclid(146_097),
    );
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = year + cycle * 400 + i64::from(month <= 2);
    (year, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_iso() {
        let check = |seconds, expected: &str| assert_eq!(Timestamp(seconds).to_string(), expected);
        check(0, "1970-01-01T00:00:00Z");
        check(951_827_696, "2000-02-29T12:34:56Z");
        check(1_735_689_599, "2024-12-31T23:59:59Z");
        check(-1, "1969-12-31T23:59:59Z");
    }
}
