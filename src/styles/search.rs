//! Searches styles as the user types: titles, short titles, names, acronyms, ISSNs, parents.
//! Every word of the query must match, if need be with a typo. If no style has all of them,
//! editions and words such as "style" are ignored.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::entry::StyleEntry;
use citation_model::spelling::edits_within;

/// Score of an exact match of a style's name, short title or ISSN.
const EXACT: u32 = 1000;

/// Score of a popular style whose name starts with the query: more than an unpopular style
/// with exactly this name, less than a popular one.
const POPULAR_BEGINS: u32 = EXACT + POPULAR / 2;

const SAME_TITLE: u32 = 900;

const SAME_ACRONYM: u32 = 700;

/// Bonus for a title that starts with the query.
const BEGINS: u32 = 100;

/// Bonus of popular styles.
const POPULAR: u32 = 40;

/// How well a word of a style matches a word of the query, 0 if it does not.
type Fit = u8;

const WORD: Fit = 30;
const PREFIX: Fit = 20;
const TYPO: Fit = 12;
const TWO_TYPOS: Fit = 8;
const WITHIN: Fit = 5;

/// Synonyms of words in titles.
const SYNONYMS: [(&str, &str); 8] = [
    ("footnote", "note"),
    ("footnotes", "notes"),
    ("endnote", "note"),
    ("endnotes", "notes"),
    ("year", "date"),
    ("number", "numeric"),
    ("numbered", "numeric"),
    ("numbers", "numeric"),
];

/// Words of a query that do not discriminate.
const GENERAL: [&str; 12] = [
    "bibliography",
    "citation",
    "citations",
    "csl",
    "ed",
    "edition",
    "format",
    "reference",
    "references",
    "referencing",
    "style",
    "version",
];

/// Maximum number of words of one query.
const MAX_WORDS: usize = 50;

/// The vocabulary of all styles, and each style's words.
#[derive(Debug, Default)]
pub struct StyleIndex {
    vocabulary: Vec<String>,
    styles: Vec<Searchable>,
}

#[derive(Debug, Default)]
struct Searchable {
    title: String,
    /// The short name and the short title.
    names: [String; 2],
    issn: Vec<String>,
    /// Initials of the title's words, which no field contains.
    acronym: String,
    /// Indexes in the vocabulary.
    words: Vec<u32>,
    popular: bool,
    dependent: bool,
}

impl StyleIndex {
    /// Styles come with whether they are popular, and with the common names of their families.
    pub fn new<'e>(entries: impl Iterator<Item = (&'e StyleEntry, bool, String)>) -> StyleIndex {
        let mut index = StyleIndex::default();
        let mut known: HashMap<String, u32> = HashMap::new();
        for (entry, popular, usual_names) in entries {
            let mut style = searchable(entry, popular);
            let parent = entry.parent.as_deref().unwrap_or_default();
            let [name, short] = &style.names;
            let fields = [
                &*style.title,
                name,
                short,
                &fold(parent),
                &fold(&usual_names),
            ]
            .join(" ");
            for word in fields.split_whitespace() {
                let place = match known.get(word) {
                    Some(place) => *place,
                    None => {
                        let place = index.vocabulary.len() as u32;
                        index.vocabulary.push(word.to_owned());
                        known.insert(word.to_owned(), place);
                        place
                    }
                };
                if !style.words.contains(&place) {
                    style.words.push(place);
                }
            }
            index.styles.push(style);
        }
        index
    }

    /// The indexes of matching styles, best first; equal ones keep their order. `named` is
    /// the index of the style named by the whole query, perhaps with a former name.
    pub fn search(&self, query: &str, named: Option<usize>) -> Vec<usize> {
        let folded = fold(query);
        let mut words: Vec<&str> = folded.split_whitespace().collect();
        words.sort_unstable();
        words.dedup();
        // Each word is compared with the whole vocabulary; no title has so many words.
        if words.len() > MAX_WORDS {
            return Vec::new();
        }
        let mut fits: Vec<(&str, Vec<Fit>)> =
            words.iter().map(|word| (*word, self.fits(word))).collect();
        let found = self.ranked(query, &folded, &fits, named);
        if !found.is_empty() {
            return found;
        }
        fits.retain(|(word, _)| !is_general(word));
        if fits.is_empty() || fits.len() == words.len() {
            found
        } else {
            self.ranked(query, &folded, &fits, named)
        }
    }

    fn ranked(
        &self,
        query: &str,
        folded: &str,
        fits: &[(&str, Vec<Fit>)],
        named: Option<usize>,
    ) -> Vec<usize> {
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (at, style) in self.styles.iter().enumerate() {
            let score = if named == Some(at) || style.has_issn(query.trim()) {
                Some(EXACT + style.popularity())
            } else {
                style.score(folded, fits)
            };
            found.extend(score.map(|score| (score, at)));
        }
        found.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// How well each word of the vocabulary matches a word or its synonym.
    fn fits(&self, word: &str) -> Vec<Fit> {
        let mut fits = self.fits_as_written(word);
        for (_, meant) in SYNONYMS.iter().filter(|(said, _)| *said == word) {
            for (fit, other) in fits.iter_mut().zip(self.fits_as_written(meant)) {
                *fit = (*fit).max(other);
            }
        }
        fits
    }

    /// How well each word of the vocabulary matches a word. Typos are only considered if
    /// there is no exact match.
    fn fits_as_written(&self, word: &str) -> Vec<Fit> {
        let fit = |known: &String| match known.find(word) {
            Some(0) if known.len() == word.len() => WORD,
            Some(0) => PREFIX,
            Some(_) => WITHIN,
            None => 0,
        };
        let mut fits: Vec<Fit> = self.vocabulary.iter().map(fit).collect();
        let most = match word.chars().count() {
            0..=3 => 0,
            4..=7 => 1,
            _ => 2,
        };
        if most == 0 || fits.iter().any(|fit| *fit >= PREFIX) {
            return fits;
        }
        for (fit, known) in fits.iter_mut().zip(&self.vocabulary) {
            *fit = match edits_within(word, known, most) {
                Some(1) => TYPO,
                Some(2) => TWO_TYPOS,
                _ => *fit,
            };
        }
        fits
    }
}

impl Searchable {
    fn has_issn(&self, query: &str) -> bool {
        self.issn.iter().any(|issn| {
            let plain = issn.replace('-', "");
            issn.eq_ignore_ascii_case(query) || plain.eq_ignore_ascii_case(query)
        })
    }

    fn popularity(&self) -> u32 {
        if self.popular { POPULAR } else { 0 }
    }

    /// The score of a style; `None` if a word of the query does not match.
    fn score(&self, query: &str, fits: &[(&str, Vec<Fit>)]) -> Option<u32> {
        if fits.is_empty() {
            return Some(0);
        }
        let popular = self.popularity();
        if self.names.iter().any(|name| name == query) {
            return Some(EXACT + popular);
        }
        let [name, _] = &self.names;
        let rest = name.strip_prefix(query);
        if self.popular && rest.is_some_and(|rest| rest.starts_with(' ')) {
            return Some(POPULAR_BEGINS);
        }
        if self.title == query {
            return Some(SAME_TITLE);
        }
        if self.acronym == query && query.len() > 1 {
            return Some(SAME_ACRONYM + popular);
        }
        let mut total = 0;
        for (_, fits) in fits {
            let best = self.words.iter().filter_map(|at| fits.get(*at as usize));
            total += u32::from(best.max().copied().filter(|fit| *fit > 0)?);
        }
        let begins = name.starts_with(query) || self.title.starts_with(query);
        // Among equal scores the shorter title is more likely.
        let brevity = 20_u32.saturating_sub(self.words.len() as u32);
        let own = if self.dependent { 0 } else { 2 };
        let average = total * 4 / fits.len() as u32;
        Some(average + if begins { BEGINS } else { 0 } + brevity + own + popular)
    }
}

/// Whether a word is an edition, or common to all styles.
fn is_general(word: &str) -> bool {
    GENERAL.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit())
}

fn searchable(entry: &StyleEntry, popular: bool) -> Searchable {
    let title = fold(&entry.title);
    let acronym = title
        .split_whitespace()
        .filter(|word| !matches!(*word, "of" | "the" | "and" | "for" | "in" | "de" | "et"))
        .filter(|word| *word != "edition" && !word.contains(|c: char| c.is_ascii_digit()))
        .filter_map(|word| word.chars().next())
        .collect();
    Searchable {
        acronym,
        names: [
            fold(&entry.id),
            entry.title_short.as_deref().map(fold).unwrap_or_default(),
        ],
        issn: entry.issn.clone(),
        words: Vec::new(),
        popular,
        dependent: entry.parent.is_some(),
        title,
    }
}

/// Lower case without diacritics, with everything but letters and digits as spaces.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut add = |c: char| {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    };
    if text.is_ascii() {
        text.chars().for_each(|c| add(c.to_ascii_lowercase()));
    } else {
        text.nfd()
            .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
            .flat_map(char::to_lowercase)
            .for_each(add);
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding() {
        assert_eq!(
            fold("  Zeitschrift für  Übung (2.)"),
            "zeitschrift fur ubung 2"
        );
        assert_eq!(fold("iso690-author-date"), "iso690 author date");
        assert_eq!(fold("王 伟"), "王 伟");
    }
}
