//! Layer 4: pages. Pure: values in, HTML out; the handlers that serve them are in `api`.
//!
//! - `html`: text and markup, told apart by type · `rich`: formatted citations in a page
//! - `words`: what the pages say, by language · `assets`: style sheets and modules
//! - `page`: the frame that every page shares
//! - `cite`, `bibliography`: the first page and its list · `embed`: a cite box for the pages of others · `verify`, `batch`: lists of references · `report`: a page to file
//! - `styles`, `own_styles`, `help`, `status`, `plans`: what there is to know · `docs`: the reference of the interface
//! - `library`, `collection`, `entry`, `shared`: what is kept on the server
//! - `account`: signing in, and what people see of their account
//!
//! Every page is whole without script; the modules under `assets` make it quicker.

pub mod account;
pub mod assets;
pub mod batch;
pub mod bibliography;
pub mod cite;
pub mod collection;
pub mod docs;
pub mod embed;
pub mod entry;
pub mod help;
pub mod html;
pub mod import;
pub mod library;
pub mod own_styles;
pub mod page;
pub mod plans;
pub mod report;
pub mod rich;
pub mod shared;
pub mod status;
pub mod styles;
pub mod verify;
pub mod words;
pub mod work;
