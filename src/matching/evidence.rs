//! What speaks for and against a record being the work that a reference means. Each field of the
//! record is looked for in the text; what the text says beyond the record counts as well, for an
//! invented title is made of words that the record does not have.

use super::align::{self, Cover, Manner, Page};
use super::normalize::{Shape, Token};
use super::record::{Person, Record};
use super::reference::{Reference, Role};
use super::similar;
use super::words;

/// The comparison of one reference with one record.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Whether an identifier in the text is the record's, or the record has another of that kind.
    pub identifier: Agreement,
    /// Whether the text says hardly anything beside its identifier.
    pub identifier_alone: bool,
    pub title: Cover,
    /// Whether words that the record does not explain stand right before or right behind the
    /// title, with no punctuation between.
    pub title_goes_on: bool,
    /// Whether a number of the title (`Part II`, `1999`) is not in the text.
    pub title_number_missing: bool,
    /// The share of the reference's own title, as far as it can be told, that some field of the
    /// record explains, 0 to 1; 1 where no title can be told.
    pub title_explained: f64,
    /// Whether one of the two is a correction, reply or comment and the other is not.
    pub companion_differs: bool,
    pub people: PeopleEvidence,
    pub year: Agreement,
    pub volume: Agreement,
    pub issue: Agreement,
    pub page: Agreement,
    pub last_page: Agreement,
    pub container: Cover,
    /// Which of the record's containers fitted best.
    pub container_index: Option<usize>,
    pub unexplained: Unexplained,
}

/// How a number of the reference agrees with the record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Agreement {
    /// Neither says anything.
    #[default]
    Absent,
    /// The text has it, and in the place where it belongs: 0 to 1.
    Equal(f64),
    /// Years one apart, as between a work's first appearance and its issue.
    Near,
    /// One character inserted, left out or replaced.
    Misprint,
    /// The text says something else.
    Different,
    /// The record has it, the text does not.
    NotGiven,
    /// The text has it, the record does not.
    NotKnown,
}

/// How the names agree.
#[derive(Clone, Debug, Default)]
pub struct PeopleEvidence {
    /// How well the first author of the record is found in the text, 0 to 1.
    pub first: f64,
    /// Whether the initials beside the first author's name are other ones.
    pub first_initials_differ: bool,
    /// The share of the record's authors that are found, 0 to 1.
    pub found: f64,
    /// How many authors of the record are found.
    pub count: usize,
    /// How many authors of the record were looked for.
    pub known: usize,
    /// The share of the names in the text that the record does not have, 0 to 1.
    pub strangers: f64,
    /// Whether the text names anybody.
    pub given: bool,
    /// Whether the first author of the record is the one whom the text names first.
    pub leads: bool,
    /// Whether the text names more than one author, or says `et al`.
    pub several: bool,
}

/// What the text says and the record does not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unexplained {
    /// The weight of the longest row of words, see [`align::weight`].
    pub longest: f64,
    /// The share of the weight of all words, 0 to 1.
    pub share: f64,
    /// Numbers that are neither dates nor marks of the list.
    pub numbers: usize,
}

/// Compares a reference with a record.
pub fn weigh(reference: &Reference, record: &Record) -> Evidence {
    let container_first = Comparison::new(reference, record).run(true);
    // Where title and container share words, either may take what the other needs.
    let contested = container_first.title.share < 0.95 && shares_words(record);
    if !contested {
        return container_first;
    }
    let title_first = Comparison::new(reference, record).run(false);
    let value = |e: &Evidence| {
        let whole = |cover: &Cover| f64::from(u8::from(cover.share > 0.9));
        e.title.share * e.title.weight
            + e.container.share * e.container.weight
            + whole(&e.title)
            + whole(&e.container)
    };
    if value(&title_first) > value(&container_first) {
        title_first
    } else {
        container_first
    }
}

fn shares_words(record: &Record) -> bool {
    let in_container = |token: &Token| {
        !words::is_function_word(&token.text)
            && record
                .containers
                .iter()
                .flatten()
                .any(|t| t.text == token.text)
    };
    record.title.iter().any(in_container)
}

struct Comparison<'a> {
    reference: &'a Reference,
    record: &'a Record,
    taken: Vec<bool>,
    evidence: Evidence,
}

impl<'a> Comparison<'a> {
    fn new(reference: &'a Reference, record: &'a Record) -> Comparison<'a> {
        let taken = reference
            .roles
            .iter()
            .map(|role| *role == Role::Identifier)
            .collect();
        Comparison {
            reference,
            record,
            taken,
            evidence: Evidence::default(),
        }
    }

    fn run(mut self, container_first: bool) -> Evidence {
        if container_first {
            self.container();
            self.title();
        } else {
            self.title();
            self.container();
        }
        self.people();
        self.numbers();
        self.identifiers();
        self.title_details();
        self.publisher();
        self.evidence.unexplained = self.unexplained();
        self.evidence
    }

    fn page(&self) -> Page<'_> {
        Page {
            tokens: &self.reference.tokens,
            taken: &self.taken,
        }
    }

    fn take(&mut self, at: usize) {
        if let Some(slot) = self.taken.get_mut(at) {
            *slot = true;
        }
    }

    fn is_taken(&self, at: usize) -> bool {
        self.taken.get(at).copied().unwrap_or(true)
    }

    fn title(&mut self) {
        let cover = align::cover(&self.record.title, self.page(), Manner::Tolerant);
        // A few common words by chance are no trace of the title.
        if cover.share > 0.3 {
            for at in cover.tokens() {
                self.take(at);
            }
        }
        self.evidence.title = cover;
    }

    fn container(&mut self) {
        let mut best: Option<(usize, Cover)> = None;
        for (n, container) in self.record.containers.iter().enumerate() {
            let cover = match self.acronym(container) {
                Some(cover) => cover,
                None => {
                    let abbreviated = align::cover(container, self.page(), Manner::Abbreviated);
                    if abbreviated.share < 0.8 {
                        better(
                            abbreviated,
                            align::cover(container, self.page(), Manner::Tolerant),
                        )
                    } else {
                        abbreviated
                    }
                }
            };
            if best.as_ref().is_none_or(|(_, b)| cover.share > b.share) {
                best = Some((n, cover));
            }
        }
        let Some((n, cover)) = best else {
            return;
        };
        if cover.share > 0.3 {
            for at in cover.tokens() {
                self.take(at);
            }
        }
        self.evidence.container_index = Some(n);
        self.evidence.container = cover;
    }

    /// A container written as the initials of its words: `PNAS`, `JAMA`.
    fn acronym(&self, container: &[Token]) -> Option<Cover> {
        let initials: String = container
            .iter()
            .filter(|token| !words::is_function_word(&token.text))
            .filter_map(|token| token.text.chars().next())
            .collect();
        if initials.chars().count() < 3 {
            return None;
        }
        let at = (0..self.reference.tokens.len()).find(|at| {
            !self.is_taken(*at)
                && self
                    .reference
                    .token(*at)
                    .is_some_and(|t| t.shape == Shape::Upper && t.text == initials)
        })?;
        let place = align::Place {
            at,
            width: 1,
            similarity: 0.9,
        };
        Some(Cover {
            share: 0.9,
            misspelt: 0.0,
            missing_words: 0,
            weight: align::total_weight(container),
            order: 1.0,
            places: vec![Some(place)],
        })
    }

    fn people(&mut self) {
        const SEARCHED_TOLERANTLY: usize = 8;
        let mut found = PeopleEvidence {
            known: self.record.people.len(),
            ..PeopleEvidence::default()
        };
        let mut total = 0.0;
        let mut leader = 0;
        for (n, person) in self.record.people.iter().enumerate() {
            let tolerant = n < SEARCHED_TOLERANTLY;
            let Some(sighting) = self.sight(person, tolerant) else {
                continue;
            };
            for at in sighting.family.iter().chain(&sighting.given) {
                self.take(*at);
            }
            total += sighting.quality;
            found.count += 1;
            let at = sighting.family.first().copied().unwrap_or_default();
            if n == 0 {
                found.first = sighting.quality;
                found.first_initials_differ = sighting.initials_differ;
                found.leads = true;
                leader = at;
            } else if at < leader {
                found.leads = false;
            }
        }
        found.found = if found.known == 0 {
            0.0
        } else {
            total / found.known as f64
        };
        self.strangers(&mut found);
        self.evidence.people = found;
    }

    fn sight(&self, person: &Person, tolerant: bool) -> Option<Sighting> {
        let (anchor_at, anchor) = person
            .family
            .iter()
            .enumerate()
            .max_by_key(|(_, token)| token.text.len())?;
        let mut best: Option<Sighting> = None;
        for at in 0..self.reference.tokens.len() {
            let Some(sighting) = self.sight_at(person, anchor_at, anchor, at, tolerant) else {
                continue;
            };
            if best.as_ref().is_none_or(|b| sighting.rank > b.rank) {
                best = Some(sighting);
            }
        }
        best
    }

    fn sight_at(
        &self,
        person: &Person,
        anchor_at: usize,
        anchor: &Token,
        at: usize,
        tolerant: bool,
    ) -> Option<Sighting> {
        let token = self.reference.token(at)?;
        let similarity = if token.text == anchor.text {
            1.0
        } else if tolerant && !token.is_digits() {
            similar::word_similarity(&token.text, &anchor.text)
        } else {
            0.0
        };
        if similarity <= 0.0 || self.reference.role(at) == Role::Identifier {
            return None;
        }
        let family = self.family_around(person, anchor_at, at)?;
        let beside = self.given_beside(person, &family);
        let is_name = self.reference.role(at) == Role::Name;
        let mut quality = similarity;
        if beside.differ {
            quality *= 0.5;
        }
        let rank = quality + if beside.agree { 0.5 } else { 0.0 } + if is_name { 0.3 } else { 0.0 }
            - if self.is_taken(at) { 0.6 } else { 0.0 };
        Some(Sighting {
            quality,
            rank,
            initials_differ: beside.differ,
            family,
            given: beside.tokens,
        })
    }

    /// The text tokens of a family name whose longest word stands at `at`; nothing where the
    /// other words are not beside it.
    fn family_around(&self, person: &Person, anchor_at: usize, at: usize) -> Option<Vec<usize>> {
        let mut tokens = vec![at];
        let mut missing = 0.0;
        let mut total = 0.0;
        for (n, part) in person.family.iter().enumerate() {
            total += align::weight(part);
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
                        .is_some_and(|t| t.text == part.text)
            });
            match place {
                Some(place) => tokens.push(place),
                None => missing += align::weight(part),
            }
        }
        tokens.sort_unstable();
        (missing <= total * 0.5).then_some(tokens)
    }

    /// Compares given names and initials on both sides of a family name.
    fn given_beside(&self, person: &Person, family: &[usize]) -> Beside {
        let (Some(first), Some(last)) = (family.first(), family.last()) else {
            return Beside::default();
        };
        let mut beside = Beside::default();
        let Some(initial) = person.given.first().and_then(|t| t.text.chars().next()) else {
            beside.tokens = self.initials_around(*first, *last);
            return beside;
        };
        let before: Vec<usize> = self.given_before(*first);
        let behind: Vec<usize> = self.given_behind(*last);
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

    /// Initials beside the family name of an author whose given names the record does not have.
    fn initials_around(&self, first: usize, last: usize) -> Vec<usize> {
        let is_initial = |at: &usize| self.is_initial(*at);
        let behind: Vec<usize> = self
            .given_behind(last)
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

    /// Tokens behind a family name that may be the given names: `Berg, J. P.`, `Berg, Johan P.`
    fn given_behind(&self, last: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for at in last + 1..last + 5 {
            let gap = self.reference.gap(at);
            let parts = gap.contains([';', '&', '(', '“', ':']);
            let comma = gap.contains(',') && at > last + 1;
            // Behind a full stop only an initial goes on: what else comes begins the title.
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

    fn is_letter(&self, at: usize) -> bool {
        self.reference
            .token(at)
            .is_some_and(|t| t.shape == Shape::Letter)
    }

    fn is_initial(&self, at: usize) -> bool {
        self.reference.token(at).is_some_and(|t| {
            t.shape == Shape::Letter || (t.shape == Shape::Upper && t.text.len() <= 3)
        })
    }

    /// Tokens before a family name that may be the given names, in text order: `J. P. Berg`.
    fn given_before(&self, first: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for back in 1..5 {
            let Some(at) = first.checked_sub(back) else {
                break;
            };
            if self
                .reference
                .gap(at + 1)
                .contains([',', ';', '&', '(', ':'])
                || !self.is_given_like(at)
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
                Shape::Letter | Shape::Upper | Shape::Capital | Shape::Bigram
            ) && !words::is_furniture(&t.text)
        })
    }

    /// Names of the text that the record does not have.
    fn strangers(&self, found: &mut PeopleEvidence) {
        let mut all = 0.0;
        let mut strange = 0.0;
        for (at, token) in self.reference.tokens.iter().enumerate() {
            if self.reference.role(at) != Role::Name || !token.is_word() {
                continue;
            }
            let weight = align::weight(token);
            all += weight;
            if !self.is_taken(at) {
                strange += weight;
            }
        }
        found.given = all > 0.0;
        found.several = self.reference.names.len() > 1
            || self.reference.tokens.windows(2).any(|pair| match pair {
                [et, al] => et.text == "et" && al.text == "al",
                _ => false,
            });
        found.strangers = if all > 0.0 { strange / all } else { 0.0 };
    }

    fn numbers(&mut self) {
        self.evidence.year = self.year();
        let record = self.record;
        self.evidence.page = self.number(record.page.as_deref(), Role::FirstPage);
        self.evidence.volume = self.number(record.volume.as_deref(), Role::Volume);
        self.evidence.issue = self.number(record.issue.as_deref(), Role::Issue);
        self.evidence.last_page = self.number(record.last_page.as_deref(), Role::LastPage);
        self.settle(Role::Volume, record.volume.as_deref(), |e| &mut e.volume);
        self.settle(Role::Issue, record.issue.as_deref(), |e| &mut e.issue);
        self.settle(Role::FirstPage, record.page.as_deref(), |e| &mut e.page);
    }

    fn year(&mut self) -> Agreement {
        let given = self.reference.year();
        let Some(known) = self.record.year else {
            return given.map_or(Agreement::Absent, |_| Agreement::NotKnown);
        };
        let tokens = &self.reference.tokens;
        let spelled = known.to_string();
        let is_year = |at: &usize| {
            tokens.get(*at).is_some_and(|t| {
                t.shape == Shape::Number
                    && t.text
                        .strip_prefix(&spelled)
                        .is_some_and(|rest| rest.len() <= 1)
            })
        };
        let places: Vec<usize> = (0..tokens.len()).filter(is_year).collect();
        let in_place = places
            .iter()
            .copied()
            .find(|at| self.reference.role(*at) == Role::Year);
        if let Some(at) = in_place.or(places.first().copied()) {
            self.take(at);
            return Agreement::Equal(if in_place.is_some() { 1.0 } else { 0.7 });
        }
        match given {
            None => Agreement::NotGiven,
            Some(given) if (given - known).abs() == 1 => Agreement::Near,
            Some(_) if self.take_misprint(&spelled, Role::Year) => Agreement::Misprint,
            Some(_) => Agreement::Different,
        }
    }

    /// Takes the number in a place that is the wanted one but for one character.
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

    /// Looks for a number, best in its own place.
    fn number(&mut self, known: Option<&str>, role: Role) -> Agreement {
        let Some(known) = known.map(Number::of) else {
            return Agreement::NotKnown;
        };
        let mut best: Option<(f64, usize)> = None;
        for (at, token) in self.reference.tokens.iter().enumerate() {
            if self.is_taken(at) {
                continue;
            }
            let fit = known.similarity(token) * place_value(self.reference.role(at), role);
            if fit > 0.0 && best.is_none_or(|(b, _)| fit > b) {
                best = Some((fit, at));
            }
        }
        match best {
            Some((fit, at)) if fit >= WEAKEST_NUMBER => {
                self.take(at);
                Agreement::Equal(fit)
            }
            _ => Agreement::NotGiven,
        }
    }

    /// Tells misprint, contradiction and silence apart, once every field has taken what is its
    /// own.
    fn settle(
        &mut self,
        role: Role,
        known: Option<&str>,
        field: impl Fn(&mut Evidence) -> &mut Agreement,
    ) {
        let open = (0..self.reference.tokens.len())
            .any(|at| self.reference.role(at) == role && !self.is_taken(at));
        let missing = *field(&mut self.evidence) == Agreement::NotGiven;
        let misprint = missing
            && open
            && known.is_some_and(|known| self.take_misprint(&Number::of(known).text, role));
        let agreement = field(&mut self.evidence);
        *agreement = match (*agreement, open) {
            (Agreement::NotGiven, true) if misprint => Agreement::Misprint,
            (Agreement::NotGiven, true) => Agreement::Different,
            (Agreement::NotKnown, false) => Agreement::Absent,
            (agreement, _) => agreement,
        };
    }

    fn title_details(&mut self) {
        let title = &self.evidence.title;
        let missing_number = self
            .record
            .title
            .iter()
            .zip(&title.places)
            .any(|(token, place)| place.is_none() && is_ordinal(token));
        let goes_on = title
            .span()
            .is_some_and(|span| self.goes_on_before(span.start) || self.goes_on_behind(span.end));
        self.evidence.title_explained = self.title_explained();
        self.evidence.title_number_missing = missing_number && title.share > 0.5;
        self.evidence.title_goes_on = goes_on && title.share > 0.5;
        self.evidence.companion_differs = self.companion_differs();
    }

    fn title_explained(&self) -> f64 {
        let (mut all, mut explained) = (0.0, 0.0);
        for at in self.reference.title_tokens.clone() {
            let Some(token) = self.reference.token(at).filter(|t| t.is_word()) else {
                continue;
            };
            let weight = align::weight(token);
            all += weight;
            if self.is_taken(at) {
                explained += weight;
            }
        }
        if all > 0.0 { explained / all } else { 1.0 }
    }

    fn goes_on_before(&self, start: usize) -> bool {
        let Some(before) = start.checked_sub(1) else {
            return false;
        };
        self.is_stray_word(before) && self.reference.gap(start).trim().is_empty()
    }

    fn goes_on_behind(&self, end: usize) -> bool {
        self.is_stray_word(end) && self.reference.gap(end).trim().is_empty()
    }

    fn is_stray_word(&self, at: usize) -> bool {
        !self.is_taken(at)
            && matches!(self.reference.role(at), Role::Open)
            && self.reference.token(at).is_some_and(Token::is_word)
    }

    fn companion_differs(&self) -> bool {
        let kinds = |tokens: &[Token]| -> Vec<&'static str> {
            tokens
                .iter()
                .filter_map(|t| words::companion(&t.text))
                .collect()
        };
        let known = kinds(&self.record.title);
        let contained: Vec<&str> = self
            .record
            .containers
            .iter()
            .flat_map(|c| kinds(c))
            .collect();
        let given = kinds(&self.reference.tokens);
        let one_sided = |here: &[&'static str], there: &[&'static str]| {
            here.iter()
                .any(|kind| !there.contains(kind) && !contained.contains(kind))
        };
        one_sided(&known, &given) || one_sided(&given, &known)
    }

    fn identifiers(&mut self) {
        let given = &self.reference.identifiers;
        let known = &self.record.identifiers;
        self.evidence.identifier = if given.iter().any(|id| known.contains(id)) {
            Agreement::Equal(1.0)
        } else if given
            .iter()
            .any(|id| known.iter().any(|k| k.kind() == id.kind()))
        {
            Agreement::Different
        } else if given.is_empty() {
            Agreement::Absent
        } else {
            Agreement::NotKnown
        };
        let spoken = |at: &usize| {
            self.reference.role(*at) == Role::Open
                && self.reference.token(*at).is_some_and(Token::is_word)
        };
        let words = (0..self.reference.tokens.len()).filter(spoken).count();
        self.evidence.identifier_alone = words == 0 && !given.is_empty();
    }

    fn publisher(&mut self) {
        let cover = align::cover(&self.record.publisher, self.page(), Manner::Exact);
        if cover.share > 0.5 {
            for at in cover.tokens() {
                self.take(at);
            }
        }
    }

    fn unexplained(&self) -> Unexplained {
        let mut left = Unexplained::default();
        let (mut all, mut open, mut row) = (0.0, 0.0, 0.0_f64);
        for (at, token) in self.reference.tokens.iter().enumerate() {
            let role = self.reference.role(at);
            if token.shape == Shape::Number {
                let counts = !matches!(
                    role,
                    Role::Marker | Role::Identifier | Role::LastPage | Role::Year
                );
                if counts && !self.is_taken(at) && !self.is_day(at) {
                    left.numbers += 1;
                }
                continue;
            }
            let silent = matches!(role, Role::Furniture | Role::Identifier | Role::Name);
            if silent || !token.is_word() || self.stands_by_initials(at) {
                continue;
            }
            let weight = align::weight(token);
            all += weight;
            if self.is_taken(at) {
                // A function word that the title takes here does not part a row of strange words.
                if !words::is_function_word(&token.text) {
                    row = 0.0;
                }
                continue;
            }
            open += weight;
            row += weight;
            left.longest = left.longest.max(row);
        }
        left.share = if all > 0.0 { open / all } else { 0.0 };
        left
    }

    /// Whether a capitalised word has initials beside it, and so is a name rather than a word of a
    /// title: an editor, or an author whom the reading of the head has not reached.
    fn stands_by_initials(&self, at: usize) -> bool {
        let capital = self
            .reference
            .token(at)
            .is_some_and(|t| t.shape == Shape::Capital);
        let full_stop_initial =
            |at: usize| self.is_letter(at) && self.reference.gap(at + 1).starts_with('.');
        let before = at.checked_sub(1).is_some_and(full_stop_initial);
        let behind = self.reference.gap(at + 1).trim() == "," && full_stop_initial(at + 1);
        capital && (before || behind)
    }

    /// Whether a number is the day of a month: `May 17`, `17 May`.
    fn is_day(&self, at: usize) -> bool {
        let month = |at: Option<usize>| {
            at.and_then(|at| self.reference.token(at))
                .is_some_and(|t| words::is_month(&t.text))
        };
        month(at.checked_sub(1)) || month(Some(at + 1))
    }
}

/// A number in a place that makes it less likely than this to be the one meant is not taken.
const WEAKEST_NUMBER: f64 = 0.25;

struct Sighting {
    quality: f64,
    /// For the choice among several places.
    rank: f64,
    initials_differ: bool,
    family: Vec<usize>,
    given: Vec<usize>,
}

#[derive(Default)]
struct Beside {
    agree: bool,
    differ: bool,
    tokens: Vec<usize>,
}

fn better(a: Cover, b: Cover) -> Cover {
    if b.share > a.share { b } else { a }
}

/// How much a number counts that stands in the place of another field.
fn place_value(found: Role, wanted: Role) -> f64 {
    match found {
        role if role == wanted => 1.0,
        Role::Open => 0.8,
        Role::Volume | Role::Issue | Role::FirstPage | Role::LastPage => 0.6,
        Role::Year => 0.4,
        Role::Furniture | Role::Name => 0.3,
        Role::Marker => 0.1,
        Role::Identifier => 0.0,
    }
}

/// A volume, issue or page of a record, in the forms in which a text may show it.
struct Number {
    /// Folded, without leading zeros.
    text: String,
    digits: String,
    roman: Option<String>,
}

impl Number {
    fn of(known: &str) -> Number {
        let text = super::normalize::fold(known.trim())
            .trim_start_matches('0')
            .to_owned();
        Number {
            digits: digits(&text),
            roman: words::roman(&text).map(|value| value.to_string()),
            text,
        }
    }

    /// 1 for the same number, less where only the digits of `S274` are the same.
    fn similarity(&self, token: &Token) -> f64 {
        let number = token.shape == Shape::Number;
        let given = token.text.trim_start_matches('0');
        if given == self.text && !given.is_empty() {
            return 1.0;
        }
        if self.roman.as_deref() == Some(given) {
            return 0.95;
        }
        if token.shape == Shape::Upper
            && words::roman(given).is_some_and(|n| self.text == n.to_string())
        {
            return 0.95;
        }
        if number && self.digits.len() >= 2 && digits(given) == self.digits {
            return 0.8;
        }
        // A double number (`3-4`, `12/13`) is often cut down to its first half.
        let first = self.text.split(|c: char| !c.is_alphanumeric()).next();
        if number && first == Some(given) {
            return 0.8;
        }
        0.0
    }
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Whether a token of a title tells parts of a series apart.
fn is_ordinal(token: &Token) -> bool {
    token.shape == Shape::Number
        || (token.shape == Shape::Upper && words::roman(&token.text).is_some())
}
