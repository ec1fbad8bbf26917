//! Linking identities: the owner starts, the provider authenticates, the owner confirms.
//! All of this must happen in one session and within minutes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::AuthenticatedPerson;
use super::flow::LIFE_SECONDS;

/// Pending links by session: at most one identity each.
#[derive(Default)]
pub struct PendingLinks(Mutex<HashMap<i64, Link>>);

struct Link {
    /// The id of the flow.
    id: String,
    began_at: i64,
    /// `None` until the provider has authenticated.
    person: Option<AuthenticatedPerson>,
}

/// Maximum number of pending links.
const BOUND: usize = 10_000;

impl PendingLinks {
    pub fn begin(&self, session: i64, id: &str, now: i64) {
        let mut links = self.lock();
        links.retain(|_, link| link.is_alive(now));
        if links.len() >= BOUND
            && let Some(oldest) = links.iter().min_by_key(|(_, link)| link.began_at)
        {
            let oldest = *oldest.0;
            links.remove(&oldest);
        }
        let link = Link {
            id: id.to_owned(),
            began_at: now,
            person: None,
        };
        links.insert(session, link);
    }

    /// Whether the session has started this flow.
    pub fn record_authenticated(
        &self,
        session: i64,
        id: &str,
        person: AuthenticatedPerson,
        now: i64,
    ) -> bool {
        match self.lock().get_mut(&session) {
            Some(link) if link.id == id && link.is_alive(now) => {
                link.person = Some(person);
                true
            }
            _ => false,
        }
    }

    pub fn waiting(&self, session: i64, now: i64) -> Option<(String, AuthenticatedPerson)> {
        let links = self.lock();
        let link = links.get(&session).filter(|link| link.is_alive(now))?;
        Some((link.id.clone(), link.person.clone()?))
    }

    pub fn take(&self, session: i64, id: &str, now: i64) -> Option<AuthenticatedPerson> {
        let mut links = self.lock();
        let link = links.get(&session)?;
        if link.id != id || !link.is_alive(now) {
            return None;
        }
        links.remove(&session)?.person
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<i64, Link>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Link {
    fn is_alive(&self, now: i64) -> bool {
        (0..LIFE_SECONDS).contains(&(now - self.began_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::oidc::GroupStatus;
    use crate::store::users::Identity;

    fn person() -> AuthenticatedPerson {
        AuthenticatedPerson {
            group_status: GroupStatus::default(),
            identity: Identity {
                issuer: "https://id.example.org".to_owned(),
                subject: "alice".to_owned(),
                email: None,
            },
            name: None,
        }
    }

    #[test]
    fn link_is_confirmed_once_in_its_session() {
        let links = PendingLinks::default();
        assert!(!links.record_authenticated(1, "a", person(), 0));
        links.begin(1, "a", 0);
        assert!(
            !links.record_authenticated(2, "a", person(), 0)
                && !links.record_authenticated(1, "b", person(), 0)
        );
        assert!(links.waiting(1, 0).is_none());
        assert!(links.record_authenticated(1, "a", person(), 0));
        assert_eq!(links.waiting(1, 0), Some(("a".to_owned(), person())));
        assert!(links.take(2, "a", 0).is_none() && links.take(1, "b", 0).is_none());
        assert!(links.take(1, "a", LIFE_SECONDS).is_none());
        assert_eq!(links.take(1, "a", 1), Some(person()));
        assert!(links.take(1, "a", 1).is_none());
    }

    #[test]
    fn links_are_bounded() {
        let links = PendingLinks::default();
        for session in 0..BOUND as i64 + 10 {
            links.begin(session, "a", session / 1_000);
        }
        assert_eq!(links.lock().len(), BOUND);
        links.begin(-1, "a", 1_000 * LIFE_SECONDS);
        assert_eq!(links.lock().len(), 1);
    }
}
