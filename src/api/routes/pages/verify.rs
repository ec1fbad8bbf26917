//! `/verify`: checks a list of references. Without script only the first few; the page's module
//! checks all and shows each result as it arrives.

use super::frame::{error_message, form, show, words};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::{gate, policy};
use crate::api::error::ApiError;
use crate::api::routes::convert::{self, TextContents};
use crate::api::routes::reverse;
use crate::api::routes::verify as verification;
use crate::clock::unix_now;
use crate::ui::page::{Frame, Moment};
use crate::ui::verify::{ReferenceView, VerifyPage};
use crate::ui::work::{about, plain_title};
use citation_exchange::Content;
use citation_matching::reference::Reference;
use citation_model::item::Item;

/// References checked per form, so that the answer arrives within the request timeout.
const MAX_REFERENCES: usize = 10;

/// `GET /verify`.
pub fn empty(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, VerifyPage::default())
}

/// `POST /verify`.
pub fn check(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let mut view = VerifyPage {
        list: form.get("list").unwrap_or_default(),
        ..VerifyPage::default()
    };
    if let Err(error) = check_list(context, &mut view) {
        view.problem = Some(error_message(words(context), &error));
    }
    page(context, view)
}

/// Checks the references of the list up to the limit.
fn check_list(context: &RequestContext, view: &mut VerifyPage<'_>) -> Result<(), ApiError> {
    gate::admit_operation(context, Action::Lookup)?;
    let given: Vec<ListedReference> =
        match convert::read_text(context, &Content::of_text(view.list), "text/plain")? {
            TextContents::Records(_, reading) => {
                let items = reading.items.into_iter();
                items
                    .map(|read| ListedReference::Item(Box::new(read.item)))
                    .collect()
            }
            TextContents::References(list) => {
                let around = list.left_out.into_iter();
                view.around = around.map(|line| line.text).collect();
                list.references
                    .into_iter()
                    .map(ListedReference::Text)
                    .collect()
            }
        };
    view.left_out = given.len().saturating_sub(MAX_REFERENCES) as u64;
    for given in given.into_iter().take(MAX_REFERENCES) {
        let reference = given.reference(context)?;
        let checked = verification::check(context, &reference, context.scope(false))?;
        view.rows.push(ReferenceView::of(given.text(), checked));
    }
    Ok(())
}

/// A reference of the list.
enum ListedReference {
    Text(String),
    Item(Box<Item>),
}

impl ListedReference {
    fn text(self) -> String {
        match self {
            ListedReference::Text(text) => text,
            ListedReference::Item(item) => format!("{} {}", about(&item), plain_title(&item)),
        }
    }

    fn reference(&self, context: &RequestContext) -> Result<Reference, ApiError> {
        match self {
            ListedReference::Item(item) => verification::reference_of("/list", item),
            ListedReference::Text(text) => {
                reverse::check_text(context, "/list", text)?;
                Ok(Reference::parse(text))
            }
        }
    }
}

fn page(context: &RequestContext, view: VerifyPage<'_>) -> Result<Reply, ApiError> {
    let status = policy::quota_status(context)?;
    let words = words(context);
    let view = VerifyPage {
        words,
        lookups: (status.remaining, status.limit),
        has_batches: context.caller.plan.is_paid(),
        sells_plans: context.app.config.quota.sells_plans,
        checked_at: Moment(unix_now()),
        max_bytes: context.app.config.limits.import_bytes,
        ..view
    };
    let frame = Frame {
        title: words.get("verify.title"),
        current: "/verify",
        script: Some("verify.js"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, view))
}
