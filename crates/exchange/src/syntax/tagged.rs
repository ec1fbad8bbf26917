//! Tagged-line formats of PubMed, Ovid, Web of Science, RefWorks and EndNote: one tag and value per line,
//! continuation lines, consecutive records. Each format classifies its lines.

use std::collections::HashSet;

use crate::cost::spend_written;
use crate::formats::zotero::extra;
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::paragraphs::paragraphs;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::{identifiers, keywords, names};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NameVar, TextVar, Variable};

/// The line syntax of a format.
pub(crate) struct Syntax {
    pub line: for<'a> fn(&'a str, LineContext) -> Line<'a>,
    /// Whether a field starts a new record.
    pub begins: fn(&str, &TaggedRecord<'_>, LineContext) -> bool,
}

/// The position of a line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineContext {
    /// Whether the previous line is blank.
    pub after_blank: bool,
    /// Whether it is in a record.
    pub in_record: bool,
}

/// The class of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Line<'a> {
    Field {
        tag: &'a str,
        value: &'a str,
    },
    /// Continues the previous value.
    More,
    /// Ends the record.
    End,
    /// Belongs to no record, as expected.
    Skip,
    /// Belongs to no record and is reported.
    Stray,
}

/// A record.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaggedRecord<'a> {
    pub fields: Vec<TaggedField<'a>>,
    /// Tags with a value.
    present: HashSet<&'a str>,
    /// Byte offset of its first field.
    offset: usize,
    /// Number of omitted fields after the first [`MAX_FIELDS`].
    more_fields: usize,
}

/// A tag and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TaggedField<'a> {
    pub tag: &'a str,
    /// From the first line of the value to the last; empty if all are blank.
    pub value: &'a str,
    /// Byte offset of the tag.
    pub offset: usize,
}

/// Maximum number of fields read per record: more than the longest list of names.
const MAX_FIELDS: usize = 20_000;

impl<'a> TaggedField<'a> {
    pub fn lines(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        lines(self.value)
    }

    /// The paragraphs, one a line.
    pub fn paragraphs(&self) -> String {
        paragraphs(self.value)
    }

    /// The lines as one text.
    pub fn text(&self) -> String {
        joined_lines(self.value)
    }
}

impl<'a> TaggedRecord<'a> {
    /// A record from the cells of a row, with the header as tags.
    pub fn of_columns(tags: &[&'a str], cells: &[&'a str]) -> TaggedRecord<'a> {
        let mut record = TaggedRecord::default();
        for (tag, value) in tags.iter().zip(cells) {
            record.add(TaggedField {
                tag,
                value,
                offset: 0,
            });
        }
        record
    }

    fn add(&mut self, field: TaggedField<'a>) {
        if self.fields.len() == MAX_FIELDS {
            self.more_fields += 1;
            return;
        }
        if !field.value.is_empty() {
            self.present.insert(field.tag);
        }
        self.fields.push(field);
    }

    /// Appends a line to the last value; returns false if there is none.
    fn go_on(&mut self, text: &'a str, line: &'a str) -> bool {
        let Some(field) = self.fields.last_mut().filter(|_| self.more_fields == 0) else {
            return self.more_fields > 0;
        };
        field.value = joined(text, field.value, line);
        self.present.insert(field.tag);
        true
    }

    pub fn all(&self, tag: &str) -> impl Iterator<Item = &TaggedField<'a>> {
        self.fields
            .iter()
            .filter(move |field| field.tag == tag && !field.value.trim().is_empty())
    }

    /// The first value of a tag; empty if there is none.
    pub fn first(&self, tag: &str) -> String {
        self.all(tag)
            .next()
            .map(TaggedField::text)
            .unwrap_or_default()
    }

    pub fn has(&self, tag: &str) -> bool {
        self.present.contains(tag)
    }
}

/// Reads a text. `item` fills an item from a record and returns its type as written.
pub(crate) fn read(
    text: &str,
    syntax: &Syntax,
    item: fn(&TaggedRecord<'_>, &mut ItemBuilder) -> String,
    budget: &Budget,
) -> Result<Reading, Exceeded> {
    let mut reading = ReadingBuilder::new(text, budget)?;
    let mut record: Option<TaggedRecord<'_>> = None;
    let mut place = LineContext::default();
    let mut at = 0;
    while let Some((line, offset)) = next_line(text, &mut at) {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let is_blank = line.trim().is_empty();
        place.in_record = record.is_some();
        match (syntax.line)(line, place) {
            _ if is_blank => {}
            Line::Field { tag, value } => {
                let other = record
                    .as_ref()
                    .is_some_and(|record| (syntax.begins)(tag, record, place));
                if other
                    && let Some(whole) = record.take()
                    && !reading.is_full(offset)
                {
                    add(&whole, item, &mut reading)?;
                }
                let record = record.get_or_insert_with(|| TaggedRecord {
                    offset,
                    ..TaggedRecord::default()
                });
                record.add(TaggedField { tag, value, offset });
            }
            Line::More => {
                let is_taken = record
                    .as_mut()
                    .is_some_and(|record| record.go_on(text, line));
                if !is_taken {
                    stray(offset, &mut reading);
                }
            }
            Line::End => {
                if let Some(whole) = record.take()
                    && !reading.is_full(offset)
                {
                    add(&whole, item, &mut reading)?;
                }
            }
            Line::Skip => {}
            Line::Stray => stray(offset, &mut reading),
        }
        place.after_blank = is_blank;
    }
    if let Some(whole) = record
        && !reading.is_full(whole.offset)
    {
        add(&whole, item, &mut reading)?;
    }
    Ok(reading.finish())
}

fn add(
    record: &TaggedRecord<'_>,
    item: fn(&TaggedRecord<'_>, &mut ItemBuilder) -> String,
    reading: &mut ReadingBuilder<'_>,
) -> Result<(), Exceeded> {
    let bytes = record.fields.iter().map(|field| field.value.len()).sum();
    reading.spend(record.fields.len(), bytes)?;
    let mut builder = ItemBuilder::new(record.offset);
    if record.more_fields > 0 {
        let message = format!("The fields behind the first {MAX_FIELDS} were left out.");
        builder.notice("too_many_fields", message);
    }
    let entry_type = item(record, &mut builder);
    let (item, notices) = builder.finish();
    reading.add(item, &entry_type, record.offset, notices);
    Ok(())
}

fn stray(offset: usize, reading: &mut ReadingBuilder<'_>) {
    reading.between(
        offset,
        "unexpected_text",
        "This text belongs to no record and was left out.".to_owned(),
    );
}

/// The next line of a text and its byte offset.
pub(crate) fn next_line<'a>(text: &'a str, at: &mut usize) -> Option<(&'a str, usize)> {
    let rest = text.get(*at..).filter(|rest| !rest.is_empty())?;
    let offset = *at;
    let length = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
    let after = rest.get(length..).unwrap_or_default();
    let line_break = if after.starts_with("\r\n") {
        2
    } else {
        usize::from(!after.is_empty())
    };
    *at += length + line_break;
    let line = rest.get(..length).unwrap_or_default();
    Some((line, offset))
}

/// The byte offset of a slice of a text.
pub(crate) fn offset_of(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize)
}

/// The slice from the start of `value` to the end of `line`. Both are slices of `text`.
pub(crate) fn joined<'a>(text: &'a str, value: &'a str, line: &'a str) -> &'a str {
    let start = if value.is_empty() {
        offset_of(text, line)
    } else {
        offset_of(text, value)
    };
    let end = offset_of(text, line) + line.len();
    text.get(start..end).unwrap_or(value)
}

/// Writes records, each followed by a blank line; a single blank line if there are none.
pub(crate) fn write_records(
    items: &[Item],
    write_item: fn(&Item, &mut String),
    budget: &Budget,
) -> Result<String, Exceeded> {
    let mut out = String::new();
    for item in items {
        let before = out.len();
        write_item(item, &mut out);
        out.push('\n');
        spend_written(budget, out.len() - before)?;
    }
    if out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

/// The lines of a value without outer white space and without blank lines.
pub(crate) fn lines(value: &str) -> impl Iterator<Item = &str> + Clone {
    let lines = value.split(['\n', '\r']).map(str::trim);
    lines.filter(|line| !line.is_empty())
}

/// The lines of a value with blanks between them.
pub(crate) fn joined_lines(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for line in lines(value) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
    text
}

/// The variable of a tag in a table.
pub(crate) fn variable<V: Copy>(table: &[(&str, V)], tag: &str) -> Option<V> {
    let row = table.iter().find(|(known, _)| *known == tag);
    row.map(|(_, variable)| *variable)
}

/// A value of several lines, with blank ones between them if they would be joined on reading; one line if
/// any would be read as a field.
pub(crate) fn several_lines(value: &str, is_field: impl Fn(&str) -> bool) -> String {
    let lines: Vec<&str> = lines(value).collect();
    if lines.iter().any(|line| is_field(line)) {
        return lines.join(" ");
    }
    let joined = lines.join("\n");
    if paragraphs(&joined) == joined {
        joined
    } else {
        lines.join("\n\n")
    }
}

/// The year, and the whole date if it says more.
pub(crate) fn year_and_date(date: Option<&Date>) -> (String, String) {
    let Some(date) = date else {
        return Default::default();
    };
    let Some(start) = date.start else {
        return (String::new(), date.edtf());
    };
    let says_more = start.precision() > 1 || date.end.is_some() || date.circa;
    let whole = if says_more {
        date.edtf()
    } else {
        String::new()
    };
    (start.year.to_string(), whole)
}

/// The ISBNs and ISSNs of an item in one field, as it is read: if any number is valid, what is none beside it is a
/// remark.
pub(crate) fn serials(item: &Item) -> Vec<String> {
    let texts = [TextVar::Isbn, TextVar::Issn].map(|variable| item.text(variable));
    let text = texts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let found = identifiers::serial_numbers(&text);
    let numbers: Vec<String> = found.isbns.into_iter().chain(found.issns).collect();
    if numbers.is_empty() {
        return found.others.into_iter().map(str::to_owned).collect();
    }
    numbers
}

/// Writes the fields of a record, one tag per line.
pub(crate) struct TagWriter<'o> {
    pub out: &'o mut String,
    /// Precedes each tag.
    pub mark: &'static str,
    /// What a value may hold: text with markup, or without.
    pub clean: fn(&str) -> String,
    /// Whether a line begins a field.
    pub is_field: fn(&str) -> bool,
}

impl TagWriter<'_> {
    /// Writes a field unless its value is blank.
    pub fn field(&mut self, tag: &str, value: &str) {
        if !value.trim().is_empty() {
            let value = several_lines(&(self.clean)(value), self.is_field);
            self.out.extend([self.mark, tag, " ", &value, "\n"]);
        }
    }

    /// Writes the texts of a table.
    pub fn texts(&mut self, item: &Item, table: &[(&str, TextVar)]) {
        for (tag, variable) in table {
            self.field(tag, item.text(*variable).unwrap_or_default());
        }
    }

    /// Writes a field for each keyword, each line of the notes, each serial number.
    pub fn lists(&mut self, item: &Item, [keyword, note, serial]: [&str; 3]) {
        for number in serials(item) {
            self.field(serial, &number);
        }
        for word in keywords::split(item.text(TextVar::Keyword).unwrap_or_default()) {
            self.field(keyword, word);
        }
        for line in item.text(TextVar::Note).unwrap_or_default().lines() {
            self.field(note, line);
        }
    }

    /// Writes variables and names without a tag as notes that are read back.
    pub fn extra(&mut self, item: &Item, note: &str, variables: &[Variable], written: &[NameVar]) {
        let lines = extra::lines(item, &extra::RARE);
        let lines = lines.into_iter().chain(extra::lines(item, variables));
        for line in lines.chain(extra::other_names(item, written)) {
            self.field(note, &line);
        }
    }
}

/// Joins a value into one line, because line breaks would split it on reading.
pub(crate) fn one_line(value: &str) -> String {
    let words: Vec<&str> = value.split_whitespace().collect();
    words.join(" ")
}

/// `Family, Given, Suffix`; an institution, with a comma after it if it would be read as a person.
pub(crate) fn inverted(name: &Name) -> String {
    if let Some(literal) = &name.literal {
        // A semicolon would separate names.
        let literal = one_line(literal).replace("; ", ", ");
        let reads_as_person = literal.contains(' ')
            && !literal.contains(',')
            && names::inverted(&literal).literal.is_none();
        return literal + if reads_as_person { "," } else { "" };
    }
    let given = names::joined(&[&name.given, &name.dropping_particle]);
    let mut parts = vec![name.heading(), given];
    parts.extend(name.suffix.clone());
    one_line(parts.join(", ").trim_end_matches([',', ' ']))
}

/// Whether a text is one of these, case-insensitively.
pub(crate) fn is_any(text: &str, words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// Removes the full stop that catalogues put after a title.
pub(crate) fn without_stop(text: &str) -> &str {
    let text = text.trim();
    match text.strip_suffix('.') {
        Some(title) if !title.ends_with('.') && !ends_in_abbreviation(title) => title.trim_end(),
        _ => text,
    }
}

/// `A history of the U.S.`
fn ends_in_abbreviation(title: &str) -> bool {
    let last = title.rsplit([' ', '.']).next().unwrap_or_default();
    last.chars().count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops_go_and_abbreviations_stay() {
        assert_eq!(without_stop("A brief overview. "), "A brief overview");
        assert_eq!(without_stop("History of the U.S."), "History of the U.S.");
        assert_eq!(without_stop("And then ..."), "And then ...");
        assert_eq!(without_stop("Why?"), "Why?");
    }
}
