//! Text of fields: markup, quotation marks, letter case, numbers. `sentence` suggests another case for
//! a title, with the names of `proper`.

pub mod case;
pub mod markup;
pub mod numbers;
mod proper;
pub mod sentence;
