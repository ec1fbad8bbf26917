//! Reads Zip packages, with limits that do not rely on the sizes stated in the package.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use citation_model::budget::Budget;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::error::DocumentError;
use crate::format::ManuscriptFormat;

/// Maximum bytes per part, ten times the text of the longest books.
const MAX_PART: usize = 64 * 1024 * 1024;
/// Maximum bytes of all parts read.
const MAX_TOTAL: usize = 128 * 1024 * 1024;
/// Maximum number of parts, including pictures.
const MAX_PARTS: usize = 20_000;

pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: usize,
    budget: &'a Budget,
}

/// The format of a package.
pub(crate) fn kind(bytes: &[u8]) -> Option<ManuscriptFormat> {
    let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let has = |name: &str| archive.index_for_name(name).is_some();
    match () {
        () if has("[Content_Types].xml") && (has("word/document.xml") || has("_rels/.rels")) => {
            Some(ManuscriptFormat::Docx)
        }
        () if has("content.xml") => Some(ManuscriptFormat::Odt),
        () => None,
    }
}

impl<'a> Package<'a> {
    pub fn open(bytes: &'a [u8], budget: &'a Budget) -> Result<Package<'a>, DocumentError> {
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|cause| DocumentError::broken("the package", cause))?;
        if archive.len() > MAX_PARTS {
            return Err(DocumentError::broken(
                "the package",
                "it has too many parts",
            ));
        }
        Ok(Package {
            archive,
            left: MAX_TOTAL,
            budget,
        })
    }

    /// The names of the parts with this prefix.
    pub fn names(&self, prefix: &str) -> Vec<String> {
        let mut names: Vec<String> = (0..self.archive.len())
            .filter_map(|n| self.archive.name_for_index(n)?.ok())
            .filter(|name| name.starts_with(prefix))
            .map(|name| name.into_owned())
            .collect();
        names.sort();
        names
    }

    /// The text of a part; `None` if it does not exist.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, DocumentError> {
        let limit = MAX_PART.min(self.left);
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

    /// The package with some parts replaced and new parts appended. The rest is copied in compressed form.
    pub fn with_parts(mut self, parts: BTreeMap<String, String>) -> Result<Vec<u8>, DocumentError> {
        let broken = |cause: ZipError| DocumentError::broken("the package", cause);
        let mut left = parts;
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        let write = |writer: &mut ZipWriter<_>, name: String, text: &str, options| {
            writer.start_file(name, options)?;
            writer.write_all(text.as_bytes()).map_err(ZipError::from)
        };
        for n in 0..self.archive.len() {
            let name = self.archive.name_for_index(n).and_then(Result::ok);
            let text = name.as_ref().and_then(|name| left.remove(name.as_ref()));
            let name = name.map(|name| name.into_owned()).unwrap_or_default();
            let part = self.archive.by_index_raw(n).map_err(broken)?;
            let modified = part.last_modified().unwrap_or_default();
            match text {
                None => writer.raw_copy_file(part),
                Some(text) => write(
                    &mut writer,
                    name,
                    &text,
                    options.last_modified_time(modified),
                ),
            }
            .map_err(broken)?;
        }
        for (name, text) in left {
            write(&mut writer, name, &text, options).map_err(broken)?;
        }
        Ok(writer.finish().map_err(broken)?.into_inner())
    }
}
