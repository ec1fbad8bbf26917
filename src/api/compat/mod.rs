//! Interfaces of other services, over the same functions, quota and cache as our own
//! (docs/compat.md). Each is a section of the route table that `[compat]` switches.

mod crossref;
mod doi;

use super::action::Action;
use super::route::{Route, get};
use crate::config::CompatSettings;

/// The rows of what is switched on.
pub fn routes(settings: &CompatSettings) -> Vec<Route> {
    let mut rows = Vec::new();
    if settings.doi {
        rows.push(get("/doi/{doi…}", Action::Lookup, doi::resolve).documented(doi::operation));
        rows.push(get("/10.{doi…}", Action::Lookup, doi::resolve_at_root));
    }
    if settings.crossref {
        rows.extend([
            get("/crossref/works", Action::Lookup, crossref::works)
                .heavy()
                .documented(crossref::works_operation),
            get("/crossref/works/{doi…}", Action::Lookup, crossref::work)
                .documented(crossref::work_operation),
            get("/crossref/types", Action::Public, crossref::types)
                .documented(crossref::types_operation),
            get("/crossref/types/{id}", Action::Public, crossref::work_type)
                .documented(crossref::type_operation),
        ]);
    }
    rows
}
