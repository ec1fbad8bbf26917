//! Citations in any text, or in any sequence of a format's tokens, are formatted, or any JSON goes through the
//! pandoc filter. The first byte selects.

#![no_main]

use std::sync::Arc;

use citation_citing::{Sources, UnreadHandling, cite, collect, filter};
use citation_csl::{Compiled, Locale, Style};
use citation_documents::{detect, read};
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_testing::growth;
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 4] = ["a.md", "a.tex", "a.typ", "a.html"];
const STYLES: [&str; 3] = ["apa", "ieee", "chicago-notes"];

/// Every file is the input text; every key with an identifier has a work.
struct Desk<'a> {
    text: &'a [u8],
    style: &'static str,
}

impl Sources for Desk<'_> {
    fn file(&self, _: &str) -> Option<Vec<u8>> {
        Some(self.text.to_vec())
    }

    fn style(&self, _: Option<&str>, locale: Option<&str>) -> Result<Compiled, String> {
        let xml = citation_embedded::style(self.style).ok_or("no such style")?;
        let style = Style::parse(&xml).map_err(|cause| cause.to_string())?;
        let find = |tag: &str| {
            Locale::parse(&citation_embedded::locale(tag)?)
                .ok()
                .map(Arc::new)
        };
        Compiled::new(Arc::new(style), locale, &find).map_err(|cause| cause.to_string())
    }

    fn work(&self, key: &str) -> Option<Item> {
        key.contains(':').then(|| Item::new(key, ItemType::Book))
    }

    fn reference(&self, _: &str) -> Option<Item> {
        None
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let first = usize::from(*first);
    let name = NAMES.get(first % (NAMES.len() + 1));
    let format = name.and_then(|name| detect(name, b"").ok());
    let tokens = match format {
        Some(format) if first >= 128 => growth::text_of(citation_documents::tokens(format), text),
        _ => String::new(),
    };
    let text = match tokens.is_empty() {
        true => text,
        false => tokens.as_bytes(),
    };
    let desk = Desk {
        text,
        style: STYLES[first / 16 % STYLES.len()],
    };
    let budget = Budget::new(20_000_000, 64 << 20);
    match name {
        Some(name) => {
            let Ok(document) = read(name, text, &|_| None, &budget) else {
                return;
            };
            let _ = cite(&document, &[], UnreadHandling::Leave, &desk, &budget);
            let _ = collect(&document, &desk, &budget);
        }
        None => {
            if let Ok(mut document) = serde_json::from_slice(text) {
                let _ = filter(&mut document, &desk, &budget);
            }
        }
    }
});
