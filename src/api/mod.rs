//! Layer 4: HTTP. The route table is here, a row a route; `server` accepts connections,
//! `dispatch` takes a request through its stations, `gate` admits it, and each further file holds
//! the handlers of one subject.

mod call;
mod compress;
mod cors;
mod dispatch;
mod docs;
mod documentation;
mod error;
mod format;
mod gate;
mod health;
mod lookup;
mod metrics;
pub mod metrics_server;
mod negotiate;
mod openapi;
mod reply;
mod route;
pub mod server;
mod styles;
mod works;

use std::net::SocketAddr;
use std::sync::Arc;

use http::Method;

use crate::app::App;
use documentation::Documentation;
use gate::Action;
use metrics::Metrics;
use route::{BodyCap, Handler, Route};

/// What the edge needs to answer requests.
pub struct Edge {
    pub app: Arc<App>,
    routes: Vec<Route>,
    metrics: Metrics,
    documentation: Documentation,
}

impl Edge {
    /// `address` is where the server listens; it stands for the base address where none is
    /// configured.
    pub fn new(app: Arc<App>, address: SocketAddr) -> Edge {
        let routes = routes();
        let base_url = app.config.base_url(address);
        Edge {
            documentation: Documentation::new(&routes, base_url.as_str()),
            metrics: Metrics::new(routes.len()),
            routes,
            app,
        }
    }

    /// Names of the routes for metrics: method and pattern.
    fn route_names(&self) -> Vec<String> {
        let name = |route: &Route| format!("{} {}", route.method, route.path);
        self.routes.iter().map(name).collect()
    }
}

/// The table. What is not in it does not exist.
fn routes() -> Vec<Route> {
    vec![
        post("/api/v1/lookup/doi", Action::Lookup, lookup::doi).documented(lookup::doi_operation),
        post("/api/v1/lookup/isbn", Action::Lookup, lookup::isbn).documented(lookup::isbn_operation),
        get("/api/v1/works/{doi…}", Action::Lookup, works::get).documented(works::operation),
        post("/api/v1/format", Action::Public, format::format).documented(format::format_operation),
        post("/api/v1/format/group-cite", Action::Public, format::group_cite).documented(format::group_cite_operation),
        get("/api/v1/styles", Action::Public, styles::list).documented(styles::list_operation),
        get("/api/v1/styles/search", Action::Public, styles::search).documented(styles::search_operation),
        get("/api/v1/styles/{id…}", Action::Public, styles::get).documented(styles::get_operation),
        get("/api/v1/locales", Action::Public, styles::locales).documented(styles::locales_operation),
        get("/api/health", Action::Probe, health::health).documented(health::health_operation),
        get("/healthz", Action::Probe, health::alive),
        get("/readyz", Action::Probe, health::ready),
        get("/api/docs", Action::Public, documentation::page),
        get("/api/docs/style.css", Action::Public, documentation::style),
        get("/api/openapi.json", Action::Public, documentation::json),
    ]
}

fn get(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::GET, path, action, BodyCap::None, handler)
}

fn post(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::POST, path, action, BodyCap::Json, handler)
}

fn row(method: Method, path: &'static str, action: Action, body: BodyCap, handler: Handler) -> Route {
    Route {
        method,
        path,
        action,
        body,
        handler,
        operation: None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_rows_answer_the_same_request() {
        let mut seen = HashSet::new();
        for route in routes() {
            assert!(seen.insert((route.method.clone(), route.path)), "{} {}", route.method, route.path);
        }
    }
}
