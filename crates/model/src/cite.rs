//! What a caller asks to format: cites, and citations made of them.

/// One reference inside a citation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cite {
    /// The id of the item cited.
    pub id: String,
    pub locator: Option<Locator>,
    /// Text before the cite, with the inline markup that item fields may carry.
    pub prefix: String,
    /// Text after the cite.
    pub suffix: String,
    pub mode: CiteMode,
    /// A position that the caller fixes instead of letting the document decide.
    pub position: Option<Position>,
    /// Whether the last cite of the same item is near, fixed by the caller.
    pub near_note: Option<bool>,
    /// The note of the first cite of this item, fixed by the caller.
    pub first_reference_note_number: Option<u32>,
}

/// Where in the work: a label and a value (`page`, `12-15`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locator {
    /// The CSL term of the label (`page`, `chapter`, `sub-verbo`; specification, «Locators»).
    pub label: String,
    pub value: String,
}

/// How much of a cite is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CiteMode {
    #[default]
    Normal,
    /// Only the author part, for running text.
    AuthorOnly,
    /// All but the author, which the running text has named.
    SuppressAuthor,
    /// The author in running text, and the rest of the cite behind it.
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

/// One citation: the cites that stand together in one place of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citation {
    /// Chosen by the caller; empty where the caller does not need one.
    pub id: String,
    pub cites: Vec<Cite>,
    /// The number of the note that holds the citation; 0 for a citation in the text.
    pub note_number: u32,
    /// Whether positions begin anew here, as in a new chapter.
    pub resets_positions: bool,
}
