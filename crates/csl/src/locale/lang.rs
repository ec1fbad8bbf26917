//! Language tags and the fallback chain of locales.

/// The primary dialect of each language with several public locales (specification, «Locale fallback»),
/// and the default region of a bare language.
const PRIMARY: &[(&str, &str)] = &[
    ("af", "af-ZA"),
    ("bal", "bal-PK"),
    ("bg", "bg-BG"),
    ("brh", "brh-PK"),
    ("ca", "ca-AD"),
    ("cs", "cs-CZ"),
    ("cy", "cy-GB"),
    ("da", "da-DK"),
    ("de", "de-DE"),
    ("el", "el-GR"),
    ("en", "en-US"),
    ("es", "es-ES"),
    ("et", "et-EE"),
    ("fa", "fa-IR"),
    ("fi", "fi-FI"),
    ("fr", "fr-FR"),
    ("gl", "gl-ES"),
    ("he", "he-IL"),
    ("hi", "hi-IN"),
    ("hr", "hr-HR"),
    ("hu", "hu-HU"),
    ("hy", "hy-AM"),
    ("id", "id-ID"),
    ("is", "is-IS"),
    ("it", "it-IT"),
    ("ja", "ja-JP"),
    ("km", "km-KH"),
    ("ko", "ko-KR"),
    ("lij", "lij-IT"),
    ("lt", "lt-LT"),
    ("lv", "lv-LV"),
    ("mn", "mn-MN"),
    ("ms", "ms-MY"),
    ("nb", "nb-NO"),
    ("nl", "nl-NL"),
    ("nn", "nn-NO"),
    ("no", "nb-NO"),
    ("pa", "pa-PK"),
    ("pl", "pl-PL"),
    ("pt", "pt-PT"),
    ("ro", "ro-RO"),
    ("ru", "ru-RU"),
    ("sk", "sk-SK"),
    ("sl", "sl-SI"),
    ("sr", "sr-Cyrl-RS"),
    ("sv", "sv-SE"),
    ("th", "th-TH"),
    ("tr", "tr-TR"),
    ("uk", "uk-UA"),
    ("vi", "vi-VN"),
    ("zh", "zh-CN"),
];

/// The last fallback locale.
pub const ROOT: &str = "en-US";

/// The language of a tag: `de` for `de-AT`.
pub fn language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

/// The tag in its usual spelling: language in lowercase, script capitalized, region in uppercase,
/// separated by hyphens. `None` if it contains anything but letters and digits.
pub fn normalized(tag: &str) -> Option<String> {
    let mut out = String::with_capacity(tag.len());
    for (at, part) in tag.trim().split(['-', '_']).enumerate() {
        if part.is_empty() || part.len() > 8 || !part.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return None;
        }
        if at > 0 {
            out.push('-');
        }
        match (at, part.len()) {
            (0, _) => out.push_str(&part.to_ascii_lowercase()),
            (_, 2) => out.push_str(&part.to_ascii_uppercase()),
            (_, 4) if part.bytes().all(|b| b.is_ascii_alphabetic()) => {
                let (initial, rest) = part.split_at(1);
                out.push_str(&initial.to_ascii_uppercase());
                out.push_str(&rest.to_ascii_lowercase());
            }
            _ => out.push_str(&part.to_ascii_lowercase()),
        }
    }
    Some(out)
}

/// The primary dialect of the tag's language: `de-DE` for `de-AT`.
pub fn primary(tag: &str) -> Option<&'static str> {
    let language = language(tag);
    PRIMARY
        .binary_search_by_key(&language, |(known, _)| known)
        .ok()
        .and_then(|at| PRIMARY.get(at))
        .map(|(_, primary)| *primary)
}

/// The locales to read for a tag, best first: the tag itself, the bare language, the primary dialect of
/// its language, English.
pub fn fallback_chain(tag: &str) -> Vec<String> {
    let tag = normalized(tag).unwrap_or_else(|| ROOT.to_owned());
    let mut chain = vec![tag.clone()];
    let mut push = |tag: &str| {
        if !chain.iter().any(|known| known == tag) {
            chain.push(tag.to_owned());
        }
    };
    push(language(&tag));
    if let Some(primary) = primary(&tag) {
        push(primary);
    }
    push(ROOT);
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(PRIMARY.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn dialects_fall_back_to_the_main_one() {
        assert_eq!(fallback_chain("de_at"), ["de-AT", "de", "de-DE", "en-US"]);
        assert_eq!(fallback_chain("en"), ["en", "en-US"]);
        assert_eq!(fallback_chain("../x"), ["en-US", "en"]);
        assert_eq!(normalized("sr-latn-rs").as_deref(), Some("sr-Latn-RS"));
    }
}
