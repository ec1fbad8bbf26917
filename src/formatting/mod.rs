//! Layer 3: formats items and citations in the style of a caller: the choice of the style, the items under ids
//! of our own, the call of the engine, and its result in every markup language.

mod bibliography;
mod choice;
mod document;
mod html;
mod markup;
mod render;

pub use bibliography::{FormatReply, FormatWarning, FormattedEntry, LayoutParameters};
pub use choice::StyleChoice;
pub use document::{
    DocumentEdit, DocumentState, DocumentStates, DocumentWarning, EditFault, HostCitation,
    HostCite, HostForm, OutputChoice, PlaceEdit, SetDocumentReply, WorkRecord,
};
pub use markup::{Forms, MarkupForm, MarkupOptions, citation, dialects};
pub use render::{ItemsToFormat, Rendered};

use std::borrow::Cow;

use crate::blocking::Job;
use crate::config::FormatSettings;
use crate::styles::{StyleProblem, Styles, preview};
use citation_csl::{Formatted, Options, OutputFormat, Rich, write_all};
use citation_model::budget::Exceeded;
use citation_model::item::Item;
use citation_model::work::Work;

/// Formats for one caller.
#[derive(Clone, Copy)]
pub struct Formatter<'a> {
    pub styles: &'a Styles,
    pub settings: &'a FormatSettings,
    /// The row id of the user, who may have styles of their own.
    pub user: Option<i64>,
    /// Its budget limits the work.
    pub job: &'a Job,
}

/// Why something cannot be formatted.
#[derive(Debug)]
pub enum FormatError {
    /// `is_inline` if the caller sent the style along.
    Style {
        problem: StyleProblem,
        is_inline: bool,
    },
    /// The style that was sent along has more bytes than this.
    StyleTooLong(u64),
    /// There are more items than this.
    TooManyItems(u32),
    /// `is_inline` if the caller sent the style along: then it may be the cause.
    TooComplex { cause: Exceeded, is_inline: bool },
}

/// One entry as HTML and as text.
pub struct OneEntry {
    pub html: String,
    pub plain: String,
}

/// The first entry, or the first citation if the style has no bibliography.
fn first(formatted: Formatted) -> Rich {
    let entry = formatted
        .bibliography
        .and_then(|entries| entries.into_iter().next());
    match entry {
        Some(entry) => entry.content,
        None => formatted.markers.into_iter().next().unwrap_or_default(),
    }
}

impl Formatter<'_> {
    /// Checks the maximum number of items.
    pub fn check_count(&self, items: &[Item]) -> Result<(), FormatError> {
        let most = self.settings.max_entries;
        if items.len() > most as usize {
            Err(FormatError::TooManyItems(most))
        } else {
            Ok(())
        }
    }

    /// Formats items as a bibliography, in their order unless the style sorts.
    pub fn bibliography(
        &self,
        items: Vec<Item>,
        choice: &StyleChoice,
        wanted: &MarkupOptions,
    ) -> Result<FormatReply, FormatError> {
        let options = Options {
            links: wanted.links,
            sort_keys: wanted.sort_keys,
            ..render::markers()
        };
        let rendered = self.render(items, &[], choice, options)?;
        let forms = markup::forms(&rendered.formatted, &wanted.dialects, self.job.budget());
        let forms = forms.map_err(|cause| choice.too_complex(cause))?;
        let reply = bibliography::reply(rendered, choice.annotated, self.job);
        let mut reply = reply.map_err(|cause| choice.too_complex(cause))?;
        reply.formats = forms;
        Ok(reply)
    }

    /// A bibliography in another markup language, one paragraph per entry.
    pub fn in_dialect(
        &self,
        items: Vec<Item>,
        choice: &StyleChoice,
        dialect: OutputFormat,
    ) -> Result<String, FormatError> {
        let rendered = self.render(items, &[], choice, render::markers())?;
        let (formatted, items) = (&rendered.formatted, &rendered.items);
        let hanging = formatted.parameters.hanging_indent;
        let Some(entries) = &formatted.bibliography else {
            return Ok(write_all(&formatted.markers, dialect, hanging));
        };
        let paragraphs = entries.iter().flat_map(|entry| {
            let annotation = items.annotation(entry.index, choice.annotated);
            std::iter::once(Cow::Borrowed(&entry.content)).chain(annotation.map(Cow::Owned))
        });
        let paragraphs: Vec<Cow<'_, Rich>> = paragraphs.collect();
        Ok(write_all(
            paragraphs.iter().map(Cow::as_ref),
            dialect,
            hanging,
        ))
    }

    /// Formats one work as a bibliography entry, or as a citation if the style has no bibliography.
    pub fn one_entry(&self, work: &Work, choice: &StyleChoice) -> Result<OneEntry, FormatError> {
        let items = vec![work.item.clone()];
        let formatted = self
            .render(items, &[], choice, render::markers())?
            .formatted;
        let content = first(formatted);
        let mut html = String::from("<div class=\"csl-bib-body\">");
        html::write_entry(&mut html, &work.item, &work.item.id, &content.html());
        html.push_str("</div>\n");
        let mut plain = content.text();
        plain.push('\n');
        Ok(OneEntry { html, plain })
    }

    /// The first sample item as an entry, or as a citation if the style has no bibliography.
    pub fn sample(&self, choice: &StyleChoice) -> Result<String, FormatError> {
        let items = preview::items().into_iter().take(1).collect();
        let formatted = self
            .render(items, &[], choice, render::markers())?
            .formatted;
        let content = first(formatted);
        Ok(content.html())
    }

    /// The sample items, each with its entry in a style.
    pub fn preview(
        &self,
        choice: &StyleChoice,
    ) -> Result<Vec<(Item, FormattedEntry)>, FormatError> {
        let rendered = self.render(preview::items(), &[], choice, render::markers())?;
        let entries = bibliography::in_input_order(&rendered.items, &rendered.formatted, self.job);
        let entries = entries.map_err(|cause| choice.too_complex(cause))?;
        Ok(rendered.items.items.into_iter().zip(entries).collect())
    }
}
