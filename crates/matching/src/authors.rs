//! Compares two whole lists of authors: who is missing, who is not of the work, who stands elsewhere.
//!
//! Each person of one list is paired with the same person of the other: first with equal names, then with names
//! that one person may have (initials, a name more or less, a changed family name in the same place, another
//! transcription). What stays unpaired is a difference.

use std::collections::HashMap;

use super::duplicate::ComparedName;
use super::similar;
use citation_model::name::Name;

/// The maximum number of names of each list that are compared.
const MAX_COUNT: usize = 500;

/// The maximum number of names left over that are compared one by one.
const MAX_LEFT: usize = 40;

/// How the authors that a reference names differ from those of a work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorsDifference {
    /// Indexes of authors of the work that the reference leaves out.
    pub missing: Vec<usize>,
    /// Indexes of names of the reference that no author of the work has.
    pub added: Vec<usize>,
    /// Indexes of names of the reference in another order than in the work.
    pub moved: Vec<usize>,
    /// Indexes of names of the reference and of the work with other letters in the family name of one person.
    pub respelled: Vec<(usize, usize)>,
    /// Whether the first of both lists are different people.
    pub other_first: bool,
}

impl AuthorsDifference {
    /// Whether a list has other people than the other one, or the same in another order.
    pub fn is_of_people(&self) -> bool {
        !(self.missing.is_empty() && self.added.is_empty() && self.moved.is_empty())
    }
}

/// Two lists of authors, and whether each goes on with others that it does not name.
#[derive(Clone, Copy, Debug)]
pub struct AuthorLists<'n> {
    pub given: &'n [Name],
    pub given_has_others: bool,
    pub known: &'n [Name],
    pub known_has_others: bool,
}

impl AuthorLists<'_> {
    /// The difference; none if a list is empty.
    pub fn compare(&self) -> AuthorsDifference {
        let given: Vec<ComparedName> = compared(self.given);
        let known: Vec<ComparedName> = compared(self.known);
        if given.is_empty() || known.is_empty() {
            return AuthorsDifference::default();
        }
        let pairs = paired(&given, &known);
        let mut named = vec![false; known.len()];
        for at in pairs.iter().flatten() {
            if let Some(named) = named.get_mut(*at) {
                *named = true;
            }
        }
        // A list that goes on with others ends with the last person that it names.
        let last = pairs.iter().flatten().max().map_or(0, |last| last + 1);
        let named_before = if self.given_has_others || given.len() == MAX_COUNT {
            last
        } else {
            known.len()
        };
        let missing = (0..named_before).filter(|at| named.get(*at) == Some(&false));
        let is_open = self.known_has_others || known.len() == MAX_COUNT;
        // A known list that is cut has others behind its end, and perhaps before its last author.
        let compared = if is_open {
            known.len() - 1
        } else {
            given.len()
        };
        let added = (0..given.len().min(compared)).filter(|at| pairs.get(*at) == Some(&None));
        AuthorsDifference {
            missing: missing.collect(),
            added: added.collect(),
            moved: moved(&pairs),
            respelled: respelled(&given, &known, &pairs),
            other_first: pairs.first().copied().flatten() != Some(0),
        }
    }
}

fn compared(names: &[Name]) -> Vec<ComparedName> {
    names.iter().take(MAX_COUNT).map(ComparedName::of).collect()
}

/// For each given name, the index of the known one of the same person.
fn paired(given: &[ComparedName], known: &[ComparedName]) -> Vec<Option<usize>> {
    let mut by_word: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, person) in known.iter().enumerate() {
        for word in person.words() {
            by_word.entry(word).or_default().push(at);
        }
    }
    let mut pairs = vec![None; given.len()];
    let mut taken = vec![false; known.len()];
    // Family names that half a consortium shares are compared with a few only.
    for (from, person) in given.iter().enumerate() {
        let words = person.words().iter();
        let rarest = words.filter_map(|word| by_word.get(word.as_str()));
        let rarest = rarest.min_by_key(|places| places.len());
        let places = rarest.into_iter().flatten().take(MAX_LEFT);
        let mut same: Vec<usize> = places
            .copied()
            .filter(|to| {
                let other = known.get(*to);
                other.is_some_and(|other| person.is(other) && person.given_fits(other))
            })
            .collect();
        same.sort_by_key(|to| {
            let other = known.get(*to);
            (
                !other.is_some_and(|other| person.has_given_of(other)),
                to.abs_diff(from),
            )
        });
        for to in same {
            if pair(&mut pairs, &mut taken, from, to) {
                break;
            }
        }
    }
    let (open, left) = left_over(&pairs, &taken);
    for from in open.iter().copied().take(MAX_LEFT) {
        for to in left.iter().copied().take(MAX_LEFT) {
            if let (Some(a), Some(b)) = (given.get(from), known.get(to))
                && a.may_be(b)
                && pair(&mut pairs, &mut taken, from, to)
            {
                break;
            }
        }
    }
    // Where all others are the same, one person may have changed the name.
    if given.len() == known.len()
        && let (open, left) = left_over(&pairs, &taken)
        && let ([from], [to]) = (open.as_slice(), left.as_slice())
        && from == to
        && let (Some(a), Some(b)) = (given.get(*from), known.get(*to))
        && a.may_have_changed_to(b)
    {
        pair(&mut pairs, &mut taken, *from, *to);
    }
    pairs
}

/// Pairs two people unless one of them has a pair.
fn pair(pairs: &mut [Option<usize>], taken: &mut [bool], from: usize, to: usize) -> bool {
    match (pairs.get_mut(from), taken.get_mut(to)) {
        (Some(slot @ None), Some(taken @ false)) => {
            *slot = Some(to);
            *taken = true;
            true
        }
        _ => false,
    }
}

/// The given and the known names without a pair.
fn left_over(pairs: &[Option<usize>], taken: &[bool]) -> (Vec<usize>, Vec<usize>) {
    let open = pairs.iter().enumerate().filter(|(_, pair)| pair.is_none());
    let left = taken.iter().enumerate().filter(|(_, taken)| !**taken);
    (
        open.map(|(at, _)| at).collect(),
        left.map(|(at, _)| at).collect(),
    )
}

fn respelled(
    given: &[ComparedName],
    known: &[ComparedName],
    pairs: &[Option<usize>],
) -> Vec<(usize, usize)> {
    let placed = pairs.iter().enumerate();
    placed
        .filter_map(|(from, to)| Some((from, (*to)?)))
        .filter(|(from, to)| match (given.get(*from), known.get(*to)) {
            (Some(a), Some(b)) => !a.has_words_of(b) && a.is_transcribed(b),
            _ => false,
        })
        .collect()
}

/// The names that are not in the longest run in the order of the work.
fn moved(pairs: &[Option<usize>]) -> Vec<usize> {
    let placed: Vec<(usize, usize)> = { pairs.iter().enumerate() }
        .filter_map(|(from, to)| Some((from, (*to)?)))
        .collect();
    // The ends of the best rising runs by length, and the place before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; placed.len()];
    let value = |at: usize| placed.get(at).map_or(0, |(_, to)| *to);
    for at in 0..placed.len() {
        let length = ends.partition_point(|end| value(*end) < value(at));
        if let Some(slot) = before.get_mut(at) {
            *slot = length.checked_sub(1).and_then(|n| ends.get(n)).copied();
        }
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut kept = vec![false; placed.len()];
    let mut at = ends.last().copied();
    while let Some(here) = at {
        if let Some(kept) = kept.get_mut(here) {
            *kept = true;
        }
        at = before.get(here).copied().flatten();
    }
    { placed.iter().zip(kept) }
        .filter(|(_, kept)| !kept)
        .map(|((from, _), _)| *from)
        .collect()
}

impl ComparedName {
    /// Whether both may be the same person's name, written with more or fewer parts or transcribed otherwise.
    fn may_be(&self, other: &ComparedName) -> bool {
        self.has_words_of(other) || self.is_transcribed(other)
    }

    /// Whether the words of the shorter name are words of the longer one, or their initials.
    fn has_words_of(&self, other: &ComparedName) -> bool {
        let (shorter, longer) = if self.words().len() <= other.words().len() {
            (self.words(), other.words())
        } else {
            (other.words(), self.words())
        };
        are_within(shorter, longer)
    }

    /// Whether a person may have another family name with the same full given name, or another form of the given
    /// name (`Misha` for `Mikhail`).
    fn may_have_changed_to(&self, other: &ComparedName) -> bool {
        const MIN_LENGTH: usize = 6;
        let married = self.given().len() >= MIN_LENGTH && self.given() == other.given();
        married || self.is(other)
    }

    /// Whether the given names may be one person's: initials, short forms, spellings.
    fn given_fits(&self, other: &ComparedName) -> bool {
        const SHARED: usize = 3;
        const LETTERS_A_CHANGE: usize = 3;
        let (a, b) = (self.given(), other.given());
        let shared = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let are_latin = a.is_ascii() && b.is_ascii();
        let most = a.len().max(b.len()) / LETTERS_A_CHANGE;
        !are_latin
            || self.is_initials()
            || other.is_initials()
            || shared >= SHARED
            || self.words() == other.words()
            || similar::bounded_edits(a.as_bytes(), b.as_bytes(), most).is_some()
            || { self.words().iter() }
                .filter(|word| other.words().contains(word))
                .count()
                > 1
    }

    /// Whether the names differ in a letter or two of a long family name.
    fn is_transcribed(&self, other: &ComparedName) -> bool {
        const MIN_LENGTH: usize = 5;
        const LETTERS_A_CHANGE: usize = 5;
        let (a, b) = (self.family(), other.family());
        let length = a.len().min(b.len());
        let is_close = |a: &str, b: &str, most: usize| {
            similar::bounded_edits(a.as_bytes(), b.as_bytes(), most).is_some()
        };
        length >= MIN_LENGTH
            && is_close(a, b, length / LETTERS_A_CHANGE)
            && (self.initials_agree(other) && self.has_given_of(other))
    }
}

/// Whether each word of a name is a word of another, or its initial, and one of them is more than an initial.
fn are_within(shorter: &[String], longer: &[String]) -> bool {
    const MIN_LENGTH: usize = 2;
    let mut open: Vec<&str> = longer.iter().map(String::as_str).collect();
    let mut whole = 0;
    let (words, initials): (Vec<&String>, Vec<&String>) =
        shorter.iter().partition(|word| word.chars().count() > 1);
    for word in words {
        let equal = open.iter().position(|other| *other == word.as_str());
        let initial = || {
            open.iter()
                .position(|other| other.chars().count() == 1 && word.starts_with(*other))
        };
        let Some(at) = equal.or_else(initial) else {
            return false;
        };
        whole += usize::from(equal.is_some() && word.chars().count() >= MIN_LENGTH);
        open.remove(at);
    }
    for initial in initials {
        let Some(at) = open
            .iter()
            .position(|other| other.starts_with(initial.as_str()))
        else {
            return false;
        };
        open.remove(at);
    }
    // Words and initials must both agree, or two words; one long word names an institution.
    const MIN_ALONE_LENGTH: usize = 5;
    let first = shorter.first().map_or(0, |word| word.chars().count());
    whole > 0 && (shorter.len() > 1 || first >= MIN_ALONE_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Vec<Name>, bool) {
        let mut names: Vec<Name> = Vec::new();
        let mut has_others = false;
        for name in text.split(" and ") {
            match name {
                "others" => has_others = true,
                name => names.push(Name::parse(name)),
            }
        }
        (names, has_others)
    }

    /// The people of the difference: `-missing +added ~moved`.
    #[track_caller]
    fn check(given: &str, known: &str, expected: &str) {
        let ((given, given_has_others), (known, known_has_others)) = (names(given), names(known));
        let found = AuthorLists {
            given: &given,
            given_has_others,
            known: &known,
            known_has_others,
        }
        .compare();
        let mut shown: Vec<String> = Vec::new();
        let mut show = |mark: &str, names: &[Name], places: &[usize]| {
            for at in places {
                shown.push(format!("{mark}{}", names[*at].heading()));
            }
        };
        show("-", &known, &found.missing);
        show("+", &given, &found.added);
        show("~", &given, &found.moved);
        assert_eq!(shown.join(" "), expected, "{given:?} / {known:?}");
    }

    #[test]
    fn other_letters_of_a_family_name_are_told() {
        let respelled = |given: &str, known: &str| {
            let ((given, _), (known, _)) = (names(given), names(known));
            let lists = AuthorLists {
                given: &given,
                given_has_others: false,
                known: &known,
                known_has_others: false,
            };
            lists.compare().respelled
        };
        assert_eq!(respelled("Laemmly, U. K.", "Laemmli, U. K."), [(0, 0)]);
        assert_eq!(
            respelled("Ann Ash and Ben Burch", "Ann Ash and Ben Birch"),
            [(1, 1)]
        );
        assert_eq!(respelled("Laemmli, U.", "Laemmli, Ulrich K."), []);
    }

    #[test]
    fn people_are_missing_added_replaced_and_moved() {
        let work = "Ann Ash and Ben Birch and Cora Cedar and Dan Dogwood";
        check(work, work, "");
        check("Ann Ash and Ben Birch", work, "-Cedar -Dogwood");
        check("Ann Ash and Ben Birch and others", work, "");
        check("Ann Ash and Dan Dogwood and others", work, "-Birch -Cedar");
        check("Ann Ash and others", work, "");
        check(
            "Ann Ash and Eve Elm and Cora Cedar and Dan Dogwood",
            work,
            "-Birch +Elm",
        );
        check(
            &format!("{work} and Eve Elm and Fay Fir"),
            work,
            "+Elm +Fir",
        );
        check(
            "Ann Ash and Cora Cedar and Ben Birch and Dan Dogwood",
            work,
            "~Cedar",
        );
        check("Eve Elm", "Ann Ash and others", "-Ash");
    }

    #[test]
    fn known_list_that_is_cut_may_go_on_only_at_its_end() {
        let known = "Ann Ash and Ben Birch and Cora Cedar and others";
        let given = "Ann Ash and Ben Birch and Cora Cedar";
        check(given, known, "");
        check(&format!("{given} and Dan Dogwood"), known, "");
        check(
            "Ann Ash and Eve Elm and Cora Cedar and Dan Dogwood",
            known,
            "-Birch +Elm",
        );
    }

    #[test]
    fn one_person_has_several_names() {
        for (given, known) in [
            ("Joy Qiping Yang", "Qiping Yang"),
            ("Kaili Ma", "Ma Kaili"),
            ("Hung Tran-The", "Hung The Tran"),
            ("Ramon Matas", "Ramon Matas Navarro"),
            ("J. Osher", "Stanley J. Osher"),
            ("J. Müller", "Johannes Mueller"),
            ("Fyodor Dostoevsky", "Fyodor Dostoyevsky"),
            ("Misha Berg", "Mikhail Berg"),
            ("P. Tchaikovskij", "Pyotr Chaikovskij"),
            ("Quoc V. Le", "Quoc Viet Le"),
        ] {
            check(given, known, "");
        }
        check(
            "Ann Ash and Alexandra Birch",
            "Ann Ash and Alexandra Woods",
            "",
        );
    }

    #[test]
    fn other_people_are_others() {
        for (given, known, expected) in [
            ("Wei Zhang", "Wei Li", "-Li +Zhang"),
            ("Anna Smith", "John Smith", "-Smith +Smith"),
            (
                "Zheng Zhao and Sheng Feng",
                "Zihao Zhao and Shi Feng",
                "-Zhao -Feng +Zhao +Feng",
            ),
            ("J. Smith", "A. Smith", "-Smith +Smith"),
            (
                "Wei Zhang and Lei Wang",
                "Wei Wang and Lei Zhang",
                "-Wang -Zhang +Zhang +Wang",
            ),
        ] {
            check(given, known, expected);
        }
    }
}
