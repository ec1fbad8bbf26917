//! The accept loop: sockets, limits and time-outs on connections, graceful stop. Everything about
//! requests is in `dispatch`.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use http::{HeaderMap, Method, Request};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::dispatch::{self, Arrival};
use super::{Edge, health};
use crate::config::ServerSettings;

/// Serves until `stop` turns true, then lets running requests finish for as long as
/// `server.shutdown_timeout` says.
pub async fn serve(edge: Arc<Edge>, listener: TcpListener, mut stop: watch::Receiver<bool>) {
    let settings = &edge.app.config.server;
    let open = Arc::new(Semaphore::new(settings.max_connections as usize));
    let graceful = GracefulShutdown::new();
    let service = TowerToHyperService::new(warp::service(filter(Arc::clone(&edge))));
    tokio::spawn(health::keep_fresh(Arc::downgrade(&edge)));
    loop {
        // Above the limit connections wait in the system's own queue.
        let accepted = tokio::select! {
            accepted = accept(&listener, &open) => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let (stream, peer, place) = match accepted {
            Ok(accepted) => accepted,
            Err(cause) => {
                // Out of file descriptors, mostly; a pause lets some be closed.
                tracing::warn!(%cause, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let connection = connection(settings, service.clone(), stream, peer, &graceful);
        let metrics_edge = Arc::clone(&edge);
        tokio::spawn(async move {
            metrics_edge.metrics.connections.fetch_add(1, Relaxed);
            connection.await;
            metrics_edge.metrics.connections.fetch_sub(1, Relaxed);
            drop(place);
        });
    }
    drop(listener);
    let limit = settings.shutdown_timeout();
    if tokio::time::timeout(limit, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests were still running at the end of the stop time");
    }
}

/// Waits for a place, then for a connection to take it.
async fn accept(
    listener: &TcpListener,
    open: &Arc<Semaphore>,
) -> std::io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(open)
        .acquire_owned()
        .await
        .map_err(std::io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

/// One connection, HTTP/1.1 or HTTP/2.
fn connection<S>(
    settings: &ServerSettings,
    service: S,
    stream: TcpStream,
    peer: SocketAddr,
    graceful: &GracefulShutdown,
) -> impl Future<Output = ()> + use<S>
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Send + 'static,
    S::Future: Send,
{
    // Small replies must not wait for more to come.
    let _ = stream.set_nodelay(true);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(settings.header_timeout())
        .max_buf_size(settings.max_header_bytes as usize);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(settings.max_header_bytes)
        .max_concurrent_streams(Some(100))
        .keep_alive_interval(Some(settings.keep_alive()));
    let service = service_fn(move |mut request: Request<Incoming>| {
        let arrival = Arrival {
            peer: peer.ip().to_canonical(),
            uri: request.uri().clone(),
            at: Instant::now(),
        };
        request.extensions_mut().insert(arrival);
        service.call(request)
    });
    let connection = builder
        .serve_connection(TokioIo::new(stream), service)
        .into_owned();
    let watched = graceful.watch(connection);
    async move {
        if let Err(cause) = watched.await {
            tracing::debug!(%cause, "a connection ended early");
        }
    }
}

/// The one warp filter: it takes every request and hands it to the route table.
fn filter(edge: Arc<Edge>) -> BoxedFilter<(Response,)> {
    warp::any()
        .map(move || Arc::clone(&edge))
        .and(warp::ext::optional::<Arrival>())
        .and(warp::method())
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .then(
            |edge: Arc<Edge>,
             arrival: Option<Arrival>,
             method: Method,
             headers: HeaderMap,
             body| async move {
                let arrival = arrival.unwrap_or_else(|| Arrival {
                    peer: std::net::Ipv4Addr::UNSPECIFIED.into(),
                    uri: http::Uri::default(),
                    at: Instant::now(),
                });
                dispatch::respond(edge, arrival, method, headers, Box::pin(body)).await
            },
        )
        .boxed()
}
