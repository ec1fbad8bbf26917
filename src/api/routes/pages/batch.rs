//! `/batch`: formats many identifiers and citation texts as one bibliography.

use super::formatted::{choice, style_choice};
use super::frame::{error_message, form, show, words};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::format_batch::{self, BatchItem, FormatBatchResult, FormattedBatch};
use crate::formatting::StyleChoice;
use crate::ui::batch::{BatchLineView, BatchPage};
use crate::ui::page::Frame;
use crate::ui::rich::rich;
use citation_model::identifier::input::Input;

/// `GET /batch`.
pub fn empty(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, BatchPage::default(), StyleChoice::default())
}

/// `POST /batch`: one reference or several identifiers per line.
pub fn format(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let pasted = form.get("list").unwrap_or_default();
    let lines = pasted.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    let lines: Vec<(String, Input)> = lines.flat_map(Input::list).collect();
    let wanted = style_choice(&form);
    let mut view = BatchPage {
        list: pasted,
        ..BatchPage::default()
    };
    match run(context, &lines, &wanted) {
        Ok(batch) => {
            let results = batch.reply().results.into_iter().zip(lines);
            view.rows = results
                .map(|(result, (line, _))| row(result, line))
                .collect();
        }
        Err(error) => view.problem = Some(error_message(words(context), &error)),
    }
    page(context, view, wanted)
}

fn run(
    context: &RequestContext,
    lines: &[(String, Input)],
    wanted: &StyleChoice,
) -> Result<FormattedBatch, ApiError> {
    gate::admit_operation(context, Action::PaidLookup)?;
    let items = lines
        .iter()
        .map(|(line, input)| BatchItem::named(context, "/list", line, input));
    let items = items.collect::<Result<Vec<_>, ApiError>>()?;
    format_batch::run(context, items, None, wanted)
}

fn row(result: FormatBatchResult<'_>, line: String) -> BatchLineView {
    BatchLineView {
        status: result.status,
        given: line,
        entry: rich(result.bibliography_html.unwrap_or_default()),
        failure: result.error.map(|error| error.message).unwrap_or_default(),
    }
}

fn page(
    context: &RequestContext,
    view: BatchPage<'_>,
    wanted: StyleChoice,
) -> Result<Reply, ApiError> {
    let words = words(context);
    let style = wanted.style.clone();
    let style = style.unwrap_or_else(|| context.app.config.format.style.clone());
    let view = BatchPage {
        words,
        is_included: context.caller.plan.is_paid(),
        choice: choice(context, style, wanted)?,
        ..view
    };
    let frame = Frame {
        title: words.get("batch.title"),
        current: "/batch",
        script: Some("batch.js"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, view))
}
