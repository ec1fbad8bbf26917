//! Looking up and verifying works: catalogues, providers in their order, strictness.

use serde::{Deserialize, Serialize};

use super::text;
use crate::config::providers::{ProviderName, knowing, searching};
use crate::config::rule::HOUR_MS;
use crate::config::rule::Rule::{
    Choice, Choices, Decimal, Origins, Slug, Switch, Tables, Text, Url, Whole,
};
use crate::config::section::section;
use crate::config::values::BaseUrl;

/// The required keys of a catalogue.
const NAME_AND_URL: &[&str] = &["name", "url"];

section! {
    /// One library catalogue. `name` and `url` are required.
    SruSettings {
        /// Its name in answers, health and metrics.
        name: String = String::new(), Slug;

        /// The base URL of its SRU, without `?version=`.
        url: BaseUrl = BaseUrl::known("http://localhost"), Url;

        /// The catalogue's name for MARC 21 in XML.
        schema: String = text("marcxml"), Text(1, 100);

        /// The version of the protocol: "1.1", "1.2" or "2.0".
        version: String = text("1.1"), Text(1, 10);

        /// The index of ISBNs.
        isbn_index: String = text("bath.isbn"), Text(1, 100);

        /// The index of titles. "" means that the catalogue is not searched for references.
        title_index: String = text("dc.title"), Text(0, 100);

        /// The index of people. "" means that only the title is searched.
        author_index: String = text("dc.creator"), Text(0, 100);

        /// Time for one request, in milliseconds.
        timeout_ms: u64 = 6_000, Whole(1, HOUR_MS);

        /// Maximum requests per second. 0 sets no limit.
        max_per_second: u32 = 2, Whole(0, 1_000);

        /// An e-mail address under which the library can reach you.
        contact: String = String::new(), Text(0, 200);
    }
}

section! {
    /// Looking up works: the local corpus first, then the providers.
    LookupSettings {
        /// Time for all providers of one lookup, in milliseconds.
        budget_ms: u64 = 8_000, Whole(1, HOUR_MS);

        /// How long a definitive miss of all providers is remembered, in seconds. 0 disables this.
        /// Failures are never remembered.
        negative_ttl_seconds: u64 = 86_400, Whole(0, 31_536_000);

        /// The address of the library's link resolver, with its query if it has one: pages and answers about
        /// ways to a text add the work as an OpenURL. "" means none.
        openurl_base: String = String::new(), Text(0, 1_000);

        /// Age from which a stored work is asked for again when it is answered, in seconds: it is
        /// answered at once and asked for in the background. 0 disables this.
        refresh_after_seconds: u64 = 2_592_000, Whole(0, 315_360_000);

        /// The same for a work with an expression of concern, in seconds.
        refresh_concern_after_seconds: u64 = 86_400, Whole(1, 315_360_000);

        /// Maximum number of works asked for again in a minute.
        refresh_per_minute: u32 = 60, Whole(1, 60_000);

        /// Providers asked for a DOI, in this order, until one has it.
        doi_order: Vec<ProviderName> =
            vec![
                ProviderName::Citation,
                ProviderName::Crossref,
                ProviderName::DataCite,
                ProviderName::Doi,
            ],
            Choices(|| knowing(&["doi"]));

        /// Providers asked for an ISBN, in this order, until one has it.
        isbn_order: Vec<ProviderName> = vec![ProviderName::OpenLibrary, ProviderName::Loc],
            Choices(|| knowing(&["isbn"]));

        /// Providers asked for an id of PubMed or PubMed Central, in this order, until one has it.
        pmid_order: Vec<ProviderName> =
            vec![
                ProviderName::PubMed,
                ProviderName::EuropePmc,
                ProviderName::OpenAlex,
            ],
            Choices(|| knowing(&["pmid", "pmcid"]));

        /// Providers asked for an arXiv id, in this order, until one has it.
        arxiv_order: Vec<ProviderName> = vec![ProviderName::Arxiv, ProviderName::DataCite],
            Choices(|| knowing(&["arxiv"]));

        /// Providers searched for a reference without a good enough local candidate.
        reverse_order: Vec<ProviderName> =
            vec![
                ProviderName::Citation,
                ProviderName::Crossref,
                ProviderName::OpenLibrary,
                ProviderName::DataCite,
                ProviderName::OpenAlex,
                ProviderName::PubMed,
                ProviderName::SemanticScholar,
            ],
            Choices(searching);

        /// Library catalogues asked by SRU, one table each: for an ISBN before the providers, for a
        /// reference after them, in this order. See docs/sources.md.
        sru: Vec<SruSettings> = Vec::new(), Tables(SruSettings::KEYS, NAME_AND_URL);

        /// Minimum score of a local candidate that answers a reference without asking providers.
        sufficient_score: f64 = 0.95, Decimal(0.0, 1.0);

        /// How sure a check of references must be. "strict": a reference is verified only from a probability
        /// of 0.8 on. "lenient": it is a mismatch only from 0.98 on. Otherwise it is ambiguous. "normal": no
        /// probability is required.
        strictness: Strictness = Strictness::Normal, Choice(&["strict", "normal", "lenient"]);

        /// Whether pages are fetched to read their metadata if their address names no work. Only the
        /// open internet is accessed.
        fetch_pages: bool = true, Switch;

        /// Origins inside your own network whose pages may be fetched too, such as that of
        /// your repository.
        fetch_origins: Vec<String> = Vec::new(), Origins;

        /// Maximum part of a page that is read, unpacked, in bytes.
        page_bytes: u64 = 2_097_152, Whole(1_024, 1_073_741_824);
    }
}

/// How sure the verdict on a reference must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// Only a sure verdict is verified.
    Strict,
    #[default]
    Normal,
    /// Only a sure verdict is a mismatch.
    Lenient,
}

impl Strictness {
    pub fn as_str(self) -> &'static str {
        match self {
            Strictness::Strict => "strict",
            Strictness::Normal => "normal",
            Strictness::Lenient => "lenient",
        }
    }

    pub fn parse(name: &str) -> Option<Strictness> {
        match name {
            "strict" => Some(Strictness::Strict),
            "normal" => Some(Strictness::Normal),
            "lenient" => Some(Strictness::Lenient),
            _ => None,
        }
    }
}
