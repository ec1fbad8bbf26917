//! A single comparison: title, container, identifiers and publisher, and the unexplained rest.

use super::super::align::{self, FieldAlignment, TextWithUse, TokenComparison};
use super::super::normalize::{Token, TokenShape};
use super::super::record::Record;
use super::super::reference::{Reference, Role};
use super::super::words;
use super::wording::{self, Wording};
use super::{Agreement, Evidence, Unexplained, place};

/// A reference and a record, with the text tokens that the record already uses.
pub struct ComparedPair<'a> {
    pub reference: &'a Reference,
    pub record: &'a Record,
    pub taken: Vec<bool>,
    pub evidence: Evidence,
    /// The authors of the record that the text names, by their index, and where.
    pub named: Vec<(usize, usize)>,
}

impl<'a> ComparedPair<'a> {
    pub fn new(reference: &'a Reference, record: &'a Record) -> ComparedPair<'a> {
        let taken = reference
            .roles
            .iter()
            .map(|role| *role == Role::Identifier && record.mentioned.is_empty())
            .collect();
        ComparedPair {
            reference,
            record,
            taken,
            named: Vec::new(),
            evidence: Evidence {
                damage: reference.damage,
                ..Evidence::default()
            },
        }
    }

    pub fn run(mut self, container_first: bool) -> Evidence {
        if container_first {
            self.container();
            self.title();
        } else {
            self.title();
            self.container();
        }
        self.people();
        self.numbers();
        self.look_closer();
        self.identifiers();
        self.title_details();
        self.publisher();
        self.evidence.misread = self.misread();
        self.evidence.unexplained = self.unexplained();
        self.evidence.container_place = self.container_place();
        self.evidence.title_place = self.title_place();
        self.evidence.title_wording = self.title_wording();
        self.evidence
    }

    /// The share of the text's words that a field of the record has with other letters or spaces.
    fn misread(&self) -> f64 {
        let e = &self.evidence;
        let of_field = |field: &FieldAlignment| field.misspelt * field.tokens().count() as f64;
        let wrong = e.people.misread as f64 + of_field(&e.title) + of_field(&e.container);
        let words = self.reference.tokens.iter().filter(|t| t.is_word()).count();
        (wrong / words.max(1) as f64).min(1.0)
    }

    fn title_wording(&self) -> Wording {
        let Some(place) = self.evidence.title_place.clone() else {
            return Wording::Unknown;
        };
        let reference = self.reference;
        // Records often lack the subtitle.
        let added = self.added_subtitle(place.clone());
        let place = place.start..added.unwrap_or(place.end);
        let of_title: Vec<usize> = self.evidence.title.tokens().collect();
        let outside = place::outside_brackets(reference, place.clone());
        let given: Vec<&Token> = place
            .filter(|at| outside.contains(at) || of_title.contains(at))
            .filter_map(|at| reference.token(at))
            .collect();
        let known = if self.evidence.subtitle_missing {
            self.record.title.get(..self.record.main_title)
        } else {
            Some(self.record.title.as_slice())
        };
        let known: Vec<&Token> = known.unwrap_or_default().iter().collect();
        match wording::compare(&given, &known) {
            // A subtitle in place of the record's is another one.
            Wording::Same | Wording::Near if added.is_some() && self.evidence.subtitle_missing => {
                Wording::Reworded
            }
            Wording::Same if added.is_some() => Wording::Near,
            wording => wording,
        }
    }

    fn page(&self) -> TextWithUse<'_> {
        TextWithUse {
            tokens: &self.reference.tokens,
            taken: &self.taken,
        }
    }

    pub fn take(&mut self, at: usize) {
        if let Some(slot) = self.taken.get_mut(at) {
            *slot = true;
        }
    }

    pub fn is_taken(&self, at: usize) -> bool {
        self.taken.get(at).copied().unwrap_or(true)
    }

    fn title(&mut self) {
        let whole = align::align(&self.record.title, self.page(), TokenComparison::Tolerant);
        let cover = match self.main_title(&whole) {
            Some(main) => {
                self.evidence.subtitle_missing = true;
                main
            }
            None => whole,
        };
        // A few common words may match by chance, so they do not locate the title.
        if cover.share > 0.3 {
            for at in cover.tokens() {
                self.take(at);
            }
        }
        self.evidence.title = cover;
    }

    /// The title before its subtitle, if the text has that and nothing of the subtitle.
    fn main_title(&self, whole: &FieldAlignment) -> Option<FieldAlignment> {
        const WHOLE: f64 = 0.95;
        const TRACE: f64 = 0.35;
        let main = self.record.title.get(..self.record.main_title)?;
        if main.len() == self.record.title.len() || whole.share >= WHOLE {
            return None;
        }
        let cover = align::align(main, self.page(), TokenComparison::Tolerant);
        let subtitle = whole.weight - cover.weight;
        let found = whole.share * whole.weight - cover.share * cover.weight;
        (cover.share >= WHOLE && found < TRACE * subtitle).then_some(cover)
    }

    fn container(&mut self) {
        let mut best: Option<(usize, FieldAlignment)> = None;
        for (n, container) in self.record.containers.iter().enumerate() {
            let cover = match self.acronym(container) {
                Some(cover) => cover,
                None => {
                    let abbreviated =
                        align::align(container, self.page(), TokenComparison::Abbreviated);
                    if abbreviated.share < 0.8 {
                        better(
                            abbreviated,
                            align::align(container, self.page(), TokenComparison::Tolerant),
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
    fn acronym(&self, container: &[Token]) -> Option<FieldAlignment> {
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
                    .is_some_and(|t| t.shape == TokenShape::Upper && t.text == initials)
        })?;
        let place = align::TokenMatch {
            at,
            width: 1,
            similarity: 0.9,
        };
        Some(FieldAlignment {
            share: 0.9,
            misspelt: 0.0,
            missing_words: 0,
            weight: align::total_weight(container),
            order: 1.0,
            places: vec![Some(place)],
        })
    }

    fn title_details(&mut self) {
        let title = &self.evidence.title;
        let missing_number = self
            .record
            .title
            .iter()
            .zip(&title.places)
            .any(|(token, place)| place.is_none() && is_ordinal(token));
        // An unexplained word behind the beginning replaces the rest.
        let cut_short = title.is_cut_short(&self.record.title)
            && title
                .span()
                .is_some_and(|span| !self.is_stray_word(span.end));
        self.evidence.title_cut_short = cut_short;
        self.evidence.title_explained = self.title_explained();
        self.evidence.title_number_missing = missing_number && title.share > 0.5;
        self.evidence.companion_differs = self.companion_differs();
        self.evidence.is_host = self.is_host();
        self.evidence.container_introduced = self.container_introduced();
    }

    /// Whether the whole title stands where the text names a container: behind `in`, or behind `in` and
    /// the names of editors. Records with a container of their own are not asked.
    fn is_host(&self) -> bool {
        const WHOLE: f64 = 0.9;
        let title = &self.evidence.title;
        let first = title.places.first().copied().flatten();
        let (Some(span), Some(first)) = (title.span(), first) else {
            return false;
        };
        let has_container = self.evidence.container.share > 0.4;
        title.share > WHOLE
            && first.at == span.start
            && !has_container
            && self.is_introduced(span.start)
    }

    fn container_introduced(&self) -> bool {
        let core = self.evidence.container.core(&self.reference.tokens);
        core.is_some_and(|core| self.is_introduced(core.start))
    }

    /// Whether `in` or `//` precedes a token, possibly with the names of editors between.
    fn is_introduced(&self, at: usize) -> bool {
        const MAX_GAP_TEXT: usize = 16;
        let between = |token: &Token| {
            matches!(
                token.shape,
                TokenShape::Capital | TokenShape::Upper | TokenShape::Letter
            ) || words::is_editor_mark(&token.text)
                || words::is_function_word(&token.text)
        };
        for back in 0..MAX_GAP_TEXT {
            let here = at.saturating_sub(back);
            if self.reference.gap(here).contains("//") {
                return true;
            }
            let Some(before) = here.checked_sub(1) else {
                return false;
            };
            let Some(token) = self.reference.token(before) else {
                return false;
            };
            if token.text == "in" && !self.evidence.title.tokens().any(|at| at == before) {
                return true;
            }
            // Names of editors end with a mark or a bracket, or at the title.
            if !between(token) || (back == 0 && !self.ends_editors(here)) {
                return false;
            }
        }
        false
    }

    /// Whether editors' names end before this token: `in: J. Doe (Ed.), Rings`.
    fn ends_editors(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.reference.token(at));
        before.is_some_and(|token| words::is_editor_mark(&token.text))
    }

    fn title_explained(&self) -> f64 {
        let (mut all, mut explained) = (0.0, 0.0);
        for at in self.reference.title_tokens.clone() {
            let Some(token) = self.reference.token(at).filter(|t| t.is_word()) else {
                continue;
            };
            let weight = token.weight;
            all += weight;
            if self.is_taken(at) {
                explained += weight;
            }
        }
        if all > 0.0 { explained / all } else { 1.0 }
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
        let containers = &self.record.containers;
        let contained: Vec<&str> = containers.iter().flat_map(|c| kinds(c)).collect();
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
        let address = self.record.address.as_ref();
        let is_at_address = address.is_some_and(|known| self.reference.addresses.contains(known));
        self.evidence.identifier = if is_at_address || given.iter().any(|id| known.contains(id)) {
            Agreement::Equal(1.0)
        } else if given
            .iter()
            .filter(|id| !self.record.mentioned.contains(id))
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
        let cover = align::align(&self.record.publisher, self.page(), TokenComparison::Exact);
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
            if token.shape == TokenShape::Number {
                let counts = !matches!(
                    role,
                    Role::Marker | Role::Identifier | Role::LastPage | Role::Year | Role::Furniture
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
            let weight = token.weight;
            all += weight;
            if self.is_taken(at) {
                // A function word of the title here does not interrupt unexplained words.
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

    /// Whether a capitalised word has initials beside it, so it is a name, not a title word: an
    /// editor, or an author beyond the parsed start of the reference.
    fn stands_by_initials(&self, at: usize) -> bool {
        let capital = self
            .reference
            .token(at)
            .is_some_and(|t| t.shape == TokenShape::Capital);
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

fn better(a: FieldAlignment, b: FieldAlignment) -> FieldAlignment {
    if b.share > a.share { b } else { a }
}

/// Whether a token of a title distinguishes parts of a series.
fn is_ordinal(token: &Token) -> bool {
    token.shape == TokenShape::Number
        || (token.shape == TokenShape::Upper && words::roman(&token.text).is_some())
}
