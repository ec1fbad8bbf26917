//! Layer 2: the styles and locales that can be used now. A core is in the program, more can be
//! installed into the database, and a file dropped into the styles folder is live at once. `own` are the
//! styles that accounts brought along.

pub mod catalog;
mod compiled;
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
use entry::{Origin, StyleEntry};
use folder::Folders;

pub use compiled::{Ready, StyleProblem, find};
pub use locales::Locales;

/// How often the styles folder and the database are looked at for changes, at most, in milliseconds.
const LOOK_INTERVAL_MS: u64 = 1_000;

/// The styles of this server.
pub struct Styles {
    /// Nothing where there is no database; then there are the program's styles and the folders'.
    store: Option<Arc<Store>>,
    watched: Mutex<Watched>,
    clock: Clock,
    /// Made when it is first asked for: most commands need no style.
    catalog: RwLock<Option<Arc<Catalog>>>,
    cache: compiled::Cache,
    locales: Locales,
}

/// Where styles come from while the program runs, and how it was when it was last looked at.
struct Watched {
    folder: Folders,
    /// What the database says of its styles.
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
            watched: Mutex::new(Watched {
                folder: Folders::new(folders),
                installed: None,
                looked_ms: None,
            }),
            clock,
            catalog: RwLock::default(),
            cache: compiled::Cache::new(cache_bytes),
            locales,
        }
    }

    /// All styles as they are now.
    pub fn catalog(&self) -> Result<Arc<Catalog>, StoreError> {
        if self.look()? {
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

    /// The database, for what only it can hold.
    fn store(&self) -> Result<&Store, StoreError> {
        self.store
            .as_deref()
            .ok_or_else(|| StoreError::Unfit("there is no database for styles".to_owned()))
    }

    /// Forgets what is known of the styles, after an installation or a removal.
    pub fn forget(&self) {
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.cache.clear();
    }

    fn rebuild(&self) -> Result<Arc<Catalog>, StoreError> {
        let mut all = core_entries().to_vec();
        let mut aliases = Vec::new();
        if let Some(store) = &self.store {
            let installed = store.styles()?.into_iter();
            all.extend(installed.map(|row| stored_entry(row, Origin::Installed)));
            aliases = store.style_aliases()?;
        }
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(watched.folder.entries().cloned());
        drop(watched);
        let catalog = Arc::new(Catalog::new(all, aliases));
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&catalog));
        Ok(catalog)
    }

    /// The XML of a style of the catalogue; nothing where it went away meanwhile.
    pub fn xml(&self, entry: &StyleEntry) -> Result<Option<String>, StoreError> {
        match entry.origin {
            Origin::Core => Ok(embedded::style(&entry.id)),
            Origin::Installed => self.store()?.style_xml(&entry.id),
            // Somebody's own styles are in no catalogue.
            Origin::Own => Ok(None),
            Origin::Folder => {
                let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(watched.folder.read(&entry.id))
            }
        }
    }

    pub fn locales(&self) -> &Locales {
        &self.locales
    }

    /// Looks at the folder and the database if it is time to; tells whether anything has changed.
    fn look(&self) -> Result<bool, StoreError> {
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

/// Descriptions of the styles in the program, made once.
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
        Ok(style) => Some(StyleEntry::of(name, &style, Origin::Core)),
        Err(fault) => {
            tracing::error!(style = name, %fault, "a style of the program does not parse");
            None
        }
    }
}

/// A description as the database has it.
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

fn stored_entry(row: StyleRow, origin: Origin) -> StyleEntry {
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
