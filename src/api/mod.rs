//! Layer 4: HTTP. `edge` is what every request passes through, `routes` the table and the handlers by subject,
//! `openapi` their description, and `error` every error that a client can see.

pub mod edge;
mod error;
mod openapi;
pub mod routes;

pub use edge::{metrics_server, server};
pub use routes::{mcp, rows};

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Collected};

use crate::app::App;
use edge::bounds::Bounds;
use edge::caller::Site;
use edge::connection::Connections;
use edge::dispatch::{self, IncomingRequest};
use edge::meter::Meter;
use edge::metrics::Metrics;
use edge::route::Route;
use openapi::documentation::Documentation;
use routes::health::HealthSnapshot;
use routes::routes;

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
        // Without a connection there is no host.
        fault: None,
    };
    let body = futures_util::stream::iter([Ok(body)]);
    let reply = dispatch::respond(edge, arrival, Box::pin(body)).await;
    let (head, body) = reply.into_parts();
    // Only a connection can break off.
    let body = body.collect().await.map(Collected::to_bytes);
    Response::from_parts(head, body.unwrap_or_default())
}
