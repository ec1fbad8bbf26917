//! I/O for the commands that cite in manuscripts: files beside the manuscript, styles by name or path, works
//! by identifier.

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::references::read_sibling;
use super::{Failure, open, terminal};
use crate::app::App;
use crate::blocking::Job;
use crate::config::{Config, ConfigOverrides};
use crate::lookup::scope::Scope;
use crate::manuscript;
use crate::styles::Styles;
use citation_citing::{self as citing, Sources};
use citation_csl::Compiled;
use citation_documents::Document;
use citation_matching::reference::Reference;
use citation_model::budget::Budget;
use citation_model::identifier::Identifier;
use citation_model::item::Item;

/// Opened on demand.
pub struct LocalSources {
    config: Config,
    overrides: ConfigOverrides,
    /// The folder of the files that the manuscript names.
    folder: PathBuf,
    /// Whether providers are not asked.
    local_only: bool,
    /// The style that overrides the manuscript's own.
    style: Option<String>,
    styles: OnceCell<Styles>,
    app: OnceCell<Option<Arc<App>>>,
}

impl LocalSources {
    pub fn new(
        overrides: ConfigOverrides,
        folder: PathBuf,
        local_only: bool,
        style: Option<String>,
    ) -> Result<LocalSources, Failure> {
        Ok(LocalSources {
            config: open::config(overrides.clone())?,
            overrides,
            folder,
            local_only,
            style,
            styles: OnceCell::new(),
            app: OnceCell::new(),
        })
    }

    /// Closes the files and databases opened.
    pub fn close(&self) {
        if let Some(Some(app)) = self.app.get() {
            app.close();
        }
    }

    fn styles(&self) -> Result<&Styles, Failure> {
        if let Some(styles) = self.styles.get() {
            return Ok(styles);
        }
        let styles = open::styles(&self.config);
        Ok(self.styles.get_or_init(|| styles))
    }

    fn app(&self) -> Option<&Arc<App>> {
        let open = || {
            let config = open::config(self.overrides.clone()).and_then(open::app);
            config
                .map_err(|Failure(cause)| terminal::tell_failure(&cause))
                .ok()
        };
        self.app.get_or_init(open).as_ref()
    }

    fn ready(&self, name: Option<&str>, locale: Option<&str>) -> Result<Compiled, Failure> {
        let name = self
            .style
            .as_deref()
            .or(name)
            .unwrap_or(&self.config.format.style);
        let styles = self.styles()?;
        let file = if name.ends_with(".csl") {
            name.to_owned()
        } else {
            format!("{name}.csl")
        };
        let path = self.folder.join(&file);
        let ready = if path.is_file() {
            styles.ready_inline(name, &std::fs::read_to_string(path)?, locale)?
        } else {
            styles.ready(name.strip_suffix(".csl").unwrap_or(name), locale)?
        };
        Ok(Compiled::clone(&ready.compiled))
    }

    fn scope(&self) -> Scope {
        Scope {
            user: None,
            local_only: self.local_only,
        }
    }

    fn find(&self, identifier: &Identifier) -> Option<Item> {
        let app = self.app()?;
        let job = Job::unbounded(Budget::unlimited());
        match app.lookup.resolve(self.scope(), identifier, &job) {
            Ok(resolution) => resolution.work.map(|work| work.item),
            Err(cause) => {
                tell!("{identifier}: {}", Failure::from(cause).0);
                None
            }
        }
    }
}

/// A manuscript, with its bytes and the files beside it that it names.
pub struct ManuscriptFile {
    pub bytes: Vec<u8>,
    pub document: Document,
    pub companions: Vec<PathBuf>,
}

/// Reads a manuscript and its companion files, whose names are relative to a folder.
pub fn read_from(path: &Path, folder: &Path) -> Result<ManuscriptFile, Failure> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|cause| Failure(format!("{file}: {cause}")))?;
    read_bytes(path, folder, bytes)
}

/// Reads a manuscript of which the bytes are known.
pub fn read_bytes(path: &Path, folder: &Path, bytes: Vec<u8>) -> Result<ManuscriptFile, Failure> {
    let file = path.display().to_string();
    let companions = RefCell::new(Vec::new());
    let beside = |name: &str| {
        let found = read_sibling(folder, name);
        companions.borrow_mut().push(folder.join(name));
        found
    };
    let document = manuscript::read(&file, &bytes, &beside, &Budget::unlimited())
        .map_err(|cause| Failure::of_file(&file, &cause))?;
    Ok(ManuscriptFile {
        bytes,
        document,
        companions: companions.into_inner(),
    })
}

impl Sources for LocalSources {
    fn file(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(Path::new(name))).ok()
    }

    fn style(&self, name: Option<&str>, locale: Option<&str>) -> Result<Compiled, String> {
        self.ready(name, locale).map_err(|Failure(cause)| cause)
    }

    fn work(&self, key: &str) -> Option<Item> {
        self.find(&citing::identifier(key)?)
    }

    fn reference(&self, text: &str) -> Option<Item> {
        let app = self.app()?;
        let reference = Reference::parse(text);
        let job = Job::unbounded(Budget::unlimited());
        let references = &app.references;
        match references.find(&app.lookup, &reference, self.scope(), &job) {
            Ok(found) => found.accepted().map(|best| best.work.item.clone()),
            Err(cause) => {
                tell!("{text}: {}", Failure::from(cause).0);
                None
            }
        }
    }
}
