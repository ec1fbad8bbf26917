//! The types of works, with Crossref's names.

use serde_json::{Value, json};

use super::reply::{crossref_reply, enveloped, resource_not_found};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use citation_exchange::linked;
use citation_model::item_type::ItemType;

/// `GET /crossref/types`.
pub fn types(context: &RequestContext) -> Result<Reply, ApiError> {
    let items: Vec<Value> = known_types().into_iter().map(described_type).collect();
    let message = json!({"total-results": items.len(), "items": items});
    crossref_reply(context, Ok(enveloped("type-list", message)))
}

/// `GET /crossref/types/{id}`.
pub fn work_type(context: &RequestContext) -> Result<Reply, ApiError> {
    let id = context.param("id");
    let reply = if known_types().contains(&id) {
        enveloped("type", described_type(id))
    } else {
        resource_not_found()
    };
    crossref_reply(context, Ok(reply))
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
