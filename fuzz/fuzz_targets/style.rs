//! Style XML: any text parses or is rejected; a parsed style formats without a panic.

#![no_main]

use citation_csl::Style;
use citation_fuzz as sample;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|xml: &str| {
    if let Ok(style) = Style::parse(xml)
        && let Some(compiled) = sample::compile(style, &sample::locale())
    {
        sample::format(&compiled, &sample::items());
    }
});
