//! Layer 3: who callers are. Accounts with passwords or identities from elsewhere, API keys and
//! sessions, and the log of what was done to them.
//!
//! A credential on a request is read by [`Auth::by_api_key`] and [`Auth::by_session`]: one look into
//! a small cache, or one indexed read. Everything that changes an account goes through this room,
//! writes the audit log with the change, and raises the `epoch`, so that no cache outlives it.
//!
//! - `token`, `passwords`: secrets · `principal`: what they prove
//! - `cache`, `epoch`: the request path · `accounts`, `sign_in`: what people and operators do
//! - `oidc`: signing in through an identity provider

pub mod accounts;
mod cache;
mod epoch;
mod error;
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
use crate::store::{Store, StoreError};
use cache::{Cache, Remembered};
use epoch::Epoch;
pub use error::AuthError;
use oidc::Issuers;
use passwords::Passwords;
use principal::{Credential, Principal, Scopes};
use sign_in::Attempts;
use token::{Hash, Token, TokenKind};

/// Accounts and credentials. Shared by all threads.
pub struct Auth {
    store: Arc<Store>,
    clock: Clock,
    settings: Settings,
    passwords: Passwords,
    attempts: Attempts,
    issuers: Issuers,
    epoch: Epoch,
    cache: Cache,
    touched: Mutex<Touched>,
    /// When what has expired was last removed, Unix seconds.
    swept_at: AtomicI64,
    /// The id of the account that the server's own link made.
    first_operator: OnceLock<String>,
    /// The ids of the accounts that are operators' by their owners' groups.
    group_operators: Mutex<HashSet<String>>,
}

/// What the configuration says that is used in more than one place.
struct Settings {
    sign_up: SignUp,
    new_plan: citation_model::plan::Plan,
    invitation_seconds: i64,
    link_seconds: i64,
    session_seconds: i64,
    session_max_seconds: i64,
    most_api_keys: u64,
}

/// Uses of credentials that are still to be noted.
#[derive(Default)]
struct Touched {
    /// Number and time.
    keys: Vec<(i64, i64)>,
    /// Number, time, and when the session expires now.
    sessions: Vec<(i64, i64, i64)>,
}

/// Uses are noted once in so many seconds.
const TOUCH_SECONDS: i64 = 60;

/// How often sessions and links that have expired are removed.
const SWEEP_SECONDS: i64 = 600;

const DAY_SECONDS: i64 = 24 * 60 * 60;

impl Auth {
    pub fn open(store: Arc<Store>, config: &Config, clock: Clock) -> Result<Arc<Auth>, AuthError> {
        let auth = &config.auth;
        Ok(Arc::new(Auth {
            epoch: match store.is_read_only() {
                true => Epoch::fixed(),
                false => Epoch::open(store.directory())?,
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
            cache: Cache::new(),
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

    /// Whether an account is the first one, made by the link that the server printed.
    pub fn is_first_operator(&self, uid: &str) -> bool {
        self.first_operator.get().is_some_and(|first| first == uid)
    }

    /// Whether an account is an operator's: as the first one, or by its owner's groups at a provider
    /// that still has a say in that.
    pub fn is_operator(&self, uid: &str) -> bool {
        let by_group = || self.issuers.name_operators() && self.group_operators().contains(uid);
        self.is_first_operator(uid) || by_group()
    }

    /// Hits and misses of the memory for credentials.
    pub fn cache_counts(&self) -> (u64, u64) {
        self.cache.counts.read()
    }

    fn group_operators(&self) -> MutexGuard<'_, HashSet<String>> {
        let operators = self.group_operators.lock();
        operators.unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose an API key is. Nothing where it is malformed, unknown, revoked or expired, or its
    /// account disabled.
    pub fn by_api_key(&self, text: &str) -> Result<Option<Principal>, StoreError> {
        let Some(token) = Token::parse(TokenKind::ApiKey, text) else {
            return Ok(None);
        };
        let found = self.find(token.hash(), |hash| self.store.api_key_holder(hash))?;
        Ok(found.and_then(|key| self.use_api_key(&key)))
    }

    /// The same, where the key is remembered or malformed; else nothing. Asks no database.
    pub fn remembered_api_key(&self, text: &str) -> Option<Option<Principal>> {
        let Some(token) = Token::parse(TokenKind::ApiKey, text) else {
            return Some(None);
        };
        let key = self.remembered(&token.hash(), self.epoch.now())?;
        Some(self.use_api_key(&key))
    }

    fn use_api_key(&self, key: &Remembered) -> Option<Principal> {
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

    /// Whose a session is, by the value of its cookie. Using a session extends it, though never
    /// beyond its end.
    pub fn by_session(&self, text: &str) -> Result<Option<Principal>, StoreError> {
        let Some(token) = Token::parse(TokenKind::Session, text) else {
            return Ok(None);
        };
        let found = self.find(token.hash(), |hash| self.store.session_holder(hash))?;
        Ok(found.and_then(|session| self.use_session(&session)))
    }

    /// The same, where the session is remembered or malformed; else nothing. Asks no database.
    pub fn remembered_session(&self, text: &str) -> Option<Option<Principal>> {
        let Some(token) = Token::parse(TokenKind::Session, text) else {
            return Some(None);
        };
        let session = self.remembered(&token.hash(), self.epoch.now())?;
        Some(self.use_session(&session))
    }

    fn use_session(&self, session: &Remembered) -> Option<Principal> {
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
                // The browser is told once a day.
                extended: seen / DAY_SECONDS != now / DAY_SECONDS,
            },
        })
    }

    /// How long a session lasts without a request, in seconds.
    pub fn session_seconds(&self) -> i64 {
        self.settings.session_seconds
    }

    /// When a session ends, however much it is used.
    fn session_end(&self, created_at: i64) -> i64 {
        created_at + self.settings.session_max_seconds
    }

    /// When a session expires that was last used at a time.
    fn session_expiry(&self, created_at: i64, used_at: i64) -> i64 {
        (used_at + self.settings.session_seconds).min(self.session_end(created_at))
    }

    /// Notes the uses of credentials since the last call, and removes what has expired.
    pub fn flush(&self) -> Result<(), StoreError> {
        let touched = std::mem::take(&mut *self.touched());
        if !touched.keys.is_empty() || !touched.sessions.is_empty() {
            self.store.touch(&touched.keys, &touched.sessions)?;
        }
        let now = self.clock.unix();
        let due = now - self.swept_at.load(Ordering::Relaxed);
        if (0..SWEEP_SECONDS).contains(&due) {
            return Ok(());
        }
        self.swept_at.store(now, Ordering::Relaxed);
        self.store.drop_expired(now)
    }

    /// Looks a secret up in the cache, which holds for an epoch.
    fn remembered(&self, hash: &Hash, epoch: Option<u64>) -> Option<Arc<Remembered>> {
        let epoch = epoch?;
        let found = self.cache.get(hash, epoch, self.clock.elapsed_ms())?;
        self.cache.counts.count(true);
        Some(found)
    }

    /// Looks a secret up, in the cache or in the database.
    fn find(
        &self,
        hash: Hash,
        read: impl FnOnce(&Hash) -> Result<Option<crate::store::holder::Holder>, StoreError>,
    ) -> Result<Option<Arc<Remembered>>, StoreError> {
        // The epoch is read before the database: what changes in between is then read again.
        let epoch = self.epoch.now();
        if let Some(found) = self.remembered(&hash, epoch) {
            return Ok(Some(found));
        }
        self.cache.counts.count(false);
        let Some(holder) = read(&hash)? else {
            return Ok(None);
        };
        let found = Arc::new(Remembered::new(holder, self.clock.elapsed_ms()));
        if let Some(epoch) = epoch {
            self.cache.put(hash, Arc::clone(&found), epoch);
        }
        Ok(Some(found))
    }

    fn touched(&self) -> std::sync::MutexGuard<'_, Touched> {
        self.touched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn random(&self) -> Result<[u8; 32], AuthError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|cause| AuthError::Random(cause.to_string()))?;
        Ok(bytes)
    }
}

/// Whether the use of a credential is to be noted now; of several callers at once, one notes it.
fn is_due(used: &Remembered, now: i64) -> bool {
    let before = used.used_at.load(Ordering::Relaxed);
    (now - before).abs() >= TOUCH_SECONDS
        && used
            .used_at
            .compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
}
