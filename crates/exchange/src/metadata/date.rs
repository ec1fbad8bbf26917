//! Dates of CitationMetadata: `{year, month, day, season, circa, end, literal}` and other forms that
//! clients send.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::error::FieldError;
use super::limits::SHORT_CHARS;
use citation_model::budget::is_longer;
use citation_model::date::{Date, DateEnd, DateParts, month_by_name};

/// A date in the form of the API.
pub(super) struct DateView<'a>(pub &'a Date);

impl Serialize for DateView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(start) = self.0.start {
            write_parts(&mut map, start)?;
        }
        if self.0.circa {
            map.serialize_entry("circa", &true)?;
        }
        match self.0.end {
            Some(DateEnd::At(end)) => map.serialize_entry("end", &PartsView(end))?,
            Some(DateEnd::Open) => map.serialize_entry("end", &OpenEnd)?,
            None => {}
        }
        if let Some(literal) = &self.0.literal {
            map.serialize_entry("literal", literal)?;
        }
        map.end()
    }
}

struct PartsView(DateParts);

impl Serialize for PartsView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_parts(&mut map, self.0)?;
        map.end()
    }
}

/// `{"open": true}`: the range has no end yet.
struct OpenEnd;

impl Serialize for OpenEnd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("open", &true)?;
        map.end()
    }
}

fn write_parts<M: SerializeMap>(map: &mut M, parts: DateParts) -> Result<(), M::Error> {
    map.serialize_entry("year", &parts.year)?;
    if let Some(month) = parts.month {
        map.serialize_entry("month", &month)?;
    }
    if let Some(day) = parts.day {
        map.serialize_entry("day", &day)?;
    }
    if let Some(season) = parts.season {
        map.serialize_entry("season", &season)?;
    }
    Ok(())
}

/// Reads a date from an object, an ISO or free text, a year, or a list of date parts. `pointer` locates the
/// value in errors.
pub(super) fn read_date(
    value: &Value,
    pointer: &str,
    errors: &mut Vec<FieldError>,
) -> Option<Date> {
    match value {
        Value::Null => None,
        Value::String(text) if is_longer(text, SHORT_CHARS) => {
            too_long(pointer, errors);
            None
        }
        Value::String(text) => Date::parse(text),
        Value::Number(_) => {
            let year = whole(value, pointer, "year", errors)?;
            Some(DateParts::year(to_year(year, pointer, errors)?).into())
        }
        Value::Array(_) => csl_date(value, pointer, errors),
        Value::Object(members) => read_object(value, members, pointer, errors),
        Value::Bool(_) => {
            errors.push(FieldError::new(
                pointer,
                "wrong_type",
                "A date is an object with `year`, a text such as \"2021-07\", or a year.",
            ));
            None
        }
    }
}

fn too_long(pointer: &str, errors: &mut Vec<FieldError>) {
    let message = format!("At most {SHORT_CHARS} characters are allowed here.");
    errors.push(FieldError::new(pointer, "too_long", &message));
}

fn read_object(
    value: &Value,
    members: &Map<String, Value>,
    pointer: &str,
    errors: &mut Vec<FieldError>,
) -> Option<Date> {
    let plain = members.contains_key("year")
        || !["date-parts", "date_parts", "raw", "edtf"]
            .iter()
            .any(|name| members.contains_key(*name));
    if !plain {
        return csl_date(value, pointer, errors);
    }
    let mut date = Date {
        start: read_parts(members, pointer, errors),
        circa: members.get("circa").is_some_and(truth),
        ..Date::default()
    };
    if let Some(Value::String(text)) = members.get("literal") {
        if is_longer(text, SHORT_CHARS) {
            too_long(&format!("{pointer}/literal"), errors);
        }
        date.literal = citation_model::name::non_blank(text);
    }
    match members.get("end") {
        Some(Value::Object(end)) if end.get("open").is_some_and(truth) => {
            date.end = Some(DateEnd::Open);
        }
        Some(Value::Object(end)) => {
            date.end = read_parts(end, &format!("{pointer}/end"), errors).map(DateEnd::At);
        }
        Some(Value::Null) | None => {}
        Some(other) => {
            let end = read_date(other, &format!("{pointer}/end"), errors);
            date.end = end.and_then(|end| end.start).map(DateEnd::At);
        }
    }
    if date.start.is_none() {
        date.end = None;
    }
    (!date.is_empty()).then_some(date)
}

fn read_parts(
    members: &Map<String, Value>,
    pointer: &str,
    errors: &mut Vec<FieldError>,
) -> Option<DateParts> {
    let mut number = |name: &str| {
        let value = members.get(name)?;
        whole(value, &format!("{pointer}/{name}"), name, errors)
    };
    let year = number("year");
    let month = match members.get("month") {
        Some(Value::String(text)) if text.trim().parse::<i64>().is_err() => {
            month_by_name(text.trim()).map(i64::from)
        }
        _ => number("month"),
    };
    let day = number("day");
    let year = to_year(year?, &format!("{pointer}/year"), errors)?;
    in_range(month, 1..=24, pointer, "month", errors);
    in_range(day, 1..=31, pointer, "day", errors);
    let mut parts = DateParts::new(year, month, day);
    if parts.month.is_none() && parts.season.is_none() {
        parts.season = members.get("season").and_then(season);
    }
    Some(parts)
}

fn in_range(
    number: Option<i64>,
    range: std::ops::RangeInclusive<i64>,
    pointer: &str,
    name: &str,
    errors: &mut Vec<FieldError>,
) {
    if number.is_some_and(|number| !range.contains(&number)) {
        errors.push(FieldError::new(
            &format!("{pointer}/{name}"),
            "out_of_range",
            &format!(
                "`{name}` must lie between {} and {}.",
                range.start(),
                range.end()
            ),
        ));
    }
}

/// A season as a number (1 to 4, or 21 to 24 in EDTF) or in English.
fn season(value: &Value) -> Option<u8> {
    let text = match value {
        Value::String(text) => text.trim().to_lowercase(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    match text.as_str() {
        "1" | "21" | "spring" => Some(1),
        "2" | "22" | "summer" => Some(2),
        "3" | "23" | "autumn" | "fall" => Some(3),
        "4" | "24" | "winter" => Some(4),
        _ => None,
    }
}

/// CSL-JSON forms: `date-parts`, `raw`, or a bare list of parts.
fn csl_date(value: &Value, pointer: &str, errors: &mut Vec<FieldError>) -> Option<Date> {
    let raw = value.get("raw").or_else(|| value.get("literal"));
    if raw
        .and_then(Value::as_str)
        .is_some_and(|raw| is_longer(raw, SHORT_CHARS))
    {
        too_long(pointer, errors);
        return None;
    }
    match serde_json::from_value::<Date>(value.clone()) {
        Ok(date) => (!date.is_empty()).then_some(date),
        Err(_) => {
            errors.push(FieldError::new(
                pointer,
                "invalid_date",
                "The date cannot be read; give `year`, `month` and `day` as numbers.",
            ));
            None
        }
    }
}

/// An integer, or text that contains one. Null and blank text are absent.
pub(super) fn whole(
    value: &Value,
    pointer: &str,
    name: &str,
    errors: &mut Vec<FieldError>,
) -> Option<i64> {
    let number = match value {
        Value::Null => return None,
        Value::String(text) if text.trim().is_empty() => return None,
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            (float.fract() == 0.0 && float.abs() < 1e15).then_some(float as i64)
        }),
        _ => None,
    };
    if number.is_none() {
        // Integers beyond 64 bits arrive as strings of their digits.
        let (code, message) = match value {
            Value::String(text) if is_integer(text.trim()) => ("out_of_range", "is too large"),
            _ => ("not_an_integer", "must be a whole number"),
        };
        errors.push(FieldError::new(
            pointer,
            code,
            &format!("`{name}` {message}."),
        ));
    }
    number
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Largest year accepted; more digits are a typing error.
pub(super) const MAX_YEAR: i32 = 99_999;

pub(super) fn to_year(year: i64, pointer: &str, errors: &mut Vec<FieldError>) -> Option<i32> {
    let fits = i32::try_from(year)
        .ok()
        .filter(|year| (-MAX_YEAR..=MAX_YEAR).contains(year));
    if fits.is_none() {
        errors.push(FieldError::new(
            pointer,
            "out_of_range",
            &format!("`year` must lie between -{MAX_YEAR} and {MAX_YEAR}."),
        ));
    }
    fits
}

pub(super) fn truth(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_i64() != Some(0),
        Value::String(text) => !matches!(text.as_str(), "" | "0" | "false"),
        _ => false,
    }
}
