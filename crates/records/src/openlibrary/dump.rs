//! The lines of Open Library's dumps.

use crate::RecordError;

/// A line of a dump: five tab-separated columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DumpLine<'a> {
    pub kind: DumpKind,
    /// `/books/OL1M`, `/works/OL1W`, `/authors/OL1A`.
    pub key: &'a str,
    /// Counts up from 1; of two lines with the same key the higher one is current.
    pub revision: u32,
    pub json: &'a [u8],
}

/// The record type of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpKind {
    Edition,
    Work,
    Author,
    /// Redirects, deleted pages, lists, users' pages.
    Other,
}

impl<'a> DumpLine<'a> {
    /// Splits a line; only the first four tabs separate columns.
    pub fn parse(line: &'a [u8]) -> Result<DumpLine<'a>, RecordError> {
        let mut columns = line.splitn(5, |byte| *byte == b'\t');
        let mut text = |what: &'static str| {
            let column = columns.next().ok_or(RecordError::Missing(what))?;
            std::str::from_utf8(column).map_err(|_| RecordError::malformed(what, "not UTF-8"))
        };
        let kind = match text("type column")? {
            "/type/edition" => DumpKind::Edition,
            "/type/work" => DumpKind::Work,
            "/type/author" => DumpKind::Author,
            _ => DumpKind::Other,
        };
        let key = text("key column")?;
        let revision = text("revision column")?.parse().unwrap_or_default();
        text("date column")?;
        let json = columns.next().ok_or(RecordError::Missing("JSON column"))?;
        Ok(DumpLine {
            kind,
            key,
            revision,
            json,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dump_lines_have_five_columns() {
        let line = b"/type/edition\t/books/OL7M\t4\t2010-04-24T17:55:39\t{\"title\":\"a\\tb\"}";
        let line = DumpLine::parse(line).unwrap();
        assert_eq!(
            (line.kind, line.key, line.revision),
            (DumpKind::Edition, "/books/OL7M", 4)
        );
        assert!(line.json.starts_with(b"{"));
        assert!(DumpLine::parse(b"/type/edition\t/books/OL7M").is_err());
    }
}
