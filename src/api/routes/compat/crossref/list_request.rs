//! A query for works: its parameters, and which works fit them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::filter::{Filter, Filters, read_filters};
use crate::api::edge::context::RequestContext;
use crate::api::error::ApiError;
use citation_model::date::Date;
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, TextVar};

/// Default and maximum number of works on a page (`rows`).
const ROWS: usize = 20;
const MAX_ROWS: usize = 1_000;

/// Number of works that a query finds: filters, `offset` and `total-results` are limited to them.
pub(super) const MAX_FOUND: usize = 2_000;

/// Budget steps for testing a work against one condition of `filter`.
pub(super) const STEPS_OF_FILTER: u64 = 10;

/// A query for works.
pub(super) struct ListRequest {
    /// The search terms.
    pub words: String,
    /// `query.bibliographic`.
    pub reference: Option<String>,
    /// `query` as sent.
    pub shown: Value,
    pub title: Vec<String>,
    pub author: Vec<String>,
    pub container: Vec<String>,
    pub filters: Filters,
    pub rows: usize,
    pub offset: usize,
    pub has_cursor: bool,
    pub order: Order,
    pub select: Vec<String>,
}

/// The sort key of a list.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Order {
    Relevance,
    Published { newest_first: bool },
}

impl ListRequest {
    /// The query of a request, limited to works that match `filters`.
    pub fn read(context: &RequestContext, mut filters: Filters) -> Result<ListRequest, ApiError> {
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
            Some(_) => query.number("cursor", 0, 0, MAX_FOUND)?,
            None => query.number("offset", 0, 0, MAX_FOUND)?,
        };
        Ok(ListRequest {
            reference: given("query.bibliographic").map(str::to_owned),
            shown: given("query").map_or(Value::Null, Value::from),
            title: folded(given("query.title")),
            author: folded(given("query.author")),
            container: folded(given("query.container-title")),
            filters,
            rows: query.number("rows", ROWS, 0, MAX_ROWS)?,
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
    pub fn fits(&self, item: &Item) -> bool {
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
    pub fn dois(&self) -> BTreeSet<&Doi> {
        let dois = self.filters.values().flatten();
        dois.filter_map(|filter| match filter {
            Filter::Doi(doi) => Some(doi),
            _ => None,
        })
        .collect()
    }

    pub fn sort(&self, works: &mut [(f64, Item)]) {
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

    pub fn select(&self, message: Value) -> Value {
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
