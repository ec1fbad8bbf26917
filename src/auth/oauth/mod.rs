//! Letting programs in (OAuth 2.1): an account allows a program some scopes, and the program gets tokens that it
//! renews by itself. Programs have no secret; PKCE proves that whoever exchanges a code has asked for it.
//!
//! - `programs`: the settings and what they need · `clients`: the programs · `request`: what they ask for · `pkce`: the proof
//! - here: codes and tokens, and what a user has allowed

mod clients;
mod error;
mod pkce;
pub mod programs;
pub mod request;

pub use clients::{ClientMetadata, MAX_REDIRECT_URIS, MAX_URI_CHARS};
pub use error::OAuthError;

use super::accounts::Actor;
use super::principal::{Account, Scopes};
use super::token::{SecretToken, TokenKind};
use super::{Auth, AuthError, DAY_SECONDS};
use crate::config::BaseUrl;
use crate::store::StoreError;
use crate::store::oauth::{CodeUse, Exchange, GrantRow, NewGrant, NewTokens, RefreshUse};
use request::{AuthorizationRequest, Parameters, read_audience, read_scopes};

/// Tokens for a program, shown once.
#[derive(Debug)]
pub struct IssuedTokens {
    pub access: SecretToken,
    /// Seconds.
    pub expires_in: i64,
    pub refresh: SecretToken,
    pub scopes: Scopes,
}

/// The lifetime of a code, in seconds.
const CODE_SECONDS: i64 = 60;

/// Maximum number of grants of an account.
const MAX_GRANTS: u32 = 100;

impl Auth {
    /// Stores that a user lets a program in, for the scopes that both want. Returns the code for the program.
    pub fn allow(
        &self,
        account: &Account,
        request: &AuthorizationRequest,
        scopes: Scopes,
        actor: &Actor,
    ) -> Result<SecretToken, AuthError> {
        let code = SecretToken::new(TokenKind::Code, self.random()?);
        let scopes = Scopes::from_bits(scopes.bits() & request.scopes.bits());
        let new = NewGrant {
            uid: uuid::Uuid::new_v4().to_string(),
            user: account.id,
            client: request.client.id,
            scopes: scopes.bits(),
            audience: request.audience.number(),
            code: code.hash(),
            challenge: request.challenge.clone(),
            redirect_uri: request.redirect_uri.clone(),
            code_expires_at: self.clock.unix() + CODE_SECONDS,
        };
        let event = self
            .event(actor, "program.allow", &account.uid)
            .with(format!(
                "grant={} client={} scopes={}",
                new.uid,
                request.client.client_id,
                scopes.names().join("+")
            ));
        self.store.add_grant(&new, MAX_GRANTS, &event)?;
        self.epoch.raise();
        Ok(code)
    }

    /// Exchanges a code or a refresh token for tokens (OAuth 2.1, sections 4.1.3 and 4.3).
    pub fn issue_tokens(
        &self,
        parameters: &impl Parameters,
        base: &BaseUrl,
        actor: &Actor,
    ) -> Result<IssuedTokens, OAuthError> {
        let required = |name| {
            let value = parameters.parameter(name)?;
            value.ok_or_else(|| OAuthError::missing(name))
        };
        let grant_type = required("grant_type")?;
        let client_id = match grant_type {
            "authorization_code" | "refresh_token" => required("client_id")?,
            _ => return Err(OAuthError::UnsupportedGrantType),
        };
        let audience = read_audience(parameters.parameter("resource")?, base)?;
        let audience = audience.map(|audience| audience.number());
        let tokens = self.new_tokens()?;
        let stored = &tokens.stored;
        let ended = self.event(actor, "program.reuse", "");
        let unknown = OAuthError::InvalidGrant("it is unknown, has expired or was revoked");
        let exchange = if grant_type == "refresh_token" {
            let token = SecretToken::parse(TokenKind::Refresh, required("refresh_token")?);
            let refresh = RefreshUse {
                token: token.ok_or(unknown)?.hash(),
                client_id,
                scopes: read_scopes(parameters.parameter("scope")?)?.bits(),
                audience,
            };
            self.store.use_refresh_token(&refresh, stored, &ended)?
        } else {
            let verifier = pkce::challenge(required("code_verifier")?);
            let code = SecretToken::parse(TokenKind::Code, required("code")?);
            let code = CodeUse {
                code: code.ok_or(unknown)?.hash(),
                client_id,
                redirect_uri: parameters.parameter("redirect_uri")?,
                challenge: &verifier.unwrap_or_default(),
                audience,
            };
            self.store.use_code(&code, stored, &ended)?
        };
        if matches!(exchange, Exchange::Reused | Exchange::Mismatch) {
            // The grant may have ended with it.
            self.epoch.raise();
        }
        let scopes = match exchange {
            Exchange::Done { scopes } => Scopes::from_bits(scopes),
            Exchange::Unknown => {
                let text = "it is unknown, has expired or was revoked";
                return Err(OAuthError::InvalidGrant(text));
            }
            Exchange::Reused => {
                let text = "it was used before, so everything that came from it was revoked";
                return Err(OAuthError::InvalidGrant(text));
            }
            Exchange::Mismatch => {
                let text = "it belongs to another client, redirect URI, verifier or resource";
                return Err(OAuthError::InvalidGrant(text));
            }
            Exchange::NoScope => return Err(OAuthError::InvalidScope),
        };
        Ok(IssuedTokens {
            access: tokens.access,
            expires_in: self.access_seconds(),
            refresh: tokens.refresh,
            scopes,
        })
    }

    fn access_seconds(&self) -> i64 {
        i64::from(self.programs.settings.access_token_minutes) * 60
    }

    fn new_tokens(&self) -> Result<FreshTokens, AuthError> {
        let access = SecretToken::new(TokenKind::Access, self.random()?);
        let refresh = SecretToken::new(TokenKind::Refresh, self.random()?);
        let now = self.clock.unix();
        let refresh_days = i64::from(self.programs.settings.refresh_token_days);
        Ok(FreshTokens {
            stored: NewTokens {
                access: access.hash(),
                access_expires_at: now + self.access_seconds(),
                refresh: refresh.hash(),
                refresh_expires_at: now + refresh_days * DAY_SECONDS,
            },
            access,
            refresh,
        })
    }

    /// Revokes a token of a program (RFC 7009): a refresh token with everything that came from it. One that is
    /// not known is revoked already.
    pub fn revoke_token(
        &self,
        parameters: &impl Parameters,
        actor: &Actor,
    ) -> Result<(), OAuthError> {
        let text = parameters.parameter("token")?;
        let text = text.ok_or_else(|| OAuthError::missing("token"))?;
        let client_id = parameters.parameter("client_id")?;
        let kinds = [TokenKind::Refresh, TokenKind::Access];
        let token = { kinds.into_iter() }.find_map(|kind| SecretToken::parse(kind, text));
        if let Some(token) = token {
            let event = self.event(actor, "program.revoke", "");
            self.store.revoke_token(&token.hash(), client_id, &event)?;
            self.epoch.raise();
        }
        Ok(())
    }

    /// What a user has allowed programs.
    pub fn grants(&self, user: i64) -> Result<Vec<GrantRow>, StoreError> {
        self.store.grants(user)
    }

    /// Ends what a user has allowed a program. Returns whether there was such a grant.
    pub fn end_grant(
        &self,
        account: &Account,
        grant: &str,
        actor: &Actor,
    ) -> Result<bool, AuthError> {
        let event = self
            .event(actor, "program.revoke", &account.uid)
            .with(format!("grant={grant}"));
        let ended = self.store.end_user_grant(account.id, grant, &event)?;
        self.epoch.raise();
        Ok(ended)
    }

    /// Whether programs can ask for access.
    pub fn lets_programs_in(&self) -> bool {
        self.programs.is_enabled()
    }
}

/// New tokens, and what is stored of them.
struct FreshTokens {
    access: SecretToken,
    refresh: SecretToken,
    stored: NewTokens,
}
