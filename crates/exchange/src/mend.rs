//! Faults that exports of well-known programs make, mended in the item with a notice. What an author may
//! have meant so is only named.

use crate::pages;
use crate::problem::{Notice, Notices, cut};
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NumberVar, TextVar};

/// Mends an item whose record stands at a byte offset of the text.
pub(crate) fn mend(item: &mut Item, offset: usize, notices: &mut Notices) {
    let mut notice = |code, message: String| {
        notices.push(Notice {
            code,
            message,
            offset,
        });
    };
    for said in missing_values(item) {
        notice(
            "missing_value",
            format!("“{said}” is what a spreadsheet writes for nothing; it was left out."),
        );
    }
    for said in names(item) {
        notice("mended_name", said);
    }
    if let Some(page) = item.number(NumberVar::Page)
        && let Some(once) = pages::once(page)
    {
        notice(
            "doubled_pages",
            format!("The pages “{page}” are given twice; “{once}” was taken."),
        );
        let once = once.to_owned();
        item.set_number(NumberVar::Page, once);
    }
    if let Some(title) = item.text(TextVar::Title)
        && is_in_capitals(title)
    {
        let title = cut(title, LONGEST_SHOWN);
        notice(
            "title_in_capitals",
            format!(
                "The title is in capitals, which no style undoes: “{title}”. Write it as a sentence."
            ),
        );
    }
}

/// Bytes of a value that a message repeats.
const LONGEST_SHOWN: usize = 100;

/// Takes `nan` out, as pandas and R write empty cells.
fn missing_values(item: &mut Item) -> Vec<String> {
    let is_missing = |text: &str| matches!(text, "nan" | "NaN" | "NAN" | "#N/A");
    let mut found = Vec::new();
    let texts: Vec<TextVar> = item
        .text
        .iter()
        .filter(|(_, text)| is_missing(text))
        .map(|(v, _)| v)
        .collect();
    for variable in texts {
        found.extend(item.text.remove(variable));
    }
    let numbers: Vec<NumberVar> = item
        .number
        .iter()
        .filter(|(_, text)| is_missing(text))
        .map(|(v, _)| v)
        .collect();
    for variable in numbers {
        found.extend(item.number.remove(variable));
    }
    found
}

/// Mends lists of names, and says what was mended.
fn names(item: &mut Item) -> Vec<String> {
    let mut said = Vec::new();
    for (_, names) in item.names.iter_mut() {
        let before = names.len();
        names.retain(|name| !is_others(name));
        if names.len() < before {
            said.push("“And others” is no name; the list of names is not complete.".to_owned());
        }
        for name in names {
            if let Some(mended) = with_initials(name) {
                said.push(format!(
                    "“{}” was taken for a family name and initials.",
                    name.heading()
                ));
                *name = mended;
            }
        }
    }
    said
}

fn is_others(name: &Name) -> bool {
    let is = |text: Option<&str>, words: &[&str]| {
        let text = text.map(|text| text.trim_end_matches('.').to_ascii_lowercase());
        text.is_some_and(|text| words.contains(&text.as_str()))
    };
    match (&name.family, &name.given) {
        (Some(family), None) => is(Some(family), &["others", "et al", "and others"]),
        (Some(family), Some(given)) => {
            is(Some(family), &["others", "al"]) && is(Some(given), &["and", "et"])
        }
        _ => is(name.literal.as_deref(), &["others", "et al", "and others"]),
    }
}

/// `Francis HC`, a family name with initials behind it and nothing given, as PubMed writes names.
fn with_initials(name: &Name) -> Option<Name> {
    let whole = match (&name.family, &name.given, &name.literal) {
        (Some(whole), None, None) | (None, None, Some(whole)) => whole,
        _ => return None,
    };
    let (family, initials) = whole.rsplit_once(' ')?;
    let are_initials =
        (1..=3).contains(&initials.len()) && initials.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_name = |word: &str| {
        let mut chars = word.chars();
        chars.next().is_some_and(char::is_alphabetic)
            && chars.any(char::is_lowercase)
            && !word.ends_with(',')
    };
    // `World Bank EU` is none: only the last word of a name may be a capitalised one of several.
    let words: Vec<&str> = family.split(' ').collect();
    let (last, particles) = words.split_last()?;
    let are_particles = particles
        .iter()
        .all(|word| word.chars().all(char::is_lowercase));
    (are_initials && is_name(last) && are_particles).then(|| Name {
        family: Some(family.to_owned()),
        given: Some(spaced(initials)),
        literal: None,
        ..name.clone()
    })
}

/// `H. C.`
fn spaced(initials: &str) -> String {
    let initials: Vec<String> = initials.chars().map(|c| format!("{c}.")).collect();
    initials.join(" ")
}

/// Whether a text of several words has no small letter but has the two cases.
fn is_in_capitals(text: &str) -> bool {
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    capitals >= 12 && text.contains(' ') && !text.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::variable::NameVar;

    fn mended(mut item: Item) -> (Item, Vec<&'static str>) {
        let mut notices = Notices::default();
        mend(&mut item, 0, &mut notices);
        (item, notices.codes())
    }

    #[test]
    fn initials_behind_a_family_name_are_given_names() {
        let check = |family: &str, expected: Option<(&str, &str)>| {
            let mut item = Item::default();
            item.set_names(NameVar::Author, vec![Name::person(family, "")]);
            let (item, codes) = mended(item);
            let name = &item.names(NameVar::Author)[0];
            let (family, given) = expected.unwrap_or((family, ""));
            assert_eq!(name.family.as_deref(), Some(family));
            assert_eq!(name.given.as_deref().unwrap_or_default(), given);
            assert_eq!(codes.len(), usize::from(expected.is_some()));
        };
        check("Francis HC", Some(("Francis", "H. C.")));
        check("van der Berg J", Some(("van der Berg", "J.")));
        check("World Bank EU", None);
        check("NASA USA", None);
        check("Plato", None);
    }

    #[test]
    fn others_are_no_name() {
        for others in [
            Name::person("others", ""),
            Name::person("al.", "et"),
            Name::literal("et al."),
        ] {
            let mut item = Item::default();
            item.set_names(NameVar::Author, vec![Name::person("Doe", "J."), others]);
            let (item, codes) = mended(item);
            assert_eq!(item.names(NameVar::Author).len(), 1);
            assert_eq!(codes, ["mended_name"]);
        }
    }

    #[test]
    fn empty_cells_doubled_pages_and_capitals_are_told() {
        let mut item = Item::default();
        item.set_text(TextVar::Publisher, "nan");
        item.set_number(NumberVar::Issue, "NaN");
        item.set_number(NumberVar::Page, "12-15-12-15");
        item.set_text(TextVar::Title, "THE ORIGIN OF IT ALL");
        let (item, codes) = mended(item);
        assert_eq!(
            codes,
            [
                "missing_value",
                "missing_value",
                "doubled_pages",
                "title_in_capitals"
            ]
        );
        assert_eq!(item.number(NumberVar::Page), Some("12-15"));
        assert_eq!(item.text(TextVar::Title), Some("THE ORIGIN OF IT ALL"));
        assert_eq!(item.text(TextVar::Publisher), None);
    }
}
