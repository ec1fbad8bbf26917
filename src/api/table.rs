//! The route table: the rows of every subject, which stand beside its handlers. Only routes in it exist.

use http::Method;

use super::action::Action;
use super::route::Route;
use super::{
    account, api_keys, auth, citation_keys, collections, compat, convert, documentation, format,
    format_batch, group_cite, health, identities, journals, lookup, lookup_any, mcp, me, operator,
    own_styles, pages, permalinks, reverse, styles, titles, verify, verify_batch, verify_document,
    works,
};
use crate::config::CompatSettings;

/// The rows of each subject.
const SUBJECTS: [fn() -> Vec<Route>; 27] = [
    lookup::routes,
    lookup_any::routes,
    reverse::routes,
    verify::routes,
    verify_batch::routes,
    verify_document::routes,
    works::routes,
    format::routes,
    group_cite::routes,
    format_batch::routes,
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
    permalinks::routes,
    auth::routes,
    account::routes,
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
