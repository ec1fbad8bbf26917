//! Cells of tables of comma-separated values (RFC 4180). A spreadsheet takes a cell for a formula if it begins with
//! one of a few characters; such a cell is written behind an apostrophe, which reading removes.

use std::borrow::Cow;

/// Whether a spreadsheet may run a cell: its first character that is not white space, or a tab or line break
/// before it (OWASP, CSV injection).
fn begins_formula(cell: &str) -> bool {
    let is_break = cell.starts_with(['\t', '\r', '\n']);
    let first = cell.trim_start().chars().next();
    is_break || first.is_some_and(|c| "=+-@＝＋－＠".contains(c))
}

/// Whether a cell is a formula, or one behind apostrophes. The latter need the guard too, so that removing it
/// gives back every cell.
fn is_guarded_or_formula(cell: &str) -> bool {
    begins_formula(cell.trim_start_matches('\''))
}

/// The cell, behind an apostrophe if a spreadsheet could run it.
pub fn guard(cell: &str) -> Cow<'_, str> {
    if is_guarded_or_formula(cell) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// The cell that [`guard`] was given.
pub fn unguard(cell: &str) -> &str {
    let inner = cell.strip_prefix('\'');
    inner
        .filter(|inner| is_guarded_or_formula(inner))
        .unwrap_or(cell)
}

/// Writes a cell, guarded and, if necessary, quoted.
pub fn write_cell(cell: &str, out: &mut String) {
    let cell = guard(cell);
    // Readers with another delimiter and readers that trim cells need quotes too.
    let is_trimmed = cell.trim().len() == cell.len();
    if is_trimmed && !cell.contains(['"', ',', ';', '\t', '\n', '\r']) {
        return out.push_str(&cell);
    }
    out.push('"');
    out.push_str(&cell.replace('"', "\"\""));
    out.push('"');
}

/// A row of cells, without a line break.
pub fn row<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let mut out = String::new();
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_cell(cell.as_ref(), &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_guarded_and_come_back() {
        let check = |cell: &str, expected: &str| {
            assert_eq!(guard(cell), expected);
            assert_eq!(unguard(expected), cell);
        };
        check("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")");
        check("+cmd", "'+cmd");
        check("-1", "'-1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("\t=1", "'\t=1");
        check(" =1", "' =1");
        check("\rx", "'\rx");
        check("'=1", "''=1");
        check("''@x", "'''@x");
        check("'t Hooft", "'t Hooft");
        check("'", "'");
        check("a=b", "a=b");
        check("", "");
    }

    /// Every text of up to five characters that matter.
    #[test]
    fn unguard_is_the_inverse_of_guard() {
        let letters = ['\'', '=', '-', '\t', '\n', ' ', 'a'];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer = texts
                .iter()
                .flat_map(|text| letters.map(|letter| format!("{text}{letter}")));
            texts = longer.chain([String::new()]).collect();
            for text in &texts {
                let guarded = guard(text);
                assert_eq!(unguard(&guarded), text, "{text:?}");
                assert!(!begins_formula(&guarded), "{guarded:?}");
            }
        }
    }

    #[test]
    fn cells_are_quoted_where_a_reader_needs_it() {
        assert_eq!(
            row(["a", "b,c", "d\"e", " f", "=g;h"]),
            "a,\"b,c\",\"d\"\"e\",\" f\",\"'=g;h\""
        );
    }
}
