//! Installs a collection of styles from a folder or an archive into the database.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::entry::{StyleEntry, StyleOrigin, short_name};
use super::folder::{is_style_file, style_files};
use super::{Styles, row};
use crate::store::StoreError;
use crate::store::styles::{MAX_STYLE_BYTES, StyleRow};
use citation_csl::{Style, StyleError, lints};

/// The file of the public collection with former names: `{"former": "present"}`.
const RENAMED: &str = "renamed-styles.json";

/// The result of an installation.
#[derive(Debug, Default)]
pub struct Installed {
    pub independent: usize,
    pub dependent: usize,
    /// Number of former names of installed styles.
    pub former_names: usize,
    /// Files that were not installed.
    pub refused: Vec<RejectedStyle>,
}

/// A file that is not a usable style.
#[derive(Debug)]
pub struct RejectedStyle {
    /// The file's path inside the archive or folder.
    pub file: String,
    pub reason: StyleRejection,
}

#[derive(Debug, thiserror::Error)]
pub enum StyleRejection {
    #[error("{0}")]
    Style(#[from] StyleError),
    #[error("the file is not UTF-8")]
    Encoding,
    #[error("the file has more than {MAX_STYLE_BYTES} bytes")]
    TooLarge,
    #[error("the style depends on “{0}”, which is neither in the collection nor installed")]
    ParentMissing(String),
    #[error("the style depends on “{0}”, which depends on another style itself")]
    ParentDependent(String),
    #[error("cannot read the list of former names: {0}")]
    FormerNames(serde_json::Error),
    #[error("cannot read the file: {0}")]
    Unreadable(#[from] io::Error),
}

/// Why nothing could be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error("cannot read {path}: {cause}")]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("{0} contains no styles (files ending in .csl)")]
    Empty(PathBuf),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The progress of an installation.
#[derive(Clone, Copy, Debug)]
pub enum InstallStep {
    /// Number of files read and parsed.
    Reading(usize),
    /// Number of styles stored, of the given total.
    Storing(usize, usize),
}

impl fmt::Display for InstallStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallStep::Reading(files) => write!(f, "{files} files read"),
            InstallStep::Storing(done, total) => write!(f, "{done} of {total} styles stored"),
        }
    }
}

/// Styles read from a source, before they are stored.
#[derive(Default)]
struct CollectedStyles {
    styles: BTreeMap<String, (StyleRow, String)>,
    aliases: Vec<(String, String)>,
    refused: Vec<RejectedStyle>,
    read: usize,
}

impl Styles {
    /// Installs every style of a folder, a `.zip`, `.tar`, `.tar.gz` archive or a single `.csl`
    /// file, in one transaction. Invalid files are reported and skipped.
    pub fn install(
        &self,
        source: &Path,
        progress: &mut dyn FnMut(InstallStep),
    ) -> Result<Installed, InstallError> {
        let mut collection = CollectedStyles::default();
        read_source(source, &mut |name, bytes| {
            collection.add(name, bytes);
            progress(InstallStep::Reading(collection.read));
        })
        .map_err(|cause| InstallError::Unreadable {
            path: source.to_path_buf(),
            cause,
        })?;
        if collection.read == 0 {
            return Err(InstallError::Empty(source.to_path_buf()));
        }
        let catalog = self.catalog()?;
        collection.drop_orphans(&|parent| {
            let entry = catalog.find(parent)?;
            Some(match entry.parent {
                None => StyleKind::Independent,
                Some(_) => StyleKind::Dependent,
            })
        });
        let CollectedStyles {
            styles,
            aliases,
            refused,
            ..
        } = collection;
        let styles: Vec<(StyleRow, String)> = styles.into_values().collect();
        let total = styles.len();
        self.store()?
            .install_styles(&styles, &aliases, &mut |done| {
                progress(InstallStep::Storing(done, total))
            })?;
        self.forget();
        let dependent = styles
            .iter()
            .filter(|(row, _)| row.parent.is_some())
            .count();
        Ok(Installed {
            independent: total - dependent,
            dependent,
            former_names: aliases.len(),
            refused,
        })
    }
}

/// Parses one file as a style. Returns its lint warnings, or the reason why it cannot be used.
pub fn check(path: &Path) -> Result<Vec<StyleError>, StyleRejection> {
    let bytes = std::fs::read(path)?;
    let (_, xml) = parse(&path.to_string_lossy(), bytes)?;
    Ok(lints(&xml)?)
}

/// The style files of a folder, in the layout of the public collection or flat.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    std::fs::read_dir(folder)?;
    let folders = [folder.to_path_buf(), folder.join("styles")];
    Ok(folders
        .iter()
        .flat_map(|folder| style_files(folder))
        .collect())
}

/// Whether a style is independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StyleKind {
    Independent,
    Dependent,
}

impl CollectedStyles {
    fn add(&mut self, file: &str, bytes: Vec<u8>) {
        if file.ends_with(RENAMED) {
            return self.add_former_names(file, &bytes);
        }
        self.read += 1;
        match parse(file, bytes) {
            Ok((entry, xml)) => {
                self.styles.insert(entry.id.clone(), (row(entry), xml));
            }
            Err(reason) => self.refused.push(RejectedStyle {
                file: file.to_owned(),
                reason,
            }),
        }
    }

    fn add_former_names(&mut self, file: &str, bytes: &[u8]) {
        match serde_json::from_slice::<BTreeMap<String, String>>(bytes) {
            Ok(names) => self.aliases.extend(
                names
                    .into_iter()
                    .map(|(former, now)| (former.to_lowercase(), now)),
            ),
            Err(fault) => self.refused.push(RejectedStyle {
                file: file.to_owned(),
                reason: StyleRejection::FormerNames(fault),
            }),
        }
    }

    /// Removes dependent styles whose parent is unknown or itself dependent, which covers
    /// cycles, and former names of unknown styles.
    fn drop_orphans(&mut self, known: &dyn Fn(&str) -> Option<StyleKind>) {
        let kind = |parent: &str| match self.styles.get(parent) {
            Some((row, _)) if row.parent.is_none() => Some(StyleKind::Independent),
            Some(_) => Some(StyleKind::Dependent),
            None => known(parent),
        };
        let lonely: Vec<(String, StyleRejection)> = self
            .styles
            .iter()
            .filter_map(|(id, (row, _))| {
                let parent = row.parent.clone()?;
                let reason = match kind(&parent) {
                    Some(StyleKind::Independent) => return None,
                    Some(StyleKind::Dependent) => StyleRejection::ParentDependent(parent),
                    None => StyleRejection::ParentMissing(parent),
                };
                Some((id.clone(), reason))
            })
            .collect();
        for (id, reason) in lonely {
            self.styles.remove(&id);
            self.refused.push(RejectedStyle {
                file: format!("{id}.csl"),
                reason,
            });
        }
        let styles = &self.styles;
        self.aliases
            .retain(|(former, now)| styles.contains_key(now) && !styles.contains_key(former));
    }
}

fn parse(file: &str, bytes: Vec<u8>) -> Result<(StyleEntry, String), StyleRejection> {
    if bytes.len() > MAX_STYLE_BYTES {
        return Err(StyleRejection::TooLarge);
    }
    let xml = String::from_utf8(bytes).map_err(|_| StyleRejection::Encoding)?;
    let style = Style::parse(&xml)?;
    Ok((
        StyleEntry::of(short_name(file), &style, StyleOrigin::Installed),
        xml,
    ))
}

/// Calls `each` with every style file, and the list of former names.
fn read_source(source: &Path, each: &mut dyn FnMut(&str, Vec<u8>)) -> io::Result<()> {
    if source.is_dir() {
        return read_folder(source, each);
    }
    let name = source.to_string_lossy().to_lowercase();
    if name.ends_with(".csl") {
        each(&source.to_string_lossy(), std::fs::read(source)?);
        return Ok(());
    }
    let mut start = [0; 4];
    let read = File::open(source)?.read(&mut start)?;
    match start.get(..read).unwrap_or_default() {
        [b'P', b'K', ..] => read_zip(source, each),
        [0x1f, 0x8b, ..] => read_tar(flate2::read::GzDecoder::new(File::open(source)?), each),
        _ => read_tar(File::open(source)?, each),
    }
}

fn read_folder(folder: &Path, each: &mut dyn FnMut(&str, Vec<u8>)) -> io::Result<()> {
    std::fs::read_dir(folder)?;
    let mut folders = vec![folder.to_path_buf(), folder.join("styles")];
    folders.retain(|folder| folder.is_dir());
    for folder in folders {
        for path in style_files(&folder) {
            each(&path.to_string_lossy(), std::fs::read(&path)?);
        }
        let renamed = folder.join(RENAMED);
        if renamed.is_file() {
            each(RENAMED, std::fs::read(renamed)?);
        }
    }
    Ok(())
}

fn read_zip(source: &Path, each: &mut dyn FnMut(&str, Vec<u8>)) -> io::Result<()> {
    let mut archive = zip::ZipArchive::new(io::BufReader::new(File::open(source)?))?;
    for index in 0..archive.len() {
        let file = archive.by_index(index)?;
        let name = file.name()?.into_owned();
        if is_wanted(&name) {
            each(&name, read_bounded(file)?);
        }
    }
    Ok(())
}

fn read_tar(source: impl Read, each: &mut dyn FnMut(&str, Vec<u8>)) -> io::Result<()> {
    let mut archive = tar::Archive::new(source);
    for file in archive.entries()? {
        let file = file?;
        let name = file.path()?.to_string_lossy().into_owned();
        if is_wanted(&name) {
            each(&name, read_bounded(file)?);
        }
    }
    Ok(())
}

fn is_wanted(name: &str) -> bool {
    is_style_file(Path::new(name)) || name.ends_with(RENAMED)
}

/// Reads a member of an archive, at most one byte more than allowed.
fn read_bounded(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MAX_STYLE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
