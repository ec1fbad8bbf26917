//! `/api/v1/reports` and `/r/{token}`: reports of verifications, as a file and as a link that expires.

use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::collections::transaction::refused;
use super::pages::frame::{self, words};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::clock::iso8601;
use crate::store::reviews::ReportRow as StoredReport;
use crate::ui::html::Html;
use crate::ui::page::{Frame, Moment};
use crate::ui::verification_report::{
    ReportContent, ReportDifference, ReportFile, ReportRow, VerificationReport, is_verdict,
};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/reports", Action::Read, list).documented(list_operation),
        route::post("/api/v1/reports", Action::Write, share).documented(share_operation),
        route::post("/api/v1/reports/html", Action::Format, file)
            .heavy()
            .documented(file_operation),
        route::delete("/api/v1/reports/{token}", Action::Write, revoke)
            .documented(revoke_operation),
        route::get("/r/{token}", Action::Page, show).heavy(),
    ]
}

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// The default and the maximum lifetime of a link, in days.
const DAYS: u32 = 30;
const MAX_DAYS: u32 = 366;

/// A report of results, as the caller has them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"title": "paper.docx", "rows": [{"text": "Doe J. No such work. 2001.", "verdict": "not_found"}]}))]
pub struct ReportRequest {
    /// What was checked, such as the name of the file.
    #[serde(default)]
    #[schema(max_length = 500)]
    title: String,
    /// The results, in the order of the list.
    #[schema(min_items = 1, max_items = 5000)]
    rows: Vec<ReportedReference>,
    /// Days until the link expires; default 30.
    #[schema(minimum = 1, maximum = 366)]
    days: Option<u32>,
}

/// A reference with its result.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReportedReference {
    #[schema(max_length = 10000)]
    text: String,
    /// `verdict` of the result.
    #[schema(max_length = 30)]
    verdict: String,
    /// Where it stands.
    #[schema(max_length = 500)]
    place: String,
    /// The title of the work found.
    #[schema(max_length = 10000)]
    found: String,
    /// Its authors, year and place of publication.
    #[schema(max_length = 10000)]
    about: String,
    #[schema(max_length = 2000)]
    doi: String,
    #[schema(max_length = 100)]
    source: String,
    #[schema(max_items = 100)]
    differences: Vec<ReportedDifference>,
    /// Further sentences: notices about the work, what a person has decided.
    #[schema(max_items = 20)]
    #[schema(schema_with = notes)]
    notes: Vec<String>,
}

fn notes() -> utoipa::openapi::schema::Schema {
    let note = utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .max_length(Some(2_000));
    utoipa::openapi::ArrayBuilder::new()
        .items(note)
        .max_items(Some(20))
        .into()
}

/// A field that differs.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReportedDifference {
    #[schema(max_length = 100)]
    field: String,
    #[schema(max_length = 10000)]
    given: String,
    #[schema(max_length = 10000)]
    found: String,
}

/// A report that is shared.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedReport {
    token: String,
    /// The page, for whoever has the link.
    report_url: String,
    title: String,
    /// ISO 8601, UTC, as the other time.
    created_at: String,
    expires_at: String,
}

impl SharedReport {
    fn of(context: &RequestContext, row: StoredReport) -> SharedReport {
        let base = &context.edge.site.base_url;
        SharedReport {
            report_url: base.join(&format!("/r/{}", row.token)),
            token: row.token,
            title: row.title,
            created_at: iso8601(row.created_at),
            expires_at: iso8601(row.expires_at),
        }
    }
}

/// The report of a request. `by` shares it.
fn content(
    context: &RequestContext,
    request: ReportRequest,
    by: &str,
) -> Result<ReportContent, ApiError> {
    let rows = (1..).zip(request.rows).map(|(number, row)| {
        if !is_verdict(&row.verdict) {
            let pointer = format!("/rows/{}/verdict", number - 1);
            return Err(ApiError::invalid_field(&pointer, "is not a verdict"));
        }
        Ok(ReportRow {
            number,
            text: row.text,
            verdict: row.verdict,
            place: row.place,
            found: row.found,
            about: row.about,
            doi: row.doi,
            source: row.source,
            notes: row.notes,
            differences: { row.differences.into_iter() }
                .map(|difference| ReportDifference {
                    field: difference.field,
                    given: difference.given,
                    found: difference.found,
                })
                .collect(),
        })
    });
    Ok(ReportContent {
        title: request.title,
        by: by.to_owned(),
        checked_at: context.app.clock.unix(),
        rows: rows.collect::<Result<_, ApiError>>()?,
    })
}

/// `POST /api/v1/reports`: 201 with the link.
fn share(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: ReportRequest = context.json()?;
    let account = context.account()?;
    let days = request.days.unwrap_or(DAYS).min(MAX_DAYS);
    let expires_at = context.app.clock.unix() + i64::from(days) * DAY_SECONDS;
    let mut names = [&account.name, &account.email].into_iter().flatten();
    let by = names.next().cloned().unwrap_or_default();
    let content = content(context, request, &by)?;
    let json = serde_json::to_vec(&content).map_err(ApiError::internal)?;
    let shared =
        context
            .app
            .collections
            .share_report(account.id, &content.title, &json, expires_at);
    let row = shared.map_err(|error| refused(context, error))?;
    Ok(Reply::json(&SharedReport::of(context, row))
        .with_status(StatusCode::CREATED)
        .with_header("cache-control", "no-store"))
}

/// `GET /api/v1/reports`.
fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(Reply::json(&all_of(context, context.account()?.id)?))
}

/// The reports that an account shares.
pub fn all_of(context: &RequestContext, user: i64) -> Result<Vec<SharedReport>, ApiError> {
    let rows = context.app.collections.shared_reports(user)?;
    let rows = rows.into_iter().map(|row| SharedReport::of(context, row));
    Ok(rows.collect())
}

/// `DELETE /api/v1/reports/{token}`.
fn revoke(context: &RequestContext) -> Result<Reply, ApiError> {
    let (account, token) = (context.account()?, context.param("token"));
    let revoked = context.app.collections.revoke_report(account.id, token);
    revoked.map_err(|error| refused(context, error))?;
    Ok(Reply::empty())
}

/// `POST /api/v1/reports/html`: the report as a file, in the language of the request.
fn file(context: &RequestContext) -> Result<Reply, ApiError> {
    let content = content(context, context.json()?, "")?;
    let words = words(context);
    let body = VerificationReport {
        words,
        content: &content,
        expires_at: None,
    };
    let file = ReportFile {
        words,
        title: &content.title,
        body: Html::from(body),
    };
    let reply = Reply::bytes("text/html; charset=utf-8", file.to_string());
    Ok(reply.with_header(
        "content-disposition",
        "attachment; filename=\"verification.html\"",
    ))
}

/// `GET /r/{token}`.
fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    let found = (context.app.collections).shared_report(context.param("token"));
    let (json, expires_at) = found.map_err(|error| refused(context, error))?;
    let content: ReportContent = serde_json::from_slice(&json).map_err(ApiError::internal)?;
    let main = VerificationReport {
        words: words(context),
        content: &content,
        expires_at: Some(Moment(expires_at)),
    };
    let frame = Frame {
        title: main.words.get("report.title"),
        ..Frame::default()
    };
    let reply = frame::show(context, &frame, main);
    // The address is the secret: links must not pass it on as referrer.
    Ok(reply
        .with_header("referrer-policy", "no-referrer")
        .with_header("x-robots-tag", "noindex"))
}

/// The common errors of the routes of an account.
const CODES: [Code; 3] = [
    Code::AuthenticationRequired,
    Code::Forbidden,
    Code::CsrfFailed,
];

fn share_operation() -> Operation {
    Operation::new("share_report", "verify", "Share a report of a verification")
        .describe(
            "The report says what the caller sends: the results of a check, with what people have decided. Its \
             page has problems first, opens for whoever has the link, and names the account that shares it. An \
             account may share 100 reports at a time.",
        )
        .body::<ReportRequest>()
        .reply::<SharedReport>(201, "The link.")
        .codes(&CODES)
        .codes(&[Code::Conflict, Code::ValidationFailed])
}

fn list_operation() -> Operation {
    Operation::new(
        "list_reports",
        "verify",
        "The reports that the account shares",
    )
    .reply_list::<SharedReport>(200, "The reports, newest first.")
    .codes(&[Code::AuthenticationRequired, Code::Forbidden])
}

fn revoke_operation() -> Operation {
    Operation::new("revoke_report", "verify", "Revoke the link of a report")
        .path("token", "The token of the report.")
        .reply_empty(204, "Revoked.")
        .codes(&CODES)
        .codes(&[Code::NotFound])
}

fn file_operation() -> Operation {
    Operation::new("write_report", "verify", "A report of a verification as HTML")
        .describe("The same as `POST /api/v1/reports`, as one self-contained file, in the language of `Accept-Language`.")
        .body::<ReportRequest>()
        .reply_text(200, "The file.", ["text/html"])
        .codes(&[Code::ValidationFailed])
}
