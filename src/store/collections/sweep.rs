//! Marks of entries after notices about their works have changed: a retraction marks an entry, a
//! reinstatement takes the mark away.

use super::Edit;
use super::log::{ChangeKind, NewChange};
use super::row::{EntryRow, read_entry, select_entries};
use crate::store::{Store, StoreError, updates};
use citation_model::identifier::Doi;
use citation_model::review::ReviewStatus;
use citation_model::work::{UpdateKind, standing_retraction};

/// Number of works handled in one write.
const WORKS: i64 = 100;

/// A work whose notices have changed.
struct ChangedNotices {
    doi: String,
    /// Whether a source no longer states a retraction that it stated before.
    is_retraction_gone: bool,
}

impl Store {
    /// Marks the entries of works whose notices have changed since the last call, at `now` (Unix
    /// seconds). Returns the number of changed entries.
    pub fn sweep_notices(&self, now: i64) -> Result<usize, StoreError> {
        let mut total = 0;
        while self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT 1 FROM notice_changes")?;
            Ok(statement.exists([])?)
        })? {
            total += self.edit_collections(|edit| edit.sweep_notices(now))?;
        }
        Ok(total)
    }
}

impl Edit<'_> {
    fn sweep_notices(&self, now: i64) -> Result<usize, StoreError> {
        let changed = self.all(
            "SELECT doi, is_retraction_gone FROM notice_changes ORDER BY doi LIMIT ?1",
            [WORKS],
            |row| {
                Ok(ChangedNotices {
                    doi: row.get(0)?,
                    is_retraction_gone: row.get(1)?,
                })
            },
        )?;
        let mut total = 0;
        for work in &changed {
            total += self.mark_entries(work, now)?;
            self.execute("DELETE FROM notice_changes WHERE doi = ?1", [&work.doi])?;
        }
        Ok(total)
    }

    /// Marks the entries of one work. Only the marks that a retraction sets are changed: what else
    /// a user has said about an entry stays.
    fn mark_entries(&self, work: &ChangedNotices, now: i64) -> Result<usize, StoreError> {
        let Ok(doi) = Doi::parse(&work.doi) else {
            return Ok(0);
        };
        let entries = self.all(
            select_entries!(
                " FROM entry_identifiers i
                 CROSS JOIN entries e ON e.id = i.entry
                 WHERE i.kind = 1 AND i.value = ?1 AND e.deleted_at IS NULL"
            ),
            [&work.doi],
            read_entry,
        )?;
        if entries.is_empty() {
            return Ok(0);
        }
        let notices = updates::of(self.transaction, &doi)?;
        let is_retracted = standing_retraction(&notices).is_some();
        let is_cleared = work.is_retraction_gone
            || notices
                .iter()
                .any(|notice| notice.kind == UpdateKind::Reinstatement);
        let mut total = 0;
        for entry in entries {
            let status = match (is_retracted, entry.review_status) {
                (true, ReviewStatus::Clean) => ReviewStatus::Retracted,
                (false, ReviewStatus::Retracted) if is_cleared => ReviewStatus::Clean,
                _ => continue,
            };
            let (collection, uid) = (entry.collection, [entry.uid.clone()]);
            self.set_entry(&EntryRow {
                review_status: status,
                updated_at: entry.updated_at.max(now),
                ..entry
            })?;
            let change = NewChange {
                user: None,
                kind: ChangeKind::EntriesAnnotated,
                entries: &uid,
                fields: &["review_status"],
            };
            self.touch_collection(collection, now, &change)?;
            total += 1;
        }
        Ok(total)
    }
}
