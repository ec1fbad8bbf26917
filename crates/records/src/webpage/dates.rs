//! Parses dates of pages: with times, weekdays, labels and in many languages.

use std::borrow::Cow;

use citation_model::date::{Date, DateParts};
use citation_model::lists;

use super::months;
use super::people::is_east_asian;

/// The date in a text with little else; `None` if there is none of the web's age. All-numeric days and
/// months (`03/04/2021`) are accepted only if one of them cannot be a month, or if full stops separate them
/// (`03.04.2021`), as in languages that write the day first.
pub(super) fn parse(text: &str) -> Option<Date> {
    let text = text.trim();
    let text = text.get(..text.floor_char_boundary(200)).unwrap_or(text);
    let first = east_asian(text).or_else(|| iso(text));
    // `1999 Dec 31`
    let of_year = |date: &Date, first: &Date| precision(date) > 1 && year(date) == year(first);
    match &first {
        Some(date) if precision(date) == 1 => {
            words(text).filter(|finer| of_year(finer, date)).or(first)
        }
        _ => first
            .or_else(|| compact(text))
            .or_else(|| of_clock(text))
            .or_else(|| words(text)),
    }
}

fn year(date: &Date) -> Option<i32> {
    date.start.map(|start| start.year)
}

/// The day of seconds or milliseconds since 1970: `1387324800`.
fn of_clock(text: &str) -> Option<Date> {
    let number = text.parse::<i64>().ok().filter(|_| text.starts_with('1'))?;
    let seconds = match text.len() {
        10 => number,
        13 => number / 1_000,
        _ => return None,
    };
    let time = jiff::Timestamp::from_second(seconds).ok()?;
    let day = time.to_zoned(jiff::tz::TimeZone::UTC).date();
    point(
        day.year().into(),
        Some(day.month().into()),
        Some(day.day().into()),
    )
}

/// Writes `03/04/2021` and `3-4-2021` with full stops if a language writes the day first. `lang` is a language
/// tag.
pub(super) fn with_stops<'t>(text: &'t str, lang: Option<&str>) -> Cow<'t, str> {
    const LANGUAGES: [&str; 29] = [
        "ar", "bg", "ca", "cs", "da", "de", "el", "es", "fi", "fr", "gl", "he", "hr", "id", "it",
        "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "th", "tr", "uk", "vi",
    ];
    const REGIONS: [&str; 6] = ["gb", "au", "nz", "ie", "in", "za"];
    let lang = lang.unwrap_or_default().to_lowercase().replace('_', "-");
    let (language, region) = lang.split_once('-').unwrap_or((&lang, ""));
    let is_english = language == "en" && REGIONS.contains(&region);
    let is_day_first = LANGUAGES.contains(&language) && region != "us" || is_english;
    if !is_day_first || !text.contains(['/', '-']) || text.len() > 1_000 {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let length = |from: usize| (from..from + 5).take_while(|at| is_digit(*at)).count();
    let mut found = text.to_owned();
    for at in 0..bytes.len() {
        let is_start = is_digit(at) && !at.checked_sub(1).is_some_and(is_digit);
        let day = length(at);
        let mark = bytes.get(at + day);
        if !is_start || !matches!(day, 1 | 2) || !matches!(mark, Some(b'/' | b'-')) {
            continue;
        }
        let month = length(at + day + 1);
        let end = at + day + 1 + month;
        if matches!(month, 1 | 2) && bytes.get(end) == mark && length(end + 1) == 4 {
            found.replace_range(at + day..at + day + 1, ".");
            found.replace_range(end..end + 1, ".");
        }
    }
    Cow::Owned(found)
}

/// A date in a text, and where its words begin and end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub date: Date,
    pub start: usize,
    pub end: usize,
}

/// Maximum number of dates read in a text.
const MENTIONS: usize = 6;

/// The dates of a text in their order. A date is a run of numbers, months, weekdays and the words of times, without
/// a sign between them that separates facts.
pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    if !may_have_year(text) {
        return found;
    }
    let mut run: Option<(usize, usize)> = None;
    let mut close = |run: Option<(usize, usize)>| {
        let Some((start, end)) = run else { return };
        let date = text.get(start..end).and_then(parse);
        if let Some(date) = date.filter(|_| found.len() < MENTIONS) {
            found.push(Mention { date, start, end });
        }
    };
    let is_whole = |start: usize, end: usize| {
        let date = text.get(start..end).and_then(parse);
        date.is_some_and(|date| precision(&date) == 3)
    };
    for (at, word) in words_of(text).map(without_label) {
        let is_named = is_month(word) || is_weekday(word);
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_between = OF_TIMES.contains(&word.to_lowercase().as_str());
        let goes_on = run.filter(|(start, end)| {
            let gap = text.get(*end..at).unwrap_or_default();
            let is_joined = gap.len() <= 6 && !gap.contains(is_separator);
            is_joined && (is_between || is_number || is_named && !is_whole(*start, *end))
        });
        run = match goes_on {
            Some((start, end)) if is_between => Some((start, end.max(at + word.len()))),
            Some((start, _)) => Some((start, at + word.len())),
            None => {
                close(run);
                (is_number || is_named).then_some((at, at + word.len()))
            }
        };
    }
    close(run);
    found
}

/// A word without the East Asian label before its digits: `发表于2014`.
fn without_label((at, word): (usize, &str)) -> (usize, &str) {
    let digit = word.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    match word.split_at_checked(digit) {
        Some((label, number)) if is_east_asian(label) => (at + digit, number),
        _ => (at, word),
    }
}

/// Whether a text has four digits that may be a year, or is as short as `4.12.22`.
fn may_have_year(text: &str) -> bool {
    const SHORT: usize = 12;
    let mut windows = text.as_bytes().windows(4);
    let has_year = windows.any(|four| {
        matches!(four.first(), Some(b'1' | b'2')) && four.iter().all(u8::is_ascii_digit)
    });
    has_year || text.len() <= SHORT
}

/// Whether a sign separates the facts of a line.
pub(super) fn is_separator(c: char) -> bool {
    matches!(
        c,
        '|' | '•' | '·' | ';' | '–' | '—' | '(' | ')' | '[' | ']' | '»' | '｜' | '\n'
    )
}

/// Whether a text has nothing but labels, weekdays and times, and at most one other word.
pub(super) fn is_rest(text: &str) -> bool {
    words_of(text)
        .filter(|(_, word)| !is_of_date(word))
        .take(2)
        .count()
        <= 1
}

/// 1 for a year, 2 for a month, 3 for a day.
pub(super) fn precision(date: &Date) -> u8 {
    date.start.map_or(0, |start| start.precision())
}

/// The text before the first word of a date, and whether there is a date.
pub(super) fn before(text: &str) -> (&str, bool) {
    let mut last_word = None;
    for (at, word) in words_of(text) {
        let begins_date = word.starts_with(|c: char| c.is_ascii_digit()) || is_weekday(word);
        let follows_month = begins_date && last_word.is_some_and(|(_, last)| is_month(last));
        let cut = match last_word {
            Some((month_at, _)) if follows_month => month_at,
            _ if begins_date => at,
            _ => {
                last_word = Some((at, word));
                continue;
            }
        };
        let mut head = text.get(..cut).unwrap_or(text).trim_end_matches(is_rim);
        let labels = || LABELS.iter().chain(&OF_TIMES[..1]);
        while let Some(rest) = labels().find_map(|label| strip_last_word(head, label)) {
            head = rest.trim_end_matches(is_rim);
        }
        return (head, true);
    }
    (text, false)
}

/// Whether a word is a part of a date or a label of one.
fn is_of_date(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.starts_with(|c: char| c.is_ascii_digit())
        || is_month(word)
        || is_weekday(word)
        || LABELS.contains(&lower.as_str())
        || OF_TIMES.contains(&lower.as_str())
}

/// Words before a date, in lower case.
const LABELS: [&str; 46] = lists::words(
    "published posted on date updated last modified created submitted first released online \
     veröffentlicht erstellt stand vom am den publié le publicado el pubblicato il \
     opublikowano geplaatst op written filed added issued opgericht datum fecha data \
     erschienen publication pubdate tarih опубликовано дата 입력 등록 승인 公開日 発行日",
);

/// Words in times, and between the parts of a date.
const OF_TIMES: [&str; 27] = [
    "at", "of", "de", "del", "th", "st", "nd", "rd", "a", "p", "m", "pm", "gmt", "utc", "bst",
    "est", "edt", "et", "cst", "cdt", "pst", "pdt", "pt", "cet", "uhr", "um", "wib",
];

fn is_rim(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            ',' | ';' | ':' | '·' | '|' | '/' | '•' | '–' | '—' | '-' | '('
        )
}

fn strip_last_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let at = text.len().checked_sub(word.len())?;
    let (head, tail) = text.split_at_checked(at)?;
    let parts = head.is_empty() || head.ends_with(char::is_whitespace);
    (parts && tail.to_lowercase() == word).then_some(head)
}

/// The words of a text with their offsets.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

pub(super) fn is_weekday(word: &str) -> bool {
    const DAYS: [&str; 35] = lists::words(
        "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur \
         thurs fri sat montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi \
         mercredi jeudi vendredi senin selasa rabu kamis jumat sabtu minggu",
    );
    DAYS.contains(&word.to_lowercase().as_str())
}

/// `2021-07-14T…`, `2021/7/14`, `2021.07`, `2021`, at the start.
fn iso(text: &str) -> Option<Date> {
    let mut numbers = Vec::new();
    let mut rest = text;
    while numbers.len() < 3 {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        let length = if numbers.is_empty() { 4..=4 } else { 1..=2 };
        if !length.contains(&end) {
            break;
        }
        numbers.push(digits.parse::<i64>().ok()?);
        rest = after;
        match rest.strip_prefix(['-', '/', '.']) {
            Some(after) => rest = after,
            None => break,
        }
    }
    // More digits mean that it is something else.
    if numbers.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let month = numbers
        .get(1)
        .copied()
        .filter(|month| (1..=12).contains(month));
    let day = numbers
        .get(2)
        .copied()
        .filter(|day| month.is_some() && (1..=31).contains(day));
    point(numbers.first().copied()?, month, day)
}

/// `20210714` and `20210714T…`.
fn compact(text: &str) -> Option<Date> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    if !matches!(end, 8 | 14) {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (month, day) = (part(4, 6)?, part(6, 8)?);
    let fits = (1..=12).contains(&month) && (1..=31).contains(&day);
    fits.then(|| point(part(0, 4)?, Some(month), Some(day)))?
}

/// `2021年7月14日`, `2021년 7월 14일`.
fn east_asian(text: &str) -> Option<Date> {
    // The number before the mark; the mark alone may be a part of a word (`公開日`).
    let before = |marks: [char; 2]| {
        text.match_indices(marks).find_map(|(at, _)| {
            let head = text.get(..at)?.trim_end();
            let digits = head.trim_end_matches(|c: char| c.is_ascii_digit());
            head.get(digits.len()..)?.parse::<i64>().ok()
        })
    };
    let year = before(['年', '년'])?;
    point(year, before(['月', '월']), before(['日', '일']))
}

/// A month name with a year and optionally a day; or numbers of which one cannot be a month.
fn words(text: &str) -> Option<Date> {
    let words: Vec<&str> = words_of(text).map(|(_, word)| word).collect();
    // A name may be a month (`By May Lee, 3 July`): the one next to a number is used.
    let is_number = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let months = || (0..words.len()).filter(|at| words.get(*at).is_some_and(|word| is_month(word)));
    let dated = months().find(|at| is_number(at + 1) || at.checked_sub(1).is_some_and(is_number));
    let Some(month_at) = dated.or_else(|| months().next()) else {
        return dotted(text)
            .or_else(|| inside(text))
            .or_else(|| figures(&words));
    };
    let month = words.get(month_at).and_then(|word| months::of_word(word))?;
    let year_at = (month_at..words.len())
        .chain((0..month_at).rev())
        .find(|at| words.get(*at).is_some_and(|word| is_year(word)))?;
    let year = words.get(year_at)?.parse::<i64>().ok()?;
    let day = |at: usize| {
        let word = words.get(at)?;
        let digits = word.trim_end_matches(char::is_alphabetic);
        let day = digits.parse::<i64>().ok()?;
        ((1..=31).contains(&day) && digits.len() <= 2).then_some(day)
    };
    // «14 July» and «14 de julio» before «July 14».
    let before = (1..=2)
        .filter_map(|back| day(month_at.checked_sub(back)?))
        .next();
    let day = before.or_else(|| day(month_at + 1));
    point(year, Some(i64::from(month)), day)
}

pub(super) fn is_month(word: &str) -> bool {
    months::of_word(word).is_some()
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && word
            .parse::<i64>()
            .is_ok_and(|year| (1500..=2100).contains(&year))
}

/// `2021-07-14` after other words.
fn inside(text: &str) -> Option<Date> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut places = text.match_indices(['-', '/', '.']).map(|(at, _)| at);
    places.find_map(|at| {
        let start = at.checked_sub(4)?;
        let digits = text.get(start..at)?.chars().all(is_digit);
        let is_begun = !text.get(..start)?.ends_with(is_digit);
        let date = iso(text.get(start..)?).filter(|_| digits && is_begun)?;
        (precision(&date) == 3).then_some(date)
    })
}

/// `03.04.2021`, `3. 4. 2021`: the day, the month, the year.
fn dotted(text: &str) -> Option<Date> {
    let mut parts = text.split('.').map(str::trim).peekable();
    // The number at the end of a part, and the one at the start of the next.
    let last = |part: &str| {
        let start = part.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        part.get(start..)?.parse::<i64>().ok()
    };
    while let Some(part) = parts.next() {
        let (Some(day), Some(month)) = (last(part), parts.peek().copied()) else {
            continue;
        };
        let Some(month) = month.parse::<i64>().ok().filter(|_| month.len() <= 2) else {
            continue;
        };
        let mut ahead = parts.clone();
        let year = ahead.nth(1).unwrap_or_default();
        let end = year.find(|c: char| !c.is_ascii_digit());
        let year = year.get(..end.unwrap_or(year.len())).unwrap_or_default();
        let is_day = (1..=31).contains(&day) && (1..=12).contains(&month);
        if is_year(year) && is_day {
            return point(year.parse().ok()?, Some(month), Some(day));
        }
        // `4.12.22` alone: of this century.
        if year.len() == 2 && is_day && text.trim().len() <= 8 && ahead.next().is_none() {
            return point(2000 + year.parse::<i64>().ok()?, Some(month), Some(day));
        }
    }
    None
}

/// `14/07/2021`, `7-14-2021`; only the year if day and month are ambiguous.
fn figures(words: &[&str]) -> Option<Date> {
    let year_at = words.iter().position(|word| is_year(word))?;
    let year = words.get(year_at)?.parse::<i64>().ok()?;
    let small = |at: Option<usize>| {
        let word = words.get(at?)?;
        let number = word.parse::<i64>().ok()?;
        (word.len() <= 2 && (1..=31).contains(&number)).then_some(number)
    };
    let pair = (small(year_at.checked_sub(2)), small(year_at.checked_sub(1)));
    match pair {
        (Some(day @ 13..), Some(month @ 1..=12)) | (Some(month @ 1..=12), Some(day @ 13..)) => {
            point(year, Some(month), Some(day))
        }
        (Some(day), Some(month)) if day == month => point(year, Some(month), Some(day)),
        _ => point(year, None, None),
    }
}

fn point(year: i64, month: Option<i64>, day: Option<i64>) -> Option<Date> {
    let year = i32::try_from(year)
        .ok()
        .filter(|year| (1500..=2100).contains(year))?;
    Some(DateParts::new(year, month, day).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let read = parse(text).map(|date| date.edtf()).unwrap_or_default();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn years_may_be_first() {
        check("1999 Dec 31", "1999-12-31");
        check("2019 Aug", "2019-08");
        check("2014 edition, reviewed May 2020", "2014");
        check("1387324800", "2013-12-18");
        check("1387324800000", "2013-12-18");
        check("9387324800", "");
    }

    #[test]
    fn dates_may_be_behind_labels() {
        check("公開日：2020年1月2日", "2020-01-02");
        check("입력 2020.01.02 10:00", "2020-01-02");
        check("Nr. 12020-01-02", "");
        check("2. januára 2020", "2020-01-02");
        check("2020 m. sausio 2 d.", "2020-01-02");
        check("2 Ιανουαρίου 2020", "2020-01-02");
        check("2020. január 2. 10:00", "2020-01-02");
    }

    #[test]
    fn stops_mean_that_the_day_is_first() {
        check("03.04.2021", "2021-04-03");
        check("Datum: 3. 4. 2021, 10:30", "2021-04-03");
        check("1.2.03.04.2021", "2021-04-03");
        check("Version 1.2 of 2021", "2021");
        check("45.04.2021", "2021");
    }

    #[test]
    fn languages_write_the_day_first() {
        let check = |text: &str, lang: &str, expected: &str| {
            assert_eq!(with_stops(text, Some(lang)), expected, "{text} {lang}");
        };
        check("le 03/04/2021 à 10h", "fr-FR", "le 03.04.2021 à 10h");
        check("3-4-2021 und 05/06/2022", "de", "3.4.2021 und 05.06.2022");
        check("03/04/2021", "en-GB", "03.04.2021");
        check("03/04/2021", "en-US", "03/04/2021");
        check("03/04/2021", "es-US", "03/04/2021");
        check("2021/03/04", "fr", "2021/03/04");
        check("1/2/3/4/2021", "fr", "1/2/3.4.2021");
    }

    #[test]
    fn dates_are_found_in_lines() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found: Vec<(&str, String)> = mentions(text)
                .iter()
                .map(|one| (text.get(one.start..one.end).unwrap(), one.date.edtf()))
                .collect();
            let found: Vec<(&str, &str)> = found
                .iter()
                .map(|(text, date)| (*text, date.as_str()))
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "London | 3 July 2021, updated Sunday, 4 July 2021",
            &[
                ("3 July 2021", "2021-07-03"),
                ("Sunday, 4 July 2021", "2021-07-04"),
            ],
        );
        check("公開日：2020年1月2日", &[("2020年1月2日", "2020-01-02")]);
        check(
            "Jane Roe - 16.12.2016, 10:30",
            &[("16.12.2016, 10:30", "2016-12-16")],
        );
        check(
            "14 de julio de 2021",
            &[("14 de julio de 2021", "2021-07-14")],
        );
        check("It cost 25 euros and May was cold", &[]);
    }

    #[test]
    fn dates_are_read_as_pages_write_them() {
        check("2021-07-14T10:00:00+02:00", "2021-07-14");
        check("2021/7/14", "2021-07-14");
        check("2021", "2021");
        check("20210714", "2021-07-14");
        check("2021年7月14日", "2021-07-14");
        check("2021년 7월 14일", "2021-07-14");
        check(
            "Published Wednesday, July 14, 2021 at 3:04 pm",
            "2021-07-14",
        );
        check("14 July 2021", "2021-07-14");
        check("14th of July 2021", "2021-07-14");
        check("14. März 2021", "2021-03-14");
        check("14 de julio de 2021", "2021-07-14");
        check("14 июля 2021", "2021-07-14");
        check("July 2021", "2021-07");
        check("By Jane Roe and May Lee July 14, 2021", "2021-07-14");
        check("14/07/2021", "2021-07-14");
        check("07/14/2021", "2021-07-14");
        check("03/04/2021", "2021");
        check("two days ago", "");
        check("12345678901", "");
    }

    #[test]
    fn facts_beside_dates_are_told_from_sentences() {
        assert!(is_rest("Posted on Wednesday, at 3:04 pm"));
        assert!(is_rest("London"));
        assert!(!is_rest("It rained and I was there"));
    }

    #[test]
    fn text_before_a_date_is_cut_out() {
        assert_eq!(
            before("Jane Roe, Posted on July 3, 2010"),
            ("Jane Roe", true)
        );
        assert_eq!(before("Jane Roe 16.12.2016"), ("Jane Roe", true));
        assert_eq!(before("Jane Roe"), ("Jane Roe", false));
    }
}
