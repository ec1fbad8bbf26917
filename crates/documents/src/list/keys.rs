//! Keys printed before entries, as in the index of LibreOffice: `Doe01: Jane Doe, Rings, 2001`. They are labels,
//! not authors, if the whole list has them.

use std::collections::HashSet;

use crate::document::ListedReference;
use crate::shape::entry_key;

/// Makes the keys before the entries of a list their labels.
pub(crate) fn separate(references: &mut [ListedReference]) {
    const MIN_COUNT: usize = 3;
    let keys: Vec<&str> = { references.iter() }
        .filter(|reference| reference.label.is_none() && reference.item.is_none())
        .map_while(|reference| entry_key(&reference.text))
        .collect();
    let distinct: HashSet<&str> = keys.iter().copied().collect();
    // The name of an author alone has no digits; a list of such names is not one of keys.
    let with_digits = keys.iter().filter(|key| has_digit(key)).count();
    let are_keys = keys.len() == references.len()
        && keys.len() >= MIN_COUNT
        && distinct.len() == keys.len()
        && with_digits * 2 >= keys.len();
    if !are_keys {
        return;
    }
    for reference in references {
        let Some((key, text)) = reference.text.split_once(": ") else {
            continue;
        };
        reference.label = Some(key.to_owned());
        reference.text = text.trim_start().to_owned();
    }
}

fn has_digit(key: &str) -> bool {
    key.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: &[(Option<&str>, &str)]) {
        let mut references: Vec<ListedReference> = { texts.iter() }
            .map(|text| ListedReference {
                text: (*text).to_owned(),
                ..ListedReference::default()
            })
            .collect();
        separate(&mut references);
        let found: Vec<(Option<&str>, &str)> = { references.iter() }
            .map(|reference| (reference.label.as_deref(), reference.text.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn keys_of_a_whole_list_are_labels() {
        check(
            &[
                "DOE10: John Doe, Rings, 1910",
                "R&P92: R. Roe, Knots, 1992",
                "Moe: M. Moe, Bows, 1989",
            ],
            &[
                (Some("DOE10"), "John Doe, Rings, 1910"),
                (Some("R&P92"), "R. Roe, Knots, 1992"),
                (Some("Moe"), "M. Moe, Bows, 1989"),
            ],
        );
    }

    #[test]
    fn names_and_titles_before_a_colon_are_no_keys() {
        let names = ["Doe: Rings, 1910", "Roe: Knots, 1992", "Moe: Bows, 1989"];
        check(&names, &names.map(|text| (None, text)));
        let one = [
            "DOE10: Rings, 1910",
            "R. Roe, Knots, 1992",
            "M. Moe, Bows, 1989",
        ];
        check(&one, &one.map(|text| (None, text)));
    }
}
