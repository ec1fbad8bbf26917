//! Accounts' own, private styles. Their names start with `own:`, so that none
//! hides a public style.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::compiled::{Ready, StyleProblem};
use super::entry::{StyleEntry, StyleOrigin, short_name};
use super::{Styles, row, stored_entry};
use crate::store::StoreError;
use crate::store::own_styles::{OwnStyleError, OwnStyleLimits};
use citation_csl::Style;
use citation_model::hex::hex;

/// The prefix of such names.
pub const PREFIX: &str = "own:";

/// Maximum characters of a short name made from an address or a title.
const NAME_CHARS: usize = 80;

/// Maximum characters of a stored title.
const TITLE_CHARS: usize = 300;

/// The part after the prefix of an own style's name; `None` for other names.
pub fn own_name(name: &str) -> Option<&str> {
    name.trim().strip_prefix(PREFIX)
}

/// Why a style is not stored.
#[derive(Debug, thiserror::Error)]
pub enum OwnProblem {
    #[error(transparent)]
    Style(#[from] StyleProblem),
    #[error("you can have {most} own styles; delete one first")]
    TooMany { most: u32 },
    #[error("your plan allows {limit} bytes; {used} are used, and {requested} more do not fit")]
    OwnStyleError {
        limit: u64,
        used: u64,
        requested: u64,
    },
}

impl From<StoreError> for OwnProblem {
    fn from(cause: StoreError) -> OwnProblem {
        OwnProblem::Style(cause.into())
    }
}

impl Styles {
    /// A user's own styles, by title.
    pub fn own(&self, user: i64) -> Result<Vec<StyleEntry>, StoreError> {
        let rows = self.store()?.own_styles(user)?.into_iter();
        Ok(rows
            .map(|row| stored_entry(row, StyleOrigin::Own))
            .map(named)
            .collect())
    }

    /// An own style, by its name without the prefix.
    pub fn own_entry(&self, user: i64, name: &str) -> Result<StyleEntry, StyleProblem> {
        match self.store()?.own_style(user, name)? {
            Some(row) => Ok(named(stored_entry(row, StyleOrigin::Own))),
            None => Err(StyleProblem::Unknown {
                name: format!("{PREFIX}{name}").chars().take(200).collect(),
                nearest: self.own(user)?.into_iter().map(|entry| entry.id).collect(),
            }),
        }
    }

    /// The file of an own style.
    pub fn own_xml(&self, user: i64, name: &str) -> Result<Option<String>, StoreError> {
        self.store()?.own_style_xml(user, name)
    }

    /// Stores a style for a user, replacing one whose address has the same last part; returns whether it is
    /// new. An unusable style is rejected; a dependent one needs its parent here.
    pub fn keep_own(
        &self,
        user: i64,
        xml: &str,
        room: OwnStyleLimits,
    ) -> Result<(StyleEntry, bool), OwnProblem> {
        let style = Style::parse(xml).map_err(|fault| StyleProblem::Broken {
            name: "the file".to_owned(),
            fault,
        })?;
        let name = name_for(&style);
        let mut entry = StyleEntry::of(&name, &style, StyleOrigin::Own);
        if entry.title.chars().count() > TITLE_CHARS {
            entry.title = entry.title.chars().take(TITLE_CHARS).collect();
        }
        match &entry.parent {
            None => drop(self.compile(&name, xml, None)?),
            Some(parent) if self.catalog()?.find(parent).is_some() => {}
            Some(parent) => {
                let parent = parent.clone();
                return Err(StyleProblem::ParentMissing { name, parent }.into());
            }
        }
        let kept = self
            .store()?
            .put_own_style(user, &row(entry.clone()), xml, room);
        let is_new = kept.map_err(|refusal| match refusal {
            OwnStyleError::Store(cause) => cause.into(),
            OwnStyleError::Styles => OwnProblem::TooMany { most: room.styles },
            OwnStyleError::Bytes { used, requested } => OwnProblem::OwnStyleError {
                limit: room.bytes,
                used,
                requested,
            },
        })?;
        Ok((named(entry), is_new))
    }

    /// Removes a user's own style; returns whether there was one.
    pub fn remove_own(&self, user: i64, name: &str) -> Result<bool, StoreError> {
        self.store()?.remove_own_style(user, name)
    }

    /// A user's own style for a locale; by default, for the style's own or English.
    pub fn ready_own(
        &self,
        user: i64,
        name: &str,
        locale: Option<&str>,
    ) -> Result<Ready, StyleProblem> {
        let entry = self.own_entry(user, name)?;
        let own_locale = entry.default_locale.clone();
        let ready = match &entry.parent {
            Some(parent) => self.ready(parent, locale.or(own_locale.as_deref()))?,
            None => {
                let xml = self.own_xml(user, name)?.unwrap_or_default();
                // Cached by content: a replaced style has another key.
                let digest = Sha256::digest(xml.as_bytes());
                let key = hex(&digest);
                let locale = locale.map(str::to_owned).or(own_locale);
                self.ready_text(key, &entry.id, &xml, locale.as_deref())?
            }
        };
        Ok(Ready {
            entry: Some(Arc::new(entry)),
            ..ready
        })
    }
}

/// The entry with the name that requests use.
fn named(entry: StyleEntry) -> StyleEntry {
    StyleEntry {
        id: format!("{PREFIX}{}", entry.id),
        ..entry
    }
}

/// A short name, from the last part of the style's address or else its title: lower-case letters, digits
/// and `-`, `_`, `.`.
fn name_for(style: &Style) -> String {
    let info = &style.info;
    let made = |text: &str| {
        let safe = |c: char| match c {
            'a'..='z' | '0'..='9' | '-' | '_' | '.' => c,
            _ => '-',
        };
        let name: String = text
            .to_lowercase()
            .chars()
            .map(safe)
            .take(NAME_CHARS)
            .collect();
        name.trim_matches(['-', '.']).to_owned()
    };
    let names = [made(short_name(&info.id)), made(&info.title)];
    let found = names.into_iter().find(|name| !name.is_empty());
    found.unwrap_or_else(|| "style".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_derived_from_ids_and_titles() {
        let check = |id: &str, title: &str, expected: &str| {
            let xml = format!(
                r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
                <info><title>{title}</title><id>{id}</id><updated>2026-01-01T00:00:00Z</updated></info>
                <citation><layout><text variable="title"/></layout></citation></style>"#
            );
            assert_eq!(name_for(&Style::parse(&xml).unwrap()), expected);
        };
        check("http://example.org/styles/Thesis-2026", "T", "thesis-2026");
        check("urn:x/My Style.csl", "T", "my-style");
        check("http://example.org/样式", "Our House", "our-house");
        check("/", "样式", "style");
    }

    #[test]
    fn own_styles_have_a_prefix() {
        assert_eq!(own_name(" own:thesis"), Some("thesis"));
        assert_eq!(own_name("thesis"), None);
    }
}
