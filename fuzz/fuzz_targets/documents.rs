//! Every manuscript reader accepts any bytes. The first byte selects the format.

#![no_main]

use citation_documents::read;
use citation_model::budget::Budget;
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 9] = [
    "a.docx", "a.odt", "a.tex", "a.bbl", "a.md", "a.typ", "a.html", "a.rtf", "a.pdf",
];

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let name = NAMES[usize::from(*first) % NAMES.len()];
    let beside = |_: &str| Some(rest.to_vec());
    let _ = read(name, rest, &beside, &Budget::new(20_000_000, 64 << 20));
});
