//! Metadata in replies. It is serialised when an entry is stored, so that reading a collection
//! of thousands only copies it.

use citation_exchange::metadata::CitationMetadata;
use citation_model::item::Item;

/// The version of the form that [`metadata`] writes. Raise it whenever the output for an item
/// changes: entries stored in an older form are then rewritten when read.
pub const FORM: i64 = 1;

/// The item as CitationMetadata, without its abstract.
pub fn metadata(item: &Item) -> String {
    write(item, false)
}

/// The item as CitationMetadata, with its abstract.
pub fn with_abstract(item: &Item) -> String {
    write(item, true)
}

fn write(item: &Item, with_abstract: bool) -> String {
    let metadata = CitationMetadata::of_item(item).with_abstract(with_abstract);
    // Serialisation only fails for maps with non-text keys, which no item has.
    serde_json::to_string(&metadata).unwrap_or_else(|_| "{}".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if the form has changed: raise [`FORM`], and update the text here.
    #[test]
    fn shown_form_matches_its_version() {
        let item: Item = serde_json::from_str(
            r#"{"id":"a","type":"article-journal","title":"<i>T</i>","container-title":"J",
                "container-title-short":"j","volume":1,"page":"1-2","issued":{"date-parts":[[2001,2]]},
                "author":[{"family":"F","given":"G","suffix":"Jr."},{"literal":"WHO"}],
                "accessed":{"date-parts":[[2002]]},"editor":[{"family":"E"}],"keyword":"x, y",
                "DOI":"10.1000/ABC","ISSN":"1234-5679","abstract":"not shown","shelf":7}"#,
        )
        .unwrap();
        let expected = r#"{"id":"a","entry_type":"Article","csl_type":"article-journal","title":"<i>T</i>","authors":[{"family":"F","given":"G","suffix":"Jr."},{"literal":"WHO"}],"date":{"year":2001,"month":2},"journal":"J","container_title":"J","journal_abbreviation":"j","container_title_short":"j","volume":"1","pages":"1-2","doi":"10.1000/abc","issn":"1234-5679","keywords":["x","y"],"editors":[{"family":"E"}],"accessed":{"year":2002},"extra":{"shelf":7}}"#;
        assert_eq!((FORM, metadata(&item).as_str()), (1, expected));
        assert!(with_abstract(&item).contains("not shown"));
    }
}
