//! RIS: any text is read, and the result is written and read again.

#![no_main]

use citation_exchange::RIS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| citation_fuzz::exchange(text, &RIS));
