//! Names and dates of formats that give them in parts.

use crate::item_builder::inverted_name;
use crate::reading::LONGEST_NAME;
use citation_model::date::{Date, DateEnd, DateParts};
use citation_model::name::{Name, non_blank};

/// A person by the parts of the name. Where there is no family name, the given one is the whole.
pub(crate) fn person(family: &str, given: &str, suffix: &str) -> Name {
    let (family, given) = match family.trim() {
        "" => (given, ""),
        family => (family, given),
    };
    Name {
        suffix: non_blank(suffix),
        ..Name::person(family, given)
    }
}

/// A person's name as one text: `Family, Given`, or in reading order without a comma.
pub(crate) fn person_of_text(text: &str) -> Name {
    match text.contains(',') || text.len() > LONGEST_NAME {
        true => inverted_name(text),
        false => Name::parse(text),
    }
}

/// A date of a year and a text with the rest, which may repeat the year: `2015` and `Mar 3`,
/// `2011` and `2011-12-01`.
pub(crate) fn date_of(year: &str, rest: &str) -> Option<Date> {
    let by_year = Date::parse(year);
    let Some(start) = by_year.as_ref().and_then(|date| date.start) else {
        let whole = Date::parse(rest).filter(|date| date.start.is_some());
        return whole.or(by_year);
    };
    let fits = |date: &Date| {
        date.start
            .is_some_and(|found| found.year == start.year && found.precision() > 1)
    };
    let rest = rest.trim();
    if rest.is_empty() {
        return by_year;
    }
    Date::parse(rest)
        .filter(fits)
        .or_else(|| Date::parse(&format!("{rest} {}", start.year)).filter(fits))
        .or(by_year)
}

/// A date by its parts, the month in digits or words.
pub(crate) fn date_of_parts(year: &str, month: &str, day: &str) -> Option<Date> {
    let (month, day) = (month.trim(), day.trim());
    let (Ok(number), false) = (year.trim().parse(), month.is_empty()) else {
        return Date::parse(year);
    };
    match month.parse() {
        Ok(month) => Some(DateParts::new(number, Some(month), day.parse().ok()).into()),
        Err(_) => date_of(year, &format!("{day} {month}")),
    }
}

/// One date from the first to the last of two.
pub(crate) fn date_range(first: Date, last: Option<Date>) -> Date {
    let end = last.and_then(|last| last.start);
    Date {
        end: end.filter(|end| Some(*end) != first.start).map(DateEnd::At),
        ..first
    }
}
