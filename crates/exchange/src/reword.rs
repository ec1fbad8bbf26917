//! Applies a new wording to a text word by word: only words that differ are changed, not the text between
//! them.

use std::ops::Range;

use crate::correction::{Edits, is_plain};

/// Placeholder for masked markup: neither a letter nor a blank.
const MASK: char = '\u{1}';
/// Maximum number of words; longer wordings are left unchanged.
const MAX_WORDS: usize = 200;

/// A text of the same length with these ranges masked.
pub fn mask(text: &str, places: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(text.len());
    for place in places {
        let Some(between) = text.get(masked.len()..place.start) else {
            continue;
        };
        masked.push_str(between);
        masked.extend(std::iter::repeat_n(MASK, place.len()));
    }
    masked.push_str(text.get(masked.len()..).unwrap_or_default());
    masked
}

/// A word and its range.
struct Word {
    /// In lower case, without BibTeX braces within words.
    folded: String,
    place: Range<usize>,
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        let continued = words.last_mut().filter(|word| {
            let between = text.get(word.place.end..at);
            between.is_some_and(|between| between.chars().all(|c| matches!(c, '{' | '}')))
        });
        match continued {
            Some(word) => {
                word.folded.extend(c.to_lowercase());
                word.place.end = at + c.len_utf8();
            }
            None => words.push(Word {
                folded: c.to_lowercase().collect(),
                place: at..at + c.len_utf8(),
            }),
        }
    }
    words
}

/// The range of the only occurrence of a wording in a text.
pub fn find(text: &str, wording: &str) -> Option<Range<usize>> {
    let all = words(text);
    let found = only(&all, &words(wording))?;
    Some(found.first()?.place.start..found.last()?.place.end)
}

/// The words of a text that match a wording, if they occur exactly once.
fn only<'a>(all: &'a [Word], wording: &[Word]) -> Option<&'a [Word]> {
    if wording.is_empty() || wording.len() > MAX_WORDS {
        return None;
    }
    let is_it = |window: &&[Word]| {
        let mut pairs = window.iter().zip(wording);
        pairs.all(|(a, b)| a.folded == b.folded)
    };
    let mut places = all.windows(wording.len()).filter(is_it);
    match (places.next(), places.next()) {
        (Some(place), None) => Some(place),
        _ => None,
    }
}

/// The source of the capitals of new words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capitals {
    /// The new wording.
    Found,
    /// The words that they replace, because styles capitalise titles differently.
    Given,
}

/// The edits that change `given` to `found` in a text. `None` if `given` does not occur exactly once, or if
/// more than words would change.
pub fn reword(text: &str, given: &str, found: &str, capitals: Capitals) -> Option<Edits> {
    let all = words(text);
    let (old, new) = (words(given), words(found));
    let there = only(&all, &old)?;
    if new.is_empty() || new.len() > MAX_WORDS {
        return None;
    }
    let style = Case::of(found, &new, capitals);
    let groups = changes(&old, &new);
    let edits = groups.iter().map(|change| {
        let wording = new.get(change.new.clone())?;
        edit(text, there, change.old.clone(), found, wording, &style)
    });
    let edits: Option<Vec<Edits>> = edits.collect();
    Some(edits?.concat())
}

/// A replacement of words; one side may be empty.
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

/// The smallest set of changes from one wording to the other.
fn changes(old: &[Word], new: &[Word]) -> Vec<Change> {
    let is_kept = |o: usize, n: usize| matches!((old.get(o), new.get(n)), (Some(o), Some(n)) if o.folded == n.folded);
    let width = new.len() + 1;
    // Length of the longest common subsequence of the remainders.
    let mut kept = vec![0; (old.len() + 1) * width];
    let at = |kept: &[usize], o: usize, n: usize| kept.get(o * width + n).copied().unwrap_or(0);
    for o in (0..old.len()).rev() {
        for n in (0..new.len()).rev() {
            let most = if is_kept(o, n) {
                at(&kept, o + 1, n + 1) + 1
            } else {
                at(&kept, o + 1, n).max(at(&kept, o, n + 1))
            };
            if let Some(cell) = kept.get_mut(o * width + n) {
                *cell = most;
            }
        }
    }
    let (mut o, mut n) = (0, 0);
    let mut changes = Vec::new();
    while o < old.len() || n < new.len() {
        let (from_old, from_new) = (o, n);
        while (o < old.len() || n < new.len()) && !is_kept(o, n) {
            if n == new.len() || o < old.len() && at(&kept, o + 1, n) >= at(&kept, o, n + 1) {
                o += 1
            } else {
                n += 1
            }
        }
        if from_old < o || from_new < n {
            changes.push(Change {
                old: from_old..o,
                new: from_new..n,
            });
        }
        while is_kept(o, n) {
            (o, n) = (o + 1, n + 1);
        }
    }
    changes
}

/// The edit for one change.
fn edit(
    text: &str,
    there: &[Word],
    old: Range<usize>,
    found: &str,
    new: &[Word],
    style: &Case,
) -> Option<Edits> {
    let place = |n: usize| there.get(n).map(|word| word.place.clone());
    let before = old.start.checked_sub(1).and_then(place);
    let is_blank = |gap: Range<usize>| text.get(gap) == Some(" ");
    if old.len() == new.len() {
        let pairs = old.zip(new).map(|(n, word)| {
            let place = place(n)?;
            let was = text.get(place.clone()).filter(|word| is_plain(word))?;
            Some((place, style.like(was, found.get(word.place.clone())?)))
        });
        return pairs.collect();
    }
    let Some((first, last)) = new.first().zip(new.last()) else {
        let (start, end) = (place(old.start)?, place(old.end.checked_sub(1)?)?);
        let (range, gap) = match (place(old.end), before) {
            (Some(next), _) => (start.start..next.start, end.end..next.start),
            (None, Some(before)) => (before.end..end.end, before.end..start.start),
            (None, None) => return None,
        };
        return (is_blank(gap) && text.get(range.clone()).is_some_and(is_plain))
            .then(|| vec![(range, String::new())]);
    };
    let wording = found.get(first.place.start..last.place.end)?;
    if !is_plain(wording) {
        return None;
    }
    if old.is_empty() {
        return match (before, place(old.start)) {
            (Some(before), Some(next)) if is_blank(before.end..next.start) => {
                Some(vec![(next.start..next.start, format!("{wording} "))])
            }
            (None, Some(next)) => Some(vec![(next.start..next.start, format!("{wording} "))]),
            (Some(before), None) => Some(vec![(before.end..before.end, format!(" {wording}"))]),
            _ => None,
        };
    }
    let range = place(old.start)?.start..place(old.end.checked_sub(1)?)?.end;
    let was = text.get(range.clone()).filter(|was| is_plain(was))?;
    Some(vec![(range, style.like(was, wording))])
}

/// The capitalisation of a wording; citation styles differ in it.
struct Case {
    capitals: Capitals,
    /// Words that are capitalised only because of title case.
    is_title: bool,
    is_shouted: bool,
}

impl Case {
    fn of(text: &str, words: &[Word], capitals: Capitals) -> Case {
        let begins = |word: &&Word| {
            let first = text.get(word.place.clone()).and_then(|w| w.chars().next());
            first.is_some_and(char::is_uppercase)
        };
        let begun = words.iter().filter(begins).count();
        Case {
            capitals,
            is_title: words.len() > 2 && begun * 2 > words.len(),
            is_shouted: words.len() > 2 && !text.chars().any(char::is_lowercase),
        }
    }

    /// A word capitalised like the one that it replaces.
    fn like(&self, was: &str, word: &str) -> String {
        if self.capitals == Capitals::Found {
            return word.to_owned();
        }
        let is_capital = |text: &str| text.chars().next().is_some_and(char::is_uppercase);
        let lowered = if self.is_shouted && was.chars().any(char::is_lowercase) {
            word.to_lowercase()
        } else {
            word.to_owned()
        };
        let (first, rest) = lowered
            .split_at_checked(lowered.chars().next().map_or(0, char::len_utf8))
            .unwrap_or_default();
        let is_name = rest.chars().any(char::is_uppercase);
        match (is_capital(was), is_capital(first)) {
            (true, false) => first.to_uppercase() + rest,
            (false, true) if self.is_title && !is_name => first.to_lowercase() + rest,
            _ => lowered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correction::apply;

    fn check(text: &str, given: &str, found: &str, expected: Option<&str>) {
        let changed = reword(text, given, found, Capitals::Given);
        let changed = changed.map(|edits| apply(text, edits).unwrap());
        assert_eq!(changed.as_deref(), expected, "{given} → {found}");
    }

    #[test]
    fn words_that_differ_change_alone() {
        let text = "Doe, J. On the *Rings* of the\n  chain-making Worm, 2001.";
        let given = "On the Rings of the chain-making Worm";
        let on = |from: &str, to: &str| Some(text.replace(from, to));
        let check = |found: &str, expected: Option<String>| {
            check(text, given, found, expected.as_deref());
        };
        check(
            "On the knots of the chain making Worm",
            on("Rings", "Knots"),
        );
        check(
            "On the Rings of the Chain-Breaking Worm",
            on("making", "breaking"),
        );
        check("On Rings of the chain-making Worm", None);
        check(
            "On the Rings of the chain-making Red Worm",
            on("Worm", "Red Worm"),
        );
        check(
            "On Some of the Rings of the chain-making Worm",
            on("the *", "Some of the *"),
        );
    }

    #[test]
    fn word_goes_where_a_blank_parts_it() {
        check(
            "On the old rings.",
            "On the old rings",
            "On the rings",
            Some("On the rings."),
        );
        check(
            "On old rings.",
            "On old rings",
            "On rings of gold",
            Some("On rings of gold."),
        );
        check("On old-rings.", "On old rings", "On rings", None);
    }

    #[test]
    fn wording_that_is_not_there_once_stays() {
        check("Doe and Doe", "Doe", "Roe", None);
        check("Doe and Poe", "Moe", "Roe", None);
        check("D{\\'e}o", "Deo", "Roe", None);
        check("{D}oe", "Doe", "Roe", None);
    }

    #[test]
    fn masked_places_are_not_read() {
        let masked = mask("a \\emph{b} é", &[2..7, 8..9]);
        assert_eq!(masked, "a \u{1}\u{1}\u{1}\u{1}\u{1}{\u{1}} é");
    }
}
