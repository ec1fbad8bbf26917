//! XML formats and MARC 21: any text is read, and the result is written and read again.

#![no_main]

use citation_exchange::{
    CONTEXT_OBJECT, ENDNOTE_XML, JATS, MARC21, MARCXML, MODS, MSBIB, PUBMED_XML, TEI,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for format in [
        &PUBMED_XML,
        &ENDNOTE_XML,
        &MSBIB,
        &MODS,
        &MARCXML,
        &MARC21,
        &CONTEXT_OBJECT,
        &JATS,
        &TEI,
    ] {
        citation_fuzz::exchange(text, format);
    }
});
