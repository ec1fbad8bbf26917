#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod access;
pub mod budget;
pub mod cite;
pub mod cite_json;
pub mod date;
pub mod hex;
pub mod identifier;
pub mod inert;
pub mod item;
pub mod item_type;
mod json;
pub mod language;
pub mod lists;
pub mod lookahead;
pub mod name;
pub mod plan;
pub mod review;
pub mod roman;
pub mod spelling;
pub mod spread;
pub mod tidy;
pub mod variable;
pub mod word_set;
pub mod work;
