//! What a paragraph looks like: the entry of a list, a heading, a sentence.

use citation_model::lists::{phrases, words};
use citation_model::name::is_particle;

use crate::document::{Block, BlockKind};
use crate::headings::{is_caption, names_list};
use crate::shape::{LIKELY, score, without_label};

/// The number of `[12]`, `12.`
pub(super) fn label_number(text: &str) -> Option<u32> {
    let label = text.get(..text.len() - without_label(text).len())?;
    let digits = label.trim_matches(|c: char| !c.is_ascii_digit());
    digits.parse().ok()
}

/// The paragraphs of a list whose numbers increase, if they are several. Numbers of a few entries may be lost.
pub(crate) fn numbered<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<usize> {
    const MIN_COUNT: usize = 3;
    const MAX_LOST: u32 = 5;
    let mut found = Vec::new();
    let mut last: Option<u32> = None;
    for (n, text) in texts.enumerate() {
        let Some(number) = label_number(text) else {
            continue;
        };
        let is_next = match last {
            // A list that another page or heading interrupts goes on with its next number.
            None => number == 1 || n == 0,
            Some(last) => (last + 1..=last + MAX_LOST).contains(&number),
        };
        if is_next {
            last = Some(number);
            found.push(n);
        }
    }
    if found.len() >= MIN_COUNT {
        found
    } else {
        Vec::new()
    }
}

/// The label of an entry, without brackets and marks.
pub(super) fn label(text: &str) -> Option<String> {
    let text = text.trim();
    let label = text.get(..text.len() - without_label(text).len())?;
    let label = label.trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '*');
    (!label.is_empty()).then(|| label.to_owned())
}

pub(super) fn is_labelled(text: &str) -> bool {
    without_label(text).len() < text.len()
}

/// Whether a text begins like a sentence: `We thank`, `The sample`; in names, a capital follows.
pub(super) fn is_sentence(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    first.chars().all(char::is_alphabetic)
        && second.chars().all(char::is_lowercase)
        && !is_of_names(second)
        && !is_of_names(first)
}

/// Whether a lower-case word is part of a name or between two names.
pub(super) fn is_of_names(word: &str) -> bool {
    is_particle(word) || matches!(word, "and" | "et" | "und" | "y" | "e" | "och" | "og" | "en")
}

/// Whether a text begins like an entry: with a label, a capital, a digit, a bracket, a quotation mark, or the
/// particle of a name (`van Dongen`, `d’Alembert`).
pub(super) fn begins_entry(text: &str) -> bool {
    let rest = without_label(text);
    let first = rest.split_whitespace().next().unwrap_or_default();
    let has_label = rest.len() != text.len();
    let is_name = is_particle(first) || first.contains(char::is_uppercase) || is_address(first);
    !rest.is_empty() && (has_label || is_name || !first.starts_with(char::is_lowercase))
}

pub(super) fn may_begin_list(block: &Block) -> bool {
    let is_like = |text: &str| score(text) >= LIKELY || is_web_resource(text);
    block.text.lines().any(is_like) || is_like(&block.text)
}

/// Whether a text begins with an address, as the entries of a list of web pages do.
pub(super) fn is_web_resource(text: &str) -> bool {
    let first = without_label(text).split_whitespace().next();
    first.is_some_and(is_address)
}

/// Lines of a block that match a list heading are headings.
pub(super) fn is_heading(block: &Block) -> bool {
    block.kind != BlockKind::Note && names_list(&block.text)
}

/// Labels and separators alone, and captions, do not affect the list around them.
pub(super) fn is_slight(block: &Block) -> bool {
    const MIN_COUNT: usize = 6;
    let letters = block.text.chars().filter(|c| c.is_alphanumeric());
    letters.take(MIN_COUNT).count() < MIN_COUNT
        || is_caption(&block.text)
        || is_imprint(&block.text)
}

/// Whether a paragraph is a remark of the publisher, as behind the lists of journals: `© 2020 by the authors`.
fn is_imprint(text: &str) -> bool {
    const BEGINNINGS: [&str; 16] = phrases(
        "©|Copyright ©|Copyright (c)|Publisher’s Note|Publisher's Note|\
         Springer Nature or its licensor|\
         SUPPORTING INFORMATION Additional supporting information|Disclaimer/Publisher|\
         How to cite this|Cite this article|Cite as:|Citation:|To cite this|ORCID|Open Access|\
         This is an open access article",
    );
    let text = text.trim_start();
    BEGINNINGS
        .iter()
        .any(|beginning| text.starts_with(beginning))
        || is_history(text)
        || names_orcid(text)
}

/// Whether a text is a step in the history of a manuscript: `Accepted 30 May 2018`, `Received in revised form: May 3,
/// 2018`.
fn is_history(text: &str) -> bool {
    const STEPS: [&str; 6] = words("received accepted submitted revised published manuscript");
    /// Maximum number of words before the date.
    const MAX_WORDS: usize = 5;
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default().trim_end_matches(':');
    let is_plain = |word: &&str| word.chars().all(|c| c.is_lowercase() || c == ':');
    let before = words.clone().take_while(is_plain).count();
    let date = words.nth(before).unwrap_or_default();
    let is_month = date.starts_with(char::is_uppercase) && date.chars().all(char::is_alphabetic);
    let is_day = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    STEPS.contains(&first.to_lowercase().as_str())
        && before < MAX_WORDS
        && (is_day(date) || is_month && words.next().is_some_and(is_day))
}

/// Whether a text is the address of a person: `Jane Doe https://orcid.org/0000-0002-…`
fn names_orcid(text: &str) -> bool {
    /// Maximum number of words of names.
    const MAX_WORDS: usize = 8;
    text.contains("orcid.org/") && text.split_whitespace().count() <= MAX_WORDS
}

/// Whether a text is an address alone, or one and the day of access: `https://example.org. Accessed: 4 May
/// 2018`.
pub(super) fn is_address(text: &str) -> bool {
    const WORDS: [&str; 40] = phrases(
        "available|at|from|retrieved|url|online|accessed|access|last|on|visited|viewed|date|in|the|internet|\
         doi|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|\
         apr|jun|jul|aug|sep|oct|nov|dec",
    );
    let mut has_address = false;
    let is_part = |word: &str| {
        let word = word.trim_matches(|c: char| "()[]<>.,;:".contains(c));
        let is_own = ["http://", "https://", "www.", "doi:10.", "10."]
            .iter()
            .any(|start| word.starts_with(start) && word.len() > start.len());
        has_address |= is_own && word.contains(['/', '.']) && word.contains(char::is_alphabetic);
        let is_day = word
            .chars()
            .all(|c| c.is_ascii_digit() || "/-.".contains(c))
            || word.starts_with(|c: char| c.is_ascii_digit())
                && word.trim_start_matches(|c: char| c.is_ascii_digit()).len() == 2;
        is_own || is_day || WORDS.contains(&word.to_lowercase().as_str())
    };
    text.split_whitespace().all(is_part) && has_address
}
