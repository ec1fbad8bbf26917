//! One work: its metadata, its registration agency, other representations.

use serde_json::json;

use super::reply::{crossref_reply, enveloped};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::lookup;
use crate::api::routes::representation::{self, OF_DOIS};
use citation_exchange::linked;
use citation_model::work::{Source, Work};

/// `GET /crossref/works/{doi}`, `…/agency`, `…/transform` and `…/transform/{type}`.
pub fn work(context: &RequestContext) -> Result<Reply, ApiError> {
    let path = context.param("doi");
    let reply = match WorkPath::of(path) {
        WorkPath::Message(doi) => message_of(context, doi),
        WorkPath::Agency(doi) => agency(context, doi),
        WorkPath::Transform(doi, media_type) => transform(context, doi, media_type),
    };
    crossref_reply(context, reply)
}

/// The requested part of a work: DOIs may contain slashes, so the end of the path decides.
enum WorkPath<'p> {
    Message(&'p str),
    Agency(&'p str),
    Transform(&'p str, Option<&'p str>),
}

impl WorkPath<'_> {
    fn of(path: &str) -> WorkPath<'_> {
        if let Some(doi) = path.strip_suffix("/agency") {
            return WorkPath::Agency(doi);
        }
        if let Some(doi) = path.strip_suffix("/transform") {
            return WorkPath::Transform(doi, None);
        }
        match path.rsplit_once("/transform/") {
            Some((doi, media_type)) => WorkPath::Transform(doi, Some(media_type)),
            None => WorkPath::Message(path),
        }
    }
}

fn message_of(context: &RequestContext, doi: &str) -> Result<Reply, ApiError> {
    let identifier = lookup::read_doi_of_path(context, doi)?;
    lookup::find_of_path(context, &identifier, |work| {
        Ok(enveloped("work", linked::crossref(&work.item)))
    })
}

fn agency(context: &RequestContext, doi: &str) -> Result<Reply, ApiError> {
    let identifier = lookup::read_doi_of_path(context, doi)?;
    lookup::find_of_path(context, &identifier, |work| {
        let (id, label) = registration_agency(work);
        let agency = json!({"id": id, "label": label});
        let message = json!({"DOI": identifier.as_str(), "agency": agency});
        Ok(enveloped("work-agency", message))
    })
}

/// The registration agency of the DOI, derived from the record's source.
fn registration_agency(work: &Work) -> (&'static str, &'static str) {
    match work.provenance.source {
        Source::Crossref => ("crossref", "Crossref"),
        Source::Datacite => ("datacite", "DataCite"),
        _ => ("unknown", "Unknown"),
    }
}

fn transform(
    context: &RequestContext,
    doi: &str,
    media_type: Option<&str>,
) -> Result<Reply, ApiError> {
    let accept = media_type.or_else(|| context.header("accept"));
    let chosen = representation::choose(context, accept, OF_DOIS)
        .ok_or_else(|| representation::not_acceptable(OF_DOIS))?;
    let identifier = lookup::read_doi_of_path(context, doi)?;
    lookup::find_of_path(context, &identifier, |work| chosen.reply(context, work))
}
