//! What every request passes through, whatever its route: `server` accepts connections, `connection` limits
//! them, `dispatch` processes a request, `gate` admits it, `body` reads its body, `reply` and `caching`
//! complete the answer.

pub mod action;
pub(in crate::api) mod allowance;
pub(in crate::api) mod body;
pub(in crate::api) mod bounds;
pub(in crate::api) mod caching;
pub(in crate::api) mod caller;
pub(in crate::api) mod challenge;
pub(in crate::api) mod compress;
pub(in crate::api) mod connection;
pub(in crate::api) mod context;
pub(in crate::api) mod cors;
pub(in crate::api) mod dispatch;
pub(in crate::api) mod gate;
pub(in crate::api) mod host;
pub(in crate::api) mod idempotency;
pub(in crate::api) mod meter;
pub(in crate::api) mod metrics;
pub mod metrics_server;
pub(in crate::api) mod multipart;
pub(in crate::api) mod negotiate;
pub(in crate::api) mod policy;
pub(in crate::api) mod reply;
pub(in crate::api) mod route;
pub mod server;
pub(in crate::api) mod session;
pub(in crate::api) mod validation;
