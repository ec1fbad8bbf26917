//! Web pages: any bytes are read, with steps linear in their number.

#![no_main]

use citation_model::budget::Budget;
use citation_records::webpage;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget::unlimited();
    let url = Some("https://www.example.org/2021/07/14/story");
    let page = webpage::read(bytes, url, None, &budget).expect("an unlimited budget");
    assert!(budget.steps() <= 2 * bytes.len() as u64 + 100);
    if page.is_challenge {
        assert!(page.identifiers.is_empty());
    }
    let _ = webpage::read(bytes, None, Some("shift_jis"), &Budget::new(100, 1_000));
});
