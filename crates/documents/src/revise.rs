//! Word's packages with corrections as tracked changes and with comments, so that the author decides. The
//! text's part changes in the runs with a correction alone; every part that has none is copied.

use std::collections::BTreeMap;
use std::ops::Range;

use citation_exchange::correction::{Corrected, Correction, Edits};
use citation_exchange::reword::{find, mask};
use citation_model::budget::Budget;
use quick_xml::escape::escape;

use crate::correct::{edit, markup};
use crate::document::Place;
use crate::docx::{self, MainPart, Piece, Source};
use crate::error::DocumentError;
use crate::format::Format;
use crate::package::Package;
use crate::xml::{Node, Xml};

/// What is to be said of a printed reference.
#[derive(Clone, Debug, Default)]
pub struct Revision {
    pub place: Place,
    /// The reference as it is printed.
    pub text: String,
    pub corrections: Vec<Correction>,
    /// What a comment says where there is no correction, or one has no plain place. Lines are paragraphs.
    pub comment: String,
}

/// Whose the changes are.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    pub author: &'a str,
    /// `2001-02-03T04:05:06Z`
    pub date: &'a str,
}

/// A package with tracked changes.
#[derive(Debug, Default)]
pub struct Revised {
    pub bytes: Vec<u8>,
    pub changes: Vec<Change>,
    /// Paragraphs with a comment.
    pub comments: Vec<usize>,
}

/// One tracked change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub paragraph: usize,
    pub old: String,
    pub new: String,
}

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
/// The same in ISO's strict form.
const STRICT_WORD: &str = "http://purl.oclc.org/ooxml/wordprocessingml/main";
const STRICT_RELATIONS: &str = "http://purl.oclc.org/ooxml/officeDocument/relationships";
const COMMENTS_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml";

/// Puts revisions into a package.
pub fn revise(
    bytes: &[u8],
    revisions: &[Revision],
    signature: Signature<'_>,
    budget: &Budget,
) -> Result<Revised, DocumentError> {
    let mut package = Package::open(bytes, budget)?;
    let main = MainPart::read(&mut package)?;
    let sources = docx::sources(&mut package, &main, budget)?;
    let mut writer = Writer::new(&main.text, signature)?;
    for revision in revisions {
        budget.spend(1 + sources.len() as u64 / 8 + revision.text.len() as u64 * 4)?;
        let paragraph = revision.place.paragraph;
        let mut candidates = sources.iter().filter(|s| Some(s.paragraph) == paragraph);
        if revision.place.note.is_some() {
            // Comments stand in the text alone, where the note is called.
            if let Some(source) = candidates.next() {
                writer.comment(source, &revision.comment);
            }
            continue;
        }
        let place = |source: &Source| find(&source.text, &revision.text);
        let found = candidates.find_map(|source| Some((source, place(source)?)));
        if let Some((source, place)) = found {
            writer.revise(source, place, revision);
        }
    }
    let comments = Comments::find(&mut package, &main)?;
    let mut revised = Revised {
        changes: std::mem::take(&mut writer.changes),
        comments: writer.comments.iter().map(|(n, _)| *n).collect(),
        bytes: Vec::new(),
    };
    let mut parts = BTreeMap::new();
    if !writer.comments.is_empty() {
        comments.add(&writer, &mut package, &main, &mut parts)?;
    }
    parts.insert(main.name.clone(), writer.finish(comments.next_id));
    revised.bytes = package.with_parts(parts)?;
    Ok(revised)
}

/// The edits of the part with the text.
struct Writer<'a> {
    text: &'a str,
    /// The prefix of Word's elements, with its colon.
    prefix: String,
    namespace: String,
    signature: Signature<'a>,
    next_id: u64,
    /// By the element that it replaces: what changes in its text.
    edits: BTreeMap<usize, (&'a Piece, Edits)>,
    /// The paragraph, what is said of it, and where it is.
    comments: Vec<(usize, Comment)>,
    changes: Vec<Change>,
}

struct Comment {
    text: String,
    inside: Range<usize>,
}

impl<'a> Writer<'a> {
    fn new(text: &'a str, signature: Signature<'a>) -> Result<Writer<'a>, DocumentError> {
        let mut writer = Writer {
            text,
            prefix: String::new(),
            namespace: String::new(),
            signature,
            next_id: 0,
            edits: BTreeMap::new(),
            comments: Vec::new(),
            changes: Vec::new(),
        };
        let mut xml = Xml::new(text, "the text");
        let mut is_root = true;
        while let Some(node) = xml.next()? {
            let Node::Open(element) = node else { continue };
            if is_root {
                let tag = text.get(xml.place()).unwrap_or_default();
                let name = tag.trim_start_matches('<');
                let prefix = name.split(':').next().filter(|_| name.contains(':'));
                let prefix = prefix.filter(|prefix| prefix.chars().all(char::is_alphanumeric));
                let namespace = element.attribute(prefix.unwrap_or("xmlns"));
                writer.namespace = namespace.unwrap_or_else(|| WORD.to_owned());
                writer.prefix = prefix
                    .map(|prefix| format!("{prefix}:"))
                    .unwrap_or_default();
                is_root = false;
            }
            let id = element.attribute("id").and_then(|id| id.parse().ok());
            writer.next_id = writer
                .next_id
                .max(id.unwrap_or(0).min(u64::from(u32::MAX / 2)) + 1);
        }
        Ok(writer)
    }

    /// Whether an element is one of Word's by this name.
    fn is(&self, element: &Range<usize>, name: &str) -> bool {
        let tag = self.text.get(element.clone()).unwrap_or_default();
        let name = tag
            .strip_prefix('<')
            .and_then(|tag| tag.strip_prefix(&self.prefix)?.strip_prefix(name));
        name.is_some_and(|rest| rest.starts_with([' ', '>', '/', '\n', '\r', '\t']))
    }

    fn revise(&mut self, source: &'a Source, place: Range<usize>, revision: &Revision) {
        let mut is_whole = !revision.corrections.is_empty();
        if let Some(text) = source.text.get(place.clone()) {
            let masked = mask(text, &markup(text, Format::Text));
            for correction in &revision.corrections {
                let edits = edit(&masked, correction).and_then(|edits| {
                    let placed = |(range, new): (Range<usize>, String)| {
                        (place.start + range.start..place.start + range.end, new)
                    };
                    self.pieces(source, edits.into_iter().map(placed).collect())
                });
                is_whole &= edits.is_some();
                for (piece, range, new) in edits.into_iter().flatten() {
                    let kept = self.edits.entry(piece.element.start);
                    kept.or_insert((piece, Vec::new())).1.push((range, new));
                }
            }
        }
        if !is_whole {
            self.comment(source, &revision.comment);
        }
    }

    /// The edits of a paragraph's text as those of its pieces, in bytes of each piece; nothing where one
    /// would change what is no plain text of Word's, or what was inserted or changed before.
    fn pieces(
        &mut self,
        source: &'a Source,
        edits: Edits,
    ) -> Option<Vec<(&'a Piece, Range<usize>, String)>> {
        let mut made = Vec::new();
        let mut changes = Vec::new();
        for (range, new) in edits {
            let touches = |piece: &&Piece| match range.is_empty() {
                true => piece.text.start < range.start && range.start <= piece.text.end,
                false => piece.text.start < range.end && range.start < piece.text.end,
            };
            let pieces: Vec<&Piece> = source.pieces.iter().filter(touches).collect();
            let covered: usize = pieces
                .iter()
                .map(|p| p.text.end.min(range.end) - p.text.start.max(range.start))
                .sum();
            if pieces.is_empty() || covered != range.len() {
                return None;
            }
            changes.push(Change {
                paragraph: source.paragraph,
                old: source.text.get(range.clone())?.to_owned(),
                new: new.clone(),
            });
            let mut new = Some(new);
            for piece in pieces {
                let start = range.start.max(piece.text.start) - piece.text.start;
                let end = range.end.min(piece.text.end) - piece.text.start;
                let is_free = self
                    .edits
                    .get(&piece.element.start)
                    .is_none_or(|(_, edits)| {
                        edits
                            .iter()
                            .all(|(other, _)| other.end < start || end < other.start)
                    });
                let is_plain = self.is(&piece.element, "t") && self.is(&piece.run.tag, "r");
                if !is_free || !is_plain || piece.is_inserted {
                    return None;
                }
                made.push((piece, start..end, new.take().unwrap_or_default()));
            }
        }
        self.changes.extend(changes);
        Some(made)
    }

    fn comment(&mut self, source: &Source, text: &str) {
        let comment = Comment {
            text: text.to_owned(),
            inside: source.inside.clone(),
        };
        self.comments.push((source.paragraph, comment));
    }

    /// The part's text. `comment_id` is that of the first comment.
    fn finish(self, comment_id: u64) -> String {
        let w = &self.prefix;
        let mut edits: Edits = Vec::new();
        let ids = (comment_id..).zip(&self.comments);
        for (id, (_, Comment { inside, .. })) in ids {
            let start = format!("<{w}commentRangeStart {w}id=\"{id}\"/>");
            let end = format!(
                "<{w}commentRangeEnd {w}id=\"{id}\"/><{w}r><{w}commentReference {w}id=\"{id}\"/></{w}r>"
            );
            edits.push((inside.start..inside.start, start));
            edits.push((inside.end..inside.end, end));
        }
        let mut id = self.next_id;
        for (piece, changes) in self.edits.values() {
            let text = self.changed(piece, changes, &mut id);
            edits.extend(text.map(|text| (piece.element.clone(), text)));
        }
        Corrected::new(self.text, edits, Vec::new()).text
    }

    /// What stands in the place of a piece: its run ends, the changes follow, and the run begins again.
    fn changed(&self, piece: &Piece, changes: &Edits, id: &mut u64) -> Option<String> {
        let w = &self.prefix;
        let Signature { author, date } = self.signature;
        let tag = self.text.get(piece.run.tag.clone())?;
        let properties = self.text.get(piece.run.properties.clone())?;
        let run = format!("{tag}{properties}");
        let element = self.text.get(piece.element.clone())?;
        let mut xml = Xml::new(element, "a piece of the text");
        xml.next().ok()?;
        let text = xml.inner_text().ok()?;
        let plain = |text: &str, name: &str| match text.is_empty() {
            true => String::new(),
            false => {
                let text = escape(text);
                format!("<{w}{name} xml:space=\"preserve\">{text}</{w}{name}>")
            }
        };
        let mut tracked = |kind: &str, text: &str, name: &str| match text.is_empty() {
            true => String::new(),
            false => {
                let signed = format!(
                    "{w}id=\"{id}\" {w}author=\"{}\" {w}date=\"{}\"",
                    escape(author),
                    escape(date)
                );
                *id += 1;
                format!(
                    "<{w}{kind} {signed}>{run}{}</{w}r></{w}{kind}>",
                    plain(text, name)
                )
            }
        };
        let mut sorted: Vec<&(Range<usize>, String)> = changes.iter().collect();
        sorted.sort_by_key(|(range, _)| range.start);
        let (mut out, mut at) = (String::new(), 0);
        for (range, new) in sorted {
            out.push_str(&plain(text.get(at..range.start)?, "t"));
            out.push_str(&format!("</{w}r>"));
            out.push_str(&tracked("del", text.get(range.clone())?, "delText"));
            out.push_str(&tracked("ins", new, "t"));
            out.push_str(&run);
            at = range.end;
        }
        out.push_str(&plain(text.get(at..)?, "t"));
        Some(out)
    }
}

/// The part with the comments, which there may be none of yet.
struct Comments {
    name: Option<String>,
    text: String,
    relations: (String, String),
    next_id: u64,
}

impl Comments {
    fn find(package: &mut Package<'_>, main: &MainPart) -> Result<Comments, DocumentError> {
        let own = main.name.rsplit('/').next().unwrap_or_default();
        let relations_name = main.beside(&format!("_rels/{own}.rels"));
        let relations = package.text(&relations_name)?.unwrap_or_default();
        let mut name = None;
        let mut xml = Xml::new(&relations, &relations_name);
        while let Some(node) = xml.next()? {
            if let Node::Open(element) = node
                && element
                    .attribute("Type")
                    .is_some_and(|kind| kind.ends_with("/comments"))
                && let Some(target) = element.attribute("Target")
            {
                name = Some(match target.strip_prefix('/') {
                    Some(target) => target.to_owned(),
                    None => main.beside(&target),
                });
            }
        }
        let text = match &name {
            Some(name) => package.text(name)?.unwrap_or_default(),
            None => String::new(),
        };
        let mut next_id: u64 = 0;
        let mut xml = Xml::new(&text, "the comments");
        while let Some(node) = xml.next()? {
            if let Node::Open(element) = node
                && element.name == "comment"
            {
                let id = element.attribute("id").and_then(|id| id.parse().ok());
                next_id = next_id.max(id.unwrap_or(0).min(u64::from(u32::MAX / 2)) + 1);
            }
        }
        Ok(Comments {
            name,
            text,
            relations: (relations_name, relations),
            next_id,
        })
    }

    /// Adds what is new to the parts that change.
    fn add(
        &self,
        writer: &Writer<'_>,
        package: &mut Package<'_>,
        main: &MainPart,
        parts: &mut BTreeMap<String, String>,
    ) -> Result<(), DocumentError> {
        const CONTENT_TYPES: &str = "[Content_Types].xml";
        const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
        let namespace = &writer.namespace;
        let new: String = (self.next_id..)
            .zip(&writer.comments)
            .map(|(id, (_, comment))| written(id, &comment.text, namespace, writer.signature))
            .collect();
        if let Some(name) = &self.name {
            let text = with_child(&self.text, &new);
            let text = text.ok_or_else(|| DocumentError::broken(name, "it has no root"))?;
            parts.insert(name.clone(), text);
            return Ok(());
        }
        let name = main.beside("comments.xml");
        parts.insert(
            name.clone(),
            format!("{HEAD}<w:comments xmlns:w=\"{namespace}\">{new}</w:comments>"),
        );
        let (relations_name, relations) = &self.relations;
        let kinds = match namespace == STRICT_WORD {
            true => STRICT_RELATIONS,
            false => RELATIONS,
        };
        let id = (1..)
            .map(|n| format!("rIdComments{n}"))
            .find(|id| !relations.contains(&format!("\"{id}\"")))
            .unwrap_or_default();
        let relation = format!(
            "<Relationship xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\" Id=\"{id}\" Type=\"{kinds}/comments\" Target=\"comments.xml\"/>"
        );
        let relations = with_child(relations, &relation).unwrap_or_else(|| {
            format!("{HEAD}<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{relation}</Relationships>")
        });
        parts.insert(relations_name.clone(), relations);
        let types = package.text(CONTENT_TYPES)?.unwrap_or_default();
        let kind = format!(
            "<Override xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\" PartName=\"/{name}\" ContentType=\"{COMMENTS_TYPE}\"/>"
        );
        let types = with_child(&types, &kind)
            .ok_or_else(|| DocumentError::broken(CONTENT_TYPES, "it has no root"))?;
        parts.insert(CONTENT_TYPES.to_owned(), types);
        Ok(())
    }
}

fn written(id: u64, text: &str, namespace: &str, signature: Signature<'_>) -> String {
    let Signature { author, date } = signature;
    let (author, date) = (escape(author), escape(date));
    let paragraph = |line: &str| {
        let line = escape(line);
        format!("<w:p><w:r><w:t xml:space=\"preserve\">{line}</w:t></w:r></w:p>")
    };
    let paragraphs: String = text.lines().map(paragraph).collect();
    format!(
        "<w:comment xmlns:w=\"{namespace}\" w:id=\"{id}\" w:author=\"{author}\" w:date=\"{date}\" w:initials=\"C\">{paragraphs}</w:comment>"
    )
}

/// A text of XML with another child at the end of its root.
fn with_child(text: &str, child: &str) -> Option<String> {
    let mut xml = Xml::new(text, "a part");
    let (mut root, mut end) = (None, 0..0);
    while let Some(node) = xml.next().ok()? {
        match node {
            Node::Open(_) if root.is_none() => root = Some(xml.place()),
            Node::Close(_) => end = xml.place(),
            _ => {}
        }
    }
    let root = root?;
    let (before, behind) = text.split_at_checked(end.start)?;
    if text.get(end)?.starts_with("</") {
        return Some(format!("{before}{child}{behind}"));
    }
    let tag = text.get(root.clone())?.strip_suffix("/>")?;
    let name = tag.strip_prefix('<')?.split_whitespace().next()?;
    let behind = text.get(root.end..)?;
    let head = text.get(..root.start)?;
    Some(format!("{head}{tag}>{child}</{name}>{behind}"))
}
