//! Text of fields: markup, quotation marks, letter case, numbers.

pub mod case;
pub mod markup;
pub mod numbers;
