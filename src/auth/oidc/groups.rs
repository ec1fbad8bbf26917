//! Maps a provider's groups to an account's plan and operator status, and to groups with a role in
//! collections.

use serde_json::{Map, Value};

use crate::config::{AuthSettings, ClaimedRole, IssuerSettings};
use crate::store::collections::{ConfiguredGroup, Role};
use citation_model::plan::Plan;

/// The result of mapping groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupStatus {
    /// `None`: groups do not decide it.
    pub plan: Option<GroupPlan>,
    /// `None`: groups do not decide it.
    pub is_operator: Option<bool>,
    /// The groups that are groups here too. `None`: none are named.
    pub shared: Option<Vec<String>>,
}

/// A plan decided by groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupPlan {
    Of(Plan),
    /// No group has a plan: that of new accounts.
    New,
}

impl GroupStatus {
    pub fn of(settings: &IssuerSettings, claims: &Map<String, Value>) -> GroupStatus {
        let groups = claim(settings, claims).map_or_else(Vec::new, texts);
        let is_in = |named: &[String]| named.iter().any(|name| groups.contains(&name.as_str()));
        let plan = match (
            is_in(&settings.business_groups),
            is_in(&settings.academic_groups),
        ) {
            (true, _) => GroupPlan::Of(Plan::Business),
            (false, true) => GroupPlan::Of(Plan::Academic),
            (false, false) => GroupPlan::New,
        };
        let operators = &settings.operator_groups;
        GroupStatus {
            plan: has_plans(settings).then_some(plan),
            is_operator: (!operators.is_empty()).then(|| is_in(operators)),
            shared: (!settings.shared_groups.is_empty()).then(|| {
                let named = settings.shared_groups.iter();
                named
                    .filter(|name| groups.contains(&name.as_str()))
                    .cloned()
                    .collect()
            }),
        }
    }
}

fn has_plans(settings: &IssuerSettings) -> bool {
    !settings.academic_groups.is_empty() || !settings.business_groups.is_empty()
}

/// Whether groups change anything.
pub fn matter(settings: &IssuerSettings) -> bool {
    has_plans(settings)
        || !settings.operator_groups.is_empty()
        || !settings.shared_groups.is_empty()
}

/// A provider's settings whose shared groups also have those of `auth.groups`.
pub fn with_shared(issuer: &IssuerSettings, settings: &AuthSettings) -> IssuerSettings {
    let mut issuer = issuer.clone();
    let of_issuer = { settings.groups.iter() }.filter(|group| group.provider == issuer.name);
    for group in of_issuer {
        if !issuer.shared_groups.contains(&group.claim) {
            issuer.shared_groups.push(group.claim.clone());
        }
    }
    issuer
}

/// The groups of `auth.groups`, each with its issuer.
pub fn configured(settings: &AuthSettings) -> Vec<ConfiguredGroup> {
    let groups = settings.groups.iter().filter_map(|group| {
        let mut issuers = settings.oidc.iter();
        let issuer = issuers.find(|issuer| issuer.name == group.provider)?;
        let name = match group.name.as_str() {
            "" => &group.claim,
            name => name,
        };
        Some(ConfiguredGroup {
            issuer: issuer.issuer.trim_end_matches('/').to_owned(),
            claim: group.claim.clone(),
            name: name.to_owned(),
            role: match group.role {
                ClaimedRole::Reader => Role::Reader,
                ClaimedRole::Editor => Role::Editor,
            },
            collections: group.collections.clone(),
        })
    });
    groups.collect()
}

/// The claim with that name, or the one at its dotted path.
pub fn claim<'c>(settings: &IssuerSettings, claims: &'c Map<String, Value>) -> Option<&'c Value> {
    let name = settings.groups_claim.as_str();
    claims.get(name).or_else(|| {
        let mut steps = name.split('.');
        let first = claims.get(steps.next()?)?;
        steps.try_fold(first, |value, step| value.get(step))
    })
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn settings(claim: &str) -> IssuerSettings {
        IssuerSettings {
            groups_claim: claim.to_owned(),
            operator_groups: vec!["Library Staff".to_owned()],
            academic_groups: vec!["/students".to_owned()],
            business_groups: vec!["lab".to_owned()],
            ..IssuerSettings::default()
        }
    }

    #[test]
    fn groups_give_the_highest_plan() {
        let check = |claim: &str, claims: Value, plan: GroupPlan, is_operator: bool| {
            let group_status = GroupStatus::of(&settings(claim), claims.as_object().unwrap());
            let expected = GroupStatus {
                plan: Some(plan),
                is_operator: Some(is_operator),
                shared: None,
            };
            assert_eq!(group_status, expected, "{claims}");
        };
        let of = GroupPlan::Of;
        check(
            "groups",
            json!({"groups": ["/students", "lab"]}),
            of(Plan::Business),
            false,
        );
        check(
            "groups",
            json!({"groups": "/students"}),
            of(Plan::Academic),
            false,
        );
        check(
            "groups",
            json!({"groups": ["Library Staff", 7]}),
            GroupPlan::New,
            true,
        );
        check(
            "groups",
            json!({"groups": {"lab": true}}),
            GroupPlan::New,
            false,
        );
        check("groups", json!({}), GroupPlan::New, false);
        check(
            "realm_access.roles",
            json!({"realm_access": {"roles": ["lab"]}}),
            of(Plan::Business),
            false,
        );
        check(
            "https://example.org/groups",
            json!({"https://example.org/groups": ["lab"]}),
            of(Plan::Business),
            false,
        );
    }

    #[test]
    fn shared_groups_are_those_of_the_claim_that_are_named() {
        let settings = IssuerSettings {
            shared_groups: vec!["lab".to_owned(), "other".to_owned()],
            ..IssuerSettings::default()
        };
        let claims = json!({"groups": ["lab", "unnamed"]});
        let group_status = GroupStatus::of(&settings, claims.as_object().unwrap());
        assert_eq!(group_status.shared, Some(vec!["lab".to_owned()]));
    }

    #[test]
    fn groups_are_ignored_if_none_are_configured() {
        let claims = json!({"groups": ["lab"]});
        let group_status = GroupStatus::of(&IssuerSettings::default(), claims.as_object().unwrap());
        assert_eq!(group_status, GroupStatus::default());
    }
}
