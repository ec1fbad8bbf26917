//! The cells of a table separated by commas, semicolons, tabs or bars (RFC 4180, read leniently).

use std::borrow::Cow;

use citation_model::inert::table;

/// A row and its byte offset in the text.
#[derive(Debug, PartialEq)]
pub struct Row<'a> {
    pub cells: Vec<Cow<'a, str>>,
    pub offset: usize,
}

impl Row<'_> {
    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// Supported delimiters.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// Maximum number of cells read per row.
const MAX_CELLS: usize = 1_000;

/// The rows of a text, and its delimiter.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    text: &'a str,
    at: usize,
    delimiter: char,
    /// Whether a quotation mark was never closed; later ones are then literal.
    unclosed: bool,
}

impl<'a> Rows<'a> {
    /// Uses the delimiter that splits the first line with any into most cells, or the one in Excel's line
    /// `sep=;`.
    pub fn new(text: &'a str) -> Rows<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let named = text
            .strip_prefix("sep=")
            .and_then(|rest| rest.chars().next());
        let named = named.filter(|delimiter| DELIMITERS.contains(delimiter));
        let rows = |delimiter| Rows {
            text,
            at: 0,
            delimiter,
            unclosed: false,
        };
        // On a tie, the one listed first wins.
        let widest = |line: usize| {
            let width =
                |delimiter: char| rows(delimiter).nth(line).map_or(0, |row| row.cells.len());
            let widths = DELIMITERS
                .into_iter()
                .rev()
                .map(|delimiter| (width(delimiter), delimiter));
            widths
                .max_by_key(|(width, _)| *width)
                .filter(|(width, _)| *width > 1)
        };
        let by_width = (0..LINES_LOOKED_AT).find_map(widest);
        let start = named.map_or(0, |_| text.find('\n').map_or(text.len(), |at| at + 1));
        Rows {
            text,
            at: start,
            delimiter: named
                .or(by_width.map(|(_, delimiter)| delimiter))
                .unwrap_or(','),
            unclosed: false,
        }
    }

    fn cell(&mut self) -> (Cow<'a, str>, Option<char>) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        // `="1/2"` keeps spreadsheets from reading a text as a date or a number.
        let marked = rest.strip_prefix("=\"").map(|inside| (2, inside));
        let marked = marked.or_else(|| Some((1, rest.strip_prefix('"')?)));
        if let Some((length, inside)) = marked.filter(|_| !self.unclosed) {
            match closing_quote(inside) {
                Some(end) => {
                    self.at += length;
                    return self.quoted(inside, end);
                }
                None => self.unclosed = true,
            }
        }
        let is_end = |c: char| c == self.delimiter || c == '\n' || c == '\r';
        let end = rest.find(is_end).unwrap_or(rest.len());
        let cell = rest.get(..end).unwrap_or_default();
        self.at += end;
        (Cow::Borrowed(cell.trim()), self.step())
    }

    /// The cell from behind its opening mark. Text between the closing mark and the delimiter is also part of it.
    fn quoted(&mut self, inside: &'a str, end: usize) -> (Cow<'a, str>, Option<char>) {
        let cell = inside.get(..end).unwrap_or_default();
        let behind = inside.get(end + 1..).unwrap_or_default();
        let is_end = |c: char| c == self.delimiter || c == '\n' || c == '\r';
        let more = behind.find(is_end).unwrap_or(behind.len());
        let tail = behind.get(..more).unwrap_or_default();
        self.at += end + 1 + more;
        let cell = if cell.contains("\"\"") {
            Cow::Owned(cell.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(cell)
        };
        let cell = if tail.trim().is_empty() {
            cell
        } else {
            Cow::Owned(format!("{cell}{tail}"))
        };
        (cell, self.step())
    }

    /// Skips the end of a cell.
    fn step(&mut self) -> Option<char> {
        let mut rest = self.text.get(self.at..).unwrap_or_default().chars();
        let end = rest.next()?;
        self.at += end.len_utf8();
        if end == '\r' && rest.next() == Some('\n') {
            self.at += 1;
        }
        Some(end)
    }
}

/// Number of lines searched for the delimiter: some programs write a few lines before the header.
const LINES_LOOKED_AT: usize = 5;

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        if self.at >= self.text.len() {
            return None;
        }
        let offset = self.at;
        let mut cells = Vec::new();
        loop {
            let (cell, end) = self.cell();
            if cells.len() < MAX_CELLS {
                cells.push(unguarded(cell));
            }
            if end != Some(self.delimiter) {
                return Some(Row { cells, offset });
            }
        }
    }
}

/// The cell without the apostrophe that keeps spreadsheets from running it.
fn unguarded(cell: Cow<'_, str>) -> Cow<'_, str> {
    match cell {
        Cow::Borrowed(cell) => Cow::Borrowed(table::unguard(cell)),
        Cow::Owned(cell) => Cow::Owned(table::unguard(&cell).to_owned()),
    }
}

/// The mark that ends a quoted cell, that is, one that is not doubled.
fn closing_quote(inside: &str) -> Option<usize> {
    let bytes = inside.as_bytes();
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(b'"', bytes.get(from..)?)?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        from = at + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&[&str]]) {
        let rows: Vec<Vec<String>> = Rows::new(text)
            .map(|row| row.cells.iter().map(|cell| cell.to_string()).collect())
            .collect();
        assert_eq!(rows, expected, "{text:?}");
    }

    #[test]
    fn cells_of_every_delimiter() {
        check("a,b\n1,2\n", &[&["a", "b"], &["1", "2"]]);
        check("a;b\r\n1,5;2", &[&["a", "b"], &["1,5", "2"]]);
        check("a\tb\r1\t", &[&["a", "b"], &["1", ""]]);
        check("sep=;\na;b", &[&["a", "b"]]);
    }

    #[test]
    fn quoted_cells_hold_anything() {
        check(
            "\u{feff}\"a, \"\"b\"\"\",\"c\nd\"\ne,\"f\"g",
            &[&["a, \"b\"", "c\nd"], &["e", "fg"]],
        );
    }

    #[test]
    fn mark_that_is_never_closed_costs_no_rows() {
        check(
            "a,b\n\"1,2\n3,4",
            &[&["a", "b"], &["\"1", "2"], &["3", "4"]],
        );
    }
}
