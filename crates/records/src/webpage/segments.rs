//! Splits a list of people into its names: every way to cut the text at its joints is a sequence of segments, each
//! with a role and a score for what it looks like, and the sequence with the highest sum is chosen.

use citation_fields::names::is_full_name;
use citation_fields::names::suffixes::{is_degree, is_suffix, is_title};
use citation_model::lists::{phrases, words};
use citation_model::name::is_particle;

use super::{given_names, people};
use crate::names;

/// The order of the parts of names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The given name first, as in bylines. A word after a whole name and a comma is a place.
    Natural,
    /// Also `García Pérez, Ana`, as in catalogues.
    Any,
    /// As `Any`, in a tag of which each has one name.
    Single,
}

/// Maximum number of pieces of a text; later ones are dropped.
const MAX_PIECES: usize = 500;

/// Maximum number of pieces of a segment.
const MAX_JOINED: usize = 6;

/// What joins a piece to the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Start,
    And,
    Comma,
    /// A dash, a slash or «with», which seldom separate names.
    Weak,
    /// The bracket, the preposition or the office that the piece begins with.
    Addition,
}

/// A part of a text between two joints.
struct Piece {
    start: usize,
    end: usize,
    joint: Joint,
    /// What its text looks like alone, which every way to cut the text asks for.
    is_institution: bool,
    is_agency: bool,
    is_office: bool,
    is_site: bool,
    is_degree: bool,
    is_suffix: bool,
    /// Given and family name.
    is_full_name: bool,
    has_given_name: bool,
    /// The score as the name of a person.
    person: f32,
}

impl Piece {
    fn new(text: &str, start: usize, joint: Joint) -> Piece {
        let mut piece = Piece {
            start,
            end: start + text.len(),
            joint,
            is_institution: names::is_institution(text),
            is_agency: is_agency(text),
            is_office: is_office(text),
            is_site: people::names_site(text),
            is_degree: is_degree(text) || is_title(text),
            is_suffix: is_suffix(text),
            is_full_name: is_full_name(text),
            has_given_name: given_names::begins_with_one(text),
            person: 0.0,
        };
        piece.person = person(text, &piece);
        piece
    }

    /// Whether it is plainly no part of a person's name.
    fn is_other(&self) -> bool {
        self.is_institution || self.is_agency || self.is_office || self.is_site
    }
}

/// What a segment is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A name as it stands: of a person, an institution or an account.
    Name,
    /// What is said of the name before it: an office, a degree, an employer, a place.
    Addition,
    /// `Jr.`
    Suffix,
}

/// What stands before a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// A person with given and family name.
    Person,
    /// What is said of that person.
    Addition,
    Body,
    /// A single word.
    Other,
}

const STATES: usize = 5;

/// A segment that may end a sequence, and the sum up to its end.
#[derive(Clone, Copy)]
struct Step {
    sum: f32,
    from: usize,
    before: Before,
    role: Role,
}

/// The names in a text without strong separators such as semicolons.
pub(super) fn names_of(text: &str, order: Order) -> Vec<String> {
    let pieces = pieces(text);
    if let [only] = pieces.as_slice() {
        return vec![text.get(only.start..only.end).unwrap_or(text).to_owned()];
    }
    // All names of a list are turned, or none, except the last of `Roe, J., Doe, M., and A. Poe`.
    let lists = [false, true].map(|is_turned| List {
        text,
        pieces: &pieces,
        order,
        is_turned,
    });
    let [natural, turned] = lists.map(|list| list.best());
    let (_, names) = if turned.0 > natural.0 {
        turned
    } else {
        natural
    };
    if names.is_empty() {
        vec![text.to_owned()]
    } else {
        names
    }
}

/// The pieces of a text between its joints.
fn pieces(text: &str) -> Vec<Piece> {
    const CONJUNCTIONS: [&str; 17] = words("and & AND und et y e og och en и та ve ja i și oraz");
    const WEAK: [&str; 5] = words("with - – — /");
    const PREPOSITIONS: [&str; 7] = words("in IN for For at on bei");
    let mut found: Vec<Piece> = Vec::new();
    let (mut from, mut joint) = (0, Joint::Start);
    let mut cut =
        |end: usize, next: usize, following: Joint, from: &mut usize, joint: &mut Joint| {
            let piece = text.get(*from..end).unwrap_or_default();
            let bare = piece.trim_start();
            let start = end - bare.len();
            if bare.contains(char::is_alphabetic) && found.len() < MAX_PIECES {
                let text = bare.trim_end();
                found.push(Piece::new(text, start, *joint));
                *joint = following;
            } else if following == Joint::And && *joint != Joint::Start {
                // `Jane Roe, and John Doe`
                *joint = following;
            }
            *from = next;
        };
    let mut at = 0;
    let mut is_inside = false;
    for word in text.split_inclusive(|c: char| c.is_whitespace() || c == ',') {
        let start = at;
        at += word.len();
        let bare = word.trim_end_matches(|c: char| c.is_whitespace() || c == ',');
        let is_office = || {
            let before = text.get(from..start).unwrap_or_default();
            // Behind an initial is the family name: `Andrew W. Senior`.
            let is_name = before.split_whitespace().count() > 1
                && before
                    .split_whitespace()
                    .next_back()
                    .is_some_and(|last| !last.ends_with('.'));
            is_name
                && joint != Joint::Comma
                && bare.starts_with(char::is_uppercase)
                && is_office(bare)
        };
        let opens = bare.starts_with(['(', '[']);
        match bare {
            _ if is_inside => {}
            _ if opens || PREPOSITIONS.contains(&bare) || is_office() => {
                cut(start, start, Joint::Addition, &mut from, &mut joint);
            }
            // At the end it is a part of the name: `Mac & i`.
            _ if CONJUNCTIONS.contains(&bare) && at < text.len() => {
                cut(start, start + bare.len(), Joint::And, &mut from, &mut joint);
            }
            _ if WEAK.contains(&bare) => {
                cut(
                    start,
                    start + bare.len(),
                    Joint::Weak,
                    &mut from,
                    &mut joint,
                );
            }
            _ => {}
        }
        is_inside = (is_inside || opens) && !bare.ends_with([')', ']']);
        if word.ends_with(',') && !is_inside {
            cut(at - 1, at, Joint::Comma, &mut from, &mut joint);
        }
    }
    cut(text.len(), text.len(), Joint::And, &mut from, &mut joint);
    found
}

/// A text with its pieces, read in one of the orders that its names may have.
struct List<'t> {
    text: &'t str,
    pieces: &'t [Piece],
    order: Order,
    /// Whether names with a comma are `Family, Given`.
    is_turned: bool,
}

impl List<'_> {
    /// The best sum and the names of its sequence.
    fn best(&self) -> (f32, Vec<String>) {
        let mut steps: Vec<[Option<Step>; STATES]> = vec![[None; STATES]; self.pieces.len() + 1];
        for from in 0..self.pieces.len() {
            let sums = self.sums(&steps, from);
            let last = self.pieces.len().min(from + MAX_JOINED);
            for to in from + 1..=last {
                let Some(segment) = self.segment(from, to) else {
                    continue;
                };
                for (before, sum) in sums.iter().copied() {
                    for (role, after, score) in self.readings(&segment, before) {
                        let slot = steps
                            .get_mut(to)
                            .and_then(|row| row.get_mut(after as usize));
                        let step = Step {
                            sum: sum + score,
                            from,
                            before,
                            role,
                        };
                        if let Some(slot) = slot
                            && slot.is_none_or(|known| known.sum < step.sum)
                        {
                            *slot = Some(step);
                        }
                    }
                }
            }
        }
        self.sequence(&steps)
    }

    /// The best sums of the sequences that end before a piece, by what they end with.
    fn sums(&self, steps: &[[Option<Step>; STATES]], at: usize) -> Vec<(Before, f32)> {
        let states = [
            Before::Nothing,
            Before::Person,
            Before::Addition,
            Before::Body,
            Before::Other,
        ];
        let sum = |before: Before| match steps.get(at)?.get(before as usize)? {
            Some(step) => Some(step.sum),
            None => (at == 0 && before == Before::Nothing).then_some(0.0),
        };
        states
            .into_iter()
            .filter_map(|before| Some((before, sum(before)?)))
            .collect()
    }

    /// The names of the best sequence that ends with the text.
    fn sequence(&self, steps: &[[Option<Step>; STATES]]) -> (f32, Vec<String>) {
        let mut to = self.pieces.len();
        let last = steps.last().into_iter().flatten().copied().flatten();
        let Some(last) = last.max_by(|one, other| one.sum.total_cmp(&other.sum)) else {
            return (0.0, Vec::new());
        };
        let mut found: Vec<String> = Vec::new();
        let mut suffix: Option<&str> = None;
        let mut step = Some(last);
        while let Some(Step {
            from, before, role, ..
        }) = step
        {
            let text = self.joined(from, to);
            match role {
                Role::Name => found.push(match suffix.take() {
                    Some(suffix) => format!("{text} {suffix}"),
                    None => text.to_owned(),
                }),
                Role::Suffix => suffix = Some(text),
                Role::Addition => {}
            }
            to = from;
            step = steps
                .get(from)
                .and_then(|row| row.get(before as usize).copied().flatten());
        }
        found.reverse();
        (last.sum, found)
    }

    fn joined(&self, from: usize, to: usize) -> &str {
        let pieces = self.pieces.get(from..to).unwrap_or_default();
        let range = pieces.first().zip(pieces.last());
        range
            .and_then(|(first, last)| self.text.get(first.start..last.end))
            .unwrap_or_default()
    }

    /// A run of pieces, unless its commas are those of several names.
    fn segment(&self, from: usize, to: usize) -> Option<Segment<'_>> {
        let pieces = self.pieces.get(from..to)?;
        let (first, inner) = pieces.split_first()?;
        let text = self.joined(from, to);
        let has_comma = inner.iter().any(|piece| piece.joint == Joint::Comma);
        let is_pair = self.is_turned && inner.len() == 1;
        // A comma inside is that of an institution or of `Family, Given`.
        if has_comma && !first.is_institution && !is_pair {
            return None;
        }
        let is_word = !text.contains(char::is_whitespace);
        let is_end = to == self.pieces.len() && self.order == Order::Natural;
        Some(Segment {
            text,
            first,
            inner,
            has_comma,
            is_word,
            is_place: is_end && is_word && first.joint == Joint::Comma,
            is_acronym: is_word && self.is_acronym(text),
            is_phrase: !has_comma && is_phrase(text),
            ends_at_site: !inner.is_empty() && !has_comma && ends_at_site(text),
            body: body(text, first, inner),
            turned: self.turned(from, first, inner),
        })
    }

    /// The score of a run of two pieces as `Family, Given`.
    fn turned(&self, from: usize, family: &Piece, inner: &[Piece]) -> Option<f32> {
        let [given] = inner else {
            return None;
        };
        let is_pair = self.is_turned
            && given.joint == Joint::Comma
            && !(family.is_other() || given.is_other())
            && !(given.is_degree && self.joined(from, from + 1).contains(' '));
        let parts = [
            (self.joined(from, from + 1), family),
            (self.joined(from + 1, from + 2), given),
        ];
        is_pair.then(|| turned(parts, self.order)).flatten()
    }

    /// What a segment may be: its role, what it is for the next one, and its score.
    fn readings(&self, segment: &Segment<'_>, before: Before) -> Vec<(Role, Before, f32)> {
        let (first, inner) = (segment.first, segment.inner);
        let joint = first.joint;
        let mut found = Vec::new();
        // Weak joints and additions separate only names that are plainly two.
        let cost = if joint == Joint::Weak { 2.0 } else { 0.0 };
        if !segment.has_comma
            && let Some(score) = segment.addition(before)
        {
            let after = if before == Before::Person {
                Before::Addition
            } else {
                before
            };
            found.push((Role::Addition, after, score));
        }
        if joint == Joint::Addition {
            return found;
        }
        if inner.is_empty() {
            if joint == Joint::Comma && first.is_suffix && before != Before::Nothing {
                found.push((Role::Suffix, before, 3.0));
            }
            let after = if first.is_full_name {
                Before::Person
            } else {
                Before::Other
            };
            let is_last = joint == Joint::And || segment.is_word;
            let score = if self.is_turned && !is_last {
                0.0
            } else {
                first.person
            };
            let cost = cost + segment.cost_behind_body(before);
            found.push((Role::Name, after, score - cost));
        } else if !segment.has_comma {
            let has_and = inner.iter().any(|piece| piece.joint == Joint::And);
            let score = if has_and { 0.1 } else { 0.5 };
            found.push((Role::Name, Before::Other, score - cost));
        }
        if let Some(score) = segment.body {
            found.push((Role::Name, Before::Body, score - cost));
        }
        if let Some(score) = segment.turned {
            found.push((Role::Name, Before::Person, score - cost));
        }
        found
    }

    /// Whether a word in capitals stands in a text that is not.
    fn is_acronym(&self, word: &str) -> bool {
        word.len() > 2
            && !word.contains(char::is_lowercase)
            && self.text.contains(char::is_lowercase)
    }
}

/// A run of pieces and what does not depend on what stands before it.
struct Segment<'t> {
    text: &'t str,
    first: &'t Piece,
    inner: &'t [Piece],
    has_comma: bool,
    /// A single word.
    is_word: bool,
    /// A word at the end of a byline, behind a comma.
    is_place: bool,
    is_acronym: bool,
    is_phrase: bool,
    ends_at_site: bool,
    /// The score as an institution.
    body: Option<f32>,
    /// The score as `Family, Given`.
    turned: Option<f32>,
}

impl Segment<'_> {
    /// What a name costs behind an institution, whose own name may have a list: `Ministry of Trade, Culture and
    /// Public Works`.
    fn cost_behind_body(&self, before: Before) -> f32 {
        match self.first.joint {
            _ if before != Before::Body || self.first.has_given_name => 0.0,
            Joint::And => 1.5,
            Joint::Comma if self.is_word => 1.0,
            _ => 0.0,
        }
    }

    /// The score of what is said of the name before it.
    fn addition(&self, before: Before) -> Option<f32> {
        let joint = self.first.joint;
        let is_of_person = matches!(before, Before::Person | Before::Addition);
        if before == Before::Nothing || joint == Joint::And && before != Before::Addition {
            return None;
        }
        let has = |is_so: fn(&Piece) -> bool| is_so(self.first) || self.inner.iter().any(is_so);
        let is_behind_name = before == Before::Person || before == Before::Body;
        let scores = [
            (has(|piece| piece.is_site), 2.5),
            (is_of_person && self.ends_at_site, 5.0),
            (self.text.starts_with(|c: char| c.is_ascii_digit()), 2.5),
            (self.inner.is_empty() && self.first.is_degree, 3.0),
            (is_of_person && has(|piece| piece.is_office), 2.5),
            (is_of_person && has(|piece| piece.is_agency), 2.2),
            (is_of_person && has(|piece| piece.is_institution), 2.1),
            (is_of_person && joint == Joint::Addition, 2.0),
            (is_of_person && self.is_phrase, 2.0),
            (self.is_place && is_behind_name, 1.5),
            (is_of_person && self.is_acronym, 1.0),
            (before == Before::Addition && self.is_word, 1.0),
        ];
        let scores = scores.into_iter().filter(|(holds, _)| *holds);
        scores.map(|(_, score)| score).max_by(f32::total_cmp)
    }
}

/// The score of an institution: its words, or those of its first piece if commas are inside.
fn body(text: &str, first: &Piece, inner: &[Piece]) -> Option<f32> {
    if inner.is_empty() {
        return (first.is_institution || first.is_agency).then_some(2.0);
    }
    // Without a comma any of the pieces may say so, or a word that joins no people.
    let is_joined = || {
        let is_named = inner.iter().any(|piece| piece.is_institution);
        is_named || inner.iter().any(|piece| piece.joint == Joint::Addition) || text.contains('&')
    };
    let is_body = first.is_institution || !text.contains(',') && is_joined();
    if !is_body || first.is_agency || inner.iter().any(|piece| piece.is_agency) {
        return None;
    }
    let parts = inner.iter().filter(|piece| piece.is_institution).count();
    let bodies = (parts + usize::from(first.is_institution)).max(1);
    Some(2.0 * bodies as f32 + 0.75 * inner.len() as f32)
}

/// The score of a text as the name of a person in natural order, or as a name of which nothing is known.
fn person(text: &str, piece: &Piece) -> f32 {
    let count = text.split_whitespace().count();
    let is_lower = |word: &str| word.chars().all(char::is_lowercase);
    let shape = match count {
        _ if piece.is_full_name || people::is_east_asian(text) => 2.0,
        1 => 0.2,
        2..=5 => 1.0,
        _ => -1.0,
    };
    let signs = [
        (piece.has_given_name, 1.0),
        (
            text.split_whitespace().next_back().is_some_and(is_particle),
            -1.0,
        ),
        (text.split_whitespace().all(is_lower), -2.0),
        (piece.is_site, -3.0),
        (text.starts_with(|c: char| c.is_ascii_digit()), -3.0),
        (piece.is_institution || piece.is_agency, -3.0),
        (piece.is_office, -3.0),
    ];
    let signs = signs.into_iter().filter(|(holds, _)| *holds);
    shape + signs.map(|(_, score)| score).sum::<f32>()
}

/// The score of two parts as `Family, Given`.
fn turned([family, given]: [(&str, &Piece); 2], order: Order) -> Option<f32> {
    let [family_has_one, given_has_one] = [family, given].map(|(_, piece)| piece.has_given_name);
    let is_suffix = given.1.is_suffix;
    let [family, given] = [family, given].map(|(text, _)| text);
    let [of_family, of_given] = [family, given].map(|part| part.split_whitespace().count());
    if of_family.max(of_given) > 4 || is_suffix {
        return None;
    }
    let are_initials = given
        .split([' ', '.', '-'])
        .all(|word| word.chars().count() <= 3 && !word.contains(char::is_lowercase));
    let shape = match (of_family, of_given) {
        _ if order == Order::Single => 5.0,
        _ if are_initials => 4.0,
        (1, 1) => 3.5,
        (1, _) | (_, 1) => 3.0,
        _ => 1.0,
    };
    let begins = family.split_whitespace().next().is_some_and(is_particle);
    let ends = given
        .split_whitespace()
        .next_back()
        .is_some_and(is_particle);
    let signs = [
        (given_has_one, 1.0),
        (of_family > 1 && family_has_one, -1.0),
        (begins || ends, 2.5),
    ];
    let signs = signs.into_iter().filter(|(holds, _)| *holds);
    Some(shape + signs.map(|(_, score)| score).sum::<f32>())
}

/// Whether the last word is an address: `Example Media for EX.com`.
fn ends_at_site(text: &str) -> bool {
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let sides = last.split_once('.');
    sides.is_some_and(|(head, rest)| {
        head.len() > 1 && rest.chars().all(char::is_lowercase) && rest.len() > 1
    })
}

/// Whether several words are a phrase: a longer one is in lower case and no particle.
fn is_phrase(text: &str) -> bool {
    let common = |word: &str| {
        word.chars().count() > 3 && word.chars().all(char::is_lowercase) && !is_particle(word)
    };
    text.split_whitespace().count() > 2 && text.split_whitespace().any(common)
}

/// Agencies and broadcasters after the names of their staff.
const AGENCIES: [&str; 24] = phrases(
    "afp|agence france-presse|ansa|ap|associated press|bbc|bbc news|bloomberg|cbc news|cnn|\
     cnn business|dpa|efe|ians|npr|pa|press association|pti|reuters|the associated press|tass|\
     upi|usa today|xinhua",
);

/// Words of occupations, in lower case.
const OCCUPATIONS: [&str; 91] = words(
    "advisor analyst architect attorney author ceo cfo chief coach columnist consultant contributor coordinator \
     correspondent counsel critic cto developer director editor editor-at-large editor-in-chief educator educators \
     engineer expert fellow founder co-founder journalist lecturer manager officer photographer president principal \
     producer professor reporter researcher scientist senior specialist staff strategist technologist writer \
     autor autorin gastautor gastautorin redakteur redakteurin reporterin korrespondent korrespondentin journalistin \
     experte expertin kolumnist kolumnistin rechtsanwalt rechtsanwältin professorin leiterin referent \
     referentin sprecherin auteur autrice journaliste rédacteur rédactrice correspondant correspondante \
     periodista redactor redactora corresponsal giornalista inviato inviata redattore redattrice repórter jornalista \
     redator redatora redacteur verslaggever correspondente",
);

/// Whether a text has a word of an occupation.
fn is_office(text: &str) -> bool {
    text.split_whitespace().any(is_occupation)
}

/// Whether a word is one of an occupation, alone, behind a hyphen or at the end of a compound: `Science-Reporter`,
/// `Projektleiterin`.
fn is_occupation(word: &str) -> bool {
    const ENDS: [&str; 12] = words(
        "redakteur redakteurin korrespondent korrespondentin experte expertin leiter leiterin referent referentin \
         sprecher sprecherin",
    );
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let lower = word.to_lowercase();
    let mut parts = lower.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    parts.any(|part| {
        let last = part.rsplit('-').next().unwrap_or(part);
        OCCUPATIONS.contains(&part)
            || OCCUPATIONS.contains(&last)
            || ENDS
                .iter()
                .any(|end| last.len() > end.len() && last.ends_with(end))
    })
}

/// Whether a text of several words is an occupation, which no given name begins: `Contributing Reporter`.
pub(super) fn is_title_alone(text: &str) -> bool {
    let last = text.rsplit_once(' ').map(|(_, last)| last);
    last.is_some_and(is_occupation) && !given_names::begins_with_one(text)
}

/// Removes the occupation before a whole name: `Autorin Jane Roe`, `EX-Reporter Jane Roe`.
pub(super) fn without_office(text: &str) -> &str {
    let Some((first, rest)) = text.split_once(' ') else {
        return text;
    };
    let is_name = |rest: &str| {
        is_full_name(rest)
            && rest
                .split_whitespace()
                .all(|word| word.starts_with(char::is_uppercase) || is_particle(word))
            && !is_office(rest)
    };
    if is_occupation(first) && is_name(rest) {
        rest
    } else {
        text
    }
}

fn is_agency(part: &str) -> bool {
    AGENCIES.contains(&part.to_lowercase().as_str())
}
