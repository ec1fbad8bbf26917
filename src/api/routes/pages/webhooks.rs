//! `/account/webhooks`: addresses of the account that are told what happens, and what could not be delivered.

use super::frame::{self, error_message, form, redirect, words};
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::webhooks as api;
use crate::store::webhooks::{DeliveryRow, WebhookRow};
use crate::ui::account::webhooks::{DeliveryView, WebhookView, WebhooksPage};
use crate::ui::page::{Frame, Moment};
use crate::webhooks::{EVENTS, WebhookChange};

/// The number of deliveries shown of each webhook, newest first; given-up ones come before the others.
const SHOWN: u64 = 20;

/// The confirmation to show, by the switch in the page's address.
const NOTICES: [(&str, &str); 2] = [
    ("tested", "webhooks.tested"),
    ("again", "webhooks.sent-again"),
];

/// What the page says besides its list.
#[derive(Default)]
struct Shown {
    url: String,
    secret: Option<(String, String)>,
    problem: Option<String>,
}

/// `GET /account/webhooks`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, Shown::default())
}

fn page(context: &RequestContext, shown: Shown) -> Result<Reply, ApiError> {
    let words = words(context);
    let rows = context.app.webhooks.list(context.account()?.id)?;
    let webhooks = rows.iter().map(|row| view(context, row));
    let done = NOTICES
        .iter()
        .find(|(switch, _)| context.query.get(switch).is_some());
    let main = WebhooksPage {
        words,
        webhooks: webhooks.collect::<Result<_, ApiError>>()?,
        events: &EVENTS,
        url: shown.url,
        notice: done.and_then(|(_, notice)| words.find(notice)),
        problem: shown.problem,
        secret: shown.secret,
    };
    let frame = Frame {
        title: words.get("nav.webhooks"),
        current: "/account/webhooks",
        script: main.secret.as_ref().map(|_| "new-key.js"),
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, main))
}

fn view(context: &RequestContext, row: &WebhookRow) -> Result<WebhookView, ApiError> {
    let now = context.app.clock.unix();
    let webhooks = &context.app.webhooks;
    let mut deliveries = webhooks.deliveries(row, Some("dead"), SHOWN)?;
    let has_dead = !deliveries.is_empty();
    let others = webhooks.deliveries(row, None, SHOWN)?.into_iter();
    deliveries.extend(others.filter(|other| other.state != "dead"));
    let old = row.old_secret.as_ref().map(|(_, until)| *until);
    Ok(WebhookView {
        id: row.uid.clone(),
        url: row.url.clone(),
        events: events(row)?,
        is_enabled: row.is_enabled,
        old_secret_until: old.filter(|until| *until > now).map(Moment),
        deliveries: deliveries.into_iter().map(delivery).collect(),
        has_dead,
    })
}

fn events(row: &WebhookRow) -> Result<Vec<String>, ApiError> {
    serde_json::from_str(&row.events).map_err(ApiError::internal)
}

fn delivery(row: DeliveryRow) -> DeliveryView {
    DeliveryView {
        error: row
            .error
            .filter(|_| row.state != "delivered")
            .unwrap_or_default(),
        id: row.uid,
        event: row.event,
        state: row.state,
        attempts: row.attempts,
        created_at: Moment(row.created_at),
    }
}

/// `POST /account/webhooks`.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    match act(context, &form) {
        Ok(reply) => Ok(reply),
        Err(error) => {
            let shown = Shown {
                url: form.get("url").unwrap_or_default().to_owned(),
                problem: Some(error_message(words(context), &error)),
                ..Shown::default()
            };
            Ok(page(context, shown)?.with_status(error.code.status()))
        }
    }
}

fn act(context: &RequestContext, form: &Query) -> Result<Reply, ApiError> {
    let webhooks = &context.app.webhooks;
    let action = form.get("do").unwrap_or_default();
    if action == "add" {
        let change = WebhookChange {
            url: form.get("url").unwrap_or_default().trim().to_owned(),
            events: form.all("events").map(str::to_owned).collect(),
            is_enabled: true,
        };
        let made = webhooks.add(context.account()?.id, &change);
        return with_secret(context, made.map_err(api::refused)?);
    }
    let id = form.get("id").unwrap_or_default().to_ascii_lowercase();
    let row = api::find(context, &id)?;
    match action.split_once(':').unwrap_or((action, "")) {
        ("rotate", _) => {
            let row = webhooks.rotate(row).map_err(api::refused)?;
            return with_secret(context, row);
        }
        ("test", _) => {
            webhooks.test(&row)?;
            return Ok(redirect("/account/webhooks?tested=1"));
        }
        ("again", delivery) => {
            api::send_again(context, &row, delivery)?;
            return Ok(redirect("/account/webhooks?again=1"));
        }
        (state @ ("enable" | "disable"), _) => {
            let change = WebhookChange {
                url: row.url.clone(),
                events: events(&row)?,
                is_enabled: state == "enable",
            };
            webhooks.change(row, &change).map_err(api::refused)?;
        }
        ("remove", _) => webhooks.remove(&row)?,
        _ => {}
    }
    Ok(redirect("/account/webhooks"))
}

/// The page with a secret, shown once.
fn with_secret(context: &RequestContext, row: WebhookRow) -> Result<Reply, ApiError> {
    let shown = Shown {
        secret: Some((row.secret, row.url)),
        ..Shown::default()
    };
    page(context, shown)
}
