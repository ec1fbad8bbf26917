//! Converts given names to initials (specification, `initialize-with`).

#![allow(clippy::string_slice, reason = "offsets were found in the same text")]

use std::borrow::Cow;

/// Shortens given names. `with` follows each initial; `hyphen` keeps the hyphen of compound names. A
/// lowercase second half (`Ji-woo`) has no initial of its own if hyphens are kept; otherwise it has one,
/// as in library indexes. With `only_normalize` full names are kept and only existing initials are
/// reformatted, including a hyphen between two of them: no name was shortened, so there is no hyphen to
/// keep. Words marked as abbreviations by a period (`Ph.`) are always kept whole. Markup is kept. Blanks
/// are never doubled.
pub fn initials(given: &str, with: &str, hyphen: bool, only_normalize: bool) -> String {
    let mut out = String::with_capacity(given.len() + 4);
    let mut after_word = false;
    for word in given.split([' ', '\u{a0}']).filter(|word| !word.is_empty()) {
        let mut parts = word.split('-').peekable();
        let mut first = true;
        while let Some(part) = parts.next() {
            let short = if first {
                Shortened::new(part, only_normalize)
            } else {
                Shortened::second(part, only_normalize, hyphen)
            };
            match short {
                Shortened::Word(text) => {
                    if first {
                        separate(&mut out);
                    } else {
                        trim(&mut out);
                        out.push('-');
                    }
                    out.push_str(text);
                    after_word = true;
                }
                Shortened::Initials(letters) => {
                    if !first {
                        trim(&mut out);
                        if hyphen && !only_normalize || after_word {
                            out.push('-');
                        } else {
                            out.extend(with.chars().next_back().filter(|c| c.is_whitespace()));
                        }
                    } else if after_word {
                        separate(&mut out);
                    }
                    for letter in letters {
                        push(&letter, with, &mut out);
                    }
                    after_word = false;
                }
                Shortened::Nothing => {}
            }
            first = false;
            if parts.peek().is_none() && after_word {
                out.push(' ');
            }
        }
    }
    trim(&mut out);
    let mut behind_blank = false;
    out.retain(|c| {
        let repeats = behind_blank && c == ' ';
        behind_blank = c == ' ';
        !repeats
    });
    out
}

/// The initials alone, for comparing names: `J.-P.` and `J. P.` differ.
pub fn key(given: &str, hyphen: bool) -> String {
    initials(given, "", hyphen, false)
}

/// Adds a letter, keeping markup around it, followed by `with`.
fn push(letter: &str, with: &str, out: &mut String) {
    match letter.find("</") {
        Some(at) => {
            out.push_str(&letter[..at]);
            out.push_str(with.trim_end());
            out.push_str(&letter[at..]);
            out.push_str(&with[with.trim_end().len()..]);
        }
        None => {
            out.push_str(letter);
            out.push_str(with);
        }
    }
}

/// A full word needs a preceding blank.
fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with([' ', '\u{a0}']) {
        out.push(' ');
    }
}

fn trim(out: &mut String) {
    let kept = out.trim_end_matches([' ', '\u{a0}']).len();
    out.truncate(kept);
}

/// The result for one word or one half of a compound.
enum Shortened<'n> {
    /// Kept unchanged.
    Word(&'n str),
    /// Each text is followed by `with`.
    Initials(Vec<String>),
    Nothing,
}

impl<'n> Shortened<'n> {
    /// The second or a later half of a compound.
    fn second(part: &'n str, only_normalize: bool, hyphen: bool) -> Shortened<'n> {
        match part.chars().next() {
            Some(c) if !only_normalize && c.is_lowercase() && !part.contains('.') => {
                if hyphen {
                    Shortened::Nothing
                } else {
                    Shortened::Initials(vec![c.to_uppercase().collect()])
                }
            }
            _ => Shortened::new(part, only_normalize),
        }
    }

    fn new(part: &'n str, only_normalize: bool) -> Shortened<'n> {
        let plain = without_tags(part);
        let Some(head) = plain.chars().next() else {
            return Shortened::Nothing;
        };
        if plain.contains('.') {
            return Shortened::Initials(abbreviations(part, &plain, only_normalize));
        }
        if head.is_lowercase() {
            // Particles are not shortened.
            return Shortened::Word(part);
        }
        let single = plain.chars().count() == 1;
        if only_normalize && !single {
            return Shortened::Word(part);
        }
        if part.len() != plain.len() {
            return Shortened::Initials(vec![tagged(part, &head.to_string())]);
        }
        Shortened::Initials(vec![initial(&plain)])
    }
}

/// The first letter, plus the second if both represent one sound in the source script.
fn initial(word: &str) -> String {
    let mut chars = word.chars();
    let (first, second) = (chars.next(), chars.next());
    let double = second.is_some_and(char::is_uppercase) && chars.any(char::is_lowercase);
    let mut out: String = first.into_iter().collect();
    if double {
        out.extend(second.into_iter().flat_map(char::to_lowercase));
    }
    out
}

/// `Ph.M.E.` → `Ph`, `M`, `E`; a last piece without a period is a separate name.
fn abbreviations(part: &str, plain: &str, only_normalize: bool) -> Vec<String> {
    let mut letters = Vec::new();
    let mut pieces = plain.split('.').peekable();
    while let Some(piece) = pieces.next() {
        let stopped = pieces.peek().is_some();
        if piece.is_empty() {
            continue;
        }
        if stopped || only_normalize {
            letters.push(piece.to_owned());
        } else {
            letters.push(initial(piece));
        }
    }
    match letters.as_slice() {
        [only] if part.len() != plain.len() => vec![tagged(part, only)],
        _ => letters,
    }
}

/// `<b>J.</b>` with `text` between the tags.
fn tagged(part: &str, text: &str) -> String {
    let start = part.find('>').map_or(0, |at| at + 1);
    let end = part.rfind("</").unwrap_or(part.len());
    if start > end {
        return text.to_owned();
    }
    format!("{}{text}{}", &part[..start], &part[end..])
}

fn without_tags(part: &str) -> Cow<'_, str> {
    if !part.contains('<') {
        return part.into();
    }
    let mut out = String::with_capacity(part.len());
    let mut inside = false;
    for c in part.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            _ if !inside => out.push(c),
            _ => {}
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, with: &str, expected: &str) {
        assert_eq!(initials(given, with, true, false), expected, "{given}");
    }

    #[test]
    fn given_names_shorten() {
        check("John Ronald", ". ", "J. R.");
        check("John Ronald", ".", "J.R.");
        check("John Ronald", "", "JR");
        check("Jean-Paul", ".", "J.-P.");
        check("J. D.", ". ", "J. D.");
        check("J. D.", ".  ", "J. D.");
        check("F. H. C.", ".", "F.H.C.");
        check("ME", ".", "M.");
        check("Ph.M.E.", ". ", "Ph. M. E.");
        check("Guo-ping", "", "G");
        check("<b>J.</b> Q.", ". ", "<b>J.</b> Q.");
    }

    #[test]
    fn halves_in_small_letters_follow_the_hyphen() {
        let both = |given: &str, with: &str| {
            let of = |hyphen| initials(given, with, hyphen, false);
            (of(true), of(false))
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(both("Ji-woo", ". "), pair("J.", "J. W."));
        assert_eq!(both("Ji-woo", "."), pair("J.", "J.W."));
        assert_eq!(both("Xiao-ming", ""), pair("X", "XM"));
        assert_eq!(both("Min-ho K.", " "), pair("M K", "M H K"));
        assert_eq!(both("Ji-éun", ""), pair("J", "JÉ"));
        assert_eq!(both("Abd al-Rahman", "."), pair("A. al-R.", "A. al-R."));
        assert_eq!(initials("Ji-woo", ".", false, true), "Ji-woo");
    }

    #[test]
    fn full_names_stay_where_only_initials_are_set() {
        assert_eq!(initials("John R.R.", ". ", true, true), "John R. R.");
        assert_eq!(initials("Ronald A.", ".", true, true), "Ronald A.");
        assert_eq!(initials("ME", ".", true, true), "ME");
        assert_eq!(initials("R.C.-T.", ". ", true, true), "R. C. T.");
        assert_eq!(initials("Jean-Paul J.", ".", true, true), "Jean-Paul J.");
        let unbroken = initials("Jean M.-C.", ".\u{a0}", true, true);
        assert_eq!(unbroken, "Jean M.\u{a0}C.");
    }
}
