//! TeX that a program left when it wrote BibTeX as another format: `R\&D`, `Poincar\'e`, `{DNA}`.

use std::borrow::Cow;

use super::symbols::{accents, symbol};
use super::{LatexMarkup, convert};

/// Signs that TeX writes behind a backslash and that mean themselves.
const ESCAPED: [char; 6] = ['&', '%', '_', '#', '$', '~'];

/// Commands with an argument that are no accents and symbols.
const COMMANDS: [&str; 17] = [
    "textit",
    "textbf",
    "emph",
    "textsc",
    "textsuperscript",
    "textsubscript",
    "texttt",
    "textrm",
    "textsf",
    "mathrm",
    "mathbf",
    "mathit",
    "mathcal",
    "mathbb",
    "url",
    "mbox",
    "ensuremath",
];

/// The text of a value that is not TeX but shows unmistakable signs of it, otherwise the value. Accents and known
/// commands make all of it TeX; before a sign only the backslash goes.
pub fn read(text: &str, markup: LatexMarkup) -> Cow<'_, str> {
    if memchr::memchr3(b'\\', b'{', b'~', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let text = without_ties(text);
    if !text.contains(['\\', '{']) {
        return text;
    }
    let text = match without_apostrophes(&text) {
        Cow::Owned(read) => Cow::Owned(read),
        Cow::Borrowed(_) => text,
    };
    if has_commands(&text) || markup == LatexMarkup::Title && has_protection(&text) {
        // A bare sign is itself outside of TeX, but not a comment or a tie.
        let read = convert(&text, markup);
        return Cow::Owned(without_escapes(&read).into_owned());
    }
    match without_escapes(&text) {
        Cow::Owned(read) => Cow::Owned(read),
        Cow::Borrowed(_) => text,
    }
}

/// A text with blanks in place of TeX's ties, which stand between a full stop and the next word: `J.~Doe`, `part.~II`.
fn without_ties(text: &str) -> Cow<'_, str> {
    if !text.contains(".~") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(".~") {
        out.push_str(before);
        let is_word = behind.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let is_tie = is_word && before.ends_with(char::is_alphabetic);
        out.push_str(if is_tie { ". " } else { ".~" });
        rest = behind;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// A text without TeX's backslash before signs that mean themselves.
pub fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        // A doubled backslash was escaped twice.
        let bare = behind.trim_start_matches('\\');
        if !bare.starts_with(ESCAPED) {
            out.push('\\');
            out.extend(std::iter::repeat_n('\\', behind.len() - bare.len()));
        }
        rest = bare;
    }
    out.push_str(rest);
    if out == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(out)
    }
}

/// Programs that write queries of databases escape apostrophes: `Alzheimer\'s`, `l\'eau`. TeX's accent is on a vowel, behind more
/// than an article.
pub fn without_apostrophes(text: &str) -> Cow<'_, str> {
    if !text.contains("\\'") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\\'") {
        out.push_str(before);
        let is_apostrophe = {
            let word = out.rsplit(|c: char| !c.is_alphabetic()).next();
            let word = word.unwrap_or_default();
            let is_article = matches!(
                word,
                "l" | "L"
                    | "d"
                    | "D"
                    | "j"
                    | "J"
                    | "s"
                    | "S"
                    | "n"
                    | "N"
                    | "c"
                    | "C"
                    | "m"
                    | "qu"
                    | "Qu"
            );
            let mut next = behind.chars();
            let ends_word = |c: Option<char>| c.is_none_or(|c| !c.is_alphabetic());
            let is_ending = match next.next() {
                Some('s' | 't' | 'd' | 'm') => !word.is_empty() && ends_word(next.next()),
                _ => false,
            };
            is_ending || is_article && behind.starts_with(char::is_alphabetic)
        };
        out.push_str(if is_apostrophe { "'" } else { "\\'" });
        rest = behind;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a text has an accent or a command that nothing but TeX writes.
fn has_commands(text: &str) -> bool {
    let mut before = None;
    let mut rest = text;
    while let Some((head, behind)) = rest.split_once('\\') {
        before = head
            .chars()
            .next_back()
            .or(before.filter(|_| head.is_empty()));
        let letters = behind.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = behind.get(..letters.max(1)).unwrap_or_default();
        let after = behind.get(name.len()..).unwrap_or_default();
        let in_group = before == Some('{');
        let is_command = match letters {
            0 => is_accent(name, after, before) || is_thin_blank(name, after, before),
            // `C:\r` is a path.
            1 => {
                after.starts_with('{') && (accents(name, false).is_some() || symbol(name).is_some())
                    || in_group && after.starts_with('}') && symbol(name).is_some()
            }
            _ => {
                let is_known = symbol(name).is_some()
                    || accents(name, false).is_some()
                    || COMMANDS.contains(&name);
                is_known && !text.contains(":\\")
            }
        };
        if is_command {
            return true;
        }
        before = Some('\\');
        rest = behind;
    }
    false
}

/// Whether a mark behind a backslash is an accent: over a letter of a word or in braces, which an escaped quotation mark is not.
fn is_accent(mark: &str, after: &str, before: Option<char>) -> bool {
    if !matches!(mark, "'" | "\"" | "`" | "^" | "~" | "=" | ".") {
        return false;
    }
    let in_word = before.is_some_and(|c| c.is_alphabetic() || c == '{');
    let braced = after.strip_prefix('{').and_then(|inside| {
        let inside = inside.strip_prefix('\\').unwrap_or(inside);
        let mut chars = inside.chars();
        Some(chars.next()?.is_ascii_alphabetic() && chars.next() == Some('}'))
    });
    let letter = after.chars().next().filter(char::is_ascii_alphabetic);
    braced.unwrap_or_else(|| in_word && (letter.is_some() || after.starts_with("\\i")))
}

/// Whether a sign behind a backslash is the thin blank within a number or before one: `LHS\,1070`.
fn is_thin_blank(sign: &str, after: &str, before: Option<char>) -> bool {
    let is_number = after.trim_start().starts_with(|c: char| c.is_ascii_digit());
    sign == "," && is_number && before.is_some_and(char::is_alphanumeric)
}

/// Whether every pair of braces holds words, as BibTeX protects them, and at least one holds a capital.
fn has_protection(text: &str) -> bool {
    let mut rest = text;
    let mut is_any = false;
    while let Some((before, inside)) = rest.split_once('{') {
        let Some((words, behind)) = inside.split_once('}') else {
            return false;
        };
        let is_word = |c: char| c.is_alphanumeric() || " -'’.&/".contains(c);
        let are_words = words.starts_with(char::is_alphabetic) && words.chars().all(is_word);
        if before.contains('}') || !are_words {
            return false;
        }
        is_any |= words.contains(char::is_uppercase);
        rest = behind;
    }
    is_any && !rest.contains('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text, LatexMarkup::Rich), expected, "{text}");
    }

    #[test]
    fn escaped_signs_are_signs() {
        check(r"R\&D of 50\% a\_b \#1", "R&D of 50% a_b #1");
        check(r"10.1007/x\\_9", "10.1007/x_9");
        check(r"C:\Users\me", r"C:\Users\me");
        check(r"C:\alpha\beta", r"C:\alpha\beta");
        check("5% of {0,1}", "5% of {0,1}");
    }

    #[test]
    fn accents_and_commands_make_a_text_tex() {
        check("Poincar\\'e and G\\\"{o}del", "Poincaré and Gödel");
        check("H{\\\"o}lder -- M{\\\"u}ller", "Hölder – Müller");
        check(
            r"\textit{in vivo} 50\% \& more",
            "<i>in vivo</i> 50% & more",
        );
        check(r"A 5% share \textendash{} x", "A 5% share – x");
        check(r"S{\o}ren \v{C}apek", "Søren Čapek");
        check(r"Sample\, 1070", "Sample\u{a0} 1070");
        check(r"1\,000 and A,\,b", "1\u{a0}000 and A,\u{a0}b");
        check(r"one\, two", r"one\, two");
    }

    #[test]
    fn ties_behind_full_stops_are_blanks() {
        check("J.~Doe", "J. Doe");
        check("Steuerung.~II", "Steuerung. II");
        check("Nr.~7 of A.~B.~Roe", "Nr. 7 of A. B. Roe");
        check("https://example.org/a.~roe", "https://example.org/a.~roe");
        check("0.~5 and ...~A", "0.~5 and ...~A");
    }

    #[test]
    fn escaped_quotes_are_no_accents() {
        check(r"Alzheimer\'s disease", "Alzheimer's disease");
        check(r"L\'eau et l\'air", "L'eau et l'air");
        check("Say \\\"A word\\\" now", "Say \\\"A word\\\" now");
    }

    #[test]
    fn protecting_braces_protect() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text, LatexMarkup::Title), expected, "{text}");
        };
        check(
            "Repair of {DNA} here",
            "Repair of <span class=\"nocase\">DNA</span> here",
        );
        check("Words in {0,1} and {A}", "Words in {0,1} and {A}");
        check("Sets {x}", "Sets {x}");
    }

    /// Holds for every text.
    #[test]
    fn no_sign_stays_escaped_and_other_texts_stay() {
        const PARTS: [&str; 20] = [
            "\\&",
            "\\",
            "\\%",
            "\\_",
            "\\#",
            "{",
            "}",
            "DNA",
            "é",
            " ",
            "\\'",
            "e",
            "\\alpha",
            "\\textit{",
            "$",
            "\\\"",
            "l",
            "&amp;",
            "C:",
            "~",
        ];
        let mut state = 1_u64;
        for _ in 0..5_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let at = usize::try_from(state >> 33).unwrap() % PARTS.len();
                text.push_str(PARTS[at]);
            }
            for markup in [LatexMarkup::Title, LatexMarkup::Rich, LatexMarkup::None] {
                let read = read(&text, markup);
                for sign in ["\\&", "\\%", "\\_", "\\#"] {
                    assert!(!read.contains(sign), "{text}: {read}");
                }
                if !text.contains(['\\', '{']) {
                    assert_eq!(read, text);
                }
            }
        }
    }
}
