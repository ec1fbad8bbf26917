//! A failed attempt, and whether another one may succeed.

use std::time::Duration;

use ureq::http::{HeaderMap, header};

use crate::provider::address::NOT_PUBLIC;
use crate::provider::deadline::Deadline;
use crate::provider::error::ProviderErrorKind;

/// A failed attempt.
pub(super) struct Failure {
    pub kind: ProviderErrorKind,
    /// The wait of `Retry-After`.
    pub asked_for: Option<Duration>,
}

impl Failure {
    pub fn of(kind: ProviderErrorKind) -> Failure {
        Failure {
            kind,
            asked_for: None,
        }
    }

    pub fn retry_after(&self) -> Option<Duration> {
        match &self.kind {
            ProviderErrorKind::RateLimited { retry_after } => *retry_after,
            _ => self.asked_for,
        }
    }

    /// Whether a retry may succeed.
    pub fn may_pass(&self) -> bool {
        match &self.kind {
            ProviderErrorKind::RateLimited { .. } | ProviderErrorKind::Connection { .. } => true,
            ProviderErrorKind::Refused { status } => matches!(status, 502..=504),
            _ => false,
        }
    }
}

pub(super) fn timed_out(deadline: &Deadline) -> Failure {
    Failure::of(ProviderErrorKind::Timeout {
        after_ms: deadline.elapsed_ms(),
    })
}

pub(super) fn refused_redirect(reason: &str) -> Failure {
    Failure::of(ProviderErrorKind::Redirect {
        reason: reason.to_owned(),
    })
}

/// Classifies a client error. Its text goes to the log and to the operator, so it only contains
/// kind and cause.
pub(super) fn failure(error: ureq::Error, deadline: &Deadline) -> Failure {
    let connection = |reason: String| Failure::of(ProviderErrorKind::Connection { reason });
    match error {
        ureq::Error::Timeout(_) => timed_out(deadline),
        ureq::Error::Io(error) => match error.kind() {
            std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock => timed_out(deadline),
            std::io::ErrorKind::PermissionDenied if error.to_string() == NOT_PUBLIC => {
                refused_redirect(NOT_PUBLIC)
            }
            _ => connection(error.to_string()),
        },
        ureq::Error::HostNotFound => connection("its name does not resolve".into()),
        ureq::Error::Protocol(error) => Failure::of(ProviderErrorKind::Malformed {
            reason: error.to_string(),
        }),
        // Broken compression, unterminated headers and the like.
        error @ (ureq::Error::Http(_)
        | ureq::Error::BadUri(_)
        | ureq::Error::Decompress(_, _)
        | ureq::Error::LargeResponseHeader(_, _)) => Failure::of(ProviderErrorKind::Malformed {
            reason: error.to_string(),
        }),
        error => connection(error.to_string()),
    }
}

/// `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    let seconds = date.as_second() - jiff::Timestamp::now().as_second();
    Some(Duration::from_secs(
        u64::try_from(seconds).unwrap_or_default(),
    ))
}

/// A random time between half of the pause and all of it, so that failed clients do not retry
/// at the same moment.
pub(super) fn jittered(pause: Duration) -> Duration {
    let mut random = [0_u8; 2];
    // Without randomness the pause is fixed; nothing depends on it.
    let share = match getrandom::fill(&mut random) {
        Ok(()) => f64::from(u16::from_le_bytes(random)) / f64::from(u16::MAX),
        Err(_) => 1.0,
    };
    pause.mul_f64(0.5 + share / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_parsed() {
        let check = |value: &str, expected: Option<u64>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RETRY_AFTER, value.parse().unwrap());
            assert_eq!(
                retry_after(&headers),
                expected.map(Duration::from_secs),
                "{value}"
            );
        };
        check("7", Some(7));
        check("Wed, 21 Oct 2015 07:28:00 GMT", Some(0));
        check("soon", None);
        check("-1", None);
    }

    #[test]
    fn jitter_stays_between_half_and_whole() {
        for _ in 0..100 {
            let pause = jittered(Duration::from_millis(200));
            assert!((100..=200).contains(&pause.as_millis()), "{pause:?}");
        }
    }
}
