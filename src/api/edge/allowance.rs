//! The lookups of one batch, distributed to its items in order. A reservation that an item does not
//! use goes to later items, so that nothing is refused while a lookup is left.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::context::RequestContext;
use super::gate;
use crate::api::error::{ApiError, Code};
use crate::quota::{Charge, Payer, Quota, QuotaError, Reservation};
use citation_model::budget::Budget;

/// The lookups of one batch.
pub struct Allowance {
    quota: Arc<Quota>,
    payer: Payer,
    budget: Budget,
    state: Mutex<AllowanceState>,
    changed: Condvar,
}

#[derive(Default)]
struct AllowanceState {
    /// The next turn.
    next: usize,
    /// Reserved lookups that may still be released.
    open: usize,
    /// Reserved before the first turn.
    first: Option<Reservation>,
    is_exhausted: bool,
}

/// A lookup of the batch in progress, until dropped.
struct OpenLookup<'a>(&'a Allowance);

/// Why an item has no lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLookup {
    Exhausted,
    /// The count could not be stored.
    Uncountable,
    /// Nobody waits for the batch any more.
    GivenUp,
}

/// How often a waiting item checks whether somebody still waits for the batch.
const ASK_AGAIN: Duration = Duration::from_millis(50);

impl Allowance {
    /// Refuses with the daily quota's 429 if not a single lookup is left.
    pub fn new(context: &RequestContext) -> Result<Allowance, ApiError> {
        let first = gate::reserve(context)?;
        Ok(Allowance::with(context, Some(first)))
    }

    /// Like [`Allowance::new`], for a batch that can also do something without a lookup.
    pub fn or_none(context: &RequestContext) -> Result<Allowance, ApiError> {
        match gate::reserve(context) {
            Ok(first) => Ok(Allowance::with(context, Some(first))),
            Err(error) if error.code == Code::QuotaExhausted => Ok(Allowance::with(context, None)),
            Err(error) => Err(error),
        }
    }

    fn with(context: &RequestContext, first: Option<Reservation>) -> Allowance {
        Allowance {
            quota: Arc::clone(&context.app.quota),
            payer: context.caller.payer(),
            budget: context.budget.clone(),
            state: Mutex::new(AllowanceState {
                first,
                ..AllowanceState::default()
            }),
            changed: Condvar::new(),
        }
    }

    /// Charges one lookup, as [`gate::charge`] does. Turns are counted from 0; each is taken once, in
    /// order, and early callers wait. If no lookup is left, the current turn waits for the running
    /// ones, which may turn out to be free.
    pub fn charge<T>(
        &self,
        turn: usize,
        lookup: impl FnOnce() -> Charge<T>,
    ) -> Result<T, NoLookup> {
        let reservation = self.take(turn)?;
        let open = OpenLookup(self);
        // Counted or released before the waiting items check again.
        let settled = reservation.settle(lookup());
        drop(open);
        settled.map_err(|cause| {
            tracing::error!(%cause, "cannot count a lookup of a batch");
            NoLookup::Uncountable
        })
    }

    fn take(&self, turn: usize) -> Result<Reservation, NoLookup> {
        let mut state = self.lock();
        while state.next != turn && !self.budget.is_spent() {
            state = self.wait(state);
        }
        let taken = loop {
            if self.budget.is_spent() {
                return Err(NoLookup::GivenUp);
            }
            if state.is_exhausted {
                break Err(NoLookup::Exhausted);
            }
            let reserved = match state.first.take() {
                Some(first) => Ok(first),
                None => self.quota.reserve(&self.payer),
            };
            match reserved {
                Ok(reservation) => break Ok(reservation),
                Err(QuotaError::Exhausted(_)) if state.open > 0 => state = self.wait(state),
                Err(QuotaError::Exhausted(_)) => state.is_exhausted = true,
                Err(cause) => {
                    tracing::error!(%cause, "cannot reserve a lookup of a batch");
                    break Err(NoLookup::Uncountable);
                }
            }
        };
        state.next += 1;
        state.open += usize::from(taken.is_ok());
        self.changed.notify_all();
        taken
    }

    fn lock(&self) -> MutexGuard<'_, AllowanceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, AllowanceState>) -> MutexGuard<'a, AllowanceState> {
        let waited = self.changed.wait_timeout(state, ASK_AGAIN);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Drop for OpenLookup<'_> {
    fn drop(&mut self) {
        self.0.lock().open -= 1;
        self.0.changed.notify_all();
    }
}
