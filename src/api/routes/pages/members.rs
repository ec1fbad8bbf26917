//! `/c/{id}/members` and `/join/{token}`: who has access to a collection, and invitations.

use super::frame::{self, error_message, form, redirect, words};
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::invitations;
use crate::api::routes::collections::transaction::{change as write, read, uid};
use crate::collections::CollectionAction;
use crate::collections::invitations::{InvitationTarget, InvitationTerms, Offer, OfferedTo};
use crate::collections::members::MemberPatch;
use crate::collections::policy::allows;
use crate::store::collections::{Invitation, InvitedTo, Role};
use crate::ui::members::{GroupRoleView, InvitationView, JoinPage, MemberView, MembersPage};
use crate::ui::page::{Frame, Moment};

/// Seconds for which an invitation of the page is valid: a week.
const INVITATION_SECONDS: i64 = 7 * 24 * 60 * 60;

/// `GET /c/{id}/members`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None, None)
}

fn page(
    context: &RequestContext,
    link: Option<String>,
    problem: Option<String>,
) -> Result<Reply, ApiError> {
    let collection = uid(context, "id");
    let (access, invitations, groups) = read(context, |snapshot| {
        let access = snapshot.access(&collection)?;
        if !allows(access.collection.role, CollectionAction::ManageMembers) {
            return Ok((access, Vec::new(), Vec::new()));
        }
        let invitations = snapshot.collection_invitations(&collection)?;
        Ok((access, invitations, snapshot.groups()?))
    })?;
    let is_manager = allows(access.collection.role, CollectionAction::ManageMembers);
    let has_role = |uid: &str| access.groups.iter().any(|group| group.uid == uid);
    let other_groups = groups.into_iter().map(|view| view.group);
    let main = MembersPage {
        words: words(context),
        id: access.collection.uid.clone(),
        name: access.collection.name.clone(),
        is_manager,
        members: access
            .members
            .iter()
            .map(|member| MemberView {
                id: member.uid.clone(),
                // Addresses are for whoever manages the members.
                name: [
                    member.name.as_ref(),
                    member.email.as_ref().filter(|_| is_manager),
                ]
                .into_iter()
                .flatten()
                .next()
                .map_or_else(|| member.uid.chars().take(8).collect(), String::clone),
                role: member.role.as_str(),
                is_successor: member.is_successor,
            })
            .collect(),
        other_groups: other_groups
            .filter(|group| !has_role(&group.uid))
            .map(|group| (group.uid, group.name))
            .collect(),
        groups: access
            .groups
            .iter()
            .map(|group| GroupRoleView {
                id: group.uid.clone(),
                name: group.name.clone(),
                role: group.role.as_str(),
            })
            .collect(),
        invitations: invitations.into_iter().map(open_invitation).collect(),
        sends_mail: context.app.mail.is_on(),
        link,
        problem,
    };
    let words = main.words;
    let frame = Frame {
        title: words.get("members.title"),
        current: "/library",
        has_heading: true,
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, main))
}

/// An invitation that can still be used.
pub fn open_invitation(invitation: Invitation) -> InvitationView {
    InvitationView {
        role: match invitation.to {
            InvitedTo::Collection(_, role) => role.as_str(),
            InvitedTo::Group(_) => "",
        },
        id: invitation.uid,
        expires_at: Moment(invitation.expires_at),
        is_reusable: invitation.is_reusable,
        uses: invitation.uses,
    }
}

/// `POST /c/{id}/members`.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let collection = uid(context, "id");
    let action = form.get("do").unwrap_or_default();
    let (action, object) = action.split_once(':').unwrap_or((action, ""));
    let object = object.to_ascii_lowercase();
    let patch = |patch: MemberPatch| {
        write(context, |change| {
            change.set_member(&collection, &object, patch).map(drop)
        })
    };
    let role = |role| MemberPatch {
        role: Some(role),
        ..MemberPatch::default()
    };
    let changed = match action {
        "invite" => {
            return match invite(context, &collection, &form) {
                Ok(link) => page(context, Some(link), None),
                Err(error) => refused(context, &error),
            };
        }
        "reader" => patch(role(Role::Reader)),
        "editor" => patch(role(Role::Editor)),
        "successor" => patch(MemberPatch {
            is_successor: Some(true),
            ..MemberPatch::default()
        }),
        "remove" => write(context, |change| {
            change.remove_member(&collection, &object).map(drop)
        }),
        "transfer" => write(context, |change| {
            change.transfer(&collection, &object).map(drop)
        }),
        "group" => {
            let group = form.get("group").unwrap_or_default().to_ascii_lowercase();
            let role = given_role(&form);
            write(context, |change| {
                change.set_group_role(&collection, &group, role).map(drop)
            })
        }
        "ungroup" => write(context, |change| {
            change.remove_group_role(&collection, &object).map(drop)
        }),
        "revoke" => {
            let target = InvitationTarget::Collection(&collection, Role::Reader);
            write(context, |change| change.revoke_invitation(target, &object))
        }
        "leave" => write(context, |change| change.leave(&collection)),
        _ => return page(context, None, None),
    };
    match changed {
        Ok(()) if action == "leave" => Ok(redirect("/library")),
        Ok(()) => Ok(redirect(&format!("/c/{collection}/members"))),
        Err(error) => refused(context, &error),
    }
}

fn refused(context: &RequestContext, error: &ApiError) -> Result<Reply, ApiError> {
    let problem = error_message(words(context), error);
    Ok(page(context, None, Some(problem))?.with_status(error.code.status()))
}

fn given_role(form: &Query) -> Role {
    match form.get("role") {
        Some("editor") => Role::Editor,
        _ => Role::Reader,
    }
}

fn invite(context: &RequestContext, collection: &str, form: &Query) -> Result<String, ApiError> {
    let target = InvitationTarget::Collection(collection, given_role(form));
    new_invitation(context, target, form)
}

/// Creates an invitation; gives its address.
pub fn new_invitation(
    context: &RequestContext,
    target: InvitationTarget<'_>,
    form: &Query,
) -> Result<String, ApiError> {
    let terms = InvitationTerms {
        expires_at: context.app.clock.unix() + INVITATION_SECONDS,
        is_reusable: form.get("reusable").is_some(),
    };
    let email = form.get("email").filter(|email| !email.trim().is_empty());
    let new = invitations::invited(context, target, terms, email)?;
    Ok(invitations::invitation_url(context, &new.token))
}

/// `GET /join/{token}`.
pub fn ask(context: &RequestContext) -> Result<Reply, ApiError> {
    join_page(context, None)
}

fn join_page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let token = context.param("token");
    let offer: Offer = read(context, |snapshot| snapshot.offer(token))?;
    let (name, role) = match &offer.to {
        OfferedTo::Collection(row, role) => (row.name.clone(), role.as_str()),
        OfferedTo::Group(group) => (group.name.clone(), ""),
    };
    let main = JoinPage {
        words: words(context),
        token: token.to_owned(),
        name,
        role,
        invited_by: offer.from.unwrap_or_default(),
        problem,
    };
    let words = main.words;
    let frame = Frame {
        title: words.get("join.title"),
        ..Frame::default()
    };
    let reply = frame::show(context, &frame, main);
    // The address is the secret.
    Ok(reply.with_header("x-robots-tag", "noindex"))
}

/// `POST /join/{token}`: accepts the invitation.
pub fn accept(context: &RequestContext) -> Result<Reply, ApiError> {
    match write(context, |change| change.accept(context.param("token"))) {
        Ok(offer) => Ok(match offer.to {
            OfferedTo::Collection(row, _) => redirect(&format!("/c/{}", row.uid)),
            OfferedTo::Group(group) => redirect(&format!("/account/groups/{}", group.uid)),
        }),
        Err(error) => {
            let problem = error_message(words(context), &error);
            Ok(join_page(context, Some(problem))?.with_status(error.code.status()))
        }
    }
}
