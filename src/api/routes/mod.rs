//! The routes: each file has the handlers of one subject with their rows. Only routes of this table exist.

mod account;
mod api_keys;
mod auth;
mod auth_messages;
mod citation_keys;
pub(in crate::api) mod collections;
pub(in crate::api) mod compat;
mod convert;
mod decisions;
mod document;
pub(in crate::api) mod entries;
pub(in crate::api) mod file;
mod format;
mod format_batch;
mod group_cite;
pub(in crate::api) mod health;
mod identities;
pub(in crate::api) mod jobs;
mod journals;
mod letters;
mod lookup;
mod lookup_any;
pub mod mcp;
mod me;
mod oauth;
mod operator;
mod own_styles;
pub(in crate::api) mod pages;
mod permalinks;
mod reports;
pub(in crate::api) mod representation;
mod reverse;
mod styles;
mod titles;
mod verify;
mod verify_batch;
mod verify_document;
mod verify_revise;
mod webhooks;
mod works;

use http::Method;

use super::edge::action::Action;
use super::edge::route::Route;
use super::openapi::documentation;
use crate::config::CompatSettings;

/// The rows of each subject.
const SUBJECTS: [fn() -> Vec<Route>; 34] = [
    lookup::routes,
    lookup_any::routes,
    reverse::routes,
    verify::routes,
    verify_batch::routes,
    verify_document::routes,
    verify_revise::routes,
    decisions::routes,
    reports::routes,
    works::routes,
    format::routes,
    group_cite::routes,
    format_batch::routes,
    document::routes,
    convert::routes,
    citation_keys::routes,
    journals::routes,
    titles::routes,
    styles::routes,
    me::routes,
    own_styles::routes,
    api_keys::routes,
    identities::routes,
    collections::routes,
    jobs::routes,
    webhooks::routes,
    permalinks::routes,
    auth::routes,
    account::routes,
    oauth::routes,
    operator::routes,
    health::routes,
    documentation::routes,
    pages::routes,
];

/// The table.
pub fn routes(compat: &CompatSettings) -> Vec<Route> {
    let mut routes: Vec<Route> = SUBJECTS.iter().flat_map(|rows| rows()).collect();
    routes.extend(compat::routes(compat));
    if compat.mcp {
        routes.extend(mcp::routes());
    }
    routes
}

/// The methods, paths and actions of the rows.
pub fn rows() -> Vec<(Method, &'static str, Action)> {
    routes(&CompatSettings::default())
        .into_iter()
        .map(|route| (route.method, route.path, route.action))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn rows_have_distinct_methods_and_paths() {
        let mut seen = HashSet::new();
        for route in routes(&CompatSettings::default()) {
            assert!(
                seen.insert((route.method.clone(), route.path)),
                "{} {}",
                route.method,
                route.path
            );
        }
    }
}
