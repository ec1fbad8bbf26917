//! What a provider says about its limits: the budget that is left, and the rate that it allows.

use std::time::Duration;

use ureq::http::HeaderMap;

/// The remaining budget of a provider, as its last answer stated it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProviderBudget {
    /// Requests, credits or money, whatever the provider counts.
    pub remaining: f64,
    pub limit: Option<f64>,
    /// When the whole budget is available again: Unix seconds, UTC.
    pub resets_at: i64,
}

/// The part of a budget that is not spent, so that other programs with the same key, and the operator,
/// still have some.
const RESERVE: f64 = 0.01;

impl ProviderBudget {
    /// Reads the headers of an answer that came at `now` (Unix seconds). `None` without a budget that has an
    /// end: nobody knows how long to wait for another one.
    pub(super) fn read(headers: &HeaderMap, now: i64) -> Option<ProviderBudget> {
        let remaining = number(headers, &names("remaining"))?;
        let reset = number(headers, &names("reset"))?;
        Some(ProviderBudget {
            remaining,
            limit: number(headers, &names("limit")),
            resets_at: reset_time(reset, now),
        })
    }

    /// How long to leave the provider alone at `now`, if no more than the reserve is left.
    pub(super) fn pause(&self, now: i64) -> Option<Duration> {
        let reserve = self.limit.map_or(0.0, |limit| limit * RESERVE);
        let seconds = u64::try_from(self.resets_at - now).ok()?;
        (self.remaining <= reserve && seconds > 0).then(|| Duration::from_secs(seconds))
    }
}

/// The spellings of a header in use. A budget in money is the one that is enforced where there is one.
fn names(what: &str) -> [String; 4] {
    let suffix = if what == "reset" { "" } else { "-usd" };
    [
        format!("x-ratelimit-{what}{suffix}"),
        format!("x-ratelimit-{what}"),
        format!("x-rate-limit-{what}"),
        format!("ratelimit-{what}"),
    ]
}

fn number(headers: &HeaderMap, names: &[String]) -> Option<f64> {
    let mut values = names.iter().filter_map(|name| {
        let value = headers.get(name)?.to_str().ok()?.trim();
        value.parse::<f64>().ok()
    });
    values.find(|value| value.is_finite() && *value >= 0.0)
}

/// Some providers state the seconds that are left, others the moment.
fn reset_time(value: f64, now: i64) -> i64 {
    /// 2001: no provider's window is longer than thirty years.
    const EARLIEST_MOMENT: f64 = 1e9;
    if value < EARLIEST_MOMENT {
        now.saturating_add(value.ceil() as i64)
    } else {
        value as i64
    }
}

/// The shortest time between two requests that the provider allows: Crossref's
/// `X-Rate-Limit-Limit: 50` and `X-Rate-Limit-Interval: 1s`.
pub(super) fn interval(headers: &HeaderMap) -> Option<Duration> {
    let interval = ["x-rate-limit-interval", "x-ratelimit-interval"];
    let interval = interval.iter().find_map(|name| headers.get(*name))?;
    let seconds = interval.to_str().ok()?.trim().trim_end_matches('s');
    let seconds: f64 = seconds.parse().ok()?;
    let limits = ["x-rate-limit-limit", "x-ratelimit-limit"].map(str::to_owned);
    let limit = number(headers, &limits).filter(|limit| *limit >= 1.0)?;
    Duration::try_from_secs_f64(seconds / limit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_780_000_000;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let parsed = pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        parsed.collect()
    }

    #[track_caller]
    fn check(pairs: &[(&'static str, &'static str)], remaining: f64, pause: Option<u64>) {
        let budget = ProviderBudget::read(&headers(pairs), NOW).unwrap();
        assert_eq!(budget.remaining, remaining);
        assert_eq!(budget.pause(NOW), pause.map(Duration::from_secs));
    }

    #[test]
    fn budget_is_left_alone_before_it_is_spent() {
        check(
            &[
                ("x-ratelimit-limit", "1000"),
                ("x-ratelimit-remaining", "11"),
                ("x-ratelimit-reset", "3600"),
            ],
            11.0,
            None,
        );
        check(
            &[
                ("x-ratelimit-limit", "1000"),
                ("x-ratelimit-remaining", "10"),
                ("x-ratelimit-reset", "3600"),
            ],
            10.0,
            Some(3600),
        );
        check(
            &[
                ("ratelimit-remaining", "0"),
                ("ratelimit-reset", "1780000060"),
            ],
            0.0,
            Some(60),
        );
        check(
            &[
                ("x-ratelimit-limit-usd", "1"),
                ("x-ratelimit-remaining-usd", "0.0099"),
                ("x-ratelimit-remaining", "5000"),
                ("x-ratelimit-reset", "7.5"),
            ],
            0.0099,
            Some(8),
        );
    }

    #[test]
    fn incomplete_statements_are_no_budget() {
        let read = |pairs: &[_]| ProviderBudget::read(&headers(pairs), NOW);
        assert_eq!(read(&[("x-ratelimit-remaining", "0")]), None);
        assert_eq!(
            read(&[("x-ratelimit-remaining", "-1"), ("x-ratelimit-reset", "9")]),
            None
        );
        assert_eq!(
            read(&[("x-ratelimit-remaining", "few"), ("x-ratelimit-reset", "9")]),
            None
        );
    }

    #[test]
    fn allowed_rate_is_read() {
        let rate = |limit, interval| {
            super::interval(&headers(&[
                ("x-rate-limit-limit", limit),
                ("x-rate-limit-interval", interval),
            ]))
        };
        assert_eq!(rate("50", "1s"), Some(Duration::from_millis(20)));
        assert_eq!(rate("0", "1s"), None);
        assert_eq!(rate("5", "soon"), None);
        assert_eq!(rate("5", "1e300s"), None);
    }
}
