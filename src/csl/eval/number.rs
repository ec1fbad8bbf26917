//! `cs:number` and number variables in `cs:text`: lists and ranges, ordinals, Roman numerals.

use crate::model::variable::{NumberVar, Variable};

use super::{Eval, Usage, pages};
use crate::csl::locale::term::{Gender, TermId};
use crate::csl::node::{NIL, Tag};
use crate::csl::style::*;

impl<'a> Eval<'a, '_> {
    pub(super) fn number(&mut self, number: &'a Number) -> Usage {
        if self.suppressed.contains(number.variable) {
            return Usage::MISSED;
        }
        let found = match number.variable {
            Variable::Number(NumberVar::CitationNumber) => {
                let value = self.scene.citation_number;
                let text = self.formed(&value.to_string(), number.form, Gender::Neuter);
                let node = self.tree.text(&text, &number.look, Tag::CitationNumber);
                if node != NIL {
                    self.tree.node_mut(node).number = value;
                }
                true
            }
            Variable::Number(v) => match self.number_value(v) {
                Some(value)
                    if matches!(v, NumberVar::Page | NumberVar::Locator)
                        && number.form == NumberForm::Numeric =>
                {
                    let value = pages::formatted(&value, self.scene.compiled, true);
                    self.rich(&value, &number.look, Tag::Number) != NIL
                }
                Some(value) => self.numeric(&value, v, number.form, &number.look),
                None => false,
            },
            Variable::Text(v) => match self.scene.item.text(v) {
                Some(value) => self.rich(value, &number.look, Tag::Number) != NIL,
                None => false,
            },
            Variable::Date(_) | Variable::Names(_) => false,
        };
        if found && self.substituting.is_some() {
            self.suppressed.insert(number.variable);
        }
        Usage::of(found)
    }

    /// A number variable in a form. What is not a number is shown as it is.
    pub(super) fn numeric(
        &mut self,
        value: &str,
        variable: NumberVar,
        form: NumberForm,
        look: &'a Look,
    ) -> bool {
        let gender = TermId::number(variable).map_or(Gender::Neuter, |term| {
            self.scene.compiled.locale.gender(term)
        });
        let text = match split(value) {
            Some(parts) => {
                let range_mark = pages::range_mark(self.scene.compiled);
                let mut out = String::with_capacity(value.len() + 4);
                for part in &parts {
                    out.push_str(part.joint.text(range_mark));
                    out.push_str(&self.formed(part.text, form, gender));
                }
                out
            }
            None => value.to_owned(),
        };
        self.rich(&text, look, Tag::Number) != NIL
    }

    /// One number in a form.
    fn formed(&self, text: &str, form: NumberForm, gender: Gender) -> String {
        let Ok(number) = text.parse::<u32>() else {
            return text.to_owned();
        };
        let locale = &self.scene.compiled.locale;
        match form {
            NumberForm::Numeric => text.to_owned(),
            NumberForm::Ordinal => format!("{number}{}", locale.ordinal_suffix(number, gender)),
            NumberForm::LongOrdinal => locale
                .long_ordinal(number, gender)
                .map(str::to_owned)
                .unwrap_or_else(|| format!("{number}{}", locale.ordinal_suffix(number, gender))),
            NumberForm::Roman => roman(number).unwrap_or_else(|| text.to_owned()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    None,
    Range,
    Comma,
    Ampersand,
}

impl Joint {
    fn text(self, range_mark: &str) -> &str {
        match self {
            Joint::None => "",
            Joint::Range => range_mark,
            Joint::Comma => ", ",
            Joint::Ampersand => " & ",
        }
    }
}

struct Part<'n> {
    joint: Joint,
    text: &'n str,
}

/// Takes a value apart into numbers and what joins them; `None` where it is not numeric.
fn split(value: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut joint = Joint::None;
    let mut rest = value.trim();
    while !rest.is_empty() {
        let end = rest.find([',', '-', '–', '&']).unwrap_or(rest.len());
        let text = rest[..end].trim();
        if !is_number_with_affixes(text) {
            return None;
        }
        parts.push(Part { joint, text });
        let mut chars = rest[end..].chars();
        joint = match chars.next() {
            Some(',') => Joint::Comma,
            Some('&') => Joint::Ampersand,
            Some(_) => Joint::Range,
            None => Joint::None,
        };
        rest = chars.as_str().trim_start();
        if rest.is_empty() && joint != Joint::None {
            return None;
        }
    }
    (!parts.is_empty()).then_some(parts)
}

/// `D2`, `2b`, `L2d`: digits with letters around them and no blank inside.
fn is_number_with_affixes(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '.' || c == '/' || c == '’' || c == '\'')
}

/// Whether a value counts as a number in conditions (specification, «Choose», `is-numeric`).
pub fn is_numeric(value: &str) -> bool {
    split(value).is_some()
}

/// Whether a value names more than one: `12-15`, `3, 5`, `2 & 4`.
pub fn is_plural(value: &str) -> bool {
    // What another label introduces does not count: `367-368, fig. 333`.
    let own = value.char_indices().find(|(at, c)| {
        *c == ','
            && value[at + 1..]
                .trim_start()
                .starts_with(char::is_alphabetic)
            && value[at + 1..].contains('.')
    });
    let value = own.map_or(value, |(at, _)| &value[..at]);
    if value
        .split([',', '-', '–', '&', ' '])
        .any(|part| !part.is_empty() && !is_page(part) && !is_and(part))
    {
        return false;
    }
    if value.split_whitespace().any(is_and) {
        return true;
    }
    let mut rest = value.trim();
    while let Some(at) = rest.find([',', '-', '–', '&']) {
        let before = rest[..at].trim_end();
        let mark = rest[at..].chars().next();
        let after = rest[at..]
            .trim_start_matches([',', '-', '–', '&'])
            .trim_start();
        let next = after
            .split([',', '-', '–', '&', ' '])
            .next()
            .unwrap_or_default();
        let last = before.rsplit([',', '&', ' ']).next().unwrap_or_default();
        let several = match mark {
            Some('-' | '–') => pages::is_range(last, next),
            _ => is_page(last) && is_page(next),
        };
        if several && !before.ends_with('\\') {
            return true;
        }
        rest = after;
    }
    false
}

fn is_and(word: &str) -> bool {
    matches!(word, "and" | "et" | "und" | "y" | "i" | "e" | "en")
}

fn is_page(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) || pages::is_roman(text)
}

/// Roman numerals in lower case, for 1 to 3999.
pub fn roman(mut number: u32) -> Option<String> {
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
    fn what_counts_as_numeric() {
        for text in ["2", "2b", "D2", "L2d", "2, 3", "2-4", "2 & 4"] {
            assert!(is_numeric(text), "{text}");
        }
        for text in ["second", "2nd edition", "", "12 February"] {
            assert!(!is_numeric(text), "{text}");
        }
    }

    #[test]
    fn romans_and_plurals() {
        assert_eq!(roman(1994).as_deref(), Some("mcmxciv"));
        assert!(is_plural("12-15") && is_plural("7, 9") && !is_plural("12"));
    }
}
