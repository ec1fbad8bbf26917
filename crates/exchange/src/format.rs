//! What a bibliographic file format is. Each has a module that holds its [`Format`], which is a row of the
//! registry (`registry.rs`).

use std::fmt;
use std::hash::{Hash, Hasher};

use super::WriteOptions;
use super::content::Content;
use super::reading::Reading;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// A bibliographic file format.
pub struct Format {
    /// Its name in the interface and on the command line, in small letters: `csl-json`.
    pub id: &'static str,
    /// Its name in a sentence: `CSL-JSON`.
    pub title: &'static str,
    /// The first one is what it is sent under. None where it has none of its own.
    pub media_types: &'static [&'static str],
    /// Without the dot, likewise.
    pub extensions: &'static [&'static str],
    /// Whether a file shows the signs of this format.
    pub recognise: fn(&Content<'_>) -> bool,
    pub(crate) read: Option<Read>,
    pub(crate) write: Option<Write>,
    pub keys: KeyRule,
}

pub(crate) type Read = fn(&Content<'_>, &Budget) -> Result<Reading, Exceeded>;
pub(crate) type Write = fn(&[Item], &WriteOptions, &Budget) -> Result<String, Exceeded>;

/// What a format asks of the keys of its records when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRule {
    /// None is needed.
    Optional,
    /// Any text.
    AnyText,
    /// A citation key of letters of any script.
    Unicode,
    /// A citation key as LaTeX takes it.
    Latex,
}

impl Format {
    pub fn is_readable(&self) -> bool {
        self.read.is_some()
    }

    pub fn is_writable(&self) -> bool {
        self.write.is_some()
    }

    /// The file ending to write, without the dot.
    pub fn extension(&self) -> &'static str {
        self.extensions.first().copied().unwrap_or("txt")
    }

    /// The media type to send, without parameters. What is written is UTF-8.
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
