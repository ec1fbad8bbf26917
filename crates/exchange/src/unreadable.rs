//! Known unsupported formats, each rejected by name with advice, so that they are never read as a list of
//! references. `content` uses the same table to detect binary files before decoding.

use std::fmt;

use citation_model::budget::{Budget, Exceeded};
use memchr::memmem;

use crate::content::Content;

/// A known, unsupported format.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The name of the file type in a sentence: `a Citavi project`.
    pub title: &'static str,
    /// Advice, one sentence.
    pub advice: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "This is {}. {}", self.title, self.advice)
    }
}

/// A row: the format and how to recognise it.
struct Row(Unreadable, fn(&Content<'_>) -> bool);

const fn row(
    title: &'static str,
    advice: &'static str,
    recognise: fn(&Content<'_>) -> bool,
) -> Row {
    Row(Unreadable { title, advice }, recognise)
}

/// The first match is reported.
static UNREADABLE: &[Row] = &[
    row(
        "a PDF",
        "Copy its references out as text, or look the work up by its DOI or title.",
        |content| content.bytes().trim_ascii_start().starts_with(b"%PDF-"),
    ),
    row(
        "a Word document",
        "Copy its references out as text; of a bibliography in it, Word's Sources.xml can be read.",
        |content| is_zip_with(content, b"word/"),
    ),
    row(
        "an OpenDocument text",
        "Copy its references out as text.",
        |content| is_zip_with(content, b"mimetypeapplication/vnd.oasis.opendocument"),
    ),
    row(
        "an Excel workbook",
        "Save the sheet as CSV and read that.",
        |content| is_zip_with(content, b"xl/"),
    ),
    row(
        "an e-book",
        "Look the book up by its ISBN or title.",
        |content| is_zip_with(content, b"mimetypeapplication/epub"),
    ),
    row(
        "a compressed EndNote library",
        "In EndNote choose File > Export with the output style RefMan (RIS), or XML, and read that file.",
        |content| is_zip_with(content, b".enl") || is_zip_with(content, b"sdb/"),
    ),
    row(
        "a ZIP archive",
        "Unpack it and read the files in it.",
        |content| content.bytes().starts_with(b"PK\x03\x04"),
    ),
    row(
        "a gzip archive",
        "Unpack it and read the file in it.",
        |content| content.bytes().starts_with(b"\x1f\x8b"),
    ),
    row(
        "a compressed archive",
        "Unpack it and read the files in it.",
        |content| {
            [
                &b"7z\xbc\xaf\x27\x1c"[..],
                b"Rar!\x1a\x07",
                b"BZh",
                b"\xfd7zXZ\0",
                b"\x28\xb5\x2f\xfd",
            ]
            .iter()
            .any(|magic| content.bytes().starts_with(magic))
        },
    ),
    row(
        "a Citavi project",
        "In Citavi choose File > Export > Export references, RIS, and read that file.",
        |content| is_sqlite_with(content, &[b"KnowledgeItem", b"ReferenceAuthor"]),
    ),
    row(
        "a Zotero database",
        "In Zotero choose File > Export Library, CSL JSON or RIS, and read that file.",
        |content| is_sqlite_with(content, &[b"itemData", b"itemTypes"]),
    ),
    row(
        "a Mendeley database",
        "In Mendeley choose File > Export, BibTeX or RIS, and read that file.",
        |content| is_sqlite_with(content, &[b"DocumentContributors", b"DocumentKeywords"]),
    ),
    row(
        "a Papers library",
        "In Papers choose File > Export, BibTeX or RIS, and read that file.",
        |content| is_sqlite_with(content, &[b"Publication", b"OrderedAuthor"]),
    ),
    row(
        "an EndNote library",
        "In EndNote choose File > Export with the output style RefMan (RIS), or XML, and read that file.",
        |content| is_sqlite_with(content, &[b"enl_refs"]) || is_endnote_library(content),
    ),
    row(
        "an SQLite database",
        "Export its references as RIS or BibTeX with the program that made it.",
        |content| content.bytes().starts_with(SQLITE),
    ),
    row(
        "an image",
        "Copy the references out as text, for example with text recognition.",
        |content| is_image(content.bytes()),
    ),
    row(
        "an old Office document",
        "Copy its references out as text, or save a table as CSV.",
        |content| content.bytes().starts_with(b"\xd0\xcf\x11\xe0"),
    ),
    row(
        "a rich text document",
        "Copy its references out as text.",
        |content| content.head().starts_with("{\\rtf"),
    ),
    row(
        "a Web page without citation metadata (COinS)",
        "Copy its references out as text, or look its address up.",
        |content| {
            let is_html = |name: &str| name.eq_ignore_ascii_case("html");
            content.root().is_some_and(|root| is_html(root.name))
                || content
                    .head()
                    .get(..14)
                    .is_some_and(|head| head.eq_ignore_ascii_case("<!doctype html"))
        },
    ),
    row(
        "XML of a kind that is not read",
        "Export RIS, BibTeX or CSL-JSON from where it comes from.",
        |content| content.root().is_some() || content.head().starts_with("<?xml"),
    ),
    row(
        "JSON of a kind that is not read",
        "Export CSL-JSON, RIS or BibTeX from where it comes from.",
        |content| content.json().is_some(),
    ),
    row(
        "a Copac export",
        "Look its works up by ISBN or title, or export from Library Hub Discover as RIS.",
        |content| has_lines(content, &["TI- ", "HL- "]),
    ),
    row(
        "a Biblioscape export",
        "In Biblioscape choose the export as RIS and read that file.",
        |content| {
            { ["--AU-- ", "--TI-- ", "--RT-- "].iter() }.any(|tag| has_lines(content, &[tag]))
        },
    ),
    row(
        "a report of RePEc's NEP",
        "Look its papers up by title, or take their RIS or BibTeX from IDEAS or EconPapers.",
        |content| has_lines(content, &["NEP: New Economics Papers"]),
    ),
    row(
        "a binary file",
        "Export RIS, BibTeX or CSL-JSON from the program that made it.",
        |content| !crate::is_text(content.text()),
    ),
    row(
        "a tagged format that is not read",
        "Export RIS, BibTeX or CSL-JSON from where it comes from.",
        |content| most_lines(content, is_tagged),
    ),
    row(
        "YAML of a kind that is not read",
        "Write it as CSL-JSON or BibTeX.",
        |content| content.head().starts_with("---\n") || most_lines(content, is_member),
    ),
    row(
        "a table without a header that is understood",
        "Name its columns in the first line, such as title, author, year and doi.",
        is_table,
    ),
];

/// The unsupported format of a file, if any.
pub(crate) fn recognise(
    content: &Content<'_>,
    budget: &Budget,
) -> Result<Option<&'static Unreadable>, Exceeded> {
    // One row looks at the whole text.
    budget.spend(content.text().len() as u64 / 8 + 1)?;
    for Row(unreadable, is) in UNREADABLE {
        budget.spend(content.bytes().len().min(2 * LOOKED_AT) as u64 / 8 + 1)?;
        if is(content) {
            return Ok(Some(unreadable));
        }
    }
    Ok(None)
}

/// Whether the first bytes are those of a container, database or image, which are not decoded as text.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let magic: [&[u8]; 10] = [
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"%PDF-",
        SQLITE,
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
        b"BZh",
        b"\xfd7zXZ\0",
        b"\x28\xb5\x2f\xfd",
        b"\xd0\xcf\x11\xe0",
    ];
    magic.iter().any(|magic| bytes.starts_with(magic)) || is_image(bytes)
}

const SQLITE: &[u8] = b"SQLite format 3\0";

/// Names of tables and packed files are near the beginning; the latter also near the end.
const LOOKED_AT: usize = 256 * 1024;

fn has(bytes: &[u8], needle: &[u8]) -> bool {
    let tail = bytes.len().saturating_sub(LOOKED_AT);
    let parts = [
        bytes.get(..LOOKED_AT).unwrap_or(bytes),
        bytes.get(tail..).unwrap_or_default(),
    ];
    parts
        .iter()
        .any(|part| memmem::find(part, needle).is_some())
}

fn is_zip_with(content: &Content<'_>, needle: &[u8]) -> bool {
    content.bytes().starts_with(b"PK\x03\x04") && has(content.bytes(), needle)
}

fn is_sqlite_with(content: &Content<'_>, tables: &[&[u8]]) -> bool {
    content.bytes().starts_with(SQLITE) && tables.iter().all(|table| has(content.bytes(), table))
}

/// The table of an EndNote library before version X9 begins with its name.
fn is_endnote_library(content: &Content<'_>) -> bool {
    let beginning = content.bytes().get(..64).unwrap_or_default();
    memmem::find(beginning, b"EndNote").is_some() && beginning.contains(&0)
}

fn is_image(bytes: &[u8]) -> bool {
    let magic: [&[u8]; 6] = [
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"II*\0",
        b"MM\0*",
        b"BM",
    ];
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    is_webp || { magic.iter() }.any(|magic| bytes.starts_with(magic))
        && bytes.get(..64).unwrap_or(bytes).contains(&0)
}

/// Whether there are lines that begin with each of these.
fn has_lines(content: &Content<'_>, starts: &[&str]) -> bool {
    let has = |start: &&str| content.lines().any(|line| line.starts_with(start));
    starts.iter().all(has)
}

/// Whether most of the first lines match. In a list of references none do.
fn most_lines(content: &Content<'_>, is: fn(&str) -> bool) -> bool {
    let lines = content.lines().filter(|line| !line.is_empty()).take(60);
    let (mut fit, mut all) = (0, 0);
    for line in lines {
        fit += usize::from(is(line));
        all += 1;
    }
    fit >= 4 && fit * 10 >= all * 7
}

/// `TI- A title`, `AU: Doe`, `{TI} A title`
fn is_tagged(line: &str) -> bool {
    let line = line.trim_start_matches(['{', '[', '<', '-', '%', '*']);
    let end = line.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit());
    let (Some(tag), Some(rest)) = (line.get(..end.unwrap_or(0)), line.get(end.unwrap_or(0)..))
    else {
        return false;
    };
    let is_closed = rest
        .trim_start()
        .starts_with(['-', ':', '=', '|', '}', ']', '>']);
    (2..=4).contains(&tag.len()) && tag.starts_with(|c: char| c.is_ascii_uppercase()) && is_closed
}

/// `title: A`, `- family: Doe`
fn is_member(line: &str) -> bool {
    let member = line.trim_start().trim_start_matches("- ");
    member.split_once(':').is_some_and(|(name, value)| {
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        is_name && (value.is_empty() || value.starts_with(' '))
    })
}

/// Several rows with the same number of tab-separated cells.
fn is_table(content: &Content<'_>) -> bool {
    let rows = content.lines().filter(|line| !line.is_empty()).take(10);
    let widths: Vec<usize> = rows.map(|row| row.matches('\t').count()).collect();
    widths.len() >= 3
        && widths
            .iter()
            .all(|width| *width >= 2 && Some(width) == widths.first())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], title: Option<&str>) {
        let told = recognise(&Content::new(bytes), &Budget::unlimited()).unwrap();
        assert_eq!(told.map(|unreadable| unreadable.title), title);
    }

    #[test]
    fn unreadable_formats_are_named() {
        check(b"%PDF-1.7\n1 0 obj", Some("a PDF"));
        check(
            b"PK\x03\x04\x14\0\x06\0word/document.xml",
            Some("a Word document"),
        );
        check(b"PK\x03\x04\x14\0\x06\0a.txt", Some("a ZIP archive"));
        check(
            b"SQLite format 3\0..CREATE TABLE KnowledgeItem ReferenceAuthor",
            Some("a Citavi project"),
        );
        check(b"SQLite format 3\0..", Some("an SQLite database"));
        check(b"\x89PNG\r\n\x1a\n\0\0\0\r", Some("an image"));
        check(b"{\\rtf1 x}", Some("a rich text document"));
        check(
            b"<!DOCTYPE html>\n<html><p>x",
            Some("a Web page without citation metadata (COinS)"),
        );
        check(
            b"<odd xmlns='x'><y/></odd>",
            Some("XML of a kind that is not read"),
        );
        check(b"{\"odd\": 1}", Some("JSON of a kind that is not read"));
        check(b"\x7fELF\x02\x01\x01\0\0\0\0", Some("a binary file"));
        check(b"TI- A\nAU- B\nHL- C\n", Some("a Copac export"));
        check(
            b"\n--AU-- Doe, J.\n--TI-- A\n",
            Some("a Biblioscape export"),
        );
        check(
            b"TTL: A\nAUT: B\nYER: 2001\nPUB: C\n",
            Some("a tagged format that is not read"),
        );
        check(
            b"name: x\nauthors:\n  - name: y\nlicense: z\n",
            Some("YAML of a kind that is not read"),
        );
        check(
            b"a\tb\tc\n1\t2\t3\n1\t2\t3\n",
            Some("a table without a header that is understood"),
        );
        check(b"[1] Doe J. A of it. 2001.", None);
        check(
            b"REFERENCES\nDOE J: A of it. Ring 2001.\nROE A. B: the sequel. Ring 2002.\nDOI: 10.1000/x\n",
            None,
        );
        check(b"BMJ 2001;3:4", None);
        check(b"", None);
    }
}
