//! The formats that can be ingested, and their detection by name and content.

use std::fmt;

use citation_exchange::{self as exchange, Content, Hints};
use citation_model::budget::Budget;
use citation_records::{openalex, retraction_watch};

/// The format of a file's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordFormat {
    CslJson,
    Crossref,
    Datacite,
    Openalex,
    Openlibrary,
    Pubmed,
    /// The list of Retraction Watch: notices, not works.
    RetractionWatch,
    Dblp,
    /// A collection of the ACL Anthology, which is read whole.
    AclAnthology,
    /// arXiv’s metadata snapshot.
    Arxiv,
    /// Answers of OAI-PMH.
    Oai,
    /// Ids of OpenAlex that were merged into others: no works.
    OpenalexMerged,
    /// Entities of Wikidata, or rows of a query.
    Wikidata,
    Bibtex,
    Ris,
    /// A bibliography file in another format, which is read whole.
    File(&'static exchange::Format),
}

impl RecordFormat {
    /// The formats that are streamed, whatever their length.
    const STREAMS: [RecordFormat; 15] = [
        RecordFormat::CslJson,
        RecordFormat::Crossref,
        RecordFormat::Datacite,
        RecordFormat::Openalex,
        RecordFormat::Openlibrary,
        RecordFormat::Pubmed,
        RecordFormat::RetractionWatch,
        RecordFormat::Dblp,
        RecordFormat::AclAnthology,
        RecordFormat::Arxiv,
        RecordFormat::Oai,
        RecordFormat::OpenalexMerged,
        RecordFormat::Wikidata,
        RecordFormat::Bibtex,
        RecordFormat::Ris,
    ];

    /// The names of all formats.
    pub fn names() -> Vec<&'static str> {
        let streams = RecordFormat::STREAMS.map(RecordFormat::as_str);
        let files = exchange::Format::readable().map(|format| format.id);
        let files = files.filter(|id| !streams.contains(id));
        streams.into_iter().chain(files).collect()
    }

    /// The name on the command line and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordFormat::CslJson => "csl-json",
            RecordFormat::Crossref => "crossref",
            RecordFormat::Datacite => "datacite",
            RecordFormat::Openalex => "openalex",
            RecordFormat::Openlibrary => "openlibrary",
            RecordFormat::Pubmed => "pubmed",
            RecordFormat::RetractionWatch => "retraction-watch",
            RecordFormat::Dblp => "dblp",
            RecordFormat::AclAnthology => "acl-anthology",
            RecordFormat::Arxiv => "arxiv",
            RecordFormat::Oai => "oai",
            RecordFormat::OpenalexMerged => "openalex-merged",
            RecordFormat::Wikidata => "wikidata",
            RecordFormat::Bibtex => "bibtex",
            RecordFormat::Ris => "ris",
            RecordFormat::File(format) => format.id,
        }
    }

    pub fn parse(text: &str) -> Option<RecordFormat> {
        let mut streams = RecordFormat::STREAMS.into_iter();
        streams
            .find(|format| format.as_str() == text)
            .or_else(|| exchange::Format::named(text).and_then(RecordFormat::of_file))
    }

    fn of_file(format: &'static exchange::Format) -> Option<RecordFormat> {
        let mut streams = RecordFormat::STREAMS.into_iter();
        match streams.find(|stream| stream.as_str() == format.id) {
            Some(stream) => Some(stream),
            None if *format == exchange::BIBLATEX => Some(RecordFormat::Bibtex),
            None => format.is_readable().then_some(RecordFormat::File(format)),
        }
    }

    /// Detects the format from the unpacked start of a file; its name helps if the content
    /// is ambiguous. `None` if unknown.
    pub fn sniff(name: &str, head: &[u8]) -> Option<RecordFormat> {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("/type/") && text.contains('\t') {
            return Some(RecordFormat::Openlibrary);
        }
        if let Some(format) = sniff_xml(text) {
            return Some(format);
        }
        if retraction_watch::is_header(text) {
            return Some(RecordFormat::RetractionWatch);
        }
        if openalex::is_merge_list(text) {
            return Some(RecordFormat::OpenalexMerged);
        }
        let is_json = text.starts_with('{') || text.starts_with('[');
        sniff_dump(text)
            .filter(|_| is_json)
            .or_else(|| sniff_file(name, head))
    }
}

impl fmt::Display for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The root elements of the sources' own XML files.
fn sniff_xml(text: &str) -> Option<RecordFormat> {
    if !text.starts_with('<') {
        return None;
    }
    let roots = [
        ("<Pubmed", RecordFormat::Pubmed),
        ("<dblp>", RecordFormat::Dblp),
        ("<OAI-PMH", RecordFormat::Oai),
        ("<collection id=", RecordFormat::AclAnthology),
    ];
    let found = roots.iter().find(|(root, _)| text.contains(root));
    found.map(|(_, format)| *format)
}

/// Members that only one source's records have. Searched as text, since the start may not contain
/// a whole record.
fn sniff_dump(text: &str) -> Option<RecordFormat> {
    let has = |member: &str| text.contains(&format!("\"{member}\""));
    if has("attributes") && (has("relationships") || has("creators") || has("doi")) {
        return Some(RecordFormat::Datacite);
    }
    if has("authors_parsed") && has("versions") {
        return Some(RecordFormat::Arxiv);
    }
    let is_entity = has("claims") && has("labels");
    if is_entity || has("item") && text.contains("//www.wikidata.org/entity/Q") {
        return Some(RecordFormat::Wikidata);
    }
    if text.contains("https://openalex.org/") {
        return Some(RecordFormat::Openalex);
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
        return Some(RecordFormat::Crossref);
    }
    None
}

/// A bibliography file, as detected by the format registry; the name helps with the two formats that may
/// have any text before their first entry.
fn sniff_file(name: &str, head: &[u8]) -> Option<RecordFormat> {
    let content = Content::new(head);
    let told = exchange::recognise(&content, Hints::default(), &Budget::unlimited());
    let by_name = || {
        let (_, ending) = name.rsplit_once('.')?;
        exchange::Format::named(ending)
            .filter(|format| [&exchange::BIBTEX, &exchange::RIS].contains(format))
    };
    told.ok()?
        .ok()?
        .or_else(by_name)
        .and_then(RecordFormat::of_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, head: &str, expected: Option<RecordFormat>) {
        assert_eq!(
            RecordFormat::sniff(name, head.as_bytes()),
            expected,
            "{name}: {head}"
        );
    }

    #[test]
    fn format_is_detected_from_the_start() {
        check(
            "x",
            r#"[{"id":"a","type":"book","title":"T"}]"#,
            Some(RecordFormat::CslJson),
        );
        check(
            "x",
            r#"{"items":[{"indexed":{},"DOI":"10.1/a","member":"1"}]}"#,
            Some(RecordFormat::Crossref),
        );
        check(
            "x",
            r#"{"id":"10.1/a","type":"dois","attributes":{"doi":"10.1/a"}}"#,
            Some(RecordFormat::Datacite),
        );
        check(
            "x",
            r#"{"id":"https://openalex.org/W1"}"#,
            Some(RecordFormat::Openalex),
        );
        check(
            "x",
            "/type/edition\t/books/OL1M\t1\t2020\t{}",
            Some(RecordFormat::Openlibrary),
        );
        check(
            "x",
            "<?xml?><!DOCTYPE x><PubmedArticleSet>",
            Some(RecordFormat::Pubmed),
        );
        check("x", "\u{feff}% hello\n@book{a,", Some(RecordFormat::Bibtex));
        check("x", "\nTY  - JOUR\r\n", Some(RecordFormat::Ris));
        check("refs.bib", "", Some(RecordFormat::Bibtex));
        let nbib = exchange::Format::named("nbib").map(RecordFormat::File);
        check("pubmed.txt", "PMID- 1\nTI  - A\n", nbib);
        check(
            "retraction_watch.csv",
            "Record ID,OriginalPaperDOI,RetractionNature\n",
            Some(RecordFormat::RetractionWatch),
        );
        check(
            "part_000.csv",
            "merge_date,id,merge_into_id\n2024-01-01,W1,W2\n",
            Some(RecordFormat::OpenalexMerged),
        );
        check(
            "x",
            r#"{"item":{"value":"http://www.wikidata.org/entity/Q1"},"title":{"value":"T"}}"#,
            Some(RecordFormat::Wikidata),
        );
        check(
            "x",
            r#"{"type":"item","id":"Q1","labels":{},"claims":{}}"#,
            Some(RecordFormat::Wikidata),
        );
        check(
            "dblp.xml",
            "<?xml version=\"1.0\"?>\n<dblp>\n<article",
            Some(RecordFormat::Dblp),
        );
        check(
            "x",
            "<collection id=\"2020.acl\">",
            Some(RecordFormat::AclAnthology),
        );
        check("x", "<?xml?><OAI-PMH xmlns=\"x\">", Some(RecordFormat::Oai));
        check(
            "x",
            r#"{"id":"0704.0001","versions":[],"authors_parsed":[]}"#,
            Some(RecordFormat::Arxiv),
        );
        check("manifest", r#"{"entries":[{"url":"s3://x"}]}"#, None);
        check("x.csv", "doi,state\n10.1/a,findable", None);
        check("x.html", "<html>", None);
    }
}
