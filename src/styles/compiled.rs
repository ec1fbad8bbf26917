//! A bounded cache of styles compiled for a locale.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Styles;
use super::catalog::Catalog;
use super::entry::{StyleEntry, StyleOrigin, short_name};
use crate::histogram::CacheCounts;
use crate::store::StoreError;
use citation_csl::{CitationFormat, Compiled, Style, StyleError, lang};

/// A style ready for formatting, with its catalogue entry.
#[derive(Clone, Debug)]
pub struct Ready {
    /// `None` for a style sent by the caller.
    pub entry: Option<Arc<StyleEntry>>,
    pub compiled: Arc<Compiled>,
    /// The tag of the locale used, which may be a relative of the requested one.
    pub locale: String,
    /// Whether it is the requested one.
    pub locale_known: bool,
}

impl Ready {
    /// The style's short name; for one sent by the caller, the last part of its address.
    pub fn name(&self) -> String {
        match &self.entry {
            Some(entry) => entry.id.clone(),
            None => short_name(&self.compiled.style().info.id).to_owned(),
        }
    }

    pub fn citation_format(&self) -> Option<CitationFormat> {
        let own = self.compiled.style().info.citation_format;
        self.entry
            .as_ref()
            .and_then(|entry| entry.citation_format)
            .or(own)
    }
}

/// Why a style cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StyleProblem {
    #[error("the style “{name}” does not exist{}", Suggestions(nearest))]
    Unknown {
        name: String,
        /// Similar short names.
        nearest: Vec<String>,
    },
    #[error("the style “{name}” depends on “{parent}”, which is not installed")]
    ParentMissing { name: String, parent: String },
    #[error("the style “{name}” cannot be used: {fault}")]
    Broken { name: String, fault: StyleError },
    #[error("“{tag}” is not a language tag such as en-US")]
    BadLocale { tag: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// `; near it are apa, apa-6th-edition`; empty without suggestions.
struct Suggestions<'a>(&'a [String]);

impl fmt::Display for Suggestions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            near => write!(f, "; near it are {}", near.join(", ")),
        }
    }
}

/// Memory of a compiled style, relative to its XML. Measured on the largest styles.
const BYTES_PER_XML_BYTE: usize = 4;

/// Additional memory of every compiled style, in bytes: mostly the merged locale.
const BASE_BYTES: usize = 64 << 10;

/// Maximum number of suggestions for an unknown name.
const SUGGESTIONS: usize = 5;

impl Styles {
    /// Hits and misses of the cache.
    pub fn cache_counts(&self) -> (u64, u64) {
        self.cache.counts.read()
    }

    /// The style with that name for a locale; by default, for the style's own or English.
    pub fn ready(&self, name: &str, locale: Option<&str>) -> Result<Ready, StyleProblem> {
        let locale = check_locale(locale)?;
        let catalog = self.catalog()?;
        let entry = find(&catalog, name)?;
        // A dependent style is its parent with another locale.
        let source = match &entry.parent {
            None => entry,
            Some(parent) => catalog
                .find(parent)
                .ok_or_else(|| StyleProblem::ParentMissing {
                    name: entry.id.clone(),
                    parent: parent.clone(),
                })?,
        };
        let locale = locale.or_else(|| entry.default_locale.clone());
        let key = (source.id.clone(), locale.clone());
        let compiled = match self.cache.get(&key) {
            Some(compiled) => compiled,
            None => self.compile_entry(source, locale.as_deref(), key)?,
        };
        Ok(self.with_locale(Some(Arc::clone(entry)), compiled))
    }

    /// Checks that a style exists; the error has the most similar names.
    pub fn check(&self, name: &str) -> Result<(), StyleProblem> {
        find(self.catalog()?.as_ref(), name).map(|_| ())
    }

    /// A style sent by the caller, with the name for error messages. It is not
    /// cached. A dependent one uses its parent, which must be known.
    pub fn ready_inline(
        &self,
        name: &str,
        xml: &str,
        locale: Option<&str>,
    ) -> Result<Ready, StyleProblem> {
        let locale = check_locale(locale)?;
        let style = parsed(name, xml)?;
        let Some(parent) = &style.info.parent else {
            let compiled = self.compile_style(name, style, locale.as_deref())?;
            return Ok(self.with_locale(None, Arc::new(compiled)));
        };
        let entry = StyleEntry::of(short_name(&style.info.id), &style, StyleOrigin::Own);
        let locale = locale.or_else(|| entry.default_locale.clone());
        let ready = self.ready(parent, locale.as_deref());
        let ready = ready.map_err(|problem| match problem {
            StyleProblem::Unknown { .. } => StyleProblem::ParentMissing {
                name: name.to_owned(),
                parent: parent.clone(),
            },
            other => other,
        })?;
        Ok(Ready {
            entry: Some(Arc::new(entry)),
            ..ready
        })
    }

    /// A style by its text, cached under its own key.
    pub(super) fn ready_text(
        &self,
        key: String,
        name: &str,
        xml: &str,
        locale: Option<&str>,
    ) -> Result<Ready, StyleProblem> {
        let locale = check_locale(locale)?;
        let key = (key, locale.clone());
        let compiled = match self.cache.get(&key) {
            Some(compiled) => compiled,
            None => self.compile_text(name, xml, locale.as_deref(), key)?,
        };
        Ok(self.with_locale(None, compiled))
    }

    fn compile_entry(
        &self,
        entry: &StyleEntry,
        locale: Option<&str>,
        key: Key,
    ) -> Result<Arc<Compiled>, StyleProblem> {
        let xml = self.xml(entry)?.ok_or_else(|| StyleProblem::Unknown {
            name: entry.id.clone(),
            nearest: Vec::new(),
        })?;
        self.compile_text(&entry.id, &xml, locale, key)
    }

    fn compile_text(
        &self,
        name: &str,
        xml: &str,
        locale: Option<&str>,
        key: Key,
    ) -> Result<Arc<Compiled>, StyleProblem> {
        let compiled = Arc::new(self.compile(name, xml, locale)?);
        let size = BASE_BYTES + xml.len() * BYTES_PER_XML_BYTE;
        self.cache.put(key, Arc::clone(&compiled), size);
        Ok(compiled)
    }

    pub(super) fn compile(
        &self,
        name: &str,
        xml: &str,
        locale: Option<&str>,
    ) -> Result<Compiled, StyleProblem> {
        self.compile_style(name, parsed(name, xml)?, locale)
    }

    fn compile_style(
        &self,
        name: &str,
        style: Style,
        locale: Option<&str>,
    ) -> Result<Compiled, StyleProblem> {
        Compiled::new(Arc::new(style), locale, &|tag| self.locales.get(tag))
            .map_err(|fault| broken(name, fault))
    }

    /// Returns the locale file behind the tag that the style was compiled for.
    fn with_locale(&self, entry: Option<Arc<StyleEntry>>, compiled: Arc<Compiled>) -> Ready {
        let chain = lang::fallback_chain(compiled.lang());
        let used = chain.iter().find(|tag| self.locales.get(tag).is_some());
        let locale = used.map_or(lang::ROOT, String::as_str).to_owned();
        // A bare language means its main dialect, which is not another locale.
        let wanted = compiled.lang();
        let locale_known =
            locale == wanted || (!wanted.contains('-') && lang::language(&locale) == wanted);
        Ready {
            entry,
            compiled,
            locale,
            locale_known,
        }
    }
}

/// The style with that name; the error has the most similar names.
pub fn find<'c>(catalog: &'c Catalog, name: &str) -> Result<&'c Arc<StyleEntry>, StyleProblem> {
    catalog.find(name).ok_or_else(|| StyleProblem::Unknown {
        name: name.chars().take(200).collect(),
        nearest: catalog.nearest(name, SUGGESTIONS),
    })
}

fn parsed(name: &str, xml: &str) -> Result<Style, StyleProblem> {
    Style::parse(xml).map_err(|fault| broken(name, fault))
}

fn broken(name: &str, fault: StyleError) -> StyleProblem {
    StyleProblem::Broken {
        name: name.to_owned(),
        fault,
    }
}

/// The tag in its usual spelling.
fn check_locale(tag: Option<&str>) -> Result<Option<String>, StyleProblem> {
    let Some(tag) = tag.map(str::trim).filter(|tag| !tag.is_empty()) else {
        return Ok(None);
    };
    match lang::normalized(tag) {
        Some(tag) => Ok(Some(tag)),
        None => Err(StyleProblem::BadLocale {
            tag: tag.chars().take(50).collect(),
        }),
    }
}

/// Short name of the style and tag of the locale.
type Key = (String, Option<String>);

/// Compiled styles; the least recently used ones are evicted.
pub struct StyleCache {
    most_bytes: usize,
    kept: Mutex<CacheState>,
    counts: CacheCounts,
}

#[derive(Default)]
struct CacheState {
    styles: HashMap<Key, CachedStyle>,
    bytes: usize,
    uses: u64,
}

struct CachedStyle {
    compiled: Arc<Compiled>,
    bytes: usize,
    /// The value of `uses` at its last use.
    used: u64,
}

impl StyleCache {
    pub fn new(most_bytes: usize) -> StyleCache {
        StyleCache {
            most_bytes,
            kept: Mutex::default(),
            counts: CacheCounts::default(),
        }
    }

    pub fn clear(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = CacheState::default();
    }

    fn get(&self, key: &Key) -> Option<Arc<Compiled>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.uses += 1;
        let now = kept.uses;
        let slot = kept.styles.get_mut(key);
        self.counts.count(slot.is_some());
        let slot = slot?;
        slot.used = now;
        Some(Arc::clone(&slot.compiled))
    }

    fn put(&self, key: Key, compiled: Arc<Compiled>, bytes: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        while kept.bytes + bytes > self.most_bytes && !kept.styles.is_empty() {
            let oldest = kept.styles.iter().min_by_key(|(_, slot)| slot.used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            if let Some(slot) = kept.styles.remove(&oldest) {
                kept.bytes -= slot.bytes;
            }
        }
        if bytes <= self.most_bytes {
            let used = kept.uses;
            kept.bytes += bytes;
            let slot = CachedStyle {
                compiled,
                bytes,
                used,
            };
            if let Some(replaced) = kept.styles.insert(key, slot) {
                kept.bytes -= replaced.bytes;
            }
        }
    }
}
