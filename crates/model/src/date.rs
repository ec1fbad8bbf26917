//! Dates of any precision: day, month, season, year; ranges, open ranges, approximate dates.

use std::borrow::Cow;

/// A date as CSL knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Date {
    pub start: Option<DateParts>,
    /// The end of a range; absent for a single date.
    pub end: Option<DateEnd>,
    /// Whether the date is approximate.
    pub circa: bool,
    /// Text for a date that cannot be parsed.
    pub literal: Option<String>,
}

/// The end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateEnd {
    At(DateParts),
    /// The range is open.
    Open,
}

/// A year with an optional month and day, or a season.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DateParts {
    /// Astronomical sign as in CSL-JSON: -44 is 44 BC.
    pub year: i32,
    /// 1 to 12.
    pub month: Option<u8>,
    /// 1 to 31; only with a month.
    pub day: Option<u8>,
    /// 1 (spring) to 4 (winter); never with a month.
    pub season: Option<u8>,
}

impl DateParts {
    pub fn year(year: i32) -> DateParts {
        DateParts {
            year,
            month: None,
            day: None,
            season: None,
        }
    }

    /// From the numbers of CSL-JSON `date-parts`. Months 13 to 24 are seasons, four per cycle, so 21 is
    /// spring as in EDTF level 1 (see date_VariousInvalidDates). Numbers out of range are dropped.
    pub fn new(year: i32, month: Option<i64>, day: Option<i64>) -> DateParts {
        let mut parts = DateParts::year(year);
        match month {
            Some(m @ 1..=12) => {
                parts.month = Some(m as u8);
                parts.day = day.filter(|d| (1..=31).contains(d)).map(|d| d as u8);
            }
            Some(m @ 13..=24) => parts.season = Some(((m - 13) % 4 + 1) as u8),
            _ => {}
        }
        parts
    }

    /// Whether the calendar has such a day: not 30 February.
    pub fn is_possible(&self) -> bool {
        let days = match self.month {
            // Every fourth year before the reform of the calendar.
            Some(2) if self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0) => 29,
            Some(2) if self.year % 4 == 0 && self.year <= LAST_JULIAN_YEAR => 29,
            Some(2) => 28,
            Some(4 | 6 | 9 | 11) => 30,
            _ => 31,
        };
        self.day.is_none_or(|day| day <= days)
    }

    /// The numbers of `date-parts`; a season is written as month 21 to 24.
    pub fn numbers(&self) -> Vec<i32> {
        let mut numbers = vec![self.year];
        if let Some(season) = self.season {
            numbers.push(20 + i32::from(season));
        } else if let Some(month) = self.month {
            numbers.push(i32::from(month));
            numbers.extend(self.day.map(i32::from));
        }
        numbers
    }

    /// The precision: 1 year, 2 month or season, 3 day.
    pub fn precision(&self) -> u8 {
        match (self.month.or(self.season), self.day) {
            (_, Some(_)) => 3,
            (Some(_), None) => 2,
            (None, None) => 1,
        }
    }

    /// `2021`, `2021-07`, `2021-07-14`; a season as `2021-21`.
    pub fn iso(&self) -> String {
        let mut text = if self.year < 0 {
            format!("-{:04}", self.year.unsigned_abs())
        } else {
            format!("{:04}", self.year)
        };
        for number in self.numbers().iter().skip(1) {
            text.push_str(&format!("-{number:02}"));
        }
        text
    }
}

/// Britain kept the Julian calendar until then, others longer.
const LAST_JULIAN_YEAR: i32 = 1752;

/// Whether a number is a month or, from 21, a season of EDTF; 0 stands for an unknown one.
pub fn is_month(number: i64) -> bool {
    matches!(number, 0..=12 | 21..=24)
}

/// Whether a date in numbers, such as `2021-13-01`, has a month or a day that no date has, so that reading it
/// loses or changes the number. What is not such a date, such as the years `2012-13`, loses nothing.
pub fn loses_numbers(text: &str) -> bool {
    // Ranges of ISO 8601 have a slash, and hyphens in their dates.
    let ends = if text.contains('-') {
        text.split('/').collect()
    } else {
        vec![text]
    };
    ends.into_iter().any(|date| {
        let date = date.split(['T', ' ']).next().unwrap_or_default();
        let fields = date.trim().split(['-', '/', '.']);
        let fields: Vec<&str> = fields.take(MAX_NUMBERS).collect();
        let number = |at: usize| match fields.get(at) {
            None | Some(&"") => Some(0),
            Some(text) if text.len() <= 2 => text.parse::<i64>().ok(),
            Some(_) => None,
        };
        let is_year = |at: usize| {
            let year = fields.get(at);
            year.is_some_and(|year| year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit()))
        };
        let is_date = |month: i64, day: i64| is_month(month) && (0..=31).contains(&day);
        match fields.len() {
            3.. if is_year(0) => match (number(1), number(2)) {
                (Some(month), Some(day)) => !is_date(month, day),
                _ => false,
            },
            3 if is_year(2) => match (number(0), number(1)) {
                (Some(one), Some(other)) => !is_date(one, other) && !is_date(other, one),
                _ => false,
            },
            _ => false,
        }
    })
}

/// Numbers of a date, and what follows them in RIS.
const MAX_NUMBERS: usize = 4;

impl From<DateParts> for Date {
    fn from(start: DateParts) -> Date {
        Date {
            start: Some(start),
            ..Date::default()
        }
    }
}

impl Date {
    pub fn literal(text: &str) -> Date {
        Date {
            literal: super::name::non_blank(text),
            ..Date::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.start.is_none() && self.literal.is_none()
    }

    /// The first day of the date that the calendar does not have.
    pub fn impossible_day(&self) -> Option<DateParts> {
        let mut ends = self.start.into_iter().chain(self.end_parts());
        ends.find(|parts| !parts.is_possible())
    }

    /// The end of the range, if it is known.
    pub fn end_parts(&self) -> Option<DateParts> {
        match self.end {
            Some(DateEnd::At(parts)) => Some(parts),
            _ => None,
        }
    }

    /// Parses ISO 8601 and EDTF levels 0 and 1: `2021`, `2021-07`, `2021-07-14T…`, `-0044-03-15`, `1984~`,
    /// `1984?`, `2001-21`, `198u` and `19XX` (the decade or century as a range), `2004/2006`, `2004/..`,
    /// `2004/`.
    pub fn parse_iso(text: &str) -> Option<Date> {
        let text = text.trim();
        let Some((start, end)) = text.split_once('/') else {
            return parse_edtf_point(text).map(|point| Date {
                start: Some(point.start),
                end: point.end.map(DateEnd::At),
                circa: point.circa,
                literal: None,
            });
        };
        let start = parse_edtf_point(start)?;
        let end_text = end.trim();
        if matches!(end_text, "" | ".." | "open" | "unknown") {
            return Some(Date {
                start: Some(start.start),
                end: Some(DateEnd::Open),
                circa: start.circa,
                literal: None,
            });
        }
        let end = parse_edtf_point(end_text)?;
        Some(Date {
            start: Some(start.start),
            end: Some(DateEnd::At(end.end.unwrap_or(end.start))),
            circa: start.circa || end.circa,
            literal: None,
        })
    }

    /// Parses dates in common notations: everything that [`Date::parse_iso`] accepts, `July 14, 2021`, `14
    /// Jul. 2021`, `Spring 1998`, `07/14/2021`, `2021/07/14`, `ca. 1850`, `1850-1855`, `Jan-Feb 2001`,
    /// `c2004`. Text without a year becomes a literal; blank text becomes `None`.
    pub fn parse(text: &str) -> Option<Date> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let day = without_time_of_day(text);
        let read = |text: &str| {
            let compact = || parse_compact(text).map(Date::from);
            Date::parse_iso(text)
                .or_else(compact)
                .or_else(|| parse_free(text))
        };
        Some(read(&day).unwrap_or_else(|| Date::literal(text)))
    }

    /// ISO 8601, ranges with a slash, approximate dates with `~`; a literal unchanged.
    pub fn edtf(&self) -> String {
        let Some(start) = self.start else {
            return self.literal.clone().unwrap_or_default();
        };
        let mark = if self.circa { "~" } else { "" };
        match self.end {
            None => format!("{}{mark}", start.iso()),
            Some(DateEnd::Open) => format!("{}{mark}/..", start.iso()),
            Some(DateEnd::At(end)) => format!("{}{mark}/{}{mark}", start.iso(), end.iso()),
        }
    }
}

/// ISO 8601 without hyphens: `20200301`.
fn parse_compact(text: &str) -> Option<DateParts> {
    if text.len() != 8 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let year: i32 = text.get(..4)?.parse().ok()?;
    let month: i64 = text.get(4..6)?.parse().ok()?;
    let day: i64 = text.get(6..)?.parse().ok()?;
    let is_date = year >= 1000 && (1..=12).contains(&month) && (1..=31).contains(&day);
    is_date.then(|| DateParts::new(year, Some(month), Some(day)))
}

/// A date without the time of day and its zone: `2018-03-21 18:19:45`, `May 4, 2020 9:30 pm UTC`.
fn without_time_of_day(text: &str) -> Cow<'_, str> {
    if !text.contains(':') {
        return Cow::Borrowed(text);
    }
    let is_time = |word: &str| {
        word.split_once(':').is_some_and(|(hour, rest)| {
            (1..=2).contains(&hour.len())
                && hour.bytes().all(|b| b.is_ascii_digit())
                && rest.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let is_zone = |word: &str| {
        word.starts_with('+')
            || word.starts_with('-') && word.len() > 4
            || ZONES.iter().any(|zone| zone.eq_ignore_ascii_case(word))
    };
    let mut seen = false;
    let mut kept: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let time = is_time(word);
        seen |= time;
        if !(time || seen && is_zone(word)) {
            kept.push(word);
        }
    }
    if seen {
        Cow::Owned(kept.join(" "))
    } else {
        Cow::Borrowed(text)
    }
}

/// What follows a time of day.
const ZONES: [&str; 8] = ["am", "pm", "a.m.", "p.m.", "utc", "gmt", "z", "uhr"];

struct EdtfPoint {
    start: DateParts,
    /// Set if unknown digits make the point a span: `198u` is 1980 to 1989.
    end: Option<DateParts>,
    circa: bool,
}

fn parse_edtf_point(text: &str) -> Option<EdtfPoint> {
    let mut text = text.trim();
    let mut circa = false;
    while let Some(rest) = text.strip_suffix(['~', '?', '%']) {
        circa = true;
        text = rest;
    }
    // Citations do not use the time of day.
    let text = text.split_once('T').map_or(text, |(date, _)| date);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (
            1,
            text.strip_prefix('Y')
                .or(text.strip_prefix('y'))
                .unwrap_or(text),
        ),
    };
    let mut fields = digits.split('-');
    let year_text = fields.next()?;
    let month_text = fields.next();
    let day_text = fields.next();
    if fields.next().is_some() || !(3..=7).contains(&year_text.len()) {
        return None;
    }
    let (first, last) = year_span(year_text)?;
    let number = |text: &str| -> Option<i64> {
        let known = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        known.then(|| text.parse().ok()).flatten()
    };
    let unknown = |text: &str| matches!(text, "uu" | "XX" | "xx" | "??" | "00");
    let month = match month_text {
        Some(text) if !unknown(text) => {
            let month = number(text)?;
            if !matches!(month, 1..=12 | 21..=24) {
                return None;
            }
            Some(month)
        }
        _ => None,
    };
    let day = match day_text {
        Some(text) if !unknown(text) => {
            let day = number(text)?;
            if !(1..=31).contains(&day) {
                return None;
            }
            Some(day)
        }
        _ => None,
    };
    Some(EdtfPoint {
        start: DateParts::new(sign * first, month, day),
        end: (first != last).then(|| DateParts::year(sign * last)),
        circa,
    })
}

/// `1984` is 1984 to 1984, `198u` 1980 to 1989, `19XX` 1900 to 1999.
fn year_span(text: &str) -> Option<(i32, i32)> {
    let known = text.trim_end_matches(['u', 'U', 'x', 'X']);
    if known.is_empty() || !known.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let scale = 10_i32.checked_pow((text.len() - known.len()) as u32)?;
    let first = known.parse::<i32>().ok()?.checked_mul(scale)?;
    Some((first, first.checked_add(scale - 1)?))
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The month, 1 to 12, of an English, French, German, Spanish, Italian, Portuguese or Dutch name or
/// abbreviation.
pub fn month_by_name(word: &str) -> Option<u8> {
    let word = word.trim_end_matches('.');
    if !word.starts_with(char::is_alphabetic) {
        return None;
    }
    // Called for every word of a text: three letters are compared as a number, without allocation.
    let [first, second, third, rest @ ..] = word.as_bytes() else {
        return None;
    };
    let head = [first, second, third].map(u8::to_ascii_lowercase);
    let english = MONTHS.iter().position(|month| month.as_bytes() == head);
    if let Some(at) = english.filter(|_| word.chars().all(char::is_alphabetic)) {
        return Some(at as u8 + 1);
    }
    if rest.is_empty() && word.is_ascii() {
        return short_month(head);
    }
    let word = word.to_lowercase();
    let month = match word.as_str() {
        "一月" => 1,
        "二月" => 2,
        "三月" => 3,
        "四月" => 4,
        "五月" => 5,
        "六月" => 6,
        "七月" => 7,
        "八月" => 8,
        "九月" => 9,
        "十月" => 10,
        "十一月" => 11,
        "十二月" => 12,
        "janvier" | "januar" | "jänner" | "enero" | "gennaio" | "janeiro" => 1,
        "février" | "fevrier" | "févr" | "fév" | "febbraio" | "fevereiro" => 2,
        "märz" | "mär" | "maart" => 3,
        "avril" | "abril" => 4,
        "mayo" | "maggio" | "maio" => 5,
        "juin" | "giugno" => 6,
        "juillet" | "juil" | "luglio" => 7,
        "août" | "aout" | "agosto" => 8,
        "settembre" | "setembro" => 9,
        "oktober" | "ottobre" | "outubro" => 10,
        "dezember" | "décembre" | "déc" | "diciembre" | "dicembre" | "dezembro" => 12,
        _ => return None,
    };
    Some(month)
}

/// The month of an abbreviation of three letters, in lower case and not English.
fn short_month(word: [u8; 3]) -> Option<u8> {
    let month = match &word {
        b"ene" | b"gen" => 1,
        b"fev" => 2,
        b"mrz" => 3,
        b"avr" | b"abr" => 4,
        b"mai" | b"mag" | b"mei" => 5,
        b"giu" => 6,
        b"lug" => 7,
        b"ago" => 8,
        b"set" => 9,
        b"okt" | b"ott" | b"out" => 10,
        b"dez" | b"dic" => 12,
        _ => return None,
    };
    Some(month)
}

/// 1 for spring to 4 for winter.
pub(super) fn season_by_name(word: &str) -> Option<u8> {
    let season = match word.to_lowercase().as_str() {
        "spring" | "spr" | "printemps" | "frühjahr" | "frühling" | "primavera" => 1,
        "summer" | "sum" | "été" | "sommer" | "verano" | "estate" => 2,
        "fall" | "fal" | "autumn" | "automne" | "herbst" | "otoño" | "autunno" => 3,
        "winter" | "win" | "hiver" | "invierno" | "inverno" => 4,
        _ => return None,
    };
    Some(season)
}

/// Parses a date in words or with slashes or dots. Needs exactly one year of three or four digits.
fn parse_free(text: &str) -> Option<Date> {
    let lower = text.to_lowercase();
    let circa = ["ca.", "ca ", "circa", "c.", "about", "approximately"]
        .iter()
        .any(|mark| lower.starts_with(mark))
        || lower.ends_with('?');
    let words = date_words(text);
    let years: Vec<i32> = words.iter().filter_map(DateWord::as_year).collect();
    let before_christ = ["bc", "bce", "b.c.", "b.c.e."]
        .iter()
        .any(|era| lower.split_whitespace().any(|word| word == *era));
    let sign = if before_christ { -1 } else { 1 };
    let first_year = sign * *years.first()?;
    let months: Vec<u8> = words.iter().filter_map(DateWord::as_month).collect();
    let seasons: Vec<u8> = words.iter().filter_map(DateWord::as_season).collect();
    let smalls: Vec<u8> = words.iter().filter_map(DateWord::as_small).collect();
    let named_anything = !months.is_empty() || !seasons.is_empty();
    let unread = words.iter().any(|word| matches!(word, DateWord::Other));
    if years.len() > 2 || unread && !named_anything && years.len() + smalls.len() != 1 {
        return None;
    }

    let mut start = DateParts::year(first_year);
    let mut end = None;
    if let Some(&month) = months.first() {
        start.month = Some(month);
        start.day = smalls.first().copied();
        end = months.get(1).map(|&last| DateParts {
            year: years.get(1).map_or(first_year, |&year| sign * year),
            month: Some(last),
            day: smalls.get(1).copied(),
            season: None,
        });
        if end.is_none() && smalls.len() == 2 {
            end = Some(DateParts {
                day: smalls.get(1).copied(),
                ..start
            });
        }
    } else if let Some(&season) = seasons.first() {
        start.season = Some(season);
        end = seasons.get(1).map(|&last| DateParts {
            season: Some(last),
            ..DateParts::year(years.get(1).map_or(first_year, |&year| sign * year))
        });
    } else {
        let year_first = words.first().and_then(DateWord::as_year).is_some();
        start = date_of_numbers(first_year, year_first, &smalls, text.contains('.'));
    }
    if let (None, [_, last]) = (end, years.as_slice()) {
        end = Some(DateParts::year(sign * last));
    }
    Some(Date {
        start: Some(start),
        end: end.filter(|end| *end != start).map(DateEnd::At),
        circa,
        literal: None,
    })
}

/// The date of a year with one or two small numbers, which are a month and a day.
fn date_of_numbers(year: i32, year_first: bool, smalls: &[u8], has_dots: bool) -> DateParts {
    let (month, day) = match *smalls {
        // `2021/07/14` has the month first; for `14.07.2021` and `07/14/2021` the values decide.
        [a, b] if year_first || (a <= 12 && !has_dots) || b > 12 => (a, Some(b)),
        [a, b] => (b, Some(a)),
        [month] => (month, None),
        _ => return DateParts::year(year),
    };
    DateParts::new(year, Some(month.into()), day.map(Into::into))
}

enum DateWord {
    Year(i32),
    Month(u8),
    Season(u8),
    /// A number of one or two digits: a day, or a month in digits.
    Small(u8),
    Other,
}

impl DateWord {
    fn as_year(&self) -> Option<i32> {
        match self {
            DateWord::Year(year) => Some(*year),
            _ => None,
        }
    }

    fn as_month(&self) -> Option<u8> {
        match self {
            DateWord::Month(month) => Some(*month),
            _ => None,
        }
    }

    fn as_season(&self) -> Option<u8> {
        match self {
            DateWord::Season(season) => Some(*season),
            _ => None,
        }
    }

    fn as_small(&self) -> Option<u8> {
        match self {
            DateWord::Small(number) => Some(*number),
            _ => None,
        }
    }
}

fn date_words(text: &str) -> Vec<DateWord> {
    let separators = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | '/' | '.' | '-' | '–' | '—' | '[' | ']' | '(' | ')' | '?' | ';' | '&'
                    // Chinese, Japanese and Korean mark the unit after each number.
                    | '年' | '月' | '日' | '년' | '월' | '일'
            )
    };
    text.split(separators)
        .filter(|word| !word.is_empty())
        .map(|word| {
            let digits = word
                .trim_start_matches(['c', '©', 'p'])
                .trim_end_matches(|c: char| c.is_alphabetic());
            let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            match digits.len() {
                3 | 4 if all_digits => DateWord::Year(digits.parse().unwrap_or_default()),
                1 | 2 if all_digits => match digits.parse() {
                    Ok(number @ 1..=31) => DateWord::Small(number),
                    _ => DateWord::Other,
                },
                _ => month_by_name(word)
                    .map(DateWord::Month)
                    .or_else(|| season_by_name(word).map(DateWord::Season))
                    .unwrap_or(DateWord::Other),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        let date = Date::parse(input).unwrap_or_default();
        assert_eq!(date.edtf(), expected, "{input}");
    }

    #[test]
    fn impossible_days_are_known() {
        let check = |text: &str, expected: bool| {
            let date = Date::parse(text).unwrap();
            assert_eq!(date.impossible_day().is_none(), expected, "{text}");
        };
        for text in [
            "2021-02-28",
            "2020-02-29",
            "2000-02-29",
            "1700-02-29",
            "2021-12-31",
            "2021-02",
        ] {
            check(text, true);
        }
        for text in [
            "2021-02-29",
            "1900-02-29",
            "2021-04-31",
            "2021-04-01/2021-06-31",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn numbers_of_no_date_are_known() {
        for text in [
            "2021-13-01",
            "2021-20-01",
            "2021-01-32",
            "2021/13/01/",
            "2021/13//",
            "32.12.2021",
            "13/13/2021",
            "2021-01-01/2021-13-01",
            "2021-13-01T10:00:00Z",
        ] {
            assert!(loses_numbers(text), "{text}");
        }
        for text in [
            "2021",
            "2021-12-31",
            "2021-21",
            "2012-13",
            "2021/12/31/",
            "2003///spring",
            "31.12.2021",
            "12/31/2021",
            "1999/2001",
            "2021-00-00",
            "c. 1850",
            "10.1000/13-14",
            "July 14, 2021",
        ] {
            assert!(!loses_numbers(text), "{text}");
        }
    }

    #[test]
    fn reads_iso_and_edtf() {
        check("2021", "2021");
        check("2021-07", "2021-07");
        check("2021-07-14T12:00:00Z", "2021-07-14");
        check("-0044-03-15", "-0044-03-15");
        check("1984~", "1984~");
        check("2004/2006", "2004/2006");
        check("2004/", "2004/..");
        check("198u", "1980/1989");
        check("2001-21", "2001-21");
        check("2003-00-00", "2003");
    }

    #[test]
    fn reads_what_people_write() {
        check("2021年3月12日", "2021-03-12");
        check("2021년 3월", "2021-03");
        check("July 14, 2021", "2021-07-14");
        check("14 Jul. 2021", "2021-07-14");
        check("March 2009", "2009-03");
        check("Spring 1998", "1998-21");
        check("2021/07/14", "2021-07-14");
        check("14.07.2021", "2021-07-14");
        check("Jan-Feb 2001", "2001-01/2001-02");
        check("1850-1855", "1850/1855");
        check("c2004", "2004");
        check("ca. 1850", "1850~");
        check("SPR 2004", "2004-21");
        check("20200301", "2020-03-01");
        check("20201301", "20201301");
        check("44 BC", "44 BC");
        check("forthcoming", "forthcoming");
    }

    #[test]
    fn times_of_day_are_passed_over() {
        check("2018-03-21 18:19:45", "2018-03-21");
        check("2018-03-21 18:19:45.250 +0100", "2018-03-21");
        check("May 4, 2020 9:30 pm UTC", "2020-05-04");
        check("04.05.2020, 9:30 Uhr", "2020-05-04");
        check("chapter 3:16", "chapter 3:16");
    }

    #[test]
    fn seasons_read_from_either_numbering() {
        assert_eq!(DateParts::new(2001, Some(13), None).season, Some(1));
        assert_eq!(DateParts::new(2001, Some(24), None).season, Some(4));
        assert_eq!(
            DateParts::new(2001, Some(24), None).numbers(),
            vec![2001, 24]
        );
    }
}
