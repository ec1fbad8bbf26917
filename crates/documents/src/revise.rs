//! Writes corrections into Word packages as tracked changes and comments, so that the author decides. Only
//! the runs with a correction change; unaffected parts are copied.

use std::collections::BTreeMap;
use std::ops::Range;

use citation_exchange::correction::{Correction, Edits, apply};
use citation_exchange::reword::{find, mask};
use citation_model::budget::Budget;
use quick_xml::escape::escape;

use crate::correct::{edit, markup};
use crate::document::Place;
use crate::docx::{Contents, ParagraphSource, TextPiece};
use crate::error::DocumentError;
use crate::format::ManuscriptFormat;
use crate::package::Package;
use crate::related::{COMMENTS, RelatedPart};
use crate::wordml::Markup;
use crate::xml::{Node, Xml};

/// The revision of a printed reference.
#[derive(Clone, Debug, Default)]
pub struct Revision {
    pub place: Place,
    /// The reference as printed.
    pub text: String,
    pub corrections: Vec<Correction>,
    /// The comment if there is no correction or it has no unambiguous place. Lines become paragraphs.
    pub comment: String,
}

/// The author of the changes.
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
    pub changes: Vec<TrackedChange>,
    /// Paragraphs that got a comment.
    pub comments: Vec<usize>,
}

/// One tracked change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackedChange {
    pub paragraph: usize,
    pub old: String,
    pub new: String,
}

/// Applies revisions to a package.
pub fn revise(
    bytes: &[u8],
    revisions: &[Revision],
    signature: Signature<'_>,
    budget: &Budget,
) -> Result<Revised, DocumentError> {
    let mut package = Package::open(bytes, budget)?;
    let Contents { main, story, .. } = Contents::read(&mut package, budget)?;
    let sources = story.sources;
    let mut writer = RevisionWriter::new(&main.text, signature)?;
    for revision in revisions {
        budget.spend(1 + sources.len() as u64 / 8 + revision.text.len() as u64 * 4)?;
        let paragraph = revision.place.paragraph;
        let mut candidates = sources.iter().filter(|s| Some(s.paragraph) == paragraph);
        if revision.place.note.is_some() {
            // Comments are allowed only in the text, so one on a note is placed at its call.
            if let Some(source) = candidates.next() {
                writer.comment(source, &revision.comment);
            }
            continue;
        }
        let place = |source: &ParagraphSource| find(&source.text, &revision.text);
        let found = candidates.find_map(|source| Some((source, place(source)?)));
        if let Some((source, place)) = found {
            writer.revise(source, place, revision);
        }
    }
    let comments = RelatedPart::find(&COMMENTS, &mut package, &main)?;
    let first_comment = comments.next_id()?;
    let mut revised = Revised {
        changes: std::mem::take(&mut writer.changes),
        comments: writer.comments.iter().map(|(n, _)| *n).collect(),
        bytes: Vec::new(),
    };
    let mut parts = BTreeMap::new();
    if !writer.comments.is_empty() {
        let namespace = &writer.markup.namespace;
        let new: String = (first_comment..)
            .zip(&writer.comments)
            .map(|(id, (_, comment))| written(id, &comment.text, namespace, signature))
            .collect();
        comments.add(&new, namespace, &mut package, &main, &mut parts)?;
    }
    parts.insert(main.name.clone(), writer.finish(first_comment)?);
    revised.bytes = package.with_parts(parts)?;
    Ok(revised)
}

/// The edits of the main part.
struct RevisionWriter<'a> {
    text: &'a str,
    markup: Markup,
    signature: Signature<'a>,
    next_id: u64,
    /// The edits by replaced element.
    edits: BTreeMap<usize, (&'a TextPiece, Edits)>,
    /// The paragraph, the comment, and its position.
    comments: Vec<(usize, Comment)>,
    changes: Vec<TrackedChange>,
}

struct Comment {
    text: String,
    inside: Range<usize>,
}

impl<'a> RevisionWriter<'a> {
    fn new(text: &'a str, signature: Signature<'a>) -> Result<RevisionWriter<'a>, DocumentError> {
        let mut writer = RevisionWriter {
            text,
            markup: Markup::of(text)?,
            signature,
            next_id: 0,
            edits: BTreeMap::new(),
            comments: Vec::new(),
            changes: Vec::new(),
        };
        let mut xml = Xml::new(text, "the text");
        while let Some(node) = xml.next()? {
            let Node::Open(element) = node else { continue };
            let id = element.attribute("id").and_then(|id| id.parse().ok());
            writer.next_id = writer
                .next_id
                .max(id.unwrap_or(0).min(u64::from(u32::MAX / 2)) + 1);
        }
        Ok(writer)
    }

    /// Whether an element is the Word element of this name.
    fn is(&self, element: &Range<usize>, name: &str) -> bool {
        let tag = self.text.get(element.clone()).unwrap_or_default();
        let name = tag
            .strip_prefix('<')
            .and_then(|tag| tag.strip_prefix(&self.markup.prefix)?.strip_prefix(name));
        name.is_some_and(|rest| rest.starts_with([' ', '>', '/', '\n', '\r', '\t']))
    }

    fn revise(&mut self, source: &'a ParagraphSource, place: Range<usize>, revision: &Revision) {
        let mut is_whole = !revision.corrections.is_empty();
        if let Some(text) = source.text.get(place.clone()) {
            let masked = mask(text, &markup(text, ManuscriptFormat::Text));
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

    /// The edits of a paragraph's text as edits of its pieces, in bytes; `None` if one would change content
    /// that is not plain text or is already a tracked change.
    fn pieces(
        &mut self,
        source: &'a ParagraphSource,
        edits: Edits,
    ) -> Option<Vec<(&'a TextPiece, Range<usize>, String)>> {
        let mut made = Vec::new();
        let mut changes = Vec::new();
        for (range, new) in edits {
            let pieces = source.pieces(&range)?;
            changes.push(TrackedChange {
                paragraph: source.paragraph,
                old: source.text.get(range.clone())?.to_owned(),
                new: new.clone(),
            });
            let mut new = Some(new);
            for (piece, within) in pieces {
                let (start, end) = (within.start, within.end);
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
                made.push((piece, within, new.take().unwrap_or_default()));
            }
        }
        self.changes.extend(changes);
        Some(made)
    }

    fn comment(&mut self, source: &ParagraphSource, text: &str) {
        let comment = Comment {
            text: text.to_owned(),
            inside: source.inside.clone(),
        };
        self.comments.push((source.paragraph, comment));
    }

    /// The text of the part. `comment_id` is the id of the first comment.
    fn finish(self, comment_id: u64) -> Result<String, DocumentError> {
        let w = &self.markup.prefix;
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
        Ok(apply(self.text, edits)?)
    }

    /// The replacement of a piece: its run ends, the changes follow, and the run starts again.
    fn changed(&self, piece: &TextPiece, changes: &Edits, id: &mut u64) -> Option<String> {
        let w = &self.markup.prefix;
        let Signature { author, date } = self.signature;
        let tag = self.text.get(piece.run.tag.clone())?;
        let properties = self.text.get(piece.run.properties.clone())?;
        let run = format!("{tag}{properties}");
        let element = self.text.get(piece.element.clone())?;
        let mut xml = Xml::new(element, "a piece of the text");
        xml.next().ok()?;
        let text = xml.inner_text().ok()?;
        let plain = |text: &str, name: &str| {
            if text.is_empty() {
                String::new()
            } else {
                let text = escape(text);
                format!("<{w}{name} xml:space=\"preserve\">{text}</{w}{name}>")
            }
        };
        let mut tracked = |kind: &str, text: &str, name: &str| {
            if text.is_empty() {
                String::new()
            } else {
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
