//! What a caller asks to format: cites and citations.

/// One reference inside a citation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cite {
    /// The id of the cited item.
    pub id: String,
    pub locator: Option<Locator>,
    /// Text before the cite; may contain the same inline markup as item fields.
    pub prefix: String,
    /// Text after the cite.
    pub suffix: String,
    pub mode: CiteMode,
    /// A position set by the caller instead of derived from the document.
    pub position: Option<Position>,
    /// Whether the last cite of the same item is near, set by the caller.
    pub near_note: Option<bool>,
    /// The note of the first cite of this item, set by the caller.
    pub first_reference_note_number: Option<u32>,
}

/// A locator: a label and a value (`page`, `12-15`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locator {
    /// The CSL term of the label (`page`, `chapter`, `sub-verbo`; specification, «Locators»).
    pub label: String,
    pub value: String,
}

/// Which part of a cite is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CiteMode {
    #[default]
    Normal,
    /// Only the author part, for running text.
    AuthorOnly,
    /// All but the author, which the running text already names.
    SuppressAuthor,
    /// The author in running text, followed by the rest of the cite.
    Composite,
}

/// Where a cite stands relative to earlier cites of the same item (specification, «position»).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Position {
    #[default]
    First,
    Subsequent,
    Ibid,
    IbidWithLocator,
}

/// One citation: cites that appear together at one place in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citation {
    /// Chosen by the caller; may be empty.
    pub id: String,
    pub cites: Vec<Cite>,
    /// The number of the note that contains the citation; 0 for a citation in the text.
    pub note_number: u32,
    /// Whether positions restart here, as in a new chapter.
    pub resets_positions: bool,
}
