//! Groups of people: those of the account, and one of them with its members and invitations.

use super::members::InvitationView;
use super::page::Moment;
use super::words::Words;
use askama::Template;

/// The page of all groups.
#[derive(Template)]
#[template(path = "account/groups.html")]
pub struct GroupsPage {
    pub words: Words,
    pub groups: Vec<GroupCard>,
    pub problem: Option<String>,
}

/// A group in the list, and at the head of its page.
#[derive(Clone, Debug, Default)]
pub struct GroupCard {
    /// UUID.
    pub id: String,
    pub name: String,
    /// Whether the reader made it.
    pub is_own: bool,
    /// Whether its members come from an identity provider.
    pub is_provided: bool,
    /// Number of its members, without its owner.
    pub members: u64,
}

/// The page of a group.
#[derive(Template)]
#[template(path = "account/group.html")]
pub struct GroupPage {
    pub words: Words,
    pub group: GroupCard,
    pub members: Vec<GroupMemberView>,
    pub invitations: Vec<InvitationView>,
    /// The address of a new invitation.
    pub link: Option<String>,
    pub problem: Option<String>,
}

/// A member of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupMemberView {
    /// UUID of the account.
    pub id: String,
    pub name: String,
    pub joined_at: Moment,
}
