//! Every format: any text, as it is or as tokens of the format, goes through detection and the reader
//! selected by the first byte; the result is written and read again.

#![no_main]

use citation_exchange::{Content, Format, Hints, recognise};
use citation_model::budget::Budget;
use citation_testing::growth;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, bool, &[u8])| {
    let (pick, is_tokens, bytes) = input;
    let formats = Format::readable();
    let pick = usize::from(pick) % formats.clone().count();
    let Some(format) = formats.skip(pick).next() else {
        return;
    };
    let text = match is_tokens {
        true => growth::text_of(&format.tokens.concat(), bytes),
        false => String::from_utf8_lossy(bytes).into_owned(),
    };
    let budget = Budget::new(20_000_000, 128 << 20);
    let _ = recognise(&Content::of_text(&text), Hints::default(), &budget);
    citation_fuzz::exchange(&text, format);
});
