//! Finds a record's year, volume, issue and pages in the text.

use super::super::normalize::{Token, TokenShape, fold};
use super::super::numbers;
use super::super::reference::Role;
use super::super::similar;
use super::super::words;
use super::Agreement;
use super::comparison::ComparedPair;

/// A number is ignored if its position makes it less likely than this.
const WEAKEST_NUMBER: f64 = 0.25;

/// The maximum fit of a number in another field's place.
const ELSEWHERE: f64 = 0.6;

/// The fit of a number with a letter in place of a digit, or between digits.
const DAMAGED: f64 = 0.7;

/// The fit of a number that is split in the text, or joined with its neighbour.
const BROKEN: f64 = 0.8;

impl ComparedPair<'_> {
    /// Searches every number, then distinguishes contradiction from absence.
    pub fn numbers(&mut self) {
        self.evidence.year = self.year();
        for role in [Role::FirstPage, Role::Volume, Role::Issue, Role::LastPage] {
            *self.agreement(role) = self.number(role);
        }
        self.broken_numbers();
        for role in [Role::Volume, Role::Issue, Role::FirstPage] {
            self.settle(role);
        }
    }

    /// The record's value for a number role; `None` for other roles.
    fn known(&self, role: Role) -> Option<Number> {
        let record = self.record;
        let known = match role {
            Role::Year => return record.year.map(|year| Number::of(&year.to_string())),
            Role::Volume => &record.volume,
            Role::Issue => &record.issue,
            Role::FirstPage => &record.page,
            Role::LastPage => &record.last_page,
            _ => return None,
        };
        known.as_deref().map(Number::of)
    }

    fn agreement(&mut self, role: Role) -> &mut Agreement {
        match role {
            Role::Year => &mut self.evidence.year,
            Role::Volume => &mut self.evidence.volume,
            Role::Issue => &mut self.evidence.issue,
            Role::FirstPage => &mut self.evidence.page,
            _ => &mut self.evidence.last_page,
        }
    }

    /// The record's number if it was not found in the text.
    fn missing(&mut self, role: Role) -> Option<Number> {
        let missing = *self.agreement(role) == Agreement::NotGiven;
        missing.then(|| self.known(role)).flatten()
    }

    /// Whether the search is for a last page, in the place of a different first page: the next
    /// article begins where one ends.
    fn begins_another(&self, found: Role, wanted: Role) -> bool {
        found == Role::FirstPage
            && wanted == Role::LastPage
            && !matches!(self.evidence.page, Agreement::Equal(_))
    }

    /// Finds numbers that lost their separator (`2424–7` for `24 24–7`) or were split (`1 035`).
    fn broken_numbers(&mut self) {
        const NEIGHBOURS: [[Role; 2]; 6] = [
            [Role::Year, Role::Volume],
            [Role::Volume, Role::Issue],
            [Role::Volume, Role::FirstPage],
            [Role::Issue, Role::FirstPage],
            [Role::FirstPage, Role::LastPage],
            [Role::Volume, Role::Year],
        ];
        // A year may stand there twice: `2016 Ring Congress (2 016)`.
        if let Some(known) = self.known(Role::Year)
            && let Some(at) = self.torn(&known)
        {
            self.take(at);
            self.take(at + 1);
        }
        for role in [Role::Year, Role::FirstPage, Role::Volume] {
            if let Some(known) = self.missing(role)
                && let Some(at) = self.torn(&known)
            {
                self.take(at);
                self.take(at + 1);
                *self.agreement(role) = Agreement::Equal(BROKEN);
            }
        }
        for pair in NEIGHBOURS {
            let [Some(first), Some(second)] = pair.map(|role| self.missing(role)) else {
                continue;
            };
            if let Some(at) = self.glued(&first, &second, pair) {
                self.take(at);
                for role in pair {
                    *self.agreement(role) = Agreement::Equal(BROKEN);
                }
            }
        }
    }

    /// The first of two tokens that form a number with a space in it, perhaps with a letter in place of a digit.
    fn torn(&self, known: &Number) -> Option<usize> {
        let piece = |at: usize| {
            let token = self.reference.token(at)?;
            let is_piece = token.shape == TokenShape::Number || token.shape == TokenShape::Letter;
            (is_piece && !self.is_taken(at)).then_some(token.text.as_str())
        };
        (0..self.reference.tokens.len()).find(|at| {
            let gap = self.reference.gap(at + 1);
            let is_blank = !gap.is_empty() && gap.chars().all(char::is_whitespace);
            let (Some(head), Some(tail)) = (piece(*at), piece(at + 1)) else {
                return false;
            };
            let is_whole = || known.text.strip_prefix(head) == Some(tail);
            is_blank && (is_whole() || is_damaged(&format!("{head}{tail}"), &known.text))
        })
    }

    /// The token that joins two numbers. A last page may be shortened to its end, and a letter may
    /// replace the dash. Shorter ones match by chance.
    fn glued(&self, first: &Number, second: &Number, roles: [Role; 2]) -> Option<usize> {
        const MIN_LENGTH: usize = 4;
        let ends_like = |tail: &str| match roles {
            [_, Role::LastPage] => {
                let tail = tail.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                !tail.is_empty() && second.text.ends_with(tail)
            }
            _ => second.text == tail,
        };
        (0..self.reference.tokens.len()).find(|at| {
            let token = self.reference.token(*at);
            let number = token
                .filter(|t| t.shape == TokenShape::Number && t.text.len() >= MIN_LENGTH)
                .filter(|_| !first.text.is_empty() && !self.is_taken(*at));
            let tail = number.and_then(|t| t.text.strip_prefix(first.text.as_str()));
            tail.is_some_and(ends_like)
        })
    }

    fn year(&mut self) -> Agreement {
        let given = self.reference.year();
        let Some(known) = self.record.year else {
            return given.map_or(Agreement::Absent, |_| Agreement::NotKnown);
        };
        let spelled = known.to_string();
        let rival = self.rival_year(known);
        if let Some((at, fit)) = self.shown_year(&spelled, rival.is_some()) {
            self.take(at);
            return Agreement::Equal(fit);
        }
        if let Some(at) = self.damaged(&spelled) {
            self.take(at);
            return Agreement::Equal(DAMAGED);
        }
        // A year that occurs only in the title is not the work's.
        let is_taken = |year: i32| {
            let spelled = year.to_string();
            let tokens = self.reference.tokens.iter().enumerate();
            let mut places = tokens.filter(|(_, token)| token.text == spelled).peekable();
            places.peek().is_some() && places.all(|(at, _)| self.is_taken(at))
        };
        match given
            .filter(|given| *given != known && !is_taken(*given))
            .or(rival)
        {
            None => Agreement::NotGiven,
            Some(_) if self.year_is_page() => Agreement::NotGiven,
            Some(given) if (given - known).abs() == 1 => Agreement::Near,
            Some(_) if self.take_misprint(&spelled, Role::Year) => Agreement::Misprint,
            Some(_) => Agreement::Different,
        }
    }

    /// Another possible year in the text that no field of the record uses.
    fn rival_year(&self, known: i32) -> Option<i32> {
        let may_be_year = |at: &usize| matches!(self.reference.role(*at), Role::Open | Role::Year);
        (0..self.reference.tokens.len())
            .filter(|at| may_be_year(at) && !self.is_taken(*at))
            .filter_map(|at| self.reference.token(at)?.text.parse().ok())
            .find(|year| *year != known && self.reference.years.contains(year))
    }

    /// The position of the year in the text, and how well it fits there. If another number may be
    /// the year, a match in the title does not count, nor one that equals the record's volume or page.
    fn shown_year(&self, spelled: &str, has_rival: bool) -> Option<(usize, f64)> {
        const ELSEWHERE: f64 = 0.7;
        let shows = |token: &Token| {
            let suffix = token.text.strip_prefix(spelled);
            token.shape == TokenShape::Number
                && (suffix.is_some_and(|rest| rest.len() <= 1)
                    || numbers::misread(&token.text).is_some_and(|read| read == spelled))
        };
        let in_place = |at: usize| self.reference.role(at) == Role::Year;
        let places: Vec<usize> = (0..self.reference.tokens.len())
            .filter(|at| self.reference.token(*at).is_some_and(shows))
            .filter(|at| !self.is_taken(*at) || (in_place(*at) && !has_rival))
            .collect();
        if let Some(at) = places.iter().copied().find(|at| in_place(*at)) {
            return Some((at, 1.0));
        }
        let is_number_of_record = [Role::Volume, Role::Issue, Role::FirstPage, Role::LastPage]
            .into_iter()
            .filter_map(|role| self.known(role))
            .any(|number| number.text == spelled);
        match places.as_slice() {
            [_] if has_rival && is_number_of_record => None,
            [at, ..] => Some((*at, ELSEWHERE)),
            [] => None,
        }
    }

    /// A number that equals this one except for a letter in place of a digit, or among the digits:
    /// `2h08`, `20a08`.
    fn damaged(&self, wanted: &str) -> Option<usize> {
        (0..self.reference.tokens.len()).find(|at| {
            let token = self.reference.token(*at);
            !self.is_taken(*at) && token.is_some_and(|t| is_damaged(&t.text, wanted))
        })
    }

    /// Whether the number parsed as the year is the record's first page.
    fn year_is_page(&self) -> bool {
        let page = self.known(Role::FirstPage);
        self.reference
            .with_role(Role::Year)
            .any(|token| page.as_ref().is_some_and(|page| page.text == token.text))
    }

    /// Takes a number in this role that differs from the wanted one by one character.
    fn take_misprint(&mut self, wanted: &str, role: Role) -> bool {
        let place = (0..self.reference.tokens.len()).find(|at| {
            let misprinted = self
                .reference
                .token(*at)
                .is_some_and(|t| similar::is_one_character_off(&t.text, wanted));
            self.reference.role(*at) == role && !self.is_taken(*at) && misprinted
        });
        if let Some(at) = place {
            self.take(at);
        }
        place.is_some()
    }

    /// Searches a number, preferably in its own place.
    fn number(&mut self, role: Role) -> Agreement {
        let Some(known) = self.known(role) else {
            return Agreement::NotKnown;
        };
        let mut best: Option<(f64, usize)> = None;
        for (at, token) in self.reference.tokens.iter().enumerate() {
            let found = self.reference.role(at);
            if self.is_taken(at) || self.begins_another(found, role) {
                continue;
            }
            let misread = found == role && is_damaged_pair(&token.text, &known.text);
            let similarity = if misread { DAMAGED } else { 0.0 };
            let fit = known.similarity(token).max(similarity) * place_value(found, role);
            if fit > 0.0 && best.is_none_or(|(b, _)| fit > b) {
                best = Some((fit, at));
            }
        }
        match best {
            Some((fit, at)) if fit >= WEAKEST_NUMBER => {
                self.take(at);
                self.take_decimal(&known, at);
                Agreement::Equal(fit)
            }
            _ => Agreement::NotGiven,
        }
    }

    /// Takes the second half of a number such as `63.2`, whose first half was found.
    fn take_decimal(&mut self, known: &Number, at: usize) {
        let behind = self.reference.token(at + 1).map(|token| &token.text);
        let second = known.text.split_once('.').map(|(_, second)| second);
        if self.reference.gap(at + 1) == "." && behind.map(String::as_str) == second {
            self.take(at + 1);
        }
    }

    /// Distinguishes misprint, contradiction and absence, after every field has taken its own
    /// tokens.
    fn settle(&mut self, role: Role) {
        let open = (0..self.reference.tokens.len())
            .any(|at| self.reference.role(at) == role && !self.is_taken(at));
        // A match in another field's place is a coincidence if a different number is in this
        // field's place.
        if open && matches!(self.agreement(role), Agreement::Equal(fit) if *fit <= ELSEWHERE) {
            *self.agreement(role) = Agreement::Different;
        }
        let misprint = open
            && self
                .missing(role)
                .is_some_and(|known| self.take_misprint(&known.text, role));
        let agreement = self.agreement(role);
        *agreement = match (*agreement, open) {
            (Agreement::NotGiven, true) if misprint => Agreement::Misprint,
            (Agreement::NotGiven, true) => Agreement::Different,
            (Agreement::NotKnown, false) => Agreement::Absent,
            (agreement, _) => agreement,
        };
    }
}

/// The value of a number found in another field's place.
fn place_value(found: Role, wanted: Role) -> f64 {
    match found {
        role if role == wanted => 1.0,
        Role::Open => 0.8,
        Role::Volume | Role::Issue | Role::FirstPage | Role::LastPage => ELSEWHERE,
        Role::Year => 0.4,
        Role::Furniture | Role::Name => 0.3,
        Role::Marker => 0.1,
        Role::Identifier => 0.0,
    }
}

/// A volume, issue or page of a record, in the forms that a text may use.
struct Number {
    /// Folded, without leading zeros.
    text: String,
    digits: String,
    roman: Option<String>,
}

impl Number {
    fn of(known: &str) -> Number {
        let text = fold(known.trim()).trim_start_matches('0').to_owned();
        Number {
            digits: digits(&text),
            roman: words::roman(&text).map(|value| value.to_string()),
            text,
        }
    }

    /// 1 for the same number, less if only the digits of `S274` match.
    fn similarity(&self, token: &Token) -> f64 {
        let number = token.shape == TokenShape::Number;
        let given = token.text.trim_start_matches('0');
        if given == self.text && !given.is_empty() {
            return 1.0;
        }
        if self.roman.as_deref() == Some(given) {
            return 0.95;
        }
        if token.shape == TokenShape::Upper
            && words::roman(given).is_some_and(|n| self.text == n.to_string())
        {
            return 0.95;
        }
        if number && self.digits.len() >= 2 && digits(given) == self.digits {
            return 0.8;
        }
        if number && numbers::misread(given).is_some_and(|read| read == self.text) {
            return 0.8;
        }
        if number && is_damaged(given, &self.text) {
            return DAMAGED;
        }
        // A double number (`3-4`, `12/13`) is often shortened to its first half.
        let first = self.text.split(|c: char| !c.is_alphanumeric()).next();
        if number && first == Some(given) {
            return 0.8;
        }
        // The number of a series in letters (`PAMI-6`) is written without them.
        let (letters, last) = self.text.rsplit_once('-').unwrap_or_default();
        let is_series = !letters.is_empty() && letters.chars().all(char::is_alphabetic);
        if number && is_series && last == given {
            return 0.8;
        }
        0.0
    }
}

/// Whether a number of at least three digits has a foreign letter in it and otherwise matches.
fn is_damaged(given: &str, wanted: &str) -> bool {
    const MIN_LENGTH: usize = 3;
    let is_digit = |b: u8| b.is_ascii_digit();
    wanted.len() >= MIN_LENGTH
        && wanted.bytes().all(is_digit)
        && given.bytes().any(is_digit)
        && !given.bytes().all(is_digit)
        && similar::is_one_character_off(given, wanted)
}

/// Whether a number of two digits has a letter in place of one. Only where it stands for the wanted number: shorter
/// ones match by chance.
fn is_damaged_pair(given: &str, wanted: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_pair = given.len() == 2 && wanted.len() == 2 && wanted.chars().all(is_digit);
    let mut pairs = given.chars().zip(wanted.chars());
    let equal = given
        .chars()
        .zip(wanted.chars())
        .filter(|(a, b)| a == b)
        .count();
    is_pair && equal == 1 && pairs.any(|(given, _)| given.is_alphabetic())
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}
