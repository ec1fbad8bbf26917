//! The formats that can be ingested, and their detection by name and content.

use std::fmt;

use citation_exchange::{self as exchange, Content, Hints};

/// The format of a file's records.
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
    /// A bibliography file in another format, which is read whole.
    File(&'static exchange::Format),
}

impl Format {
    /// The formats that are streamed, whatever their length.
    const STREAMS: [Format; 8] = [
        Format::CslJson,
        Format::Crossref,
        Format::Datacite,
        Format::Openalex,
        Format::Openlibrary,
        Format::Pubmed,
        Format::Bibtex,
        Format::Ris,
    ];

    /// The names of all formats.
    pub fn names() -> Vec<&'static str> {
        let streams = Format::STREAMS.map(Format::as_str);
        let files = exchange::Format::readable().map(|format| format.id);
        let files = files.filter(|id| !streams.contains(id));
        streams.into_iter().chain(files).collect()
    }

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
            Format::File(format) => format.id,
        }
    }

    pub fn parse(text: &str) -> Option<Format> {
        let mut streams = Format::STREAMS.into_iter();
        streams
            .find(|format| format.as_str() == text)
            .or_else(|| exchange::Format::named(text).and_then(Format::of_file))
    }

    fn of_file(format: &'static exchange::Format) -> Option<Format> {
        let mut streams = Format::STREAMS.into_iter();
        match streams.find(|stream| stream.as_str() == format.id) {
            Some(stream) => Some(stream),
            None if *format == exchange::BIBLATEX => Some(Format::Bibtex),
            None => format.is_readable().then_some(Format::File(format)),
        }
    }

    /// Detects the format from the unpacked start of a file; its name helps if the content
    /// is ambiguous. `None` if unknown.
    pub fn sniff(name: &str, head: &[u8]) -> Option<Format> {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("/type/") && text.contains('\t') {
            return Some(Format::Openlibrary);
        }
        if text.starts_with('<') && text.contains("<Pubmed") {
            return Some(Format::Pubmed);
        }
        let is_json = text.starts_with('{') || text.starts_with('[');
        sniff_dump(text)
            .filter(|_| is_json)
            .or_else(|| sniff_file(name, head))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Members that only one source's records have. Searched as text, since the start may not contain
/// a whole record.
fn sniff_dump(text: &str) -> Option<Format> {
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
    None
}

/// A bibliography file, as detected by the format registry; the name helps with the two formats that may
/// have any text before their first entry.
fn sniff_file(name: &str, head: &[u8]) -> Option<Format> {
    let content = Content::new(head);
    let told = exchange::recognise(&content, Hints::default());
    let by_name = || {
        let (_, ending) = name.rsplit_once('.')?;
        exchange::Format::named(ending)
            .filter(|format| [&exchange::BIBTEX, &exchange::RIS].contains(format))
    };
    told.ok()?.or_else(by_name).and_then(Format::of_file)
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
    fn format_is_detected_from_the_start() {
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
        let nbib = exchange::Format::named("nbib").map(Format::File);
        check("pubmed.txt", "PMID- 1\nTI  - A\n", nbib);
        check("manifest", r#"{"entries":[{"url":"s3://x"}]}"#, None);
        check("x.csv", "doi,state\n10.1/a,findable", None);
        check("x.html", "<html>", None);
    }
}
