//! How far two spellings lie apart, for whoever proposes the right one.

/// How many letters must be changed, added, left out, or swapped with their neighbour.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
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
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected: usize| {
            assert_eq!(edit_distance(a, b), expected, "{a} {b}");
            assert_eq!(edit_distance(b, a), expected, "{b} {a}");
        };
        check("nature", "nature", 0);
        check("natuer", "nature", 1);
        check("sience", "science", 1);
        check("", "abc", 3);
        check("kitten", "sitting", 3);
    }
}
