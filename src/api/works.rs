//! `GET /api/v1/works/{doi}`: one work in the representation that the client asks for, as doi.org
//! offers it (interface decisions, section 5).

use super::context::RequestContext;
use super::error::{ApiError, Code};
use super::format::{self, StyleChoice};
use super::lookup;
use super::negotiate;
use super::operation::Operation;
use super::reply::Reply;
use crate::blocking::PoolKind;
use crate::exchange::metadata::CitationMetadata;
use crate::exchange::{self, Format, WriteOptions};
use crate::model::work::Work;

const JSON: &str = "application/json";
const CSL_JSON: &str = "application/vnd.citationstyles.csl+json";
const BIBTEX: &str = "application/x-bibtex";
const RIS: &str = "application/x-research-info-systems";
const BIBLIOGRAPHY: &str = "text/x-bibliography";
const HTML: &str = "text/html";

/// The first one is what a client without a wish gets.
const AVAILABLE: [&str; 6] = [JSON, CSL_JSON, BIBTEX, RIS, BIBLIOGRAPHY, HTML];

/// `GET /api/v1/works/{doi}`.
pub fn get(context: &RequestContext) -> Result<Reply, ApiError> {
    let Some((media_type, accepted)) = negotiate::choose(context.header("accept"), &AVAILABLE)
    else {
        return Err(not_acceptable());
    };
    let identifier = lookup::read_doi(context, context.param("doi"))?;
    let parameter = |name: &str| {
        let given = accepted.parameter(name).or_else(|| context.query.get(name));
        given.map(str::to_owned)
    };
    let choice = StyleChoice::named(parameter("style"), parameter("locale"));
    // A style that does not exist costs nothing either.
    let reply = lookup::find(context, &identifier, |work, _| {
        represent(context, work, media_type, &choice)
    })?;
    Ok(reply.with_header("vary", "Accept").with_content_etag())
}

fn represent(
    context: &RequestContext,
    work: &Work,
    media_type: &str,
    choice: &StyleChoice,
) -> Result<Reply, ApiError> {
    let write = |format| {
        let items = std::slice::from_ref(&work.item);
        exchange::write(items, format, &WriteOptions::default(), &context.budget)
    };
    let reply = match media_type {
        CSL_JSON => Reply::json(&work.item).with_header("content-type", CSL_JSON),
        BIBTEX => Reply::bytes(Format::Bibtex.media_type(), write(Format::Bibtex)?),
        RIS => Reply::bytes(Format::Ris.media_type(), write(Format::Ris)?),
        BIBLIOGRAPHY | HTML => {
            let formatted = context.job.run_in(PoolKind::Heavy, |_| {
                format::one_entry(context, work, choice)
            })??;
            if media_type == HTML {
                Reply::bytes("text/html; charset=utf-8", formatted.html)
            } else {
                Reply::bytes("text/x-bibliography; charset=utf-8", formatted.plain)
            }
        }
        _ => {
            let with_abstract = context.query.get("include") == Some("abstract");
            Reply::json(&CitationMetadata::of_work(work).with_abstract(with_abstract))
        }
    };
    Ok(reply)
}

fn not_acceptable() -> ApiError {
    ApiError::new(
        Code::NotAcceptable,
        format!("A work is available as {}.", AVAILABLE.join(", ")),
    )
    .with("available", AVAILABLE.to_vec())
}

pub fn operation() -> Operation {
    Operation::new("get_work", "lookup", "One work, in the representation asked for")
        .describe("`Accept` chooses among JSON, CSL-JSON, BibTeX, RIS and a formatted bibliography entry (`text/x-bibliography; style=apa; locale=en-US`). Costs one lookup, like the DOI lookup.")
        .path("doi", "The DOI; its slash need not be encoded.")
        .query("style", "The style of a formatted entry, where `Accept` does not name it.")
        .query("locale", "The locale of a formatted entry, where `Accept` does not name it.")
        .reply::<CitationMetadata<'static>>(200, "The work.")
        .codes(&[
            Code::InvalidDoi,
            Code::WorkNotFound,
            Code::NotAcceptable,
            Code::UnknownStyle,
            Code::QuotaExhausted,
            Code::UpstreamError,
            Code::UpstreamTimeout,
        ])
}
