//! The part of the styles' page that is about styles of one's own.

/// What the part shows.
#[derive(Clone, Debug, Default)]
pub struct OwnStyles {
    pub is_signed_in: bool,
    /// Name, as the interface has it, and title.
    pub styles: Vec<(String, String)>,
    /// A text that could not be kept.
    pub text: String,
    pub problem: Option<String>,
    /// Title and text of the style deleted just now.
    pub removed: Option<(String, String)>,
}
