//! Webhooks of accounts, and what is to be delivered to them. Events are added by triggers of the schema, in
//! the transaction that makes them.

use rusqlite::{Row, params};

use super::{Store, StoreError, query};

/// A webhook.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookRow {
    pub id: i64,
    /// UUID.
    pub uid: String,
    pub user: i64,
    pub url: String,
    /// A JSON array of names.
    pub events: String,
    pub secret: String,
    /// The secret before it, until a time in Unix seconds.
    pub old_secret: Option<(String, i64)>,
    pub is_enabled: bool,
    pub created_at: i64,
}

impl std::fmt::Debug for WebhookRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the secrets.
        f.debug_struct("WebhookRow")
            .field("uid", &self.uid)
            .finish()
    }
}

/// One event for one webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    pub id: i64,
    pub uid: String,
    pub webhook: i64,
    pub event: String,
    /// JSON.
    pub data: String,
    /// `pending`, `delivered` or `dead`.
    pub state: String,
    /// With the one that is being made.
    pub attempts: u32,
    pub next_at: i64,
    /// The status of the last answer.
    pub status: Option<u16>,
    pub error: Option<String>,
    pub created_at: i64,
    pub ended_at: Option<i64>,
}

/// The outcome of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    Delivered {
        status: u16,
    },
    /// `next_at`: when it is tried again; `None`: never.
    Failed {
        status: Option<u16>,
        error: String,
        next_at: Option<i64>,
    },
}

const WEBHOOK: &str =
    "id, uid, user, url, events, secret, old_secret, old_until, is_enabled, created_at";
const DELIVERY: &str =
    "id, uid, webhook, event, data, state, attempts, next_at, status, error, created_at, ended_at";

impl Store {
    /// Stores a webhook, unless its user has so many already. Returns whether it is stored.
    pub fn add_webhook(&self, new: &WebhookRow, most: u32) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let added = query::execute(
                transaction,
                "INSERT INTO webhooks (uid, user, url, events, secret, is_enabled, created_at)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
                 WHERE (SELECT count(*) FROM webhooks WHERE user = ?2) < ?8",
                params![
                    new.uid,
                    new.user,
                    new.url,
                    new.events,
                    new.secret,
                    new.is_enabled,
                    new.created_at,
                    most
                ],
            )?;
            Ok(added > 0)
        })
    }

    /// Stores the changed address, events, secrets and state of a webhook.
    pub fn set_webhook(&self, row: &WebhookRow) -> Result<(), StoreError> {
        let (secret, until) = row.old_secret.clone().unzip();
        self.write(|transaction| {
            query::execute(
                transaction,
                "UPDATE webhooks SET url = ?2, events = ?3, secret = ?4, old_secret = ?5, old_until = ?6,
                     is_enabled = ?7 WHERE id = ?1",
                params![row.id, row.url, row.events, row.secret, secret, until, row.is_enabled],
            )?;
            Ok(())
        })
    }

    pub fn remove_webhook(&self, id: i64) -> Result<(), StoreError> {
        self.write(|transaction| {
            query::execute(transaction, "DELETE FROM webhooks WHERE id = ?1", [id]).map(drop)
        })
    }

    /// Whether any account has a webhook.
    pub fn has_webhooks(&self) -> Result<bool, StoreError> {
        let found: Option<i64> = self.value("SELECT 1 FROM webhooks LIMIT 1", [])?;
        Ok(found.is_some())
    }

    /// The webhooks of a user, oldest first.
    pub fn webhooks(&self, user: i64) -> Result<Vec<WebhookRow>, StoreError> {
        let sql = format!("SELECT {WEBHOOK} FROM webhooks WHERE user = ?1 ORDER BY id");
        self.all(&sql, [user], read_webhook)
    }

    /// A webhook of a user.
    pub fn webhook(&self, user: i64, uid: &str) -> Result<Option<WebhookRow>, StoreError> {
        let sql = format!("SELECT {WEBHOOK} FROM webhooks WHERE user = ?1 AND uid = ?2");
        self.first(&sql, params![user, uid], read_webhook)
    }

    /// Adds an event for one webhook, whatever events it wants. Returns its id.
    pub fn add_delivery(
        &self,
        webhook: i64,
        event: &str,
        data: &str,
        now: i64,
    ) -> Result<String, StoreError> {
        let uid = uuid::Uuid::new_v4().simple().to_string();
        self.write(|transaction| {
            query::execute(
                transaction,
                "INSERT INTO webhook_deliveries (uid, webhook, event, subject, data, created_at)
                 VALUES (?1, ?2, ?3, ?1, ?4, ?5)",
                params![uid, webhook, event, data, now],
            )?;
            Ok(())
        })?;
        Ok(uid)
    }

    /// The deliveries of a webhook, newest first, of one state or all.
    pub fn deliveries(
        &self,
        webhook: i64,
        state: Option<&str>,
        most: u64,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let sql = format!(
            "SELECT {DELIVERY} FROM webhook_deliveries
             WHERE webhook = ?1 AND (?2 IS NULL OR state = ?2) ORDER BY id DESC LIMIT ?3"
        );
        self.all(&sql, params![webhook, state, most as i64], read_delivery)
    }

    /// Begins an attempt of the next delivery of each enabled webhook that is due. The attempt is counted
    /// before it is made: an event that happens in the meantime is then told again, since the receiver may have
    /// looked before.
    pub fn begin_deliveries(
        &self,
        now: i64,
        most: u64,
    ) -> Result<Vec<(WebhookRow, DeliveryRow)>, StoreError> {
        let ids: Vec<i64> = self.all(
            "SELECT min(d.id) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook
             WHERE d.state = 'pending' AND d.next_at <= ?1 AND w.is_enabled = 1
             GROUP BY d.webhook ORDER BY min(d.next_at) LIMIT ?2",
            params![now, most as i64],
            |row| Ok(row.get(0)?),
        )?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.write(|transaction| {
            for id in &ids {
                let sql = "UPDATE webhook_deliveries SET attempts = attempts + 1 WHERE id = ?1";
                query::execute(transaction, sql, [id])?;
            }
            Ok(())
        })?;
        let mut due = Vec::with_capacity(ids.len());
        for id in ids {
            let sql = format!("SELECT {DELIVERY} FROM webhook_deliveries WHERE id = ?1");
            let Some(delivery) = self.first(&sql, [id], read_delivery)? else {
                continue;
            };
            let sql = format!("SELECT {WEBHOOK} FROM webhooks WHERE id = ?1");
            let webhook = self.first(&sql, [delivery.webhook], read_webhook)?;
            due.extend(webhook.map(|webhook| (webhook, delivery)));
        }
        Ok(due)
    }

    /// Notes the outcome of an attempt that was begun.
    pub fn note_attempt(
        &self,
        delivery: i64,
        attempt: &Attempt,
        now: i64,
    ) -> Result<(), StoreError> {
        let (state, status, error, next_at) = match attempt {
            Attempt::Delivered { status } => ("delivered", Some(*status), None, None),
            Attempt::Failed {
                status,
                error,
                next_at,
            } => {
                let state = if next_at.is_some() { "pending" } else { "dead" };
                (state, *status, Some(error), *next_at)
            }
        };
        self.write(|transaction| {
            query::execute(
                transaction,
                "UPDATE webhook_deliveries SET state = ?2, status = ?3, error = ?4,
                     next_at = coalesce(?5, next_at), ended_at = iif(?2 = 'pending', NULL, ?6)
                 WHERE id = ?1",
                params![delivery, state, status, error, next_at, now],
            )?;
            Ok(())
        })
    }

    /// Sends a delivery that has ended again. False if there is none.
    pub fn redeliver(&self, webhook: i64, uid: &str) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let changed = query::execute(
                transaction,
                "UPDATE webhook_deliveries SET state = 'pending', attempts = 0, next_at = 0, ended_at = NULL
                 WHERE webhook = ?1 AND uid = ?2 AND state <> 'pending'",
                params![webhook, uid],
            )?;
            Ok(changed > 0)
        })
    }

    /// Removes the deliveries that ended before a time.
    pub fn purge_deliveries(&self, ended_before: i64) -> Result<(), StoreError> {
        let due: Option<i64> = self.value(
            "SELECT 1 FROM webhook_deliveries WHERE ended_at < ?1",
            [ended_before],
        )?;
        if due.is_none() {
            return Ok(());
        }
        self.write(|transaction| {
            let sql = "DELETE FROM webhook_deliveries WHERE ended_at < ?1";
            query::execute(transaction, sql, [ended_before]).map(drop)
        })
    }

    /// Stores the daily lookups of the plans, by number of the plan, for the event that they are nearly used up.
    pub fn set_plan_lookups(&self, plans: &[(u8, u64)]) -> Result<(), StoreError> {
        self.write(|transaction| {
            for (plan, daily) in plans {
                query::execute(
                    transaction,
                    "INSERT INTO plan_lookups (plan, daily) VALUES (?1, ?2)
                     ON CONFLICT (plan) DO UPDATE SET daily = excluded.daily",
                    params![plan, i64::try_from(*daily).unwrap_or(i64::MAX)],
                )?;
            }
            Ok(())
        })
    }
}

fn read_webhook(row: &Row<'_>) -> Result<WebhookRow, StoreError> {
    let old: Option<String> = row.get(6)?;
    let until: Option<i64> = row.get(7)?;
    Ok(WebhookRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        user: row.get(2)?,
        url: row.get(3)?,
        events: row.get(4)?,
        secret: row.get(5)?,
        old_secret: old.zip(until),
        is_enabled: row.get(8)?,
        created_at: row.get(9)?,
    })
}

fn read_delivery(row: &Row<'_>) -> Result<DeliveryRow, StoreError> {
    Ok(DeliveryRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        webhook: row.get(2)?,
        event: row.get(3)?,
        data: row.get(4)?,
        state: row.get(5)?,
        attempts: row.get(6)?,
        next_at: row.get(7)?,
        status: row.get(8)?,
        error: row.get(9)?,
        created_at: row.get(10)?,
        ended_at: row.get(11)?,
    })
}
