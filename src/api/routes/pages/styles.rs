//! `/styles` and `/styles/{id}`.

use citation_model::identifier::percent_encode;
use http::StatusCode;

use super::formatted;
use super::frame::{error_message, form, redirect, show, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::files::find_upload;
use crate::api::routes::format::preview;
use crate::api::routes::own_styles as own;
use crate::api::routes::styles::{MAX_SAMPLES, catalog, citation_format, find, sample};
use crate::formatting::StyleChoice;
use crate::styles::catalog::{Catalog, StyleFilter};
use crate::styles::elsewhere::elsewhere;
use crate::styles::entry::StyleEntry;
use crate::styles::own::own_name;
use crate::ui::own_styles::OwnStylesView;
use crate::ui::page::Frame;
use crate::ui::rich::rich;
use crate::ui::styles::{NoStylePage, StylePage, StyleView, StylesPage};
use citation_csl::CitationFormat;
use citation_model::budget::is_longer;

/// Maximum number of styles in a search result.
const MAX_FOUND: usize = 60;

/// Maximum number of suggestions for an unknown name.
const SUGGESTIONS: usize = 5;

/// `GET /styles?q=&citation_format=&field=`; `edit` names an own style to be edited.
pub fn search(context: &RequestContext) -> Result<Reply, ApiError> {
    let edited = context.query.given("edit");
    let text = match (edited, context.caller.account()) {
        (Some(name), Some(owner)) => {
            let name = own_name(name).unwrap_or(name);
            context.app.styles.own_xml(owner.id, name)?
        }
        _ => None,
    };
    let own = OwnStylesView {
        text: text.unwrap_or_default(),
        ..OwnStylesView::default()
    };
    page(context, own)
}

/// `POST /styles`: adds a style of the user's own, as a file or as text.
pub fn keep(context: &RequestContext) -> Result<Reply, ApiError> {
    store(context, find_upload(context)?.content)
}

/// `POST /styles/own`: deletes or restores one of them.
pub fn change_own(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    match form
        .get("do")
        .and_then(|action| action.strip_prefix("remove:"))
    {
        Some(name) => remove(context, own_name(name).unwrap_or(name)),
        None => store(context, form.get("xml").unwrap_or_default().as_bytes()),
    }
}

/// The page of the stored style, or the style's text with its error.
fn store(context: &RequestContext, xml: &[u8]) -> Result<Reply, ApiError> {
    let error = match own::store(context, xml) {
        Ok((entry, _)) => return Ok(redirect(&format!("/styles/{}", percent_encode(&entry.id)))),
        Err(error) => error,
    };
    let fault = error.field_message().map(str::to_owned);
    let own = OwnStylesView {
        text: String::from_utf8_lossy(xml).into_owned(),
        problem: Some(fault.unwrap_or_else(|| error_message(words(context), &error))),
        ..OwnStylesView::default()
    };
    Ok(page(context, own)?.with_status(error.code.status()))
}

fn remove(context: &RequestContext, name: &str) -> Result<Reply, ApiError> {
    let (owner, styles) = (context.account()?.id, &context.app.styles);
    let entry = styles.own_entry(owner, name).map_err(ApiError::from)?;
    let xml = styles.own_xml(owner, name)?;
    own::delete(context, name)?;
    let own = OwnStylesView {
        removed: Some((entry.title, xml.unwrap_or_default())),
        ..OwnStylesView::default()
    };
    page(context, own)
}

/// The page with the caller's own styles.
fn page(context: &RequestContext, own: OwnStylesView) -> Result<Reply, ApiError> {
    let given = |name: &str| context.query.get(name).unwrap_or_default();
    let (query, format, field) = (given("q"), given("citation_format"), given("field"));
    let most = context.app.config.limits.query_chars as usize;
    if is_longer(query, most) {
        let message = format!("q is longer than {most} characters.");
        return Err(ApiError::invalid_parameter("q", message));
    }
    let filter = StyleFilter {
        citation_format: citation_format(context)?,
        field: (!field.is_empty()).then(|| field.to_owned()),
    };
    let catalog = catalog(context)?;
    let found = catalog.search(query, &filter, MAX_FOUND);
    let is_missing = found.is_empty() && !query.trim().is_empty();
    let words = words(context);
    let main = StylesPage {
        words,
        query,
        format,
        field,
        nearest: if is_missing {
            nearest(&catalog, query)
        } else {
            Vec::new()
        },
        elsewhere: if is_missing {
            titles_elsewhere(&catalog, query)
        } else {
            Vec::new()
        },
        found: found
            .iter()
            .enumerate()
            .map(|(at, entry)| {
                if at < MAX_SAMPLES {
                    with_sample(context, card(entry))
                } else {
                    card(entry)
                }
            })
            .collect(),
        total: catalog.entries().len() as u64,
        own: OwnStylesView {
            is_signed_in: context.caller.session().is_some(),
            styles: formatted::own_styles(context)?,
            ..own
        },
    };
    let frame = Frame {
        title: words.get("styles.title"),
        current: "/styles",
        script: Some("styles.js"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, main))
}

/// `GET /styles/{id}`.
pub fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    let catalog = catalog(context)?;
    let name = context.param("id");
    let Some(entry) = find(context, &catalog, name)? else {
        return Ok(missing(context, &catalog, name));
    };
    let choice = StyleChoice::named(Some(entry.id.clone()), None);
    let sample = preview(context, &choice)?.into_iter().map(|sample| {
        let entry = rich(&sample.bibliography_html.unwrap_or_default());
        (sample.entry_type, sample.in_text, entry)
    });
    let updated = entry.updated.as_deref();
    let style = StylePage {
        words: words(context),
        card: card(&entry),
        updated: updated.map(|at| at.chars().take(10).collect()),
        license: entry.license.clone(),
        sample: sample.collect(),
    };
    let frame = Frame {
        title: &style.card.title,
        script: Some("style-compare.js"),
        current: "/styles",
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, &style))
}

/// A card with an article in its style.
fn with_sample(context: &RequestContext, card: StyleView) -> StyleView {
    let sample = sample(context, &card.id).unwrap_or_default();
    StyleView {
        sample: rich(&sample),
        ..card
    }
}

/// The page for an unknown style, with styles of similar spelling.
/// Short names and titles of the styles with a similar name.
fn nearest(catalog: &Catalog, name: &str) -> Vec<(String, String)> {
    let ids = catalog.nearest(name, SUGGESTIONS);
    let entries = ids.iter().filter_map(|id| catalog.find(id));
    entries
        .map(|entry| (entry.id.clone(), entry.title.clone()))
        .collect()
}

/// Titles of the styles of this name that the public collection has.
fn titles_elsewhere(catalog: &Catalog, name: &str) -> Vec<&'static str> {
    let found = elsewhere(catalog, name).into_iter();
    found.map(|style| style.title).collect()
}

fn missing(context: &RequestContext, catalog: &Catalog, name: &str) -> Reply {
    let words = words(context);
    let frame = Frame {
        title: words.get("error.unknown_style"),
        current: "/styles",
        ..Frame::default()
    };
    let main = NoStylePage {
        words,
        nearest: nearest(catalog, name),
        elsewhere: titles_elsewhere(catalog, name),
    };
    show(context, &frame, main).with_status(StatusCode::NOT_FOUND)
}

fn card(entry: &StyleEntry) -> StyleView {
    StyleView {
        id: entry.id.clone(),
        title: entry.title.clone(),
        format: entry.citation_format.map_or("", CitationFormat::csl),
        parent: entry.parent.clone(),
        fields: entry.fields.clone(),
        ..StyleView::default()
    }
}
