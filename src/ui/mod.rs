//! Layer 4: pages. Pure: values in, HTML out; the handlers that serve them are in `api`.
//!
//! - `html`: text and markup as distinct types · `rich`: formatted citations in a page
//! - `words`: the messages by language · `assets`: style sheets and modules
//! - `page`: the frame that all pages share
//! - `cite`, `bibliography`: the first page and its list · `embed`: a cite box for other sites · `word`: a task pane in Word · `verify`, `batch`: lists of references · `report`: the report of the command line · `verification_report`: that of the pages
//! - `styles`, `own_styles`, `help`, `status`, `plans`: information · `docs`: the API reference
//! - `library`, `collection`, `members`, `entry`, `shared`: data kept on the server
//! - `account`: signing in and account settings · `jobs`, `groups`: work in the background, people
//!
//! Every page is complete without script; the modules under `assets` make it faster.

pub mod account;
pub mod assets;
pub mod batch;
pub mod bibliography;
pub mod cite;
pub mod collection;
pub mod docs;
pub mod embed;
pub mod entry;
pub mod groups;
pub mod help;
pub mod html;
pub mod import;
pub mod jobs;
pub mod library;
pub mod members;
pub mod operator;
pub mod own_styles;
pub mod page;
pub mod plans;
pub mod report;
pub mod rich;
pub mod shared;
pub mod status;
pub mod styles;
pub mod tools;
pub mod verification_report;
pub mod verify;
pub mod word;
pub mod words;
pub mod work;
