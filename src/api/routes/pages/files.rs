//! The assets of the pages, and the service worker.

use serde_json::Value;

use crate::api::edge::compress;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route;
use crate::api::error::ApiError;
use crate::ui::assets::{self, Asset};

/// `GET /assets/{set}/{name}`: immutable, since any change gives a new address.
pub fn asset(context: &RequestContext) -> Result<Reply, ApiError> {
    let assets = assets::assets();
    let name = context.param("name");
    let file = assets.files.iter().find(|file| file.name == name);
    match file.filter(|_| context.param("set") == assets.hash) {
        Some(file) => Ok(packed(context, file)
            .with_header("cache-control", "public, max-age=31536000, immutable")),
        None => Err(route::no_such_route(context.uri.path())),
    }
}

/// A file in the browser's preferred encoding, compressed once and cached.
fn packed(context: &RequestContext, file: &'static Asset) -> Reply {
    let accepted = context.header("accept-encoding").unwrap_or_default();
    let coding = compress::preferred(accepted)
        .filter(|_| context.app.config.server.compression)
        .filter(|_| compress::is_worthwhile(file.content_type, file.body.len()));
    match coding.and_then(|coding| {
        Some((
            coding,
            compress::packed_once(coding, &file.name, &file.body)?,
        ))
    }) {
        Some((coding, body)) => {
            Reply::bytes(file.content_type, body).with_header("content-encoding", coding.as_str())
        }
        None => Reply::bytes(file.content_type, file.body.as_slice()),
    }
}

/// `GET /worker.js`: the service worker, which contains the hash of the set of files to cache.
pub fn worker(_context: &RequestContext) -> Result<Reply, ApiError> {
    let set = Value::from(assets::assets().hash.as_str());
    let head = format!("const SET = {set};\n");
    Ok(
        Reply::bytes("text/javascript; charset=utf-8", head + assets::WORKER)
            .with_header("cache-control", "no-cache")
            .with_content_etag(),
    )
}
