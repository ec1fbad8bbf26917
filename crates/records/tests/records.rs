//! Maps every recorded response and dump sample to works. Expected values come from the raw JSON, by code
//! separate from the mappers: plain `Value`s, and texts compared only by letters and digits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "records/compare.rs"]
mod compare;
#[path = "records/crossref.rs"]
mod crossref_records;
#[path = "records/datacite.rs"]
mod datacite_records;
#[path = "records/openlibrary.rs"]
mod openlibrary_records;
#[path = "records/others.rs"]
mod other_records;

use citation_model::variable::NumberVar;
use citation_model::work::UpdateKind;
use citation_records::{crossref, datacite, doi_csl, openalex, openlibrary, pubmed};

#[test]
fn a_work_is_the_same_by_either_way() {
    let record = r#"{"source":"Crossref","DOI":"10.5555/X.1","type":"journal-article",
        "title":["Waves of H<sub>2</sub>O"],"container-title":["Annals"],"volume":"4","page":"1--9",
        "author":[{"family":"de la Cruz","given":"Ana"}],"issued":{"date-parts":[[2001,2]]},
        "updated-by":[{"DOI":"10.5555/n","type":"retraction","source":"retraction-watch"}]}"#;
    let direct = crossref::from_slice(record.as_bytes()).expect("a work");
    let envelope = format!(r#"{{"status":"ok","message":{record}}}"#);
    let enveloped = crossref::from_envelope(envelope.as_bytes()).expect("a work");
    assert_eq!(direct, enveloped);
    let negotiated = record
        .replace(
            r#"["Waves of H<sub>2</sub>O"]"#,
            r#""Waves of H<sub>2</sub>O""#,
        )
        .replace(r#"["Annals"]"#, r#""Annals""#);
    let negotiated = doi_csl::from_slice(negotiated.as_bytes()).expect("a work");
    assert_eq!(direct.item, negotiated.item);
    assert_eq!(direct.updates, negotiated.updates);
    assert_eq!(direct.updates[0].kind, UpdateKind::Retraction);
    assert_eq!(direct.item.number(NumberVar::Page), Some("1-9"));
}

#[test]
fn no_input_makes_a_mapper_panic() {
    let record = r#"{"DOI":"10.5555/1","title":["<i>a &amp;lt; b"],"author":[{"family":"B"}],
        "issued":{"date-parts":[[2001,2]]},"attributes":{"doi":"10.5555/1","titles":[{"title":"x"}]},
        "key":"/books/OL1M","id":"W1"}"#;
    let xml = "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>x</ArticleTitle></Article></MedlineCitation></PubmedArticle>";
    for (text, is_xml) in [(record, false), (xml, true)] {
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            for byte in [b'"', b'{', b'[', b'<', b'&', 0, 0xff, b'9'] {
                bytes[at] = byte;
                if is_xml {
                    let _ = pubmed::from_slice(&bytes);
                    let _ = pubmed::from_slice(&bytes[..at]);
                } else {
                    let _ = crossref::from_slice(&bytes);
                    let _ = datacite::from_slice(&bytes);
                    let _ = doi_csl::from_slice(&bytes);
                    let _ = openalex::from_slice(&bytes);
                    let _ = openlibrary::Edition::from_slice(&bytes)
                        .and_then(|edition| openlibrary::join(&edition, None, &[]));
                }
            }
        }
    }
}
