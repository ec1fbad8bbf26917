-- The database of Citation, version 1.
--
-- This file creates a new, empty database. What later versions change is told by the list of
-- migrations in src/store/schema.rs, which is only ever appended to; `PRAGMA user_version` says how
-- far a database has come. Times are Unix seconds in UTC unless a column says otherwise.

PRAGMA user_version = 1;

----------------------------------------------------------------------------------------------------
-- Corpus: works, what identifies them, and the notices about them.

-- One row a work. The number of a work is never used again, because the search index and callers
-- hold on to it: new ones follow the highest there is and the counter `last_deleted`. (AUTOINCREMENT
-- would write a second table with every row.)
CREATE TABLE works (
    id          INTEGER PRIMARY KEY,
    -- The item as CSL-JSON, compressed with zstd: with this dictionary, or without one where NULL.
    dictionary  INTEGER REFERENCES dictionaries (id),
    record      BLOB    NOT NULL,
    -- Where the record came from. Of a merged work: the source that ranks highest, whose values
    -- stand wherever `fields` names no other source.
    source      TEXT    NOT NULL,
    record_id   TEXT    NOT NULL,
    url         TEXT,
    license     TEXT,
    -- When the record was fetched, or, of a dump, when the source last changed it: of two records
    -- of one source the later one counts. 0 where neither is known.
    fetched_at  INTEGER NOT NULL,
    -- FNV-1a of the source's record as mapped, so that the same record is known when it comes again.
    hash        INTEGER NOT NULL,
    -- NULL for a work of one record. A merged work: a JSON object from variable to source, naming
    -- the variables that came from another source than the one above. Each source's own record is
    -- then in `records`.
    fields      TEXT
) STRICT;

-- The records that a merged work was made of; a work of one record has none here. Mostly each is of
-- another source, but a source may know a work under two ids of its own. Merging is a pure function
-- of these rows, so the order of arrival does not matter, and taking a record back leaves the others.
CREATE TABLE records (
    work        INTEGER NOT NULL REFERENCES works (id) ON DELETE CASCADE,
    source      TEXT    NOT NULL,
    dictionary  INTEGER REFERENCES dictionaries (id),
    record      BLOB    NOT NULL,
    record_id   TEXT    NOT NULL,
    url         TEXT,
    license     TEXT,
    fetched_at  INTEGER NOT NULL,
    hash        INTEGER NOT NULL,
    PRIMARY KEY (work, source, record_id)
) STRICT;

-- Dictionaries for zstd, trained on records. Never changed or deleted: rows point at them.
CREATE TABLE dictionaries (
    id          INTEGER PRIMARY KEY,
    created_at  INTEGER NOT NULL,
    content     BLOB    NOT NULL
) STRICT;

-- What identifies a work. `kind` is 1 DOI, 2 ISBN-13, 3 PMID, 4 PMCID, 5 arXiv, and `value` the
-- canonical form; 16 and above is a record's own id at a source (src/store/keys.rs has the numbers).
-- Thin rows in key order: the table is its own index, and one read finds the work.
CREATE TABLE identifiers (
    kind        INTEGER NOT NULL,
    value       TEXT    NOT NULL,
    work        INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- Notices (retractions, corrections, …) about works, whether or not the works are here. Each notice
-- stands twice, once from either side, so that one range read gives everything about one DOI.
CREATE TABLE updates (
    doi         TEXT    NOT NULL,
    -- `updated_by`: `other` is the notice that changes `doi`; `update_to`: `doi` is the notice.
    relation    TEXT    NOT NULL CHECK (relation IN ('updated_by', 'update_to')),
    other       TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    -- EDTF: `2020`, `2020-03`, `2020-03-14`.
    date        TEXT,
    -- Who says so: `publisher`, `retraction-watch`, …
    source      TEXT    NOT NULL,
    PRIMARY KEY (doi, relation, other, kind)
) STRICT, WITHOUT ROWID;

-- The sequence of changes to works, read by the indexer. Rows that the index holds are removed, but
-- never the newest one, which keeps the numbers growing.
CREATE TABLE changes (
    seq         INTEGER PRIMARY KEY,
    work        INTEGER NOT NULL,
    -- 0 new, 1 changed, 2 deleted.
    kind        INTEGER NOT NULL,
    -- The hash of the record behind the change. An index remembers it, and so notices a database
    -- that was restored from a backup and went on differently under the same numbers.
    stamp       INTEGER NOT NULL
) STRICT;

-- Identifiers that every source asked has denied, until the answer is too old.
CREATE TABLE misses (
    kind        INTEGER NOT NULL,
    value       TEXT    NOT NULL,
    -- The sources that were asked, parted by commas.
    sources     TEXT    NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX misses_expiry ON misses (expires_at);

-- Journal titles and their short forms: what records give, what was imported, what the operator set.
-- `short` is empty where a record gives the title alone. The keys are what spellings of one text have
-- in common (src/journals/key.rs).
CREATE TABLE journals (
    title       TEXT    NOT NULL,
    short       TEXT    NOT NULL,
    -- `operator`, `imported`, or the source of the record.
    origin      TEXT    NOT NULL,
    title_key   TEXT    NOT NULL,
    short_key   TEXT    NOT NULL,
    -- First letters of the title's words.
    initials    TEXT    NOT NULL,
    PRIMARY KEY (title, short)
) STRICT, WITHOUT ROWID;

CREATE INDEX journals_short ON journals (short_key) WHERE short_key <> '';
CREATE INDEX journals_title ON journals (title_key);
CREATE INDEX journals_initials ON journals (initials);

-- Files that were ingested, or begun: where to go on after an interruption, and what need not be
-- read again. A file is known by size, time and a fingerprint of its two ends, not by its path.
CREATE TABLE ingests (
    id            INTEGER PRIMARY KEY,
    path          TEXT    NOT NULL,
    size          INTEGER NOT NULL,
    -- Nanoseconds since 1970.
    modified_at   INTEGER NOT NULL,
    fingerprint   INTEGER NOT NULL,
    format        TEXT    NOT NULL,
    -- The next record: the member of the archive by number, the byte in the unpacked member, and
    -- the number of records before it in the file.
    member        INTEGER NOT NULL DEFAULT 0,
    offset        INTEGER NOT NULL DEFAULT 0,
    records       INTEGER NOT NULL DEFAULT 0,
    rejected      INTEGER NOT NULL DEFAULT 0,
    -- Bytes of the rejects file that belong to what is committed.
    rejects_size  INTEGER NOT NULL DEFAULT 0,
    started_at    INTEGER NOT NULL,
    finished_at   INTEGER,
    UNIQUE (size, modified_at, fingerprint)
) STRICT;

-- Numbers kept up to date with every write, so that nobody counts rows: `works`, and `works.SOURCE`
-- by the highest source of each work. `last_deleted` is the highest number of a deleted work.
CREATE TABLE counters (
    name        TEXT    PRIMARY KEY,
    value       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Facts about the database itself: `database_id` (random, so that an index knows its database),
-- `starter` (the version of the starter corpus that was loaded), `styles` (how often styles were
-- installed or removed, so that a running server notices).
CREATE TABLE meta (
    key         TEXT    PRIMARY KEY,
    value       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

----------------------------------------------------------------------------------------------------
-- Citation styles.

CREATE TABLE styles (
    -- The short name: `apa`, `chicago-author-date`.
    id              TEXT    PRIMARY KEY,
    -- The style's own address in its <info>.
    uri             TEXT    NOT NULL,
    title           TEXT    NOT NULL,
    title_short     TEXT,
    -- The id of the independent style behind a dependent one.
    parent          TEXT,
    default_locale  TEXT,
    -- `author-date`, `numeric`, `note`, `label` or `author`.
    citation_format TEXT,
    -- Disciplines and ISSNs, parted by spaces.
    fields          TEXT    NOT NULL DEFAULT '',
    issn            TEXT    NOT NULL DEFAULT '',
    -- The style's own time stamp, RFC 3339.
    updated         TEXT,
    license         TEXT,
    -- 1 where the style has a bibliography, 0 where it has none.
    has_bibliography INTEGER NOT NULL,
    -- The file, compressed with zstd.
    xml             BLOB    NOT NULL
) STRICT;

CREATE INDEX styles_parent ON styles (parent);

-- Other names of styles: former ids, spellings in lower case, acronyms.
CREATE TABLE style_aliases (
    alias       TEXT    PRIMARY KEY,
    style       TEXT    NOT NULL REFERENCES styles (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX style_aliases_style ON style_aliases (style);

-- Styles that users brought along, each for its owner alone. The columns are those of `styles`.
CREATE TABLE own_styles (
    user            INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id              TEXT    NOT NULL,
    uri             TEXT    NOT NULL,
    title           TEXT    NOT NULL,
    title_short     TEXT,
    parent          TEXT,
    default_locale  TEXT,
    citation_format TEXT,
    fields          TEXT    NOT NULL,
    issn            TEXT    NOT NULL,
    updated         TEXT,
    license         TEXT,
    has_bibliography INTEGER NOT NULL,
    xml             BLOB    NOT NULL,
    PRIMARY KEY (user, id)
) STRICT;

----------------------------------------------------------------------------------------------------
-- Accounts, credentials, usage, audit.

-- One row an account. The number is never used again: the ledger of past months holds on to it.
CREATE TABLE users (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID: the number for everybody outside.
    uid         TEXT    NOT NULL UNIQUE,
    -- As it was given, and in lower case. NULL where an identity provider tells none.
    email       TEXT,
    email_key   TEXT    UNIQUE,
    name        TEXT,
    -- 1 Free, 2 Academic, 3 Business.
    plan        INTEGER NOT NULL CHECK (plan BETWEEN 1 AND 3),
    -- Argon2id, as a PHC string. NULL: the account has no password.
    password    TEXT,
    created_at  INTEGER NOT NULL,
    -- NULL: the account may sign in.
    disabled_at INTEGER
) STRICT;

-- Accounts that were deleted, as the ledger needs them.
CREATE TABLE former_users (
    id          INTEGER PRIMARY KEY,
    uid         TEXT    NOT NULL,
    deleted_at  INTEGER NOT NULL
) STRICT;

-- Who signs in to an account by an identity provider (OpenID Connect: `iss` and `sub`).
CREATE TABLE identities (
    issuer      TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- UUID.
    uid         TEXT    NOT NULL UNIQUE,
    -- As the provider told it when the identity was linked. NULL: none, or an unverified one.
    email       TEXT,
    linked_at   INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX identities_user ON identities (user);

CREATE TABLE api_keys (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid          TEXT    NOT NULL UNIQUE,
    user         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL,
    -- The first characters of the key, to tell keys apart.
    prefix       TEXT    NOT NULL,
    -- SHA-256 of the key. The key itself is not kept.
    hash         BLOB    NOT NULL UNIQUE,
    -- Bits: 1 read, 2 write.
    scopes       INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    -- NULL: never.
    expires_at   INTEGER,
    -- To the minute. NULL: never used.
    last_used_at INTEGER
) STRICT;

CREATE INDEX api_keys_user ON api_keys (user);

CREATE TABLE sessions (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid         TEXT    NOT NULL UNIQUE,
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 of the cookie's value.
    hash        BLOB    NOT NULL UNIQUE,
    created_at  INTEGER NOT NULL,
    -- To the minute.
    seen_at     INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    -- `password`, `link`, or the address of the issuer.
    method      TEXT    NOT NULL,
    address     TEXT    NOT NULL,
    agent       TEXT    NOT NULL
) STRICT;

CREATE INDEX sessions_user ON sessions (user);

CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Links that work once: `first` makes the first account, `sign_in` opens an account, `invitation`
-- makes one while sign-up is not open.
CREATE TABLE sign_in_links (
    -- SHA-256 of the token in the link.
    hash        BLOB    PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('first', 'sign_in', 'invitation')),
    user        INTEGER REFERENCES users (id) ON DELETE CASCADE,
    email       TEXT,
    plan        INTEGER,
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Counted lookups in the 24 hours since the first one. The newest counts may still be in the usage
-- journal beside the database.
CREATE TABLE daily_windows (
    -- `user:12`, `203.0.113.7` or `2001:db8:1:2::/64`.
    subject     TEXT    PRIMARY KEY,
    opened_at   INTEGER NOT NULL,
    used        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX daily_windows_opened ON daily_windows (opened_at);

-- The ledger of API calls, by user and day. Nothing refers to `users`, since it outlives them.
CREATE TABLE api_calls (
    user        INTEGER NOT NULL,
    -- Days since 1970-01-01, UTC.
    day         INTEGER NOT NULL,
    -- The plan when the last of the calls came.
    plan        INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    -- The monthly allowance that applied.
    included    INTEGER NOT NULL,
    PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_calls_day ON api_calls (day);

-- Who did what to accounts, and when. Append-only: the triggers refuse everything else.
CREATE TABLE audit (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    -- `user:UUID`, `command line`, `anonymous` or `server`.
    actor       TEXT    NOT NULL,
    action      TEXT    NOT NULL,
    -- The UUID of the account concerned.
    subject     TEXT,
    address     TEXT,
    details     TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_subject ON audit (subject);

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT raise(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
    SELECT raise(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = new.id)
BEGIN
    SELECT raise(ABORT, 'the audit log is append-only');
END;

----------------------------------------------------------------------------------------------------
-- Collections: what users keep.

-- A deleted collection keeps its row, and its entries, until it can no longer be restored.
CREATE TABLE collections (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid         TEXT    NOT NULL UNIQUE,
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    description TEXT,
    -- The style that its bibliography is mostly formatted in.
    style       TEXT,
    -- A JSON array of texts.
    tags        TEXT    NOT NULL,
    -- Grows with every change to the collection or to anything in it.
    version     INTEGER NOT NULL,
    -- How many entries are in it, deleted ones aside.
    entries     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    deleted_at  INTEGER
) STRICT;

CREATE INDEX collections_user ON collections (user);

CREATE INDEX collections_deleted ON collections (deleted_at) WHERE deleted_at IS NOT NULL;

-- Read-only links. The token is kept in clear, since its owner may ask for the link again.
CREATE TABLE shares (
    collection  INTEGER PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
    token       TEXT    NOT NULL UNIQUE,
    -- 1 where those who have the link also see the notes.
    with_notes  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    -- NULL: never.
    expires_at  INTEGER
) STRICT;

-- Entries of collections: what changes often, apart from the records. An entry is in exactly one
-- collection because it names one.
CREATE TABLE entries (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid           TEXT    NOT NULL UNIQUE,
    collection    INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    -- Puts the entries of a collection in order. Only the order counts: whoever reads numbers the
    -- entries anew, so that taking one out touches no other row.
    rank          INTEGER NOT NULL,
    note          TEXT,
    -- A JSON array of texts.
    tags          TEXT    NOT NULL,
    review_status TEXT    NOT NULL,
    citation_key  TEXT,
    -- Hashes, 4 bytes each, of which two entries share one where they may be of the same work.
    marks         BLOB    NOT NULL,
    added_at      INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    deleted_at    INTEGER
) STRICT;

CREATE INDEX entries_order ON entries (collection, deleted_at, rank);

CREATE INDEX entries_deleted ON entries (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE entry_records (
    entry       INTEGER PRIMARY KEY REFERENCES entries (id) ON DELETE CASCADE,
    -- The item, as in `works`.
    dictionary  INTEGER REFERENCES dictionaries (id),
    record      BLOB    NOT NULL,
    -- The item as replies show it, made from `record`, so that reading a collection is copying; and
    -- the number of the form that it is in: one of an older form is made anew when it is read.
    shown       TEXT    NOT NULL,
    form        INTEGER NOT NULL
) STRICT;

-- What entries said before their metadata changed. Of each entry the newest versions are kept.
CREATE TABLE entry_versions (
    entry       INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    -- Counts the versions of the entry, from 1. The last one is never removed, which keeps the
    -- numbers growing.
    number      INTEGER NOT NULL,
    -- The item, as in `works`.
    dictionary  INTEGER REFERENCES dictionaries (id),
    record      BLOB    NOT NULL,
    -- When and by what it was replaced.
    replaced_at INTEGER NOT NULL,
    cause       TEXT    NOT NULL CHECK (cause IN ('edited', 'merged', 'restored')),
    PRIMARY KEY (entry, number)
) STRICT, WITHOUT ROWID;

-- What identifies the works that users have, numbered as in `identifiers`.
CREATE TABLE entry_identifiers (
    user        INTEGER NOT NULL,
    kind        INTEGER NOT NULL,
    value       TEXT    NOT NULL,
    entry       INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    PRIMARY KEY (user, kind, value, entry)
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_identifiers_entry ON entry_identifiers (entry);

-- What collections and entries that a browser kept have become, so that merging them again adds
-- nothing. The names are the browser's own; `client_entry` is empty for the collection itself.
CREATE TABLE merged (
    user              INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    client_collection TEXT    NOT NULL,
    client_entry      TEXT    NOT NULL,
    collection        INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    entry             INTEGER REFERENCES entries (id) ON DELETE CASCADE,
    PRIMARY KEY (user, client_collection, client_entry)
) STRICT, WITHOUT ROWID;

CREATE INDEX merged_collection ON merged (collection);

CREATE INDEX merged_entry ON merged (entry);

-- Replies to requests with an `Idempotency-Key`, written together with what the request changed.
CREATE TABLE replies (
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key         TEXT    NOT NULL,
    -- SHA-256 of the request, to tell another one under the same key.
    request     BLOB    NOT NULL,
    -- As the edge wrote it, compressed with zstd.
    reply       BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (user, key)
) STRICT;

CREATE INDEX replies_age ON replies (created_at);
