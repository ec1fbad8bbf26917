//! Programs that accounts have let in, and their tokens, stored by hash only.

use rusqlite::{Row, Transaction};

use super::audit::{self, Event};
use super::holder::{CredentialOwner, SecretHash, read_holder};
use super::{Store, StoreError, query};

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientRow {
    pub id: i64,
    /// A UUID, or the address of its own document.
    pub client_id: String,
    pub name: String,
    /// Its home page.
    pub uri: Option<String>,
    pub redirect_uris: Vec<String>,
    pub is_document: bool,
    /// When it was registered, or its document was last read. Unix seconds.
    pub read_at: i64,
}

/// What a user has allowed a program, as shown to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRow {
    /// UUID.
    pub uid: String,
    pub client_id: String,
    pub name: String,
    pub is_document: bool,
    /// Bits: 1 read, 2 write.
    pub scopes: u8,
    /// Where its tokens are valid: 0 everywhere, 1 MCP, 2 the REST interface.
    pub audience: u8,
    pub created_at: i64,
    /// To the minute. `None`: never used.
    pub last_used_at: Option<i64>,
}

/// A grant to store, with its authorization code.
#[derive(Clone, Debug)]
pub struct NewGrant {
    pub uid: String,
    pub user: i64,
    pub client: i64,
    pub scopes: u8,
    pub audience: u8,
    pub code: SecretHash,
    pub challenge: String,
    pub redirect_uri: String,
    pub code_expires_at: i64,
}

/// A code that is exchanged for tokens.
#[derive(Clone, Debug)]
pub struct CodeUse<'u> {
    pub code: SecretHash,
    pub client_id: &'u str,
    /// `None`: the request names none.
    pub redirect_uri: Option<&'u str>,
    /// The challenge of the request's verifier.
    pub challenge: &'u str,
    /// `None`: the request names none.
    pub audience: Option<u8>,
}

/// A refresh token that is exchanged for new tokens.
#[derive(Clone, Debug)]
pub struct RefreshUse<'u> {
    pub token: SecretHash,
    pub client_id: &'u str,
    /// The scopes that the new access token may have.
    pub scopes: u8,
    /// `None`: the request names none.
    pub audience: Option<u8>,
}

/// New tokens of a grant. Times are Unix seconds.
#[derive(Clone, Debug)]
pub struct NewTokens {
    pub access: SecretHash,
    pub access_expires_at: i64,
    pub refresh: SecretHash,
    pub refresh_expires_at: i64,
}

/// The result of exchanging a code or a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The new tokens are valid, the access token for these scopes.
    Done { scopes: u8 },
    /// There is no such code or token, or it has expired.
    Unknown,
    /// It was exchanged before: its grant has ended.
    Reused,
    /// It belongs to another program, redirect URI, verifier or resource.
    Mismatch,
    /// The grant has none of the scopes.
    NoScope,
}

/// Replaced refresh tokens and access tokens that a grant keeps.
const KEPT_TOKENS: u32 = 20;

/// How long a used code is remembered after its expiry, in seconds.
const USED_CODE_SECONDS: i64 = 24 * 60 * 60;

const CLIENT_COLUMNS: &str = "id, client_id, name, uri, redirect_uris, is_document, read_at";

impl Store {
    /// A program by its client id.
    pub fn oauth_client(&self, client_id: &str) -> Result<Option<ClientRow>, StoreError> {
        let sql = format!("SELECT {CLIENT_COLUMNS} FROM oauth_clients WHERE client_id = ?1");
        self.first(&sql, [client_id], read_client)
    }

    /// Stores a program, or what its document says now. With `most` programs stored, the oldest one that no
    /// account has let in makes room; false if there is none.
    pub fn put_oauth_client(&self, row: &ClientRow, most: u64) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let known: Option<i64> = query::value(
                transaction,
                "SELECT id FROM oauth_clients WHERE client_id = ?1",
                [&row.client_id],
            )?;
            let count: i64 =
                transaction.query_row("SELECT count(*) FROM oauth_clients", [], |row| row.get(0))?;
            if known.is_none() && count as u64 >= most {
                let freed = transaction.execute(
                    "DELETE FROM oauth_clients WHERE id =
                     (SELECT id FROM oauth_clients c WHERE NOT EXISTS
                         (SELECT 1 FROM oauth_grants WHERE client = c.id)
                      ORDER BY read_at LIMIT 1)",
                    [],
                )?;
                if freed == 0 {
                    return Ok(false);
                }
            }
            transaction.execute(
                "INSERT INTO oauth_clients (client_id, name, uri, redirect_uris, is_document, read_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, uri = excluded.uri,
                     redirect_uris = excluded.redirect_uris, read_at = excluded.read_at",
                (
                    &row.client_id,
                    &row.name,
                    &row.uri,
                    serde_json::Value::from(row.redirect_uris.clone()).to_string(),
                    row.is_document,
                    row.read_at,
                ),
            )?;
            Ok(true)
        })
    }

    /// Stores what a user allows a program, with the code that the program exchanges. Of more than `most` grants
    /// of a user, those that were not used for longest end.
    pub fn add_grant(&self, new: &NewGrant, most: u32, event: &Event) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO oauth_grants (uid, user, client, scopes, audience, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                (
                    &new.uid,
                    new.user,
                    new.client,
                    new.scopes,
                    new.audience,
                    event.at,
                ),
            )?;
            let grant = transaction.last_insert_rowid();
            transaction.execute(
                "INSERT INTO oauth_codes (hash, grant_id, challenge, redirect_uri, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                (
                    new.code.as_slice(),
                    grant,
                    &new.challenge,
                    &new.redirect_uri,
                    new.code_expires_at,
                ),
            )?;
            transaction.execute(
                "DELETE FROM oauth_grants WHERE user = ?1 AND id IN
                 (SELECT id FROM oauth_grants WHERE user = ?1
                  ORDER BY coalesce(last_used_at, created_at) DESC, id DESC LIMIT -1 OFFSET ?2)",
                (new.user, most),
            )?;
            audit::insert(transaction, event)
        })
    }

    /// Exchanges a code for tokens. A code works once: a second use, or one that does not fit it, ends its
    /// grant, and `ended` is recorded.
    pub fn use_code(
        &self,
        code: &CodeUse<'_>,
        new: &NewTokens,
        ended: &Event,
    ) -> Result<Exchange, StoreError> {
        self.write(|transaction| {
            let sql = "SELECT g.id, g.scopes, c.is_used, c.expires_at, u.uid,
                       p.client_id = ?2 AND c.redirect_uri = coalesce(?3, c.redirect_uri)
                       AND c.challenge = ?4 AND g.audience = coalesce(?5, g.audience)
                FROM oauth_codes c JOIN oauth_grants g ON g.id = c.grant_id
                JOIN oauth_clients p ON p.id = g.client
                JOIN users u ON u.id = g.user AND u.disabled_at IS NULL
                WHERE c.hash = ?1";
            let parameters = (
                code.code.as_slice(),
                code.client_id,
                code.redirect_uri,
                code.challenge,
                code.audience,
            );
            let found = query::first(transaction, sql, parameters, read_presented)?;
            let Some(found) = found else {
                return Ok(Exchange::Unknown);
            };
            if found.is_used || !found.fits {
                end_grant(transaction, &found, ended)?;
                return Ok(if found.is_used {
                    Exchange::Reused
                } else {
                    Exchange::Mismatch
                });
            }
            if found.expires_at <= ended.at {
                return Ok(Exchange::Unknown);
            }
            transaction.execute(
                "UPDATE oauth_codes SET is_used = 1 WHERE hash = ?1",
                [code.code.as_slice()],
            )?;
            add_tokens(transaction, &found, found.scopes, new)?;
            Ok(Exchange::Done {
                scopes: found.scopes,
            })
        })
    }

    /// Exchanges a refresh token for new tokens, and replaces it. A second use ends its grant, and `ended` is
    /// recorded.
    pub fn use_refresh_token(
        &self,
        refresh: &RefreshUse<'_>,
        new: &NewTokens,
        ended: &Event,
    ) -> Result<Exchange, StoreError> {
        self.write(|transaction| {
            let sql = "SELECT g.id, g.scopes, t.is_replaced, t.expires_at, u.uid,
                       p.client_id = ?2 AND g.audience = coalesce(?3, g.audience)
                FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
                JOIN oauth_clients p ON p.id = g.client
                JOIN users u ON u.id = g.user AND u.disabled_at IS NULL
                WHERE t.hash = ?1 AND t.kind = 'refresh'";
            let parameters = (
                refresh.token.as_slice(),
                refresh.client_id,
                refresh.audience,
            );
            let found = query::first(transaction, sql, parameters, read_presented)?;
            let Some(found) = found else {
                return Ok(Exchange::Unknown);
            };
            if found.is_used {
                end_grant(transaction, &found, ended)?;
                return Ok(Exchange::Reused);
            }
            if found.expires_at <= ended.at {
                return Ok(Exchange::Unknown);
            }
            if !found.fits {
                return Ok(Exchange::Mismatch);
            }
            let scopes = found.scopes & refresh.scopes;
            if scopes == 0 {
                return Ok(Exchange::NoScope);
            }
            transaction.execute(
                "UPDATE oauth_tokens SET is_replaced = 1 WHERE hash = ?1",
                [refresh.token.as_slice()],
            )?;
            add_tokens(transaction, &found, scopes, new)?;
            Ok(Exchange::Done { scopes })
        })
    }

    /// The owner of an access token. Tokens of disabled accounts have none. The credential is the grant.
    pub fn access_token_holder(
        &self,
        hash: &SecretHash,
    ) -> Result<Option<CredentialOwner>, StoreError> {
        let sql = "SELECT g.id, t.scopes, g.created_at, t.expires_at, g.last_used_at,
            u.id, u.uid, u.email, u.name, u.plan, g.audience
            FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
            JOIN users u ON u.id = g.user
            WHERE t.hash = ?1 AND t.kind = 'access' AND u.disabled_at IS NULL";
        self.first(sql, [hash.as_slice()], |row| {
            Ok(CredentialOwner {
                audience: row.get(10)?,
                ..read_holder(row)?
            })
        })
    }

    /// Revokes a token: a refresh token with its grant, an access token alone. A token of another program than
    /// `client_id` stays.
    pub fn revoke_token(
        &self,
        hash: &SecretHash,
        client_id: Option<&str>,
        ended: &Event,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "SELECT t.kind, g.id, u.uid FROM oauth_tokens t
                JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_clients p ON p.id = g.client
                JOIN users u ON u.id = g.user
                WHERE t.hash = ?1 AND p.client_id = coalesce(?2, p.client_id)";
            let parameters = (hash.as_slice(), client_id);
            let found: Option<(String, i64, String)> =
                query::first(transaction, sql, parameters, |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })?;
            match found {
                None => Ok(()),
                Some((kind, _, _)) if kind == "access" => {
                    let sql = "DELETE FROM oauth_tokens WHERE hash = ?1";
                    transaction.execute(sql, [hash.as_slice()])?;
                    Ok(())
                }
                Some((_, grant, user)) => {
                    transaction.execute("DELETE FROM oauth_grants WHERE id = ?1", [grant])?;
                    audit::insert(transaction, &ended.clone().about(&user))
                }
            }
        })
    }

    /// What a user has allowed programs that have got tokens, most recent first.
    pub fn grants(&self, user: i64) -> Result<Vec<GrantRow>, StoreError> {
        let sql = "SELECT g.uid, p.client_id, p.name, p.is_document, g.scopes, g.audience,
                g.created_at, g.last_used_at
            FROM oauth_grants g JOIN oauth_clients p ON p.id = g.client
            WHERE g.user = ?1 AND EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = g.id)
            ORDER BY coalesce(g.last_used_at, g.created_at) DESC, g.id DESC";
        self.all(sql, [user], |row| {
            Ok(GrantRow {
                uid: row.get(0)?,
                client_id: row.get(1)?,
                name: row.get(2)?,
                is_document: row.get(3)?,
                scopes: row.get(4)?,
                audience: row.get(5)?,
                created_at: row.get(6)?,
                last_used_at: row.get(7)?,
            })
        })
    }

    /// Ends what a user has allowed a program, with its tokens. Returns whether there was such a grant.
    pub fn end_user_grant(&self, user: i64, uid: &str, event: &Event) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let sql = "DELETE FROM oauth_grants WHERE user = ?1 AND uid = ?2";
            let ended = transaction.execute(sql, (user, uid))?;
            if ended > 0 {
                audit::insert(transaction, event)?;
            }
            Ok(ended > 0)
        })
    }

    /// Deletes expired codes and tokens, grants that have none left, and programs that nobody has let in and that
    /// were read at `clients_before` or earlier.
    pub fn drop_expired_grants(&self, now: i64, clients_before: i64) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "DELETE FROM oauth_codes WHERE expires_at <= ?1 - is_used * ?2",
                (now, USED_CODE_SECONDS),
            )?;
            transaction.execute("DELETE FROM oauth_tokens WHERE expires_at <= ?1", [now])?;
            transaction.execute(
                "DELETE FROM oauth_grants WHERE id NOT IN
                 (SELECT grant_id FROM oauth_tokens WHERE is_replaced = 0
                  UNION SELECT grant_id FROM oauth_codes WHERE is_used = 0)",
                [],
            )?;
            transaction.execute(
                "DELETE FROM oauth_clients WHERE read_at <= ?1
                 AND NOT EXISTS (SELECT 1 FROM oauth_grants WHERE client = oauth_clients.id)",
                [clients_before],
            )?;
            Ok(())
        })
    }
}

/// A code or a refresh token that was presented.
struct Presented {
    grant: i64,
    scopes: u8,
    is_used: bool,
    expires_at: i64,
    /// The user's UUID.
    user: String,
    /// Whether the rest of the request belongs to it.
    fits: bool,
}

fn read_presented(row: &Row<'_>) -> Result<Presented, StoreError> {
    Ok(Presented {
        grant: row.get(0)?,
        scopes: row.get(1)?,
        is_used: row.get(2)?,
        expires_at: row.get(3)?,
        user: row.get(4)?,
        fits: row.get(5)?,
    })
}

fn end_grant(
    transaction: &Transaction<'_>,
    found: &Presented,
    event: &Event,
) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM oauth_grants WHERE id = ?1", [found.grant])?;
    audit::insert(transaction, &event.clone().about(&found.user))
}

fn add_tokens(
    transaction: &Transaction<'_>,
    found: &Presented,
    scopes: u8,
    new: &NewTokens,
) -> Result<(), StoreError> {
    let tokens = [
        ("access", new.access, scopes, new.access_expires_at),
        // A later access token may have all scopes of the grant again.
        ("refresh", new.refresh, found.scopes, new.refresh_expires_at),
    ];
    for (kind, hash, scopes, expires_at) in tokens {
        transaction.execute(
            "INSERT INTO oauth_tokens (grant_id, kind, hash, scopes, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            (found.grant, kind, hash.as_slice(), scopes, expires_at),
        )?;
        transaction.execute(
            "DELETE FROM oauth_tokens WHERE id IN
             (SELECT id FROM oauth_tokens WHERE grant_id = ?1 AND kind = ?2
              ORDER BY id DESC LIMIT -1 OFFSET ?3)",
            (found.grant, kind, KEPT_TOKENS),
        )?;
    }
    Ok(())
}

fn read_client(row: &Row<'_>) -> Result<ClientRow, StoreError> {
    let redirect_uris: String = row.get(4)?;
    Ok(ClientRow {
        id: row.get(0)?,
        client_id: row.get(1)?,
        name: row.get(2)?,
        uri: row.get(3)?,
        redirect_uris: serde_json::from_str(&redirect_uris).unwrap_or_default(),
        is_document: row.get(5)?,
        read_at: row.get(6)?,
    })
}
