//! The open copy that a Crossref record describes: an open licence, and the address of the text in the
//! version that it is for.

use citation_fields::access;
use citation_model::access::OpenCopy;
use citation_model::identifier::Doi;

use super::dto::{CrossrefRecord, FullTextLink, License};

/// Maximum number of licences and of addresses that are compared.
const MAX_LINKS: usize = 50;

impl CrossrefRecord {
    /// The copy under the first open licence that has begun. Without an address of its own it is the page
    /// of the DOI.
    pub fn open_copy(&self, doi: &Doi) -> Option<OpenCopy> {
        let licenses = self.license.iter().take(MAX_LINKS);
        let mut open = licenses.filter(|license| {
            license.url.as_deref().is_some_and(access::is_open) && self.has_begun(license)
        });
        let license = open.next()?;
        let version = license.content_version.as_deref();
        let links = self.link.iter().take(MAX_LINKS);
        let mut links = links.filter(|link| {
            let is_for_readers =
                link.intended_application.as_deref() != Some("similarity-checking");
            is_for_readers && fits(link, version)
        });
        let url = links.find_map(|link| link.url.0.clone());
        let url = url.unwrap_or_else(|| doi.url());
        access::open_copy(&url, version, license.url.as_deref(), "crossref")
    }

    /// Whether a licence had begun when Crossref last indexed the record: after an embargo it begins later.
    fn has_begun(&self, license: &License) -> bool {
        let start = license.start.as_ref().and_then(|start| start.timestamp);
        let indexed = self.indexed().0;
        !matches!((start, indexed), (Some(start), Some(indexed)) if start > indexed)
    }
}

/// Whether an address is that of the licensed version. `tdm` and `unspecified` say nothing about the version.
fn fits(link: &FullTextLink, version: Option<&str>) -> bool {
    let stated = |version: Option<&str>| match version {
        Some("vor") => Some("vor"),
        Some("am") => Some("am"),
        _ => None,
    };
    match (stated(version), stated(link.content_version.as_deref())) {
        (Some(licensed), Some(linked)) => licensed == linked,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::access::CopyVersion;

    fn copy(members: &str) -> Option<OpenCopy> {
        let json =
            format!("{{\"DOI\":\"10.5555/a\",\"indexed\":{{\"timestamp\":2000}},{members}}}");
        let record: CrossrefRecord = serde_json::from_str(&json).unwrap();
        record.open_copy(&Doi::parse("10.5555/a").unwrap())
    }

    #[test]
    fn open_license_opens_the_version_that_it_is_for() {
        let by = |version: &str, start: i64| {
            format!(
                r#"{{"URL":"http://creativecommons.org/licenses/by/4.0/","content-version":"{version}","start":{{"timestamp":{start}}}}}"#
            )
        };
        let link = r#""link":[
            {"URL":"https://example.org/check.pdf","content-version":"vor","intended-application":"similarity-checking"},
            {"URL":"https://example.org/vor.pdf","content-version":"vor","intended-application":"text-mining"},
            {"URL":"https://example.org/am.pdf","content-version":"am","intended-application":"syndication"}]"#;
        let with = |license: &str| copy(&format!(r#""license":[{license}],{link}"#));
        let vor = with(&by("vor", 1000)).unwrap();
        assert_eq!(vor.url, "https://example.org/vor.pdf");
        assert_eq!(vor.version, Some(CopyVersion::Published));
        assert_eq!(vor.license.as_deref(), Some("cc-by-4.0"));
        assert_eq!(
            with(&by("am", 1000)).unwrap().url,
            "https://example.org/am.pdf"
        );
        assert_eq!(
            with(&by("unspecified", 1000)).unwrap().url,
            "https://example.org/vor.pdf"
        );
        assert_eq!(with(&by("vor", 3000)), None, "the embargo has not ended");
        assert_eq!(
            with(r#"{"URL":"https://example.org/tdm","content-version":"vor"}"#),
            None
        );
        let page = copy(&format!(r#""license":[{}]"#, by("vor", 1000))).unwrap();
        assert_eq!(page.url, "https://doi.org/10.5555/a");
        assert_eq!(copy(link), None, "an address alone opens nothing");
    }
}
