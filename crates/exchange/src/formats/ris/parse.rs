//! RIS syntax: splits a text into records of tagged values with offsets. Lines without a tag continue the
//! previous value; a record ends with `ER` or at the next record. Tags are case-insensitive.

use super::kinds::read_kind;
use crate::syntax::tagged::{TaggedField, joined, next_line, offset_of};

/// A part of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum RisBlock<'a> {
    Record(RisRecord<'a>),
    /// Byte offset of the first line that looks like a record of another format.
    Foreign(usize),
    /// Byte offset of the first line of text after a record that belongs to none.
    Stray(usize),
}

/// One record, starting with its `TY`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RisRecord<'a> {
    /// In file order, without `TY`, `ER` and blank values.
    pub tags: Vec<TaggedField<'a>>,
    /// The value of `TY`; empty if absent.
    pub kind: &'a str,
    /// Byte offset of its first tag.
    pub offset: usize,
    /// Whether it has a `TY`.
    pub typed: bool,
    /// Whether it was closed with `ER`.
    pub ended: bool,
    /// Number of omitted tags after the first [`MAX_TAGS`].
    pub more_tags: usize,
}

/// Maximum number of tags read per record: more than the longest list of names.
pub const MAX_TAGS: usize = 20_000;

/// The records of a text, and stray text. Text before the first record (provider headers) is skipped.
pub fn parts(text: &str) -> Parts<'_> {
    Parts {
        text,
        at: 0,
        waiting: None,
        tight: false,
        stray_counts: false,
        is_behind_record: false,
    }
}

/// See [`parts`].
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    text: &'a str,
    at: usize,
    /// The `TY` line that ended the previous record.
    waiting: Option<TaggedField<'a>>,
    /// Whether the record has no blanks around hyphens: `TY-JOUR`.
    tight: bool,
    /// Whether the next line outside of records is the first after one.
    stray_counts: bool,
    /// Whether a record was read before.
    is_behind_record: bool,
}

impl<'a> Iterator for Parts<'a> {
    type Item = RisBlock<'a>;

    fn next(&mut self) -> Option<RisBlock<'a>> {
        let mut record: Option<RisRecord<'a>> = None;
        // Lines after a blank line do not continue a value, unless no tag follows at all.
        while let Some(line) = self.waiting.take().or_else(|| self.line()) {
            match (line.tag, &mut record) {
                ("", Some(record)) => self.continue_value(record, line.value),
                ("", None) => {
                    if let Some(outside) = self.outside(line) {
                        return Some(outside);
                    }
                }
                ("TY", Some(begun)) if begun.typed || !begun.tags.is_empty() => {
                    self.waiting = Some(line);
                    let outside = begun.offset;
                    if !begun.typed && self.is_behind_record && !begun.names_a_work() {
                        return Some(RisBlock::Stray(outside));
                    }
                    return record.map(|record| self.ended(record));
                }
                ("TY", _) => {
                    record = Some(RisRecord {
                        kind: line.value,
                        offset: line.offset,
                        typed: true,
                        ..RisRecord::default()
                    });
                }
                ("ER", _) => {
                    self.split_glued(line);
                    if let Some(mut record) = record.take() {
                        record.ended = true;
                        return Some(self.ended(record));
                    }
                }
                _ => record
                    .get_or_insert_with(|| RisRecord {
                        offset: line.offset,
                        ..RisRecord::default()
                    })
                    .add(line),
            }
        }
        record.map(|record| self.ended(record))
    }
}

impl<'a> RisRecord<'a> {
    /// Whether it has a title or an author. Other lines that look like fields stand between records in the
    /// exports of databases.
    fn names_a_work(&self) -> bool {
        let named = ["TI", "T1", "CT", "BT", "AU", "A1"];
        self.tags.iter().any(|tagged| named.contains(&tagged.tag))
    }

    fn add(&mut self, line: TaggedField<'a>) {
        if self.tags.len() == MAX_TAGS {
            self.more_tags += 1;
            return;
        }
        self.tags.push(line);
    }
}

impl<'a> Parts<'a> {
    fn continue_value(&self, record: &mut RisRecord<'a>, line: &'a str) {
        if line.is_empty() || record.more_tags > 0 {
            return;
        }
        match record.tags.last_mut() {
            Some(tagged) => tagged.value = joined(self.text, tagged.value, line),
            // The type may be on the line after its tag.
            None if record.kind.is_empty() => record.kind = line,
            None => {}
        }
    }

    fn line(&mut self) -> Option<TaggedField<'a>> {
        let (line, offset) = next_line(self.text, &mut self.at)?;
        Some(self.read_line(line, offset))
    }

    /// Reads a line; a `TY` line determines the spacing of the lines after it.
    fn read_line(&mut self, line: &'a str, offset: usize) -> TaggedField<'a> {
        let spacing = spacing_of_type(line.trim_start_matches(BEFORE_TAGS));
        self.tight = spacing.unwrap_or(self.tight);
        read_line(line, offset, self.tight)
    }

    /// `ER  - TY  - JOUR`: two records that lost the line break between them.
    fn split_glued(&mut self, line: TaggedField<'a>) {
        let glued = line.value.get(..2);
        if glued.is_some_and(|tag| tag.eq_ignore_ascii_case("TY")) {
            let offset = offset_of(self.text, line.value);
            let next = self.read_line(line.value, offset);
            self.waiting = Some(next).filter(|line| line.tag == "TY");
        }
    }

    fn ended(&mut self, record: RisRecord<'a>) -> RisBlock<'a> {
        self.stray_counts = true;
        self.is_behind_record = true;
        RisBlock::Record(record)
    }

    /// Classifies a line outside of records if it should be reported.
    fn outside(&mut self, line: TaggedField<'a>) -> Option<RisBlock<'a>> {
        let foreign = is_foreign_head(line.value);
        let stray = self.stray_counts && line.value.contains(char::is_alphanumeric);
        self.stray_counts &= !foreign && !stray;
        match (foreign, stray) {
            (true, _) => Some(RisBlock::Foreign(line.offset)),
            (false, true) => Some(RisBlock::Stray(line.offset)),
            (false, false) => None,
        }
    }
}

/// Characters allowed before a tag.
const BEFORE_TAGS: [char; 4] = ['\u{feff}', ' ', '\t', '\u{a0}'];

/// Whether a line starts a record of another format: `%0 Journal Article` (EndNote), `PT J` (Web of
/// Science), or an invalid form of `TY` (`TY: JOUR`).
fn is_foreign_head(line: &str) -> bool {
    let kind = |tag| line.strip_prefix(tag).map(str::trim);
    let tagged_type = line
        .strip_prefix("TY")
        .is_some_and(|rest| rest.starts_with([' ', '\t', '-', ':', '=', '–']));
    let science = kind("PT ").is_some_and(|kind| matches!(kind, "J" | "B" | "S" | "P" | "C"));
    tagged_type || science || kind("%0 ").is_some()
}

/// For a `TY` line, whether its hyphen has no blanks, which requires a known type; `None` for other lines.
fn spacing_of_type(line: &str) -> Option<bool> {
    let tag = line.get(..2)?;
    let after = line.get(2..)?;
    if !tag.eq_ignore_ascii_case("TY") {
        return None;
    }
    match after.strip_prefix('-') {
        Some(kind) if kind.trim() == "GEN" || read_kind(kind).is_some() => Some(true),
        _ => after.trim_start().starts_with('-').then_some(false),
    }
}

/// Whether a RIS record begins with this line.
pub fn is_type_line(line: &str) -> bool {
    spacing_of_type(line).is_some()
}

/// Whether the records of a file lack their `TY`: the first line has a known tag in standard form, and a
/// later line closes the record.
pub fn begins_without_type<'a>(mut lines: impl Iterator<Item = &'a str>) -> bool {
    let is_tagged = |line: &str| {
        let (tag, after) = line.split_at_checked(2).unwrap_or_default();
        after.starts_with("  - ") && known(tag).is_some()
    };
    let is_end = |line: &str| line.trim_end() == "ER  -";
    lines.next().is_some_and(is_tagged) && lines.any(is_end)
}

/// A tag is two capitals or a capital and a digit, blanks, a hyphen, and a blank or the end of the line.
/// The specification requires two blanks before the hyphen; with another number the tag must be a known
/// one, so that a line of an abstract is not taken as a tag. Lower-case tags must be known and in standard
/// form. In a tight record only the hyphen is required.
fn read_line(line: &str, offset: usize, tight: bool) -> TaggedField<'_> {
    let body = line.trim_start_matches(BEFORE_TAGS);
    let start = offset + line.len() - body.len();
    let plain = TaggedField {
        tag: "",
        value: line.trim(),
        offset,
    };
    let Some(written) = body.get(..2).filter(|tag| is_tag_in_any_case(tag)) else {
        return plain;
    };
    let after = body.get(2..).unwrap_or_default();
    let blanks = after.len() - after.trim_start_matches([' ', '\t', '\u{a0}']).len();
    let Some(value) = after
        .get(blanks..)
        .and_then(|rest| rest.strip_prefix(['-', '–']))
    else {
        return plain;
    };
    let standard = after.starts_with("  -");
    let closed = value.is_empty() || value.starts_with(char::is_whitespace);
    let tag = match is_tag(written) {
        true if standard => Some(written),
        true if closed || tight && blanks == 0 => known(written),
        false if standard && closed => known(written),
        _ => None,
    };
    tag.map_or(plain, |tag| TaggedField {
        tag,
        value: value.trim(),
        offset: start,
    })
}

/// Whether a line of a record with standard spacing begins a field.
pub(super) fn is_field(line: &str) -> bool {
    !read_line(line, 0, false).tag.is_empty()
}

fn is_tag_in_any_case(text: &str) -> bool {
    let bytes = text.as_bytes();
    matches!(bytes, [first, second] if first.is_ascii_alphabetic() && second.is_ascii_alphanumeric())
}

pub(super) fn is_tag(text: &str) -> bool {
    let bytes = text.as_bytes();
    matches!(bytes, [first, second]
        if first.is_ascii_uppercase() && (second.is_ascii_uppercase() || second.is_ascii_digit()))
}

/// The tag in upper case, if it is known.
fn known(tag: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|known| known.eq_ignore_ascii_case(tag));
    known.copied()
}

/// The tags of the RIS specification (2011), Reference Manager and EndNote.
const KNOWN: &[&str] = &[
    "TY", "A1", "A2", "A3", "A4", "AB", "AD", "AN", "AU", "AV", "BT", "C1", "C2", "C3", "C4", "C5",
    "C6", "C7", "C8", "CA", "CN", "CP", "CR", "CT", "CY", "DA", "DB", "DO", "DP", "ED", "EP", "ER",
    "ET", "ID", "IS", "J1", "J2", "JA", "JF", "JO", "KW", "L1", "L2", "L3", "L4", "LA", "LB", "LK",
    "M1", "M2", "M3", "N1", "N2", "NV", "OP", "PB", "PP", "PY", "RI", "RN", "RP", "SE", "SN", "SP",
    "ST", "SV", "T1", "T2", "T3", "TA", "TI", "TT", "U1", "U2", "U3", "U4", "U5", "UR", "VL", "VO",
    "WP", "WT", "WV", "Y1", "Y2",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn show(record: &RisRecord<'_>) -> String {
        let tags: Vec<String> = record
            .tags
            .iter()
            .map(|tagged| {
                let lines: Vec<&str> = tagged.lines().collect();
                format!("{}={}", tagged.tag, lines.join("|"))
            })
            .collect();
        let end = if record.ended { "" } else { " …" };
        format!("{} {}{end}", record.kind, tags.join(" "))
            .trim()
            .to_owned()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown: Vec<String> = parts(text)
            .map(|part| match part {
                RisBlock::Record(record) => show(&record),
                RisBlock::Foreign(offset) => format!("foreign {offset}"),
                RisBlock::Stray(offset) => format!("stray {offset}"),
            })
            .collect();
        assert_eq!(shown, expected, "{text:?}");
    }

    #[test]
    fn records_with_every_line_break() {
        for line_break in ["\n", "\r\n", "\r"] {
            let text =
                ["TY  - JOUR", "TI  - A", "ER  - ", "", "TY  - BOOK", "ER  -"].join(line_break);
            check(&text, &["JOUR TI=A", "BOOK"]);
        }
    }

    #[test]
    fn odd_spacing_is_read() {
        check(
            "\u{feff}TY - JOUR\nTI- A\n  AU  -B\nER -\n",
            &["JOUR TI=A AU=B"],
        );
        check(
            "TY  - JOUR\nAB  - T2-weighted\nB2-receptor\nER  - ",
            &["JOUR AB=T2-weighted|B2-receptor"],
        );
    }

    #[test]
    fn records_end_with_er_or_the_next_ty() {
        check(
            "TY  - JOUR\nTI  - A\nTY  - BOOK\nTI  - B",
            &["JOUR TI=A …", "BOOK TI=B …"],
        );
        check("TY  - JOUR\nER  - TY  - BOOK\nER  - ", &["JOUR", "BOOK"]);
        check("ER  - \nTI  - A\nER  - \nER  - ", &["TI=A"]);
    }

    #[test]
    fn values_go_on_over_lines() {
        check(
            "head\nTY  - JOUR\nAB  - one\n  two\n\nthree\nER  - ",
            &["JOUR AB=one|two|three"],
        );
    }

    #[test]
    fn tags_in_small_letters_are_tags() {
        check(
            "TY  - JOUR\nER  - \nty  - BOOK\nti  - a\n  in  -- b\nis - c\ner  -\nTy  - JOUR\nTi  - d\nEr  - ",
            &["JOUR", "BOOK TI=a|in  -- b|is - c", "JOUR TI=d"],
        );
        check(
            "er  - ty  - JOUR\nER  - ty  - BOOK\ner  - ",
            &["JOUR", "BOOK"],
        );
    }

    #[test]
    fn records_without_blanks_are_read_where_their_type_is_known() {
        check(
            "TY-JOUR\nTI-a-b\nAU-Curie, M.\nER-\nTY  - BOOK\nTI  - c\nAB-d\nER  - ",
            &["JOUR TI=a-b AU=Curie, M.", "BOOK TI=c|AB-d"],
        );
        check(
            "TY-NOTHING\nTI-a\nER-\nTY  - BOOK\nER  - ",
            &["foreign 0", "BOOK"],
        );
    }

    #[test]
    fn lines_outside_records_are_reported() {
        check(
            "%0 Journal Article\n%T lost\n\nPT J\nAU X\nER\n\nTY: JOUR\nTY  - BOOK\nER  - ",
            &["foreign 0", "foreign 28", "foreign 42", "BOOK"],
        );
        check(
            "Provider: X\nTY  - BOOK\nER  - \n\nodd\nodder\n\u{1a}\nTY  - BOOK\nER  - \n----\n",
            &["BOOK", "stray 31", "BOOK"],
        );
    }
}
