//! What styles there are: descriptions, other names, search.

use std::collections::HashMap;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;

use crate::csl::Style;
use crate::csl::style::info::CitationFormat;

/// The description of a style.
#[derive(Clone, Debug, PartialEq)]
pub struct StyleEntry {
    /// The short name, unique: `apa`.
    pub id: String,
    /// The style's own address.
    pub uri: String,
    pub title: String,
    pub title_short: Option<String>,
    pub citation_format: Option<CitationFormat>,
    pub default_locale: Option<String>,
    /// The short name of the style that a dependent style takes its rules from.
    pub parent: Option<String>,
    pub fields: Vec<String>,
    pub issn: Vec<String>,
    pub updated: Option<String>,
    pub license: Option<String>,
    pub has_bibliography: bool,
    pub origin: Origin,
}

/// Where a style's file lies. Of two styles of one name the later origin counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// In the program itself.
    Core,
    /// In the database.
    Installed,
    /// In the styles folder.
    Folder,
}

impl Origin {
    pub fn as_str(self) -> &'static str {
        match self {
            Origin::Core => "core",
            Origin::Installed => "installed",
            Origin::Folder => "folder",
        }
    }
}

impl StyleEntry {
    /// Describes a parsed style under a short name.
    pub fn of(id: &str, style: &Style, origin: Origin) -> StyleEntry {
        let info = &style.info;
        StyleEntry {
            id: id.to_owned(),
            uri: info.id.clone(),
            title: info.title.clone(),
            title_short: info.title_short.clone(),
            citation_format: info.citation_format,
            default_locale: style.options.default_locale.clone(),
            parent: info.parent.as_deref().map(|uri| short_name(uri).to_owned()),
            fields: info.fields.clone(),
            issn: info.issn.clone(),
            updated: info.updated.clone(),
            license: info.license.clone(),
            has_bibliography: style.has_bibliography(),
            origin,
        }
    }
}

/// `apa` in `http://www.zotero.org/styles/apa`, in `apa.csl` and in `apa`.
pub fn short_name(text: &str) -> &str {
    let tail = text
        .trim()
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    tail.strip_suffix(".csl").unwrap_or(tail)
}

/// Names that people use for families of styles and for styles that were renamed.
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

/// The styles that most people ask for, in the order in which a list shows them first.
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

/// All styles, as they were when the catalogue was made.
#[derive(Debug, Default)]
pub struct Catalog {
    /// Popular ones first, then by title.
    entries: Vec<Arc<StyleEntry>>,
    /// Text to search in, at the same places.
    haystacks: Vec<Haystack>,
    by_name: HashMap<String, usize>,
    aliases: HashMap<String, String>,
}

#[derive(Debug, Default)]
struct Haystack {
    id: String,
    title: String,
    short: String,
    /// Initials of the title's words: `ieee` style acronyms that no field spells out.
    acronym: String,
    words: Vec<String>,
    issn: Vec<String>,
}

/// What a search may be narrowed to.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub citation_format: Option<CitationFormat>,
    pub field: Option<String>,
}

impl Catalog {
    /// Makes a catalogue. Of entries with one name the one of the latest origin stays.
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
            haystacks: entries.iter().map(|entry| haystack(entry)).collect(),
            entries,
            by_name,
            aliases: aliases.into_iter().collect(),
        }
    }

    /// Popular ones first, then by title.
    pub fn entries(&self) -> &[Arc<StyleEntry>] {
        &self.entries
    }

    /// Finds a style by short name, address, file name, former name or usual alias.
    pub fn find(&self, name: &str) -> Option<&Arc<StyleEntry>> {
        let name = short_name(name).to_lowercase();
        let direct = |name: &str| self.by_name.get(name).and_then(|at| self.entries.get(*at));
        if let Some(entry) = direct(&name) {
            return Some(entry);
        }
        // A former name may lead to another former name.
        let mut current = name;
        for _ in 0..4 {
            let next = self.aliases.get(&current).cloned().or_else(|| {
                let alias = ALIASES.iter().find(|(alias, _)| *alias == current);
                alias.map(|(_, style)| (*style).to_owned())
            })?;
            if let Some(entry) = direct(&next) {
                return Some(entry);
            }
            current = next;
        }
        None
    }

    /// The styles whose short names are nearest to a name that no style has.
    pub fn nearest(&self, name: &str, count: usize) -> Vec<String> {
        let wanted = fold(short_name(name));
        let mut scored: Vec<(usize, &str)> = self
            .entries
            .iter()
            .filter(|entry| entry.parent.is_none())
            .map(|entry| {
                let contained = entry.id.contains(&wanted) && wanted.len() >= 3;
                let distance = if contained {
                    1
                } else {
                    edit_distance(&wanted, &entry.id)
                };
                (distance, entry.id.as_str())
            })
            .collect();
        scored.sort();
        let most = wanted.len() / 2 + 1;
        scored
            .into_iter()
            .take_while(|(distance, _)| *distance <= most)
            .take(count)
            .map(|(_, id)| id.to_owned())
            .collect()
    }

    /// Searches titles, short titles, short names, acronyms, ISSNs and parents; every word of the
    /// query must be found. Diacritics and case do not matter. A blank query finds everything.
    pub fn search(&self, query: &str, filter: &Filter, limit: usize) -> Vec<Arc<StyleEntry>> {
        let query = fold(query);
        let words: Vec<&str> = query.split_whitespace().collect();
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (at, (entry, hay)) in self.entries.iter().zip(&self.haystacks).enumerate() {
            if !filter.admits(entry) {
                continue;
            }
            if let Some(score) = score(hay, &query, &words) {
                found.push((score, at));
            }
        }
        // Equal scores keep the catalogue's order, which puts popular styles first.
        found.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        found
            .into_iter()
            .take(limit)
            .filter_map(|(_, at)| self.entries.get(at).cloned())
            .collect()
    }
}

impl Filter {
    fn admits(&self, entry: &StyleEntry) -> bool {
        self.citation_format
            .is_none_or(|format| entry.citation_format == Some(format))
            && self
                .field
                .as_ref()
                .is_none_or(|field| entry.fields.iter().any(|f| f == field))
    }
}

fn haystack(entry: &StyleEntry) -> Haystack {
    let title = fold(&entry.title);
    let id = entry.id.to_lowercase();
    let parent = entry.parent.as_deref().map(|p| p.replace('-', " "));
    let short = entry.title_short.as_deref().map(fold).unwrap_or_default();
    let all = format!(
        "{title} {} {short} {}",
        id.replace('-', " "),
        parent.unwrap_or_default()
    );
    Haystack {
        acronym: title
            .split_whitespace()
            .filter(|word| !matches!(*word, "of" | "the" | "and" | "for" | "in" | "de" | "et"))
            .filter_map(|word| word.chars().next())
            .collect(),
        words: all.split_whitespace().map(str::to_owned).collect(),
        issn: entry.issn.clone(),
        title,
        short,
        id,
    }
}

/// How well a style fits, higher is better; nothing where a word of the query is not found.
fn score(hay: &Haystack, query: &str, words: &[&str]) -> Option<u32> {
    if words.is_empty() {
        return Some(0);
    }
    let hyphened = words.join("-");
    if hay.id == hyphened
        || hay.short == query
        || hay.issn.iter().any(|issn| issn.eq_ignore_ascii_case(query))
    {
        return Some(1000);
    }
    if hay.title == query {
        return Some(900);
    }
    if hay.acronym == query && query.len() > 1 {
        return Some(700);
    }
    let mut total = 0;
    for word in words {
        total += if hay.words.iter().any(|w| w == word) {
            30
        } else if hay.words.iter().any(|w| w.starts_with(word)) {
            20
        } else if hay.title.contains(word) || hay.id.contains(word) {
            5
        } else {
            return None;
        };
    }
    let starts = hay.id.starts_with(&hyphened) || hay.title.starts_with(query);
    let average = total / words.len() as u32;
    // Among equal fits the shorter title is the likelier one.
    let brevity = 20_u32.saturating_sub(hay.words.len() as u32);
    Some(average * 4 + if starts { 100 } else { 0 } + brevity)
}

/// Lower case without diacritics, with everything but letters and digits as spaces.
pub fn fold(text: &str) -> String {
    let plain: String = text
        .nfd()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Levenshtein distance, for suggestions.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        for (cell, cb) in row.iter_mut().skip(1).zip(&b) {
            let changed = corner + usize::from(ca != *cb);
            corner = *cell;
            left = changed.min(corner + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, title: &str, origin: Origin) -> StyleEntry {
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
            entry("zeitschrift", "Zeitschrift für Übung", Origin::Core),
            entry(
                "apa",
                "American Psychological Association 7th edition",
                Origin::Core,
            ),
            entry("apa", "APA of the folder", Origin::Folder),
            entry(
                "modern-language-association",
                "Modern Language Association",
                Origin::Core,
            ),
        ];
        Catalog::new(entries, vec![("mla-8".to_owned(), "mla".to_owned())])
    }

    #[test]
    fn names_lead_to_styles() {
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
        assert_eq!(catalog.find("apa").map(|e| e.origin), Some(Origin::Folder));
        assert_eq!(catalog.nearest("appa", 1), ["apa"]);
    }

    #[test]
    fn search_folds_and_ranks() {
        let catalog = catalog();
        let first = |query: &str| {
            let found = catalog.search(query, &Filter::default(), 1);
            found
                .first()
                .map(|entry| entry.id.clone())
                .unwrap_or_default()
        };
        assert_eq!(first("ubung"), "zeitschrift");
        assert_eq!(first("mla"), "modern-language-association");
        assert_eq!(first("mod lang"), "modern-language-association");
        assert_eq!(first("xyz"), "");
        assert_eq!(first(""), "apa");
        let filter = Filter {
            field: Some("physics".to_owned()),
            ..Filter::default()
        };
        assert!(catalog.search("", &filter, 5).is_empty());
    }
}
