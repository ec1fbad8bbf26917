//! Every manuscript reader accepts any bytes, and any sequence of the tokens of its format. The first byte
//! selects the format and which of the two the rest is.

#![no_main]

use citation_documents::{detect, read};
use citation_model::budget::Budget;
use citation_testing::growth;
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 9] = [
    "a.docx", "a.odt", "a.tex", "a.bbl", "a.md", "a.typ", "a.html", "a.rtf", "a.pdf",
];

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let first = usize::from(*first);
    let name = NAMES[first % NAMES.len()];
    let tokens = match detect(name, b"") {
        Ok(format) if first >= 128 => growth::text_of(citation_documents::tokens(format), rest),
        _ => String::new(),
    };
    let rest = match tokens.is_empty() {
        true => rest,
        false => tokens.as_bytes(),
    };
    let beside = |_: &str| Some(rest.to_vec());
    let _ = read(name, rest, &beside, &Budget::new(20_000_000, 64 << 20));
});
