//! The parameters of requests, and whether there is OAuth at all.

use crate::api::edge::context::{Query, RequestContext};
use crate::api::error::ApiError;
use crate::auth::oauth::OAuthError;
use crate::auth::oauth::request::{MAX_PARAMETER_CHARS, Parameters};

/// RFC 6749, section 3.1: a parameter without a value is absent, and none is repeated.
impl Parameters for Query {
    fn parameter(&self, name: &str) -> Result<Option<&str>, OAuthError> {
        let given = self.pairs().filter(|(present, _)| *present == name);
        let mut values = given.map(|(_, value)| value);
        let value = values.next().filter(|value| !value.is_empty());
        if values.next().is_some() {
            return Err(OAuthError::InvalidRequest(format!("`{name}` is repeated")));
        }
        if value.is_some_and(|value| value.chars().count() > MAX_PARAMETER_CHARS) {
            let text = format!("`{name}` has more than {MAX_PARAMETER_CHARS} characters");
            return Err(OAuthError::InvalidRequest(text));
        }
        Ok(value)
    }
}

/// Without OAuth its routes do not exist, which tells clients that there is no sign-in.
pub fn require_enabled(context: &RequestContext) -> Result<(), ApiError> {
    if context.app.auth.lets_programs_in() {
        return Ok(());
    }
    let message = "Programs cannot sign in here: `oauth.enabled` is off.";
    Err(ApiError::not_found("route", message))
}
