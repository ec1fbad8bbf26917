//! The catalogue of styles: descriptions and aliases.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::entry::{StyleEntry, short_name};
use super::search::{StyleIndex, fold};
use citation_csl::CitationFormat;
use citation_model::spelling::edits_within;

/// Common names of style families and of renamed styles.
const ALIASES: [(&str, &str); 14] = [
    ("chicago", "chicago-author-date"),
    ("chicago-note", "chicago-notes-bibliography"),
    (
        "chicago-fullnote-bibliography",
        "chicago-notes-bibliography",
    ),
    (
        "chicago-note-bibliography",
        "chicago-shortened-notes-bibliography",
    ),
    ("turabian", "turabian-author-date"),
    ("mla", "modern-language-association"),
    ("harvard", "harvard-cite-them-right"),
    ("harvard1", "harvard-cite-them-right"),
    ("vancouver", "nlm-citation-sequence"),
    ("nlm", "nlm-citation-sequence"),
    ("ama", "american-medical-association"),
    ("acs", "american-chemical-society"),
    ("asa", "american-sociological-association"),
    ("apsa", "american-political-science-association"),
];

/// The maximum length of a style name or address in a search, in bytes. The longest existing one has fewer
/// than 150.
const MAX_NAME_LENGTH: usize = 1_000;

/// The most popular styles, in the order in which a list shows them first.
const POPULAR: [&str; 30] = [
    "apa",
    "modern-language-association",
    "chicago-author-date",
    "chicago-notes-bibliography",
    "ieee",
    "vancouver",
    "nlm-citation-sequence",
    "american-medical-association",
    "harvard-cite-them-right",
    "nature",
    "science",
    "cell",
    "american-chemical-society",
    "american-sociological-association",
    "american-political-science-association",
    "american-physics-society",
    "american-anthropological-association",
    "elsevier-harvard",
    "elsevier-vancouver",
    "springer-basic-author-date",
    "springer-basic-brackets",
    "springer-vancouver-brackets",
    "taylor-and-francis-chicago-author-date",
    "sage-harvard",
    "plos",
    "bmj",
    "the-lancet",
    "pnas",
    "modern-humanities-research-association",
    "iso690-author-date-en",
];

/// All styles, when the catalogue was built.
#[derive(Debug, Default)]
pub struct Catalog {
    /// Popular ones first, then by title.
    entries: Vec<Arc<StyleEntry>>,
    /// Their words, at the same indexes.
    index: StyleIndex,
    by_name: HashMap<String, usize>,
    aliases: HashMap<String, String>,
}

/// Filters of a search.
#[derive(Clone, Debug, Default)]
pub struct StyleFilter {
    pub citation_format: Option<CitationFormat>,
    pub field: Option<String>,
}

impl Catalog {
    /// Builds a catalogue. Of entries with one name the one with the latest origin is kept.
    pub fn new(all: Vec<StyleEntry>, aliases: Vec<(String, String)>) -> Catalog {
        let mut best: HashMap<String, StyleEntry> = HashMap::with_capacity(all.len());
        for entry in all {
            match best.get(&entry.id) {
                Some(present) if present.origin > entry.origin => {}
                _ => {
                    best.insert(entry.id.clone(), entry);
                }
            }
        }
        let mut entries: Vec<Arc<StyleEntry>> = best.into_values().map(Arc::new).collect();
        let rank = |entry: &StyleEntry| {
            let place = POPULAR.iter().position(|id| *id == entry.id);
            place.unwrap_or(POPULAR.len())
        };
        entries.sort_by_cached_key(|entry| (rank(entry), fold(&entry.title), entry.id.clone()));
        let by_name = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| (entry.id.to_lowercase(), at))
            .collect();
        Catalog {
            index: StyleIndex::new(entries.iter().map(|entry| {
                let is_popular = rank(entry) < POPULAR.len();
                (&**entry, is_popular, usual_names(&entry.id))
            })),
            entries,
            by_name,
            aliases: aliases.into_iter().collect(),
        }
    }

    /// Popular ones first, then by title.
    pub fn entries(&self) -> &[Arc<StyleEntry>] {
        &self.entries
    }

    /// Finds a style by short name, address, file name, former name or common alias.
    pub fn find(&self, name: &str) -> Option<&Arc<StyleEntry>> {
        self.place(name).and_then(|at| self.entries.get(at))
    }

    fn place(&self, name: &str) -> Option<usize> {
        if name.len() > MAX_NAME_LENGTH {
            return None;
        }
        let mut name = short_name(name).to_lowercase();
        // A former name may lead to another former name.
        for _ in 0..5 {
            if let Some(at) = self.by_name.get(&name) {
                return Some(*at);
            }
            name = match self.aliases.get(&name) {
                Some(now) => now.to_lowercase(),
                None => alias(&name)?.to_owned(),
            };
        }
        None
    }

    /// The styles with the most similar short names to an unknown name: similar in spelling,
    /// else with common words.
    pub fn nearest(&self, name: &str, count: usize) -> Vec<String> {
        if name.len() > MAX_NAME_LENGTH {
            return Vec::new();
        }
        let wanted = short_name(name).to_lowercase();
        // A typo for each four letters: “mla” is no misspelling of “apa”.
        let most = wanted.chars().count().saturating_add(1) / 4;
        let own = |entry: &&Arc<StyleEntry>| entry.parent.is_none();
        let mut alike: Vec<(usize, &str)> = self
            .entries
            .iter()
            .filter(own)
            .filter_map(|entry| Some((edits_within(&wanted, &entry.id, most)?, &*entry.id)))
            .collect();
        alike.sort();
        let mut found: Vec<String> = alike.iter().map(|(_, id)| (*id).to_owned()).collect();
        let folded = fold(&wanted);
        let first = folded.split(' ').next().unwrap_or_default();
        for query in [&*folded, first] {
            if found.len() < count && query.chars().count() >= 3 {
                let more = self.search(query, &StyleFilter::default(), count * 4);
                let more = more.iter().filter(own).map(|entry| entry.id.clone());
                found.extend(more.collect::<Vec<_>>());
            }
        }
        let mut seen = HashSet::new();
        found.retain(|id| seen.insert(id.clone()));
        found.truncate(count);
        found
    }

    /// Searches titles, short titles, short names, acronyms, ISSNs and parents; every word of the
    /// query must match. Diacritics, case and a typo in a longer word are ignored. A
    /// blank query matches everything.
    pub fn search(&self, query: &str, filter: &StyleFilter, limit: usize) -> Vec<Arc<StyleEntry>> {
        let named = self.place(&fold(query).replace(' ', "-"));
        self.index
            .search(query, named)
            .into_iter()
            .filter_map(|at| self.entries.get(at))
            .filter(|entry| filter.admits(entry))
            .take(limit)
            .cloned()
            .collect()
    }
}

impl StyleFilter {
    fn admits(&self, entry: &StyleEntry) -> bool {
        self.citation_format
            .is_none_or(|format| entry.citation_format == Some(format))
            && self
                .field
                .as_ref()
                .is_none_or(|field| entry.fields.iter().any(|f| f.eq_ignore_ascii_case(field)))
    }
}

/// The style of a common family name.
fn alias(name: &str) -> Option<&'static str> {
    let found = ALIASES.iter().find(|(alias, _)| *alias == name);
    found.map(|(_, style)| *style)
}

/// The common names of a style.
fn usual_names(id: &str) -> String {
    let names = ALIASES.iter().filter(|(_, style)| *style == id);
    names.map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::entry::StyleOrigin;
    use super::*;

    fn entry(id: &str, title: &str, origin: StyleOrigin) -> StyleEntry {
        StyleEntry {
            id: id.to_owned(),
            uri: format!("http://www.zotero.org/styles/{id}"),
            title: title.to_owned(),
            title_short: None,
            citation_format: Some(CitationFormat::AuthorDate),
            default_locale: None,
            parent: None,
            fields: vec!["psychology".to_owned()],
            issn: vec!["1234-5679".to_owned()],
            updated: None,
            license: None,
            has_bibliography: true,
            origin,
        }
    }

    fn catalog() -> Catalog {
        let entries = vec![
            entry("zeitschrift", "Zeitschrift für Übung", StyleOrigin::Core),
            entry(
                "apa",
                "American Psychological Association 7th edition",
                StyleOrigin::Core,
            ),
            entry("apa", "APA of the folder", StyleOrigin::Folder),
            entry(
                "modern-language-association",
                "Modern Language Association",
                StyleOrigin::Core,
            ),
        ];
        Catalog::new(entries, vec![("mla-8".to_owned(), "mla".to_owned())])
    }

    #[test]
    fn names_resolve_to_styles() {
        let catalog = catalog();
        let id = |name: &str| catalog.find(name).map(|entry| entry.id.clone());
        assert_eq!(
            id("http://www.zotero.org/styles/apa").as_deref(),
            Some("apa")
        );
        assert_eq!(id("APA.csl").as_deref(), Some("apa"));
        assert_eq!(id("mla").as_deref(), Some("modern-language-association"));
        assert_eq!(id("mla-8").as_deref(), Some("modern-language-association"));
        assert_eq!(id("nothing"), None);
        assert_eq!(
            catalog.find("apa").map(|e| e.origin),
            Some(StyleOrigin::Folder)
        );
        assert_eq!(catalog.nearest("appa", 1), ["apa"]);
        let long = "apa ".repeat(MAX_NAME_LENGTH);
        assert!(catalog.nearest(&long, 1).is_empty());
        assert!(catalog.find(&long).is_none());
        assert_eq!(
            catalog.nearest("mla-with-footnotes", 1),
            ["modern-language-association"]
        );
    }

    #[test]
    fn search_uses_synonyms_and_prefers_popular_styles() {
        let note = |id: &str, title: &str| entry(id, title, StyleOrigin::Core);
        let entries = vec![
            note(
                "chicago-notes",
                "Chicago Manual of Style (notes, without bibliography)",
            ),
            note(
                "chicago-notes-bibliography",
                "Chicago Manual of Style (notes and bibliography)",
            ),
            note(
                "chicago-author-date",
                "Chicago Manual of Style (author-date)",
            ),
        ];
        let catalog = Catalog::new(entries, Vec::new());
        let found = |query: &str| -> Vec<String> {
            let found = catalog.search(query, &StyleFilter::default(), 2);
            found.iter().map(|entry| entry.id.clone()).collect()
        };
        let notes = ["chicago-notes-bibliography", "chicago-notes"];
        for query in [
            "chicago notes",
            "chicago footnotes",
            "Chicago footnote 17th ed.",
        ] {
            assert_eq!(found(query), notes, "{query}");
        }
        assert_eq!(found("chicago author year"), ["chicago-author-date"]);
        assert_eq!(found("chicago")[0], "chicago-author-date");
    }

    #[test]
    fn search_folds_and_ranks() {
        let catalog = catalog();
        let first = |query: &str| {
            let found = catalog.search(query, &StyleFilter::default(), 1);
            found
                .first()
                .map(|entry| entry.id.clone())
                .unwrap_or_default()
        };
        assert_eq!(first("ubung"), "zeitschrift");
        assert_eq!(first("mla"), "modern-language-association");
        assert_eq!(first("mod lang"), "modern-language-association");
        assert_eq!(first("zeitshcrift"), "zeitschrift");
        assert_eq!(first("asociation langauge"), "modern-language-association");
        assert_eq!(first("1234-5679"), "apa");
        assert_eq!(first("mla 12 style"), "modern-language-association");
        assert_eq!(first("association 12"), "modern-language-association");
        assert_eq!(first("style 12"), "");
        assert_eq!(first("xyz"), "");
        assert_eq!(first(""), "apa");
        let filter = StyleFilter {
            field: Some("physics".to_owned()),
            ..StyleFilter::default()
        };
        assert!(catalog.search("", &filter, 5).is_empty());
        let filter = StyleFilter {
            field: Some("Psychology".to_owned()),
            citation_format: Some(CitationFormat::AuthorDate),
        };
        assert_eq!(catalog.search("", &filter, 5).len(), 3);
    }
}
