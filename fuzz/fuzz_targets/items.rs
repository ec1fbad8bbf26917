//! Item JSON: any text is read or rejected; the result formats, and can be written and read again.

#![no_main]

use citation_csl::Style;
use citation_exchange::CSL_JSON;
use citation_fuzz as sample;
use citation_model::item::Item;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|json: &str| {
    let reading = sample::read(json, &CSL_JSON);
    let items: Vec<Item> = reading
        .items
        .into_iter()
        .map(|read| read.item)
        .take(8)
        .collect();
    if items.is_empty() {
        return;
    }
    let style = Style::parse(sample::STYLE).expect("the sample style parses");
    if let Some(compiled) = sample::compile(style, &sample::locale()) {
        sample::format(&compiled, &items);
    }
    let written = sample::write(&items, &CSL_JSON);
    assert_eq!(sample::read(&written, &CSL_JSON).items.len(), items.len());
});
