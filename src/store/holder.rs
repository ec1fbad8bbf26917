//! The owner of a key or a session.

use rusqlite::Row;

use super::StoreError;
use citation_model::plan::Plan;

/// The SHA-256 of a secret.
pub type SecretHash = [u8; 32];

/// The owner of a secret, for the request path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialOwner {
    /// The row id of the key or of the session.
    pub credential: i64,
    /// Bits: 1 read, 2 write. All for a session.
    pub scopes: u8,
    /// When the key was created or the session started.
    pub created_at: i64,
    pub expires_at: Option<i64>,
    /// When the key or the session was last used.
    pub used_at: Option<i64>,
    pub user: i64,
    pub uid: String,
    pub email: Option<String>,
    pub name: Option<String>,
    pub plan: Plan,
    /// Where an access token is valid: 0 everywhere, 1 MCP, 2 the REST interface. 0 for keys and sessions.
    pub audience: u8,
}

/// Reads the columns of a key or a session joined with its user.
pub fn read_holder(row: &Row<'_>) -> Result<CredentialOwner, StoreError> {
    Ok(CredentialOwner {
        credential: row.get(0)?,
        scopes: row.get(1)?,
        created_at: row.get(2)?,
        expires_at: row.get(3)?,
        used_at: row.get(4)?,
        user: row.get(5)?,
        uid: row.get(6)?,
        email: row.get(7)?,
        name: row.get(8)?,
        plan: read_plan(row.get(9)?),
        audience: 0,
    })
}

/// A stored plan. The table allows no other number.
pub fn read_plan(number: u8) -> Plan {
    Plan::from_number(number).unwrap_or(Plan::Free)
}
