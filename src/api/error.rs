//! Every error that a client can see: its stable code, its status, its body. The only file that
//! knows status codes of errors (interface decisions, section 2).

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::api::edge::reply::Reply;
use crate::auth::AuthError;
use crate::auth::oauth::OAuthError;
use crate::auth::passwords::PasswordError;
use crate::blocking::BlockingError;
use crate::store::StoreError;
use citation_exchange::metadata::FieldError;
use citation_model::budget::Exceeded;

macro_rules! codes {
    ($($name:ident = $text:literal, $status:ident, $meaning:literal;)*) => {
        /// A stable error code. Clients may match on its text, which never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $(#[doc = $meaning] $name),* }

        impl Code {
            /// Every code, in the order of the decisions' table.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The text in the body's `error` member.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text),* }
            }

            /// The HTTP status of the code.
            pub fn status(self) -> StatusCode {
                match self { $(Code::$name => StatusCode::$status),* }
            }

            /// One sentence for the API documentation.
            pub fn description(self) -> &'static str {
                match self { $(Code::$name => $meaning),* }
            }
        }
    };
}

codes! {
    InvalidJson = "invalid_json", BAD_REQUEST, "The body is not JSON, or not an object.";
    InvalidParameter = "invalid_parameter", BAD_REQUEST, "A query parameter is missing or wrong.";
    BadRequest = "bad_request", BAD_REQUEST, "The request could not be read.";
    InvalidRequest = "invalid_request", BAD_REQUEST, "OAuth: a parameter is missing, repeated or wrong.";
    InvalidClient = "invalid_client", BAD_REQUEST, "OAuth: the program is not known, or its document cannot be used.";
    InvalidGrant = "invalid_grant", BAD_REQUEST, "OAuth: the code or the refresh token is not valid.";
    UnsupportedGrantType = "unsupported_grant_type", BAD_REQUEST, "OAuth: the grant type is not supported.";
    UnsupportedResponseType = "unsupported_response_type", BAD_REQUEST, "OAuth: the response type is not supported.";
    InvalidScope = "invalid_scope", BAD_REQUEST, "OAuth: none of the scopes exists, or was allowed.";
    InvalidTarget = "invalid_target", BAD_REQUEST, "OAuth: the resource is none of this server.";
    InvalidRedirectUri = "invalid_redirect_uri", BAD_REQUEST, "OAuth: a redirect URI cannot be registered.";
    InvalidClientMetadata = "invalid_client_metadata", BAD_REQUEST, "OAuth: the program's description cannot be registered.";
    AccessDenied = "access_denied", FORBIDDEN, "OAuth: the user does not let the program in.";
    AuthenticationRequired = "authentication_required", UNAUTHORIZED, "No credential was given.";
    InvalidApiKey = "invalid_api_key", UNAUTHORIZED, "The API key is wrong, expired or revoked.";
    PlanRequired = "plan_required", FORBIDDEN, "The plan does not include this.";
    Forbidden = "forbidden", FORBIDDEN, "The credential may not do this.";
    CsrfFailed = "csrf_failed", FORBIDDEN, "A write with a session cookie came from another site.";
    CollectionLimitReached = "collection_limit_reached", FORBIDDEN, "The plan's number of collections is reached.";
    EntryLimitReached = "entry_limit_reached", FORBIDDEN, "The plan's number of entries in a collection is reached.";
    StorageLimitReached = "storage_limit_reached", FORBIDDEN, "The plan's storage is full.";
    JobLimitReached = "job_limit_reached", FORBIDDEN, "The account has as many unfinished jobs as it may have.";
    WebhookLimitReached = "webhook_limit_reached", FORBIDDEN, "The account has as many webhooks as it may have.";
    NotFound = "not_found", NOT_FOUND, "The object does not exist, or belongs to another account.";
    WorkNotFound = "work_not_found", NOT_FOUND, "The identifier is valid, but no source has the work.";
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "The path exists, but not for this method.";
    NotAcceptable = "not_acceptable", NOT_ACCEPTABLE, "None of the accepted formats is available.";
    RequestTimeout = "request_timeout", REQUEST_TIMEOUT, "The body did not arrive in time.";
    Conflict = "conflict", CONFLICT, "The request conflicts with another one.";
    PreconditionFailed = "precondition_failed", PRECONDITION_FAILED, "The resource has changed since it was read.";
    PayloadTooLarge = "payload_too_large", PAYLOAD_TOO_LARGE, "The body, the file or the number of items is over the limit.";
    UriTooLong = "uri_too_long", URI_TOO_LONG, "The address is longer than the limit.";
    HeadersTooLarge = "headers_too_large", REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too many or too large.";
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "The body's content type is not supported.";
    ValidationFailed = "validation_failed", UNPROCESSABLE_ENTITY, "The JSON is well-formed, but its content is invalid.";
    InvalidDoi = "invalid_doi", UNPROCESSABLE_ENTITY, "The text is not a DOI.";
    InvalidIsbn = "invalid_isbn", UNPROCESSABLE_ENTITY, "The text is not an ISBN, or its check digit is wrong.";
    UnknownStyle = "unknown_style", UNPROCESSABLE_ENTITY, "The style does not exist.";
    UnprocessableImport = "unprocessable_import", UNPROCESSABLE_ENTITY, "The file contains no usable entry.";
    TooComplex = "too_complex", UNPROCESSABLE_ENTITY, "The request exceeds the limit of work or text.";
    IdempotencyMismatch = "idempotency_mismatch", UNPROCESSABLE_ENTITY, "The idempotency key was used with another body.";
    QuotaExhausted = "quota_exhausted", TOO_MANY_REQUESTS, "The daily lookups are used up.";
    RateLimited = "rate_limited", TOO_MANY_REQUESTS, "Too many requests per minute.";
    InternalError = "internal_error", INTERNAL_SERVER_ERROR, "An internal error.";
    UpstreamError = "upstream_error", BAD_GATEWAY, "A provider returned an unusable answer.";
    ServiceUnavailable = "service_unavailable", SERVICE_UNAVAILABLE, "The service is starting, overloaded, or a provider is known to be down.";
    StorageFull = "storage_full", INSUFFICIENT_STORAGE, "The service's disk is full; nothing was changed.";
    UpstreamTimeout = "upstream_timeout", GATEWAY_TIMEOUT, "The providers did not answer in time.";
}

/// An error for the client. Internal causes are logged where they occur and are never
/// included.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub code: Code,
    /// One sentence, at most 300 characters.
    pub message: String,
    /// Further members of the body, besides `error` and `message`.
    pub extra: Map<String, Value>,
    /// Seconds until a retry may succeed; also sent as `Retry-After`.
    pub retry_after: Option<u64>,
    /// Further headers, such as `Allow`.
    pub headers: Vec<(&'static str, String)>,
}

/// Seconds after which to retry at an overloaded service.
const OVERLOAD_RETRY_SECONDS: u64 = 1;

/// Seconds after which to retry after a full disk.
const FULL_RETRY_SECONDS: u64 = 60;

/// Maximum number of characters of a message.
const MESSAGE_CHARS: usize = 300;

impl ApiError {
    pub fn new(code: Code, message: impl Into<String>) -> ApiError {
        let message: String = message.into();
        let message = match message.char_indices().nth(MESSAGE_CHARS) {
            Some((end, _)) => message.get(..end).unwrap_or_default().to_owned(),
            None => message,
        };
        ApiError {
            code,
            message,
            extra: Map::new(),
            retry_after: None,
            headers: Vec::new(),
        }
    }

    /// Adds a member to the body.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> ApiError {
        self.extra.insert(name.to_owned(), value.into());
        self
    }

    /// The same error in a part of a body: prefixes the pointer `field`.
    pub fn below(mut self, pointer: &str) -> ApiError {
        let place = |field: &str| Value::from(format!("{pointer}{field}"));
        if let Some(Value::String(field)) = self.extra.get("field") {
            let field = place(field);
            self.extra.insert("field".to_owned(), field);
        }
        if let Some(Value::Array(faults)) = self.extra.get_mut("details") {
            for fault in faults {
                if let Some(Value::String(field)) = fault.get("field")
                    && let field = place(field)
                    && let Some(members) = fault.as_object_mut()
                {
                    members.insert("field".to_owned(), field);
                }
            }
        }
        self
    }

    /// Adds a header.
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> ApiError {
        self.headers.push((name, value.into()));
        self
    }

    /// Sets the time until a retry may succeed.
    pub fn retry_after(mut self, seconds: u64) -> ApiError {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// An internal error. `cause` is logged and not shown to the client.
    pub fn internal(cause: impl std::fmt::Display) -> ApiError {
        tracing::error!(%cause, "internal error");
        ApiError::new(
            Code::InternalError,
            "The request failed because of an internal error, which has been logged.",
        )
    }

    /// Overloaded.
    pub fn overloaded() -> ApiError {
        ApiError::new(
            Code::ServiceUnavailable,
            "The service is overloaded; try again in a moment.",
        )
        .retry_after(OVERLOAD_RETRY_SECONDS)
    }

    /// No disk space left.
    pub fn storage_full() -> ApiError {
        ApiError::new(
            Code::StorageFull,
            "The service's disk is full; nothing was changed. Try again later.",
        )
        .retry_after(FULL_RETRY_SECONDS)
    }

    /// An error in one field of a body, named by its JSON pointer.
    pub fn invalid_field(pointer: &str, message: impl Into<String>) -> ApiError {
        let fault = FieldFault::new(pointer, "invalid", message);
        ApiError::invalid_fields(vec![fault])
    }

    /// Errors in the content of a body. The first one becomes the message.
    pub fn invalid_fields(faults: Vec<FieldFault>) -> ApiError {
        let (pointer, message) = faults.first().map_or_else(
            || (String::new(), "The body is not valid.".to_owned()),
            |first| (first.field.clone(), first.sentence()),
        );
        let details: Vec<Value> = faults
            .into_iter()
            .map(|f| json!({"field": f.field, "code": f.code, "message": f.message}))
            .collect();
        ApiError::new(Code::ValidationFailed, message)
            .with("field", pointer)
            .with("details", details)
    }

    /// The message about the first invalid field, without the field's name.
    pub fn field_message(&self) -> Option<&str> {
        self.extra.get("details")?.get(0)?.get("message")?.as_str()
    }

    /// A missing or invalid query parameter.
    pub fn invalid_parameter(parameter: &str, message: impl Into<String>) -> ApiError {
        ApiError::new(Code::InvalidParameter, message).with("parameter", parameter)
    }

    /// Not found, with a kind: `collection`, `entry`, `share`, `style`, `route`, ….
    pub fn not_found(resource: &str, message: impl Into<String>) -> ApiError {
        ApiError::new(Code::NotFound, message).with("resource", resource)
    }

    /// A body of more than `limit` bytes.
    pub fn too_many_bytes(limit: u64) -> ApiError {
        ApiError::new(
            Code::PayloadTooLarge,
            format!("The body is over the limit of {limit} bytes; send it in smaller parts."),
        )
        .with("limit", limit)
        .with("unit", "bytes")
    }

    /// More than `limit` items in a list.
    pub fn too_many_items(pointer: &str, limit: u64) -> ApiError {
        ApiError::new(
            Code::PayloadTooLarge,
            format!("{pointer} has more than {limit} items; send them in several requests."),
        )
        .with("field", pointer)
        .with("limit", limit)
        .with("unit", "items")
    }

    /// The reply: flat JSON, or a problem document (RFC 9457) on request.
    pub fn into_reply(self, request_id: &str, as_problem: bool) -> Reply {
        let status = self.code.status();
        let mut body = Map::new();
        body.insert("error".into(), self.code.as_str().into());
        body.insert("message".into(), self.message.clone().into());
        body.extend(self.extra);
        if let Some(seconds) = self.retry_after {
            body.entry("retry_after").or_insert(seconds.into());
        }
        body.insert("request_id".into(), request_id.into());
        body.insert(
            "docs".into(),
            format!("/api/docs#error-{}", self.code.as_str()).into(),
        );
        let content_type = if as_problem {
            body.insert(
                "type".into(),
                format!("/api/docs#error-{}", self.code.as_str()).into(),
            );
            body.insert("title".into(), self.code.description().into());
            body.insert("status".into(), status.as_u16().into());
            body.insert("detail".into(), self.message.into());
            "application/problem+json"
        } else {
            "application/json"
        };
        let mut reply = Reply::json_value(&Value::Object(body))
            .with_status(status)
            .with_header("content-type", content_type)
            .with_header("content-language", "en")
            .with_header("cache-control", "no-store");
        if let Some(seconds) = self.retry_after {
            reply = reply.with_header("retry-after", seconds.to_string());
        }
        for (name, value) in self.headers {
            reply = reply.with_header(name, value);
        }
        reply
    }
}

impl From<FieldFault> for ApiError {
    fn from(fault: FieldFault) -> ApiError {
        ApiError::invalid_fields(vec![fault])
    }
}

impl From<StoreError> for ApiError {
    fn from(cause: StoreError) -> ApiError {
        match cause {
            StoreError::Busy => ApiError::overloaded(),
            StoreError::Full => ApiError::storage_full(),
            StoreError::ReadOnly => ApiError::new(
                Code::Forbidden,
                "This server is a read-only copy; make changes on the original server.",
            ),
            other => ApiError::internal(other),
        }
    }
}

/// An exceeded budget. The caller adds the position as `field`.
impl From<Exceeded> for ApiError {
    fn from(cause: Exceeded) -> ApiError {
        let (limit, unit) = match cause {
            Exceeded::Steps { limit } => (limit, "steps"),
            Exceeded::Bytes { limit } => (limit, "bytes"),
            // Nobody reads this answer.
            Exceeded::Cancelled => return ApiError::overloaded(),
        };
        ApiError::new(
            Code::TooComplex,
            format!("The request is too complex: {cause}; send less at once."),
        )
        .with("limit", limit)
        .with("unit", unit)
    }
}

impl From<BlockingError> for ApiError {
    fn from(cause: BlockingError) -> ApiError {
        match cause {
            // Nobody reads the answer to a cancelled request.
            BlockingError::Full | BlockingError::Canceled => ApiError::overloaded(),
            BlockingError::Panicked => ApiError::internal("the handler panicked"),
        }
    }
}

impl From<AuthError> for ApiError {
    fn from(cause: AuthError) -> ApiError {
        let message = sentence(&cause);
        match cause {
            AuthError::Store(cause) => cause.into(),
            AuthError::Random(_)
            | AuthError::Io(_)
            | AuthError::Password(PasswordError::Failed(_)) => ApiError::internal(cause),
            AuthError::Password(PasswordError::Busy) => ApiError::overloaded(),
            AuthError::InvalidName(_) => ApiError::invalid_field("/name", message),
            AuthError::ExpiryPast => ApiError::invalid_field("/expires_at", message),
            AuthError::TooManyKeys(limit) => {
                ApiError::new(Code::Forbidden, message).with("limit", limit)
            }
            AuthError::TooManyAttempts { retry_seconds } => {
                ApiError::new(Code::RateLimited, message).retry_after(retry_seconds)
            }
            AuthError::EmailTaken | AuthError::IdentityTaken | AuthError::LastWayIn => {
                ApiError::new(Code::Conflict, message)
            }
            AuthError::LinkInvalid => ApiError::not_found("link", message),
            AuthError::InvalidEmail(_) | AuthError::Password(_) => {
                ApiError::new(Code::ValidationFailed, message)
            }
            AuthError::WrongPassword
            | AuthError::Disabled
            | AuthError::SignUpClosed
            | AuthError::Oidc(_) => ApiError::new(Code::Forbidden, message),
        }
    }
}

/// The names of RFC 6749 and its extensions, whose clients also read `error_description`.
impl From<OAuthError> for ApiError {
    fn from(cause: OAuthError) -> ApiError {
        let message = sentence(&cause);
        let code = match cause {
            OAuthError::Auth(cause) => return cause.into(),
            OAuthError::Full => return ApiError::overloaded(),
            OAuthError::TooManyClients { retry_seconds } => {
                return ApiError::new(Code::RateLimited, message).retry_after(retry_seconds);
            }
            OAuthError::InvalidRequest(_) => Code::InvalidRequest,
            OAuthError::InvalidClient(_) => Code::InvalidClient,
            OAuthError::InvalidGrant(_) => Code::InvalidGrant,
            OAuthError::UnsupportedGrantType => Code::UnsupportedGrantType,
            OAuthError::UnsupportedResponseType => Code::UnsupportedResponseType,
            OAuthError::InvalidScope => Code::InvalidScope,
            OAuthError::InvalidTarget => Code::InvalidTarget,
            OAuthError::InvalidRedirectUri(_) => Code::InvalidRedirectUri,
            OAuthError::InvalidClientMetadata(_) => Code::InvalidClientMetadata,
            OAuthError::AccessDenied => Code::AccessDenied,
        };
        let error = ApiError::new(code, message);
        let description = error.message.clone();
        error.with("error_description", description)
    }
}

/// An error's text as a sentence.
pub fn sentence(cause: &impl std::fmt::Display) -> String {
    let text = cause.to_string();
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), characters.as_str()),
        None => text,
    }
}

/// One error in one field of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// JSON pointer (RFC 6901).
    pub field: String,
    /// `missing`, `invalid`, `too_long`, `too_short`, `too_many`, `too_few`, `out_of_range`, `unknown`.
    pub code: String,
    /// A sentence, or the rest of one that starts with the field.
    pub message: String,
}

impl FieldFault {
    pub fn new(field: &str, code: &str, message: impl Into<String>) -> FieldFault {
        FieldFault {
            field: field.to_owned(),
            code: code.to_owned(),
            message: message.into(),
        }
    }

    /// The errors of metadata at `pointer`.
    pub fn of_metadata(pointer: &str, errors: Vec<FieldError>) -> Vec<FieldFault> {
        let under = |error: FieldError| {
            let field = format!("{pointer}{}", error.field);
            FieldFault::new(&field, error.code, error.message)
        };
        errors.into_iter().map(under).collect()
    }

    /// The error in one sentence that names the field.
    pub fn sentence(&self) -> String {
        let message = self.message.as_str();
        let is_rest = message.starts_with(char::is_lowercase);
        // An empty pointer means the whole body (RFC 6901).
        let text = match self.field.as_str() {
            "" if is_rest => format!("The body {message}"),
            "" => message.to_owned(),
            field if is_rest => format!("{field} {message}"),
            field => format!("{field}: {message}"),
        };
        if text.ends_with(['.', '?', '!']) {
            text
        } else {
            format!("{text}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_body_has_code_and_request_id() {
        let reply = ApiError::invalid_field("/doi", "is missing").into_reply("r1", false);
        let body: Value = serde_json::from_slice(&reply.body_bytes()).unwrap();
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(body["error"], "validation_failed");
        assert_eq!(body["field"], "/doi");
        assert_eq!(body["request_id"], "r1");
        assert_eq!(body["details"][0]["code"], "invalid");
    }

    #[test]
    fn field_error_is_a_sentence_that_names_its_field() {
        let check = |field: &str, message: &str, expected: &str| {
            assert_eq!(
                FieldFault::new(field, "invalid", message).sentence(),
                expected
            );
        };
        check("/tags", "must be a list", "/tags must be a list.");
        check("/tags", "The tags are odd.", "/tags: The tags are odd.");
        check("", "is empty", "The body is empty.");
        check("", "Nothing is there.", "Nothing is there.");
        check(
            "/nmae",
            "did you mean `name`?",
            "/nmae did you mean `name`?",
        );
    }

    #[test]
    fn problem_document_is_sent_only_on_request() {
        let reply = ApiError::overloaded().into_reply("r1", true);
        let body: Value = serde_json::from_slice(&reply.body_bytes()).unwrap();
        assert_eq!(body["status"], 503);
        assert_eq!(
            reply.header("content-type"),
            Some("application/problem+json")
        );
        assert_eq!(reply.header("retry-after"), Some("1"));
    }

    #[test]
    fn codes_are_distinct() {
        let texts: std::collections::HashSet<_> = Code::ALL.iter().map(|c| c.as_str()).collect();
        assert_eq!(texts.len(), Code::ALL.len());
    }
}
