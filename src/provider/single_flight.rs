//! Single flight: of concurrent callers with the same request one does the work, and the
//! others wait for its result. Blocking, for threads.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::deadline::ASK_AGAIN;
use citation_model::budget::Budget;

/// Running work, by key.
#[derive(Debug)]
pub struct SingleFlight<K, V> {
    under_way: Mutex<HashMap<K, Arc<Flight<V>>>>,
}

/// How a caller got its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlightOutcome<V> {
    /// It did the work itself.
    Led(V),
    /// Another caller did.
    Shared(V),
    /// Another caller had not finished when the patience ended.
    TimedOut,
    /// Nobody waits for the result any more.
    GivenUp,
}

#[derive(Debug)]
struct Flight<V> {
    state: Mutex<FlightState<V>>,
    ended: Condvar,
}

#[derive(Clone, Debug)]
enum FlightState<V> {
    Running,
    Done(V),
    /// The leader gave up, or panicked.
    Abandoned,
}

impl<K, V> Default for SingleFlight<K, V> {
    fn default() -> SingleFlight<K, V> {
        SingleFlight {
            under_way: Mutex::new(HashMap::new()),
        }
    }
}

impl<K: Clone + Eq + Hash, V: Clone> SingleFlight<K, V> {
    /// Does the work, or waits for the caller who is doing it, no longer than `patience` and the
    /// request's `budget`. `work` limits its own time, and returns `None` if its request was
    /// cancelled. Then, or if it panics, one of the waiting callers takes over.
    pub fn run(
        &self,
        key: &K,
        patience: Duration,
        budget: &Budget,
        work: impl FnOnce() -> Option<V>,
    ) -> FlightOutcome<V> {
        let deadline = Instant::now() + patience;
        loop {
            let (flight, is_leader) = self.join(key);
            if is_leader {
                return match self.lead(key, &flight, work) {
                    Some(answer) => FlightOutcome::Led(answer),
                    None => FlightOutcome::GivenUp,
                };
            }
            match flight.wait(deadline, budget) {
                FlightState::Done(answer) => return FlightOutcome::Shared(answer),
                FlightState::Running if budget.is_spent() => return FlightOutcome::GivenUp,
                FlightState::Running => return FlightOutcome::TimedOut,
                FlightState::Abandoned => {}
            }
        }
    }

    /// The flight for this key, and whether the caller must do its work.
    fn join(&self, key: &K) -> (Arc<Flight<V>>, bool) {
        let mut under_way = lock(&self.under_way);
        if let Some(flight) = under_way.get(key) {
            return (Arc::clone(flight), false);
        }
        let flight = Arc::new(Flight {
            state: Mutex::new(FlightState::Running),
            ended: Condvar::new(),
        });
        under_way.insert(key.clone(), Arc::clone(&flight));
        (flight, true)
    }

    fn lead(&self, key: &K, flight: &Flight<V>, work: impl FnOnce() -> Option<V>) -> Option<V> {
        let mut guard = FlightGuard {
            single_flight: self,
            key,
            flight,
            answer: None,
        };
        let answer = work();
        guard.answer.clone_from(&answer);
        answer
    }
}

impl<V: Clone> Flight<V> {
    /// How the flight ended; still running if the time or the request ended before.
    fn wait(&self, deadline: Instant, budget: &Budget) -> FlightState<V> {
        let mut state = lock(&self.state);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let is_over = left.is_zero() || budget.is_spent();
            if is_over || !matches!(*state, FlightState::Running) {
                return state.clone();
            }
            let waited = self.ended.wait_timeout(state, left.min(ASK_AGAIN));
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends a flight on drop, also after a panic.
struct FlightGuard<'a, K: Eq + Hash, V> {
    single_flight: &'a SingleFlight<K, V>,
    key: &'a K,
    flight: &'a Flight<V>,
    answer: Option<V>,
}

impl<K: Eq + Hash, V> Drop for FlightGuard<'_, K, V> {
    fn drop(&mut self) {
        // Removed first, so that new callers start again and never find an ended flight.
        lock(&self.single_flight.under_way).remove(self.key);
        *lock(&self.flight.state) = match self.answer.take() {
            Some(answer) => FlightState::Done(answer),
            None => FlightState::Abandoned,
        };
        self.flight.ended.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const LONG: Duration = Duration::from_secs(60);

    fn run(
        single_flight: &SingleFlight<&'static str, u32>,
        key: &'static str,
        work: impl FnOnce() -> Option<u32>,
    ) -> FlightOutcome<u32> {
        single_flight.run(&key, LONG, &Budget::unlimited(), work)
    }

    #[test]
    fn concurrent_calls_share_one_answer() {
        let single_flight: SingleFlight<&str, u32> = SingleFlight::default();
        let runs = AtomicUsize::new(0);
        let others = 7;
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..=others)
                .map(|_| {
                    scope.spawn(|| {
                        run(&single_flight, "a", || {
                            runs.fetch_add(1, Ordering::SeqCst);
                            // Ends only when all the others wait: each holds the flight.
                            while holders(&single_flight, "a") < others + 2 {
                                std::thread::yield_now();
                            }
                            Some(42)
                        })
                    })
                })
                .collect();
            let answers: Vec<FlightOutcome<u32>> =
                handles.into_iter().map(|h| h.join().unwrap()).collect();
            let shared = answers
                .iter()
                .filter(|answer| **answer == FlightOutcome::Shared(42))
                .count();
            assert_eq!(shared, others);
        });
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        assert!(lock(&single_flight.under_way).is_empty());
    }

    /// How many hold the flight: the list, the leader, and the waiting ones.
    fn holders(single_flight: &SingleFlight<&str, u32>, key: &'static str) -> usize {
        lock(&single_flight.under_way)
            .get(key)
            .map_or(0, Arc::strong_count)
    }

    #[test]
    fn panic_passes_the_work_on() {
        let single_flight: SingleFlight<&str, u32> = SingleFlight::default();
        let started = Barrier::new(2);
        std::thread::scope(|scope| {
            let leader = scope.spawn(|| {
                run(&single_flight, "a", || {
                    started.wait();
                    while holders(&single_flight, "a") < 3 {
                        std::thread::yield_now();
                    }
                    panic!("on purpose")
                })
            });
            started.wait();
            assert_eq!(run(&single_flight, "a", || Some(7)), FlightOutcome::Led(7));
            assert!(leader.join().is_err());
        });
        assert!(lock(&single_flight.under_way).is_empty());
    }

    #[test]
    fn waiting_times_out() {
        let single_flight: SingleFlight<&str, u32> = SingleFlight::default();
        let budget = Budget::unlimited();
        let inner = run(&single_flight, "a", || {
            match single_flight.run(&"a", Duration::from_millis(5), &budget, || Some(1)) {
                FlightOutcome::TimedOut => Some(9),
                _ => None,
            }
        });
        assert_eq!(inner, FlightOutcome::Led(9));
    }

    #[test]
    fn cancelled_caller_passes_the_work_on() {
        let single_flight: SingleFlight<&str, u32> = SingleFlight::default();
        let budget = Budget::unlimited();
        let outer = run(&single_flight, "a", || {
            budget.cancel();
            let inner = single_flight.run(&"a", LONG, &budget, || Some(1));
            assert_eq!(inner, FlightOutcome::GivenUp);
            None
        });
        assert_eq!(outer, FlightOutcome::GivenUp);
        assert_eq!(run(&single_flight, "a", || Some(2)), FlightOutcome::Led(2));
    }

    #[test]
    fn different_requests_do_not_wait_for_each_other() {
        let single_flight: SingleFlight<&str, u32> = SingleFlight::default();
        let outer = run(&single_flight, "a", || {
            match run(&single_flight, "b", || Some(2)) {
                FlightOutcome::Led(two) => Some(two + 1),
                _ => None,
            }
        });
        assert_eq!(outer, FlightOutcome::Led(3));
    }
}
