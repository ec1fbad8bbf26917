//! Layer 3: quotas and rate limits. Daily lookups and monthly calls are counted
//! exactly and durably; requests per minute are limited by buckets in memory.
//!
//! A lookup is reserved before it runs ([`Quota::reserve`]) and committed when its cost
//! is known ([`Reservation::settle`]), before the reply is sent: of concurrent lookups
//! exactly as many succeed as the quota allows. Counts go to a journal, and from there into the
//! database ([`Quota::fold`]).
//!
//! - `plans`: the limits of each plan · `window`, `calendar`: days and months
//! - `limiter`, `address`: rate limits, and their callers
//! - `networks`: networks with a quota of their own
//! - `journal`, `counts`: storage of counts
//! - `report`: usage for billing

pub mod address;
pub mod calendar;
mod counts;
pub mod journal;
pub mod limiter;
pub mod networks;
pub mod plans;
pub mod report;
pub mod window;

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::clock::Clock;
use crate::config::Config;
use crate::store::jobs::ResultKey;
use crate::store::{Store, StoreError};
use address::Address;
use calendar::Month;
use citation_model::plan::Plan;
use counts::{ApiCall, Counts};
use journal::JournalError;
use limiter::{Limiter, RateDecision};
use networks::{NamedNetwork, NetworkKey, Networks};
use plans::Plans;

/// The folder of the usage journal in the data directory.
pub const JOURNAL_FOLDER: &str = "usage";

/// The subject that lookups are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// A user, by row id.
    User(i64),
    Address(Address),
    /// The callers of one network of `quota.networks`.
    Network(NetworkKey),
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Subject::User(id) => write!(f, "user:{id}"),
            Subject::Address(address) => write!(f, "{address}"),
            Subject::Network(network) => write!(f, "{network}"),
        }
    }
}

/// The owner of a rate limit bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BurstKey {
    Address(Address),
    ApiKey(i64),
    Session(i64),
    /// What an account has allowed an OAuth program.
    Grant(i64),
}

/// A caller's daily lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaStatus {
    pub limit: u64,
    /// Counted or reserved.
    pub used: u64,
    pub remaining: u64,
    /// Seconds until the window closes; 86 400 if none is open.
    pub reset_seconds: u64,
    /// The same as a time, Unix seconds.
    pub reset_at: i64,
}

/// The month's API calls of a user on a paid plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Monthly {
    pub included: u64,
    pub used: u64,
    pub overage: u64,
    /// The first of the next month, 00:00 UTC, Unix seconds.
    pub resets_at: i64,
}

/// Why a lookup or a call cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum QuotaError {
    #[error("the daily lookups are used up")]
    Exhausted(QuotaStatus),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("cannot write a count: {0}")]
    Write(#[from] std::io::Error),
}

/// The payer of one request's lookups, and the cost so far.
#[derive(Clone, Debug)]
pub struct Payer {
    pub subject: Subject,
    pub plan: Plan,
    /// The user whose monthly allowance includes the request.
    pub metered: Option<i64>,
    pub cost: Arc<Cost>,
}

/// The cost of one request.
#[derive(Debug, Default)]
pub struct Cost {
    lookups: AtomicU32,
    /// The request has been counted in the monthly allowance.
    has_call: AtomicBool,
    /// Whether its lookups stay reserved until a result is stored, as those of jobs do.
    is_held: bool,
}

impl Cost {
    pub fn lookups(&self) -> u32 {
        self.lookups.load(Ordering::Relaxed)
    }
}

impl Payer {
    /// The user for whom the request's API call must still be counted; the caller of this counts it.
    pub fn take_call(&self) -> Option<i64> {
        self.metered
            .filter(|_| !self.cost.has_call.swap(true, Ordering::Relaxed))
    }

    /// Begins another call within the request, which is counted on its own.
    pub fn begin_call(&self) {
        self.cost.has_call.store(false, Ordering::Relaxed);
    }
}

/// The outcome of a lookup, with its price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge<T> {
    /// A work, or a definitive miss: one lookup.
    Lookup(T),
    /// Failures are free.
    Free(T),
}

impl<T> Charge<T> {
    pub fn new(value: T, costs: bool) -> Charge<T> {
        if costs {
            Charge::Lookup(value)
        } else {
            Charge::Free(value)
        }
    }
}

/// Counts and limits. Shared by all threads.
pub struct Quota {
    plans: Plans,
    networks: Networks,
    clock: Clock,
    counts: Counts,
    burst: Limiter<BurstKey>,
    /// Links created by address.
    links: Limiter<Address>,
    /// When closed windows were last purged, Unix seconds.
    swept_at: AtomicI64,
    /// The latest time that the clock has shown.
    window_time: Mutex<Moment>,
}

/// A time by both clocks.
#[derive(Clone, Copy, Debug)]
struct Moment {
    unix: i64,
    elapsed_ms: u64,
}

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// How often closed windows are purged, in seconds, and how many at most.
const SWEEP_SECONDS: i64 = 60;
const SWEEP_ROWS: usize = 10_000;

impl Quota {
    /// The counts beside the database. Nothing can be counted before [`Quota::start`].
    pub fn new(store: Arc<Store>, config: &Config, clock: Clock) -> Arc<Quota> {
        // The limiter keeps two generations of buckets.
        let buckets = config.limits.tracked_callers as usize / 2;
        Arc::new(Quota {
            plans: Plans::new(&config.quota, &config.limits),
            networks: Networks::new(&config.quota.networks),
            window_time: Mutex::new(Moment {
                unix: clock.unix(),
                elapsed_ms: clock.elapsed_ms(),
            }),
            clock,
            counts: Counts::new(store),
            burst: Limiter::new(buckets, 60_000),
            links: Limiter::new(buckets, DAY_MS),
            swept_at: AtomicI64::new(0),
        })
    }

    /// Starts counting, and folds the counts of an earlier process. Fails if another server
    /// counts on the same data directory.
    pub fn start(&self) -> Result<(), QuotaError> {
        self.counts.start()?;
        // No window was opened later than the clock has shown.
        let furthest = self.counts.newest_window()?;
        let window_time = &self.window_time;
        let mut time = window_time.lock().unwrap_or_else(PoisonError::into_inner);
        time.unix = time.unix.max(furthest);
        Ok(())
    }

    /// Starts counting in this process only, beside a server that may be counting. The counts end
    /// with the process.
    pub fn start_in_memory(&self) {
        self.counts.start_in_memory();
    }

    pub fn plans(&self) -> &Plans {
        &self.plans
    }

    /// The network that a caller without an account belongs to.
    pub fn network_of(&self, address: IpAddr) -> Option<NetworkKey> {
        self.networks.of(address)
    }

    /// A caller's lookups in 24 hours: those of its network, else those of its plan.
    fn daily_lookups(&self, subject: Subject, plan: Plan) -> u64 {
        match self.network(subject) {
            Some(network) => network.daily_lookups,
            None => self.plans.rules(plan).daily_lookups,
        }
    }

    /// A caller's requests per minute: those of its network, else those of its plan.
    pub fn burst_per_minute(&self, subject: Subject, plan: Plan) -> u32 {
        match self.network(subject) {
            Some(network) => network.burst_per_minute,
            None => self.plans.rules(plan).burst_per_minute,
        }
    }

    fn network(&self, subject: Subject) -> Option<&NamedNetwork> {
        match subject {
            Subject::Network(key) => self.networks.get(key),
            Subject::User(_) | Subject::Address(_) => None,
        }
    }

    /// Takes one request from a caller's bucket.
    pub fn take_burst(&self, key: BurstKey, per_minute: u32) -> RateDecision {
        self.burst.take(key, per_minute, self.clock.elapsed_ms())
    }

    /// Counts a link created by an address, limited in 24 hours.
    pub fn take_link(&self, address: Address, per_day: u32) -> RateDecision {
        self.links.take(address, per_day, self.clock.elapsed_ms())
    }

    /// Whether a lookup can be counted without a database access.
    pub fn is_cached(&self, payer: &Payer) -> bool {
        let metered = payer
            .metered
            .filter(|_| self.plans.rules(payer.plan).monthly_calls.is_some());
        let ledger = metered.map(|user| (user, Month::of(self.clock.unix())));
        self.counts.is_cached(payer.subject, ledger)
    }

    /// Reserves one lookup.
    pub fn reserve(self: &Arc<Quota>, payer: &Payer) -> Result<Reservation, QuotaError> {
        let (subject, plan) = (payer.subject, payer.plan);
        let limit = self.daily_lookups(subject, plan);
        if !self.counts.reserve(subject, limit, self.window_time())? {
            return Err(QuotaError::Exhausted(self.status(subject, plan)?));
        }
        Ok(Reservation {
            quota: Arc::clone(self),
            payer: payer.clone(),
            settled: false,
        })
    }

    /// A caller's daily lookups. Opens no window.
    pub fn status(&self, subject: Subject, plan: Plan) -> Result<QuotaStatus, StoreError> {
        let window = self.counts.window(subject)?;
        Ok(self.status_in(&window, self.daily_lookups(subject, plan)))
    }

    /// The status of a caller known to have no lookups left. Never waits; [`Quota::reserve`] handles
    /// unknown ones.
    pub fn cached_exhausted(&self, subject: Subject, plan: Plan) -> Option<QuotaStatus> {
        let window = self.counts.cached_window(subject)?;
        let status = self.status_in(&window, self.daily_lookups(subject, plan));
        (status.remaining == 0).then_some(status)
    }

    fn status_in(&self, window: &window::Window, limit: u64) -> QuotaStatus {
        let now = self.window_time();
        let used = window.used(now);
        let reset_seconds = window.reset_seconds(now);
        QuotaStatus {
            limit,
            used,
            remaining: limit.saturating_sub(used),
            reset_seconds,
            reset_at: self.clock.unix() + reset_seconds as i64,
        }
    }

    /// Counts one API call of a user, if the plan has an allowance. A call beyond the allowance is
    /// counted too and never refused. A count that cannot be written is kept in memory
    /// and retried, since the call has happened.
    pub fn count_call(&self, user: i64, plan: Plan) {
        if let Some(call) = self.api_call(user, plan) {
            self.counts.count_call(call, self.clock.unix());
        }
    }

    /// Number of calls whose counts could not be written yet.
    pub fn uncounted_calls(&self) -> u64 {
        self.counts.uncounted()
    }

    /// The time by which windows open and close. It follows the clock forward and never back, so that
    /// setting the clock back and forward closes no window.
    fn window_time(&self) -> i64 {
        let (unix, elapsed_ms) = (self.clock.unix(), self.clock.elapsed_ms());
        let window_time = &self.window_time;
        let mut time = window_time.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = elapsed_ms.saturating_sub(time.elapsed_ms) / 1000;
        let steady = time.unix.saturating_add(passed as i64);
        if unix >= steady {
            *time = Moment { unix, elapsed_ms };
            return unix;
        }
        steady
    }

    /// A payer whose lookups stay reserved, until a result of a job is stored with their price.
    pub fn hold(self: &Arc<Quota>, user: i64, plan: Plan) -> HeldLookups {
        let cost = Cost {
            is_held: true,
            ..Cost::default()
        };
        HeldLookups {
            quota: Arc::clone(self),
            payer: Payer {
                subject: Subject::User(user),
                plan,
                metered: None,
                cost: Arc::new(cost),
            },
        }
    }

    /// Counts the lookups of a result that was stored by an earlier process, which ended before it counted them.
    pub fn count_result(
        &self,
        user: i64,
        lookups: u32,
        result: ResultKey,
    ) -> Result<(), QuotaError> {
        self.counts
            .commit_result(Subject::User(user), lookups, result, self.window_time())
    }

    fn commit(&self, subject: Subject, call: Option<ApiCall>) -> Result<(), QuotaError> {
        let call = call.map(|call| (call, calendar::day_of(self.clock.unix())));
        self.counts.commit(subject, call, self.window_time())
    }

    fn api_call(&self, user: i64, plan: Plan) -> Option<ApiCall> {
        let included = self.plans.rules(plan).monthly_calls?;
        Some(ApiCall {
            user,
            plan,
            included,
        })
    }

    /// A user's monthly calls; `None` for plans without an allowance.
    pub fn monthly(&self, user: i64, plan: Plan) -> Result<Option<Monthly>, StoreError> {
        let Some(included) = self.plans.rules(plan).monthly_calls else {
            return Ok(None);
        };
        let month = Month::of(self.clock.unix());
        let (used, recorded) = self.counts.calls(user, month)?;
        let included = included.max(recorded);
        Ok(Some(Monthly {
            included,
            used,
            overage: used.saturating_sub(included),
            resets_at: month.ends_at(),
        }))
    }

    /// Folds the journal into the database, and purges closed windows.
    pub fn fold(&self) -> Result<(), QuotaError> {
        self.counts.fold()?;
        let now = self.window_time();
        let due = now - self.swept_at.load(Ordering::Relaxed);
        if (0..SWEEP_SECONDS).contains(&due) {
            return Ok(());
        }
        self.swept_at.store(now, Ordering::Relaxed);
        Ok(self
            .counts
            .sweep(now - window::WINDOW_SECONDS, SWEEP_ROWS)?)
    }
}

/// One reserved lookup. Dropping it releases it.
pub struct Reservation {
    quota: Arc<Quota>,
    payer: Payer,
    settled: bool,
}

impl Reservation {
    /// Commits a lookup that has a price, with the request's API call for the first of them; releases
    /// a free one. When this returns, the count survives the process.
    pub fn settle<T>(mut self, outcome: Charge<T>) -> Result<T, QuotaError> {
        let value = match outcome {
            Charge::Free(value) => return Ok(value),
            Charge::Lookup(value) => value,
        };
        self.settled = true;
        let payer = &self.payer;
        if payer.cost.is_held {
            payer.cost.lookups.fetch_add(1, Ordering::Relaxed);
            return Ok(value);
        }
        let user = payer.take_call();
        let call = user.and_then(|user| self.quota.api_call(user, payer.plan));
        self.quota.commit(payer.subject, call)?;
        payer.cost.lookups.fetch_add(1, Ordering::Relaxed);
        Ok(value)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if !self.settled {
            self.quota.counts.release(self.payer.subject);
        }
    }
}

/// The lookups of one result of a job. They are reserved, and released if they are dropped without being
/// counted.
pub struct HeldLookups {
    quota: Arc<Quota>,
    payer: Payer,
}

impl HeldLookups {
    /// The cost of a request whose lookups are held here.
    pub fn cost(&self) -> Arc<Cost> {
        Arc::clone(&self.payer.cost)
    }

    /// Number of lookups.
    pub fn lookups(&self) -> u32 {
        self.payer.cost.lookups()
    }

    /// Counts them, together with the mark of the stored result. When this returns, both survive the
    /// process. If it fails they stay reserved, and can be counted again.
    pub fn count(&self, result: ResultKey) -> Result<(), QuotaError> {
        let (quota, subject) = (&self.quota, self.payer.subject);
        let now = quota.window_time();
        quota
            .counts
            .commit_result(subject, self.lookups(), result, now)?;
        self.payer.cost.lookups.store(0, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for HeldLookups {
    fn drop(&mut self) {
        for _ in 0..self.lookups() {
            self.quota.counts.release(self.payer.subject);
        }
    }
}
