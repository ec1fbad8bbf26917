//! Fields that are not LaTeX: addresses, identifiers, file paths (biblatex manual, 2.2.1 «verbatim» and
//! «URI» fields).

use super::encode::braces_balance;
use citation_fields::latex::{collapse_blanks, plain};
use citation_model::inert::tex;

/// Whether a field without a rule of its own must stay unchanged.
pub fn is_verbatim(name: &str) -> bool {
    let stem = name.split(['-', '+', ':']).next().unwrap_or(name);
    matches!(
        stem,
        "file"
            | "files"
            | "pdf"
            | "url"
            | "doi"
            | "eprint"
            | "verba"
            | "verbb"
            | "verbc"
            | "bdsk"
            | "local"
            | "ee"
            | "biburl"
            | "bibsource"
            | "timestamp"
            | "link"
            | "image"
            | "folder"
            | "groups"
            | "options"
            | "ids"
            | "crossref"
            | "xref"
            | "xdata"
            | "related"
            | "keypath"
    )
}

/// The text of an address or identifier without LaTeX around it: `\url{…}`, escaped underscores, tildes of
/// every kind.
pub fn decode(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let inner = text
            .strip_prefix("\\url{")
            .or_else(|| text.strip_prefix("\\path{"))
            .or_else(|| text.strip_prefix('{'))
            .or_else(|| text.strip_prefix('<'))
            .and_then(|t| t.strip_suffix(['}', '>']));
        match inner {
            Some(inner) => text = inner.trim(),
            None => break,
        }
    }
    let unbroken: String = text.split(['\n', '\r', '\t']).map(str::trim).collect();
    if !unbroken.contains(['\\', '{', '}', '$']) {
        return unbroken;
    }
    let mut decoded = String::with_capacity(unbroken.len());
    let mut rest = unbroken.as_str();
    while let Some(c) = rest.chars().next() {
        let known = SPELLINGS.iter().find(|(latex, _)| rest.starts_with(latex));
        let (length, character) = known.map_or((c.len_utf8(), None), |(latex, character)| {
            (latex.len(), Some(*character))
        });
        let taken = rest.get(..length).unwrap_or_default();
        decoded.push_str(character.unwrap_or(taken));
        rest = rest.get(length..).unwrap_or_default();
    }
    decoded
}

/// The value of a verbatim field: the text itself if nothing in it is active in TeX, which some styles print it
/// with, and if `read` gives it back; otherwise the text in LaTeX.
pub fn encode(text: &str, read: fn(&str) -> String) -> String {
    if is_harmless(text) && read(text) == collapse_blanks(text) {
        return text.to_owned();
    }
    escape(text)
}

fn escape(text: &str) -> String {
    let has_pairs = braces_balance(text);
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match (c, tex::escaped(c)) {
            // BibTeX counts escaped braces too.
            ('{', _) if !has_pairs => out.push_str("\\textbraceleft{}"),
            ('}', _) if !has_pairs => out.push_str("\\textbraceright{}"),
            (_, Some(latex)) => out.push_str(latex),
            // They would be taken for the marks around an address.
            ('<', None) => out.push_str("\\textless{}"),
            ('>', None) => out.push_str("\\textgreater{}"),
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// The text of a field that is kept as it was read. Only what [`encode`] has put into LaTeX is decoded: paths have
/// backslashes of their own.
pub fn kept(text: &str) -> String {
    let text = collapse_blanks(text);
    let decoded = decode(&text);
    if decoded == text || escape(&decoded) != text {
        return text;
    }
    // Each level of LaTeX within LaTeX is several times as long, so there are few.
    if is_harmless(&decoded) && kept(&decoded) == decoded {
        text
    } else {
        decoded
    }
}

fn is_harmless(text: &str) -> bool {
    tex::is_inert(text) && braces_balance(text)
}

/// LaTeX spellings of characters in addresses; a longer spelling comes before its prefixes.
const SPELLINGS: &[(&str, &str)] = &[
    // Text after two backslashes is not escaped.
    ("\\\\", "\\\\"),
    ("{\\textasciitilde}", "~"),
    ("\\textasciitilde{}", "~"),
    ("\\textasciitilde ", "~"),
    ("$\\sim$", "~"),
    ("{\\~{}}", "~"),
    ("{\\textasciitilde{}}", "~"),
    ("{~}", "~"),
    ("\\~{}", "~"),
    ("{\\~}", "~"),
    ("\\~", "~"),
    ("{\\_}", "_"),
    ("\\_", "_"),
    ("{\\&}", "&"),
    ("\\&", "&"),
    ("{\\%}", "%"),
    ("\\%", "%"),
    ("{\\#}", "#"),
    ("\\#", "#"),
    ("{\\slash}", "/"),
    ("\\slash{}", "/"),
    ("\\slash ", "/"),
    ("\\slash", "/"),
    ("{\\textunderscore}", "_"),
    ("\\textunderscore{}", "_"),
    ("\\textunderscore ", "_"),
    ("\\allowbreak{}", ""),
    ("\\allowbreak ", ""),
    ("\\allowbreak", ""),
    ("\\$", "$"),
    ("\\textbackslash{}", "\\"),
    ("\\textasciicircum{}", "^"),
    ("\\textbraceleft{}", "{"),
    ("\\textbraceright{}", "}"),
    ("\\textless{}", "<"),
    ("\\textgreater{}", ">"),
    ("{\\textless}", "<"),
    ("{\\textgreater}", ">"),
    ("\\{", "{"),
    ("\\}", "}"),
    ("{$<$}", "<"),
    ("{$>$}", ">"),
    ("$<$", "<"),
    ("$>$", ">"),
];

/// An address inside running text: in `\url{…}`, or a bare one.
pub fn find_url(text: &str) -> Option<String> {
    if let Some(at) = text.find("\\url{") {
        let rest = text.get(at + 5..)?;
        return Some(decode(rest.split('}').next()?)).filter(|url| !url.is_empty());
    }
    let converted = plain(text);
    let at = converted
        .find("http://")
        .or_else(|| converted.find("https://"))?;
    let url = converted.get(at..)?.split_whitespace().next()?;
    Some(
        url.trim_end_matches(['.', ',', ';', ')', '>', '}'])
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_their_latex() {
        let check = |input: &str, expected: &str| assert_eq!(decode(input), expected, "{input}");
        check("\\url{http://x.org/a\\_b}", "http://x.org/a_b");
        check("{http://x.org/~me}", "http://x.org/~me");
        check(
            "http://x.org/{\\textasciitilde}me\\%20a",
            "http://x.org/~me%20a",
        );
        check("<http://x.org>", "http://x.org");
        check(
            "http:/{\\slash}x.org\\slash a\\slash{}b\\slash",
            "http://x.org/a/b/",
        );
        check(
            "http://x.org/\\allowbreak a\\textunderscore b",
            "http://x.org/a_b",
        );
        check("10.1000/{a}b", "10.1000/{a}b");
        // Decoded text is not decoded again.
        check("x.org?a=\\%\\\\\\{\\}", "x.org?a=%\\\\{}");
        check("x.org?a=%\\\\{}", "x.org?a=%\\\\{}");
    }

    /// Every text of up to five pieces that matter to TeX or to the reader.
    #[test]
    fn encoded_text_is_inert_and_comes_back() {
        let pieces = [
            "\\",
            "^",
            "{",
            "}",
            "a",
            "\\input",
            "\\textbackslash{}",
            "\\_",
            "<",
            "$",
            "~",
            "%",
        ];
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            let longer = texts
                .iter()
                .flat_map(|text| pieces.map(|piece| format!("{text}{piece}")));
            texts = longer.collect();
            for text in &texts {
                for read in [decode, kept] {
                    let latex = encode(text, read);
                    assert!(is_harmless(&latex), "{text:?} {latex:?}");
                    assert_eq!(read(&latex), *text, "{latex:?}");
                }
            }
        }
    }

    #[test]
    fn addresses_and_paths_stay_as_they_are() {
        for address in [
            "http://x.org/a_b%20c#d~e?f=g&h",
            "10.1000/{a}b",
            "x.org?a=%\\\\{}",
        ] {
            assert_eq!(encode(address, decode), address);
        }
        for path in ["C\\:\\\\a b_c.pdf:PDF", ":a$\\backslash$b.pdf", "a  b"] {
            assert_eq!(encode(path, kept), path);
        }
        assert_eq!(encode("C:\\new.pdf", kept), "C:\\textbackslash{}new.pdf");
    }

    #[test]
    fn addresses_in_text_are_found() {
        let find = |text: &str| find_url(text).unwrap_or_default();
        assert_eq!(
            find("Available at \\url{http://x.org/a_b}."),
            "http://x.org/a_b"
        );
        assert_eq!(find("See https://x.org/a (2003)"), "https://x.org/a");
        assert_eq!(find("Electronic"), "");
    }
}
