//! Invitations by link to collections and groups.

use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dto;
use super::members::{given_roles, read_role};
use super::transaction::{WRITE_CODES, change, known_collection, read, uid, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::letters;
use crate::clock::iso8601;
use crate::collections::CollectionAction;
use crate::collections::invitations::{
    InvitationTarget, InvitationTerms, NewInvitation, Offer, OfferedTo,
};
use crate::store::collections::{Invitation, InvitedTo, Role};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get(
            "/api/v1/collections/{id}/invitations",
            Action::Read,
            list_of_collection,
        )
        .documented(list_of_collection_operation),
        route::post(
            "/api/v1/collections/{id}/invitations",
            Action::Write,
            invite_to_collection,
        )
        .documented(invite_to_collection_operation),
        route::delete(
            "/api/v1/collections/{id}/invitations/{uid}",
            Action::Write,
            revoke_of_collection,
        )
        .documented(revoke_of_collection_operation),
        route::get(
            "/api/v1/groups/{id}/invitations",
            Action::Read,
            list_of_group,
        )
        .documented(list_of_group_operation),
        route::post(
            "/api/v1/groups/{id}/invitations",
            Action::Write,
            invite_to_group,
        )
        .documented(invite_to_group_operation),
        route::delete(
            "/api/v1/groups/{id}/invitations/{uid}",
            Action::Write,
            revoke_of_group,
        )
        .documented(revoke_of_group_operation),
        route::get("/api/v1/invitations/{token}", Action::Read, show).documented(show_operation),
        route::post("/api/v1/invitations/{token}/accept", Action::Write, accept)
            .documented(accept_operation),
    ]
}

/// Days after which an invitation expires by default.
const DEFAULT_DAYS: i64 = 7;

/// Maximum number of days that an invitation is valid.
const MAX_DAYS: i64 = 365;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// A new invitation to a collection.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"role": "editor"}))]
pub struct InvitationRequest {
    /// The role that it gives: `reader` or `editor`.
    #[schema(schema_with = given_roles)]
    role: String,
    /// ISO 8601; default: in 7 days; at most in 365.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// Whether several people may use it. Default: no.
    #[serde(default)]
    reusable: bool,
    /// An address to which the link is also sent, if this server sends mail.
    #[schema(max_length = 254)]
    email: Option<String>,
}

/// A new invitation to a group.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reusable": true}))]
pub struct GroupInvitationRequest {
    /// ISO 8601; default: in 7 days; at most in 365.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// Whether several people may use it. Default: no.
    #[serde(default)]
    reusable: bool,
    /// An address to which the link is also sent, if this server sends mail.
    #[schema(max_length = 254)]
    email: Option<String>,
}

/// An invitation that can still be used.
#[derive(Serialize, ToSchema)]
pub struct InvitationReply {
    /// UUID.
    id: String,
    /// The role that it gives in a collection; null for groups.
    role: Option<&'static str>,
    /// ISO 8601, UTC.
    created_at: String,
    /// ISO 8601, UTC.
    expires_at: String,
    reusable: bool,
    /// Number of people who have used it.
    uses: u64,
}

/// A new invitation. Its link is shown only here.
#[derive(Serialize, ToSchema)]
pub struct NewInvitationReply {
    #[serde(flatten)]
    invitation: InvitationReply,
    token: String,
    /// The page to open.
    url: String,
}

/// What an invitation offers.
#[derive(Serialize, ToSchema)]
pub struct OfferReply {
    /// `collection` or `group`.
    kind: &'static str,
    /// Name of the collection or the group.
    name: String,
    /// The role that it gives in a collection; null for groups.
    role: Option<&'static str>,
    /// The name of who invites.
    invited_by: Option<String>,
    /// ISO 8601, UTC.
    expires_at: String,
}

/// An accepted invitation.
#[derive(Serialize, ToSchema)]
pub struct AcceptedReply {
    /// `collection` or `group`.
    kind: &'static str,
    /// UUID of the collection or the group.
    id: String,
    name: String,
}

fn invitation_reply(invitation: &Invitation) -> InvitationReply {
    InvitationReply {
        id: invitation.uid.clone(),
        role: match invitation.to {
            InvitedTo::Collection(_, role) => Some(role.as_str()),
            InvitedTo::Group(_) => None,
        },
        created_at: iso8601(invitation.created_at),
        expires_at: iso8601(invitation.expires_at),
        reusable: invitation.is_reusable,
        uses: invitation.uses,
    }
}

fn list_reply(invitations: &[Invitation]) -> Reply {
    let body: Vec<InvitationReply> = invitations.iter().map(invitation_reply).collect();
    Reply::json(&body).with_header("cache-control", "private, no-store")
}

fn terms(
    context: &RequestContext,
    expires_at: Option<&str>,
    is_reusable: bool,
) -> Result<InvitationTerms, ApiError> {
    let now = context.app.clock.unix();
    let expires_at = match expires_at {
        None => now + DEFAULT_DAYS * DAY_SECONDS,
        Some(text) => dto::read_time("/expires_at", text)?,
    };
    if expires_at <= now {
        return Err(ApiError::invalid_field("/expires_at", "has passed"));
    }
    if expires_at > now + MAX_DAYS * DAY_SECONDS {
        let message = format!("is more than {MAX_DAYS} days ahead");
        return Err(ApiError::invalid_field("/expires_at", message));
    }
    Ok(InvitationTerms {
        expires_at,
        is_reusable,
    })
}

fn invite(
    context: &RequestContext,
    target: InvitationTarget<'_>,
    terms: InvitationTerms,
    email: Option<&str>,
) -> Result<Reply, ApiError> {
    let new = invited(context, target, terms, email)?;
    let body = NewInvitationReply {
        invitation: invitation_reply(&new.invitation),
        url: invitation_url(context, &new.token),
        token: new.token,
    };
    Ok(Reply::json(&body)
        .with_status(StatusCode::CREATED)
        .with_header("cache-control", "no-store"))
}

/// Creates an invitation, and sends its link to an address.
pub fn invited(
    context: &RequestContext,
    target: InvitationTarget<'_>,
    terms: InvitationTerms,
    email: Option<&str>,
) -> Result<NewInvitation, ApiError> {
    let recipient = email.map(|email| letters::admit_field(context, email));
    let recipient = recipient.transpose()?;
    let new = change(context, |change| change.invite(target, terms))?;
    if let Some(recipient) = recipient {
        let link = invitation_url(context, &new.token);
        letters::send_invitation(context, &recipient, &new.token, &link)?;
    }
    Ok(new)
}

/// The address of an invitation's page.
pub fn invitation_url(context: &RequestContext, token: &str) -> String {
    context.edge.site.base_url.join(&format!("/join/{token}"))
}

/// `GET /api/v1/collections/{id}/invitations`.
pub fn list_of_collection(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = uid(context, "id");
    let found = read(context, |snapshot| {
        snapshot.collection_invitations(&collection)
    })?;
    Ok(list_reply(&found))
}

/// `POST /api/v1/collections/{id}/invitations`: 201 with the link.
pub fn invite_to_collection(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::ManageMembers)?;
    let request: InvitationRequest = context.json()?;
    let role = read_role("/role", &request.role)?;
    let terms = terms(context, request.expires_at.as_deref(), request.reusable)?;
    invite(
        context,
        InvitationTarget::Collection(&collection, role),
        terms,
        request.email.as_deref(),
    )
}

/// `DELETE /api/v1/collections/{id}/invitations/{uid}`.
pub fn revoke_of_collection(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = uid(context, "id");
    // Any role of the collection's invitations.
    revoke(
        context,
        InvitationTarget::Collection(&collection, Role::Reader),
    )
}

/// `GET /api/v1/groups/{id}/invitations`.
pub fn list_of_group(context: &RequestContext) -> Result<Reply, ApiError> {
    let group = uid(context, "id");
    let found = read(context, |snapshot| snapshot.group_invitations(&group))?;
    Ok(list_reply(&found))
}

/// `POST /api/v1/groups/{id}/invitations`: 201 with the link.
pub fn invite_to_group(context: &RequestContext) -> Result<Reply, ApiError> {
    let group = uid(context, "id");
    read(context, |snapshot| {
        snapshot.group_invitations(&group).map(drop)
    })?;
    let request: GroupInvitationRequest = context.json_or_default()?;
    let terms = terms(context, request.expires_at.as_deref(), request.reusable)?;
    let email = request.email.as_deref();
    invite(context, InvitationTarget::Group(&group), terms, email)
}

/// `DELETE /api/v1/groups/{id}/invitations/{uid}`.
pub fn revoke_of_group(context: &RequestContext) -> Result<Reply, ApiError> {
    let group = uid(context, "id");
    revoke(context, InvitationTarget::Group(&group))
}

fn revoke(context: &RequestContext, target: InvitationTarget<'_>) -> Result<Reply, ApiError> {
    let invitation = uid(context, "uid");
    write(
        context,
        |change| change.revoke_invitation(target, &invitation),
        |()| Reply::empty(),
    )
}

/// `GET /api/v1/invitations/{token}`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    let offer = read(context, |snapshot| snapshot.offer(context.param("token")))?;
    Ok(Reply::json(&offer_reply(&offer)).with_header("cache-control", "private, no-store"))
}

fn offer_reply(offer: &Offer) -> OfferReply {
    let (kind, name, role) = match &offer.to {
        OfferedTo::Collection(row, role) => ("collection", &row.name, Some(role.as_str())),
        OfferedTo::Group(group) => ("group", &group.name, None),
    };
    OfferReply {
        kind,
        name: name.clone(),
        role,
        invited_by: offer.from.clone(),
        expires_at: iso8601(offer.invitation.expires_at),
    }
}

/// `POST /api/v1/invitations/{token}/accept`.
pub fn accept(context: &RequestContext) -> Result<Reply, ApiError> {
    write(
        context,
        |change| change.accept(context.param("token")),
        |offer| {
            let (kind, id, name) = match offer.to {
                OfferedTo::Collection(row, _) => ("collection", row.uid, row.name),
                OfferedTo::Group(group) => ("group", group.uid, group.name),
            };
            Reply::json(&AcceptedReply { kind, id, name })
        },
    )
}

const COLLECTION: &str = "The collection's UUID.";
const GROUP: &str = "The group's UUID.";
const INVITATION: &str = "The invitation's UUID.";
const TOKEN: &str = "The token of the link.";

pub fn list_of_collection_operation() -> Operation {
    let id = "list_collection_invitations";
    Operation::new(
        id,
        "collections",
        "List the open invitations to a collection",
    )
    .path("id", COLLECTION)
    .reply_list::<InvitationReply>(200, "The invitations, without their links.")
    .codes(&[
        Code::AuthenticationRequired,
        Code::Forbidden,
        Code::NotFound,
    ])
}

pub fn invite_to_collection_operation() -> Operation {
    Operation::new(
        "invite_to_collection",
        "collections",
        "Invite people to a collection",
    )
    .describe(
        "Whoever opens the link while signed in gets the role. Only the hash of the link is \
             stored, so it is shown once.",
    )
    .path("id", COLLECTION)
    .body::<InvitationRequest>()
    .reply::<NewInvitationReply>(201, "The invitation with its link.")
    .codes(&WRITE_CODES)
    .codes(&[Code::Conflict])
}

pub fn revoke_of_collection_operation() -> Operation {
    let id = "revoke_collection_invitation";
    Operation::new(id, "collections", "Revoke an invitation to a collection")
        .describe("Who has used it stays a member.")
        .path("id", COLLECTION)
        .path("uid", INVITATION)
        .reply_empty(204, "Revoked.")
        .codes(&WRITE_CODES)
}

pub fn list_of_group_operation() -> Operation {
    let id = "list_group_invitations";
    Operation::new(id, "collections", "List the open invitations to a group")
        .path("id", GROUP)
        .reply_list::<InvitationReply>(200, "The invitations, without their links.")
        .codes(&[
            Code::AuthenticationRequired,
            Code::Forbidden,
            Code::NotFound,
        ])
}

pub fn invite_to_group_operation() -> Operation {
    Operation::new("invite_to_group", "collections", "Invite people to a group")
        .path("id", GROUP)
        .optional_body::<GroupInvitationRequest>()
        .reply::<NewInvitationReply>(201, "The invitation with its link.")
        .codes(&WRITE_CODES)
        .codes(&[Code::Conflict])
}

pub fn revoke_of_group_operation() -> Operation {
    let id = "revoke_group_invitation";
    Operation::new(id, "collections", "Revoke an invitation to a group")
        .path("id", GROUP)
        .path("uid", INVITATION)
        .reply_empty(204, "Revoked.")
        .codes(&WRITE_CODES)
}

pub fn show_operation() -> Operation {
    Operation::new("get_invitation", "collections", "What an invitation offers")
        .path("token", TOKEN)
        .reply::<OfferReply>(200, "The offer.")
        .codes(&[Code::AuthenticationRequired, Code::NotFound])
}

pub fn accept_operation() -> Operation {
    Operation::new("accept_invitation", "collections", "Accept an invitation")
        .describe(
            "A link that works once stays unused if the caller already has the role or a higher one.",
        )
        .path("token", TOKEN)
        .reply::<AcceptedReply>(200, "The collection or the group.")
        .codes(&WRITE_CODES)
        .codes(&[Code::Conflict])
}
