//! Finds a record's names in the text, with adjacent given names, and the names that the record lacks.

use super::super::normalize::{Token, TokenShape};
use super::super::record::Person;
use super::super::reference::Role;
use super::super::similar;
use super::super::words;
use super::PeopleEvidence;
use super::comparison::ComparedPair;
use super::letters::LetterStream;

impl ComparedPair<'_> {
    /// Searches every author and counts the names that match none.
    pub fn people(&mut self) {
        const SEARCHED_TOLERANTLY: usize = 8;
        let mut found = PeopleEvidence {
            known: self.record.people.len(),
            ..PeopleEvidence::default()
        };
        for (n, person) in self.record.people.iter().enumerate() {
            let tolerant = n < SEARCHED_TOLERANTLY;
            let name_match = self
                .match_person(person, tolerant)
                .or_else(|| self.match_swapped(person));
            if let Some(name_match) = name_match {
                self.add_person(n, &name_match, &mut found);
            }
        }
        self.unmatched_authors(&mut found);
        self.evidence.people = found;
    }

    /// Searches the authors that no word of the text names once more, letter by letter.
    pub fn people_by_letters(&mut self) {
        const SEARCHED: usize = 8;
        let record = self.record;
        let is_missing = |n: &usize| !self.named.iter().any(|(named, _)| named == n);
        let missing: Vec<usize> = (0..record.people.len().min(SEARCHED))
            .filter(is_missing)
            .collect();
        if missing.is_empty() {
            return;
        }
        let stream = self.letters_of_names();
        let mut found = std::mem::take(&mut self.evidence.people);
        for n in missing {
            let person = record.people.get(n);
            let name_match = person.and_then(|person| self.person_by_letters(person, &stream));
            if let Some(name_match) = name_match {
                self.add_person(n, &name_match, &mut found);
            }
        }
        self.unmatched_authors(&mut found);
        self.evidence.people = found;
    }

    /// The letters in front of title and container.
    fn letters_of_names(&self) -> LetterStream {
        let starts = [&self.evidence.title, &self.evidence.container]
            .into_iter()
            .filter_map(|field| field.core(&self.reference.tokens));
        let end = starts.map(|core| core.start + 1).min();
        self.letters_of(0..end.unwrap_or(self.reference.tokens.len()))
    }

    fn person_by_letters(&self, person: &Person, stream: &LetterStream) -> Option<NameMatch> {
        /// A name in letters of other words is less certain than a word of its own.
        const QUALITY: f64 = 0.9;
        let length = person.family.iter().map(|token| token.text.len()).sum();
        let edits = match length {
            0..=3 => return None,
            4 => 0,
            5..=7 => 1,
            8..=11 => 2,
            _ => 3,
        };
        let place = stream.find(&person.family, edits)?;
        let beside = self.given_near(person, &place.tokens);
        Some(NameMatch {
            similarity: place.similarity.min(QUALITY),
            quality: place.similarity * QUALITY,
            rank: 0.0,
            given_agrees: beside.agree,
            family: place.tokens,
            given: if beside.agree {
                beside.tokens
            } else {
                Vec::new()
            },
        })
    }

    /// Adds a person of the record that the text names.
    fn add_person(&mut self, n: usize, name_match: &NameMatch, found: &mut PeopleEvidence) {
        for at in name_match.family.iter().chain(&name_match.given) {
            self.take(*at);
        }
        found.found += name_match.quality / found.known.max(1) as f64;
        found.misread += usize::from(name_match.similarity < 1.0);
        found.count += 1;
        if n == 0 {
            found.first = name_match.quality;
        }
        let at = name_match.family.first().copied().unwrap_or_default();
        self.named.push((n, at));
        let leader = self.named.iter().find(|(n, _)| *n == 0).map(|(_, at)| *at);
        found.leads = leader.is_some_and(|leader| self.named.iter().all(|(_, at)| *at >= leader));
    }

    fn match_person(&self, person: &Person, tolerant: bool) -> Option<NameMatch> {
        let (anchor_at, anchor) = person
            .family
            .iter()
            .enumerate()
            .max_by_key(|(_, token)| token.text.len())?;
        let mut best: Option<NameMatch> = None;
        for at in 0..self.reference.tokens.len() {
            let Some(name_match) = self.sight_at(person, anchor_at, anchor, at, tolerant) else {
                continue;
            };
            if best.as_ref().is_none_or(|b| name_match.rank > b.rank) {
                best = Some(name_match);
            }
        }
        best
    }

    /// Searches a person whose given name is in the place of the family name: `Z. Wei` for Wei Zhang.
    fn match_swapped(&self, person: &Person) -> Option<NameMatch> {
        const MIN_LENGTH: usize = 3;
        const QUALITY: f64 = 0.8;
        let written_out = person
            .given
            .first()
            .filter(|t| t.text.len() >= MIN_LENGTH)?;
        let swapped = Person {
            family: vec![written_out.clone()],
            given: person.family.clone(),
        };
        let mut name_match = self.match_person(&swapped, false)?;
        let at = name_match.family.first().copied()?;
        let is_name = self.reference.role(at) == Role::Name && !self.is_taken(at);
        name_match.quality *= QUALITY;
        (is_name && name_match.given_agrees).then_some(name_match)
    }

    fn sight_at(
        &self,
        person: &Person,
        anchor_at: usize,
        anchor: &Token,
        at: usize,
        tolerant: bool,
    ) -> Option<NameMatch> {
        let token = self.reference.token(at)?;
        let similarity = if token.text == anchor.text {
            1.0
        } else if tolerant && !token.is_digits() {
            similar::word_similarity(&token.text, &anchor.text).max(self.run_together(at, anchor))
        } else {
            0.0
        };
        if similarity <= 0.0 || self.reference.role(at) == Role::Identifier {
            return None;
        }
        let family = self.family_tokens(person, anchor_at, at)?;
        let beside = self.given_near(person, &family);
        let is_name = self.reference.role(at) == Role::Name;
        let mut quality = similarity;
        if beside.differ {
            quality *= 0.5;
        }
        let rank = quality + if beside.agree { 0.5 } else { 0.0 } + if is_name { 0.3 } else { 0.0 }
            - if self.is_taken(at) { 0.6 } else { 0.0 };
        Some(NameMatch {
            similarity,
            quality,
            rank,
            given_agrees: beside.agree,
            family,
            given: beside.tokens,
        })
    }

    /// How likely a token is a family name joined with an adjacent word without a space:
    /// `SusumuAmemiya`, `RajonDA`.
    fn run_together(&self, at: usize, family: &Token) -> f64 {
        const MIN_LENGTH: usize = 4;
        const SURE: f64 = 0.85;
        let Some(token) = self.reference.token(at) else {
            return 0.0;
        };
        let (text, family) = (token.text.as_str(), family.text.as_str());
        if family.len() < MIN_LENGTH || text.len() <= family.len() {
            return 0.0;
        }
        let seam = if text.starts_with(family) {
            family.len()
        } else if text.ends_with(family) {
            text.len() - family.len()
        } else {
            return 0.0;
        };
        // Folding may increase the number of characters, so the raw text is used.
        let raw = self.reference.text.get(token.span.clone());
        let capital = raw
            .and_then(|raw| raw.chars().nth(seam))
            .is_some_and(char::is_uppercase);
        let small = raw
            .and_then(|raw| raw.chars().nth(seam - 1))
            .is_some_and(char::is_lowercase);
        if capital && small { SURE } else { 0.0 }
    }

    /// The text tokens of a family name whose longest word is at `at`; `None` if the other words
    /// are not beside it.
    fn family_tokens(&self, person: &Person, anchor_at: usize, at: usize) -> Option<Vec<usize>> {
        let mut tokens = vec![at];
        let mut missing = 0.0;
        let mut total = 0.0;
        for (n, part) in person.family.iter().enumerate() {
            total += part.weight;
            if n == anchor_at {
                continue;
            }
            let expected = (at + n).saturating_sub(anchor_at);
            let near = expected.saturating_sub(1)..=expected + 1;
            let place = near.into_iter().find(|p| {
                *p != at
                    && self
                        .reference
                        .token(*p)
                        .is_some_and(|t| similar::word_similarity(&t.text, &part.text) > 0.0)
            });
            match place {
                Some(place) => tokens.push(place),
                None => missing += part.weight,
            }
        }
        tokens.sort_unstable();
        (missing <= total * 0.5).then_some(tokens)
    }

    /// Compares given names and initials on both sides of a family name.
    fn given_near(&self, person: &Person, family: &[usize]) -> Beside {
        let (Some(first), Some(last)) = (family.first(), family.last()) else {
            return Beside::default();
        };
        let mut beside = Beside::default();
        let Some(initial) = person.given.first().and_then(|t| t.text.chars().next()) else {
            beside.tokens = self.initials_near(*first, *last);
            return beside;
        };
        let before: Vec<usize> = self.given_before(*first);
        let behind: Vec<usize> = self.given_after(*last);
        let starts = |at: &usize| {
            self.reference
                .token(*at)
                .is_some_and(|t| t.text.starts_with(initial))
        };
        let is_initial = |at: &usize| self.is_initial(*at);
        if behind.first().is_some_and(starts) {
            beside.agree = true;
            beside.tokens = behind;
        } else if let Some(from) = before.iter().position(starts) {
            beside.agree = true;
            beside.tokens = before.into_iter().skip(from).collect();
        } else {
            beside.differ = behind.first().is_some_and(is_initial) || before.iter().any(is_initial);
        }
        beside
    }

    /// Initials beside the family name of an author without given names in the record.
    fn initials_near(&self, first: usize, last: usize) -> Vec<usize> {
        let is_initial = |at: &usize| self.is_initial(*at);
        let behind: Vec<usize> = self
            .given_after(last)
            .into_iter()
            .take_while(is_initial)
            .collect();
        if !behind.is_empty() {
            return behind;
        }
        self.given_before(first)
            .into_iter()
            .filter(is_initial)
            .collect()
    }

    /// Possible given names behind a family name: `Berg, J. P.`, `Berg, Johan P.`
    fn given_after(&self, last: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for at in last + 1..last + 5 {
            let gap = self.reference.gap(at);
            let parts = gap.contains([';', '&', '(', '“', ':']);
            let comma = gap.contains(',') && at > last + 1;
            // Behind a full stop only an initial continues the name; anything else begins the title.
            let stop = gap.contains('.') && !self.is_letter(at);
            let word_behind_initial =
                at > last + 1 && self.is_initial(at - 1) && !self.is_initial(at);
            if parts || comma || stop || word_behind_initial || !self.is_given_like(at) {
                break;
            }
            found.push(at);
        }
        found
    }

    pub fn is_letter(&self, at: usize) -> bool {
        self.reference
            .token(at)
            .is_some_and(|t| t.shape == TokenShape::Letter)
    }

    fn is_initial(&self, at: usize) -> bool {
        self.reference.token(at).is_some_and(|t| {
            t.shape == TokenShape::Letter || (t.shape == TokenShape::Upper && t.text.len() <= 3)
        })
    }

    /// Possible given names before a family name, in text order: `J. P. Berg`.
    fn given_before(&self, first: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for back in 1..5 {
            let Some(at) = first.checked_sub(back) else {
                break;
            };
            let reference = &self.reference;
            if reference.gap(at + 1).contains([',', ';', '&', '(', ':']) || !self.is_given_like(at)
            {
                break;
            }
            found.push(at);
        }
        found.reverse();
        found
    }

    fn is_given_like(&self, at: usize) -> bool {
        self.reference.token(at).is_some_and(|t| {
            matches!(
                t.shape,
                TokenShape::Letter | TokenShape::Upper | TokenShape::Capital | TokenShape::Bigram
            ) && !words::is_furniture(&t.text)
        }) && !self.reference.is_article(at)
    }

    /// Names of the text that the record lacks.
    fn unmatched_authors(&self, found: &mut PeopleEvidence) {
        let mut all = 0.0;
        let mut strange = 0.0;
        for (at, token) in self.reference.tokens.iter().enumerate() {
            if self.reference.role(at) != Role::Name || !token.is_word() {
                continue;
            }
            let weight = token.weight;
            all += weight;
            if !self.is_taken(at) {
                strange += weight;
            }
        }
        // Many records of books lack their editors.
        if self.reference.names_editors && found.known == 0 {
            (all, strange) = (0.0, 0.0);
        }
        found.given = all > 0.0;
        found.et_al = self.reference.tokens.windows(2).any(|pair| match pair {
            [et, al] => et.text == "et" && al.text == "al",
            _ => false,
        });
        found.several = self.reference.names.len() > 1 || found.et_al;
        found.unmatched = if all > 0.0 { strange / all } else { 0.0 };
    }
}

struct NameMatch {
    /// The similarity of the family names, 0 to 1.
    similarity: f64,
    /// The same, reduced if the initials differ.
    quality: f64,
    /// For choosing among several places.
    rank: f64,
    /// Whether the initial or given name beside the family name is the record's.
    given_agrees: bool,
    family: Vec<usize>,
    given: Vec<usize>,
}

#[derive(Default)]
struct Beside {
    agree: bool,
    differ: bool,
    tokens: Vec<usize>,
}
