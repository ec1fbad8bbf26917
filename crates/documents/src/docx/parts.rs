//! The main part of a package, and what other parts say about its text.

use std::collections::HashMap;

use super::story::{NoteKey, Story};
use super::styles::ParagraphStyle;
use crate::error::DocumentError;
use crate::package::Package;
use crate::xml::{Node, Xml};

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
    pub fn sibling(&self, name: &str) -> String {
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
    pub styles: HashMap<String, ParagraphStyle>,
    /// The codes of Zotero citations stored as bookmarks, by bookmark name.
    pub codes: HashMap<String, String>,
    pub notes: HashMap<NoteKey, Story>,
}

impl Parts {
    /// The id of the style with a lower-case name; built-in names are English in every language.
    pub fn style(&self, name: &str) -> Option<&str> {
        let mut styles = self.styles.iter();
        let found = styles.find(|(_, style)| style.name == name);
        found.map(|(id, _)| id.as_str())
    }
}
