//! `POST /api/v1/format`: formats entries as a bibliography and in-text citations.

use std::borrow::Cow;
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, SchemaType};
use utoipa::openapi::{ObjectBuilder, Type};

use super::context::RequestContext;
use super::entries;
use super::error::{ApiError, Code};
use super::markup::{self, Forms, MarkupForm, MarkupOptions, written};
use super::operation::Operation;
use super::reply::Reply;
use crate::styles::own::own_name;
use crate::styles::{Ready, StyleProblem, preview};
use citation_csl::{
    self as csl, BibliographyParameters, CitationFormat, Formatted, Options, OutputFormat, Rich,
    SecondFieldAlign, write_all,
};
use citation_exchange::metadata::CitationMetadata;
use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::Citation;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use citation_model::work::Work;

/// The style and locale of a request.
#[derive(Clone, Debug, Default)]
pub struct StyleChoice {
    pub style: Option<String>,
    pub locale: Option<String>,
    /// The XML of a style to use instead of a named one.
    pub style_xml: Option<String>,
    /// Whether the annotation of each work (`annote`) follows it as a separate paragraph.
    pub annotated: bool,
}

impl StyleChoice {
    /// A named or own style, and a locale.
    pub fn named(style: Option<String>, locale: Option<String>) -> StyleChoice {
        StyleChoice {
            style,
            locale,
            ..StyleChoice::default()
        }
    }
}

/// The body of a formatting request.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entries": [{"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}], "style": "apa", "locale": "en-US"}))]
pub struct FormatRequest {
    /// The entries, at most 1,000.
    #[schema(value_type = Vec<CitationMetadata>)]
    entries: Value,
    /// Short name, address, former name or alias; default: `format.style` of the configuration.
    style: Option<String>,
    /// A language tag; default: the style's own, or `format.locale` of the configuration.
    locale: Option<String>,
    /// A CSL style to use instead of a named one, at most 256 KiB.
    #[schema(min_length = 1)]
    style_xml: Option<String>,
    /// Further output formats: `rtf`, `markdown`, `latex`, `typst`.
    #[schema(schema_with = further_forms)]
    formats: Option<Vec<String>>,
    /// Whether DOIs and URLs become links if the format has links; default false.
    #[serde(default)]
    links: bool,
}

fn further_forms() -> Array {
    let names = OutputFormat::ALL.map(OutputFormat::name);
    ArrayBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Array, Type::Null]))
        .items(
            ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some(names)),
        )
        .build()
}

/// A formatted bibliography.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormatReply {
    /// The bibliography as HTML.
    pub html: String,
    /// The bibliography as text, one line per entry.
    pub plain: String,
    /// One in-text citation for each entry, in input order.
    citations: Vec<String>,
    /// In input order.
    pub entries: Vec<FormattedEntry>,
    pub style: String,
    /// The locale that was used.
    pub locale: String,
    /// Ids in the order of the bibliography.
    order: Vec<String>,
    /// The same as positions in the input.
    #[serde(skip)]
    pub order_of_input: Vec<usize>,
    /// Whether the style sorts the bibliography. Otherwise entries
    /// keep their order.
    pub sorted: bool,
    citation_format: Option<&'static str>,
    pub layout: Option<LayoutParameters>,
    /// The requested further formats, by name.
    #[serde(skip_serializing_if = "Forms::is_empty")]
    #[schema(value_type = BTreeMap<String, MarkupForm>)]
    formats: Forms<MarkupForm>,
    warnings: Vec<FormatWarning>,
}

/// One entry, in the text and in the bibliography.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormattedEntry {
    id: String,
    index: usize,
    pub in_text: String,
    pub in_text_html: String,
    /// Null for a style without a bibliography.
    pub bibliography: Option<String>,
    pub bibliography_html: Option<String>,
}

/// The bibliography layout of the style.
#[derive(Debug, Serialize, ToSchema)]
pub struct LayoutParameters {
    pub hanging_indent: bool,
    /// `flush`, `margin` or null.
    second_field_align: Option<&'static str>,
    /// Multiples of the line height.
    line_spacing: u32,
    /// Multiples of the line height.
    entry_spacing: u32,
    /// Characters in the widest first field.
    max_offset: u32,
}

/// A warning that did not prevent formatting.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormatWarning {
    /// The entry concerned, counted from 0.
    pub(super) index: Option<usize>,
    pub(super) code: String,
    pub(super) message: String,
}

/// One entry as HTML and as text.
pub struct OneEntry {
    pub html: String,
    pub plain: String,
}

/// A sample entry in a style.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewEntry {
    pub entry_type: &'static str,
    pub in_text: String,
    pub bibliography: Option<String>,
    pub bibliography_html: Option<String>,
}

/// A parsed request.
pub(super) struct FormatJob {
    pub(super) items: Vec<Item>,
    pub(super) warnings: Vec<FormatWarning>,
    pub(super) choice: StyleChoice,
    pub(super) wanted: MarkupOptions,
}

impl FormatRequest {
    pub(super) fn read(self) -> Result<FormatJob, ApiError> {
        let (items, warnings) = read_entries(&self.entries)?;
        Ok(FormatJob {
            items,
            warnings,
            wanted: MarkupOptions::read(self.formats.as_deref(), self.links)?,
            choice: StyleChoice {
                style: self.style,
                locale: self.locale,
                style_xml: self.style_xml,
                annotated: false,
            },
        })
    }
}

/// `POST /api/v1/format`.
pub fn format(context: &RequestContext) -> Result<Reply, ApiError> {
    let job = context.json::<FormatRequest>()?.read()?;
    let mut formatted = format_items(context, job.items, &job.choice, &job.wanted)?;
    let mut warnings = job.warnings;
    warnings.append(&mut formatted.warnings);
    formatted.warnings = warnings;
    Ok(Reply::json(&formatted))
}

/// Checks the maximum number of items.
pub fn check_count(context: &RequestContext, items: &[Item]) -> Result<(), ApiError> {
    let most = context.app.config.format.max_entries;
    if items.len() > most as usize {
        return Err(ApiError::too_many_items("/entries", most.into()));
    }
    Ok(())
}

/// Formats items as a bibliography, in their order unless the style sorts.
pub fn format_items(
    context: &RequestContext,
    items: Vec<Item>,
    choice: &StyleChoice,
    wanted: &MarkupOptions,
) -> Result<FormatReply, ApiError> {
    let options = Options {
        links: wanted.links,
        ..markers()
    };
    let rendered = render(context, items, &[], choice, options)?;
    let formats = markup::forms(&rendered.formatted, &wanted.dialects, &context.budget);
    let formats = formats.map_err(|cause| too_complex(cause, choice))?;
    let reply = reply(rendered, choice.annotated, &context.budget);
    let mut reply = reply.map_err(|cause| too_complex(cause, choice))?;
    reply.formats = formats;
    Ok(reply)
}

/// Items and citations rendered in a style.
pub(super) struct Rendered {
    pub(super) ready: Ready,
    document: Document,
    pub(super) formatted: Formatted,
    /// Warnings about the locale and the items.
    pub(super) warnings: Vec<FormatWarning>,
}

/// An in-text citation for each item, and the bibliography.
fn markers() -> Options {
    Options {
        markers: true,
        ..Options::default()
    }
}

/// Renders items, and citations of them by position, within the request's budget. An exceeded budget
/// is reported for the style if the caller sent one, else for the entries.
pub(super) fn render(
    context: &RequestContext,
    items: Vec<Item>,
    citations: &[Citation],
    choice: &StyleChoice,
    options: Options,
) -> Result<Rendered, ApiError> {
    let ready = choose(context, choice)?;
    let document = Document::new(items);
    let options = Options {
        document: false,
        budget: context.budget.clone(),
        ..options
    };
    let run: &csl::Run = &|work| context.job.spread(work);
    let formatted = csl::format_spread(&ready.compiled, &document.items, citations, &options, run)
        .map_err(|cause| too_complex(cause, choice))?;
    let warnings = locale_warning(choice, &ready).into_iter();
    Ok(Rendered {
        warnings: warnings.chain(document.warnings()).collect(),
        ready,
        document,
        formatted,
    })
}

fn too_complex(cause: Exceeded, choice: &StyleChoice) -> ApiError {
    let field = match choice.style_xml {
        Some(_) => "/style_xml",
        None => "/entries",
    };
    ApiError::from(cause).with("field", field)
}

/// A bibliography as HTML and as text.
pub fn whole(
    context: &RequestContext,
    items: Vec<Item>,
    choice: &StyleChoice,
) -> Result<(String, String), ApiError> {
    format_items(context, items, choice, &MarkupOptions::default())
        .map(|reply| (reply.html, reply.plain))
}

/// A bibliography in another markup language, one paragraph per entry.
pub fn in_dialect(
    context: &RequestContext,
    items: Vec<Item>,
    choice: &StyleChoice,
    dialect: OutputFormat,
) -> Result<String, ApiError> {
    let rendered = render(context, items, &[], choice, markers())?;
    let (formatted, document) = (&rendered.formatted, &rendered.document);
    let hanging = formatted.parameters.hanging_indent;
    let Some(entries) = &formatted.bibliography else {
        return Ok(write_all(&formatted.markers, dialect, hanging));
    };
    let paragraphs = entries.iter().flat_map(|entry| {
        let annotation = document.annotation(entry.index, choice.annotated);
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
pub fn one_entry(
    context: &RequestContext,
    work: &Work,
    choice: &StyleChoice,
) -> Result<OneEntry, ApiError> {
    let formatted = render(context, vec![work.item.clone()], &[], choice, markers())?.formatted;
    let entry = formatted
        .bibliography
        .and_then(|entries| entries.into_iter().next());
    let content = match entry {
        Some(entry) => entry.content,
        None => formatted.markers.into_iter().next().unwrap_or_default(),
    };
    let mut html = String::from("<div class=\"csl-bib-body\">");
    write_entry(&mut html, &work.item, &content);
    html.push_str("</div>\n");
    let mut plain = content.text();
    plain.push('\n');
    Ok(OneEntry { html, plain })
}

/// Renders the sample entries in a style.
pub fn preview(
    context: &RequestContext,
    choice: &StyleChoice,
) -> Result<Vec<PreviewEntry>, ApiError> {
    let rendered = render(context, preview::items(), &[], choice, markers())?;
    let entries = in_input_order(&rendered.document, &rendered.formatted, &context.budget)?;
    let sample = entries.into_iter().zip(&rendered.document.items);
    Ok(sample
        .map(|(entry, item)| PreviewEntry {
            entry_type: item.kind.json_name(),
            in_text: entry.in_text,
            bibliography: entry.bibliography,
            bibliography_html: entry.bibliography_html,
        })
        .collect())
}

/// Items ready to format: normalised, with our own ids, since the caller's may repeat.
struct Document {
    items: Vec<Item>,
    /// The caller's ids.
    ids: Vec<String>,
    /// The items whose control characters were removed.
    garbled: Vec<usize>,
}

impl Document {
    fn new(mut items: Vec<Item>) -> Document {
        let mut garbled = Vec::new();
        let ids = items
            .iter_mut()
            .enumerate()
            .map(|(index, item)| {
                if item.tidy() {
                    garbled.push(index);
                }
                std::mem::replace(&mut item.id, index.to_string())
            })
            .collect();
        Document {
            items,
            ids,
            garbled,
        }
    }

    fn warnings(&self) -> impl Iterator<Item = FormatWarning> {
        self.garbled.iter().map(|index| FormatWarning {
            index: Some(*index),
            code: "control_characters".to_owned(),
            message: "Control characters were removed from the entry.".to_owned(),
        })
    }

    /// The annotation of an item as a paragraph, if requested.
    fn annotation(&self, index: usize, is_wanted: bool) -> Option<Rich> {
        let item = self.items.get(index).filter(|_| is_wanted)?;
        item.text(TextVar::Annote).map(Rich::plain)
    }

    fn id(&self, index: usize) -> String {
        self.ids.get(index).cloned().unwrap_or_default()
    }
}

/// Parses the entries of a body, with warnings.
pub fn read_entries(entries: &Value) -> Result<(Vec<Item>, Vec<FormatWarning>), ApiError> {
    let read = entries::read(entries)?;
    let (mut items, mut warnings) = (Vec::with_capacity(read.len()), Vec::new());
    for (index, (mut item, found)) in read.into_iter().enumerate() {
        if item.id.is_empty() {
            item.id = format!("item-{}", index + 1);
        }
        warnings.extend(found.into_iter().map(|w| FormatWarning {
            index: Some(index),
            code: w.code.to_owned(),
            message: w.message,
        }));
        items.push(item);
    }
    warnings.extend(repeated_ids(&items));
    Ok((items, warnings))
}

fn repeated_ids(items: &[Item]) -> Vec<FormatWarning> {
    let mut seen = std::collections::HashSet::new();
    items
        .iter()
        .enumerate()
        .filter(|(_, item)| !seen.insert(item.id.as_str()))
        .map(|(index, item)| FormatWarning {
            index: Some(index),
            code: "repeated_id".to_owned(),
            message: format!(
                "Another entry has the same id “{}”; entries are matched by position.",
                item.id
            ),
        })
        .collect()
}

/// Rejects an unknown style and an invalid locale.
pub fn check_choice(context: &RequestContext, choice: &StyleChoice) -> Result<(), ApiError> {
    choose(context, choice).map(|_| ())
}

/// The style and locale of a request, or the configured ones.
pub(super) fn choose(context: &RequestContext, choice: &StyleChoice) -> Result<Ready, ApiError> {
    let settings = &context.app.config.format;
    let locale = choice.locale.as_deref();
    let ready = match &choice.style_xml {
        Some(xml) if xml.len() as u64 > settings.max_style_bytes => {
            return Err(
                ApiError::too_many_bytes(settings.max_style_bytes).with("field", "/style_xml")
            );
        }
        Some(xml) => {
            let ready = context.app.styles.ready_inline("style_xml", xml, locale);
            return ready.map_err(|problem| match problem {
                StyleProblem::ParentMissing { .. } => {
                    ApiError::invalid_field("/style_xml", problem.to_string())
                }
                other => style_error(other),
            });
        }
        None => {
            let style = choice
                .style
                .as_deref()
                .map(str::trim)
                .filter(|style| !style.is_empty());
            named(context, style.unwrap_or(&settings.style), locale)
        }
    };
    ready.map_err(style_error)
}

/// A style by name: a public one, or the caller's own.
fn named(
    context: &RequestContext,
    name: &str,
    locale: Option<&str>,
) -> Result<Ready, StyleProblem> {
    match (own_name(name), context.caller.account()) {
        (Some(own), Some(account)) => context.app.styles.ready_own(account.id, own, locale),
        _ => context.app.styles.ready(name, locale),
    }
}

/// Rejects an unknown style name, at a position in a body.
pub fn check_style(context: &RequestContext, field: &str, name: &str) -> Result<(), ApiError> {
    let found = match (own_name(name), context.caller.account()) {
        (Some(own), Some(account)) => {
            let found = context.app.styles.own_entry(account.id, own);
            found.map(|_| ())
        }
        _ => context.app.styles.check(name),
    };
    found.map_err(|problem| style_error(problem).with("field", field))
}

pub fn style_error(problem: StyleProblem) -> ApiError {
    match problem {
        StyleProblem::Unknown { name, nearest } => ApiError::new(
            Code::UnknownStyle,
            format!("The style “{name}” does not exist; /api/v1/styles/search finds styles."),
        )
        .with("style", name)
        .with("field", "/style")
        .with("suggestions", nearest),
        StyleProblem::ParentMissing { ref name, .. } => {
            let message = problem.to_string();
            ApiError::new(Code::UnknownStyle, message)
                .with("style", name.as_str())
                .with("suggestions", Vec::<String>::new())
        }
        StyleProblem::Broken { .. } => ApiError::invalid_field("/style_xml", problem.to_string()),
        StyleProblem::BadLocale { .. } => ApiError::invalid_field("/locale", problem.to_string()),
        StyleProblem::Store(cause) => ApiError::internal(cause),
    }
}

fn locale_warning(choice: &StyleChoice, ready: &Ready) -> Option<FormatWarning> {
    let asked = choice.locale.as_deref()?;
    (!ready.locale_known).then(|| FormatWarning {
        index: None,
        code: "locale_fallback".to_owned(),
        message: format!(
            "The locale {asked} does not exist; {} is used instead.",
            ready.locale
        ),
    })
}

fn reply(rendered: Rendered, annotated: bool, budget: &Budget) -> Result<FormatReply, Exceeded> {
    let Rendered {
        ready,
        document,
        formatted,
        mut warnings,
    } = rendered;
    let entries = in_input_order(&document, &formatted, budget)?;
    warnings.extend(formatted.warnings.into_iter().map(|w| FormatWarning {
        index: w.index,
        code: w.code.to_owned(),
        message: w.message,
    }));
    let mut html = String::from("<div class=\"csl-bib-body\">");
    let mut plain = String::new();
    for entry in formatted.bibliography.iter().flatten() {
        if let Some(item) = document.items.get(entry.index) {
            write_entry_with(&mut html, item, &document.id(entry.index), &entry.content);
        }
        plain.push_str(&entry.content.text());
        plain.push('\n');
        if let Some(annotation) = document.annotation(entry.index, annotated) {
            let _ = write!(
                html,
                "<div class=\"csl-annotation\">{}</div>",
                annotation.html()
            );
            let _ = writeln!(plain, "    {}", annotation.text());
        }
    }
    html.push_str("</div>");
    budget.spend_bytes(html.len() + plain.len())?;
    Ok(FormatReply {
        html,
        plain,
        citations: entries.iter().map(|entry| entry.in_text.clone()).collect(),
        entries,
        style: ready.name(),
        locale: ready.locale.clone(),
        order_of_input: formatted.order.clone(),
        order: formatted
            .order
            .iter()
            .map(|index| document.id(*index))
            .collect(),
        sorted: ready.compiled.style().sorts_bibliography(),
        citation_format: ready.citation_format().map(CitationFormat::csl),
        layout: formatted
            .bibliography
            .is_some()
            .then(|| layout(&formatted.parameters)),
        formats: Forms::new(),
        warnings,
    })
}

fn in_input_order(
    document: &Document,
    formatted: &Formatted,
    budget: &Budget,
) -> Result<Vec<FormattedEntry>, Exceeded> {
    let mut contents: Vec<Option<&Rich>> = vec![None; document.items.len()];
    for entry in formatted.bibliography.iter().flatten() {
        if let Some(slot) = contents.get_mut(entry.index) {
            *slot = Some(&entry.content);
        }
    }
    let write = |rich: Option<&Rich>, form: fn(&Rich) -> String| {
        rich.map(|rich| written(form(rich), budget)).transpose()
    };
    contents
        .into_iter()
        .enumerate()
        .map(|(index, content)| {
            let marker = formatted.markers.get(index);
            Ok(FormattedEntry {
                id: document.id(index),
                index,
                in_text: write(marker, Rich::text)?.unwrap_or_default(),
                in_text_html: write(marker, Rich::html)?.unwrap_or_default(),
                bibliography: write(content, Rich::text)?,
                bibliography_html: write(content, Rich::html)?,
            })
        })
        .collect()
}

fn layout(parameters: &BibliographyParameters) -> LayoutParameters {
    LayoutParameters {
        hanging_indent: parameters.hanging_indent,
        second_field_align: parameters.second_field_align.map(|align| match align {
            SecondFieldAlign::Flush => "flush",
            SecondFieldAlign::Margin => "margin",
        }),
        line_spacing: parameters.line_spacing,
        entry_spacing: parameters.entry_spacing,
        max_offset: parameters.max_offset,
    }
}

fn write_entry(html: &mut String, item: &Item, content: &Rich) {
    write_entry_with(html, item, &item.id, content);
}

/// One entry with its id, its language and its direction.
fn write_entry_with(html: &mut String, item: &Item, id: &str, content: &Rich) {
    let _ = write!(html, "<div class=\"csl-entry\" data-id=\"{}\"", escape(id));
    if let Some(language) = item.text(TextVar::Language).filter(|tag| is_tag(tag)) {
        let _ = write!(html, " lang=\"{language}\"");
        if is_right_to_left(language) {
            html.push_str(" dir=\"rtl\"");
        }
    }
    html.push('>');
    html.push_str(&content.html());
    html.push_str("</div>");
}

fn is_tag(text: &str) -> bool {
    (2..=35).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn is_right_to_left(tag: &str) -> bool {
    let language = tag
        .split('-')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    matches!(
        language.as_str(),
        "ar" | "arc" | "dv" | "fa" | "he" | "ku" | "ps" | "sd" | "ug" | "ur" | "yi"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

pub fn format_operation() -> Operation {
    Operation::new("format_entries", "formatting", "Format entries")
        .describe("Returns the bibliography as HTML and as text, and for every entry the in-text citation that it has if cited alone. Costs no lookup. No field of an entry is required: missing fields cause warnings.")
        .body::<FormatRequest>()
        .reply::<FormatReply>(200, "The bibliography.")
        .codes(&[Code::ValidationFailed, Code::UnknownStyle])
}
