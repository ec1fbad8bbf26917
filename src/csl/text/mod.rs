//! Text of fields: markup, quotation marks and letter case.

pub mod case;
pub mod markup;
