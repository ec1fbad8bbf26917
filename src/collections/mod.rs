//! Layer 3: what users keep. Every change of one request is one transaction of the store, which
//! checks the owner, the version that the caller has seen and the plan before it writes.
//!
//! A reader opens [`Reading`], a writer [`Change`]; both know one owner only, so that nobody's
//! request can name what is somebody else's: it is not found.
//!
//! - `service`: the door to all of it · `entry`: what an entry is in replies
//! - `draft`: what a user gives becomes something to store · `input`: the rules for texts and tags
//! - `change`: collections · `entries`: entries · `removal`: deleting and restoring them ·
//!   `tagging`: the tags of many, and of all · `order`:
//!   their order · `moving`: from one collection to another · `combine`: two entries into one ·
//!   `merging`: their notes and tags · `share`: read-only links ·
//!   `permalink`: those that are made without an account
//! - `duplicates`: the same work twice · `compared`: looked for before a write · `import`: files · `browser`: what browsers kept
//! - `changes`: what differs between two states of an entry · `history`: its earlier ones
//! - `reading`: lists, filters, exports · `shown`: metadata as replies have it

pub mod browser;
pub mod change;
pub mod changes;
pub mod combine;
pub mod compared;
pub mod draft;
pub mod duplicates;
pub mod entries;
pub mod entry;
pub mod error;
pub mod history;
pub mod import;
pub mod input;
pub mod merging;
pub mod moving;
pub mod order;
pub mod permalink;
pub mod reading;
pub mod removal;
pub mod service;
pub mod share;
pub mod shown;
pub mod tagging;

pub use change::{Change, Expected, Owner};
pub use error::{CollectionError, Resource};
pub use reading::Reading;
pub use service::Collections;
