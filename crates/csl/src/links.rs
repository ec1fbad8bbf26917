//! Links for the variables that hold an address or an identifier (specification, appendix VI).

use citation_model::inert::link;
use citation_model::variable::TextVar;

/// The link target of a variable's text; `None` if it has no safe target.
pub fn target(variable: TextVar, text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(address) = link::parse(text) {
        return Some(address.to_owned());
    }
    let start = match variable {
        TextVar::Doi => "https://doi.org/",
        TextVar::Pmid => "https://www.ncbi.nlm.nih.gov/pubmed/",
        TextVar::Pmcid => "https://www.ncbi.nlm.nih.gov/pmc/articles/",
        TextVar::ArxivId => "https://arxiv.org/abs/",
        _ => return None,
    };
    let address = format!("{start}{text}");
    (!text.is_empty() && link::parse(&address).is_some()).then_some(address)
}

/// The start of an address at the end of a text: `DOI: https://doi.org/` → `https://doi.org/`.
pub fn address_start(text: &str) -> &str {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let scheme = ["https://", "http://"]
        .iter()
        .find_map(|scheme| word.rfind(scheme));
    scheme.and_then(|at| word.get(at..)).unwrap_or_default()
}

/// The variables that may become links.
pub fn is_linkable(variable: TextVar) -> bool {
    matches!(
        variable,
        TextVar::Url | TextVar::Doi | TextVar::Pmid | TextVar::Pmcid
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_become_links() {
        assert_eq!(target(TextVar::Url, "javascript:alert(1)"), None);
        assert_eq!(target(TextVar::Url, "data:text/html,x"), None);
        assert_eq!(target(TextVar::Doi, "10.1/\u{202e}a"), None);
        assert_eq!(
            target(TextVar::Url, "mailto:jane@a.org").as_deref(),
            Some("mailto:jane@a.org")
        );
        assert_eq!(
            target(TextVar::Url, "https://a.org/x").as_deref(),
            Some("https://a.org/x")
        );
        assert_eq!(
            target(TextVar::Doi, "10.1/a").as_deref(),
            Some("https://doi.org/10.1/a")
        );
    }

    #[test]
    fn an_address_may_begin_before_its_variable() {
        let check = |text, expected| assert_eq!(address_start(text), expected);
        check("Available at http://dx.doi.org/", "http://dx.doi.org/");
        check("doi:https://doi.org/", "https://doi.org/");
        check("https://a.org, DOI: ", "");
        check("DOI:", "");
    }
}
