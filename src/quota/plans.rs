//! The limits of each plan (interface specification, part 8).

use crate::config::{LimitSettings, QuotaSettings};
use citation_model::plan::Plan;

/// The limits of one plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// Lookups in a window of 24 hours.
    pub daily_lookups: u64,
    /// API calls in a calendar month included in the price. `None`: the plan has no allowance,
    /// and its calls are not recorded.
    pub monthly_calls: Option<u64>,
    /// The monthly price, as shown in texts: `EUR 4`. `None` without billing.
    pub price: Option<String>,
    pub collections: u64,
    pub entries_per_collection: u64,
    /// Maximum bytes stored for an account.
    pub account_bytes: u64,
    /// Requests per minute: by address for anonymous callers, by credential for others.
    pub burst_per_minute: u32,
}

/// The rules of every plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans {
    pub anonymous: PlanLimits,
    pub free: PlanLimits,
    pub academic: PlanLimits,
    pub business: PlanLimits,
}

/// A price, unless billing is off.
fn price(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

impl Plans {
    /// The configured rules.
    pub fn new(quota: &QuotaSettings, limits: &LimitSettings) -> Plans {
        let burst = limits.credential_per_minute;
        Plans {
            anonymous: PlanLimits {
                daily_lookups: quota.anonymous_daily.into(),
                monthly_calls: None,
                price: None,
                collections: 0,
                entries_per_collection: 0,
                account_bytes: 0,
                burst_per_minute: limits.anonymous_per_minute,
            },
            free: PlanLimits {
                daily_lookups: quota.free_daily.into(),
                monthly_calls: None,
                price: None,
                collections: limits.free_collections.into(),
                entries_per_collection: limits.free_entries.into(),
                account_bytes: limits.free_account_bytes,
                burst_per_minute: burst,
            },
            academic: PlanLimits {
                daily_lookups: quota.academic_daily.into(),
                monthly_calls: Some(quota.academic_monthly.into()),
                price: price(&quota.academic_price),
                collections: limits.academic_collections.into(),
                entries_per_collection: limits.academic_entries.into(),
                account_bytes: limits.academic_account_bytes,
                burst_per_minute: burst,
            },
            business: PlanLimits {
                daily_lookups: quota.business_daily.into(),
                monthly_calls: Some(quota.business_monthly.into()),
                price: price(&quota.business_price),
                collections: limits.business_collections.into(),
                entries_per_collection: limits.business_entries.into(),
                account_bytes: limits.business_account_bytes,
                burst_per_minute: burst,
            },
        }
    }

    pub fn rules(&self, plan: Plan) -> &PlanLimits {
        match plan {
            Plan::Anonymous => &self.anonymous,
            Plan::Free => &self.free,
            Plan::Academic => &self.academic,
            Plan::Business => &self.business,
        }
    }
}

impl Default for Plans {
    fn default() -> Plans {
        Plans::new(&QuotaSettings::default(), &LimitSettings::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the interface specification, part 8.
    #[test]
    fn defaults_match_the_specification() {
        let plans = Plans::default();
        let numbers = |plan| {
            let rules = plans.rules(plan);
            (
                rules.daily_lookups,
                rules.monthly_calls,
                rules.price.as_deref(),
                (rules.collections, rules.entries_per_collection),
                rules.burst_per_minute,
            )
        };
        assert_eq!(numbers(Plan::Anonymous), (20, None, None, (0, 0), 100));
        assert_eq!(numbers(Plan::Free), (60, None, None, (4, 200), 600));
        let academic = (20_000, Some(10_000), Some("EUR 4"), (10, 1_000), 600);
        assert_eq!(numbers(Plan::Academic), academic);
        let business = (20_000, Some(40_000), Some("EUR 10"), (20, 4_000), 600);
        assert_eq!(numbers(Plan::Business), business);
    }
}
