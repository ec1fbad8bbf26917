//! The starter corpus: works that come with the program, so that the first lookup finds something.

use super::Corpus;
use super::error::CorpusError;
use crate::model::item::Item;
use crate::model::work::{Provenance, Source, Work};
use crate::store::codec::Fingerprint;
use crate::store::works::PutCounts;

/// The fact that tells which starter corpus was loaded.
const FACT: &str = "starter";

/// Works written at a time.
const BATCH: usize = 500;

/// Loads a JSON array of CSL-JSON items, once: the same bytes do nothing the second time, and
/// newer ones replace their older records. Nothing where it was loaded before.
pub fn load(corpus: &Corpus, json: &[u8], now: i64) -> Result<Option<PutCounts>, CorpusError> {
    let version = format!("{:016x}", Fingerprint::default().with(json).value());
    let store = corpus.store();
    if store.fact(FACT)?.as_deref() == Some(&version) {
        return Ok(None);
    }
    let items: Vec<Item> = serde_json::from_slice(json)
        .map_err(|e| CorpusError::Io(format!("the starter corpus cannot be read: {e}")))?;
    let mut counts = PutCounts::default();
    for items in items.chunks(BATCH) {
        let works = items
            .iter()
            .map(|item| store.prepare(starter_work(item.clone(), now)))
            .collect::<Result<Vec<_>, _>>()?;
        counts.add(store.put(&works)?);
    }
    store.set_fact(FACT, &version)?;
    corpus.notify();
    Ok(Some(counts))
}

fn starter_work(item: Item, now: i64) -> Work {
    let provenance = Provenance {
        source: Source::Local,
        record_id: match item.id.is_empty() {
            true => String::new(),
            false => format!("starter#{}", item.id),
        },
        url: None,
        license: Some("CC0-1.0".to_owned()),
        fetched_at: now,
    };
    Work::new(item, provenance)
}
