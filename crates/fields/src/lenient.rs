//! Reads JSON fields of the wrong type: a number for a text, one value for a list, an object for its value,
//! null for an absent value, so a record is rejected only if it is not JSON. A member has one of the types
//! below, or a function for `#[serde(deserialize_with = …)]`.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use citation_model::date::{Date, DateEnd, DateParts};

/// A member that is read by [`text`].
pub type Text = Lenient<Option<String>>;

/// A member that is read by [`texts`].
pub type Texts = Lenient<Vec<String>>;

/// A member that is read by [`date`].
pub type LenientDate = Lenient<Option<Date>>;

/// A member of a record, read by the function of its type.
#[derive(Clone, Debug, Default)]
pub struct Lenient<T>(pub T);

/// What a member can hold.
pub trait ReadLeniently: Sized {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl ReadLeniently for Option<String> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(deserializer)
    }
}

impl ReadLeniently for Vec<String> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        texts(deserializer)
    }
}

impl ReadLeniently for Option<Date> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        date(deserializer)
    }
}

impl<'de, T: ReadLeniently> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<T>, D::Error> {
        T::read(deserializer).map(Lenient)
    }
}

impl<T> Deref for Lenient<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// One text. The first text of a list; the `value`, `name`, `key` or mongoexport's `$numberLong` of an
/// object. `None` for blank text.
pub fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Collected::deserialize(deserializer).map(|texts| texts.0)
}

/// A list of texts without blank ones; a single text is a list of one.
pub fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Collected::deserialize(deserializer).map(|texts| texts.0)
}

/// A list of objects; a single object is a list of one, and other values are dropped.
pub fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    List::deserialize(deserializer).map(|objects| objects.0)
}

/// One object; the first of a list.
#[derive(Clone, Debug, Default)]
pub struct Object<T>(pub Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        let objects: Vec<T> = list(deserializer)?;
        Ok(Object(objects.into_iter().next()))
    }
}

impl<T> Deref for Object<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

/// An integer, also as text or as mongoexport's `{"$numberLong": "…"}`.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(text(deserializer)?.and_then(|text| text.trim().parse().ok()))
}

/// `true`, `1`, `"true"`.
pub fn truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let text = text(deserializer)?;
    Ok(matches!(text.as_deref(), Some("true" | "1")))
}

/// A date: an object with `date-parts`, any of which may be null, or text in ISO 8601.
pub fn date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    deserializer.deserialize_any(DateVisitor)
}

/// Collects texts.
trait Collection: Default {
    fn put(&mut self, text: String);
    fn append(&mut self, others: Self);
}

/// Maximum number of elements kept per list. The longest real ones have about 5,000 authors.
const MAX_ELEMENTS: usize = 20_000;

impl Collection for Vec<String> {
    fn put(&mut self, text: String) {
        self.push(text);
    }

    fn append(&mut self, others: Vec<String>) {
        let room = MAX_ELEMENTS.saturating_sub(self.len());
        self.extend(others.into_iter().take(room));
    }
}

/// Only the first text.
impl Collection for Option<String> {
    fn put(&mut self, text: String) {
        self.get_or_insert(text);
    }

    fn append(&mut self, others: Option<String>) {
        if self.is_none() {
            *self = others;
        }
    }
}

struct Collected<C>(C);

impl<'de, C: Collection> Deserialize<'de> for Collected<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Collected<C>, D::Error> {
        deserializer.deserialize_any(TextsVisitor(PhantomData))
    }
}

struct TextsVisitor<C>(PhantomData<C>);

fn one<C: Collection>(text: String) -> Collected<C> {
    let mut texts = C::default();
    if !text.trim().is_empty() {
        texts.put(text);
    }
    Collected(texts)
}

impl<'de, C: Collection> Visitor<'de> for TextsVisitor<C> {
    type Value = Collected<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or a list of texts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Collected<C>, E> {
        Ok(one(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Collected<C>, E> {
        Ok(one(text))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Collected<C>, E> {
        Ok(one(number.to_string()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Collected<C>, E> {
        Ok(one(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Collected<C>, E> {
        Ok(one(number.to_string()))
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Collected<C>, E> {
        Ok(one(truth.to_string()))
    }

    fn visit_unit<E: Error>(self) -> Result<Collected<C>, E> {
        Ok(Collected(C::default()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Collected<C>, A::Error> {
        let mut all = C::default();
        while let Some(Collected(texts)) = seq.next_element()? {
            all.append(texts);
        }
        Ok(Collected(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Collected<C>, A::Error> {
        let mut found = None;
        while let Some(Key(key)) = map.next_key()? {
            if key == Member::Value && found.is_none() {
                found = Some(map.next_value::<Collected<C>>()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found.unwrap_or(Collected(C::default())))
    }
}

/// Classifies the names of members without storing them.
struct Key(Member);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    /// The member with the value of an object.
    Value,
    DateParts,
    Other,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        struct KeyVisitor;
        impl Visitor<'_> for KeyVisitor {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member's name")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
                Ok(Key(match name {
                    "date-parts" => Member::DateParts,
                    "value" | "name" | "key" => Member::Value,
                    // Numbers in mongoexport.
                    "$numberLong" | "$numberInt" | "$numberDouble" => Member::Value,
                    _ => Member::Other,
                }))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// A member that is read by [`list`].
#[derive(Clone, Debug, Default)]
pub struct List<T>(pub Vec<T>);

impl<T> Deref for List<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<T>, D::Error> {
        deserializer.deserialize_any(ObjectsVisitor(PhantomData))
    }
}

struct ObjectsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectsVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<List<T>, A::Error> {
        let object = T::deserialize(MapAccessDeserializer::new(map))?;
        Ok(List(vec![object]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(List(objects)) = seq.next_element::<List<T>>()? {
            let room = MAX_ELEMENTS.saturating_sub(all.len());
            all.extend(objects.into_iter().take(room));
        }
        Ok(List(all))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<List<T>, E> {
        Ok(List(Vec::new()))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<List<T>, E> {
        Ok(List(Vec::new()))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<List<T>, E> {
        Ok(List(Vec::new()))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<List<T>, E> {
        Ok(List(Vec::new()))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<List<T>, E> {
        Ok(List(Vec::new()))
    }

    fn visit_unit<E: Error>(self) -> Result<List<T>, E> {
        Ok(List(Vec::new()))
    }
}

struct DateVisitor;

impl<'de> Visitor<'de> for DateVisitor {
    type Value = Option<Date>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Date>, A::Error> {
        let mut date = None;
        while let Some(Key(key)) = map.next_key()? {
            if key == Member::DateParts {
                date = map.next_value::<Parts>()?.date();
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(date)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Option<Date>, A::Error> {
        Ok(PartsVisitor.visit_seq(seq)?.date())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<Date>, E> {
        Ok(Date::parse_iso(text))
    }

    fn visit_i64<E: Error>(self, year: i64) -> Result<Option<Date>, E> {
        Ok(parts_of(&[Some(year)]).map(Date::from))
    }

    fn visit_u64<E: Error>(self, year: u64) -> Result<Option<Date>, E> {
        Ok(parts_of(&[i64::try_from(year).ok()]).map(Date::from))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Option<Date>, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Option<Date>, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<Date>, E> {
        Ok(None)
    }
}

/// `date-parts`: one list of numbers for a date, two for a range. Numbers may be null or text, and the
/// outer list may be missing.
enum Parts {
    Number(Option<i64>),
    List(Vec<Parts>),
}

impl Parts {
    fn date(&self) -> Option<Date> {
        let Parts::List(points) = self else {
            return None;
        };
        let nested = matches!(points.first(), Some(Parts::List(_)));
        if !nested {
            return point_of(self).map(Date::from);
        }
        let start = point_of(points.first()?)?;
        let end = points.get(1).and_then(point_of);
        Some(Date {
            start: Some(start),
            end: end.filter(|end| *end != start).map(DateEnd::At),
            ..Date::default()
        })
    }
}

fn point_of(parts: &Parts) -> Option<DateParts> {
    let Parts::List(numbers) = parts else {
        return None;
    };
    let number = |at: usize| match numbers.get(at) {
        Some(Parts::Number(number)) => *number,
        _ => None,
    };
    parts_of(&[number(0), number(1), number(2)])
}

/// Year, month, day. A year above 9999 or of 0 is an error, not a date.
fn parts_of(numbers: &[Option<i64>]) -> Option<DateParts> {
    let at = |place: usize| numbers.get(place).copied().flatten();
    let year = i32::try_from(at(0)?).ok()?;
    let plausible = (-9999..=9999).contains(&year) && year != 0;
    plausible.then(|| DateParts::new(year, at(1), at(2)))
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parts, D::Error> {
        deserializer.deserialize_any(PartsVisitor)
    }
}

/// Maximum number of parts per list; a date has three.
const MAX_PARTS: usize = 8;

struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("date-parts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Parts, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = seq.next_element::<Parts>()? {
            if parts.len() < MAX_PARTS {
                parts.push(part);
            }
        }
        Ok(Parts::List(parts))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Parts, E> {
        Ok(Parts::Number(Some(number)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Parts, E> {
        Ok(Parts::Number(i64::try_from(number).ok()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Parts, E> {
        Ok(Parts::Number(Some(number as i64)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Parts, E> {
        Ok(Parts::Number(text.trim().parse().ok()))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Parts, E> {
        Ok(Parts::Number(None))
    }

    fn visit_unit<E: Error>(self) -> Result<Parts, E> {
        Ok(Parts::Number(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
        let mut number = None;
        while let Some(Key(key)) = map.next_key()? {
            if key == Member::Value {
                number = number_value(&mut map)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Parts::Number(number))
    }
}

fn number_value<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<i64>, A::Error> {
    match map.next_value::<Parts>()? {
        Parts::Number(number) => Ok(number),
        Parts::List(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Sample {
        #[serde(deserialize_with = "text")]
        one: Option<String>,
        #[serde(deserialize_with = "texts")]
        many: Vec<String>,
        #[serde(deserialize_with = "number")]
        number: Option<i64>,
        #[serde(deserialize_with = "date")]
        date: Option<Date>,
        #[serde(deserialize_with = "list")]
        parts: Vec<SamplePart>,
        #[serde(deserialize_with = "truth")]
        flag: bool,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct SamplePart {
        #[serde(deserialize_with = "text")]
        name: Option<String>,
    }

    fn read(json: &str) -> Sample {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn texts_in_any_dress() {
        let one = |json: &str| read(&format!("{{\"one\":{json}}}")).one.unwrap_or_default();
        assert_eq!(one(r#""a""#), "a");
        assert_eq!(one("12"), "12");
        assert_eq!(one(r#"[null,"",["b","c"]]"#), "b");
        assert_eq!(one(r#"{"type":"/type/text","value":"d"}"#), "d");
        assert_eq!(one(r#"{"$numberLong":"5"}"#), "5");
        assert_eq!(one("null"), "");
        assert_eq!(read(r#"{"many":"x"}"#).many, ["x"]);
        assert_eq!(read(r#"{"many":{"a":[1,{}]}}"#).many.len(), 0);
        assert_eq!(read(r#"{"number":"7"}"#).number, Some(7));
        assert!(read(r#"{"flag":"true"}"#).flag);
    }

    #[test]
    fn objects_in_any_dress() {
        let names = |json: &str| -> Vec<String> {
            let parts = read(&format!("{{\"parts\":{json}}}")).parts;
            parts.into_iter().filter_map(|part| part.name).collect()
        };
        assert_eq!(
            names(r#"[{"name":"a"},null,"b",3,{"name":"c"}]"#),
            ["a", "c"]
        );
        assert_eq!(names(r#"{"name":"a","other":[1]}"#), ["a"]);
        assert!(names("null").is_empty());
    }

    #[test]
    fn dates_in_any_dress() {
        let date = |json: &str| {
            let read = read(&format!("{{\"date\":{json}}}")).date;
            read.map(|date| date.edtf()).unwrap_or_default()
        };
        assert_eq!(date(r#"{"date-parts":[[2012,3,4]]}"#), "2012-03-04");
        assert_eq!(date(r#"{"date-parts":[["2012","3"]]}"#), "2012-03");
        assert_eq!(date(r#"{"date-parts":[[null]]}"#), "");
        assert_eq!(date(r#"{"date-parts":[null]}"#), "");
        assert_eq!(date(r#"{"date-parts":[[2012],[2014]]}"#), "2012/2014");
        assert_eq!(date(r#"{"date-parts":[2012,5]}"#), "2012-05");
        assert_eq!(date(r#"{"date-parts":[[{"$numberInt":"2012"}]]}"#), "2012");
        assert_eq!(date(r#"{"date-parts":[[0]]}"#), "");
        assert_eq!(date(r#""2012-01-31""#), "2012-01-31");
        assert_eq!(date("1999"), "1999");
    }
}
