//! Who has access to a collection: members, their roles, leaving, and a new owner.

use super::change::Change;
use super::error::{CollectionError, Resource};
use super::policy::CollectionAction;
use super::snapshot::Snapshot;
use crate::store::collections::{ChangeKind, CollectionRow, GroupRole, Member, Role};

/// Maximum number of members of a collection besides its owner.
pub(super) const MAX_MEMBERS: u64 = 500;

/// Everybody with access to a collection.
#[derive(Clone, Debug)]
pub struct Access {
    pub collection: CollectionRow,
    /// The owner first.
    pub members: Vec<Member>,
    pub groups: Vec<GroupRole>,
}

impl Access {
    /// Whether anybody besides the owner has access.
    pub fn is_shared(&self) -> bool {
        self.members.len() > 1 || !self.groups.is_empty()
    }
}

/// Changes to a member; absent ones stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberPatch {
    /// Reader or editor.
    pub role: Option<Role>,
    /// Whether the collection becomes theirs when the owner's account is deleted. At most one member is
    /// the successor.
    pub is_successor: Option<bool>,
}

impl Snapshot<'_> {
    /// Everybody with access to a collection.
    pub fn access(&self, collection: &str) -> Result<Access, CollectionError> {
        let collection = self.permitted(collection, CollectionAction::SeeMembers)?;
        Ok(Access {
            members: self.view.members(&collection)?,
            groups: self.view.group_roles(&collection)?,
            collection,
        })
    }
}

impl Change<'_> {
    /// Changes a member.
    pub fn set_member(
        &self,
        collection: &str,
        member: &str,
        patch: MemberPatch,
    ) -> Result<CollectionRow, CollectionError> {
        let collection = self.open(collection, CollectionAction::ManageMembers)?;
        let (user, role) = self.find_member(&collection, member)?;
        if let Some(new) = patch.role.filter(|new| *new != role) {
            self.edit.set_member(collection.id, user, new, self.now)?;
        }
        match patch.is_successor {
            Some(true) => self.edit.set_successor(collection.id, Some(user))?,
            Some(false) => self.edit.set_successor(collection.id, None)?,
            None => {}
        }
        self.touch(collection.id, ChangeKind::MembersChanged, &[])
    }

    /// Removes a member.
    pub fn remove_member(
        &self,
        collection: &str,
        member: &str,
    ) -> Result<CollectionRow, CollectionError> {
        let collection = self.open(collection, CollectionAction::ManageMembers)?;
        let (user, _) = self.find_member(&collection, member)?;
        self.edit.remove_member(collection.id, user)?;
        self.touch(collection.id, ChangeKind::MembersChanged, &[])
    }

    /// Ends the caller's own membership. Access by a group ends with leaving the group.
    pub fn leave(&self, collection: &str) -> Result<(), CollectionError> {
        let collection = self.find(collection, CollectionAction::Leave)?;
        let user = self.owner.user;
        if !self.edit.is_member(collection.id, user)? {
            return Err(CollectionError::NotFound(Resource::Member));
        }
        self.edit.remove_member(collection.id, user)?;
        self.touch(collection.id, ChangeKind::MembersChanged, &[])?;
        Ok(())
    }

    /// Gives a collection to a member, whose plan must have room for it. The former owner becomes an
    /// editor; links that invite people are revoked.
    pub fn transfer(
        &self,
        collection: &str,
        member: &str,
    ) -> Result<CollectionRow, CollectionError> {
        let row = self.open(collection, CollectionAction::Transfer)?;
        let (user, _) = self.find_member(&row, member)?;
        let received = CollectionRow {
            user,
            ..row.clone()
        };
        let heir = self.owner_of(&received)?;
        let current = self.edit.count_collections(user)?;
        if current >= heir.collections {
            return Err(CollectionError::CollectionLimit {
                plan: heir.plan,
                limit: heir.collections,
                current,
            });
        }
        if row.entries > heir.entries {
            return Err(CollectionError::EntryLimit {
                plan: heir.plan,
                limit: heir.entries,
                current: 0,
                requested: row.entries,
            });
        }
        self.edit.set_owner(row.id, user)?;
        self.edit
            .set_member(row.id, self.owner.user, Role::Editor, self.now)?;
        self.edit.set_successor(row.id, None)?;
        self.edit.delete_invitations(row.id)?;
        self.touch(row.id, ChangeKind::MembersChanged, &[])
    }

    fn find_member(
        &self,
        collection: &CollectionRow,
        member: &str,
    ) -> Result<(i64, Role), CollectionError> {
        let found = self.edit.member(collection.id, member)?;
        found.ok_or(CollectionError::NotFound(Resource::Member))
    }
}
