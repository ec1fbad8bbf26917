//! Choosing a representation by the `Accept` header (RFC 9110, section 12.5.1).

/// One range of an `Accept` header, with its parameters but without `q`.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// `text/x-bibliography`, `text/*`, `*/*`; in lower case.
    pub range: String,
    /// Names in lower case.
    pub parameters: Vec<(String, String)>,
    quality: f32,
}

impl Accepted {
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(present, _)| present == name)
            .map(|(_, value)| value.as_str())
    }

    fn covers(&self, media_type: &str) -> bool {
        match self.range.split_once('/') {
            Some(("*", "*")) => true,
            Some((kind, "*")) => media_type.split('/').next() == Some(kind),
            _ => self.range == media_type,
        }
    }
}

/// The ranges of a header, best first; equal quality keeps the header's order, except that more
/// specific ranges come before wildcards.
fn parse(header: &str) -> Vec<Accepted> {
    let mut ranges: Vec<Accepted> = header.split(',').filter_map(parse_range).collect();
    let wildness = |accepted: &Accepted| accepted.range.matches('*').count();
    ranges.sort_by(|a, b| {
        b.quality
            .total_cmp(&a.quality)
            .then(wildness(a).cmp(&wildness(b)))
    });
    ranges
}

fn parse_range(text: &str) -> Option<Accepted> {
    let mut parts = text.split(';').map(str::trim);
    let range = parts.next()?.to_ascii_lowercase();
    if !range.contains('/') {
        return None;
    }
    let mut quality = 1.0;
    let mut parameters = Vec::new();
    for part in parts {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let name = name.trim().to_ascii_lowercase();
        let value = value.trim().trim_matches('"');
        if name == "q" {
            quality = value.parse().unwrap_or(0.0);
        } else {
            parameters.push((name, value.to_owned()));
        }
    }
    (quality > 0.0).then_some(Accepted {
        range,
        parameters,
        quality,
    })
}

/// Picks from `available` (the first is what `*/*` gets). Without a header the first is chosen;
/// nothing where none is acceptable.
pub fn choose<'a>(header: Option<&str>, available: &[&'a str]) -> Option<(&'a str, Accepted)> {
    let ranges = parse(header.filter(|h| !h.trim().is_empty()).unwrap_or("*/*"));
    ranges.into_iter().find_map(|accepted| {
        let media_type = available
            .iter()
            .find(|media_type| accepted.covers(media_type))?;
        Some((*media_type, accepted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: &str, expected: Option<&str>) {
        let available = [
            "application/json",
            "application/x-bibtex",
            "text/x-bibliography",
        ];
        let chosen = choose(Some(header), &available).map(|(media_type, _)| media_type);
        assert_eq!(chosen, expected, "{header}");
    }

    #[test]
    fn the_best_range_decides() {
        check("*/*", Some("application/json"));
        check("", Some("application/json"));
        check(
            "text/*;q=0.2, application/x-bibtex;q=0.9",
            Some("application/x-bibtex"),
        );
        check("*/*, text/x-bibliography", Some("text/x-bibliography"));
        check("image/png", None);
        check("application/json;q=0", None);
    }

    #[test]
    fn parameters_are_kept() {
        let header = "text/x-bibliography; style=apa; locale=\"de-DE\"; q=0.5";
        let (_, accepted) = choose(Some(header), &["text/x-bibliography"]).unwrap();
        assert_eq!(accepted.parameter("style"), Some("apa"));
        assert_eq!(accepted.parameter("locale"), Some("de-DE"));
    }
}
