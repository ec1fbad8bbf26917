//! `/account/programs`: the programs that an account has let in.

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::routes::pages::frame::{redirect, show_titled, words};
use crate::auth::accounts::Actor;
use crate::auth::principal::Scopes;
use crate::ui::account::programs::{ProgramView, ProgramsPage};
use crate::ui::page::Moment;

pub fn routes() -> Vec<Route> {
    vec![
        route::get("/account/programs", Action::AccountPage, list),
        route::post("/account/programs/{id}/end", Action::AccountPage, end),
    ]
}

/// `GET /account/programs`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let words = words(context);
    let rows = context.app.auth.grants(context.account()?.id)?;
    let programs = rows.into_iter().map(|row| ProgramView {
        id: row.uid,
        name: if row.name.is_empty() {
            words.get("programs.unnamed").to_owned()
        } else {
            row.name
        },
        address: row.is_document.then_some(row.client_id),
        scopes: Scopes::from_bits(row.scopes).names().join(", "),
        created_at: Moment(row.created_at),
        last_used_at: row.last_used_at.map(Moment),
    });
    let main = ProgramsPage {
        words,
        programs: programs.collect(),
    };
    Ok(show_titled(
        context,
        "nav.programs",
        "/account/programs",
        main,
    ))
}

/// `POST /account/programs/{id}/end`.
pub fn end(context: &RequestContext) -> Result<Reply, ApiError> {
    let account = context.account()?;
    let actor = Actor::user(&account.uid, context.client);
    if context
        .app
        .auth
        .end_grant(account, context.param("id"), &actor)?
    {
        return Ok(redirect("/account/programs"));
    }
    Err(ApiError::not_found(
        "program",
        "You have let in no program with this id.",
    ))
}
