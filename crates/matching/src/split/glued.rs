//! Separates several references in one: joined on a line, or listed under one number.

use citation_model::budget::{Budget, Exceeded};

use super::line::{self, before_year, has_identifier, has_year};
use super::mark::{self, Mark, MarkForm};
use crate::normalize::fold;
use crate::reference::{Reference, Role, cut, cut_front};
use crate::words;

/// The maximum bytes from the start of a joined reference to its authors and year.
const MAX_GLUED_LENGTH: usize = 600;

/// Parses a part of a text; `None` if the budget is spent, which is reported at the end.
pub fn read(text: &str, budget: &Budget) -> Option<Reference> {
    budget.spend(Reference::steps(text)).ok()?;
    Some(Reference::parse(text))
}

/// The start of each reference in a text under one mark or none. Always includes 0; further starts
/// are where numbers continue (`… 12–14. [13] Doe …`), where letters list references under one
/// number (`(1) (a) Doe … (b) Roe …`), where authors follow pages, an address or a full stop, and
/// each of several identifiers.
pub fn cuts(text: &str, mark: Option<Mark>, budget: &Budget) -> Result<Vec<usize>, Exceeded> {
    let body = mark.map_or(0, |mark| mark.length);
    let identifiers = line::identifier_starts(text.get(body..).unwrap_or_default());
    if !identifiers.is_empty() {
        let others = identifiers.into_iter().skip(1).map(|(at, _)| body + at);
        return Ok([0].into_iter().chain(others).collect());
    }
    let mut cuts = vec![0];
    if let Some(mark) = mark {
        cuts.extend(runs_on(text, body, mark.form, mark.number, budget)?);
    }
    let mut all = Vec::new();
    for (n, &from) in cuts.iter().enumerate() {
        let to = cuts.get(n + 1).copied().unwrap_or(text.len());
        let Some(part) = text.get(from..to) else {
            continue;
        };
        let inside = mark_length(part, mark);
        all.push(from);
        let further = match part
            .get(inside..)
            .map(|body| mark::marks(cut(body, MAX_MARK_LENGTH)))
            .and_then(first_letter)
        {
            Some(letter) => {
                let behind = inside + letter.length;
                runs_on(part, behind, letter.form, letter.number, budget)?
            }
            None => authors_after(part, inside, budget)?,
        };
        all.extend(further.into_iter().map(|at| from + at));
    }
    Ok(all)
}

/// The length of the mark, or of the number and the letter, at the start of a part. `mark` is the
/// list's.
pub fn mark_length(part: &str, mark: Option<Mark>) -> usize {
    let own = |mark: Mark| {
        mark::marks(cut(part, MAX_MARK_LENGTH))
            .into_iter()
            .find(|own| own.form == mark.form)
    };
    mark.and_then(own).map_or(0, |mark| mark.length)
}

/// The length of a letter that lists references under one number.
pub fn letter_length(text: &str) -> usize {
    let marks = mark::marks(cut(text, MAX_MARK_LENGTH)).into_iter();
    marks
        .filter(|mark| matches!(mark.form, MarkForm::Letter { round: true }))
        .map(|mark| mark.length)
        .next()
        .unwrap_or(0)
}

fn first_letter(marks: Vec<Mark>) -> Option<Mark> {
    let is_first =
        |mark: &Mark| mark.form == MarkForm::Letter { round: true } && mark.number == Some(1);
    marks.into_iter().find(is_first)
}

/// The cost of checking one possible start of a reference, in steps.
const PLACE_STEPS: u64 = 60;

/// The maximum bytes of a mark and the first words behind it.
const MAX_MARK_LENGTH: usize = 100;

/// The positions of the marks that follow the first one in sequence.
fn runs_on(
    text: &str,
    from: usize,
    form: MarkForm,
    number: Option<u32>,
    budget: &Budget,
) -> Result<Vec<usize>, Exceeded> {
    let Some(first) = number else {
        return Ok(Vec::new());
    };
    let mut cuts = Vec::new();
    let mut next = first + 1;
    let opens =
        |c: char| c.is_ascii_digit() || "[［【〔(（".contains(c) || ('①'..='⑳').contains(&c);
    for (at, _) in text.match_indices(opens).filter(|(at, _)| *at >= from) {
        let (Some(head), Some(rest)) = (text.get(..at), text.get(at..)) else {
            continue;
        };
        budget.spend(PLACE_STEPS)?;
        let rest = cut(rest, MAX_MARK_LENGTH);
        if !is_sentence_end(head, form) {
            continue;
        }
        let is_next = |mark: &Mark| {
            mark.form == form && mark.number == Some(next) && begins_after(rest, *mark)
        };
        if mark::marks(rest).iter().any(is_next) {
            cuts.push(at);
            next += 1;
        }
    }
    Ok(cuts)
}

/// Whether another mark may follow here: behind the end of a sentence or an address; a mark in
/// square brackets may also follow a number.
fn is_sentence_end(head: &str, form: MarkForm) -> bool {
    let bare = head.trim_end();
    let parted = bare.len() < head.len() || bare.ends_with(['.', '。']);
    let square = form == MarkForm::Square && bare.ends_with(|c: char| c.is_ascii_digit());
    parted
        && (square || bare.ends_with(['.', ')', ']', ';', '。', '）']) || ends_with_address(bare))
}

/// Whether the text behind a mark may begin a reference.
fn begins_after(text: &str, mark: Mark) -> bool {
    let behind = text.get(mark.length..).unwrap_or_default();
    let spaced = text
        .get(..mark.length)
        .is_some_and(|mark| mark.ends_with(char::is_whitespace));
    let needs_space = !matches!(mark.form, MarkForm::Square | MarkForm::Circled);
    let begins = behind
        .chars()
        .next()
        .is_some_and(|c| !c.is_lowercase() && (c.is_alphabetic() || "“\"«„「『《—".contains(c)));
    let lower = line::first(behind).may_begin();
    (spaced || !needs_space) && (begins || lower)
}

/// The positions where a reference with authors and a year begins behind another: behind its year
/// and pages (`… 1953;171:737. Berg A, Doe J. …`), behind its address or DOI, or behind a full stop
/// if a year in brackets follows the authors.
fn authors_after(text: &str, inside: usize, budget: &Budget) -> Result<Vec<usize>, Exceeded> {
    let mut cuts = Vec::new();
    let mut from = inside;
    for (at, white) in text
        .match_indices(char::is_whitespace)
        .filter(|(at, _)| *at > inside)
    {
        let begin = at + white.len();
        let (Some(before), Some(behind)) = (text.get(from..at), text.get(begin..)) else {
            continue;
        };
        budget.spend(PLACE_STEPS)?;
        let before = cut_front(before, MAX_GLUED_LENGTH);
        if before.trim().is_empty() || !behind.starts_with(char::is_uppercase) {
            continue;
        }
        if is_parted(before, behind, budget) {
            cuts.push(begin);
            from = begin;
        }
    }
    Ok(cuts)
}

fn is_parted(before: &str, behind: &str, budget: &Budget) -> bool {
    let before = before.trim_end();
    if ends_with_address(before) {
        return (has_year(before) || has_identifier(before))
            && begins_behind_address(behind, budget);
    }
    let bare = before.trim_end_matches(['.', ';']);
    let closed = bare.ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | ']'));
    if closed && is_placed(bare, budget) && has_head_and_year(behind, budget) {
        return true;
    }
    let ended = before.ends_with(['.', ';', ')']);
    ended && has_year(before) && has_authors_before_year(behind, budget)
}

fn ends_with_address(text: &str) -> bool {
    let word = text.split_whitespace().next_back().unwrap_or_default();
    line::is_address(word) && word.contains(['/', '.'])
}

/// Whether a text may begin a reference behind an address: not `Accessed May 2010`.
fn begins_behind_address(text: &str, budget: &Budget) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let folded = fold(first.trim_end_matches([':', '.', ',']));
    if words::is_furniture(&folded) {
        return false;
    }
    if before_year(text).is_some() {
        return true;
    }
    let Some(reference) = read(cut(text, MAX_GLUED_LENGTH), budget) else {
        return false;
    };
    let names = &reference.names;
    let has_given = names.first().is_some_and(|name| name.given.is_some());
    has_given && reference.role(0) == Role::Name && reference.year().is_some()
}

fn is_placed(text: &str, budget: &Budget) -> bool {
    read(text, budget)
        .is_some_and(|reference| reference.year().is_some() && reference.pages.is_some())
}

/// Whether a text begins with an author with initials, separated from the rest, and has a year.
/// `Eur J Cancer 2010` and `Social Forces. 2004` are journals.
fn has_head_and_year(text: &str, budget: &Budget) -> bool {
    let Some(reference) = read(cut(text, MAX_GLUED_LENGTH), budget) else {
        return false;
    };
    let roles = &reference.roles;
    let names = roles.iter().take_while(|role| **role == Role::Name);
    let set_off = !reference.gap(names.count()).trim().is_empty();
    has_initials(&reference) && set_off && reference.year().is_some()
}

/// Whether only authors with initials precede the year in brackets:
/// `Marlow, T. R., & Quint, H. (2019)`.
fn has_authors_before_year(text: &str, budget: &Budget) -> bool {
    let Some(before) = before_year(text) else {
        return false;
    };
    let Some(reference) = read(before, budget) else {
        return false;
    };
    let is_author = |role: &Role| matches!(role, Role::Name | Role::Furniture);
    let joins = |at: usize| reference.token(at).is_some_and(|token| token.text == "and");
    let all = (0..reference.roles.len()).all(|at| is_author(&reference.role(at)) || joins(at));
    has_initials(&reference) && all
}

fn has_initials(reference: &Reference) -> bool {
    let Some(name) = reference.names.first() else {
        return false;
    };
    let given = name.given.as_deref().unwrap_or_default();
    let initials = given.chars().filter(|c| c.is_alphabetic());
    let few = (1..=4).contains(&initials.clone().count());
    few && initials.clone().all(char::is_uppercase) && reference.role(0) == Role::Name
}
