//! A bounded cache of the owners of secrets.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::principal::Account;
use crate::histogram::CacheCounts;
use crate::store::holder::{CredentialOwner, SecretHash};

/// A key, a session or an access token, and its owner.
pub struct CachedCredential {
    pub account: Arc<Account>,
    /// The row id of the key or the session, or of the token's grant.
    pub credential: i64,
    pub scopes: u8,
    pub audience: u8,
    pub created_at: i64,
    /// Unix seconds; `i64::MAX` for never. Moves on while a session is used.
    pub expires_at: AtomicI64,
    /// When the last use was recorded; 0 for never.
    pub used_at: AtomicI64,
    /// When it was read, on the monotonic clock.
    read_ms: u64,
}

impl CachedCredential {
    pub fn new(holder: CredentialOwner, read_ms: u64) -> CachedCredential {
        CachedCredential {
            account: Arc::new(Account {
                id: holder.user,
                uid: holder.uid,
                email: holder.email,
                name: holder.name,
                plan: holder.plan,
            }),
            credential: holder.credential,
            scopes: holder.scopes,
            audience: holder.audience,
            created_at: holder.created_at,
            expires_at: AtomicI64::new(holder.expires_at.unwrap_or(i64::MAX)),
            used_at: AtomicI64::new(holder.used_at.unwrap_or(0)),
            read_ms,
        }
    }

    pub fn is_expired(&self, now: i64) -> bool {
        self.expires_at.load(Ordering::Relaxed) <= now
    }
}

/// Recently presented secrets. Two generations bound the memory.
pub struct CredentialCache {
    state: Mutex<CacheState>,
    pub counts: CacheCounts,
}

#[derive(Default)]
struct CacheState {
    /// Entries are valid for this epoch only.
    epoch: u64,
    young: HashMap<SecretHash, Arc<CachedCredential>>,
    old: HashMap<SecretHash, Arc<CachedCredential>>,
}

/// Maximum number of secrets in one generation.
const BOUND: usize = 20_000;

/// How long a secret is cached. The epoch covers all changes by the program; this covers manual
/// changes to the database.
const LIFE_MS: u64 = 10_000;

impl CredentialCache {
    pub fn new() -> CredentialCache {
        CredentialCache {
            state: Mutex::default(),
            counts: CacheCounts::default(),
        }
    }

    /// The owner of a secret, if read in this epoch.
    pub fn get(&self, hash: &SecretHash, epoch: u64, now_ms: u64) -> Option<Arc<CachedCredential>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.epoch != epoch {
            *state = CacheState {
                epoch,
                ..CacheState::default()
            };
            return None;
        }
        let found = match state.young.get(hash) {
            Some(found) => Arc::clone(found),
            None => {
                let found = state.old.remove(hash)?;
                state.keep(*hash, Arc::clone(&found));
                found
            }
        };
        (now_ms.saturating_sub(found.read_ms) < LIFE_MS).then_some(found)
    }

    /// Caches an owner read in an epoch; an owner read in an earlier one may have changed.
    pub fn put(&self, hash: SecretHash, remembered: Arc<CachedCredential>, epoch: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.epoch == epoch {
            state.keep(hash, remembered);
        }
    }
}

impl CacheState {
    fn keep(&mut self, hash: SecretHash, remembered: Arc<CachedCredential>) {
        if self.young.len() >= BOUND {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, remembered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::plan::Plan;

    fn remembered(read_ms: u64) -> Arc<CachedCredential> {
        let holder = CredentialOwner {
            credential: 1,
            scopes: 3,
            created_at: 0,
            expires_at: None,
            used_at: None,
            user: 1,
            uid: String::new(),
            email: None,
            name: None,
            plan: Plan::Free,
            audience: 0,
        };
        Arc::new(CachedCredential::new(holder, read_ms))
    }

    #[test]
    fn cache_is_invalidated_by_changes() {
        let cache = CredentialCache::new();
        assert!(cache.get(&[1; 32], 5, 0).is_none());
        cache.put([1; 32], remembered(0), 5);
        assert!(cache.get(&[1; 32], 5, 0).is_some());
        assert!(cache.get(&[1; 32], 6, 0).is_none());
        assert!(cache.get(&[1; 32], 6, 0).is_none());
    }

    #[test]
    fn cache_drops_reads_older_than_a_change() {
        let cache = CredentialCache::new();
        cache.get(&[1; 32], 5, 0);
        let read_before = remembered(0);
        cache.get(&[2; 32], 6, 0);
        cache.put([1; 32], read_before, 5);
        assert!(cache.get(&[1; 32], 6, 0).is_none());
    }

    #[test]
    fn cache_is_bounded_in_size_and_time() {
        let cache = CredentialCache::new();
        cache.get(&[0; 32], 0, 0);
        for number in 0..3 * BOUND as u64 {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&number.to_le_bytes());
            cache.put(hash, remembered(0), 0);
        }
        let state = cache.state.lock().unwrap();
        assert!(state.young.len() + state.old.len() <= 2 * BOUND);
        drop(state);
        cache.put([9; 32], remembered(0), 0);
        assert!(cache.get(&[9; 32], 0, LIFE_MS - 1).is_some());
        assert!(cache.get(&[9; 32], 0, LIFE_MS).is_none());
    }
}
