//! Parses author names of pages: lists in one text, with «By» before and functions after them.

use citation_fields::names::is_full_name;
use citation_fields::names::suffixes::{is_degree, is_suffix, is_title};
use citation_model::lists::{phrases, words};
use citation_model::name::{Name, is_particle};

use crate::{clean, names};

/// The people or institutions in a text, which may begin with «By».
pub(super) fn list(text: &str) -> Vec<Name> {
    let text = clean::plain(text);
    let (rest, _) = without_label(text.trim_matches(is_rim));
    // `von Roe, Jane` is a name.
    let is_particle = || {
        let word = text.split_whitespace().next().unwrap_or_default();
        let family = rest.split(',').next().unwrap_or_default();
        is_particle(word) && rest.contains(',') && !family.trim().contains(' ')
    };
    names_in(if is_particle() { &text } else { rest }, Order::Natural)
}

/// The people or institutions in a tag of a scholarly vocabulary.
pub(super) fn names(text: &str) -> Vec<Name> {
    names_in(text, Order::Any)
}

/// The order of the parts of names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The given name first, as in bylines. A word after a whole name and a comma is a place or an employer.
    Natural,
    /// Also `García Pérez, Ana`, as in catalogues.
    Any,
}

fn names_in(text: &str, order: Order) -> Vec<Name> {
    let text = clean::plain(text);
    let text = without_account(text.trim_matches(is_rim));
    if text.contains("://") || text.contains('@') || text.len() > 2_000 || is_credit(text) {
        return Vec::new();
    }
    // The address of an account: `example.com/jane`.
    if text.contains('/') && !text.contains(' ') && text.split('/').any(names_site) {
        return Vec::new();
    }
    let parts = split(text, order).into_iter().map(|part| name(&part));
    distinct(parts.filter(|name| !name.is_empty()))
}

/// Removes the account behind a name: `Jane Roe @janeroe`.
fn without_account(text: &str) -> &str {
    match text.split_once(" @") {
        Some((name, account)) if is_full_name(name) && !account.contains(char::is_whitespace) => {
            name
        }
        _ => text,
    }
}

/// Whether a text is the credit of a picture: `(Image: Jane Roe)`.
fn is_credit(text: &str) -> bool {
    const WORDS: [&str; 6] = ["image:", "photo:", "picture:", "foto:", "bild:", "credit:"];
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let head = text.get(..text.floor_char_boundary(8)).unwrap_or(text);
    let head = head.to_lowercase();
    WORDS.iter().any(|word| head.starts_with(word))
}

/// A list of family names and initials, with the last name in any order: `Roe, J., Doe, M., and A. Poe`.
fn of_pairs(text: &str) -> Option<Vec<Name>> {
    let (head, last) = match text.rsplit_once(" and ") {
        Some((head, last)) => (head, Some(last.trim())),
        None => (text, None),
    };
    let parts: Vec<&str> = head
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let mut found = (parts.len() > 2).then(|| citation_fields::names::pairs(&parts))??;
    if let Some(last) = last {
        found.extend(names(last));
    }
    Some(found)
}

/// The names in the tags of one name: each is of one author if there are several, which may be written
/// `García Pérez, Ana María`.
pub(super) fn of_tags(texts: &[&str]) -> Vec<Name> {
    let is_single = |text: &str| !text.contains(';') && text.matches(',').count() == 1;
    let is_list = texts.len() < 2;
    // `Hodge, J., Manda, G., and M. Jonas` is one list.
    if let [text] = texts
        && let Some(names) = of_pairs(text)
    {
        return names;
    }
    let read = |text: &&str| match text.split_once(", ") {
        Some((family, given)) if !is_list && is_single(text) => {
            let parts = [family, given].map(|part| part.trim().split(' ').count());
            let fits = parts.iter().all(|words| (2..=4).contains(words));
            if fits && !is_degree(given) && !names::is_institution(text) {
                vec![names::from_parts(Some(family), Some(given), None)]
            } else {
                names(text)
            }
        }
        _ => names(text),
    };
    texts.iter().flat_map(read).collect()
}

/// Whether a name has the parts of a personal name or is in East Asian characters.
pub(super) fn is_person(name: &Name) -> bool {
    let family = name.family.as_deref().unwrap_or_default();
    let given = name.given.as_deref().unwrap_or_default();
    let is_site = [given, family].iter().any(|part| names_site(part));
    !family.is_empty()
        && !is_site
        && !is_phrase(given, family)
        && (!given.is_empty() || is_east_asian(family))
}

/// Whether two words or more are a phrase, as of a heading or a button, since names neither begin with an article,
/// a preposition or a word of quantity, nor have possessives and underscores: `Zur Übersicht`, `Yesterday's Word`.
fn is_phrase(given: &str, family: &str) -> bool {
    const FIRST: [&str; 36] = words(
        "the this these our your more most all about from with how what why when where and zur zum \
         das die ein eine alle mehr ihr ihre unser unsere mit und für über nach aus liebe",
    );
    let first = given.split_whitespace().next().unwrap_or_default();
    let has_mark =
        |part: &str| part.contains(['_', '!', '?']) || part.contains("'s ") || part.contains("’s ");
    let is_possessive = given.ends_with("'s") || given.ends_with("’s");
    FIRST.contains(&first.to_lowercase().as_str())
        || has_mark(given)
        || has_mark(family)
        || is_possessive
}

/// Whether a word of a name is a domain: `example.com`.
fn names_site(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let domain = word.rsplit_once('.').filter(|(label, _)| label.len() > 2);
        domain.is_some_and(|(_, end)| {
            let is_short = matches!(end.len(), 2 | 3) || end == "info" || end == "online";
            is_short && end.bytes().all(|byte| byte.is_ascii_lowercase())
        })
    })
}

pub(super) fn is_east_asian(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| c.is_alphabetic()).peekable();
    letters.peek().is_some()
        && letters.all(|c| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'))
}

pub(super) fn distinct(names: impl IntoIterator<Item = Name>) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for name in names {
        if found.len() < MAX_COUNT && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Maximum number of authors read; each is compared with the earlier ones.
const MAX_COUNT: usize = 500;

fn is_rim(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '·' | '|' | '/' | '•' | '–' | '—' | '-' | ':')
}

/// Functions on a site that are not names.
const FUNCTIONS: [&str; 24] = phrases(
    "staff|staff writer|staff reporter|admin|administrator|editor|editors|guest|contributor|\
     contributors|author|authors|writer|reporter|correspondent|senior editor|senior writer|\
     contributing writer|contributing editor|guest author|guest post|editor in chief|wp admin|\
     freelance writer",
);

fn name(text: &str) -> Name {
    // Digits after a name are footnote marks.
    let is_mark = |c: char| is_rim(c) || c.is_ascii_digit();
    let text = without_domain(text.trim_matches(is_rim));
    // A single word with digits is the name of an account.
    let text = if text.contains(char::is_whitespace) {
        text.trim_end_matches(is_mark)
    } else {
        text
    };
    let text = without_role(without_addition(text));
    let lower = text.to_lowercase().replace('-', " ");
    // The address of a site is none of a person.
    if FUNCTIONS.contains(&lower.as_str()) || names_site(text) && !text.contains(' ') {
        return Name::default();
    }
    names::from_text(text)
}

/// Removes the address of a site: `The Example (www.example.com)`.
fn without_domain(text: &str) -> &str {
    let site = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('));
    match site {
        Some((name, site)) if names_site(site) => name.trim_end(),
        _ => text,
    }
}

/// Removes what surrounds the name of a person: `Ms. Jane Roe (Example University)`, `Jane Roe et al.`
fn without_addition(text: &str) -> &str {
    const TITLES: [&str; 4] = ["Mr. ", "Mrs. ", "Ms. ", "Miss "];
    let brackets = [('(', ')'), ('[', ']')];
    let bare = brackets.iter().find_map(|(open, close)| {
        let (name, _) = text.strip_suffix(*close)?.rsplit_once(*open)?;
        Some(name.trim_end())
    });
    let is_name = |bare: &&str| bare.contains(' ') && !names::is_institution(bare);
    let bare = bare.filter(is_name).unwrap_or(text);
    let bare = bare.strip_suffix("et al.").map_or(bare, str::trim_end);
    let mut titled = TITLES.iter().filter_map(|title| bare.strip_prefix(title));
    titled.next().unwrap_or(bare)
}

/// Removes the role from a name in East Asian characters: `山田太郎　著`, `文／山田太郎`, `山田太郎（記者）`.
fn without_role(text: &str) -> &str {
    const BEFORE: [&str; 10] = words("取材・文 著者 文責 執筆 文 作者 著 記者 글 기자");
    const BEHIND: [&str; 8] = ["著者", "著", "記者", "氏", "さん", "編著", "기자", "执笔"];
    let is_joint = |c: char| c.is_whitespace() || matches!(c, '/' | '／' | ':' | '：' | '=' | '＝');
    let bare = text
        .split(['（', '(', '＠', '【'])
        .next()
        .unwrap_or(text)
        .trim();
    if !is_east_asian(bare) {
        // A Western name with such a role: `Jane Roe　著`.
        let mut head = BEHIND.iter().filter_map(|mark| text.strip_suffix(mark));
        return head.next().map_or(text, str::trim_end);
    }
    let marked = BEFORE.iter().find_map(|mark| {
        let rest = bare.strip_prefix(mark)?;
        rest.starts_with(is_joint)
            .then(|| rest.trim_start_matches(is_joint))
    });
    let bare = marked.unwrap_or(bare);
    let marked = BEHIND.iter().find_map(|mark| bare.strip_suffix(mark));
    marked
        .map(str::trim)
        .filter(|rest| !rest.is_empty())
        .unwrap_or(bare)
}

/// Words before author names, the longer first.
const LABELS: [&str; 69] = phrases(
    "article written by|this article was written by|written by|posted by|published by|\
     reported by|submitted by|story by|words by|text by|authored by|created by|article by|\
     analysis by|review by|opinion by|geschrieben von|verfasst von|veröffentlicht von|\
     gepostet von|erstellt von|text von|ein gastbeitrag von|gastbeitrag von|eingestellt von|gespeichert von|eingereicht von|soumis par|enviado por|ingezonden door|ein beitrag von|ein artikel von|escrito por|publicado por|\
     écrit par|publié par|scritto da|geschreven door|skrevet af|skrevet av|inviato da|by|von|\
     par|por|door|av|af|di|text|author|authors|author(s)|autorin/autor|penulis|szerző|teksti|\
     tekst|yazar|autor/in|autor*in|autor|autorin|autoren|auteur|автор|текст|writer|posted on by",
);

/// Whether a text in lower case is one of several words before a name: `article by`.
pub(super) fn is_label(text: &str) -> bool {
    text.contains(' ') && LABELS.contains(&text)
}

/// The text after «By», «Von», «Por» and similar words, and whether there was one.
pub(super) fn without_label(text: &str) -> (&str, bool) {
    for label in LABELS {
        let Some((head, rest)) = text.split_at_checked(label.len()) else {
            continue;
        };
        // A word that means «by» only in some languages is a given name elsewhere: `Di Lee`.
        // `di Anna Rossi` in Italian, where a particle of a name would be a capital letter.
        let is_italian = || head == "di" && rest.starts_with(' ') && rest.trim().contains(' ');
        let is_label = head.to_lowercase() == label
            && match label {
                "di" if is_italian() => true,
                "penulis" | "szerző" | "teksti" | "tekst" | "yazar" | "text" | "author"
                | "authors" | "author(s)" | "autor" | "autorin" | "autoren" | "autor*in"
                | "autor/in" | "auteur" | "автор" | "текст" | "writer" | "di" => {
                    rest.starts_with([':', '\n'])
                }
                _ => rest.starts_with(|c: char| c == ':' || c.is_whitespace()),
            };
        if is_label {
            return (
                rest.trim_start_matches(|c: char| c == ':' || c.is_whitespace()),
                true,
            );
        }
    }
    (text, false)
}

/// Splits a list at semicolons, at «and», and at commas unless they separate family and given names.
fn split(text: &str, order: Order) -> Vec<String> {
    if let Some(people) = at_dashes(text) {
        return people;
    }
    let strong: Vec<&str> = text
        .split([';', '|', '•', '\n', '、', '，'])
        .filter(|part| !part.trim().is_empty())
        .collect();
    if strong.len() > 1 {
        let is_translator = |part: &&str| part.trim_end().ends_with('訳');
        let strong = strong.into_iter().filter(|part| !is_translator(part));
        return strong.flat_map(|part| split(part, order)).collect();
    }
    if names::is_institution(text) && !text.contains(',') && !joins_people(text) {
        return vec![text.to_owned()];
    }
    // `Ministry of Trade, Culture and Research`
    let mut commas = text.split(',').map(str::trim);
    let is_body = text.contains(',') && commas.next().is_some_and(names::is_institution);
    if is_body && !commas.any(|part| is_full_name(part) && !names::is_institution(part)) {
        return vec![text.to_owned()];
    }
    let mut parts = at_joint_letters(text);
    for word in [
        " and ", " & ", " AND ", " und ", " et ", " y ", " e ", " og ", " och ", " en ", " with ",
        " / ", " и ", " та ", " ve ", " ja ", " i ", " și ",
    ] {
        parts = parts
            .into_iter()
            .flat_map(|part| at_word(&part, word))
            .collect();
    }
    parts
        .into_iter()
        .flat_map(|part| at_commas(&part, order))
        .collect()
}

/// The people of a list with dashes between whole names: `Jane Roe - Adam Berg`.
fn at_dashes(text: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = [" - ", " – ", " — "]
        .into_iter()
        .map(|dash| text.split(dash).map(str::trim).collect())
        .find(|parts: &Vec<&str>| parts.len() > 1)?;
    let is_person = |part: &&str| is_full_name(part) && !names::is_institution(part);
    let are_people = parts.iter().all(is_person);
    are_people.then(|| parts.into_iter().map(str::to_owned).collect())
}

/// Whether «and» joins two whole names of people: `Maria P. Tailor and Matt J. Weddel`.
fn joins_people(text: &str) -> bool {
    const JOINTS: [&str; 4] = [" and ", " & ", " und ", " et "];
    let sides = JOINTS.iter().find_map(|joint| text.split_once(joint));
    sides.is_some_and(|(one, other)| {
        let is_person = |side: &str| is_full_name(side.trim()) && !names::is_institution(side);
        is_person(one) && is_person(other)
    })
}

/// Splits at «and» of Arabic, which is a letter before the next name, and at those of East Asian lists.
fn at_joint_letters(text: &str) -> Vec<String> {
    let is_arabic = |c: char| matches!(c, '\u{0600}'..='\u{06ff}');
    let joint = text.match_indices(" و").find(|(at, joint)| {
        let sides = [text.get(..*at), text.get(at + joint.len()..)];
        let is_name = |side: &str| side.trim().contains(' ') && side.trim().starts_with(is_arabic);
        sides.into_iter().flatten().all(is_name)
    });
    if let Some((at, joint)) = joint {
        let sides = [text.get(..at), text.get(at + joint.len()..)];
        return sides
            .into_iter()
            .flatten()
            .map(|side| side.trim().to_owned())
            .collect();
    }
    let parts: Vec<&str> = text.split(['和', '与', 'と', '및']).collect();
    let is_name =
        |part: &&str| is_east_asian(part) && (2..=4).contains(&part.trim().chars().count());
    if parts.len() > 1 && parts.iter().all(is_name) {
        parts
            .into_iter()
            .map(|part| part.trim().to_owned())
            .collect()
    } else {
        vec![text.to_owned()]
    }
}

/// Splits at a word if both sides look like personal names.
fn at_word(text: &str, word: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        let next = after.split(',').next().unwrap_or_default();
        let words = next.split_whitespace().count();
        // `Cooking with Anna`
        let is_company =
            word == " with " && !(is_full_name(before.trim()) && is_full_name(next.trim()));
        if is_company || !(1..=6).contains(&words) || !next.chars().any(char::is_uppercase) {
            break;
        }
        parts.push(before.trim().trim_end_matches(',').to_owned());
        rest = after;
    }
    parts.push(rest.to_owned());
    parts
}

/// Agencies and broadcasters after the names of their staff.
const AGENCIES: [&str; 24] = phrases(
    "afp|agence france-presse|ansa|ap|associated press|bbc|bbc news|bloomberg|cbc news|cnn|\
     cnn business|dpa|efe|ians|npr|pa|press association|pti|reuters|the associated press|tass|\
     upi|usa today|xinhua",
);

/// Words of occupations.
const OCCUPATIONS: [&str; 47] = words(
    "advisor analyst architect attorney author ceo cfo chief coach columnist consultant contributor coordinator \
     correspondent counsel critic cto developer director editor editor-at-large editor-in-chief educator educators \
     engineer expert fellow founder co-founder journalist lecturer manager officer photographer president principal \
     producer professor reporter researcher scientist senior specialist staff strategist technologist writer",
);

/// Whether a text has a word of an occupation.
pub(super) fn is_office(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    words.any(|word| OCCUPATIONS.contains(&word.to_lowercase().as_str()))
}

/// Whether the text after a name and a comma is an employer, an office or a date: an agency, a site, an
/// occupation, several words of which some are in lower case.
fn is_affiliation(part: &str) -> bool {
    let is_phrase = || {
        let words = part.split_whitespace();
        let common = words.clone().filter(|word| {
            word.chars().all(char::is_lowercase) && !is_particle(word) && word.len() > 3
        });
        words.count() > 2 && common.count() > 0
    };
    // `Example Media for EX.com`
    let is_for_site = part
        .rsplit_once(" for ")
        .is_some_and(|(_, site)| site.contains('.') && !site.contains(' '));
    is_agency(part)
        || is_for_site
        || names_site(part)
        || part.starts_with(|c: char| c.is_ascii_digit())
        || is_office(part)
        || is_phrase()
}

fn is_agency(part: &str) -> bool {
    AGENCIES.contains(&part.to_lowercase().as_str())
}

fn at_commas(text: &str, order: Order) -> Vec<String> {
    let parts = text
        .split(',')
        .map(str::trim)
        .filter(|part| part.contains(char::is_alphabetic));
    let mut named: Vec<String> = Vec::new();
    for part in parts {
        let part = match order {
            Order::Natural => without_employer(part),
            Order::Any => part,
        };
        match named.last_mut() {
            Some(last) if is_suffix(part) => {
                last.push(' ');
                last.push_str(part);
            }
            // After a family name alone it is a given name: `Rahman, Md`.
            Some(last) if last.contains(' ') && (is_degree(part) || is_title(part)) => {}
            Some(last) if last == part => {}
            // `CNN` in `Jane Roe, CNN` is the employer.
            Some(last) if last.contains(' ') && is_affiliation(part) => {}
            _ => named.push(part.to_owned()),
        }
    }
    match named.as_slice() {
        // `Reuters, Washington`
        [agency, _place] if is_agency(agency) => vec![agency.clone()],
        [.., name, place] if order == Order::Natural && is_place_behind(name, place) => {
            named.pop();
            named
        }
        [family, given] if is_turned(family, given) => vec![format!("{family}, {given}")],
        _ => named,
    }
}

/// The name in `Jane Roe for the Daily Example`.
fn without_employer(part: &str) -> &str {
    match part.split_once(" for the ") {
        Some((name, _)) if name.contains(' ') && !names::is_institution(name) => name,
        _ => part,
    }
}

/// Whether a single word follows a whole name in its natural order: `Jane Roe, Berlin`.
fn is_place_behind(name: &str, place: &str) -> bool {
    let begins = |part: &str| part.split(' ').next().is_some_and(is_particle);
    name.contains(' ') && !place.contains(' ') && !begins(name) && !names::is_institution(name)
}

/// Whether two parts are one name, «Family, Given», unless both are whole names. A particle at either end
/// belongs to the family name: `Roe Doe, Jan van`.
fn is_turned(family: &str, given: &str) -> bool {
    let given = given.split(['(', '[']).next().unwrap_or(given).trim_end();
    !(family.contains(' ') && given.contains(' '))
        || family.split(' ').next().is_some_and(is_particle)
        || given.split(' ').next_back().is_some_and(is_particle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let read: Vec<String> = list(text).iter().map(Name::display).collect();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn each_tag_of_several_has_one_name() {
        let read =
            |tags: &[&str]| -> Vec<String> { of_tags(tags).iter().map(Name::display).collect() };
        assert_eq!(
            read(&["Roe Doe, Ana María", "Poe, Max"]),
            ["Ana María Roe Doe", "Max Poe"]
        );
        assert_eq!(read(&["Jane Roe, John Doe"]), ["Jane Roe", "John Doe"]);
        assert_eq!(
            read(&["Jane Roe, Ph.D.", "Poe, Max"]),
            ["Jane Roe", "Max Poe"]
        );
    }

    #[test]
    fn phrases_are_no_people() {
        let is_people = |text: &str| list(text).iter().all(is_person);
        for text in ["Jane Roe", "Mary O'Roe", "An Le", "Li Die"] {
            assert!(is_people(text), "{text}");
        }
        for text in [
            "Zur Übersicht",
            "Yesterday's Word",
            "Liebe_r Besucher_in",
            "More News",
        ] {
            assert!(!is_people(text), "{text}");
        }
    }

    #[test]
    fn words_beside_names_are_removed() {
        check("Veröffentlicht von Jane Roe", &["Jane Roe"]);
        check("di Anna Rossi", &["Anna Rossi"]);
        check("Gespeichert von Jane Roe", &["Jane Roe"]);
        check("Jane Roe @janeroe", &["Jane Roe"]);
        check("Jane Roe - Adam Berg", &["Jane Roe", "Adam Berg"]);
        check("Roe - Example Media", &["Roe - Example Media"]);
        check("von Roe, Jane", &["Jane von Roe"]);
        check("de la Roe, Ana María", &["Ana María de la Roe"]);
        check("Roe, Jane, 1950-2001", &["Jane Roe"]);
        check("Jane Roe (Example University)", &["Jane Roe"]);
        check("Roe, Jane [Herausgeberin]", &["Jane Roe"]);
        check("Ms. Jane Roe et al.", &["Jane Roe"]);
        check(
            "World Health Organization (WHO)",
            &["World Health Organization (WHO)"],
        );
        check("The Example (www.example.com)", &["The Example"]);
        check("Jane Roe, example.org", &["Jane Roe"]);
        check("Jane Roe, professor of tides at Example", &["Jane Roe"]);
        check("Dr. Jane Roe, Van den Berg", &["Jane Roe", "Van den Berg"]);
    }

    #[test]
    fn credits_and_accounts_are_no_people() {
        check("(Image: Jane Roe)", &[]);
        check("example.com/jane", &[]);
        check("jane5105", &["jane5105"]);
        assert!(!is_person(&names::from_text("example.com developer")));
        assert!(is_person(&names::from_text("Jane Roe Ph.D")));
    }

    #[test]
    fn lists_are_taken_apart() {
        check("Roe, Jane", &["Jane Roe"]);
        check("By Jane Roe and John Q. Doe", &["Jane Roe", "John Q. Doe"]);
        check(
            "Jane Roe, John Doe and Max Muster",
            &["Jane Roe", "John Doe", "Max Muster"],
        );
        check("Roe, Jane; Doe, John", &["Jane Roe", "John Doe"]);
        check("Von Erika Muster", &["Erika Muster"]);
        check("https://example.org/jane", &[]);
        check("Jane Roe, PhD", &["Jane Roe"]);
        check("Ma, Wei", &["Wei Ma"]);
        check("By Jane Roe and John Doe, CNN", &["Jane Roe", "John Doe"]);
        check("Roe, Martin Luther, Jr.", &["Martin Luther Roe Jr."]);
        check("World Health Organization", &["World Health Organization"]);
        check("AFP, AFP", &["AFP"]);
        check("Jane Roe, Staff Writer", &["Jane Roe"]);
        check("JANE ROE, AP Science Writer", &["JANE ROE"]);
        check("Jane Roe, CNN Editor-at-large", &["Jane Roe"]);
        check("Jane Roe, Example Media for EX.com", &["Jane Roe"]);
        check("Jane Roe, 17th December", &["Jane Roe"]);
        check(
            "Jane Roe, John Doe for the Daily Example",
            &["Jane Roe", "John Doe"],
        );
        check("Jane Roe, Berlin", &["Jane Roe"]);
        check("Jane Roe, John Doe, Berlin", &["Jane Roe", "John Doe"]);
        check("Reuters, Washington", &["Reuters"]);
        check("Текст: Анна Иванова", &["Анна Иванова"]);
    }

    #[test]
    fn names_of_catalogues_may_be_turned() {
        let read = |text| names(text).iter().map(Name::display).collect::<Vec<_>>();
        assert_eq!(read("Roe Doe, Ana"), ["Ana Roe Doe"]);
        assert_eq!(
            read("Roe Júnior, Ana Maria de [EX]"),
            ["Ana Maria de Roe Júnior"]
        );
        assert_eq!(read("Jane Roe, John Doe"), ["Jane Roe", "John Doe"]);
    }

    #[test]
    fn east_asian_names_lose_their_roles() {
        check("山田太郎　著、佐藤花子　監訳", &["山田太郎"]);
        check("文／山田太郎", &["山田太郎"]);
        check("山田太郎（記者）", &["山田太郎"]);
        check("Jane Roe　著、佐藤花子　監訳", &["Jane Roe"]);
    }
}
