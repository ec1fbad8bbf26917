//! Identifiers: any text is parsed; a recognised identifier parses to itself again.

#![no_main]

use citation_model::identifier::{Handle, Identifier, Oclc, Pmid};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(identifier) = Identifier::parse(text) else {
        return;
    };
    let canonical = identifier.as_str();
    match &identifier {
        // Digits alone may also be of another kind.
        Identifier::Pmid(id) => assert_eq!(Pmid::parse(canonical), Ok(id.clone())),
        Identifier::Oclc(id) => assert_eq!(Oclc::parse(canonical), Ok(id.clone())),
        // Without a prefix it may match anything.
        Identifier::Handle(id) => {
            assert_eq!(Handle::parse(&format!("hdl:{canonical}")), Ok(id.clone()));
        }
        // Text that still looks encoded may be decoded further.
        _ if canonical.contains(['%', '&']) => {}
        _ => assert_eq!(Identifier::parse(canonical), Ok(identifier.clone())),
    }
});
