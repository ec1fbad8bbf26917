//! Joins several lines into one, and converts LaTeX to plain text.

use super::line::is_address;
use crate::reference::cut_front;

/// The maximum bytes searched for an address broken at a line end.
const MAX_ADDRESS_LENGTH: usize = 600;

/// Joins lines into one. Drops a hyphen between small letters at a line end, and rejoins an address
/// or a DOI that was broken at one of its punctuation marks.
pub fn lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        match joint(&joined, line) {
            Joint::Hyphen => {
                joined.pop();
            }
            Joint::Close => {}
            Joint::Blank if joined.is_empty() => {}
            Joint::Blank => joined.push(' '),
        }
        joined.push_str(line);
    }
    joined
}

/// The separator between two lines.
enum Joint {
    Blank,
    Close,
    /// None, and the hyphen is dropped.
    Hyphen,
}

fn joint(before: &str, line: &str) -> Joint {
    // Without this limit, lines joined without spaces would be read again for each further line.
    let word = cut_front(before, MAX_ADDRESS_LENGTH)
        .rsplit(' ')
        .next()
        .unwrap_or_default();
    let next = line.split_whitespace().next().unwrap_or_default();
    if is_address(word) {
        // A full stop ends the sentence unless the next text looks like the rest of a DOI.
        let is_rest =
            next.contains(|c: char| c.is_ascii_digit()) && !next.starts_with(char::is_uppercase);
        let goes_on = before.ends_with(['/', '-', '_']) || (before.ends_with('.') && is_rest);
        return if goes_on { Joint::Close } else { Joint::Blank };
    }
    let mut ending = before.chars().rev();
    let (dash, sign) = (ending.next(), ending.next());
    let is_hyphen = matches!(dash, Some('-' | '\u{2010}' | '\u{ad}'));
    let both_small = sign.is_some_and(char::is_lowercase) && line.starts_with(char::is_lowercase);
    let is_range = matches!(dash, Some('-' | '–')) && sign.is_some_and(|c| c.is_ascii_digit());
    if is_hyphen && both_small {
        Joint::Hyphen
    } else if is_range && line.starts_with(|c: char| c.is_ascii_digit()) {
        Joint::Close
    } else {
        Joint::Blank
    }
}

/// The text of a LaTeX bibliography without its commands. Drops accents, because comparison ignores
/// them.
pub fn plain_latex(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\\' => rest = command(rest, &mut plain),
            '{' | '}' | '$' => {}
            '~' => plain.push(' '),
            _ => plain.push(c),
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").replace("---", "—").replace("--", "–")
}

/// Writes the replacement of a command and returns the text behind it.
fn command<'a>(text: &'a str, plain: &mut String) -> &'a str {
    let end = text
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (name, behind) = text.split_at(end);
    match name {
        // `\"o`, `\&`
        "" => {
            let sign = text.chars().next();
            plain.extend(sign.filter(|c| "&%#_$".contains(*c)));
            text.get(sign.map_or(0, char::len_utf8)..)
                .unwrap_or_default()
        }
        "o" | "O" | "l" | "L" | "i" | "j" | "ss" | "ae" | "AE" | "oe" | "OE" | "aa" | "AA" => {
            plain.push_str(name);
            behind.trim_start_matches(' ')
        }
        // Accents that are letters: `\c{c}`, `\v s`.
        "c" | "v" | "u" | "H" | "k" | "r" | "d" | "b" => behind.trim_start_matches(' '),
        _ => {
            plain.push(' ');
            behind
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_lines_are_joined() {
        let check = |text: &str, expected: &str| assert_eq!(lines(text.lines()), expected);
        check("Coher-\nence of light", "Coherence of light");
        check(
            "doi:10.1371/journal.\npmed.0020124",
            "doi:10.1371/journal.pmed.0020124",
        );
        check(
            "doi:10.1016/S0140-\n6736(98)11096-0",
            "doi:10.1016/S0140-6736(98)11096-0",
        );
        check("https://doi.org/\n10.1000/x", "https://doi.org/10.1000/x");
        check("doi:10.1000/xyz.\nEpub 2001", "doi:10.1000/xyz. Epub 2001");
        check(
            "doi:10.1000/xyz.\naccessed in May",
            "doi:10.1000/xyz. accessed in May",
        );
        check("1953;171:737–\n738.", "1953;171:737–738.");
    }

    #[test]
    fn commands_go() {
        let check = |text: &str, expected: &str| assert_eq!(plain_latex(text), expected);
        check(
            r"K.~G\{o}del, {\em On it}, \newblock Ring \textbf{12} (1931), 1--9.",
            "K. Godel, On it, Ring 12 (1931), 1–9.",
        );
        check(r#"G\"odel \& \O re, \c{c}a"#, "Godel & Ore, ca");
    }
}
