//! Suffixes and academic degrees behind names.

use citation_model::word_set::WordSet;

/// Suffixes of names, in lower case without full stops.
static SUFFIXES: WordSet = WordSet::new(&["jr sr ii iii iv 2nd 3rd 4th"]);

/// Academic degrees and memberships, in lower case without full stops.
static DEGREES: WordSet = WordSet::new(&[
    "phd md dphil dds dmd dnp dsc drph dvm edd esq jd llm mba mbbs mhs mph msc msn",
    "ba bs bsc bsn chb cpa do ma mb ms rd rn",
    "facp facs facsm frcp frcs frs pharmd psyd rph",
    "dipl habil ing",
]);

/// Whether a word is a suffix: `Jr.`, `III`.
pub fn is_suffix(word: &str) -> bool {
    let word = word.trim().trim_end_matches('.').to_ascii_lowercase();
    SUFFIXES.contains(&word)
}

/// A name and the suffix after its last blank, tie of TeX or comma: `Davis Jr.`, `Davis~III`, `King, Jr.`
pub fn split_suffix(text: &str) -> (&str, Option<&str>) {
    let Some((before, last)) = text.rsplit_once([' ', '~', ',']) else {
        return (text, None);
    };
    let before = before.trim_end_matches([' ', '~', ',']);
    if is_suffix(last) && !before.is_empty() {
        (before, Some(last))
    } else {
        (text, None)
    }
}

/// Whether a word is a degree: `PhD`, `Ph.D.`, `MD`. One of two letters is in capitals or has full stops,
/// since given names look like it (`Md`, `Do`).
pub fn is_degree(word: &str) -> bool {
    let letters: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_plain = !letters.chars().any(char::is_lowercase) || word.contains('.');
    let lower = letters.to_lowercase();
    DEGREES.contains(&lower) && (letters.len() > 2 || is_plain)
}

/// Whether a word is an academic title: `Dr.`, `Prof.`
pub fn is_title(word: &str) -> bool {
    let word = word.trim().trim_end_matches('.');
    ["dr", "prof"]
        .iter()
        .any(|title| title.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_split_off() {
        assert_eq!(split_suffix("Davis Jr."), ("Davis", Some("Jr.")));
        assert_eq!(split_suffix("King, III"), ("King", Some("III")));
        assert_eq!(split_suffix("King~III"), ("King", Some("III")));
        assert_eq!(split_suffix("Jr."), ("Jr.", None));
        assert_eq!(split_suffix("Davis"), ("Davis", None));
    }

    #[test]
    fn degrees_of_two_letters_are_in_capitals() {
        for degree in ["PhD", "Ph.D.", "phd", "MD", "M.D.", "M.A."] {
            assert!(is_degree(degree), "{degree}");
        }
        for name in ["Md", "Do", "Ma", "Jr.", "Doe", ""] {
            assert!(!is_degree(name), "{name}");
        }
    }
}
