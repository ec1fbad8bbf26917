//! The description of a style: metadata, origin and short name.

use citation_csl::CitationFormat;
use citation_csl::Style;

/// The description of a style.
#[derive(Clone, Debug, PartialEq)]
pub struct StyleEntry {
    /// The short name, unique: `apa`.
    pub id: String,
    /// The style's own address.
    pub uri: String,
    pub title: String,
    pub title_short: Option<String>,
    pub citation_format: Option<CitationFormat>,
    pub default_locale: Option<String>,
    /// The short name of a dependent style's parent.
    pub parent: Option<String>,
    pub fields: Vec<String>,
    pub issn: Vec<String>,
    pub updated: Option<String>,
    pub license: Option<String>,
    pub has_bibliography: bool,
    pub origin: StyleOrigin,
}

/// The origin of a style's file. Of two styles with one name the later origin has priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StyleOrigin {
    /// Built in.
    Core,
    /// In the database.
    Installed,
    /// In the styles folder.
    Folder,
    /// A user's own, in the database.
    Own,
}

impl StyleOrigin {
    pub fn as_str(self) -> &'static str {
        match self {
            StyleOrigin::Core => "core",
            StyleOrigin::Installed => "installed",
            StyleOrigin::Folder => "folder",
            StyleOrigin::Own => "own",
        }
    }
}

impl StyleEntry {
    /// Describes a parsed style under a short name.
    pub fn of(id: &str, style: &Style, origin: StyleOrigin) -> StyleEntry {
        let info = &style.info;
        StyleEntry {
            id: id.to_owned(),
            uri: info.id.clone(),
            title: info.title.clone(),
            title_short: info.title_short.clone(),
            citation_format: info.citation_format,
            default_locale: style.options.default_locale.clone(),
            parent: info.parent.as_deref().map(|uri| short_name(uri).to_owned()),
            fields: info.fields.clone(),
            issn: info.issn.clone(),
            updated: info.updated.clone(),
            license: info.license.clone(),
            has_bibliography: style.has_bibliography(),
            origin,
        }
    }
}

/// `apa` in `http://www.zotero.org/styles/apa`, in `apa.csl` and in `apa`.
pub fn short_name(text: &str) -> &str {
    let tail = text
        .trim()
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let stem = tail.len().checked_sub(".csl".len());
    match stem.and_then(|at| tail.split_at_checked(at)) {
        Some((stem, ending)) if ending.eq_ignore_ascii_case(".csl") => stem,
        _ => tail,
    }
}
