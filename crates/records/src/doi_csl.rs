//! CSL-JSON from doi.org's content negotiation, of any agency. The fields are those of the import of such files.

use citation_exchange::{CslRecord, registry_record};
use citation_model::identifier::Doi;
use citation_model::variable::TextVar;
use citation_model::work::{Provenance, Source, Work};

use super::{RecordError, json_scan};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"DOI\":\"10.1000/a\",",
    "\"title\":\"",
    "\"author\":[",
    "{\"family\":\"",
    "\"issued\":{\"date-parts\":[[",
    "\"page\":\"",
    "\",",
    "1,",
    "],",
    "}",
];

/// Reads a response and maps it.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    // The list of references is most of a record of Crossref.
    let json = json_scan::without_array(json, "reference");
    if json_scan::has_more_values(&json, MAX_VALUES) {
        return Err(RecordError::Syntax("it holds too many values".into()));
    }
    let syntax = |error: &dyn std::error::Error| RecordError::Syntax(error.to_string());
    let json = std::str::from_utf8(&json).map_err(|error| syntax(&error))?;
    work(registry_record(json).map_err(|error| syntax(&error))?)
}

/// Maximum number of values per record. Unknown members are kept and each takes some hundred times the size of
/// its text; the longest real records have about 5,000 names.
const MAX_VALUES: usize = 50_000;

/// Adds the provenance, and leaves out what is no fact of the work. Fails without a DOI or a title.
fn work(record: CslRecord) -> Result<Work, RecordError> {
    let mut item = record.item;
    let given = item.text(TextVar::Doi).unwrap_or(&item.id);
    let doi = Doi::parse(given).map_err(|_| {
        if given.is_empty() {
            RecordError::Missing("DOI")
        } else {
            RecordError::malformed("DOI", given)
        }
    })?;
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    doi.as_str().clone_into(&mut item.id);
    item.set_text(TextVar::Doi, doi.as_str());
    // Abstracts are not facts, and the others describe how the response was made.
    for variable in [TextVar::Abstract, TextVar::Source, TextVar::CitationKey] {
        item.text.remove(variable);
    }
    { &mut item.custom }.retain(|name, _| OF_TITLES.contains(&name.as_str()));
    let provenance = Provenance {
        source: Source::Doi,
        record_id: doi.as_str().to_owned(),
        url: Some(doi.url()),
        license: None,
        fetched_at: 0,
    };
    Ok(Work {
        updates: record.updates,
        ..Work::new(item, provenance)
    })
}

/// What the mapping adds to items; other members are the agency's own.
const OF_TITLES: [&str; 3] = ["published-print", "title-all-caps", "translated-title"];

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::item_type::ItemType;

    #[test]
    fn crossref_in_disguise() {
        let work = from_slice(
            br#"{"source":"Crossref","member":"78","type":"posted-content","subtype":"preprint",
                 "DOI":"10.5555/A","title":"On x","container-title":[],"issued":{"date-parts":[[2020,1]]},
                 "author":[{"family":"Doe","given":"J."}],"institution":[{"name":"bioRxiv"}]}"#,
        )
        .unwrap();
        assert_eq!(work.item.kind, ItemType::Preprint);
        assert_eq!(work.item.text(TextVar::Publisher), Some("bioRxiv"));
        assert_eq!(work.provenance.source, Source::Doi);
    }

    #[test]
    fn crossref_with_types_of_csl() {
        for (name, kind) in [
            ("article-journal", ItemType::Article),
            ("paper-conference", ItemType::ConferencePaper),
            ("journal-article", ItemType::Article),
        ] {
            let json = format!(
                r#"{{"member":"1","type":"{name}","DOI":"10.5555/a","title":"T","container-title":"J"}}"#
            );
            assert_eq!(from_slice(json.as_bytes()).unwrap().item.kind, kind);
        }
    }

    #[test]
    fn csl_json_of_datacite() {
        let work = from_slice(
            br#"{"type":"dataset","id":"https://doi.org/10.5555/a","DOI":"10.5555/A","title":"Rain &amp; snow",
                 "author":[{"literal":"Met Office"},{"family":"(:unav)"}],"abstract":"x","copyright":"CC BY 4.0",
                 "categories":["rain"],"publisher":"Zenodo","issued":{"date-parts":[[2014,5,6]]}}"#,
        )
        .unwrap();
        assert_eq!(work.item.id, "10.5555/a");
        assert_eq!(work.item.text(TextVar::Title), Some("Rain & snow"));
        assert_eq!(work.item.text(TextVar::License), Some("CC BY 4.0"));
        assert_eq!(work.item.text(TextVar::Abstract), None);
        assert!(work.item.custom.is_empty());
    }

    #[test]
    fn only_a_server_makes_a_preprint() {
        let genre = |publisher: &str| {
            let json = format!(
                r#"{{"id":"https://doi.org/10.5555/a","type":"article","DOI":"10.5555/a","title":"T",
                    "publisher":"{publisher}"}}"#
            );
            let work = from_slice(json.as_bytes()).unwrap();
            work.item.text(TextVar::Genre).map(str::to_owned)
        };
        assert_eq!(genre("arXiv").as_deref(), Some("preprint"));
        assert_eq!(genre("Some University"), None);
    }

    #[test]
    fn answers_without_a_doi_or_title_are_refused() {
        assert_eq!(
            from_slice(br#"{"title":"x"}"#),
            Err(RecordError::Missing("DOI"))
        );
        assert_eq!(
            from_slice(br#"{"DOI":"10.5555/a"}"#),
            Err(RecordError::Missing("title"))
        );
        assert!(from_slice(b"<html>").is_err());
    }
}
