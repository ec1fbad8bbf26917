//! Names and dates given in parts.

use crate::names::MAX_NAME_LENGTH;
use crate::names::inverted;
use citation_model::date::{Date, DateEnd, DateParts};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::NameVar;

/// A type's name of CSL, unless other formats use it for another type: `Preprint` for CSL's `article`.
pub fn type_name(kind: ItemType) -> &'static str {
    match ItemType::parse(kind.csl()) {
        Some(read) if read != kind => kind.json_name(),
        _ => kind.csl(),
    }
}

/// The role of the second list of names of works of a type.
pub fn second_role(kind: ItemType) -> NameVar {
    match kind {
        ItemType::Interview => NameVar::Interviewer,
        ItemType::PersonalCommunication => NameVar::Recipient,
        _ => NameVar::Editor,
    }
}

/// The names that formats with few roles write as the authors: those who made the work.
pub fn makers(item: &Item) -> &[Name] {
    item.names(maker_role(item))
}

/// The role of [`makers`].
pub fn maker_role(item: &Item) -> NameVar {
    use NameVar::*;
    let roles = [
        Author, Director, Composer, Performer, Host, Curator, Organizer, Compiler,
    ];
    let mut roles = roles.into_iter();
    let role = roles.find(|role| !item.names(*role).is_empty());
    role.unwrap_or(Author)
}

/// A person from the parts of the name. Without a family name, the given name is the whole. Without a suffix,
/// it may be in the given name, after a comma.
pub fn person(family: &str, given: &str, suffix: &str) -> Name {
    let (family, given) = match family.trim() {
        "" => (given, ""),
        family => (family, given),
    };
    let (given, suffix) = match given.split_once(',') {
        Some(both) if suffix.trim().is_empty() => both,
        _ => (given, suffix),
    };
    Name {
        suffix: non_blank(suffix),
        ..Name::person(family, given)
    }
}

/// A person's name from one text: `Family, Given`, or in reading order without a comma.
pub fn person_of_text(text: &str) -> Name {
    if text.contains(',') || text.len() > MAX_NAME_LENGTH {
        inverted(text)
    } else {
        Name::parse(text)
    }
}

/// A date from a year and the rest, which may repeat the year: `2015` and `Mar 3`, `2011` and `2011-12-01`.
pub fn date_of(year: &str, rest: &str) -> Option<Date> {
    let by_year = Date::parse(year);
    let Some(start) = by_year.as_ref().and_then(|date| date.start) else {
        let whole = Date::parse(rest);
        // Words stand for a date where there is no year at all: `in press`.
        let is_date = |date: &Date| date.start.is_some() || by_year.is_none();
        return whole.filter(is_date).or(by_year);
    };
    let fits = |date: &Date| {
        let says_more = date.end.is_some() || date.circa;
        date.start
            .is_some_and(|found| found.year == start.year && (says_more || found.precision() > 1))
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

/// A date from a full date and a year: the full date counts, unless it has no year of its own.
pub fn full_date(full: &str, year: &str) -> Option<Date> {
    let whole = Date::parse(full).filter(|date| date.start.is_some());
    whole.or_else(|| date_of(year, full))
}

/// The date of issue and the days of the event: the days of a paper are those of its conference.
pub fn event_days(kind: ItemType, date: Date) -> (Date, Option<Date>) {
    let start = date.start.filter(|start| start.day.is_some());
    match start.filter(|_| kind == ItemType::ConferencePaper && date.end.is_some()) {
        Some(start) => (DateParts::year(start.year).into(), Some(date)),
        None => (date, None),
    }
}

/// The short English name of a month.
pub fn month_name(month: u8) -> Option<&'static str> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    MONTHS.get(usize::from(month).checked_sub(1)?).copied()
}

/// A date from its parts, the month in digits or words.
pub fn date_of_parts(year: &str, month: &str, day: &str) -> Option<Date> {
    let (month, day) = (month.trim(), day.trim());
    let by_year = Date::parse(year);
    let Some(start) = by_year.as_ref().and_then(|date| date.start) else {
        return by_year;
    };
    match month.parse() {
        Ok(month) => Some(DateParts::new(start.year, Some(month), day.parse().ok()).into()),
        Err(_) if month.is_empty() => by_year,
        Err(_) => date_of(year, &format!("{day} {month}")),
    }
}

/// The range from the first date to the last.
pub fn date_range(first: Date, last: Option<Date>) -> Date {
    let end = last.and_then(|last| last.start);
    Date {
        end: end.filter(|end| Some(*end) != first.start).map(DateEnd::At),
        ..first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_put_together() {
        let check = |year: &str, rest: &str, expected: &str| {
            let date = date_of(year, rest).unwrap_or_default();
            assert_eq!(date.edtf(), expected, "{year} {rest}");
        };
        check("2015", "Mar 3", "2015-03-03");
        check("2011", "2011-12-01", "2011-12-01");
        check("2009", "2009/001/001", "2009");
        check("1998", "1998/2000", "1998/2000");
        check("2007", "Fall", "2007-23");
        check("2007", "2006-05-01", "2007");
        check("", "May 2003", "2003-05");
        check("in press", "", "in press");
        check("", "in press", "in press");
        check("in press", "unknown", "in press");
    }

    #[test]
    fn dates_have_months_in_digits_and_in_words() {
        let check = |parts: [&str; 3], expected: &str| {
            let date = date_of_parts(parts[0], parts[1], parts[2]).unwrap_or_default();
            assert_eq!(date.edtf(), expected, "{parts:?}");
        };
        check(["2011", "2", "03"], "2011-02-03");
        check(["2011", "Feb", "3"], "2011-02-03");
        check(["2011", "Fall", ""], "2011-23");
        check(["2011a", "2", ""], "2011-02");
        check(["2011", "nonsense", "99"], "2011");
    }

    #[test]
    fn a_given_name_alone_is_the_whole() {
        assert_eq!(person("", "Plato", ""), Name::person("Plato", ""));
        let name = person("Doe", "Jane, Jr.", "");
        assert_eq!(name.given.as_deref(), Some("Jane"));
        assert_eq!(name.suffix.as_deref(), Some("Jr."));
    }
}
