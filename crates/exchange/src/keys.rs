//! Unique citation keys for a list of items (interface decisions, section 7), made from a [`Pattern`].

use std::collections::{HashMap, HashSet};

use crate::key_pattern::Pattern;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// A key for each item, unique case-insensitively, as BibTeX requires. The first item with a base keeps it,
/// the next get `a` to `z`, `aa` and so on, so that adding an item never changes an existing key.
pub fn assign(items: &[Item], pattern: &Pattern) -> Vec<String> {
    let mut taken = Taken::default();
    let keys = items.iter().map(|item| taken.unique(pattern.base(item)));
    keys.collect()
}

/// The letters allowed in the keys of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Letters of every script, which biblatex and BibTeX accept in UTF-8.
    Any,
    Ascii,
}

/// The keys to write: each item's own citation key or id if valid and not used by an earlier item,
/// otherwise an assigned one. If keys must be ASCII, an own key is transliterated.
pub fn for_export(items: &[Item], letters: Letters) -> Vec<String> {
    let (mut taken, pattern) = (Taken::default(), Pattern::default());
    // All own keys are reserved first, so that an assigned key never takes one from a later item.
    let own: Vec<Own<'_>> = items
        .iter()
        .map(|item| match own_key(item) {
            Some(key) if letters == Letters::Ascii && !key.is_ascii() => Own::Foreign(key),
            Some(key) if taken.reserve(key) => Own::Kept(key),
            _ => Own::None,
        })
        .collect();
    own.into_iter()
        .zip(items)
        .map(|(own, item)| match own {
            Own::Kept(key) => key.to_owned(),
            Own::Foreign(key) => taken.unique(transliterated(key)),
            Own::None => taken.unique(pattern.base(item)),
        })
        .collect()
}

/// The outcome for an item's own key.
enum Own<'i> {
    Kept(&'i str),
    /// Has letters that the file does not allow.
    Foreign(&'i str),
    None,
}

fn transliterated(key: &str) -> String {
    let ascii = deunicode::deunicode(key);
    let valid: String = ascii.chars().filter(|c| is_harmless(*c)).collect();
    if valid.is_empty() {
        "Anon".to_owned()
    } else {
        valid
    }
}

/// Gives a unique key to every item that needs one, so that [`for_export`] changes none. Keys are assigned
/// in the order of the items' numbers, that is, in which they were added; neither later items nor another
/// order change a key. Keys of removed items stay reserved as long as they are known. An own key that an
/// earlier item has is replaced.
pub fn assign_stable(items: &mut [(i64, Item)], removed: &[(i64, Item)]) {
    let (mut taken, pattern) = (Taken::default(), Pattern::default());
    let places = (0..items.len()).map(Some);
    let present = items.iter().map(|(added, item)| (*added, item));
    let mut by_age: Vec<(i64, &Item, Option<usize>)> = present
        .zip(places)
        .map(|((added, item), place)| (added, item, place))
        .chain(removed.iter().map(|(added, item)| (*added, item, None)))
        .collect();
    by_age.sort_by_key(|(added, _, _)| *added);
    let mut assigned: Vec<(usize, String)> = Vec::new();
    for (_, item, place) in by_age {
        if own_key(item).is_some_and(|key| taken.reserve(key)) {
            continue;
        }
        let key = taken.unique(pattern.base(item));
        assigned.extend(place.map(|place| (place, key)));
    }
    for (place, key) in assigned {
        let Some((_, item)) = items.get_mut(place) else {
            continue;
        };
        if item.id.is_empty() && item.text(TextVar::CitationKey).is_none() {
            item.id = key
        } else {
            item.set_text(TextVar::CitationKey, key)
        }
    }
}

/// An item written under a key other than its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedKey {
    pub from: String,
    pub to: String,
}

/// The items' own keys that [`for_export`] does not keep.
pub fn changed(items: &[Item], letters: Letters) -> Vec<ChangedKey> {
    let keys = for_export(items, letters);
    let changes = items.iter().zip(keys).filter_map(|(item, to)| {
        let from = item.text(TextVar::CitationKey).unwrap_or(&item.id);
        (!from.is_empty() && from != to).then(|| ChangedKey {
            from: from.to_owned(),
            to,
        })
    });
    changes.collect()
}

fn own_key(item: &Item) -> Option<&str> {
    let key = item.text(TextVar::CitationKey);
    key.into_iter()
        .chain([item.id.as_str()])
        .find(|key| is_valid(key))
}

/// Whether BibTeX and LaTeX accept a key unchanged: letters of any script and printable ASCII, without
/// blanks and characters that end a key, start a comment or are special in the argument of `\cite`.
pub fn is_valid(key: &str) -> bool {
    // A longer key is text that got into the field by mistake.
    (1..=250).contains(&key.len()) && key.chars().all(is_harmless)
}

fn is_harmless(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_graphic()
            && !matches!(
                c,
                // Two `^` make another character of those behind them.
                '{' | '}' | ',' | '"' | '#' | '%' | '~' | '\\' | '=' | '@' | '^'
            )
    } else {
        c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
    }
}

/// Used keys in lower case, and the last suffix assigned for each base.
#[derive(Default)]
struct Taken {
    keys: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Taken {
    /// Returns false if the key is in use.
    fn reserve(&mut self, key: &str) -> bool {
        self.keys.insert(key.to_lowercase())
    }

    fn unique(&mut self, base: String) -> String {
        let folded = base.to_lowercase();
        let mut number = self.next.get(&folded).copied().unwrap_or(0);
        loop {
            let key = format!("{base}{}", suffix(number));
            number += 1;
            if self.reserve(&key) {
                self.next.insert(folded, number);
                return key;
            }
        }
    }
}

/// Empty for 0, then `a` to `z`, `aa`, `ab` and so on.
fn suffix(mut number: usize) -> String {
    let mut letters = Vec::new();
    while number > 0 {
        number -= 1;
        letters.push((b'a' + (number % 26) as u8) as char);
        number /= 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::date::{Date, DateParts};
    use citation_model::item_type::ItemType;
    use citation_model::name::Name;
    use citation_model::variable::{DateVar, NameVar};

    fn item(name: Option<Name>, title: &str, year: Option<i32>) -> Item {
        let mut item = Item::new("", ItemType::Book);
        item.set_names(NameVar::Author, name.into_iter().collect());
        item.set_text(TextVar::Title, title);
        item.set_date(
            DateVar::Issued,
            year.map(|y| Date::from(DateParts::year(y)))
                .unwrap_or_default(),
        );
        item
    }

    #[track_caller]
    fn check(name: Option<Name>, title: &str, year: Option<i32>, expected: &str) {
        assert_eq!(
            assign(&[item(name, title, year)], &Pattern::default()),
            [expected]
        );
    }

    #[test]
    fn keys_are_made_of_name_and_year() {
        check(
            Some(Name::person("Smith", "J.")),
            "x",
            Some(2020),
            "Smith2020",
        );
        check(Some(Name::person("Müller", "J.")), "x", None, "Mullernd");
        let berg = Name {
            non_dropping_particle: Some("van der".into()),
            ..Name::person("Berg", "A")
        };
        check(Some(berg), "x", Some(1999), "vanderBerg1999");
        check(
            Some(Name::literal("World Health Organization, Geneva")),
            "x",
            Some(2003),
            "WorldHealthOrganization2003",
        );
        check(
            Some(Name::person("O'Neil-Ødegård", "")),
            "x",
            Some(2003),
            "ONeilOdegard2003",
        );
        check(
            None,
            "The <i>origin</i> of species",
            Some(1859),
            "Origin1859",
        );
        check(None, "", None, "Anonnd");
        check(Some(Name::person("王", "伟")), "x", Some(2001), "Wang2001");
    }

    #[test]
    fn the_first_of_a_base_stays_bare() {
        let one = item(Some(Name::person("Smith", "")), "x", Some(2020));
        let keys = assign(&vec![one; 29], &Pattern::default());
        assert_eq!(&keys[..3], ["Smith2020", "Smith2020a", "Smith2020b"]);
        assert_eq!(&keys[26..], ["Smith2020z", "Smith2020aa", "Smith2020ab"]);
    }

    #[test]
    fn own_keys_stay_where_they_are_valid_and_free() {
        let own = |id: &str| Item {
            id: id.into(),
            ..item(Some(Name::person("Smith", "")), "", Some(2020))
        };
        let items = [
            own("a b"),
            own("DBLP:x/y"),
            own("Smith2020"),
            own("SMITH2020"),
            own(""),
        ];
        assert_eq!(
            for_export(&items, Letters::Any),
            [
                "Smith2020a",
                "DBLP:x/y",
                "Smith2020",
                "Smith2020b",
                "Smith2020c"
            ]
        );
    }

    fn smith(key: &str) -> Item {
        Item {
            id: key.into(),
            ..item(Some(Name::person("Smith", "")), "", Some(2020))
        }
    }

    #[test]
    fn own_keys_may_be_in_any_script_and_have_an_ascii_form() {
        let items = [
            "müller2000",
            "毛2000",
            "muller2000",
            "Müller2000",
            "a\u{a0}b",
        ]
        .map(smith);
        let check =
            |letters, expected: [&str; 5]| assert_eq!(for_export(&items, letters), expected);
        check(
            Letters::Any,
            [
                "müller2000",
                "毛2000",
                "muller2000",
                "Smith2020",
                "Smith2020a",
            ],
        );
        check(
            Letters::Ascii,
            [
                "muller2000a",
                "Mao2000",
                "muller2000",
                "Muller2000b",
                "Smith2020",
            ],
        );
        let changes = changed(&items, Letters::Any);
        let told: Vec<&str> = changes.iter().map(|change| change.to.as_str()).collect();
        assert_eq!(told, ["Smith2020", "Smith2020a"]);
        assert_eq!(changed(&items, Letters::Ascii).len(), 4);
    }

    #[test]
    fn stable_keys_go_by_age() {
        let check = |items: &[(i64, &str)], removed: &[(i64, &str)], expected: &[&str]| {
            let numbered = |items: &[(i64, &str)]| -> Vec<(i64, Item)> {
                let items = items.iter();
                items.map(|(added, key)| (*added, smith(key))).collect()
            };
            let mut items = numbered(items);
            assign_stable(&mut items, &numbered(removed));
            let items: Vec<Item> = items.into_iter().map(|(_, item)| item).collect();
            assert_eq!(for_export(&items, Letters::Any), expected);
        };
        check(&[(1, ""), (2, "")], &[], &["Smith2020", "Smith2020a"]);
        check(&[(2, ""), (1, "")], &[], &["Smith2020a", "Smith2020"]);
        check(&[(2, "")], &[(1, "")], &["Smith2020a"]);
        check(
            &[(1, ""), (3, "Smith2020")],
            &[],
            &["Smith2020", "Smith2020a"],
        );
        check(
            &[(3, ""), (1, "Smith2020"), (2, "b")],
            &[],
            &["Smith2020a", "Smith2020", "b"],
        );
    }
}
