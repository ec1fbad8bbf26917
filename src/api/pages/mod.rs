//! The pages. A handler asks the interface what it needs ([`super::within`]), gives it to a view of
//! `ui`, and shows what comes back. Forms post and are answered with a page or a redirect, so nothing
//! needs script.

mod answers;
mod batch;
mod cite;
mod collection;
mod entry;
mod facts;
mod files;
mod formatted;
pub mod frame;
mod import;
mod library;
mod shared;
mod styles;
mod verify;

use super::action::Action;
use super::route::{self, Handler, Route};

/// The pages' rows of the route table.
pub fn routes() -> Vec<Route> {
    let page = |path, handler: Handler| route::get(path, Action::Page, handler);
    let form = |path, handler: Handler| route::post(path, Action::Page, handler);
    let own = |path, handler: Handler| route::get(path, Action::AccountPage, handler);
    let own_form = |path, handler: Handler| route::post(path, Action::AccountPage, handler);
    let upload = |path, handler: Handler| route::import(path, Action::AccountPage, handler);
    vec![
        page("/", cite::home),
        page("/cite", cite::link),
        form("/cite", cite::change),
        form("/cite/export", cite::export),
        page("/verify", verify::empty),
        form("/verify", verify::check),
        page("/batch", batch::empty),
        form("/batch", batch::format),
        page("/styles", styles::search),
        upload("/styles", styles::keep),
        own_form("/styles/own", styles::change_own),
        page("/styles/{id…}", styles::one),
        page("/help", facts::help),
        page("/status", facts::status),
        page("/library", library::list),
        own_form("/library", library::change),
        own("/c/{id}", collection::show),
        own_form("/c/{id}", collection::change),
        own("/c/{id}/import", import::ask),
        upload("/c/{id}/import", import::run),
        own("/c/{id}/export.{format}", collection::export),
        own("/c/{id}/e/{eid}", entry::show),
        own_form("/c/{id}/e/{eid}", entry::change),
        page("/s/{token}", shared::show),
        page("/s/{token}/export.{format}", shared::export),
        form("/preferences", frame::preferences),
        route::get("/assets/{set}/{name…}", Action::Probe, files::asset),
        route::get("/worker.js", Action::Probe, files::worker),
    ]
}

/// What answers a browser that asks for a page that there is not.
pub fn missing() -> Route {
    route::get("", Action::Page, |call| {
        Err(route::no_such_route(call.uri.path()))
    })
}
