//! Request bodies: read within limits after the headers have been admitted, and decompressed
//! (RFC 9110, section 8.4).

use std::io::Read;
use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use http::HeaderMap;
use tokio::time::{Instant, timeout_at};

use super::connection::Exchange;
use super::context::RequestContext;
use super::meter::Share;
use super::route::BodyCap;
use crate::api::error::{ApiError, Code};

/// The supported content codings. `x-gzip` is an alias of the first.
const CODINGS: [&str; 4] = ["gzip", "deflate", "br", "zstd"];

/// Bodies up to this many bytes do not count against the memory for all bodies, so that lookups
/// continue while large files arrive.
const UNCOUNTED_BYTES: usize = 4 << 10;

/// Larger bodies are read in the pool for heavy work: a page of text takes a millisecond, 60 entries of long
/// fields some hundred.
const LIGHT_BYTES: usize = 64 << 10;

/// Bytes of a body over the limit that are still read. A client that is still sending when the
/// connection closes never reads the reason.
const PASSED_OVER_BYTES: usize = 64 << 20;

/// Window of compressed text, as a power of two: 8 MiB, the limit of RFC 9659 for zstd over HTTP.
const ZSTD_WINDOW: u32 = 23;

/// A body being received.
pub type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send>>;

/// A received body.
pub struct ReceivedBody {
    bytes: Bytes,
    coding: Option<&'static str>,
    cap: usize,
}

impl ReceivedBody {
    /// Whether reading it takes so long that the request counts as heavy. The size of a compressed body is
    /// not known yet.
    pub fn is_large(&self) -> bool {
        self.bytes.len() > LIGHT_BYTES || (self.coding.is_some() && !self.bytes.is_empty())
    }

    /// The body, if it is not compressed.
    pub fn plain(self) -> Result<Bytes, ReceivedBody> {
        match self.coding {
            Some(_) if !self.bytes.is_empty() => Err(self),
            _ => Ok(self.bytes),
        }
    }

    /// The decoded bytes. Decompression takes time, so do not call this on an async thread.
    pub fn unpack(self, context: &RequestContext) -> Result<Bytes, ApiError> {
        let packed = self.bytes.as_ref();
        let mut unpacked: Box<dyn Read + '_> = match self.coding {
            Some("deflate") => Box::new(flate2::read::ZlibDecoder::new(packed)),
            Some("br") => Box::new(brotli::Decompressor::new(packed, 4096)),
            Some("zstd") => {
                let mut decoder =
                    zstd::stream::read::Decoder::new(packed).map_err(|_| not_packed("zstd"))?;
                decoder
                    .window_log_max(ZSTD_WINDOW)
                    .map_err(ApiError::internal)?;
                Box::new(decoder)
            }
            _ => Box::new(flate2::read::MultiGzDecoder::new(packed)),
        };
        let mut gathered = PartialBody::new(self.cap);
        let mut part = vec![0; 64 << 10];
        loop {
            match unpacked.read(&mut part) {
                Ok(0) => return Ok(gathered.finish()),
                Ok(length) => gathered.push(context, part.get(..length).unwrap_or_default())?,
                Err(_) => return Err(not_packed(self.coding.unwrap_or_default())),
            }
        }
    }
}

fn not_packed(coding: &str) -> ApiError {
    let message = format!("The body does not match Content-Encoding: it is not {coding}.");
    ApiError::new(Code::BadRequest, message)
}

/// Reads the body of an admitted request.
pub async fn read(
    context: &RequestContext,
    limit: BodyCap,
    exchange: &Exchange,
    mut stream: Chunks,
) -> Result<ReceivedBody, ApiError> {
    let cap = cap(context, limit);
    let announced = content_length(&context.headers);
    let checked = if announced.is_some_and(|length| length > cap as u64) {
        Err(ApiError::too_many_bytes(cap as u64))
    } else {
        coding(&context.headers)
    };
    let coding = match checked {
        Ok(coding) => coding,
        Err(error) => {
            discard(context, stream);
            return Err(error);
        }
    };
    let deadline = deadline(context);
    let mut gathered = PartialBody::new(cap);
    let read = loop {
        exchange.reading();
        let chunk = timeout_at(deadline, stream.next()).await;
        exchange.working();
        let chunk = match chunk {
            Ok(None) => break Ok(()),
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) => {
                let message = "The body is incomplete.";
                break Err(ApiError::new(Code::BadRequest, message));
            }
            Err(_) => {
                let message = "The body did not arrive in time.";
                break Err(ApiError::new(Code::RequestTimeout, message));
            }
        };
        if let Err(error) = gathered.push(context, &chunk) {
            break Err(error);
        }
    };
    match read {
        Ok(()) => Ok(ReceivedBody {
            bytes: gathered.finish(),
            coding,
            cap,
        }),
        Err(error) => {
            tokio::spawn(drain(stream, deadline));
            Err(error)
        }
    }
}

/// Discards the body of a request that is answered without it. A client that waits for 100 Continue
/// gets the answer at once.
pub fn discard(context: &RequestContext, stream: Chunks) {
    if !context.headers.contains_key("expect") {
        tokio::spawn(drain(stream, deadline(context)));
    }
}

async fn drain(mut stream: Chunks, deadline: Instant) {
    let mut passed = 0;
    while passed <= PASSED_OVER_BYTES {
        match timeout_at(deadline, stream.next()).await {
            Ok(Some(Ok(chunk))) => passed += chunk.len(),
            _ => return,
        }
    }
}

fn deadline(context: &RequestContext) -> Instant {
    Instant::now() + context.app.config.server.body_timeout()
}

/// Whether the headers announce a small body.
pub fn is_small(headers: &HeaderMap) -> bool {
    match content_length(headers) {
        Some(length) => length <= UNCOUNTED_BYTES as u64,
        None => !headers.contains_key("transfer-encoding"),
    }
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get("content-length")?.to_str().ok()?.parse().ok()
}

/// Rejects a body made within a request that is longer than one sent to the route may be.
pub fn check_length(
    context: &RequestContext,
    limit: BodyCap,
    body: &Bytes,
) -> Result<(), ApiError> {
    let cap = cap(context, limit);
    if body.len() > cap {
        Err(ApiError::too_many_bytes(cap as u64))
    } else {
        Ok(())
    }
}

/// The most bytes of the body, compressed and decompressed.
fn cap(context: &RequestContext, limit: BodyCap) -> usize {
    let limits = &context.app.config.limits;
    let cap = match limit {
        // An unexpected body is discarded, so that the connection can be reused.
        BodyCap::None | BodyCap::Json => limits.json_body_bytes,
        BodyCap::Import => limits.import_bytes,
        BodyCap::Job => context.app.config.jobs.max_bytes,
    };
    let cap = match context.caller.account() {
        Some(_) => cap,
        None => cap.min(limits.anonymous_body_bytes),
    };
    (cap as usize).min(context.edge.bodies.limit() - spare(context))
}

/// Bytes of the shared memory that this caller's body must leave free.
fn spare(context: &RequestContext) -> usize {
    match context.caller.account() {
        Some(_) => 0,
        None => context.edge.bodies.limit() / 2,
    }
}

/// The content coding of the body, if supported.
fn coding(headers: &HeaderMap) -> Result<Option<&'static str>, ApiError> {
    let Some(given) = headers.get("content-encoding") else {
        return Ok(None);
    };
    let name = String::from_utf8_lossy(given.as_bytes())
        .trim()
        .to_ascii_lowercase();
    let name = match name.as_str() {
        "" | "identity" => return Ok(None),
        "x-gzip" => "gzip",
        name => name,
    };
    let is_only = headers.get_all("content-encoding").iter().count() == 1;
    let known = CODINGS.into_iter().find(|known| is_only && *known == name);
    known.map(Some).ok_or_else(|| {
        let message = "A body must be plain or use one of the codings gzip, deflate, br and zstd.";
        ApiError::new(Code::UnsupportedMediaType, message)
            .with("supported", CODINGS.to_vec())
            .with_header("accept-encoding", CODINGS.join(", "))
    })
}

/// The part of a body received so far.
struct PartialBody {
    bytes: BytesMut,
    share: Option<Share>,
    cap: usize,
}

impl PartialBody {
    fn new(cap: usize) -> PartialBody {
        PartialBody {
            bytes: BytesMut::new(),
            share: None,
            cap,
        }
    }

    fn push(&mut self, context: &RequestContext, part: &[u8]) -> Result<(), ApiError> {
        let length = self.bytes.len() + part.len();
        if length > self.cap {
            return Err(ApiError::too_many_bytes(self.cap as u64));
        }
        if length > UNCOUNTED_BYTES {
            let counted = self.share.as_ref().map_or(0, Share::bytes);
            let more = context.edge.bodies.take(length - counted, spare(context));
            let more = more.ok_or_else(ApiError::overloaded)?;
            match &mut self.share {
                Some(share) => share.merge(more),
                None => self.share = Some(more),
            }
        }
        self.bytes.extend_from_slice(part);
        Ok(())
    }

    fn finish(self) -> Bytes {
        let bytes = self.bytes.freeze();
        match self.share {
            Some(share) => share.bind(bytes),
            None => bytes,
        }
    }
}
