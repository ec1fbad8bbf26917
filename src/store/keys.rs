//! The numbers of identifier kinds in the database. They are stored: never reuse or change one.

use super::sources;
use citation_model::identifier::Identifier;
use citation_model::work::Source;

/// An identifier in the form of the identifiers table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdentifierKey {
    pub kind: i64,
    pub value: String,
}

/// A record's own id at a source; the source's number is added.
const RECORD_ID: i64 = 16;

/// For a work without any identifier: the hash of the record, in hexadecimal.
const HASH: i64 = 15;

/// The kind of a DOI.
pub const DOI: i64 = 1;

const PMID: i64 = 3;
const ARXIV: i64 = 5;

/// The number of an identifier's kind, or `None` if the kind does not identify a work (an ISSN identifies
/// a container, a shortDOI is an alias that the resolver expands, and catalogue ids are only known
/// to their catalogues).
pub fn kind(identifier: &Identifier) -> Option<i64> {
    match identifier {
        Identifier::Doi(_) => Some(DOI),
        Identifier::Isbn(_) => Some(2),
        Identifier::Pmid(_) => Some(PMID),
        Identifier::Pmcid(_) => Some(4),
        Identifier::Arxiv(_) => Some(ARXIV),
        _ => None,
    }
}

/// Every key of a record: its identifiers, strongest first, then its own id at the source. A record
/// with neither is identified by its content.
pub fn of_record(
    identifiers: &[Identifier],
    source: Source,
    record_id: &str,
    hash: i64,
) -> Vec<IdentifierKey> {
    let source_row = sources::row(source);
    let mut keys: Vec<IdentifierKey> = identifiers
        .iter()
        .filter(|identifier| source_row.is_authoritative_for(identifier))
        .filter_map(|identifier| {
            Some(IdentifierKey {
                kind: kind(identifier)?,
                value: identifier.as_str().to_owned(),
            })
        })
        .collect();
    keys.sort_by_key(|key| strength(key.kind));
    let repeats = keys
        .iter()
        .any(|key| key.value.eq_ignore_ascii_case(record_id));
    if !record_id.is_empty() && !repeats {
        keys.push(record_key(source, record_id));
    }
    if keys.is_empty() {
        keys.push(IdentifierKey {
            kind: HASH,
            value: format!("{hash:016x}"),
        });
    }
    keys
}

/// The keys under which a record may stand by its own id alone: that id, or the identifier of works that
/// it is.
pub fn of_record_id(source: Source, record_id: &str) -> Vec<IdentifierKey> {
    let kind = match source {
        Source::Crossref | Source::Datacite | Source::Doi => Some(DOI),
        Source::Pubmed => Some(PMID),
        Source::Arxiv => Some(ARXIV),
        _ => None,
    };
    let identifier = kind.map(|kind| IdentifierKey {
        kind,
        value: record_id.to_owned(),
    });
    let own = record_key(source, record_id);
    identifier.into_iter().chain([own]).collect()
}

/// The key of a record's own id at its source.
fn record_key(source: Source, record_id: &str) -> IdentifierKey {
    IdentifierKey {
        kind: RECORD_ID + sources::row(source).number,
        value: record_id.to_owned(),
    }
}

/// The priority of identifiers that belong to different works: a DOI before a PMID, a PMCID and an
/// arXiv id; ISBNs last, since volumes and printings share them.
fn strength(kind: i64) -> i64 {
    match kind {
        DOI => 0,
        PMID => 1,
        4 => 2,
        ARXIV => 3,
        2 => 4,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: Source, identifiers: &[&str], record_id: &str, expected: &[(i64, &str)]) {
        let identifiers: Vec<Identifier> = identifiers
            .iter()
            .filter_map(|text| Identifier::parse(text).ok())
            .collect();
        let keys = of_record(&identifiers, source, record_id, 255);
        let found: Vec<(i64, &str)> = keys.iter().map(|k| (k.kind, k.value.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn record_has_its_identifiers_and_its_own_id() {
        check(
            Source::Crossref,
            &["9780198526636", "10.1000/ABC"],
            "r1",
            &[(1, "10.1000/abc"), (2, "9780198526636"), (17, "r1")],
        );
    }

    #[test]
    fn identifier_of_another_registry_is_not_a_key() {
        check(
            Source::Openlibrary,
            &["9780198526636", "10.1000/ABC"],
            "/books/OL1M",
            &[(2, "9780198526636"), (20, "/books/OL1M")],
        );
    }

    #[test]
    fn own_id_equal_to_an_identifier_is_omitted() {
        check(
            Source::Crossref,
            &["10.1000/abc"],
            "10.1000/ABC",
            &[(1, "10.1000/abc")],
        );
    }

    #[test]
    fn record_without_id_is_identified_by_content() {
        check(Source::Openlibrary, &[], "", &[(15, "00000000000000ff")]);
    }
}
