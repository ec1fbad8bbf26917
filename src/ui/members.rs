//! Who has access to a collection, and invitations.

use super::page::Moment;
use super::words::Words;
use askama::Template;

/// The page of a collection's members.
#[derive(Template)]
#[template(path = "members.html")]
pub struct MembersPage {
    pub words: Words,
    /// UUID of the collection.
    pub id: String,
    pub name: String,
    /// Whether the reader invites, changes and removes members.
    pub is_manager: bool,
    pub members: Vec<MemberView>,
    pub groups: Vec<GroupRoleView>,
    /// The reader's groups that have no role yet: UUID and name.
    pub other_groups: Vec<(String, String)>,
    pub invitations: Vec<InvitationView>,
    /// Whether the link can be sent to an e-mail address.
    pub sends_mail: bool,
    /// The address of a new invitation.
    pub link: Option<String>,
    pub problem: Option<String>,
}

/// A member in the list.
pub struct MemberView {
    /// UUID of the account.
    pub id: String,
    pub name: String,
    pub role: &'static str,
    pub is_successor: bool,
}

/// A group with a role.
pub struct GroupRoleView {
    /// UUID of the group.
    pub id: String,
    pub name: String,
    pub role: &'static str,
}

/// An open invitation.
pub struct InvitationView {
    /// UUID.
    pub id: String,
    pub role: &'static str,
    pub expires_at: Moment,
    pub is_reusable: bool,
    pub uses: u64,
}

/// The page of an invitation.
#[derive(Template)]
#[template(path = "join.html")]
pub struct JoinPage {
    pub words: Words,
    pub token: String,
    pub name: String,
    /// The role that it gives; empty for groups.
    pub role: &'static str,
    pub invited_by: String,
    pub problem: Option<String>,
}

/// The role that a button gives.
fn other_role(role: &str) -> &'static str {
    match role {
        "reader" => "editor",
        _ => "reader",
    }
}
