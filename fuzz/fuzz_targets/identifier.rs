//! Identifiers: any text is recognised or not; what is recognised is itself again when read again.

#![no_main]

use citation::model::identifier::Identifier;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(identifier) = Identifier::parse(text) {
        assert_eq!(
            Identifier::parse(identifier.as_str()).as_ref(),
            Some(&identifier)
        );
    }
});
