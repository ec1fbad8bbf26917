//! Plans: the kind of user that a caller is (interface specification, part 8).

use serde::{Deserialize, Serialize};

/// A plan. In ascending order: each allows at least what the previous one allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// No account; known only by address.
    Anonymous,
    Free,
    Academic,
    Business,
}

impl Plan {
    pub const ALL: [Plan; 4] = [Plan::Anonymous, Plan::Free, Plan::Academic, Plan::Business];

    /// The name in replies, for example in `active_plan`.
    pub fn as_str(self) -> &'static str {
        match self {
            Plan::Anonymous => "Anonymous",
            Plan::Free => "Free",
            Plan::Academic => "Academic",
            Plan::Business => "Business",
        }
    }

    /// Parses a name, ignoring case.
    pub fn parse(text: &str) -> Option<Plan> {
        let text = text.trim();
        Plan::ALL
            .into_iter()
            .find(|plan| plan.as_str().eq_ignore_ascii_case(text))
    }

    /// The number of the plan in the database and the usage journal. Never change one.
    pub fn number(self) -> u8 {
        match self {
            Plan::Anonymous => 0,
            Plan::Free => 1,
            Plan::Academic => 2,
            Plan::Business => 3,
        }
    }

    /// The plan with this number; `None` for an unknown number.
    pub fn from_number(number: u8) -> Option<Plan> {
        Plan::ALL.into_iter().find(|plan| plan.number() == number)
    }

    /// Whether the plan is paid. Paid plans may use the utilities and batches (specification, section 5.5).
    pub fn is_paid(self) -> bool {
        self >= Plan::Academic
    }
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_read_back() {
        for plan in Plan::ALL {
            assert_eq!(Plan::parse(&plan.as_str().to_uppercase()), Some(plan));
            assert_eq!(Plan::from_number(plan.number()), Some(plan));
        }
        assert_eq!(Plan::parse("gold"), None);
        assert_eq!(Plan::from_number(9), None);
    }
}
