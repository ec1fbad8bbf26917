//! Members of collections, and the roles of groups in them.

use rusqlite::params;

use super::row::{Role, user_name};
use super::{CollectionRow, Edit, View};
use crate::store::StoreError;
use crate::store::holder::read_plan;
use citation_model::plan::Plan;

/// Somebody with a role in a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The account's UUID.
    pub uid: String,
    pub name: Option<String>,
    pub email: Option<String>,
    pub role: Role,
    /// Unix seconds; for the owner, when the collection was created.
    pub joined_at: i64,
    /// Whether the collection becomes theirs when the owner's account is deleted.
    pub is_successor: bool,
}

/// A group with a role in a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRole {
    /// The group's UUID.
    pub uid: String,
    pub name: String,
    pub role: Role,
    /// Number of its members.
    pub members: u64,
}

impl View<'_> {
    /// The owner and the members of a collection, the owner first, then by the time of joining. Members
    /// of groups are not listed.
    pub fn members(&self, collection: &CollectionRow) -> Result<Vec<Member>, StoreError> {
        self.all(
            "SELECT u.uid, u.name, u.email, 3, c.created_at, 0
             FROM collections c JOIN users u ON u.id = c.user WHERE c.id = ?1
             UNION ALL
             SELECT * FROM (SELECT u.uid, u.name, u.email, m.role, m.joined_at, m.is_successor
                            FROM members m JOIN users u ON u.id = m.user
                            WHERE m.collection = ?1 ORDER BY m.joined_at, m.user)",
            [collection.id],
            |row| {
                Ok(Member {
                    uid: row.get(0)?,
                    name: row.get(1)?,
                    email: row.get(2)?,
                    role: Role::of_number(row.get(3)?),
                    joined_at: row.get(4)?,
                    is_successor: row.get(5)?,
                })
            },
        )
    }

    /// The groups with a role in a collection, by name.
    pub fn group_roles(&self, collection: &CollectionRow) -> Result<Vec<GroupRole>, StoreError> {
        self.all(
            "SELECT t.uid, t.name, r.role,
                 (SELECT count(*) FROM group_members m WHERE m.team = t.id)
             FROM group_roles r JOIN user_groups t ON t.id = r.team
             WHERE r.collection = ?1 ORDER BY t.name, t.id",
            [collection.id],
            |row| {
                Ok(GroupRole {
                    uid: row.get(0)?,
                    name: row.get(1)?,
                    role: Role::of_number(row.get(2)?),
                    members: row.get::<_, u32>(3)?.into(),
                })
            },
        )
    }

    /// The row id and own role of a member of a collection by UUID; groups and the owner do not count.
    pub fn member(&self, collection: i64, uid: &str) -> Result<Option<(i64, Role)>, StoreError> {
        self.first(
            "SELECT m.user, m.role FROM members m JOIN users u ON u.id = m.user
             WHERE m.collection = ?1 AND u.uid = ?2",
            params![collection, uid],
            |row| Ok((row.get(0)?, Role::of_number(row.get(1)?))),
        )
    }

    /// Whether a user is a member of a collection, other than by a group.
    pub fn is_member(&self, collection: i64, user: i64) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM members WHERE collection = ?1 AND user = ?2";
        Ok(self.value::<i64>(sql, params![collection, user])?.is_some())
    }

    /// Number of members of a collection besides the owner.
    pub fn count_members(&self, collection: i64) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM members WHERE collection = ?1";
        let count: Option<u32> = self.value(sql, [collection])?;
        Ok(count.unwrap_or_default().into())
    }

    /// The name of an account for others. `None` if it no longer exists.
    pub fn user_name(&self, user: i64) -> Result<Option<String>, StoreError> {
        let sql = concat!("SELECT ", user_name!(), " FROM users u WHERE u.id = ?1");
        self.value(sql, [user])
    }

    /// The plan of an account by its stored number. `None` if it does not exist.
    pub fn plan_of(&self, user: i64) -> Result<Option<Plan>, StoreError> {
        let number: Option<i64> = self.value("SELECT plan FROM users WHERE id = ?1", [user])?;
        Ok(number.map(|number| read_plan(number.try_into().unwrap_or_default())))
    }
}

impl Edit<'_> {
    /// Adds a member, or changes the role of one.
    pub fn set_member(
        &self,
        collection: i64,
        user: i64,
        role: Role,
        now: i64,
    ) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO members (collection, user, role, joined_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (collection, user) DO UPDATE SET role = excluded.role",
            params![collection, user, role.number(), now],
        )
    }

    /// Removes a member. Does nothing if there is none.
    pub fn remove_member(&self, collection: i64, user: i64) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM members WHERE collection = ?1 AND user = ?2",
            params![collection, user],
        )
    }

    /// Sets the only successor of a collection's owner, or none.
    pub fn set_successor(&self, collection: i64, user: Option<i64>) -> Result<(), StoreError> {
        self.execute(
            "UPDATE members SET is_successor = (user IS ?2) WHERE collection = ?1",
            params![collection, user],
        )
    }

    /// Gives a collection to another owner. Triggers move its bytes and identifiers.
    pub fn set_owner(&self, collection: i64, user: i64) -> Result<(), StoreError> {
        self.execute(
            "UPDATE collections SET user = ?2 WHERE id = ?1",
            params![collection, user],
        )
    }

    /// Gives a group a role in a collection, or takes it away.
    pub fn set_group_role(
        &self,
        collection: i64,
        team: i64,
        role: Option<Role>,
    ) -> Result<(), StoreError> {
        match role {
            Some(role) => self.execute(
                "INSERT OR REPLACE INTO group_roles (collection, team, role) VALUES (?1, ?2, ?3)",
                params![collection, team, role.number()],
            ),
            None => self.execute(
                "DELETE FROM group_roles WHERE collection = ?1 AND team = ?2",
                params![collection, team],
            ),
        }
    }
}
