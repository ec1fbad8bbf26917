//! Errors of styles and locales, and warnings about items.

use std::fmt;

use thiserror::Error;

/// Why a style was rejected, with the position in the XML.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{reason}", SourcePosition(*line, *column))]
pub struct StyleError {
    /// One-based; 0 if the error concerns the whole file.
    pub line: usize,
    /// One-based, in characters; 0 if the error concerns the whole file.
    pub column: usize,
    pub reason: StyleFault,
}

/// Why a locale was rejected, with the position in the XML.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{reason}", SourcePosition(*line, *column))]
pub struct LocaleError {
    /// One-based; 0 if the error concerns the whole file.
    pub line: usize,
    /// One-based, in characters; 0 if the error concerns the whole file.
    pub column: usize,
    pub reason: StyleFault,
}

/// The error's cause; its message names the element, the attribute or the value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StyleFault {
    #[error("the XML is not well-formed: {0}")]
    Xml(String),
    #[error("the file has {size} bytes; at most {limit} are read")]
    TooLarge { size: usize, limit: usize },
    #[error("elements are nested more than {0} deep")]
    TooDeep(usize),
    #[error("the element has more than {0} attributes")]
    TooManyAttributes(usize),
    #[error("the file has more than {0} elements")]
    TooManyElements(usize),
    #[error("the attribute {attribute} has more than {limit} bytes")]
    AttributeTooLong { attribute: String, limit: usize },
    #[error("the style names more than {0} terms that CSL does not know")]
    TooManyTerms(usize),
    #[error("a document type declaration is not allowed in a style")]
    DocType,
    #[error("the root element is <{found}>, where <{expected}> was expected")]
    WrongRoot {
        expected: &'static str,
        found: String,
    },
    #[error("the root element lacks xmlns=\"{0}\"")]
    NoNamespace(&'static str),
    #[error("the style is written for CSL {0}, and is read as one for CSL 1.0")]
    OtherVersion(String),
    #[error("<{element}> is not allowed in <{parent}>")]
    UnknownElement { element: String, parent: String },
    #[error("<{element}> lacks its attribute {attribute}")]
    MissingAttribute {
        element: String,
        attribute: &'static str,
    },
    #[error("<{element}> lacks its element <{child}>")]
    MissingElement {
        element: String,
        child: &'static str,
    },
    #[error("{attribute}=\"{value}\" is not a value that <{element}> knows")]
    BadValue {
        element: String,
        attribute: String,
        value: String,
    },
    #[error("the macro \"{0}\" is not defined")]
    UnknownMacro(String),
    #[error("the macro \"{0}\" is defined twice")]
    DuplicateMacro(String),
    #[error("the macro \"{0}\" calls itself")]
    Recursion(String),
    #[error("macros unfold to more than {0} elements")]
    Bomb(u64),
    #[error("the style is dependent: it takes its rules from {0}")]
    Dependent(String),
}

/// `line 3, column 7: `; empty for the whole file.
struct SourcePosition(usize, usize);

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourcePosition(0, _) => Ok(()),
            SourcePosition(line, column) => write!(f, "line {line}, column {column}: "),
        }
    }
}

impl StyleError {
    pub(crate) fn whole(reason: StyleFault) -> StyleError {
        StyleError {
            line: 0,
            column: 0,
            reason,
        }
    }
}

impl From<StyleError> for LocaleError {
    fn from(error: StyleError) -> LocaleError {
        LocaleError {
            line: error.line,
            column: error.column,
            reason: error.reason,
        }
    }
}

/// A problem that did not stop the formatting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A stable code: `missing_field`, `unknown_item`, `empty_entry`.
    pub code: &'static str,
    /// The zero-based index of the item in the input, if there is one.
    pub index: Option<usize>,
    /// One sentence for users.
    pub message: String,
}
