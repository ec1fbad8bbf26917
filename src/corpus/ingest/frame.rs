//! Cutting a stream into records without reading them: lines, elements of a JSON array, elements
//! of an XML document, runs of BibTeX entries or RIS records. A broken record costs itself only.

use std::io::Read;

use memchr::memmem;

use super::format::Format;
use super::json_scan;
use super::window::{MAX_RECORD, Window};

/// How the records of a stream are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One record a line; blank lines are none.
    Lines,
    /// The elements of a JSON array that begins at this byte, or JSON values one after the other.
    JsonValues { preamble: usize },
    /// The elements of `<PubmedArticleSet>`.
    Pubmed,
    /// Whole entries, some megabytes at a time, each run with the `@string`s before it.
    Bibtex { strings: Vec<u8> },
    /// Whole records, some megabytes at a time.
    Ris,
}

/// Text formats are cut into runs of about this many bytes; shorter files stay whole, so that
/// entries which refer to each other stay together.
const RUN: usize = 8 << 20;

/// Why no further record can be found.
#[derive(Debug)]
pub enum FrameError {
    Read(std::io::Error),
    /// A record seems to have no end.
    Endless {
        offset: u64,
    },
    /// The stream ends within a record.
    Cut {
        offset: u64,
    },
}

impl Framing {
    /// The framing of a stream by its format and its beginning.
    pub fn of(format: Format, head: &[u8]) -> Framing {
        match format {
            Format::Openlibrary => Framing::Lines,
            Format::Pubmed => Framing::Pubmed,
            Format::Bibtex => Framing::Bibtex {
                strings: Vec::new(),
            },
            Format::Ris => Framing::Ris,
            Format::CslJson | Format::Crossref | Format::Datacite | Format::Openalex => {
                json_framing(head)
            }
        }
    }

    /// Where the first record may begin, in bytes.
    pub fn preamble(&self) -> usize {
        match self {
            Framing::JsonValues { preamble } => *preamble,
            _ => 0,
        }
    }

    /// Finds the next record. Gives where it lies in the window and how much the window must move
    /// on behind it; nothing at the end.
    pub fn next<R: Read>(&mut self, window: &mut Window<R>) -> Result<Option<Record>, FrameError> {
        match self {
            Framing::Lines => next_line(window),
            Framing::JsonValues { .. } => next_value(window),
            Framing::Pubmed => next_element(window),
            Framing::Bibtex { strings } => next_bibtex(window, strings),
            Framing::Ris => next_ris(window),
        }
    }
}

/// A record within the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub start: usize,
    pub end: usize,
    /// How far the window moves on.
    pub consumed: usize,
    /// What belongs before the record's own bytes.
    pub before: Vec<u8>,
}

impl Record {
    fn new(start: usize, end: usize, consumed: usize) -> Record {
        Record {
            start,
            end,
            consumed,
            before: Vec::new(),
        }
    }
}

/// Lines, unless the beginning shows an array, alone or under a member that holds records, or a
/// value that is spread over lines.
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

/// Reads more, or says that a record is too long.
fn more<R: Read>(window: &mut Window<R>) -> Result<bool, FrameError> {
    if window.bytes().len() > MAX_RECORD {
        return Err(FrameError::Endless {
            offset: window.offset(),
        });
    }
    window.more().map_err(FrameError::Read)
}

fn next_line<R: Read>(window: &mut Window<R>) -> Result<Option<Record>, FrameError> {
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
            return Ok(Some(Record::new(0, end, end + 1)));
        }
        searched = bytes.len();
        if !more(window)? {
            let bytes = window.bytes();
            let blank = bytes.iter().all(u8::is_ascii_whitespace);
            return Ok((!blank).then(|| Record::new(0, bytes.len(), bytes.len())));
        }
    }
}

fn next_value<R: Read>(window: &mut Window<R>) -> Result<Option<Record>, FrameError> {
    // Commas, brackets and white space stand between values; what closes the array ends them.
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
            return Ok(Some(Record::new(0, end, end)));
        }
        if !more(window)? {
            return Err(FrameError::Cut {
                offset: window.offset(),
            });
        }
    }
}

/// The elements of a PubMed file that say something, and how they end.
const PUBMED: [(&[u8], &[u8]); 3] = [
    (b"<PubmedArticle", b"</PubmedArticle>"),
    (b"<PubmedBookArticle", b"</PubmedBookArticle>"),
    (b"<DeleteCitation", b"</DeleteCitation>"),
];

fn next_element<R: Read>(window: &mut Window<R>) -> Result<Option<Record>, FrameError> {
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
                // A tag may lie across the edge of the window.
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
            return Ok(Some(Record::new(0, end, end)));
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

/// Fills the window for a run. True when the stream ends with it.
fn fill_run<R: Read>(window: &mut Window<R>) -> Result<bool, FrameError> {
    while window.bytes().len() <= RUN {
        if !more(window)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn next_bibtex<R: Read>(
    window: &mut Window<R>,
    strings: &mut Vec<u8>,
) -> Result<Option<Record>, FrameError> {
    let ended = fill_run(window)?;
    let bytes = window.bytes();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let end = if ended {
        bytes.len()
    } else {
        // The last entry may go on behind the window; entries begin with @ on a new line.
        memmem::rfind(bytes, b"\n@").map_or(bytes.len(), |at| at + 1)
    };
    let run = bytes.get(..end).unwrap_or_default();
    let record = Record {
        before: strings.clone(),
        ..Record::new(0, end, end)
    };
    if !ended {
        collect_strings(run, strings);
    }
    Ok(Some(record))
}

/// Remembers the `@string`s of a run for the runs after it, all on one line, so that the line
/// numbers of what follows stay as they are.
fn collect_strings(run: &[u8], strings: &mut Vec<u8>) {
    for at in memchr::memchr_iter(b'@', run) {
        let entry = run.get(at..).unwrap_or_default();
        let kind = entry.get(1..7).unwrap_or_default();
        if !kind.eq_ignore_ascii_case(b"string") {
            continue;
        }
        let Some(end) = closing_bracket(entry) else {
            continue;
        };
        let on_one_line = |byte: &u8| match byte {
            b'\n' | b'\r' => b' ',
            other => *other,
        };
        let entry = entry.get(..=end).unwrap_or_default();
        strings.extend(entry.iter().map(on_one_line));
        strings.push(b' ');
    }
}

/// Where the bracket closes that an entry opens.
fn closing_bracket(entry: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in entry.iter().enumerate() {
        match byte {
            b'{' | b'(' => depth += 1,
            b'}' | b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn next_ris<R: Read>(window: &mut Window<R>) -> Result<Option<Record>, FrameError> {
    let ended = fill_run(window)?;
    let bytes = window.bytes();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let end = if ended {
        bytes.len()
    } else {
        memmem::rfind(bytes, b"\nTY  -").map_or(bytes.len(), |at| at + 1)
    };
    Ok(Some(Record::new(0, end, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, so that records lie across every edge.
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
    fn a_cut_array_gives_what_is_whole() {
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

    #[test]
    fn strings_are_remembered_on_one_line() {
        let mut strings = Vec::new();
        collect_strings(
            b"@book{a}\n@String(x = {A\n {B}})\n@string{y=",
            &mut strings,
        );
        assert_eq!(strings, b"@String(x = {A  {B}}) ");
    }

    #[test]
    fn long_text_files_come_in_runs_with_their_strings() {
        let mut text = "@string{j = {Journal}}\n".to_owned();
        while text.len() < RUN + 1000 {
            text.push_str("@article{k,\n  journal = j\n}\n");
        }
        let mut framing = Framing::of(Format::Bibtex, b"");
        let mut window = Window::new(text.as_bytes(), 0);
        let first = framing.next(&mut window).unwrap().unwrap();
        assert!(first.before.is_empty());
        window.consume(first.consumed);
        let second = framing.next(&mut window).unwrap().unwrap();
        assert_eq!(second.before, b"@string{j = {Journal}} ");
        assert!(window.bytes().starts_with(b"@article{k,"));
        window.consume(second.consumed);
        assert_eq!(framing.next(&mut window).unwrap(), None);
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
