//! Texts that repeat units of one to three tokens of a reader: what would cost more than its length.

use crate::Random;

/// How a text repeats its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `abcabcabc`
    Repeated,
    /// `abcbcbc`: the first token once, such as the start of a file.
    Behind,
    /// `aaabbb`: as many beginnings as ends.
    Nested,
    /// `aaaaab`: the last token once.
    Closed,
}

/// One to three tokens and how they are repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub shape: Shape,
    pub tokens: Vec<&'static str>,
}

impl Unit {
    /// A text of at most `bytes` bytes.
    pub fn text(&self, bytes: usize) -> String {
        let (first, last) = match self.tokens.as_slice() {
            [] => return String::new(),
            [first, .., last] => (*first, *last),
            [first] => (*first, ""),
        };
        let whole = self.tokens.concat();
        let rest = self.tokens.get(1..).unwrap_or_default().concat();
        let before = self.tokens.get(..self.tokens.len() - 1);
        let before = before.unwrap_or_default().concat();
        let times = |text: &str, bytes: usize| text.repeat(bytes / text.len().max(1));
        match self.shape {
            Shape::Repeated => times(&whole, bytes),
            Shape::Behind => first.to_owned() + &times(&rest, bytes.saturating_sub(first.len())),
            Shape::Nested => {
                let count = bytes / whole.len().max(1);
                first.repeat(count) + &rest.repeat(count)
            }
            Shape::Closed => times(&before, bytes.saturating_sub(last.len())) + last,
        }
    }
}

/// The units of a list of tokens: each token, or every nth of more than `most`; then pairs and triples in all
/// shapes, all pairs if `most` permits, otherwise a sample that depends on the seed alone.
pub fn units(tokens: &[&'static str], most: usize, seed: u64) -> Vec<Unit> {
    let unit = |shape, tokens: &[&'static str]| Unit {
        shape,
        tokens: tokens.to_vec(),
    };
    let every = tokens.len().div_ceil(most.max(1)).max(1);
    let mut units: Vec<Unit> = tokens
        .iter()
        .step_by(every)
        .map(|token| unit(Shape::Repeated, &[*token]))
        .collect();
    let pairs = || tokens.iter().flat_map(|a| tokens.iter().map(|b| [*a, *b]));
    let shapes = [Shape::Repeated, Shape::Behind, Shape::Nested, Shape::Closed];
    if units.len() + shapes.len() * tokens.len() * tokens.len() <= most {
        let pairs = pairs().flat_map(|pair| shapes.map(|shape| unit(shape, &pair)));
        units.extend(pairs);
    }
    let mut random = Random::seeded(seed);
    while units.len() < most && !tokens.is_empty() {
        let count = 2 + random.below(2);
        let chosen: Vec<&str> = (0..count)
            .filter_map(|_| tokens.get(random.below(tokens.len())).copied())
            .collect();
        let shape = shapes.get(random.below(shapes.len()));
        units.extend(shape.map(|shape| unit(*shape, &chosen)));
    }
    units
}

/// The text that a fuzzer's bytes select: each byte is a token, or, behind the tokens, a byte of text.
pub fn text_of(tokens: &[&'static str], bytes: &[u8]) -> String {
    let piece = |byte: &u8| match tokens.get(usize::from(*byte)) {
        Some(token) => (*token).to_owned(),
        None => char::from(*byte).to_string(),
    };
    bytes.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_fill_the_wanted_length_in_every_shape() {
        let check = |shape, expected: &str| {
            let tokens = vec!["a", "b", "c"];
            assert_eq!(Unit { shape, tokens }.text(7), expected);
        };
        check(Shape::Repeated, "abcabc");
        check(Shape::Behind, "abcbcbc");
        check(Shape::Nested, "aabcbc");
        check(Shape::Closed, "abababc");
    }

    #[test]
    fn every_token_is_a_unit_and_samples_are_reproducible() {
        let units = |most| units(&["a", "b"], most, 1);
        assert_eq!(units(2).len(), 2);
        assert_eq!(units(1).len(), 1);
        assert_eq!(units(200), units(200));
        assert_eq!(units(200).len(), 200);
    }
}
