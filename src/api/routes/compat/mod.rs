//! APIs of other services, with the functions, quota and cache of our own API
//! (docs/compat.md). Each is a section of the route table that `[compat]` enables.

mod crossref;
mod doi;
mod formats;
mod keys;
mod translate;
mod zotero;

use super::lookup;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::route::{Route, get, import, post};
use crate::api::error::ApiError;
use crate::config::CompatSettings;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
pub use zotero::with_key_of_query;

/// Budget steps for reading a work from the database.
const STEPS_OF_LOOKUP: u64 = 2_000;

/// The local work of an identifier.
fn local(context: &RequestContext, identifier: &Identifier) -> Result<Option<Item>, ApiError> {
    context.budget.spend(STEPS_OF_LOOKUP)?;
    let known = lookup::local(context, identifier)?;
    Ok(known.and_then(|known| known.work).map(|work| work.item))
}

/// The rows of the enabled sections.
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
            get(
                "/crossref/journals/{issn}",
                Action::Lookup,
                crossref::journal,
            )
            .documented(crossref::journal_operation),
            get(
                "/crossref/journals/{issn}/works",
                Action::Lookup,
                crossref::works_of_journal,
            )
            .heavy()
            .documented(crossref::works_of_journal_operation),
            get("/crossref/types", Action::Public, crossref::types)
                .documented(crossref::types_operation),
            get("/crossref/types/{id}", Action::Public, crossref::work_type)
                .documented(crossref::type_operation),
        ]);
    }
    if settings.translate {
        rows.extend([
            post("/translate/web", Action::Lookup, translate::web)
                .heavy()
                .documented(translate::web_operation),
            post("/translate/search", Action::Lookup, translate::search)
                .heavy()
                .documented(translate::search_operation),
            import("/translate/import", Action::Format, translate::import)
                .heavy()
                .documented(translate::import_operation),
            import("/translate/export", Action::Format, translate::export)
                .heavy()
                .documented(translate::export_operation),
        ]);
    }
    if settings.translate && settings.translate_at_root {
        rows.extend([
            post("/web", Action::Lookup, translate::web).heavy(),
            post("/search", Action::Lookup, translate::search).heavy(),
            import("/import", Action::Format, translate::import).heavy(),
            import("/export", Action::Format, translate::export).heavy(),
        ]);
    }
    if settings.zotero {
        rows.extend(zotero::routes());
    }
    if settings.zotero && settings.zotero_at_root {
        rows.extend(zotero::routes_at_root());
    }
    rows
}
