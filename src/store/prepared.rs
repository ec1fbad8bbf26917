//! Works prepared for writing: everything that needs no database, on any thread.

use super::codec::{self, Fingerprint, Packed};
use super::keys::{self, IdentifierKey};
use super::{Store, StoreError, journals};
use citation_matching::journals::Pair;
use citation_model::access::{CopyVersion, OpenCopy};
use citation_model::identifier::{Doi, Identifier};
use citation_model::variable::TextVar;
use citation_model::work::{Provenance, Update, Validator, Work};

/// A work ready to be written.
#[derive(Clone, Debug)]
pub struct PreparedWork {
    // The item itself is not kept: it is rarely needed again.
    pub(super) packed: Packed,
    pub(super) provenance: Provenance,
    pub(super) hash: i64,
    pub(super) keys: Vec<IdentifierKey>,
    pub(super) doi: Option<Doi>,
    pub(super) updates: Vec<Update>,
    pub(super) pair: Option<Pair>,
    pub(super) open_copy: Option<OpenCopy>,
    pub(super) validator: Option<Validator>,
}

impl Store {
    /// Prepares a work: compresses it and computes its keys.
    pub fn prepare(&self, mut work: Work) -> Result<PreparedWork, StoreError> {
        if !self.keep_abstracts {
            work.item.set_text(TextVar::Abstract, "");
        }
        let json = codec::to_json(&work.item)?;
        let packed = codec::pack(&json, self.dictionaries.newest().as_deref())?;
        let hash = hash(&json, &work);
        let identifiers = work.item.identifiers();
        let doi = identifiers.iter().find_map(|identifier| match identifier {
            Identifier::Doi(doi) => Some(doi.clone()),
            _ => None,
        });
        Ok(PreparedWork {
            keys: keys::of_record(
                &identifiers,
                work.provenance.source,
                &work.provenance.record_id,
                hash,
            ),
            packed,
            doi,
            pair: journals::pair_of(&work.item, work.provenance.source),
            updates: work.updates,
            open_copy: work.open_copy,
            validator: work.validator,
            provenance: work.provenance,
            hash,
        })
    }
}

/// The hash that identifies an unchanged record: its item, notices, address, licence, open copy.
fn hash(json: &[u8], work: &Work) -> i64 {
    let mut hash = Fingerprint::default().with(json);
    for text in [&work.provenance.url, &work.provenance.license] {
        hash = hash
            .with(b"\0")
            .with(text.as_deref().unwrap_or_default().as_bytes());
    }
    for update in &work.updates {
        for text in [
            update.kind.as_str(),
            update.relation.as_str(),
            update.doi.as_str(),
        ] {
            hash = hash.with(b"\0").with(text.as_bytes());
        }
    }
    // A record without an open copy has the hash that it always had.
    if let Some(copy) = &work.open_copy {
        let version = copy.version.map_or("", CopyVersion::as_str);
        for text in [
            copy.url.as_str(),
            version,
            copy.license.as_deref().unwrap_or_default(),
        ] {
            hash = hash.with(b"\0").with(text.as_bytes());
        }
    }
    hash.value()
}
