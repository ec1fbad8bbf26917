//! Where the text of a work is open to everybody: an address, never a file.

use super::item::Item;
use super::variable::TextVar;

/// A copy of a work's text that anybody may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCopy {
    /// Its address: `http` or `https`.
    pub url: String,
    /// `None` if nobody says which one it is.
    pub version: Option<CopyVersion>,
    /// In lower case: `cc-by-4.0`, or whatever the source writes.
    pub license: Option<String>,
    /// Who says so: the id of a source, or `pmc` for an address that follows from an id of PubMed Central.
    pub source: String,
}

/// The ways to a work's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextAccess {
    pub open_copy: Option<OpenCopy>,
    /// The page of the instance's library for the work, which knows what its readers may use.
    pub library_url: Option<String>,
}

/// The state of the text, as publishers and repositories tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CopyVersion {
    /// Before peer review.
    Submitted,
    /// Accepted, but not yet set by the publisher.
    Accepted,
    /// The version of record.
    Published,
}

impl CopyVersion {
    pub fn as_str(self) -> &'static str {
        match self {
            CopyVersion::Submitted => "submitted",
            CopyVersion::Accepted => "accepted",
            CopyVersion::Published => "published",
        }
    }

    /// Parses the words of OpenAlex and Unpaywall (`publishedVersion`), of Crossref (`vor`), or our own.
    pub fn parse(text: &str) -> Option<CopyVersion> {
        match text.to_ascii_lowercase().as_str() {
            "published" | "publishedversion" | "vor" => Some(CopyVersion::Published),
            "accepted" | "acceptedversion" | "am" => Some(CopyVersion::Accepted),
            "submitted" | "submittedversion" => Some(CopyVersion::Submitted),
            _ => None,
        }
    }
}

impl OpenCopy {
    /// The copies that follow from a work's own ids: PubMed Central and arXiv let everybody read.
    pub fn of_item(item: &Item) -> Vec<OpenCopy> {
        let known = |variable| item.text(variable).filter(|id| !id.is_empty());
        let copy = |url: String, version, source: &str| OpenCopy {
            url,
            version,
            license: None,
            source: source.to_owned(),
        };
        let pmc = known(TextVar::Pmcid).map(|id| {
            let url = format!("https://pmc.ncbi.nlm.nih.gov/articles/{id}/");
            copy(url, None, "pmc")
        });
        let arxiv = known(TextVar::ArxivId).map(|id| {
            let url = format!("https://arxiv.org/abs/{id}");
            copy(url, Some(CopyVersion::Submitted), "arxiv")
        });
        pmc.into_iter().chain(arxiv).collect()
    }

    /// The one to read: the latest version, then one with a licence, then the first. A copy of an unknown
    /// version is better than one before peer review.
    pub fn best(copies: impl IntoIterator<Item = OpenCopy>) -> Option<OpenCopy> {
        let rank = |copy: &OpenCopy| {
            let version = match copy.version {
                Some(CopyVersion::Published) => 3,
                Some(CopyVersion::Accepted) => 2,
                None => 1,
                Some(CopyVersion::Submitted) => 0,
            };
            (version, copy.license.is_some())
        };
        copies.into_iter().reduce(|best, next| {
            if rank(&next) > rank(&best) {
                next
            } else {
                best
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item_type::ItemType;

    fn copy(source: &str, version: Option<CopyVersion>, license: Option<&str>) -> OpenCopy {
        OpenCopy {
            url: format!("https://example.org/{source}"),
            version,
            license: license.map(str::to_owned),
            source: source.to_owned(),
        }
    }

    #[test]
    fn later_version_is_better_then_one_with_a_license() {
        use CopyVersion::{Accepted, Published, Submitted};
        let check = |copies: &[OpenCopy], expected: &str| {
            let best = OpenCopy::best(copies.iter().cloned()).unwrap();
            assert_eq!(best.source, expected);
        };
        let submitted = copy("arxiv", Some(Submitted), Some("cc-by"));
        let unknown = copy("pmc", None, None);
        let accepted = copy("openalex", Some(Accepted), None);
        let published = copy("crossref", Some(Published), None);
        let licensed = copy("datacite", Some(Published), Some("cc0-1.0"));
        check(&[submitted.clone(), unknown.clone()], "pmc");
        check(&[accepted.clone(), unknown], "openalex");
        check(&[published.clone(), accepted], "crossref");
        check(&[published.clone(), licensed, submitted], "datacite");
        check(
            &[published.clone(), copy("later", Some(Published), None)],
            "crossref",
        );
        assert_eq!(OpenCopy::best([]), None);
    }

    #[test]
    fn open_archives_follow_from_ids() {
        let mut item = Item::new("a", ItemType::Article);
        assert!(OpenCopy::of_item(&item).is_empty());
        item.set_text(TextVar::Pmcid, "PMC123");
        item.set_text(TextVar::ArxivId, "1706.03762");
        let urls: Vec<String> = { OpenCopy::of_item(&item).into_iter() }
            .map(|copy| copy.url)
            .collect();
        assert_eq!(
            urls,
            [
                "https://pmc.ncbi.nlm.nih.gov/articles/PMC123/",
                "https://arxiv.org/abs/1706.03762"
            ]
        );
    }
}
