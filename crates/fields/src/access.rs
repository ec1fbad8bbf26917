//! Licences, and addresses of open copies.

use citation_model::access::{CopyVersion, OpenCopy};

use super::set::web_address;

/// An open copy, as a source describes it. `None` if the address is none that a browser can open.
pub fn open_copy(
    url: &str,
    version: Option<&str>,
    license: Option<&str>,
    source: &str,
) -> Option<OpenCopy> {
    Some(OpenCopy {
        url: web_address(url)?,
        version: version.and_then(CopyVersion::parse),
        license: license.map(license_name).filter(|name| !name.is_empty()),
        source: source.to_owned(),
    })
}

/// Maximum length of the name of a licence, in characters.
const MAX_LICENSE: usize = 200;

/// A licence in lower case; the addresses of Creative Commons become names: `cc-by-nc-4.0`, `cc0-1.0`.
pub fn license_name(text: &str) -> String {
    let text = text.trim().to_ascii_lowercase();
    let path = text
        .split_once("creativecommons.org/")
        .map(|(_, path)| path);
    let mut parts = path.unwrap_or_default().split(['/', '#', '?']);
    let name = match (parts.next(), parts.next(), parts.next()) {
        (Some("licenses"), Some(kind), version) => Some((format!("cc-{kind}"), version)),
        (Some("publicdomain"), Some("zero"), version) => Some(("cc0".to_owned(), version)),
        (Some("publicdomain"), Some(_), _) => Some(("public-domain".to_owned(), None)),
        _ => None,
    };
    match name {
        Some((name, Some(version))) if !version.is_empty() => format!("{name}-{version}"),
        Some((name, _)) => name,
        None => text.chars().take(MAX_LICENSE).collect(),
    }
}

/// Whether a licence lets everybody read: those of Creative Commons, and open access as repositories state it
/// (info:eu-repo and COAR).
pub fn is_open(license: &str) -> bool {
    let name = license_name(license);
    ["cc-", "cc0", "public-domain"]
        .iter()
        .any(|start| name.starts_with(start))
        || name.starts_with("cc by")
        || name == "open access"
        || name.ends_with("eu-repo/semantics/openaccess")
        || name.ends_with("/access_right/c_abf2")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_have_one_name_and_say_whether_everybody_may_read() {
        let check = |text: &str, name: &str, open: bool| {
            assert_eq!((license_name(text).as_str(), is_open(text)), (name, open));
        };
        check(
            "http://creativecommons.org/licenses/by/4.0/",
            "cc-by-4.0",
            true,
        );
        check(
            "https://creativecommons.org/licenses/by-nc-nd/4.0/legalcode",
            "cc-by-nc-nd-4.0",
            true,
        );
        check("https://creativecommons.org/licenses/by", "cc-by", true);
        check(
            "https://creativecommons.org/publicdomain/zero/1.0/",
            "cc0-1.0",
            true,
        );
        check(
            "https://creativecommons.org/publicdomain/mark/1.0/",
            "public-domain",
            true,
        );
        check("CC-BY", "cc-by", true);
        check(
            "https://www.elsevier.com/tdm/userlicense/1.0/",
            "https://www.elsevier.com/tdm/userlicense/1.0/",
            false,
        );
        check(
            "info:eu-repo/semantics/openAccess",
            "info:eu-repo/semantics/openaccess",
            true,
        );
        check(
            "info:eu-repo/semantics/embargoedAccess",
            "info:eu-repo/semantics/embargoedaccess",
            false,
        );
        check(
            "http://purl.org/coar/access_right/c_abf2",
            "http://purl.org/coar/access_right/c_abf2",
            true,
        );
    }

    #[test]
    fn copy_needs_an_address_of_the_web() {
        let copy = open_copy(
            "https://example.org/a.pdf",
            Some("publishedVersion"),
            Some("cc-by"),
            "openalex",
        );
        assert_eq!(copy.unwrap().version, Some(CopyVersion::Published));
        for url in [
            "",
            "ftp://example.org/a.pdf",
            "javascript:alert(1)",
            "https://example.org/a b",
        ] {
            assert_eq!(open_copy(url, None, None, "openalex"), None, "{url}");
        }
    }
}
