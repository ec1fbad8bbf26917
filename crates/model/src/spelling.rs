//! Bounded edit distance between two spellings, for suggestions. Not `strsim`, which has no bound and reads
//! both texts to the end, even untrusted ones.

/// The number of edits (change, insert, delete, swap neighbours) that turn one text into the other, or
/// `None` if it exceeds `most`. Stops as soon as that is certain.
#[expect(
    clippy::indexing_slicing,
    reason = "rows and columns of the table are in range"
)]
pub fn edits_within(a: &str, b: &str, most: usize) -> Option<usize> {
    // A character takes one to four bytes, so such lengths exclude a near match without reading the texts.
    if a.len() > 4 * (b.len() + most) || b.len() > 4 * (a.len() + most) {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, cb) in b.iter().enumerate() {
            let changed = above[j] + usize::from(ca != cb);
            let mut least = changed.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *cb && *ca == b[j - 1] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        // A swap refers back two rows and costs one edit.
        let least = |row: &[usize]| row.iter().min().copied().unwrap_or_default();
        if least(&row) > most && least(&above) >= most {
            return None;
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|edits| *edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected: usize| {
            assert_eq!(edits_within(a, b, 9), Some(expected), "{a} {b}");
            assert_eq!(edits_within(b, a, 9), Some(expected), "{b} {a}");
        };
        check("nature", "nature", 0);
        check("natuer", "nature", 1);
        check("sience", "science", 1);
        check("", "abc", 3);
        check("kitten", "sitting", 3);
    }

    #[test]
    fn distances_beyond_the_bound_are_not_told() {
        assert_eq!(edits_within("kitten", "sitting", 3), Some(3));
        assert_eq!(edits_within("kitten", "sitting", 2), None);
        assert_eq!(edits_within("abcd", "badc", 2), Some(2));
        assert_eq!(edits_within("abcd", "badc", 1), None);
        assert_eq!(edits_within("apa", &"apa".repeat(1_000_000), 1_000), None);
    }
}
