//! Zip packages: their parts, unpacked within limits that do not trust what the package says of itself.

use std::io::{Cursor, Read};

use citation_model::budget::Budget;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::DocumentError;
use crate::format::Format;

/// Bytes of one part. The text of the longest books is a tenth of it.
const LARGEST_PART: usize = 64 * 1024 * 1024;
/// Bytes of all parts that are read.
const LARGEST_TOTAL: usize = 128 * 1024 * 1024;
/// Parts of a package, pictures and all.
const MOST_PARTS: usize = 20_000;

pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: usize,
    budget: &'a Budget,
}

/// What a package is.
pub(crate) fn kind(bytes: &[u8]) -> Option<Format> {
    let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let has = |name: &str| archive.index_for_name(name).is_some();
    match () {
        () if has("[Content_Types].xml") && (has("word/document.xml") || has("_rels/.rels")) => {
            Some(Format::Docx)
        }
        () if has("content.xml") => Some(Format::Odt),
        () => None,
    }
}

impl<'a> Package<'a> {
    pub fn open(bytes: &'a [u8], budget: &'a Budget) -> Result<Package<'a>, DocumentError> {
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|cause| DocumentError::broken("the package", cause))?;
        if archive.len() > MOST_PARTS {
            return Err(DocumentError::broken(
                "the package",
                "it has too many parts",
            ));
        }
        Ok(Package {
            archive,
            left: LARGEST_TOTAL,
            budget,
        })
    }

    /// The names of the parts that begin so.
    pub fn names(&self, prefix: &str) -> Vec<String> {
        let mut names: Vec<String> = (0..self.archive.len())
            .filter_map(|n| self.archive.name_for_index(n)?.ok())
            .filter(|name| name.starts_with(prefix))
            .map(|name| name.into_owned())
            .collect();
        names.sort();
        names
    }

    /// The text of a part; nothing where there is no such part.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, DocumentError> {
        let limit = LARGEST_PART.min(self.left);
        let part = match self.archive.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(DocumentError::Encrypted(name.to_owned()));
            }
            Err(cause) => return Err(DocumentError::broken(name, cause)),
        };
        let mut bytes = Vec::new();
        part.take(limit as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|cause| DocumentError::broken(name, cause))?;
        if bytes.len() > limit {
            return Err(DocumentError::TooLarge {
                what: name.to_owned(),
                limit,
            });
        }
        self.left -= bytes.len();
        self.budget.spend_bytes(bytes.len())?;
        self.budget.spend(bytes.len() as u64 / 4)?;
        Ok(Some(citation_exchange::decode(&bytes).0.into_owned()))
    }
}
