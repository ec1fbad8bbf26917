//! Jobs: requests that are answered in the background, their files, and their results.

use rusqlite::{Connection, Row, Transaction, params};

use super::collections::bytes_kept;
use super::{Store, StoreError, query};

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    Queued,
    Running,
    /// The daily lookups are used up; it goes on when there are some again.
    WaitingForQuota,
    Done,
    Failed,
    Canceled,
}

impl JobState {
    pub const ALL: [JobState; 6] = [
        JobState::Queued,
        JobState::Running,
        JobState::WaitingForQuota,
        JobState::Done,
        JobState::Failed,
        JobState::Canceled,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Running => "running",
            JobState::WaitingForQuota => "waiting_for_quota",
            JobState::Done => "done",
            JobState::Failed => "failed",
            JobState::Canceled => "canceled",
        }
    }

    fn parse(text: &str) -> Option<JobState> {
        JobState::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
    }

    pub fn has_ended(self) -> bool {
        matches!(self, JobState::Done | JobState::Failed | JobState::Canceled)
    }
}

/// A job to store.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// UUID.
    pub uid: String,
    pub user: i64,
    pub kind: &'static str,
    /// JSON.
    pub request: String,
    pub files: Vec<JobFile>,
}

/// One file of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFile {
    /// "" if it has none.
    pub name: String,
    pub media_type: Option<String>,
    /// It is only there because others name it.
    pub is_companion: bool,
    pub content: Vec<u8>,
}

/// A stored job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub id: i64,
    pub uid: String,
    pub user: i64,
    pub kind: String,
    pub state: JobState,
    pub request: String,
    pub files: u64,
    pub files_done: u64,
    /// Items found so far.
    pub items: u64,
    pub results: u64,
    pub lookups: u64,
    /// JSON.
    pub error: Option<String>,
    /// Unix seconds, as the other times.
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
}

/// The name of an item within its job: the file, and its position there, from 1; 0 is the file itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemPlace {
    pub file: u64,
    pub item: u64,
}

/// A result to store.
#[derive(Clone, Copy, Debug)]
pub struct NewResult<'r> {
    pub place: ItemPlace,
    /// In one word, such as a verdict.
    pub outcome: &'r str,
    pub lookups: u32,
    /// JSON.
    pub result: &'r str,
}

/// A stored result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    pub number: u64,
    pub place: ItemPlace,
    /// JSON.
    pub result: String,
}

/// The name of a stored result, in the usage journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResultKey {
    pub job: i64,
    pub number: u64,
}

/// A stored result whose lookups are not counted yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UncountedResult {
    pub key: ResultKey,
    pub user: i64,
    pub lookups: u32,
}

/// The file that a job has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobOutput {
    pub media_type: String,
    pub disposition: Option<String>,
    pub content: Vec<u8>,
}

/// The end of a job.
#[derive(Clone, Debug)]
pub enum JobEnd {
    Done(Option<JobOutput>),
    /// Why, as JSON.
    Failed(String),
    Canceled,
}

/// Why a job is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddJobError {
    Store(StoreError),
    /// The account has as many unfinished jobs as it may have.
    TooMany {
        limit: u32,
    },
    /// The plan's storage is full. Bytes.
    Storage {
        limit: u64,
        used: u64,
        requested: u64,
    },
    /// A request with the same key has a reply already.
    Repeated,
}

impl From<StoreError> for AddJobError {
    fn from(cause: StoreError) -> AddJobError {
        AddJobError::Store(cause)
    }
}

/// The reply to a request with an `Idempotency-Key`, stored with its job.
#[derive(Clone, Debug)]
pub struct KeptReply<'k> {
    pub key: &'k str,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    pub reply: Vec<u8>,
    /// Older replies with the same key do not count, Unix seconds.
    pub since: i64,
}

const COLUMNS: &str = "id, uid, user, kind, state, request, files, files_done, items, results, lookups, \
                       error, created_at, started_at, ended_at";

const LEVEL: i32 = 3;

/// The largest unpacked content, in bytes. Larger ones are not accepted.
const MAX_BYTES: usize = 1 << 30;

impl Store {
    /// Stores a job, and the reply to its request. Ended jobs of the account beyond `most_ended` are
    /// removed, the oldest first. The account may have `most_bytes` stored with its files.
    pub fn add_job(
        &self,
        new: &NewJob,
        most_open: u32,
        most_ended: u32,
        most_bytes: u64,
        kept: Option<KeptReply<'_>>,
        now: i64,
    ) -> Result<JobRow, AddJobError> {
        let packed = new.files.iter().map(|file| pack(&file.content));
        let packed: Vec<Vec<u8>> = packed.collect::<Result<_, StoreError>>()?;
        let reply = kept
            .as_ref()
            .map(|kept| super::codec::pack(&kept.reply, None))
            .transpose()?;
        self.write_or(|transaction| {
            if let Some(kept) = &kept {
                let sql = "SELECT 1 FROM replies WHERE user = ?1 AND key = ?2 AND created_at > ?3";
                let same: Option<i64> =
                    query::value(transaction, sql, params![new.user, kept.key, kept.since])?;
                if same.is_some() {
                    return Err(AddJobError::Repeated);
                }
            }
            let open: Option<u32> = query::value(
                transaction,
                "SELECT count(*) FROM jobs WHERE user = ?1 AND ended_at IS NULL",
                [new.user],
            )?;
            if open.unwrap_or_default() >= most_open {
                return Err(AddJobError::TooMany { limit: most_open });
            }
            query::execute(
                transaction,
                "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE user = ?1 AND ended_at IS NOT NULL
                 ORDER BY id DESC LIMIT -1 OFFSET ?2)",
                params![new.user, most_ended],
            )?;
            let used = bytes_kept(transaction, new.user)?;
            query::execute(
                transaction,
                "INSERT INTO jobs (uid, user, kind, state, request, files, created_at)
                 VALUES (?1, ?2, ?3, 'queued', ?4, ?5, ?6)",
                params![new.uid, new.user, new.kind, new.request, new.files.len() as i64, now],
            )?;
            let job = transaction.last_insert_rowid();
            for (number, (file, content)) in new.files.iter().zip(packed).enumerate() {
                query::execute(
                    transaction,
                    "INSERT INTO job_files (job, number, name, media_type, is_companion, content)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![job, number as i64, file.name, file.media_type, file.is_companion, content],
                )?;
            }
            let after = bytes_kept(transaction, new.user)?;
            if after > most_bytes && after > used {
                return Err(AddJobError::Storage {
                    limit: most_bytes,
                    used,
                    requested: after - used,
                });
            }
            if let (Some(kept), Some(packed)) = (&kept, reply) {
                query::execute(
                    transaction,
                    "DELETE FROM replies WHERE user = ?1 AND key = ?2",
                    params![new.user, kept.key],
                )?;
                query::execute(
                    transaction,
                    "INSERT INTO replies (user, key, request, reply, created_at)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![new.user, kept.key, kept.request, packed.bytes, now],
                )?;
            }
            find(transaction, "id = ?1", [job])?
                .ok_or_else(|| StoreError::Internal("a new job is missing".to_owned()).into())
        })
    }

    /// A job of a user.
    pub fn job(&self, user: i64, uid: &str) -> Result<Option<JobRow>, StoreError> {
        self.read(|connection| find(connection, "uid = ?1 AND user = ?2", params![uid, user]))
    }

    /// A job by row id.
    pub fn job_by_id(&self, id: i64) -> Result<Option<JobRow>, StoreError> {
        self.read(|connection| find(connection, "id = ?1", [id]))
    }

    /// The jobs of a user, newest first.
    pub fn jobs(&self, user: i64, most: u64) -> Result<Vec<JobRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE user = ?1 ORDER BY id DESC LIMIT ?2");
        self.all(&sql, params![user, most as i64], read_job)
    }

    /// All jobs that have not ended, oldest first.
    pub fn open_jobs(&self) -> Result<Vec<JobRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE ended_at IS NULL ORDER BY id");
        self.all(&sql, [], read_job)
    }

    /// Number of results by outcome.
    pub fn job_outcomes(&self, job: i64) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = "SELECT outcome, count(*) FROM job_results WHERE job = ?1 GROUP BY outcome";
        self.all(sql, [job], |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))
        })
    }

    /// A file of a job.
    pub fn job_file(&self, job: i64, number: u64) -> Result<Option<JobFile>, StoreError> {
        let sql = "SELECT name, media_type, is_companion, content FROM job_files
            WHERE job = ?1 AND number = ?2";
        self.first(sql, params![job, number as i64], |row| {
            Ok(JobFile {
                name: row.get(0)?,
                media_type: row.get(1)?,
                is_companion: row.get(2)?,
                content: unpack(&row.get::<_, Vec<u8>>(3)?)?,
            })
        })
    }

    /// The names of the files of a job, in order, and whether each is a companion.
    pub fn job_file_names(&self, job: i64) -> Result<Vec<(String, bool)>, StoreError> {
        let sql = "SELECT name, is_companion FROM job_files WHERE job = ?1 ORDER BY number";
        self.all(sql, [job], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The items of a file that have a result.
    pub fn job_items_done(&self, job: i64, file: u64) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT item FROM job_results WHERE job = ?1 AND file = ?2";
        self.all(sql, params![job, file as i64], |row| {
            Ok(row.get::<_, i64>(0)? as u64)
        })
    }

    /// The results of a job behind a number, in order.
    pub fn job_results(
        &self,
        job: i64,
        after: u64,
        most: u64,
    ) -> Result<Vec<ResultRow>, StoreError> {
        let sql = "SELECT number, file, item, result FROM job_results
            WHERE job = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        self.all(sql, params![job, after, most as i64], |row| {
            let result = unpack(&row.get::<_, Vec<u8>>(3)?)?;
            Ok(ResultRow {
                number: row.get::<_, i64>(0)? as u64,
                place: ItemPlace {
                    file: row.get::<_, i64>(1)? as u64,
                    item: row.get::<_, i64>(2)? as u64,
                },
                result: String::from_utf8_lossy(&result).into_owned(),
            })
        })
    }

    /// The file that a job has made.
    pub fn job_output(&self, job: i64) -> Result<Option<JobOutput>, StoreError> {
        let sql = "SELECT media_type, disposition, content FROM job_outputs WHERE job = ?1";
        self.first(sql, [job], |row| {
            Ok(JobOutput {
                media_type: row.get(0)?,
                disposition: row.get(1)?,
                content: unpack(&row.get::<_, Vec<u8>>(2)?)?,
            })
        })
    }

    /// Changes the state of a job that has not ended. False if it has, or is gone.
    pub fn set_job_state(&self, job: i64, state: JobState, now: i64) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let changed = query::execute(
                transaction,
                "UPDATE jobs SET state = ?2, started_at = coalesce(started_at, iif(?2 = 'running', ?3, NULL))
                 WHERE id = ?1 AND ended_at IS NULL",
                params![job, state.as_str(), now],
            )?;
            Ok(changed > 0)
        })
    }

    /// Stores the result of an item with its price, and returns its key. `None` if the job has ended, or the item
    /// has a result already: then nothing is stored, and nothing may be charged.
    pub fn save_job_result(
        &self,
        job: i64,
        new: &NewResult<'_>,
        more_items: u64,
    ) -> Result<Option<ResultKey>, StoreError> {
        let packed = pack(new.result.as_bytes())?;
        self.write(|transaction| {
            let number: Option<i64> = query::value(
                transaction,
                "SELECT results + 1 FROM jobs WHERE id = ?1 AND ended_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM job_results WHERE job = ?1 AND file = ?2 AND item = ?3)",
                params![job, new.place.file as i64, new.place.item as i64],
            )?;
            let Some(number) = number else {
                return Ok(None);
            };
            query::execute(
                transaction,
                "INSERT INTO job_results (job, number, file, item, outcome, lookups, is_counted, result)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6 = 0, ?7)",
                params![
                    job,
                    number,
                    new.place.file as i64,
                    new.place.item as i64,
                    new.outcome,
                    new.lookups,
                    packed
                ],
            )?;
            query::execute(
                transaction,
                "UPDATE jobs SET results = ?2, lookups = lookups + ?3, items = items + ?4 WHERE id = ?1",
                params![job, number, new.lookups, more_items as i64],
            )?;
            Ok(Some(ResultKey {
                job,
                number: number as u64,
            }))
        })
    }

    /// Notes that the files before a number are done.
    pub fn finish_job_files(&self, job: i64, done: u64) -> Result<(), StoreError> {
        self.write(|transaction| {
            query::execute(
                transaction,
                "UPDATE jobs SET files_done = max(files_done, ?2) WHERE id = ?1",
                params![job, done as i64],
            )?;
            Ok(())
        })
    }

    /// Ends a job that has not ended, and removes its files. False if it has ended already, or is gone.
    pub fn end_job(&self, job: i64, end: &JobEnd, now: i64) -> Result<bool, StoreError> {
        let (state, error) = match end {
            JobEnd::Done(_) => (JobState::Done, None),
            JobEnd::Failed(error) => (JobState::Failed, Some(error)),
            JobEnd::Canceled => (JobState::Canceled, None),
        };
        let output = match end {
            JobEnd::Done(Some(output)) => Some((output, pack(&output.content)?)),
            _ => None,
        };
        self.write(|transaction| {
            let changed = query::execute(
                transaction,
                "UPDATE jobs SET state = ?2, error = ?3, ended_at = ?4 WHERE id = ?1 AND ended_at IS NULL",
                params![job, state.as_str(), error, now],
            )?;
            if changed == 0 {
                return Ok(false);
            }
            query::execute(transaction, "DELETE FROM job_files WHERE job = ?1", [job])?;
            if let Some((output, content)) = output {
                query::execute(
                    transaction,
                    "INSERT INTO job_outputs (job, media_type, disposition, content) VALUES (?1, ?2, ?3, ?4)",
                    params![job, output.media_type, output.disposition, content],
                )?;
            }
            Ok(true)
        })
    }

    /// Removes a job that has ended.
    pub fn remove_job(&self, job: i64) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "DELETE FROM jobs WHERE id = ?1 AND ended_at IS NOT NULL";
            query::execute(transaction, sql, [job]).map(drop)
        })
    }

    /// Removes the jobs that ended before a time.
    pub fn purge_jobs(&self, ended_before: i64) -> Result<usize, StoreError> {
        let is_due = "SELECT 1 FROM jobs WHERE ended_at < ?1";
        let due: Option<i64> = self.value(is_due, [ended_before])?;
        if due.is_none() {
            return Ok(0);
        }
        self.write(|transaction| {
            let sql = "DELETE FROM jobs WHERE ended_at < ?1";
            query::execute(transaction, sql, [ended_before])
        })
    }

    /// The results whose lookups are not counted yet.
    pub fn uncounted_results(&self) -> Result<Vec<UncountedResult>, StoreError> {
        let sql = "SELECT r.job, r.number, j.user, r.lookups FROM job_results r
            JOIN jobs j ON j.id = r.job WHERE r.is_counted = 0 ORDER BY r.job, r.number";
        self.all(sql, [], |row| {
            Ok(UncountedResult {
                key: ResultKey {
                    job: row.get(0)?,
                    number: row.get::<_, i64>(1)? as u64,
                },
                user: row.get(2)?,
                lookups: row.get(3)?,
            })
        })
    }
}

/// Notes that the lookups of results are counted.
pub(super) fn mark_counted(
    transaction: &Transaction<'_>,
    results: &[ResultKey],
) -> Result<(), StoreError> {
    for result in results {
        query::execute(
            transaction,
            "UPDATE job_results SET is_counted = 1 WHERE job = ?1 AND number = ?2",
            params![result.job, result.number as i64],
        )?;
    }
    Ok(())
}

fn find(
    connection: &Connection,
    condition: &str,
    parameters: impl rusqlite::Params,
) -> Result<Option<JobRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM jobs WHERE {condition}");
    query::first(connection, &sql, parameters, read_job)
}

fn read_job(row: &Row<'_>) -> Result<JobRow, StoreError> {
    let state: String = row.get(4)?;
    let count = |index: usize| row.get::<_, i64>(index).map(|count| count as u64);
    Ok(JobRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        user: row.get(2)?,
        kind: row.get(3)?,
        state: JobState::parse(&state)
            .ok_or_else(|| StoreError::Corrupt(format!("unknown state of a job: {state}")))?,
        request: row.get(5)?,
        files: count(6)?,
        files_done: count(7)?,
        items: count(8)?,
        results: count(9)?,
        lookups: count(10)?,
        error: row.get(11)?,
        created_at: row.get(12)?,
        started_at: row.get(13)?,
        ended_at: row.get(14)?,
    })
}

fn pack(content: &[u8]) -> Result<Vec<u8>, StoreError> {
    Ok(zstd::bulk::compress(content, LEVEL)?)
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, StoreError> {
    // The stated size is checked before anything is allocated.
    let stated = zstd::zstd_safe::get_frame_content_size(packed)
        .ok()
        .flatten();
    let size = stated.map_or(MAX_BYTES, |size| usize::try_from(size).unwrap_or(MAX_BYTES));
    zstd::bulk::decompress(packed, size.min(MAX_BYTES))
        .map_err(|cause| StoreError::Corrupt(format!("a file or result of a job: {cause}")))
}
