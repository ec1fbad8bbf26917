//! Locale XML: any text parses or is rejected; a parsed locale serves a style without a panic.

#![no_main]

use std::sync::Arc;

use citation_csl::{Locale, Style};
use citation_fuzz as sample;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|xml: &str| {
    if let Ok(locale) = Locale::parse(xml) {
        let style = Style::parse(sample::STYLE).expect("the sample style parses");
        if let Some(compiled) = sample::compile(style, &Arc::new(locale)) {
            sample::format(&compiled, &sample::items());
        }
    }
});
