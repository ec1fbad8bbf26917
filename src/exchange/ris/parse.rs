//! RIS's syntax: a text into records of tagged values with their offsets. Lines without a tag go
//! on with the value before them; a record ends with `ER`, or where the next one begins.

/// One record, from its `TY` on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record<'a> {
    /// In the order of the text, `TY` and `ER` left out, blank values too.
    pub tags: Vec<Tagged<'a>>,
    /// The value of `TY`; empty where the record has none.
    pub kind: &'a str,
    /// Byte offset of its first tag.
    pub offset: usize,
    /// Whether it has a `TY`.
    pub typed: bool,
    /// Whether it was closed with `ER`.
    pub ended: bool,
}

/// `AU  - Curie, Marie`, with the lines that go on with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged<'a> {
    pub tag: &'a str,
    /// The lines of the value, each without outer white space, blank ones left out.
    pub lines: Vec<&'a str>,
    /// Byte offset of the tag.
    pub offset: usize,
}

impl Tagged<'_> {
    /// The lines as one text.
    pub fn text(&self) -> String {
        self.lines.join(" ")
    }
}

/// The records of a text. Text before the first tag (headers of providers) is passed over.
pub fn records(text: &str) -> Records<'_> {
    Records {
        text,
        at: 0,
        waiting: None,
    }
}

/// See [`records`].
#[derive(Clone, Debug)]
pub struct Records<'a> {
    text: &'a str,
    at: usize,
    /// The `TY` line that ended the record before it.
    waiting: Option<Line<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    /// Empty for a line without one.
    tag: &'a str,
    value: &'a str,
    offset: usize,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let mut record: Option<Record<'a>> = None;
        // Lines behind a blank line do not go on with a value, unless no tag follows at all.
        while let Some(line) = self.waiting.take().or_else(|| self.line()) {
            match line.tag {
                "" => {
                    if let Some(record) = &mut record {
                        continue_value(record, line.value);
                    }
                }
                "TY" => {
                    if record
                        .as_ref()
                        .is_some_and(|record| record.typed || !record.tags.is_empty())
                    {
                        self.waiting = Some(line);
                        return record;
                    }
                    record = Some(Record {
                        kind: line.value,
                        offset: line.offset,
                        typed: true,
                        ..Record::default()
                    });
                }
                "ER" => {
                    self.split_glued(line);
                    if let Some(mut record) = record.take() {
                        record.ended = true;
                        return Some(record);
                    }
                }
                _ => record
                    .get_or_insert_with(|| Record {
                        offset: line.offset,
                        ..Record::default()
                    })
                    .tags
                    .push(Tagged {
                        tag: line.tag,
                        lines: Some(line.value)
                            .filter(|value| !value.is_empty())
                            .into_iter()
                            .collect(),
                        offset: line.offset,
                    }),
            }
        }
        record
    }
}

fn continue_value<'a>(record: &mut Record<'a>, value: &'a str) {
    if value.is_empty() {
        return;
    }
    match record.tags.last_mut() {
        Some(tagged) => tagged.lines.push(value),
        // A type may stand on the line behind its tag.
        None if record.kind.is_empty() => record.kind = value,
        None => {}
    }
}

impl<'a> Records<'a> {
    fn line(&mut self) -> Option<Line<'a>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let offset = self.at;
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        let after = rest.get(length..).unwrap_or_default();
        let line_break = if after.starts_with("\r\n") {
            2
        } else {
            usize::from(!after.is_empty())
        };
        self.at += length + line_break;
        Some(read_line(line, offset))
    }

    /// `ER  - TY  - JOUR`: two records that lost the line break between them.
    fn split_glued(&mut self, line: Line<'a>) {
        if line.value.starts_with("TY") {
            let offset = line.offset + line.value.as_ptr() as usize - line.tag.as_ptr() as usize;
            self.waiting = Some(read_line(line.value, offset)).filter(|line| line.tag == "TY");
        }
    }
}

/// Two capitals or a capital and a digit, blanks, a hyphen, and a blank or the end. The standard
/// has two blanks before the hyphen; with another number of them the tag must be a known one,
/// lest a line of an abstract be taken for a tag.
fn read_line(line: &str, offset: usize) -> Line<'_> {
    let body = line.trim_start_matches(['\u{feff}', ' ', '\t', '\u{a0}']);
    let start = offset + line.len() - body.len();
    let plain = Line {
        tag: "",
        value: line.trim(),
        offset,
    };
    let Some(tag) = body.get(..2).filter(|tag| is_tag(tag)) else {
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
    if !(standard || closed && is_known(tag)) {
        return plain;
    }
    Line {
        tag,
        value: value.trim(),
        offset: start,
    }
}

pub(super) fn is_tag(text: &str) -> bool {
    let bytes = text.as_bytes();
    matches!(bytes, [first, second]
        if first.is_ascii_uppercase() && (second.is_ascii_uppercase() || second.is_ascii_digit()))
}

/// The tags of the RIS specification (2011) and those that Reference Manager and EndNote added.
pub fn is_known(tag: &str) -> bool {
    matches!(
        tag,
        "TY" | "A1"
            | "A2"
            | "A3"
            | "A4"
            | "AB"
            | "AD"
            | "AN"
            | "AU"
            | "AV"
            | "BT"
            | "C1"
            | "C2"
            | "C3"
            | "C4"
            | "C5"
            | "C6"
            | "C7"
            | "C8"
            | "CA"
            | "CN"
            | "CP"
            | "CR"
            | "CT"
            | "CY"
            | "DA"
            | "DB"
            | "DO"
            | "DP"
            | "ED"
            | "EP"
            | "ER"
            | "ET"
            | "ID"
            | "IS"
            | "J1"
            | "J2"
            | "JA"
            | "JF"
            | "JO"
            | "KW"
            | "L1"
            | "L2"
            | "L3"
            | "L4"
            | "LA"
            | "LB"
            | "LK"
            | "M1"
            | "M2"
            | "M3"
            | "N1"
            | "N2"
            | "NV"
            | "OP"
            | "PB"
            | "PP"
            | "PY"
            | "RI"
            | "RN"
            | "RP"
            | "SE"
            | "SN"
            | "SP"
            | "ST"
            | "SV"
            | "T1"
            | "T2"
            | "T3"
            | "TA"
            | "TI"
            | "TT"
            | "U1"
            | "U2"
            | "U3"
            | "U4"
            | "U5"
            | "UR"
            | "VL"
            | "VO"
            | "WP"
            | "WT"
            | "WV"
            | "Y1"
            | "Y2"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(record: &Record<'_>) -> String {
        let tags: Vec<String> = record
            .tags
            .iter()
            .map(|tagged| format!("{}={}", tagged.tag, tagged.lines.join("|")))
            .collect();
        let end = if record.ended { "" } else { " …" };
        format!("{} {}{end}", record.kind, tags.join(" "))
            .trim()
            .to_owned()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown: Vec<String> = records(text).map(|record| show(&record)).collect();
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
}
