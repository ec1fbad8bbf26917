//! How many people the style of a list names.

use super::reference::Reference;

/// The least references with names of a list that tells its style.
const MIN_REFERENCES: usize = 6;

/// The largest number of people that a style names without a word for the others.
const MAX_SHOWN: usize = 10;

/// A style may name only the first people and leave out the others without a word. Then a third of the list has just
/// as many people as the longest of its references, and none has a word for others: the longest ones may go on.
pub fn mark_cut_people<'r>(references: impl Iterator<Item = &'r mut Reference>) {
    let mut printed: Vec<&mut Reference> = references
        .filter(|reference| !reference.names_listed && !reference.names.is_empty())
        .collect();
    let count = |reference: &Reference| reference.names.len();
    let most = printed.iter().map(|reference| count(reference)).max();
    let most = most.unwrap_or_default();
    let longest = { printed.iter() }.filter(|r| count(r) == most).count();
    let is_cut = printed.len() >= MIN_REFERENCES
        && most <= MAX_SHOWN
        && longest * 3 >= printed.len()
        && !printed.iter().any(|reference| reference.has_others);
    for reference in printed.iter_mut().filter(|r| is_cut && count(r) == most) {
        reference.has_others = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many references may go on, of a list with so many people each.
    #[track_caller]
    fn check(counts: &[usize], mark: &str, expected: usize) {
        const NAMES: [&str; 6] = ["Ash A", "Birch B", "Cedar C", "Elm D", "Fir E", "Oak F"];
        let texts = counts.iter().map(|count| {
            let names = NAMES[..*count].join(", ");
            format!("{names}. Title of it. Ring. 2001;3:4-5.")
        });
        let mut list: Vec<Reference> = texts.map(|text| Reference::parse(&text)).collect();
        list.push(Reference::parse(&format!(
            "Gum G{mark}. Other title. Ring. 2002;3:4."
        )));
        mark_cut_people(list.iter_mut());
        let last = list.pop();
        assert!(last.is_some_and(|last| last.has_others != mark.is_empty()));
        assert_eq!(list.iter().filter(|r| r.has_others).count(), expected);
    }

    #[test]
    fn style_of_a_list_cuts_its_longest_references() {
        check(&[1, 3, 3, 2, 3, 3], "", 4);
        // The longest are few, the list is short, or it has a word for others.
        check(&[1, 3, 2, 2, 4, 6], "", 0);
        check(&[3, 3, 3], "", 0);
        check(&[1, 3, 3, 2, 3, 3], ", et al", 0);
    }
}
