//! `POST /api/v1/document`: sets the citations of a document that a word processor or an editor holds.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::collections::transaction::read as read_collections;
use super::lookup_any::{self, Asked};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::formatting::{
    DocumentEdit, DocumentState, DocumentWarning, EditFault, HostCitation, HostCite, HostForm,
    OutputChoice, PlaceEdit, SetDocumentReply, StyleChoice, WorkRecord,
};
use crate::lookup::input::Answer;
use citation_citing::identifier;
use citation_model::cite::{Cite, CiteMode, Locator};
use citation_model::identifier::Identifier;
use citation_model::identifier::input::Input;
use citation_model::item::Item;
use citation_model::tidy;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/document", Action::Format, document)
            .heavy()
            .documented(operation),
    ]
}

/// A document, or what changed in it since the answer with the token.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({
    "style": "apa",
    "works": [{"id": "w", "item": {"type": "book", "title": "Emma", "author": [{"family": "Austen", "given": "Jane"}], "issued": {"date-parts": [[1815]]}}}],
    "citations": [{"id": "c1", "cites": [{"id": "w", "locator": "3"}], "text": "(Austen)"}],
}))]
pub struct DocumentRequest {
    /// The token of an earlier answer; without one the request is the whole document.
    token: Option<String>,
    /// As in `/api/v1/format`. With a token: default unchanged.
    style: Option<String>,
    /// A language tag. With a token: default unchanged.
    locale: Option<String>,
    /// A CSL style to use instead of a named one, at most 256 KiB.
    #[schema(min_length = 1)]
    style_xml: Option<String>,
    /// The forms of rich text that the host can show, besides text without formatting; default `html`. With a
    /// token: default unchanged.
    #[schema(max_items = 3)]
    forms: Option<Vec<TextForm>>,
    /// Whether the codes of the fields are returned; default true. With a token: default unchanged.
    codes: Option<bool>,
    /// Whether the list of works is returned; default true. With a token: default unchanged.
    bibliography: Option<bool>,
    /// The works, by the ids that the cites name. With a token: new works, and those that replace others.
    #[schema(max_items = 10_000)]
    works: Option<Vec<DocumentWork>>,
    /// The citations in the order of the document. With a token: new citations, and those that replace others.
    #[schema(max_items = 10_000)]
    citations: Option<Vec<DocumentCitationRequest>>,
    /// With a token: all citations in the order of the document, if citations are new, moved or gone, or are in
    /// other notes now.
    #[schema(max_items = 10_000)]
    places: Option<Vec<DocumentPlace>>,
    /// The ids of works that are listed without being cited. With a token: default unchanged.
    #[schema(max_items = 10_000)]
    uncited: Option<Vec<String>>,
    /// Whether works that are named by identifier are looked up in local works only; default false.
    #[serde(default)]
    local_only: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TextForm {
    Html,
    Rtf,
    Runs,
}

/// A work: its record, an entry of a collection, or an identifier. A cite whose id is the identifier itself
/// (`doi:10.1038/171737a0`) needs no work.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DocumentWork {
    /// Chosen by the host.
    #[schema(min_length = 1, max_length = 1_000)]
    id: String,
    /// The whole record in CSL-JSON.
    #[schema(value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>)]
    item: Option<Value>,
    /// A DOI, an ISBN or another identifier. Costs a lookup if it is found and not the caller's own.
    #[schema(max_length = 1_000)]
    identifier: Option<String>,
    /// An entry of the caller, by its collection and its own id.
    #[schema(max_length = 64)]
    collection: Option<String>,
    #[schema(max_length = 64)]
    entry: Option<String>,
}

/// A citation and its field.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DocumentCitationRequest {
    /// Chosen by the host, unique in the document.
    #[schema(min_length = 1, max_length = 1_000)]
    id: String,
    #[schema(max_items = 500)]
    cites: Vec<DocumentCite>,
    /// The number of the note that it is in; default 0, the text.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1_000_000)]
    note: u32,
    /// For a citation of the text: the number of notes before it; default that of the last citation in a note.
    #[schema(minimum = 0, maximum = 1_000_000)]
    notes_before: Option<u32>,
    /// Whether a section begins with it, in which each work is cited for the first time again; default false.
    #[serde(default)]
    section: bool,
    /// Whether a person wrote its text, which stays; default false.
    #[serde(default)]
    by_hand: bool,
    /// The text that its field shows, to learn whether it changes.
    #[schema(max_length = 100_000)]
    text: Option<String>,
}

/// A cite of a citation.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DocumentCite {
    /// The id of a work, or an identifier.
    #[schema(min_length = 1, max_length = 1_000)]
    id: String,
    #[serde(default)]
    locator: String,
    /// The kind of locator, such as `chapter`; default `page`.
    #[serde(default)]
    label: String,
    #[serde(default)]
    prefix: String,
    #[serde(default)]
    suffix: String,
    /// Default `normal`.
    #[serde(default)]
    mode: DocumentCiteMode,
    /// Addresses of the record in the libraries of programs, kept in the code of the field.
    #[serde(default)]
    #[schema(max_items = 20, value_type = Vec<String>)]
    uris: Vec<String>,
}

/// What a cite shows.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentCiteMode {
    #[default]
    Normal,
    /// Only the author.
    AuthorOnly,
    /// All but the author.
    SuppressAuthor,
    /// The author as a part of the sentence, followed by the rest.
    Composite,
}

/// The place of a citation.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DocumentPlace {
    #[schema(min_length = 1, max_length = 1_000)]
    id: String,
    /// The number of its note, 0 for the text; default unchanged.
    #[schema(minimum = 0, maximum = 1_000_000)]
    note: Option<u32>,
    /// Whether a section begins with it; default unchanged.
    section: Option<bool>,
}

/// `POST /api/v1/document`.
pub fn document(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: DocumentRequest = context.json()?;
    let owner = context.caller.user();
    let states = &context.app.documents;
    let token = request.token.clone();
    let before = match &token {
        Some(token) => states.get(token, owner).ok_or_else(gone)?,
        None => Arc::default(),
    };
    let mut works = WorkReader::new(context, request.local_only);
    let edit = read(request, &before, &mut works)?;
    let mut state = before.edited(edit).map_err(faulty)?;
    let mut reply = context.formatter().answer(&mut state, token.is_some())?;
    reply.warnings.append(&mut works.warnings);
    reply.token = states
        .keep(state, owner, token.as_deref())
        .map_err(ApiError::internal)?;
    Ok(Reply::json(&reply))
}

/// The state of a token is gone, or was never there.
fn gone() -> ApiError {
    let message = "The token is not known any more; send the whole document, without a token.";
    ApiError::new(Code::Conflict, message).with("resource", "token")
}

fn faulty(fault: EditFault) -> ApiError {
    match fault {
        EditFault::Repeated { is_place, index } => {
            let list = if is_place { "places" } else { "citations" };
            ApiError::invalid_field(&format!("/{list}/{index}/id"), "is there twice")
        }
        EditFault::NoPlace { index } => ApiError::invalid_field(
            &format!("/citations/{index}/id"),
            "is new; list all citations in `places`, in the order of the document",
        ),
        EditFault::UnknownPlace { index } => ApiError::invalid_field(
            &format!("/places/{index}/id"),
            "is no citation of the document",
        ),
    }
}

/// Reads a request as an edit of the state before.
fn read(
    request: DocumentRequest,
    before: &DocumentState,
    works: &mut WorkReader<'_>,
) -> Result<DocumentEdit, ApiError> {
    let choice = choice(&request, &before.choice);
    let output = output(&request, before);
    for (index, work) in request.works.into_iter().flatten().enumerate() {
        works.read(index, work)?;
    }
    let citations: Vec<HostCitation> = { request.citations.into_iter().flatten() }
        .map(citation)
        .collect();
    let cites = citations.iter().flat_map(|cited| &cited.cites);
    let named = cites.map(|cite| &cite.cite.id);
    let named = named.chain(request.uncited.iter().flatten());
    works.find(named.filter(|id| !before.works.contains_key(*id)))?;
    let places = request.places.map(|places| {
        let places = places.into_iter().map(|place| PlaceEdit {
            id: place.id,
            note: place.note,
            begins_section: place.section,
        });
        places.collect()
    });
    Ok(DocumentEdit {
        choice: Some(choice),
        output: Some(output),
        works: std::mem::take(&mut works.found),
        citations,
        places,
        uncited: request.uncited,
    })
}

/// A style in the request replaces the one before.
fn choice(request: &DocumentRequest, before: &StyleChoice) -> StyleChoice {
    let names_style = request.style.is_some() || request.style_xml.is_some();
    let before = before.clone();
    StyleChoice {
        style: if names_style {
            request.style.clone()
        } else {
            before.style
        },
        style_xml: if names_style {
            request.style_xml.clone()
        } else {
            before.style_xml
        },
        locale: request.locale.clone().or(before.locale),
        ..StyleChoice::default()
    }
}

fn output(request: &DocumentRequest, before: &DocumentState) -> OutputChoice {
    let is_whole = request.token.is_none();
    let before = &before.output;
    let forms = request.forms.as_ref().map(|forms| {
        let forms = forms.iter().map(|form| match form {
            TextForm::Html => HostForm::Html,
            TextForm::Rtf => HostForm::Rtf,
            TextForm::Runs => HostForm::Runs,
        });
        forms.collect()
    });
    OutputChoice {
        forms: forms.unwrap_or_else(|| {
            if is_whole {
                vec![HostForm::Html]
            } else {
                before.forms.clone()
            }
        }),
        codes: request.codes.unwrap_or(is_whole || before.codes),
        bibliography: request
            .bibliography
            .unwrap_or(is_whole || before.bibliography),
    }
}

fn citation(request: DocumentCitationRequest) -> HostCitation {
    HostCitation {
        id: request.id,
        cites: request.cites.into_iter().map(cite).collect(),
        note: Some(request.note).filter(|note| *note > 0),
        notes_before: request.notes_before,
        begins_section: request.section,
        is_by_hand: request.by_hand,
        text: request.text,
    }
}

fn cite(request: DocumentCite) -> HostCite {
    let value = tidy::number(&request.locator).trim().to_owned();
    let label = request.label.trim().to_lowercase();
    HostCite {
        cite: Cite {
            id: request.id,
            locator: (!value.is_empty()).then(|| Locator {
                label: if label.is_empty() {
                    "page".to_owned()
                } else {
                    label
                },
                value,
            }),
            prefix: tidy::text(&request.prefix).into_owned(),
            suffix: tidy::text(&request.suffix).into_owned(),
            mode: match request.mode {
                DocumentCiteMode::Normal => CiteMode::Normal,
                DocumentCiteMode::AuthorOnly => CiteMode::AuthorOnly,
                DocumentCiteMode::SuppressAuthor => CiteMode::SuppressAuthor,
                DocumentCiteMode::Composite => CiteMode::Composite,
            },
            ..Cite::default()
        },
        uris: request.uris,
    }
}

/// Reads and finds works. One that cannot be found is a warning: its citations keep their texts.
struct WorkReader<'c> {
    context: &'c RequestContext,
    local_only: bool,
    found: BTreeMap<String, WorkRecord>,
    /// The ids of works that were asked for.
    asked: HashSet<String>,
    /// Lookups of identifiers.
    lookups: usize,
    /// Whether the caller was admitted to read collections.
    may_read: bool,
    warnings: Vec<DocumentWarning>,
}

impl<'c> WorkReader<'c> {
    fn new(context: &'c RequestContext, local_only: bool) -> WorkReader<'c> {
        WorkReader {
            context,
            local_only,
            found: BTreeMap::new(),
            asked: HashSet::new(),
            lookups: 0,
            may_read: false,
            warnings: Vec::new(),
        }
    }

    fn read(&mut self, index: usize, work: DocumentWork) -> Result<(), ApiError> {
        let pointer = format!("/works/{index}");
        let invalid = |member: &str, message: &str| {
            ApiError::invalid_field(&format!("{pointer}{member}"), message)
        };
        self.asked.insert(work.id.clone());
        match (work.item, work.identifier, work.collection, work.entry) {
            (Some(value), None, None, None) => {
                let item = serde_json::from_value::<Item>(value.clone());
                let item = item.map_err(|cause| invalid("/item", &cause.to_string()))?;
                let json = serde_json::value::to_raw_value(&value).map_err(ApiError::internal)?;
                self.add(work.id, item, Some(json.into()))
            }
            (None, Some(given), None, None) => {
                let parsed = Identifier::parse(&given);
                let parsed = parsed.map_err(|cause| invalid("/identifier", &cause.to_string()))?;
                self.look_up(&work.id, &given, parsed)
            }
            (None, None, Some(collection), Some(entry)) => {
                self.read_entry(&work.id, &collection, &entry)
            }
            (None, None, None, Some(_)) => Err(invalid("/collection", "is missing")),
            _ => Err(invalid(
                "",
                "must have one of `item`, `identifier`, and `collection` with `entry`",
            )),
        }
    }

    /// Looks up the cited works that are identifiers.
    fn find<'i>(&mut self, ids: impl Iterator<Item = &'i String>) -> Result<(), ApiError> {
        for id in ids {
            if self.asked.insert(id.clone())
                && let Some(parsed) = identifier(id)
            {
                self.look_up(id, id, parsed)?;
            }
        }
        Ok(())
    }

    fn look_up(&mut self, id: &str, given: &str, identifier: Identifier) -> Result<(), ApiError> {
        let most = self.context.app.config.limits.batch_items as usize;
        self.lookups += 1;
        if self.lookups > most {
            let message = format!("names more than {most} identifiers; embed works in `item`");
            return Err(ApiError::invalid_field("/works", message));
        }
        self.context.budget.check()?;
        let asked = Asked {
            input: &Input::Identifier(identifier),
            given,
            pointer: "/works",
            local_only: self.local_only,
        };
        let answer = gate::admit_operation(self.context, Action::Lookup)
            .and_then(|()| lookup_any::look_up(self.context, asked));
        match answer {
            Ok(Answer::Work(found)) => self.add(id.to_owned(), found.work.item, None),
            Ok(_) => Ok(()),
            Err(cause) => {
                self.warn("lookup_failed", cause.message, id);
                Ok(())
            }
        }
    }

    fn read_entry(&mut self, id: &str, collection: &str, entry: &str) -> Result<(), ApiError> {
        if !self.may_read {
            gate::admit_operation(self.context, Action::Read)?;
            self.may_read = true;
        }
        let (collection, entry) = (collection.to_ascii_lowercase(), entry.to_ascii_lowercase());
        let item = read_collections(self.context, |reading| {
            let collection = reading.collection(&collection)?;
            let entry = reading.entry(&collection, &entry)?;
            Ok(reading.item(&entry.stored.row)?)
        });
        match item {
            Ok(item) => self.add(id.to_owned(), item, None),
            Err(cause) if cause.code == Code::NotFound => {
                self.warn("lookup_failed", cause.message, id);
                Ok(())
            }
            Err(cause) => Err(cause),
        }
    }

    fn add(
        &mut self,
        id: String,
        mut item: Item,
        json: Option<Arc<serde_json::value::RawValue>>,
    ) -> Result<(), ApiError> {
        item.id.clone_from(&id);
        item.tidy();
        let json = match json {
            Some(json) => json,
            None => serde_json::value::to_raw_value(&item)
                .map_err(ApiError::internal)?
                .into(),
        };
        let item = Arc::new(item);
        self.found.insert(id, WorkRecord { item, json });
        Ok(())
    }

    fn warn(&mut self, code: &str, message: String, work: &str) {
        self.warnings.push(DocumentWarning {
            code: code.to_owned(),
            message,
            citation: None,
            work: Some(work.to_owned()),
        });
    }
}

fn operation() -> Operation {
    Operation::new("set_document", "formatting", "Set the citations of a document")
        .describe(
            "For word processors and editors. The request has the citations of a document in order and its works; the \
             answer has the text of each field, whether it changes, what the field keeps so that Zotero, Mendeley and \
             others read it, and the list of works. Nothing is stored: the next request may name the `token` of the \
             answer and send only what changed, and its answer has only the fields that change. A token that is gone is a \
             409 (`conflict`): send the whole document. A citation of a work that is not known keeps its text. Costs \
             lookups for works named by identifier only.",
        )
        .body::<DocumentRequest>()
        .reply::<SetDocumentReply>(200, "The document.")
        .codes(&[Code::UnknownStyle, Code::Conflict, Code::Forbidden])
}
