//! Splits a stream into records without parsing them: lines, elements of a JSON array, elements
//! of an XML document, runs of BibTeX entries or RIS records. A broken record only affects itself.

mod json;
mod record;
mod rows;
mod runs;
mod xml;

pub use record::{FrameError, FramedRecord};
pub use runs::Runs;

use std::io::Read;

use self::json::{json_framing, next_line, next_value};
use self::record::{is_too_long, more, skip_record};
use self::rows::{header_of, next_row};
use self::runs::{RUN, fill_run};
use self::xml::{RecordElement, next_element};
use super::format::RecordFormat;
use super::window::ReadWindow;
use citation_exchange as exchange;
use citation_exchange::bibtex::inheritance::Inheritance;

/// How the records of a stream are separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One record per line; blank lines are skipped.
    Lines,
    /// The elements of a JSON array that starts at this byte, or concatenated JSON values.
    JsonValues { preamble: usize },
    /// The elements of an XML document with these names.
    Elements(&'static [RecordElement]),
    /// One record a row of a table, behind the header of the file.
    Rows { header: String },
    /// Whole entries, some megabytes at a time, each run with the entries that it inherits from.
    Bibtex(Runs),
    /// Whole records, some megabytes at a time.
    Ris(Runs),
    /// The whole file, for formats without visible record boundaries.
    Whole,
}

impl Framing {
    /// The framing of a stream by its format and its start.
    pub fn of(format: RecordFormat, head: &[u8]) -> Framing {
        match format {
            RecordFormat::Openlibrary => Framing::Lines,
            RecordFormat::Pubmed => Framing::Elements(&xml::PUBMED),
            RecordFormat::Dblp => Framing::Elements(&xml::DBLP),
            RecordFormat::Oai => Framing::Elements(&xml::OAI),
            RecordFormat::AclAnthology => Framing::Whole,
            RecordFormat::RetractionWatch | RecordFormat::OpenalexMerged => Framing::Rows {
                header: header_of(head),
            },
            RecordFormat::Bibtex => Framing::Bibtex(Runs::of(head, "@")),
            RecordFormat::Ris => Framing::Ris(Runs::of(head, "TY  -")),
            RecordFormat::File(_) => Framing::Whole,
            RecordFormat::CslJson
            | RecordFormat::Crossref
            | RecordFormat::Datacite
            | RecordFormat::Openalex
            | RecordFormat::Wikidata
            | RecordFormat::Arxiv => json_framing(head),
        }
    }

    /// Where the first record may start, in bytes.
    pub fn preamble(&self) -> usize {
        match self {
            Framing::JsonValues { preamble } => *preamble,
            Framing::Rows { header } => header.len(),
            _ => 0,
        }
    }

    /// Finds the next record. Returns its range in the window and the number of bytes to consume;
    /// `None` at the end.
    pub fn next<R: Read>(
        &mut self,
        window: &mut ReadWindow<R>,
    ) -> Result<Option<FramedRecord>, FrameError> {
        match self {
            Framing::Lines => next_line(window),
            Framing::JsonValues { .. } => next_value(window),
            Framing::Elements(elements) => next_element(elements, window),
            Framing::Rows { header } => next_row(header, window),
            Framing::Bibtex(runs) | Framing::Ris(runs) => runs.next(window),
            Framing::Whole => whole(window),
        }
    }

    /// Whether the records of a stream are split into several runs that may inherit from each
    /// other.
    pub fn needs_inheritance<R: Read>(&self, window: &mut ReadWindow<R>) -> bool {
        // Errors of the stream are reported when the run is read.
        matches!(self, Framing::Bibtex(_))
            && (window.offset() > 0 || fill_run(window, RUN).is_ok_and(|ended| !ended))
    }

    /// Adds inherited entries to runs.
    pub fn inherit(&mut self, inherited: Inheritance) {
        if let Framing::Bibtex(runs) = self {
            runs.inherited = Some(inherited);
        }
    }
}

/// Splits a BibTeX stream into its runs, each with its start offset. Unreadable parts
/// are omitted.
pub fn each_run(head: &[u8], stream: impl Read, mut take: impl FnMut(&str, u64)) {
    let mut framing = Framing::of(RecordFormat::Bibtex, head);
    let mut window = ReadWindow::new(stream, 0);
    loop {
        let record = match framing.next(&mut window) {
            Ok(Some(record)) => record,
            Err(FrameError::TooLong { .. }) => continue,
            Ok(None) | Err(_) => return,
        };
        let bytes = window.bytes().get(record.start..record.end);
        let (text, _) = exchange::decode(bytes.unwrap_or_default());
        take(
            if record.text.is_empty() {
                &text
            } else {
                &record.text
            },
            window.offset(),
        );
        window.consume(record.consumed);
    }
}

/// Everything, up to the maximum length of a record.
fn whole<R: Read>(window: &mut ReadWindow<R>) -> Result<Option<FramedRecord>, FrameError> {
    while more(window)? {
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| Err(bytes.len())));
        }
    }
    let length = window.bytes().len();
    Ok((length > 0).then(|| FramedRecord::new(0, length, length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time, so that records cross every edge.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let length = self.0.len().min(out.len()).min(3);
            let (now, later) = self.0.split_at(length);
            out[..length].copy_from_slice(now);
            self.0 = later;
            Ok(length)
        }
    }

    fn cut(format: RecordFormat, text: &str) -> Vec<String> {
        let mut framing = Framing::of(format, text.as_bytes());
        let preamble = framing.preamble();
        let mut window = ReadWindow::new(Trickle(&text.as_bytes()[preamble..]), preamble as u64);
        let mut records = Vec::new();
        loop {
            match framing.next(&mut window) {
                Ok(Some(record)) => {
                    let bytes = &window.bytes()[record.start..record.end];
                    let at = window.offset() as usize;
                    assert_eq!(&text.as_bytes()[at..at + bytes.len()], bytes, "offset");
                    records.push(String::from_utf8(bytes.to_vec()).unwrap());
                    window.consume(record.consumed);
                }
                Ok(None) => return records,
                Err(error) => {
                    records.push(format!("{error:?}"));
                    return records;
                }
            }
        }
    }

    fn check(format: RecordFormat, text: &str, expected: &[&str]) {
        assert_eq!(cut(format, text), expected, "{text}");
    }

    #[test]
    fn lines() {
        check(
            RecordFormat::Crossref,
            "{\"a\":1}\n\n{\"b\":2}\r\n{\"c\"",
            &["{\"a\":1}", "{\"b\":2}\r", "{\"c\""],
        );
        check(RecordFormat::Openlibrary, "/type/x\ta\n", &["/type/x\ta"]);
        check(RecordFormat::Openlibrary, "", &[]);
    }

    #[test]
    fn json_arrays_are_found_at_any_depth() {
        let expected = [r#"{"a":"]}\"["}"#, r#"{"b":[{}]}"#];
        check(
            RecordFormat::CslJson,
            r#"[{"a":"]}\"["} , {"b":[{}]}]"#,
            &expected,
        );
        check(
            RecordFormat::Crossref,
            r#"{"items":[{"a":"]}\"["},{"b":[{}]}]}"#,
            &expected,
        );
        check(
            RecordFormat::Crossref,
            r#"{"status":"ok","message":{"facets":{"x":[1]},"items":[{"a":"]}\"["},{"b":[{}]}]}}"#,
            &expected,
        );
        check(
            RecordFormat::Datacite,
            r#"{"data":[{"a":"]}\"["},{"b":[{}]}],"meta":{}}"#,
            &expected,
        );
        check(RecordFormat::CslJson, "[]", &[]);
        check(RecordFormat::CslJson, "[ 7, \"x\" ]", &["7", "\"x\""]);
    }

    #[test]
    fn json_values_span_lines() {
        check(
            RecordFormat::CslJson,
            "{\n \"a\": 1\n}\n{\n}",
            &["{\n \"a\": 1\n}", "{\n}"],
        );
    }

    #[test]
    fn truncated_array_gives_its_complete_values() {
        check(
            RecordFormat::CslJson,
            r#"[{"a":1},{"b":"#,
            &[r#"{"a":1}"#, "Cut { offset: 9 }"],
        );
    }

    #[test]
    fn xml_elements() {
        check(
            RecordFormat::Pubmed,
            "<PubmedArticleSet><PubmedArticle><a/></PubmedArticle>\n<PubmedArticle x='1'>b\
             </PubmedArticle><DeleteCitation><PMID>1</PMID></DeleteCitation></PubmedArticleSet>",
            &[
                "<PubmedArticle><a/></PubmedArticle>",
                "<PubmedArticle x='1'>b</PubmedArticle>",
                "<DeleteCitation><PMID>1</PMID></DeleteCitation>",
            ],
        );
    }

    #[test]
    fn rows_of_a_table_follow_its_header() {
        let text = "RetractionNature,OriginalPaperDOI\r\n\"a\nb\",\"\"\"c\"\r\n\nd,e";
        let rows = ["\"a\nb\",\"\"\"c\"\r", "d,e"];
        check(RecordFormat::RetractionWatch, text, &rows);
        let mut framing = Framing::of(RecordFormat::RetractionWatch, text.as_bytes());
        let mut window = ReadWindow::new("d,e".as_bytes(), 0);
        let row = framing.next(&mut window).unwrap().unwrap();
        assert_eq!(row.text, "RetractionNature,OriginalPaperDOI\r\n");
    }

    #[test]
    fn nested_elements_of_the_same_name_are_one_record() {
        let record = "<record><metadata><record><a/></record></metadata></record>";
        check(
            RecordFormat::Oai,
            &format!("<ListRecords>{record}<records/><record>b</record></ListRecords>"),
            &[record, "<record>b</record>"],
        );
        check(
            RecordFormat::Dblp,
            "<dblp><article key='a'>x</article><articles/><www key='b'>y</www></dblp>",
            &["<article key='a'>x</article>", "<www key='b'>y</www>"],
        );
    }

    /// Splits a long text like an ingest; returns each run with its inherited part marked by bars.
    fn runs(bytes: &[u8]) -> Vec<String> {
        let mut inherited = Inheritance::default();
        each_run(bytes, bytes, |text, _| inherited.note(text));
        each_run(bytes, bytes, |text, offset| inherited.gather(text, offset));
        let mut framing = Framing::of(RecordFormat::Bibtex, bytes);
        let mut window = ReadWindow::new(bytes, 0);
        assert!(framing.needs_inheritance(&mut window));
        framing.inherit(inherited);
        let mut runs = Vec::new();
        while let Some(record) = framing.next(&mut window).unwrap() {
            let (inherited, own) = record.text.split_at(record.inherited);
            runs.push(format!("|{inherited}|{own}"));
            window.consume(record.consumed);
        }
        runs
    }

    /// The text of the runs without what they inherit.
    fn own_parts(runs: &[String]) -> String {
        let own = runs.iter().filter_map(|run| run.split('|').nth(2));
        own.collect()
    }

    fn long_text(line_break: &str) -> String {
        let mut text = format!(
            "@string{{j = {{Journal}}}}{line_break}@inproceedings{{a, crossref = {{last}}}}{line_break}"
        );
        while text.len() < RUN + 1000 {
            text.push_str("@article{k,");
            text.push_str(line_break);
            text.push_str(" journal = j}");
            text.push_str(line_break);
        }
        text.push_str("@proceedings{last, title = {É}}");
        text.push_str(line_break);
        text
    }

    #[test]
    fn long_texts_are_split_into_runs_with_inherited_entries() {
        for line_break in ["\n", "\r\n", "\r"] {
            let text = long_text(line_break);
            let runs = runs(text.as_bytes());
            assert_eq!(runs.len(), 2, "{line_break:?}");
            let first = "|@proceedings{last, title = {É}} |@string{j = {Journal}}";
            assert!(
                runs[0].starts_with(first),
                "{}",
                runs[0].get(..100).unwrap()
            );
            assert!(runs[1].starts_with("|@string{j = {Journal}} |@proceedings{last"));
            assert_eq!(own_parts(&runs), text);
        }
    }

    #[test]
    fn long_texts_in_utf_16_are_split() {
        let text = long_text("\n");
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let marked = format!("\u{feff}{text}");
            let bytes: Vec<u8> = marked.encode_utf16().flat_map(unit).collect();
            let runs = runs(&bytes);
            assert_eq!(runs.len(), 2);
            assert_eq!(own_parts(&runs), text);
        }
    }

    #[test]
    fn short_text_files_are_one_run() {
        check(
            RecordFormat::Bibtex,
            "@book{a,}\n@book{b,}\n",
            &["@book{a,}\n@book{b,}\n"],
        );
        check(
            RecordFormat::Ris,
            "TY  - BOOK\nER  - \n",
            &["TY  - BOOK\nER  - \n"],
        );
        check(RecordFormat::Ris, "\n \n", &[]);
    }
}
