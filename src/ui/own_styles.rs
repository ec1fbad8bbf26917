//! The user's own styles, as a part of the styles page.

/// The contents of the part.
#[derive(Clone, Debug, Default)]
pub struct OwnStylesView {
    pub is_signed_in: bool,
    /// API name and title.
    pub styles: Vec<(String, String)>,
    /// A text that is edited or was rejected.
    pub text: String,
    pub problem: Option<String>,
    /// Title and text of the style just deleted.
    pub removed: Option<(String, String)>,
}
