//! Layer 3: authentication. Accounts with passwords or linked identities, API keys and
//! sessions, and the audit log.
//!
//! [`Auth::by_api_key`] and [`Auth::by_session`] resolve a request's credential: one lookup in
//! a small cache, or one indexed read. Every change to an account goes through this module,
//! is recorded in the audit log, and increments the `epoch`, which invalidates caches.
//!
//! - `token`, `passwords`: secrets · `principal`: the authenticated caller
//! - `cache`, `epoch`: the request path · `accounts`, `sign_in`: actions of users and operators
//! - `oidc`: signing in through an identity provider · `oauth`: letting programs in

pub mod accounts;
mod cache;
mod epoch;
mod error;
pub mod oauth;
pub mod oidc;
pub mod passwords;
pub mod principal;
pub mod sign_in;
pub mod token;

use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::clock::Clock;
use crate::config::{Config, SignUp};
use crate::store::holder::{CredentialOwner, SecretHash};
use crate::store::{Store, StoreError};
use cache::{CachedCredential, CredentialCache};
use epoch::Epoch;
pub use error::AuthError;
use oauth::programs::Programs;
use oidc::Issuers;
use passwords::Passwords;
use principal::{Credential, Principal, Scopes, TokenAudience};
use sign_in::Attempts;
use token::{SecretToken, TokenKind};

/// Accounts and credentials. Shared by all threads.
pub struct Auth {
    store: Arc<Store>,
    clock: Clock,
    settings: Settings,
    passwords: Passwords,
    attempts: Attempts,
    issuers: Issuers,
    programs: Programs,
    epoch: Epoch,
    cache: CredentialCache,
    touched: Mutex<PendingUses>,
    /// When expired rows were last purged, Unix seconds.
    swept_at: AtomicI64,
    /// The id of the account created by the server's own link.
    first_operator: OnceLock<String>,
    /// The ids of the accounts that are operators by their owners' groups.
    group_operators: Mutex<HashSet<String>>,
}

/// The configuration values used in several places.
struct Settings {
    sign_up: SignUp,
    new_plan: citation_model::plan::Plan,
    invitation_seconds: i64,
    link_seconds: i64,
    session_seconds: i64,
    session_max_seconds: i64,
    most_api_keys: u64,
}

/// Uses of credentials that have not been written yet.
#[derive(Default)]
struct PendingUses {
    /// Row id and time.
    keys: Vec<(i64, i64)>,
    /// Row id, time, and the new expiry of the session.
    sessions: Vec<(i64, i64, i64)>,
    /// Row id and time.
    grants: Vec<(i64, i64)>,
}

/// The interval in seconds in which uses are recorded once.
const TOUCH_SECONDS: i64 = 60;

/// How often expired sessions and links are purged.
const SWEEP_SECONDS: i64 = 600;

const DAY_SECONDS: i64 = 24 * 60 * 60;

impl Auth {
    pub fn open(store: Arc<Store>, config: &Config, clock: Clock) -> Result<Arc<Auth>, AuthError> {
        let auth = &config.auth;
        Ok(Arc::new(Auth {
            epoch: if store.is_read_only() {
                Epoch::fixed()
            } else {
                Epoch::open(store.directory())?
            },
            settings: Settings {
                sign_up: auth.sign_up,
                new_plan: auth.new_plan.into(),
                invitation_seconds: i64::from(auth.invitation_hours) * 60 * 60,
                link_seconds: i64::from(auth.sign_in_link_minutes) * 60,
                session_seconds: i64::from(config.session.days) * DAY_SECONDS,
                session_max_seconds: i64::from(config.session.max_days) * DAY_SECONDS,
                most_api_keys: config.limits.api_keys.into(),
            },
            passwords: Passwords::new(auth)?,
            attempts: Attempts::new(auth),
            issuers: Issuers::new(auth),
            programs: Programs::new(&config.oauth),
            cache: CredentialCache::new(),
            touched: Mutex::default(),
            swept_at: AtomicI64::new(0),
            first_operator: store
                .first_operator()?
                .map_or_else(OnceLock::new, OnceLock::from),
            group_operators: Mutex::new(store.group_operators()?),
            store,
            clock,
        }))
    }

    /// Brings the groups of providers in line with the configuration: their roles in collections, and
    /// no members where a group is none here any more.
    pub fn apply_group_settings(&self) -> Result<(), StoreError> {
        let now = self.clock.unix();
        self.store
            .retain_claimed_groups(&self.issuers.shared_groups(), now)?;
        let configured = self.issuers.configured_groups();
        self.store.apply_configured_groups(configured, now)
    }

    /// Whether an account is the first one, created by the link that the server printed.
    pub fn is_first_operator(&self, uid: &str) -> bool {
        self.first_operator.get().is_some_and(|first| first == uid)
    }

    /// Whether an account is an operator: as the first one, or by its owner's groups at a provider
    /// that is still configured for that.
    pub fn is_operator(&self, uid: &str) -> bool {
        let by_group = || self.issuers.name_operators() && self.group_operators().contains(uid);
        self.is_first_operator(uid) || by_group()
    }

    /// Hits and misses of the credential cache.
    pub fn cache_counts(&self) -> (u64, u64) {
        self.cache.counts.read()
    }

    fn group_operators(&self) -> MutexGuard<'_, HashSet<String>> {
        let operators = self.group_operators.lock();
        operators.unwrap_or_else(PoisonError::into_inner)
    }

    /// The owner of an API key or an access token, as sent in `Authorization`. `None` if it is malformed,
    /// unknown, revoked or expired, or its account disabled.
    pub fn by_bearer(&self, text: &str) -> Result<Option<Principal>, StoreError> {
        let Some(token) = SecretToken::parse(TokenKind::Access, text) else {
            return self.by_api_key(text);
        };
        let found = self.find(token.hash(), |hash| self.store.access_token_holder(hash))?;
        Ok(found.and_then(|token| self.use_access_token(&token)))
    }

    /// The same, if it is cached or malformed; else `None`. Does not access the database.
    pub fn remembered_bearer(&self, text: &str) -> Option<Option<Principal>> {
        let Some(token) = SecretToken::parse(TokenKind::Access, text) else {
            return self.remembered_api_key(text);
        };
        let token = self.remembered(&token.hash(), self.epoch.now())?;
        Some(self.use_access_token(&token))
    }

    fn use_access_token(&self, token: &CachedCredential) -> Option<Principal> {
        let now = self.clock.unix();
        if !self.programs.is_enabled() || token.is_expired(now) {
            return None;
        }
        if is_due(token, now) {
            self.touched().grants.push((token.credential, now));
        }
        Some(Principal {
            account: Arc::clone(&token.account),
            credential: Credential::AccessToken {
                id: token.credential,
                scopes: Scopes::from_bits(token.scopes),
                audience: TokenAudience::from_number(token.audience)?,
            },
        })
    }

    /// The owner of an API key. `None` if it is malformed, unknown, revoked or expired, or its
    /// account disabled.
    pub fn by_api_key(&self, text: &str) -> Result<Option<Principal>, StoreError> {
        let Some(token) = SecretToken::parse(TokenKind::ApiKey, text) else {
            return Ok(None);
        };
        let found = self.find(token.hash(), |hash| self.store.api_key_holder(hash))?;
        Ok(found.and_then(|key| self.use_api_key(&key)))
    }

    /// The same, if the key is cached or malformed; else `None`. Does not access the database.
    pub fn remembered_api_key(&self, text: &str) -> Option<Option<Principal>> {
        let Some(token) = SecretToken::parse(TokenKind::ApiKey, text) else {
            return Some(None);
        };
        let key = self.remembered(&token.hash(), self.epoch.now())?;
        Some(self.use_api_key(&key))
    }

    fn use_api_key(&self, key: &CachedCredential) -> Option<Principal> {
        let now = self.clock.unix();
        if key.is_expired(now) {
            return None;
        }
        if is_due(key, now) {
            self.touched().keys.push((key.credential, now));
        }
        Some(Principal {
            account: Arc::clone(&key.account),
            credential: Credential::ApiKey {
                id: key.credential,
                scopes: Scopes::from_bits(key.scopes),
            },
        })
    }

    /// The owner of a session, by the value of its cookie. Using a session extends it, but never
    /// beyond its maximum.
    pub fn by_session(&self, text: &str) -> Result<Option<Principal>, StoreError> {
        let Some(token) = SecretToken::parse(TokenKind::Session, text) else {
            return Ok(None);
        };
        let found = self.find(token.hash(), |hash| self.store.session_holder(hash))?;
        Ok(found.and_then(|session| self.use_session(&session)))
    }

    /// The same, if the session is cached or malformed; else `None`. Does not access the database.
    pub fn remembered_session(&self, text: &str) -> Option<Option<Principal>> {
        let Some(token) = SecretToken::parse(TokenKind::Session, text) else {
            return Some(None);
        };
        let session = self.remembered(&token.hash(), self.epoch.now())?;
        Some(self.use_session(&session))
    }

    fn use_session(&self, session: &CachedCredential) -> Option<Principal> {
        let now = self.clock.unix();
        if session.is_expired(now) || now >= self.session_end(session.created_at) {
            return None;
        }
        let seen = session.used_at.load(Ordering::Relaxed);
        if is_due(session, now) {
            let expires_at = self.session_expiry(session.created_at, now);
            session.expires_at.store(expires_at, Ordering::Relaxed);
            let touch = (session.credential, now, expires_at);
            self.touched().sessions.push(touch);
        }
        Some(Principal {
            account: Arc::clone(&session.account),
            credential: Credential::Session {
                id: session.credential,
                // The cookie is renewed once a day.
                extended: seen / DAY_SECONDS != now / DAY_SECONDS,
            },
        })
    }

    /// The idle time-out of a session, in seconds.
    pub fn session_seconds(&self) -> i64 {
        self.settings.session_seconds
    }

    /// The maximum expiry of a session, however much it is used.
    fn session_end(&self, created_at: i64) -> i64 {
        created_at + self.settings.session_max_seconds
    }

    /// The expiry of a session last used at a time.
    fn session_expiry(&self, created_at: i64, used_at: i64) -> i64 {
        (used_at + self.settings.session_seconds).min(self.session_end(created_at))
    }

    /// Writes the uses of credentials since the last call, and purges expired rows.
    pub fn flush(&self) -> Result<(), StoreError> {
        let touched = std::mem::take(&mut *self.touched());
        if !touched.keys.is_empty() || !touched.sessions.is_empty() || !touched.grants.is_empty() {
            self.store
                .touch(&touched.keys, &touched.sessions, &touched.grants)?;
        }
        let now = self.clock.unix();
        let due = now - self.swept_at.load(Ordering::Relaxed);
        if (0..SWEEP_SECONDS).contains(&due) {
            return Ok(());
        }
        self.swept_at.store(now, Ordering::Relaxed);
        self.store.drop_expired(now)?;
        let clients_before = now - self.programs.unused_seconds();
        self.store.drop_expired_grants(now, clients_before)
    }

    /// Looks a secret up in the cache of an epoch.
    fn remembered(&self, hash: &SecretHash, epoch: Option<u64>) -> Option<Arc<CachedCredential>> {
        let epoch = epoch?;
        let found = self.cache.get(hash, epoch, self.clock.elapsed_ms())?;
        self.cache.counts.count(true);
        Some(found)
    }

    /// Looks a secret up, in the cache or in the database.
    fn find(
        &self,
        hash: SecretHash,
        read: impl FnOnce(&SecretHash) -> Result<Option<CredentialOwner>, StoreError>,
    ) -> Result<Option<Arc<CachedCredential>>, StoreError> {
        // The epoch is read before the database: a change in between causes another read.
        let epoch = self.epoch.now();
        if let Some(found) = self.remembered(&hash, epoch) {
            return Ok(Some(found));
        }
        self.cache.counts.count(false);
        let Some(holder) = read(&hash)? else {
            return Ok(None);
        };
        let found = Arc::new(CachedCredential::new(holder, self.clock.elapsed_ms()));
        if let Some(epoch) = epoch {
            self.cache.put(hash, Arc::clone(&found), epoch);
        }
        Ok(Some(found))
    }

    fn touched(&self) -> std::sync::MutexGuard<'_, PendingUses> {
        self.touched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn random(&self) -> Result<[u8; 32], AuthError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|cause| AuthError::Random(cause.to_string()))?;
        Ok(bytes)
    }
}

/// Whether to record the use of a credential now; of several concurrent callers, one records it.
fn is_due(used: &CachedCredential, now: i64) -> bool {
    let before = used.used_at.load(Ordering::Relaxed);
    (now - before).abs() >= TOUCH_SECONDS
        && used
            .used_at
            .compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
}
