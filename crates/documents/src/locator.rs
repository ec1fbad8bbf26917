//! What stands behind a key: `p. 33`, `chap. 4 and passim`.

use citation_model::cite::{Cite, Locator};

/// Words before a number, in lower case and without their full stop, and the CSL label.
const LABELS: [(&str, &str); 42] = [
    ("p", "page"),
    ("pp", "page"),
    ("page", "page"),
    ("pages", "page"),
    ("s", "page"),
    ("chap", "chapter"),
    ("chaps", "chapter"),
    ("ch", "chapter"),
    ("chapter", "chapter"),
    ("kap", "chapter"),
    ("sec", "section"),
    ("secs", "section"),
    ("sect", "section"),
    ("section", "section"),
    ("§", "section"),
    ("§§", "section"),
    ("vol", "volume"),
    ("vols", "volume"),
    ("volume", "volume"),
    ("bk", "book"),
    ("book", "book"),
    ("col", "column"),
    ("column", "column"),
    ("fig", "figure"),
    ("figs", "figure"),
    ("figure", "figure"),
    ("fol", "folio"),
    ("l", "line"),
    ("ll", "line"),
    ("line", "line"),
    ("n", "note"),
    ("nn", "note"),
    ("note", "note"),
    ("no", "issue"),
    ("op", "opus"),
    ("para", "paragraph"),
    ("¶", "paragraph"),
    ("pt", "part"),
    ("part", "part"),
    ("v", "verse"),
    ("verse", "verse"),
    ("table", "table"),
];

/// Puts what stands behind a key into a cite, as its locator and its suffix.
pub(crate) fn add(cite: &mut Cite, text: &str) {
    let text = text.trim();
    let bare = text.strip_prefix(',').unwrap_or(text).trim();
    let bare = bare
        .strip_prefix('{')
        .and_then(|inner| inner.strip_suffix('}'))
        .unwrap_or(bare);
    match read(bare) {
        Some((locator, suffix)) => {
            cite.locator = Some(locator);
            cite.suffix = suffix.to_owned();
        }
        None => cite.suffix = text.to_owned(),
    }
}

fn read(text: &str) -> Option<(Locator, &str)> {
    let word_end = text
        .find(|c: char| !(c.is_alphabetic() || matches!(c, '§' | '¶')))
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let label = match word {
        "" => "page",
        _ => LABELS
            .iter()
            .find(|(known, _)| *known == word.to_lowercase())
            .map(|(_, label)| *label)?,
    };
    let value = rest.strip_prefix('.').unwrap_or(rest).trim_start();
    let is_value = |c: char| {
        c.is_ascii_digit() || "-–—,:. &".contains(c) || "ivxlcdmf".contains(c.to_ascii_lowercase())
    };
    let end = value.find(|c: char| !is_value(c)).unwrap_or(value.len());
    let end = value
        .get(..end)?
        .trim_end_matches([' ', ',', '.', '&', ':'])
        .len();
    let (value, suffix) = value.split_at(end);
    let is_number = value.starts_with(|c: char| c.is_ascii_digit())
        || !word.is_empty() && !value.is_empty() && !suffix.starts_with(char::is_alphabetic);
    is_number.then(|| {
        let locator = Locator {
            label: label.to_owned(),
            value: value.to_owned(),
        };
        (locator, suffix.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locators_are_told_from_suffixes() {
        let check = |text: &str, label: &str, value: &str, suffix: &str| {
            let mut cite = Cite::default();
            add(&mut cite, text);
            let locator = cite.locator.clone().unwrap_or(Locator {
                label: String::new(),
                value: String::new(),
            });
            assert_eq!(
                (
                    locator.label.as_str(),
                    locator.value.as_str(),
                    cite.suffix.as_str()
                ),
                (label, value, suffix),
                "{text}"
            );
        };
        check(", p. 33", "page", "33", "");
        check(
            ", pp. 33-35, 38 and passim",
            "page",
            "33-35, 38",
            "and passim",
        );
        check("chap. iv", "chapter", "iv", "");
        check(", 12", "page", "12", "");
        check(
            "and the discussion there",
            "",
            "",
            "and the discussion there",
        );
    }
}
