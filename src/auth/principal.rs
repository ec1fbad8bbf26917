//! The authenticated caller and its credential.

use std::sync::Arc;

use citation_model::plan::Plan;

/// An account, as the HTTP layer needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The row id.
    pub id: i64,
    /// UUID.
    pub uid: String,
    pub email: Option<String>,
    pub name: Option<String>,
    pub plan: Plan,
}

/// A caller with a valid credential.
#[derive(Clone, Debug)]
pub struct Principal {
    pub account: Arc<Account>,
    pub credential: Credential,
}

/// The credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    ApiKey {
        id: i64,
        scopes: Scopes,
    },
    Session {
        id: i64,
        /// The session has been extended, and its cookie should be renewed.
        extended: bool,
    },
    /// A token of an OAuth program.
    AccessToken {
        /// The row id of the grant.
        id: i64,
        scopes: Scopes,
        audience: TokenAudience,
    },
    /// None: the server itself works for the account.
    Server,
}

impl Credential {
    /// The permissions of a key or a token; `None`: all.
    pub fn scopes(&self) -> Option<Scopes> {
        match self {
            Credential::ApiKey { scopes, .. } | Credential::AccessToken { scopes, .. } => {
                Some(*scopes)
            }
            Credential::Session { .. } | Credential::Server => None,
        }
    }
}

/// Where an access token is valid (RFC 8707): at the paths below the resource that it was issued for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenAudience {
    Everything,
    Mcp,
    Rest,
}

impl TokenAudience {
    const ALL: [TokenAudience; 3] = [
        TokenAudience::Everything,
        TokenAudience::Mcp,
        TokenAudience::Rest,
    ];

    /// The path of the resource below the base address; empty for the whole server.
    pub fn path(self) -> &'static str {
        match self {
            TokenAudience::Everything => "",
            TokenAudience::Mcp => "/mcp",
            TokenAudience::Rest => "/api/v1",
        }
    }

    /// Whether a path is the resource, or below it.
    pub fn covers(self, path: &str) -> bool {
        let rest = path.strip_prefix(self.path());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The smallest resource that a path belongs to.
    pub fn of_path(path: &str) -> TokenAudience {
        let narrow = TokenAudience::ALL.into_iter().skip(1);
        { narrow }
            .find(|audience| audience.covers(path))
            .unwrap_or(TokenAudience::Everything)
    }

    pub fn number(self) -> u8 {
        match self {
            TokenAudience::Everything => 0,
            TokenAudience::Mcp => 1,
            TokenAudience::Rest => 2,
        }
    }

    /// The audience of a stored number.
    pub fn from_number(number: u8) -> Option<TokenAudience> {
        { TokenAudience::ALL.into_iter() }.find(|audience| audience.number() == number)
    }
}

/// The permissions of an API key or an access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes {
    pub read: bool,
    pub write: bool,
}

impl Scopes {
    pub const ALL: Scopes = Scopes {
        read: true,
        write: true,
    };

    /// Parses names; `None` for an empty list, or an unknown scope.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Option<Scopes> {
        let mut scopes = Scopes {
            read: false,
            write: false,
        };
        for name in names {
            match name.as_ref() {
                "read" => scopes.read = true,
                "write" => scopes.write = true,
                _ => return None,
            }
        }
        (scopes.read || scopes.write).then_some(scopes)
    }

    pub fn names(self) -> Vec<&'static str> {
        let all = [(self.read, "read"), (self.write, "write")];
        all.into_iter()
            .filter(|(has, _)| *has)
            .map(|(_, name)| name)
            .collect()
    }

    /// The stored bits: 1 read, 2 write.
    pub fn bits(self) -> u8 {
        u8::from(self.read) | u8::from(self.write) << 1
    }

    pub fn from_bits(bits: u8) -> Scopes {
        Scopes {
            read: bits & 1 != 0,
            write: bits & 2 != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_valid_below_its_resource() {
        let check = |audience: TokenAudience, path: &str, expected: bool| {
            assert_eq!(audience.covers(path), expected, "{audience:?} {path}");
        };
        check(TokenAudience::Everything, "/api/v1/me", true);
        check(TokenAudience::Everything, "/mcp", true);
        check(TokenAudience::Mcp, "/mcp", true);
        check(TokenAudience::Mcp, "/mcp/account", true);
        check(TokenAudience::Mcp, "/mcpx", false);
        check(TokenAudience::Mcp, "/api/v1/me", false);
        check(TokenAudience::Rest, "/api/v1/me", true);
        check(TokenAudience::Rest, "/api/v1", true);
        check(TokenAudience::Rest, "/mcp", false);
        assert_eq!(TokenAudience::of_path("/mcp/account"), TokenAudience::Mcp);
        assert_eq!(
            TokenAudience::of_path("/doi/10.1/x"),
            TokenAudience::Everything
        );
        for audience in TokenAudience::ALL {
            assert_eq!(
                TokenAudience::from_number(audience.number()),
                Some(audience)
            );
        }
    }

    #[test]
    fn scopes_round_trip() {
        let check = |names: &[&str], bits: Option<u8>| {
            assert_eq!(Scopes::parse(names).map(Scopes::bits), bits, "{names:?}");
        };
        check(&["read"], Some(1));
        check(&["write"], Some(2));
        check(&["write", "read", "read"], Some(3));
        check(&[], None);
        check(&["read", "admin"], None);
        assert_eq!(Scopes::from_bits(3).names(), ["read", "write"]);
    }
}
