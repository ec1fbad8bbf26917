//! Groups of identity providers: their members by the claims of sign-ins, and the roles that the configuration
//! gives them.

use std::collections::BTreeSet;

use rusqlite::params;

use super::log::{ChangeKind, NewChange};
use super::row::Role;
use super::{Edit, View};
use crate::store::{Store, StoreError, meta};

/// A group that the configuration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredGroup {
    /// The address of the issuer, without a slash at the end.
    pub issuer: String,
    /// The value in the issuer's claim.
    pub claim: String,
    pub name: String,
    /// Reader or editor.
    pub role: Role,
    /// UUIDs of the collections in which it has the role.
    pub collections: Vec<String>,
}

/// The key of the fact that the configuration has given a role: it is followed by the row ids of group and
/// collection.
const GIVEN: &str = "group_role.";

impl Store {
    /// Makes a user a member of exactly these groups of an issuer, by the values of its claim. Missing
    /// groups are created. Groups of other issuers, and those that have an owner, do not change.
    pub fn set_claimed_groups(
        &self,
        user: i64,
        issuer: &str,
        claims: &[String],
        now: i64,
    ) -> Result<(), StoreError> {
        self.edit_collections(|edit| {
            let mut told = BTreeSet::new();
            for name in claims {
                let (uid, claim) = (uuid::Uuid::now_v7().to_string(), format!("{issuer} {name}"));
                edit.execute(
                    "INSERT OR IGNORE INTO user_groups (uid, name, claim, created_at)
                     VALUES (?1, ?2, ?3, ?4)",
                    params![uid, name, claim, now],
                )?;
                let sql = "SELECT id FROM user_groups WHERE claim = ?1";
                told.extend(edit.value::<i64>(sql, [claim])?);
            }
            let before = edit.claimed_groups(user, Some(issuer))?;
            for team in before.difference(&told) {
                edit.remove_group_member(*team, user)?;
            }
            for team in told.difference(&before) {
                edit.add_group_member(*team, user, now)?;
            }
            edit.touch_groups(before.symmetric_difference(&told), now)
        })
    }

    /// Gives the configured groups that have had a member their names and roles, and takes away the roles
    /// that the configuration gave before and does not give now. Roles given by people stay.
    pub fn apply_configured_groups(
        &self,
        groups: &[ConfiguredGroup],
        now: i64,
    ) -> Result<(), StoreError> {
        if groups.is_empty() && self.view_collections(|view| view.given_roles())?.is_empty() {
            return Ok(());
        }
        self.edit_collections(|edit| {
            let mut kept = BTreeSet::new();
            for group in groups {
                let Some((team, name)) = edit.claimed_group(group)? else {
                    continue;
                };
                if name != group.name {
                    edit.rename_group(team, &group.name)?;
                }
                for uid in &group.collections {
                    let Some(collection) = edit.present_collection(uid)? else {
                        continue;
                    };
                    edit.set_configured_role(collection, team, Some(group.role), now)?;
                    kept.insert((team, collection));
                    let key = format!("{GIVEN}{team} {collection}");
                    meta::set_fact(edit.transaction, &key, "")?;
                }
            }
            for (team, collection) in edit.given_roles()? {
                if kept.contains(&(team, collection)) {
                    continue;
                }
                edit.set_configured_role(collection, team, None, now)?;
                let key = format!("{GIVEN}{team} {collection}");
                meta::delete_fact(edit.transaction, &key)?;
            }
            Ok(())
        })
    }

    /// Ends the memberships in groups of issuers that are no groups here any more. `claims` are the
    /// others: the issuer without a slash at the end, and the value of its claim.
    pub fn retain_claimed_groups(
        &self,
        claims: &[(&str, &str)],
        now: i64,
    ) -> Result<(), StoreError> {
        let sql =
            "SELECT DISTINCT t.id, t.claim FROM user_groups t JOIN group_members m ON m.team = t.id
                   WHERE t.owner IS NULL";
        let present: Vec<(i64, Option<String>)> =
            self.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let is_shared = |claim: &str| {
            let (issuer, value) = claim.split_once(' ').unwrap_or_default();
            claims.contains(&(issuer.trim_end_matches('/'), value))
        };
        let ended: Vec<i64> = { present.into_iter() }
            .filter(|(_, claim)| !claim.as_deref().is_some_and(is_shared))
            .map(|(team, _)| team)
            .collect();
        if ended.is_empty() {
            return Ok(());
        }
        self.edit_collections(|edit| {
            for team in &ended {
                edit.execute("DELETE FROM group_members WHERE team = ?1", [team])?;
            }
            edit.touch_groups(&ended, now)
        })
    }
}

impl View<'_> {
    /// The row ids of the groups of an issuer, or of all, that a user belongs to.
    fn claimed_groups(&self, user: i64, issuer: Option<&str>) -> Result<BTreeSet<i64>, StoreError> {
        let sql = "SELECT t.id FROM group_members m JOIN user_groups t ON t.id = m.team
                   WHERE m.user = ?1 AND t.owner IS NULL
                     AND (?2 IS NULL OR substr(t.claim, 1, length(?2) + 1) = ?2 || ' ')";
        let teams = self.all(sql, params![user, issuer], |row| Ok(row.get(0)?))?;
        Ok(teams.into_iter().collect())
    }

    /// The row id and the name of a configured group. Issuers may end with a slash.
    fn claimed_group(&self, group: &ConfiguredGroup) -> Result<Option<(i64, String)>, StoreError> {
        let ConfiguredGroup { issuer, claim, .. } = group;
        self.first(
            "SELECT id, name FROM user_groups WHERE claim IN (?1, ?2)",
            [format!("{issuer} {claim}"), format!("{issuer}/ {claim}")],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    fn present_collection(&self, uid: &str) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT id FROM collections WHERE uid = ?1 AND deleted_at IS NULL";
        self.value(sql, [uid.to_ascii_lowercase()])
    }

    fn group_role(&self, collection: i64, team: i64) -> Result<Option<Role>, StoreError> {
        let sql = "SELECT role FROM group_roles WHERE collection = ?1 AND team = ?2";
        let number: Option<i64> = self.value(sql, [collection, team])?;
        Ok(number.map(Role::of_number))
    }

    /// The row ids of groups and collections of the roles that the configuration has given.
    fn given_roles(&self) -> Result<Vec<(i64, i64)>, StoreError> {
        let sql =
            "SELECT substr(key, length(?1) + 1) FROM meta WHERE substr(key, 1, length(?1)) = ?1";
        let keys: Vec<String> = self.all(sql, [GIVEN], |row| Ok(row.get(0)?))?;
        let pair = |key: &String| {
            let (team, collection) = key.split_once(' ')?;
            Some((team.parse().ok()?, collection.parse().ok()?))
        };
        Ok(keys.iter().filter_map(pair).collect())
    }
}

impl Edit<'_> {
    /// Ends a user's memberships in the groups of an issuer, or of all.
    pub(in crate::store) fn leave_claimed(
        &self,
        user: i64,
        issuer: Option<&str>,
        now: i64,
    ) -> Result<(), StoreError> {
        let teams = self.claimed_groups(user, issuer)?;
        for team in &teams {
            self.remove_group_member(*team, user)?;
        }
        self.touch_groups(&teams, now)
    }

    /// Logs that access to the collections of groups has changed, which ends the streams of their watchers
    /// before they tell another change.
    fn touch_groups<'t>(
        &self,
        teams: impl IntoIterator<Item = &'t i64>,
        now: i64,
    ) -> Result<(), StoreError> {
        let mut collections = BTreeSet::new();
        for team in teams {
            collections.extend(self.collections_of_group(*team)?);
        }
        { collections.into_iter() }.try_for_each(|collection| self.touch_members(collection, now))
    }

    fn touch_members(&self, collection: i64, now: i64) -> Result<(), StoreError> {
        let change = NewChange {
            user: None,
            kind: ChangeKind::MembersChanged,
            entries: &[],
            fields: &[],
        };
        self.touch_collection(collection, now, &change).map(drop)
    }

    /// Sets a role, as a change of the collection if it is another one than before.
    fn set_configured_role(
        &self,
        collection: i64,
        team: i64,
        role: Option<Role>,
        now: i64,
    ) -> Result<(), StoreError> {
        if self.group_role(collection, team)? == role {
            return Ok(());
        }
        self.set_group_role(collection, team, role)?;
        self.touch_members(collection, now)
    }
}
