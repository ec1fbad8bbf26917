//! `GET /api/v1/works/{doi}`: one work in the requested representation, like doi.org
//! (interface decisions, section 5).

use super::lookup;
use super::representation::{self, Chosen, OF_WORKS};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use citation_exchange::metadata::CitationMetadata;
use citation_model::identifier::Identifier;
use citation_model::work::Work;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/works/{doi…}", Action::Lookup, get)
            .at_once(get_at_once)
            .documented(operation),
    ]
}

/// `GET /api/v1/works/{doi}`.
pub fn get(context: &RequestContext) -> Result<Reply, ApiError> {
    let (chosen, identifier) = read(context)?;
    // An unknown style is free too.
    let reply = lookup::find_of_path(context, &identifier, |work| chosen.reply(context, work))?;
    Ok(completed(reply))
}

/// The same, for local works without a style.
pub fn get_at_once(context: &RequestContext) -> Result<Option<Reply>, ApiError> {
    let (chosen, identifier) = read(context)?;
    if chosen.representation.is_formatted() {
        return Ok(None);
    }
    let make = |work: &Work, _: Option<&Identifier>| chosen.reply(context, work);
    let reply = lookup::find_at_once(context, &identifier, make)?;
    Ok(reply.map(completed))
}

/// The requested work and representation.
fn read(context: &RequestContext) -> Result<(Chosen, Identifier), ApiError> {
    let chosen = representation::choose(context, context.header("accept"), OF_WORKS)
        .ok_or_else(|| representation::not_acceptable(OF_WORKS))?;
    let identifier = lookup::read_doi_of_path(context, context.param("doi"))?;
    Ok((chosen, identifier))
}

fn completed(reply: Reply) -> Reply {
    reply.with_header("vary", "Accept").with_content_etag()
}

pub fn operation() -> Operation {
    Operation::new("get_work", "lookup", "Get a work in the requested representation")
        .describe("`Accept` chooses among JSON, CSL-JSON, BibTeX, RIS, schema.org as JSON-LD, Turtle, RDF/XML, Crossref's JSON and a formatted bibliography entry (`text/x-bibliography; style=apa; locale=en-US`). Costs one lookup, like the DOI lookup.")
        .path("doi", "The DOI; its slash need not be encoded.")
        .query("style", "The style of a formatted entry, if `Accept` does not name it.")
        .query("include", lookup::INCLUDE)
        .query("locale", "The locale of a formatted entry, if `Accept` does not name it.")
        .reply::<CitationMetadata<'static>>(200, "The work.")
        .reply_text(200, "The work.", OF_WORKS.iter().skip(1).map(|(media_type, _)| *media_type))
        .codes(&[Code::InvalidDoi, Code::WorkNotFound, Code::NotAcceptable, Code::UnknownStyle, Code::UpstreamError, Code::UpstreamTimeout])
        .conditional()
}
