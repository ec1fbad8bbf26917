//! The manuscripts and bibliographies that are edited together.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use url::Url;

use super::entries::{Bibliography, Entry, is_bibliography};
use super::text::SourceText;
use super::uses::{KeyUse, is_manuscript, key_uses};

/// How deep a folder is searched, the most files, and the largest one.
const MAX_DEPTH: usize = 8;
const MAX_FILES: usize = 4_000;
const MAX_BYTES: u64 = 32 * 1024 * 1024;
/// Folders of other programs.
const OTHER_FOLDERS: [&str; 6] = ["node_modules", "target", "_build", "_site", "_book", "renv"];

/// A file of the project.
#[derive(Clone, Debug)]
pub struct ProjectFile {
    /// As the client names it.
    pub uri: String,
    pub name: String,
    pub text: SourceText,
    pub is_open: bool,
    pub content: FileContent,
    /// Whether the text changed since the content was read.
    pub is_stale: bool,
}

#[derive(Clone, Debug, Default)]
pub enum FileContent {
    #[default]
    Other,
    Manuscript(Vec<KeyUse>),
    Bibliography(Bibliography),
}

/// All files, by their addresses.
#[derive(Debug, Default)]
pub struct Project {
    files: BTreeMap<String, ProjectFile>,
}

/// What stands at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAt {
    pub key: String,
    pub range: std::ops::Range<usize>,
}

impl ProjectFile {
    fn new(uri: String, text: String, is_open: bool) -> ProjectFile {
        let name = uri.rsplit('/').next().unwrap_or_default().to_owned();
        let mut file = ProjectFile {
            uri,
            name,
            text: SourceText::new(text),
            is_open,
            content: FileContent::Other,
            is_stale: true,
        };
        file.refresh();
        file
    }

    /// Reads the content again if the text changed.
    fn refresh(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.content = if is_bibliography(&self.name) {
            let read = Bibliography::read(&self.name, &self.text);
            read.map_or(FileContent::Other, FileContent::Bibliography)
        } else if is_manuscript(&self.name) {
            FileContent::Manuscript(key_uses(&self.name, self.text.as_str()))
        } else {
            FileContent::Other
        };
    }

    pub fn entries(&self) -> &[Entry] {
        match &self.content {
            FileContent::Bibliography(read) => &read.entries,
            _ => &[],
        }
    }

    /// The keys that it cites, or names in fields.
    pub fn uses(&self) -> &[KeyUse] {
        match &self.content {
            FileContent::Manuscript(uses) => uses,
            FileContent::Bibliography(read) => &read.uses,
            FileContent::Other => &[],
        }
    }

    pub fn is_manuscript(&self) -> bool {
        matches!(self.content, FileContent::Manuscript(_))
    }

    /// The key at a byte, which may also be just behind it.
    pub fn key_at(&self, offset: usize) -> Option<KeyAt> {
        let uses = { self.uses().iter() }.map(|found| (&found.key, &found.range));
        let entries = self
            .entries()
            .iter()
            .map(|entry| (&entry.key, &entry.range));
        let mut keys = uses.chain(entries);
        let (key, range) = keys.find(|(_, r)| r.start <= offset && offset <= r.end)?;
        Some(KeyAt {
            key: key.clone(),
            range: range.clone(),
        })
    }
}

impl Project {
    /// Adds the files of a folder.
    pub fn add_folder(&mut self, folder: &Path) {
        self.walk(folder, 0);
    }

    /// Adds the files beside a file, if its folder is not known.
    pub fn add_siblings(&mut self, uri: &str) {
        if let Some(folder) = path_of(uri).as_deref().and_then(Path::parent) {
            self.walk(folder, MAX_DEPTH);
        }
    }

    fn walk(&mut self, folder: &Path, depth: usize) {
        let Ok(listed) = std::fs::read_dir(folder) else {
            return;
        };
        let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if self.files.len() >= MAX_FILES || name.starts_with('.') {
                continue;
            }
            // A link may lead out of the project, or round in a circle.
            let Ok(about) = path.symlink_metadata() else {
                continue;
            };
            if about.is_dir() {
                if depth < MAX_DEPTH && !OTHER_FOLDERS.contains(&&*name) {
                    self.walk(&path, depth + 1);
                }
            } else if about.is_file() && about.len() <= MAX_BYTES && is_read(&name) {
                self.load(&path);
            }
        }
    }

    /// Reads a file of the disk, unless the client has it open.
    pub fn load(&mut self, path: &Path) {
        let Some(uri) = Url::from_file_path(path).ok().map(String::from) else {
            return;
        };
        if self.files.get(&uri).is_some_and(|file| file.is_open) {
            return;
        }
        match std::fs::read(path) {
            Ok(bytes) => {
                let (text, _) = citation_exchange::decode(&bytes);
                let file = ProjectFile::new(uri.clone(), text.into_owned(), false);
                self.files.insert(uri, file);
            }
            Err(_) => {
                self.files.remove(&uri);
            }
        }
    }

    pub fn open(&mut self, uri: &str, text: String) {
        let file = ProjectFile::new(uri.to_owned(), text, true);
        self.files.insert(canonical(uri), file);
    }

    /// The client's changes are dropped; the file on disk counts.
    pub fn close(&mut self, uri: &str) {
        if let Some(file) = self.files.get_mut(&canonical(uri)) {
            file.is_open = false;
        }
        match path_of(uri).filter(|path| path.is_file()) {
            Some(path) => self.load(&path),
            None => {
                self.files.remove(&canonical(uri));
            }
        }
    }

    pub fn change(&mut self, uri: &str, changes: &[serde_json::Value]) {
        if let Some(file) = self.files.get_mut(&canonical(uri)) {
            for change in changes {
                file.text = file.text.changed(change);
            }
            file.is_stale = true;
        }
    }

    /// Reads again what changed. Returns whether something did.
    pub fn refresh(&mut self) -> bool {
        let mut has_changed = false;
        for file in self.files.values_mut().filter(|file| file.is_stale) {
            file.refresh();
            has_changed = true;
        }
        has_changed
    }

    pub fn is_stale(&self) -> bool {
        self.files.values().any(|file| file.is_stale)
    }

    pub fn get(&self, uri: &str) -> Option<&ProjectFile> {
        self.files.get(&canonical(uri))
    }

    pub fn files(&self) -> impl Iterator<Item = &ProjectFile> {
        self.files.values()
    }

    /// Every entry with its file.
    pub fn entries(&self) -> impl Iterator<Item = (&ProjectFile, &Entry)> {
        let files = self.files.values();
        files.flat_map(|file| file.entries().iter().map(move |entry| (file, entry)))
    }

    pub fn entry(&self, key: &str) -> Option<(&ProjectFile, &Entry)> {
        self.entries().find(|(_, entry)| entry.key == key)
    }

    /// The entries of each key.
    pub fn by_key(&self) -> HashMap<&str, Vec<(&ProjectFile, &Entry)>> {
        let mut by_key: HashMap<&str, Vec<(&ProjectFile, &Entry)>> = HashMap::new();
        for (file, entry) in self.entries() {
            by_key.entry(&entry.key).or_default().push((file, entry));
        }
        by_key
    }

    /// The bibliography that gets a new entry for a manuscript: one that it names, else one in its folder, else
    /// the first. Only BibTeX is written.
    pub fn target(&self, manuscript: &ProjectFile) -> Option<&ProjectFile> {
        let files = || {
            self.files
                .values()
                .filter(|file| file.name.ends_with(".bib"))
        };
        let named = |file: &&ProjectFile| {
            let stem = file.name.trim_end_matches(".bib");
            let text = manuscript.text.as_str();
            text.contains(&file.name) || text.contains(&format!("{{{stem}}}"))
        };
        let folder = |file: &ProjectFile| {
            file.uri
                .rsplit_once('/')
                .map(|(folder, _)| folder.to_owned())
        };
        let is_beside = |file: &&ProjectFile| folder(file) == folder(manuscript);
        files()
            .find(named)
            .or_else(|| files().find(is_beside))
            .or_else(|| files().next())
    }
}

fn is_read(name: &str) -> bool {
    is_bibliography(name) || is_manuscript(name)
}

pub fn path_of(uri: &str) -> Option<PathBuf> {
    Url::parse(uri).ok()?.to_file_path().ok()
}

/// One spelling of an address: clients encode different characters.
fn canonical(uri: &str) -> String {
    let url = path_of(uri).and_then(|path| Url::from_file_path(path).ok());
    url.map_or_else(|| uri.to_owned(), String::from)
}
