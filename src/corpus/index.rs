//! The search index: derived from the works, and disposable. It contains
//! terms with their frequencies and nothing else; a hit is the row id of a work.

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use tantivy::index::SegmentComponent;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use tantivy::{Index, IndexReader, ReloadPolicy, TantivyDocument};

use super::error::CorpusError;
use super::ranking::Ranking;
use super::tokens::{Tokens, tokenize};
use crate::store::works::WorkId;
use crate::store::{StoreError, free_bytes};
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NameVar, NumberVar, TextVar};

/// Increased whenever the fields or the terms change: an index with another version is rebuilt.
const VERSION: u32 = 1;

const TOKENIZER: &str = "citation";

/// Bytes without which no segment can be written.
const LEAST_SPACE: u64 = 1 << 20;

/// The files that every segment has.
const NEEDED: [SegmentComponent; 4] = [
    SegmentComponent::Postings,
    SegmentComponent::Terms,
    SegmentComponent::FastFields,
    SegmentComponent::Store,
];

/// The name of the field with the works' ids.
pub const ID: &str = "id";

/// The fields of the index.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// The id of the work.
    pub id: Field,
    /// The year of issue.
    pub year: Field,
    /// All searchable words.
    pub text: Field,
}

/// The metadata of an index commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitMark {
    pub version: u32,
    /// The id of the database.
    pub database: String,
    /// All changes up to this one are in the index.
    pub seq: i64,
    /// The stamp of that change; it detects a database that was set back to an older state.
    pub stamp: i64,
    /// Set during a rebuild.
    pub rebuild: Option<Rebuild>,
}

/// The progress of a rebuild: works up to `done` of those up to `last` are indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rebuild {
    pub done: WorkId,
    pub last: WorkId,
}

/// An index that is open for searching.
pub struct Opened {
    pub index: Index,
    pub reader: IndexReader,
    pub fields: Fields,
    ranking: Mutex<Option<Arc<Ranking>>>,
}

/// The directory of the index, and the open index.
pub struct SearchIndex {
    directory: PathBuf,
    opened: RwLock<Option<Arc<Opened>>>,
    /// A search has failed, so files may be damaged.
    is_suspect: AtomicBool,
}

impl SearchIndex {
    /// Opens the index in a directory if it is sound; otherwise searches find nothing
    /// until an indexer has built one.
    pub fn open(directory: &Path) -> SearchIndex {
        let index = SearchIndex {
            directory: directory.to_owned(),
            opened: RwLock::new(None),
            is_suspect: AtomicBool::new(false),
        };
        if let Err(error) = index.current() {
            tracing::warn!(%error, "the search index cannot be used and will be rebuilt");
        }
        index
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The open index; opens one that another process has built meanwhile. `None` if there
    /// is none.
    pub fn current(&self) -> Result<Option<Arc<Opened>>, CorpusError> {
        if let Some(opened) = self.opened_now() {
            return Ok(Some(opened));
        }
        if !self.directory.join("meta.json").exists() {
            return Ok(None);
        }
        let opened = Arc::new(open_sound(&self.directory)?);
        Ok(Some(self.keep(opened)))
    }

    /// Runs a search. If it fails or panics on corrupt data, the files will be checked.
    pub fn watch<T>(
        &self,
        search: impl FnOnce() -> Result<T, CorpusError>,
    ) -> Result<T, CorpusError> {
        let result = std::panic::catch_unwind(AssertUnwindSafe(search))
            .unwrap_or_else(|_| Err(CorpusError::Index("a search cannot read it".to_owned())));
        if matches!(result, Err(CorpusError::Index(_))) {
            self.is_suspect.store(true, Ordering::Relaxed);
        }
        result
    }

    /// Fails if files of the open index are missing, or damaged after a failed search.
    pub fn check(&self) -> Result<(), CorpusError> {
        let Some(opened) = self.opened_now() else {
            return Ok(());
        };
        // Segments replaced by a merge may lack files, but are no longer listed.
        if let Some(file) = self.missing_file(&opened)?
            && self.missing_file(&opened)?.as_ref() == Some(&file)
        {
            let missing = format!("its file {} is missing or empty", file.display());
            return Err(CorpusError::Index(missing));
        }
        if self.is_suspect.load(Ordering::Relaxed) {
            let damaged = opened.index.validate_checksum()?;
            if let Some(file) = damaged.iter().next() {
                let damaged = format!("its file {} is damaged", file.display());
                return Err(CorpusError::Index(damaged));
            }
            self.is_suspect.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// A file of a segment that is missing or empty.
    fn missing_file(&self, opened: &Opened) -> Result<Option<PathBuf>, CorpusError> {
        let segments = opened.index.searchable_segment_metas()?;
        let mut files = segments
            .iter()
            .flat_map(|segment| NEEDED.map(|component| segment.relative_path(component)));
        Ok(files.find(|file| {
            let metadata = std::fs::metadata(self.directory.join(file));
            !metadata.is_ok_and(|metadata| metadata.len() > 0)
        }))
    }

    /// A failure of writing with its cause, which the threads of tantivy lose: no space on the disk.
    pub fn cause(&self, error: CorpusError) -> CorpusError {
        let is_full = free_bytes(&self.directory).is_some_and(|free| free < LEAST_SPACE);
        match error {
            CorpusError::Index(_) if is_full => StoreError::Full.into(),
            error => error,
        }
    }

    /// The file that requests a rebuild.
    pub fn request_path(&self) -> PathBuf {
        self.directory.with_extension("rebuild")
    }

    /// The open index, or a new, empty one that replaces a damaged one. Only for the holder of
    /// the indexer's lock.
    pub fn current_or_new(&self) -> Result<Arc<Opened>, CorpusError> {
        let current = self.check().and_then(|()| self.current());
        match current {
            Ok(Some(opened)) => Ok(opened),
            Ok(None) => self.create(),
            Err(error) => {
                tracing::warn!(%error, "the search index is damaged and is rebuilt");
                self.create()
            }
        }
    }

    /// Deletes the index and creates an empty one.
    pub fn create(&self) -> Result<Arc<Opened>, CorpusError> {
        self.set(None);
        self.is_suspect.store(false, Ordering::Relaxed);
        if self.directory.exists() {
            std::fs::remove_dir_all(&self.directory)?;
        }
        std::fs::create_dir_all(&self.directory)?;
        let index = Index::create_in_dir(&self.directory, schema())?;
        Ok(self.keep(Arc::new(open_for_reading(index)?)))
    }

    fn opened_now(&self) -> Option<Arc<Opened>> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.clone()
    }

    fn keep(&self, opened: Arc<Opened>) -> Arc<Opened> {
        self.set(Some(opened.clone()));
        opened
    }

    fn set(&self, value: Option<Arc<Opened>>) {
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = value;
    }
}

impl Opened {
    /// The metadata of the last commit; `None` if it has none.
    pub fn mark(&self) -> Result<Option<CommitMark>, CorpusError> {
        let payload = self.index.load_metas()?.payload;
        Ok(payload.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The newest state of the index, ready for ranking.
    pub fn ranking(&self) -> Result<Arc<Ranking>, CorpusError> {
        let searcher = self.reader.searcher();
        let mut known = self.ranking.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = searcher.generation().generation_id();
        if let Some(ranking) = known.as_ref()
            && ranking.searcher().generation().generation_id() == newest
        {
            return Ok(ranking.clone());
        }
        // The commit's metadata is read before its state: works committed between the two are
        // found twice rather than missed.
        let seq = match (self.mark(), self.reader.reload()) {
            (Ok(Some(mark)), Ok(())) => mark.seq,
            _ => 0,
        };
        let searcher = self.reader.searcher();
        let ranking = Arc::new(Ranking::open(searcher, self.fields.text, ID, seq)?);
        *known = Some(ranking.clone());
        Ok(ranking)
    }

    /// Releases the state before the last commit.
    pub fn reload(&self) -> Result<(), CorpusError> {
        self.reader.reload()?;
        *self.ranking.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// Number of searchable works.
    pub fn documents(&self) -> u64 {
        self.reader.searcher().num_docs()
    }
}

impl CommitMark {
    pub fn new(database: &str) -> CommitMark {
        CommitMark {
            version: VERSION,
            database: database.to_owned(),
            ..CommitMark::default()
        }
    }

    /// Whether the index belongs to this database and has the same fields.
    pub fn fits(&self, database: &str) -> bool {
        self.version == VERSION && self.database == database
    }
}

fn schema() -> Schema {
    let mut builder = Schema::builder();
    builder.add_u64_field(ID, INDEXED | FAST);
    builder.add_i64_field("year", FAST);
    let terms = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqs);
    builder.add_text_field("text", TextOptions::default().set_indexing_options(terms));
    builder.build()
}

fn open_sound(directory: &Path) -> Result<Opened, CorpusError> {
    let index = Index::open_in_dir(directory)?;
    if index.schema() != schema() {
        return Err(CorpusError::Index(
            "its fields are of another version".to_owned(),
        ));
    }
    open_for_reading(index)
}

fn open_for_reading(index: Index) -> Result<Opened, CorpusError> {
    index
        .tokenizers()
        .register(TOKENIZER, ItemTokenizer::default());
    let schema = index.schema();
    let fields = Fields {
        id: schema.get_field(ID)?,
        year: schema.get_field("year")?,
        text: schema.get_field("text")?,
    };
    // Commits of another process are visible within half a second, our own at once by a reload.
    let reader = index
        .reader_builder()
        .reload_policy(ReloadPolicy::OnCommitWithDelay)
        .try_into()?;
    Ok(Opened {
        index,
        reader,
        fields,
        ranking: Mutex::default(),
    })
}

/// The indexed terms of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexText {
    text: String,
    year: Option<i32>,
}

impl IndexText {
    pub fn of(item: &Item) -> IndexText {
        IndexText {
            text: searchable_text(item),
            year: item.year(),
        }
    }

    /// The searchable words, in order.
    pub fn words(&self) -> Vec<String> {
        tokenize(&self.text)
    }

    /// The same in the index's format.
    pub fn document(self, fields: Fields, id: WorkId) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_u64(fields.id, id as u64);
        if let Some(year) = self.year {
            document.add_i64(fields.year, i64::from(year));
        }
        document.add_text(fields.text, self.text);
        document
    }
}

/// The searchable text of an item: titles, names, container, publisher, year, and the numbers of
/// volume, issue and pages.
fn searchable_text(item: &Item) -> String {
    const TEXTS: [TextVar; 8] = [
        TextVar::Title,
        TextVar::OriginalTitle,
        TextVar::ContainerTitle,
        TextVar::ContainerTitleShort,
        TextVar::CollectionTitle,
        TextVar::EventTitle,
        TextVar::Publisher,
        TextVar::Genre,
    ];
    const NUMBERS: [NumberVar; 5] = [
        NumberVar::Volume,
        NumberVar::Issue,
        NumberVar::Page,
        NumberVar::Number,
        NumberVar::Edition,
    ];
    const NAMES: [NameVar; 4] = [
        NameVar::Author,
        NameVar::Editor,
        NameVar::Translator,
        NameVar::ContainerAuthor,
    ];
    let mut text = String::with_capacity(512);
    let mut add = |part: &str| {
        text.push_str(part);
        text.push('\n');
    };
    TEXTS
        .iter()
        .filter_map(|v| item.text(*v))
        .for_each(&mut add);
    NUMBERS
        .iter()
        .filter_map(|v| item.number(*v))
        .for_each(&mut add);
    NAMES
        .iter()
        .flat_map(|v| item.names(*v))
        .take(MAX_NAMES)
        .flat_map(name_parts)
        .for_each(&mut add);
    if let Some(year) = item.year() {
        add(&year.to_string());
    }
    text
}

/// Maximum number of indexed names of one item. Papers with thousands of authors would fill the index.
const MAX_NAMES: usize = 100;

fn name_parts(name: &Name) -> impl Iterator<Item = &str> {
    [
        &name.non_dropping_particle,
        &name.family,
        &name.given,
        &name.literal,
    ]
    .into_iter()
    .filter_map(|part| part.as_deref())
}

/// Our terms in the index's format.
#[derive(Clone, Default)]
struct ItemTokenizer {
    token: Token,
}

struct ItemTokenStream<'a> {
    tokens: Tokens<'a>,
    token: &'a mut Token,
}

impl Tokenizer for ItemTokenizer {
    type TokenStream<'a> = ItemTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> ItemTokenStream<'a> {
        self.token.reset();
        ItemTokenStream {
            tokens: Tokens::new(text),
            token: &mut self.token,
        }
    }
}

impl TokenStream for ItemTokenStream<'_> {
    fn advance(&mut self) -> bool {
        self.token.position = self.token.position.wrapping_add(1);
        self.tokens.next_into(&mut self.token.text)
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
