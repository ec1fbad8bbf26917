//! Dates of BibTeX and biblatex: `date` in ISO 8601 and EDTF; `year`, `month` and `day` in free form.

use citation_fields::latex::{collapse_blanks, plain};
use citation_model::date::{Date, DateEnd, DateParts, month_by_name};

/// Reads biblatex's `date` and similar fields. Text that cannot be parsed becomes a literal.
pub fn read_date(written: &str) -> Option<Date> {
    let text = date_text(written);
    if text.is_empty() {
        return None;
    }
    // biblatex's spellings of an unknown start or end of a range.
    if let Some(end) = text.strip_prefix("../").or_else(|| text.strip_prefix('/')) {
        return Some(Date::literal(&format!("–{end}")));
    }
    Date::parse(&text).map(|date| with_stop(date, written))
}

/// A text in place of a date with its full stop: `n.d.`
fn with_stop(mut date: Date, written: &str) -> Date {
    if let (Some(literal), true) = (&mut date.literal, written.trim_end().ends_with('.')) {
        literal.push('.');
    }
    date
}

/// Reads `year` with optional `month` and `day`.
pub fn read_year(year: &str, month: Option<&str>, day: Option<&str>) -> Option<Date> {
    let text = date_text(year);
    if text.is_empty() {
        return None;
    }
    let mut date = match plain_year(&text) {
        Some(year) => Date::from(DateParts::year(year)),
        None => {
            let date = with_stop(Date::parse(&text)?, year);
            let year = year_before_more(&text).filter(|_| date.start.is_none());
            year.map_or(date, |year| DateParts::year(year).into())
        }
    };
    let bare_year = date.start.is_some_and(|start| start.precision() == 1);
    if let (true, Some(month)) = (bare_year && date.end.is_none(), month) {
        add_month(&mut date, month, day);
    }
    Some(date)
}

/// The year of the first edition and the text after it: `[1990] 2002`.
pub fn original_year(text: &str) -> Option<(Date, &str)> {
    let (original, rest) = text.trim().strip_prefix('[')?.split_once(']')?;
    let rest = rest.trim();
    let years = plain_year(original).filter(|_| plain_year(rest).is_some());
    years.map(|year| (Date::from(DateParts::year(year)), rest))
}

/// The text of a date: converted, without sorting marks, brackets and doubled hyphens.
fn date_text(text: &str) -> String {
    // A tilde is EDTF's mark of an approximate date where LaTeX does not make it a blank.
    let text = if text.contains(['\\', '{', '$']) {
        plain(text).replace('\u{a0}', " ")
    } else {
        collapse_blanks(text)
    };
    let text = text.replace(['–', '—'], "-");
    let text = text.trim().trim_end_matches(['.', ',', ';']);
    let bracketed = text
        .strip_prefix(['[', '('])
        .and_then(|t| t.strip_suffix([']', ')']));
    bracketed.unwrap_or(text).trim().to_owned()
}

/// A year alone; `2004a` is a year with a disambiguating letter.
fn plain_year(text: &str) -> Option<i32> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let letter = text.len() - digits.len();
    let (sign, number) = match digits.strip_prefix('-') {
        Some(number) => (-1, number),
        None => (1, digits),
    };
    let valid = letter <= 1
        && (1..=5).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit());
    if !valid {
        return None;
    }
    number.parse::<i32>().ok().map(|year| sign * year)
}

/// The year before what belongs into another field: `1998. -- 170 p.`
fn year_before_more(text: &str) -> Option<i32> {
    let (year, more) = text.split_once(['.', ',', ';', ':'])?;
    let has_year = |text: &str| {
        text.split(|c: char| !c.is_ascii_digit())
            .any(|number| number.len() == 4)
    };
    plain_year(year).filter(|_| year.len() == 4 && !has_year(more))
}

/// Adds a month to a year: a number, a name, a season, a span (`jul/aug`), or a name with a day
/// (`jan~15`, `15 March`).
fn add_month(date: &mut Date, month: &str, day: Option<&str>) {
    let Some(start) = date.start.as_mut() else {
        return;
    };
    let text = date_text(month);
    let mut months = Vec::new();
    let mut days = Vec::new();
    let words =
        text.split(|c: char| c.is_whitespace() || matches!(c, '~' | '/' | '-' | ',' | '.' | '&'));
    for word in words.filter(|word| !word.is_empty()) {
        let word = word.trim_end_matches("st").trim_end_matches("th");
        match word.parse::<u8>() {
            Ok(number) => days.push(number),
            Err(_) => months.extend(month_by_name(word)),
        }
    }
    if months.is_empty() {
        // Numbers only: the first is the month; several are a span of months.
        months = std::mem::take(&mut days);
        months.retain(|month| (1..=12).contains(month));
    }
    if months.is_empty() {
        let season = Date::parse(&format!("{text} {}", start.year));
        if let Some(found) = season.and_then(|season| season.start) {
            *start = found;
        }
        return;
    }
    let day_of = |days: &[u8], at: usize| days.get(at).copied().filter(|d| (1..=31).contains(d));
    start.month = months.first().copied();
    let own_day = day.map(date_text).and_then(|text| text.parse::<u8>().ok());
    start.day = day_of(&days, 0).or_else(|| own_day.filter(|d| (1..=31).contains(d)));
    if let Some(&last) = months.get(1) {
        let end = DateParts {
            month: Some(last),
            day: day_of(&days, 1),
            ..DateParts::year(start.year)
        };
        date.end = (end != *start).then_some(DateEnd::At(end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let date = read_date(text).unwrap_or_default();
        assert_eq!(date.edtf(), expected, "{text}");
    }

    #[track_caller]
    fn check_year(year: &str, month: &str, expected: &str) {
        let month = Some(month).filter(|m| !m.is_empty());
        let date = read_year(year, month, None).unwrap_or_default();
        assert_eq!(date.edtf(), expected, "{year} {month:?}");
    }

    #[test]
    fn year_in_brackets_is_the_first_edition_s() {
        let (original, rest) = original_year("[1990] 2002").unwrap_or_default();
        assert_eq!((original.edtf().as_str(), rest), ("1990", "2002"));
        assert_eq!(original_year("[1998]"), None);
    }

    #[test]
    fn iso_and_edtf() {
        check("2004-07-14", "2004-07-14");
        check("1988/1992", "1988/1992");
        check("1997/", "1997/..");
        check("1984~", "1984~");
        check("2001-21", "2001-21");
        check("-0876", "-0876");
        check("199u", "1990/1999");
        check("July 2004", "2004-07");
        check("forthcoming", "forthcoming");
        check("n.d.", "n.d.");
    }

    #[test]
    fn years_and_months() {
        check_year("2000", "", "2000");
        check_year("2000", "jan", "2000-01");
        check_year("2000", "{Sept.}", "2000-09");
        check_year("2000", "7", "2000-07");
        check_year("2000", "jan~15", "2000-01-15");
        check_year("2000", "15 March", "2000-03-15");
        check_year("2000", "July/August", "2000-07/2000-08");
        check_year("2000", "jul--aug", "2000-07/2000-08");
        check_year("2000", "Spring", "2000-21");
        check_year("{\\noopsort{1973b}}1973", "", "1973");
        check_year("[1998]", "may", "1998-05");
        check_year("2004a", "", "2004");
        check_year("1998--2000", "", "1998/2000");
        check_year("in press", "", "in press");
        check_year("800", "", "0800");
        check_year("n.d.", "", "n.d.");
        check_year("2001.", "", "2001");
        check_year("1998. -- 170 p.", "", "1998");
    }
}
