//! The programs that may ask for access: those that have registered themselves (RFC 7591), and those whose client
//! id is the address of a document that describes them (OAuth Client ID Metadata Document).

use std::net::IpAddr;

use serde::Deserialize;
use url::Url;

use super::error::OAuthError;
use crate::auth::Auth;
use crate::quota::address::Address;
use crate::store::oauth::ClientRow;
use citation_model::inert::is_invisible;

/// How a program describes itself. Members that are not listed do not matter here.
#[derive(Debug, Default, Deserialize)]
pub struct ClientMetadata {
    /// Only in documents: their own address.
    #[serde(default)]
    pub client_id: Option<String>,
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    #[serde(default)]
    pub client_name: Option<String>,
    #[serde(default)]
    pub client_uri: Option<String>,
    #[serde(default)]
    pub token_endpoint_auth_method: Option<String>,
    #[serde(default)]
    pub grant_types: Option<Vec<String>>,
    #[serde(default)]
    pub response_types: Option<Vec<String>>,
}

/// Maximum number of redirect URIs of a program.
pub const MAX_REDIRECT_URIS: usize = 20;

/// Maximum characters of a URI.
pub const MAX_URI_CHARS: usize = 1_000;

/// Maximum characters of a shown name. Longer ones are cut.
const NAME_CHARS: usize = 100;

/// How long what a document said is used without reading it again, in seconds.
const DOCUMENT_SECONDS: i64 = 60 * 60;

/// Schemes that a browser or a system may execute or show as content of its own.
const UNSAFE_SCHEMES: [&str; 9] = [
    "javascript",
    "data",
    "vbscript",
    "file",
    "blob",
    "about",
    "filesystem",
    "view-source",
    "ftp",
];

impl Auth {
    /// Registers a program. It has no secret.
    pub fn register_client(
        &self,
        metadata: &ClientMetadata,
        address: IpAddr,
    ) -> Result<ClientRow, OAuthError> {
        let settings = &self.programs.settings;
        let row = ClientRow {
            client_id: uuid::Uuid::new_v4().to_string(),
            ..described(metadata, false, self.clock.unix())?
        };
        let taken = self.programs.registrations.take(
            Address::of(address),
            settings.registrations_per_day,
            self.clock.elapsed_ms(),
        );
        if !taken.allowed {
            let retry_seconds = taken.retry_ms.div_ceil(1_000).max(1);
            return Err(OAuthError::TooManyClients { retry_seconds });
        }
        self.keep_client(&row)?;
        Ok(row)
    }

    /// The program of a client id. A document is read if it was not lately, which may take long.
    pub fn client(&self, client_id: &str) -> Result<ClientRow, OAuthError> {
        let known = self.store.oauth_client(client_id)?;
        let unknown = || {
            let text =
                "the program is not registered here, or was forgotten; it must register again";
            OAuthError::InvalidClient(text.to_owned())
        };
        let programs = &self.programs;
        if !programs.documents.is_address(client_id) {
            return known.filter(|row| !row.is_document).ok_or_else(unknown);
        }
        if !programs.settings.client_documents {
            return Err(unknown());
        }
        let now = self.clock.unix();
        let is_fresh = |row: &ClientRow| (0..DOCUMENT_SECONDS).contains(&(now - row.read_at));
        if let Some(row) = known.filter(is_fresh) {
            return Ok(row);
        }
        let wrong = |reason: String| {
            OAuthError::InvalidClient(format!("the document {client_id} cannot be used: {reason}"))
        };
        let document = programs.documents.read(client_id).map_err(wrong)?;
        let row = read_document(client_id, &document, now).map_err(wrong)?;
        self.keep_client(&row)?;
        self.store.oauth_client(client_id)?.ok_or_else(unknown)
    }

    fn keep_client(&self, row: &ClientRow) -> Result<(), OAuthError> {
        let most = self.programs.settings.max_clients.into();
        if self.store.put_oauth_client(row, most)? {
            Ok(())
        } else {
            Err(OAuthError::Full)
        }
    }
}

/// The program that a document describes, or what is wrong with it.
fn read_document(client_id: &str, document: &[u8], now: i64) -> Result<ClientRow, String> {
    let metadata: ClientMetadata = serde_json::from_slice(document)
        .map_err(|cause| format!("it is not such JSON: {cause}"))?;
    if metadata.client_id.as_deref() != Some(client_id) {
        return Err("its `client_id` is not its address".to_owned());
    }
    let method = metadata.token_endpoint_auth_method.as_deref();
    if method.is_some_and(|method| method.starts_with("client_secret")) {
        return Err("a program with a document has no secret".to_owned());
    }
    let row = described(&metadata, true, now).map_err(|cause| cause.to_string())?;
    Ok(ClientRow {
        client_id: client_id.to_owned(),
        ..row
    })
}

/// A program as described, without its id.
fn described(
    metadata: &ClientMetadata,
    is_document: bool,
    now: i64,
) -> Result<ClientRow, OAuthError> {
    let uris = &metadata.redirect_uris;
    if uris.is_empty() || uris.len() > MAX_REDIRECT_URIS {
        let text = format!("`redirect_uris` must have 1 to {MAX_REDIRECT_URIS} items");
        return Err(OAuthError::InvalidRedirectUri(text));
    }
    for uri in uris {
        check_redirect_uri(uri).map_err(|reason| {
            let shown: String = uri.chars().take(100).collect();
            OAuthError::InvalidRedirectUri(format!("“{shown}” {reason}"))
        })?;
    }
    let lacks = |list: &Option<Vec<String>>, name: &str| {
        list.as_ref()
            .is_some_and(|list| !list.iter().any(|item| item == name))
    };
    if lacks(&metadata.grant_types, "authorization_code") {
        let text = "`grant_types` must have `authorization_code`";
        return Err(OAuthError::InvalidClientMetadata(text.to_owned()));
    }
    if lacks(&metadata.response_types, "code") {
        let text = "`response_types` must have `code`";
        return Err(OAuthError::InvalidClientMetadata(text.to_owned()));
    }
    let is_page = |uri: &&str| {
        let url = Url::parse(uri);
        uri.chars().count() <= MAX_URI_CHARS
            && url.is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
    };
    Ok(ClientRow {
        id: 0,
        client_id: String::new(),
        name: shown_name(metadata.client_name.as_deref().unwrap_or_default()),
        uri: metadata
            .client_uri
            .as_deref()
            .filter(is_page)
            .map(str::to_owned),
        redirect_uris: uris.clone(),
        is_document,
        read_at: now,
    })
}

/// A name on one line, without characters that nobody sees. May be empty.
fn shown_name(name: &str) -> String {
    let visible = name
        .chars()
        .filter(|c| !c.is_control() && !is_invisible(*c));
    let text: String = visible.take(NAME_CHARS).collect();
    text.trim().to_owned()
}

/// What is wrong with a redirect URI: https, http on this machine, or a scheme of the program's own, without a
/// fragment (RFC 8252; OAuth 2.1, section 2.3.1).
pub fn check_redirect_uri(uri: &str) -> Result<(), &'static str> {
    if uri.chars().count() > MAX_URI_CHARS {
        return Err("is too long");
    }
    if !uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("has characters that are not in a URI");
    }
    let url = Url::parse(uri).map_err(|_| "is not an absolute URI")?;
    if url.fragment().is_some() {
        return Err("has a fragment");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("contains a user name");
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(&url) => Ok(()),
        "http" => Err("must use https, except on this machine"),
        scheme if UNSAFE_SCHEMES.contains(&scheme) => Err("has a scheme that is not allowed"),
        _ => Ok(()),
    }
}

/// Whether a requested redirect URI is a registered one: the same text, but for the port of a program on this
/// machine, which it gets when it starts (RFC 8252, section 7.3).
pub fn is_registered(requested: &str, registered: &[String]) -> bool {
    if registered.iter().any(|uri| uri == requested) {
        return true;
    }
    let without_port = |text: &str| {
        let mut url = Url::parse(text).ok()?;
        if url.scheme() != "http" || !is_loopback(&url) || url.fragment().is_some() {
            return None;
        }
        url.set_port(None).ok()?;
        Some(url)
    };
    let Some(wanted) = without_port(requested) else {
        return false;
    };
    let mut known = registered.iter().filter_map(|uri| without_port(uri));
    known.any(|uri| uri == wanted)
}

/// Whether an address is on the user's own machine.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_uri_leads_to_the_program_only() {
        let check = |uri: &str, expected: bool| {
            assert_eq!(check_redirect_uri(uri).is_ok(), expected, "{uri}");
        };
        check("https://app.example/callback", true);
        check("https://app.example/callback?a=b", true);
        check("http://127.0.0.1/callback", true);
        check("http://[::1]:8080/", true);
        check("http://localhost:33418", true);
        check("com.example.app:/callback", true);
        check("cursor://anysphere.cursor-retrieval/oauth/callback", true);
        check("http://app.example/callback", false);
        check("http://127.0.0.1.evil.example/", false);
        check("https://app.example/callback#here", false);
        check("https://user@app.example/", false);
        check("javascript:alert(1)", false);
        check("data:text/html,x", false);
        check("/callback", false);
        check("https://app.example/a b", false);
        check("", false);
    }

    #[test]
    fn redirect_uri_matches_exactly_but_for_the_port_of_this_machine() {
        let registered = [
            "https://app.example/cb",
            "http://127.0.0.1/cb",
            "http://localhost:1/x",
        ];
        let registered = registered.map(str::to_owned);
        let check = |uri: &str, expected: bool| {
            assert_eq!(is_registered(uri, &registered), expected, "{uri}");
        };
        check("https://app.example/cb", true);
        check("https://app.example/cb/", false);
        check("https://app.example/cb?x", false);
        check("https://app.example:8443/cb", false);
        check("https://app.example.evil/cb", false);
        check("http://127.0.0.1:5000/cb", true);
        check("http://127.0.0.1:5000/other", false);
        check("http://127.0.0.2:5000/cb", false);
        check("http://[::1]:5000/cb", false);
        check("http://localhost:2/x", true);
        check("http://localhost.evil.example/x", false);
        check("https://127.0.0.1:5000/cb", false);
    }

    #[test]
    fn document_describes_its_own_address() {
        let address = "https://app.example/client.json";
        let check = |document: &str, expected: Result<&str, &str>| {
            let read = read_document(address, document.as_bytes(), 0);
            let read = read.as_ref().map(|row| row.name.as_str());
            match expected {
                Ok(name) => assert_eq!(read, Ok(name), "{document}"),
                Err(part) => assert!(read.unwrap_err().contains(part), "{document}"),
            }
        };
        let uris = r#""redirect_uris": ["https://app.example/cb"]"#;
        check(
            &format!(r#"{{"client_id": "{address}", "client_name": "An\u202e App\n", {uris}}}"#),
            Ok("An App"),
        );
        check(
            &format!(r#"{{"client_id": "https://other.example/", {uris}}}"#),
            Err("its address"),
        );
        check(
            &format!(r#"{{"client_id": "{address}"}}"#),
            Err("redirect_uris"),
        );
        check(
            &format!(
                r#"{{"client_id": "{address}", "token_endpoint_auth_method": "client_secret_post", {uris}}}"#
            ),
            Err("no secret"),
        );
        check("<html>", Err("not such JSON"));
    }
}
