//! Groups of people, and invitations to groups and collections.

use rusqlite::{Row, params};

use super::row::Role;
use super::{Edit, View};
use crate::store::holder::SecretHash;
use crate::store::{Store, StoreError};

/// A group of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub id: i64,
    /// UUID.
    pub uid: String,
    pub name: String,
    /// The row id of who made it. `None`: its members come from an identity provider.
    pub owner: Option<i64>,
    /// Number of its members, without its owner.
    pub members: u64,
    /// Unix seconds.
    pub created_at: i64,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The account's row id.
    pub user: i64,
    /// The account's UUID.
    pub uid: String,
    pub name: Option<String>,
    pub email: Option<String>,
    /// Unix seconds.
    pub joined_at: i64,
}

/// What an invitation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitedTo {
    /// A collection by row id, with the role that it gives.
    Collection(i64, Role),
    /// A group by row id.
    Group(i64),
}

/// An invitation by link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub id: i64,
    /// UUID.
    pub uid: String,
    pub to: InvitedTo,
    /// The row id of who made it.
    pub created_by: i64,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds.
    pub expires_at: i64,
    /// Whether several people may use it.
    pub is_reusable: bool,
    /// Number of people who have used it.
    pub uses: u64,
}

impl Invitation {
    /// Whether it can still be used.
    pub fn is_open(&self, now: i64) -> bool {
        now < self.expires_at && (self.is_reusable || self.uses == 0)
    }
}

/// A query for what [`read_group`] reads, of `user_groups t`.
macro_rules! select_groups {
    ($rest:literal) => {
        concat!(
            "SELECT t.id, t.uid, t.name, t.owner,
             (SELECT count(*) FROM group_members m WHERE m.team = t.id), t.created_at",
            $rest
        )
    };
}

/// A query for what [`read_invitation`] reads, of `invitations`.
macro_rules! select_invitations {
    ($rest:literal) => {
        concat!(
            "SELECT id, uid, collection, team, role, created_by, created_at, expires_at, \
             is_reusable, uses FROM invitations",
            $rest
        )
    };
}

impl View<'_> {
    /// The groups that a user owns or belongs to, by name.
    pub fn groups(&self, user: i64) -> Result<Vec<Group>, StoreError> {
        let sql = select_groups!(
            " FROM user_groups t WHERE t.owner = ?1
               OR t.id IN (SELECT team FROM group_members WHERE user = ?1)
             ORDER BY t.name, t.id"
        );
        self.all(sql, [user], read_group)
    }

    /// A group that a user owns or belongs to, by UUID.
    pub fn group(&self, user: i64, uid: &str) -> Result<Option<Group>, StoreError> {
        let sql = select_groups!(
            " FROM user_groups t WHERE t.uid = ?2 AND (t.owner = ?1
               OR t.id IN (SELECT team FROM group_members WHERE user = ?1))"
        );
        self.first(sql, params![user, uid], read_group)
    }

    /// A group by its id.
    pub fn group_by_id(&self, id: i64) -> Result<Option<Group>, StoreError> {
        let sql = select_groups!(" FROM user_groups t WHERE t.id = ?1");
        self.first(sql, [id], read_group)
    }

    /// A group with a role in a collection, by UUID.
    pub fn group_in(&self, collection: i64, uid: &str) -> Result<Option<Group>, StoreError> {
        let sql = select_groups!(
            " FROM user_groups t JOIN group_roles r ON r.team = t.id
             WHERE r.collection = ?1 AND t.uid = ?2"
        );
        self.first(sql, params![collection, uid], read_group)
    }

    /// The members of a group by the time of joining, without its owner.
    pub fn group_members(&self, group: i64) -> Result<Vec<GroupMember>, StoreError> {
        self.all(
            "SELECT m.user, u.uid, u.name, u.email, m.joined_at
             FROM group_members m JOIN users u ON u.id = m.user
             WHERE m.team = ?1 ORDER BY m.joined_at, m.user",
            [group],
            |row| {
                Ok(GroupMember {
                    user: row.get(0)?,
                    uid: row.get(1)?,
                    name: row.get(2)?,
                    email: row.get(3)?,
                    joined_at: row.get(4)?,
                })
            },
        )
    }

    /// The collections in which a group has a role, by row id.
    pub fn collections_of_group(&self, group: i64) -> Result<Vec<i64>, StoreError> {
        let sql = "SELECT collection FROM group_roles WHERE team = ?1 ORDER BY collection";
        self.all(sql, [group], |row| Ok(row.get(0)?))
    }

    /// The invitations to a collection or a group, oldest first.
    pub fn invitations(&self, to: InvitedTo) -> Result<Vec<Invitation>, StoreError> {
        match to {
            InvitedTo::Collection(id, _) => self.all(
                select_invitations!(" WHERE collection = ?1 ORDER BY id"),
                [id],
                read_invitation,
            ),
            InvitedTo::Group(id) => self.all(
                select_invitations!(" WHERE team = ?1 ORDER BY id"),
                [id],
                read_invitation,
            ),
        }
    }

    /// The invitation of a link.
    pub fn invitation(&self, hash: &SecretHash) -> Result<Option<Invitation>, StoreError> {
        self.first(
            select_invitations!(" WHERE hash = ?1"),
            [&hash[..]],
            read_invitation,
        )
    }
}

fn read_group(row: &Row<'_>) -> Result<Group, StoreError> {
    Ok(Group {
        id: row.get(0)?,
        uid: row.get(1)?,
        name: row.get(2)?,
        owner: row.get(3)?,
        members: row.get::<_, u32>(4)?.into(),
        created_at: row.get(5)?,
    })
}

fn read_invitation(row: &Row<'_>) -> Result<Invitation, StoreError> {
    let (collection, team): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
    let role: Option<i64> = row.get(4)?;
    let to = match (collection, team) {
        (Some(id), _) => InvitedTo::Collection(id, Role::of_number(role.unwrap_or_default())),
        (None, Some(id)) => InvitedTo::Group(id),
        (None, None) => {
            let message = "an invitation is for nothing".to_owned();
            return Err(StoreError::Corrupt(message));
        }
    };
    Ok(Invitation {
        id: row.get(0)?,
        uid: row.get(1)?,
        to,
        created_by: row.get(5)?,
        created_at: row.get(6)?,
        expires_at: row.get(7)?,
        is_reusable: row.get(8)?,
        uses: row.get::<_, u32>(9)?.into(),
    })
}

impl Edit<'_> {
    /// Creates a group; gives its row id.
    pub fn insert_group(
        &self,
        uid: &str,
        name: &str,
        owner: i64,
        now: i64,
    ) -> Result<i64, StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO user_groups (uid, name, owner, created_at) VALUES (?1, ?2, ?3, ?4)",
        )?;
        Ok(statement.insert(params![uid, name, owner, now])?)
    }

    /// Renames a group.
    pub fn rename_group(&self, group: i64, name: &str) -> Result<(), StoreError> {
        let sql = "UPDATE user_groups SET name = ?2 WHERE id = ?1";
        self.execute(sql, params![group, name])
    }

    /// Deletes a group, with its roles in collections.
    pub fn delete_group(&self, group: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM user_groups WHERE id = ?1", [group])
    }

    /// Adds a member to a group. Does nothing if the user is one.
    pub fn add_group_member(&self, group: i64, user: i64, now: i64) -> Result<(), StoreError> {
        self.execute(
            "INSERT OR IGNORE INTO group_members (team, user, joined_at) VALUES (?1, ?2, ?3)",
            params![group, user, now],
        )
    }

    /// Removes a member from a group.
    pub fn remove_group_member(&self, group: i64, user: i64) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM group_members WHERE team = ?1 AND user = ?2",
            params![group, user],
        )
    }

    /// Stores an invitation. Its row id and uses are ignored.
    pub fn insert_invitation(&self, new: &Invitation, hash: &SecretHash) -> Result<(), StoreError> {
        let (collection, team, role) = match new.to {
            InvitedTo::Collection(id, role) => (Some(id), None, Some(role.number())),
            InvitedTo::Group(id) => (None, Some(id), None),
        };
        self.execute(
            "INSERT INTO invitations (uid, hash, collection, team, role, created_by, created_at,
                 expires_at, is_reusable)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                new.uid,
                &hash[..],
                collection,
                team,
                role,
                new.created_by,
                new.created_at,
                new.expires_at,
                new.is_reusable,
            ],
        )
    }

    /// Counts a use of an invitation.
    pub fn use_invitation(&self, id: i64) -> Result<(), StoreError> {
        self.execute("UPDATE invitations SET uses = uses + 1 WHERE id = ?1", [id])
    }

    /// Revokes an invitation.
    pub fn delete_invitation(&self, id: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM invitations WHERE id = ?1", [id])
    }

    /// Revokes every invitation to a collection.
    pub fn delete_invitations(&self, collection: i64) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM invitations WHERE collection = ?1",
            [collection],
        )
    }
}

impl Store {
    /// Deletes invitations that expired before a time.
    pub fn purge_invitations(&self, before: i64) -> Result<(), StoreError> {
        let sql = "SELECT 1 FROM invitations WHERE expires_at < ?1 LIMIT 1";
        if self.value::<i64>(sql, [before])?.is_none() {
            return Ok(());
        }
        self.write(|transaction| {
            transaction.execute("DELETE FROM invitations WHERE expires_at < ?1", [before])?;
            Ok(())
        })
    }
}
