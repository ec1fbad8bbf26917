//! Zotero's translation-server (<https://github.com/zotero/translation-server>): converts addresses, identifiers
//! and files to items of Zotero's API, and items to files.

use std::collections::HashSet;

use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::formats::{FORMATS, ZoteroFormat};
use super::{keys, local};
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::file;
use crate::api::routes::lookup;
use crate::api::routes::lookup_any::{Asked, MAX_INPUTS, look_up};
use crate::api::routes::reverse;
use crate::lookup::input::Answer;
use crate::lookup::page::{NotRead, SiteOutcome};
use crate::lookup::reference::Candidate;
use crate::lookup::resolve::LookupError;
use crate::provider::FetchedPage;
use crate::quota::Charge;
use citation_exchange::zotero::{Blanks, api_object, type_name};
use citation_exchange::{self as exchange, Content, Hints, ZOTERO_JSON};
use citation_matching::reference::Reference;
use citation_model::identifier::input::Input;
use citation_model::identifier::{Identifier, address};
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NameVar, TextVar};

/// The works that a user selected on a page that lists several.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({"url": "https://example.org/list", "session": "0123456789abcdef", "items": {"1": "A work of the page"}}))]
pub struct WebSelection {
    /// The address of the page, as in the response with the choices.
    url: Option<String>,
    /// The session of that response.
    session: Option<String>,
    /// The selected choices.
    #[schema(value_type = Option<HashMap<String, Value>>)]
    items: Option<Map<String, Value>>,
}

/// Why there are no items: a message of translation-server, or our own error.
enum TranslationFailure {
    Theirs(StatusCode, &'static str),
    Ours(ApiError),
}

impl From<ApiError> for TranslationFailure {
    fn from(error: ApiError) -> TranslationFailure {
        match error.code {
            Code::WorkNotFound => NO_ITEMS,
            _ => TranslationFailure::Ours(error),
        }
    }
}

const NOT_TEXT: TranslationFailure =
    TranslationFailure::Theirs(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type");
const NO_BODY: TranslationFailure = refused("POST data not provided\n");
const NO_ITEMS: TranslationFailure = TranslationFailure::Theirs(
    StatusCode::NOT_IMPLEMENTED,
    "No items returned from any translator",
);
const NO_PAGES: TranslationFailure =
    TranslationFailure::Theirs(StatusCode::NOT_IMPLEMENTED, "No translators available\n");
const NOT_RETRIEVED: TranslationFailure = TranslationFailure::Theirs(
    StatusCode::INTERNAL_SERVER_ERROR,
    "An error occurred retrieving the document",
);

const fn refused(text: &'static str) -> TranslationFailure {
    TranslationFailure::Theirs(StatusCode::BAD_REQUEST, text)
}

fn settled(answer: Result<Reply, TranslationFailure>) -> Result<Reply, ApiError> {
    answer.or_else(|refusal| match refusal {
        TranslationFailure::Theirs(status, text) => {
            Ok(Reply::bytes("text/plain; charset=utf-8", text).with_status(status))
        }
        TranslationFailure::Ours(error) => Err(error),
    })
}

/// `POST /translate/web`: the address of a page, or a selection from one.
pub fn web(context: &RequestContext) -> Result<Reply, ApiError> {
    settled(match content_type(context).as_str() {
        "text/plain" => whole_page(context),
        other if other.ends_with("json") => chosen(context),
        _ => Err(NOT_TEXT),
    })
}

fn content_type(context: &RequestContext) -> String {
    let given = context.header("content-type").unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

fn text(context: &RequestContext) -> Result<&str, TranslationFailure> {
    if context.body.is_empty() {
        return Err(NO_BODY);
    }
    std::str::from_utf8(&context.body).map_err(|_| refused("Bad Request"))
}

fn whole_page(context: &RequestContext) -> Result<Reply, TranslationFailure> {
    let text = text(context)?;
    reverse::check_text(context, "", text)?;
    let address = address::page(text.trim()).ok_or(refused("URL not provided"))?;
    at_address(context, &address, None)
}

/// The session is derived from the address, and the choices are read again: nothing is stored in between.
fn chosen(context: &RequestContext) -> Result<Reply, TranslationFailure> {
    let request: WebSelection = context.json()?;
    if request.session.is_none_or(|session| session.is_empty()) {
        return Err(refused("'session' not provided"));
    }
    let address = request.url.as_deref().and_then(address::page);
    let address = address.ok_or(refused("URL not provided"))?;
    let items = request.items.ok_or(refused("'items' not provided"))?;
    if items.is_empty() {
        return Err(refused("No items specified"));
    }
    at_address(context, &address, Some(&items))
}

fn at_address(
    context: &RequestContext,
    address: &str,
    chosen: Option<&Map<String, Value>>,
) -> Result<Reply, TranslationFailure> {
    if let Ok(identifier) = Identifier::parse(address) {
        let input = Input::Identifier(identifier);
        return work_of(context, answer(context, &input, address)?);
    }
    match visit(context, address)? {
        SiteOutcome::Page(page) => work_of(context, Answer::of_page(page)),
        SiteOutcome::File(file) => remote_file(context, &file),
        SiteOutcome::List(items) => choose(context, address, items, chosen),
    }
}

fn answer(context: &RequestContext, input: &Input, given: &str) -> Result<Answer, ApiError> {
    let asked = Asked {
        input,
        given,
        pointer: "",
        local_only: false,
    };
    look_up(context, asked)
}

/// The work of an identifier or a page.
fn work_of(context: &RequestContext, answer: Answer) -> Result<Reply, TranslationFailure> {
    match answer {
        Answer::Work(found) => works(context, vec![found.work.item]),
        Answer::Unread { reason, .. } => Err(match reason {
            NotRead::Missing => refused("Remote page not found"),
            NotRead::NotAsked => NO_PAGES,
            _ => NOT_RETRIEVED,
        }),
        Answer::Candidates(_) | Answer::Missing(_) | Answer::Several(_) | Answer::Mistyped(_) => {
            Err(NO_ITEMS)
        }
    }
}

/// Reads the content of an address. Costs a lookup if there is content.
fn visit(context: &RequestContext, address: &str) -> Result<SiteOutcome, ApiError> {
    let query = &context.query;
    let is_single = query.get("single").is_some_and(|single| !single.is_empty());
    let lookup = context.lookup(false, &context.job);
    let page = lookup.page();
    let outcome: Result<SiteOutcome, LookupError> = gate::charge(context, || {
        let outcome = if is_single {
            page.look_up(address).map(SiteOutcome::Page)
        } else {
            page.visit(address)
        };
        let costs = outcome.as_ref().is_ok_and(|outcome| match outcome {
            SiteOutcome::Page(page) => Answer::of_page(page.clone()).costs(),
            SiteOutcome::File(_) | SiteOutcome::List(_) => true,
        });
        Charge::new(outcome, costs)
    })?;
    outcome.map_err(lookup::failed)
}

fn remote_file(context: &RequestContext, file: &FetchedPage) -> Result<Reply, TranslationFailure> {
    const UNSUPPORTED: TranslationFailure =
        refused("The remote document is not in a supported format");
    let content = Content::new(&file.bytes);
    let hints = Hints {
        media_type: Some(&file.content_type),
        ..Hints::default()
    };
    let format =
        exchange::recognise(&content, hints, &context.budget).map_err(file::too_complex)?;
    let format = format.map_err(|_| UNSUPPORTED)?;
    let format = format.ok_or(UNSUPPORTED)?;
    let reading = file::read(context, &content, format)?;
    let items = reading.items.into_iter().map(|read| read.item);
    as_json(context, items)
}

/// The works of a page that lists several, or the selected ones.
fn choose(
    context: &RequestContext,
    address: &str,
    items: Vec<Item>,
    chosen: Option<&Map<String, Value>>,
) -> Result<Reply, TranslationFailure> {
    let title = |item: &Item| Value::from(item.text(TextVar::Title).unwrap_or_default());
    let Some(chosen) = chosen else {
        let choices = items.iter().enumerate();
        let choices: Map<String, Value> = choices
            .map(|(at, item)| (at.to_string(), title(item)))
            .collect();
        let session = keys::letters(address, 15);
        let body = json!({"url": address, "session": session, "items": choices});
        return Ok(Reply::json_value(&body).with_status(StatusCode::MULTIPLE_CHOICES));
    };
    let mut wanted = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        match chosen.get(&at.to_string()) {
            Some(given) if *given == title(&item) => wanted.push(completed(context, item)?),
            Some(_) => return Err(MISMATCH),
            None => {}
        }
    }
    if wanted.len() == chosen.len() {
        works(context, wanted)
    } else {
        Err(MISMATCH)
    }
}

const MISMATCH: TranslationFailure = TranslationFailure::Theirs(
    StatusCode::CONFLICT,
    "Items specified do not match items available",
);

/// The local work, if there is one, instead of the list's metadata.
fn completed(context: &RequestContext, item: Item) -> Result<Item, ApiError> {
    for identifier in item.identifiers() {
        if let Some(known) = local(context, &identifier)? {
            return Ok(known);
        }
    }
    Ok(item)
}

/// Works that were looked up. Record ids are not citation keys.
fn works(context: &RequestContext, items: Vec<Item>) -> Result<Reply, TranslationFailure> {
    let items = items.into_iter().map(|mut item| {
        item.id.clear();
        item
    });
    as_json(context, items)
}

/// Items of the API that are not in a library.
fn as_json(
    context: &RequestContext,
    items: impl Iterator<Item = Item>,
) -> Result<Reply, TranslationFailure> {
    let mut text = String::from("[");
    for item in items {
        let mut object = api_object(&item, Blanks::LeftOut);
        object.remove("collections");
        object.remove("relations");
        let key = keys::key(&uuid::Uuid::new_v4().to_string());
        object.insert("key".to_owned(), key.into());
        object.insert("version".to_owned(), 0.into());
        let object = Value::Object(object).to_string();
        let spent = context
            .budget
            .spend(STEPS_OF_ITEM + object.len() as u64 / 8)
            .and_then(|()| context.budget.spend_bytes(object.len()));
        spent.map_err(ApiError::from)?;
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&object);
    }
    text.push(']');
    Ok(Reply::bytes("application/json", text))
}

/// Budget steps of an item besides its text.
const STEPS_OF_ITEM: u64 = 40;

/// `POST /translate/search`: identifiers, or words.
pub fn search(context: &RequestContext) -> Result<Reply, ApiError> {
    settled(match content_type(context).as_str() {
        "text/plain" => find(context),
        _ => Err(NOT_TEXT),
    })
}

fn find(context: &RequestContext) -> Result<Reply, TranslationFailure> {
    let text = text(context)?;
    reverse::check_text(context, "", text)?;
    let inputs = match Input::parse(text) {
        Input::Several(inputs) => inputs,
        Input::Text(text) => {
            let identifiers = Reference::parse(&text).identifiers.into_iter();
            identifiers.map(Input::Identifier).collect()
        }
        Input::Mistyped(_) => Vec::new(),
        one => vec![one],
    };
    match inputs.as_slice() {
        [] => find_words(context, text),
        inputs if inputs.len() > MAX_INPUTS => Err(refused("Too many identifiers")),
        inputs => find_each(context, inputs),
    }
}

/// Unknown identifiers among several are omitted; if none is found, the first failure is returned.
fn find_each(context: &RequestContext, inputs: &[Input]) -> Result<Reply, TranslationFailure> {
    let (mut found, mut failure) = (Vec::new(), None);
    for input in inputs {
        match answer(context, input, &input.to_string()) {
            Ok(Answer::Work(work)) => found.push(work.work.item),
            Ok(_) => {}
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        _ if !found.is_empty() => works(context, found),
        Some(error) => Err(error.into()),
        None => Err(NO_ITEMS),
    }
}

/// The candidates for words, as choices. `text=0` disables the search.
fn find_words(context: &RequestContext, text: &str) -> Result<Reply, TranslationFailure> {
    if context.query.get("text") == Some("0") {
        return Err(TranslationFailure::Theirs(
            StatusCode::NOT_IMPLEMENTED,
            "No identifiers found",
        ));
    }
    let found = reverse::search(context, text, false)?;
    let most = context.app.config.limits.reverse_candidates as usize;
    let candidates = found.candidates.iter().take(most);
    let choices: Vec<_> = candidates
        .filter_map(|(_, candidate)| choice(candidate))
        .collect();
    Ok(if choices.is_empty() {
        Reply::json_value(&json!([]))
    } else {
        Reply::bytes("application/json", in_order(choices))
            .with_status(StatusCode::MULTIPLE_CHOICES)
    })
}

/// An object with members in the given order, in which clients show them; each name once.
fn in_order(members: Vec<(String, Value)>) -> String {
    let mut seen = HashSet::new();
    let members = members.into_iter().filter_map(|(name, value)| {
        let member = format!("{}:{value}", Value::from(name.as_str()));
        seen.insert(name).then_some(member)
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// The identifier of a work, and its label. A work without an identifier could not be requested.
fn choice(candidate: &Candidate) -> Option<(String, Value)> {
    let item = &candidate.work.item;
    let identifier = match (item.doi(), item.isbns().first()) {
        (Some(doi), _) => doi.to_string(),
        (None, Some(isbn)) => isbn.to_string(),
        _ => item.identifiers().first()?.to_string(),
    };
    let authors = item.names(NameVar::Author).iter().take(3);
    let authors: Vec<String> = authors.map(Name::heading).collect();
    let year = item.year().map(|year| year.to_string());
    let container = item
        .text(TextVar::ContainerTitle)
        .or_else(|| item.text(TextVar::Publisher));
    let parts = [Some(authors.join(", ")), year, container.map(str::to_owned)];
    let parts: Vec<String> = { parts.into_iter().flatten() }
        .filter(|part| !part.is_empty())
        .collect();
    let shown = json!({
        "itemType": type_name(item.kind),
        "title": item.text(TextVar::Title).unwrap_or_default(),
        "description": parts.join(" – "),
    });
    Some((identifier, shown))
}

/// `POST /translate/import`: a file in any readable format.
pub fn import(context: &RequestContext) -> Result<Reply, ApiError> {
    settled(read_file(context))
}

fn read_file(context: &RequestContext) -> Result<Reply, TranslationFailure> {
    const UNKNOWN: TranslationFailure = refused("No suitable translators found");
    let content = Content::new(&context.body);
    let given = content_type(context);
    let hints = Hints {
        media_type: Some(&given),
        ..Hints::default()
    };
    let format =
        exchange::recognise(&content, hints, &context.budget).map_err(file::too_complex)?;
    let format = format.map_err(|_| UNKNOWN)?;
    let format = format.ok_or(UNKNOWN)?;
    let reading = file::read(context, &content, format)?;
    let items = reading.items.into_iter().map(|read| read.item);
    let reply = as_json(context, items)?;
    Ok(match ZoteroFormat::of(format) {
        Some(known) => reply.with_header("zotero-translator-id", known.translator),
        None => reply,
    })
}

/// `POST /translate/export?format=`: items as a file.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    settled(write_file(context))
}

fn write_file(context: &RequestContext) -> Result<Reply, TranslationFailure> {
    if !content_type(context).ends_with("json") {
        return Err(NOT_TEXT);
    }
    if context.body.is_empty() {
        return Err(refused("POST data not provided"));
    }
    let named = context.query.get("format").and_then(ZoteroFormat::named);
    let format = named.ok_or(refused("Invalid format specified"))?;
    const NO_LIST: TranslationFailure = refused("Input must be an array of items as JSON");
    let content = Content::new(&context.body);
    let is_known = ZOTERO_JSON.recognises(&content, &context.budget);
    if !context.body.trim_ascii_start().starts_with(b"[") || !is_known.map_err(ApiError::from)? {
        return Err(NO_LIST);
    }
    let reading = file::read(context, &content, &ZOTERO_JSON)?;
    if reading.items.is_empty() && !reading.problems.is_empty() {
        return Err(NO_LIST);
    }
    let items: Vec<Item> = reading.items.into_iter().map(|read| read.item).collect();
    let reply = format.reply(&items, &context.budget);
    Ok(reply.map_err(ApiError::from)?)
}

const LOOKUP_CODES: [Code; 3] = [
    Code::QuotaExhausted,
    Code::UpstreamError,
    Code::UpstreamTimeout,
];

fn described(id: &'static str, summary: &'static str) -> Operation {
    Operation::new(id, "compat", summary)
        .reply_text(400, "Invalid input, as text.", ["text/plain"])
        .reply_text(415, "Wrong content type, as text.", ["text/plain"])
}

pub fn web_operation() -> Operation {
    described(
        "translate_web",
        "Items of a web page, in translation-server's format",
    )
    .describe("The address as text, or a selection from a 300 response. Costs one lookup.")
    .query(
        "single",
        "Any value: use the page itself, even if it lists several works.",
    )
    .body_files(&["text/plain"])
    .body::<WebSelection>()
    .reply_text(200, "Items of Zotero's API.", ["application/json"])
    .reply_object(
        300,
        "The works that the page lists: `{url, session, items: {id: title}}`.",
    )
    .reply_text(
        409,
        "The selection does not match the page.",
        ["text/plain"],
    )
    .reply_text(500, "The page cannot be read.", ["text/plain"])
    .reply_text(
        501,
        "The address has no known work, or fetching pages is disabled.",
        ["text/plain"],
    )
    .codes(&LOOKUP_CODES)
}

pub fn search_operation() -> Operation {
    described(
        "translate_search",
        "Items for identifiers or words, in translation-server's format",
    )
    .describe("Costs one lookup for each identifier, or one for words.")
    .query("text", "`0`: do not search for words.")
    .body_files(&["text/plain"])
    .reply_text(200, "Items of Zotero's API.", ["application/json"])
    .reply_object(
        300,
        "The candidates for words, by identifier: `{itemType, title, description}`.",
    )
    .reply_text(501, "The identifiers are unknown.", ["text/plain"])
    .codes(&LOOKUP_CODES)
}

pub fn import_operation() -> Operation {
    described(
        "translate_import",
        "Items of a file, in translation-server's format",
    )
    .describe("Costs no lookup.")
    .body_files(&["text/plain", "application/json", "application/octet-stream"])
    .body_files(&file::readable())
    .reply_text(200, "Items of Zotero's API.", ["application/json"])
}

pub fn export_operation() -> Operation {
    let names = FORMATS.iter().map(|format| format.name);
    described(
        "translate_export",
        "Items as a file, in translation-server's format",
    )
    .describe("Costs no lookup.")
    .query_choice("format", names, "The format, by Zotero's name.")
    .body_files(&["application/json"])
    .reply_text(
        200,
        "The file.",
        FORMATS.iter().map(|format| format.media_type),
    )
}
