//! Style XML: any text and any sequence of its tokens parses or is rejected; a parsed style formats without a panic.

#![no_main]

use citation_csl::Style;
use citation_fuzz as sample;
use citation_testing::growth;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, &[u8])| {
    let xml = match input {
        (true, bytes) => growth::text_of(citation_csl::STYLE_TOKENS, bytes),
        (false, bytes) => String::from_utf8_lossy(bytes).into_owned(),
    };
    if let Ok(style) = Style::parse(&xml)
        && let Some(compiled) = sample::compile(style, &sample::locale())
    {
        sample::format(&compiled, &sample::items());
    }
});
