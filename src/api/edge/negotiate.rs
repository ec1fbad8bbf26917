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
    /// How unspecific a range is: 2 for `*/*`.
    fn wildcards(&self) -> usize {
        self.range.matches('*').count()
    }

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
    Some(Accepted {
        range,
        parameters,
        quality,
    })
}

/// Picks from `available` (the first is the answer to `*/*`). Without a header the first is chosen;
/// `None` if none is acceptable. The most specific range that matches a type defines its quality;
/// between types of the same quality the more specific range decides, then the header's order.
pub fn choose<'a>(header: Option<&str>, available: &[&'a str]) -> Option<(&'a str, Accepted)> {
    let header = header.filter(|h| !h.trim().is_empty()).unwrap_or("*/*");
    let mut ranges: Vec<Accepted> = header.split(',').filter_map(parse_range).collect();
    // Both sorts keep the header's order among equals.
    ranges.sort_by(|a, b| {
        let quality = || b.quality.total_cmp(&a.quality);
        a.wildcards().cmp(&b.wildcards()).then_with(quality)
    });
    let covered = available.iter().filter_map(|media_type| {
        let mut in_order = ranges.iter().enumerate();
        let (at, range) = in_order.find(|(_, range)| range.covers(media_type))?;
        (range.quality > 0.0).then_some((*media_type, at, range))
    });
    let (media_type, _, range) = covered.min_by(|(_, a_at, a), (_, b_at, b)| {
        let quality = b.quality.total_cmp(&a.quality);
        quality.then(a_at.cmp(b_at))
    })?;
    Some((media_type, range.clone()))
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
    fn best_range_is_chosen() {
        check("*/*", Some("application/json"));
        check("", Some("application/json"));
        check(
            "text/*;q=0.2, application/x-bibtex;q=0.9",
            Some("application/x-bibtex"),
        );
        check("*/*, text/x-bibliography", Some("text/x-bibliography"));
        check("image/png", None);
        check("application/json;q=0", None);
        check(
            "text/x-bibliography;q=0.4, application/*;q=0.4",
            Some("text/x-bibliography"),
        );
    }

    #[test]
    fn quality_is_that_of_the_most_specific_range() {
        check("application/json;q=0, */*", Some("application/x-bibtex"));
        check(
            "application/json;q=0.1, */*;q=0.5",
            Some("application/x-bibtex"),
        );
        check("application/*;q=0, */*;q=0.1", Some("text/x-bibliography"));
    }

    #[test]
    fn parameters_are_kept() {
        let header = "text/x-bibliography; style=apa; locale=\"de-DE\"; q=0.5";
        let (_, accepted) = choose(Some(header), &["text/x-bibliography"]).unwrap();
        assert_eq!(accepted.parameter("style"), Some("apa"));
        assert_eq!(accepted.parameter("locale"), Some("de-DE"));
    }
}
