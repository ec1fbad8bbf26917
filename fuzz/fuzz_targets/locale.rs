//! Locale XML: any text and any sequence of its tokens parses or is rejected; a parsed locale serves a style without a panic.

#![no_main]

use std::sync::Arc;

use citation_csl::{Locale, Style};
use citation_fuzz as sample;
use citation_testing::growth;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, &[u8])| {
    let xml = match input {
        (true, bytes) => growth::text_of(citation_csl::LOCALE_TOKENS, bytes),
        (false, bytes) => String::from_utf8_lossy(bytes).into_owned(),
    };
    if let Ok(locale) = Locale::parse(&xml) {
        let style = Style::parse(sample::STYLE).expect("the sample style parses");
        if let Some(compiled) = sample::compile(style, &Arc::new(locale)) {
            sample::format(&compiled, &sample::items());
        }
    }
});
