//! Records of a library catalogue: MARC 21 XML in SRU responses. The fields are those of the import of such
//! files.

use citation_exchange::{CatalogueRecord, catalogue_records};
use citation_model::budget::Budget;
use citation_model::variable::TextVar;
use citation_model::work::{Provenance, Source, Work};

use super::RecordError;

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<searchRetrieveResponse>",
    "<recordData>",
    "<record>",
    "</record>",
    "<leader>00000nam a2200000 a 4500</leader>",
    "<controlfield tag=\"001\">",
    "<datafield tag=\"245\">",
    "<datafield tag=\"700\">",
    "<subfield code=\"a\">",
    "</subfield>",
    "</datafield>",
];

/// Reads the records of a response, each as a work or an error. `source` is the library.
pub fn from_sru(xml: &[u8], source: Source) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    let xml = std::str::from_utf8(xml).map_err(|error| RecordError::Syntax(error.to_string()))?;
    let records = catalogue_records(xml, &Budget::unlimited())
        .map_err(|error| RecordError::Syntax(error.to_string()))?;
    Ok(records
        .into_iter()
        .map(|record| work(record, source))
        .collect())
}

/// Adds the provenance. Fails without a number or a title.
fn work(record: CatalogueRecord, source: Source) -> Result<Work, RecordError> {
    let CatalogueRecord {
        control_number,
        mut item,
    } = record;
    if control_number.is_empty() {
        return Err(RecordError::Missing("control number"));
    }
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    item.id.clone_from(&control_number);
    let provenance = Provenance {
        source,
        record_id: control_number,
        url: None,
        license: None,
        fetched_at: 0,
    };
    Ok(Work::new(item, provenance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::variable::NameVar;

    /// Written after the documentation of MARC 21 (loc.gov/marc/bibliographic) and SRU 1.1
    /// (loc.gov/standards/sru).
    #[test]
    fn a_book_of_a_catalogue_is_mapped() {
        let field = |tag: &str, subfields: &[(&str, &str)]| {
            let inner: String = subfields
                .iter()
                .map(|(code, text)| format!("<subfield code=\"{code}\">{text}</subfield>"))
                .collect();
            format!("<datafield tag=\"{tag}\" ind1=\"1\" ind2=\" \">{inner}</datafield>")
        };
        let xml = [
            "<zs:searchRetrieveResponse xmlns:zs=\"http://www.loc.gov/zing/srw/\"><zs:records><zs:record><zs:recordData><record xmlns=\"http://www.loc.gov/MARC21/slim\"><controlfield tag=\"001\"> 2004 </controlfield>",
            "<controlfield tag=\"008\">040101s2004    nyu           000 1 eng  </controlfield>",
            &field("020", &[("a", "0743273567 (pbk. : alk. paper)")]),
            &field("100", &[("a", "Fitzgerald, F. Scott"), ("d", "1896-1940."), ("e", "author.")]),
            &field("245", &[("a", "The great Gatsby :"), ("b", "a novel /"), ("c", "F. Scott Fitzgerald.")]),
            &field("250", &[("a", "2nd ed.")]),
            &field("260", &[("a", "New York :"), ("b", "Scribner,"), ("c", "c2004.")]),
            &field("700", &[("a", "Bruccoli, Matthew J.,"), ("e", "editor.")]),
            "</record></zs:recordData></zs:record></zs:records></zs:searchRetrieveResponse>",
        ]
        .concat();
        let mut works = from_sru(xml.as_bytes(), Source::Loc).unwrap().into_iter();
        let item = works.next().unwrap().unwrap().item;
        assert_eq!(item.text(TextVar::Title), Some("The great Gatsby: a novel"));
        assert_eq!(item.text(TextVar::Isbn), Some("9780743273565"));
        assert_eq!(item.text(TextVar::Publisher), Some("Scribner"));
        assert_eq!(item.text(TextVar::PublisherPlace), Some("New York"));
        assert_eq!(item.text(TextVar::Language), Some("en"));
        assert_eq!(item.year(), Some(2004));
        assert_eq!(
            item.names(NameVar::Author)[0].display(),
            "F. Scott Fitzgerald"
        );
        assert_eq!(
            item.names(NameVar::Editor)[0].display(),
            "Matthew J. Bruccoli"
        );
        assert!(from_sru(b"<record><datafield>", Source::Loc).is_err());
        let none = b"<zs:searchRetrieveResponse><zs:numberOfRecords>0</zs:numberOfRecords></zs:searchRetrieveResponse>";
        assert!(from_sru(none, Source::Loc).unwrap().is_empty());
    }
}
