//! Citation keys for a list of items, no two alike (interface decisions, section 7). What one is
//! made of is a [`Pattern`].

use std::collections::{HashMap, HashSet};

use super::key_pattern::Pattern;
use crate::model::item::Item;
use crate::model::variable::TextVar;

/// A key for each item, unique also for those who do not mind case, as BibTeX. The first item
/// with a base keeps it bare, the next ones get `a` to `z`, `aa` and so on, so that an item added
/// later never changes the key of another.
pub fn assign(items: &[Item], pattern: &Pattern) -> Vec<String> {
    let mut taken = Taken::default();
    let keys = items.iter().map(|item| taken.unique(pattern.base(item)));
    keys.collect()
}

/// The keys to write items under: each item's own citation key or id where it is valid and not
/// taken by an item before it, else an assigned one.
pub fn for_export(items: &[Item]) -> Vec<String> {
    let (mut taken, pattern) = (Taken::default(), Pattern::default());
    // All own keys are reserved first: an assigned key must not take one from a later item.
    let own: Vec<Option<&str>> = items
        .iter()
        .map(|item| own_key(item).filter(|key| taken.reserve(key)))
        .collect();
    own.into_iter()
        .zip(items)
        .map(|(own, item)| own.map_or_else(|| taken.unique(pattern.base(item)), str::to_owned))
        .collect()
}

fn own_key(item: &Item) -> Option<&str> {
    let key = item.text(TextVar::CitationKey);
    key.into_iter()
        .chain([item.id.as_str()])
        .find(|key| is_valid(key))
}

/// Whether BibTeX and LaTeX take a key as it is: printable ASCII without blanks and without the
/// signs that end a key, open a comment or are special in the argument of `\cite`.
pub fn is_valid(key: &str) -> bool {
    let harmless = |b: u8| {
        b.is_ascii_graphic()
            && !matches!(
                b,
                b'{' | b'}' | b',' | b'"' | b'#' | b'%' | b'~' | b'\\' | b'=' | b'@'
            )
    };
    // Beyond this length a key is text that strayed into the field.
    (1..=250).contains(&key.len()) && key.bytes().all(harmless)
}

/// Keys in use, in lower case, and how far the suffixes of each base have been given away.
#[derive(Default)]
struct Taken {
    keys: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Taken {
    /// False where the key is in use.
    fn reserve(&mut self, key: &str) -> bool {
        self.keys.insert(key.to_ascii_lowercase())
    }

    fn unique(&mut self, base: String) -> String {
        let folded = base.to_ascii_lowercase();
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

/// Nothing for 0, then `a` to `z`, `aa`, `ab` and so on.
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
    use crate::model::date::{Date, DateParts};
    use crate::model::item_type::ItemType;
    use crate::model::name::Name;
    use crate::model::variable::{DateVar, NameVar};

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
        let keys = for_export(&[
            own("a b"),
            own("DBLP:x/y"),
            own("Smith2020"),
            own("SMITH2020"),
            own(""),
        ]);
        assert_eq!(
            keys,
            [
                "Smith2020a",
                "DBLP:x/y",
                "Smith2020",
                "Smith2020b",
                "Smith2020c"
            ]
        );
    }
}
