//! Lines joined to text: words that are parted at their ends, addresses, scripts without blanks.

use std::collections::HashSet;

/// The words of the document that are not parted, which tell whether a hyphen belongs to a word.
pub(super) struct Words(HashSet<String>);

const HYPHENS: [char; 4] = ['-', '\u{2010}', '\u{ad}', '\u{2011}'];

impl Words {
    pub fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Words {
        let words = lines.flat_map(|line| {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            // The last one may be parted.
            words.pop();
            words
        });
        Words(words.map(bare).filter(|word| word.len() > 3).collect())
    }

    /// The text of lines.
    pub fn join<'a>(&self, lines: impl Iterator<Item = &'a str>) -> String {
        let mut text = String::new();
        for line in lines {
            self.add(&mut text, line.trim());
        }
        text.retain(|c| c != '\u{ad}');
        text
    }

    fn add(&self, text: &mut String, line: &str) {
        let last = text.chars().next_back();
        let Some((last, next)) = last.zip(line.chars().next()) else {
            text.push_str(line);
            return;
        };
        if HYPHENS.contains(&last) {
            let before = text.trim_end_matches(HYPHENS).trim_end();
            if is_parted(before, next, last) && !first_word(line).contains(['/', '@']) {
                if self.is_one_word(before, line) || last == '\u{ad}' {
                    text.truncate(before.len());
                } else {
                    let length = before.len();
                    text.truncate(length);
                    text.push('-');
                }
            } else if !is_address(last_word(text)) && next.is_uppercase() && text.ends_with(' ') {
                text.push(' ');
            }
        } else if !(is_wide(last) && is_wide(next)) && !goes_on(last_word(text), line) {
            text.push(' ');
        }
        text.push_str(line);
    }

    /// Whether a word that a hyphen parts has none in itself.
    fn is_one_word(&self, before: &str, line: &str) -> bool {
        let (start, end) = (last_word(before), first_word(line));
        if is_address(start)
            || start.contains(HYPHENS) && !self.0.contains(&bare(&joined(start, end)))
        {
            return false;
        }
        let with_hyphen = bare(&format!("{start}-{end}"));
        let is_known = self.0.contains(&bare(&joined(start, end)));
        is_known || !self.0.contains(&with_hyphen)
    }
}

fn joined(start: &str, end: &str) -> String {
    format!("{start}{end}")
}

fn last_word(text: &str) -> &str {
    text.rsplit(char::is_whitespace).next().unwrap_or_default()
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// A word without the marks around it, in small letters.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .replace(HYPHENS, "-")
        .to_lowercase()
}

/// Whether a hyphen may part a word here: `perfor-` `mance`, not `pp. 3-` `12` nor `Anglo-` `Saxon`.
fn is_parted(before: &str, next: char, hyphen: char) -> bool {
    before.ends_with(char::is_alphabetic) && (next.is_lowercase() || hyphen == '\u{ad}')
}

fn is_address(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.contains("http")
        || word.contains("www.")
        || word.contains("doi") && word.contains("10.")
        || word.starts_with("10.") && word.contains('/')
}

/// Whether an address goes on in the next line.
fn goes_on(word: &str, line: &str) -> bool {
    let next = first_word(line);
    if !is_address(word) {
        // `doi:` stands before what it announces.
        return false;
    }
    let is_open = word.ends_with(['/', '-', '_', '=', '?', '&', '%', '#', '.', ':']);
    let looks_like_rest = next.contains(['/', '_', '=', '%'])
        || next.chars().any(|c| c.is_ascii_digit()) && !next.ends_with([',', ')', ';'])
        || next.contains('.') && !next.ends_with('.') && next.chars().all(|c| c.is_ascii_graphic());
    match word.ends_with('.') {
        // A full stop ends addresses, too.
        true => {
            looks_like_rest
                && !next.starts_with(char::is_uppercase)
                && !next.starts_with(['[', '('])
        }
        false => {
            is_open && !next.starts_with(['[', '('])
                || looks_like_rest && !next.starts_with(['[', '('])
        }
    }
}

/// Letters of scripts that put no blanks between words.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}
