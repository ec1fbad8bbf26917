//! The messages that are sent by mail: who may cause one, and their texts in the language of whoever does.

use super::collections::transaction::read;
use super::pages::frame::words;
use crate::api::edge::context::RequestContext;
use crate::api::error::{ApiError, Code, sentence};
use crate::clock::iso8601;
use crate::collections::invitations::OfferedTo;
use crate::mail::{Admitted, CausedBy, LINK, MailError};
use crate::quota::address::Address;
use crate::store::mails::MailPurpose;

/// Whether the caller may have a message sent to an address.
pub fn admit(context: &RequestContext, email: &str) -> Result<Admitted, MailError> {
    let by = match context.caller.user() {
        Some(user) => CausedBy::Account(user),
        None => CausedBy::Client(Address::of(context.client)),
    };
    context.app.mail.admit(by, email)
}

/// The same for the member `email` of a body.
pub fn admit_field(context: &RequestContext, email: &str) -> Result<Admitted, ApiError> {
    admit(context, email).map_err(|cause| match cause {
        MailError::TooMany { retry_seconds } => {
            ApiError::new(Code::RateLimited, sentence(&cause)).retry_after(retry_seconds)
        }
        MailError::Off => {
            ApiError::invalid_field("/email", "is of no use: this server sends no mail")
        }
        MailError::Address(_) => ApiError::invalid_field("/email", "is not an e-mail address"),
    })
}

/// Sends the link of a new invitation.
pub fn send_invitation(
    context: &RequestContext,
    to: &Admitted,
    token: &str,
    link: &str,
) -> Result<(), ApiError> {
    let offer = read(context, |snapshot| snapshot.offer(token))?;
    let words = words(context);
    let (what, key, role) = match &offer.to {
        OfferedTo::Collection(row, role) => (&row.name, "mail.collection", Some(role.as_str())),
        OfferedTo::Group(group) => (&group.name, "mail.group", None),
    };
    let site = site(context);
    let name = offer.from.as_deref().unwrap_or(site);
    let role = role.map(|role| words.fill("mail.role", &[("role", &words.name("role", role))]));
    // To the minute: `2026-12-06 15:00 UTC`.
    let until = iso8601(offer.invitation.expires_at);
    let until = until.get(..16).unwrap_or(&until).replace('T', " ");
    let paragraphs = [
        words.fill(key, &[("name", &name), ("what", what), ("site", &site)]),
        role.unwrap_or_default(),
        words.fill("mail.open", &[("date", &format_args!("{until} UTC"))]),
        link.to_owned(),
        words.fill("mail.unknown", &[("name", &name)]),
    ];
    let subject = words.fill("mail.invitation", &[("name", &name), ("what", what)]);
    let mail = &context.app.mail;
    Ok(mail.post(to, &subject, text(&paragraphs), MailPurpose::Invitation)?)
}

/// Sends a link to choose a new password, if the recipient has an account with one.
pub fn send_password_link(context: &RequestContext, to: &Admitted) -> Result<(), ApiError> {
    let (words, base) = (words(context), &context.edge.site.base_url);
    let paragraphs = [
        words.fill("mail.password-text", &[("site", &site(context))]),
        LINK.to_owned(),
        words.get("mail.password-unwanted").to_owned(),
    ];
    let purpose = MailPurpose::Password {
        link: base.join("/auth/link?token="),
    };
    let subject = words.get("mail.password");
    let mail = &context.app.mail;
    Ok(mail.post(to, subject, text(&paragraphs), purpose)?)
}

/// The name of this server: its address without the scheme, so that a text has only the link that matters.
fn site(context: &RequestContext) -> &str {
    let address = context.edge.site.base_url.as_str();
    let (_, site) = address.split_once("://").unwrap_or(("", address));
    site.trim_end_matches('/')
}

/// Plain text of paragraphs.
fn text(paragraphs: &[String]) -> String {
    let shown: Vec<&str> = { paragraphs.iter() }
        .map(String::as_str)
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    format!("{}\n", shown.join("\n\n"))
}
