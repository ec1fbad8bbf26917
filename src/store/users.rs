//! Accounts, their linked identities, and the remains of deleted accounts.

use std::collections::HashSet;

use rusqlite::{Connection, Row, Transaction};

use super::audit::{self, Event};
use super::holder::{SecretHash, read_plan};
use super::sessions::{self, LinkPurpose};
use super::{Store, StoreError, meta, query};
use citation_model::plan::Plan;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The row id; never reused.
    pub id: i64,
    /// UUID: the public id.
    pub uid: String,
    /// As entered. `None` for accounts of an identity provider that sends none.
    pub email: Option<String>,
    pub name: Option<String>,
    pub plan: Plan,
    /// PHC string. `None`: the account has no password.
    pub password: Option<String>,
    pub created_at: i64,
    /// `None`: the account is enabled.
    pub disabled_at: Option<i64>,
}

/// An account to create.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub uid: String,
    pub email: Option<String>,
    pub name: Option<String>,
    pub plan: Plan,
    pub password: Option<String>,
    /// The account's identity at a provider.
    pub identity: Option<Identity>,
}

/// A subject at an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub issuer: String,
    pub subject: String,
    /// `None` unless the provider sends it as verified.
    pub email: Option<String>,
}

/// A linked identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityRow {
    /// UUID.
    pub uid: String,
    pub identity: Identity,
    pub linked_at: i64,
}

/// The result of unlinking an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlinked {
    Done,
    NotFound,
    /// Nobody could sign in to the account any more.
    LastWay,
}

/// What a reset of an account has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResetCounts {
    pub sessions: usize,
    pub api_keys: usize,
    pub identities: usize,
    /// Programs that the user had let in.
    pub grants: usize,
    /// Unused sign-in links.
    pub links: usize,
}

/// A change to an account.
#[derive(Clone, Debug)]
pub enum UserChange {
    Plan(Plan),
    /// When the account was disabled, or `None` to enable it. Disabling ends all sessions and programs.
    Disabled(Option<i64>),
    /// A PHC string. Ends all sessions, programs and unused sign-in links.
    Password(String),
}

/// Number of accounts of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCount {
    pub plan: Plan,
    pub accounts: u64,
    /// Number of disabled ones among them.
    pub disabled: u64,
}

/// The recipient of a bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingRecipient {
    pub uid: String,
    /// `None` for accounts without an address, and for deleted ones.
    pub email: Option<String>,
}

/// The unique form of an e-mail address: spellings that differ only in case
/// are one account.
pub fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}

const COLUMNS: &str = "id, uid, email, name, plan, password, created_at, disabled_at";

/// The key of the first account's id.
const FIRST_OPERATOR: &str = "first_operator";

/// Prefix of the keys for accounts that are operators by their groups.
const GROUP_OPERATOR: &str = "group_operator.";

impl Store {
    /// Creates an account. Fails with a conflict if the address or the identity is taken.
    pub fn add_user(&self, new: &NewUser, event: &Event) -> Result<User, StoreError> {
        self.write(|transaction| insert_user(transaction, new, event))
    }

    /// Creates an account, but only as the very first one, the operator's; otherwise returns
    /// `None`.
    pub fn add_first_user(&self, new: &NewUser, event: &Event) -> Result<Option<User>, StoreError> {
        self.write(|transaction| {
            if has_users(transaction)? {
                Ok(None)
            } else {
                meta::set_fact(transaction, FIRST_OPERATOR, &new.uid)?;
                insert_user(transaction, new, event).map(Some)
            }
        })
    }

    /// The id of the account created by [`Store::add_first_user`].
    pub fn first_operator(&self) -> Result<Option<String>, StoreError> {
        self.fact(FIRST_OPERATOR)
    }

    /// The ids of the accounts that are operators by their owners' groups at an identity provider.
    pub fn group_operators(&self) -> Result<HashSet<String>, StoreError> {
        let sql = "SELECT substr(key, 1 + length(?1)) FROM meta WHERE key GLOB ?1 || '*'";
        let uids = self.all(sql, [GROUP_OPERATOR], |row| Ok(row.get(0)?))?;
        Ok(uids.into_iter().collect())
    }

    /// Stores the plan and operator status from an owner's groups.
    pub fn set_group_operator(
        &self,
        uid: &str,
        is_operator: bool,
        event: &Event,
    ) -> Result<(), StoreError> {
        let key = format!("{GROUP_OPERATOR}{uid}");
        self.write(|transaction| {
            if is_operator {
                meta::set_fact(transaction, &key, "")?
            } else {
                meta::delete_fact(transaction, &key)?
            }
            audit::insert(transaction, event)
        })
    }

    pub fn has_users(&self) -> Result<bool, StoreError> {
        self.read(has_users)
    }

    pub fn user(&self, id: i64) -> Result<Option<User>, StoreError> {
        self.read(|connection| find(connection, "id = ?1", id))
    }

    pub fn user_by_uid(&self, uid: &str) -> Result<Option<User>, StoreError> {
        self.read(|connection| find(connection, "uid = ?1", uid))
    }

    pub fn user_by_email(&self, email: &str) -> Result<Option<User>, StoreError> {
        self.read(|connection| find(connection, "email_key = ?1", email_key(email)))
    }

    pub fn user_by_identity(&self, identity: &Identity) -> Result<Option<User>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM users WHERE id =
             (SELECT user FROM identities WHERE issuer = ?1 AND subject = ?2)"
        );
        self.first(&sql, (&identity.issuer, &identity.subject), read_user)
    }

    /// Every account, oldest first.
    pub fn users(&self) -> Result<Vec<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users ORDER BY id");
        self.all(&sql, [], read_user)
    }

    /// The newest accounts, at most so many, newest first.
    pub fn newest_users(&self, most: u64) -> Result<Vec<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users ORDER BY id DESC LIMIT ?1");
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.all(&sql, [most], read_user)
    }

    /// Number of accounts of each plan; plans without accounts are omitted.
    pub fn users_by_plan(&self) -> Result<Vec<PlanCount>, StoreError> {
        let sql =
            "SELECT plan, count(*), count(disabled_at) FROM users GROUP BY plan ORDER BY plan";
        self.all(sql, [], |row| {
            Ok(PlanCount {
                plan: read_plan(row.get(0)?),
                accounts: row.get::<_, u32>(1)?.into(),
                disabled: row.get::<_, u32>(2)?.into(),
            })
        })
    }

    /// The linked identities of an account, oldest first.
    pub fn identities(&self, user: i64) -> Result<Vec<IdentityRow>, StoreError> {
        self.read(|connection| identities(connection, user))
    }

    /// Links an identity to an account.
    pub fn add_identity(
        &self,
        user: i64,
        identity: &Identity,
        event: &Event,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            insert_identity(transaction, user, identity, event.at)?;
            audit::insert(transaction, event)
        })
    }

    /// Unlinks an identity from an account, with the sessions started through its issuer, except the one
    /// to `keep`, and the memberships in its groups. Only a password or an identity of one of the `issuers`, given without
    /// a trailing slash, counts as another way in.
    pub fn remove_identity(
        &self,
        user: i64,
        uid: &str,
        issuers: &[&str],
        keep: i64,
        event: &Event,
    ) -> Result<Unlinked, StoreError> {
        self.edit_collections(|edit| {
            let transaction = edit.transaction;
            let (removed, others): (Vec<_>, Vec<_>) = identities(transaction, user)?
                .into_iter()
                .partition(|row| row.uid == uid);
            let Some(removed) = removed.into_iter().next() else {
                return Ok(Unlinked::NotFound);
            };
            let has_password: bool = transaction.query_row(
                "SELECT password IS NOT NULL FROM users WHERE id = ?1",
                [user],
                |row| row.get(0),
            )?;
            let opens = |row: &IdentityRow| {
                let issuer = row.identity.issuer.trim_end_matches('/');
                issuers.contains(&issuer)
            };
            if !has_password && !others.iter().any(opens) {
                return Ok(Unlinked::LastWay);
            }
            transaction.execute("DELETE FROM identities WHERE uid = ?1", [uid])?;
            transaction.execute(
                "DELETE FROM sessions WHERE user = ?1 AND method = ?2 AND id <> ?3",
                (user, &removed.identity.issuer, keep),
            )?;
            let issuer = removed.identity.issuer.as_str();
            if !{ others.iter() }.any(|row| row.identity.issuer == issuer) {
                edit.leave_claimed(user, Some(issuer), event.at)?;
            }
            audit::insert(transaction, event)?;
            Ok(Unlinked::Done)
        })
    }

    /// Removes the password and every other credential of an account, and ends its sessions.
    /// The given link is the only way in from then on. The event records what has ended.
    pub fn reset_user(
        &self,
        id: i64,
        link: &SecretHash,
        expires_at: i64,
        event: &Event,
    ) -> Result<ResetCounts, StoreError> {
        self.edit_collections(|edit| {
            let transaction = edit.transaction;
            transaction.execute("UPDATE users SET password = NULL WHERE id = ?1", [id])?;
            let end = |table: &str| {
                transaction.execute(&format!("DELETE FROM {table} WHERE user = ?1"), [id])
            };
            let ended = ResetCounts {
                sessions: end("sessions")?,
                api_keys: end("api_keys")?,
                identities: end("identities")?,
                grants: end("oauth_grants")?,
                links: end("sign_in_links")?,
            };
            edit.leave_claimed(id, None, event.at)?;
            let purpose = LinkPurpose::SignIn { user: id };
            sessions::insert_link(transaction, link, &purpose, expires_at)?;
            let event = event.clone().with(format!(
                "sessions={} api_keys={} programs={} identities={} links={}",
                ended.sessions, ended.api_keys, ended.grants, ended.identities, ended.links
            ));
            audit::insert(transaction, &event)?;
            Ok(ended)
        })
    }

    /// Changes an account. Returns whether it exists.
    pub fn change_user(
        &self,
        id: i64,
        change: &UserChange,
        event: &Event,
    ) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let changed = match change {
                UserChange::Plan(plan) => transaction.execute(
                    "UPDATE users SET plan = ?2 WHERE id = ?1",
                    (id, plan.number()),
                )?,
                UserChange::Disabled(at) => transaction
                    .execute("UPDATE users SET disabled_at = ?2 WHERE id = ?1", (id, at))?,
                UserChange::Password(hash) => transaction
                    .execute("UPDATE users SET password = ?2 WHERE id = ?1", (id, hash))?,
            };
            if matches!(
                change,
                UserChange::Disabled(Some(_)) | UserChange::Password(_)
            ) {
                transaction.execute("DELETE FROM sessions WHERE user = ?1", [id])?;
                transaction.execute("DELETE FROM oauth_grants WHERE user = ?1", [id])?;
            }
            if let UserChange::Password(_) = change {
                transaction.execute("DELETE FROM sign_in_links WHERE user = ?1", [id])?;
            }
            audit::insert(transaction, event)?;
            Ok(changed > 0)
        })
    }

    /// Deletes an account and everything that belongs to it, except collections with a successor, which
    /// become theirs. Only its UUID remains, for the usage
    /// of past months.
    pub fn delete_user(&self, id: i64, event: &Event) -> Result<bool, StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO former_users (id, uid, deleted_at) SELECT id, uid, ?2 FROM users WHERE id = ?1",
                (id, event.at),
            )?;
            let subject = format!("user:{id}");
            transaction.execute("DELETE FROM daily_windows WHERE subject = ?1", [subject])?;
            // A trigger moves what belongs to the collections. Deleted ones go with the account.
            transaction.execute(
                "UPDATE collections SET user =
                     (SELECT user FROM members WHERE collection = collections.id AND is_successor = 1)
                 WHERE user = ?1 AND deleted_at IS NULL AND EXISTS
                     (SELECT 1 FROM members WHERE collection = collections.id AND is_successor = 1)",
                [id],
            )?;
            let deleted = transaction.execute("DELETE FROM users WHERE id = ?1", [id])?;
            audit::insert(transaction, event)?;
            Ok(deleted > 0)
        })
    }

    /// The recipient of a user's bill; `None` for a number that was never a user.
    pub fn payer(&self, id: i64) -> Result<Option<BillingRecipient>, StoreError> {
        let sql = "SELECT uid, email FROM users WHERE id = ?1
            UNION ALL SELECT uid, NULL FROM former_users WHERE id = ?1";
        self.first(sql, [id], |row| {
            Ok(BillingRecipient {
                uid: row.get(0)?,
                email: row.get(1)?,
            })
        })
    }
}

fn insert_user(
    transaction: &Transaction<'_>,
    new: &NewUser,
    event: &Event,
) -> Result<User, StoreError> {
    let key = new.email.as_deref().map(email_key);
    transaction.execute(
        "INSERT INTO users (uid, email, email_key, name, plan, password, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        (
            &new.uid,
            &new.email,
            key,
            &new.name,
            new.plan.number(),
            &new.password,
            event.at,
        ),
    )?;
    let id = transaction.last_insert_rowid();
    if let Some(identity) = &new.identity {
        insert_identity(transaction, id, identity, event.at)?;
    }
    audit::insert(transaction, event)?;
    Ok(User {
        id,
        uid: new.uid.clone(),
        email: new.email.clone(),
        name: new.name.clone(),
        plan: new.plan,
        password: new.password.clone(),
        created_at: event.at,
        disabled_at: None,
    })
}

fn insert_identity(
    transaction: &Transaction<'_>,
    user: i64,
    identity: &Identity,
    at: i64,
) -> Result<(), StoreError> {
    let uid = uuid::Uuid::new_v4().to_string();
    transaction.execute(
        "INSERT INTO identities (issuer, subject, user, uid, email, linked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            &identity.issuer,
            &identity.subject,
            user,
            uid,
            &identity.email,
            at,
        ),
    )?;
    Ok(())
}

fn identities(connection: &Connection, user: i64) -> Result<Vec<IdentityRow>, StoreError> {
    let sql = "SELECT uid, issuer, subject, email, linked_at FROM identities
         WHERE user = ?1 ORDER BY linked_at, uid";
    query::all(connection, sql, [user], |row| {
        Ok(IdentityRow {
            uid: row.get(0)?,
            identity: Identity {
                issuer: row.get(1)?,
                subject: row.get(2)?,
                email: row.get(3)?,
            },
            linked_at: row.get(4)?,
        })
    })
}

fn has_users(connection: &Connection) -> Result<bool, StoreError> {
    Ok(connection.query_row("SELECT EXISTS (SELECT 1 FROM users)", [], |row| row.get(0))?)
}

fn find(
    connection: &Connection,
    condition: &str,
    value: impl rusqlite::ToSql,
) -> Result<Option<User>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM users WHERE {condition}");
    query::first(connection, &sql, [value], read_user)
}

fn read_user(row: &Row<'_>) -> Result<User, StoreError> {
    Ok(User {
        id: row.get(0)?,
        uid: row.get(1)?,
        email: row.get(2)?,
        name: row.get(3)?,
        plan: read_plan(row.get(4)?),
        password: row.get(5)?,
        created_at: row.get(6)?,
        disabled_at: row.get(7)?,
    })
}
