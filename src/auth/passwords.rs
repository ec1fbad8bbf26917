//! Passwords: argon2id with limited concurrency, since each hash takes memory and some 35 ms.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};

use crate::config::AuthSettings;

/// Hashes and checks passwords.
pub struct Passwords {
    argon2: Argon2<'static>,
    min_chars: usize,
    max_chars: usize,
    slots: HashSlots,
    /// A dummy hash for unknown accounts: they must take just as long.
    decoy: OnceLock<String>,
    /// Number of hashes computed to check passwords.
    #[cfg(test)]
    pub(super) checked: std::sync::atomic::AtomicUsize,
}

/// Why a password was not hashed or checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error("a password must have at least {0} characters")]
    TooShort(usize),
    #[error("a password may have at most {0} characters")]
    TooLong(usize),
    /// Too many are waiting.
    #[error("too many passwords are being checked; try again in a moment")]
    Busy,
    /// The configured memory or passes are invalid.
    #[error("the password could not be hashed: {0}")]
    Failed(String),
}

/// Maximum number of waiting passwords per running check.
const WAITING_PER_WORKER: usize = 16;

impl Passwords {
    pub fn new(settings: &AuthSettings) -> Result<Passwords, PasswordError> {
        let params = Params::new(
            settings.password_memory_kib,
            settings.password_passes,
            settings.password_lanes,
            None,
        )
        .map_err(|cause| PasswordError::Failed(cause.to_string()))?;
        Ok(Passwords {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            min_chars: settings.password_min_chars as usize,
            max_chars: settings.password_max_chars as usize,
            slots: HashSlots::new(settings.password_workers as usize),
            decoy: OnceLock::new(),
            #[cfg(test)]
            checked: Default::default(),
        })
    }

    /// Minimum characters of a password.
    pub fn min_chars(&self) -> usize {
        self.min_chars
    }

    /// Whether the length of a new password is allowed.
    pub fn check(&self, password: &str) -> Result<(), PasswordError> {
        let chars = password.chars().count();
        if chars < self.min_chars {
            return Err(PasswordError::TooShort(self.min_chars));
        }
        if chars > self.max_chars {
            return Err(PasswordError::TooLong(self.max_chars));
        }
        Ok(())
    }

    /// Hashes a new password, as a PHC string with its own salt.
    pub fn hash(&self, password: &str) -> Result<String, PasswordError> {
        self.check(password)?;
        let _slot = self.slots.take()?;
        self.hash_unchecked(password)
    }

    /// Verifies a password against a hash. Without a hash the answer is no, after the same
    /// time.
    pub fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool, PasswordError> {
        if password.chars().count() > self.max_chars {
            return Ok(false);
        }
        let _slot = self.slots.take()?;
        let decoy = match self.decoy.get() {
            Some(decoy) => decoy,
            None => {
                let made = self.hash_unchecked("")?;
                self.decoy.get_or_init(|| made)
            }
        };
        let hash = PasswordHash::new(stored.unwrap_or(decoy))
            .map_err(|cause| PasswordError::Failed(cause.to_string()))?;
        #[cfg(test)]
        self.checked
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let matches = self
            .argon2
            .verify_password(password.as_bytes(), &hash)
            .is_ok();
        Ok(matches && stored.is_some())
    }

    fn hash_unchecked(&self, password: &str) -> Result<String, PasswordError> {
        self.argon2
            .hash_password(password.as_bytes())
            .map(|hash| hash.to_string())
            .map_err(|cause| PasswordError::Failed(cause.to_string()))
    }
}

/// A semaphore with a bounded number of waiting jobs.
struct HashSlots {
    state: Mutex<SlotState>,
    freed: Condvar,
    most_waiting: usize,
}

struct SlotState {
    free: usize,
    waiting: usize,
}

struct HashSlot<'a>(&'a HashSlots);

impl HashSlots {
    fn new(count: usize) -> HashSlots {
        let count = count.max(1);
        HashSlots {
            state: Mutex::new(SlotState {
                free: count,
                waiting: 0,
            }),
            freed: Condvar::new(),
            most_waiting: count * WAITING_PER_WORKER,
        }
    }

    fn take(&self) -> Result<HashSlot<'_>, PasswordError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.free == 0 && state.waiting >= self.most_waiting {
            return Err(PasswordError::Busy);
        }
        state.waiting += 1;
        while state.free == 0 {
            state = self
                .freed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting -= 1;
        state.free -= 1;
        Ok(HashSlot(self))
    }
}

impl Drop for HashSlot<'_> {
    fn drop(&mut self) {
        self.0
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .free += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passwords() -> Passwords {
        let settings = AuthSettings {
            password_memory_kib: 8_192,
            password_passes: 1,
            ..AuthSettings::default()
        };
        Passwords::new(&settings).unwrap()
    }

    #[test]
    fn password_verifies_against_its_hash() {
        let passwords = passwords();
        let hash = passwords.hash("correct horse battery").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8192,t=1,p=1$"), "{hash}");
        assert_eq!(
            passwords.verify("correct horse battery", Some(&hash)),
            Ok(true)
        );
        assert_eq!(
            passwords.verify("correct horse batterx", Some(&hash)),
            Ok(false)
        );
        assert_ne!(passwords.hash("correct horse battery").unwrap(), hash);
    }

    #[test]
    fn missing_hash_verifies_no_password() {
        let passwords = passwords();
        assert_eq!(passwords.verify("", None), Ok(false));
        assert_eq!(passwords.verify("anything at all", None), Ok(false));
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        let passwords = passwords();
        assert_eq!(
            passwords.hash("elf Zeichen"),
            Err(PasswordError::TooShort(12))
        );
        assert!(passwords.hash("zwölf Zeiche").is_ok());
        let long = "ä".repeat(257);
        assert_eq!(passwords.hash(&long), Err(PasswordError::TooLong(256)));
        assert_eq!(passwords.verify(&long, None), Ok(false));
    }

    #[test]
    fn password_checks_have_a_bounded_queue() {
        let slots = HashSlots::new(1);
        let first = slots.take().unwrap();
        slots.state.lock().unwrap().waiting = WAITING_PER_WORKER;
        assert_eq!(slots.take().err(), Some(PasswordError::Busy));
        slots.state.lock().unwrap().waiting = 0;
        drop(first);
        assert!(slots.take().is_ok());
    }
}
