//! What a program asks a user for, at the authorization endpoint (OAuth 2.1, section 4.1.1).

use url::Url;

use super::clients::{check_redirect_uri, is_loopback, is_registered};
use super::error::OAuthError;
use super::pkce;
use crate::auth::Auth;
use crate::auth::principal::{Scopes, TokenAudience};
use crate::config::BaseUrl;
use crate::store::oauth::ClientRow;

/// The parameters of a request, by name.
pub trait Parameters {
    /// The only value of a parameter; an error if it is repeated.
    fn parameter(&self, name: &str) -> Result<Option<&str>, OAuthError>;
}

/// A request that the user can decide on.
#[derive(Clone, Debug)]
pub struct AuthorizationRequest {
    pub client: ClientRow,
    pub redirect_uri: String,
    pub state: Option<String>,
    pub scopes: Scopes,
    pub audience: TokenAudience,
    pub challenge: String,
}

/// Why a request is not shown to the user.
#[derive(Debug)]
pub enum RequestRefusal {
    /// The program or its redirect URI is unknown, so only the user can be told.
    Here(OAuthError),
    /// The program is told.
    Redirect {
        redirect_uri: String,
        state: Option<String>,
        error: OAuthError,
    },
}

/// Maximum characters of a parameter.
pub const MAX_PARAMETER_CHARS: usize = 2_000;

impl Auth {
    /// Reads a request. The program's document may be read, which may take long.
    pub fn authorization_request(
        &self,
        parameters: &impl Parameters,
        base: &BaseUrl,
    ) -> Result<AuthorizationRequest, RequestRefusal> {
        let here = RequestRefusal::Here;
        let required = |name| {
            let value = parameters.parameter(name)?;
            value.ok_or_else(|| OAuthError::missing(name))
        };
        let client = { required("client_id") }
            .and_then(|id| self.client(id))
            .map_err(here)?;
        let redirect_uri = required("redirect_uri").map_err(here)?;
        if check_redirect_uri(redirect_uri).is_err()
            || !is_registered(redirect_uri, &client.redirect_uris)
        {
            let text = "`redirect_uri` is none of those that the program has registered";
            return Err(here(OAuthError::InvalidRequest(text.to_owned())));
        }
        let state = parameters.parameter("state").map_err(here)?;
        let read = || {
            if required("response_type")? != "code" {
                return Err(OAuthError::UnsupportedResponseType);
            }
            let challenge = required("code_challenge")?;
            let method = parameters.parameter("code_challenge_method")?;
            if method != Some("S256") || !pkce::is_challenge(challenge) {
                let text =
                    "PKCE is required: `code_challenge_method` `S256` and its `code_challenge`";
                return Err(OAuthError::InvalidRequest(text.to_owned()));
            }
            let scopes = read_scopes(parameters.parameter("scope")?)?;
            let audience = read_audience(parameters.parameter("resource")?, base)?;
            Ok((challenge, scopes, audience))
        };
        let (challenge, scopes, audience) = read().map_err(|error| RequestRefusal::Redirect {
            redirect_uri: redirect_uri.to_owned(),
            state: state.map(str::to_owned),
            error,
        })?;
        Ok(AuthorizationRequest {
            redirect_uri: redirect_uri.to_owned(),
            state: state.map(str::to_owned),
            scopes,
            audience: audience.unwrap_or(TokenAudience::Everything),
            challenge: challenge.to_owned(),
            client,
        })
    }
}

impl AuthorizationRequest {
    /// What the user can recognise the program's site by: the host that gets the code, or the scheme of a program
    /// of its own.
    pub fn destination(&self) -> String {
        let url = Url::parse(&self.redirect_uri);
        match url.as_ref().map(|url| (url.host_str(), url.scheme())) {
            Ok((Some(host), "http" | "https")) => host.to_owned(),
            Ok((_, scheme)) => format!("{scheme}:"),
            Err(_) => String::new(),
        }
    }

    /// Whether the code goes to a program on the user's own machine, whose name nobody has checked.
    pub fn is_local(&self) -> bool {
        let url = Url::parse(&self.redirect_uri);
        url.is_ok_and(|url| {
            url.scheme() != "https" && (url.scheme() != "http" || is_loopback(&url))
        })
    }
}

/// The scopes of a request; all if it names none. Scopes that are not ours are left out, since
/// clients ask for `offline_access` and the like everywhere (RFC 6749, section 3.3).
pub fn read_scopes(text: Option<&str>) -> Result<Scopes, OAuthError> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(Scopes::ALL);
    };
    let known: Vec<&str> = { text.split(' ') }
        .filter(|name| Scopes::parse(&[*name]).is_some())
        .collect();
    Scopes::parse(&known).ok_or(OAuthError::InvalidScope)
}

/// The resource of a request (RFC 8707): this server, or a part of it. `None` without one.
pub fn read_audience(
    resource: Option<&str>,
    base: &BaseUrl,
) -> Result<Option<TokenAudience>, OAuthError> {
    let Some(resource) = resource else {
        return Ok(None);
    };
    let url = Url::parse(resource).map_err(|_| OAuthError::InvalidTarget)?;
    let path = url.as_str().trim_end_matches('/');
    let path = path
        .strip_prefix(base.as_str())
        .ok_or(OAuthError::InvalidTarget)?;
    let audience = TokenAudience::of_path(path);
    let is_known = path == audience.path() || path.strip_prefix("/mcp/") == Some("account");
    if is_known {
        Ok(Some(audience))
    } else {
        Err(OAuthError::InvalidTarget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_of_others_are_left_out() {
        let check = |text: Option<&str>, expected: Option<&[&str]>| {
            let read = read_scopes(text).ok().map(Scopes::names);
            assert_eq!(read.as_deref(), expected, "{text:?}");
        };
        check(None, Some(&["read", "write"]));
        check(Some(""), Some(&["read", "write"]));
        check(Some("read"), Some(&["read"]));
        check(Some("offline_access write read"), Some(&["read", "write"]));
        check(Some("openid profile"), None);
    }

    #[test]
    fn resource_is_a_part_of_this_server() {
        let base: BaseUrl = "https://example.org/cite".parse().unwrap();
        let check = |resource: &str, expected: Option<TokenAudience>| {
            let read = read_audience(Some(resource), &base).ok().flatten();
            assert_eq!(read, expected, "{resource}");
        };
        check("https://example.org/cite", Some(TokenAudience::Everything));
        check("https://EXAMPLE.org/cite/", Some(TokenAudience::Everything));
        check("https://example.org/cite/mcp", Some(TokenAudience::Mcp));
        check(
            "https://example.org/cite/mcp/account",
            Some(TokenAudience::Mcp),
        );
        check(
            "https://example.org/cite/api/v1/",
            Some(TokenAudience::Rest),
        );
        check("https://example.org/cite/mcp/other", None);
        check("https://example.org/cited", None);
        check("https://example.org", None);
        check("https://evil.example/cite/mcp", None);
        check("mcp", None);
        assert_eq!(read_audience(None, &base).unwrap(), None);
    }
}
