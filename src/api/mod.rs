//! Layer 4: HTTP. This file has the route table, one row per route; `server` accepts connections,
//! `connection` limits them, `dispatch` processes a request, `gate` admits it,
//! `body` reads its body, and each further file has the handlers of one subject.

mod account;
pub mod action;
mod allowance;
mod api_keys;
mod auth;
mod auth_messages;
mod body;
mod bounds;
mod caller;
mod citation_keys;
mod collections;
mod compat;
mod compress;
mod connection;
mod context;
mod convert;
mod cors;
mod dispatch;
mod documentation;
mod entries;
mod error;
mod file;
mod format;
mod format_batch;
mod gate;
mod group_cite;
mod health;
mod idempotency;
mod identities;
mod journals;
mod lookup;
mod lookup_any;
mod markup;
pub mod mcp;
mod me;
mod meter;
mod metrics;
pub mod metrics_server;
mod multipart;
mod negotiate;
mod openapi;
mod operation;
mod operator;
mod own_styles;
mod pages;
mod permalinks;
mod policy;
mod reply;
mod representation;
mod reverse;
mod route;
mod schemas;
pub mod server;
mod session;
mod styles;
mod titles;
mod validation;
mod verify;
mod verify_batch;
mod verify_document;
mod works;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::{BodyExt, Collected};

use crate::app::App;
use crate::config::CompatSettings;
use action::Action;
use bounds::Bounds;
use caller::Site;
use connection::Connections;
use dispatch::IncomingRequest;
use documentation::Documentation;

use health::HealthSnapshot;
use meter::Meter;
use metrics::Metrics;
use route::{Route, delete, get, import, patch, post, put};

/// The state of the HTTP edge.
pub struct Edge {
    pub app: Arc<App>,
    site: Site,
    routes: Vec<Route>,
    metrics: Metrics,
    vitals: HealthSnapshot,
    /// Generated on first use.
    documentation: OnceLock<Documentation>,
    connections: Arc<Connections>,
    /// Memory for the bodies of requests.
    bodies: Meter,
    /// Memory for responses being sent.
    answers: Meter,
    /// The limits of each route, in the order of the table; see [`Edge::bounds`].
    bounds: Vec<OnceLock<Bounds>>,
    /// The only client, if it does not use HTTP.
    local: Option<mcp::LocalClient>,
}

impl Edge {
    /// `address` is the listening address; it is the base address if none is
    /// configured.
    pub fn new(app: Arc<App>, address: SocketAddr) -> Edge {
        let routes = routes(&app.config.compat);
        let site = Site::new(&app.config, address);
        Edge {
            documentation: OnceLock::new(),
            bounds: routes.iter().map(|_| OnceLock::new()).collect(),
            site,
            metrics: Metrics::new(routes.len()),
            vitals: HealthSnapshot::read(&app),
            routes,
            connections: Arc::new(Connections::new(&app.config.server)),
            bodies: Meter::new(app.config.limits.bodies_in_flight_bytes),
            answers: Meter::new(app.config.limits.answers_in_flight_bytes),
            local: None,
            app,
        }
    }

    /// For the parent process, as the only client.
    pub fn for_local_client(app: Arc<App>, client: mcp::LocalClient) -> Edge {
        let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Edge {
            local: Some(client),
            ..Edge::new(app, nowhere)
        }
    }

    /// The API description. Generating it takes tens of milliseconds.
    fn documentation(&self) -> &Documentation {
        let write = || Documentation::new(&self.description(&self.routes));
        self.documentation.get_or_init(write)
    }

    /// The limits of a route, from the description, computed at its first request.
    fn bounds(&self, row: usize) -> Option<&Bounds> {
        let (route, bounds) = (self.routes.get(row)?, self.bounds.get(row)?);
        let read = || {
            let described = self.description(std::slice::from_ref(route));
            Bounds::of(&described, &route.described_path(), &route.method)
        };
        Some(bounds.get_or_init(read))
    }

    fn description(&self, routes: &[Route]) -> serde_json::Value {
        openapi::document(routes, &self.app.config, self.site.base_url.as_str())
    }

    /// Names of the routes for metrics: method and pattern.
    fn route_names(&self) -> Vec<String> {
        let name = |route: &Route| format!("{} {}", route.method, route.path);
        self.routes.iter().map(name).collect()
    }
}

/// Answers one request without a connection: from the route table to the complete reply.
pub async fn answer(edge: Arc<Edge>, peer: IpAddr, request: Request<Bytes>) -> Response<Bytes> {
    let (head, body) = request.into_parts();
    let member = edge.connections.enter(None).await;
    let arrival = IncomingRequest {
        peer,
        method: head.method,
        uri: head.uri,
        headers: Arc::new(head.headers),
        at: Instant::now(),
        exchange: member.connection.begin(),
    };
    let body = futures_util::stream::iter([Ok(body)]);
    let reply = dispatch::respond(edge, arrival, Box::pin(body)).await;
    let (head, body) = reply.into_parts();
    // Only a connection can break off.
    let body = body.collect().await.map(Collected::to_bytes);
    Response::from_parts(head, body.unwrap_or_default())
}

/// The methods, paths and actions of the rows.
pub fn rows() -> Vec<(Method, &'static str, Action)> {
    routes(&CompatSettings::default())
        .into_iter()
        .map(|route| (route.method, route.path, route.action))
        .collect()
}

/// The table. Only routes in it exist.
fn routes(compat: &CompatSettings) -> Vec<Route> {
    let mut routes = interface();
    routes.extend(pages::routes());
    routes.extend(compat::routes(compat));
    if compat.mcp {
        routes.extend(mcp::routes());
    }
    routes
}

/// The API, and the account pages.
fn interface() -> Vec<Route> {
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
        get("/api/v1/styles", Action::Public, styles::list).documented(styles::list_operation),
        get("/api/v1/styles/search", Action::Public, styles::search)
            .documented(styles::search_operation),
        get("/api/v1/styles/{id…}", Action::Public, styles::get).documented(styles::get_operation),
        get("/api/v1/locales", Action::Public, styles::locales)
            .documented(styles::locales_operation),
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
        get(
            "/api/v1/collections",
            Action::Read,
            collections::lists::list,
        )
        .documented(collections::lists::list_operation),
        post(
            "/api/v1/collections",
            Action::Write,
            collections::lists::create,
        )
        .idempotent()
        .documented(collections::lists::create_operation),
        get(
            "/api/v1/collections/{id}",
            Action::Read,
            collections::lists::get,
        )
        .documented(collections::lists::get_operation),
        patch(
            "/api/v1/collections/{id}",
            Action::Write,
            collections::lists::describe,
        )
        .documented(collections::lists::describe_operation),
        delete(
            "/api/v1/collections/{id}",
            Action::Write,
            collections::lists::delete,
        )
        .documented(collections::lists::delete_operation),
        post(
            "/api/v1/collections/{id}/restore",
            Action::Write,
            collections::lists::restore,
        )
        .idempotent()
        .documented(collections::lists::restore_operation),
        patch(
            "/api/v1/collections/{id}/tags",
            Action::Write,
            collections::lists::tag,
        )
        .documented(collections::lists::tag_operation),
        patch(
            "/api/v1/collections/{id}/reorder",
            Action::Write,
            collections::order::reorder,
        )
        .documented(collections::order::operation),
        post(
            "/api/v1/collections/{id}/entries",
            Action::Write,
            collections::entries::add,
        )
        .idempotent()
        .documented(collections::entries::add_operation),
        post(
            "/api/v1/collections/{id}/entries/batch",
            Action::Write,
            collections::entries::add_batch,
        )
        .idempotent()
        .documented(collections::entries::add_batch_operation),
        post(
            "/api/v1/collections/{id}/entries/batch-delete",
            Action::Write,
            collections::removal::delete_batch,
        )
        .idempotent()
        .documented(collections::removal::delete_batch_operation),
        post(
            "/api/v1/collections/{id}/entries/batch-restore",
            Action::Write,
            collections::removal::restore_batch,
        )
        .idempotent()
        .documented(collections::removal::restore_batch_operation),
        post(
            "/api/v1/collections/{id}/entries/batch-tag",
            Action::Write,
            collections::tagging::tag_batch,
        )
        .idempotent()
        .documented(collections::tagging::operation),
        get(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Read,
            collections::entries::get,
        )
        .documented(collections::entries::get_operation),
        patch(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Write,
            collections::entries::remark,
        )
        .documented(collections::entries::remark_operation),
        delete(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Write,
            collections::removal::delete,
        )
        .documented(collections::removal::delete_operation),
        get(
            "/api/v1/collections/{id}/entries/{eid}/history",
            Action::Read,
            collections::history::list,
        )
        .documented(collections::history::operation),
        post(
            "/api/v1/collections/{id}/entries/{eid}/restore",
            Action::Write,
            collections::removal::restore,
        )
        .idempotent()
        .documented(collections::removal::restore_operation),
        put(
            "/api/v1/collections/{id}/entries/{eid}/metadata",
            Action::Write,
            collections::entries::replace,
        )
        .documented(collections::entries::replace_operation),
        post(
            "/api/v1/collections/{id}/entries/{eid}/merge",
            Action::Write,
            collections::entries::merge,
        )
        .idempotent()
        .documented(collections::entries::merge_operation),
        post(
            "/api/v1/collections/batch-move",
            Action::PaidWrite,
            collections::moving::batch_move,
        )
        .idempotent()
        .documented(collections::moving::operation),
        import(
            "/api/v1/collections/merge",
            Action::PaidWrite,
            collections::browser::merge,
        )
        .idempotent()
        .heavy()
        .documented(collections::browser::operation),
        post(
            "/api/v1/collections/{id}/check-duplicates",
            Action::Read,
            collections::duplicates::check,
        )
        .heavy()
        .documented(collections::duplicates::operation),
        import(
            "/api/v1/collections/{id}/import",
            Action::Write,
            collections::files::import,
        )
        .idempotent()
        .heavy()
        .documented(collections::files::operation),
        get(
            "/api/v1/collections/{id}/export.{format}",
            Action::Read,
            collections::export::export,
        )
        .heavy()
        .documented(collections::export::operation),
        post(
            "/api/v1/collections/{id}/share",
            Action::Write,
            collections::sharing::share,
        )
        .idempotent()
        .documented(collections::sharing::share_operation),
        delete(
            "/api/v1/collections/{id}/share",
            Action::Write,
            collections::sharing::revoke,
        )
        .documented(collections::sharing::revoke_operation),
        get("/api/v1/tags", Action::Read, collections::tags::list)
            .documented(collections::tags::list_operation),
        patch(
            "/api/v1/tags/{tag…}",
            Action::Write,
            collections::tags::rename,
        )
        .documented(collections::tags::rename_operation),
        delete(
            "/api/v1/tags/{tag…}",
            Action::Write,
            collections::tags::remove,
        )
        .documented(collections::tags::remove_operation),
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
        get("/auth/login", Action::Page, auth::sign_in_page),
        post("/auth/login", Action::Page, auth::sign_in).heavy(),
        get("/auth/callback", Action::Page, auth::provider_callback),
        post("/auth/logout", Action::Page, auth::sign_out),
        get("/auth/signed-out", Action::Page, auth::signed_out),
        get("/auth/sign-up", Action::Page, auth::sign_up_page),
        post("/auth/sign-up", Action::Page, auth::sign_up).heavy(),
        get("/auth/link", Action::Page, auth::link_page),
        post("/auth/link", Action::Page, auth::use_link).heavy(),
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
    fn no_two_rows_answer_the_same_request() {
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
