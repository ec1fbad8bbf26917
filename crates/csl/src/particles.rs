//! Name particles inside the family or given name: `de la` after the given names, `van der` before the
//! family name.

#![allow(clippy::string_slice, reason = "offsets were found in the same text")]

/// Moves particles out of `family` and `given`. Keeps particles that the record already separates.
///
/// Lowercase words before the family name are non-dropping; lowercase words after the given names are
/// dropping (specification, «Name-part order»).
pub fn split(
    family: &mut String,
    given: &mut String,
    dropping: &mut String,
    non_dropping: &mut String,
) {
    if non_dropping.is_empty()
        && let Some(at) = leading_particles(family)
    {
        *non_dropping = family[..at].trim_end().to_owned();
        let rest = family[at..].to_owned();
        *family = rest;
    }
    if dropping.is_empty()
        && let Some(at) = trailing_particles(given)
    {
        let tail = given[at..].trim_start().to_owned();
        given.truncate(at);
        given.truncate(given.trim_end().len());
        let (drops, stays) = divide(&tail);
        *dropping = drops.to_owned();
        if let Some(stays) = stays {
            if non_dropping.is_empty() {
                *non_dropping = stays.to_owned();
            } else {
                *dropping = tail;
            }
        }
    }
}

/// In `de la` and similar particles the article stays with the family name.
fn divide(tail: &str) -> (&str, Option<&str>) {
    for article in ["la", "las", "le", "li", "los"] {
        if let Some(head) = tail.strip_suffix(article)
            && head.trim_end() == "de"
            && head.len() > 2
        {
            return ("de", Some(article));
        }
    }
    (tail, None)
}

/// The offset of the family name proper after lowercase words.
fn leading_particles(family: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &family[at..];
        let first = rest.chars().next()?;
        if first.is_uppercase() || !(first.is_lowercase() || is_apostrophe(first)) {
            break;
        }
        let is_break = |c: char| matches!(c, ' ' | '\u{a0}' | '-');
        let apostrophe = rest
            .char_indices()
            .take_while(|(mark, c)| *mark < 5 && !is_break(*c))
            .skip(1)
            .find(|(_, c)| is_apostrophe(*c));
        if let Some((mark, c)) = apostrophe {
            let after = mark + c.len_utf8();
            if after < rest.len() && after <= 5 {
                at += after;
                continue;
            }
        }
        let word_end = rest.find(is_break).unwrap_or(rest.len());
        if word_end == rest.len() {
            // The last word is always part of the family name, even in lowercase.
            break;
        }
        let length = rest[word_end..].chars().next().map_or(0, char::len_utf8);
        at += word_end + length;
    }
    (at > 0 && at < family.len()).then_some(at)
}

/// The offset of lowercase words at the end of the given names.
fn trailing_particles(given: &str) -> Option<usize> {
    let mut at = given.len();
    loop {
        let head = given[..at].trim_end();
        let start = head.rfind([' ', '\u{a0}']).map_or(0, |space| {
            space + head[space..].chars().next().map_or(1, char::len_utf8)
        });
        let word = &head[start..];
        let first = word.chars().next();
        let is_particle = start > 0
            && first.is_some_and(|c| c.is_lowercase() || is_apostrophe(c))
            && !word.contains(['.', ',']);
        if !is_particle {
            break;
        }
        at = start;
    }
    (at < given.len() && at > 0).then_some(at)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '‘')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(family: &str, given: &str, expected: [&str; 4]) {
        let (mut family, mut given) = (family.to_owned(), given.to_owned());
        let (mut dropping, mut staying) = (String::new(), String::new());
        split(&mut family, &mut given, &mut dropping, &mut staying);
        assert_eq!([&*given, &*dropping, &*staying, &*family], expected);
    }

    #[test]
    fn particles_move_where_they_belong() {
        check("van der Berg", "Anna", ["Anna", "", "van der", "Berg"]);
        check(
            "Lamartine",
            "Alphonse de",
            ["Alphonse", "de", "", "Lamartine"],
        );
        check("Fontaine", "Jean de la", ["Jean", "de", "la", "Fontaine"]);
        check("d'Aubignac", "François", ["François", "", "d'", "Aubignac"]);
        check("Smith", "John", ["John", "", "", "Smith"]);
        check("plato", "", ["", "", "", "plato"]);
    }
}
