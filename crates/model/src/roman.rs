//! Roman numerals.

/// Roman numerals in lower case, for 1 to 3999.
pub fn write(mut number: u32) -> Option<String> {
    const DIGITS: &[(u32, &str)] = &[
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if !(1..=3999).contains(&number) {
        return None;
    }
    let mut out = String::new();
    for &(value, digit) in DIGITS {
        while number >= value {
            out.push_str(digit);
            number -= value;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_one_on() {
        assert_eq!(write(1994).as_deref(), Some("mcmxciv"));
        assert_eq!(write(0), None);
    }
}
