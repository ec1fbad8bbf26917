//! `/account/groups` and `/account/groups/{id}`: groups of people, their members and invitations.

use super::frame::{self, error_message, form, redirect, show_titled, words};
use super::members::{new_invitation, open_invitation};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::transaction::{change as write, read, uid};
use crate::collections::groups::GroupView;
use crate::collections::input;
use crate::collections::invitations::InvitationTarget;
use crate::ui::groups::{GroupCard, GroupMemberView, GroupPage, GroupsPage};
use crate::ui::page::{Frame, Moment};

/// `GET /account/groups`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    list_page(context, None)
}

fn list_page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let groups = read(context, |snapshot| Ok(snapshot.groups()?))?.into_iter();
    let main = GroupsPage {
        words: words(context),
        groups: groups.map(card).collect(),
        problem,
    };
    Ok(show_titled(context, "nav.groups", "/account/groups", main))
}

fn card(view: GroupView) -> GroupCard {
    GroupCard {
        is_own: view.is_own,
        is_provided: view.group.owner.is_none(),
        members: view.group.members,
        id: view.group.uid,
        name: view.group.name,
    }
}

/// `POST /account/groups`: makes a group.
pub fn create(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let limits = context.app.collections.limits();
    let name = input::name("/name", form.get("name").unwrap_or_default(), limits);
    let made = name
        .map_err(ApiError::from)
        .and_then(|name| write(context, |change| change.create_group(&name)));
    match made {
        Ok(group) => Ok(redirect(&address(&group.uid))),
        Err(error) => {
            let problem = error_message(words(context), &error);
            Ok(list_page(context, Some(problem))?.with_status(error.code.status()))
        }
    }
}

fn address(uid: &str) -> String {
    format!("/account/groups/{uid}")
}

/// `GET /account/groups/{id}`.
pub fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None, None)
}

fn page(
    context: &RequestContext,
    link: Option<String>,
    problem: Option<String>,
) -> Result<Reply, ApiError> {
    let id = uid(context, "id");
    let (view, members, invitations) = read(context, |snapshot| {
        let (view, members) = snapshot.group(&id)?;
        let invitations = if view.is_own {
            snapshot.group_invitations(&id)?
        } else {
            Vec::new()
        };
        Ok((view, members, invitations))
    })?;
    let is_own = view.is_own;
    let members = members.into_iter().map(|member| {
        // Addresses are for whoever manages the members.
        let names = [member.name, member.email.filter(|_| is_own)];
        let name = names.into_iter().flatten().next();
        GroupMemberView {
            name: name.unwrap_or_else(|| member.uid.chars().take(8).collect()),
            joined_at: Moment(member.joined_at),
            id: member.uid,
        }
    });
    let main = GroupPage {
        words: words(context),
        group: card(view),
        members: members.collect(),
        invitations: invitations.into_iter().map(open_invitation).collect(),
        link,
        problem,
    };
    let title = main.group.name.clone();
    let frame = Frame {
        title: &title,
        current: "/account/groups",
        has_heading: true,
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, main))
}

/// `POST /account/groups/{id}`.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let id = uid(context, "id");
    // Others' groups do not exist, whatever is asked.
    read(context, |snapshot| snapshot.group(&id).map(drop))?;
    let action = form.get("do").unwrap_or_default();
    let (action, object) = action.split_once(':').unwrap_or((action, ""));
    let object = object.to_ascii_lowercase();
    let changed = match action {
        "invite" => match new_invitation(context, InvitationTarget::Group(&id), &form) {
            Ok(link) => return page(context, Some(link), None),
            Err(error) => Err(error),
        },
        "revoke" => {
            let target = InvitationTarget::Group(&id);
            write(context, |change| change.revoke_invitation(target, &object))
        }
        "remove" => write(context, |change| change.remove_group_member(&id, &object)),
        "rename" => {
            let limits = context.app.collections.limits();
            let name = input::name("/name", form.get("name").unwrap_or_default(), limits);
            name.map_err(ApiError::from)
                .and_then(|name| write(context, |change| change.rename_group(&id, &name).map(drop)))
        }
        "delete" => write(context, |change| change.delete_group(&id)),
        "leave" => write(context, |change| change.leave_group(&id)),
        _ => Ok(()),
    };
    match changed {
        Ok(()) if matches!(action, "delete" | "leave") => Ok(redirect("/account/groups")),
        Ok(()) => Ok(redirect(&address(&id))),
        Err(error) => {
            let problem = error_message(words(context), &error);
            Ok(page(context, None, Some(problem))?.with_status(error.code.status()))
        }
    }
}
