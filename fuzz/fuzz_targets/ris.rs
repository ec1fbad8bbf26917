//! RIS: any text gives items and problems; what is read can be written in every format, and what
//! was written is read again item for item.

#![no_main]

use citation::exchange::{self, Format, WriteOptions};
use citation::model::item::Item;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let reading = exchange::read(text, Format::Ris);
    let items: Vec<Item> = reading.items.into_iter().map(|read| read.item).collect();
    for format in [
        Format::Bibtex,
        Format::Biblatex,
        Format::Ris,
        Format::CslJson,
    ] {
        let written = exchange::write(&items, format, &WriteOptions::default());
        assert_eq!(
            exchange::read(&written, format).items.len(),
            items.len(),
            "{format:?}"
        );
    }
});
