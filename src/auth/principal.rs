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
    /// None: the server itself works for the account.
    Server,
}

/// The permissions of an API key.
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
