//! Browser and system names from `User-Agent` (RFC 9110, section 10.1.5).

/// Browser tokens; browsers that also send the tokens of others come first.
const BROWSERS: [(&str, &str); 12] = [
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// System tokens, in the same order.
const SYSTEMS: [(&str, &str); 9] = [
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
    ("BSD", "BSD"),
];

/// The browser and the system of a `User-Agent`, if known.
pub fn names_of(agent: &str) -> (Option<&'static str>, Option<&'static str>) {
    let first = |known: &[(&str, &'static str)]| {
        let found = known.iter().find(|(token, _)| agent.contains(token));
        found.map(|(_, name)| *name)
    };
    (first(&BROWSERS), first(&SYSTEMS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_and_systems_are_recognised() {
        let check = |agent, browser, system| assert_eq!(names_of(agent), (browser, system));
        check(
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
            Some("Firefox"),
            Some("Windows"),
        );
        check(
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0",
            Some("Edge"),
            Some("Windows"),
        );
        check(
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
            Some("Safari"),
            Some("macOS"),
        );
        check(
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36",
            Some("Chrome"),
            Some("Android"),
        );
        check(
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/141.0 Mobile Safari/604.1",
            Some("Chrome"),
            Some("iPhone"),
        );
        check("curl/8.5.0", None, None);
        check("", None, None);
    }
}
