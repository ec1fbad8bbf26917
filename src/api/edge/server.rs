//! The accept loop: sockets, limits and time-outs on connections, graceful stop. Everything about
//! requests is in `dispatch`.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use bytes::Buf;
use futures_util::{FutureExt, Stream, TryStreamExt};
use http::Request;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::body::Chunks;
use super::connection::{Answer, ClientStream, Membership, Timeouts};
use super::dispatch::{self, IncomingRequest};
use super::host;
use crate::api::Edge;
use crate::api::routes::{health, jobs};
use crate::config::ServerSettings;

/// Bytes of a body that an HTTP/2 client may send before the server reads on: of one request, and of
/// all requests of a connection.
const STREAM_WINDOW: u32 = 128 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;

/// Bytes of one answer that wait inside HTTP/2 for the client to read.
const SEND_BUFFER: usize = 64 << 10;

/// How long a connection that is closed has to send what is under way.
const PARTING: Duration = Duration::from_secs(1);

/// Serves until `stop` turns true, then lets running requests finish for as long as
/// `server.shutdown_timeout` says.
pub async fn serve(edge: Arc<Edge>, listener: TcpListener, mut stop: watch::Receiver<bool>) {
    let settings = &edge.app.config.server;
    let builder = builder(settings);
    let filter = filter(Arc::clone(&edge));
    tokio::spawn(health::keep_fresh(Arc::downgrade(&edge)));
    let jobs = jobs::start(&edge).unwrap_or_else(|cause| {
        tracing::error!(%cause, "jobs do not run: no thread can be started");
        Vec::new()
    });
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(cause) => {
                // Out of file descriptors, mostly; a pause lets some be closed.
                tracing::warn!(%cause, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let member = tokio::select! {
            member = edge.connections.enter(edge.site.counted(peer.ip())) => member,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let connection = connection(
            builder.clone(),
            filter.clone(),
            stream,
            peer,
            member,
            Timeouts::new(settings),
            stop.clone(),
        );
        let metrics_edge = Arc::clone(&edge);
        tokio::spawn(async move {
            metrics_edge.metrics.connections.fetch_add(1, Relaxed);
            connection.await;
            metrics_edge.metrics.connections.fetch_sub(1, Relaxed);
        });
    }
    drop(listener);
    // Each ends between two items, which the next start goes on behind.
    let jobs_ended = tokio::task::spawn_blocking(move || drop(jobs));
    let limit = settings.shutdown_timeout();
    if tokio::time::timeout(limit, edge.connections.closed())
        .await
        .is_err()
    {
        tracing::warn!("some requests were still running at the end of the stop time");
    }
    let _ = jobs_ended.await;
}

/// What all connections have in common.
fn builder(settings: &ServerSettings) -> auto::Builder<TokioExecutor> {
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
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER)
        .keep_alive_interval(Some(settings.keep_alive()));
    builder
}

/// Serves one connection, HTTP/1.1 or HTTP/2, to its end.
async fn connection(
    builder: auto::Builder<TokioExecutor>,
    filter: BoxedFilter<(Response,)>,
    stream: TcpStream,
    peer: SocketAddr,
    member: Membership,
    timeouts: Timeouts,
    mut stop: watch::Receiver<bool>,
) {
    // Small replies must not wait for more to come.
    let _ = stream.set_nodelay(true);
    let handler = TowerToHyperService::new(warp::service(filter));
    let state = Arc::clone(&member.connection);
    let service = service_fn(move |mut request: Request<Incoming>| {
        let exchange = state.begin();
        let headers = std::mem::take(request.headers_mut());
        let arrival = IncomingRequest {
            peer: peer.ip().to_canonical(),
            method: request.method().clone(),
            uri: request.uri().clone(),
            at: Instant::now(),
            exchange: Arc::clone(&exchange),
            fault: host::check(request.version(), &headers),
            headers: Arc::new(headers),
        };
        request.extensions_mut().insert(arrival);
        handler
            .call(request)
            .map(|answered| answered.map(|reply| reply.map(|body| Answer::new(body, exchange))))
    });
    let stream = ClientStream::new(stream, Arc::clone(&member.connection));
    let mut served = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut is_stopping = false;
    loop {
        tokio::select! {
            ended = served.as_mut() => {
                if let Err(cause) = ended {
                    tracing::debug!(%cause, "a connection ended early");
                }
                return;
            }
            () = member.connection.gives_way() => return,
            () = member.connection.overdue(&timeouts) => break,
            _ = stop.wait_for(|stop| *stop), if !is_stopping => {
                is_stopping = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
    served.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(PARTING, served).await;
}

/// The one warp filter: it takes every request and hands it to the route table.
fn filter(edge: Arc<Edge>) -> BoxedFilter<(Response,)> {
    warp::any()
        .map(move || Arc::clone(&edge))
        .and(warp::ext::get::<IncomingRequest>())
        .and(warp::body::stream())
        .then(|edge: Arc<Edge>, arrival: IncomingRequest, body| {
            dispatch::respond(edge, arrival, body_chunks(body))
        })
        .boxed()
}

fn body_chunks<B: Buf>(
    body: impl Stream<Item = Result<B, warp::Error>> + Send + 'static,
) -> Chunks {
    Box::pin(body.map_ok(|mut chunk| chunk.copy_to_bytes(chunk.remaining())))
}
