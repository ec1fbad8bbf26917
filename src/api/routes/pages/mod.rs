//! The pages. A handler calls the functions of the API handlers, passes their results to a view of `ui`
//! and returns the page. Forms are posted and answered with a page or a redirect, so nothing requires
//! script.

mod batch;
mod cite;
mod collection;
mod embed;
mod entry;
mod facts;
mod files;
mod formatted;
pub mod frame;
mod groups;
mod import;
mod jobs;
mod library;
mod members;
mod operator;
mod reviews;
mod shared;
mod styles;
mod verify;
mod webhooks;
mod word;

use crate::api::edge::action::Action;
use crate::api::edge::route::{self, Handler, Route};

/// The pages' rows of the route table.
pub fn routes() -> Vec<Route> {
    let page = |path, handler: Handler| route::get(path, Action::Page, handler);
    let form = |path, handler: Handler| route::post(path, Action::Page, handler);
    let own = |path, handler: Handler| route::get(path, Action::AccountPage, handler);
    let own_form = |path, handler: Handler| route::post(path, Action::AccountPage, handler);
    let upload = |path, handler: Handler| route::import(path, Action::AccountPage, handler);
    let operated = |path, handler: Handler| route::get(path, Action::OperatorPage, handler);
    let operator_form = |path, handler: Handler| route::post(path, Action::OperatorPage, handler);
    vec![
        page("/", cite::home),
        page("/cite", cite::link).heavy(),
        form("/cite", cite::change).heavy(),
        form("/cite/export", cite::export).heavy(),
        page("/embed", embed::show).heavy(),
        page("/word", word::pane),
        page("/word/manifest.xml", word::manifest),
        page("/word/{icon}", word::icon),
        page("/verify", verify::empty),
        form("/verify", verify::check).heavy(),
        page("/batch", batch::empty),
        form("/batch", batch::format).heavy(),
        page("/styles", styles::search),
        upload("/styles", styles::keep).heavy(),
        own_form("/styles/own", styles::change_own).heavy(),
        page("/styles/{id…}", styles::one),
        page("/help", facts::help),
        page("/offline", facts::offline),
        page("/status", facts::status),
        page("/plans", facts::plans),
        page("/tools", facts::tools),
        operated("/operator", operator::setup),
        operated("/operator/accounts", operator::accounts),
        operator_form("/operator/accounts", operator::change_account),
        operated("/operator/sources", operator::sources),
        operator_form("/operator/sources", operator::try_source),
        operated("/operator/styles", operator::styles),
        operator_form("/operator/styles", operator::install_styles),
        operated("/operator/backups", operator::backups),
        operator_form("/operator/backups", operator::make_backup),
        page("/library", library::list).heavy(),
        own_form("/library", library::change).heavy(),
        own("/c/{id}", collection::show).heavy(),
        own_form("/c/{id}", collection::change).heavy(),
        own("/c/{id}/members", members::show),
        own_form("/c/{id}/members", members::change),
        own("/join/{token}", members::ask),
        own_form("/join/{token}", members::accept),
        own("/account/jobs", jobs::list),
        own_form("/account/jobs", jobs::change).heavy(),
        route::job("/account/jobs/verify", Action::AccountPage, jobs::verify).heavy(),
        own("/account/jobs/{id}", jobs::one),
        own("/account/groups", groups::list),
        own_form("/account/groups", groups::create),
        own("/account/groups/{id}", groups::one),
        own_form("/account/groups/{id}", groups::change),
        own("/account/webhooks", webhooks::list),
        own_form("/account/webhooks", webhooks::change),
        own("/account/reviews", reviews::list),
        own_form("/account/reviews", reviews::change),
        own("/c/{id}/import", import::ask),
        upload("/c/{id}/import", import::run).heavy(),
        own("/c/{id}/export.{format}", collection::export).heavy(),
        own("/c/{id}/e/{eid}", entry::show).heavy(),
        own_form("/c/{id}/e/{eid}", entry::change).heavy(),
        page("/s/{token}", shared::show).heavy(),
        form("/s/{token}", shared::change).heavy(),
        page("/s/{token}/export.{format}", shared::export).heavy(),
        form("/preferences", frame::preferences),
        route::get("/assets/{set}/{name…}", Action::Probe, files::asset),
        route::get("/worker.js", Action::Probe, files::worker),
    ]
}

/// The 404 page for browsers.
pub fn missing() -> Route {
    route::get("", Action::Page, |context| {
        Err(route::no_such_route(context.uri.path()))
    })
}
