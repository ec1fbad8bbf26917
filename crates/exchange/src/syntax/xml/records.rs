//! Reads the records of a document one tree at a time.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::tree::{Element, Tag, Tree};
use crate::reading::{Reading, ReadingBuilder};
use citation_fields::clean::cut;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::notice::Notice;
use citation_model::budget::{Budget, Exceeded};

/// The XML structure of a format.
pub struct Layout {
    /// Whether an element is a record, given its name and its parent's. Records do not nest.
    pub is_record: fn(&str, &str) -> bool,
    /// Whether an element of this name is irrelevant, inside or outside of a record.
    pub is_skipped: fn(&str) -> bool,
}

/// Maximum nesting of elements. Full articles have about 30 levels.
const MAX_DEPTH: usize = 200;
/// Maximum number of nodes per record: an article of 5,000 authors with affiliations has 100,000.
const MAX_NODES: usize = 1_000_000;
/// Maximum number of faults after which reading continues; each may cost a search to the end of the text.
const MAX_FAULTS: usize = 50;

/// An item of a record, and its type as written.
pub struct Found {
    pub item: ItemBuilder,
    pub entry_type: String,
}

/// Reads every record of a document. `map` is called with each and its offset, and returns its items:
/// usually one, none if the element only shares the name of a record.
pub fn read<'t>(
    text: &'t str,
    budget: &'t Budget,
    layout: &Layout,
    map: impl Fn(Element<'_>, usize, &mut Vec<Found>),
) -> Result<Reading, Exceeded> {
    let add = |record: Element<'_>, start: usize, reading: &mut ReadingBuilder<'t>| {
        let mut found = Vec::new();
        map(record, start, &mut found);
        for Found { item, entry_type } in found {
            let (item, mut notices) = item.finish();
            if item.says_nothing() {
                notices.push(Notice::new(
                    "empty_entry",
                    "The record has no fields.",
                    start,
                ));
            }
            reading.add(item, &entry_type, start, notices);
        }
    };
    Ok(walk(text, budget, layout, add)?.finish())
}

/// Calls `take` with every record and its offset, and returns the reading with the problems: for formats
/// whose records refer to each other.
pub fn walk<'t>(
    text: &'t str,
    budget: &'t Budget,
    layout: &Layout,
    take: impl FnMut(Element<'_>, usize, &mut ReadingBuilder<'t>),
) -> Result<ReadingBuilder<'t>, Exceeded> {
    let mut walk = Walk {
        text,
        layout,
        take,
        reading: ReadingBuilder::new(text, budget)?,
        tree: Tree::default(),
        around: Vec::new(),
        start: 0,
    };
    let mut from = 0;
    for _ in 0..MAX_FAULTS {
        match walk.part(from)? {
            Some(next) => from = next,
            None => return Ok(walk.reading),
        }
    }
    let message = "Too much of the text is no XML; the rest was not read.";
    walk.reading.lost(from, "invalid_xml", message.to_owned());
    Ok(walk.reading)
}

struct Walk<'t, 'l, F> {
    text: &'t str,
    layout: &'l Layout,
    take: F,
    reading: ReadingBuilder<'t>,
    /// The current record; empty between records.
    tree: Tree<'t>,
    /// Names of the open elements outside of records.
    around: Vec<&'t str>,
    /// The start of the record.
    start: usize,
}

impl<'t, F: FnMut(Element<'_>, usize, &mut ReadingBuilder<'t>)> Walk<'t, '_, F> {
    /// Reads from an offset to the end or to a fault; returns where to continue after a fault.
    fn part(&mut self, from: usize) -> Result<Option<usize>, Exceeded> {
        let source = self.text.get(from..).unwrap_or_default();
        let mut reader = Reader::from_str(source);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        loop {
            let before = reader.buffer_position() as usize;
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = from + (reader.error_position() as usize).max(before);
                    self.fault(at, &error.to_string());
                    return Ok(Some(at + 1).filter(|next| *next < self.text.len()));
                }
            };
            let after = reader.buffer_position() as usize;
            let token = source.get(before..after).unwrap_or_default();
            match event {
                Event::Start(start) => {
                    let tag = Tag::new(token);
                    if (self.layout.is_skipped)(tag.name) {
                        if let Err(error) = reader.read_to_end(start.name()) {
                            self.fault(from + before, &error.to_string());
                            return Ok(None);
                        }
                        continue;
                    }
                    if self.tree.depth() + self.around.len() == MAX_DEPTH {
                        self.fault(from + before, "it nests too deeply");
                        return Ok(None);
                    }
                    self.open(tag, from + before);
                }
                Event::Empty(_) => {
                    self.open(Tag::new(token), from + before);
                    self.close(from + after)?;
                }
                Event::End(_) => self.close(from + after)?,
                Event::Text(text) => self.text(text.into_inner()),
                Event::CData(text) => self.text(text.into_inner()),
                Event::GeneralRef(name) => {
                    if let (Cow::Borrowed(name), true) = (name.into_inner(), self.tree.len() > 0) {
                        self.tree.reference(name);
                    }
                }
                Event::Eof => {
                    if self.tree.len() > 0 {
                        self.fault(self.text.len(), "the text ends inside of it");
                    }
                    return Ok(None);
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
            if self.tree.len() > MAX_NODES {
                self.fault(from + after, "it is too large");
                return Ok(None);
            }
        }
    }

    fn open(&mut self, tag: Tag<'t>, offset: usize) {
        let parent = self.around.last().copied().unwrap_or_default();
        if self.tree.len() > 0 {
            self.tree.open(tag);
        } else if (self.layout.is_record)(tag.name, parent) {
            self.start = offset;
            self.tree.open(tag);
        } else {
            self.around.push(tag.name);
        }
    }

    fn close(&mut self, end: usize) -> Result<(), Exceeded> {
        if self.tree.len() == 0 {
            self.around.pop();
            return Ok(());
        }
        self.tree.close();
        if self.tree.depth() > 0 {
            return Ok(());
        }
        if self.reading.is_full(self.start) {
            self.tree.clear();
            return Ok(());
        }
        let bytes = self.text.len().min(end) - self.start;
        self.reading.spend(self.tree.len() / 4, bytes)?;
        if let Some(record) = self.tree.root() {
            (self.take)(record, self.start, &mut self.reading);
        }
        self.tree.clear();
        Ok(())
    }

    fn text(&mut self, text: Cow<'t, str>) {
        if let (Cow::Borrowed(text), true) = (text, self.tree.len() > 0) {
            self.tree.text(text);
        }
    }

    /// Reports a fault; the record that contains it is lost.
    fn fault(&mut self, offset: usize, said: &str) {
        let said = cut(said, MAX_SHOWN_LENGTH);
        if self.tree.len() > 0 {
            let message = format!("The record cannot be read: {said}.");
            self.reading.lost(self.start, "invalid_xml", message);
        } else {
            let message = format!("This is no XML: {said}.");
            self.reading.between(offset, "invalid_xml", message);
        }
        self.tree.clear();
        self.around.clear();
    }
}

/// Maximum bytes of a parser message in a problem.
const MAX_SHOWN_LENGTH: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::reading;
    use crate::{JATS, MARCXML, MODS, PUBMED_XML};
    use citation_model::variable::TextVar;

    /// Checks the titles read from MODS, and the codes and lines of problems.
    #[track_caller]
    fn check(text: &str, titles: &[&str], problems: &[(usize, &str)]) {
        let reading = reading(text, &MODS);
        let found = reading
            .items
            .iter()
            .map(|read| read.item.text(TextVar::Title));
        let found: Vec<&str> = found.map(Option::unwrap_or_default).collect();
        assert_eq!(found, titles);
        let said = reading
            .problems
            .iter()
            .map(|problem| (problem.line, problem.code));
        assert_eq!(said.collect::<Vec<_>>(), problems);
    }

    const A: &str = "<mods><titleInfo><title>A</title></titleInfo></mods>";

    #[test]
    fn a_broken_record_costs_no_other() {
        check(
            &format!("<c>{A}\n<mods><titleInfo></mods>\n{A}</c>"),
            &["A", "A"],
            &[(2, "invalid_xml")],
        );
        check(
            &format!("<c>{A}\n<mods><titleInfo><ti"),
            &["A"],
            &[(2, "invalid_xml")],
        );
        check(
            &format!("<c>{A}\n<mods><titleInfo><title>cut"),
            &["A"],
            &[(2, "invalid_xml")],
        );
        check(&format!("</b></b>{A}"), &["A"], &[]);
        check("<mods/>", &[""], &[(1, "empty_entry")]);
        check("plain & simple <", &[], &[(1, "invalid_xml")]);
    }

    #[test]
    fn stray_ampersands_and_unknown_entities_stay() {
        let text =
            "<mods><titleInfo><title>R & D, &nobody; &eacute;&#233;</title></titleInfo></mods>";
        check(text, &["R & D, &nobody; éé"], &[]);
    }

    #[test]
    fn entities_of_the_document_are_never_expanded() {
        let bomb = r#"<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>"#;
        let text = format!("{bomb}<mods><titleInfo><title>&b;&c;</title></titleInfo></mods>");
        check(&text, &["&b;&c;"], &[]);
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = format!("{A}<mods>{}", "<x>".repeat(100_000));
        check(&deep, &["A"], &[(1, "invalid_xml")]);
        check(&"<x>".repeat(100_000), &[], &[(1, "invalid_xml")]);
    }

    #[test]
    fn many_faults_come_to_an_end() {
        let reading = reading(&"<mods><a></b>".repeat(1_000), &MODS);
        assert!(reading.items.is_empty());
        assert!((1..=100).contains(&reading.problems.len()));
        assert_eq!(reading.total, reading.problems.len());
    }

    /// The steps of reading are linear in the text, whatever repeats in it.
    #[test]
    fn steps_grow_with_the_text() {
        let steps = |text: &str, format: &crate::Format| {
            let budget = Budget::unlimited();
            crate::read(&text.into(), format, &budget).unwrap();
            budget.steps()
        };
        let repeated = |start: &str, part: &str, end: &str, n: usize| {
            format!("{start}{}{end}", part.repeat(n))
        };
        for (format, start, part, end) in [
            (&MODS, "<c>", A, "</c>"),
            (
                &MODS,
                "<mods>",
                "<name><namePart>A B</namePart></name>",
                "</mods>",
            ),
            (&MODS, "<mods>", "<relatedItem type='host'>", ""),
            (
                &PUBMED_XML,
                "<PubmedArticle><MedlineCitation>",
                "<PMID>1</PMID>",
                "</MedlineCitation></PubmedArticle>",
            ),
            (
                &JATS,
                "<ref>",
                "<mixed-citation><name>A</name></mixed-citation>",
                "</ref>",
            ),
            (
                &MARCXML,
                "<record>",
                "<datafield tag='700'><subfield code='a'>A, B</subfield></datafield>",
                "</record>",
            ),
            (&MARCXML, "<c>", "<!--", ""),
        ] {
            let [one, ten, hundred] =
                [100, 1_000, 10_000].map(|n| steps(&repeated(start, part, end, n), format));
            assert!(
                ten <= one * 11 && hundred <= ten * 11,
                "{part}: {one} {ten} {hundred}"
            );
        }
    }

    #[test]
    fn a_small_budget_stops_reading() {
        let text = A.repeat(1_000);
        let read = crate::read(&text.as_str().into(), &MODS, &Budget::new(100, 1 << 30));
        assert_eq!(read.unwrap_err(), Exceeded::Steps { limit: 100 });
    }
}
