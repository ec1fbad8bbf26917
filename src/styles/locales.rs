//! The locale files: built-in ones, overridden by those of the styles folder. Each is
//! parsed on first use and cached.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use citation_csl::Locale;
use citation_embedded as embedded;
use citation_model::spelling::edits_within;

/// All locales, by tag.
pub struct Locales {
    files: BTreeMap<String, LocaleFile>,
}

struct LocaleFile {
    /// A file of the styles folder; `None` for a built-in one.
    path: Option<PathBuf>,
    parsed: OnceLock<Option<Arc<Locale>>>,
}

impl Locales {
    /// Files in the folders are named `locales-de-DE.xml`. The folders are read once.
    pub fn new(folders: &[PathBuf]) -> Locales {
        let core = embedded::locale_tags().into_iter().map(|tag| (tag, None));
        let own = folders.iter().flat_map(|folder| folder_locales(folder));
        let own = own.map(|(tag, path)| (tag, Some(path)));
        let files = core
            .chain(own)
            .map(|(tag, path)| {
                let parsed = OnceLock::new();
                (tag, LocaleFile { path, parsed })
            })
            .collect();
        Locales { files }
    }

    /// The tags, in order.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The known tag with the most similar spelling.
    pub fn nearest(&self, tag: &str) -> Option<&str> {
        let slips = |known: &&str| {
            let (wanted, known) = (tag.replace('_', "-"), known.to_lowercase());
            edits_within(&wanted.to_lowercase(), &known, 2)
        };
        let judged = self
            .tags()
            .filter_map(|known| Some((slips(&known)?, known)));
        judged.min().map(|(_, known)| known)
    }

    /// The parsed locale of a tag; `None` if it is unknown or its file is invalid.
    pub fn get(&self, tag: &str) -> Option<Arc<Locale>> {
        let file = self.files.get(tag)?;
        let parsed = file.parsed.get_or_init(|| read(tag, file.path.as_deref()));
        parsed.clone()
    }
}

fn read(tag: &str, path: Option<&Path>) -> Option<Arc<Locale>> {
    let xml = match path {
        Some(path) => std::fs::read_to_string(path)
            .inspect_err(
                |cause| tracing::warn!(file = %path.display(), %cause, "cannot read a locale file"),
            )
            .ok()?,
        None => embedded::locale(tag)?,
    };
    match Locale::parse(&xml) {
        Ok(locale) => Some(Arc::new(locale)),
        Err(fault) => {
            tracing::warn!(locale = tag, %fault, "ignoring an invalid locale file");
            None
        }
    }
}

fn folder_locales(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(listing) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let tagged = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        let tag = name.strip_prefix("locales-")?.strip_suffix(".xml")?;
        Some((tag.to_owned(), path))
    };
    listing
        .flatten()
        .filter_map(|file| tagged(file.path()))
        .collect()
}
