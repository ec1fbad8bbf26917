//! BibTeX syntax: splits a text into entries, strings and preambles with their offsets, without
//! interpreting them. A broken block ends at the latest where the next entry begins.
//!
//! `blocks` finds the blocks and their limits, `parser` reads one, `scan` searches the text.

mod blocks;
mod parser;
mod scan;

pub use blocks::blocks;

/// Maximum number of fields read per entry. The longest real ones have about sixty.
pub const MAX_FIELDS: usize = 500;
/// Maximum number of strings read per `@string`.
const MAX_STRINGS: usize = 100_000;
/// Maximum number of pieces read per value.
const MAX_PIECES: usize = 1_000;
/// Maximum number of faults kept per block.
const MAX_FAULTS: usize = 20;

/// One `@…{…}` of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'a> {
    pub kind: BlockKind<'a>,
    /// Byte offset of the `@`.
    pub offset: usize,
    /// Faults, in order.
    pub faults: Vec<Fault>,
    /// Number of faults not kept.
    pub more_faults: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind<'a> {
    Entry(Entry<'a>),
    /// `@string{name = value}`.
    Strings(Vec<Field<'a>>),
    Preamble,
    Comment,
    /// An `@name` at the start of a line without a body.
    Bodiless {
        name: &'a str,
    },
}

/// `@kind{key, fields}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    /// As written: `Article`. May be empty or an invalid type name, which is a fault.
    pub kind: &'a str,
    /// May be empty.
    pub key: &'a str,
    /// The first [`MAX_FIELDS`], plus one if there are more.
    pub fields: Vec<Field<'a>>,
}

/// `name = value # value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    pub name: &'a str,
    pub value: Vec<Piece<'a>>,
    /// Byte offset of the name.
    pub offset: usize,
}

/// A part of a value, without its delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Braced(&'a str),
    Quoted(&'a str),
    /// A number, or the name of a string.
    Bare(&'a str),
}

/// A syntax fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub offset: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    #[error("The value is never closed: a brace or quote is missing, or one too many is open.")]
    UnclosedValue,
    #[error("The entry is never closed: its last brace is missing.")]
    UnclosedEntry,
    #[error("The entry has no citation key before its first field.")]
    MissingKey,
    #[error("The value is joined of more than {MAX_PIECES} pieces; the others were left out.")]
    TooManyPieces,
    #[error("A comma is missing before this field.")]
    MissingComma,
    #[error("The field has no value: an equals sign and a text should follow its name.")]
    MissingValue,
    #[error("This text belongs to no field and was left out.")]
    StrayText,
    #[error("An entry type stands here without the braces of an entry.")]
    MissingBody,
    #[error("What stands between the @ and the bracket is no name of an entry type.")]
    OddType,
}

impl FaultKind {
    /// Stable code for programs.
    pub fn code(self) -> &'static str {
        match self {
            FaultKind::UnclosedValue => "unbalanced_braces",
            FaultKind::UnclosedEntry => "unterminated_entry",
            FaultKind::MissingKey => "missing_key",
            FaultKind::TooManyPieces => "value_too_long",
            FaultKind::MissingComma => "missing_comma",
            FaultKind::MissingValue => "missing_value",
            FaultKind::StrayText => "unexpected_text",
            FaultKind::MissingBody => "missing_body",
            FaultKind::OddType => "invalid_type",
        }
    }
}

#[cfg(test)]
mod tests;
