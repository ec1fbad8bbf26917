//! What a lookup may use: one meaning for every edge.

/// Whose works are found, and which sources are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The row id of the user whose entries come first; `None` for anonymous callers and commands.
    pub user: Option<i64>,
    /// Whether no provider is asked and no page fetched. Default false: they are if the local works are not
    /// sufficient.
    pub local_only: bool,
}

impl Scope {
    /// The local corpus, for nobody in particular.
    pub fn local() -> Scope {
        Scope {
            user: None,
            local_only: true,
        }
    }
}
