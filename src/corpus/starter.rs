//! The starter corpus: built-in works, so that the first lookup succeeds.

use super::Corpus;
use super::error::CorpusError;
use crate::store::codec::Fingerprint;
use crate::store::outcome::PutCounts;
use citation_model::date::Date;
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

/// The key of the loaded starter corpus's version.
const FACT: &str = "starter";

/// Number of works written at a time.
const BATCH: usize = 500;

/// A retraction, correction or other notice about a work of the starter corpus.
#[derive(serde::Deserialize)]
struct Notice {
    /// The work of the notice.
    doi: String,
    #[serde(rename = "type")]
    kind: String,
    notice_doi: String,
    /// ISO 8601.
    date: String,
    source: String,
}

/// Loads a JSON array of CSL-JSON items and one of notices, once: the same bytes are ignored the
/// second time, and newer ones replace their older records. `None` if already loaded.
pub fn load(
    corpus: &Corpus,
    json: &[u8],
    notices: &[u8],
    now: i64,
) -> Result<Option<PutCounts>, CorpusError> {
    let fingerprint = Fingerprint::default().with(json).with(notices);
    let version = format!("{:016x}", fingerprint.value());
    let store = corpus.store();
    if store.fact(FACT)?.as_deref() == Some(&version) {
        return Ok(None);
    }
    let unreadable =
        |e: serde_json::Error| CorpusError::Io(format!("cannot read the starter corpus: {e}"));
    let items: Vec<Item> = serde_json::from_slice(json).map_err(unreadable)?;
    let notices: Vec<Notice> = serde_json::from_slice(notices).map_err(unreadable)?;
    let mut counts = PutCounts::default();
    for items in items.chunks(BATCH) {
        let works = items
            .iter()
            .map(|item| store.prepare(starter_work(item.clone(), &notices, now)))
            .collect::<Result<Vec<_>, _>>()?;
        counts.add(store.put(&works)?);
    }
    store.set_fact(FACT, &version)?;
    corpus.notify();
    Ok(Some(counts))
}

fn starter_work(item: Item, notices: &[Notice], now: i64) -> Work {
    let provenance = Provenance {
        source: Source::Local,
        record_id: if item.id.is_empty() {
            String::new()
        } else {
            format!("starter#{}", item.id)
        },
        url: None,
        license: Some("CC0-1.0".to_owned()),
        fetched_at: now,
    };
    let doi = item.doi();
    let about_it = notices
        .iter()
        .filter(|notice| doi.is_some() && Doi::parse(&notice.doi).ok() == doi);
    let updates = about_it.filter_map(update).collect();
    Work {
        updates,
        ..Work::new(item, provenance)
    }
}

fn update(notice: &Notice) -> Option<Update> {
    Some(Update {
        kind: UpdateKind::parse(&notice.kind),
        relation: UpdateRelation::UpdatedBy,
        doi: Doi::parse(&notice.notice_doi).ok()?,
        date: Date::parse_iso(&notice.date),
        source: notice.source.clone(),
        reasons: Vec::new(),
    })
}
