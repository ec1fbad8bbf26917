//! The description of a bibliographic file format. Each format has a module with its [`Format`], which is a
//! row of the registry (`registry.rs`).

use std::fmt;
use std::hash::{Hash, Hasher};

use super::WriteOptions;
use crate::content::Content;
use crate::reading::Reading;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// A bibliographic file format.
pub struct Format {
    /// Its name in the API and on the command line, in lower case: `csl-json`.
    pub id: &'static str,
    /// Its display name: `CSL-JSON`.
    pub title: &'static str,
    /// The first is used for responses. Empty if the format has none.
    pub media_types: &'static [&'static str],
    /// Without the dot; the first is used for files.
    pub extensions: &'static [&'static str],
    /// Whether a file looks like this format. What looks behind the head of the content spends the budget.
    pub(crate) recognise: fn(&Content<'_>, &Budget) -> bool,
    pub(crate) read: Option<Read>,
    pub(crate) write: Option<Write>,
    pub keys: KeyRule,
    /// What its files are made of, by syntax: tests repeat and combine these tokens, so that no text costs
    /// more than its length. Empty if it is not read.
    pub tokens: &'static [&'static [&'static str]],
}

pub(crate) type Read = fn(&Content<'_>, &Budget) -> Result<Reading, Exceeded>;
pub(crate) type Write = fn(&[Item], &WriteOptions, &Budget) -> Result<String, Exceeded>;

/// What a format requires of record keys on writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRule {
    /// No key is required.
    Optional,
    /// Any text.
    AnyText,
    /// A citation key of letters of any script.
    Unicode,
    /// A citation key valid in LaTeX.
    Latex,
}

impl Format {
    pub fn is_readable(&self) -> bool {
        self.read.is_some()
    }

    pub fn is_writable(&self) -> bool {
        self.write.is_some()
    }

    /// Whether a file looks like this format.
    pub fn recognises(&self, content: &Content<'_>, budget: &Budget) -> Result<bool, Exceeded> {
        // The head is searched a few times at most.
        budget.spend(content.head().len() as u64 / 8 + 1)?;
        let is_recognised = (self.recognise)(content, budget);
        budget.check()?;
        Ok(is_recognised)
    }

    /// The file extension to write, without the dot.
    pub fn extension(&self) -> &'static str {
        self.extensions.first().copied().unwrap_or("txt")
    }

    /// The media type to send, without parameters. Output is UTF-8.
    pub fn media_type(&self) -> &'static str {
        self.media_types.first().copied().unwrap_or("text/plain")
    }

    pub(crate) fn has_name(&self, file_name: &str) -> bool {
        let ending = file_name.rsplit_once('.').map(|(_, ending)| ending);
        let is = |known: &&str| ending.is_some_and(|ending| known.eq_ignore_ascii_case(ending));
        self.extensions.iter().any(is)
    }

    pub(crate) fn has_media_type(&self, media_type: &str) -> bool {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        let mut known = self.media_types.iter();
        known.any(|known| known.eq_ignore_ascii_case(essence))
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.id == other.id
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}
