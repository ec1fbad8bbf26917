//! doi.org: resolves a DOI to metadata in the requested representation, or redirects to the publisher
//! (<https://citation.crosscite.org/docs.html>; DOI Handbook, chapter 3).

use http::StatusCode;

use crate::api::edge::context::RequestContext;
use crate::api::edge::negotiate;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::lookup;
use crate::api::routes::representation::{self, OF_DOIS};
use citation_model::identifier::{Identifier, percent_encode_path};
use citation_model::variable::TextVar;

/// `GET /doi/{doi}`.
pub fn resolve(context: &RequestContext) -> Result<Reply, ApiError> {
    answer(context, context.param("doi"))
}

/// `GET /10.{doi}`.
pub fn resolve_at_root(context: &RequestContext) -> Result<Reply, ApiError> {
    answer(context, &format!("10.{}", context.param("doi")))
}

fn answer(context: &RequestContext, doi: &str) -> Result<Reply, ApiError> {
    let identifier = lookup::read_doi_of_path(context, doi)?;
    let reply = match preference(context) {
        Preference::Page => publisher(context, &identifier)?,
        Preference::Metadata(accept) => {
            let chosen = representation::choose(context, Some(accept), OF_DOIS)
                .ok_or_else(|| representation::not_acceptable(OF_DOIS))?;
            lookup::find_of_path(context, &identifier, |work| chosen.reply(context, work))?
                .with_content_etag()
        }
    };
    Ok(reply.with_header("vary", "Accept"))
}

/// What a client requests for a DOI.
enum Preference<'c> {
    /// The publisher's page.
    Page,
    /// Metadata, by an `Accept` header.
    Metadata(&'c str),
}

/// Browsers and clients without a preference are redirected to the publisher.
fn preference(context: &RequestContext) -> Preference<'_> {
    let Some(accept) = context.header("accept") else {
        return Preference::Page;
    };
    // `application/*` requests metadata, `*/*` does not.
    let metadata = OF_DOIS.iter().map(|(media_type, _)| *media_type);
    let offered: Vec<&str> = std::iter::once("text/html")
        .chain(metadata)
        .chain(["application/xhtml+xml"])
        .collect();
    match negotiate::choose(Some(accept), &offered) {
        Some(("text/html" | "application/xhtml+xml", _)) => Preference::Page,
        _ => Preference::Metadata(accept),
    }
}

/// The publisher's page of the local record; else doi.org. Free.
fn publisher(context: &RequestContext, identifier: &Identifier) -> Result<Reply, ApiError> {
    let known = lookup::local(context, identifier)?.and_then(|known| known.work);
    let url = known.as_ref().and_then(|work| work.item.text(TextVar::Url));
    let location = match url {
        Some(url) if is_external(url) => url.to_owned(),
        _ => format!(
            "https://doi.org/{}",
            percent_encode_path(identifier.as_str())
        ),
    };
    Ok(
        Reply::bytes("text/plain; charset=utf-8", format!("{location}\n"))
            .with_status(StatusCode::FOUND)
            .with_header("location", location),
    )
}

/// Whether an address is valid in a header and does not lead back to a resolver.
fn is_external(url: &str) -> bool {
    let is_plain = url.bytes().all(|byte| byte.is_ascii_graphic());
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    is_plain
        && host.is_some_and(|host| !matches!(host, "" | "doi.org" | "dx.doi.org" | "www.doi.org"))
}

pub fn operation() -> Operation {
    Operation::new("resolve_doi", "compat", "Resolve a DOI like doi.org")
        .describe("`Accept` chooses among CSL-JSON, BibTeX, RIS, schema.org as JSON-LD, Turtle, RDF/XML, Crossref's JSON and a formatted bibliography entry (`text/x-bibliography; style=apa; locale=en-US`), which cost one lookup. Otherwise the answer redirects to the publisher and is free. Also at the root: `/10.1038/171737a0`.")
        .path("doi", "The DOI; its slash need not be encoded.")
        .query("style", "The style of a formatted entry, if `Accept` does not name it.")
        .query("locale", "The locale of a formatted entry, if `Accept` does not name it.")
        .reply_text(200, "The work, in the requested representation.", OF_DOIS.iter().map(|(media_type, _)| *media_type))
        .reply_empty(302, "Redirect to the publisher, or to doi.org if the publisher is not known.")
        .codes(&[Code::InvalidDoi, Code::WorkNotFound, Code::NotAcceptable, Code::UnknownStyle, Code::UpstreamError, Code::UpstreamTimeout])
        .conditional()
}
