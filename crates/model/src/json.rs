//! CSL-JSON: reading and writing of items, names and dates (CSL-JSON schema 1.0.2). Reading is lenient: it
//! accepts numbers as text and single values as lists, and keeps members unknown to CSL in `custom`.

use std::fmt;

use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::date::{Date, DateEnd, DateParts, season_by_name};
use super::item::Item;
use super::item_type::ItemType;
use super::name::Name;
use super::variable::{TextVar, Variable};

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("type", self.kind.csl())?;
        for (variable, value) in self.text.iter() {
            map.serialize_entry(variable.csl(), value)?;
        }
        for (variable, value) in self.number.iter() {
            map.serialize_entry(variable.csl(), value)?;
        }
        for (variable, value) in self.date.iter() {
            map.serialize_entry(variable.csl(), value)?;
        }
        for (variable, value) in self.names.iter() {
            map.serialize_entry(variable.csl(), value)?;
        }
        if !self.custom.is_empty() {
            map.serialize_entry("custom", &self.custom)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_map(ItemVisitor)
    }
}

impl Item {
    /// Reads CSL-JSON. Not generic over the caller, so it is compiled once.
    pub fn from_json(json: &[u8]) -> serde_json::Result<Item> {
        serde_json::from_slice(json)
    }

    /// The item as CSL-JSON, readable by [`Item::from_json`].
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        // Room for most items.
        let mut json = Vec::with_capacity(2048);
        serde_json::to_writer(&mut json, self)?;
        Ok(json)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a CSL-JSON item, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let mut item = Item::default();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let key = key.0.as_ref();
            match key {
                "id" => item.id = map.next_value::<Text>()?.0,
                "type" => {
                    let text = map.next_value::<Text>()?.0;
                    match ItemType::from_csl(&text).or_else(|| ItemType::parse(&text)) {
                        Some(kind) => item.kind = kind,
                        None => {
                            item.custom.insert("type".into(), Value::String(text));
                        }
                    }
                }
                "custom" => match map.next_value::<Value>()? {
                    Value::Object(members) => item.custom.extend(members),
                    Value::Null => {}
                    other => {
                        item.custom.insert("custom".into(), other);
                    }
                },
                _ => match Variable::from_csl(key) {
                    // If both an old and a new spelling are present, the first wins.
                    Some(Variable::Text(v)) => {
                        let texts = map.next_value::<Texts>()?;
                        if !item.text.contains(v) {
                            set_texts(&mut item, v, texts);
                        }
                    }
                    Some(Variable::Number(v)) => {
                        item.set_number(v, map.next_value::<Text>()?.0);
                    }
                    Some(Variable::Date(v)) => item.set_date(v, map.next_value::<DateValue>()?.0),
                    Some(Variable::Names(v)) => {
                        item.set_names(v, map.next_value::<NamesValue>()?.0);
                    }
                    None => {
                        let key = key.to_owned();
                        let value = map.next_value::<Value>()?;
                        if !value.is_null() {
                            item.custom.insert(key, value);
                        }
                    }
                },
            }
        }
        settle_containers(&mut item);
        Ok(item)
    }
}

/// Sets a text variable from a list. Identifiers, keywords and notes are joined. Of others, such as the
/// titles that Crossref lists, the first is taken, and the rest is kept in `custom` under the same name.
fn set_texts(item: &mut Item, variable: TextVar, mut texts: Texts) {
    use TextVar::{Isbn, Issn, Keyword, Note};
    if texts.0.len() > 1 && !matches!(variable, Isbn | Issn | Keyword | Note) {
        let others = texts.0.split_off(1).into_iter().map(Value::String);
        item.custom.insert(variable.csl().into(), others.collect());
    }
    item.set_text(variable, Text::from(texts).0);
}

/// The second container of a part of a book is its series.
fn settle_containers(item: &mut Item) {
    use ItemType::{Chapter, ConferencePaper, DictionaryEntry, EncyclopediaEntry, Entry};
    const CONTAINER: &str = "container-title";
    let is_part = matches!(
        item.kind,
        Chapter | ConferencePaper | DictionaryEntry | EncyclopediaEntry | Entry
    );
    let is_free = item.text(TextVar::CollectionTitle).is_none();
    if let Some(Value::Array(others)) = item.custom.get(CONTAINER)
        && let ([Value::String(series)], true) = (others.as_slice(), is_part && is_free)
    {
        let series = series.clone();
        item.set_text(TextVar::CollectionTitle, series);
        item.custom.remove(CONTAINER);
    }
}

/// A member's name, borrowed if the input allows.
struct Key<'de>(std::borrow::Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member's name")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(text.into()))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(text.to_owned().into()))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// The elements of a list of texts, numbers and booleans, or a single one. None for null and objects, which
/// have no defined meaning here; nested lists are joined.
struct Texts(Vec<String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextsVisitor)
    }
}

/// [`Texts`], joined with commas.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Texts::deserialize(deserializer).map(Text::from)
    }
}

impl From<Texts> for Text {
    fn from(Texts(mut texts): Texts) -> Text {
        Text(match texts.len() {
            0 | 1 => texts.pop().unwrap_or_default(),
            _ => texts.join(", "),
        })
    }
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Texts, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Texts, E> {
        Ok(Texts(vec![text]))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Texts, E> {
        self.visit_string(number.to_string())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Texts, E> {
        self.visit_string(number.to_string())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Texts, E> {
        self.visit_string(number.to_string())
    }

    fn visit_bool<E: de::Error>(self, truth: bool) -> Result<Texts, E> {
        self.visit_string(truth.to_string())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Texts, E> {
        Ok(Texts(Vec::new()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Texts, A::Error> {
        let mut texts = Vec::new();
        while let Some(Text(text)) = seq.next_element()? {
            if !text.is_empty() {
                texts.push(text);
            }
        }
        Ok(Texts(texts))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Texts(Vec::new()))
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = [
            ("family", &self.family),
            ("given", &self.given),
            ("dropping-particle", &self.dropping_particle),
            ("non-dropping-particle", &self.non_dropping_particle),
            ("suffix", &self.suffix),
            ("literal", &self.literal),
            ("ORCID", &self.orcid),
        ];
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in parts {
            if let Some(value) = value {
                map.serialize_entry(key, value)?;
            }
        }
        if self.comma_suffix {
            map.serialize_entry("comma-suffix", &true)?;
        }
        if self.static_ordering {
            map.serialize_entry("static-ordering", &true)?;
        }
        if !self.parse_names {
            map.serialize_entry("parse-names", &false)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_any(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name: an object with family and given, or text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Name, E> {
        Ok(Name::parse(text))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Name, E> {
        Ok(Name::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Name, A::Error> {
        let mut name = Name {
            parse_names: true,
            ..Name::default()
        };
        while let Some(key) = map.next_key::<Key<'de>>()? {
            match key.0.as_ref() {
                "family" => name.family = text_part(&mut map)?,
                "given" => name.given = text_part(&mut map)?,
                "dropping-particle" | "dropping_particle" => {
                    name.dropping_particle = text_part(&mut map)?;
                }
                "non-dropping-particle" | "non_dropping_particle" => {
                    name.non_dropping_particle = text_part(&mut map)?;
                }
                "suffix" => name.suffix = text_part(&mut map)?,
                "literal" | "name" => name.literal = text_part(&mut map)?,
                "ORCID" | "orcid" => {
                    let text = text_part(&mut map)?;
                    name.orcid = text.map(|t| t.rsplit('/').next().unwrap_or_default().to_owned());
                }
                "comma-suffix" | "comma_suffix" => name.comma_suffix = truth(&mut map)?,
                "static-ordering" | "static_ordering" => name.static_ordering = truth(&mut map)?,
                "parse-names" | "parse_names" => name.parse_names = truth(&mut map)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(name)
    }
}

fn text_part<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    let text = map.next_value::<Text>()?.0;
    Ok((!text.trim().is_empty()).then_some(text))
}

/// CSL-JSON writes booleans as `true`, `1`, `"1"` or `"true"`.
fn truth<'de, A: MapAccess<'de>>(map: &mut A) -> Result<bool, A::Error> {
    let text = map.next_value::<Text>()?.0;
    Ok(!matches!(text.as_str(), "" | "0" | "false"))
}

/// A list of names, or a single name.
struct NamesValue(Vec<Name>);

impl<'de> Deserialize<'de> for NamesValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamesVisitor;
        impl<'de> Visitor<'de> for NamesVisitor {
            type Value = NamesValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of names")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<NamesValue, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = seq.next_element::<Name>()? {
                    names.push(name);
                }
                Ok(NamesValue(names))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NamesValue, A::Error> {
                Ok(NamesValue(vec![NameVisitor.visit_map(map)?]))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<NamesValue, E> {
                Ok(NamesValue(text.split(';').map(Name::parse).collect()))
            }

            fn visit_unit<E: de::Error>(self) -> Result<NamesValue, E> {
                Ok(NamesValue(Vec::new()))
            }
        }
        deserializer.deserialize_any(NamesVisitor)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(start) = self.start {
            let mut parts = vec![start.numbers()];
            match self.end {
                Some(DateEnd::At(end)) => parts.push(end.numbers()),
                // citeproc-js reads a second date of year 0 as an open end.
                Some(DateEnd::Open) => parts.push(vec![0]),
                None => {}
            }
            map.serialize_entry("date-parts", &parts)?;
        }
        if self.circa {
            map.serialize_entry("circa", &true)?;
        }
        if let Some(literal) = &self.literal {
            map.serialize_entry("literal", literal)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
        Ok(DateValue::deserialize(deserializer)?.0)
    }
}

/// A date as an object, as text, or as a bare year.
struct DateValue(Date);

impl<'de> Deserialize<'de> for DateValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DateVisitor;
        impl<'de> Visitor<'de> for DateVisitor {
            type Value = DateValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a date: an object with date-parts, or text, or a year")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<DateValue, E> {
                Ok(DateValue(Date::parse(text).unwrap_or_default()))
            }

            fn visit_i64<E: de::Error>(self, year: i64) -> Result<DateValue, E> {
                let year =
                    i32::try_from(year).map_err(|_| E::custom("the year is out of range"))?;
                Ok(DateValue(DateParts::year(year).into()))
            }

            fn visit_u64<E: de::Error>(self, year: u64) -> Result<DateValue, E> {
                let year =
                    i32::try_from(year).map_err(|_| E::custom("the year is out of range"))?;
                Ok(DateValue(DateParts::year(year).into()))
            }

            fn visit_unit<E: de::Error>(self) -> Result<DateValue, E> {
                Ok(DateValue(Date::default()))
            }

            /// A list is `date-parts` without the enclosing object.
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<DateValue, A::Error> {
                let mut points = Vec::new();
                while let Some(point) = seq.next_element::<Value>()? {
                    points.push(point);
                }
                Ok(DateValue(date_from_parts(&Value::Array(points))))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DateValue, A::Error> {
                read_date(&mut map).map(DateValue)
            }
        }
        deserializer.deserialize_any(DateVisitor)
    }
}

fn read_date<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Date, A::Error> {
    let mut date = Date::default();
    let mut season = None;
    let mut raw = None;
    let mut circa = false;
    let (mut year, mut month, mut day) = (None, None, None);
    let mut end = None;
    while let Some(key) = map.next_key::<Key<'de>>()? {
        match key.0.as_ref() {
            "date-parts" | "date_parts" => {
                date = date_from_parts(&map.next_value::<Value>()?);
            }
            "season" => season = Some(map.next_value::<Text>()?.0),
            "circa" => circa = truth(map)?,
            "literal" => date.literal = text_part(map)?,
            "raw" | "edtf" => raw = text_part(map)?,
            "year" => year = whole(&map.next_value::<Value>()?),
            "month" => month = whole(&map.next_value::<Value>()?),
            "day" => day = whole(&map.next_value::<Value>()?),
            "end" => end = map.next_value::<Option<DateValue>>()?,
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
    }
    if let (None, Some(year)) = (date.start, year) {
        let year =
            i32::try_from(year).map_err(|_| de::Error::custom("the year is out of range"))?;
        date.start = Some(DateParts::new(year, month, day));
        date.end = end.and_then(|end| end.0.start).map(DateEnd::At);
    }
    if let (None, Some(raw)) = (date.start, raw) {
        let literal = date.literal.take();
        date = Date::parse(&raw).unwrap_or_default();
        date.literal = date.literal.or(literal);
    }
    date.circa |= circa;
    if let (Some(start), Some(season)) = (date.start.as_mut(), season) {
        set_season(start, &season, &mut date.literal);
    }
    Ok(date)
}

/// A season is a number from 1 to 4 (or 13 to 16, 21 to 24) or a season word in a supported language. CSL
/// cannot represent other words (`Trinity`), so the date becomes a literal of the word and the year. A
/// value without letters is ignored.
fn set_season(start: &mut DateParts, season: &str, literal: &mut Option<String>) {
    let season = season.trim();
    if start.month.is_some() {
        return;
    }
    start.season = match season.parse() {
        Ok(number @ 1..=4) => Some(number),
        Ok(number @ (13..=16 | 21..=24)) => Some((number - 1) % 4 + 1),
        _ => season_by_name(season),
    };
    if start.season.is_none() && season.contains(char::is_alphabetic) {
        literal.get_or_insert_with(|| format!("{season} {}", start.year));
    }
}

/// `[[2000,1,15],[2000,3]]`; numbers may be strings, a single list may lack the outer brackets, and the whole may
/// be in an object within the list.
fn date_from_parts(value: &Value) -> Date {
    let inside = value.get(0).and_then(|first| first.get("date-parts"));
    let Some(list) = inside.unwrap_or(value).as_array() else {
        return Date::default();
    };
    let points: Vec<&Vec<Value>> = match list.first() {
        Some(Value::Array(_)) => list.iter().filter_map(Value::as_array).collect(),
        _ => vec![list],
    };
    let start = points.first().and_then(|point| parts_from(point));
    let end = points.get(1).and_then(|point| {
        let zero = point.first().and_then(whole) == Some(0);
        if zero {
            Some(DateEnd::Open)
        } else {
            parts_from(point).map(DateEnd::At)
        }
    });
    Date {
        start,
        end: end.filter(|end| start.map(DateEnd::At) != Some(*end)),
        circa: false,
        literal: None,
    }
}

fn parts_from(point: &[Value]) -> Option<DateParts> {
    let year = i32::try_from(point.first().and_then(whole)?).ok()?;
    // `["2016", ["12"]]`
    let part = |at: usize| {
        let part = point.get(at)?;
        whole(part.get(0).unwrap_or(part))
    };
    Some(DateParts::new(year, part(1), part(2)))
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number
            .as_i64()
            .or_else(|| number.as_f64().map(|f| f as i64)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variable::{DateVar, NameVar, NumberVar, TextVar};

    fn read(json: &str) -> Item {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn written_items_read_back() {
        let item = read(
            r#"{"id":7,"type":"article-journal","title":"On <i>x</i>","volume":12,
                "issued":{"date-parts":[["2004","3",1],[2004,4]]},
                "author":[{"family":"Berg","non-dropping-particle":"van den","given":"A."},
                          {"literal":"WHO"}],
                "ISSN":["1234-5679","2049-3630"],"mystery":{"a":1}}"#,
        );
        assert_eq!(item.id, "7");
        assert_eq!(item.number(NumberVar::Volume), Some("12"));
        assert_eq!(item.text(TextVar::Issn), Some("1234-5679, 2049-3630"));
        assert_eq!(
            item.date(DateVar::Issued).unwrap().edtf(),
            "2004-03-01/2004-04"
        );
        assert_eq!(item.names(NameVar::Author).len(), 2);
        let written = serde_json::to_string(&item).unwrap();
        assert_eq!(read(&written), item);
    }

    #[test]
    fn titles_in_lists_are_not_joined() {
        let check = |kind: &str, title: &str, series: Option<&str>, rest: usize| {
            let item = read(&format!(
                r#"{{"container-title":["Birds","Series of Birds"],"title":["A","B"],"type":"{kind}"}}"#
            ));
            assert_eq!(item.text(TextVar::ContainerTitle), Some(title), "{kind}");
            assert_eq!(item.text(TextVar::CollectionTitle), series, "{kind}");
            assert_eq!(item.text(TextVar::Title), Some("A"));
            assert_eq!(item.custom.len(), rest, "{kind}");
            let written = serde_json::to_string(&item).unwrap();
            assert_eq!(read(&written), item);
        };
        check("chapter", "Birds", Some("Series of Birds"), 1);
        check("article-journal", "Birds", None, 2);
        assert_eq!(
            read(r#"{"keyword":["a","b"]}"#).text(TextVar::Keyword),
            Some("a, b")
        );
        assert_eq!(
            read(r#"{"container-title":[]}"#).text(TextVar::ContainerTitle),
            None
        );
    }

    #[test]
    fn seasons_in_words() {
        let issued = |season: &str| {
            let json = format!(r#"{{"issued":{{"date-parts":[[1999]],"season":"{season}"}}}}"#);
            let date = read(&json).date(DateVar::Issued).unwrap().clone();
            (date.start.unwrap().season, date.literal)
        };
        assert_eq!(issued("Herbst"), (Some(3), None));
        assert_eq!(issued("22"), (Some(2), None));
        assert_eq!(issued("Trinity"), (None, Some("Trinity 1999".to_owned())));
        assert_eq!(issued("22:38:38"), (None, None));
    }

    #[test]
    fn odd_dates_are_read() {
        let year = |json: &str| read(json).date(DateVar::Issued).map(Date::edtf);
        assert_eq!(year(r#"{"issued":{"date-parts":[[null]]}}"#), None);
        assert_eq!(
            year(r#"{"issued":{"raw":"March 2009"}}"#).as_deref(),
            Some("2009-03")
        );
        assert_eq!(year(r#"{"issued":"2009"}"#).as_deref(), Some("2009"));
        for (date, expected) in [
            (r#"[{"date-parts":[2006]}]"#, "2006"),
            (r#"[{"date-parts":[[2006,7]]}]"#, "2006-07"),
            (r#"{"date-parts":[2006,7]}"#, "2006-07"),
            (r#"{"date-parts":[["2016",["12"]]]}"#, "2016-12"),
        ] {
            let json = format!(r#"{{"issued":{date}}}"#);
            assert_eq!(year(&json).as_deref(), Some(expected), "{date}");
        }
        assert_eq!(
            year(r#"{"issued":{"date-parts":[[1999]],"season":"3","circa":1}}"#).as_deref(),
            Some("1999-23~")
        );
    }
}
