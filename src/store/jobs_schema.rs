//! The migration that adds jobs, which are requests that are answered in the background, and webhooks, which tell
//! accounts what happens.

/// Jobs, their files and their results; webhooks, and the triggers that make their events.
pub const JOBS: &str = "
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
CREATE INDEX jobs_user ON jobs (user, id);
CREATE INDEX jobs_open ON jobs (id) WHERE ended_at IS NULL;
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;

-- What was sent. Removed when the job has ended.
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
CREATE INDEX job_results_uncounted ON job_results (job, number) WHERE is_counted = 0;

-- The file that a job has made.
CREATE TABLE job_outputs (
    job         INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    media_type  TEXT    NOT NULL,
    -- Its name, as `Content-Disposition` has it.
    disposition TEXT,
    -- Compressed with zstd.
    content     BLOB    NOT NULL
) STRICT;

-- Where an account is told what happens.
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
CREATE INDEX webhooks_user ON webhooks (user);

-- What is to be delivered. A row is added by the transaction that makes the event.
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
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, state, id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- The daily lookups of each plan, as configured, for the event that they are nearly used up.
CREATE TABLE plan_lookups (
    plan        INTEGER PRIMARY KEY,
    daily       INTEGER NOT NULL
) STRICT;

-- Events. The triggers on this view find who is told: the enabled webhooks of the user that want the event,
-- up to 1,000 deliveries each, and none that waits unsent already.
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
";
