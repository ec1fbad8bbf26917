//! The facts in a citation of a web page.

/// A fact in a citation of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Title,
    Authors,
    Date,
    /// The site, or the journal of an article.
    Container,
    Url,
}

impl Fact {
    pub const ALL: [Fact; 5] = [
        Fact::Title,
        Fact::Authors,
        Fact::Date,
        Fact::Container,
        Fact::Url,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Fact::Title => "title",
            Fact::Authors => "authors",
            Fact::Date => "date",
            Fact::Container => "container",
            Fact::Url => "url",
        }
    }
}
