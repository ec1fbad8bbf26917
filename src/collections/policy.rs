//! Who may do what in a collection: one table, which every function of this module asks.

use super::error::{CollectionError, Resource};
use crate::store::collections::{CollectionRow, Role, ShareRow};

/// What somebody does with a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollectionAction {
    /// Reading it, its entries, their history, exports and its changes; looking up its works.
    Read,
    /// Seeing who has access.
    SeeMembers,
    /// Adding, changing, ordering, tagging, merging, deleting and restoring entries.
    EditEntries,
    /// Changing its name, description, style and tags.
    Describe,
    /// Seeing, creating and revoking its links.
    Share,
    /// Inviting people, changing their roles, removing them, giving groups a role.
    ManageMembers,
    /// Leaving it.
    Leave,
    /// Deleting and restoring it.
    Delete,
    /// Giving it to another member.
    Transfer,
}

impl CollectionAction {
    pub const ALL: [CollectionAction; 9] = [
        CollectionAction::Read,
        CollectionAction::SeeMembers,
        CollectionAction::EditEntries,
        CollectionAction::Describe,
        CollectionAction::Share,
        CollectionAction::ManageMembers,
        CollectionAction::Leave,
        CollectionAction::Delete,
        CollectionAction::Transfer,
    ];

    /// The action as the rest of “this needs a role that allows …”.
    pub fn as_str(self) -> &'static str {
        match self {
            CollectionAction::Read => "reading it",
            CollectionAction::SeeMembers => "seeing its members",
            CollectionAction::EditEntries => "changing its entries",
            CollectionAction::Describe => "changing its description",
            CollectionAction::Share => "sharing it by a link",
            CollectionAction::ManageMembers => "managing its members",
            CollectionAction::Leave => "leaving it",
            CollectionAction::Delete => "deleting it",
            CollectionAction::Transfer => "transferring it",
        }
    }
}

/// Who somebody is to a collection: somebody with a role, or whoever has its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    ReadingLink,
    EditingLink,
    Role(Role),
}

impl From<Role> for Standing {
    fn from(role: Role) -> Standing {
        Standing::Role(role)
    }
}

impl Standing {
    /// That of whoever has a link.
    pub(super) fn of_link(share: &ShareRow, edit_links: bool) -> Standing {
        if share.can_edit && edit_links {
            Standing::EditingLink
        } else {
            Standing::ReadingLink
        }
    }
}

/// The policy: for each action, whether a link that reads, a link that edits, a reader, an editor and the
/// owner may do it.
#[rustfmt::skip]
const POLICY: [(CollectionAction, [bool; 5]); 9] = [
    // action                           reads  edits  reader editor owner
    (CollectionAction::Read,            [true,  true,  true,  true,  true]),
    (CollectionAction::SeeMembers,      [false, false, true,  true,  true]),
    (CollectionAction::EditEntries,     [false, true,  false, true,  true]),
    (CollectionAction::Describe,        [false, false, false, true,  true]),
    (CollectionAction::Share,           [false, false, false, false, true]),
    (CollectionAction::ManageMembers,   [false, false, false, false, true]),
    // The owner transfers or deletes it; a link is no membership.
    (CollectionAction::Leave,           [false, false, true,  true,  false]),
    (CollectionAction::Delete,          [false, false, false, false, true]),
    (CollectionAction::Transfer,        [false, false, false, false, true]),
];

/// Whether a role or a link allows an action.
pub fn allows(standing: impl Into<Standing>, action: CollectionAction) -> bool {
    let row = POLICY.iter().find(|(listed, _)| *listed == action);
    row.is_some_and(
        |(_, [reads, edits, reader, editor, owner])| match standing.into() {
            Standing::ReadingLink => *reads,
            Standing::EditingLink => *edits,
            Standing::Role(Role::Reader) => *reader,
            Standing::Role(Role::Editor) => *editor,
            Standing::Role(Role::Owner) => *owner,
        },
    )
}

/// The collection of a link, if the link is open and allows an action.
pub(super) fn permitted_by_link(
    row: Option<CollectionRow>,
    action: CollectionAction,
    edit_links: bool,
    now: i64,
) -> Result<CollectionRow, CollectionError> {
    let gone = || CollectionError::NotFound(Resource::Share);
    let row = row.ok_or_else(gone)?;
    let share = row.share.as_ref().filter(|share| share.is_open(now));
    let standing = Standing::of_link(share.ok_or_else(gone)?, edit_links);
    if allows(standing, action) {
        Ok(row)
    } else {
        Err(CollectionError::NotByLink { action })
    }
}

/// The collection, if the role of whoever reads it allows an action. What one has no role in does not
/// exist.
pub(super) fn permitted(
    row: Option<CollectionRow>,
    action: CollectionAction,
) -> Result<CollectionRow, CollectionError> {
    let row = row.ok_or(CollectionError::NotFound(Resource::Collection))?;
    if allows(row.role, action) {
        Ok(row)
    } else {
        let role = row.role;
        Err(CollectionError::NotAllowed { role, action })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_each_action_once() {
        for action in CollectionAction::ALL {
            let rows = POLICY.iter().filter(|(listed, _)| *listed == action);
            assert_eq!(rows.count(), 1, "{action:?}");
        }
    }

    #[test]
    fn link_allows_nothing_that_concerns_people_or_the_collection_itself() {
        for action in CollectionAction::ALL {
            let reads = allows(Standing::ReadingLink, action);
            assert_eq!(reads, action == CollectionAction::Read, "{action:?}");
            let edits = allows(Standing::EditingLink, action);
            let is_new = action == CollectionAction::EditEntries;
            assert_eq!(edits, reads || is_new, "{action:?}");
        }
    }

    #[test]
    fn link_edits_only_while_the_configuration_allows_it() {
        let share = ShareRow {
            token: String::new(),
            with_notes: false,
            can_edit: true,
            created_at: 0,
            expires_at: None,
        };
        assert_eq!(Standing::of_link(&share, true), Standing::EditingLink);
        assert_eq!(Standing::of_link(&share, false), Standing::ReadingLink);
    }

    #[test]
    fn higher_role_allows_what_a_lower_one_does_except_leaving() {
        for action in CollectionAction::ALL {
            let [reader, editor, owner] = Role::ALL.map(|role| allows(role, action));
            assert!(!reader || editor, "{action:?}");
            assert!(
                !editor || owner || action == CollectionAction::Leave,
                "{action:?}"
            );
        }
    }
}
