//! `/embed?q=&style=&locale=&theme=`: a cite box that pages of `server.embed_origins` may frame.

use super::formatted::{format, style_choice};
use super::frame::{error_message, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::no_such_route;
use crate::api::error::ApiError;
use crate::api::routes::lookup_any::{Asked, look_up, refusal};
use crate::formatting::StyleChoice;
use crate::lookup::input::Answer;
use crate::ui::embed::EmbedPage;
use crate::ui::html::Html;
use crate::ui::page::{self, Theme};
use crate::ui::words::Words;
use citation_model::identifier::input::Input;

/// `GET /embed`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    let origins = &context.app.config.server.embed_origins;
    if origins.is_empty() {
        return Err(no_such_route(context.uri.path()));
    }
    let given = |name: &str| context.query.given(name).unwrap_or_default();
    let (words, query) = (words(context), given("q"));
    let mut view = EmbedPage {
        words,
        query,
        style: given("style"),
        theme: Theme::parse(given("theme")).unwrap_or_default(),
        ..EmbedPage::default()
    };
    if !query.is_empty() {
        match find(context, words, query, &style_choice(&context.query)) {
            Ok(entry) => view.entry = Some(entry),
            Err(problem) => view.problem = Some(problem),
        }
    }
    let ancestors = format!("frame-ancestors {}", origins.join(" "));
    let policy = page::SECURITY_POLICY.replace("frame-ancestors 'none'", &ancestors);
    let html = view.to_string();
    Ok(Reply::bytes("text/html; charset=utf-8", html)
        .with_header("content-security-policy", policy)
        .with_header("referrer-policy", "no-referrer")
        .with_header("content-language", words.language().tag)
        .with_header("cache-control", "no-store"))
}

/// The entry of the work named by a text, or why there is none.
fn find(
    context: &RequestContext,
    words: Words,
    query: &str,
    wanted: &StyleChoice,
) -> Result<(Html, Html), String> {
    let unclear = || words.get("embed.unclear").to_owned();
    let asked = Asked {
        input: &Input::parse(query),
        given: query,
        pointer: "/query",
        local_only: false,
    };
    let item = match look_up(context, asked) {
        Ok(Answer::Work(found)) => found.work.item,
        Ok(Answer::Missing(_)) => return Err(words.get("nothing.title").to_owned()),
        Ok(Answer::Candidates(_) | Answer::Unread { .. }) => return Err(unclear()),
        Ok(answer @ (Answer::Several(_) | Answer::Mistyped(_))) => {
            return Err(error_message(words, &refusal("/query", query, &answer)));
        }
        Err(error) => return Err(error_message(words, &error)),
    };
    let formatted = format(context, vec![item], wanted);
    match formatted.entry(0) {
        Some(entry) => Ok(entry),
        None => Err(formatted.problem.unwrap_or_else(unclear)),
    }
}
