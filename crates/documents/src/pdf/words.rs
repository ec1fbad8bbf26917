//! Joins lines to text: hyphenated words, addresses, scripts without blanks.

use std::collections::HashSet;

/// The unhyphenated words of the document, used to decide whether a hyphen is part of a word.
pub(super) struct KnownWords(HashSet<String>);

const HYPHENS: [char; 4] = ['-', '\u{2010}', '\u{ad}', '\u{2011}'];

impl KnownWords {
    pub fn of<'a>(lines: impl Iterator<Item = &'a str>) -> KnownWords {
        let words = lines.flat_map(|line| {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            // The last one may be hyphenated.
            words.pop();
            words
        });
        KnownWords(words.map(bare).filter(|word| word.len() > 3).collect())
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
            let is_parted = before.ends_with(char::is_alphabetic)
                && (next.is_lowercase() || last == '\u{ad}')
                && !first_word(line).contains(['/', '@']);
            let is_one_word = last == '\u{ad}' || self.is_one_word(before, line);
            if is_parted {
                text.truncate(before.len());
                text.push_str(if is_one_word { "" } else { "-" });
            }
        } else {
            let is_range = last == '–' && next.is_ascii_digit();
            let is_wide = is_wide(last) && is_wide(next);
            if !is_range && !is_wide && !goes_on(last_word(text), line) {
                text.push(' ');
            }
        }
        text.push_str(line);
    }

    /// Whether a word split by a hyphen is written without it.
    fn is_one_word(&self, before: &str, line: &str) -> bool {
        let (start, end) = (last_word(before), first_word(line));
        let is_known = self.0.contains(&bare(&format!("{start}{end}")));
        if is_address(start) || start.contains(HYPHENS) && !is_known {
            return false;
        }
        let with_hyphen = bare(&format!("{start}-{end}"));
        is_known || !self.0.contains(&with_hyphen)
    }
}

fn last_word(text: &str) -> &str {
    text.rsplit(char::is_whitespace).next().unwrap_or_default()
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// A word in lower case without surrounding punctuation.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .replace(HYPHENS, "-")
        .to_lowercase()
}

fn is_address(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.contains("http")
        || word.contains("www.")
        || word.contains("doi") && word.contains("10.")
        || word.starts_with("10.") && word.contains('/')
}

/// Whether an address continues on the next line.
fn goes_on(word: &str, line: &str) -> bool {
    let next = first_word(line);
    if !is_address(word) {
        return false;
    }
    let is_open = word.ends_with(['/', '-', '_', '=', '?', '&', '%', '#', '.', ':']);
    let looks_like_rest = next.contains(['/', '_', '=', '%'])
        || next.chars().any(|c| c.is_ascii_digit()) && !next.ends_with([',', ')', ';'])
        || next.contains('.') && !next.ends_with('.') && next.chars().all(|c| c.is_ascii_graphic());
    let is_text =
        next.starts_with(['[', '(']) || word.ends_with('.') && next.starts_with(char::is_uppercase);
    !is_text && (looks_like_rest || is_open && !word.ends_with('.'))
}

/// Letters of scripts without blanks between words.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_lines_are_joined() {
        let words = KnownWords::of(["well-known things here", "a light-house stands"].into_iter());
        let check = |lines: [&str; 2], expected: &str| {
            assert_eq!(words.join(lines.into_iter()), expected);
        };
        check(["of mea-", "surements"], "of measurements");
        check(["the well-", "known thing"], "the well-known thing");
        check(["Addison-", "Wesley"], "Addison-Wesley");
        check(["mea\u{ad}", "sured"], "measured");
        check(["pp. 17–", "55"], "pp. 17–55");
        check(
            ["https://doi.org/10.1000/", "waves.7"],
            "https://doi.org/10.1000/waves.7",
        );
        check(
            ["https://doi.org/10.1000/x.", "Young, T."],
            "https://doi.org/10.1000/x. Young, T.",
        );
        check(["[gr-", "qc/0512081]"], "[gr-qc/0512081]");
        check(["物理の", "実験"], "物理の実験");
        check(["one", "two"], "one two");
    }
}
