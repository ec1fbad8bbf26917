//! Types of single values: base addresses, networks, secrets, and optional values.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::{ParseError, Url};

/// An `http` or `https` base URL. It has no user, query or
/// fragment and never ends in `/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct BaseUrl(String);

impl BaseUrl {
    /// An address from the program's own text, already normalised.
    pub(super) fn known(text: &'static str) -> BaseUrl {
        BaseUrl(text.to_owned())
    }

    /// The address of a host and port, without TLS.
    pub(super) fn http(host: &str, port: u16) -> BaseUrl {
        BaseUrl(format!("http://{host}:{port}"))
    }

    /// The address of a folder below this one.
    pub(super) fn under(&self, folder: &str) -> BaseUrl {
        BaseUrl(self.join(folder))
    }

    /// The whole address, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address followed by `path`, with exactly one slash between them.
    pub fn join(&self, path: &str) -> String {
        format!("{}/{}", self.0, path.trim_start_matches('/'))
    }

    /// Whether the address is reached over TLS.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// Only scheme, host and port, as a browser sends them in `Origin`.
    pub fn origin(&self) -> &str {
        let host = self.0.find("://").map_or(0, |at| at + 3);
        let path = self.0.match_indices('/').find(|(at, _)| *at >= host);
        path.and_then(|(at, _)| self.0.get(..at)).unwrap_or(&self.0)
    }
}

impl FromStr for BaseUrl {
    type Err = &'static str;

    /// Describes the error in the text.
    fn from_str(text: &str) -> Result<BaseUrl, &'static str> {
        if text.contains(['?', '#']) {
            return Err("has a query or a fragment");
        }
        let url = Url::parse(text).map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => "is not an http or https URL",
            ParseError::EmptyHost => "has no host",
            ParseError::InvalidPort => "has no valid port after its host",
            _ => "is not a URL",
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("is not an http or https URL");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("contains a user name");
        }
        Ok(BaseUrl(url.as_str().trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<BaseUrl> for String {
    fn from(url: BaseUrl) -> String {
        url.0
    }
}

impl TryFrom<String> for BaseUrl {
    type Error = &'static str;

    fn try_from(text: String) -> Result<BaseUrl, &'static str> {
        text.parse()
    }
}

/// A range of addresses, written `10.0.0.0/8`, or a single one, written alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Network {
    address: IpAddr,
    /// Number of significant leading bits, 0 to 32 or 128.
    prefix: u8,
}

impl Network {
    /// Whether `address` lies inside. An IPv4 address mapped into IPv6 counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let differing = own.to_bits() ^ other.to_bits();
                differing.leading_zeros() >= u32::from(self.prefix)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let differing = own.to_bits() ^ other.to_bits();
                differing.leading_zeros() >= u32::from(self.prefix)
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Network, &'static str> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| "is not an IP address")?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(text) => text.parse().map_err(|_| "has no number after the slash")?,
            None => bits,
        };
        if prefix > bits {
            return Err("has more bits after the slash than an address");
        }
        Ok(Network { address, prefix })
    }
}

impl From<Network> for String {
    fn from(network: Network) -> String {
        format!("{}/{}", network.address, network.prefix)
    }
}

impl TryFrom<String> for Network {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Network, &'static str> {
        text.parse()
    }
}

/// A value that is never printed: neither `Debug` nor `Serialize` show it.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

/// The placeholder for a secret in output.
pub(super) const MASK: &str = "********";

impl Secret {
    /// The secret itself. Empty if none is set.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether none is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn mask(&self) -> &'static str {
        if self.0.is_empty() { "" } else { MASK }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({})", self.mask())
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.mask())
    }
}

/// Serde for an optional value whose absence is the empty text.
pub(super) mod blank {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T, S>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize,
        S: Serializer,
    {
        super::serialize_or(value, "", serializer)
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        super::deserialize_or("", deserializer)
    }
}

/// Serde for an optional value whose absence is `off`.
pub(super) mod off {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T, S>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize,
        S: Serializer,
    {
        super::serialize_or(value, "off", serializer)
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        super::deserialize_or("off", deserializer)
    }
}

fn serialize_or<T, S>(value: &Option<T>, absent: &str, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Serialize,
    S: serde::Serializer,
{
    match value {
        Some(value) => value.serialize(serializer),
        None => serializer.serialize_str(absent),
    }
}

fn deserialize_or<'de, T, D>(absent: &str, deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    use serde::de::IntoDeserializer;

    let text = String::deserialize(deserializer)?;
    if text == absent {
        return Ok(None);
    }
    T::deserialize(text.into_deserializer()).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_are_normalised() {
        let check = |text: &str, expected: Result<&str, &str>| {
            let found = text.parse::<BaseUrl>();
            assert_eq!(
                found.as_ref().map(BaseUrl::as_str).map_err(|e| *e),
                expected,
                "{text}"
            );
        };
        check("https://Example.org/", Ok("https://example.org"));
        check("http://127.0.0.1:8080", Ok("http://127.0.0.1:8080"));
        check("http://[::1]:8080/a/b/", Ok("http://[::1]:8080/a/b"));
        check("https://example.org/API", Ok("https://example.org/API"));
        check("example.org", Err("is not an http or https URL"));
        check("/path", Err("is not an http or https URL"));
        check("ftp://example.org", Err("is not an http or https URL"));
        check("https://example.org?a=b", Err("has a query or a fragment"));
        check("https://example.org/#top", Err("has a query or a fragment"));
        check("https://user:pw@example.org", Err("contains a user name"));
        check(
            "https://example.org:99999",
            Err("has no valid port after its host"),
        );
        check("https://:80", Err("has no host"));
        check("https://Example.org:443/a", Ok("https://example.org/a"));
        check("https://", Err("has no host"));
        check("https://exa mple.org", Err("is not a URL"));
        check("", Err("is not an http or https URL"));
    }

    #[test]
    fn paths_join_with_one_slash() {
        let url: BaseUrl = "https://example.org/sub/".parse().unwrap();
        assert_eq!(url.join("/api/v1"), "https://example.org/sub/api/v1");
        assert_eq!(url.join("api/v1"), "https://example.org/sub/api/v1");
        assert_eq!(url.origin(), "https://example.org");
    }

    #[test]
    fn networks_contain_their_addresses() {
        let check = |network: &str, address: &str, expected: bool| {
            let network: Network = network.parse().unwrap();
            let address = address.parse().unwrap();
            assert_eq!(network.contains(address), expected, "{network:?} {address}");
        };
        check("10.0.0.0/8", "10.255.0.1", true);
        check("10.0.0.0/8", "11.0.0.1", false);
        check("10.0.0.7", "10.0.0.7", true);
        check("10.0.0.7", "10.0.0.6", false);
        check("0.0.0.0/0", "203.0.113.9", true);
        check("0.0.0.0/0", "2001:db8::1", false);
        check("10.0.0.0/8", "::ffff:10.1.2.3", true);
        check("2001:db8::/32", "2001:db8:ffff::1", true);
        check("2001:db8::/32", "2001:db9::1", false);
        check("::/0", "2001:db9::1", true);
    }

    #[test]
    fn malformed_networks_are_rejected() {
        for text in [
            "",
            "10.0.0",
            "10.0.0.0/33",
            "::/129",
            "10.0.0.0/",
            "10.0.0.0/x",
            "host/8",
        ] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let secret = Secret("hunter2".to_owned());
        assert_eq!(format!("{secret:?}"), "Secret(********)");
        assert_eq!(serde_json::to_string(&secret).unwrap(), "\"********\"");
        assert_eq!(secret.reveal(), "hunter2");
        assert_eq!(serde_json::to_string(&Secret::default()).unwrap(), "\"\"");
    }
}
