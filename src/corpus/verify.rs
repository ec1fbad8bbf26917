//! Checks the index against the database: missing, surplus and duplicate works.

use super::error::CorpusError;
use super::index::Opened;
use crate::store::Store;

/// The result of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct CorpusCheck {
    /// Works in the database.
    pub works: u64,
    /// Works in the index.
    pub indexed: u64,
    /// Works missing from the index.
    pub missing: u64,
    /// Ids in the index without a work.
    pub surplus: u64,
    /// Works that the index has more than once.
    pub repeated: u64,
    /// The newest change in the database.
    pub newest_change: i64,
    /// The newest change in the index.
    pub indexed_change: i64,
    /// Whether a rebuild is running.
    pub rebuilding: bool,
    /// Index files with a wrong checksum.
    pub damaged_files: u64,
    /// The counter of works, which health reports.
    pub counted_works: i64,
}

impl CorpusCheck {
    /// Whether index and database agree.
    pub fn is_sound(&self) -> bool {
        self.missing == 0
            && self.surplus == 0
            && self.repeated == 0
            && self.damaged_files == 0
            && self.newest_change == self.indexed_change
            && !self.rebuilding
            && self.counted_works == self.works as i64
    }
}

/// Reads all ids in the index and in the database. Uses one bit of memory per work.
pub fn verify(store: &Store, opened: Option<&Opened>) -> Result<CorpusCheck, CorpusError> {
    let range = store.change_range()?;
    let mut result = CorpusCheck {
        newest_change: range.newest,
        counted_works: store.counter("works")?,
        ..CorpusCheck::default()
    };
    let mut seen = BitSet::default();
    if let Some(opened) = opened {
        opened.reader.reload()?;
        if let Some(mark) = opened.mark()? {
            result.indexed_change = mark.seq;
            result.rebuilding = mark.rebuild.is_some();
        }
        result.damaged_files = opened.index.validate_checksum()?.len() as u64;
        read_index(opened, &mut seen, &mut result)?;
    }
    let mut known = 0;
    let mut after = 0;
    loop {
        let ids = store.work_ids_after(after, 10_000)?;
        let Some(&last) = ids.last() else { break };
        result.works += ids.len() as u64;
        for id in ids {
            if seen.has(id as u64) {
                known += 1
            } else {
                result.missing += 1
            }
        }
        after = last;
    }
    result.surplus = result.indexed - result.repeated - known;
    Ok(result)
}

fn read_index(
    opened: &Opened,
    seen: &mut BitSet,
    result: &mut CorpusCheck,
) -> Result<(), CorpusError> {
    let searcher = opened.reader.searcher();
    let index = &opened.index;
    let name = index.schema().get_field_name(opened.fields.id).to_owned();
    for segment in searcher.segment_readers() {
        let ids = segment.fast_fields().u64(&name)?;
        for document in segment.doc_ids_alive() {
            result.indexed += 1;
            let Some(id) = ids.first(document) else {
                continue;
            };
            if !seen.set(id) {
                result.repeated += 1;
            }
        }
    }
    Ok(())
}

/// A growing set of small numbers.
#[derive(Default)]
struct BitSet(Vec<u64>);

/// Larger numbers are not ids; a damaged index must not exhaust the memory.
const MAX_BIT: u64 = 1 << 36;

impl BitSet {
    /// False if the number is already in the set.
    fn set(&mut self, bit: u64) -> bool {
        let at = (bit.min(MAX_BIT) / 64) as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        let mask = 1 << (bit % 64);
        let Some(word) = self.0.get_mut(at) else {
            return true;
        };
        let fresh = *word & mask == 0;
        *word |= mask;
        fresh
    }

    fn has(&self, bit: u64) -> bool {
        let word = self.0.get((bit / 64) as usize);
        word.is_some_and(|word| word & (1 << (bit % 64)) != 0)
    }
}
