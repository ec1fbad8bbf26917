//! Identifiers: any text is recognised or not; what is recognised is itself again when read again.

#![no_main]

use citation::model::identifier::{Identifier, Pmid};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(identifier) = Identifier::parse(text) else {
        return;
    };
    let canonical = identifier.as_str();
    match &identifier {
        // The digits alone may be an ISSN too.
        Identifier::Pmid(pmid) => assert_eq!(Pmid::parse(canonical).as_ref(), Ok(pmid)),
        // What still looks encoded may be decoded further.
        _ if canonical.contains(['%', '&']) => {}
        _ => assert_eq!(Identifier::parse(canonical).as_ref(), Some(&identifier)),
    }
});
