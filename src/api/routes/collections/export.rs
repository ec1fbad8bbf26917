//! Collections as files: `GET /api/v1/collections/{id}/export.{format}`.

use super::transaction::{read, uid, versioned};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::file::FileForm;
use crate::collections::entry::Entry;
use crate::collections::snapshot::EntryFilter;
use crate::formatting::StyleChoice;
use crate::store::collections::{CollectionRow, Range};
use citation_exchange::{KeyRule, WriteOptions};
use citation_fields::keywords;
use citation_model::identifier::percent_encode;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get(PATH, Action::Read, export)
            .heavy()
            .documented(operation),
    ]
}

pub const PATH: &str = "/api/v1/collections/{id}/export.{format}";

/// The file format of an export.
#[derive(Clone, Debug)]
pub struct ExportFile {
    form: FileForm,
    latex: bool,
    style: StyleChoice,
    /// Whether the works' notes are included.
    with_notes: bool,
}

impl ExportFile {
    /// Reads the end of the path, and `encoding`, `style` and `locale`.
    pub fn of(context: &RequestContext) -> Result<ExportFile, ApiError> {
        let ending = context.param("format");
        let Some(form) = FileForm::with_ending(ending) else {
            let ending: String = ending.chars().take(40).collect();
            let endings: Vec<String> = FileForm::all().map(FileForm::ending).collect();
            let message = format!(
                "export.{ending} does not exist; available are export.{}.",
                endings.join(", export.")
            );
            return Err(ApiError::not_found("route", message));
        };
        let latex = match context.query.get("encoding") {
            None | Some("utf-8" | "utf8" | "unicode") => false,
            Some("latex") => true,
            Some(other) => {
                let message = format!("encoding must be latex or utf-8, not “{other}”.");
                return Err(ApiError::invalid_parameter("encoding", message));
            }
        };
        let given = |name: &str| context.query.get(name).map(str::to_owned);
        Ok(ExportFile {
            latex,
            with_notes: context.query.switch("notes")?,
            ..ExportFile::new(form, StyleChoice::named(given("style"), given("locale")))
        })
    }

    pub fn new(form: FileForm, style: StyleChoice) -> ExportFile {
        ExportFile {
            form,
            latex: false,
            style,
            with_notes: false,
        }
    }

    /// Whether notes are included.
    pub fn with_notes(self, with_notes: bool) -> ExportFile {
        ExportFile { with_notes, ..self }
    }

    /// Whether the format can show notes.
    pub fn has_notes(&self) -> bool {
        self.with_notes
    }

    /// Whether every record needs a key.
    pub fn is_keyed(&self) -> bool {
        matches!(self.form, FileForm::Records(format) if format.keys != KeyRule::Optional)
    }
}

/// `GET /api/v1/collections/{id}/export.{format}`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    file(context, ExportFile::of(context)?)
}

/// The requested collection, as a file.
pub fn file(context: &RequestContext, wanted: ExportFile) -> Result<Reply, ApiError> {
    let collection = uid(context, "id");
    let (row, items) = read(context, |snapshot| {
        let row = snapshot.collection(&collection)?;
        let mut items = snapshot.items(&row, wanted.is_keyed())?;
        let page = snapshot.entries(&row, &EntryFilter::default(), Range::ALL)?;
        add_tags(&mut items, &page.entries);
        if wanted.with_notes {
            annotate(&mut items, &page.entries);
        }
        Ok((row, items))
    })?;
    write(context, &row, items, wanted)
}

/// Adds the tags of entries to the keywords of works.
pub fn add_tags(items: &mut [Item], entries: &[Entry]) {
    for (item, entry) in items.iter_mut().zip(entries) {
        let tags = entry.stored.row.tags.iter().map(String::as_str);
        let own = item.text(TextVar::Keyword).unwrap_or_default().to_owned();
        let all: Vec<&str> = keywords::split(&own).chain(tags).collect();
        if !all.is_empty() {
            item.set_text(TextVar::Keyword, keywords::join(all.into_iter()));
        }
    }
}

/// Adds the notes of entries to works as annotations.
pub fn annotate(items: &mut [Item], entries: &[Entry]) {
    for (item, entry) in items.iter_mut().zip(entries) {
        if let Some(note) = &entry.stored.row.note {
            item.set_text(TextVar::Annote, note.as_str());
        }
    }
}

/// A collection as a file.
pub fn write(
    context: &RequestContext,
    row: &CollectionRow,
    items: Vec<Item>,
    wanted: ExportFile,
) -> Result<Reply, ApiError> {
    let options = WriteOptions {
        latex: wanted.latex,
    };
    let mut choice = wanted.style;
    choice.annotated = wanted.with_notes;
    if choice.style.is_none() {
        // A default style that no longer exists is ignored.
        let style = row.style.as_deref();
        choice.style = style
            .filter(|style| context.formatter().check_style(style).is_ok())
            .map(str::to_owned);
    }
    let form = wanted.form;
    let mut text = form.write(context, items, &options, &choice)?;
    if form == FileForm::Html {
        text = page(&row.name, &text);
    }
    let reply = versioned(Reply::bytes(&form.media_type(), text), row).with_header(
        "content-disposition",
        disposition(&row.name, form.extension()),
    );
    Ok(if form.is_records() {
        reply
    } else {
        reply.with_content_etag()
    })
}

/// An HTML list as a standalone page.
fn page(title: &str, list: &str) -> String {
    let title = title
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!(
        "<!doctype html>\n<html>\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body>\n<h1>{title}</h1>\n{list}\n</body>\n</html>\n"
    )
}

/// Marks a reply as a file with the collection's name (RFC 6266): in ASCII for old clients, and in
/// full.
fn disposition(name: &str, extension: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_control() || "/\\:*?\"<>|".contains(c) {
                '-'
            } else {
                c
            }
        })
        .collect();
    let name = name.trim_matches(['.', ' ', '-']);
    let name = if name.is_empty() { "collection" } else { name };
    let folded = deunicode::deunicode_with_tofu(name, "-");
    let ascii: String = folded
        .chars()
        .filter(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '%' | ';') || *c == ' ')
        .take(100)
        .collect();
    let ascii = if ascii.trim().is_empty() {
        "collection"
    } else {
        ascii.trim()
    };
    let encoded = percent_encode(name);
    format!("attachment; filename=\"{ascii}.{extension}\"; filename*=UTF-8''{encoded}.{extension}")
}

const DESCRIPTION: &str = "`bib` is BibTeX, `biblatex.bib` biblatex, `ris` RIS, `json` CSL-JSON and `yaml` \
                           Hayagriva, which Typst reads. Citation keys are unique in the file: an entry's own \
                           if valid and not used by an earlier entry, else made of name and year, with \
                           letters appended in the order in which the entries were added: neither another \
                           order nor a later entry changes a key. A deleted entry keeps its key as long as it \
                           can be restored. `html`, `rtf`, `md` and `txt` are the bibliography in a style.";

pub fn operation() -> Operation {
    let operation = Operation::new(
        "export_collection",
        "collections",
        "Export a collection as a file",
    )
    .path("id", "The collection's UUID.");
    file_of(operation)
        .codes(&[Code::NotFound, Code::InvalidParameter])
        .conditional()
}

pub fn shared_operation() -> Operation {
    let operation = Operation::new(
        "export_shared",
        "collections",
        "Export a shared collection as a file",
    )
    .path("token", "The share token.");
    file_of(operation)
        .codes(&[Code::NotFound, Code::InvalidParameter])
        .conditional()
}

/// The parts that both descriptions share.
fn file_of(operation: Operation) -> Operation {
    operation
        .describe(DESCRIPTION)
        .path_choice("format", FileForm::all().map(FileForm::ending), "The form.")
        .query_choice(
            "encoding",
            ["utf-8", "latex"],
            "`latex` for BibTeX in ASCII with LaTeX commands; UTF-8 otherwise.",
        )
        .query(
            "style",
            "Formatted output: the style, instead of the collection's `defaultstyle`.",
        )
        .query(
            "locale",
            "Formatted output: the locale, instead of the style's.",
        )
        .query_switch(
            "notes",
            "Whether to include each work's note, if the caller may see it; default false.",
        )
        .reply_text(200, "The file.", FileForm::all().map(FileForm::media_type))
        .codes(&[Code::UnknownStyle, Code::ValidationFailed])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_in_a_header() {
        let check = |name: &str, expected: &str| assert_eq!(disposition(name, "bib"), expected);
        check(
            "Thesis",
            "attachment; filename=\"Thesis.bib\"; filename*=UTF-8''Thesis.bib",
        );
        check(
            "Übung/1\"; x=\"",
            "attachment; filename=\"Ubung-1- x=.bib\"; filename*=UTF-8''%C3%9Cbung-1-%3B%20x%3D.bib",
        );
        check(
            "../..",
            "attachment; filename=\"collection.bib\"; filename*=UTF-8''collection.bib",
        );
    }
}
