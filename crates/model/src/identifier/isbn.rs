//! ISBNs and ISSNs, which have a check digit.

use super::text::{fold_digits, strip_invisible};
use super::{IdentifierError, Isbn, Issn, shape};

impl Isbn {
    /// Parses an ISBN-10 or ISBN-13 with any hyphens or spaces, after `ISBN`, `eISBN`, `urn:isbn:` or in an
    /// address, optionally followed by a qualifier in brackets. The check digit must be correct. 979-0 is
    /// rejected because those are ISMNs.
    pub fn parse(text: &str) -> Result<Isbn, IdentifierError> {
        const EXPECTED: &str = "an ISBN: it has 10 or 13 digits, as in 978-0-19-852663-6";
        let digits = isbn_digits(text).ok_or_else(|| shape(text, EXPECTED))?;
        // The digits, and the last one, which checks them.
        let last = digits.len().saturating_sub(1);
        let (body, printed) = digits.split_at_checked(last).unwrap_or_default();
        match digits.len() {
            10 => {
                let check = isbn10_check(body);
                if printed.bytes().eq([check]) {
                    Ok(Isbn(isbn13_from_body(&format!("978{body}"))))
                } else {
                    Err(check_digit_error(text, body, printed, check))
                }
            }
            13 if digits.starts_with("978") || digits.starts_with("979") => {
                if digits.starts_with("9790") {
                    return Err(shape(
                        text,
                        "an ISBN: 979-0 begins the number of printed music (ISMN)",
                    ));
                }
                let check = ean13_check(body);
                if printed.bytes().eq([check]) {
                    Ok(Isbn(digits))
                } else {
                    Err(check_digit_error(text, body, printed, check))
                }
            }
            _ => Err(shape(text, EXPECTED)),
        }
    }

    /// The ISBN-10; only 978 numbers have one.
    pub fn isbn10(&self) -> Option<String> {
        let body = self.0.strip_prefix("978")?.get(..9)?;
        Some(format!("{body}{}", char::from(isbn10_check(body))))
    }
}

fn check_digit_error(input: &str, body: &str, printed: &str, check: u8) -> IdentifierError {
    IdentifierError::CheckDigit {
        input: input.chars().take(100).collect(),
        normalized: format!("{body}{printed}"),
        suggestion: format!("{body}{}", char::from(check)),
    }
}

/// The bare digits (and a final X) of an ISBN in any notation; `None` if the text contains anything else.
fn isbn_digits(text: &str) -> Option<String> {
    let text = fold_digits(&strip_invisible(text)).to_ascii_lowercase();
    let text = match text.rfind("isbn/") {
        Some(at) => text.get(at + 5..)?.split(['/', '?', '#']).next()?,
        None => text.as_str(),
    };
    let text = text.trim().strip_prefix("urn:").unwrap_or(text.trim());
    let text = match text.find("isbn") {
        Some(at) if at <= 1 => {
            let rest = text.get(at + 4..)?;
            let numbered = rest.trim_start_matches('-');
            ["10", "13"]
                .iter()
                .find_map(|length| numbered.strip_prefix(length))
                .filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
                .unwrap_or(rest)
        }
        _ => text,
    };
    let text = text.trim_start_matches([':', ' ', '-']);
    let text = text
        .split('(')
        .next()?
        .trim()
        .trim_end_matches(['.', ',', ';']);
    let mut digits = String::with_capacity(13);
    for c in text.chars() {
        match c {
            '0'..='9' => digits.push(c),
            'x' if digits.len() == 9 => digits.push('X'),
            _ if is_hyphen(c) || c.is_whitespace() => {}
            _ => return None,
        }
    }
    // X stands for ten and can only be the last character of an ISBN-10.
    if digits.contains('X') && digits.len() != 10 {
        return None;
    }
    matches!(digits.len(), 10 | 13).then_some(digits)
}

fn is_hyphen(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'
            ..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{ad}'
    )
}

fn isbn10_check(body: &str) -> u8 {
    let sum: u32 = body
        .bytes()
        .zip((2..=10).rev())
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    match (11 - sum % 11) % 11 {
        10 => b'X',
        digit => b'0' + digit as u8,
    }
}

fn ean13_check(body: &str) -> u8 {
    let sum: u32 = body
        .bytes()
        .zip([1, 3].into_iter().cycle())
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    b'0' + ((10 - sum % 10) % 10) as u8
}

fn isbn13_from_body(body: &str) -> String {
    format!("{body}{}", char::from(ean13_check(body)))
}

impl Issn {
    /// Parses an ISSN with or without hyphen and prefix; the check digit must be correct.
    pub fn parse(text: &str) -> Result<Issn, IdentifierError> {
        const EXPECTED: &str = "an ISSN: it has eight digits, as in 2049-3630";
        let folded = fold_digits(&strip_invisible(text)).to_ascii_uppercase();
        let bare = folded
            .rsplit(['/', ':'])
            .next()
            .unwrap_or_default()
            .trim()
            .trim_start_matches(|c: char| c.is_ascii_alphabetic() && c != 'X')
            .trim()
            .trim_end_matches('.');
        let digits: String = bare.chars().filter(|c| !is_hyphen(*c)).collect();
        let (body, printed) = digits.split_at_checked(7).unwrap_or_default();
        let is_well_formed = body.bytes().all(|digit| digit.is_ascii_digit())
            && matches!(printed.as_bytes(), [b'0'..=b'9' | b'X']);
        if !is_well_formed {
            return Err(shape(text, EXPECTED));
        }
        let sum: u32 = body
            .bytes()
            .zip((2..=8).rev())
            .map(|(digit, weight)| u32::from(digit - b'0') * weight)
            .sum();
        let check = match (11 - sum % 11) % 11 {
            10 => b'X',
            digit => b'0' + digit as u8,
        };
        if printed.bytes().eq([check]) {
            let (first, second) = digits.split_at_checked(4).unwrap_or_default();
            Ok(Issn(format!("{first}-{second}")))
        } else {
            Err(check_digit_error(text, body, printed, check))
        }
    }
}
