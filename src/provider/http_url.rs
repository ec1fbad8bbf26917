//! Which addresses are requested: `http` and `https` without a user. The crate `url` parses them like
//! browsers, so that a check and the following request mean the same host.

use url::{ParseError, Url};

/// Parses an absolute address, or returns what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Url, String> {
    checked(Url::parse(text), text)
}

/// Resolves a reference, as in a redirect, against its base address.
pub(super) fn join(base: &Url, reference: &str) -> Result<Url, String> {
    checked(base.join(reference), reference)
}

/// The address with a path and a query, both encoded, appended to its own path.
pub(super) fn with_path(base: &Url, path: &str) -> Url {
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path, None),
    };
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url.set_query(query);
    url
}

fn checked(parsed: Result<Url, ParseError>, text: &str) -> Result<Url, String> {
    let mut url = parsed.map_err(|error| format!("“{text}” is not an address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("“{text}” is neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the address contains a user name".into());
    }
    url.set_fragment(None);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(base: &str, reference: &str) -> String {
        let joined = super::join(&parse(base).unwrap(), reference);
        joined.map_or_else(|reason| format!("refused: {reason}"), String::from)
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
    fn joined_references_have_their_real_host() {
        let base = "https://doi.org/10.1/abc";
        assert_eq!(join(base, r"\\a.example/x"), "https://a.example/x");
        assert_eq!(join(base, "https:/a.example"), "https://doi.org/a.example");
        assert_eq!(join(base, "http://0x7f.1/"), "http://127.0.0.1/");
        assert_eq!(
            join(base, "https://bücher.example/"),
            "https://xn--bcher-kva.example/"
        );
    }

    #[test]
    fn unsafe_urls_are_rejected() {
        for reference in [
            "file:///etc/passwd",
            "gopher://x/",
            "https://user@host/",
            "https://",
            "http:",
            "javascript:alert(1)",
            "java\tscript:alert(1)",
            "https://a b/",
        ] {
            assert!(
                join("https://doi.org/", reference).starts_with("refused"),
                "{reference}"
            );
        }
    }

    #[test]
    fn paths_stay_encoded() {
        let with = |base: &str, path: &str| with_path(&parse(base).unwrap(), path).to_string();
        assert_eq!(
            with("https://a.example", "/w/10.1%2Fx?q=%20"),
            "https://a.example/w/10.1%2Fx?q=%20"
        );
        assert_eq!(
            with("http://a.example:81/v1/", "/w"),
            "http://a.example:81/v1/w"
        );
    }

    #[test]
    fn origins_are_normalised_before_comparison() {
        let same = |a: &str, b: &str| parse(a).unwrap().origin() == parse(b).unwrap().origin();
        assert!(same("http://A.example:80/x", "http://a.example/y"));
        assert!(!same("http://a.example", "https://a.example"));
        assert!(!same("http://127.0.0.1:1", "http://127.0.0.1:2"));
    }
}
