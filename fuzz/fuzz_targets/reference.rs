//! Citation text: any text, and any sequence of tokens of lists, splits into references, and each is parsed, searched and scored.

#![no_main]

use citation_fuzz as sample;
use citation_matching::query::Questions;
use citation_matching::reference::Reference;
use citation_matching::{rank, split};
use citation_model::budget::Budget;
use citation_testing::growth;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, &[u8])| {
    let text = match input {
        (true, bytes) => growth::text_of(citation_matching::TOKENS, bytes),
        (false, bytes) => String::from_utf8_lossy(bytes).into_owned(),
    };
    let text = text.as_str();
    let items = sample::items();
    let budget = Budget::new(20_000_000, 128 << 20);
    let pieces = split(text, &budget).unwrap_or_default().pieces;
    for piece in pieces.into_iter().take(4) {
        let reference = Reference::parse(&piece.text);
        let _ = Questions::of(&reference);
        for found in rank::rank(&reference, &items, &budget).unwrap_or_default() {
            assert!((0.0..=1.0).contains(&found.score));
        }
    }
    let _ = Reference::parse(text);
});
