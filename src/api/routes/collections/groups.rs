//! `/api/v1/groups`: groups of people.

use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::transaction::{WRITE_CODES, read, uid, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::clock::iso8601;
use crate::collections::groups::GroupView;
use crate::collections::input;
use crate::store::collections::{Group, GroupMember};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/groups", Action::Read, list).documented(list_operation),
        route::post("/api/v1/groups", Action::Write, create)
            .idempotent()
            .documented(create_operation),
        route::get("/api/v1/groups/{id}", Action::Read, get).documented(get_operation),
        route::patch("/api/v1/groups/{id}", Action::Write, rename).documented(rename_operation),
        route::delete("/api/v1/groups/{id}", Action::Write, delete).documented(delete_operation),
        route::delete("/api/v1/groups/{id}/members/{uid}", Action::Write, remove)
            .documented(remove_operation),
        route::post("/api/v1/groups/{id}/leave", Action::Write, leave).documented(leave_operation),
    ]
}

/// A group to create, or its new name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Rivers lab"}))]
pub struct GroupNameRequest {
    #[schema(min_length = 1)]
    name: String,
}

/// A group of people.
#[derive(Serialize, ToSchema)]
pub struct AccountGroup {
    /// UUID.
    id: String,
    name: String,
    /// Whether the caller made it, and may change it.
    is_own: bool,
    /// Whether its members come from an identity provider.
    is_provided: bool,
    /// Number of its members, without its owner.
    member_count: u64,
    /// ISO 8601, UTC.
    created_at: String,
}

/// A group with its members.
#[derive(Serialize, ToSchema)]
pub struct FullGroupReply {
    #[serde(flatten)]
    group: AccountGroup,
    members: Vec<GroupMemberReply>,
}

/// A member of a group.
#[derive(Serialize, ToSchema)]
pub struct GroupMemberReply {
    /// UUID of the account.
    id: String,
    name: Option<String>,
    /// Only shown to the owner of the group.
    email: Option<String>,
    /// ISO 8601, UTC.
    joined_at: String,
}

fn group_reply(group: &Group, is_own: bool) -> AccountGroup {
    AccountGroup {
        id: group.uid.clone(),
        name: group.name.clone(),
        is_own,
        is_provided: group.owner.is_none(),
        member_count: group.members,
        created_at: iso8601(group.created_at),
    }
}

fn view_reply(view: &GroupView) -> AccountGroup {
    group_reply(&view.group, view.is_own)
}

fn member_reply(member: GroupMember, with_email: bool) -> GroupMemberReply {
    GroupMemberReply {
        id: member.uid,
        name: member.name,
        email: member.email.filter(|_| with_email),
        joined_at: iso8601(member.joined_at),
    }
}

/// `GET /api/v1/groups`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let body = groups_of(context)?;
    Ok(Reply::json(&body).with_header("cache-control", "private, no-cache"))
}

/// The groups that the caller made or belongs to.
pub fn groups_of(context: &RequestContext) -> Result<Vec<AccountGroup>, ApiError> {
    let groups = read(context, |snapshot| Ok(snapshot.groups()?))?;
    Ok(groups.iter().map(view_reply).collect())
}

fn read_name(context: &RequestContext) -> Result<String, ApiError> {
    let request: GroupNameRequest = context.json()?;
    let limits = context.app.collections.limits();
    Ok(input::name("/name", &request.name, limits)?)
}

/// `POST /api/v1/groups`: 201 with the group.
pub fn create(context: &RequestContext) -> Result<Reply, ApiError> {
    let name = read_name(context)?;
    write(
        context,
        |change| change.create_group(&name),
        |group| {
            let location = format!("/api/v1/groups/{}", group.uid);
            Reply::json(&group_reply(&group, true))
                .with_status(StatusCode::CREATED)
                .with_header("location", location)
        },
    )
}

/// `GET /api/v1/groups/{id}`.
pub fn get(context: &RequestContext) -> Result<Reply, ApiError> {
    let id = uid(context, "id");
    let (view, members) = read(context, |snapshot| snapshot.group(&id))?;
    let members = members.into_iter();
    let body = FullGroupReply {
        group: view_reply(&view),
        members: members
            .map(|member| member_reply(member, view.is_own))
            .collect(),
    };
    Ok(Reply::json(&body).with_header("cache-control", "private, no-cache"))
}

/// `PATCH /api/v1/groups/{id}`.
pub fn rename(context: &RequestContext) -> Result<Reply, ApiError> {
    let id = uid(context, "id");
    read(context, |snapshot| snapshot.group(&id).map(drop))?;
    let name = read_name(context)?;
    write(
        context,
        |change| change.rename_group(&id, &name),
        |group| Reply::json(&group_reply(&group, true)),
    )
}

/// `DELETE /api/v1/groups/{id}`.
pub fn delete(context: &RequestContext) -> Result<Reply, ApiError> {
    let id = uid(context, "id");
    write(
        context,
        |change| change.delete_group(&id),
        |()| Reply::empty(),
    )
}

/// `DELETE /api/v1/groups/{id}/members/{uid}`.
pub fn remove(context: &RequestContext) -> Result<Reply, ApiError> {
    let (id, member) = (uid(context, "id"), uid(context, "uid"));
    write(
        context,
        |change| change.remove_group_member(&id, &member),
        |()| Reply::empty(),
    )
}

/// `POST /api/v1/groups/{id}/leave`.
pub fn leave(context: &RequestContext) -> Result<Reply, ApiError> {
    let id = uid(context, "id");
    write(
        context,
        |change| change.leave_group(&id),
        |()| Reply::empty(),
    )
}

const GROUP: &str = "The group's UUID.";

pub fn list_operation() -> Operation {
    Operation::new("list_groups", "collections", "List the caller's groups")
        .describe("The groups that the caller made or belongs to, by name.")
        .reply_list::<AccountGroup>(200, "The groups.")
        .codes(&[Code::AuthenticationRequired])
}

pub fn create_operation() -> Operation {
    Operation::new("create_group", "collections", "Create a group of people")
        .describe("People join it by an invitation. Collections give it a role.")
        .body::<GroupNameRequest>()
        .reply::<AccountGroup>(201, "The group.")
        .codes(&WRITE_CODES)
        .codes(&[Code::Conflict])
}

pub fn get_operation() -> Operation {
    Operation::new("get_group", "collections", "A group with its members")
        .path("id", GROUP)
        .reply::<FullGroupReply>(200, "The group.")
        .codes(&[Code::AuthenticationRequired, Code::NotFound])
}

pub fn rename_operation() -> Operation {
    Operation::new("rename_group", "collections", "Rename a group")
        .path("id", GROUP)
        .body::<GroupNameRequest>()
        .reply::<AccountGroup>(200, "The group.")
        .codes(&WRITE_CODES)
}

pub fn delete_operation() -> Operation {
    Operation::new("delete_group", "collections", "Delete a group")
        .describe("Its members lose the access that it gave. It cannot be restored.")
        .path("id", GROUP)
        .reply_empty(204, "Deleted.")
        .codes(&WRITE_CODES)
}

pub fn remove_operation() -> Operation {
    Operation::new(
        "remove_group_member",
        "collections",
        "Remove a member from a group",
    )
    .path("id", GROUP)
    .path("uid", "The UUID of the member's account.")
    .reply_empty(204, "Removed.")
    .codes(&WRITE_CODES)
}

pub fn leave_operation() -> Operation {
    Operation::new("leave_group", "collections", "Leave a group")
        .describe("Membership in a group of an identity provider returns with the next sign-in.")
        .path("id", GROUP)
        .reply_empty(204, "Left.")
        .codes(&WRITE_CODES)
}
