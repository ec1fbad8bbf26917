//! `/account/reviews`: the account's decisions about references, and the reports that it shares.

use super::frame::{form, redirect, show_titled, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::transaction::refused;
use crate::collections::CollectionError;
use crate::ui::account::reviews::{DecisionView, ReportView, ReviewsPage};
use crate::ui::page::Moment;

const PATH: &str = "/account/reviews";

/// `GET /account/reviews`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let user = context.account()?.id;
    let decisions = context.app.store.decisions(user)?.into_iter();
    let reports = context.app.collections.shared_reports(user)?.into_iter();
    let main = ReviewsPage {
        words: words(context),
        decisions: decisions
            .map(|row| DecisionView {
                key: row.key,
                reference: row.reference,
                decision: row.decision,
                why: row.why,
                made_at: Moment(row.made_at),
            })
            .collect(),
        reports: reports
            .map(|row| ReportView {
                token: row.token,
                title: row.title,
                created_at: Moment(row.created_at),
                expires_at: Moment(row.expires_at),
            })
            .collect(),
    };
    Ok(show_titled(context, "nav.reviews", PATH, main))
}

/// `POST /account/reviews`: withdraws a decision, or ends the link to a report. What is gone already is no error.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let user = context.account()?.id;
    let form = form(context);
    if let Some(key) = form.get("withdraw") {
        context.app.store.remove_decision(user, key)?;
    }
    if let Some(token) = form.get("revoke") {
        match context.app.collections.revoke_report(user, token) {
            Ok(()) | Err(CollectionError::NotFound(_)) => (),
            Err(error) => return Err(refused(context, error)),
        }
    }
    Ok(redirect(PATH))
}
