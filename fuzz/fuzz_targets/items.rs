//! Item JSON: any text is read or refused; what is read formats, and can be written and read again.

#![no_main]

use citation::csl::Style;
use citation::exchange::csl_json;
use citation::model::item::Item;
use citation_fuzz as sample;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|json: &str| {
    let reading = csl_json::read(json);
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
    let written = csl_json::write(&items);
    assert_eq!(csl_json::read(&written).items.len(), items.len());
});
