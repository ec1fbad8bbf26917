//! A formatted list with its style, its locale and the alternatives.

use crate::api::edge::context::{Query, RequestContext};
use crate::api::error::ApiError;
use crate::api::routes::pages::frame::{error_message, words};
use crate::api::routes::styles;
use crate::formatting::{FormattedEntry, MarkupOptions, StyleChoice};
use crate::styles::entry::StyleEntry;
use crate::ui::bibliography::Choice;
use crate::ui::html::Html;
use crate::ui::rich::rich;
use citation_model::item::Item;
use std::collections::HashMap;

/// The style and locale given in a form or a query.
pub fn style_choice(query: &Query) -> StyleChoice {
    let given = |name: &str| query.given(name).map(str::to_owned);
    StyleChoice::named(
        given("other_style").or_else(|| given("style")),
        given("locale"),
    )
}

/// The selectable styles, the caller's own first, and the chosen one.
pub fn choice(
    context: &RequestContext,
    style: String,
    wanted: StyleChoice,
) -> Result<Choice, ApiError> {
    let catalog = styles::catalog(context)?;
    let most = context.app.config.limits.style_list as usize;
    let listed = catalog.entries().iter().take(most);
    let mut choices = own_styles(context)?;
    choices.extend(listed.map(|entry| id_and_title(entry)));
    if !choices.iter().any(|(id, _)| *id == style)
        && let Some(found) = styles::find(context, &catalog, &style)?
    {
        choices.insert(0, id_and_title(&found));
    }
    let locales = context.app.styles.locales().tags();
    Ok(Choice {
        styles: choices,
        style,
        locales: locales.map(str::to_owned).collect(),
        locale: wanted.locale.unwrap_or_default(),
    })
}

/// Name and title of each of the caller's own styles.
pub fn own_styles(context: &RequestContext) -> Result<Vec<(String, String)>, ApiError> {
    let Some(account) = context.caller.account() else {
        return Ok(Vec::new());
    };
    let own = context.app.styles.own(account.id)?;
    Ok(own.iter().map(id_and_title).collect())
}

fn id_and_title(entry: &StyleEntry) -> (String, String) {
    (entry.id.clone(), entry.title.clone())
}

/// A formatted list for a page.
pub struct FormattedList {
    /// In the order of the list; empty if formatting failed.
    pub entries: Vec<FormattedEntry>,
    /// Positions in the list, in the order of the bibliography.
    order: Vec<usize>,
    /// Whether the style sorts the bibliography.
    pub is_sorted: bool,
    pub style: String,
    pub has_hanging_indent: bool,
    /// Why formatting failed.
    pub problem: Option<String>,
}

/// Formats a list. Works with an address become links.
pub fn format(context: &RequestContext, items: Vec<Item>, wanted: &StyleChoice) -> FormattedList {
    let options = MarkupOptions {
        links: true,
        ..MarkupOptions::default()
    };
    let formatter = context.formatter();
    let formatted = formatter
        .check_count(&items)
        .and_then(|()| formatter.bibliography(items, wanted, &options))
        .map_err(ApiError::from);
    match formatted {
        Ok(formatted) => FormattedList {
            order: formatted.order_of_input,
            is_sorted: formatted.sorted,
            entries: formatted.entries,
            style: formatted.style,
            has_hanging_indent: formatted.layout.is_some_and(|layout| layout.hanging_indent),
            problem: None,
        },
        Err(error) => FormattedList {
            entries: Vec::new(),
            order: Vec::new(),
            is_sorted: false,
            style: match &wanted.style {
                Some(style) => style.clone(),
                None => context.app.config.format.style.clone(),
            },
            has_hanging_indent: false,
            problem: Some(error_message(words(context), &error)),
        },
    }
}

impl FormattedList {
    /// The lines of a list in the style's order.
    pub fn arranged<T>(&self, lines: impl Iterator<Item = T>) -> Vec<T> {
        let places: HashMap<usize, usize> = self.order.iter().copied().zip(0..).collect();
        let mut lines: Vec<(usize, T)> = lines.enumerate().collect();
        lines.sort_by_key(|(index, _)| places.get(index).copied().unwrap_or(usize::MAX));
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// The entry, or the citation if the style has no bibliography; and the citation.
    pub fn entry(&self, index: usize) -> Option<(Html, Html)> {
        let entry = self.entries.get(index)?;
        let citation = entry.in_text_html.as_str();
        let html = entry.bibliography_html.as_deref().unwrap_or(citation);
        Some((rich(html), rich(citation)))
    }
}
