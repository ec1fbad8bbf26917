//! Marks what surrounds the data of a reference: dates of access, labels of links, people other than
//! the authors. A record has none of it.

use super::normalize::{Token, TokenShape};
use super::reference::{Reference, Role};
use super::words;

/// Marks these words and numbers as furniture.
pub fn mark(reference: &mut Reference) {
    mark_access_dates(reference);
    mark_link_labels(reference);
    mark_empty_doi(reference);
    mark_other_people(reference);
    mark_romanised_names(reference);
}

/// Marks the date behind `Accessed` or `cited`, in any order of day, month and year, and the page
/// behind `Cited on page`. It is not the year of the work.
fn mark_access_dates(reference: &mut Reference) {
    const MAX_LENGTH: usize = 7;
    for at in 0..reference.tokens.len() {
        if !is(reference, at, words::introduces_access_date) {
            continue;
        }
        let belongs = |at: &usize| {
            reference.token(*at).is_some_and(|token| {
                token.is_digits()
                    || words::is_month(&token.text)
                    || words::is_function_word(&token.text)
                    || token.text == "page"
            })
        };
        let end = (at + 1..reference.tokens.len().min(at + 1 + MAX_LENGTH))
            .find(|at| !belongs(at))
            .unwrap_or(reference.tokens.len().min(at + 1 + MAX_LENGTH));
        set(reference, at..end);
    }
}

/// Marks the labels of links at the end of a reference copied from a web page.
fn mark_link_labels(reference: &mut Reference) {
    let mut labels = (0..reference.tokens.len()).rev().take_while(|at| {
        is(reference, *at, |word| {
            words::is_link_label(word) || words::is_beside_link_label(word)
        })
    });
    let Some(start) = labels
        .by_ref()
        .filter(|at| is(reference, *at, words::is_link_label))
        .last()
    else {
        return;
    };
    let of_google = start
        .checked_sub(1)
        .is_some_and(|at| is(reference, at, |word| word == "google"));
    set(
        reference,
        start - usize::from(of_google)..reference.tokens.len(),
    );
}

/// Marks the start of a DOI of which the rest is lost: `doi: 10.`
fn mark_empty_doi(reference: &mut Reference) {
    for at in 1..reference.tokens.len() {
        let is_prefix = is(reference, at, |word| word == "10");
        if is_prefix && is(reference, at - 1, |word| word == "doi") {
            set(reference, at..at + 1);
        }
    }
}

/// Marks a name in Latin letters behind the same name in characters: `曹雪芹 (Cao Xueqin)`.
fn mark_romanised_names(reference: &mut Reference) {
    const MAX_LENGTH: usize = 4;
    let shape = |at: usize| reference.token(at).map(|token| token.shape);
    let opens = |at: &usize| {
        shape(*at - 1) == Some(TokenShape::Bigram) && reference.gap(*at).ends_with(['(', '（'])
    };
    let spans: Vec<_> = (1..reference.tokens.len())
        .filter(opens)
        .filter_map(|start| {
            let closes = |at: &usize| reference.gap(*at).starts_with([')', '）']);
            let end = (start + 1..=start + MAX_LENGTH).find(closes)?;
            let is_name = |at| matches!(shape(at), Some(TokenShape::Capital | TokenShape::Upper));
            (start..end).all(is_name).then_some(start..end)
        })
        .collect();
    for span in spans {
        set(reference, span);
    }
}

/// Marks the names behind `edited by` and the like.
fn mark_other_people(reference: &mut Reference) {
    for at in 1..reference.tokens.len() {
        let introduced = is(reference, at, |word| word == "by")
            && is(reference, at - 1, words::introduces_others);
        if introduced {
            let end = end_of_names(reference, at + 1);
            if end > at + 1 {
                set(reference, at - 1..end);
            }
        }
    }
}

/// The end of the names that start here: at a number, a word in small letters other than `and` or
/// a particle, or a full stop behind a word.
fn end_of_names(reference: &Reference, start: usize) -> usize {
    const LONG: usize = 3;
    let is_part = |token: &Token| match token.shape {
        TokenShape::Capital | TokenShape::Upper | TokenShape::Letter => true,
        TokenShape::Lower => words::is_function_word(&token.text),
        TokenShape::Number | TokenShape::Bigram => false,
    };
    let stops = |at: usize| {
        let before = reference.token(at - 1);
        let long = before.is_some_and(|token| token.text.len() >= LONG);
        at > start && long && reference.gap(at).starts_with(['.', '(', ':', '”', '"'])
    };
    (start..reference.tokens.len())
        .find(|at| stops(*at) || !reference.token(*at).is_some_and(is_part))
        .unwrap_or(reference.tokens.len())
}

/// Whether the folded word of a token is one of these.
fn is(reference: &Reference, at: usize, test: impl Fn(&str) -> bool) -> bool {
    reference.token(at).is_some_and(|token| test(&token.text))
}

fn set(reference: &mut Reference, tokens: std::ops::Range<usize>) {
    for role in reference.roles.get_mut(tokens).into_iter().flatten() {
        if *role != Role::Identifier {
            *role = Role::Furniture;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words marked as furniture.
    fn check(text: &str, expected: &str) {
        let reference = Reference::parse(text);
        let marked: Vec<&str> = reference
            .with_role(Role::Furniture)
            .map(|token| token.text.as_str())
            .collect();
        assert_eq!(marked.join(" "), expected, "{text:?}");
    }

    #[test]
    fn access_dates_are_no_part_of_the_work() {
        check(
            "Doe J. A title of it. Ring 2001;3:4. Accessed 12 May 2019.",
            "accessed 12 may 2019",
        );
        check("Doe J. Rings [cited 2019 May 2].", "cited 2019 may 2");
        let reference = Reference::parse("Doe J. Rings. Ring, 2001. Retrieved on May 2, 2019.");
        assert_eq!(reference.years, [2001]);
    }

    #[test]
    fn labels_of_links_are_no_part_of_the_work() {
        check(
            "Doe J. Rings. Ring 2001;3:4. [PubMed] [Google Scholar]",
            "pubmed google scholar",
        );
        check("Doe J. Rings. Ring 2001;3:4. doi: 10.", "doi 10");
        check("Doe J. Uses of a full text. Ring 2001;3:4.", "");
    }

    #[test]
    fn romanised_names_repeat_the_characters() {
        check("曹雪芹 (Cao Xueqin). 红楼梦. 1982.", "cao xueqin");
        check("红楼梦 (Beijing 1982)", "");
    }

    #[test]
    fn people_behind_edited_by_are_not_the_authors() {
        check(
            "Doe, J. 2001. “Rings.” Edited by Ann Roe and J. Berg. Ring World.",
            "edited by ann roe and j berg",
        );
        check("Rings affected by Rust. Ring 2001;3:4.", "");
    }
}
