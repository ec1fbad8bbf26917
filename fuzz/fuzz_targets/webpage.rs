//! Web pages: any bytes, and any sequence of tokens of pages, are read, with steps linear in their number.

#![no_main]

use citation_model::budget::Budget;
use citation_records::webpage;
use citation_testing::growth;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, &[u8])| {
    let text = match input {
        (true, bytes) => growth::text_of(webpage::TOKENS, bytes),
        (false, _) => String::new(),
    };
    let bytes = match text.is_empty() {
        true => input.1,
        false => text.as_bytes(),
    };
    let budget = Budget::unlimited();
    let url = Some("https://www.example.org/2021/07/14/story");
    let page = webpage::read(bytes, url, None, &budget).expect("an unlimited budget");
    assert!(budget.steps() <= 3 * bytes.len() as u64 + 100);
    if page.is_challenge {
        assert!(page.identifiers.is_empty());
    }
    let _ = webpage::read(bytes, None, Some("shift_jis"), &Budget::new(100, 1_000));
});
