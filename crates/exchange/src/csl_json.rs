//! CSL-JSON: lists of items, single items, `{"items": […]}` and JSON lines, each item read for
//! itself, so that a broken one costs no other.

use serde_json::Value;
use serde_json::error::Category;

use super::exact::long_integers_as_texts;
use super::format::{ReadItem, Reading};
use super::keys;
use super::problem::{Lines, Problem, Severity};
use citation_model::date::DateParts;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// Reads every item of a text. What is neither an object nor punctuation between objects is
/// reported as a lost record.
pub fn read(text: &str) -> Reading {
    let (start, end) = list_bounds(text);
    let mut reader = Reader {
        text: text.get(..end).unwrap_or(text),
        lines: Lines::new(text),
        at: start,
        reading: Reading::default(),
    };
    while reader.record() {}
    reader.reading
}

/// Writes items as an array, indented by two blanks. Items without an id, which citation
/// processors need, get a citation key for one.
pub fn write(items: &[Item]) -> String {
    if items.iter().all(|item| !item.id.is_empty()) {
        return pretty(items);
    }
    let mut named = items.to_vec();
    for (item, key) in named
        .iter_mut()
        .zip(keys::for_export(items, keys::Letters::Any))
    {
        if item.id.is_empty() {
            item.id = key;
        }
    }
    pretty(&named)
}

fn pretty(items: &[Item]) -> String {
    // Items hold nothing that JSON cannot say, so that writing them to memory cannot fail.
    let mut text = serde_json::to_string_pretty(items).unwrap_or_default();
    text.push('\n');
    text
}

/// From where to where the list of `{"items": […]}` goes; the whole of any other text.
fn list_bounds(text: &str) -> (usize, usize) {
    let Some(list) = list_after_items(text) else {
        return (0, text.len());
    };
    let start = text.len() - list.len();
    (start, start + value_length(list, b'[', b']'))
}

fn list_after_items(text: &str) -> Option<&str> {
    let object = text.trim_start_matches(is_between).strip_prefix('{')?;
    // Only members before the list may precede it; an item may have a member of this name.
    let at = object.find("\"items\"")?;
    let before = object.get(..at)?;
    let list = object
        .get(at + "\"items\"".len()..)?
        .trim_start()
        .strip_prefix(':')?
        .trim_start();
    (list.starts_with('[') && !before.contains(['{', '['])).then_some(list)
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '[' | ']' | '}' | '\u{feff}' | '\u{1e}')
}

struct Reader<'a> {
    text: &'a str,
    lines: Lines<'a>,
    at: usize,
    reading: Reading,
}

impl Reader<'_> {
    /// Reads one record; false at the end of the text.
    fn record(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let start = self.at + rest.len() - rest.trim_start_matches(is_between).len();
        let rest = self.text.get(start..).unwrap_or_default();
        if rest.is_empty() {
            return false;
        }
        if rest.starts_with('{') {
            self.object(start);
        } else {
            let length = rest.find(['{', ',', ']', '\n', '\r']).unwrap_or(rest.len());
            let message = "An item is an object; this is none.".to_owned();
            self.lost(start, "not_an_object", message);
            self.at = start + length;
        }
        self.reading.total += 1;
        true
    }

    fn object(&mut self, start: usize) {
        let rest = self.text.get(start..).unwrap_or_default();
        let length = value_length(rest, b'{', b'}');
        let source = rest.get(..length).unwrap_or_default();
        match serde_json::from_str::<Item>(&long_integers_as_texts(source)) {
            Ok(item) => {
                self.odd_dates(source, start);
                self.add(item, start);
                self.at = start + length;
            }
            Err(error) => {
                let message = error.to_string();
                let said = message.split(" at line ").next().unwrap_or_default();
                let code = match error.classify() {
                    Category::Data => "invalid_item",
                    Category::Eof => "unclosed_object",
                    Category::Syntax | Category::Io => "invalid_json",
                };
                let offset = start + error_offset(source, &error);
                self.lost(offset, code, format!("The item cannot be read: {said}."));
                // A missing brace or quote makes one object of several: go on at the next one.
                self.at = start + next_item(source).unwrap_or(length);
            }
        }
    }

    fn add(&mut self, item: Item, start: usize) {
        let key = item
            .text(TextVar::CitationKey)
            .unwrap_or(&item.id)
            .to_owned();
        let unknown_type = item.custom.get("type").and_then(|value| value.as_str());
        let entry_type = unknown_type.unwrap_or(item.kind.csl()).to_owned();
        if item == Item::default() {
            let message = "The item has no variables.".to_owned();
            self.problem(start, "empty_entry", message, Severity::Warning);
        } else if let Some(unknown) = unknown_type {
            let message = format!("“{unknown}” is no item type of CSL.");
            self.problem(start, "unknown_type", message, Severity::Warning);
        }
        self.reading.items.push(ReadItem {
            item,
            index: self.reading.total,
            line: self.lines.line(start),
            citation_key: key,
            entry_type,
        });
    }

    /// Numbers of a date that are no month or day, which are left out of it.
    fn odd_dates(&mut self, source: &str, start: usize) {
        for at in memchr::memmem::find_iter(source.as_bytes(), "\"date-parts\"") {
            let rest = source
                .get(at + "\"date-parts\"".len()..)
                .unwrap_or_default();
            let list = rest.trim_start().strip_prefix(':').unwrap_or_default();
            let list = serde_json::Deserializer::from_str(list)
                .into_iter::<Value>()
                .next();
            if let Some(Ok(Value::Array(dates))) = list
                && let Some(odd) = dates.iter().find(|date| loses_parts(date))
            {
                let message = format!("{odd} is no date; what can be of it was taken.");
                self.problem(start + at, "invalid_date", message, Severity::Warning);
            }
        }
    }

    fn lost(&mut self, offset: usize, code: &'static str, message: String) {
        self.problem(offset, code, message, Severity::Error);
    }

    fn problem(&mut self, offset: usize, code: &'static str, message: String, severity: Severity) {
        let place = self.lines.place(offset);
        self.reading.problems.push(Problem {
            index: Some(self.reading.total),
            line: place.line,
            column: place.column,
            citation_key: None,
            code,
            message,
            snippet: self.lines.snippet(offset),
            severity,
        });
    }
}

/// Whether a list of year, month and day holds a number that no date can have.
pub(super) fn loses_parts(date: &Value) -> bool {
    let number = |at: usize| {
        let part = date.get(at)?;
        let text = part.as_str().map(str::trim);
        part.as_i64().or_else(|| text?.parse().ok())
    };
    let (month, day) = (number(1).filter(|m| *m != 0), number(2).filter(|d| *d != 0));
    let taken = DateParts::new(0, month, day);
    let no_month = taken.month.or(taken.season).is_none();
    month.is_some() && no_month || day.is_some() && taken.day.is_none() && taken.season.is_none()
}

/// Bytes up to the sign that closes the value at the start; the whole text where none does.
fn value_length(text: &str, open: u8, close: u8) -> usize {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            _ if byte == open => depth += 1,
            _ if byte == close && depth <= 1 => return at + 1,
            _ if byte == close => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Where, behind the start of a broken item, the next one begins: a brace before `"id"` or
/// `"type"`, the members that every item has.
fn next_item(text: &str) -> Option<usize> {
    let starts = memchr::memchr_iter(b'{', text.as_bytes()).skip(1);
    starts.into_iter().find(|at| {
        let inside = text.get(at + 1..).unwrap_or_default().trim_start();
        inside.starts_with("\"id\"") || inside.starts_with("\"type\"")
    })
}

/// The byte offset of an error, whose own place is a line and a column in bytes.
fn error_offset(source: &str, error: &serde_json::Error) -> usize {
    let lines = source
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let line_start: usize = lines.map(str::len).sum();
    let mut offset = (line_start + error.column().saturating_sub(1)).min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids of the items read, and `line:column code` of the problems.
    #[track_caller]
    fn check(text: &str, ids: &[&str], problems: &[&str]) {
        let reading = read(text);
        let read_ids: Vec<&str> = reading
            .items
            .iter()
            .map(|read| read.item.id.as_str())
            .collect();
        let told: Vec<String> = reading
            .problems
            .iter()
            .map(|p| format!("{}:{} {}", p.line, p.column, p.code))
            .collect();
        assert_eq!(read_ids, ids, "{text}");
        assert_eq!(told, problems, "{text}");
        let lost = reading
            .problems
            .iter()
            .filter(|p| p.severity == Severity::Error)
            .count();
        assert_eq!(reading.total, ids.len() + lost);
    }

    #[test]
    fn every_shape_is_read() {
        check(
            r#"[{"id": "a", "type": "book"}, {"id": 2}]"#,
            &["a", "2"],
            &[],
        );
        check("\u{feff} {\"id\": \"a\", \"type\": \"book\"}", &["a"], &[]);
        check(
            r#"{"items": [{"id": "a"}, {"id": "b"}], "total": 2}"#,
            &["a", "b"],
            &[],
        );
        check("{\"id\": \"a\"}\n{\"id\": \"b\"}\n", &["a", "b"], &[]);
        check("[]", &[], &[]);
        check("", &[], &[]);
    }

    #[test]
    fn broken_items_cost_no_others() {
        check(
            "[{\"id\": \"a\"},\n {\"id\": \"b\", \"title\": },\n {\"id\": \"c\"}]",
            &["a", "c"],
            &["2:23 invalid_json"],
        );
        check(
            "[{\"id\": \"a\", \"title\": \"x, \n{\"id\": \"b\"}]",
            &["b"],
            &["2:1 invalid_json"],
        );
        check(
            "[{\"id\": \"a\", \"author\": [{\"family\": \"x\"}, \n{\"id\": \"b\"}]",
            &["b"],
            &["2:12 unclosed_object"],
        );
        check("[7, {\"id\": \"b\"}]", &["b"], &["1:2 not_an_object"]);
        check(
            "[{\"id\": \"a\"}, {\"id\": \"b\"",
            &["a"],
            &["1:24 unclosed_object"],
        );
        check("[{}]", &[""], &["1:2 empty_entry"]);
        for (parts, told) in [
            ("[[2020,99]]", true),
            ("[[2020,1,2],[2020,2,32]]", true),
            ("[[\"2020\",\"0\"]]", false),
            ("[[2020,21]]", false),
            ("[[2020,12,31]]", false),
        ] {
            let text = format!("[{{\"id\":\"a\",\"issued\":{{\"date-parts\":{parts}}}}}]");
            let expected: &[&str] = if told { &["1:22 invalid_date"] } else { &[] };
            check(&text, &["a"], expected);
        }
        check(
            "[{\"id\":\"a\",\"type\":\"odd\"}]",
            &["a"],
            &["1:2 unknown_type"],
        );
    }

    #[test]
    fn long_numbers_keep_their_digits() {
        let reading = read(r#"[{"id":"a","call-number":12345678901234567890123}]"#);
        let number = reading.items[0].item.text(TextVar::CallNumber);
        assert_eq!(number, Some("12345678901234567890123"));
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = r#"[{"id": "a", "type": "book", "title": "T", "issued": {"date-parts": [[2001, 2]]},
            "author": [{"family": "Berg", "non-dropping-particle": "van den"}], "x": [1, {"y": 2}]}]"#;
        let items: Vec<Item> = read(text).items.into_iter().map(|read| read.item).collect();
        let again: Vec<Item> = read(&write(&items))
            .items
            .into_iter()
            .map(|read| read.item)
            .collect();
        assert_eq!(items, again);
        let nameless = [Item::default()];
        assert!(write(&nameless).contains("\"id\": \"Anonnd\""));
    }
}
