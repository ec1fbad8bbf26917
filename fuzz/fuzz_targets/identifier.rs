//! Identifiers: any text is recognised or not; what is recognised is itself again when read again.

#![no_main]

use citation_model::identifier::{Handle, Identifier, Oclc, Pmid};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(identifier) = Identifier::parse(text) else {
        return;
    };
    let canonical = identifier.as_str();
    match &identifier {
        // Digits alone may be of another kind too.
        Identifier::Pmid(id) => assert_eq!(Pmid::parse(canonical), Ok(id.clone())),
        Identifier::Oclc(id) => assert_eq!(Oclc::parse(canonical), Ok(id.clone())),
        // A bare one looks like anything.
        Identifier::Handle(id) => {
            assert_eq!(Handle::parse(&format!("hdl:{canonical}")), Ok(id.clone()));
        }
        // What still looks encoded may be decoded further.
        _ if canonical.contains(['%', '&']) => {}
        _ => assert_eq!(Identifier::parse(canonical), Ok(identifier.clone())),
    }
});
