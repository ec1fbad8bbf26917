//! Suggests the nearest valid spelling.

use citation_model::spelling::edits_within;

/// The word that `text` was probably intended to be: the one with the fewest typos, if few.
pub fn nearest_word<'a>(text: &str, words: &[&'a str]) -> Option<&'a str> {
    let slips = |word: &&str| distance(text, word);
    let best = words.iter().copied().min_by_key(slips)?;
    (distance(text, best) <= tolerated(best)).then_some(best)
}

/// The key that a wrong one was probably intended to be. A right name in a wrong section counts as one
/// typo, so `limits.anonymous_daily` is near `quota.anonymous_daily`.
pub fn nearest_key(path: &str, keys: impl Iterator<Item = String>) -> Option<String> {
    let name = last(path);
    let judged = keys.map(|key| {
        let whole = distance(path, &key);
        let own = distance(name, last(&key));
        let slips = whole.min(own + 1);
        (slips, own, whole, key)
    });
    let (slips, _, _, key) = judged.min()?;
    (slips <= tolerated(last(&key))).then_some(key)
}

/// The most typos that leave a word recognisable: one in three characters.
fn tolerated(word: &str) -> usize {
    (word.chars().count() / 3).max(1)
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Characters to insert, delete, replace or swap with their neighbour to make `a` into `b`, case
/// and the kind of dash ignored.
fn distance(a: &str, b: &str) -> usize {
    // Both are at most `MAX_LENGTH` characters long, so the distance is bounded too.
    edits_within(&folded(a), &folded(b), MAX_LENGTH).unwrap_or(MAX_LENGTH)
}

/// Longer words are never typos of a key.
const MAX_LENGTH: usize = 100;

fn folded(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    lower
        .map(|c| if c == '-' { '_' } else { c })
        .take(MAX_LENGTH)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_is_counted() {
        let check = |a: &str, b: &str, expected: usize| {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        };
        check("", "", 0);
        check("", "abc", 3);
        check("daily", "dialy", 1);
        check("listen", "listn", 1);
        check("Base-URL", "base_url", 0);
        check("kitten", "sitting", 3);
    }

    #[test]
    fn nearest_key_may_be_in_another_section() {
        let keys = [
            "quota.anonymous_daily",
            "server.base_url",
            "providers.crossref.base_url",
        ];
        let check = |path: &str, expected: Option<&str>| {
            let found = nearest_key(path, keys.iter().map(|key| (*key).to_owned()));
            assert_eq!(found.as_deref(), expected, "{path}");
        };
        check("quota.anonymous_dialy", Some("quota.anonymous_daily"));
        check("limits.anonymous_daily", Some("quota.anonymous_daily"));
        check("anonymous_daily", Some("quota.anonymous_daily"));
        check("server.baseurl", Some("server.base_url"));
        check(
            "provider.crossref.base_url",
            Some("providers.crossref.base_url"),
        );
        check("server.colour", None);
        check("", None);
    }

    #[test]
    fn distant_words_have_no_nearest_key() {
        let words = ["open", "invitation", "closed"];
        assert_eq!(nearest_word("opne", &words), Some("open"));
        assert_eq!(nearest_word("Invitations", &words), Some("invitation"));
        assert_eq!(nearest_word("everybody", &words), None);
    }
}
