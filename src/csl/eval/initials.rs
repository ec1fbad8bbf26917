//! Given names → initials (specification, `initialize-with`).

/// Shortens given names. `with` follows each initial; `hyphen` keeps the hyphen of compound names.
/// With `only_normalize` full names stay and only what are initials already is set anew.
pub fn initials(given: &str, with: &str, hyphen: bool, only_normalize: bool) -> String {
    let mut out = String::with_capacity(given.len());
    for word in given.split([' ', '\u{a0}']).filter(|word| !word.is_empty()) {
        word_initials(word, with, hyphen, only_normalize, &mut out);
    }
    let trimmed = out.trim_end().len();
    out.truncate(trimmed);
    out
}

/// The initials alone, for telling names apart.
pub fn key(given: &str) -> String {
    initials(given, "", false, false)
}

fn word_initials(word: &str, with: &str, hyphen: bool, only_normalize: bool, out: &mut String) {
    let lower = word.chars().next().is_some_and(char::is_lowercase);
    let all_upper_short = is_initials(word);
    if lower && !word.contains('.') {
        // A particle or a conjunction among the given names stays a word.
        separate(out);
        out.push_str(word);
        out.push(' ');
        return;
    }
    if only_normalize && !all_upper_short {
        separate(out);
        out.push_str(word);
        out.push(' ');
        return;
    }
    for (at, part) in word.split('-').enumerate() {
        if at > 0 && hyphen {
            let kept = out.trim_end().len();
            out.truncate(kept);
            out.push('-');
        }
        part_initials(part, with, all_upper_short, out);
    }
}

fn part_initials(part: &str, with: &str, each: bool, out: &mut String) {
    if part.contains('.') {
        for piece in part.split('.').filter(|piece| !piece.is_empty()) {
            push_initial(piece, with, out);
        }
    } else if each && part.chars().count() > 1 {
        for c in part.chars() {
            out.push(c);
            out.push_str(with);
        }
    } else {
        push_initial(part, with, out);
    }
}

fn push_initial(word: &str, with: &str, out: &mut String) {
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return };
    out.push(first);
    out.push_str(with);
}

/// A full word after initials needs a blank between.
fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// `J.`, `JRR`, `J.-P.`: letters that stand for names already.
fn is_initials(word: &str) -> bool {
    let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
    if word.contains('.') {
        return word
            .split(['.', '-'])
            .all(|piece| piece.chars().count() <= 1);
    }
    !letters.is_empty() && letters.len() <= 3 && letters.iter().all(|c| c.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, with: &str, expected: &str) {
        assert_eq!(initials(given, with, true, false), expected);
    }

    #[test]
    fn given_names_shorten() {
        check("John Ronald", ". ", "J. R.");
        check("John Ronald", ".", "J.R.");
        check("John Ronald", "", "JR");
        check("Jean-Paul", ".", "J.-P.");
        check("J. D.", ". ", "J. D.");
        check("F. H. C.", ".", "F.H.C.");
    }

    #[test]
    fn full_names_stay_where_only_initials_are_set() {
        assert_eq!(initials("John R.R.", ". ", true, true), "John R. R.");
        assert_eq!(initials("Ronald A.", ".", true, true), "Ronald A.");
    }
}
