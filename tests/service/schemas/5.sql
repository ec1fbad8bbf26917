-- key: ck_L8uJvjkHgOyUb3hs6869gqp52Mljb1GF1jGnVoOps6I3MQJQV
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
INSERT INTO meta VALUES ('database_id', 'c14cf376babea2d30544a97cea6240ca');
INSERT INTO own_styles VALUES (1, 'thesis', 'http://example.org/thesis', 'Thesis', NULL, NULL, NULL, NULL, '', '', '2026-01-01T00:00:00Z', NULL, 0, X'28B52FFD6000007D0500428B221B80456D05DFB2B9BB50D24694ADE57B120022F1A1FD0A036984819DBABDBC23622ADEA16D23714B0B93FAC95A52A7AAC59F9E8F146062061CCE4114CE00C0700C8AEC278425F9DB4C9194558413D3D93781D0EDE74F5D028A53A0770885436AB1B75D987B657FA0F8907BEAC35CFB818BDB6043C15F85036D11BA250CF1C0FE13875CB54231DBCB7B060D00576D4194341FE75DCC181A1A76DF0002A10336280048F396D18C181C8D814D33');
INSERT INTO users VALUES (1, '033e858d-2f06-4f2c-9f91-cbbc9b1c0c6c', 'Academic@example.org', 'academic@example.org', NULL, 2, NULL, 1795233600, NULL, 1842);
INSERT INTO users VALUES (2, 'fec36e89-d113-497d-8e46-cd6ebf2ccd23', 'Free@example.org', 'free@example.org', NULL, 1, NULL, 1795233600, NULL, 0);
INSERT INTO api_keys VALUES (1, '5397651a-0e5a-4cb8-894d-e0b308170b3a', 1, 'test', 'ck_L8uJvj', X'BAA209C1F8526C7DD532989B576F919750EF01A9ADC479BC85725FBA9C95FB3C', 3, 1795233600, NULL, 1795233600);
INSERT INTO api_keys VALUES (2, '49acf238-0ec8-4370-aa33-b5af3a385ea1', 2, 'test', 'ck_TDthSm', X'B201F6BF58840E8F5EBAAFE02C57621589A138DA48A3BB701FD5D1BC4BCFFAF6', 3, 1795233600, NULL, 1795233600);
INSERT INTO daily_windows VALUES ('user:1', 1795233600, 1);
INSERT INTO api_calls VALUES (1, 20778, 2, 10, 10000);
INSERT INTO audit VALUES (1, 1795233600, 'command line', 'user.create', '033e858d-2f06-4f2c-9f91-cbbc9b1c0c6c', NULL, 'plan=Academic');
INSERT INTO audit VALUES (2, 1795233600, 'command line', 'api_key.create', '033e858d-2f06-4f2c-9f91-cbbc9b1c0c6c', NULL, 'key=5397651a-0e5a-4cb8-894d-e0b308170b3a scopes=read+write');
INSERT INTO audit VALUES (3, 1795233600, 'command line', 'user.create', 'fec36e89-d113-497d-8e46-cd6ebf2ccd23', NULL, 'plan=Free');
INSERT INTO audit VALUES (4, 1795233600, 'command line', 'api_key.create', 'fec36e89-d113-497d-8e46-cd6ebf2ccd23', NULL, 'key=49acf238-0ec8-4370-aa33-b5af3a385ea1 scopes=read+write');
INSERT INTO collections VALUES (1, '01a2233a-3ace-7652-aec7-dae9bee2f5fa', 1, 'Wood', NULL, NULL, '[]', 6, 1, 1795233600, 1795233600, NULL);
INSERT INTO shares VALUES (1, '1EuihxxevRSji3efHweRU6', 0, 1795233600, NULL);
INSERT INTO entries VALUES (1, '01a2233a-3af3-7249-9bb2-6107b3f13c9b', 1, 0, 'of the wood', '["green"]', 'clean', NULL, X'689D73594E22F1BDF4B3B6C5', 1795233600, 1795233600, NULL, 581);
INSERT INTO entry_records VALUES (1, NULL, X'28B52FFD20400102007B226964223A22222C2274797065223A22646F63756D656E74222C22444F49223A2231302E313030302F6F616B73222C227469746C65223A225472656573227D', '{"entry_type":"Document","csl_type":"document","title":"Trees","doi":"10.1000/oaks"}', 1);
INSERT INTO entry_versions VALUES (1, 1, NULL, X'28B52FFD203FF901007B226964223A22222C2274797065223A22646F63756D656E74222C22444F49223A2231302E313030302F6F616B73222C227469746C65223A2254726565227D', 1795233600, 'edited', 1, 3);
INSERT INTO entry_identifiers VALUES (1, 1, '10.1000/oaks', 1);
INSERT INTO replies VALUES (1, 'k', X'CCF4CEDD9E027BA76B9BD9AC238E6A700CF5E9544508CE41715CF755D0FFE577', X'28B52FFD60B801ED0C00761B522330A95607332C8EA0DBA8A527AD4284E6693EC4970F34501CE1FC255A01D4A48682825544004B004800B1112185A88E562A3A97C4BD9258A1A74B5A153FDEBEBB76F774C7365F91169F344A60268DBD2F4A08DAA7334469D5937BD27785C27954192E3F9ED86ACEA3486F47AF04AA3D0F422102DA41350D8EB52733DB106834E607C10BD5E1F1AA266038287EDBA86D9AD6962D267A2C257D0C9330115AE6E9345140B0ACE5ACE504ACC5D0565B24D460616D49BD074F871C0D65F47A3224F2E80043946650EE2ACEDDF6C26D86C07897A48C4CE78EC20A8CEDF8EED21D428235C59832B4D5EE9CBB5E066408F7AE72E714489FA7C5E20FE235ACD13C87C50C010B5F58CC38EB4E5E945004F642287297167793B93AEE148EEDBBB49CBBCAB05246571ACD65F918138E12AE90D2C9C28F5E1AB4E9BC4B0B7791C25266ADC500168B1432D784EC1821202082C6651DE543A9B9740683060B62A01E141CAFFBCB03FADA12C758D77F1D56BC0135422946F0DBEF68359E400A5CA14917CC2740B6AC0903022B8429DCE99302F01BA2F554FAACA78377C185041E05', 1795233600);
INSERT INTO permalinks VALUES ('456QPWwJb4EgxO3n9Yg0XL', X'A6EAB4FD84B8D8ED444F33E85D556D0C5CE282AA8E8FFCDE237D278EC76873C5', X'28B52FFD207F3D030002C7161B704B350684F84C48E036D092861817D10F8145C71F9326D5FF2104CB710C102420281000F99AC4D135DA9211B12C5BE3725AB4E3BB5429093BE7BA68ECF8F941BF5CE9A2DF21778AC618634ACACA3535D68D3BD566385765D62F02004B647318229801', 1795233600);
INSERT INTO work_versions VALUES (2, 1, 'crossref', 'Crossref', NULL, X'28B52FFD203AD101007B226964223A22222C2274797065223A22626F6F6B222C22444F49223A2231302E313030302F656C6D73222C227469746C65223A22456C6D227D', NULL, NULL, 1795233600, 1795233600);
INSERT INTO updates VALUES ('10.1000/elms', 'updated_by', '10.1000/notice', 'retraction', '2026-03-14', 'publisher', NULL, 'crossref', 0, NULL);
INSERT INTO updates VALUES ('10.1000/notice', 'update_to', '10.1000/elms', 'retraction', '2026-03-14', 'publisher', NULL, 'crossref', 1, NULL);
INSERT INTO members VALUES (1, 2, 2, 1795233600, 0);
INSERT INTO user_groups VALUES (1, '01a2233a-3b4e-71ce-bcb7-bc3913a8be38', 'Foresters', 1, NULL, 1795233600);
INSERT INTO group_members VALUES (1, 2, 1795233600);
INSERT INTO group_roles VALUES (1, 1, 1);
INSERT INTO invitations VALUES (1, '01a2233a-3b5c-7482-9c8b-f6adaab581ab', X'7CB070E21CFC3B7188BF891326FACDE8D25E1A74A7467DB3F91378914975B656', 1, NULL, 2, 1, 1795233600, 1795838400, 1, 1);
INSERT INTO invitations VALUES (2, '01a2233a-3b86-70e0-81f6-409c56a8fbfc', X'49DE5A14E5BFB7548FA6751DB9E6C72CC2D55BDC04388F5A17034B4AA71FB2B1', NULL, 1, NULL, 1, 1795233600, 1795838400, 0, 1);
INSERT INTO collection_changes VALUES (1, 2, 1795233600, 1, 'entries_added', '["01a2233a-3af3-7249-9bb2-6107b3f13c9b"]', '[]');
INSERT INTO collection_changes VALUES (1, 3, 1795233600, 1, 'entries_changed', '["01a2233a-3af3-7249-9bb2-6107b3f13c9b"]', '[]');
INSERT INTO collection_changes VALUES (1, 4, 1795233600, 1, 'share_changed', '[]', '[]');
INSERT INTO collection_changes VALUES (1, 5, 1795233600, 2, 'members_changed', '[]', '[]');
INSERT INTO collection_changes VALUES (1, 6, 1795233600, 1, 'members_changed', '[]', '[]');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('users', 2);
INSERT INTO sqlite_sequence VALUES ('audit', 4);
INSERT INTO sqlite_sequence VALUES ('api_keys', 2);
INSERT INTO sqlite_sequence VALUES ('collections', 1);
INSERT INTO sqlite_sequence VALUES ('entries', 1);
INSERT INTO sqlite_sequence VALUES ('user_groups', 1);
INSERT INTO sqlite_sequence VALUES ('invitations', 2);
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
PRAGMA user_version = 5;
