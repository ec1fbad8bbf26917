//! Word packages (ECMA-376): paragraphs, tables and notes as printed, without tracked deletions, and
//! citations in fields and content controls.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use citation_model::budget::Budget;
use citation_model::item::Item;

use crate::document::{Block, BlockKind, Citation, Cited, Document, Place};
use crate::error::DocumentError;
use crate::fields::{self, Field};
use crate::package::Package;
use crate::xml::{Element, Node, Xml};
use crate::{list, markdown, preferences};

/// Maximum nesting of fields and content controls.
const DEEPEST: usize = 40;
/// Maximum bytes kept of a citation's printed text.
const LONGEST_CITATION: usize = 2_000;

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let mut package = Package::open(bytes, budget)?;
    let main = MainPart::read(&mut package)?;
    let parts = Parts::read(&mut package, &main, budget)?;
    let story = parts.story(&main, budget)?;
    let sources = word_sources(&mut package)?;
    let citations = story.citations.into_iter().map(|found| found.citation);
    list::assemble(story.blocks, citations.collect(), sources, budget)
}

/// The works in Word's own sources.
pub(crate) fn word_sources(package: &mut Package<'_>) -> Result<Vec<Item>, DocumentError> {
    let mut sources = Vec::new();
    for name in package.names("customXml/item") {
        sources.extend(fields::word_sources(
            &package.text(&name)?.unwrap_or_default(),
        )?);
    }
    Ok(sources)
}

/// The main document part.
pub(crate) struct MainPart {
    pub name: String,
    pub text: String,
}

impl MainPart {
    pub fn read(package: &mut Package<'_>) -> Result<MainPart, DocumentError> {
        let name = main_part(package)?;
        let text = package.text(&name)?;
        match text {
            Some(text) => Ok(MainPart { name, text }),
            None => Err(DocumentError::broken(&name, "it is not there")),
        }
    }

    /// The name of a part in the same folder or a subfolder.
    pub fn beside(&self, name: &str) -> String {
        match self.name.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        }
    }
}

/// The name of the main part according to the package relationships.
fn main_part(package: &mut Package<'_>) -> Result<String, DocumentError> {
    let relations = package.text("_rels/.rels")?.unwrap_or_default();
    let mut xml = Xml::new(&relations, "_rels/.rels");
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element
                .attribute("Type")
                .is_some_and(|kind| kind.ends_with("/officeDocument"))
            && let Some(target) = element.attribute("Target")
        {
            return Ok(target.trim_start_matches('/').to_owned());
        }
    }
    Ok("word/document.xml".to_owned())
}

/// Data from the other parts.
pub(crate) struct Parts {
    pub styles: HashMap<String, Style>,
    /// The codes of Zotero citations stored as bookmarks, by bookmark name.
    codes: HashMap<String, String>,
    pub notes: HashMap<NoteKey, Story>,
}

/// The kind of a note, which is its element name, and its id. Both are empty for the main text.
pub(crate) type NoteKey = (&'static str, String);

/// The kinds of notes and their parts.
pub(crate) const NOTES: [(&str, &str); 2] =
    [("footnote", "footnotes.xml"), ("endnote", "endnotes.xml")];

impl Parts {
    pub fn read(
        package: &mut Package<'_>,
        main: &MainPart,
        budget: &Budget,
    ) -> Result<Parts, DocumentError> {
        let styles_part = package.text(&main.beside("styles.xml"))?;
        let properties = package.text(preferences::PART)?.unwrap_or_default();
        let mut parts = Parts {
            styles: styles(&styles_part.unwrap_or_default())?,
            codes: fields::bookmark_codes(&properties, "property")?,
            notes: HashMap::new(),
        };
        for (kind, name) in NOTES {
            let text = package.text(&main.beside(name))?.unwrap_or_default();
            let notes = notes(&text, kind, &parts, budget)?;
            parts.notes.extend(notes);
        }
        Ok(parts)
    }

    pub fn story(&self, main: &MainPart, budget: &Budget) -> Result<Story, DocumentError> {
        let mut xml = Xml::new(&main.text, &main.name);
        Walk::new(self, NoteKey::default(), budget).run(&mut xml)
    }

    /// The id of the style with a lower-case name; built-in names are English in every language.
    pub fn style(&self, name: &str) -> Option<&str> {
        let mut styles = self.styles.iter();
        let found = styles.find(|(_, style)| style.name == name);
        found.map(|(id, _)| id.as_str())
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Style {
    /// In lower case.
    name: String,
    /// For a heading, from 1.
    level: Option<u8>,
    is_reference: bool,
    is_contents: bool,
    is_item: bool,
}

fn styles(text: &str) -> Result<HashMap<String, Style>, DocumentError> {
    const MOST_BASES: usize = 12;
    let mut styles: HashMap<String, (Style, Option<String>)> = HashMap::new();
    let mut xml = Xml::new(text, "styles.xml");
    let (mut id, mut style, mut base) = (String::new(), Style::default(), None);
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(element) => {
                let value = || element.attribute("val").unwrap_or_default();
                match element.name.as_str() {
                    "style" => {
                        id = element.attribute("styleId").unwrap_or_default();
                        (style, base) = (Style::default(), None);
                    }
                    "name" => style = style_named(&value()),
                    "basedOn" => base = Some(value()),
                    "outlineLvl" => style.level = level(&value()).or(style.level),
                    "numPr" => style.is_item = true,
                    _ => {}
                }
            }
            Node::Close(name) if name == "style" => {
                let style = std::mem::take(&mut style);
                styles.insert(std::mem::take(&mut id), (style, base.take()));
            }
            _ => {}
        }
    }
    let resolved = styles.iter().map(|(id, (style, base))| {
        let mut style = style.clone();
        let mut base = base.as_ref();
        for _ in 0..MOST_BASES {
            let Some((above, next)) = base.and_then(|id| styles.get(id)) else {
                break;
            };
            style.level = style.level.or(above.level);
            style.is_reference |= above.is_reference;
            base = next.as_ref();
        }
        (id.clone(), style)
    });
    Ok(resolved.collect())
}

/// The level of `w:outlineLvl`; 9 is body text.
fn level(value: &str) -> Option<u8> {
    let level: u8 = value.parse().ok()?;
    (level < 9).then_some(level + 1)
}

/// The meaning of a style name. Word's built-in styles have English names in every language.
fn style_named(name: &str) -> Style {
    let name = name.to_lowercase();
    let number = name
        .strip_prefix("heading ")
        .and_then(|n| n.trim().parse().ok());
    let is_list = ["bibliograph", "reference", "literatur", "bibliograf"]
        .iter()
        .any(|word| name.contains(word));
    let is_other = [
        "heading",
        "title",
        "char",
        "head",
        "überschrift",
        "footnote",
        "endnote ref",
    ]
    .iter()
    .any(|word| name.contains(word));
    Style {
        level: number,
        is_reference: is_list && !is_other && !name.contains("comment"),
        is_contents: name.starts_with("toc "),
        is_item: name.starts_with("list "),
        name,
    }
}

fn notes(
    text: &str,
    kind: &'static str,
    parts: &Parts,
    budget: &Budget,
) -> Result<HashMap<NoteKey, Story>, DocumentError> {
    let mut notes = HashMap::new();
    let mut xml = Xml::new(text, "the notes");
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element.name == kind
        {
            // `w:type` is present on the separators between notes and text.
            let is_rule = element
                .attribute("type")
                .is_some_and(|kind| kind != "normal");
            let key = (kind, element.attribute("id").unwrap_or_default());
            let story = Walk::new(parts, key.clone(), budget).run(&mut xml)?;
            if !is_rule {
                notes.insert(key, story);
            }
        }
    }
    Ok(notes)
}

/// The paragraphs and citations of the main text or of one note.
#[derive(Default)]
pub(crate) struct Story {
    pub blocks: Vec<Block>,
    pub citations: Vec<Found>,
    pub sources: Vec<Source>,
    /// The reference list maintained by a citation program.
    pub list: Option<FieldSource>,
    /// Where paragraphs can be inserted after the last one.
    pub end: usize,
}

/// A citation and its position.
#[derive(Clone)]
pub(crate) struct Found {
    pub citation: Citation,
    pub note: NoteKey,
    /// Index of its paragraph in the sources of the text or note.
    pub source: usize,
    /// Range in the paragraph's text.
    pub text: Range<usize>,
    /// Number of notes called before it.
    pub notes_before: usize,
    /// Unset for a marker in the text.
    pub field: Option<FieldSource>,
}

/// A field or equivalent in the source of its part.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FieldSource {
    /// From its first element to its last.
    pub outer: Range<usize>,
    /// The runs of the first and last element, if they are within runs.
    pub runs: Option<[Run; 2]>,
    /// The range of its result.
    pub result: Range<usize>,
    /// Whether the result begins and ends within runs.
    pub is_result_in_runs: bool,
    /// Whether the result consists of whole paragraphs.
    pub holds_paragraphs: bool,
    /// The instruction and the range of its elements.
    pub code: Option<(Range<usize>, String)>,
}

/// The source of a paragraph.
#[derive(Default)]
pub(crate) struct Source {
    /// The number in its position.
    pub paragraph: usize,
    pub text: String,
    pub pieces: Vec<Piece>,
    /// Its properties; empty if absent.
    pub properties: Range<usize>,
    /// From the end of its properties to its end tag.
    pub inside: Range<usize>,
    /// Its range including tags.
    pub start: usize,
    pub end: usize,
    /// Whether it is part of a table of contents.
    pub is_contents: bool,
}

impl Source {
    /// The pieces that overlap a range of the text, with the bytes in each; for an empty range, the piece
    /// that ends there. `None` if part of the range is in no piece.
    pub fn pieces(&self, range: &Range<usize>) -> Option<Vec<(&Piece, Range<usize>)>> {
        let touches = |piece: &&Piece| match range.is_empty() {
            true => piece.text.start < range.start && range.start <= piece.text.end,
            false => piece.text.start < range.end && range.start < piece.text.end,
        };
        let within = |piece: &Piece| {
            let start = range.start.max(piece.text.start) - piece.text.start;
            let end = range.end.min(piece.text.end) - piece.text.start;
            start..end
        };
        let pieces = self.pieces.iter().filter(touches);
        let pieces: Vec<(&Piece, Range<usize>)> =
            pieces.map(|piece| (piece, within(piece))).collect();
        let covered: usize = pieces.iter().map(|(_, range)| range.len()).sum();
        (!pieces.is_empty() && covered == range.len()).then_some(pieces)
    }
}

/// A `w:t`.
#[derive(Clone)]
pub(crate) struct Piece {
    /// Range in the paragraph's text.
    pub text: Range<usize>,
    pub element: Range<usize>,
    pub run: Run,
    /// Whether it is a tracked insertion.
    pub is_inserted: bool,
}

/// The run of a piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Run {
    /// Its start tag.
    pub tag: Range<usize>,
    /// Its properties; empty if absent.
    pub properties: Range<usize>,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    pieces: Vec<Piece>,
    /// With their offsets, or those of their note calls, in its text.
    citations: Vec<(usize, Found)>,
    /// Start of its start tag.
    tag: usize,
    properties: Range<usize>,
    /// End of its properties.
    start: usize,
    style: Style,
    is_reference: bool,
    is_contents: bool,
    /// Its end is a tracked deletion, so the next paragraph continues it.
    is_joined: bool,
    notes: Vec<Block>,
    /// Offsets of note calls in its text.
    notes_called: Vec<usize>,
}

/// An open field or equivalent.
#[derive(Default)]
struct OpenField {
    code: String,
    data: String,
    /// Unset until the code is complete; the result is printed, the code is not.
    kind: Option<Field>,
    result: String,
    /// The id of the bookmark that is the field.
    bookmark: Option<String>,
    /// Its start: the paragraph and the offset in its text.
    paragraph: usize,
    text_start: usize,
    source: FieldSource,
}

/// A content control.
#[derive(Default)]
struct Control {
    kind: Option<Field>,
    text: String,
    /// Whether Word put it around a field of its own.
    is_frame: bool,
    /// Number of open paragraphs around it.
    depth: usize,
    text_start: usize,
    source: FieldSource,
}

struct Walk<'a> {
    parts: &'a Parts,
    note: NoteKey,
    budget: &'a Budget,
    out: Story,
    paragraphs: Vec<Paragraph>,
    /// A paragraph with a deleted end.
    joined: Option<Paragraph>,
    runs: Vec<Run>,
    /// Nesting of tracked insertions.
    insertions: usize,
    fields: Vec<OpenField>,
    controls: Vec<Control>,
    /// The cells of the current row of each open table.
    tables: Vec<Vec<Vec<Block>>>,
    count: usize,
    called: HashSet<NoteKey>,
    /// The type of the open `w:fldChar`.
    field_char: String,
}

impl<'a> Walk<'a> {
    fn new(parts: &'a Parts, note: NoteKey, budget: &'a Budget) -> Walk<'a> {
        Walk {
            parts,
            note,
            budget,
            out: Story::default(),
            paragraphs: Vec::new(),
            joined: None,
            runs: Vec::new(),
            insertions: 0,
            fields: Vec::new(),
            controls: Vec::new(),
            tables: Vec::new(),
            count: 0,
            called: HashSet::new(),
            field_char: String::new(),
        }
    }

    /// Reads to the end of the note or part.
    fn run(mut self, xml: &mut Xml<'_>) -> Result<Story, DocumentError> {
        while let Some(node) = xml.next()? {
            self.budget.spend(2)?;
            match node {
                Node::Open(element) => self.open(&element, xml)?,
                Node::Close(name) if name == self.note.0 => break,
                Node::Close(name) => self.close(&name, xml.place())?,
                Node::Text(_) => {}
            }
        }
        while !self.paragraphs.is_empty() {
            self.end_paragraph(xml.place())?;
        }
        while !self.tables.is_empty() {
            self.end_row();
            self.tables.pop();
        }
        Ok(self.out)
    }

    fn open(&mut self, element: &Element<'_>, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        match element.name.as_str() {
            "p" => self.begin_paragraph(xml.place()),
            "pPr" => self.paragraph_properties(xml)?,
            "r" => self.runs.push(Run {
                tag: xml.place(),
                properties: 0..0,
            }),
            "rPr" => {
                let start = xml.place().start;
                xml.skip()?;
                if let Some(run) = self.runs.last_mut() {
                    run.properties = start..xml.place().end;
                }
            }
            "ins" | "moveTo" => self.insertions += 1,
            "t" => {
                let start = xml.place().start;
                let text = xml.inner_text()?;
                self.write_piece(&text, start..xml.place().end);
            }
            "tab" | "ptab" => self.write(" "),
            "br" | "cr" => self.write("\n"),
            "noBreakHyphen" => self.write("-"),
            "fldChar" => {
                self.field_char = element.attribute("fldCharType").unwrap_or_default();
                let start = xml.place().start;
                match (self.field_char.as_str(), self.fields.last_mut()) {
                    ("begin", _) => {
                        let first = self.runs.last().cloned().unwrap_or_default();
                        self.begin_field(String::new(), None, start)?;
                        if let Some(field) = self.fields.last_mut() {
                            field.source.runs = Some([first, Run::default()]);
                            field.source.is_result_in_runs = true;
                        }
                    }
                    ("separate", Some(field)) => {
                        if let Some((place, _)) = &mut field.source.code {
                            place.end = start;
                        }
                    }
                    (_, Some(field)) => field.source.result.end = start,
                    (_, None) => {}
                }
            }
            "fldData" => {
                let data = xml.inner_text()?;
                if let Some(field) = self.fields.last_mut() {
                    field.data = data;
                }
            }
            "instrText" => {
                let code = xml.inner_text()?;
                if let Some(field) = self.fields.last_mut().filter(|field| field.kind.is_none()) {
                    field.code.push_str(&code);
                }
            }
            "fldSimple" => {
                let code = element.attribute("instr").unwrap_or_default();
                self.begin_field(code, None, xml.place().start)?;
                self.separate(xml.place().end);
            }
            "bookmarkStart" => {
                let name = element.attribute("name").unwrap_or_default();
                if let Some(code) = self.parts.codes.get(&name) {
                    let place = xml.place();
                    self.begin_field(code.clone(), element.attribute("id"), place.start)?;
                    self.separate(place.end);
                }
            }
            "bookmarkEnd" => {
                let id = element.attribute("id");
                let is_it = |field: &OpenField| field.bookmark.is_some() && field.bookmark == id;
                if let Some(position) = self.fields.iter().rposition(is_it) {
                    let mut field = self.fields.remove(position);
                    field.source.result.end = xml.place().start;
                    self.finish(field, xml.place().end);
                }
            }
            "sdt" => {
                self.check_depth(self.controls.len())?;
                let start = xml.place().start;
                self.controls.push(Control {
                    depth: self.paragraphs.len(),
                    text_start: self.paragraphs.last().map_or(0, |p| p.text.len()),
                    source: FieldSource {
                        outer: start..start,
                        ..FieldSource::default()
                    },
                    ..Control::default()
                });
            }
            "sdtContent" => {
                if let Some(control) = self.controls.last_mut() {
                    control.source.result.start = xml.place().end;
                }
            }
            "sdtPr" => self.control_properties(xml)?,
            "footnoteReference" => self.note("footnote", element),
            "endnoteReference" => self.note("endnote", element),
            "tbl" => self.tables.push(Vec::new()),
            "tr" => {
                if let Some(row) = self.tables.last_mut() {
                    row.clear();
                }
            }
            "tc" => {
                if let Some(row) = self.tables.last_mut() {
                    row.push(Vec::new());
                }
            }
            // Deleted, moved away, an alternative of content already read, or not text.
            "del" | "moveFrom" | "Fallback" | "sectPr" | "tblPr" | "trPr" | "tcPr" | "delText"
            | "delInstrText" | "annotation" => {
                if element.name == "sectPr" && self.paragraphs.is_empty() {
                    self.out.end = xml.place().start;
                }
                xml.skip()?;
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str, place: Range<usize>) -> Result<(), DocumentError> {
        match name {
            "p" => self.end_paragraph(place)?,
            "r" => {
                self.runs.pop();
            }
            "ins" | "moveTo" => self.insertions = self.insertions.saturating_sub(1),
            "fldChar" => match (self.field_char.as_str(), self.fields.last_mut()) {
                ("begin", Some(field)) => {
                    field.source.code = Some((place.end..place.end, String::new()));
                }
                ("separate", _) => self.separate(place.end),
                ("end", Some(field)) => {
                    let run = self.runs.last().cloned().unwrap_or_default();
                    if let Some([_, last]) = &mut field.source.runs {
                        *last = run;
                    }
                    self.end_field(place.end);
                }
                _ => {}
            },
            "fldSimple" => {
                if let Some(field) = self.fields.last_mut() {
                    field.source.result.end = place.start;
                }
                self.end_field(place.end);
            }
            "sdtContent" => {
                if let Some(control) = self.controls.last_mut() {
                    control.source.result.end = place.start;
                }
            }
            "sdt" => {
                if let Some(control) = self.controls.pop() {
                    self.end_control(control, place.end);
                }
            }
            "tr" => self.end_row(),
            "tbl" => {
                self.tables.pop();
            }
            "body" if self.out.end == 0 => self.out.end = place.start,
            _ => {}
        }
        Ok(())
    }

    fn end_control(&mut self, mut control: Control, end: usize) {
        control.source.outer.end = end;
        let frame = &control.source.outer;
        match control.kind {
            Some(Field::Citation(items)) => {
                let start = control.text_start;
                self.cite(items, &control.text, start, Some(control.source));
            }
            Some(Field::Bibliography) => self.out.list = Some(control.source),
            _ if control.is_frame => {
                let last = self.paragraphs.last_mut();
                let found = last.and_then(|paragraph| paragraph.citations.last_mut());
                // A citation formatted without its field needs no frame.
                if let Some(field) = found.and_then(|(_, found)| found.field.as_mut())
                    && frame.start <= field.outer.start
                {
                    field.outer = frame.clone();
                    field.runs = None;
                }
            }
            _ => {}
        }
    }

    fn check_depth(&self, depth: usize) -> Result<(), DocumentError> {
        match depth >= DEEPEST {
            true => Err(DocumentError::TooDeep {
                what: "a field".to_owned(),
                limit: DEEPEST,
            }),
            false => Ok(()),
        }
    }

    fn is_within(&self, kind: &Field) -> bool {
        let controls = self.controls.iter().map(|control| control.kind.as_ref());
        let fields = self.fields.iter().map(|field| field.kind.as_ref());
        controls.chain(fields).any(|found| found == Some(kind))
    }

    /// `tag` is its start tag.
    fn begin_paragraph(&mut self, tag: Range<usize>) {
        let start = tag.end;
        self.count += 1;
        if let Some(control) = self.controls.last_mut()
            && control.depth == self.paragraphs.len()
        {
            control.source.holds_paragraphs = true;
        }
        let joined = self.joined.take().unwrap_or_default();
        self.paragraphs.push(Paragraph {
            text: joined.text,
            pieces: joined.pieces,
            citations: joined.citations,
            tag: tag.start,
            properties: start..start,
            start,
            is_reference: self.is_within(&Field::Bibliography),
            is_contents: self.is_within(&Field::Contents),
            ..Paragraph::default()
        });
    }

    fn paragraph_properties(&mut self, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        let start = xml.place().start;
        let mut found = Paragraph::default();
        while let Some(node) = xml.next()? {
            let element = match node {
                Node::Open(element) => element,
                Node::Close(name) if name == "pPr" => break,
                _ => continue,
            };
            let value = || element.attribute("val").unwrap_or_default();
            match element.name.as_str() {
                "pStyle" => {
                    let style = self.parts.styles.get(&value()).cloned();
                    found.style = style.unwrap_or_else(|| style_named(&spaced(&value())));
                }
                "outlineLvl" => found.style.level = level(&value()).or(found.style.level),
                "numId" => found.style.is_item = value() != "0",
                "del" | "moveFrom" => found.is_joined = true,
                "pPrChange" | "rPrChange" | "sectPr" => xml.skip()?,
                _ => {}
            }
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.style = found.style;
            paragraph.is_joined = found.is_joined;
            paragraph.start = xml.place().end;
            paragraph.properties = start..xml.place().end;
        }
        Ok(())
    }

    /// `end` is its end tag.
    fn end_paragraph(&mut self, end: Range<usize>) -> Result<(), DocumentError> {
        let Some(mut paragraph) = self.paragraphs.pop() else {
            return Ok(());
        };
        if paragraph.is_joined {
            self.joined = Some(paragraph);
            return Ok(());
        }
        let is_contents = paragraph.is_contents || paragraph.style.is_contents;
        if !is_contents && paragraph.text.contains('@') {
            self.add_markers(&mut paragraph)?;
        }
        for (_, mut found) in std::mem::take(&mut paragraph.citations) {
            if found.note == self.note {
                found.source = self.out.sources.len();
            }
            self.out.citations.push(found);
        }
        let style = paragraph.style;
        let block = Block {
            kind: match style.level {
                Some(level) => BlockKind::Heading(level),
                None if style.is_item => BlockKind::ListItem,
                None => BlockKind::Paragraph,
            },
            text: list::tidy(&paragraph.text),
            place: self.place(),
            is_reference: paragraph.is_reference || style.is_reference && style.level.is_none(),
            ..Block::default()
        };
        let is_printed = !block.text.is_empty() && !is_contents;
        let blocks = match self.tables.last_mut().and_then(|row| row.last_mut()) {
            Some(cell) => cell,
            None => &mut self.out.blocks,
        };
        blocks.extend(is_printed.then_some(block));
        blocks.extend(paragraph.notes);
        self.out.sources.push(Source {
            paragraph: self.count,
            text: paragraph.text,
            pieces: paragraph.pieces,
            properties: paragraph.properties,
            inside: paragraph.start..end.start,
            start: paragraph.tag,
            end: end.end,
            is_contents,
        });
        Ok(())
    }

    /// `[@doi:10.1000/x, p. 3]` in the text, as in Markdown; not in field results.
    fn add_markers(&mut self, paragraph: &mut Paragraph) -> Result<(), DocumentError> {
        for mut citation in markdown::markers(&paragraph.text, self.budget)? {
            let Some(text) = citation.span.take() else {
                continue;
            };
            let others = &paragraph.citations;
            let is_within = |(_, other): &(usize, Found)| {
                other.note == self.note
                    && other.text.start < text.end
                    && text.start < other.text.end
            };
            if others.iter().any(is_within) {
                continue;
            }
            citation.place = self.place();
            let at = others.partition_point(|(at, _)| *at <= text.start);
            let called = paragraph
                .notes_called
                .partition_point(|at| *at <= text.start);
            let found = Found {
                citation,
                note: self.note.clone(),
                source: 0,
                notes_before: self.called.len() - paragraph.notes_called.len() + called,
                text,
                field: None,
            };
            paragraph.citations.insert(at, (found.text.start, found));
        }
        Ok(())
    }

    fn place(&self) -> Place {
        Place {
            paragraph: Some(self.count),
            ..Place::default()
        }
    }

    /// Appends the text of an element and records its origin.
    fn write_piece(&mut self, text: &str, element: Range<usize>) {
        let length = |paragraphs: &[Paragraph]| paragraphs.last().map_or(0, |p| p.text.len());
        let start = length(&self.paragraphs);
        self.write(text);
        let end = length(&self.paragraphs);
        if let (Some(paragraph), Some(run)) = (self.paragraphs.last_mut(), self.runs.last())
            && start < end
        {
            paragraph.pieces.push(Piece {
                text: start..end,
                element,
                run: run.clone(),
                is_inserted: self.insertions > 0,
            });
        }
    }

    fn end_row(&mut self) {
        let Some(cells) = self.tables.last_mut().map(std::mem::take) else {
            return;
        };
        let above = self.tables.len().checked_sub(2);
        let outer = above.and_then(|n| self.tables.get_mut(n)?.last_mut());
        outer
            .unwrap_or(&mut self.out.blocks)
            .extend(list::row(cells));
    }

    /// Appends text if it is printed, that is, not in a field code.
    fn write(&mut self, text: &str) {
        if self.fields.iter().any(|field| field.kind.is_none()) {
            return;
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
        let results = self.fields.iter_mut().map(|field| &mut field.result);
        let texts = self.controls.iter_mut().map(|control| &mut control.text);
        for kept in results.chain(texts) {
            if kept.len() < LONGEST_CITATION {
                kept.push_str(text);
            }
        }
    }

    fn begin_field(
        &mut self,
        code: String,
        bookmark: Option<String>,
        start: usize,
    ) -> Result<(), DocumentError> {
        self.check_depth(self.fields.len())?;
        self.fields.push(OpenField {
            code,
            bookmark,
            paragraph: self.count,
            text_start: self.paragraphs.last().map_or(0, |p| p.text.len()),
            source: FieldSource {
                outer: start..start,
                ..FieldSource::default()
            },
            ..OpenField::default()
        });
        Ok(())
    }

    /// The result begins.
    fn separate(&mut self, start: usize) {
        let Some(field) = self.fields.last_mut() else {
            return;
        };
        let kind = fields::read(&field.code, &field.data);
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.is_reference |= kind == Field::Bibliography;
            paragraph.is_contents |= kind == Field::Contents;
        }
        field.kind = Some(kind);
        field.source.result.start = start;
    }

    fn end_field(&mut self, end: usize) {
        let is_it = |field: &OpenField| field.bookmark.is_none();
        if let Some(position) = self.fields.iter().rposition(is_it) {
            let field = self.fields.remove(position);
            self.finish(field, end);
        }
    }

    fn finish(&mut self, field: OpenField, end: usize) {
        let mut source = field.source;
        source.outer.end = end;
        let has_result = field.kind.is_some();
        let kind = field.kind;
        let kind = kind.unwrap_or_else(|| fields::read(&field.code, &field.data));
        source.code = source.code.take().filter(|_| has_result);
        if let Some((_, code)) = &mut source.code {
            *code = field.code;
        }
        match kind {
            Field::Citation(items) => {
                // A field over several paragraphs cannot be formatted again.
                let is_whole = has_result && field.paragraph == self.count;
                let source = if is_whole { source } else { Default::default() };
                self.cite(items, &field.result, field.text_start, Some(source));
            }
            Field::Bibliography if has_result => {
                source.holds_paragraphs = field.paragraph < self.count;
                self.out.list = Some(source);
            }
            _ => {}
        }
    }

    fn cite(&mut self, items: Vec<Cited>, text: &str, start: usize, field: Option<FieldSource>) {
        if items.is_empty() {
            return;
        }
        let place = self.place();
        let paragraph = self.paragraphs.last_mut();
        let end = paragraph.as_ref().map_or(0, |p| p.text.len());
        let found = Found {
            citation: Citation {
                items,
                text: list::tidy(text),
                place,
                span: None,
            },
            note: self.note.clone(),
            source: self.out.sources.len(),
            text: start.min(end)..end,
            notes_before: self.called.len(),
            field,
        };
        match paragraph {
            Some(paragraph) => paragraph.citations.push((found.text.start, found)),
            None => self.out.citations.push(found),
        }
    }

    fn note(&mut self, kind: &'static str, element: &Element<'_>) {
        let key = (kind, element.attribute("id").unwrap_or_default());
        let Some(story) = self.parts.notes.get(&key) else {
            return;
        };
        // A note is called once; further calls are repeated marks.
        if !self.called.insert(key) {
            return;
        }
        let number = self.called.len();
        let place = Place {
            paragraph: Some(self.count),
            note: Some(number),
            ..Place::default()
        };
        let citations = story.citations.iter().cloned().map(|mut found| {
            found.citation.place = place.clone();
            found
        });
        let blocks = story.blocks.iter().cloned().map(|block| Block {
            kind: BlockKind::Note,
            place: place.clone(),
            ..block
        });
        match self.paragraphs.last_mut() {
            Some(paragraph) => {
                let at = paragraph.text.len();
                paragraph
                    .citations
                    .extend(citations.map(|found| (at, found)));
                paragraph.notes.extend(blocks);
                paragraph.notes_called.push(at);
            }
            None => self.out.citations.extend(citations),
        }
    }

    fn control_properties(&mut self, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        let (mut kind, mut is_frame, mut code) = (None, false, None);
        while let Some(node) = xml.next()? {
            let element = match node {
                Node::Open(element) => element,
                Node::Close(name) if name == "sdtPr" => break,
                _ => continue,
            };
            let value = element.attribute("val").unwrap_or_default();
            match element.name.as_str() {
                "tag" if value.starts_with("MENDELEY_") => {
                    kind = Some(fields::read_tag(&value));
                    code = Some((xml.place(), value));
                }
                "bibliography" => kind = Some(Field::Bibliography),
                "citation" => is_frame = true,
                "docPartGallery" if value == "Table of Contents" => kind = Some(Field::Contents),
                _ => {}
            }
        }
        if let Some(control) = self.controls.last_mut() {
            control.kind = kind;
            control.is_frame = is_frame;
            control.source.code = code;
        }
        Ok(())
    }
}

/// `Heading1` in the form of a style name: `Heading 1`.
fn spaced(id: &str) -> String {
    let digits = id.len() - id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, number) = id.split_at(id.len() - digits);
    format!("{word} {number}").trim_end().to_owned()
}
