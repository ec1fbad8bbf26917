//! `/word/`: the task pane that Word shows, its manifest, and the pictures of its button.

use super::formatted::choice;
use super::frame::{theme, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::no_such_route;
use crate::api::error::ApiError;
use crate::formatting::StyleChoice;
use crate::ui::word::{WordManifest, WordPane};

/// Office.js is the host's own and may come from nowhere else; Word on the web shows the pane in a frame. Office.js makes
/// scripts of its own, which trusted types would refuse.
const SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' https://appsforoffice.microsoft.com; \
     style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors https://*.officeapps.live.com https://*.office.com https://*.office365.com \
     https://*.sharepoint.com https://*.cloud.microsoft";

/// The pictures of the button, by the width in their names.
const ICONS: [(&str, &[u8]); 4] = [
    ("16", include_bytes!("../../../ui/assets/word/icon-16.png")),
    ("32", include_bytes!("../../../ui/assets/word/icon-32.png")),
    ("64", include_bytes!("../../../ui/assets/word/icon-64.png")),
    ("80", include_bytes!("../../../ui/assets/word/icon-80.png")),
];

/// `GET /word/`.
pub fn pane(context: &RequestContext) -> Result<Reply, ApiError> {
    let words = words(context);
    let style = context.app.config.format.style.clone();
    let view = WordPane {
        words,
        choice: choice(context, style, StyleChoice::default())?,
        theme: theme(context),
        base: context.edge.site.base_url.as_str(),
    };
    Ok(Reply::bytes("text/html; charset=utf-8", view.to_string())
        .with_header("content-security-policy", SECURITY_POLICY)
        .with_header("referrer-policy", "no-referrer")
        .with_header("content-language", words.language().tag)
        .with_header("cache-control", "no-store"))
}

/// `GET /word/manifest.xml`.
pub fn manifest(context: &RequestContext) -> Result<Reply, ApiError> {
    let words = words(context);
    let base_url = &context.edge.site.base_url;
    let view = WordManifest {
        words,
        base: base_url.as_str(),
        origin: base_url.origin(),
    };
    Ok(
        Reply::bytes("application/xml; charset=utf-8", view.to_string())
            .with_header("content-language", words.language().tag)
            .with_header("cache-control", "no-cache"),
    )
}

/// `GET /word/{icon}`.
pub fn icon(context: &RequestContext) -> Result<Reply, ApiError> {
    let width = context.param("icon").strip_prefix("icon-");
    let width = width.and_then(|rest| rest.strip_suffix(".png"));
    let found = ICONS.iter().find(|(known, _)| Some(*known) == width);
    let (_, picture) = found.ok_or_else(|| no_such_route(context.uri.path()))?;
    Ok(Reply::bytes("image/png", *picture).with_header("cache-control", "public, max-age=86400"))
}
