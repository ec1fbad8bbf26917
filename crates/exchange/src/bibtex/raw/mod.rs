//! BibTeX's syntax: a text into entries, strings and preambles with their offsets; nothing is
//! interpreted here. Whatever is broken ends where the next entry begins at the latest.
//!
//! `blocks` finds where each begins and how far it may run, `parser` reads one, `scan` looks about
//! in the text.

mod blocks;
mod parser;
mod scan;

pub use blocks::blocks;

/// Fields of one entry that are read. The longest real ones have some sixty.
pub const MOST_FIELDS: usize = 500;
/// Strings of one `@string` that are read.
const MOST_STRINGS: usize = 100_000;
/// Pieces of one value that are read.
const MOST_PIECES: usize = 1_000;
/// Faults of one block that are kept.
const MOST_FAULTS: usize = 20;

/// One `@…{…}` of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'a> {
    pub kind: BlockKind<'a>,
    /// Byte offset of the `@`.
    pub offset: usize,
    /// What is wrong with it, in order.
    pub faults: Vec<Fault>,
    /// How much more is wrong with it.
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
    /// As written: `Article`. May be empty, or no name of a type, which is a fault.
    pub kind: &'a str,
    /// May be empty.
    pub key: &'a str,
    /// The first [`MOST_FIELDS`], and one more where there are more.
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

/// Something wrong in the syntax.
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
    #[error("The value is joined of more than {MOST_PIECES} pieces; the others were left out.")]
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
    /// Stable, for programs.
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
