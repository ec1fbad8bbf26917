//! Layer 2: the available styles and locales. Core styles are built in, more can be
//! installed into the database, and files in the styles folder are available at once. `own` has the
//! accounts' own styles.

pub mod catalog;
mod compiled;
pub mod elsewhere;
pub mod entry;
pub mod folder;
pub mod install;
mod locales;
pub mod own;
pub mod preview;
mod search;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::clock::Clock;
use crate::store::styles::StyleRow;
use crate::store::{Store, StoreError};
use citation_csl::Style;
use citation_embedded as embedded;

use catalog::Catalog;
use entry::{StyleEntry, StyleOrigin};
use folder::Folders;

pub use compiled::{Ready, StyleProblem, find};
pub use locales::Locales;

/// The minimum interval between checks of the styles folder and the database, in milliseconds.
const LOOK_INTERVAL_MS: u64 = 1_000;

/// The styles of this server.
pub struct Styles {
    /// `None` without a database; then there are the built-in styles and the folders'.
    store: Option<Arc<Store>>,
    watched: Mutex<WatchedSources>,
    clock: Clock,
    /// Created on first use: most commands need no style.
    catalog: RwLock<Option<Arc<Catalog>>>,
    cache: compiled::StyleCache,
    locales: Locales,
}

/// The sources of styles that can change, and their state when last read.
struct WatchedSources {
    folder: Folders,
    /// The database's revision of its styles.
    installed: Option<String>,
    /// By the clock's `elapsed_ms`.
    looked_ms: Option<u64>,
}

impl Styles {
    /// The folders need not exist. `cache_bytes` bounds the memory of compiled styles.
    pub fn new(
        store: Option<Arc<Store>>,
        folders: Vec<PathBuf>,
        cache_bytes: usize,
        clock: Clock,
    ) -> Styles {
        let locales = Locales::new(&folders);
        Styles {
            store,
            watched: Mutex::new(WatchedSources {
                folder: Folders::new(folders),
                installed: None,
                looked_ms: None,
            }),
            clock,
            catalog: RwLock::default(),
            cache: compiled::StyleCache::new(cache_bytes),
            locales,
        }
    }

    /// All current styles.
    pub fn catalog(&self) -> Result<Arc<Catalog>, StoreError> {
        if self.refresh()? {
            self.forget();
        }
        let known = self
            .catalog
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        match known {
            Some(catalog) => Ok(catalog),
            None => self.rebuild(),
        }
    }

    /// The database, for features that need it.
    fn store(&self) -> Result<&Store, StoreError> {
        self.store
            .as_deref()
            .ok_or_else(|| StoreError::Unfit("no database for styles".to_owned()))
    }

    /// Clears the caches, after an installation or a removal.
    pub fn forget(&self) {
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.cache.clear();
    }

    fn rebuild(&self) -> Result<Arc<Catalog>, StoreError> {
        let mut all = core_entries().to_vec();
        let mut aliases = Vec::new();
        if let Some(store) = &self.store {
            let installed = store.styles()?.into_iter();
            all.extend(installed.map(|row| stored_entry(row, StyleOrigin::Installed)));
            aliases = store.style_aliases()?;
        }
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(watched.folder.entries().cloned());
        drop(watched);
        let catalog = Arc::new(Catalog::new(all, aliases));
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&catalog));
        Ok(catalog)
    }

    /// The XML of a style of the catalogue; `None` if it was removed meanwhile.
    pub fn xml(&self, entry: &StyleEntry) -> Result<Option<String>, StoreError> {
        match entry.origin {
            StyleOrigin::Core => Ok(embedded::style(&entry.id)),
            StyleOrigin::Installed => self.store()?.style_xml(&entry.id),
            // Own styles are not in the catalogue.
            StyleOrigin::Own => Ok(None),
            StyleOrigin::Folder => {
                let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(watched.folder.read(&entry.id))
            }
        }
    }

    pub fn locales(&self) -> &Locales {
        &self.locales
    }

    /// Checks the folder and the database if it is time to; returns whether anything has changed.
    fn refresh(&self) -> Result<bool, StoreError> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let now_ms = self.clock.elapsed_ms();
        let is_recent = |looked_ms| now_ms < looked_ms + LOOK_INTERVAL_MS;
        if watched.looked_ms.is_some_and(is_recent) {
            return Ok(false);
        }
        let installed = match &self.store {
            Some(store) => store.styles_state()?,
            None => None,
        };
        watched.looked_ms = Some(now_ms);
        let reinstalled = watched.installed != installed;
        watched.installed = installed;
        Ok(watched.folder.refresh() || reinstalled)
    }
}

/// Descriptions of the built-in styles, computed once.
fn core_entries() -> &'static [StyleEntry] {
    static ENTRIES: std::sync::OnceLock<Vec<StyleEntry>> = std::sync::OnceLock::new();
    ENTRIES.get_or_init(|| {
        embedded::styles()
            .filter_map(|(name, xml)| core_entry(name, &xml))
            .collect()
    })
}

fn core_entry(name: &str, xml: &str) -> Option<StyleEntry> {
    match Style::parse(xml) {
        Ok(style) => Some(StyleEntry::of(name, &style, StyleOrigin::Core)),
        Err(fault) => {
            tracing::error!(style = name, %fault, "a built-in style does not parse");
            None
        }
    }
}

/// A description in the database's form.
fn row(entry: StyleEntry) -> StyleRow {
    StyleRow {
        id: entry.id,
        uri: entry.uri,
        title: entry.title,
        title_short: entry.title_short,
        parent: entry.parent,
        default_locale: entry.default_locale,
        citation_format: entry.citation_format.map(|format| format.csl().to_owned()),
        fields: entry.fields,
        issn: entry.issn,
        updated: entry.updated,
        license: entry.license,
        has_bibliography: entry.has_bibliography,
    }
}

fn stored_entry(row: StyleRow, origin: StyleOrigin) -> StyleEntry {
    StyleEntry {
        citation_format: row
            .citation_format
            .as_deref()
            .and_then(citation_csl::CitationFormat::parse),
        id: row.id,
        uri: row.uri,
        title: row.title,
        title_short: row.title_short,
        default_locale: row.default_locale,
        parent: row.parent,
        fields: row.fields,
        issn: row.issn,
        updated: row.updated,
        license: row.license,
        has_bibliography: row.has_bibliography,
        origin,
    }
}
