//! Assigns roles to the numbers of a reference: year, volume, issue, pages.

use super::normalize::{Token, TokenShape};
use super::reference::{Reference, Role};
use super::words::{self, NumberLabel};

/// The maximum length of a volume, issue or page. Numbers of articles may have 15 digits.
const MAX_NUMBER_LENGTH: usize = 16;

/// Assigns a role to each number and fills the number fields of the reference.
pub fn read(reference: &mut Reference) {
    mark_list_number(reference);
    mark_years(reference);
    mark_by_form(reference);
    mark_by_order(reference);
    mark_roman_pages(reference);
    reference.volume = value(reference, Role::Volume);
    reference.issue = value(reference, Role::Issue);
    reference.pages =
        value(reference, Role::FirstPage).map(|first| match value(reference, Role::LastPage) {
            Some(last) => format!("{first}–{last}"),
            None => first,
        });
}

fn value(reference: &Reference, role: Role) -> Option<String> {
    let token = reference.with_role(role).next()?;
    reference.text.get(token.span.clone()).map(str::to_owned)
}

/// Marks a list number: `[12]`, `12.`, `(12)` or a bare `12` before a capital at the start.
fn mark_list_number(reference: &mut Reference) {
    let Some(first) = reference.token(0) else {
        return;
    };
    let short = first.is_digits() && first.text.len() <= 4;
    let before = reference.gap(0).trim();
    let behind = reference.gap(1);
    let bracketed = before.ends_with(['[', '(']) && behind.starts_with([']', ')']);
    let plain = before.is_empty() && !behind.starts_with(['-', '–', ',', '/', ':', '(']);
    let next_is_capital = reference
        .token(1)
        .is_some_and(|next| !matches!(next.shape, TokenShape::Lower | TokenShape::Number));
    let is_year = first.text.len() == 4 && year_of(first).is_some() && !bracketed;
    if short && !is_year && (bracketed || (plain && next_is_capital)) {
        set(reference, 0, Role::Marker);
    }
}

/// The possible year of a token: four digits from 1400 to 2100, optionally followed by a letter.
fn year_of(token: &Token) -> Option<i32> {
    let digits = token.text.get(..4)?;
    let suffix = token.text.get(4..)?;
    let plain =
        suffix.is_empty() || (suffix.len() == 1 && suffix.bytes().all(|b| b.is_ascii_alphabetic()));
    let year = digits.parse().ok().filter(is_year)?;
    (token.shape == TokenShape::Number && plain).then_some(year)
}

fn is_year(year: &i32) -> bool {
    (1400..=2100).contains(year)
}

fn is_year_shaped(token: &Token) -> bool {
    year_of(token).is_some()
}

/// Corrects letters that text recognition confuses with digits: `201O`, `l998`. `None` for a number
/// without such letters or with others.
pub fn misread(text: &str) -> Option<String> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 || digits == text.len() {
        return None;
    }
    let digit = |c: char| match c {
        'o' | 'q' => Some('0'),
        'l' | 'i' => Some('1'),
        'z' => Some('2'),
        's' => Some('5'),
        'b' => Some('8'),
        'g' => Some('9'),
        c => c.is_ascii_digit().then_some(c),
    };
    text.chars().map(digit).collect()
}

/// The year of a four-character token if it is [`misread`].
fn misread_year(token: &Token) -> Option<i32> {
    let year = misread(&token.text).filter(|read| read.len() == 4)?.parse();
    year.ok().filter(is_year)
}

/// Scores each possible year by its context and marks the best. A misread year counts only without
/// any other, and only in the usual place of a year.
fn mark_years(reference: &mut Reference) {
    const PLAIN: i32 = 3;
    let mut candidates = year_candidates(reference, year_of);
    if candidates.is_empty() {
        candidates = year_candidates(reference, misread_year);
        candidates.retain(|(likelihood, ..)| *likelihood >= PLAIN);
    }
    candidates.sort_by_key(|(likelihood, at, _)| (-likelihood, *at));
    if let Some((_, at, _)) = candidates.first() {
        set(reference, *at, Role::Year);
    }
    for (_, _, year) in candidates {
        if !reference.years.contains(&year) {
            reference.years.push(year);
        }
    }
}

/// The likelihood, position and value of every possible year.
fn year_candidates(
    reference: &Reference,
    year: impl Fn(&Token) -> Option<i32>,
) -> Vec<(i32, usize, i32)> {
    let tokens = reference.tokens.iter().enumerate();
    tokens
        .filter(|(at, _)| reference.role(*at) == Role::Open)
        .filter_map(|(at, token)| Some((year_likelihood(reference, at), at, year(token)?)))
        .collect()
}

fn year_likelihood(reference: &Reference, at: usize) -> i32 {
    let before = reference.gap(at);
    let behind = reference.gap(at + 1);
    let mut likelihood = 0;
    if before.trim_end().ends_with('(') {
        likelihood += 4;
    }
    if behind.starts_with(')') {
        likelihood += 2;
    }
    let neighbour = |at: Option<usize>| at.and_then(|at| reference.token(at));
    let is_month = |token: Option<&Token>| token.is_some_and(|t| words::is_month(&t.text));
    if is_month(neighbour(at.checked_sub(1))) || is_month(neighbour(Some(at + 1))) {
        likelihood += 3;
    }
    if before.trim_end().ends_with([',', '.', ';', ')']) || at == 0 {
        likelihood += 2;
    }
    if behind.is_empty() || behind.starts_with(['.', ',', ';', ':', ')', ']']) {
        likelihood += 1;
    }
    if is_dash(before) || is_dash(behind) {
        likelihood -= 4;
    }
    if labelled(reference, at).is_some() || before.trim() == ":" {
        likelihood -= 4;
    }
    likelihood
}

/// Labels, ranges, `12(3)` and `12:345` determine the role without context.
fn mark_by_form(reference: &mut Reference) {
    for at in 0..reference.tokens.len() {
        if !is_open_number(reference, at) {
            continue;
        }
        if let Some(role) = role_by_label(reference, at).or_else(|| role_by_form(reference, at)) {
            set(reference, at, role);
            if role == Role::FirstPage
                && is_dash(reference.gap(at + 1))
                && is_number(reference, at + 1)
            {
                set(reference, at + 1, Role::LastPage);
            }
        }
    }
}

fn is_number(reference: &Reference, at: usize) -> bool {
    reference
        .token(at)
        .is_some_and(|token| token.shape == TokenShape::Number)
}

/// Whether the token is a number without a role, or a volume in Roman numerals.
fn is_open_number(reference: &Reference, at: usize) -> bool {
    let Some(token) = reference.token(at) else {
        return false;
    };
    let roman_volume = token.shape == TokenShape::Upper
        && words::roman(&token.text).is_some()
        && (labelled(reference, at) == Some(NumberLabel::Volume)
            || (reference.gap(at + 1).trim() == "(" && is_number(reference, at + 1)));
    reference.role(at) == Role::Open
        && token.text.len() <= MAX_NUMBER_LENGTH
        && !is_short_year(reference, at)
        && (token.shape == TokenShape::Number || roman_volume)
}

/// `’92`, as in conference names.
fn is_short_year(reference: &Reference, at: usize) -> bool {
    let two_digits = |token: &Token| token.is_digits() && token.text.len() == 2;
    reference.token(at).is_some_and(two_digits)
        && reference.gap(at).ends_with(['\'', '’', '‘', 'ʼ'])
}

fn role_by_label(reference: &Reference, at: usize) -> Option<Role> {
    Some(match labelled(reference, at)? {
        NumberLabel::Volume => Role::Volume,
        NumberLabel::Issue => Role::Issue,
        NumberLabel::Page => Role::FirstPage,
    })
}

/// The label before a number. A single letter is a label only with a full stop behind it.
fn labelled(reference: &Reference, at: usize) -> Option<NumberLabel> {
    let before = reference.token(at.checked_sub(1)?)?;
    let gap = reference.gap(at);
    let label = words::label(&before.text)?;
    let stopped = gap.starts_with('.');
    let close = gap
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, '.' | ':' | '°' | '#'));
    (close && (stopped || before.shape != TokenShape::Letter)).then_some(label)
}

fn role_by_form(reference: &Reference, at: usize) -> Option<Role> {
    let before = reference.gap(at);
    let behind = reference.gap(at + 1);
    let after_number = at.checked_sub(1).is_some_and(|previous| {
        is_number(reference, previous) && reference.role(previous) != Role::Year
    });
    let after_volume = at
        .checked_sub(1)
        .is_some_and(|previous| reference.role(previous) == Role::Volume);
    if before.trim() == "(" && (after_number || after_volume) {
        return Some(Role::Issue);
    }
    if behind.trim() == "(" && is_number(reference, at + 1) && reference.role(at + 1) != Role::Year
    {
        return Some(Role::Volume);
    }
    if is_dash(behind) && is_number(reference, at + 1) && !is_dash(before) {
        return Some(Role::FirstPage);
    }
    if before.contains(':') && at > 0 && (after_number || after_volume || before.contains(')')) {
        return Some(Role::FirstPage);
    }
    if behind.trim() == ":" && is_number(reference, at + 1) {
        return Some(Role::Volume);
    }
    None
}

/// Marks pages in small Roman numerals, which prefaces have: `ix–x`.
fn mark_roman_pages(reference: &mut Reference) {
    let is_roman = |reference: &Reference, at: usize| {
        let token = reference.token(at);
        reference.role(at) == Role::Open
            && token.is_some_and(|token| {
                matches!(token.shape, TokenShape::Lower | TokenShape::Letter)
                    && words::roman(&token.text).is_some()
                    && reference.text.get(token.span.clone()) == Some(token.text.as_str())
            })
    };
    let has_page = reference.roles.contains(&Role::FirstPage);
    let first = (1..reference.tokens.len()).find(|at| {
        is_dash(reference.gap(at + 1)) && is_roman(reference, *at) && is_roman(reference, at + 1)
    });
    if let Some(at) = first.filter(|_| !has_page) {
        set(reference, at, Role::FirstPage);
        set(reference, at + 1, Role::LastPage);
    }
}

/// The remaining numbers are in the order volume, issue, page in every style.
fn mark_by_order(reference: &mut Reference) {
    let open: Vec<usize> = last_cluster(reference)
        .into_iter()
        .filter(|at| reference.role(*at) == Role::Open && !is_page_on_page(reference, *at))
        .collect();
    let taken = |role| reference.roles.contains(&role);
    let (volume, issue, page) = (
        taken(Role::Volume),
        taken(Role::Issue),
        taken(Role::FirstPage),
    );
    let mut slots = Vec::new();
    if !volume {
        slots.push(Role::Volume);
    }
    let wants_issue = open.len() + usize::from(volume) + usize::from(page) >= 3 || (page && volume);
    if !issue && wants_issue {
        slots.push(Role::Issue);
    }
    if !page {
        slots.push(Role::FirstPage);
    }
    for (at, role) in open.into_iter().zip(slots) {
        set(reference, at, role);
    }
}

/// Whether a number counts the items on a page: the `2` of `333, 63.2`. In `29.1` the volume and issue
/// are joined in the same way, but no number precedes them.
fn is_page_on_page(reference: &Reference, at: usize) -> bool {
    let joined = |at: usize| reference.gap(at) == ".";
    let (Some(page), Some(volume)) = (at.checked_sub(1), at.checked_sub(2)) else {
        return false;
    };
    joined(at)
        && !joined(page)
        && !joined(at + 1)
        && is_number(reference, page)
        && is_number(reference, volume)
        && reference.role(volume) != Role::Year
        && !reference.gap(page).contains('(')
}

/// The numbers at the end of the reference, with only numbers, months and labels between them.
fn last_cluster(reference: &Reference) -> Vec<usize> {
    let mut cluster = Vec::new();
    for at in (0..reference.tokens.len()).rev() {
        match reference.role(at) {
            Role::Identifier | Role::Furniture => continue,
            Role::Open if labelled(reference, at + 1).is_some() => continue,
            Role::Open if !is_open_number(reference, at) => {
                if cluster.is_empty() {
                    continue;
                }
                break;
            }
            Role::Marker | Role::Name => break,
            Role::Open if is_stray_year(reference, at) => continue,
            _ => cluster.push(at),
        }
    }
    cluster.reverse();
    cluster
}

/// Whether a number looks like a year, as in the names of conferences. Behind another number it is a
/// volume or page: `Ring 95 (2005) 1786`.
fn is_stray_year(reference: &Reference, at: usize) -> bool {
    let behind_number = at
        .checked_sub(1)
        .is_some_and(|before| is_number(reference, before));
    reference.token(at).is_some_and(is_year_shaped) && !behind_number
}

fn is_dash(gap: &str) -> bool {
    matches!(gap.trim(), "-" | "–" | "—" | "−" | "‐" | "‑" | "--")
}

fn set(reference: &mut Reference, at: usize, role: Role) {
    if let Some(slot) = reference.roles.get_mut(at) {
        *slot = role;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a reference and its year, volume, issue and pages; `-` if absent.
    fn check(rows: &str) {
        for row in rows.trim().lines() {
            let (text, expected) = row.trim().split_once(" → ").unwrap();
            let reference = Reference::parse(text);
            let year = reference.year().map(|y| y.to_string());
            let found = [
                year,
                reference.volume.clone(),
                reference.issue.clone(),
                reference.pages.clone(),
            ]
            .map(|field| field.unwrap_or("-".into()));
            assert_eq!(found.join(" "), expected, "{text:?}");
        }
    }

    #[test]
    fn numbers_of_common_styles() {
        check(
            "
            Doe, J. (2018). A title. Journal, 12(3), 45–67. → 2018 12 3 45–67
            Doe J. A title. J Biol. 2005;49:33-46. → 2005 49 - 33–46
            Doe J: A title. J Cell 2010, 303(3):235-241. → 2010 303 3 235–241
            1 J. Doe, Physics Today 59, 15 (2006). → 2006 59 - 15
            J. Doe, “A title,” Ring, vol. 6, no. 5, pp. 258–261, Sep. 1998. → 1998 6 5 258–261
            Doe, J. A title. Ring. 2011. 172. 2. 225-233 → 2011 172 2 225–233
            Doe, J. 1988. “A Title.” Ring 2 (1) (March): 47–76. → 1988 2 1 47–76
            Doe, J. 2010. “Titolo.” Ring CXXV (514) (May 17): 755–756. → 2010 CXXV 514 755–756
            Doe J (2002) A title. Ring 39(7):E38 → 2002 39 7 E38
            1 J. Doe, Ring 333, 63.2 (2006). → 2006 333 - 63
            [1] J. Doe, Ring 95 (2005) 1786. → 2005 95 - 1786
            Doe, J., ‘A title’, Ring, 29.1 (1968), p. 51 → 1968 29 1 51
            Doe, J. (2013). A title. Ring, 4. → 2013 4 - -
            Doe, J. 2002. “Preface.” Ring: ix–x. → 2002 - - ix–x
            Doe J. Titel. Bd. 3, Nr. 4, S. 12-15. 1999 → 1999 3 4 12–15
            ",
        );
    }

    #[test]
    fn a_year_in_the_title_is_not_the_year() {
        check(
            "
            Doe, J. (1990). The world of 1984. Ring, 3, 1-9. → 1990 3 - 1–9
            [1]J. Doe, “Pile setup,” Congress 2008, Mar. 2009. → 2009 - - -
            Doe J. Piles. Proceedings of the fifth congress - RING ’92. 1992. → 1992 - - -
            ",
        );
    }

    #[test]
    fn letters_that_look_like_digits_are_read_as_those() {
        check(
            "
            Doe, J. A title. Ring, 12, 4–9, 201O. → 2010 12 - 4–9
            Doe J. A title. Ring. l998;12:4. → 1998 12 - 4
            Doe J. 18S of it. Ring. 1990;12:4. → 1990 12 - 4
            ",
        );
        assert_eq!(misread("e1000"), None);
        assert_eq!(misread("104"), None);
        assert_eq!(misread("1o4").as_deref(), Some("104"));
    }

    #[test]
    fn the_number_in_the_list_is_no_volume() {
        check(
            "
            [12] J. Doe, Ring, 2001. → 2001 - - -
            7. Doe J. Ring 2001;3:4. → 2001 3 - 4
            ",
        );
    }
}
