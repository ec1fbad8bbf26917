//! The migration that adds jobs: requests that are answered in the background.

/// Jobs, their files and their results.
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
";
