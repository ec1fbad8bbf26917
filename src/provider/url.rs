//! The little of addresses that redirects need: origin, path, and how a reference is joined.

use ureq::http::Uri;

/// An absolute `http` or `https` address without user and fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Url {
    /// `https://example.org:8443`, in lower case, default ports left out.
    origin: String,
    /// Path and query, beginning with a slash; empty for a bare origin.
    path: String,
    whole: String,
}

impl Url {
    /// Reads an absolute address. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Url, String> {
        let text = text.split('#').next().unwrap_or_default();
        let uri: Uri = text
            .parse()
            .map_err(|_| format!("“{text}” is not an address"))?;
        let scheme = uri.scheme_str().unwrap_or_default().to_ascii_lowercase();
        let default_port = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return Err(format!("“{text}” is neither http nor https")),
        };
        let authority = uri
            .authority()
            .ok_or_else(|| format!("“{text}” names no host"))?;
        if authority.as_str().contains('@') {
            return Err("the address holds a user name".into());
        }
        let host = authority.host().trim_end_matches('.').to_ascii_lowercase();
        if host.is_empty() {
            return Err(format!("“{text}” names no host"));
        }
        let port = authority.port_u16().filter(|port| *port != default_port);
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let origin = format!("{scheme}://{host}{port}");
        let path = uri.path_and_query().map_or("", |path| path.as_str());
        let path = if path == "/" { "" } else { path };
        Ok(Url::new(origin, path.to_owned()))
    }

    fn new(origin: String, path: String) -> Url {
        let whole = format!("{origin}{path}");
        Url {
            origin,
            path,
            whole,
        }
    }

    pub fn as_str(&self) -> &str {
        &self.whole
    }

    /// The address with a path behind its own.
    pub fn with_path(&self, path: &str) -> Url {
        Url::new(self.origin.clone(), format!("{}{path}", self.path))
    }

    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// The same address over https.
    pub fn over_https(&self) -> Url {
        let origin = self.origin.strip_prefix("http://");
        let origin = origin.map(|host| format!("https://{host}"));
        Url::new(
            origin.unwrap_or_else(|| self.origin.clone()),
            self.path.clone(),
        )
    }

    pub fn has_origin_of(&self, other: &Url) -> bool {
        self.origin == other.origin
    }

    /// Resolves a reference against this address (RFC 3986, 5.2; dots in paths are left alone).
    pub fn join(&self, reference: &str) -> Result<Url, String> {
        let reference = reference.trim();
        if reference.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err("the address holds white space".into());
        }
        if let Some(rest) = reference.strip_prefix("//") {
            let scheme = self.origin.split(':').next().unwrap_or_default();
            return Url::parse(&format!("{scheme}://{rest}"));
        }
        let before_path = reference.split(['/', '?', '#']).next().unwrap_or_default();
        if before_path.contains(':') {
            return Url::parse(reference);
        }
        let own_path = self.path.split('?').next().unwrap_or_default();
        let path = match reference.chars().next() {
            None | Some('#') => self.path.clone(),
            Some('/') => reference.to_owned(),
            Some('?') => format!("{own_path}{reference}"),
            Some(_) => {
                let folder = own_path.rfind('/').and_then(|at| own_path.get(..at));
                format!("{}/{reference}", folder.unwrap_or_default())
            }
        };
        Url::parse(&format!("{}{path}", self.origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(base: &str, reference: &str) -> String {
        let joined = Url::parse(base).unwrap().join(reference);
        joined.map_or_else(|reason| format!("refused: {reason}"), |url| url.whole)
    }

    #[test]
    fn references_are_joined() {
        let base = "https://doi.org/10.1/abc?x=1";
        assert_eq!(join(base, "/y"), "https://doi.org/y");
        assert_eq!(join(base, "def"), "https://doi.org/10.1/def");
        assert_eq!(join(base, "?z"), "https://doi.org/10.1/abc?z");
        assert_eq!(join(base, "//data.example/q#f"), "https://data.example/q");
        assert_eq!(
            join(base, "https://a.example/10%2F1"),
            "https://a.example/10%2F1"
        );
    }

    #[test]
    fn other_schemes_and_tricks_are_refused() {
        for reference in [
            "file:///etc/passwd",
            "gopher://x/",
            "https://user@host/",
            "https://",
            "http:",
            "javascript:alert(1)",
            "https://a b/",
        ] {
            assert!(
                join("https://doi.org/", reference).starts_with("refused"),
                "{reference}"
            );
        }
    }

    #[test]
    fn origins_are_compared_as_they_are_meant() {
        let same = |a: &str, b: &str| {
            Url::parse(a)
                .unwrap()
                .has_origin_of(&Url::parse(b).unwrap())
        };
        assert!(same("http://A.example:80/x", "http://a.example/y"));
        assert!(!same("http://a.example", "https://a.example"));
        assert!(!same("http://127.0.0.1:1", "http://127.0.0.1:2"));
    }
}
