//! The states of documents, by the tokens of the answers. They are in memory alone: a token that is gone costs the
//! host one whole request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::state::DocumentState;

/// The most states, however small they are.
const MAX_STATES: usize = 4_096;

/// States within a limit of memory; those that were not used for longest go first.
pub struct DocumentStates {
    max_bytes: usize,
    cache: Mutex<Cache>,
}

#[derive(Default)]
struct Cache {
    states: HashMap<String, CachedState>,
    bytes: usize,
    /// Counts uses.
    clock: u64,
}

struct CachedState {
    /// The row id of the user; `None` for an anonymous caller.
    owner: Option<i64>,
    state: Arc<DocumentState>,
    weight: usize,
    used: u64,
    /// The token of the state before.
    before: Option<String>,
}

impl DocumentStates {
    pub fn new(max_bytes: usize) -> DocumentStates {
        DocumentStates {
            max_bytes,
            cache: Mutex::new(Cache::default()),
        }
    }

    /// The state of a token of the same caller.
    pub fn get(&self, token: &str, owner: Option<i64>) -> Option<Arc<DocumentState>> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.clock += 1;
        let now = cache.clock;
        let kept = cache.states.get_mut(token)?;
        if kept.owner != owner {
            return None;
        }
        kept.used = now;
        Some(Arc::clone(&kept.state))
    }

    /// Keeps a state and returns its token; `None` if it is larger than the cache. The state before stays, since
    /// an answer may get lost on its way; the one before that goes.
    pub fn keep(
        &self,
        state: DocumentState,
        owner: Option<i64>,
        before: Option<&str>,
    ) -> Result<Option<String>, getrandom::Error> {
        let weight = state.weight();
        if weight > self.max_bytes {
            return Ok(None);
        }
        let mut random = [0; 18];
        getrandom::fill(&mut random)?;
        let token = URL_SAFE_NO_PAD.encode(random);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = before.and_then(|before| cache.states.get_mut(before)?.before.take());
        if let Some(oldest) = oldest {
            cache.remove(&oldest);
        }
        cache.clock += 1;
        cache.bytes += weight;
        let kept = CachedState {
            owner,
            state: Arc::new(state),
            weight,
            used: cache.clock,
            before: before.map(str::to_owned),
        };
        cache.states.insert(token.clone(), kept);
        while cache.bytes > self.max_bytes || cache.states.len() > MAX_STATES {
            let states = cache.states.iter();
            let oldest = states.min_by_key(|(_, kept)| kept.used);
            let Some(oldest) = oldest.map(|(token, _)| token.clone()) else {
                break;
            };
            cache.remove(&oldest);
        }
        Ok(Some(token))
    }
}

impl Cache {
    fn remove(&mut self, token: &str) {
        if let Some(kept) = self.states.remove(token) {
            self.bytes = self.bytes.saturating_sub(kept.weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_belong_to_their_callers_and_are_bounded() {
        let state = |text: &str| DocumentState {
            list: Some(Arc::new(text.to_owned())),
            ..DocumentState::default()
        };
        let states = DocumentStates::new(25);
        let keep = |text: &str, before: Option<&str>| {
            states.keep(state(text), Some(1), before).unwrap().unwrap()
        };
        let first = keep("0123456789", None);
        assert!(states.get(&first, Some(1)).is_some());
        assert!(states.get(&first, Some(2)).is_none());
        assert!(states.get(&first, None).is_none());
        let second = keep("0123456789", None);
        assert!(states.get(&first, Some(1)).is_some());
        let third = keep("0123456789", None);
        assert!(
            states.get(&second, Some(1)).is_none(),
            "used before the first"
        );
        assert!(states.get(&first, Some(1)).is_some());
        assert!(states.get(&third, Some(1)).is_some());
        let large = states.keep(state(&"x".repeat(26)), Some(1), None);
        assert_eq!(large, Ok(None));
    }

    #[test]
    fn the_last_two_states_of_a_document_are_kept() {
        let states = DocumentStates::new(1_000);
        let keep = |before: Option<&str>| {
            let kept = states.keep(DocumentState::default(), None, before);
            kept.unwrap().unwrap()
        };
        let first = keep(None);
        let second = keep(Some(&first));
        assert!(states.get(&first, None).is_some());
        let third = keep(Some(&second));
        assert!(states.get(&first, None).is_none());
        assert!(states.get(&second, None).is_some());
        assert!(states.get(&third, None).is_some());
    }
}
