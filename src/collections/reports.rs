//! Reports of verifications that open for whoever has the link, until they expire.

use super::error::{CollectionError, Resource};
use super::service::Collections;
use super::share::new_token;
use crate::store::StoreError;
use crate::store::reviews::ReportRow;

/// The maximum number of reports that an account shares at a time.
const MAX_REPORTS: u64 = 100;

impl Collections {
    /// Shares a report, which is JSON, until a time in Unix seconds.
    pub fn share_report(
        &self,
        user: i64,
        title: &str,
        content: &[u8],
        expires_at: i64,
    ) -> Result<ReportRow, CollectionError> {
        let row = ReportRow {
            token: new_token()?,
            title: title.to_owned(),
            created_at: self.clock.unix(),
            expires_at,
        };
        if self.store.add_report(user, &row, content, MAX_REPORTS)? {
            return Ok(row);
        }
        Err(CollectionError::TooMany {
            what: "shared reports",
            limit: MAX_REPORTS,
        })
    }

    /// The reports that an account shares, newest first.
    pub fn shared_reports(&self, user: i64) -> Result<Vec<ReportRow>, StoreError> {
        self.store.reports(user, self.clock.unix())
    }

    /// A shared report, and when it expires.
    pub fn shared_report(&self, token: &str) -> Result<(Vec<u8>, i64), CollectionError> {
        let found = self.store.report(token, self.clock.unix())?;
        found.ok_or(CollectionError::NotFound(Resource::Share))
    }

    /// Ends a link to a report.
    pub fn revoke_report(&self, user: i64, token: &str) -> Result<(), CollectionError> {
        if self.store.remove_report(user, token)? {
            Ok(())
        } else {
            Err(CollectionError::NotFound(Resource::Share))
        }
    }
}
