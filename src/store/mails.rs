//! Messages to be sent by mail. One that is sent, or given up, is removed.

use rusqlite::{Row, params};

use super::{Store, StoreError, query};

/// The migration that adds them.
pub const MAILS: &str = "
CREATE TABLE mails (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    address    TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    body       TEXT    NOT NULL,
    purpose    TEXT    NOT NULL CHECK (purpose IN ('invitation', 'password')),
    -- For a new password: the address to which the token of the link is added when it is sent.
    link       TEXT,
    attempts   INTEGER NOT NULL DEFAULT 0,
    -- When it is sent next, Unix seconds.
    next_at    INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_due ON mails (next_at);
";

/// A message.
#[derive(Clone, PartialEq, Eq)]
pub struct MailRow {
    pub id: i64,
    pub address: String,
    pub subject: String,
    /// Plain text.
    pub text: String,
    pub purpose: MailPurpose,
    pub attempts: u32,
}

impl std::fmt::Debug for MailRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the text, which may have a link that is a secret.
        f.debug_struct("MailRow").field("id", &self.id).finish()
    }
}

/// What a message is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailPurpose {
    Invitation,
    /// A link to choose a new password, which begins like this.
    Password {
        link: String,
    },
}

impl MailPurpose {
    pub fn as_str(&self) -> &'static str {
        match self {
            MailPurpose::Invitation => "invitation",
            MailPurpose::Password { .. } => "password",
        }
    }
}

impl Store {
    /// Stores a message. Its row id and attempts are ignored.
    pub fn add_mail(&self, new: &MailRow, now: i64) -> Result<(), StoreError> {
        let link = match &new.purpose {
            MailPurpose::Invitation => None,
            MailPurpose::Password { link } => Some(link),
        };
        self.write(|transaction| {
            query::execute(
                transaction,
                "INSERT INTO mails (address, subject, body, purpose, link, next_at, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
                params![
                    new.address,
                    new.subject,
                    new.text,
                    new.purpose.as_str(),
                    link,
                    now
                ],
            )?;
            Ok(())
        })
    }

    /// The messages that are due, oldest first.
    pub fn due_mails(&self, now: i64, most: u64) -> Result<Vec<MailRow>, StoreError> {
        let sql = "SELECT id, address, subject, body, link, attempts FROM mails
                   WHERE next_at <= ?1 ORDER BY next_at, id LIMIT ?2";
        self.all(sql, params![now, most as i64], read_mail)
    }

    /// Counts an attempt, before it is made, and says when the next one may be.
    pub fn begin_mail(&self, id: i64, next_at: i64) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "UPDATE mails SET attempts = attempts + 1, next_at = ?2 WHERE id = ?1";
            query::execute(transaction, sql, [id, next_at]).map(drop)
        })
    }

    pub fn remove_mail(&self, id: i64) -> Result<(), StoreError> {
        self.write(|transaction| {
            query::execute(transaction, "DELETE FROM mails WHERE id = ?1", [id]).map(drop)
        })
    }
}

fn read_mail(row: &Row<'_>) -> Result<MailRow, StoreError> {
    let link: Option<String> = row.get(4)?;
    Ok(MailRow {
        id: row.get(0)?,
        address: row.get(1)?,
        subject: row.get(2)?,
        text: row.get(3)?,
        purpose: match link {
            Some(link) => MailPurpose::Password { link },
            None => MailPurpose::Invitation,
        },
        attempts: row.get(5)?,
    })
}
