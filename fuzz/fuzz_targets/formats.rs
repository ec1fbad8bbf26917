//! Every format: any text goes through detection and the reader selected by the first byte; the result is
//! written and read again.

#![no_main]

use citation_exchange::{Content, Format, Hints, recognise};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (pick, text) = input;
    let _ = recognise(&Content::of_text(text), Hints::default());
    let formats = Format::readable();
    let pick = usize::from(pick) % formats.clone().count();
    if let Some(format) = formats.skip(pick).next() {
        citation_fuzz::exchange(text, format);
    }
});
