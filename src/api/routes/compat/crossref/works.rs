//! Lists of works, of the corpus and of one journal.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::HashSet;

use serde_json::{Value, json};

use super::filter::{Filter, Filters};
use super::list_request::{ListRequest, MAX_FOUND, STEPS_OF_FILTER};
use super::reply::{crossref_reply, enveloped, resource_not_found};
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::compat::local;
use crate::api::routes::lookup;
use crate::quota::Charge;
use citation_exchange::linked;
use citation_matching::reference::Reference;
use citation_model::identifier::{Doi, Identifier, Issn};
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// `GET /crossref/works`.
pub fn works(context: &RequestContext) -> Result<Reply, ApiError> {
    let request = ListRequest::read(context, Filters::new());
    crossref_reply(context, request.and_then(|request| list(context, &request)))
}

/// `GET /crossref/journals/{issn}`.
pub fn journal(context: &RequestContext) -> Result<Reply, ApiError> {
    let Ok(issn) = Issn::parse(context.param("issn")) else {
        return crossref_reply(context, Ok(resource_not_found()));
    };
    let found = lookup::find(context, &Identifier::Issn(issn), |work, _| {
        let item = &work.item;
        let issns: Vec<String> = item.issns().iter().map(ToString::to_string).collect();
        Ok(enveloped(
            "journal",
            json!({
                "title": item.text(TextVar::Title),
                "publisher": item.text(TextVar::Publisher),
                "ISSN": issns,
                "subjects": [],
            }),
        ))
    });
    crossref_reply(context, found)
}

/// `GET /crossref/journals/{issn}/works`.
pub fn works_of_journal(context: &RequestContext) -> Result<Reply, ApiError> {
    let Ok(issn) = Issn::parse(context.param("issn")) else {
        return crossref_reply(context, Ok(resource_not_found()));
    };
    let filters = Filters::from([("journal", vec![Filter::Issn(issn.to_string())])]);
    let request = ListRequest::read(context, filters);
    crossref_reply(context, request.and_then(|request| list(context, &request)))
}

fn list(context: &RequestContext, request: &ListRequest) -> Result<Reply, ApiError> {
    let found = gate::charge(context, || {
        let found = search(context, request);
        let costs = found.is_ok();
        Charge::new(found, costs)
    })??;
    let conditions: usize = request.filters.values().map(Vec::len).sum();
    let steps = STEPS_OF_FILTER * conditions as u64 * found.len() as u64;
    context.budget.spend(steps)?;
    let fits = |(_, item): &(f64, Item)| request.fits(item);
    let mut fitting: Vec<(f64, Item)> = found.into_iter().filter(fits).collect();
    request.sort(&mut fitting);
    let total = fitting.len();
    let page = fitting.into_iter().skip(request.offset).take(request.rows);
    let items: Vec<Value> = page
        .map(|(score, item)| {
            let mut message = linked::crossref(&item);
            message["score"] = score.into();
            request.select(message)
        })
        .collect();
    let next = request.offset + items.len();
    let mut message = json!({
        "facets": {},
        "total-results": total,
        "items": items,
        "items-per-page": request.rows,
        "query": {"start-index": request.offset, "search-terms": request.shown},
    });
    if request.has_cursor {
        message["next-cursor"] = next.to_string().into();
    }
    Ok(enveloped("work-list", message))
}

/// The matches of a reference, with the score of our reverse lookup in percent, then the best works of
/// the corpus for the words; without words, the works here that `filter` names.
fn search(context: &RequestContext, request: &ListRequest) -> Result<Vec<(f64, Item)>, ApiError> {
    let app = &context.app;
    let mut found: Vec<(f64, Item)> = Vec::new();
    if request.words.is_empty() {
        for doi in request.dois() {
            found.extend(local(context, &Identifier::Doi(doi.clone()))?.map(|item| (1.0, item)));
        }
        return Ok(found);
    }
    if let Some(text) = &request.reference {
        let reference = Reference::parse(text);
        let outcome = app
            .references
            .find(&app.lookup, &reference, context.scope(false), &context.job)
            .map_err(lookup::failed)?;
        let candidates = outcome.candidates.into_iter();
        found.extend(candidates.map(|candidate| (candidate.score * 100.0, candidate.work.item)));
    }
    let hits = app
        .corpus
        .search(&request.words, MAX_FOUND)
        .map_err(|cause| {
            tracing::error!(%cause, "cannot search the corpus");
            ApiError::internal("cannot search the corpus")
        })?;
    let least = found.last().map_or(f64::INFINITY, |(score, _)| *score);
    let known: HashSet<Doi> = found.iter().filter_map(|(_, item)| item.doi()).collect();
    let others = hits.into_iter().filter(|hit| {
        let doi = hit.work.item.doi();
        doi.is_none_or(|doi| !known.contains(&doi))
    });
    found.extend(others.map(|hit| (f64::from(hit.score).min(least), hit.work.item)));
    Ok(found)
}
