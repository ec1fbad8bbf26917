//! The database's settings for each source of records, one row each.

use citation_model::identifier::Identifier;
use citation_model::work::Source;

/// The row of a source.
pub struct SourceRow {
    /// Stored: never reuse or change one.
    pub number: i64,
    /// The rank of the source. Registries represent the publisher; PubMed and Open Library catalogue
    /// manually; OpenAlex collects from the others.
    pub rank: u8,
    /// The kinds of identifiers for which the source is authoritative; without a list, all of
    /// them. A DOI registry stores whatever a registrant sends: a PMID in it may be of another
    /// work.
    vouches_for: Option<&'static [&'static str]>,
}

pub fn row(source: Source) -> SourceRow {
    let (number, rank, vouches_for): (_, _, Option<&[&str]>) = match source {
        Source::Local => (0, 3, None),
        Source::Crossref => (1, 8, Some(&["doi", "isbn"])),
        Source::Datacite => (2, 8, Some(&["doi", "arxiv"])),
        Source::Doi => (3, 7, Some(&["doi"])),
        Source::Openlibrary => (4, 5, Some(&["isbn"])),
        Source::Openalex => (5, 2, None),
        Source::Pubmed => (6, 6, None),
        Source::Arxiv => (7, 4, None),
        Source::Collection => (8, 1, None),
        Source::Europepmc => (9, 5, None),
        Source::Loc => (10, 5, Some(&["isbn"])),
        Source::SemanticScholar => (12, 2, Some(&["doi", "pmid", "pmcid", "arxiv"])),
        Source::Dblp => (13, 5, Some(&["doi", "arxiv", "isbn"])),
        Source::AclAnthology => (14, 6, Some(&["doi"])),
        Source::Catalogue => (15, 5, Some(&["isbn"])),
        Source::Repository => (16, 3, Some(&["doi", "arxiv", "isbn"])),
        Source::Unpaywall => (17, 1, Some(&["doi"])),
        Source::Wikidata => (18, 2, Some(&["doi", "pmid", "pmcid", "arxiv", "isbn"])),
        Source::Page => (11, 0, Some(&[])),
    };
    SourceRow {
        number,
        rank,
        vouches_for,
    }
}

impl SourceRow {
    /// Whether the source is authoritative for such an identifier.
    pub fn is_authoritative_for(&self, identifier: &Identifier) -> bool {
        self.vouches_for
            .is_none_or(|kinds| kinds.contains(&identifier.kind()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn source_numbers_are_unique() {
        let numbers: HashSet<i64> = Source::ALL.map(|source| row(source).number).into();
        assert_eq!(numbers.len(), Source::ALL.len());
    }
}
