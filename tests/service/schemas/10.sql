-- key: ck_UTOIDTmDRkdPX8SOrAYtHVXzvwTPIfhd6q1eiYLoCjp2QA1zK
PRAGMA foreign_keys = OFF;
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
, asked_at INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE TABLE dictionaries (
    id          INTEGER PRIMARY KEY,
    created_at  INTEGER NOT NULL,
    content     BLOB    NOT NULL
) STRICT;
CREATE TABLE identifiers (
    kind        INTEGER NOT NULL,
    value       TEXT    NOT NULL,
    work        INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE changes (
    seq         INTEGER PRIMARY KEY,
    work        INTEGER NOT NULL,
    -- 0 new, 1 changed, 2 deleted.
    kind        INTEGER NOT NULL,
    -- The hash of the record behind the change. An index remembers it, and so notices a database
    -- that was restored from a backup and went on differently under the same numbers.
    stamp       INTEGER NOT NULL
) STRICT;
CREATE TABLE misses (
    kind        INTEGER NOT NULL,
    value       TEXT    NOT NULL,
    -- The sources that were asked, parted by commas.
    sources     TEXT    NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
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
    finished_at   INTEGER,
    UNIQUE (size, modified_at, fingerprint)
) STRICT;
CREATE TABLE counters (
    name        TEXT    PRIMARY KEY,
    value       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE meta (
    key         TEXT    PRIMARY KEY,
    value       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE style_aliases (
    alias       TEXT    PRIMARY KEY,
    style       TEXT    NOT NULL REFERENCES styles (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
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
, bytes INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE former_users (
    id          INTEGER PRIMARY KEY,
    uid         TEXT    NOT NULL,
    deleted_at  INTEGER NOT NULL
) STRICT;
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
CREATE TABLE sign_in_links (
    -- SHA-256 of the token in the link.
    hash        BLOB    PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('first', 'sign_in', 'invitation')),
    user        INTEGER REFERENCES users (id) ON DELETE CASCADE,
    email       TEXT,
    plan        INTEGER,
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_windows (
    -- `user:12`, `203.0.113.7` or `2001:db8:1:2::/64`.
    subject     TEXT    PRIMARY KEY,
    opened_at   INTEGER NOT NULL,
    used        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE shares (
    collection  INTEGER PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
    token       TEXT    NOT NULL UNIQUE,
    -- 1 where those who have the link also see the notes.
    with_notes  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    -- NULL: never.
    expires_at  INTEGER
, can_edit INTEGER NOT NULL DEFAULT 0) STRICT;
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
    blocking_keys         BLOB    NOT NULL,
    added_at      INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    deleted_at    INTEGER
, bytes INTEGER NOT NULL DEFAULT 0) STRICT;
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
    cause       TEXT    NOT NULL CHECK (cause IN ('edited', 'merged', 'restored')), user INTEGER, collection_version INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (entry, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE entry_identifiers (
    user        INTEGER NOT NULL,
    kind        INTEGER NOT NULL,
    value       TEXT    NOT NULL,
    entry       INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    PRIMARY KEY (user, kind, value, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE merged (
    user              INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    client_collection TEXT    NOT NULL,
    client_entry      TEXT    NOT NULL,
    collection        INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    entry             INTEGER REFERENCES entries (id) ON DELETE CASCADE,
    PRIMARY KEY (user, client_collection, client_entry)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE permalinks (
    token      TEXT    PRIMARY KEY,
    -- SHA-256 of the key by which whoever made the link deletes it.
    hash       BLOB    NOT NULL,
    -- What it shows as JSON, compressed with zstd.
    content    BLOB    NOT NULL,
    -- To the day.
    visited_at INTEGER NOT NULL
) STRICT;
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
CREATE TABLE "updates" (
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
CREATE TABLE notice_changes (
    doi                TEXT    PRIMARY KEY,
    -- 1 where a source no longer states a retraction that it stated before.
    is_retraction_gone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE members (
    collection   INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    user         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role         INTEGER NOT NULL CHECK (role IN (1, 2)),
    joined_at    INTEGER NOT NULL,
    -- 1 for the member who becomes the owner when the owner's account is deleted.
    is_successor INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (collection, user)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE group_members (
    team      INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    user      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (team, user)
) STRICT, WITHOUT ROWID;
CREATE TABLE group_roles (
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    team       INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    role       INTEGER NOT NULL CHECK (role IN (1, 2)),
    PRIMARY KEY (collection, team)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE jobs (
    -- The number is never used again: the usage journal names it.
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID: the id for everybody outside.
    uid         TEXT    NOT NULL UNIQUE,
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind        TEXT    NOT NULL CHECK (kind IN ('verify', 'format', 'import', 'export', 'harvest')),
    state       TEXT    NOT NULL
        CHECK (state IN ('queued', 'running', 'waiting_for_quota', 'done', 'failed', 'canceled')),
    -- What the request said besides its body, as JSON: parts of the path, and the query.
    request     TEXT    NOT NULL,
    -- Files that were sent; and of them those that are done.
    files       INTEGER NOT NULL,
    files_done  INTEGER NOT NULL DEFAULT 0,
    -- Items found in the files so far; and results stored.
    items       INTEGER NOT NULL DEFAULT 0,
    results     INTEGER NOT NULL DEFAULT 0,
    lookups     INTEGER NOT NULL DEFAULT 0,
    -- Why it failed, as JSON.
    error       TEXT,
    created_at  INTEGER NOT NULL,
    started_at  INTEGER,
    ended_at    INTEGER
) STRICT;
CREATE TABLE job_files (
    job         INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    -- From 0.
    number      INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    media_type  TEXT,
    -- 1: only there because others name it.
    is_companion INTEGER NOT NULL,
    -- Compressed with zstd.
    content     BLOB    NOT NULL,
    PRIMARY KEY (job, number)
) STRICT;
CREATE TABLE job_results (
    job         INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    -- Counts the results of the job, from 1, in the order in which they were stored.
    number      INTEGER NOT NULL,
    -- The item: its file, and its position there. 0 is the file itself, 1 its first item.
    file        INTEGER NOT NULL,
    item        INTEGER NOT NULL,
    -- In one word, such as a verdict.
    outcome     TEXT    NOT NULL,
    -- Its lookups, and whether the daily quota has counted them. A result is stored with its price;
    -- the usage journal counts it, and tells here that it has.
    lookups     INTEGER NOT NULL,
    is_counted  INTEGER NOT NULL,
    -- JSON, compressed with zstd.
    result      BLOB    NOT NULL,
    PRIMARY KEY (job, number),
    UNIQUE (job, file, item)
) STRICT;
CREATE TABLE job_outputs (
    job         INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    media_type  TEXT    NOT NULL,
    -- Its name, as `Content-Disposition` has it.
    disposition TEXT,
    -- Compressed with zstd.
    content     BLOB    NOT NULL
) STRICT;
CREATE TABLE webhooks (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- UUID.
    uid         TEXT    NOT NULL UNIQUE,
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url         TEXT    NOT NULL,
    -- A JSON array of the names of events.
    events      TEXT    NOT NULL,
    -- In clear, since every delivery is signed with it; and the one before it, while both are valid.
    secret      TEXT    NOT NULL,
    old_secret  TEXT,
    old_until   INTEGER,
    is_enabled  INTEGER NOT NULL DEFAULT 1,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE TABLE webhook_deliveries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    uid         TEXT    NOT NULL UNIQUE,
    webhook     INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event       TEXT    NOT NULL,
    -- What it is about. An event that is not sent yet is not added again.
    subject     TEXT    NOT NULL,
    -- The member `data` of the body, JSON.
    data        TEXT    NOT NULL,
    state       TEXT    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead')),
    attempts    INTEGER NOT NULL DEFAULT 0,
    -- When it is sent next, Unix seconds.
    next_at     INTEGER NOT NULL DEFAULT 0,
    status      INTEGER,
    error       TEXT,
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT;
CREATE TABLE plan_lookups (
    plan        INTEGER PRIMARY KEY,
    daily       INTEGER NOT NULL
) STRICT;
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
CREATE TABLE decisions (
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- Names the reference by its letters, as hexadecimal digits.
    key         TEXT    NOT NULL,
    reference   TEXT    NOT NULL,
    decision    TEXT    NOT NULL CHECK (decision IN ('real', 'other_work')),
    made_by     TEXT    NOT NULL,
    why         TEXT    NOT NULL,
    made_at     INTEGER NOT NULL,
    PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE reports (
    token       TEXT    NOT NULL PRIMARY KEY,
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title       TEXT    NOT NULL,
    -- JSON, compressed with zstd.
    content     BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;
CREATE TABLE distinct_entries (
    one         INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    other       INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    PRIMARY KEY (one, other)
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_searches (
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The query of its address.
    query       TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    PRIMARY KEY (user, query)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE ingest_fingerprints (
    ingest       INTEGER NOT NULL REFERENCES ingests (id) ON DELETE CASCADE,
    part         INTEGER NOT NULL,
    fingerprints BLOB    NOT NULL,
    PRIMARY KEY (ingest, part)
) STRICT;
INSERT INTO works VALUES (1, NULL, X'28B52FFD209B8503005246161B706BDA30824D467FE47C8C4A9AE685608F3C6CF76AE33BF7FFCB0B8F077E4FC59396D1AC042EC0CC16C596DF078D40617E6FDEC3422B930988611126B536E2548AADD679F2848A9F45A04C8E36E3EFB968F493FF5ED03B02070032432C4C20C73618554CA4BCFC39224EA0A0', 'crossref', 'Crossref', NULL, NULL, 1795233600, 1069684874781094778, '{"volume":"openalex"}', 0);
INSERT INTO works VALUES (2, NULL, X'28B52FFD203BD901007B226964223A22222C2274797065223A22626F6F6B222C22444F49223A2231302E313030302F656C6D73222C227469746C65223A22456C6D73227D', 'crossref', 'Crossref', NULL, NULL, 1795233600, -2495189296185698040, NULL, 0);
INSERT INTO works VALUES (3, NULL, X'28B52FFD20463102007B226964223A22222C2274797065223A2261727469636C65222C22444F49223A2231302E313030302F6E6F74696365222C227469746C65223A2252657472616374696F6E227D', 'crossref', 'Crossref', NULL, NULL, 1795233600, 4653488785854438264, NULL, 0);
INSERT INTO records VALUES (1, 'crossref', NULL, X'28B52FFD208E450300E2C5141A80396D78FA650725C70E901773ACA393F050704B3385698B725C8BAF0697D5E02266961C96FC1E580087F27BF316165A992C38843D4A6A6DC4A9145B2D73E3091523D6803231DA8CBFE721D137FEFB40AF080600562490071B8C2A26525EFE1C11275050', 'Crossref', NULL, NULL, 1795233600, 1069684874781094778);
INSERT INTO records VALUES (1, 'openalex', NULL, X'28B52FFD20537D02009204111A80C71903D818576E0445C877632B71490385335B692FB0303346878FF30578DA084997EDE741A39A8188A840749E24E4B3AA807B8D21962A6C9D3A5F82C27E3E5FD88602003247B00C1414', 'Openalex', NULL, NULL, 1795233600, 525271373462047336);
INSERT INTO identifiers VALUES (1, '10.1000/elms', 2);
INSERT INTO identifiers VALUES (1, '10.1000/notice', 3);
INSERT INTO identifiers VALUES (1, '10.1000/oaks', 1);
INSERT INTO identifiers VALUES (17, 'Crossref', 1);
INSERT INTO identifiers VALUES (21, 'Openalex', 1);
INSERT INTO changes VALUES (5, 3, 0, 4653488785854438264);
INSERT INTO journals VALUES ('Journal of Trees', 'J. Trees', 'crossref', 'journal trees', 'j trees', 'jt');
INSERT INTO counters VALUES ('newest.crossref', 1795233600);
INSERT INTO counters VALUES ('newest.openalex', 1795233600);
INSERT INTO counters VALUES ('permalink_bytes', 624);
INSERT INTO counters VALUES ('works', 3);
INSERT INTO counters VALUES ('works.crossref', 3);
INSERT INTO meta VALUES ('database_id', '052eb93bf48491166db11acc8670adeb');
INSERT INTO own_styles VALUES (1, 'thesis', 'http://example.org/thesis', 'Thesis', NULL, NULL, NULL, NULL, '', '', '2026-01-01T00:00:00Z', NULL, 0, X'28B52FFD6000007D0500428B221B80456D05DFB2B9BB50D24694ADE57B120022F1A1FD0A036984819DBABDBC23622ADEA16D23714B0B93FAC95A52A7AAC59F9E8F146062061CCE4114CE00C0700C8AEC278425F9DB4C9194558413D3D93781D0EDE74F5D028A53A0770885436AB1B75D987B657FA0F8907BEAC35CFB818BDB6043C15F85036D11BA250CF1C0FE13875CB54231DBCB7B060D00576D4194341FE75DCC181A1A76DF0002A10336280048F396D18C181C8D814D33');
INSERT INTO users VALUES (1, '382fb6ec-94f7-4d5f-bec4-ccd26579b280', 'Academic@example.org', 'academic@example.org', NULL, 2, NULL, 1795233600, NULL, 2451);
INSERT INTO users VALUES (2, '14c87034-608d-4970-9f1d-d01be69c8194', 'Free@example.org', 'free@example.org', NULL, 1, NULL, 1795233600, NULL, 0);
INSERT INTO api_keys VALUES (1, '02cb0ae7-fbaa-4567-896a-783a7ff4f34e', 1, 'test', 'ck_UTOIDT', X'EDB9193A35E90AB09DE5FBF677F1CB06986C7A9DC36F874D740C04AD7576E77D', 3, 1795233600, NULL, 1795233600);
INSERT INTO api_keys VALUES (2, '92281fee-6397-444d-916f-f78bdbbb40d9', 2, 'test', 'ck_IRZA0d', X'4D4F25B5EF9542AC4A5FC84AF1E819726F3459442DA2464DBE77DD70F008654C', 3, 1795233600, NULL, 1795233600);
INSERT INTO daily_windows VALUES ('user:1', 1795233600, 2);
INSERT INTO api_calls VALUES (1, 20778, 2, 42, 10000);
INSERT INTO audit VALUES (1, 1795233600, 'command line', 'user.create', '382fb6ec-94f7-4d5f-bec4-ccd26579b280', NULL, 'plan=Academic');
INSERT INTO audit VALUES (2, 1795233600, 'command line', 'api_key.create', '382fb6ec-94f7-4d5f-bec4-ccd26579b280', NULL, 'key=02cb0ae7-fbaa-4567-896a-783a7ff4f34e scopes=read+write');
INSERT INTO audit VALUES (3, 1795233600, 'command line', 'user.create', '14c87034-608d-4970-9f1d-d01be69c8194', NULL, 'plan=Free');
INSERT INTO audit VALUES (4, 1795233600, 'command line', 'api_key.create', '14c87034-608d-4970-9f1d-d01be69c8194', NULL, 'key=92281fee-6397-444d-916f-f78bdbbb40d9 scopes=read+write');
INSERT INTO audit VALUES (5, 1795233600, 'server', 'program.allow', NULL, NULL, '');
INSERT INTO collections VALUES (1, '01a2280c-c135-71ce-bf1e-a9ecdaf7aca0', 1, 'Wood', 'of oaks', NULL, '[]', 9, 2, 1795233600, 1795233600, NULL);
INSERT INTO shares VALUES (1, '4N1NsAYhwU42G8bJH6KB3m', 0, 1795233600, NULL, 0);
INSERT INTO entries VALUES (1, '01a2280c-c1c0-7624-890d-9818deb09f29', 1, 0, 'of the wood', '["green"]', 'clean', NULL, X'689D73594E22F1BDF4B3B6C5', 1795233600, 1795233600, NULL, 581);
INSERT INTO entries VALUES (2, '01a2280c-c3f9-7611-af76-ebbeb007831f', 1, 1, NULL, '[]', 'clean', NULL, X'689D7359F4B3B6C5', 1795233600, 1795233600, NULL, 381);
INSERT INTO entry_records VALUES (1, NULL, X'28B52FFD20400102007B226964223A22222C2274797065223A22646F63756D656E74222C22444F49223A2231302E313030302F6F616B73222C227469746C65223A225472656573227D', '{"entry_type":"Document","csl_type":"document","title":"Trees","doi":"10.1000/oaks"}', 1);
INSERT INTO entry_records VALUES (2, NULL, X'28B52FFD202B5901007B226964223A22222C2274797065223A22646F63756D656E74222C227469746C65223A225472656573227D', '{"entry_type":"Document","csl_type":"document","title":"Trees"}', 1);
INSERT INTO entry_versions VALUES (1, 1, NULL, X'28B52FFD203FF901007B226964223A22222C2274797065223A22646F63756D656E74222C22444F49223A2231302E313030302F6F616B73222C227469746C65223A2254726565227D', 1795233600, 'edited', 1, 3);
INSERT INTO entry_identifiers VALUES (1, 1, '10.1000/oaks', 1);
INSERT INTO replies VALUES (1, 'k', X'59AD7C332338996A72B7F23460AF144E332E925A3C9711769991E708DF922CBF', X'28B52FFD60B801ED0C00761B522430A956070420A2A0DBA8A527AD42A241A77D47970F34D05BA1A42FD10AA026351414AC0244004B004700D111218DA88E562A3A97C4BD9358A1A74B5A1543DEBEBB76F7F4C7367F919E4F1A293093C6DE172504EDD319AAB4EAC93DE9FB62E13CAA0C97214F6C35E791A4B7A333040AAE26A104DA01A1D6E3587B32B3F62DC2B1F071B38A99A3A1F831841A08604FBD95686DD962A2C752D2C7B00913A1659E4E150605CB5ACE5A8EC05A0E6DB565420F16D696D48BF074C8010D65F47A7244F2280143956654EE189CBBED85DB1C81F12E492999CE5D851718DBF1DDA5BB04056B8A317568ABDD3977BD0CC810EE1DC39D57206D3C3DCF9BE66856836182259A0D6F78669C75292F4A48027B2124B94BCFDD64AE8FBBC563FB2E2DE7AE32AC94D1954673593E0685E3842BA494B230A417076D3AEF52C35DB4B094596B3180C52285CC55213B0621202082C6651DE543A9B9740683060B62A01E141CAFFBCB03FADA12C758D77F1D56BC0135422946F0DBEF68359E400A5CA14917CC2740B6AC0903022B8429DCE99302F01BA2F554FAACA78377C185041E05', 1795233600);
INSERT INTO permalinks VALUES ('3Lq45SZwJmSgrolAEsN9k7', X'5FBCE0A12A78B5D14310B5CC4889DC199228E4C4E89B210EBAF4EFD3B90D1D88', X'28B52FFD207F3D030002C7161B704B350684F84C48E036D092861817D10F8145C71F9326D5FF2104CB710C102420281000F99AC4D135DA9211B12C5BE3725AB4E3BB5429093BE7BA68ECF8F941BF5CE9A2DF21778AC618634ACACA3535D68D3BD566385765D62F02004B647318229801', 1795233600);
INSERT INTO work_versions VALUES (2, 1, 'crossref', 'Crossref', NULL, X'28B52FFD203AD101007B226964223A22222C2274797065223A22626F6F6B222C22444F49223A2231302E313030302F656C6D73222C227469746C65223A22456C6D227D', NULL, NULL, 1795233600, 1795233600);
INSERT INTO updates VALUES ('10.1000/elms', 'updated_by', '10.1000/notice', 'retraction', '2026-03-14', 'publisher', NULL, 'crossref', 0, NULL);
INSERT INTO updates VALUES ('10.1000/notice', 'update_to', '10.1000/elms', 'retraction', '2026-03-14', 'publisher', NULL, 'crossref', 1, NULL);
INSERT INTO members VALUES (1, 2, 2, 1795233600, 0);
INSERT INTO user_groups VALUES (1, '01a2280c-c2c4-74e9-9d07-c4df2e5eca81', 'Foresters', 1, NULL, 1795233600);
INSERT INTO group_members VALUES (1, 2, 1795233600);
INSERT INTO group_roles VALUES (1, 1, 1);
INSERT INTO invitations VALUES (1, '01a2280c-c2ef-7525-99ef-a8c9b101f887', X'13F92A0319008B4834758D5C188C893AA13B071544BBEACA816E19BADAD324A0', 1, NULL, 2, 1, 1795233600, 1795838400, 1, 1);
INSERT INTO invitations VALUES (2, '01a2280c-c34c-7414-b49e-0ed6238fd638', X'420A3120328BD2CE033FF093ECCD3D6BD0C6DB634430E8DDE9F38921417366F6', NULL, 1, NULL, 1, 1795233600, 1795838400, 0, 1);
INSERT INTO collection_changes VALUES (1, 2, 1795233600, 1, 'entries_added', '["01a2280c-c1c0-7624-890d-9818deb09f29"]', '[]');
INSERT INTO collection_changes VALUES (1, 3, 1795233600, 1, 'entries_changed', '["01a2280c-c1c0-7624-890d-9818deb09f29"]', '[]');
INSERT INTO collection_changes VALUES (1, 4, 1795233600, 1, 'share_changed', '[]', '[]');
INSERT INTO collection_changes VALUES (1, 5, 1795233600, 2, 'members_changed', '[]', '[]');
INSERT INTO collection_changes VALUES (1, 6, 1795233600, 1, 'members_changed', '[]', '[]');
INSERT INTO collection_changes VALUES (1, 7, 1795233600, 1, 'entries_added', '["01a2280c-c3f9-7611-af76-ebbeb007831f"]', '[]');
INSERT INTO collection_changes VALUES (1, 8, 1795233600, 1, 'entries_annotated', '["01a2280c-c1c0-7624-890d-9818deb09f29","01a2280c-c3f9-7611-af76-ebbeb007831f"]', '[]');
INSERT INTO collection_changes VALUES (1, 9, 1795233600, 1, 'collection_changed', '[]', '[]');
INSERT INTO jobs VALUES (1, '0c09a03f-dacc-415f-b193-1fe7d3df10a2', 1, 'verify', 'done', '{"path":[],"query":[]}', 1, 1, 1, 2, 1, NULL, 1795233600, 1795233600, 1795233600);
INSERT INTO jobs VALUES (2, '8d4fb33c-091c-4881-adee-1821d07a5f02', 1, 'export', 'done', '{"path":[["id","01a2280c-c135-71ce-bf1e-a9ecdaf7aca0"],["format","bib"]],"query":[]}', 0, 0, 0, 0, 0, NULL, 1795233600, 1795233600, 1795233600);
INSERT INTO job_results VALUES (1, 1, 0, 0, 'file', 0, 1, X'28B52FFD204605020002C40D14B0A70D0427246C72F3624986BB0B539C459B4C5509603E2FF9FD7D8F3912BA874B08CC28E980EEE8B2CD47E35C8829CD286F52D1C248010012C38402');
INSERT INTO job_results VALUES (1, 2, 0, 1, 'not_found', 1, 1, X'28B52FFD60C201B50B00565744206087AA0383401D942498107F10439492120F7A82A2EB9D75A8E20B285141A02B36003B003D005FDA50AA28179F0E636743552F32FCB9B6DE7EFAC16ABAECA7B5E8D21D6FA7CBB63CF42741900E19DBF583F46E11EAFBF9D3B52DFB412F17E3D630DC2ACD892124E6E9FDD086CAC82542F874D9B6D3B58AA76EB31DAB9FC4218B179C98E404292E85F4872EB73F89970A818F958E7922010C0D204428A4437ADB2E72C16F713C668AA74A73E3B18151A50D4CC52C55D44B85C670C24808D5A1A84EC74F243962E3829F9F131042064378D9A2DA0E9148AB5D4F0BB4732DB1A5E2F6E5223345B33BAB8EBC745F2BE06355402A17ACC0040E0289601A705000070452000B61500352F674883614AA9C3E0D2620101C2415DA01B9635C67197E2BD505FA16D33A22167C81823A80A58625116583053B5D76B8B6117AC6314269887F83F3BBD6B56055062D00DD383F0B8681880EAEA90C403FE09B0C7A764C0ED9AF1EEE967779489A686236CB88AC9F9B22A050');
INSERT INTO job_outputs VALUES (2, 'application/x-bibtex; charset=utf-8', 'attachment; filename="Wood.bib"; filename*=UTF-8''''Wood.bib', X'28B52FFD2078A50200E403406D6973637B54726565736E642C0A20207469746C65203D207D646F6931302E313030302F6F616B6B6579776F726473677265656E7D2C0A7D0A0A617D0A0700577CC20AE7810A7CE7789A3136C3ED863906');
INSERT INTO webhooks VALUES (1, '739d90f6-f6f3-4708-b421-762259be97de', 1, 'https://receiver.invalid/', '["collection.changed"]', 'whsec_400834f86646287db7f0db9fed05ca683b56da359c9db2281b80c216354a4c4b', NULL, NULL, 1, 1795233600);
INSERT INTO webhook_deliveries VALUES (1, 'f311206b2699d982982cd25036006fef', 1, 'collection.changed', '01a2280c-c135-71ce-bf1e-a9ecdaf7aca0', '{"collection_id":"01a2280c-c135-71ce-bf1e-a9ecdaf7aca0"}', 'pending', 0, 0, NULL, NULL, 1795968259, NULL);
INSERT INTO plan_lookups VALUES (1, 60);
INSERT INTO plan_lookups VALUES (2, 20000);
INSERT INTO plan_lookups VALUES (3, 20000);
INSERT INTO oauth_clients VALUES (1, 'https://app.example/client.json', 'App', NULL, '["https://app.example/"]', 1, 1795233600);
INSERT INTO oauth_grants VALUES (1, 'cfe8b9a8-60e9-49fd-91b0-8be8c2368bf5', 1, 1, 3, 1, 1795233600, NULL);
INSERT INTO oauth_tokens VALUES (1, 1, 'access', X'0202020202020202020202020202020202020202020202020202020202020202', 3, 9223372036854775807, 0);
INSERT INTO oauth_tokens VALUES (2, 1, 'refresh', X'0303030303030303030303030303030303030303030303030303030303030303', 3, 9223372036854775807, 0);
INSERT INTO decisions VALUES (1, '3734a5b8067e52268b5b0fe48f14e765', 'Doe J. Tree. 1999.', 'real', 'Academic@example.org', 'Seen on paper.', 1795233600);
INSERT INTO reports VALUES ('2Ri4NfNofD4wFPIXcVGKvm', 1, '', X'28B52FFD20D92D0500A2CA2220404BAC03B98D1524C44116984D37BB38DEBF0F679828BBD114D62A447314C5DC0B6521351A296FF1FBF7A0DBA90F5427A72ECCC5A9AF31C631B23B7C708F68D0ED11464E4A29C448FF2218E9C0B81A7859262E8D90E5FDD2CC6845C2F2E3A06B741C02490210A0069065C914DC1BDA199A911756D319A761891334D8DCB156E0E587C5C85E3E23A1B4220800AE290513905384B08CE11A5A62433B98ACB7B05414', 1795233600, 1797825600);
INSERT INTO distinct_entries VALUES (1, 2);
INSERT INTO saved_searches VALUES (1, 'oak', 'Oaks');
INSERT INTO open_copies VALUES (1, 'openalex', 'https://example.org/oaks', 'accepted', 'cc-by-4.0', 1795233600);
INSERT INTO validators VALUES (1, 'openalex', '/works/doi:10.1000/oaks', '"1"', NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('webhook_deliveries', 1);
INSERT INTO sqlite_sequence VALUES ('users', 2);
INSERT INTO sqlite_sequence VALUES ('audit', 5);
INSERT INTO sqlite_sequence VALUES ('api_keys', 2);
INSERT INTO sqlite_sequence VALUES ('collections', 1);
INSERT INTO sqlite_sequence VALUES ('entries', 2);
INSERT INTO sqlite_sequence VALUES ('user_groups', 1);
INSERT INTO sqlite_sequence VALUES ('invitations', 2);
INSERT INTO sqlite_sequence VALUES ('jobs', 2);
INSERT INTO sqlite_sequence VALUES ('webhooks', 1);
INSERT INTO sqlite_sequence VALUES ('oauth_clients', 1);
INSERT INTO sqlite_sequence VALUES ('oauth_grants', 1);
INSERT INTO sqlite_sequence VALUES ('oauth_tokens', 2);
CREATE INDEX misses_expiry ON misses (expires_at);
CREATE INDEX journals_short ON journals (short_key) WHERE short_key <> '';
CREATE INDEX journals_title ON journals (title_key);
CREATE INDEX journals_initials ON journals (initials);
CREATE INDEX styles_parent ON styles (parent);
CREATE INDEX style_aliases_style ON style_aliases (style);
CREATE INDEX identities_user ON identities (user);
CREATE INDEX api_keys_user ON api_keys (user);
CREATE INDEX sessions_user ON sessions (user);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX daily_windows_opened ON daily_windows (opened_at);
CREATE INDEX api_calls_day ON api_calls (day);
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
CREATE INDEX collections_user ON collections (user);
CREATE INDEX collections_deleted ON collections (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX entries_order ON entries (collection, deleted_at, rank);
CREATE INDEX entries_deleted ON entries (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX entry_identifiers_entry ON entry_identifiers (entry);
CREATE INDEX merged_collection ON merged (collection);
CREATE INDEX merged_entry ON merged (entry);
CREATE INDEX replies_age ON replies (created_at);
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
CREATE INDEX permalinks_visited ON permalinks (visited_at);
CREATE TRIGGER permalink_is_added AFTER INSERT ON permalinks
BEGIN
    UPDATE counters SET value = value + 512 + octet_length(new.content) WHERE name = 'permalink_bytes';
END;
CREATE TRIGGER permalink_is_removed AFTER DELETE ON permalinks
BEGIN
    UPDATE counters SET value = value - 512 - octet_length(old.content) WHERE name = 'permalink_bytes';
END;
CREATE INDEX updates_list ON updates (stated_by, ingest) WHERE ingest IS NOT NULL;
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
CREATE INDEX members_user ON members (user);
CREATE INDEX user_groups_owner ON user_groups (owner);
CREATE INDEX group_members_user ON group_members (user);
CREATE INDEX group_roles_team ON group_roles (team);
CREATE VIEW granted AS
    SELECT collection, user, role FROM members
    UNION ALL
    SELECT r.collection, m.user, r.role
    FROM group_members m JOIN group_roles r ON r.team = m.team;
CREATE INDEX invitations_collection ON invitations (collection);
CREATE INDEX invitations_team ON invitations (team);
CREATE INDEX invitations_expiry ON invitations (expires_at);
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
CREATE INDEX jobs_user ON jobs (user, id);
CREATE INDEX jobs_open ON jobs (id) WHERE ended_at IS NULL;
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX job_results_uncounted ON job_results (job, number) WHERE is_counted = 0;
CREATE INDEX webhooks_user ON webhooks (user);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, state, id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE VIEW webhook_events AS
    SELECT 0 AS user, '' AS event, '' AS subject, '' AS data, 0 AS at WHERE 0;
CREATE TRIGGER webhook_event_is_made INSTEAD OF INSERT ON webhook_events
BEGIN
    INSERT INTO webhook_deliveries (uid, webhook, event, subject, data, created_at)
    SELECT lower(hex(randomblob(16))), w.id, new.event, new.subject, new.data, new.at
    FROM webhooks w
    WHERE w.user = new.user AND w.is_enabled = 1
        AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = new.event)
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook = w.id AND d.state = 'pending'
            AND d.attempts = 0 AND d.event = new.event AND d.subject = new.subject)
        AND (SELECT count(*) FROM webhook_deliveries d WHERE d.webhook = w.id AND d.state <> 'delivered') < 1000;
END;
CREATE TRIGGER collection_has_changed AFTER UPDATE OF version ON collections WHEN new.version <> old.version
BEGIN
    INSERT INTO webhook_events (user, event, subject, data, at)
    SELECT told.user, 'collection.changed', new.uid, json_object('collection_id', new.uid), unixepoch()
    FROM (SELECT new.user AS user UNION SELECT user FROM granted WHERE collection = new.id) told;
END;
CREATE TRIGGER entry_is_retracted AFTER UPDATE OF review_status ON entries
WHEN new.review_status = 'retracted' AND old.review_status <> 'retracted'
BEGIN
    INSERT INTO webhook_events (user, event, subject, data, at)
    SELECT told.user, 'work.retracted', new.uid,
        json_object('collection_id', c.uid, 'entry_id', new.uid), unixepoch()
    FROM collections c
    JOIN (SELECT id AS collection, user FROM collections WHERE id = new.collection
          UNION SELECT collection, user FROM granted WHERE collection = new.collection) told
    ON told.collection = c.id;
END;
CREATE TRIGGER notices_have_changed AFTER INSERT ON notice_changes
BEGIN
    INSERT INTO webhook_events (user, event, subject, data, at)
    SELECT told.user, 'work.updated', new.doi, json_object('doi', new.doi), unixepoch()
    FROM (
        SELECT c.user AS user FROM entry_identifiers i
        JOIN entries e ON e.id = i.entry AND e.deleted_at IS NULL
        JOIN collections c ON c.id = e.collection
        WHERE i.kind = 1 AND i.value = new.doi
        UNION
        SELECT g.user FROM entry_identifiers i
        JOIN entries e ON e.id = i.entry AND e.deleted_at IS NULL
        JOIN granted g ON g.collection = e.collection
        WHERE i.kind = 1 AND i.value = new.doi
    ) told;
END;
CREATE TRIGGER job_has_ended AFTER UPDATE OF ended_at ON jobs
WHEN new.ended_at IS NOT NULL AND old.ended_at IS NULL
BEGIN
    INSERT INTO webhook_events (user, event, subject, data, at)
    VALUES (new.user, 'job.done', new.uid,
        json_object('job_id', new.uid, 'kind', new.kind, 'state', new.state), unixepoch());
END;
CREATE TRIGGER window_is_opened_low AFTER INSERT ON daily_windows WHEN new.subject LIKE 'user:%'
BEGIN
    INSERT INTO webhook_events (user, event, subject, data, at)
    SELECT u.id, 'quota.low', 'quota ' || new.opened_at,
        json_object('used', new.used, 'limit', p.daily), unixepoch()
    FROM users u JOIN plan_lookups p ON p.plan = u.plan
    WHERE u.id = CAST(substr(new.subject, 6) AS INTEGER) AND new.used * 10 >= p.daily * 9;
END;
CREATE TRIGGER window_becomes_low AFTER UPDATE ON daily_windows WHEN new.subject LIKE 'user:%'
BEGIN
    INSERT INTO webhook_events (user, event, subject, data, at)
    SELECT u.id, 'quota.low', 'quota ' || new.opened_at,
        json_object('used', new.used, 'limit', p.daily), unixepoch()
    FROM users u JOIN plan_lookups p ON p.plan = u.plan
    WHERE u.id = CAST(substr(new.subject, 6) AS INTEGER) AND new.used * 10 >= p.daily * 9
        AND (old.opened_at <> new.opened_at OR old.used * 10 < p.daily * 9);
END;
CREATE INDEX oauth_clients_age ON oauth_clients (read_at);
CREATE INDEX oauth_grants_user ON oauth_grants (user);
CREATE INDEX oauth_grants_client ON oauth_grants (client);
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id, kind, id);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at);
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
CREATE TRIGGER job_is_removed BEFORE DELETE ON jobs
BEGIN
    UPDATE users SET bytes = bytes
        - (SELECT coalesce(sum(128 + octet_length(name) + octet_length(content)), 0)
           FROM job_files WHERE job = old.id)
        - (SELECT coalesce(sum(128 + octet_length(content)), 0) FROM job_outputs WHERE job = old.id)
    WHERE id = old.user;
END;
CREATE INDEX reports_user ON reports (user, created_at);
CREATE INDEX reports_expiry ON reports (expires_at);
CREATE INDEX distinct_entries_other ON distinct_entries (other);
PRAGMA user_version = 10;
