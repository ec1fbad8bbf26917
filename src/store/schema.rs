//! The schema and its migrations: creates a new database, migrates an older one after a backup,
//! rejects a newer one and that of another program.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;
use super::{FILE_NAME, backup, jobs_schema, mails, programs_schema, query, reviews};

/// Creates an empty database at the first version.
const SCHEMA: &str = include_str!("../../schema.sql");

/// The version that `schema.sql` creates.
const FIRST: i64 = 1;

/// The migrations, in order; the first leads from version 1 to 2. Append only:
/// a released migration is never edited.
const MIGRATIONS: &[&str] = &[
    ACCOUNT_BYTES,
    PERMALINKS,
    FRESHNESS,
    MEMBERS,
    jobs_schema::JOBS,
    programs_schema::PROGRAMS,
    reviews::REVIEWS,
    ACCESS,
    EDIT_LINKS,
    mails::MAILS,
];

/// Version 2: removes an unused column, renames another, and adds the number of bytes stored for each
/// account. An entry counts with its record, its form in replies and its earlier versions
/// (`Edit::compare`); triggers update the total.
const ACCOUNT_BYTES: &str = "
ALTER TABLE ingests DROP COLUMN started_at;
ALTER TABLE entries RENAME COLUMN marks TO blocking_keys;
ALTER TABLE users ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER entry_is_weighed AFTER UPDATE OF bytes ON entries WHEN new.bytes <> old.bytes
BEGIN
    UPDATE users SET bytes = bytes + new.bytes - old.bytes
    WHERE id = (SELECT user FROM collections WHERE id = new.collection);
END;
CREATE TRIGGER entry_is_removed BEFORE DELETE ON entries
BEGIN
    UPDATE users SET bytes = bytes - old.bytes
    WHERE id = (SELECT user FROM collections WHERE id = old.collection);
END;
CREATE TRIGGER collection_is_added AFTER INSERT ON collections
BEGIN
    UPDATE users SET bytes = bytes + 256 + octet_length(new.name)
        + coalesce(octet_length(new.description), 0) + octet_length(new.tags)
    WHERE id = new.user;
END;
CREATE TRIGGER collection_is_described AFTER UPDATE OF name, description, tags ON collections
BEGIN
    UPDATE users SET bytes = bytes + octet_length(new.name) - octet_length(old.name)
        + coalesce(octet_length(new.description), 0) - coalesce(octet_length(old.description), 0)
        + octet_length(new.tags) - octet_length(old.tags)
    WHERE id = new.user;
END;
-- Its entries go after it, and then find no account.
CREATE TRIGGER collection_is_removed BEFORE DELETE ON collections
BEGIN
    UPDATE users SET bytes = bytes - 256 - octet_length(old.name)
        - coalesce(octet_length(old.description), 0) - octet_length(old.tags)
        - (SELECT coalesce(sum(bytes), 0) FROM entries WHERE collection = old.id)
    WHERE id = old.user;
END;
CREATE TRIGGER reply_is_added AFTER INSERT ON replies
BEGIN
    UPDATE users SET bytes = bytes + 128 + octet_length(new.key) + octet_length(new.reply)
    WHERE id = new.user;
END;
CREATE TRIGGER reply_is_removed AFTER DELETE ON replies
BEGIN
    UPDATE users SET bytes = bytes - 128 - octet_length(old.key) - octet_length(old.reply)
    WHERE id = old.user;
END;
CREATE TRIGGER own_style_is_added AFTER INSERT ON own_styles
BEGIN
    UPDATE users SET bytes = bytes + 256 + octet_length(new.title) + octet_length(new.xml)
    WHERE id = new.user;
END;
CREATE TRIGGER own_style_is_removed AFTER DELETE ON own_styles
BEGIN
    UPDATE users SET bytes = bytes - 256 - octet_length(old.title) - octet_length(old.xml)
    WHERE id = old.user;
END;

UPDATE users SET bytes =
    (SELECT coalesce(sum(256 + octet_length(name) + coalesce(octet_length(description), 0)
                         + octet_length(tags)), 0) FROM collections WHERE user = users.id)
    + (SELECT coalesce(sum(128 + octet_length(key) + octet_length(reply)), 0)
       FROM replies WHERE user = users.id)
    + (SELECT coalesce(sum(256 + octet_length(title) + octet_length(xml)), 0)
       FROM own_styles WHERE user = users.id);
UPDATE entries SET bytes = 256 + coalesce(octet_length(note), 0) + octet_length(tags)
    + octet_length(blocking_keys)
    + (SELECT coalesce(sum(octet_length(record) + octet_length(shown)), 0)
       FROM entry_records WHERE entry = entries.id)
    + (SELECT coalesce(sum(64 + octet_length(record)), 0)
       FROM entry_versions WHERE entry = entries.id);
";

/// Version 3: links to lists without an account, and their total size.
const PERMALINKS: &str = "
CREATE TABLE permalinks (
    token      TEXT    PRIMARY KEY,
    -- SHA-256 of the key by which whoever made the link deletes it.
    hash       BLOB    NOT NULL,
    -- What it shows as JSON, compressed with zstd.
    content    BLOB    NOT NULL,
    -- To the day.
    visited_at INTEGER NOT NULL
) STRICT;
CREATE INDEX permalinks_visited ON permalinks (visited_at);
INSERT OR IGNORE INTO counters (name, value) VALUES ('permalink_bytes', 0);
CREATE TRIGGER permalink_is_added AFTER INSERT ON permalinks
BEGIN
    UPDATE counters SET value = value + 512 + octet_length(new.content) WHERE name = 'permalink_bytes';
END;
CREATE TRIGGER permalink_is_removed AFTER DELETE ON permalinks
BEGIN
    UPDATE counters SET value = value - 512 - octet_length(old.content) WHERE name = 'permalink_bytes';
END;
";

/// Version 4: when the sources of a work were last asked, its earlier records, and who states a notice.
const FRESHNESS: &str = "
-- When its sources were last asked for the work, where that is later than `fetched_at`: they had
-- nothing new, or no longer know it. 0: never.
ALTER TABLE works ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;

-- What the sources of works said before. Of each work the newest versions are kept.
CREATE TABLE work_versions (
    work        INTEGER NOT NULL REFERENCES works (id) ON DELETE CASCADE,
    -- Counts the versions of the work, from 1. The last one is never removed, which keeps the
    -- numbers growing.
    number      INTEGER NOT NULL,
    source      TEXT    NOT NULL,
    record_id   TEXT    NOT NULL,
    -- The item, as in `works`.
    dictionary  INTEGER REFERENCES dictionaries (id),
    record      BLOB    NOT NULL,
    url         TEXT,
    license     TEXT,
    fetched_at  INTEGER NOT NULL,
    -- When the record that replaced it was fetched.
    replaced_at INTEGER NOT NULL,
    PRIMARY KEY (work, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE stated_updates (
    doi         TEXT    NOT NULL,
    -- `updated_by`: `other` is the notice that changes `doi`; `update_to`: `doi` is the notice. A
    -- notice under the work's own DOI stands once.
    relation    TEXT    NOT NULL CHECK (relation IN ('updated_by', 'update_to')),
    other       TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    -- EDTF: `2020`, `2020-03`, `2020-03-14`.
    date        TEXT,
    -- Who published the notice: `publisher`, `retraction-watch`, …
    source      TEXT    NOT NULL,
    -- Why, a reason a line.
    reasons     TEXT,
    -- The source whose record says so, or `retraction-watch` for a row of its list. A new record of the
    -- same work replaces the notices of the one before it.
    stated_by   TEXT    NOT NULL,
    -- 1 where the record of `doi` says so, 0 where that of `other` does.
    is_own      INTEGER NOT NULL,
    -- The number of the ingest that last found it in a list.
    ingest      INTEGER,
    PRIMARY KEY (doi, relation, other, kind, stated_by, is_own)
) STRICT, WITHOUT ROWID;
INSERT INTO stated_updates (doi, relation, other, kind, date, source, stated_by, is_own)
    SELECT doi, relation, other, kind, date, source, 'crossref', relation = 'updated_by' FROM updates;
DROP TABLE updates;
ALTER TABLE stated_updates RENAME TO updates;
CREATE INDEX updates_list ON updates (stated_by, ingest) WHERE ingest IS NOT NULL;

-- Works whose notices have changed, until the entries of collections are marked accordingly.
CREATE TABLE notice_changes (
    doi                TEXT    PRIMARY KEY,
    -- 1 where a source no longer states a retraction that it stated before.
    is_retraction_gone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER notice_is_added AFTER INSERT ON updates WHEN new.relation = 'updated_by'
BEGIN
    INSERT INTO notice_changes (doi, is_retraction_gone) SELECT new.doi, 0
    WHERE NOT EXISTS (SELECT 1 FROM notice_changes WHERE doi = new.doi);
END;
CREATE TRIGGER retraction_is_removed AFTER DELETE ON updates
WHEN old.relation = 'updated_by' AND old.kind IN ('retraction', 'withdrawal')
BEGIN
    DELETE FROM notice_changes WHERE doi = old.doi;
    INSERT INTO notice_changes (doi, is_retraction_gone) VALUES (old.doi, 1);
END;
CREATE INDEX entry_identifiers_doi ON entry_identifiers (value) WHERE kind = 1;
";

/// Version 5: collections of several people: members, groups, invitations, and what changed when and by
/// whom.
const MEMBERS: &str = "
-- Who besides the owner has access to a collection. 1: reader, 2: editor.
CREATE TABLE members (
    collection   INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    user         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role         INTEGER NOT NULL CHECK (role IN (1, 2)),
    joined_at    INTEGER NOT NULL,
    -- 1 for the member who becomes the owner when the owner's account is deleted.
    is_successor INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (collection, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_user ON members (user);

CREATE TABLE user_groups (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid        TEXT    NOT NULL UNIQUE,
    name       TEXT    NOT NULL,
    -- Who made it. NULL: its members come from an identity provider.
    owner      INTEGER REFERENCES users (id) ON DELETE CASCADE,
    -- For groups without an owner: the issuer, a space, and the value of its claim.
    claim      TEXT    UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_groups_owner ON user_groups (owner);

CREATE TABLE group_members (
    team      INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    user      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (team, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_members_user ON group_members (user);

-- The role that a collection gives to the members of a group.
CREATE TABLE group_roles (
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    team       INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    role       INTEGER NOT NULL CHECK (role IN (1, 2)),
    PRIMARY KEY (collection, team)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_roles_team ON group_roles (team);

-- Every role that somebody has in a collection of somebody else.
CREATE VIEW granted AS
    SELECT collection, user, role FROM members
    UNION ALL
    SELECT r.collection, m.user, r.role
    FROM group_members m JOIN group_roles r ON r.team = m.team;

-- Links that make whoever opens them a member of a collection, or of a group.
CREATE TABLE invitations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid         TEXT    NOT NULL UNIQUE,
    -- SHA-256 of the token in the link.
    hash        BLOB    NOT NULL UNIQUE,
    collection  INTEGER REFERENCES collections (id) ON DELETE CASCADE,
    team        INTEGER REFERENCES user_groups (id) ON DELETE CASCADE,
    -- The role in the collection. NULL for groups.
    role        INTEGER CHECK (role IN (1, 2)),
    created_by  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    -- 1 where several people may use it.
    is_reusable INTEGER NOT NULL,
    uses        INTEGER NOT NULL DEFAULT 0,
    CHECK ((collection IS NULL) <> (team IS NULL))
) STRICT;
CREATE INDEX invitations_collection ON invitations (collection);
CREATE INDEX invitations_team ON invitations (team);
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- What each version of a collection changed. Of each collection the newest are kept.
CREATE TABLE collection_changes (
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    version    INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    -- Refers to no account, since it outlives them. NULL: the server.
    user       INTEGER,
    kind       TEXT    NOT NULL,
    -- A JSON array of the UUIDs of the entries concerned. NULL: too many to list.
    entries    TEXT,
    -- A JSON array of the entries' own fields that changed: note, tags, review_status.
    fields     TEXT    NOT NULL,
    PRIMARY KEY (collection, version)
) STRICT, WITHOUT ROWID;

-- Who replaced a version; refers to no account. NULL: unknown.
ALTER TABLE entry_versions ADD COLUMN user INTEGER;
-- The version of the collection that replaced it: the base of a merge is found by it.
ALTER TABLE entry_versions ADD COLUMN collection_version INTEGER NOT NULL DEFAULT 0;
UPDATE entry_versions SET collection_version =
    (SELECT c.version FROM entries e JOIN collections c ON c.id = e.collection WHERE e.id = entry);

-- An entry that changes its owner takes its bytes and identifiers along.
CREATE TRIGGER entry_is_moved AFTER UPDATE OF collection ON entries
WHEN new.collection <> old.collection
BEGIN
    UPDATE users SET bytes = bytes - new.bytes
    WHERE id = (SELECT user FROM collections WHERE id = old.collection);
    UPDATE users SET bytes = bytes + new.bytes
    WHERE id = (SELECT user FROM collections WHERE id = new.collection);
    UPDATE entry_identifiers SET user = (SELECT user FROM collections WHERE id = new.collection)
    WHERE entry = new.id;
    -- Versions of the other collection say nothing about this one.
    UPDATE entry_versions SET collection_version = 0 WHERE entry = new.id;
END;
-- And so does a collection. What the former owner's browser merged into it is forgotten.
CREATE TRIGGER collection_is_transferred AFTER UPDATE OF user ON collections
WHEN new.user <> old.user
BEGIN
    UPDATE users SET bytes = bytes - 256 - octet_length(new.name)
        - coalesce(octet_length(new.description), 0) - octet_length(new.tags)
        - (SELECT coalesce(sum(bytes), 0) FROM entries WHERE collection = new.id)
    WHERE id = old.user;
    UPDATE users SET bytes = bytes + 256 + octet_length(new.name)
        + coalesce(octet_length(new.description), 0) + octet_length(new.tags)
        + (SELECT coalesce(sum(bytes), 0) FROM entries WHERE collection = new.id)
    WHERE id = new.user;
    UPDATE entry_identifiers SET user = new.user
    WHERE entry IN (SELECT id FROM entries WHERE collection = new.id);
    DELETE FROM merged WHERE collection = new.id;
    DELETE FROM members WHERE collection = new.id AND user = new.user;
END;
";

/// Where the texts of works are open, what asks sources whether a record has changed, and which
/// records a file had.
const ACCESS: &str = "
CREATE TABLE open_copies (
    work        INTEGER NOT NULL REFERENCES works (id) ON DELETE CASCADE,
    -- The source whose record says so, or that was asked for copies alone.
    stated_by   TEXT    NOT NULL,
    -- NULL: that source knows of none.
    url         TEXT,
    version     TEXT,
    license     TEXT,
    -- When the source said so.
    stated_at   INTEGER NOT NULL,
    PRIMARY KEY (work, stated_by)
) STRICT, WITHOUT ROWID;

CREATE TABLE validators (
    work          INTEGER NOT NULL REFERENCES works (id) ON DELETE CASCADE,
    source        TEXT    NOT NULL,
    -- The path that was asked, without its query.
    request       TEXT    NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    PRIMARY KEY (work, source)
) STRICT, WITHOUT ROWID;

-- What the records of a file were, in its order: 64 bits each, little-endian, a part of 8,192 a row.
CREATE TABLE ingest_fingerprints (
    ingest       INTEGER NOT NULL REFERENCES ingests (id) ON DELETE CASCADE,
    part         INTEGER NOT NULL,
    fingerprints BLOB    NOT NULL,
    PRIMARY KEY (ingest, part)
) STRICT;
";

/// Version 10: links of collections that let whoever has them change the entries.
const EDIT_LINKS: &str = "
ALTER TABLE shares ADD COLUMN can_edit INTEGER NOT NULL DEFAULT 0;
";

/// Tables that every version has. SQLite's `application_id` cannot tell whose a file is: it is the generation.
const OURS: [&str; 6] = [
    "meta",
    "works",
    "identifiers",
    "users",
    "api_keys",
    "entries",
];

/// Rejects a file of another program, which must not be changed. One without tables belongs to nobody.
pub fn check_owner(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    let tables: Vec<String> = query::all(connection, sql, [], |row| Ok(row.get(0)?))?;
    let has = |name: &&str| tables.iter().any(|table| table == name);
    if tables.is_empty() || OURS.iter().all(has) {
        return Ok(());
    }
    Err(StoreError::Unfit(format!(
        "{} is the database of another program and was left as it is; choose another file or \
         folder",
        path.display()
    )))
}

/// The version of this program.
pub const KNOWN: i64 = FIRST + MIGRATIONS.len() as i64;

/// Migrates the database to [`KNOWN`]. An older one is first copied to `backups/` beside it. Two
/// processes may call this at once: the second waits and finds the work done.
pub fn prepare(connection: &mut Connection, directory: &Path) -> Result<(), StoreError> {
    prepare_with(connection, directory, MIGRATIONS)
}

fn prepare_with(
    connection: &mut Connection,
    directory: &Path,
    migrations: &[&str],
) -> Result<(), StoreError> {
    let known = FIRST + migrations.len() as i64;
    let found = version(connection)?;
    if found == known {
        return Ok(());
    }
    if found > known {
        let hint = hint(directory, known);
        return Err(StoreError::Newer { found, known, hint });
    }
    if found > 0 {
        back_up(connection, directory, found)?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut at = version(&transaction)?;
    if at == 0 {
        check_owner(&transaction, &directory.join(FILE_NAME))?;
        transaction.execute_batch(SCHEMA)?;
        transaction.execute(
            "INSERT INTO meta (key, value) VALUES ('database_id', lower(hex(randomblob(16))))",
            [],
        )?;
        at = FIRST;
    }
    for migration in migrations.iter().skip((at - FIRST).max(0) as usize) {
        transaction.execute_batch(migration)?;
        at += 1;
    }
    transaction.pragma_update(None, "user_version", at)?;
    transaction.commit()?;
    Ok(())
}

pub fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// The path of the copy made before a database left a version.
fn backup_of(directory: &Path, version: i64) -> PathBuf {
    directory.join(format!("backups/citation-v{version}.db"))
}

/// How to continue with this version's own copy.
fn hint(directory: &Path, version: i64) -> String {
    let path = backup_of(directory, version);
    if path.exists() {
        format!(
            "restore the copy made before the upgrade, without everything written since: \
         `citation restore {}`",
            path.display()
        )
    } else {
        "restore a backup from this version; the data directory has none".to_owned()
    }
}

/// Writes a compact copy; replaces an older one of the same version.
fn back_up(connection: &Connection, directory: &Path, version: i64) -> Result<(), StoreError> {
    let path = backup_of(directory, version);
    if let Some(backups) = path.parent() {
        std::fs::create_dir_all(backups)?;
    }
    backup::copy(connection, &path)?;
    tracing::info!(path = %path.display(), "database backed up before its migration");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(directory: &Path) -> Connection {
        Connection::open(directory.join("citation.db")).unwrap()
    }

    #[test]
    fn new_database_is_at_the_known_version() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        prepare(&mut connection, directory.path()).unwrap();
        assert_eq!(version(&connection).unwrap(), KNOWN);
        prepare(&mut connection, directory.path()).unwrap();
        assert!(!directory.path().join("backups").exists());
    }

    #[test]
    fn migration_runs_once_and_after_a_backup() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        prepare(&mut connection, directory.path()).unwrap();
        let more = [
            "CREATE TABLE extra (a INTEGER) STRICT",
            "INSERT INTO extra VALUES (7)",
        ];
        let more = [MIGRATIONS, &more].concat();
        prepare_with(&mut connection, directory.path(), &more).unwrap();
        prepare_with(&mut connection, directory.path(), &more).unwrap();
        let rows: i64 = connection
            .query_row("SELECT count(*) FROM extra", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
        let backup = directory
            .path()
            .join(format!("backups/citation-v{KNOWN}.db"));
        assert_eq!(version(&Connection::open(backup).unwrap()).unwrap(), KNOWN);
    }

    #[test]
    fn failed_migration_leaves_the_old_version() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        prepare(&mut connection, directory.path()).unwrap();
        let bad = ["CREATE TABLE extra (a INTEGER) STRICT", "NONSENSE"];
        let bad = [MIGRATIONS, &bad].concat();
        assert!(prepare_with(&mut connection, directory.path(), &bad).is_err());
        assert_eq!(version(&connection).unwrap(), KNOWN);
    }

    #[test]
    fn newer_database_is_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        connection.pragma_update(None, "user_version", 99).unwrap();
        let refused = prepare(&mut connection, directory.path());
        assert!(matches!(
            refused,
            Err(StoreError::Newer {
                found: 99,
                known: KNOWN,
                ..
            })
        ));
    }
}
