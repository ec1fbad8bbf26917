//! Why collections refuse.

use super::entry::Duplicate;
use super::input::Fault;
use crate::store::StoreError;
use citation_model::budget::Exceeded;

/// What was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Collection,
    Entry,
    Share,
    Tag,
}

impl Resource {
    pub fn as_str(self) -> &'static str {
        match self {
            Resource::Collection => "collection",
            Resource::Entry => "entry",
            Resource::Share => "share",
            Resource::Tag => "tag",
        }
    }
}

/// A refusal. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CollectionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such thing, or it is somebody else's.
    #[error("there is no such {}, or it is not yours", .0.as_str())]
    NotFound(Resource),
    /// The caller has seen an older version than there is now.
    #[error("the collection has changed since it was read")]
    Stale { version: i64 },
    /// The plan's number of collections is used up.
    #[error("the plan has room for {limit} collections, and there are {current}")]
    CollectionLimit { limit: u64, current: u64 },
    /// The plan's number of entries in a collection is used up.
    #[error(
        "the plan has room for {limit} entries in a collection; there are {current}, and {requested} more do not fit"
    )]
    EntryLimit {
        limit: u64,
        current: u64,
        requested: u64,
    },
    /// The plan's room for all that an account keeps is used up.
    #[error(
        "the plan has room for {limit} bytes; {used} are used, and {requested} more do not fit"
    )]
    StorageLimit {
        limit: u64,
        used: u64,
        requested: u64,
    },
    /// An order names an entry that is not there, or one twice.
    #[error("{message}")]
    InvalidOrder {
        /// Position in the list given, from 0.
        index: usize,
        message: &'static str,
    },
    /// Entries cannot be moved to where they are.
    #[error("the source and the target are the same collection")]
    SameCollection,
    /// An entry cannot be combined with itself.
    #[error("the two entries are the same")]
    SameEntry,
    /// The work is there already, and the caller wants to be told so.
    #[error("the work is already in the collection")]
    Duplicate(Vec<Duplicate>),
    /// The same for several works: of each that is there, its position in the request and the UUID of
    /// the entry.
    #[error("{} of the works are already in the collection", .0.len())]
    Duplicates(Vec<(usize, String)>),
    /// An `Idempotency-Key` came again with another request.
    #[error("the idempotency key was used for another request")]
    OtherRequest,
    /// What is asked for, such as what two entries combine to, cannot be stored.
    #[error(transparent)]
    Invalid(#[from] Fault),
    /// The search for duplicates takes more work than a request may.
    #[error(transparent)]
    TooComplex(#[from] Exceeded),
}
