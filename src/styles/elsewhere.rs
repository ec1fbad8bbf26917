//! Well-known styles that a server may lack: readers look for them by name, and the public collection has
//! them.

use super::catalog::Catalog;
use super::search::fold;

/// A style of the public collection: its id there, its title, and the names that readers use.
#[derive(Debug, PartialEq, Eq)]
pub struct WellKnownStyle {
    pub id: &'static str,
    pub title: &'static str,
    names: &'static str,
}

const fn known(id: &'static str, title: &'static str, names: &'static str) -> WellKnownStyle {
    WellKnownStyle { id, title, names }
}

const WELL_KNOWN: [WellKnownStyle; 12] = [
    known(
        "turabian-author-date",
        "Turabian 9th edition (author-date)",
        "chicago",
    ),
    known(
        "turabian-notes-bibliography",
        "Turabian 9th edition (notes)",
        "fullnote chicago",
    ),
    known(
        "oscola",
        "OSCOLA (Oxford University Standard for Citation of Legal Authorities)",
        "law 4th",
    ),
    known(
        "modern-language-association-8th-edition",
        "Modern Language Association 8th edition",
        "mla",
    ),
    known(
        "modern-language-association-7th-edition",
        "Modern Language Association 7th edition",
        "mla",
    ),
    known(
        "apa-6th-edition",
        "American Psychological Association 6th edition",
        "apa",
    ),
    known("bluebook-law-review", "Bluebook Law Review", "the legal"),
    known(
        "australian-guide-to-legal-citation",
        "Australian Guide to Legal Citation",
        "aglc law 4th",
    ),
    known(
        "mcgill-guide-v9",
        "Canadian Guide to Uniform Legal Citation 9th edition (McGill Guide)",
        "law",
    ),
    known(
        "deutsche-gesellschaft-fur-psychologie",
        "Deutsche Gesellschaft für Psychologie",
        "dgps",
    ),
    known(
        "china-national-standard-gb-t-7714-2015-numeric",
        "GB/T 7714-2015 (numeric)",
        "china national standard gbt",
    ),
    known(
        "associacao-brasileira-de-normas-tecnicas",
        "Associação Brasileira de Normas Técnicas",
        "abnt",
    ),
];

/// The well-known styles that a query names, without those that the catalogue has. Every word of the query
/// is the beginning of a word of the title or the names.
pub fn elsewhere(catalog: &Catalog, query: &str) -> Vec<&'static WellKnownStyle> {
    let wanted = fold(query);
    let wanted: Vec<&str> = wanted.split_whitespace().collect();
    // A number or a letter alone names nothing.
    if !wanted.iter().any(|word| word.chars().count() > 2) {
        return Vec::new();
    }
    let is_named = |style: &&WellKnownStyle| {
        let words = fold(&format!("{} {} {}", style.title, style.names, style.id));
        let begins = |wanted: &&str| {
            words
                .split_whitespace()
                .any(|word| word.starts_with(*wanted))
        };
        wanted.iter().all(begins)
    };
    let named = WELL_KNOWN.iter().filter(is_named);
    named
        .filter(|style| catalog.entries().iter().all(|entry| entry.id != style.id))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_named_as_readers_name_them() {
        let check = |query: &str, expected: &[&str]| {
            let found = elsewhere(&Catalog::default(), query);
            let ids: Vec<&str> = found.iter().map(|style| style.id).collect();
            assert_eq!(ids, expected, "{query}");
        };
        check("OSCOLA", &["oscola"]);
        check(
            "turabian",
            &["turabian-author-date", "turabian-notes-bibliography"],
        );
        check("MLA 8", &["modern-language-association-8th-edition"]);
        check(
            "mla 8th edition",
            &["modern-language-association-8th-edition"],
        );
        check("journal of nothing", &[]);
        check("8", &[]);
        check("", &[]);
    }
}
