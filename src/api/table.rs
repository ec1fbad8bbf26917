//! The route table, one row per route. Only routes in it exist.

use http::Method;

use super::action::Action;
use super::route::{Route, delete, get, import, post};
use super::{
    account, api_keys, auth, citation_keys, collections, compat, convert, documentation, format,
    format_batch, group_cite, health, identities, journals, lookup, lookup_any, mcp, me, operator,
    own_styles, pages, permalinks, reverse, styles, titles, verify, verify_batch, verify_document,
    works,
};
use crate::config::CompatSettings;

/// The table.
pub fn routes(compat: &CompatSettings) -> Vec<Route> {
    let mut routes = Vec::new();
    routes.extend(works());
    routes.extend(formatting());
    routes.extend(style_catalog());
    routes.extend(caller());
    routes.extend(collections::routes());
    routes.extend(shared());
    routes.extend(sign_in());
    routes.extend(account_pages());
    routes.extend(service());
    routes.extend(pages::routes());
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

/// Looking up and verifying works.
fn works() -> Vec<Route> {
    vec![
        post("/api/v1/lookup/doi", Action::Lookup, lookup::doi)
            .at_once(lookup::doi_at_once)
            .documented(lookup::doi_operation),
        post("/api/v1/lookup/isbn", Action::Lookup, lookup::isbn)
            .at_once(lookup::isbn_at_once)
            .documented(lookup::isbn_operation),
        post("/api/v1/lookup", Action::Lookup, lookup_any::any)
            .heavy()
            .documented(lookup_any::any_operation),
        post("/api/v1/lookup/url", Action::Lookup, lookup_any::url)
            .heavy()
            .documented(lookup_any::url_operation),
        post("/api/v1/reverse", Action::Lookup, reverse::reverse)
            .heavy()
            .documented(reverse::operation),
        post("/api/v1/verify", Action::Lookup, verify::one)
            .heavy()
            .documented(verify::one_operation),
        import(
            "/api/v1/verify/batch",
            Action::PaidLookup,
            verify_batch::batch,
        )
        .heavy()
        .documented(verify_batch::operation),
        import(
            "/api/v1/verify/document",
            Action::PaidLookup,
            verify_document::document,
        )
        .heavy()
        .documented(verify_document::operation),
        get("/api/v1/works/{doi…}", Action::Lookup, works::get)
            .at_once(works::get_at_once)
            .documented(works::operation),
    ]
}

/// Formatting and converting.
fn formatting() -> Vec<Route> {
    vec![
        post("/api/v1/format", Action::Format, format::format)
            .heavy()
            .documented(format::format_operation),
        post(
            "/api/v1/format/group-cite",
            Action::Format,
            group_cite::group_cite,
        )
        .heavy()
        .documented(group_cite::group_cite_operation),
        post(
            "/api/v1/format/batch",
            Action::PaidLookup,
            format_batch::batch,
        )
        .heavy()
        .documented(format_batch::operation),
        import("/api/v1/import", Action::Format, convert::import)
            .heavy()
            .documented(convert::import_operation),
        post("/api/v1/export", Action::Format, convert::export)
            .heavy()
            .documented(convert::export_operation),
        post(
            "/api/v1/citation-keys",
            Action::PaidRead,
            citation_keys::citation_keys,
        )
        .heavy()
        .documented(citation_keys::operation),
        post("/api/v1/journal/expand", Action::PaidRead, journals::expand)
            .documented(journals::expand_operation),
        post(
            "/api/v1/journal/abbreviate",
            Action::PaidRead,
            journals::abbreviate,
        )
        .documented(journals::abbreviate_operation),
        post(
            "/api/v1/titles/sentence-case",
            Action::Format,
            titles::sentence_case,
        )
        .heavy()
        .documented(titles::operation),
    ]
}

/// Styles and locales.
fn style_catalog() -> Vec<Route> {
    vec![
        get("/api/v1/styles", Action::Public, styles::list).documented(styles::list_operation),
        get("/api/v1/styles/search", Action::Public, styles::search)
            .documented(styles::search_operation),
        get("/api/v1/styles/{id…}", Action::Public, styles::get).documented(styles::get_operation),
        get("/api/v1/locales", Action::Public, styles::locales)
            .documented(styles::locales_operation),
    ]
}

/// The caller: quotas, own styles, API keys, identities.
fn caller() -> Vec<Route> {
    vec![
        get("/api/v1/me", Action::Public, me::me).documented(me::me_operation),
        get("/api/v1/me/styles", Action::Read, own_styles::list)
            .documented(own_styles::list_operation),
        import("/api/v1/me/styles", Action::Write, own_styles::keep)
            .heavy()
            .documented(own_styles::keep_operation),
        get("/api/v1/me/styles/{name}", Action::Read, own_styles::file)
            .documented(own_styles::file_operation),
        delete(
            "/api/v1/me/styles/{name}",
            Action::Write,
            own_styles::remove,
        )
        .documented(own_styles::remove_operation),
        get("/api/v1/quota-policy", Action::Public, me::quota_policy)
            .documented(me::quota_policy_operation),
        get("/api/v1/limits", Action::Public, me::limits).documented(me::limits_operation),
        get("/api/v1/api-keys", Action::Session, api_keys::list)
            .documented(api_keys::list_operation),
        post("/api/v1/api-keys", Action::Session, api_keys::create)
            .idempotent()
            .documented(api_keys::create_operation),
        delete("/api/v1/api-keys/{id}", Action::Session, api_keys::revoke)
            .documented(api_keys::revoke_operation),
        get("/api/v1/identities", Action::Session, identities::list)
            .documented(identities::list_operation),
        delete(
            "/api/v1/identities/{id}",
            Action::Session,
            identities::delete,
        )
        .documented(identities::delete_operation),
    ]
}

/// Read-only links.
fn shared() -> Vec<Route> {
    vec![
        post("/api/v1/permalinks", Action::Public, permalinks::make)
            .documented(permalinks::make_operation),
        delete(
            "/api/v1/permalinks/{token}",
            Action::Public,
            permalinks::delete,
        )
        .documented(permalinks::delete_operation),
        get(
            "/api/v1/shared/{token}",
            Action::Public,
            collections::shared::get,
        )
        .documented(collections::shared::operation),
        get(
            "/api/v1/shared/{token}/export.{format}",
            Action::Public,
            collections::shared::export,
        )
        .heavy()
        .documented(collections::export::shared_operation),
    ]
}

/// Signing in.
fn sign_in() -> Vec<Route> {
    vec![
        get("/auth/login", Action::Page, auth::sign_in_page),
        post("/auth/login", Action::Page, auth::sign_in).heavy(),
        get("/auth/callback", Action::Page, auth::provider_callback),
        post("/auth/logout", Action::Page, auth::sign_out),
        get("/auth/signed-out", Action::Page, auth::signed_out),
        get("/auth/sign-up", Action::Page, auth::sign_up_page),
        post("/auth/sign-up", Action::Page, auth::sign_up).heavy(),
        get("/auth/link", Action::Page, auth::link_page),
        post("/auth/link", Action::Page, auth::use_link).heavy(),
    ]
}

/// The account pages.
fn account_pages() -> Vec<Route> {
    vec![
        get("/account", Action::AccountPage, account::overview),
        post(
            "/account/password",
            Action::AccountPage,
            account::set_password,
        )
        .heavy(),
        get("/account/keys", Action::AccountPage, account::list_keys),
        post("/account/keys", Action::AccountPage, account::create_key),
        post(
            "/account/keys/{id}/revoke",
            Action::AccountPage,
            account::revoke_key,
        ),
        get(
            "/account/sessions",
            Action::AccountPage,
            account::list_sessions,
        ),
        post(
            "/account/sessions/end-others",
            Action::AccountPage,
            account::end_other_sessions,
        ),
        post(
            "/account/sessions/{id}/end",
            Action::AccountPage,
            account::end_session,
        ),
        post(
            "/account/identities",
            Action::AccountPage,
            identities::begin,
        ),
        get(
            "/account/identities/confirm",
            Action::AccountPage,
            identities::ask,
        ),
        post(
            "/account/identities/confirm",
            Action::AccountPage,
            identities::confirm,
        ),
        post(
            "/account/identities/{id}/unlink",
            Action::AccountPage,
            identities::unlink,
        ),
        get("/account/export", Action::AccountPage, account::export).heavy(),
        get("/account/delete", Action::AccountPage, account::ask_delete),
        post("/account/delete", Action::AccountPage, account::delete).heavy(),
    ]
}

/// The state and the description of the service.
fn service() -> Vec<Route> {
    vec![
        get("/api/v1/operator", Action::Operator, operator::view).documented(operator::operation),
        get("/api/health", Action::Probe, health::health)
            .always_answered()
            .documented(health::health_operation),
        get("/healthz", Action::Probe, health::alive).always_answered(),
        get("/readyz", Action::Probe, health::ready).always_answered(),
        get("/api/docs", Action::Public, documentation::page),
        get("/api/openapi.json", Action::Public, documentation::json),
        get("/api/openapi.yaml", Action::Public, documentation::yaml),
    ]
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
