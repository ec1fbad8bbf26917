-- key: ck_6oybluWcHrNzxxvRCngZc9k4AZBcFzSFOwDCtnDo8b13IVyBM
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
) STRICT;
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
    cause       TEXT    NOT NULL CHECK (cause IN ('edited', 'merged', 'restored')),
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
INSERT INTO works VALUES (1, NULL, X'28B52FFD209B8503005246161B706BDA30824D467FE47C8C4A9AE685608F3C6CF76AE33BF7FFCB0B8F077E4FC59396D1AC042EC0CC16C596DF078D40617E6FDEC3422B930988611126B536E2548AADD679F2848A9F45A04C8E36E3EFB968F493FF5ED03B02070032432C4C20C73618554CA4BCFC39224EA0A0', 'crossref', 'Crossref', NULL, NULL, 1795233600, 1069684874781094778, '{"volume":"openalex"}', 0);
INSERT INTO works VALUES (2, NULL, X'28B52FFD203BD901007B226964223A22222C2274797065223A22626F6F6B222C22444F49223A2231302E313030302F656C6D73222C227469746C65223A22456C6D73227D', 'crossref', 'Crossref', NULL, NULL, 1795233600, -2495189296185698040, NULL, 0);
INSERT INTO works VALUES (3, NULL, X'28B52FFD20463102007B226964223A22222C2274797065223A2261727469636C65222C22444F49223A2231302E313030302F6E6F74696365222C227469746C65223A2252657472616374696F6E227D', 'crossref', 'Crossref', NULL, NULL, 1795233600, 4653488785854438264, NULL, 0);
INSERT INTO records VALUES (1, 'crossref', NULL, X'28B52FFD208E450300E2C5141A80396D78FA650725C70E901773ACA393F050704B3385698B725C8BAF0697D5E02266961C96FC1E580087F27BF316165A992C38843D4A6A6DC4A9145B2D73E3091523D6803231DA8CBFE721D137FEFB40AF080600562490071B8C2A26525EFE1C11275050', 'Crossref', NULL, NULL, 1795233600, 1069684874781094778);
INSERT INTO records VALUES (1, 'openalex', NULL, X'28B52FFD20537D02009204111A80C71903D818576E0445C877632B71490385335B692FB0303346878FF30578DA084997EDE741A39A8188A840749E24E4B3AA807B8D21962A6C9D3A5F82C27E3E5FD88602003247B00C1414', 'Openalex', NULL, NULL, 1795233600, 148824413784996132);
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
INSERT INTO meta VALUES ('database_id', 'bfc4d039c265b0cac80357ec9a3b9b16');
INSERT INTO own_styles VALUES (1, 'thesis', 'http://example.org/thesis', 'Thesis', NULL, NULL, NULL, NULL, '', '', '2026-01-01T00:00:00Z', NULL, 0, X'28B52FFD6000007D0500428B221B80456D05DFB2B9BB50D24694ADE57B120022F1A1FD0A036984819DBABDBC23622ADEA16D23714B0B93FAC95A52A7AAC59F9E8F146062061CCE4114CE00C0700C8AEC278425F9DB4C9194558413D3D93781D0EDE74F5D028A53A0770885436AB1B75D987B657FA0F8907BEAC35CFB818BDB6043C15F85036D11BA250CF1C0FE13875CB54231DBCB7B060D00576D4194341FE75DCC181A1A76DF0002A10336280048F396D18C181C8D814D33');
INSERT INTO users VALUES (1, '24fc741d-b420-4430-9071-6c5d8e59e09f', 'Academic@example.org', 'academic@example.org', NULL, 2, NULL, 1795233600, NULL, 1843);
INSERT INTO api_keys VALUES (1, '8d1cfb35-222c-44a6-bcd1-a9988e86ed39', 1, 'test', 'ck_6oyblu', X'8609F75085460B2F0E71BACC1EA0ED365542304A3A5DAC754A902C4727110AFE', 3, 1795233600, NULL, 1795233600);
INSERT INTO daily_windows VALUES ('user:1', 1795233600, 1);
INSERT INTO api_calls VALUES (1, 20778, 2, 6, 10000);
INSERT INTO audit VALUES (1, 1795233600, 'command line', 'user.create', '24fc741d-b420-4430-9071-6c5d8e59e09f', NULL, 'plan=Academic');
INSERT INTO audit VALUES (2, 1795233600, 'command line', 'api_key.create', '24fc741d-b420-4430-9071-6c5d8e59e09f', NULL, 'key=8d1cfb35-222c-44a6-bcd1-a9988e86ed39 scopes=read+write');
INSERT INTO collections VALUES (1, '01a22201-b881-77b0-b9aa-59c305ea42f1', 1, 'Wood', NULL, NULL, '[]', 4, 1, 1795233600, 1795233600, NULL);
INSERT INTO shares VALUES (1, '1bXtjmD0qauptazNA9AMjP', 0, 1795233600, NULL);
INSERT INTO entries VALUES (1, '01a22201-b88f-75e6-84bd-77c5a149c890', 1, 0, 'of the wood', '["green"]', 'clean', NULL, X'689D73594E22F1BDF4B3B6C5', 1795233600, 1795233600, NULL, 581);
INSERT INTO entry_records VALUES (1, NULL, X'28B52FFD20400102007B226964223A22222C2274797065223A22646F63756D656E74222C22444F49223A2231302E313030302F6F616B73222C227469746C65223A225472656573227D', '{"entry_type":"Document","csl_type":"document","title":"Trees","doi":"10.1000/oaks"}', 1);
INSERT INTO entry_versions VALUES (1, 1, NULL, X'28B52FFD203FF901007B226964223A22222C2274797065223A22646F63756D656E74222C22444F49223A2231302E313030302F6F616B73222C227469746C65223A2254726565227D', 1795233600, 'edited');
INSERT INTO entry_identifiers VALUES (1, 1, '10.1000/oaks', 1);
INSERT INTO replies VALUES (1, 'k', X'C0E26F1019820A2B9AE1F83EA771E23E323FC258BAC8D23D39955136C786CC97', X'28B52FFD60B801F50C00665B522330C9540713829020B7314A2F113252D0CBDFD1E5030DCA438792BBE60035514341C12A44004D0048001112219DA88E562A3A9BC4BD9558A1A74B5A154BDEBEBB76F7F4C8369F911A9F344270268DBD2F4A08DAA7337469D5937BD27706E37954192E4B9ED86ACF234A6F47C70408051F85843AB001A1201C6B4F7618A415960D2BE0290C6A57F150EB81402896483C145BADB565CB891E4B499FC32A4E84D6793A5D100C346B3D6B3D85D51CDA6A4D851634AC35A9D7E0E99003B1A18C5E4F9E501E1560E8D28ECB1DE6B9DB5EB8CD1318EF929494F9DC5D38C1B11DDF5DBA3B58B0A6185387B6DADD73D7EB800CE1DE61FEFC02E9E3A9D1F852249EA2C0D6F0100199671A33CEBA9617254481BD10A2DCA5C6DD64AE913B4664FB2EADE7AE32ACD4D1954673593E878563852BA4D4D2B0A41B086D3AEF52E62E4A58EAACB518C0629142E6BA901D21202082C6651DE543A9B9740683060B62A01E141CAFFBCB03FADA12C758D77F1D56BC0135422946F0DBEF68359E400A5CA14917CC2740B6AC0903FA1502164ECA490CF861D17A2A7DD6D3C1BBE042028F02', 1795233600);
INSERT INTO permalinks VALUES ('6wAH2EmDP94s6khNveJ2uT', X'362BD7B06619370CF6D786BDCEF918616977B889BF8B1A2464010569781F396F', X'28B52FFD207F3D030002C7161B704B350684F84C48E036D092861817D10F8145C71F9326D5FF2104CB710C102420281000F99AC4D135DA9211B12C5BE3725AB4E3BB5429093BE7BA68ECF8F941BF5CE9A2DF21778AC618634ACACA3535D68D3BD566385765D62F02004B647318229801', 1795233600);
INSERT INTO work_versions VALUES (2, 1, 'crossref', 'Crossref', NULL, X'28B52FFD203AD101007B226964223A22222C2274797065223A22626F6F6B222C22444F49223A2231302E313030302F656C6D73222C227469746C65223A22456C6D227D', NULL, NULL, 1795233600, 1795233600);
INSERT INTO updates VALUES ('10.1000/elms', 'updated_by', '10.1000/notice', 'retraction', '2026-03-14', 'publisher', NULL, 'crossref', 0, NULL);
INSERT INTO updates VALUES ('10.1000/notice', 'update_to', '10.1000/elms', 'retraction', '2026-03-14', 'publisher', NULL, 'crossref', 1, NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('users', 1);
INSERT INTO sqlite_sequence VALUES ('audit', 2);
INSERT INTO sqlite_sequence VALUES ('api_keys', 1);
INSERT INTO sqlite_sequence VALUES ('collections', 1);
INSERT INTO sqlite_sequence VALUES ('entries', 1);
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
PRAGMA user_version = 4;
