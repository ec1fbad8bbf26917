//! Who may do what in a collection: one table, which every function of this module asks.

use super::error::{CollectionError, Resource};
use crate::store::collections::{CollectionRow, Role};

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

/// The policy: for each action, whether a reader, an editor and the owner may do it.
#[rustfmt::skip]
const POLICY: [(CollectionAction, [bool; 3]); 9] = [
    // action                           reader editor owner
    (CollectionAction::Read,            [true,  true,  true]),
    (CollectionAction::SeeMembers,      [true,  true,  true]),
    (CollectionAction::EditEntries,     [false, true,  true]),
    (CollectionAction::Describe,        [false, true,  true]),
    (CollectionAction::Share,           [false, false, true]),
    (CollectionAction::ManageMembers,   [false, false, true]),
    // The owner transfers or deletes it.
    (CollectionAction::Leave,           [true,  true,  false]),
    (CollectionAction::Delete,          [false, false, true]),
    (CollectionAction::Transfer,        [false, false, true]),
];

/// Whether a role allows an action.
pub fn allows(role: Role, action: CollectionAction) -> bool {
    let row = POLICY.iter().find(|(listed, _)| *listed == action);
    row.is_some_and(|(_, [reader, editor, owner])| match role {
        Role::Reader => *reader,
        Role::Editor => *editor,
        Role::Owner => *owner,
    })
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
