//! Who has access to a collection: members and groups, leaving, and a new owner.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use super::dto;
use super::transaction::{WRITE_CODES, known_collection, read, uid, versioned, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code, FieldFault};
use crate::api::openapi::operation::{Operation, one_of};
use crate::clock::iso8601;
use crate::collections::CollectionAction;
use crate::collections::members::{Access, MemberPatch};
use crate::collections::policy::allows;
use crate::store::collections::{GroupRole, Member, Role};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/collections/{id}/members", Action::Read, list)
            .documented(list_operation),
        route::patch(
            "/api/v1/collections/{id}/members/{uid}",
            Action::Write,
            change,
        )
        .documented(change_operation),
        route::delete(
            "/api/v1/collections/{id}/members/{uid}",
            Action::Write,
            remove,
        )
        .documented(remove_operation),
        route::post("/api/v1/collections/{id}/leave", Action::Write, leave)
            .documented(leave_operation),
        route::post("/api/v1/collections/{id}/transfer", Action::Write, transfer)
            .documented(transfer_operation),
        route::put(
            "/api/v1/collections/{id}/groups/{uid}",
            Action::Write,
            set_group,
        )
        .documented(set_group_operation),
        route::delete(
            "/api/v1/collections/{id}/groups/{uid}",
            Action::Write,
            remove_group,
        )
        .documented(remove_group_operation),
    ]
}

/// Who has access to a collection.
#[derive(Serialize, ToSchema)]
pub struct AccessReply {
    /// The caller's own role.
    #[schema(schema_with = roles)]
    role: &'static str,
    /// The owner first. Members of groups are not listed.
    members: Vec<MemberReply>,
    groups: Vec<GroupRoleReply>,
}

/// Somebody with a role in a collection.
#[derive(Serialize, ToSchema)]
pub struct MemberReply {
    /// UUID of the account.
    id: String,
    name: Option<String>,
    /// Only shown to the owner of the collection.
    email: Option<String>,
    #[schema(schema_with = roles)]
    role: &'static str,
    /// ISO 8601, UTC.
    joined_at: String,
    /// Whether the collection becomes theirs when the owner's account is deleted.
    is_successor: bool,
}

/// A group with a role in a collection.
#[derive(Serialize, ToSchema)]
pub struct GroupRoleReply {
    /// UUID of the group.
    id: String,
    name: String,
    #[schema(schema_with = roles)]
    role: &'static str,
    /// Number of its members.
    members: u64,
}

/// Changes to a member. Absent members stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"role": "editor"}))]
pub struct MemberChange {
    /// `reader` or `editor`.
    #[schema(schema_with = given_roles)]
    role: Option<String>,
    /// Whether the collection becomes theirs when the owner's account is deleted. It ends the
    /// succession of another member.
    is_successor: Option<bool>,
}

/// The new owner of a collection.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"member_id": "0192f0c1-0000-7000-8000-000000000001"}))]
pub struct TransferRequest {
    /// UUID of a member.
    #[schema(max_length = 36)]
    member_id: String,
}

/// The role that a group gets.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"role": "reader"}))]
pub struct GroupRoleRequest {
    /// `reader` or `editor`.
    #[schema(schema_with = given_roles)]
    role: String,
}

pub fn roles() -> Object {
    one_of(Role::ALL.map(Role::as_str))
}

/// The roles that one person can give to another.
pub fn given_roles() -> Object {
    one_of([Role::Reader, Role::Editor].map(Role::as_str))
}

/// A role that may be given.
pub fn read_role(pointer: &str, text: &str) -> Result<Role, FieldFault> {
    let role = Role::parse(text).filter(|role| *role != Role::Owner);
    role.ok_or_else(|| FieldFault::new(pointer, "invalid", "must be “reader” or “editor”"))
}

/// `GET /api/v1/collections/{id}/members`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = uid(context, "id");
    let access = read(context, |snapshot| snapshot.access(&collection))?;
    Ok(access_reply(&access))
}

fn access_reply(access: &Access) -> Reply {
    let role = access.collection.role;
    // Addresses are for whoever manages the members.
    let with_email = allows(role, CollectionAction::ManageMembers);
    let body = AccessReply {
        role: role.as_str(),
        members: access
            .members
            .iter()
            .map(|member| member_reply(member, with_email))
            .collect(),
        groups: access.groups.iter().map(group_reply).collect(),
    };
    versioned(Reply::json(&body), &access.collection)
}

fn member_reply(member: &Member, with_email: bool) -> MemberReply {
    MemberReply {
        id: member.uid.clone(),
        name: member.name.clone(),
        email: member.email.clone().filter(|_| with_email),
        role: member.role.as_str(),
        joined_at: iso8601(member.joined_at),
        is_successor: member.is_successor,
    }
}

fn group_reply(group: &GroupRole) -> GroupRoleReply {
    GroupRoleReply {
        id: group.uid.clone(),
        name: group.name.clone(),
        role: group.role.as_str(),
        members: group.members,
    }
}

/// `PATCH /api/v1/collections/{id}/members/{uid}`.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::ManageMembers)?;
    let member = uid(context, "uid");
    let request: MemberChange = context.json()?;
    let role = request.role.as_deref();
    let patch = MemberPatch {
        role: role.map(|text| read_role("/role", text)).transpose()?,
        is_successor: request.is_successor,
    };
    write(
        context,
        |change| change.set_member(&collection, &member, patch),
        |row| versioned(Reply::empty(), &row),
    )
}

/// `DELETE /api/v1/collections/{id}/members/{uid}`.
pub fn remove(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, member) = (uid(context, "id"), uid(context, "uid"));
    write(
        context,
        |change| change.remove_member(&collection, &member),
        |row| versioned(Reply::empty(), &row),
    )
}

/// `POST /api/v1/collections/{id}/leave`.
pub fn leave(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = uid(context, "id");
    write(
        context,
        |change| change.leave(&collection),
        |()| Reply::empty(),
    )
}

/// `POST /api/v1/collections/{id}/transfer`.
pub fn transfer(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::Transfer)?;
    let request: TransferRequest = context.json()?;
    let member = request.member_id.to_ascii_lowercase();
    write(
        context,
        |change| change.transfer(&collection, &member),
        |row| versioned(Reply::json(&dto::collection(context, &row)), &row),
    )
}

/// `PUT /api/v1/collections/{id}/groups/{uid}`.
pub fn set_group(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::ManageMembers)?;
    let group = uid(context, "uid");
    let request: GroupRoleRequest = context.json()?;
    let role = read_role("/role", &request.role)?;
    write(
        context,
        |change| change.set_group_role(&collection, &group, role),
        |row| versioned(Reply::empty(), &row),
    )
}

/// `DELETE /api/v1/collections/{id}/groups/{uid}`.
pub fn remove_group(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, group) = (uid(context, "id"), uid(context, "uid"));
    write(
        context,
        |change| change.remove_group_role(&collection, &group),
        |row| versioned(Reply::empty(), &row),
    )
}

const COLLECTION: &str = "The collection's UUID.";

pub fn list_operation() -> Operation {
    Operation::new("list_members", "collections", "List who has access to a collection")
        .describe(
            "A reader may read the collection, look up its works and see its members; an editor may also \
             change its entries and its description; the owner may also share, transfer and delete it, and \
             manage its members. Others get 404.",
        )
        .path("id", COLLECTION)
        .reply::<AccessReply>(200, "Members and groups.")
        .conditional()
        .codes(&[Code::AuthenticationRequired, Code::NotFound])
}

pub fn change_operation() -> Operation {
    Operation::new(
        "change_member",
        "collections",
        "Change the role of a member",
    )
    .path("id", COLLECTION)
    .path("uid", "The UUID of the member's account.")
    .body::<MemberChange>()
    .reply_empty(204, "Changed.")
    .codes(&WRITE_CODES)
}

pub fn remove_operation() -> Operation {
    Operation::new(
        "remove_member",
        "collections",
        "Remove a member from a collection",
    )
    .path("id", COLLECTION)
    .path("uid", "The UUID of the member's account.")
    .reply_empty(204, "Removed.")
    .codes(&WRITE_CODES)
}

pub fn leave_operation() -> Operation {
    Operation::new(
        "leave_collection",
        "collections",
        "Leave a collection of somebody else",
    )
    .describe("Access by a group ends with leaving the group.")
    .path("id", COLLECTION)
    .reply_empty(204, "Left.")
    .codes(&WRITE_CODES)
}

pub fn transfer_operation() -> Operation {
    Operation::new(
        "transfer_collection",
        "collections",
        "Give a collection to a member",
    )
    .describe(
        "The collection counts for the new owner's plan, which must have room for it. The former \
             owner becomes an editor, and open invitations are revoked.",
    )
    .path("id", COLLECTION)
    .body::<TransferRequest>()
    .reply::<dto::Collection>(200, "The collection, as the former owner sees it.")
    .codes(&WRITE_CODES)
    .codes(&[Code::CollectionLimitReached, Code::EntryLimitReached])
}

pub fn set_group_operation() -> Operation {
    Operation::new(
        "set_group_role",
        "collections",
        "Give a group a role in a collection",
    )
    .path("id", COLLECTION)
    .path(
        "uid",
        "The UUID of a group that the caller owns or belongs to.",
    )
    .body::<GroupRoleRequest>()
    .reply_empty(204, "Done.")
    .codes(&WRITE_CODES)
}

pub fn remove_group_operation() -> Operation {
    Operation::new(
        "remove_group_role",
        "collections",
        "Take a group's role in a collection away",
    )
    .path("id", COLLECTION)
    .path("uid", "The group's UUID.")
    .reply_empty(204, "Done.")
    .codes(&WRITE_CODES)
}
