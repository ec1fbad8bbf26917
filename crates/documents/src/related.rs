//! Related parts of a Word package, such as comments and notes, created if absent.

use std::collections::BTreeMap;

use crate::docx::MainPart;
use crate::error::DocumentError;
use crate::package::Package;
use crate::wordml::STRICT;
use crate::xml::{Node, Xml};

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const STRICT_RELATIONS: &str = "http://purl.oclc.org/ooxml/officeDocument/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const CONTENT_TYPES: &str = "[Content_Types].xml";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// A kind of part.
pub(crate) struct PartKind {
    /// Its root element, and the end of its relationship and content types.
    name: &'static str,
    /// The child elements with an id.
    child: &'static str,
    /// The initial content of a new part.
    first: &'static str,
}

pub(crate) const COMMENTS: PartKind = PartKind {
    name: "comments",
    child: "comment",
    first: "",
};
/// Word requires the separators between notes and text.
pub(crate) const FOOTNOTES: PartKind = PartKind {
    name: "footnotes",
    child: "footnote",
    first: "<w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type=\"continuationSeparator\" w:id=\"0\"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>",
};

/// A part that may not exist yet.
pub(crate) struct RelatedPart {
    kind: &'static PartKind,
    name: Option<String>,
    text: String,
    relations: (String, String),
}

impl RelatedPart {
    pub fn find(
        kind: &'static PartKind,
        package: &mut Package<'_>,
        main: &MainPart,
    ) -> Result<RelatedPart, DocumentError> {
        let own = main.name.rsplit('/').next().unwrap_or_default();
        let relations_name = main.sibling(&format!("_rels/{own}.rels"));
        let relations = package.text(&relations_name)?.unwrap_or_default();
        let mut name = None;
        let mut xml = Xml::new(&relations, &relations_name);
        while let Some(node) = xml.next()? {
            if let Node::Open(element) = node
                && element
                    .attribute("Type")
                    .is_some_and(|found| found.rsplit('/').next() == Some(kind.name))
                && let Some(target) = element.attribute("Target")
            {
                name = Some(match target.strip_prefix('/') {
                    Some(target) => target.to_owned(),
                    None => main.sibling(&target),
                });
            }
        }
        let text = match &name {
            Some(name) => package.text(name)?.unwrap_or_default(),
            None => String::new(),
        };
        Ok(RelatedPart {
            kind,
            name,
            text,
            relations: (relations_name, relations),
        })
    }

    /// The first unused id, also for a new part.
    pub fn next_id(&self) -> Result<u64, DocumentError> {
        let mut next: u64 = u64::from(!self.kind.first.is_empty());
        let mut xml = Xml::new(&self.text, self.kind.name);
        while let Some(node) = xml.next()? {
            if let Node::Open(element) = node
                && element.name == self.kind.child
            {
                let id = element.attribute("id").and_then(|id| id.parse().ok());
                next = next.max(id.unwrap_or(0).min(u64::from(u32::MAX / 2)) + 1);
            }
        }
        Ok(next)
    }

    /// Adds children to the part, whose text in `parts` may be changed already, and registers a new part in
    /// the package.
    pub fn add(
        &self,
        children: &str,
        namespace: &str,
        package: &mut Package<'_>,
        main: &MainPart,
        parts: &mut BTreeMap<String, String>,
    ) -> Result<(), DocumentError> {
        let PartKind {
            name: kind, first, ..
        } = self.kind;
        if let Some(name) = &self.name {
            let text = parts.get(name).unwrap_or(&self.text);
            let text = with_child(text, children);
            let text = text.ok_or_else(|| DocumentError::broken(name, "it has no root"))?;
            parts.insert(name.clone(), text);
            return Ok(());
        }
        let name = main.sibling(&format!("{kind}.xml"));
        let root = format!("<w:{kind} xmlns:w=\"{namespace}\">{first}{children}</w:{kind}>");
        parts.insert(name.clone(), format!("{HEAD}{root}"));
        let (relations_name, relations) = &self.relations;
        let kinds = if namespace == STRICT {
            STRICT_RELATIONS
        } else {
            RELATIONS
        };
        let id = (1..)
            .map(|n| format!("rIdCitation{n}"))
            .find(|id| !relations.contains(&format!("\"{id}\"")))
            .unwrap_or_default();
        let relation = format!(
            "<Relationship xmlns=\"{PACKAGE}/relationships\" Id=\"{id}\" Type=\"{kinds}/{kind}\" Target=\"{kind}.xml\"/>"
        );
        let relations = with_child(relations, &relation).unwrap_or_else(|| {
            format!(
                "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">{relation}</Relationships>"
            )
        });
        parts.insert(relations_name.clone(), relations);
        let types = package.text(CONTENT_TYPES)?.unwrap_or_default();
        let content_type = format!(
            "<Override xmlns=\"{PACKAGE}/content-types\" PartName=\"/{name}\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml\"/>"
        );
        let types = with_child(&types, &content_type)
            .ok_or_else(|| DocumentError::broken(CONTENT_TYPES, "it has no root"))?;
        parts.insert(CONTENT_TYPES.to_owned(), types);
        Ok(())
    }
}

/// An XML text with another child at the end of its root.
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
