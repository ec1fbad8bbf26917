//! The syntaxes that formats share: encodings, XML, YAML, tagged lines, wrapped text.

pub(crate) mod code_pages;
pub mod encoding;
pub(crate) mod paragraphs;
pub(crate) mod tagged;
pub mod tokens;
pub(crate) mod xml;
pub(crate) mod yaml;
