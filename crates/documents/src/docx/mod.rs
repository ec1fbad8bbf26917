//! Word packages (ECMA-376): paragraphs, tables and notes as printed, without tracked deletions, and
//! citations in fields and content controls.

mod fields;
mod notes;
mod paragraphs;
mod parts;
mod reader;
mod story;
mod styles;

pub(crate) use parts::{MainPart, Parts};
pub(crate) use story::{
    FieldSource, FoundCitation, NOTES, NoteKey, ParagraphSource, RunSource, Story, TextPiece,
};

use std::collections::{HashMap, HashSet};

use citation_model::budget::Budget;
use citation_model::item::Item;

use crate::document::{Document, Finding, FindingKind};
use crate::error::DocumentError;
use crate::fields::{bookmark_codes, word_sources};
use crate::package::Package;
use crate::xml::Xml;
use crate::{list, preferences};

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "<w:p>",
    "</w:p>",
    "<w:r>",
    "</w:r>",
    "<w:r><w:t>",
    "</w:t></w:r>",
    "<w:t>",
    "<w:fldSimple w:instr=\"",
    "<w:fldChar w:fldCharType=\"begin\"/>",
    "<w:fldChar w:fldCharType=\"separate\"/>",
    "<w:fldChar w:fldCharType=\"end\"/>",
    "<w:instrText>",
    " ADDIN ZOTERO_ITEM CSL_CITATION {",
    "ADDIN EN.CITE ",
    "ADDIN ZOTERO_BIBL ",
    "CITATION a ",
    "<w:sdt>",
    "<w:tbl>",
    "<w:tr><w:tc>",
    "<w:footnoteReference w:id=\"1\"/>",
    "<w:hyperlink w:anchor=\"a\">",
    "<w:bookmarkStart w:name=\"a\"/>",
    "<w:tab/>",
    "References",
    "[@a]",
    "(Doe 2001)",
    "&amp;",
    "a ",
];

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let mut package = Package::open(bytes, budget)?;
    let story = Contents::read(&mut package, budget)?.story;
    let sources = cited_works(&mut package)?;
    let citations = story.citations.into_iter().map(|found| found.citation);
    let has_sources = !sources.is_empty();
    let mut document = list::assemble(story.blocks, citations.collect(), sources, budget)?;
    let unknown = missing_sources(&document, has_sources);
    document.findings.extend(unknown);
    let unread = story.unread.into_iter().map(Finding::from);
    document.findings.extend(unread);
    Ok(document)
}

/// Keys of Word's citations that the document has no sources for.
fn missing_sources(document: &Document, has_sources: bool) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let mut findings = Vec::new();
    for citation in &document.citations {
        let keys = citation.items.iter().filter(|cited| {
            let is_own = cited.item.is_none() && cited.doi.is_none() && cited.records.is_empty();
            is_own && cited.reference.is_none()
        });
        for key in keys.map(|cited| cited.cite.id.as_str()) {
            if key.is_empty() || !seen.insert(key) {
                continue;
            }
            let reason = if has_sources {
                ""
            } else {
                ", as in a document that LibreOffice has saved: it drops the sources of Word"
            };
            findings.push(Finding {
                kind: FindingKind::UndefinedKey,
                message: format!("The document has no source “{key}”{reason}."),
                keys: vec![key.to_owned()],
                place: citation.place.clone(),
            });
        }
    }
    findings
}

/// The text of a package, with the parts that it depends on.
pub(crate) struct Contents {
    pub main: MainPart,
    pub parts: Parts,
    pub story: Story,
}

impl Contents {
    pub fn read(package: &mut Package<'_>, budget: &Budget) -> Result<Contents, DocumentError> {
        let main = MainPart::read(package)?;
        let parts = read_parts(package, &main, budget)?;
        let mut xml = Xml::new(&main.text, &main.name);
        let story = reader::StoryReader::new(&parts, NoteKey::default(), budget).run(&mut xml)?;
        Ok(Contents { main, parts, story })
    }

    /// The paragraph of a citation.
    pub fn paragraph_of(&self, found: &FoundCitation) -> Option<&ParagraphSource> {
        let story = match &found.note {
            key if *key == NoteKey::default() => &self.story,
            key => self.parts.notes.get(key)?,
        };
        story.sources.get(found.source)
    }
}

fn read_parts(
    package: &mut Package<'_>,
    main: &MainPart,
    budget: &Budget,
) -> Result<Parts, DocumentError> {
    let styles_part = package.text(&main.sibling("styles.xml"))?;
    let properties = package.text(preferences::PART)?.unwrap_or_default();
    let mut parts = Parts {
        styles: styles::read(&styles_part.unwrap_or_default())?,
        codes: bookmark_codes(&properties, "property")?,
        notes: HashMap::new(),
    };
    for (kind, name) in NOTES {
        let text = package.text(&main.sibling(name))?.unwrap_or_default();
        let notes = notes::read(&text, kind, &parts, budget)?;
        parts.notes.extend(notes);
    }
    Ok(parts)
}

/// The works in Word's own sources.
pub(crate) fn cited_works(package: &mut Package<'_>) -> Result<Vec<Item>, DocumentError> {
    let mut works = Vec::new();
    for name in package.names("customXml/item") {
        works.extend(word_sources(&package.text(&name)?.unwrap_or_default())?);
    }
    Ok(works)
}
