//! Word's packages (ECMA-376): paragraphs, tables and notes as they are printed, tracked deletions passed
//! over, and the citations of fields and content controls.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use citation_model::budget::Budget;

use crate::document::{Block, BlockKind, Citation, Document, Place};
use crate::error::DocumentError;
use crate::fields::{self, Field};
use crate::list;
use crate::package::Package;
use crate::xml::{Element, Node, Xml};

/// Fields and content controls inside each other.
const DEEPEST: usize = 40;
/// Bytes of a citation's printed text that are kept.
const LONGEST_CITATION: usize = 2_000;

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let mut package = Package::open(bytes, budget)?;
    let main = MainPart::read(&mut package)?;
    let parts = Parts::read(&mut package, &main, budget)?;
    let mut sources = Vec::new();
    for name in package.names("customXml/item") {
        sources.extend(fields::word_sources(
            &package.text(&name)?.unwrap_or_default(),
        )?);
    }
    let mut xml = Xml::new(&main.text, &main.name);
    let story = Walk::new(&parts, budget).run(&mut xml, "")?;
    list::assemble(story.blocks, story.citations, sources, budget)
}

/// The paragraphs of a document with their source.
pub(crate) fn sources(
    package: &mut Package<'_>,
    main: &MainPart,
    budget: &Budget,
) -> Result<Vec<Source>, DocumentError> {
    let parts = Parts::read(package, main, budget)?;
    let mut xml = Xml::new(&main.text, &main.name);
    Ok(Walk::new(&parts, budget).run(&mut xml, "")?.sources)
}

/// The part with the text.
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

    /// The name of a part in the same folder, or one below it.
    pub fn beside(&self, name: &str) -> String {
        match self.name.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        }
    }
}

/// The name of the part that the package's relations call the document.
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

/// What the parts beside the text say.
struct Parts {
    styles: HashMap<String, Style>,
    /// The codes of Zotero's citations that are kept as bookmarks, by the bookmark's name.
    codes: HashMap<String, String>,
    /// By kind and id.
    notes: HashMap<(&'static str, String), Story>,
}

impl Parts {
    fn read(
        package: &mut Package<'_>,
        main: &MainPart,
        budget: &Budget,
    ) -> Result<Parts, DocumentError> {
        let styles_part = package.text(&main.beside("styles.xml"))?;
        let properties = package.text("docProps/custom.xml")?.unwrap_or_default();
        let mut parts = Parts {
            styles: styles(&styles_part.unwrap_or_default())?,
            codes: fields::bookmark_codes(&properties, "property")?,
            notes: HashMap::new(),
        };
        for (kind, name) in [("footnote", "footnotes.xml"), ("endnote", "endnotes.xml")] {
            let text = package.text(&main.beside(name))?.unwrap_or_default();
            let notes = notes(&text, kind, &parts, budget)?;
            parts.notes.extend(notes);
        }
        Ok(parts)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Style {
    /// Of a heading, from 1.
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
                styles.insert(std::mem::take(&mut id), (style, base.take()));
            }
            _ => {}
        }
    }
    let resolved = styles.iter().map(|(id, (style, base))| {
        let mut style = *style;
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

/// The level that `w:outlineLvl` gives; 9 is body text.
fn level(value: &str) -> Option<u8> {
    let level: u8 = value.parse().ok()?;
    (level < 9).then_some(level + 1)
}

/// What the name of a style says. Word's own styles have English names in every language.
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
    }
}

type Notes = HashMap<(&'static str, String), Story>;

fn notes(
    text: &str,
    kind: &'static str,
    parts: &Parts,
    budget: &Budget,
) -> Result<Notes, DocumentError> {
    let mut notes = HashMap::new();
    let mut xml = Xml::new(text, "the notes");
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element.name == kind
        {
            // `w:type` is there on the lines that part notes from text.
            let is_rule = element
                .attribute("type")
                .is_some_and(|kind| kind != "normal");
            let id = element.attribute("id").unwrap_or_default();
            let story = Walk::new(parts, budget).run(&mut xml, kind)?;
            if !is_rule {
                notes.insert((kind, id), story);
            }
        }
    }
    Ok(notes)
}

/// The paragraphs and citations of the text or of one note.
#[derive(Default)]
struct Story {
    blocks: Vec<Block>,
    citations: Vec<Citation>,
    sources: Vec<Source>,
}

/// What a paragraph was read from.
#[derive(Default)]
pub(crate) struct Source {
    /// As its place says.
    pub paragraph: usize,
    pub text: String,
    pub pieces: Vec<Piece>,
    /// From behind its properties to its end tag.
    pub inside: Range<usize>,
}

/// A `w:t`.
pub(crate) struct Piece {
    /// Where it stands in the paragraph's text.
    pub text: Range<usize>,
    pub element: Range<usize>,
    pub run: Run,
    /// Whether an author put it in while changes were tracked.
    pub is_inserted: bool,
}

/// The run around a piece.
#[derive(Clone, Default)]
pub(crate) struct Run {
    /// Its start tag.
    pub tag: Range<usize>,
    /// Its properties; empty where it has none.
    pub properties: Range<usize>,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    pieces: Vec<Piece>,
    /// Where its properties end.
    start: usize,
    style: Style,
    is_reference: bool,
    is_contents: bool,
    /// The author struck out its end, so that the next paragraph goes on in it.
    is_joined: bool,
    notes: Vec<Block>,
}

/// A field between its begin and its end, or what stands for one.
struct OpenField {
    code: String,
    data: String,
    /// Unset until the code is complete; its result is printed, the code is not.
    kind: Option<Field>,
    result: String,
    /// The id of the bookmark that is the field.
    bookmark: Option<String>,
}

/// A content control.
#[derive(Default)]
struct Control {
    kind: Option<Field>,
    text: String,
}

struct Walk<'a> {
    parts: &'a Parts,
    budget: &'a Budget,
    out: Story,
    paragraphs: Vec<Paragraph>,
    joined: (String, Vec<Piece>),
    runs: Vec<Run>,
    /// Tracked insertions inside each other.
    insertions: usize,
    fields: Vec<OpenField>,
    controls: Vec<Control>,
    /// The cells of the open row of each open table.
    tables: Vec<Vec<Vec<Block>>>,
    count: usize,
    called: HashSet<(&'static str, String)>,
}

impl<'a> Walk<'a> {
    fn new(parts: &'a Parts, budget: &'a Budget) -> Walk<'a> {
        Walk {
            parts,
            budget,
            out: Story::default(),
            paragraphs: Vec::new(),
            joined: Default::default(),
            runs: Vec::new(),
            insertions: 0,
            fields: Vec::new(),
            controls: Vec::new(),
            tables: Vec::new(),
            count: 0,
            called: HashSet::new(),
        }
    }

    /// Reads to the end of an element.
    fn run(mut self, xml: &mut Xml<'_>, until: &str) -> Result<Story, DocumentError> {
        while let Some(node) = xml.next()? {
            self.budget.spend(2)?;
            match node {
                Node::Open(element) => self.open(&element, xml)?,
                Node::Close(name) if name == until => break,
                Node::Close(name) => self.close(&name, xml.place()),
                Node::Text(_) => {}
            }
        }
        while !self.paragraphs.is_empty() {
            self.end_paragraph(xml.place().start);
        }
        while !self.tables.is_empty() {
            self.end_row();
            self.tables.pop();
        }
        Ok(self.out)
    }

    fn open(&mut self, element: &Element<'_>, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        match element.name.as_str() {
            "p" => self.begin_paragraph(xml.place().end),
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
            "fldChar" => match element
                .attribute("fldCharType")
                .unwrap_or_default()
                .as_str()
            {
                "begin" => self.begin_field(String::new(), None)?,
                "separate" => self.separate(),
                _ => self.end_field(),
            },
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
                self.begin_field(element.attribute("instr").unwrap_or_default(), None)?;
                self.separate();
            }
            "bookmarkStart" => {
                let name = element.attribute("name").unwrap_or_default();
                if let Some(code) = self.parts.codes.get(&name) {
                    self.begin_field(code.clone(), element.attribute("id"))?;
                    self.separate();
                }
            }
            "bookmarkEnd" => {
                let id = element.attribute("id");
                let is_it = |field: &OpenField| field.bookmark.is_some() && field.bookmark == id;
                if let Some(position) = self.fields.iter().rposition(is_it) {
                    let field = self.fields.remove(position);
                    self.finish(field);
                }
            }
            "sdt" => {
                self.check_depth(self.controls.len())?;
                self.controls.push(Control::default());
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
            // Struck out, moved away, another version of what was read, or no text.
            "del" | "moveFrom" | "Fallback" | "sectPr" | "tblPr" | "trPr" | "tcPr" | "delText"
            | "delInstrText" | "annotation" => xml.skip()?,
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str, place: Range<usize>) {
        match name {
            "p" => self.end_paragraph(place.start),
            "r" => {
                self.runs.pop();
            }
            "ins" | "moveTo" => self.insertions = self.insertions.saturating_sub(1),
            "fldSimple" => self.end_field(),
            "sdt" => {
                if let Some(control) = self.controls.pop()
                    && let Some(Field::Citation(items)) = control.kind
                {
                    self.cite(items, control.text);
                }
            }
            "tr" => self.end_row(),
            "tbl" => {
                self.tables.pop();
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

    fn begin_paragraph(&mut self, start: usize) {
        self.count += 1;
        let (text, pieces) = std::mem::take(&mut self.joined);
        self.paragraphs.push(Paragraph {
            text,
            pieces,
            start,
            is_reference: self.is_within(&Field::Bibliography),
            is_contents: self.is_within(&Field::Contents),
            ..Paragraph::default()
        });
    }

    fn paragraph_properties(&mut self, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
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
                    let style = self.parts.styles.get(&value()).copied();
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
        }
        Ok(())
    }

    /// `end` is where its end tag begins.
    fn end_paragraph(&mut self, end: usize) {
        let Some(paragraph) = self.paragraphs.pop() else {
            return;
        };
        if paragraph.is_joined {
            self.joined = (paragraph.text, paragraph.pieces);
            return;
        }
        let style = paragraph.style;
        let block = Block {
            kind: match style.level {
                Some(level) => BlockKind::Heading(level),
                None if style.is_item => BlockKind::ListItem,
                None => BlockKind::Paragraph,
            },
            text: list::tidy(&paragraph.text),
            place: Place {
                paragraph: Some(self.count),
                ..Place::default()
            },
            is_reference: paragraph.is_reference || style.is_reference && style.level.is_none(),
            ..Block::default()
        };
        let is_printed = !block.text.is_empty() && !paragraph.is_contents && !style.is_contents;
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
            inside: paragraph.start..end,
        });
    }

    /// Writes the text of an element, and keeps where it came from.
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

    /// Writes text where it is printed: not into the code of a field.
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

    fn begin_field(&mut self, code: String, bookmark: Option<String>) -> Result<(), DocumentError> {
        self.check_depth(self.fields.len())?;
        self.fields.push(OpenField {
            code,
            data: String::new(),
            kind: None,
            result: String::new(),
            bookmark,
        });
        Ok(())
    }

    fn separate(&mut self) {
        let Some(field) = self.fields.last_mut() else {
            return;
        };
        let kind = fields::read(&field.code, &field.data);
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.is_reference |= kind == Field::Bibliography;
            paragraph.is_contents |= kind == Field::Contents;
        }
        field.kind = Some(kind);
    }

    fn end_field(&mut self) {
        let is_it = |field: &OpenField| field.bookmark.is_none();
        if let Some(position) = self.fields.iter().rposition(is_it) {
            let field = self.fields.remove(position);
            self.finish(field);
        }
    }

    fn finish(&mut self, field: OpenField) {
        let kind = field.kind;
        let kind = kind.unwrap_or_else(|| fields::read(&field.code, &field.data));
        if let Field::Citation(items) = kind {
            self.cite(items, field.result);
        }
    }

    fn cite(&mut self, items: Vec<crate::document::Cited>, text: String) {
        if items.is_empty() {
            return;
        }
        self.out.citations.push(Citation {
            items,
            text: list::tidy(&text),
            place: Place {
                paragraph: Some(self.count),
                ..Place::default()
            },
            span: None,
        });
    }

    fn note(&mut self, kind: &'static str, element: &Element<'_>) {
        let key = (kind, element.attribute("id").unwrap_or_default());
        let Some(story) = self.parts.notes.get(&key) else {
            return;
        };
        // A note is called once; more calls are repeated marks.
        if !self.called.insert(key) {
            return;
        }
        let number = self.called.len();
        let place = Place {
            paragraph: Some(self.count),
            note: Some(number),
            ..Place::default()
        };
        let citations = story.citations.iter().cloned().map(|citation| Citation {
            place: place.clone(),
            ..citation
        });
        self.out.citations.extend(citations);
        let blocks = story.blocks.iter().cloned().map(|block| Block {
            kind: BlockKind::Note,
            place: place.clone(),
            ..block
        });
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.notes.extend(blocks);
        }
    }

    fn control_properties(&mut self, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        let mut kind = None;
        while let Some(node) = xml.next()? {
            let element = match node {
                Node::Open(element) => element,
                Node::Close(name) if name == "sdtPr" => break,
                _ => continue,
            };
            let value = element.attribute("val").unwrap_or_default();
            match element.name.as_str() {
                "tag" if value.starts_with("MENDELEY_") => kind = Some(fields::read_tag(&value)),
                "bibliography" => kind = Some(Field::Bibliography),
                "docPartGallery" if value == "Table of Contents" => kind = Some(Field::Contents),
                _ => {}
            }
        }
        if let Some(control) = self.controls.last_mut() {
            control.kind = kind;
        }
        Ok(())
    }
}

/// `Heading1` as the name of the style is: `Heading 1`.
fn spaced(id: &str) -> String {
    let digits = id.len() - id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, number) = id.split_at(id.len() - digits);
    format!("{word} {number}").trim_end().to_owned()
}
