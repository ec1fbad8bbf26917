//! CSL-JSON: lists of items, single items, `{"items": […]}` and JSON lines. Each item is read separately,
//! so a broken one does not affect others.

use serde_json::Value;
use serde_json::error::Category;

use super::csl_record;
use crate::content::{Content, Members};
use crate::cost::{spend_text, spend_written};
use crate::format::{Format, KeyRule};
use crate::keys;
use crate::problem::{Problems, Subject};
use crate::reading::{ReadItem, Reading, most_records};
use crate::syntax::tokens;
use citation_fields::clean::cut;
use citation_fields::notice::{Notice, Notices, lost_numbers};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{DateParts, is_month};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static CSL_JSON: Format = Format {
    id: "csl-json",
    title: "CSL-JSON",
    media_types: &[
        "application/vnd.citationstyles.csl+json",
        "application/json",
    ],
    extensions: &["json", "jsonl", "ndjson", "csljson", "csl"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| read(content.text(), budget)),
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::AnyText,
    tokens: &[
        tokens::JSON,
        &[
            "\"id\":\"",
            "\"title\":\"",
            "\"author\":[",
            "{\"family\":\"",
            "\"issued\":{\"date-parts\":[[",
            "\"note\":\"",
            "\"page\":\"",
            "\"items\":[",
            "\"message\":{",
        ],
    ],
};

fn recognise(content: &Content<'_>) -> bool {
    let Some(members) = content.json() else {
        return false;
    };
    match members.inside("items") {
        Some(items) if !members.has("config") => is_item(&items),
        _ => is_item(&members),
    }
}

/// Whether an object is an item: it has a CSL type, or only members known to CSL. Objects of other
/// vocabularies have other members.
fn is_item(members: &Members<'_>) -> bool {
    const FOREIGN: [&str; 6] = [
        "itemType",
        "creators",
        "display_name",
        "attributes",
        "@type",
        "data",
    ];
    if FOREIGN.iter().any(|name| members.has(name)) {
        return false;
    }
    if csl_record::is_of_crossref(members) {
        return true;
    }
    let kind = members.text("type").and_then(ItemType::from_csl);
    let is_text = |name| members.get(name).is_none_or(|value| value.starts_with('"'));
    kind.is_some() && is_text("title") || members.names().all(is_member)
}

fn is_member(name: &str) -> bool {
    matches!(
        name,
        "id" | "type" | "custom" | "categories" | "shortTitle" | "journalAbbreviation"
    ) || TextVar::from_csl(name).is_some()
        || NumberVar::from_csl(name).is_some()
        || DateVar::from_csl(name).is_some()
        || NameVar::from_csl(name).is_some()
}

/// Reads every item of a text. Anything except objects and punctuation between them is reported as a lost
/// record.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    budget.spend(text.len() as u64 / 8 + 1)?;
    let (start, end) = list_bounds(text);
    let mut reader = ItemsReader {
        text: text.get(..end).unwrap_or(text),
        problems: Problems::new(text, 0),
        at: start,
        items: Vec::new(),
        total: 0,
        tries: MAX_TRIES.saturating_mul(text.len()),
        budget,
    };
    while reader.record()? {}
    Ok(Reading {
        items: reader.items,
        problems: reader.problems.finish(),
        total: reader.total,
        columns: Vec::new(),
    })
}

/// How often, on average, each byte may be reread to find the items after a broken one.
const MAX_TRIES: usize = 32;

/// Writes items as an array, indented by two blanks. Items without an id, which citation processors
/// require, get a citation key.
pub(crate) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    if items.iter().all(|item| !item.id.is_empty()) {
        return pretty(items, budget);
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
    pretty(&named, budget)
}

fn pretty(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    // Items contain nothing that JSON cannot express, so serialising to memory cannot fail.
    let mut text = serde_json::to_string_pretty(items).unwrap_or_default();
    text.push('\n');
    spend_written(budget, text.len())?;
    Ok(text)
}

/// The range of the list in `{"items": […]}`; the whole of any other text.
fn list_bounds(text: &str) -> (usize, usize) {
    let Some(list) = list_after_items(text) else {
        return (0, text.len());
    };
    let start = text.len() - list.len();
    (start, start + Extent::of(list, b'[', b']').length)
}

fn list_after_items(text: &str) -> Option<&str> {
    let object = text.trim_start_matches(is_between).strip_prefix('{')?;
    // Only members before the list count; an item may also have a member of this name.
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

/// Length of what is no object.
fn length_of_other(rest: &str) -> usize {
    rest.find(['{', ',', ']', '\n', '\r']).unwrap_or(rest.len())
}

struct ItemsReader<'a> {
    text: &'a str,
    problems: Problems<'a>,
    at: usize,
    items: Vec<ReadItem>,
    /// Number of records read and lost.
    total: usize,
    /// Bytes that may still be spent on failed attempts.
    tries: usize,
    budget: &'a Budget,
}

impl ItemsReader<'_> {
    /// Reads one record; false at the end of the text.
    fn record(&mut self) -> Result<bool, Exceeded> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let start = self.at + rest.len() - rest.trim_start_matches(is_between).len();
        let rest = self.text.get(start..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(false);
        }
        let most = most_records(self.text.len());
        if self.total == most || self.tries == 0 {
            let message = "The text holds too many records for its size, or too many broken ones; the rest was not read.";
            self.lost(start, "too_many_records", message.to_owned());
        }
        if self.tries == 0 {
            self.total += 1;
            return Ok(false);
        }
        if self.total >= most {
            // Only counted.
            let length = if rest.starts_with('{') {
                Extent::of(rest, b'{', b'}').length
            } else {
                length_of_other(rest)
            };
            spend_text(self.budget, length)?;
            self.at = start + length.max(1);
            self.total += 1;
            return Ok(true);
        }
        if rest.starts_with('{') {
            self.object(start)?;
        } else {
            let length = length_of_other(rest);
            let message = "An item is an object; this is none.".to_owned();
            self.lost(start, "not_an_object", message);
            self.budget.spend(1 + length as u64 / 8)?;
            self.at = start + length;
        }
        self.total += 1;
        Ok(true)
    }

    fn object(&mut self, start: usize) -> Result<(), Exceeded> {
        let rest = self.text.get(start..).unwrap_or_default();
        let extent = Extent::of(rest, b'{', b'}');
        let source = rest.get(..extent.length).unwrap_or_default();
        spend_text(self.budget, extent.length)?;
        self.budget.spend_bytes(extent.memory())?;
        let mut notices = Notices::default();
        let read = if extent.depth > MAX_DEPTH {
            Err((start, "too_deep", "it nests too deeply".to_owned()))
        } else {
            csl_record::read(source, start, &mut notices)
                .map_err(|error| self.fault(source, start, &error))
        };
        match read {
            Ok(record) => {
                odd_dates(source, start, &mut notices);
                self.add(record.item, start, notices);
                self.at = start + extent.length;
            }
            Err((offset, code, said)) => {
                self.lost(offset, code, format!("The item cannot be read: {said}."));
                self.tries = self.tries.saturating_sub(extent.length);
                // A missing brace or quote merges several objects: continue at the next item.
                self.at = start + next_item(source).unwrap_or(extent.length);
            }
        }
        Ok(())
    }

    /// The offset, code and message of a parser error.
    fn fault(
        &self,
        source: &str,
        start: usize,
        error: &serde_json::Error,
    ) -> (usize, &'static str, String) {
        let message = error.to_string();
        let said = message.split(" at line ").next().unwrap_or_default();
        let code = match error.classify() {
            Category::Data => "invalid_item",
            Category::Eof => "unclosed_object",
            Category::Syntax | Category::Io => "invalid_json",
        };
        (start + error_offset(source, error), code, said.to_owned())
    }

    fn add(&mut self, item: Item, start: usize, mut notices: Notices) {
        let key = item
            .text(TextVar::CitationKey)
            .unwrap_or(&item.id)
            .to_owned();
        let unknown_type = item.custom.get("type").and_then(|value| value.as_str());
        let entry_type = unknown_type.unwrap_or(item.kind.csl()).to_owned();
        let mut notice = |code, message| {
            notices.push(Notice::new(code, message, start));
        };
        if item == Item::default() {
            notice("empty_entry", "The item has no variables.".to_owned());
        } else if let Some(unknown) = unknown_type {
            let unknown = cut(unknown, MAX_SHOWN_LENGTH);
            notice(
                "unknown_type",
                format!("“{unknown}” is no item type of CSL."),
            );
        }
        self.problems
            .add_all(Subject::read(self.total, ""), start, notices);
        self.items.push(ReadItem {
            item,
            index: self.total,
            line: self.problems.line(start),
            citation_key: key,
            entry_type,
        });
    }

    fn lost(&mut self, offset: usize, code: &'static str, message: String) {
        let notice = Notice::new(code, message, offset);
        self.problems.add(Subject::lost(self.total, ""), notice);
    }
}

/// Maximum nesting of lists and objects in an item. Reading and dropping them uses stack per level.
const MAX_DEPTH: usize = 64;
/// Maximum bytes of a value in a message.
const MAX_SHOWN_LENGTH: usize = 100;

/// Reports numbers in dates that are not a month or day and are dropped.
fn odd_dates(source: &str, start: usize, notices: &mut Notices) {
    const MEMBER: &str = "\"date-parts\"";
    let mut from = 0;
    while let Some(rest) = source.get(from..)
        && let Some(found) = memchr::memmem::find(rest.as_bytes(), MEMBER.as_bytes())
    {
        let at = from + found;
        from = at + MEMBER.len();
        let behind = source.get(from..).unwrap_or_default();
        let Some(list) = behind.trim_start().strip_prefix(':') else {
            continue;
        };
        let mut values = serde_json::Deserializer::from_str(list).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            // Nested values are not dates of the item.
            from = source.len() - list.len() + values.byte_offset();
            let dates = value.as_array().into_iter().flatten();
            if let Some(odd) = { dates }.find(|date| loses_parts(date)) {
                let odd = odd.to_string();
                notices.push(Notice::new("invalid_date", lost_numbers(&odd), start + at));
            }
        }
    }
}

/// Whether a list of year, month and day has a number out of range.
pub(crate) fn loses_parts(date: &Value) -> bool {
    let number = |at: usize| {
        let part = date.get(at)?;
        let text = part.as_str().map(str::trim);
        part.as_i64().or_else(|| text?.parse().ok())
    };
    let (month, day) = (number(1).filter(|m| *m != 0), number(2).filter(|d| *d != 0));
    let taken = DateParts::new(0, month, day);
    let is_no_month = month.is_some_and(|month| !is_month(month));
    is_no_month || day.is_some() && taken.day.is_none() && taken.season.is_none()
}

/// The length of a value and the number of its parts.
#[derive(Default)]
struct Extent {
    /// Bytes up to the closing character; the whole text if there is none.
    length: usize,
    depth: usize,
    objects: usize,
    /// Approximate number of members and elements.
    values: usize,
}

/// The byte behind the mark that closes a string, whose content begins at `start`; the end of the text if none does.
fn string_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(rest) = text.get(at..)
        && let Some(found) = memchr::memchr2(b'"', b'\\', rest)
    {
        if rest.get(found) == Some(&b'"') {
            return at + found + 1;
        }
        at += found + 2;
    }
    text.len()
}

impl Extent {
    /// Measures the value at the start of a text.
    fn of(text: &str, open: u8, close: u8) -> Extent {
        let mut extent = Extent::default();
        let (mut depth, mut nested) = (0_usize, 0_usize);
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            at += 1;
            match byte {
                b'"' => at = string_end(text.as_bytes(), at),
                b',' => extent.values += 1,
                b'{' | b'[' => {
                    extent.objects += usize::from(byte == b'{');
                    nested += 1;
                    extent.depth = extent.depth.max(nested);
                }
                b'}' | b']' => nested = nested.saturating_sub(1),
                _ => {}
            }
            if byte == open {
                depth += 1;
            } else if byte == close {
                if depth <= 1 {
                    extent.length = at;
                    return extent;
                }
                depth -= 1;
            }
        }
        extent.length = text.len();
        extent
    }

    /// Memory of the value in bytes, apart from its text: a name or a map for each object.
    fn memory(&self) -> usize {
        256 + self.objects * 192 + self.values * 32
    }
}

/// The start of the next item after a broken one: a brace before `"id"` or `"type"`, which every item has.
fn next_item(text: &str) -> Option<usize> {
    let starts = memchr::memchr_iter(b'{', text.as_bytes()).skip(1);
    starts.into_iter().find(|at| {
        let inside = text.get(at + 1..).unwrap_or_default().trim_start();
        inside.starts_with("\"id\"") || inside.starts_with("\"type\"")
    })
}

/// The byte offset of an error, which gives a line and a column in bytes.
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

    #[test]
    fn identifiers_are_canonical() {
        crate::testing::check_read(
            &CSL_JSON,
            r#"[{"type": "book", "DOI": "https://doi.org/10.5555/ABC", "ISBN": "0-19-852663-6", "note": "PMID: 12\nMine"}]"#,
            r#"[{"DOI": "10.5555/abc", "ISBN": "9780198526636", "PMID": "12", "note": "Mine"}]"#,
        );
    }

    /// Ids of the items read, and `line:column code` of the problems.
    #[track_caller]
    fn check(text: &str, ids: &[&str], problems: &[&str]) {
        let reading = read(text, &Budget::unlimited()).unwrap();
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
            .filter(|p| p.severity == crate::Severity::Error)
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
            ("[[2020,13]]", true),
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
        let text = r#"[{"id":"a","call-number":12345678901234567890123}]"#;
        let reading = read(text, &Budget::unlimited()).unwrap();
        let number = reading.items[0].item.text(TextVar::CallNumber);
        assert_eq!(number, Some("12345678901234567890123"));
    }

    #[test]
    fn written_items_read_back() {
        let text = r#"[{"id": "a", "type": "book", "title": "T", "issued": {"date-parts": [[2001, 2]]},
            "author": [{"family": "Berg", "non-dropping-particle": "van den"}], "x": [1, {"y": 2}]}]"#;
        let budget = Budget::unlimited();
        let items_of = |text: &str| -> Vec<Item> {
            let items = read(text, &budget).unwrap().items.into_iter();
            items.map(|read| read.item).collect()
        };
        let items = items_of(text);
        assert_eq!(items, items_of(&write(&items, &budget).unwrap()));
        let nameless = [Item::default()];
        assert!(
            write(&nameless, &budget)
                .unwrap()
                .contains("\"id\": \"Anonnd\"")
        );
    }
}
