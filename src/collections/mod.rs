//! Layer 3: users' collections. All changes of one request are one transaction of the store, which
//! checks the owner, the version that the caller has seen and the plan before it writes.
//!
//! A reader opens [`Snapshot`], a writer [`Change`]; both are bound to one account, and find only
//! collections in which it has a role that allows the action.
//!
//! - `policy`: who may do what · `members`, `groups`, `invitations`: who has which role
//! - `live`: changes as they are made · `conflict`: edits of two people on one entry
//! - `service`: the entry point · `entry`: an entry in replies
//! - `draft`: user input prepared for storing · `input`: validation of texts and tags
//! - `change`: collections · `entries`: entries · `removal`: deleting and restoring them ·
//!   `tagging`: tags of many entries · `order`: the order of entries · `moving`: moving between
//!   collections · `combine`: merging two entries · `merging`: their notes and tags · `share`:
//!   read-only links · `permalink`: links without an account
//! - `duplicates`: duplicate works · `compared`: finding them before a write · `import`: files ·
//!   `browser`: collections kept in browsers
//! - `changes`: differences between two states of an entry · `history`: its earlier versions
//! - `snapshot`: lists, filters, exports · `shown`: metadata in replies

pub mod browser;
pub mod change;
pub mod changes;
pub mod combine;
pub mod compared;
pub mod conflict;
pub mod draft;
pub mod duplicates;
pub mod entries;
pub mod entry;
pub mod error;
pub mod groups;
pub mod history;
pub mod import;
pub mod input;
pub mod invitations;
pub mod live;
pub mod members;
pub mod merging;
pub mod moving;
pub mod order;
pub mod permalink;
pub mod policy;
pub mod removal;
pub mod reports;
pub mod service;
pub mod share;
pub mod shown;
pub mod snapshot;
pub mod tagging;

pub use change::{Change, OnConflict, Owner, Precondition};
pub use error::{CollectionError, Resource};
pub use policy::CollectionAction;
pub use service::Collections;
pub use snapshot::Snapshot;
