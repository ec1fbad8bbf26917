//! Parses free text of library records: statements of responsibility, contributions, editions, series and
//! pagination.

use citation_model::date::{Date, DateEnd, DateParts};
use citation_model::item::Item;
use citation_model::lists::words;
use citation_model::name::Name;
use citation_model::variable::NameVar;

use crate::clean;
use crate::names;
use crate::roles;

/// Names by role, each once per role.
#[derive(Debug, Default)]
pub struct People(Vec<(NameVar, Name)>);

impl People {
    /// Adds a name, unless it is empty or already has this or a more important role.
    pub fn add(&mut self, role: NameVar, name: Name) {
        let heading = name.display().to_lowercase();
        let known = |known: &(NameVar, Name)| {
            let same = known.1.display().to_lowercase() == heading;
            same && (known.0 == role || role == NameVar::Contributor)
        };
        if !name.is_empty() && !self.0.iter().any(known) {
            self.0.push((role, name));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets the name lists of all roles present.
    pub fn set(self, item: &mut Item) {
        for &role in NameVar::ALL {
            let names = self.0.iter().filter(|person| person.0 == role);
            let names: Vec<Name> = names.map(|person| person.1.clone()).collect();
            if !names.is_empty() {
                item.set_names(role, names);
            }
        }
    }
}

/// A contribution: `Jatin Shah (Editor)`, `Colistra, Diane.`, `Smith, John, ed.`
pub fn contribution(words: &str) -> (Name, Option<NameVar>) {
    let words = clean::plain(words);
    let words = words.trim_end_matches(['.', ' ', ',']);
    if let Some((name, tail)) = words.rsplit_once('(')
        && let Some(role) = roles::of_words(tail.trim_end_matches(')'))
    {
        return (names::from_text(name.trim()), Some(role));
    }
    if let Some((name, tail)) = words.rsplit_once(", ")
        && tail.len() <= 12
        && tail.starts_with(char::is_lowercase)
        && let Some(role) = roles::of_words(&format!("{tail}."))
    {
        return (names::from_text(name), Some(role));
    }
    (names::from_text(words), None)
}

/// Names in a statement of responsibility: `by A. Smith and B. Jones ; edited by C. Brown`. Only
/// unambiguous statements are read; others give no names.
pub fn by_statement(words: &str) -> People {
    let mut people = People::default();
    let words = clean::plain(words).replace(['[', ']'], "");
    for clause in words.split(';') {
        let clause = clause.trim().trim_matches(['.', '[', ']', ' ']);
        let lower = clause.to_lowercase();
        let said = ["by ", "von ", "par ", "di ", "av "]
            .iter()
            .find_map(|word| {
                let at = lower.find(word)?;
                let is_word = at == 0 || lower.as_bytes().get(at - 1) == Some(&b' ');
                is_word.then_some(at + word.len())
            });
        let named = said.and_then(|at| clause.get(at..)).unwrap_or(clause);
        let before = said.and_then(|at| lower.get(..at)).unwrap_or_default();
        let role = match before.trim() {
            "" | "by" | "von" | "par" | "di" | "av" | "written by" => Some(NameVar::Author),
            before => roles::of_words(before),
        };
        let names = plain_names(named);
        if let (Some(role), Some(names)) = (role, names) {
            names.into_iter().for_each(|name| people.add(role, name));
        } else if people.is_empty() {
            // After an unread first clause, the rest is not about authors either.
            break;
        }
    }
    people
}

/// The names in `A. Smith, B. Jones and C. Brown`; `None` unless each has two to five capitalised words,
/// not counting particles.
fn plain_names(words: &str) -> Option<Vec<Name>> {
    let words = words
        .replace(" and ", ", ")
        .replace(" & ", ", ")
        .replace(" und ", ", ");
    let words = words.replace(" et ", ", ");
    let mut found = Vec::new();
    for part in words
        .split(", ")
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let count = part.split_whitespace().count();
        let first = part.chars().next()?;
        let last = part.split_whitespace().next_back()?.chars().next()?;
        let is_name = (2..=5).contains(&count)
            && !first.is_lowercase()
            && !last.is_lowercase()
            && !part.contains(|c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | '(' | ':'));
        if !is_name {
            return None;
        }
        found.push(names::from_text(part));
    }
    (!found.is_empty()).then_some(found)
}

/// An edition in the form for styles: `2nd ed.` and `2 edition` become `2`; words stay words.
pub fn edition(words: &str) -> String {
    let words = clean::plain(words);
    let words = words.trim_matches(['[', ']', '.', ' ', ',']);
    // Booksellers append the word even if present: «6th ed edition», «New Ed edition».
    let words = ["ed edition", "Ed edition", "Edition edition"]
        .iter()
        .find_map(|doubled| words.strip_suffix(doubled).zip(doubled.split(' ').next()))
        .map_or(words.to_owned(), |(rest, word)| format!("{rest}{word}"));
    if let Some(number) = ordinal(&words) {
        return number.to_string();
    }
    // `Wyd. 1`, `Izd. 2-e`, `Ed. 3`
    if let Some((label, number)) = words.rsplit_once(' ')
        && is_edition_word(label.trim_end_matches('.'))
    {
        let digits = number.split('-').next().unwrap_or_default();
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return digits.to_owned();
        }
    }
    let digits: String = words.chars().take_while(char::is_ascii_digit).collect();
    let rest = words.get(digits.len()..).unwrap_or_default().trim();
    let rest = ["st", "nd", "rd", "th", "e", ".", "ª", "a."]
        .iter()
        .find_map(|ending| {
            rest.strip_prefix(ending)
                .filter(|r| r.is_empty() || r.starts_with(' '))
        })
        .unwrap_or(rest);
    let rest = rest.trim_matches(['.', ' ']);
    if !digits.is_empty() && (rest.is_empty() || is_edition_word(rest)) {
        return digits;
    }
    words
}

fn is_edition_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    const WORDS: [&str; 18] = words(
        "edition ed éd édition aufl auflage edición edição edizione izd изд wyd vyd uitg druk \
         utg oppl painos",
    );
    WORDS.contains(&lower.as_str())
}

/// The number of `second edition`.
fn ordinal(words: &str) -> Option<usize> {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let lower = words.to_lowercase();
    let word = lower
        .strip_suffix(" edition")
        .or(lower.strip_suffix(" ed"))?;
    let at = WORDS.iter().position(|known| *known == word)?;
    Some(at + 1)
}

/// The largest number in `xii, 235 p.`; `None` if none is a page count.
pub fn page_count(pagination: &str) -> Option<String> {
    let counts_pages = pagination
        .match_indices(|c: char| c.is_ascii_digit())
        .any(|(at, _)| {
            let behind = pagination.get(at + 1..).unwrap_or_default();
            let behind = behind.trim_start_matches([' ', ']', ',']);
            ["p", "P", "s.", "S.", "с.", "str", "Seiten"]
                .iter()
                .any(|unit| behind.starts_with(unit))
        });
    let counts = pagination.split(|c: char| !c.is_ascii_digit());
    let largest = counts
        .filter_map(|digits| digits.parse::<u32>().ok())
        .max()?;
    (counts_pages && (1..20_000).contains(&largest)).then(|| largest.to_string())
}

/// Title and number of a series: `Blue books ; v. 12`, `Blue books -- 12`, `Blue books, no. 3`.
pub fn series(words: &str) -> (String, Option<String>) {
    let words = words.trim_matches(['(', ')', '[', ']', ' ', '.', ';', ',']);
    let marks = [
        ";", " -- ", ", no. ", ", no ", ", v. ", ", vol. ", ", Bd. ", ", nr. ", " #",
    ];
    let split = marks.iter().find_map(|mark| words.rsplit_once(mark));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let bare = || {
        words
            .rsplit_once(", ")
            .filter(|(_, number)| is_number(number))
    };
    let split = split.or_else(bare);
    let Some((title, number)) = split else {
        return (words.to_owned(), None);
    };
    let number = number.trim();
    let digits = number.find(|c: char| c.is_ascii_digit());
    let title = title.trim_end_matches([' ', ',', ';', '-']);
    match digits {
        Some(at) => {
            let number = number.get(at..).unwrap_or(number);
            (title.to_owned(), Some(number.to_owned()))
        }
        None => (words.to_owned(), None),
    }
}

/// The date of publication as libraries write it: `[1994?]`, `c1994`, `1994, c1993`, `199-?`, `MCMXCIV`,
/// `1379 [2000]`. Words such as `n.d.` give none.
pub fn date(words: &str) -> Option<Date> {
    let words = clean::plain(words);
    // A year of another era comes before the common one in brackets.
    let bracketed = words
        .split_once('[')
        .and_then(|(before, inside)| Some((year_at_start(before)?, inside)));
    let text = match bracketed {
        Some((year, inside)) if year < 1500 && year_at_start(inside).is_some() => {
            inside.get(..4).unwrap_or(inside)
        }
        _ => words.as_str(),
    };
    let text = text.trim_matches(['[', ']', '.', ' ']);
    if let Some(span) = decade(text) {
        return Some(span);
    }
    if let Some(year) = roman_year(text) {
        return Some(DateParts::year(year).into());
    }
    let date = Date::parse(text)?;
    let Some(start) = date.start else {
        return Some(date).filter(|_| text.contains(|c: char| c.is_ascii_digit()));
    };
    // The earlier year behind the later one is that of the copyright.
    let is_copyright = date.end_parts().is_some_and(|end| end.year < start.year);
    let date = if is_copyright {
        Date::from(start)
    } else {
        date
    };
    (start.year != 0).then_some(date)
}

fn year_at_start(text: &str) -> Option<i32> {
    let year = text.trim_start().get(..4)?;
    let is_year = year.bytes().all(|byte| byte.is_ascii_digit());
    year.parse().ok().filter(|_| is_year)
}

/// `199-` and `18--` as the years of the decade or century.
fn decade(text: &str) -> Option<Date> {
    let bare = text.trim_end_matches('?');
    let digits = bare.trim_end_matches('-');
    let missing = u32::try_from(bare.len() - digits.len()).ok()?;
    let is_year = bare.len() == 4
        && (1..=2).contains(&missing)
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let years = 10_i32.checked_pow(missing).filter(|_| is_year)?;
    let first = digits.parse::<i32>().ok()? * years;
    Some(Date {
        end: Some(DateEnd::At(DateParts::year(first + years - 1))),
        ..DateParts::year(first).into()
    })
}

/// `MCMXCIV`
fn roman_year(text: &str) -> Option<i32> {
    let value = |c: char| match c {
        'I' => Some(1),
        'V' => Some(5),
        'X' => Some(10),
        'L' => Some(50),
        'C' => Some(100),
        'D' => Some(500),
        'M' => Some(1000),
        _ => None,
    };
    if text.len() > 16 {
        return None;
    }
    let values: Vec<i32> = text.chars().map(value).collect::<Option<_>>()?;
    let later = values.iter().skip(1).chain(&[0]);
    let year = values
        .iter()
        .zip(later)
        .map(|(own, next)| if own < next { -own } else { *own })
        .sum();
    (1000..2100).contains(&year).then_some(year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contributions_say_name_and_role() {
        let check = |words: &str, shown: &str, expected: Option<NameVar>| {
            let (name, role) = contribution(words);
            assert_eq!(
                (name.display().as_str(), role),
                (shown, expected),
                "{words}"
            );
        };
        check("Jatin Shah (Editor)", "Jatin Shah", Some(NameVar::Editor));
        check("Colistra, Diane.", "Diane Colistra", None);
        check("Smith, John, ed.", "John Smith", Some(NameVar::Editor));
        check(
            "John Doe (Series Editor)",
            "John Doe",
            Some(NameVar::CollectionEditor),
        );
    }

    #[test]
    fn statements_are_read_where_they_are_plain() {
        let check = |words: &str, expected: &[(NameVar, &str)]| {
            let found: Vec<(NameVar, String)> = by_statement(words)
                .0
                .iter()
                .map(|p| (p.0, p.1.display()))
                .collect();
            let expected: Vec<(NameVar, String)> = expected
                .iter()
                .map(|(role, name)| (*role, (*name).to_owned()))
                .collect();
            assert_eq!(found, expected, "{words}");
        };
        check("Pascal Quignard.", &[(NameVar::Author, "Pascal Quignard")]);
        check(
            "by Ann Smith and Bo Jones ; edited by Cy Brown.",
            &[
                (NameVar::Author, "Ann Smith"),
                (NameVar::Author, "Bo Jones"),
                (NameVar::Editor, "Cy Brown"),
            ],
        );
        check("[by] Ann Smith.", &[(NameVar::Author, "Ann Smith")]);
        check("the staff of the museum", &[]);
        check("with 12 plates", &[]);
    }

    #[test]
    fn editions_and_series() {
        assert_eq!(edition("2nd ed."), "2");
        assert_eq!(edition("1 edition"), "1");
        assert_eq!(edition("3. Aufl."), "3");
        assert_eq!(edition("Wyd. 1."), "1");
        assert_eq!(edition("Izd. 2-e"), "2");
        assert_eq!(edition("Rev. ed."), "Rev. ed");
        assert_eq!(edition("New Ed edition"), "New Ed");
        assert_eq!(edition("6th ed edition"), "6");
        assert_eq!(edition("Fourth edition"), "4");
        assert_eq!(edition("Student edition"), "Student edition");
        assert_eq!(
            series("Blue books ; v. 12"),
            ("Blue books".into(), Some("12".into()))
        );
        assert_eq!(
            series("(Blue books, no. 3)"),
            ("Blue books".into(), Some("3".into()))
        );
        assert_eq!(series("Arts; Letters"), ("Arts; Letters".into(), None));
        assert_eq!(
            series("Blue books, 12"),
            ("Blue books".into(), Some("12".into()))
        );
    }

    #[test]
    fn dates_of_catalogues_are_years() {
        let check = |words: &str, expected: &str| {
            let found = date(words).map(|date| date.edtf()).unwrap_or_default();
            assert_eq!(found, expected, "{words}");
        };
        check("[1994?]", "1994~");
        check("c1994.", "1994");
        check("1994, c1993", "1994");
        check("1901-1905", "1901/1905");
        check("199-?", "1990/1999");
        check("[18--]", "1800/1899");
        check("MCMXCIV", "1994");
        check("1379 [2000 or 2001]", "2000");
        check("1994 [c1993]", "1994");
        check("January 22, 1988", "1988-01-22");
        check("n.d.", "");
        check("0000", "");
    }

    #[test]
    fn pages_are_counted() {
        assert_eq!(page_count("xii, 235 p. :").as_deref(), Some("235"));
        assert_eq!(page_count("235, [3] p.").as_deref(), Some("235"));
        assert_eq!(page_count("1 v. (various pagings)"), None);
    }
}
