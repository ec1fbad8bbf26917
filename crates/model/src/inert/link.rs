//! Addresses that may be links. Every other one, such as `javascript:…` or `data:…`, is written as text.

use super::is_invisible;

/// The schemes of links, and what follows them.
const SCHEMES: [&str; 4] = ["http://", "https://", "ftp://", "mailto:"];

/// The address without blanks around it, if a writer may make it a link: one of the web, of a file server or of a
/// mailbox, without blanks and invisible characters.
pub fn parse(text: &str) -> Option<&str> {
    let address = text.trim();
    let is_link = SCHEMES.iter().any(|scheme| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && address.len() > scheme.len()
    });
    let is_whole = !address.contains(|c: char| c.is_whitespace() || is_invisible(c));
    (is_link && is_whole).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_known_schemes_are_links() {
        for link in [
            "http://example.org",
            "HTTPS://example.org/a?b=\"c\"",
            " ftp://example.org/x ",
            "mailto:jane@example.org",
        ] {
            assert_eq!(parse(link), Some(link.trim()), "{link}");
        }
        for text in [
            "",
            "http://",
            "javascript:alert(1)",
            "JavaScript://example.org/%0aalert(1)",
            "java\u{200b}script:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "//example.org",
            "example.org",
            "http://example.org/a b",
            "http://example.org/\u{202e}gro",
            "http://example.org/\u{1b}]8",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
