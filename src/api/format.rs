//! `POST /api/v1/format` and `/format/group-cite`: entries become a bibliography, in-text markers
//! and grouped citations.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, SchemaType};
use utoipa::openapi::{ObjectBuilder, Type};

use super::call::{Call, kind_of};
use super::entries;
use super::error::{ApiError, Code};
use super::markup::{self, Forms, MarkupForm, Wanted};
use super::openapi::Operation;
use super::reply::Reply;
use crate::csl::output::other::Dialect;
use crate::csl::output::other::write_all;
use crate::csl::style::SecondFieldAlign;
use crate::csl::style::info::CitationFormat;
use crate::csl::{self, BibliographyParameters, Formatted, Options, Rich};
use crate::exchange::metadata::CitationMetadata;
use crate::model::cite::{Citation, Cite, CiteMode, Locator};
use crate::model::item::Item;
use crate::model::variable::TextVar;
use crate::model::work::Work;
use crate::styles::own::own_name;
use crate::styles::{Ready, StyleProblem, preview};

/// Which style and locale to format with.
#[derive(Clone, Debug, Default)]
pub struct StyleChoice {
    pub style: Option<String>,
    pub locale: Option<String>,
    /// The XML of a style to use instead of one of the catalogue.
    pub style_xml: Option<String>,
}

/// The body of a formatting request.
#[derive(Debug, Deserialize, ToSchema)]
pub struct FormatRequest {
    /// What to format, at most 1,000.
    #[schema(value_type = Vec<CitationMetadata>)]
    entries: Value,
    /// Short name, address, former name or alias; `format.style` of the configuration without one.
    style: Option<String>,
    /// A language tag; the style's own or `format.locale` of the configuration without one.
    locale: Option<String>,
    /// A CSL style to use instead of one of the catalogue, at most 256 KiB.
    #[schema(min_length = 1)]
    style_xml: Option<String>,
    /// Further forms to write: `rtf`, `markdown`, `latex`, `typst`.
    #[schema(schema_with = further_forms)]
    formats: Option<Vec<String>>,
    /// Whether DOIs and URLs become links where the form has links; default false.
    #[serde(default)]
    links: bool,
}

fn further_forms() -> Array {
    let names = Dialect::ALL.map(Dialect::name);
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
    html: String,
    /// The bibliography as text, a line an entry.
    plain: String,
    /// One in-text marker for each entry, in input order.
    citations: Vec<String>,
    /// In input order.
    entries: Vec<FormattedEntry>,
    style: String,
    /// The locale that was used.
    locale: String,
    /// Ids in the order of the bibliography.
    order: Vec<String>,
    /// Whether the style puts the bibliography in an order of its own. Where it does not, entries
    /// stand as they were sent.
    sorted: bool,
    citation_format: Option<&'static str>,
    layout: Option<LayoutParameters>,
    /// The further forms that were asked for, by name.
    #[serde(skip_serializing_if = "Forms::is_empty")]
    formats: Forms<MarkupForm>,
    warnings: Vec<FormatWarning>,
}

/// One entry, in the text and in the bibliography.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormattedEntry {
    id: String,
    index: usize,
    in_text: String,
    in_text_html: String,
    /// Null for a style without a bibliography.
    bibliography: Option<String>,
    bibliography_html: Option<String>,
}

/// How the style wants the bibliography laid out.
#[derive(Debug, Serialize, ToSchema)]
pub struct LayoutParameters {
    hanging_indent: bool,
    /// `flush`, `margin` or null.
    second_field_align: Option<&'static str>,
    /// Multiples of the line height.
    line_spacing: u32,
    /// Multiples of the line height.
    entry_spacing: u32,
    /// Characters in the widest first field.
    max_offset: u32,
}

/// Something odd that did not stop the formatting.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormatWarning {
    /// The entry concerned, counted from 0.
    index: Option<usize>,
    code: String,
    message: String,
}

/// The body of a request for a grouped citation.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GroupRequest {
    /// All entries of the document; numbering follows from them all.
    #[schema(value_type = Vec<CitationMetadata>)]
    entries: Value,
    /// Which of them are cited, counted from 0, at most 200.
    #[schema(value_type = Option<Vec<u32>>, min_items = 1)]
    indices: Option<Value>,
    /// The cites with locators and affixes, instead of `indices`.
    #[schema(min_items = 1)]
    items: Option<Vec<GroupItem>>,
    /// As for formatting entries.
    style: Option<String>,
    /// As for formatting entries.
    locale: Option<String>,
    /// As for formatting entries.
    #[schema(min_length = 1)]
    style_xml: Option<String>,
    /// As for formatting entries.
    #[schema(schema_with = further_forms)]
    formats: Option<Vec<String>>,
    /// As for formatting entries.
    #[serde(default)]
    links: bool,
}

/// One cite of a grouped citation.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GroupItem {
    #[schema(minimum = 0)]
    index: i64,
    locator: Option<String>,
    /// The kind of locator; `page` without one.
    label: Option<String>,
    #[serde(default)]
    prefix: String,
    #[serde(default)]
    suffix: String,
    #[serde(default)]
    suppress_author: bool,
    #[serde(default)]
    author_only: bool,
}

/// A grouped citation.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupReply {
    citation: String,
    citation_html: String,
    indices: Vec<usize>,
    style: String,
    locale: String,
    /// The further forms that were asked for, by name.
    #[serde(skip_serializing_if = "Forms::is_empty")]
    formats: Forms<String>,
}

/// One entry as HTML and as text.
pub struct OneEntry {
    pub html: String,
    pub plain: String,
}

/// A sample entry rendered in a style.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewEntry {
    entry_type: &'static str,
    in_text: String,
    bibliography: Option<String>,
    bibliography_html: Option<String>,
}

/// `POST /api/v1/format`.
pub fn format(call: &Call) -> Result<Reply, ApiError> {
    let request: FormatRequest = call.json()?;
    let (items, mut warnings) = read_entries(call, &request.entries)?;
    let choice = StyleChoice {
        style: request.style,
        locale: request.locale,
        style_xml: request.style_xml,
    };
    let wanted = Wanted::read(request.formats.as_deref(), request.links)?;
    let mut formatted = format_items(call, items, &choice, &wanted)?;
    warnings.append(&mut formatted.warnings);
    formatted.warnings = warnings;
    Ok(Reply::json(&formatted))
}

/// Formats items as a bibliography, in their order where the style has no order of its own.
pub fn format_items(
    call: &Call,
    items: Vec<Item>,
    choice: &StyleChoice,
    wanted: &Wanted,
) -> Result<FormatReply, ApiError> {
    let ready = choose(call, choice)?;
    let warnings = locale_warning(choice, &ready).into_iter().collect();
    let document = Document::new(items);
    let options = Options {
        markers: true,
        document: false,
        links: wanted.links,
        ..Options::default()
    };
    let formatted = csl::format(&ready.compiled, &document.items, &[], &options);
    let formats = markup::forms(&formatted, &wanted.dialects);
    let mut reply = reply(&document, &ready, formatted, warnings);
    reply.formats = formats;
    Ok(reply)
}

/// A bibliography as HTML and as text.
pub fn whole(
    call: &Call,
    items: Vec<Item>,
    choice: &StyleChoice,
) -> Result<(String, String), ApiError> {
    format_items(call, items, choice, &Wanted::default()).map(|reply| (reply.html, reply.plain))
}

/// A bibliography in another markup language, an entry a paragraph.
pub fn in_dialect(
    call: &Call,
    items: Vec<Item>,
    choice: &StyleChoice,
    dialect: Dialect,
) -> Result<String, ApiError> {
    let ready = choose(call, choice)?;
    let document = Document::new(items);
    let options = Options {
        markers: true,
        document: false,
        ..Options::default()
    };
    let formatted = csl::format(&ready.compiled, &document.items, &[], &options);
    let hanging = formatted.parameters.hanging_indent;
    Ok(match &formatted.bibliography {
        Some(entries) => write_all(entries.iter().map(|e| &e.content), dialect, hanging),
        None => write_all(&formatted.markers, dialect, hanging),
    })
}

/// `POST /api/v1/format/group-cite`.
pub fn group_cite(call: &Call) -> Result<Reply, ApiError> {
    let request: GroupRequest = call.json()?;
    let (items, _) = read_entries(call, &request.entries)?;
    let cites = read_cites(call, &request, items.len())?;
    let wanted = Wanted::read(request.formats.as_deref(), request.links)?;
    let choice = StyleChoice {
        style: request.style,
        locale: request.locale,
        style_xml: request.style_xml,
    };
    let ready = choose(call, &choice)?;
    let document = Document::new(items);
    let indices = cites
        .iter()
        .filter_map(|cite| cite.id.parse().ok())
        .collect();
    let citation = Citation {
        cites,
        ..Citation::default()
    };
    let options = Options {
        bibliography: false,
        document: false,
        links: wanted.links,
        ..Options::default()
    };
    let formatted = csl::format(&ready.compiled, &document.items, &[citation], &options);
    let citation = formatted.citations.into_iter().next().unwrap_or_default();
    Ok(Reply::json(&GroupReply {
        citation: citation.text(),
        citation_html: citation.html(),
        indices,
        style: ready.name(),
        locale: ready.locale.clone(),
        formats: markup::citation(&citation, &wanted.dialects),
    }))
}

/// Formats one work as a bibliography entry; as a citation in a style without a bibliography.
pub fn one_entry(call: &Call, work: &Work, choice: &StyleChoice) -> Result<OneEntry, ApiError> {
    let ready = choose(call, choice)?;
    let document = Document::new(vec![work.item.clone()]);
    let options = Options {
        markers: true,
        document: false,
        ..Options::default()
    };
    let formatted = csl::format(&ready.compiled, &document.items, &[], &options);
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
pub fn preview(call: &Call, choice: &StyleChoice) -> Result<Vec<PreviewEntry>, ApiError> {
    let ready = choose(call, choice)?;
    let document = Document::new(preview::items());
    let options = Options {
        markers: true,
        document: false,
        ..Options::default()
    };
    let formatted = csl::format(&ready.compiled, &document.items, &[], &options);
    let entries = in_input_order(&document, &formatted);
    let sample = entries.into_iter().zip(&document.items);
    Ok(sample
        .map(|(entry, item)| PreviewEntry {
            entry_type: item.kind.wire(),
            in_text: entry.in_text,
            bibliography: entry.bibliography,
            bibliography_html: entry.bibliography_html,
        })
        .collect())
}

/// Items ready to format: under ids of our own, since those of the caller may repeat, and with
/// bare DOIs.
struct Document {
    items: Vec<Item>,
    /// The caller's ids.
    ids: Vec<String>,
}

impl Document {
    fn new(mut items: Vec<Item>) -> Document {
        let ids = items
            .iter_mut()
            .enumerate()
            .map(|(index, item)| {
                item.strip_doi_address();
                std::mem::replace(&mut item.id, index.to_string())
            })
            .collect();
        Document { items, ids }
    }

    fn id(&self, index: usize) -> String {
        self.ids.get(index).cloned().unwrap_or_default()
    }
}

/// Reads the entries of a body, with what is odd about them.
pub fn read_entries(
    call: &Call,
    entries: &Value,
) -> Result<(Vec<Item>, Vec<FormatWarning>), ApiError> {
    let most = call.app.config.format.max_entries as usize;
    let read = entries::read(entries, most)?;
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
                "Another entry has the id “{}” too; entries are matched by position.",
                item.id
            ),
        })
        .collect()
}

/// Reads `indices` or `items` into cites whose ids are positions.
fn read_cites(call: &Call, request: &GroupRequest, count: usize) -> Result<Vec<Cite>, ApiError> {
    let most = call.app.config.format.max_indices as usize;
    let mut cites: Vec<Cite> = Vec::new();
    match (&request.items, &request.indices) {
        (Some(items), _) => {
            if items.len() > most {
                return Err(ApiError::too_many_items("/items", most));
            }
            for (at, item) in items.iter().enumerate() {
                let index = check_index(item.index, count, &format!("/items/{at}/index"))?;
                cites.push(read_cite(item, index));
            }
        }
        (None, Some(Value::Array(indices))) => {
            if indices.len() > most {
                return Err(ApiError::too_many_items("/indices", most));
            }
            for (at, index) in indices.iter().enumerate() {
                let pointer = format!("/indices/{at}");
                let whole = index.as_i64().or_else(|| {
                    index
                        .as_f64()
                        .filter(|f| f.fract() == 0.0)
                        .map(|f| f as i64)
                });
                let index = whole.ok_or_else(|| {
                    ApiError::invalid_field(
                        &pointer,
                        format!("must be a whole number, not {}", kind_of(index)),
                    )
                })?;
                let id = check_index(index, count, &pointer)?.to_string();
                if !cites.iter().any(|cite| cite.id == id) {
                    cites.push(Cite {
                        id,
                        ..Cite::default()
                    });
                }
            }
        }
        (None, Some(other)) => {
            let message = format!("must be a list of positions, not {}", kind_of(other));
            return Err(ApiError::invalid_field("/indices", message));
        }
        (None, None) => {
            return Err(ApiError::invalid_field(
                "/indices",
                "is missing: it lists the positions of the entries to cite",
            ));
        }
    }
    if cites.is_empty() {
        return Err(ApiError::invalid_field(
            "/indices",
            "is empty; name at least one entry to cite",
        ));
    }
    Ok(cites)
}

fn check_index(index: i64, count: usize, pointer: &str) -> Result<usize, ApiError> {
    usize::try_from(index)
        .ok()
        .filter(|index| *index < count)
        .ok_or_else(|| {
            let message = match count {
                0 => format!("is {index}, but there are no entries"),
                _ => format!("is {index}, but positions go from 0 to {}", count - 1),
            };
            ApiError::invalid_field(pointer, message)
        })
}

fn read_cite(item: &GroupItem, index: usize) -> Cite {
    let locator = item
        .locator
        .as_deref()
        .map(str::trim)
        .filter(|l| !l.is_empty());
    Cite {
        id: index.to_string(),
        locator: locator.map(|value| Locator {
            label: item.label.clone().unwrap_or_else(|| "page".to_owned()),
            value: value.to_owned(),
        }),
        prefix: item.prefix.clone(),
        suffix: item.suffix.clone(),
        mode: match (item.author_only, item.suppress_author) {
            (true, _) => CiteMode::AuthorOnly,
            (false, true) => CiteMode::SuppressAuthor,
            (false, false) => CiteMode::Normal,
        },
        ..Cite::default()
    }
}

/// The style and locale that a request asks for, or the configured ones.
fn choose(call: &Call, choice: &StyleChoice) -> Result<Ready, ApiError> {
    let settings = &call.app.config.format;
    let locale = choice.locale.as_deref();
    let ready = match &choice.style_xml {
        Some(xml) if xml.len() as u64 > settings.max_style_bytes => {
            return Err(
                ApiError::too_many_bytes(settings.max_style_bytes).with("field", "/style_xml")
            );
        }
        Some(xml) => call.app.styles.ready_inline(xml, locale),
        None => {
            let style = choice
                .style
                .as_deref()
                .map(str::trim)
                .filter(|style| !style.is_empty());
            named(call, style.unwrap_or(&settings.style), locale)
        }
    };
    ready.map_err(style_error)
}

/// A style by its name: one that everybody has, or the caller's own.
fn named(call: &Call, name: &str, locale: Option<&str>) -> Result<Ready, StyleProblem> {
    match (own_name(name), call.caller.account()) {
        (Some(own), Some(account)) => call.app.styles.ready_own(account.id, own, locale),
        _ => call.app.styles.ready(name, locale),
    }
}

/// Refuses the name of a style, at a place in a body, where there is no such style.
pub fn check_style(call: &Call, field: &str, name: &str) -> Result<(), ApiError> {
    let found = match (own_name(name), call.caller.account()) {
        (Some(own), Some(account)) => {
            let found = call.app.styles.own_entry(account.id, own);
            found.map(|_| ())
        }
        _ => call.app.styles.check(name),
    };
    found.map_err(|problem| style_error(problem).with("field", field))
}

pub fn style_error(problem: StyleProblem) -> ApiError {
    match problem {
        StyleProblem::Unknown { name, nearest } => ApiError::new(
            Code::UnknownStyle,
            format!(
                "There is no style “{name}” here; /api/v1/styles/search finds the styles there are."
            ),
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
            "There is no locale {asked}; {} stands in for it.",
            ready.locale
        ),
    })
}

fn reply(
    document: &Document,
    ready: &Ready,
    formatted: Formatted,
    mut warnings: Vec<FormatWarning>,
) -> FormatReply {
    let entries = in_input_order(document, &formatted);
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
    }
    html.push_str("</div>");
    FormatReply {
        html,
        plain,
        citations: entries.iter().map(|entry| entry.in_text.clone()).collect(),
        entries,
        style: ready.name(),
        locale: ready.locale.clone(),
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
    }
}

fn in_input_order(document: &Document, formatted: &Formatted) -> Vec<FormattedEntry> {
    let mut contents: Vec<Option<&Rich>> = vec![None; document.items.len()];
    for entry in formatted.bibliography.iter().flatten() {
        if let Some(slot) = contents.get_mut(entry.index) {
            *slot = Some(&entry.content);
        }
    }
    contents
        .into_iter()
        .enumerate()
        .map(|(index, content)| {
            let marker = formatted.markers.get(index);
            FormattedEntry {
                id: document.id(index),
                index,
                in_text: marker.map(Rich::text).unwrap_or_default(),
                in_text_html: marker.map(Rich::html).unwrap_or_default(),
                bibliography: content.map(Rich::text),
                bibliography_html: content.map(Rich::html),
            }
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
    Operation::new("format", "formatting", "Format entries")
        .describe("Gives the bibliography as HTML and as text, and for every entry the in-text marker that it would have if it were cited alone. Costs no lookup. Nothing is required of an entry: what is there is rendered, what is missing is warned of.")
        .body::<FormatRequest>()
        .reply::<FormatReply>(200, "The bibliography.")
        .codes(&[Code::ValidationFailed, Code::UnknownStyle])
}

pub fn group_cite_operation() -> Operation {
    Operation::new("group_cite", "formatting", "Cite several entries together")
        .describe(
            "Numbers and disambiguation follow from all entries, not only from the cited ones.",
        )
        .body::<GroupRequest>()
        .reply::<GroupReply>(200, "The citation.")
        .codes(&[Code::ValidationFailed, Code::UnknownStyle])
}
