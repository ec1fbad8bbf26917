//! Locates a field of a record in the text of a reference: which of its words occur, how well they
//! fit, and whether they are in one place and in order.

use std::collections::VecDeque;
use std::ops::Range;

use super::normalize::{Token, TokenShape};
use super::similar::{self, Word};
use super::words;

/// The text tokens in which a field was found.
#[derive(Clone, Debug, Default)]
pub struct FieldAlignment {
    /// The share of the field's weight that occurs in the text, 0 to 1.
    pub share: f64,
    /// The weight of the field: its significance, in words of average length.
    pub weight: f64,
    /// The share of the matches that are misspelt, 0 to 1.
    pub misspelt: f64,
    /// The share of neighbours in the field that are also neighbours in the text, 0 to 1.
    pub order: f64,
    /// The number of significant words of the field that the text lacks.
    pub missing_words: usize,
    /// For each token of the field, the text token that matches it.
    pub places: Vec<Option<TokenMatch>>,
}

/// One or more text tokens that match one token of a field.
#[derive(Clone, Copy, Debug)]
pub struct TokenMatch {
    pub at: usize,
    /// The number of text tokens; more than one if the text has spaces inside the word.
    pub width: usize,
    /// 0 to 1.
    pub similarity: f64,
}

impl FieldAlignment {
    /// The range of text tokens from the first match to behind the last.
    pub fn span(&self) -> Option<Range<usize>> {
        let placed = || self.places.iter().flatten();
        let start = placed().map(|place| place.at).min()?;
        let end = placed().map(|place| place.at + place.width).max()?;
        Some(start..end)
    }

    /// Like [`FieldAlignment::span`], but from the first to behind the last significant word, plus
    /// adjacent matches. Function words and numbers may match far away by chance.
    pub fn core(&self, text: &[Token]) -> Option<Range<usize>> {
        let found: Vec<usize> = self.tokens().collect();
        let tells = |at: &&usize| {
            let word = text.get(**at).filter(|token| token.is_word());
            word.is_some_and(|token| !words::is_function_word(&token.text))
        };
        let mut start = found.iter().filter(tells).min().copied()?;
        let mut end = found.iter().filter(tells).max()? + 1;
        while start > 0 && found.contains(&(start - 1)) {
            start -= 1;
        }
        while found.contains(&end) {
            end += 1;
        }
        Some(start..end)
    }

    /// Whether a significant word of the field is missing in the text or only matches poorly.
    pub fn lacks_a_word(&self) -> bool {
        self.missing_words > 0
    }

    /// Whether the text has the first words of the field in one sequence, and none of the rest.
    pub fn is_cut_short(&self, field: &[Token]) -> bool {
        const MIN_WEIGHT: f64 = 2.5;
        let kept = self.places.iter().take_while(|p| p.is_some()).count();
        let (Some(head), Some(tail)) = (self.places.get(..kept), self.places.get(kept..)) else {
            return false;
        };
        let in_a_row = head.windows(2).all(|pair| match pair {
            [Some(a), Some(b)] => b.at == a.at + a.width,
            _ => false,
        });
        let telling = field
            .get(..kept)
            .is_some_and(|head| total_weight(head) >= MIN_WEIGHT);
        let rest_is_missing = !tail.is_empty() && tail.iter().all(Option::is_none);
        in_a_row && telling && rest_is_missing
    }

    /// Every text token that matches a part of the field.
    pub fn tokens(&self) -> impl Iterator<Item = usize> {
        self.places
            .iter()
            .flatten()
            .flat_map(|place| place.at..place.at + place.width)
    }
}

/// The total weight of a sequence of tokens.
pub fn total_weight(tokens: &[Token]) -> f64 {
    tokens.iter().map(|token| token.weight).sum()
}

/// A text, with the tokens that other fields already use.
#[derive(Clone, Copy)]
pub struct TextWithUse<'a> {
    pub tokens: &'a [Token],
    /// Same length as `tokens`.
    pub taken: &'a [bool],
}

impl TextWithUse<'_> {
    fn free(&self) -> impl Iterator<Item = (usize, &Token)> {
        self.tokens
            .iter()
            .enumerate()
            .filter(|(at, _)| !self.taken.get(*at).copied().unwrap_or(true))
    }

    fn free_token(&self, at: usize) -> Option<&Token> {
        let taken = self.taken.get(at).copied().unwrap_or(true);
        self.tokens.get(at).filter(|_| !taken)
    }
}

/// How two tokens are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TokenComparison {
    /// Equal tokens only.
    Exact,
    /// Typing errors, and words joined or split.
    Tolerant,
    /// Abbreviations, as in journal titles.
    Abbreviated,
}

/// Finds a field in a text: the window with most of its weight, and each token's place in it.
pub fn align(field: &[Token], page: TextWithUse<'_>, mode: TokenComparison) -> FieldAlignment {
    let total = total_weight(field);
    if field.is_empty() || total <= 0.0 {
        return FieldAlignment::default();
    }
    let matches = all_matches(field, page, mode);
    let Some(window) = best_window(field, &matches, mode) else {
        return FieldAlignment {
            weight: total,
            places: vec![None; field.len()],
            ..FieldAlignment::default()
        };
    };
    let mut places = assign(&matches, &window);
    if mode == TokenComparison::Abbreviated && rests_on_letters(page, &places) {
        places.fill(None);
    }
    if mode == TokenComparison::Tolerant {
        fill_gaps(field, page, &mut places);
    }
    let covered: f64 = field
        .iter()
        .zip(&places)
        .filter_map(|(token, place)| Some(token.weight * credit((*place)?.similarity)))
        .sum();
    FieldAlignment {
        share: covered / total,
        weight: total,
        misspelt: misspelt(field, &places),
        missing_words: missing_words(field, &places),
        order: order(&places),
        places,
    }
}

/// Whether all matches have one or two letters: an author's initials would abbreviate half of all
/// journals.
fn rests_on_letters(page: TextWithUse<'_>, places: &[Option<TokenMatch>]) -> bool {
    const ENOUGH: usize = 3;
    let is_letter = |place: &TokenMatch| {
        let token = page.tokens.get(place.at);
        token.is_some_and(|token| token.shape == TokenShape::Letter)
    };
    let mut found = places.iter().flatten();
    found.clone().count() < ENOUGH && found.all(is_letter)
}

/// The value of a match: a word with a typing error is still that word.
fn credit(similarity: f64) -> f64 {
    1.0 - (1.0 - similarity) * 0.5
}

fn missing_words(field: &[Token], places: &[Option<TokenMatch>]) -> usize {
    const TELLING: f64 = 0.5;
    const ALIKE: f64 = 0.7;
    let unlike = |place: &Option<TokenMatch>| place.is_none_or(|place| place.similarity < ALIKE);
    field
        .iter()
        .zip(places)
        .filter(|(token, place)| token.weight >= TELLING && unlike(place))
        .count()
}

/// The share of the matches that have typing errors or are split or joined.
fn misspelt(field: &[Token], places: &[Option<TokenMatch>]) -> f64 {
    let (mut found, mut wrong) = (0.0, 0.0);
    let mut before: Option<usize> = None;
    for (token, place) in field.iter().zip(places) {
        let Some(place) = place else { continue };
        let weight = token.weight;
        found += weight;
        if place.similarity < 1.0 || place.width > 1 || before == Some(place.at) {
            wrong += weight;
        }
        before = Some(place.at);
    }
    if found > 0.0 { wrong / found } else { 0.0 }
}

/// Searches again for missing words: compares the text between their neighbours letter by letter,
/// so that split, joined and badly misspelt words count.
fn fill_gaps(field: &[Token], page: TextWithUse<'_>, places: &mut [Option<TokenMatch>]) {
    let mut from = 0;
    while let Some(start) =
        (from..places.len()).find(|n| places.get(*n).is_some_and(Option::is_none))
    {
        let end = (start..places.len())
            .find(|n| places.get(*n).is_some_and(Option::is_some))
            .unwrap_or(places.len());
        from = end;
        let before = start
            .checked_sub(1)
            .and_then(|n| places.get(n).copied().flatten())
            .map(|place| place.at + place.width);
        let behind = places.get(end).copied().flatten().map(|place| place.at);
        let words = field.get(start..end).unwrap_or_default();
        if let Some(place) = best_stretch(words, page, before, behind) {
            for slot in places.iter_mut().take(end).skip(start) {
                *slot = Some(place);
            }
        }
    }
}

/// The sequence of free text tokens from `before` or up to `behind` that is most similar to the words.
fn best_stretch(
    words: &[Token],
    page: TextWithUse<'_>,
    before: Option<usize>,
    behind: Option<usize>,
) -> Option<TokenMatch> {
    const MAX_GAP_LENGTH: usize = 8;
    let wanted: String = words.iter().map(|token| token.text.as_str()).collect();
    let most = (words.len() + 3).min(MAX_GAP_LENGTH);
    let stretches: Vec<Range<usize>> = match (before, behind) {
        (Some(from), Some(to)) if from < to && to - from <= most => {
            std::iter::once(from..to).collect()
        }
        (Some(from), None) => (1..=most).map(|n| from..from + n).collect(),
        (None, Some(to)) => (1..=most.min(to)).map(|n| to - n..to).collect(),
        _ => return None,
    };
    let mut best: Option<TokenMatch> = None;
    for stretch in stretches {
        let mut given = String::new();
        for at in stretch.clone() {
            let Some(token) = page.free_token(at) else {
                given.clear();
                break;
            };
            given.push_str(&token.text);
        }
        if given.is_empty() {
            continue;
        }
        let similarity = similar::stretch_similarity(&given, &wanted);
        if similarity > best.map_or(0.55, |place| place.similarity) {
            best = Some(TokenMatch {
                at: stretch.start,
                width: stretch.len(),
                similarity,
            });
        }
    }
    best
}

/// For each token of the field, its possible matches in text order.
fn all_matches(
    field: &[Token],
    page: TextWithUse<'_>,
    mode: TokenComparison,
) -> Vec<Vec<TokenMatch>> {
    let place = |at, width, similarity| TokenMatch {
        at,
        width,
        similarity,
    };
    let similarity = |given: &Token, word: &Token| match mode {
        TokenComparison::Abbreviated if word.text.len() > 1 => {
            // Records abbreviate too.
            let forth = similar::abbreviation_similarity(&given.text, &word.text);
            let back = similar::abbreviation_similarity(&word.text, &given.text);
            forth.max(back)
        }
        TokenComparison::Abbreviated => similar::abbreviation_similarity(&given.text, &word.text),
        _ => f64::from(u8::from(given.text == word.text)),
    };
    let mut matches: Vec<Vec<TokenMatch>> = field
        .iter()
        .map(|word| {
            page.free()
                .map(|(at, given)| place(at, 1, similarity(given, word)))
                .filter(|place| place.similarity > 0.5)
                .collect()
        })
        .collect();
    match mode {
        TokenComparison::Exact => {}
        TokenComparison::Tolerant => add_tolerant(field, page, &mut matches),
        TokenComparison::Abbreviated => add_abbreviations_run_together(field, page, &mut matches),
    }
    matches
}

/// Adds abbreviations that lost the spaces between them: `RehabilCounsBull`.
fn add_abbreviations_run_together(
    field: &[Token],
    page: TextWithUse<'_>,
    matches: &mut [Vec<TokenMatch>],
) {
    const SIMILARITY: f64 = 0.9;
    let given: Vec<(usize, &Token)> = page
        .free()
        .filter(|(_, given)| given.shape == TokenShape::Capital)
        .collect();
    for start in 0..field.len() {
        let rest = field.get(start..).unwrap_or_default();
        for (at, given) in &given {
            let words = abbreviations_run_together(&given.text, rest);
            let place = TokenMatch {
                at: *at,
                width: 1,
                similarity: SIMILARITY,
            };
            for slot in matches.iter_mut().skip(start).take(words) {
                slot.push(place);
            }
        }
    }
}

/// The number of words that a token abbreviates, each by its beginning; 0 if it is fewer than two,
/// or if a letter remains.
fn abbreviations_run_together(given: &str, words: &[Token]) -> usize {
    let (mut rest, mut count, mut seen) = (given, 0, 0);
    for word in words {
        if rest.is_empty() {
            break;
        }
        seen += 1;
        let shared = rest
            .char_indices()
            .zip(word.text.chars())
            .find(|((_, a), b)| a != b)
            .map_or(rest.len().min(word.text.len()), |((at, _), _)| at);
        if shared == 0 && words::is_function_word(&word.text) {
            continue;
        }
        let Some(behind) = rest.get(shared..).filter(|_| shared > 0) else {
            return 0;
        };
        rest = behind;
        count += 1;
    }
    let is_long_enough = given.len() >= 2 * count;
    if rest.is_empty() && count > 1 && is_long_enough {
        seen
    } else {
        0
    }
}

/// For tokens without an exact match: misspelt, split or joined.
fn add_tolerant(field: &[Token], page: TextWithUse<'_>, matches: &mut [Vec<TokenMatch>]) {
    let mut is_exact = vec![false; page.tokens.len()];
    for place in matches.iter().flatten() {
        if let Some(slot) = is_exact.get_mut(place.at) {
            *slot = true;
        }
    }
    let is_open = |at: usize| is_exact.get(at).is_some_and(|exact| !exact);
    let open: Vec<(usize, &Token, Word)> = page
        .free()
        .filter(|(at, _)| is_open(*at))
        .map(|(at, token)| (at, token, Word::new(&token.text)))
        .collect();
    for (n, word) in field.iter().enumerate() {
        let Some(found) = matches.get(n).filter(|found| found.is_empty()) else {
            continue;
        };
        let mut found = found.clone();
        let wanted = Word::new(&word.text);
        for (at, _, given) in &open {
            let similarity = given.similarity(wanted);
            if similarity > 0.0 {
                found.push(TokenMatch {
                    at: *at,
                    width: 1,
                    similarity,
                });
            }
        }
        if word.text.len() >= 4 {
            let rejoined = open.iter().filter_map(|(at, given, _)| {
                let next = page.free_token(at + 1)?;
                let length = given.text.len() + next.text.len();
                if length != word.text.len()
                    && !similar::are_alike_in_length(length, word.text.len())
                {
                    return None;
                }
                let text = format!("{}{}", given.text, next.text);
                let similarity = Word::new(&text).similarity(wanted);
                (similarity > 0.8).then_some(TokenMatch {
                    at: *at,
                    width: 2,
                    similarity,
                })
            });
            found.extend(rejoined);
        }
        if let Some(slot) = matches.get_mut(n) {
            *slot = found;
        }
    }
    add_run_together(field, &open, matches);
}

/// Two words of the field that the text joins into one.
fn add_run_together(
    field: &[Token],
    open: &[(usize, &Token, Word)],
    matches: &mut [Vec<TokenMatch>],
) {
    for n in 1..field.len() {
        let both_missing = matches.get(n - 1).is_some_and(Vec::is_empty)
            && matches.get(n).is_some_and(Vec::is_empty);
        let (Some(first), Some(second)) = (field.get(n - 1), field.get(n)) else {
            continue;
        };
        if !both_missing {
            continue;
        }
        let joined = format!("{}{}", first.text, second.text);
        let wanted = Word::new(&joined);
        let hit = open.iter().find_map(|(at, _, given)| {
            let similarity = given.similarity(wanted);
            (similarity > 0.8).then_some(TokenMatch {
                at: *at,
                width: 1,
                similarity,
            })
        });
        if let Some(place) = hit {
            for slot in matches.iter_mut().skip(n - 1).take(2) {
                slot.push(place);
            }
        }
    }
}

/// The stretch of text, slightly longer than the field, with most of the field's weight. The last
/// one wins a tie: words shared by title and container occur again in the container.
fn best_window(
    field: &[Token],
    matches: &[Vec<TokenMatch>],
    mode: TokenComparison,
) -> Option<Range<usize>> {
    let slack = match mode {
        TokenComparison::Abbreviated => 2,
        _ => 3 + field.len() / 2,
    };
    let length = field.len() + slack;
    let weights: Vec<f64> = field.iter().map(|token| token.weight).collect();
    let mut starts: Vec<usize> = matches.iter().flatten().map(|place| place.at).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut values = vec![0.0; starts.len()];
    for (places, weight) in matches.iter().zip(&weights) {
        add_best_in_window(places, *weight, length, &starts, &mut values);
    }
    let mut best: Option<(f64, usize)> = None;
    for (start, value) in starts.into_iter().zip(values) {
        if best.is_none_or(|(most, _)| value >= most - 1e-9) {
            best = Some((value, start));
        }
    }
    best.map(|(_, start)| start..start + length)
}

/// Adds one field token's best match to the value of each window. One pass over the windows,
/// keeping only the matches that can still be the best of a window.
fn add_best_in_window(
    places: &[TokenMatch],
    weight: f64,
    length: usize,
    starts: &[usize],
    values: &mut [f64],
) {
    let mut places: Vec<&TokenMatch> = places.iter().collect();
    places.sort_by_key(|place| place.at);
    let mut ahead = places.into_iter().peekable();
    let mut within: VecDeque<&TokenMatch> = VecDeque::new();
    for (start, value) in starts.iter().zip(values) {
        while let Some(place) = ahead.next_if(|place| place.at < start + length) {
            while within
                .pop_back_if(|last| last.similarity <= place.similarity)
                .is_some()
            {}
            within.push_back(place);
        }
        while within.pop_front_if(|first| first.at < *start).is_some() {}
        if let Some(best) = within.front() {
            *value += best.similarity * weight;
        }
    }
}

/// Assigns each field token one place in the window, preferring the one behind its predecessor's.
fn assign(matches: &[Vec<TokenMatch>], window: &Range<usize>) -> Vec<Option<TokenMatch>> {
    let mut used: Vec<usize> = Vec::new();
    let mut expected = window.start;
    let mut previous: Option<usize> = None;
    matches
        .iter()
        .map(|places| {
            let free = |place: &&TokenMatch| {
                window.contains(&place.at)
                    && (!used.contains(&place.at) || previous == Some(place.at))
            };
            let distance = |place: &TokenMatch| {
                let behind = place.at as f64 - expected as f64;
                (if behind < 0.0 {
                    1.0 - 2.0 * behind
                } else {
                    behind
                }) - 4.0 * place.similarity
            };
            let best = places
                .iter()
                .filter(free)
                .min_by(|a, b| distance(a).total_cmp(&distance(b)))
                .copied();
            if let Some(place) = best {
                used.extend(place.at..place.at + place.width);
                expected = place.at + place.width;
                previous = Some(place.at);
            }
            best
        })
        .collect()
}

/// The share of neighbours that remain neighbours, within two tokens.
fn order(places: &[Option<TokenMatch>]) -> f64 {
    let found: Vec<&TokenMatch> = places.iter().flatten().collect();
    if found.len() < 2 {
        return f64::from(u8::from(found.len() == 1));
    }
    let kept = found
        .windows(2)
        .filter(|pair| match pair {
            [a, b] => (a.at..=a.at + a.width + 2).contains(&b.at),
            _ => false,
        })
        .count();
    kept as f64 / (found.len() - 1) as f64
}
