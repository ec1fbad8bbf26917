//! Splits a stream into records without parsing them: lines, elements of a JSON array, elements
//! of an XML document, runs of BibTeX entries or RIS records. A broken record only affects itself.

use std::io::Read;

use memchr::memmem;

use super::format::Format;
use super::window::{MAX_RECORD, Window};
use citation_exchange::bibtex::inheritance::Inheritance;
use citation_exchange::encoding::sniff;
use citation_exchange::{self as exchange, Encoding};
use citation_records::json_scan;

/// How the records of a stream are separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One record per line; blank lines are skipped.
    Lines,
    /// The elements of a JSON array that starts at this byte, or concatenated JSON values.
    JsonValues { preamble: usize },
    /// The elements of `<PubmedArticleSet>`.
    Pubmed,
    /// Whole entries, some megabytes at a time, each run with the entries that it inherits from.
    Bibtex(Runs),
    /// Whole records, some megabytes at a time.
    Ris(Runs),
    /// The whole file, for formats without visible record boundaries.
    Whole,
}

/// Text formats are split into runs of about this many bytes; shorter files are one run.
const RUN: usize = 8 << 20;

/// Why no further record can be found.
#[derive(Debug)]
pub enum FrameError {
    Read(std::io::Error),
    /// A record exceeds the size limit. It has been skipped; the next one follows.
    TooLong {
        offset: u64,
    },
    /// The stream ends within a record.
    Cut {
        offset: u64,
    },
}

impl Framing {
    /// The framing of a stream by its format and its start.
    pub fn of(format: Format, head: &[u8]) -> Framing {
        match format {
            Format::Openlibrary => Framing::Lines,
            Format::Pubmed => Framing::Pubmed,
            Format::Bibtex => Framing::Bibtex(Runs::of(head, "@")),
            Format::Ris => Framing::Ris(Runs::of(head, "TY  -")),
            Format::File(_) => Framing::Whole,
            Format::CslJson | Format::Crossref | Format::Datacite | Format::Openalex => {
                json_framing(head)
            }
        }
    }

    /// Where the first record may start, in bytes.
    pub fn preamble(&self) -> usize {
        match self {
            Framing::JsonValues { preamble } => *preamble,
            _ => 0,
        }
    }

    /// Finds the next record. Returns its range in the window and the number of bytes to consume;
    /// `None` at the end.
    pub fn next<R: Read>(
        &mut self,
        window: &mut Window<R>,
    ) -> Result<Option<FramedRecord>, FrameError> {
        match self {
            Framing::Lines => next_line(window),
            Framing::JsonValues { .. } => next_value(window),
            Framing::Pubmed => next_element(window),
            Framing::Bibtex(runs) | Framing::Ris(runs) => runs.next(window),
            Framing::Whole => whole(window),
        }
    }

    /// Whether the records of a stream are split into several runs that may inherit from each
    /// other.
    pub fn needs_inheritance<R: Read>(&self, window: &mut Window<R>) -> bool {
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
    let mut framing = Framing::of(Format::Bibtex, head);
    let mut window = Window::new(stream, 0);
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

/// A record within the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FramedRecord {
    pub start: usize,
    pub end: usize,
    /// Number of bytes to consume.
    pub consumed: usize,
    /// The record, if it differs from the window's content.
    pub text: String,
    /// Number of bytes at the start of the text that are inherited from other runs.
    pub inherited: usize,
}

impl FramedRecord {
    fn new(start: usize, end: usize, consumed: usize) -> FramedRecord {
        FramedRecord {
            start,
            end,
            consumed,
            text: String::new(),
            inherited: 0,
        }
    }
}

/// Lines, unless the start shows an array, alone or under a member with records, or a
/// value spread over several lines.
fn json_framing(head: &[u8]) -> Framing {
    if let Some(preamble) = json_scan::find_array(head) {
        return Framing::JsonValues { preamble };
    }
    let first_line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let whole = json_scan::value_end(first_line, &mut json_scan::State::default()).is_some();
    let cut = first_line.len() == head.len();
    if whole || cut {
        Framing::Lines
    } else {
        Framing::JsonValues { preamble: 0 }
    }
}

fn more<R: Read>(window: &mut Window<R>) -> Result<bool, FrameError> {
    window.more().map_err(FrameError::Read)
}

fn is_too_long<R: Read>(window: &Window<R>) -> bool {
    window.bytes().len() > MAX_RECORD
}

/// Consumes a record that is too long. `end` returns where it ends, or the number of bytes
/// that need not be searched again.
fn skip_record<R: Read>(
    window: &mut Window<R>,
    mut end: impl FnMut(&[u8]) -> Result<usize, usize>,
) -> FrameError {
    let offset = window.offset();
    loop {
        match end(window.bytes()) {
            Ok(end) => {
                window.consume(end);
                return FrameError::TooLong { offset };
            }
            Err(seen) => window.consume(seen),
        }
        match more(window) {
            Ok(true) => {}
            Ok(false) => return FrameError::Cut { offset },
            Err(error) => return error,
        }
    }
}

fn next_line<R: Read>(window: &mut Window<R>) -> Result<Option<FramedRecord>, FrameError> {
    let mut searched = 0;
    loop {
        let bytes = window.bytes();
        let rest = bytes.get(searched..).unwrap_or_default();
        if let Some(at) = memchr::memchr(b'\n', rest) {
            let end = searched + at;
            let line = bytes.get(..end).unwrap_or_default();
            if line.iter().all(u8::is_ascii_whitespace) {
                window.consume(end + 1);
                searched = 0;
                continue;
            }
            return Ok(Some(FramedRecord::new(0, end, end + 1)));
        }
        if is_too_long(window) {
            let line_end = |bytes: &[u8]| match memchr::memchr(b'\n', bytes) {
                Some(at) => Ok(at + 1),
                None => Err(bytes.len()),
            };
            return Err(match skip_record(window, line_end) {
                // The last line needs no line break.
                FrameError::Cut { offset } => FrameError::TooLong { offset },
                error => error,
            });
        }
        searched = bytes.len();
        if !more(window)? {
            let bytes = window.bytes();
            let blank = bytes.iter().all(u8::is_ascii_whitespace);
            return Ok((!blank).then(|| FramedRecord::new(0, bytes.len(), bytes.len())));
        }
    }
}

fn next_value<R: Read>(window: &mut Window<R>) -> Result<Option<FramedRecord>, FrameError> {
    // Values are separated by commas, brackets and white space; a closing bracket ends the array.
    loop {
        let bytes = window.bytes();
        let start = bytes
            .iter()
            .position(|byte| !matches!(byte, b',' | b' ' | b'\n' | b'\r' | b'\t'));
        match start.and_then(|start| bytes.get(start)) {
            Some(b']' | b'}') => return Ok(None),
            Some(_) => {
                window.consume(start.unwrap_or_default());
                break;
            }
            None => {
                window.consume(bytes.len());
                if !more(window)? {
                    return Ok(None);
                }
            }
        }
    }
    let mut state = json_scan::State::default();
    loop {
        if let Some(end) = json_scan::value_end(window.bytes(), &mut state) {
            return Ok(Some(FramedRecord::new(0, end, end)));
        }
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| {
                json_scan::value_end(bytes, &mut state).ok_or_else(|| state.forget())
            }));
        }
        if !more(window)? {
            return Err(FrameError::Cut {
                offset: window.offset(),
            });
        }
    }
}

/// The record elements of a PubMed file, and their end tags.
const PUBMED: [(&[u8], &[u8]); 3] = [
    (b"<PubmedArticle", b"</PubmedArticle>"),
    (b"<PubmedBookArticle", b"</PubmedBookArticle>"),
    (b"<DeleteCitation", b"</DeleteCitation>"),
];

/// Everything, up to the maximum length of a record.
fn whole<R: Read>(window: &mut Window<R>) -> Result<Option<FramedRecord>, FrameError> {
    while more(window)? {
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| Err(bytes.len())));
        }
    }
    let length = window.bytes().len();
    Ok((length > 0).then(|| FramedRecord::new(0, length, length)))
}

fn next_element<R: Read>(window: &mut Window<R>) -> Result<Option<FramedRecord>, FrameError> {
    let close = loop {
        let bytes = window.bytes();
        let found = PUBMED
            .iter()
            .filter_map(|(open, close)| Some((find_tag(bytes, open)?, *close)))
            .min_by_key(|(at, _)| *at);
        match found {
            Some((at, close)) => {
                window.consume(at);
                break close;
            }
            None => {
                // A tag may cross the edge of the window.
                let keep = bytes.len().min(32);
                window.consume(bytes.len() - keep);
                if !more(window)? {
                    return Ok(None);
                }
            }
        }
    };
    let mut searched = 0;
    loop {
        let bytes = window.bytes();
        let rest = bytes.get(searched..).unwrap_or_default();
        if let Some(at) = memmem::find(rest, close) {
            let end = searched + at + close.len();
            return Ok(Some(FramedRecord::new(0, end, end)));
        }
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| {
                match memmem::find(bytes, close) {
                    Some(at) => Ok(at + close.len()),
                    None => Err(bytes.len().saturating_sub(close.len())),
                }
            }));
        }
        searched = bytes.len().saturating_sub(close.len());
        if !more(window)? {
            return Err(FrameError::Cut {
                offset: window.offset(),
            });
        }
    }
}

/// Finds an opening tag by its name; `<PubmedArticleSet>` is not `<PubmedArticle>`.
fn find_tag(bytes: &[u8], open: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, open).find(|at| {
        let next = bytes.get(at + open.len());
        next.is_some_and(|byte| matches!(byte, b'>' | b' ' | b'\n' | b'\r' | b'\t' | b'/'))
    })
}

/// How a text is split into runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The encoding, if characters have two bytes.
    wide: Option<Encoding>,
    /// The start of each record, at the start of a line.
    start: &'static str,
    inherited: Option<Inheritance>,
}

impl Runs {
    fn of(head: &[u8], start: &'static str) -> Runs {
        let encoding = sniff(head);
        Runs {
            wide: Some(encoding).filter(|e| matches!(e, Encoding::Utf16Le | Encoding::Utf16Be)),
            start,
            inherited: None,
        }
    }

    fn next<R: Read>(&self, window: &mut Window<R>) -> Result<Option<FramedRecord>, FrameError> {
        let end = self.run_end(window)?;
        let (bytes, offset) = (window.bytes(), window.offset());
        let run = bytes.get(..end).unwrap_or_default();
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        if run.iter().all(is_blank) {
            return Ok(None);
        }
        if self.wide.is_none() && self.inherited.is_none() {
            return Ok(Some(FramedRecord::new(0, end, end)));
        }
        let encoding = self.wide.unwrap_or_else(|| sniff(run));
        let own = exchange::encoding::decode_as(run, encoding);
        let before = self
            .inherited
            .as_ref()
            .map(|inherited| inherited.before(&own, offset));
        let before = before.unwrap_or_default();
        Ok(Some(FramedRecord {
            inherited: before.len(),
            text: before + &own,
            ..FramedRecord::new(0, 0, end)
        }))
    }

    /// Where a run ends: at the end of the stream, or before the last record that starts in the window, since
    /// that may continue after it.
    fn run_end<R: Read>(&self, window: &mut Window<R>) -> Result<usize, FrameError> {
        let mut length = RUN;
        loop {
            if fill_run(window, length)? {
                return Ok(window.bytes().len());
            }
            match self.last_start(window.bytes()) {
                Some(at) => return Ok(at),
                None if is_too_long(window) => {
                    return Err(skip_record(window, |bytes| {
                        // A line break and the start of a record may cross the edge.
                        let edge = bytes.len().saturating_sub(4 * (1 + self.start.len()));
                        self.next_start(bytes).ok_or(edge & !1)
                    }));
                }
                None => length = window.bytes().len(),
            }
        }
    }

    /// Where the last line that starts a record begins, after any kind of line break.
    fn last_start(&self, bytes: &[u8]) -> Option<usize> {
        let starts = self
            .starts(|sought| memmem::rfind_iter(bytes, sought).find(|at| self.is_character(*at)));
        starts.into_iter().flatten().max()
    }

    /// Where the first such line begins.
    fn next_start(&self, bytes: &[u8]) -> Option<usize> {
        let starts = self
            .starts(|sought| memmem::find_iter(bytes, sought).find(|at| self.is_character(*at)));
        starts.into_iter().flatten().min()
    }

    /// The match of `find` for any line break followed by the start of a record.
    fn starts(&self, find: impl Fn(&[u8]) -> Option<usize>) -> [Option<usize>; 2] {
        ["\n", "\r"].map(|line_break| {
            let at = find(&self.encoded(&format!("{line_break}{}", self.start)))?;
            Some(at + self.encoded(line_break).len())
        })
    }

    /// Whether a character starts at this byte.
    fn is_character(&self, at: usize) -> bool {
        self.wide.is_none() || at.is_multiple_of(2)
    }

    fn encoded(&self, text: &str) -> Vec<u8> {
        match self.wide {
            None => text.as_bytes().to_vec(),
            Some(Encoding::Utf16Be) => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Some(_) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        }
    }
}

/// Fills the window with at least so many bytes. True if the stream ends with it.
fn fill_run<R: Read>(window: &mut Window<R>, length: usize) -> Result<bool, FrameError> {
    while window.bytes().len() <= length {
        if !more(window)? {
            return Ok(true);
        }
    }
    Ok(false)
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

    fn cut(format: Format, text: &str) -> Vec<String> {
        let mut framing = Framing::of(format, text.as_bytes());
        let preamble = framing.preamble();
        let mut window = Window::new(Trickle(&text.as_bytes()[preamble..]), preamble as u64);
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

    fn check(format: Format, text: &str, expected: &[&str]) {
        assert_eq!(cut(format, text), expected, "{text}");
    }

    #[test]
    fn lines() {
        check(
            Format::Crossref,
            "{\"a\":1}\n\n{\"b\":2}\r\n{\"c\"",
            &["{\"a\":1}", "{\"b\":2}\r", "{\"c\""],
        );
        check(Format::Openlibrary, "/type/x\ta\n", &["/type/x\ta"]);
        check(Format::Openlibrary, "", &[]);
    }

    #[test]
    fn arrays_wherever_they_are() {
        let expected = [r#"{"a":"]}\"["}"#, r#"{"b":[{}]}"#];
        check(
            Format::CslJson,
            r#"[{"a":"]}\"["} , {"b":[{}]}]"#,
            &expected,
        );
        check(
            Format::Crossref,
            r#"{"items":[{"a":"]}\"["},{"b":[{}]}]}"#,
            &expected,
        );
        check(
            Format::Crossref,
            r#"{"status":"ok","message":{"facets":{"x":[1]},"items":[{"a":"]}\"["},{"b":[{}]}]}}"#,
            &expected,
        );
        check(
            Format::Datacite,
            r#"{"data":[{"a":"]}\"["},{"b":[{}]}],"meta":{}}"#,
            &expected,
        );
        check(Format::CslJson, "[]", &[]);
        check(Format::CslJson, "[ 7, \"x\" ]", &["7", "\"x\""]);
    }

    #[test]
    fn values_spread_over_lines() {
        check(
            Format::CslJson,
            "{\n \"a\": 1\n}\n{\n}",
            &["{\n \"a\": 1\n}", "{\n}"],
        );
    }

    #[test]
    fn cut_array_gives_what_is_whole() {
        check(
            Format::CslJson,
            r#"[{"a":1},{"b":"#,
            &[r#"{"a":1}"#, "Cut { offset: 9 }"],
        );
    }

    #[test]
    fn xml_elements() {
        check(
            Format::Pubmed,
            "<PubmedArticleSet><PubmedArticle><a/></PubmedArticle>\n<PubmedArticle x='1'>b\
             </PubmedArticle><DeleteCitation><PMID>1</PMID></DeleteCitation></PubmedArticleSet>",
            &[
                "<PubmedArticle><a/></PubmedArticle>",
                "<PubmedArticle x='1'>b</PubmedArticle>",
                "<DeleteCitation><PMID>1</PMID></DeleteCitation>",
            ],
        );
    }

    /// Splits a long text like an ingest; returns each run with its inherited part marked by bars.
    fn runs(bytes: &[u8]) -> Vec<String> {
        let mut inherited = Inheritance::default();
        each_run(bytes, bytes, |text, _| inherited.note(text));
        each_run(bytes, bytes, |text, offset| inherited.gather(text, offset));
        let mut framing = Framing::of(Format::Bibtex, bytes);
        let mut window = Window::new(bytes, 0);
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
    fn long_texts_come_in_runs_with_what_they_need() {
        for line_break in ["\n", "\r\n", "\r"] {
            let text = long_text(line_break);
            let runs = runs(text.as_bytes());
            assert_eq!(runs.len(), 2, "{line_break:?}");
            let first = "|@proceedings{last, title = {É}} |@string{j = {Journal}}";
            assert!(runs[0].starts_with(first), "{}", &runs[0][..100]);
            assert!(runs[1].starts_with("|@string{j = {Journal}} |@proceedings{last"));
            let own: Vec<&str> = runs
                .iter()
                .filter_map(|run| run.split('|').nth(2))
                .collect();
            assert_eq!(own.concat(), text);
        }
    }

    #[test]
    fn long_texts_may_be_of_wide_characters() {
        let text = long_text("\n");
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let marked = format!("\u{feff}{text}");
            let bytes: Vec<u8> = marked.encode_utf16().flat_map(unit).collect();
            let runs = runs(&bytes);
            assert_eq!(runs.len(), 2);
            let own: Vec<&str> = runs
                .iter()
                .filter_map(|run| run.split('|').nth(2))
                .collect();
            assert_eq!(own.concat(), text);
        }
    }

    #[test]
    fn short_text_files_stay_whole() {
        check(
            Format::Bibtex,
            "@book{a,}\n@book{b,}\n",
            &["@book{a,}\n@book{b,}\n"],
        );
        check(
            Format::Ris,
            "TY  - BOOK\nER  - \n",
            &["TY  - BOOK\nER  - \n"],
        );
        check(Format::Ris, "\n \n", &[]);
    }
}
