//! Invitations by link to a collection or a group. Whoever opens the link while signed in gets the role.

use sha2::{Digest, Sha256};

use super::change::Change;
use super::error::{CollectionError, Resource};
use super::groups::MAX_GROUP_MEMBERS;
use super::members::MAX_MEMBERS;
use super::policy::{self, CollectionAction};
use super::share::new_token;
use super::snapshot::Snapshot;
use crate::store::collections::{
    ChangeKind, CollectionRow, Group, Invitation, InvitedTo, Role, View,
};
use crate::store::holder::SecretHash;

/// Maximum number of invitations to one collection or group.
const MAX_INVITATIONS: u64 = 100;

/// The target of an invitation, by UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationTarget<'t> {
    /// With the role to give: reader or editor.
    Collection(&'t str, Role),
    Group(&'t str),
}

/// How an invitation may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvitationTerms {
    /// Unix seconds.
    pub expires_at: i64,
    /// Whether several people may use it.
    pub is_reusable: bool,
}

/// A new invitation. The token is not stored.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    pub invitation: Invitation,
    pub token: String,
}

/// An invitation as the invited person sees it.
#[derive(Clone, Debug)]
pub struct Offer {
    pub invitation: Invitation,
    pub to: OfferedTo,
    /// The name of who invites.
    pub from: Option<String>,
}

/// What an invitation offers.
#[derive(Clone, Debug)]
pub enum OfferedTo {
    Collection(CollectionRow, Role),
    Group(Group),
}

impl Snapshot<'_> {
    /// The invitations to a collection that can still be used.
    pub fn collection_invitations(
        &self,
        collection: &str,
    ) -> Result<Vec<Invitation>, CollectionError> {
        let row = self.permitted(collection, CollectionAction::ManageMembers)?;
        self.open_invitations(InvitedTo::Collection(row.id, Role::Reader))
    }

    /// The invitations to a group of the caller's own that can still be used.
    pub fn group_invitations(&self, group: &str) -> Result<Vec<Invitation>, CollectionError> {
        let (view, _) = self.group(group)?;
        if !view.is_own {
            return Err(CollectionError::NotYourGroup);
        }
        self.open_invitations(InvitedTo::Group(view.group.id))
    }

    fn open_invitations(&self, to: InvitedTo) -> Result<Vec<Invitation>, CollectionError> {
        let all = self.view.invitations(to)?.into_iter();
        Ok(all.filter(|found| found.is_open(self.now)).collect())
    }

    /// What the link of an invitation offers.
    pub fn offer(&self, token: &str) -> Result<Offer, CollectionError> {
        offer(self.view, token, self.now)
    }
}

impl Change<'_> {
    /// Creates an invitation.
    pub fn invite(
        &self,
        target: InvitationTarget<'_>,
        terms: InvitationTerms,
    ) -> Result<NewInvitation, CollectionError> {
        let to = match target {
            InvitationTarget::Collection(uid, role) => {
                let row = self.find(uid, CollectionAction::ManageMembers)?;
                InvitedTo::Collection(row.id, role)
            }
            InvitationTarget::Group(uid) => InvitedTo::Group(self.own_group(uid)?.id),
        };
        if self.edit.invitations(to)?.len() as u64 >= MAX_INVITATIONS {
            return Err(CollectionError::TooMany {
                what: "invitations",
                limit: MAX_INVITATIONS,
            });
        }
        let token = new_token()?;
        let invitation = Invitation {
            id: 0,
            uid: uuid::Uuid::now_v7().to_string(),
            to,
            created_by: self.owner.user,
            created_at: self.now,
            expires_at: terms.expires_at,
            is_reusable: terms.is_reusable,
            uses: 0,
        };
        self.edit.insert_invitation(&invitation, &hash(&token))?;
        Ok(NewInvitation { invitation, token })
    }

    /// Revokes an invitation. Who has used it keeps the role.
    pub fn revoke_invitation(
        &self,
        target: InvitationTarget<'_>,
        uid: &str,
    ) -> Result<(), CollectionError> {
        let to = match target {
            InvitationTarget::Collection(uid, role) => {
                let row = self.find(uid, CollectionAction::ManageMembers)?;
                InvitedTo::Collection(row.id, role)
            }
            InvitationTarget::Group(uid) => InvitedTo::Group(self.own_group(uid)?.id),
        };
        let found = self.edit.invitations(to)?;
        let found = found.into_iter().find(|invitation| invitation.uid == uid);
        let found = found.ok_or(CollectionError::NotFound(Resource::Invitation))?;
        Ok(self.edit.delete_invitation(found.id)?)
    }

    /// Accepts an invitation. Does nothing, and leaves the link unused, if the caller already has the
    /// role or a higher one.
    pub fn accept(&self, token: &str) -> Result<Offer, CollectionError> {
        let offer = offer(self.edit, token, self.now)?;
        let user = self.owner.user;
        match &offer.to {
            OfferedTo::Collection(row, role) => {
                if self.edit.role(row, user)?.is_some_and(|has| has >= *role) {
                    return Ok(offer);
                }
                check_room(self.edit.count_members(row.id)?, MAX_MEMBERS)?;
                self.edit.set_member(row.id, user, *role, self.now)?;
                self.touch(row.id, ChangeKind::MembersChanged, &[])?;
            }
            OfferedTo::Group(group) => {
                if group.owner == Some(user) || self.edit.group(user, &group.uid)?.is_some() {
                    return Ok(offer);
                }
                check_room(group.members, MAX_GROUP_MEMBERS)?;
                self.edit.add_group_member(group.id, user, self.now)?;
                self.touch_all(&self.edit.collections_of_group(group.id)?)?;
            }
        }
        self.edit.use_invitation(offer.invitation.id)?;
        Ok(offer)
    }
}

fn check_room(current: u64, limit: u64) -> Result<(), CollectionError> {
    if current < limit {
        return Ok(());
    }
    Err(CollectionError::TooMany {
        what: "members",
        limit,
    })
}

/// What a link offers, if it can be used and whoever made it may still invite.
fn offer(view: &View<'_>, token: &str, now: i64) -> Result<Offer, CollectionError> {
    let gone = || CollectionError::NotFound(Resource::Invitation);
    let invitation = view.invitation(&hash(token))?.ok_or_else(gone)?;
    if !invitation.is_open(now) {
        return Err(gone());
    }
    let to = match invitation.to {
        InvitedTo::Collection(id, role) => {
            let row = view.collection_by_id(id)?;
            let by = view.role(&row, invitation.created_by)?;
            let may = |role| policy::allows(role, CollectionAction::ManageMembers);
            if row.deleted_at.is_some() || !by.is_some_and(may) {
                return Err(gone());
            }
            OfferedTo::Collection(row, role)
        }
        InvitedTo::Group(id) => OfferedTo::Group(view.group_by_id(id)?.ok_or_else(gone)?),
    };
    Ok(Offer {
        from: view.user_name(invitation.created_by)?,
        to,
        invitation,
    })
}

fn hash(token: &str) -> SecretHash {
    Sha256::digest(token.as_bytes()).into()
}
