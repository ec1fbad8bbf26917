//! The migration that adds OAuth: programs, what accounts have allowed them, and their tokens. It also counts the
//! files of jobs as bytes of their accounts.

/// Programs and their tokens, and triggers that count the files of jobs.
pub const PROGRAMS: &str = "
-- Programs that may ask accounts for access.
CREATE TABLE oauth_clients (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    -- A UUID of ours, or the address of the program's own document.
    client_id     TEXT    NOT NULL UNIQUE,
    name          TEXT    NOT NULL,
    uri           TEXT,
    -- A JSON array of texts.
    redirect_uris TEXT    NOT NULL,
    is_document   INTEGER NOT NULL,
    -- When it was registered, or its document was last read.
    read_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_clients_age ON oauth_clients (read_at);

-- What a user has allowed a program. Every sign-in of a program is a row.
CREATE TABLE oauth_grants (
    -- The number is never used again: caches name it.
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid          TEXT    NOT NULL UNIQUE,
    user         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    client       INTEGER NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
    -- Bits: 1 read, 2 write.
    scopes       INTEGER NOT NULL,
    -- Where its tokens are valid: 0 everywhere, 1 MCP, 2 the REST interface.
    audience     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    -- To the minute. NULL: never used.
    last_used_at INTEGER
) STRICT;
CREATE INDEX oauth_grants_user ON oauth_grants (user);
CREATE INDEX oauth_grants_client ON oauth_grants (client);

CREATE TABLE oauth_codes (
    -- SHA-256 of the code.
    hash         BLOB    PRIMARY KEY,
    grant_id     INTEGER NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    -- PKCE, method S256.
    challenge    TEXT    NOT NULL,
    redirect_uri TEXT    NOT NULL,
    expires_at   INTEGER NOT NULL,
    -- 1 once it was exchanged. It is kept for a while: a second use ends the grant.
    is_used      INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);

CREATE TABLE oauth_tokens (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    grant_id     INTEGER NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    kind         TEXT    NOT NULL CHECK (kind IN ('access', 'refresh')),
    -- SHA-256 of the token.
    hash         BLOB    NOT NULL UNIQUE,
    -- Those of the grant, or fewer.
    scopes       INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    -- 1 for a refresh token that was exchanged. A second use ends the grant.
    is_replaced  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id, kind, id);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at);

-- The files of jobs are stored for their accounts, those that were sent and those that were made.
CREATE TRIGGER job_file_is_added AFTER INSERT ON job_files
BEGIN
    UPDATE users SET bytes = bytes + 128 + octet_length(new.name) + octet_length(new.content)
    WHERE id = (SELECT user FROM jobs WHERE id = new.job);
END;
CREATE TRIGGER job_file_is_removed AFTER DELETE ON job_files
BEGIN
    UPDATE users SET bytes = bytes - 128 - octet_length(old.name) - octet_length(old.content)
    WHERE id = (SELECT user FROM jobs WHERE id = old.job);
END;
CREATE TRIGGER job_output_is_added AFTER INSERT ON job_outputs
BEGIN
    UPDATE users SET bytes = bytes + 128 + octet_length(new.content)
    WHERE id = (SELECT user FROM jobs WHERE id = new.job);
END;
-- Its files go after it, and then find no account.
CREATE TRIGGER job_is_removed BEFORE DELETE ON jobs
BEGIN
    UPDATE users SET bytes = bytes
        - (SELECT coalesce(sum(128 + octet_length(name) + octet_length(content)), 0)
           FROM job_files WHERE job = old.id)
        - (SELECT coalesce(sum(128 + octet_length(content)), 0) FROM job_outputs WHERE job = old.id)
    WHERE id = old.user;
END;
UPDATE users SET bytes = bytes
    + (SELECT coalesce(sum(128 + octet_length(f.name) + octet_length(f.content)), 0)
       FROM job_files f JOIN jobs j ON j.id = f.job WHERE j.user = users.id)
    + (SELECT coalesce(sum(128 + octet_length(o.content)), 0)
       FROM job_outputs o JOIN jobs j ON j.id = o.job WHERE j.user = users.id);
";
