//! What a route lets its caller do, and what that takes: an account, a plan, a scope.

/// What a route lets its caller do. Every row of the route table names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Open to everybody and not limited: health and static files. Credentials are not looked at.
    Probe,
    /// Open to everybody: styles, documentation, one's own standing.
    Public,
    /// Open to everybody; part of a paid plan's monthly allowance.
    Format,
    /// A lookup: open to everybody, and counted against the daily quota.
    Lookup,
    /// Reading what is one's own.
    Read,
    /// Changing what is one's own.
    Write,
    /// Reading, for paid plans.
    PaidRead,
    /// Changing what is one's own, for paid plans.
    PaidWrite,
    /// Lookups by the batch, for paid plans.
    PaidLookup,
    /// What only the owner may do who has signed in, and no key: managing keys.
    Session,
    /// What only the operator may see, signed in: the accounts that `auth.operators` names.
    Operator,
    /// A page that is open to everybody.
    Page,
    /// A page for those who have signed in; others are sent to do so.
    AccountPage,
}

/// What a key must be allowed for an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Read,
    Write,
}

impl Action {
    /// Whether the caller must have an account.
    pub fn needs_account(self) -> bool {
        use Action::*;
        matches!(
            self,
            Read | Write | PaidRead | PaidWrite | PaidLookup | Session | Operator | AccountPage
        )
    }

    /// Whether the caller's plan must be a paid one (specification, section 5.5).
    pub fn needs_paid_plan(self) -> bool {
        matches!(
            self,
            Action::PaidRead | Action::PaidWrite | Action::PaidLookup
        )
    }

    /// Whether lookups are charged.
    pub fn is_lookup(self) -> bool {
        matches!(self, Action::Lookup | Action::PaidLookup)
    }

    /// Whether the answer is a page, failures included.
    pub fn is_page(self) -> bool {
        matches!(self, Action::Page | Action::AccountPage)
    }

    /// Whether a key's call is part of the monthly allowance (interface decisions, section 3).
    pub fn is_metered(self) -> bool {
        use Action::*;
        matches!(
            self,
            Format | Lookup | Read | Write | PaidRead | PaidWrite | PaidLookup
        )
    }

    /// What a key must be allowed; nothing where a key is not asked.
    pub fn scope(self) -> Option<Scope> {
        use Action::*;
        match self {
            Lookup | Format | Read | PaidRead | PaidLookup => Some(Scope::Read),
            Write | PaidWrite => Some(Scope::Write),
            Probe | Public | Session | Operator | Page | AccountPage => None,
        }
    }
}
