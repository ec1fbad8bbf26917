//! Citation text: any text splits into references, and each is read, searched for and scored.

#![no_main]

use citation::matching::query::Questions;
use citation::matching::reference::Reference;
use citation::matching::{rank, split};
use citation_fuzz as sample;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let items = sample::items();
    for piece in split(text).pieces.into_iter().take(4) {
        let reference = Reference::parse(&piece.text);
        let _ = Questions::of(&reference);
        for found in rank::rank(&reference, &items) {
            assert!((0.0..=1.0).contains(&found.score));
        }
    }
    let _ = Reference::parse(text);
});
