//! The locale's words for locator labels.

use citation_csl::Compiled;
use citation_documents::Labels;

/// English labels, accepted in addition to the style's terms.
const ENGLISH: [(&str, &str); 14] = [
    ("p.", "page"),
    ("pp.", "page"),
    ("chap.", "chapter"),
    ("chaps.", "chapter"),
    ("sec.", "section"),
    ("secs.", "section"),
    ("vol.", "volume"),
    ("vols.", "volume"),
    ("fig.", "figure"),
    ("figs.", "figure"),
    ("para.", "paragraph"),
    ("pt.", "part"),
    ("bk.", "book"),
    ("col.", "column"),
];

/// The names from the style's locale.
pub fn labels(compiled: &Compiled) -> Labels {
    // pandoc accepts only these.
    let known = |label: &str| !matches!(label, "act" | "appendix" | "timestamp");
    let terms = compiled.locator_terms().into_iter();
    let terms = terms.filter(|(_, label)| known(label));
    let english = ENGLISH.map(|(text, label)| (text.to_owned(), label));
    let is_english = compiled.lang().starts_with("en");
    Labels::new(terms.chain(english.into_iter().filter(|_| is_english)))
}
