//! Browser sessions, and one-time sign-in links. Both are stored by hash only.

use rusqlite::{Row, Transaction};

use super::audit::{self, Event};
use super::holder::{CredentialOwner, SecretHash, read_holder};
use super::{Store, StoreError, query};
use citation_model::plan::Plan;

/// A session as shown to its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    pub id: i64,
    /// UUID.
    pub uid: String,
    pub created_at: i64,
    /// To the minute.
    pub seen_at: i64,
    pub expires_at: i64,
    /// `password`, `link`, or the issuer's address.
    pub method: String,
    /// The address of the sign-in.
    pub address: String,
    /// The user agent, shortened.
    pub agent: String,
}

/// A session to store.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub user: i64,
    /// The password hash of the account when its owner was authenticated.
    pub password: Option<String>,
    pub uid: String,
    pub hash: SecretHash,
    pub expires_at: i64,
    pub method: String,
    pub address: String,
    pub agent: String,
}

/// The purpose of a one-time link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// Creating the very first account.
    FirstAccount,
    /// Signing in to an account, and choosing a password for it.
    SignIn { user: i64 },
    /// Creating an account while sign-up is not open.
    Invitation { email: Option<String>, plan: Plan },
}

impl Store {
    /// Starts a session, unless the account was disabled or its password changed in the meantime.
    /// Returns whether it was started.
    pub fn add_session(&self, new: &NewSession, event: &Event) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let added = transaction.execute(
                "INSERT INTO sessions (uid, user, hash, created_at, seen_at, expires_at, method, address, agent)
                 SELECT ?1, id, ?3, ?4, ?4, ?5, ?6, ?7, ?8 FROM users
                 WHERE id = ?2 AND disabled_at IS NULL AND password IS ?9",
                (
                    &new.uid,
                    new.user,
                    new.hash.as_slice(),
                    event.at,
                    new.expires_at,
                    &new.method,
                    &new.address,
                    &new.agent,
                    &new.password,
                ),
            )?;
            if added > 0 {
                audit::insert(transaction, event)?;
            }
            Ok(added > 0)
        })
    }

    /// The unexpired sessions of a user, most recently used first.
    pub fn sessions(&self, user: i64, now: i64) -> Result<Vec<SessionRow>, StoreError> {
        let sql = "SELECT id, uid, created_at, seen_at, expires_at, method, address, agent
            FROM sessions WHERE user = ?1 AND expires_at > ?2 ORDER BY seen_at DESC, id DESC";
        self.all(sql, (user, now), read_session)
    }

    /// The owner of a session. Sessions of disabled accounts have none.
    pub fn session_holder(&self, hash: &SecretHash) -> Result<Option<CredentialOwner>, StoreError> {
        let sql = "SELECT s.id, 3, s.created_at, s.expires_at, s.seen_at,
            u.id, u.uid, u.email, u.name, u.plan
            FROM sessions s JOIN users u ON u.id = s.user
            WHERE s.hash = ?1 AND u.disabled_at IS NULL";
        self.first(sql, [hash.as_slice()], read_holder)
    }

    /// How a session was started: `password`, `link`, or the issuer's address.
    pub fn session_method(&self, id: i64) -> Result<Option<String>, StoreError> {
        let sql = "SELECT method FROM sessions WHERE id = ?1";
        self.value(sql, [id])
    }

    /// Ends one session of a user. Returns whether there was one.
    pub fn end_session(&self, user: i64, uid: &str, event: &Event) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let ended = transaction.execute(
                "DELETE FROM sessions WHERE user = ?1 AND uid = ?2",
                (user, uid),
            )?;
            if ended > 0 {
                audit::insert(transaction, event)?;
            }
            Ok(ended > 0)
        })
    }

    /// Ends a session by id, as signing out does.
    pub fn end_session_number(&self, id: i64, event: &Event) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
            audit::insert(transaction, event)
        })
    }

    /// Ends every session of a user but one.
    pub fn end_other_sessions(
        &self,
        user: i64,
        keep: i64,
        event: &Event,
    ) -> Result<usize, StoreError> {
        self.write(|transaction| {
            let ended = transaction.execute(
                "DELETE FROM sessions WHERE user = ?1 AND id <> ?2",
                (user, keep),
            )?;
            audit::insert(transaction, event)?;
            Ok(ended)
        })
    }

    /// Stores a one-time link with an expiry.
    pub fn add_link(
        &self,
        hash: &SecretHash,
        purpose: &LinkPurpose,
        expires_at: i64,
        event: &Event,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            insert_link(transaction, hash, purpose, expires_at)?;
            audit::insert(transaction, event)
        })
    }

    /// The purpose of a valid link.
    pub fn link(&self, hash: &SecretHash, now: i64) -> Result<Option<LinkPurpose>, StoreError> {
        let sql = "SELECT kind, user, email, plan FROM sign_in_links
            WHERE hash = ?1 AND expires_at > ?2";
        Ok(self
            .first(sql, (hash.as_slice(), now), read_link)?
            .flatten())
    }

    /// Uses a link up: of concurrent callers, one gets its purpose.
    pub fn take_link(
        &self,
        hash: &SecretHash,
        now: i64,
    ) -> Result<Option<LinkPurpose>, StoreError> {
        self.write(|transaction| {
            let found = query::first(
                transaction,
                "DELETE FROM sign_in_links WHERE hash = ?1 AND expires_at > ?2
                 RETURNING kind, user, email, plan",
                (hash.as_slice(), now),
                read_link,
            )?;
            Ok(found.flatten())
        })
    }

    /// Deletes expired sessions and links.
    pub fn drop_expired(&self, now: i64) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM sessions WHERE expires_at <= ?1", [now])?;
            transaction.execute("DELETE FROM sign_in_links WHERE expires_at <= ?1", [now])?;
            Ok(())
        })
    }
}

pub(super) fn insert_link(
    transaction: &Transaction<'_>,
    hash: &SecretHash,
    purpose: &LinkPurpose,
    expires_at: i64,
) -> Result<(), StoreError> {
    let (kind, user, email, plan) = match purpose {
        LinkPurpose::FirstAccount => ("first", None, None, None),
        LinkPurpose::SignIn { user } => ("sign_in", Some(*user), None, None),
        LinkPurpose::Invitation { email, plan } => {
            ("invitation", None, email.as_deref(), Some(plan.number()))
        }
    };
    // A new first link replaces the old one.
    transaction.execute(
        "DELETE FROM sign_in_links WHERE kind = ?1 AND ?1 = 'first'",
        [kind],
    )?;
    transaction.execute(
        "INSERT INTO sign_in_links (hash, kind, user, email, plan, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (hash.as_slice(), kind, user, email, plan, expires_at),
    )?;
    Ok(())
}

fn read_session(row: &Row<'_>) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        created_at: row.get(2)?,
        seen_at: row.get(3)?,
        expires_at: row.get(4)?,
        method: row.get(5)?,
        address: row.get(6)?,
        agent: row.get(7)?,
    })
}

fn read_link(row: &Row<'_>) -> Result<Option<LinkPurpose>, StoreError> {
    let kind: String = row.get(0)?;
    Ok(match kind.as_str() {
        "first" => Some(LinkPurpose::FirstAccount),
        "sign_in" => row
            .get::<_, Option<i64>>(1)?
            .map(|user| LinkPurpose::SignIn { user }),
        "invitation" => Some(LinkPurpose::Invitation {
            email: row.get(2)?,
            plan: row
                .get::<_, Option<u8>>(3)?
                .and_then(Plan::from_number)
                .unwrap_or(Plan::Free),
        }),
        _ => None,
    })
}
