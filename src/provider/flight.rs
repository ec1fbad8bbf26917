//! Single flight: of callers that ask the same thing at the same time one does the work, and the
//! others wait for its answer. Blocking, for threads.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Work under way, by what was asked.
#[derive(Debug)]
pub struct Flights<K, V> {
    under_way: Mutex<HashMap<K, Arc<Flight<V>>>>,
}

/// How a caller came by its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flown<V> {
    /// It did the work itself.
    Led(V),
    /// Another caller did.
    Shared(V),
    /// Another caller was still at it when the patience ended.
    TimedOut,
}

#[derive(Debug)]
struct Flight<V> {
    state: Mutex<State<V>>,
    ended: Condvar,
}

#[derive(Debug)]
enum State<V> {
    UnderWay,
    Landed(V),
    /// Whoever did the work panicked.
    Lost,
}

impl<K, V> Default for Flights<K, V> {
    fn default() -> Flights<K, V> {
        Flights {
            under_way: Mutex::new(HashMap::new()),
        }
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Flights<K, V> {
    pub fn new() -> Flights<K, V> {
        Flights::default()
    }

    /// Does the work, or waits for the caller who is doing it, no longer than `patience`. Where
    /// that caller panics, one of those who wait takes over. `work` must bound its own time.
    pub fn run(&self, key: &K, patience: Duration, work: impl FnOnce() -> V) -> Flown<V> {
        let deadline = Instant::now() + patience;
        loop {
            let (flight, is_leader) = self.join(key);
            if is_leader {
                return Flown::Led(self.lead(key, &flight, work));
            }
            match flight.wait(deadline) {
                Some(Some(answer)) => return Flown::Shared(answer),
                Some(None) => {}
                None => return Flown::TimedOut,
            }
        }
    }

    /// How many different questions are under way.
    pub fn len(&self) -> usize {
        lock(&self.under_way).len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The flight for this key, and whether the caller has to do its work.
    fn join(&self, key: &K) -> (Arc<Flight<V>>, bool) {
        let mut under_way = lock(&self.under_way);
        if let Some(flight) = under_way.get(key) {
            return (Arc::clone(flight), false);
        }
        let flight = Arc::new(Flight {
            state: Mutex::new(State::UnderWay),
            ended: Condvar::new(),
        });
        under_way.insert(key.clone(), Arc::clone(&flight));
        (flight, true)
    }

    fn lead(&self, key: &K, flight: &Flight<V>, work: impl FnOnce() -> V) -> V {
        let mut landing = Landing {
            flights: self,
            key,
            flight,
            answer: None,
        };
        let answer = work();
        landing.answer = Some(answer.clone());
        answer
    }
}

impl<V: Clone> Flight<V> {
    /// The answer; an inner nothing where the flight was lost, an outer one where the time ended.
    fn wait(&self, deadline: Instant) -> Option<Option<V>> {
        let is_under_way = |state: &mut State<V>| matches!(state, State::UnderWay);
        let left = deadline.saturating_duration_since(Instant::now());
        let waited = self
            .ended
            .wait_timeout_while(lock(&self.state), left, is_under_way);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::UnderWay => None,
            State::Landed(answer) => Some(Some(answer.clone())),
            State::Lost => Some(None),
        }
    }
}

/// Ends a flight when dropped, be it by a panic.
struct Landing<'a, K: Eq + Hash, V> {
    flights: &'a Flights<K, V>,
    key: &'a K,
    flight: &'a Flight<V>,
    answer: Option<V>,
}

impl<K: Eq + Hash, V> Drop for Landing<'_, K, V> {
    fn drop(&mut self) {
        // Off the list first, so that who comes now starts anew and never finds an ended flight.
        lock(&self.flights.under_way).remove(self.key);
        *lock(&self.flight.state) = match self.answer.take() {
            Some(answer) => State::Landed(answer),
            None => State::Lost,
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

    #[test]
    fn one_works_and_all_have_the_answer() {
        let flights: Flights<&str, u32> = Flights::new();
        let runs = AtomicUsize::new(0);
        let others = 7;
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..=others)
                .map(|_| {
                    scope.spawn(|| {
                        flights.run(&"a", LONG, || {
                            runs.fetch_add(1, Ordering::SeqCst);
                            // Ends only when all the others wait: each holds the flight.
                            while holders(&flights, "a") < others + 2 {
                                std::thread::yield_now();
                            }
                            42
                        })
                    })
                })
                .collect();
            let answers: Vec<Flown<u32>> = handles.into_iter().map(|h| h.join().unwrap()).collect();
            let shared = answers
                .iter()
                .filter(|answer| **answer == Flown::Shared(42))
                .count();
            assert_eq!(shared, others);
        });
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        assert!(flights.is_empty());
    }

    /// How many hold the flight: the list, the leader, and those who wait.
    fn holders(flights: &Flights<&str, u32>, key: &'static str) -> usize {
        lock(&flights.under_way)
            .get(key)
            .map_or(0, Arc::strong_count)
    }

    #[test]
    fn a_panic_hands_the_work_on() {
        let flights: Flights<&str, u32> = Flights::new();
        let started = Barrier::new(2);
        std::thread::scope(|scope| {
            let leader = scope.spawn(|| {
                flights.run(&"a", LONG, || {
                    started.wait();
                    while holders(&flights, "a") < 3 {
                        std::thread::yield_now();
                    }
                    panic!("on purpose")
                })
            });
            started.wait();
            assert_eq!(flights.run(&"a", LONG, || 7), Flown::Led(7));
            assert!(leader.join().is_err());
        });
        assert!(flights.is_empty());
    }

    #[test]
    fn patience_ends() {
        let flights: Flights<&str, u32> = Flights::new();
        let inner = flights.run(&"a", LONG, || {
            match flights.run(&"a", Duration::from_millis(5), || 1) {
                Flown::TimedOut => 9,
                _ => 0,
            }
        });
        assert_eq!(inner, Flown::Led(9));
    }

    #[test]
    fn different_questions_do_not_wait_for_each_other() {
        let flights: Flights<&str, u32> = Flights::new();
        let outer = flights.run(&"a", LONG, || match flights.run(&"b", LONG, || 2) {
            Flown::Led(two) => two + 1,
            _ => 0,
        });
        assert_eq!(outer, Flown::Led(3));
    }
}
