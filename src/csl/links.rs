//! Links for the variables that hold an address or an identifier (specification, appendix VI).

use crate::model::variable::TextVar;

/// Where the text of a variable leads; `None` where it leads nowhere safe.
pub fn target(variable: TextVar, text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return None;
    }
    if text.starts_with("https://") || text.starts_with("http://") {
        return Some(text.to_owned());
    }
    match variable {
        TextVar::Doi => Some(format!("https://doi.org/{text}")),
        TextVar::Pmid => Some(format!("https://www.ncbi.nlm.nih.gov/pubmed/{text}")),
        TextVar::Pmcid => Some(format!("https://www.ncbi.nlm.nih.gov/pmc/articles/{text}")),
        _ => None,
    }
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
        assert_eq!(
            target(TextVar::Url, "https://a.org/x").as_deref(),
            Some("https://a.org/x")
        );
        assert_eq!(
            target(TextVar::Doi, "10.1/a").as_deref(),
            Some("https://doi.org/10.1/a")
        );
    }
}
