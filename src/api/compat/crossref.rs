//! Crossref's REST API, read-only (https://api.crossref.org/swagger-ui): works by DOI and by
//! query, agencies, transforms, types, with its envelope and errors.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::local;
use crate::api::context::RequestContext;
use crate::api::error::{ApiError, Code};
use crate::api::gate;
use crate::api::lookup;
use crate::api::operation::Operation;
use crate::api::reply::Reply;
use crate::api::representation::{self, OF_DOIS};
use crate::lookup::reference::Scope;
use crate::quota::Charge;
use citation_exchange::linked;
use citation_matching::reference::Reference;
use citation_model::date::{Date, DateParts};
use citation_model::identifier::{Doi, Identifier, Issn};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, TextVar};
use citation_model::work::{Source, Work};

/// Default and maximum number of works on a page (`rows`).
const ROWS: usize = 20;
const MOST_ROWS: usize = 1_000;

/// Number of works that a query finds: filters, `offset` and `total-results` are limited to them.
const MOST_FOUND: usize = 2_000;

/// Budget steps for testing a work against one condition of `filter`.
const STEPS_OF_FILTER: u64 = 10;

/// The conditions of `filter` by name; those with the same name are alternatives.
type Filters = BTreeMap<&'static str, Vec<Filter>>;

/// `GET /crossref/works/{doi}`, `…/agency`, `…/transform` and `…/transform/{type}`.
pub fn work(context: &RequestContext) -> Result<Reply, ApiError> {
    let path = context.param("doi");
    let reply = match Form::of(path) {
        Form::Message(doi) => message_of(context, doi),
        Form::Agency(doi) => agency(context, doi),
        Form::Transform(doi, media_type) => transform(context, doi, media_type),
    };
    crossref_reply(context, reply)
}

/// The requested part of a work: DOIs may contain slashes, so the end of the path decides.
enum Form<'p> {
    Message(&'p str),
    Agency(&'p str),
    Transform(&'p str, Option<&'p str>),
}

impl Form<'_> {
    fn of(path: &str) -> Form<'_> {
        if let Some(doi) = path.strip_suffix("/agency") {
            return Form::Agency(doi);
        }
        if let Some(doi) = path.strip_suffix("/transform") {
            return Form::Transform(doi, None);
        }
        match path.rsplit_once("/transform/") {
            Some((doi, media_type)) => Form::Transform(doi, Some(media_type)),
            None => Form::Message(path),
        }
    }
}

fn message_of(context: &RequestContext, doi: &str) -> Result<Reply, ApiError> {
    let identifier = lookup::read_doi(context, doi)?;
    lookup::find(context, &identifier, |work, _| {
        Ok(enveloped("work", linked::crossref(&work.item)))
    })
}

fn agency(context: &RequestContext, doi: &str) -> Result<Reply, ApiError> {
    let identifier = lookup::read_doi(context, doi)?;
    lookup::find(context, &identifier, |work, _| {
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
    let identifier = lookup::read_doi(context, doi)?;
    lookup::find(context, &identifier, |work, _| chosen.reply(context, work))
}

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
        let user = context.caller.user();
        let outcome = app
            .references
            .find(
                &app.lookup,
                &reference,
                user,
                Scope::Everywhere,
                &context.job,
            )
            .map_err(lookup::failed)?;
        let candidates = outcome.candidates.into_iter();
        found.extend(candidates.map(|candidate| (candidate.score * 100.0, candidate.work.item)));
    }
    let hits = app
        .corpus
        .search(&request.words, MOST_FOUND)
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

/// A query for works.
struct ListRequest {
    /// The search terms.
    words: String,
    /// `query.bibliographic`.
    reference: Option<String>,
    /// `query` as sent.
    shown: Value,
    title: Vec<String>,
    author: Vec<String>,
    container: Vec<String>,
    filters: Filters,
    rows: usize,
    offset: usize,
    has_cursor: bool,
    order: Order,
    select: Vec<String>,
}

/// A condition of `filter`.
enum Filter {
    Doi(Doi),
    Type(String),
    From(DateParts),
    Until(DateParts),
    Issn(String),
    Isbn(String),
    Has(fn(&Item) -> bool, bool),
}

/// The sort key of a list.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Relevance,
    Published { newest_first: bool },
}

impl ListRequest {
    /// The query of a request, limited to works that match `filters`.
    fn read(context: &RequestContext, mut filters: Filters) -> Result<ListRequest, ApiError> {
        let query = &context.query;
        let given = |name: &str| query.given(name);
        for name in ["facet", "sample"] {
            if given(name).is_some() {
                let problem = format!("{name} is not served here.");
                return Err(ApiError::invalid_parameter(name, problem));
            }
        }
        let fields = [
            "query",
            "query.bibliographic",
            "query.title",
            "query.author",
            "query.container-title",
            "query.publisher-name",
        ];
        let words: Vec<&str> = fields.iter().filter_map(|name| given(name)).collect();
        let words = words.join(" ");
        read_filters(given("filter").unwrap_or_default(), &mut filters)?;
        if words.is_empty() && !filters.contains_key("doi") {
            let problem = "A list of works needs a query, such as query.bibliographic, or a filter of DOIs; the whole corpus is not listed.";
            return Err(ApiError::invalid_parameter("query", problem));
        }
        let cursor = given("cursor");
        let offset = match cursor {
            Some("*") => 0,
            Some(_) => query.number("cursor", 0, 0, MOST_FOUND)?,
            None => query.number("offset", 0, 0, MOST_FOUND)?,
        };
        Ok(ListRequest {
            reference: given("query.bibliographic").map(str::to_owned),
            shown: given("query").map_or(Value::Null, Value::from),
            title: folded(given("query.title")),
            author: folded(given("query.author")),
            container: folded(given("query.container-title")),
            filters,
            rows: query.number("rows", ROWS, 0, MOST_ROWS)?,
            offset,
            has_cursor: cursor.is_some(),
            order: read_order(given("sort"), given("order"))?,
            select: given("select").map_or_else(Vec::new, |names| {
                names
                    .split(',')
                    .map(|name| name.trim().to_owned())
                    .collect()
            }),
            words,
        })
    }

    /// Whether a work matches the fields and filters. Any word of a field is enough.
    fn fits(&self, item: &Item) -> bool {
        let has_any = |words: &[String], text: &str| {
            let text = text.to_lowercase();
            words.is_empty() || words.iter().any(|word| text.contains(word.as_str()))
        };
        let authors: Vec<String> = item
            .names(NameVar::Author)
            .iter()
            .map(Name::display)
            .collect();
        has_any(&self.title, item.text(TextVar::Title).unwrap_or_default())
            && has_any(&self.author, &authors.join(" "))
            && has_any(
                &self.container,
                item.text(TextVar::ContainerTitle).unwrap_or_default(),
            )
            && self
                .filters
                .values()
                .all(|alternatives| alternatives.iter().any(|filter| filter.fits(item)))
    }

    /// The DOIs that `filter` names, each once.
    fn dois(&self) -> BTreeSet<&Doi> {
        let dois = self.filters.values().flatten();
        dois.filter_map(|filter| match filter {
            Filter::Doi(doi) => Some(doi),
            _ => None,
        })
        .collect()
    }

    fn sort(&self, works: &mut [(f64, Item)]) {
        if let Order::Published { newest_first } = self.order {
            works.sort_by_key(|(_, item)| {
                let start = item
                    .date(DateVar::Issued)
                    .and_then(|date: &Date| date.start);
                start.map(|start| start.numbers())
            });
            if newest_first {
                works.reverse();
            }
        }
    }

    fn select(&self, message: Value) -> Value {
        match message {
            Value::Object(members) if !self.select.is_empty() => {
                let kept = members
                    .into_iter()
                    .filter(|(name, _)| self.select.iter().any(|wanted| wanted == name));
                Value::Object(kept.collect::<Map<_, _>>())
            }
            whole => whole,
        }
    }
}

fn folded(text: Option<&str>) -> Vec<String> {
    let words = text.unwrap_or_default().split_whitespace();
    words.map(str::to_lowercase).collect()
}

fn read_order(sort: Option<&str>, order: Option<&str>) -> Result<Order, ApiError> {
    let newest_first = match order {
        None | Some("desc") => true,
        Some("asc") => false,
        Some(other) => {
            let problem = format!("order must be asc or desc, not “{other}”.");
            return Err(ApiError::invalid_parameter("order", problem));
        }
    };
    match sort {
        None | Some("score" | "relevance") => Ok(Order::Relevance),
        Some("published" | "issued" | "published-print" | "published-online") => {
            Ok(Order::Published { newest_first })
        }
        Some(other) => {
            let problem =
                format!("sort must be score, relevance, published or issued, not “{other}”.");
            Err(ApiError::invalid_parameter("sort", problem))
        }
    }
}

/// The names of dates are equivalent: a work here has the date of its first publication.
const FROM: [&str; 4] = [
    "from-pub-date",
    "from-issued-date",
    "from-print-pub-date",
    "from-online-pub-date",
];
const UNTIL: [&str; 4] = [
    "until-pub-date",
    "until-issued-date",
    "until-print-pub-date",
    "until-online-pub-date",
];

/// `type:journal-article,from-pub-date:2010-05`.
fn read_filters(text: &str, filters: &mut Filters) -> Result<(), ApiError> {
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let (name, filter) = read_filter(part).ok_or_else(|| {
            let problem = format!(
                "The filter “{part}” is not supported, or its value is invalid; supported are doi, type, issn, isbn, from-pub-date, until-pub-date, has-abstract and has-orcid."
            );
            ApiError::invalid_parameter("filter", problem)
        })?;
        filters.entry(name).or_default().push(filter);
    }
    Ok(())
}

fn read_filter(text: &str) -> Option<(&'static str, Filter)> {
    let (name, value) = text.trim().split_once(':')?;
    let value = value.trim();
    let named = |names: [&'static str; 4]| names.into_iter().find(|known| *known == name);
    let date = || Date::parse_iso(value)?.start;
    let is_wanted = || match value {
        "1" | "t" | "true" => Some(true),
        "0" | "f" | "false" => Some(false),
        _ => None,
    };
    Some(match name {
        "doi" => ("doi", Filter::Doi(Doi::parse(value).ok()?)),
        "type" => ("type", Filter::Type(value.to_owned())),
        "issn" => ("issn", Filter::Issn(value.to_uppercase())),
        "isbn" => ("isbn", Filter::Isbn(value.replace('-', ""))),
        "has-abstract" => {
            let has = |item: &Item| item.text(TextVar::Abstract).is_some();
            ("has-abstract", Filter::Has(has, is_wanted()?))
        }
        "has-orcid" => {
            let has = |item: &Item| {
                let mut authors = item.names(NameVar::Author).iter();
                authors.any(|name| name.orcid.is_some())
            };
            ("has-orcid", Filter::Has(has, is_wanted()?))
        }
        _ => match (named(FROM), named(UNTIL)) {
            (Some(name), _) => (name, Filter::From(date()?)),
            (_, Some(name)) => (name, Filter::Until(date()?)),
            (None, None) => return None,
        },
    })
}

impl Filter {
    fn fits(&self, item: &Item) -> bool {
        let issued = || item.date(DateVar::Issued).and_then(|date| date.start);
        match self {
            Filter::Doi(doi) => item.doi().as_ref() == Some(doi),
            Filter::Type(id) => linked::crossref_type(item.kind) == id,
            Filter::From(from) => issued().is_some_and(|date| first_day(date) >= first_day(*from)),
            Filter::Until(until) => {
                issued().is_some_and(|date| first_day(date) <= last_day(*until))
            }
            Filter::Issn(issn) => item.issns().iter().any(|found| found.as_str() == issn),
            Filter::Isbn(isbn) => item.isbns().iter().any(|found| found.as_str() == isbn),
            Filter::Has(has, is_wanted) => has(item) == *is_wanted,
        }
    }
}

/// Year, month and day; missing parts are the first.
fn first_day(date: DateParts) -> (i32, u8, u8) {
    (date.year, date.month.unwrap_or(1), date.day.unwrap_or(1))
}

/// The same with missing parts as the last.
fn last_day(date: DateParts) -> (i32, u8, u8) {
    (date.year, date.month.unwrap_or(12), date.day.unwrap_or(31))
}

/// The work types, each once, in order.
fn known_types() -> Vec<&'static str> {
    let mut ids: Vec<&str> = ItemType::ALL
        .iter()
        .map(|kind| linked::crossref_type(*kind))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn described_type(id: &str) -> Value {
    let mut label = String::new();
    for word in id.split('-') {
        let mut letters = word.chars();
        if !label.is_empty() {
            label.push(' ');
        }
        label.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        label.push_str(letters.as_str());
    }
    json!({"id": id, "label": label})
}

/// `GET /crossref/types`.
pub fn types(context: &RequestContext) -> Result<Reply, ApiError> {
    let items: Vec<Value> = known_types().into_iter().map(described_type).collect();
    let message = json!({"total-results": items.len(), "items": items});
    crossref_reply(context, Ok(enveloped("type-list", message)))
}

/// `GET /crossref/types/{id}`.
pub fn work_type(context: &RequestContext) -> Result<Reply, ApiError> {
    let id = context.param("id");
    let reply = match known_types().contains(&id) {
        true => enveloped("type", described_type(id)),
        false => resource_not_found(),
    };
    crossref_reply(context, Ok(reply))
}

/// The envelope of every response.
fn enveloped(kind: &str, message: Value) -> Reply {
    Reply::json_value(&json!({
        "status": "ok",
        "message-type": kind,
        "message-version": "1.0.0",
        "message": message,
    }))
}

fn resource_not_found() -> Reply {
    Reply::bytes("text/plain; charset=utf-8", "Resource not found.")
        .with_status(StatusCode::NOT_FOUND)
}

/// Responses in the form that Crossref clients expect: rate limit headers, a text for 404,
/// a list of messages for invalid input. Errors of quota and service stay our own.
fn crossref_reply(
    context: &RequestContext,
    reply: Result<Reply, ApiError>,
) -> Result<Reply, ApiError> {
    let reply = reply.or_else(|error| match error.code {
        Code::WorkNotFound | Code::InvalidDoi => Ok(resource_not_found()),
        Code::InvalidParameter => {
            let message = json!([{
                "type": "parameter-not-allowed",
                "value": "",
                "message": error.message,
            }]);
            let body = json!({
                "status": "failed", "message-type": "validation-failure", "message": message,
            });
            Ok(Reply::json_value(&body).with_status(StatusCode::BAD_REQUEST))
        }
        _ => Err(error),
    })?;
    let rules = context.app.quota.plans().rules(context.caller.plan);
    Ok(reply
        .with_header("x-api-pool", "polite")
        .with_header("x-rate-limit-limit", rules.burst_per_minute.to_string())
        .with_header("x-rate-limit-interval", "60s"))
}

fn described(id: &'static str, summary: &'static str) -> Operation {
    Operation::new(id, "compat", summary)
        .reply_object(200, "The response in Crossref's envelope.")
        .reply_text(404, "Not found.", ["text/plain"])
}

pub fn work_operation() -> Operation {
    described("crossref_work", "A work, in the format of Crossref's REST API")
        .describe("`…/agency` returns the DOI's registration agency; `…/transform/{media type}` returns another representation. Costs one lookup.")
        .path("doi", "The DOI; its slash need not be encoded.")
        .reply_text(200, "The response in Crossref's envelope, or the requested representation.", std::iter::once("application/json").chain(OF_DOIS.iter().map(|(media_type, _)| *media_type)))
        .codes(&[
            Code::WorkNotFound,
            Code::NotAcceptable,
            Code::UnknownStyle,
            Code::QuotaExhausted,
            Code::UpstreamError,
            Code::UpstreamTimeout,
        ])
}

pub fn works_operation() -> Operation {
    of_list(described(
        "crossref_works",
        "Works of the corpus for a query, in the format of Crossref's REST API",
    ))
}

pub fn works_of_journal_operation() -> Operation {
    let operation = described("crossref_works_of_journal", "The same for one journal");
    of_list(operation.path("issn", "The journal's ISSN."))
}

pub fn journal_operation() -> Operation {
    described(
        "crossref_journal",
        "A journal, in the format of Crossref's REST API",
    )
    .describe("From Crossref. Costs one lookup.")
    .path("issn", "The journal's ISSN.")
    .codes(&[
        Code::WorkNotFound,
        Code::QuotaExhausted,
        Code::UpstreamError,
        Code::UpstreamTimeout,
    ])
}

/// The common parts of the descriptions of lists.
fn of_list(operation: Operation) -> Operation {
    operation
        .describe("The best works of the local corpus. Costs one lookup.")
        .query("query", "Words.")
        .query("query.bibliographic", "Words of a reference.")
        .query("query.title", "Words of a title.")
        .query("query.author", "Words of authors' names.")
        .query("query.container-title", "Words of the title of a journal or book.")
        .query("query.publisher-name", "Words of a publisher's name.")
        .query("filter", "Conditions, `name:value` separated by commas: doi, type, issn, isbn, from-pub-date, until-pub-date, has-abstract, has-orcid.")
        .query_number("rows", 0, "Works per page; default 20, at most 1,000.")
        .query_number("offset", 0, "Number of works to skip.")
        .query("cursor", "`*` for the first page, then `next-cursor` of the last.")
        .query("sort", "score, relevance, published or issued.")
        .query("order", "asc or desc.")
        .query("select", "Members of the works to return, separated by commas.")
        .query("mailto", "Ignored.")
        .reply_object(400, "Invalid input: Crossref's list of messages, or our own error.")
        .codes(&[Code::InvalidParameter, Code::QuotaExhausted])
}

pub fn types_operation() -> Operation {
    described("crossref_types", "Types of works, with Crossref's names")
}

pub fn type_operation() -> Operation {
    described("crossref_type", "A type of works").path("id", "The type, such as journal-article.")
}
