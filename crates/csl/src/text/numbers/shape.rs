//! The shape of a single number.

/// `123N110` → (`123N`, `110`); only if the rest is digits and then at most letters.
pub(super) fn split_particle(text: &str) -> (&str, &str) {
    let tail = |text: &str| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = rest.len() < text.len();
        digits
            && rest
                .chars()
                .all(|c| matches!(c, '-' | ',') || c.is_ascii_alphabetic())
    };
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = letters.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if after.len() == letters.len() || !tail(after) {
        return ("", text);
    }
    let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let zeros = after.len() - after.trim_start_matches('0').len();
    let head = text.len() - after.len() + zeros.min(digits - 1);
    text.split_at(head)
}

pub(super) fn is_plain_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len()
        && rest
            .chars()
            .all(|c| matches!(c, '-' | ';' | ',' | ':') || c.is_ascii_alphabetic())
}

/// Matches digits or a lowercase Roman numeral, then letters, or a hyphen and other numbers.
pub(super) fn is_numeric_head(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let romans = text.trim_start_matches(['i', 'x', 'v']);
    let rest = if digits.len() < text.len() {
        digits
    } else if romans.len() < text.len() {
        romans
    } else {
        return false;
    };
    let letters = rest
        .chars()
        .all(|c| matches!(c, '-' | ',' | ':') || c.is_ascii_alphabetic());
    let range = rest.strip_prefix('-').is_some_and(|tail| {
        !tail.is_empty() && tail.chars().all(|c| c == '-' || c.is_ascii_digit())
    });
    letters || range
}

pub(super) fn is_fraction(text: &str) -> bool {
    let mut parts = text.split('/');
    let all = parts
        .clone()
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    all && parts.nth(1).is_some()
}

pub(super) fn is_roman(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| {
            matches!(
                c.to_ascii_lowercase(),
                'i' | 'v' | 'x' | 'l' | 'c' | 'd' | 'm'
            )
        })
}

pub(super) fn is_bare(text: &str) -> bool {
    is_roman(text) || is_digits(text)
}

pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The leading digits of a text.
pub fn leading(text: &str) -> Option<u64> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
