//! The redirect to an identity provider and back.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::groups;
use super::issuer::{Issuer, IssuerMetadata, with_query};
use super::jwt::{ExpectedClaims, Jwt};
use super::{AuthenticatedPerson, GroupStatus, Issuers, OidcError, web};
use crate::store::users::Identity;

/// The time-out of a sign-in at the provider.
pub const LIFE_SECONDS: i64 = 10 * 60;

/// Where to redirect a browser, and the cookie to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderRedirect {
    /// The provider's page.
    pub location: String,
    /// The value of the cookie.
    pub cookie: String,
    /// The id of the flow, to link an identity.
    pub(super) link: String,
}

/// The parameters of a callback.
#[derive(Clone, Copy, Debug)]
pub struct Callback<'c> {
    /// The value of the cookie, if present.
    pub cookie: Option<&'c str>,
    pub state: Option<&'c str>,
    pub code: Option<&'c str>,
    /// The provider's error.
    pub error: Option<&'c str>,
    /// The issuer parameter (RFC 9207).
    pub issuer: Option<&'c str>,
    pub redirect_uri: &'c str,
}

/// A completed sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedSignIn {
    pub person: AuthenticatedPerson,
    pub return_to: String,
    /// The user is signed in and wants to link the identity. The id of the
    /// flow.
    pub link: Option<String>,
}

/// One flow. All its secrets are derived from the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flow {
    provider: String,
    seed: [u8; 32],
    began_at: i64,
    links: bool,
    return_to: String,
}

pub fn authorization_redirect(
    issuer: &Issuer,
    return_to: &str,
    links: bool,
    redirect_uri: &str,
    seed: [u8; 32],
    now: i64,
) -> Result<ProviderRedirect, OidcError> {
    let metadata = issuer.metadata(now)?;
    let flow = Flow {
        provider: issuer.settings.name.clone(),
        seed,
        began_at: now,
        links,
        return_to: return_to.to_owned(),
    };
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(flow.verifier()));
    let query = [
        ("response_type", "code"),
        ("client_id", issuer.settings.client_id.as_str()),
        ("redirect_uri", redirect_uri),
        ("scope", &issuer.settings.scopes.join(" ")),
        ("state", &flow.state()),
        ("nonce", &flow.nonce()),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    Ok(ProviderRedirect {
        location: with_query(&metadata.authorization_endpoint, &query),
        cookie: flow.to_cookie(),
        link: flow.link(),
    })
}

pub fn complete_sign_in(
    issuers: &Issuers,
    callback: &Callback<'_>,
    now: i64,
) -> Result<CompletedSignIn, OidcError> {
    let flow = callback
        .cookie
        .and_then(Flow::from_cookie)
        .ok_or(OidcError::NotBegun)?;
    if !(0..LIFE_SECONDS).contains(&(now - flow.began_at)) {
        return Err(OidcError::NotBegun);
    }
    let issuer = issuers.get(&flow.provider)?;
    let state = callback.state.unwrap_or_default();
    if !bool::from(state.as_bytes().ct_eq(flow.state().as_bytes())) {
        return Err(OidcError::WrongState);
    }
    if !issuers.use_once(flow.derive("used"), now) {
        return Err(OidcError::Used);
    }
    let metadata = issuer.metadata(now)?;
    check_answering(&metadata, callback.issuer)?;
    if let Some(error) = callback.error {
        let known = error
            .chars()
            .filter(|c| c.is_ascii_graphic())
            .take(60)
            .collect();
        return Err(OidcError::Refused(known));
    }
    let code = callback
        .code
        .ok_or_else(|| OidcError::Untrusted("the authorization code is missing".to_owned()))?;
    let tokens = redeem(issuer, &metadata, code, &flow, callback.redirect_uri)?;
    let claims = check(issuer, &metadata, &tokens, &flow, now)?;
    Ok(CompletedSignIn {
        person: person(issuer, &metadata, claims, &tokens)?,
        link: flow.links.then(|| flow.link()),
        return_to: flow.return_to,
    })
}

/// RFC 9207: an answer names its provider, if the provider says that it does so.
/// With several providers this prevents mix-up attacks.
fn check_answering(metadata: &IssuerMetadata, issuer: Option<&str>) -> Result<(), OidcError> {
    match issuer {
        Some(issuer) if issuer != metadata.issuer => Err(OidcError::Untrusted(format!(
            "{issuer} answered for {}",
            metadata.issuer
        ))),
        None if metadata.authorization_response_iss_parameter_supported => Err(
            OidcError::Untrusted("the answer does not name the provider".to_owned()),
        ),
        _ => Ok(()),
    }
}

/// The answer of the token endpoint.
#[derive(Deserialize)]
struct Tokens {
    id_token: Option<String>,
    access_token: Option<String>,
}

/// Exchanges the code for tokens.
fn redeem(
    issuer: &Issuer,
    metadata: &IssuerMetadata,
    code: &str,
    flow: &Flow,
    redirect_uri: &str,
) -> Result<Tokens, OidcError> {
    let client_id = issuer.settings.client_id.as_str();
    let secret = issuer.settings.client_secret.reveal();
    let verifier = flow.verifier();
    let mut form = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", redirect_uri),
        ("code_verifier", verifier.as_str()),
    ];
    let mut basic = None;
    if secret.is_empty() {
        form.push(("client_id", client_id));
    } else if metadata.wants_secret_in_form() {
        form.extend([("client_id", client_id), ("client_secret", secret)]);
    } else {
        basic = Some((client_id, secret));
    }
    let url = metadata.token_endpoint.as_str();
    let (status, body) = issuer.web.post(url, &form, basic)?;
    match status {
        200 => web::parse(url, &body),
        // RFC 6749, section 5.2.
        400 | 401 => {
            let error = serde_json::from_slice::<Value>(&body).ok();
            let code = error
                .as_ref()
                .and_then(|error| error.get("error")?.as_str());
            Err(OidcError::Refused(
                code.unwrap_or("invalid_request").chars().take(60).collect(),
            ))
        }
        status => Err(OidcError::Unreachable(format!("{url} answered {status}"))),
    }
}

/// Validates the ID token and returns its claims.
fn check(
    issuer: &Issuer,
    metadata: &IssuerMetadata,
    tokens: &Tokens,
    flow: &Flow,
    now: i64,
) -> Result<Map<String, Value>, OidcError> {
    let token = tokens.id_token.as_deref();
    let token = token.ok_or_else(|| OidcError::Untrusted("the ID token is missing".to_owned()))?;
    let jwt = Jwt::parse(token).map_err(OidcError::Untrusted)?;
    let keys = issuer.keys(metadata, jwt.key_id(), now)?;
    let expected = ExpectedClaims {
        issuer: &metadata.issuer,
        client_id: &issuer.settings.client_id,
        nonce: &flow.nonce(),
        access_token: tokens.access_token.as_deref(),
        now,
    };
    jwt.verify(&keys, &expected).map_err(OidcError::Untrusted)
}

/// Reads the person's identity; asks the user info endpoint if the ID token lacks the address, or groups
/// that are needed.
fn person(
    issuer: &Issuer,
    metadata: &IssuerMetadata,
    mut claims: Map<String, Value>,
    tokens: &Tokens,
) -> Result<AuthenticatedPerson, OidcError> {
    let settings = &issuer.settings;
    let subject = claims.get("sub").cloned();
    let lacks_groups = groups::matter(settings) && groups::claim(settings, &claims).is_none();
    if (lacks_groups || !claims.contains_key(&settings.email_claim))
        && let (Some(url), Some(token)) = (&metadata.userinfo_endpoint, &tokens.access_token)
    {
        let more: Map<String, Value> = issuer.web.get(url, Some(token))?;
        // OpenID Connect Core 1.0, section 5.3.2.
        if more.get("sub") != subject.as_ref() {
            return Err(OidcError::Untrusted(
                "the user info has another subject".to_owned(),
            ));
        }
        claims.extend(more);
    }
    let text = |name: &str| {
        let text = claims.get(name)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let is_verified = claims.get("email_verified") == Some(&Value::Bool(true));
    let name = text(&settings.name_claim);
    Ok(AuthenticatedPerson {
        group_status: GroupStatus::of(settings, &claims),
        identity: Identity {
            issuer: metadata.issuer.clone(),
            // Exact comparison: subjects are opaque.
            subject: subject
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            email: text(&settings.email_claim).filter(|_| is_verified),
        },
        // An invalid name is dropped instead of rejecting the sign-in.
        name: name
            .filter(|name| name.chars().count() <= 200 && !name.chars().any(char::is_control)),
    })
}

impl Flow {
    fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update(purpose);
        hash.finalize().into()
    }

    fn state(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.derive("state"))
    }

    fn nonce(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.derive("nonce"))
    }

    fn link(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.derive("link"))
    }

    /// 43 characters, as RFC 7636 recommends.
    fn verifier(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.derive("verifier"))
    }

    /// Provider, seed, time, whether it links, and the return path, separated by dots.
    fn to_cookie(&self) -> String {
        format!(
            "{}.{}.{}.{}.{}",
            self.provider,
            URL_SAFE_NO_PAD.encode(self.seed),
            self.began_at,
            u8::from(self.links),
            URL_SAFE_NO_PAD.encode(&self.return_to)
        )
    }

    fn from_cookie(text: &str) -> Option<Flow> {
        let mut parts = text.split('.');
        let provider = parts.next()?.to_owned();
        let seed = URL_SAFE_NO_PAD
            .decode(parts.next()?)
            .ok()?
            .try_into()
            .ok()?;
        let began_at = parts.next()?.parse().ok()?;
        let links = parts.next()? == "1";
        let return_to = String::from_utf8(URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok()?;
        parts.next().is_none().then_some(Flow {
            provider,
            seed,
            began_at,
            links,
            return_to,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flow_round_trips_through_its_cookie() {
        let flow = Flow {
            provider: "university".to_owned(),
            seed: [200; 32],
            began_at: 1_795_234_567,
            links: true,
            return_to: "/account?a=b.c&d=ä".to_owned(),
        };
        assert_eq!(Flow::from_cookie(&flow.to_cookie()), Some(flow.clone()));
        let secrets = [flow.state(), flow.nonce(), flow.verifier(), flow.link()];
        assert!(secrets.iter().all(|secret| secret.len() == 43));
        let distinct: std::collections::HashSet<_> = secrets.iter().collect();
        assert_eq!(distinct.len(), secrets.len());
        for text in [
            "",
            "a.b.c",
            "a.AAAA.1.0.AAAA",
            &format!("{}.x", flow.to_cookie()),
        ] {
            assert_eq!(Flow::from_cookie(text), None, "{text}");
        }
    }
}
