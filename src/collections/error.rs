//! Errors of collections.

use super::changes::Conflict;
use super::entry::Duplicate;
use super::input::Fault;
use super::policy::CollectionAction;
use crate::store::StoreError;
use crate::store::collections::Role;
use citation_model::budget::Exceeded;
use citation_model::plan::Plan;

/// The kind of object that was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Collection,
    Entry,
    Share,
    Tag,
    Member,
    Group,
    Invitation,
    Version,
}

impl Resource {
    pub fn as_str(self) -> &'static str {
        match self {
            Resource::Collection => "collection",
            Resource::Entry => "entry",
            Resource::Share => "share",
            Resource::Tag => "tag",
            Resource::Member => "member",
            Resource::Group => "group",
            Resource::Invitation => "invitation",
            Resource::Version => "version",
        }
    }
}

/// An error. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CollectionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Does not exist, or belongs to another account.
    #[error("the {} does not exist, or belongs to another account", .0.as_str())]
    NotFound(Resource),
    /// The caller's role does not allow it.
    #[error("your role in the collection is {}, which does not allow {}", .role.as_str(), .action.as_str())]
    NotAllowed {
        role: Role,
        action: CollectionAction,
    },
    /// The link does not allow it.
    #[error("this link does not allow {}", .action.as_str())]
    NotByLink { action: CollectionAction },
    /// Somebody else has changed the same fields.
    #[error("somebody else has changed the same fields of the entry")]
    Conflicting {
        version: i64,
        conflicts: Vec<Conflict>,
    },
    /// A group, a collection or an account has as many of something as it may have.
    #[error("there are already {limit} {what}; remove one first")]
    TooMany { what: &'static str, limit: u64 },
    /// The group is somebody else's.
    #[error("only the owner of a group may change it")]
    NotYourGroup,
    /// The caller has an older version.
    #[error("the collection has changed since it was read")]
    Stale { version: i64 },
    /// The plan's number of collections is reached.
    #[error("the owner's plan, {plan}, allows {limit} collections, and {current} exist")]
    CollectionLimit {
        plan: Plan,
        limit: u64,
        current: u64,
    },
    /// The plan's number of entries in a collection is reached.
    #[error(
        "the owner's plan, {plan}, allows {limit} entries in a collection; {current} exist, and {requested} more do not fit"
    )]
    EntryLimit {
        plan: Plan,
        limit: u64,
        current: u64,
        requested: u64,
    },
    /// The plan's storage is full.
    #[error(
        "the owner's plan, {plan}, allows {limit} bytes; {used} are used, and {requested} more do not fit"
    )]
    StorageLimit {
        plan: Plan,
        limit: u64,
        used: u64,
        requested: u64,
    },
    /// An order lists an unknown entry, or one twice.
    #[error("{message}")]
    InvalidOrder {
        /// Position in the list, from 0.
        index: usize,
        message: &'static str,
    },
    /// The source of a move is its target.
    #[error("the source and the target are the same collection")]
    SameCollection,
    /// An entry cannot be merged with itself.
    #[error("the two entries are the same")]
    SameEntry,
    /// The work already exists, and the caller asked for an error.
    #[error("the work is already in the collection")]
    Duplicate(Vec<Duplicate>),
    /// The same for several works: the position in the request and the UUID of the entry for each that
    /// already exists.
    #[error("{} of the works are already in the collection", .0.len())]
    Duplicates(Vec<(usize, String)>),
    /// An `Idempotency-Key` was reused for another request.
    #[error("the idempotency key was used for another request")]
    OtherRequest,
    /// The result, such as that of a merge, cannot be stored.
    #[error(transparent)]
    Invalid(#[from] Fault),
    /// The search for duplicates exceeds the request's budget.
    #[error(transparent)]
    TooComplex(#[from] Exceeded),
}
