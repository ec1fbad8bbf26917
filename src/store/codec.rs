//! The stored form of an item: CSL-JSON, compressed with zstd and a dictionary
//! trained on earlier records, which makes a record of a kilobyte three times smaller.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use zstd::zstd_safe::{CCtx, CDict, DCtx, DDict};

use super::StoreError;
use citation_model::item::Item;

/// Level 3 takes about 5 µs per record; higher levels take twice that and save a tenth.
const LEVEL: i32 = 3;

/// Size of a trained dictionary. Larger ones gain little.
const DICTIONARY_SIZE: usize = 64 * 1024;

/// Number of works for training a dictionary. Fewer samples are not representative.
pub const TRAINING_WORKS: i64 = 2048;

/// Maximum unpacked size of a record; a frame that claims more is damaged.
const MAX_RECORD: u64 = 64 << 20;

/// A loaded dictionary.
pub struct Dictionary {
    pub id: i64,
    pack: CDict<'static>,
    unpack: DDict<'static>,
}

impl Dictionary {
    fn new(id: i64, content: &[u8]) -> Result<Dictionary, StoreError> {
        let damaged = || StoreError::Corrupt(format!("dictionary {id} cannot be loaded"));
        Ok(Dictionary {
            id,
            pack: CDict::try_create(content, LEVEL).ok_or_else(damaged)?,
            unpack: DDict::try_create(content).ok_or_else(damaged)?,
        })
    }
}

/// The loaded dictionaries. Others that appear in the database later (from another process)
/// are loaded on demand.
#[derive(Default)]
pub struct Dictionaries {
    known: RwLock<LoadedDictionaries>,
    /// Set when training failed; another attempt would fail too.
    gave_up: AtomicBool,
    /// Locked during training.
    training: Mutex<()>,
}

#[derive(Default)]
struct LoadedDictionaries {
    by_id: HashMap<i64, Arc<Dictionary>>,
    newest: Option<Arc<Dictionary>>,
}

impl Dictionaries {
    pub fn load(connection: &Connection) -> Result<Dictionaries, StoreError> {
        let dictionaries = Dictionaries::default();
        let mut statement = connection.prepare("SELECT id, content FROM dictionaries")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let content: Vec<u8> = row.get(1)?;
            dictionaries.remember(Dictionary::new(row.get(0)?, &content)?);
        }
        Ok(dictionaries)
    }

    /// The dictionary for new rows; `None` before the first was trained.
    pub fn newest(&self) -> Option<Arc<Dictionary>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.newest.clone()
    }

    fn get(&self, connection: &Connection, id: i64) -> Result<Arc<Dictionary>, StoreError> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(dictionary) = known.by_id.get(&id) {
            return Ok(dictionary.clone());
        }
        drop(known);
        let content: Vec<u8> = connection
            .query_row(
                "SELECT content FROM dictionaries WHERE id = ?1",
                [id],
                |row| row.get(0),
            )
            .optional()?
            .ok_or_else(|| StoreError::Corrupt(format!("dictionary {id} is missing")))?;
        Ok(self.remember(Dictionary::new(id, &content)?))
    }

    fn remember(&self, dictionary: Dictionary) -> Arc<Dictionary> {
        let dictionary = Arc::new(dictionary);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.newest.as_ref().is_none_or(|d| d.id < dictionary.id) {
            known.newest = Some(dictionary.clone());
        }
        known.by_id.insert(dictionary.id, dictionary.clone());
        dictionary
    }

    /// Whether a dictionary must be trained.
    pub fn is_wanted(&self) -> bool {
        !self.gave_up.load(Ordering::Relaxed) && self.newest().is_none()
    }

    /// The exclusive right to train; `None` if somebody else is training or has just done so.
    pub fn begin_training(&self) -> Option<MutexGuard<'_, ()>> {
        let training = self.training.try_lock().ok()?;
        self.is_wanted().then_some(training)
    }

    pub fn give_up(&self) {
        self.gave_up.store(true, Ordering::Relaxed);
    }

    /// Stores a new dictionary and uses it from now on.
    pub fn add(
        &self,
        transaction: &Transaction<'_>,
        content: &[u8],
        now: i64,
    ) -> Result<(), StoreError> {
        transaction.execute(
            "INSERT INTO dictionaries (created_at, content) VALUES (?1, ?2)",
            params![now, content],
        )?;
        self.remember(Dictionary::new(transaction.last_insert_rowid(), content)?);
        Ok(())
    }
}

/// Trains a dictionary from samples, or returns `None` if they have too little in common.
pub fn train(samples: &[Vec<u8>]) -> Option<Vec<u8>> {
    zstd::dict::from_samples(samples, DICTIONARY_SIZE).ok()
}

/// The stored form of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    pub dictionary: Option<i64>,
    pub bytes: Vec<u8>,
}

/// The item as CSL-JSON.
pub fn to_json(item: &Item) -> Result<Vec<u8>, StoreError> {
    item.to_json()
        .map_err(|e| StoreError::Internal(e.to_string()))
}

/// Compresses a record's JSON.
pub fn pack(json: &[u8], dictionary: Option<&Dictionary>) -> Result<Packed, StoreError> {
    PACKER.with_borrow_mut(|(packer, buffer)| {
        buffer.clear();
        buffer.reserve(zstd::zstd_safe::compress_bound(json.len()));
        let packed = match dictionary {
            Some(dictionary) => packer.compress_using_cdict(buffer, json, &dictionary.pack),
            None => packer.compress(buffer, json, LEVEL),
        };
        packed.map_err(|code| {
            StoreError::Internal(zstd::zstd_safe::get_error_name(code).to_owned())
        })?;
        Ok(Packed {
            dictionary: dictionary.map(|d| d.id),
            bytes: buffer.as_slice().to_vec(),
        })
    })
}

/// Unpacks a row's record and hands its JSON on.
pub fn unpack<T>(
    dictionaries: &Dictionaries,
    connection: &Connection,
    dictionary: Option<i64>,
    bytes: &[u8],
    read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let damaged = |what: &str| StoreError::Corrupt(format!("cannot unpack a record: {what}"));
    let size = match zstd::zstd_safe::get_frame_content_size(bytes) {
        Ok(Some(size)) if size <= MAX_RECORD => size as usize,
        _ => return Err(damaged("its size is missing")),
    };
    let dictionary = dictionary
        .map(|id| dictionaries.get(connection, id))
        .transpose()?;
    UNPACKER.with_borrow_mut(|(unpacker, buffer)| {
        buffer.clear();
        buffer.reserve(size);
        let unpacked = match &dictionary {
            Some(dictionary) => unpacker.decompress_using_ddict(buffer, bytes, &dictionary.unpack),
            None => unpacker.decompress(buffer, bytes),
        };
        unpacked.map_err(|code| damaged(zstd::zstd_safe::get_error_name(code)))?;
        read(buffer)
    })
}

/// Parses a record's JSON.
pub fn from_json(json: &[u8]) -> Result<Item, StoreError> {
    Item::from_json(json).map_err(|e| StoreError::Corrupt(format!("a record is not CSL-JSON: {e}")))
}

thread_local! {
    static PACKER: RefCell<(CCtx<'static>, Vec<u8>)> =
        RefCell::new((CCtx::create(), Vec::new()));
    static UNPACKER: RefCell<(DCtx<'static>, Vec<u8>)> =
        RefCell::new((DCtx::create(), Vec::new()));
}

/// FNV-1a in 64 bits. Small, and stable across machines and versions.
#[derive(Clone, Copy)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    pub fn with(mut self, bytes: &[u8]) -> Fingerprint {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    /// In the stored form.
    pub fn value(self) -> i64 {
        self.0 as i64
    }
}

/// A column with bytes.
pub fn blob<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Result<&'a [u8], StoreError> {
    row.get_ref(column)?
        .as_blob()
        .map_err(|e| StoreError::Corrupt(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dictionary: Option<&[u8]>) {
        let dictionaries = Dictionaries::default();
        let connection = Connection::open_in_memory().unwrap();
        let dictionary =
            dictionary.map(|content| dictionaries.remember(Dictionary::new(7, content).unwrap()));
        let json = br#"{"id":"a","type":"book","title":"Emma"}"#;
        let packed = pack(json, dictionary.as_deref()).unwrap();
        let back = unpack(
            &dictionaries,
            &connection,
            packed.dictionary,
            &packed.bytes,
            |json| Ok(json.to_vec()),
        );
        assert_eq!(back.unwrap(), json);
    }

    #[test]
    fn packed_values_round_trip() {
        check(None);
        check(Some(br#"{"id":"b","type":"book","title":"Persuasion"}"#));
    }

    #[test]
    fn damage_is_an_error() {
        let connection = Connection::open_in_memory().unwrap();
        let read = |json: &[u8]| Ok(json.len());
        for bytes in [&b""[..], b"garbage", &[0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05]] {
            let result = unpack(&Dictionaries::default(), &connection, None, bytes, read);
            assert!(matches!(result, Err(StoreError::Corrupt(_))), "{bytes:?}");
        }
    }

    #[test]
    fn fingerprint_matches_the_published_value() {
        // Test vector of the FNV authors: the 64-bit FNV-1a of "foobar".
        let value = Fingerprint::default().with(b"foobar").value() as u64;
        assert_eq!(value, 0x8594_4171_f739_67e8);
    }
}
