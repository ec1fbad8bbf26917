//! Identifiers: any text is recognised or not; what is recognised is itself again when read again.

#![no_main]

use citation::model::identifier::Identifier;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(identifier) = Identifier::parse(text) {
        let canonical = identifier.as_str();
        // What still looks encoded may be decoded further.
        if !canonical.contains(['%', '&']) {
            assert_eq!(Identifier::parse(canonical).as_ref(), Some(&identifier));
        }
    }
});
