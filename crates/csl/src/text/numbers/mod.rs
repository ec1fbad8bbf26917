//! Parses values of number variables into numbers, the joints between them, and labels inside the value
//! (`vol. 1, fol. 186`). The specification only defines which values are numeric; the parsing follows
//! citeproc-js.

mod joints;
mod labels;
pub mod pages;
mod parser;
mod ranges;
mod shape;

pub use labels::label_term;
pub use parser::NumberParser;
pub use ranges::Ranges;
pub use shape::is_digits;

/// One number of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedNumber {
    /// The label in the value, or the implied one.
    pub label: String,
    /// Whether the label is shown with the number.
    pub shows_label: bool,
    /// Blanks after the label.
    pub label_blank: String,
    /// Letters before the number.
    pub particle: String,
    pub value: String,
    /// The joint between this number and the next one.
    pub joint: String,
    pub numeric: bool,
    /// Whether the number can be part of a range.
    pub ranges: bool,
    pub plural: bool,
}

impl ParsedNumber {
    /// The number, if it is countable: digits without letters or leading zeros.
    pub fn whole(&self) -> Option<u32> {
        let digits = self.ranges && !self.value.starts_with('0');
        digits.then(|| self.value.parse().ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(variable: &str, value: &str) -> Vec<ParsedNumber> {
        NumberParser {
            variable,
            label: None,
            and: ("and", "&"),
            has_term: &|term| matches!(term, "page" | "volume" | "folio" | "issue"),
        }
        .parse(value)
    }

    fn check(variable: &str, value: &str, expected: &[(&str, &str, &str)]) {
        let numbers = parsed(variable, value);
        let shown: Vec<(&str, String, &str)> = numbers
            .iter()
            .map(|n| (&*n.label, format!("{}{}", n.particle, n.value), &*n.joint))
            .collect();
        let shown: Vec<(&str, &str, &str)> = shown.iter().map(|(a, b, c)| (*a, &**b, *c)).collect();
        assert_eq!(shown, expected, "{value}");
    }

    #[test]
    fn values_fall_apart() {
        check("page", "12–15", &[("p.", "12", "-"), ("p.", "15", "")]);
        check("page", "7, 9", &[("p.", "7", ", "), ("p.", "9", "")]);
        check("page", "12a-c", &[("p.", "12a-c", "")]);
        check("edition", "1st bilingual", &[("", "1st bilingual", "")]);
        check(
            "number",
            "447 401-2",
            &[("", "447 401", "-"), ("", "2", "")],
        );
        check(
            "locator",
            "vol. 1, fol. 186",
            &[("vol.", "1", ", "), ("fol.", "186", "")],
        );
        check(
            "volume",
            "2 & 4",
            &[("vol.", "2", " & "), ("vol.", "4", "")],
        );
        check("issue", "3\\-4", &[("no.", "3-4", "")]);
    }

    #[test]
    fn numeric_texts_are_recognised() {
        for value in ["2", "2b", "D2", "2, 3", "2-4", "2 & 4", "12/3"] {
            assert!(parsed("edition", value)[0].numeric, "{value}");
        }
        for value in ["second", "4.3.2", "v6.6", "2nd edition", "12 February"] {
            assert!(!parsed("version", value)[0].numeric, "{value}");
        }
    }

    #[test]
    fn several_are_plural() {
        assert!(parsed("page", "12-15")[0].plural);
        assert!(parsed("number-of-pages", "300")[0].plural);
        assert!(!parsed("page", "300")[0].plural);
    }
}
