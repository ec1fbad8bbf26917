//! One request in a handler: matched, admitted, its body read.

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use http::{HeaderMap, Method, Uri};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::bounds::Bounds;
use super::caller::Caller;
use super::idempotency::Idempotent;
use super::validation::{self, kind_of};
use crate::api::Edge;
use crate::api::error::{ApiError, Code};
use crate::app::App;
use crate::auth::principal::Account;
use crate::blocking::Job;
use crate::formatting::Formatter;
use crate::lookup::input::Lookup;
use crate::lookup::scope::Scope;
use citation_matching::certainty::Certainty;
use citation_model::budget::Budget;

/// One admitted request.
pub struct RequestContext {
    pub edge: Arc<Edge>,
    pub app: Arc<App>,
    /// The route's row in the table; `None` if a page answers for an unknown path.
    pub row: Option<usize>,
    /// The caller, as determined by the gate.
    pub caller: Caller,
    pub method: Method,
    pub uri: Uri,
    pub headers: Arc<HeaderMap>,
    pub query: Query,
    /// The path's variable parts, decoded, by their names in the route table.
    pub path: Vec<(&'static str, String)>,
    pub body: Bytes,
    /// The client, behind trusted proxies.
    pub client: IpAddr,
    pub request_id: String,
    /// Set if the request must be executed only once.
    pub idempotent: Option<Idempotent>,
    /// The request's budget. Cancelled when nobody waits for the answer any more.
    pub budget: Budget,
    /// The job that answers the request, with its worker slot.
    pub job: Job,
}

impl RequestContext {
    /// A variable part of the path; empty for an unknown name.
    pub fn param(&self, name: &str) -> &str {
        self.path
            .iter()
            .find(|(present, _)| *present == name)
            .map_or("", |(_, value)| value)
    }

    /// The calling account. The gate rejects anonymous callers of routes for accounts.
    pub fn account(&self) -> Result<&Account, ApiError> {
        let account = self.caller.account();
        account.ok_or_else(|| ApiError::internal("a route for accounts was reached without one"))
    }

    /// What a lookup for the caller may use.
    pub fn scope(&self, local_only: bool) -> Scope {
        Scope {
            user: self.caller.user(),
            local_only,
        }
    }

    /// A lookup for the caller, in the worker slot of `job`.
    pub fn lookup<'a>(&'a self, local_only: bool, job: &'a Job) -> Lookup<'a> {
        let app = &self.app;
        Lookup {
            resolver: &app.lookup,
            references: &app.references,
            pages: app.pages.as_ref(),
            scope: self.scope(local_only),
            now: app.clock.unix(),
            job,
            certain_from: Certainty::Certain.threshold(),
        }
    }

    /// Formats for the caller.
    pub fn formatter(&self) -> Formatter<'_> {
        Formatter {
            styles: &self.app.styles,
            settings: &self.app.config.format,
            user: self.caller.user(),
            job: &self.job,
        }
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Checks that the path's variable parts and the query are within the route's limits.
    pub fn check_address(&self) -> Result<(), ApiError> {
        self.bounds().check_address(|is_in_path, name| {
            if is_in_path {
                Some(self.param(name))
            } else {
                self.query.get(name)
            }
        })
    }

    fn bounds(&self) -> &Bounds {
        static NONE: LazyLock<Bounds> = LazyLock::new(Bounds::default);
        let bounds = self.row.and_then(|row| self.edge.bounds(row));
        bounds.unwrap_or(&NONE)
    }

    /// The body as JSON within the route's limits. A missing content type counts
    /// as JSON.
    pub fn json_value(&self) -> Result<Result<Value, serde_json::Error>, ApiError> {
        self.require_json()?;
        self.bounds().read(&self.body, &self.budget)
    }

    /// The body as a JSON object within the route's limits.
    pub fn json_object(&self) -> Result<Map<String, Value>, ApiError> {
        match self.json_value()? {
            Ok(Value::Object(members)) => Ok(members),
            Ok(other) => Err(ApiError::new(
                Code::InvalidJson,
                format!("The body must be a JSON object, not {}.", kind_of(&other)),
            )
            .with("line", 1)
            .with("column", 1)),
            Err(fault) => Err(unparsable(&fault)),
        }
    }

    /// The body parsed into a request struct. Invalid JSON is a 400, JSON that does not fit the
    /// struct a 422 that names the field.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        let read = T::deserialize(Value::Object(self.json_object()?));
        // Parsed again after an error, to find the position.
        read.or_else(|_| read_members(&Value::Object(self.json_object()?)))
    }

    /// Like [`RequestContext::json`], with an empty body read as an empty object.
    pub fn json_or_default<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        if self.body.iter().all(u8::is_ascii_whitespace) {
            return read_members(&Value::Object(Map::new()));
        }
        self.json()
    }

    fn require_json(&self) -> Result<(), ApiError> {
        let Some(content_type) = self.header("content-type") else {
            return Ok(());
        };
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        let essence = essence.to_ascii_lowercase();
        if essence == "application/json" || essence.ends_with("+json") || essence == "text/json" {
            return Ok(());
        }
        // curl's default content type for a body.
        let looks_like_json = self.body.trim_ascii_start().starts_with(b"{");
        if essence == "application/x-www-form-urlencoded" && looks_like_json {
            return Ok(());
        }
        Err(unsupported(&["application/json"], content_type))
    }
}

/// The error for a body's content type.
pub fn unsupported(supported: &[&str], given: &str) -> ApiError {
    ApiError::new(
        Code::UnsupportedMediaType,
        format!(
            "The content type “{given}” is not supported; send {}.",
            supported.join(" or ")
        ),
    )
    .with("supported", supported.to_vec())
}

/// Parses the members of a body into a struct, naming the field in errors.
pub fn read_members<T: DeserializeOwned>(body: &Value) -> Result<T, ApiError> {
    validation::read(body).map_err(|fault| ApiError::invalid_fields(vec![fault]))
}

fn unparsable(fault: &serde_json::Error) -> ApiError {
    // The position has its own members.
    let text = fault.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    ApiError::new(
        Code::InvalidJson,
        format!(
            "The body is not JSON: {text} at line {}, column {}.",
            fault.line(),
            fault.column()
        ),
    )
    .with("line", fault.line())
    .with("column", fault.column())
}

/// The query of an address, decoded, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    pub fn of(parameters: Vec<(String, String)>) -> Query {
        Query(parameters)
    }

    pub fn parse(text: &str) -> Query {
        Query(
            form_urlencoded::parse(text.as_bytes())
                .into_owned()
                .collect(),
        )
    }

    /// The first value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(present, _)| present == name)
            .map(|(_, value)| value.as_str())
    }

    /// The first value of a parameter, trimmed; `None` if blank.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.get(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// Every value of a parameter.
    pub fn all<'q>(&'q self, name: &'q str) -> impl Iterator<Item = &'q str> {
        let values = self.pairs().filter(move |(present, _)| *present == name);
        values.map(|(_, value)| value)
    }

    /// All parameters, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether a switch is on: `true`, `1`, `yes`, `on` and an empty value are on; `false`,
    /// `0`, `no`, `off` and an absent parameter are off.
    pub fn switch(&self, name: &str) -> Result<bool, ApiError> {
        match self.get(name) {
            Some("" | "true" | "1" | "yes" | "on") => Ok(true),
            None | Some("false" | "0" | "no" | "off") => Ok(false),
            Some(other) => Err(ApiError::invalid_parameter(
                name,
                format!("{name} must be true or false, not “{other}”."),
            )),
        }
    }

    /// A whole number of at least `least`; `default` if absent, limited to `most`.
    pub fn number(
        &self,
        name: &str,
        default: usize,
        least: usize,
        most: usize,
    ) -> Result<usize, ApiError> {
        let Some(text) = self.get(name) else {
            return Ok(default);
        };
        match text.trim().parse::<usize>() {
            Ok(number) if number >= least => Ok(number.min(most)),
            _ => Err(ApiError::invalid_parameter(
                name,
                format!("{name} must be a whole number of at least {least}, not “{text}”."),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        let query = Query::parse("q=a+b%20c&limit=7&flag&off=false");
        assert_eq!(query.get("q"), Some("a b c"));
        assert!(query.switch("flag").unwrap());
        assert!(!query.switch("off").unwrap());
        assert!(!query.switch("absent").unwrap());
        assert!(query.switch("q").is_err());
        assert_eq!(query.number("limit", 1, 1, 5).unwrap(), 5);
        assert!(query.number("q", 1, 1, 5).is_err());
    }
}
