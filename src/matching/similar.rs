//! How alike two tokens are: through typing errors, misread letters, abbreviations and initials.

/// How alike two folded tokens are, 0 to 1. Numbers are alike only when equal.
pub fn word_similarity(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let longer = a.len().max(b.len());
    if longer < 4 || a.len().abs_diff(b.len()) > 3 {
        return 0.0;
    }
    if is_numeric(a) || is_numeric(b) {
        let misread = misread_key(a) == misread_key(b);
        return if misread { 0.9 } else { 0.0 };
    }
    match bounded_edits(a.as_bytes(), b.as_bytes(), allowed_edits(longer)) {
        Some(edits) => 1.0 - edits as f64 / longer as f64,
        None if misread_key(a) == misread_key(b) => 0.9,
        None => 0.0,
    }
}

/// The number of edits that leave a word of so many bytes recognisable.
fn allowed_edits(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=6 => 1,
        7..=11 => 2,
        _ => 3,
    }
}

/// Whether a token is a number rather than a word with a stray digit in it.
fn is_numeric(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits > 0 && digits * 3 >= text.len()
}

/// Equal for words that optical recognition takes for each other: `modern` and `modem`, `l0` and
/// `10`.
pub fn misread_key(text: &str) -> String {
    text.replace("rn", "m")
        .replace("vv", "w")
        .replace("cl", "d")
        .chars()
        .map(|c| match c {
            '1' | 'i' => 'l',
            '0' => 'o',
            '5' => 's',
            '8' => 'b',
            c => c,
        })
        .collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other,
/// if no more than `most` are needed.
pub fn bounded_edits(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Three rows of the usual table: a swap looks two rows back.
    let width = b.len() + 1;
    let mut before = vec![0; width];
    let mut above: Vec<usize> = (0..width).collect();
    let mut row = vec![0; width];
    for (i, x) in a.iter().enumerate() {
        row[0] = i + 1;
        let mut least = row[0];
        for (j, y) in b.iter().enumerate() {
            let mut cost = (above[j] + usize::from(x != y))
                .min(above[j + 1] + 1)
                .min(row[j] + 1);
            let swapped = i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x;
            if swapped {
                cost = cost.min(before[j - 1] + 1);
            }
            row[j + 1] = cost;
            least = least.min(cost);
        }
        if least > most {
            return None;
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    above.last().copied().filter(|edits| *edits <= most)
}

/// Whether a folded token of a reference may stand for a word of a container's title: the word
/// itself, its beginning (`biol`), or a contraction that keeps its first and last letter (`natl`).
pub fn abbreviation_similarity(given: &str, word: &str) -> f64 {
    if given == word {
        return 1.0;
    }
    if given.is_empty() || given.len() >= word.len() {
        return word_similarity(given, word) * 0.9;
    }
    if word.starts_with(given) {
        return if given.len() > 1 { 0.95 } else { 0.7 };
    }
    let contracted = given.len() >= 3
        && given.bytes().next() == word.bytes().next()
        && given.bytes().last() == word.bytes().last()
        && is_subsequence(given.as_bytes(), word.as_bytes());
    if contracted {
        return 0.85;
    }
    // Plurals and endings are cut before the abbreviation is made: `sciences`, `sci`.
    word_similarity(given, word) * 0.9
}

fn is_subsequence(short: &[u8], long: &[u8]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|x| rest.any(|y| x == y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_errors_are_forgiven() {
        assert!(word_similarity("expression", "expresion") > 0.85);
        assert!(word_similarity("modern", "modem") > 0.5);
        assert!(word_similarity("recieve", "receive") > 0.8);
        assert_eq!(word_similarity("cat", "car"), 0.0);
        assert_eq!(word_similarity("2001", "2007"), 0.0);
        assert_eq!(word_similarity("mouse", "house"), 0.8);
        assert!(word_similarity("infar1ction", "infarction") > 0.9);
    }

    #[test]
    fn edits_are_counted_up_to_the_bound() {
        assert_eq!(bounded_edits(b"kitten", b"sitting", 3), Some(3));
        assert_eq!(bounded_edits(b"kitten", b"sitting", 2), None);
        assert_eq!(bounded_edits(b"", b"", 0), Some(0));
    }

    #[test]
    fn abbreviations_are_seen() {
        assert_eq!(abbreviation_similarity("biol", "biology"), 0.95);
        assert_eq!(abbreviation_similarity("natl", "national"), 0.85);
        assert_eq!(abbreviation_similarity("j", "journal"), 0.7);
        assert_eq!(abbreviation_similarity("phys", "chemistry"), 0.0);
    }
}
