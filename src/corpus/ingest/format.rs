//! The formats that can be ingested, and how a file's is told from its name and beginning.

use std::fmt;

/// What the records of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    CslJson,
    Crossref,
    Datacite,
    Openalex,
    Openlibrary,
    Pubmed,
    Bibtex,
    Ris,
}

impl Format {
    pub const ALL: [Format; 8] = [
        Format::CslJson,
        Format::Crossref,
        Format::Datacite,
        Format::Openalex,
        Format::Openlibrary,
        Format::Pubmed,
        Format::Bibtex,
        Format::Ris,
    ];

    /// The name on the command line and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::CslJson => "csl-json",
            Format::Crossref => "crossref",
            Format::Datacite => "datacite",
            Format::Openalex => "openalex",
            Format::Openlibrary => "openlibrary",
            Format::Pubmed => "pubmed",
            Format::Bibtex => "bibtex",
            Format::Ris => "ris",
        }
    }

    pub fn parse(text: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|f| f.as_str() == text)
    }

    /// Tells the format from the unpacked beginning of a file; its name helps where the beginning
    /// could be several things. Nothing for what is none of ours.
    pub fn sniff(name: &str, head: &[u8]) -> Option<Format> {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("/type/") && text.contains('\t') {
            return Some(Format::Openlibrary);
        }
        if text.starts_with('<') {
            return text.contains("<Pubmed").then_some(Format::Pubmed);
        }
        if text.starts_with('{') || text.starts_with('[') {
            return sniff_json(text);
        }
        sniff_text(name, text)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Members that only one source's records have. Looked for as written, since a whole record may
/// not fit into the beginning.
fn sniff_json(text: &str) -> Option<Format> {
    let has = |member: &str| text.contains(&format!("\"{member}\""));
    if has("attributes") && (has("relationships") || has("creators") || has("doi")) {
        return Some(Format::Datacite);
    }
    if text.contains("https://openalex.org/") {
        return Some(Format::Openalex);
    }
    let marks = [
        "indexed",
        "deposited",
        "reference-count",
        "member",
        "prefix",
        "content-domain",
    ];
    if has("DOI") && marks.iter().filter(|mark| has(mark)).count() >= 2 {
        return Some(Format::Crossref);
    }
    let is_item = has("type") && (has("id") || has("title"));
    let is_empty = matches!(text.trim_end(), "[]" | "{}" | "[");
    (is_item || is_empty).then_some(Format::CslJson)
}

fn sniff_text(name: &str, text: &str) -> Option<Format> {
    let name = name.to_lowercase();
    if name.ends_with(".bib") || name.ends_with(".bibtex") {
        return Some(Format::Bibtex);
    }
    if name.ends_with(".ris") {
        return Some(Format::Ris);
    }
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("TY  -") {
            return Some(Format::Ris);
        }
        let entry = line
            .strip_prefix('@')
            .and_then(|rest| rest.split_once(['{', '(']));
        if entry.is_some_and(|(kind, _)| kind.trim().chars().all(char::is_alphabetic)) {
            return Some(Format::Bibtex);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, head: &str, expected: Option<Format>) {
        assert_eq!(
            Format::sniff(name, head.as_bytes()),
            expected,
            "{name}: {head}"
        );
    }

    #[test]
    fn the_beginning_tells_the_format() {
        check(
            "x",
            r#"[{"id":"a","type":"book","title":"T"}]"#,
            Some(Format::CslJson),
        );
        check(
            "x",
            r#"{"items":[{"indexed":{},"DOI":"10.1/a","member":"1"}]}"#,
            Some(Format::Crossref),
        );
        check(
            "x",
            r#"{"id":"10.1/a","type":"dois","attributes":{"doi":"10.1/a"}}"#,
            Some(Format::Datacite),
        );
        check(
            "x",
            r#"{"id":"https://openalex.org/W1"}"#,
            Some(Format::Openalex),
        );
        check(
            "x",
            "/type/edition\t/books/OL1M\t1\t2020\t{}",
            Some(Format::Openlibrary),
        );
        check(
            "x",
            "<?xml?><!DOCTYPE x><PubmedArticleSet>",
            Some(Format::Pubmed),
        );
        check("x", "\u{feff}% hello\n@book{a,", Some(Format::Bibtex));
        check("x", "\nTY  - JOUR\r\n", Some(Format::Ris));
        check("refs.bib", "", Some(Format::Bibtex));
        check("manifest", r#"{"entries":[{"url":"s3://x"}]}"#, None);
        check("x.csv", "doi,state\n10.1/a,findable", None);
        check("x.html", "<html>", None);
    }
}
