//! Sets of words that texts are asked for many times.

use std::sync::OnceLock;

/// Number of buckets, a power of two. The longest sets have about 200 words.
const BUCKETS: usize = 128;

/// A set of words, from lists in which single spaces separate them.
pub struct WordSet {
    lists: &'static [&'static str],
    buckets: OnceLock<Vec<Vec<&'static str>>>,
}

impl WordSet {
    pub const fn new(lists: &'static [&'static str]) -> WordSet {
        WordSet {
            lists,
            buckets: OnceLock::new(),
        }
    }

    /// Whether the set has exactly this word.
    pub fn contains(&self, word: &str) -> bool {
        let bucket = self.buckets().get(bucket_of(word));
        bucket.is_some_and(|words| words.contains(&word))
    }

    fn buckets(&self) -> &[Vec<&'static str>] {
        self.buckets.get_or_init(|| {
            let mut buckets = vec![Vec::new(); BUCKETS];
            for word in self.lists.iter().flat_map(|list| list.split(' ')) {
                if let Some(bucket) = buckets.get_mut(bucket_of(word)) {
                    bucket.push(word);
                }
            }
            buckets
        })
    }
}

/// By length, first and last byte, which tell apart most words of a list.
fn bucket_of(word: &str) -> usize {
    let byte = |byte: Option<&u8>| byte.copied().map_or(0, usize::from);
    let bytes = word.as_bytes();
    (bytes.len() * 37 + byte(bytes.first()) * 5 + byte(bytes.last())) % BUCKETS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_lists_is_in_the_set_and_no_other() {
        static SET: WordSet = WordSet::new(&["bank school", "für"]);
        for word in ["bank", "school", "für"] {
            assert!(SET.contains(word), "{word}");
        }
        for word in ["", "ban", "Bank", "bank school", "fur"] {
            assert!(!SET.contains(word), "{word}");
        }
    }
}
