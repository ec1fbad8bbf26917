//! Groups of people, and their roles in collections.

use super::change::Change;
use super::error::{CollectionError, Resource};
use super::policy::CollectionAction;
use super::snapshot::Snapshot;
use crate::store::StoreError;
use crate::store::collections::{ChangeKind, CollectionRow, Group, GroupMember, Role};

/// Maximum number of groups that an account owns.
const MAX_GROUPS: u64 = 50;

/// Maximum number of members of a group.
pub(super) const MAX_GROUP_MEMBERS: u64 = 1_000;

/// A group as one of its people sees it.
#[derive(Clone, Debug)]
pub struct GroupView {
    pub group: Group,
    /// Whether the caller made it.
    pub is_own: bool,
}

impl Snapshot<'_> {
    /// The groups that the caller made or belongs to.
    pub fn groups(&self) -> Result<Vec<GroupView>, StoreError> {
        let groups = self.view.groups(self.user)?.into_iter();
        Ok(groups.map(|group| self.seen(group)).collect())
    }

    /// A group that the caller made or belongs to, with its members.
    pub fn group(&self, uid: &str) -> Result<(GroupView, Vec<GroupMember>), CollectionError> {
        let group = self.view.group(self.user, uid)?;
        let group = group.ok_or(CollectionError::NotFound(Resource::Group))?;
        let members = self.view.group_members(group.id)?;
        Ok((self.seen(group), members))
    }

    fn seen(&self, group: Group) -> GroupView {
        GroupView {
            is_own: group.owner == Some(self.user),
            group,
        }
    }
}

impl Change<'_> {
    /// Creates a group without members.
    pub fn create_group(&self, name: &str) -> Result<Group, CollectionError> {
        let user = self.owner.user;
        let groups = self.edit.groups(user)?;
        let own = groups.iter().filter(|group| group.owner == Some(user));
        if own.count() as u64 >= MAX_GROUPS {
            return Err(CollectionError::TooMany {
                what: "groups",
                limit: MAX_GROUPS,
            });
        }
        let uid = uuid::Uuid::now_v7().to_string();
        let id = self.edit.insert_group(&uid, name, user, self.now)?;
        Ok(Group {
            id,
            uid,
            name: name.to_owned(),
            owner: Some(user),
            members: 0,
            created_at: self.now,
        })
    }

    /// Renames a group of the caller's own.
    pub fn rename_group(&self, uid: &str, name: &str) -> Result<Group, CollectionError> {
        let group = self.own_group(uid)?;
        self.edit.rename_group(group.id, name)?;
        let name = name.to_owned();
        Ok(Group { name, ..group })
    }

    /// Deletes a group of the caller's own: its members lose the access that it gave.
    pub fn delete_group(&self, uid: &str) -> Result<(), CollectionError> {
        let group = self.own_group(uid)?;
        let collections = self.edit.collections_of_group(group.id)?;
        self.edit.delete_group(group.id)?;
        self.touch_all(&collections)
    }

    /// Removes a member from a group of the caller's own.
    pub fn remove_group_member(&self, uid: &str, member: &str) -> Result<(), CollectionError> {
        let group = self.own_group(uid)?;
        let members = self.edit.group_members(group.id)?;
        let member = members.into_iter().find(|found| found.uid == member);
        let member = member.ok_or(CollectionError::NotFound(Resource::Member))?;
        self.edit.remove_group_member(group.id, member.user)?;
        self.touch_all(&self.edit.collections_of_group(group.id)?)
    }

    /// Ends the caller's own membership in a group. That in a group of an identity provider returns
    /// with the next sign-in.
    pub fn leave_group(&self, uid: &str) -> Result<(), CollectionError> {
        let user = self.owner.user;
        let group = self.edit.group(user, uid)?;
        let group = group.ok_or(CollectionError::NotFound(Resource::Group))?;
        self.edit.remove_group_member(group.id, user)?;
        self.touch_all(&self.edit.collections_of_group(group.id)?)
    }

    /// Gives a group that the caller made or belongs to a role in a collection.
    pub fn set_group_role(
        &self,
        collection: &str,
        group: &str,
        role: Role,
    ) -> Result<CollectionRow, CollectionError> {
        let collection = self.open(collection, CollectionAction::ManageMembers)?;
        let group = self.edit.group(self.owner.user, group)?;
        let group = group.ok_or(CollectionError::NotFound(Resource::Group))?;
        self.edit
            .set_group_role(collection.id, group.id, Some(role))?;
        self.touch(collection.id, ChangeKind::MembersChanged, &[])
    }

    /// Takes a group's role in a collection away.
    pub fn remove_group_role(
        &self,
        collection: &str,
        group: &str,
    ) -> Result<CollectionRow, CollectionError> {
        let collection = self.open(collection, CollectionAction::ManageMembers)?;
        let group = self.edit.group_in(collection.id, group)?;
        let group = group.ok_or(CollectionError::NotFound(Resource::Group))?;
        self.edit.set_group_role(collection.id, group.id, None)?;
        self.touch(collection.id, ChangeKind::MembersChanged, &[])
    }

    pub(super) fn own_group(&self, uid: &str) -> Result<Group, CollectionError> {
        let user = self.owner.user;
        let group = self.edit.group(user, uid)?;
        let group = group.ok_or(CollectionError::NotFound(Resource::Group))?;
        if group.owner == Some(user) {
            Ok(group)
        } else {
            Err(CollectionError::NotYourGroup)
        }
    }

    /// Tells the watchers of collections that access to them has changed.
    pub(super) fn touch_all(&self, collections: &[i64]) -> Result<(), CollectionError> {
        for collection in collections {
            self.touch(*collection, ChangeKind::MembersChanged, &[])?;
        }
        Ok(())
    }
}
