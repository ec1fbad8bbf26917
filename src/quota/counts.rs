//! The counts in memory, backed by the journal and the database.
//!
//! A caller's counts are read from the database on first use, changed in memory under
//! one lock together with the journal, and evicted when the database has them and memory is
//! short. The journal is written while the lock of a shard is held, so the last record of a
//! caller is the newest.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::calendar::{self, Day, Month};
use super::journal::{self, Journal, JournalRecord};
use super::window::Window;
use super::{JOURNAL_FOLDER, QuotaError, Subject};
use crate::store::jobs::ResultKey;
use crate::store::usage::{CallsRow, WindowRow};
use crate::store::{Store, StoreError};
use citation_model::plan::Plan;

pub struct Counts {
    store: Arc<Store>,
    /// Opened by the one process that counts.
    /// `None` inside, if this process counts only in memory.
    journal: OnceLock<Option<Journal>>,
    shards: Vec<Mutex<Shard>>,
    hasher: RandomState,
    /// The number of the last journal file stored in the database. Locked while folding.
    folded: Mutex<u64>,
    /// Calls that could not be written, by user and day.
    uncounted: Mutex<BTreeMap<(i64, Day), PendingCalls>>,
}

/// Uncounted calls of one user on one day.
#[derive(Clone, Copy)]
struct PendingCalls {
    call: ApiCall,
    calls: u64,
}

#[derive(Default)]
struct Shard {
    windows: HashMap<Subject, Tracked<Window>>,
    ledgers: HashMap<i64, Tracked<Ledger>>,
}

/// An API call to count.
#[derive(Clone, Copy, Debug)]
pub struct ApiCall {
    pub user: i64,
    pub plan: Plan,
    /// The monthly allowance of the plan.
    pub included: u64,
}

/// A value, and the number of the journal file with its newest record; 0 if it equals the
/// database.
#[derive(Default)]
struct Tracked<T> {
    value: T,
    file: u64,
}

/// The API calls of one user in the loaded months.
#[derive(Default)]
struct Ledger {
    months: Vec<Month>,
    days: BTreeMap<Day, DayCalls>,
}

#[derive(Clone, Copy, Default)]
struct DayCalls {
    calls: u64,
    included: u64,
}

impl DayCalls {
    fn of(row: &CallsRow) -> DayCalls {
        DayCalls {
            calls: row.calls,
            included: row.included,
        }
    }
}

const SHARDS: usize = 16;

/// Maximum number of callers in one shard before stored ones are evicted.
const SHARD_BOUND: usize = 4_096;

impl Counts {
    pub fn new(store: Arc<Store>) -> Counts {
        Counts {
            store,
            journal: OnceLock::new(),
            shards: std::iter::repeat_with(Mutex::default)
                .take(SHARDS)
                .collect(),
            hasher: RandomState::new(),
            folded: Mutex::new(0),
            uncounted: Mutex::default(),
        }
    }

    /// Opens the journal, and folds the files of an earlier process.
    pub fn start(&self) -> Result<(), QuotaError> {
        if self.journal.get().is_none() {
            let journal = Journal::open(&self.store.directory().join(JOURNAL_FOLDER))?;
            // The first caller has opened it; a second journal cannot be opened meanwhile.
            let _ = self.journal.set(Some(journal));
        }
        self.fold()
    }

    /// Counts in memory only, starting from the database's values.
    pub fn start_in_memory(&self) {
        let _ = self.journal.set(None);
    }

    /// Whether a lookup of a caller, and a call in a user's month, can be counted without
    /// a database access. The user is the caller if there is one. May wait for another count, which
    /// is faster than handing over to another thread.
    pub fn is_cached(&self, subject: Subject, ledger: Option<(i64, Month)>) -> bool {
        let shard = self.shard(subject);
        let has_month = |(user, month): (i64, Month)| {
            let kept = shard.ledgers.get(&user);
            kept.is_some_and(|kept| kept.value.months.contains(&month))
        };
        shard.windows.contains_key(&subject) && ledger.is_none_or(has_month)
    }

    /// Reserves one lookup, or says that the limit is reached.
    pub fn reserve(&self, subject: Subject, limit: u64, now: i64) -> Result<bool, QuotaError> {
        let mut shard = self.shard(subject);
        Ok(self
            .open_window(&mut shard, subject)?
            .value
            .reserve(limit, now))
    }

    /// Commits a reserved lookup, and with it the API call, if any.
    /// If the counts cannot be written, they are not made.
    pub fn commit(
        &self,
        subject: Subject,
        call: Option<(ApiCall, Day)>,
        now: i64,
    ) -> Result<(), QuotaError> {
        let mut shard = self.shard(subject);
        let mut window = self.open_window(&mut shard, subject)?.value;
        let (opened_at, used) = window.commit(now);
        let mut records = vec![JournalRecord::Window {
            subject,
            opened_at,
            used,
        }];
        if let Some((call, day)) = &call {
            records.push(self.next_calls(&mut shard, call, *day, 1)?);
        }
        let written = self.append(&records);
        let kept = self.open_window(&mut shard, subject)?;
        match written {
            Ok(file) => {
                *kept = Tracked {
                    value: window,
                    file,
                };
                shard.note_calls(&records, file);
                Ok(())
            }
            Err(cause) => {
                kept.value.release();
                Err(cause.into())
            }
        }
    }

    /// Commits the reserved lookups of a job's result, and tells so in the same write. If it fails, they stay
    /// reserved.
    pub fn commit_result(
        &self,
        subject: Subject,
        lookups: u32,
        result: ResultKey,
        now: i64,
    ) -> Result<(), QuotaError> {
        let mut shard = self.shard(subject);
        let mut window = self.open_window(&mut shard, subject)?.value;
        let last = (0..lookups).map(|_| window.commit(now)).last();
        let counted = last.map(|(opened_at, used)| JournalRecord::Window {
            subject,
            opened_at,
            used,
        });
        let records: Vec<JournalRecord> = { counted.into_iter() }
            .chain([JournalRecord::JobResult(result)])
            .collect();
        let file = self.append(&records)?;
        *self.open_window(&mut shard, subject)? = Tracked {
            value: window,
            file,
        };
        Ok(())
    }

    /// Releases a reserved lookup.
    pub fn release(&self, subject: Subject) {
        if let Some(kept) = self.shard(subject).windows.get_mut(&subject) {
            kept.value.release();
        }
    }

    /// The window of a caller. Read-only callers are not cached.
    pub fn window(&self, subject: Subject) -> Result<Window, StoreError> {
        let shard = self.shard(subject);
        match shard.windows.get(&subject) {
            Some(kept) => Ok(kept.value),
            None => self.load_window(subject),
        }
    }

    /// The window of a caller, if available without waiting for the database or another thread.
    pub fn cached_window(&self, subject: Subject) -> Option<Window> {
        let shard = self.mutex(subject).try_lock().ok()?;
        shard.windows.get(&subject).map(|kept| kept.value)
    }

    /// Counts one API call. If that fails, the next [`Counts::fold`] retries.
    pub fn count_call(&self, call: ApiCall, now: i64) {
        let day = calendar::day_of(now);
        if let Err(cause) = self.count_calls(&call, day, 1) {
            tracing::error!(%cause, "cannot count a call; will retry");
            self.count_later(call, day, 1);
        }
    }

    fn count_calls(&self, call: &ApiCall, day: Day, calls: u64) -> Result<(), QuotaError> {
        let mut shard = self.shard(Subject::User(call.user));
        let records = [self.next_calls(&mut shard, call, day, calls)?];
        let file = self.append(&records)?;
        shard.note_calls(&records, file);
        Ok(())
    }

    fn count_later(&self, call: ApiCall, day: Day, calls: u64) {
        let mut uncounted = self.lock_uncounted();
        let waiting = uncounted
            .entry((call.user, day))
            .or_insert(PendingCalls { call, calls: 0 });
        waiting.call = call;
        waiting.calls += calls;
    }

    /// Number of uncounted calls.
    pub fn uncounted(&self) -> u64 {
        let uncounted = self.lock_uncounted();
        uncounted.values().map(|waiting| waiting.calls).sum()
    }

    fn lock_uncounted(&self) -> MutexGuard<'_, BTreeMap<(i64, Day), PendingCalls>> {
        self.uncounted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Retries failed counts.
    fn retry_uncounted(&self) -> Result<(), QuotaError> {
        let waiting = std::mem::take(&mut *self.lock_uncounted());
        let mut result = Ok(());
        for ((_, day), PendingCalls { call, calls }) in waiting {
            let counted = self.count_calls(&call, day, calls);
            if counted.is_err() {
                self.count_later(call, day, calls);
                result = counted;
            }
        }
        result
    }

    /// The record for more calls of a user on a day.
    fn next_calls(
        &self,
        shard: &mut Shard,
        call: &ApiCall,
        day: Day,
        calls: u64,
    ) -> Result<JournalRecord, StoreError> {
        let kept = shard.ledgers.entry(call.user).or_default();
        self.load_month(call.user, Month::of_day(day), &mut kept.value)?;
        let before = kept.value.days.get(&day).copied().unwrap_or_default();
        Ok(JournalRecord::Calls(CallsRow {
            user: call.user,
            day,
            plan: call.plan,
            calls: before.calls + calls,
            included: before.included.max(call.included),
        }))
    }

    /// The calls of a user in a month, and the largest recorded allowance.
    pub fn calls(&self, user: i64, month: Month) -> Result<(u64, u64), StoreError> {
        let mut shard = self.shard(Subject::User(user));
        let kept = shard.ledgers.entry(user).or_default();
        self.load_month(user, month, &mut kept.value)?;
        let days = kept.value.days.range(month.days());
        Ok(days.fold((0, 0), |(calls, included), (_, day)| {
            (calls + day.calls, included.max(day.included))
        }))
    }

    /// Folds the journal into the database.
    pub fn fold(&self) -> Result<(), QuotaError> {
        let mut folded = self.folded.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Some(journal)) = self.journal.get() else {
            return Ok(());
        };
        self.retry_uncounted()?;
        let files = journal.close_file()?;
        if let Some((last, _)) = files.last() {
            self.fold_files(&files)?;
            *folded = *last;
        }
        self.forget(*folded);
        Ok(())
    }

    fn append(&self, records: &[JournalRecord]) -> io::Result<u64> {
        match self.journal.get() {
            Some(Some(journal)) => journal.append(records),
            Some(None) => Ok(0),
            None => Err(io::Error::other("the usage journal is not open")),
        }
    }

    fn fold_files(&self, files: &[(u64, PathBuf)]) -> Result<(), QuotaError> {
        let mut newest = Newest::default();
        for (_, path) in files {
            newest.take(journal::read(path)?);
        }
        let results = std::mem::take(&mut newest.results);
        let (windows, calls) = newest.into_rows();
        self.store.save_usage(&windows, &calls, &results)?;
        for (_, path) in files {
            std::fs::remove_file(path)?;
        }
        Ok(())
    }

    /// When the newest window in the database opened; 0 if there is none.
    pub fn newest_window(&self) -> Result<i64, StoreError> {
        self.store.newest_window()
    }

    /// Deletes windows that opened before a time from the database.
    pub fn sweep(&self, opened_before: i64, most: usize) -> Result<(), StoreError> {
        self.store.drop_windows(opened_before, most).map(|_| ())
    }

    /// Evicts callers whose counts are all in the database: those whose newest record is in a file
    /// up to `folded`.
    fn forget(&self, folded: u64) {
        for shard in &self.shards {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            if shard.windows.len() > SHARD_BOUND {
                shard
                    .windows
                    .retain(|_, kept| kept.file > folded || !kept.value.is_idle());
            }
            if shard.ledgers.len() > SHARD_BOUND {
                shard.ledgers.retain(|_, kept| kept.file > folded);
            }
        }
    }

    fn shard(&self, subject: Subject) -> MutexGuard<'_, Shard> {
        self.mutex(subject)
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn mutex(&self, subject: Subject) -> &Mutex<Shard> {
        let index = self.hasher.hash_one(subject) as usize % SHARDS;
        // The remainder is always a valid index of the shards.
        #[allow(clippy::indexing_slicing)]
        &self.shards[index]
    }

    fn open_window<'s>(
        &self,
        shard: &'s mut Shard,
        subject: Subject,
    ) -> Result<&'s mut Tracked<Window>, StoreError> {
        use std::collections::hash_map::Entry;
        match shard.windows.entry(subject) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(Tracked {
                value: self.load_window(subject)?,
                file: 0,
            })),
        }
    }

    fn load_window(&self, subject: Subject) -> Result<Window, StoreError> {
        let stored = self.store.window(&subject.to_string())?;
        Ok(stored.map_or_else(Window::default, |(opened_at, used)| {
            Window::stored(opened_at, used)
        }))
    }

    /// Loads a month into a ledger. Days in memory are newer.
    fn load_month(&self, user: i64, month: Month, ledger: &mut Ledger) -> Result<(), StoreError> {
        if ledger.months.contains(&month) {
            return Ok(());
        }
        for row in self.store.calls_of(user, month.days())? {
            ledger.days.entry(row.day).or_insert(DayCalls::of(&row));
        }
        ledger.months.push(month);
        Ok(())
    }
}

impl Shard {
    /// Removes the calls that were written.
    fn note_calls(&mut self, records: &[JournalRecord], file: u64) {
        for record in records {
            if let JournalRecord::Calls(row) = record {
                let kept = self.ledgers.entry(row.user).or_default();
                kept.value.days.insert(row.day, DayCalls::of(row));
                kept.file = file;
            }
        }
    }
}

/// The newest record of each caller and day.
#[derive(Default)]
pub struct Newest {
    windows: HashMap<Subject, (i64, u64)>,
    calls: BTreeMap<(i64, Day), CallsRow>,
    /// The results of jobs that are counted.
    results: Vec<ResultKey>,
}

impl Newest {
    /// Adds records in the order in which they were written.
    pub fn take(&mut self, records: Vec<JournalRecord>) {
        for record in records {
            match record {
                JournalRecord::Window {
                    subject,
                    opened_at,
                    used,
                } => {
                    self.windows.insert(subject, (opened_at, used));
                }
                JournalRecord::Calls(row) => {
                    self.calls.insert((row.user, row.day), row);
                }
                JournalRecord::JobResult(result) => self.results.push(result),
            }
        }
    }

    /// The rows to store.
    pub fn into_rows(self) -> (Vec<WindowRow>, Vec<CallsRow>) {
        let windows = self
            .windows
            .into_iter()
            .map(|(subject, (opened_at, used))| WindowRow {
                subject: subject.to_string(),
                opened_at,
                used,
            });
        (windows.collect(), self.calls.into_values().collect())
    }
}
