//! The actions of routes and their requirements: an account, a plan, a scope.

/// What a route allows its caller to do. Every row of the route table has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Public and without rate limit: health and static files. Credentials are ignored.
    Probe,
    /// Public: styles, documentation, the caller's status.
    Public,
    /// Public; counts against a paid plan's monthly allowance.
    Format,
    /// A lookup: public, and counted against the daily quota.
    Lookup,
    /// A lookup for accounts only.
    AccountLookup,
    /// Reading the account's data.
    Read,
    /// Changing the account's data.
    Write,
    /// Reading, for paid plans.
    PaidRead,
    /// Changing the account's data, for paid plans.
    PaidWrite,
    /// Batch lookups, for paid plans.
    PaidLookup,
    /// Only for the signed-in owner, not with a key: managing keys.
    Session,
    /// Only for signed-in operators: the accounts in `auth.operators`.
    Operator,
    /// A public page.
    Page,
    /// A page for signed-in users; others are sent to the sign-in page.
    AccountPage,
    /// A page for signed-in operators; those without an account are sent to the sign-in page.
    OperatorPage,
}

/// The scope that a key needs for an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum KeyScope {
    Read,
    Write,
}

impl Action {
    /// Whether the caller must have an account.
    pub fn needs_account(self) -> bool {
        use Action::*;
        matches!(
            self,
            AccountLookup
                | Read
                | Write
                | PaidRead
                | PaidWrite
                | PaidLookup
                | Session
                | Operator
                | AccountPage
                | OperatorPage
        )
    }

    /// Whether the caller needs a paid plan (specification, section 5.5).
    pub fn needs_paid_plan(self) -> bool {
        matches!(
            self,
            Action::PaidRead | Action::PaidWrite | Action::PaidLookup
        )
    }

    /// Whether lookups are charged.
    pub fn is_lookup(self) -> bool {
        matches!(
            self,
            Action::Lookup | Action::AccountLookup | Action::PaidLookup
        )
    }

    /// Whether the answer is a page, including errors.
    pub fn is_page(self) -> bool {
        matches!(
            self,
            Action::Page | Action::AccountPage | Action::OperatorPage
        )
    }

    /// Whether a key's call counts against the monthly allowance (interface decisions, section 3).
    pub fn is_metered(self) -> bool {
        use Action::*;
        matches!(
            self,
            Format | Lookup | AccountLookup | Read | Write | PaidRead | PaidWrite | PaidLookup
        )
    }

    /// The scope that a key needs; `None` if keys are not accepted or not checked.
    pub fn scope(self) -> Option<KeyScope> {
        use Action::*;
        match self {
            Lookup | AccountLookup | Format | Read | PaidRead | PaidLookup => Some(KeyScope::Read),
            Write | PaidWrite => Some(KeyScope::Write),
            Probe | Public | Session | Operator | Page | AccountPage | OperatorPage => None,
        }
    }
}
