//! The external services that know works, one row each. Their settings, the orders of `[lookup]`
//! that may name them and the requests that they get follow from the row.

use citation_model::identifier::Identifier;
use serde::{Deserialize, Serialize};

use super::rule::HOUR_MS;
use super::rule::Rule::{Secret as SecretText, Switch, Text, Url, Whole};
use super::section::{Section, section};
use super::values::{BaseUrl, Secret};

section! {
    /// One external service.
    ProviderSettings {
        /// Whether the provider is used.
        enabled: bool = true, Switch;

        /// Its base URL; may be that of a mirror.
        base_url: BaseUrl = BaseUrl::known(""), Url;

        /// Time to resolve and connect, in milliseconds.
        connect_timeout_ms: u64 = 3_000, Whole(1, HOUR_MS);

        /// Time for one request including redirects and the whole answer, in milliseconds.
        timeout_ms: u64 = 6_000, Whole(1, HOUR_MS);

        /// Maximum size of one answer, unpacked, in bytes.
        max_response_bytes: u64 = 4_194_304, Whole(1_024, 1_073_741_824);

        /// Maximum number of concurrent requests.
        max_in_flight: u32 = 4, Whole(1, 1_000);

        /// Maximum requests per second, spread evenly. 0 sets no limit.
        max_per_second: u32 = 20, Whole(0, 100_000);

        /// Number of retries after a transient failure, within the budget of the lookup.
        retries: u32 = 2, Whole(0, 10);

        /// Number of consecutive failures after which the provider is paused. 0 means never.
        breaker_failures: u32 = 5, Whole(0, 1_000);

        /// Duration of that pause, in milliseconds.
        breaker_pause_ms: u64 = 30_000, Whole(1, HOUR_MS);

        /// Age from which a stored work of this source is asked for again, in seconds. 0 means
        /// `lookup.refresh_after_seconds`.
        refresh_after_seconds: u64 = 0, Whole(0, 315_360_000);

        /// An e-mail address under which the provider can reach you, sent with every request.
        /// Providers give better service to clients that identify themselves.
        contact: String = String::new(), Text(0, 200);

        /// The API key, if the service takes one; it is sent to its base URL alone. Set it in the
        /// environment to keep it out of the file: `CITATION_PROVIDERS__OPENALEX__API_KEY`. A service
        /// that needs a key is not asked without one. See docs/sources.md.
        api_key: Secret = Secret::default(), SecretText;
    }
}

/// Declares the providers. A row has the description for `citation.toml`, its name here and its id,
/// its address, the kinds of identifiers that it resolves (`Identifier::kind`), whether it can be searched with
/// a reference, how it takes an API key, and the settings that differ from the common defaults.
macro_rules! providers {
    ($(
        $(#[doc = $about:literal])*
        $name:ident $id:ident {
            base_url: $base_url:literal,
            knows: $knows:expr,
            searches: $searches:literal,
            api_key: $api_key:expr,
            $($key:ident: $value:expr,)*
        }
    )*) => {
        #[doc = "An external service that knows works."]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum ProviderName {
            $($(#[doc = $about])* $name,)*
        }

        impl ProviderName {
            pub const ALL: &[ProviderName] = &[$(ProviderName::$name,)*];

            fn row(self) -> &'static Row {
                match self {
                    $(ProviderName::$name => const {
                        &Row {
                            id: stringify!($id),
                            knows: &$knows,
                            searches: $searches,
                            base_url: $base_url,
                            api_key: $api_key,
                        }
                    },)*
                }
            }
        }

        #[doc = "The settings of the external services."]
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Providers {
            $($(#[doc = $about])* pub $id: ProviderSettings,)*
        }

        impl Providers {
            pub fn get(&self, name: ProviderName) -> &ProviderSettings {
                match name {
                    $(ProviderName::$name => &self.$id,)*
                }
            }

            pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut ProviderSettings> {
                [$(&mut self.$id,)*].into_iter()
            }
        }

        impl Default for Providers {
            fn default() -> Providers {
                Providers {
                    $($id: ProviderSettings {
                        base_url: BaseUrl::known($base_url),
                        $($key: $value,)*
                        ..ProviderSettings::default()
                    },)*
                }
            }
        }

        #[doc = "Their sections, in the order of the rows."]
        pub(super) const SECTIONS: &[Section] = &[
            $(Section {
                path: concat!("providers.", stringify!($id)),
                about: &[$($about),*],
                keys: ProviderSettings::KEYS,
            },)*
        ];
    };
}

providers! {
    /// Crossref: DOIs of articles and books.
    Crossref crossref {
        base_url: "https://api.crossref.org",
        knows: ["doi", "pii", "issn"],
        searches: true,
        api_key: optional(
            KeyPlace::Header("crossref-plus-api-token", "Bearer "),
            "with a subscription to Metadata Plus, https://www.crossref.org/services/metadata-retrieval/metadata-plus/"
        ),
    }
    /// DataCite: DOIs of data sets and reports.
    DataCite datacite {
        base_url: "https://api.datacite.org",
        knows: ["doi", "arxiv"],
        searches: true,
        api_key: NO_KEY,
    }
    /// doi.org: content negotiation for every other DOI.
    Doi doi {
        base_url: "https://doi.org",
        knows: ["doi", "shortdoi"],
        searches: false,
        api_key: NO_KEY,
    }
    /// Open Library: books by ISBN.
    OpenLibrary openlibrary {
        base_url: "https://openlibrary.org",
        knows: ["isbn", "oclc", "openlibrary"],
        searches: true,
        api_key: NO_KEY,
    }
    /// PubMed: articles in medicine, by PubMed id.
    PubMed pubmed {
        base_url: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        knows: ["pmid", "pmcid"],
        searches: true,
        api_key: optional(
            KeyPlace::Parameter("api_key"),
            "free of charge in the settings of an NCBI account, https://account.ncbi.nlm.nih.gov/settings/"
        ),
        // Without an NCBI key, three per second are allowed.
        max_in_flight: 3,
        max_per_second: 3,
    }
    /// Europe PMC: the same, and preprints.
    EuropePmc europepmc {
        base_url: "https://www.ebi.ac.uk/europepmc/webservices/rest",
        knows: ["pmid", "pmcid", "doi"],
        searches: true,
        api_key: NO_KEY,
        max_per_second: 10,
    }
    /// arXiv: preprints by arXiv id.
    Arxiv arxiv {
        base_url: "https://export.arxiv.org",
        knows: ["arxiv", "doi"],
        searches: true,
        api_key: NO_KEY,
        // arXiv asks for one request at a time.
        max_in_flight: 1,
        max_per_second: 1,
    }
    /// OpenAlex: works of all kinds, by its own ids and those of others.
    OpenAlex openalex {
        base_url: "https://api.openalex.org",
        knows: ["openalex", "doi", "pmid", "pmcid"],
        searches: true,
        api_key: required(
            KeyPlace::Parameter("api_key"),
            "free of charge with an account, https://openalex.org/settings/api"
        ),
        max_per_second: 10,
    }
    /// Semantic Scholar: articles and preprints, by DOI, arXiv id or title.
    SemanticScholar semanticscholar {
        base_url: "https://api.semanticscholar.org/graph/v1",
        knows: ["doi", "arxiv", "pmid", "pmcid"],
        searches: true,
        api_key: required(
            KeyPlace::Header("x-api-key", ""),
            "free of charge on request, https://www.semanticscholar.org/product/api"
        ),
        // A new key allows one request per second.
        max_in_flight: 1,
        max_per_second: 1,
    }
    /// Unpaywall: open copies of articles, by DOI. Its key is your e-mail address.
    Unpaywall unpaywall {
        base_url: "https://api.unpaywall.org",
        knows: ["doi"],
        searches: false,
        api_key: required(
            KeyPlace::Parameter("email"),
            "without an account: it is an e-mail address of yours, https://unpaywall.org/products/api"
        ),
        max_per_second: 10,
    }
    /// The Library of Congress: books that Open Library does not have.
    Loc loc {
        base_url: "http://lx2.loc.gov:210/LCDB",
        knows: ["isbn"],
        searches: false,
        api_key: NO_KEY,
        max_in_flight: 2,
        max_per_second: 2,
    }
    /// Another instance of this program, whose corpus several small ones share: disabled by default.
    Citation citation {
        base_url: "http://127.0.0.1:8080",
        knows: ["doi"],
        searches: true,
        api_key: optional(KeyPlace::Header("x-api-key", ""), "from the other instance"),
        enabled: false,
    }
}

/// The facts of a row besides the settings.
struct Row {
    id: &'static str,
    knows: &'static [&'static str],
    searches: bool,
    base_url: &'static str,
    api_key: KeyUse,
}

/// How a service takes an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    pub sent_in: KeyPlace,
    /// Whether the service refuses most requests without a key.
    pub is_required: bool,
    /// Where to get one, as the end of a sentence.
    pub obtained: &'static str,
}

/// The place of an API key in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// The service takes none.
    Nowhere,
    /// A header of this name, with this text before the key.
    Header(&'static str, &'static str),
    /// A parameter of the query.
    Parameter(&'static str),
}

const NO_KEY: KeyUse = KeyUse {
    sent_in: KeyPlace::Nowhere,
    is_required: false,
    obtained: "",
};

const fn optional(sent_in: KeyPlace, obtained: &'static str) -> KeyUse {
    KeyUse {
        sent_in,
        is_required: false,
        obtained,
    }
}

const fn required(sent_in: KeyPlace, obtained: &'static str) -> KeyUse {
    KeyUse {
        is_required: true,
        ..optional(sent_in, obtained)
    }
}

impl ProviderName {
    /// The id in the configuration, in answers and in error messages.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// Whether the service can resolve this kind of identifier.
    pub fn knows(self, identifier: &Identifier) -> bool {
        self.knows_kind(identifier.kind())
    }

    /// Whether the service can be searched with a reference.
    pub fn searches(self) -> bool {
        self.row().searches
    }

    pub fn key_use(self) -> &'static KeyUse {
        &self.row().api_key
    }

    /// Whether the service refuses requests with these settings, because it needs a key and there is
    /// none. A mirror may need none.
    pub fn lacks_key(self, settings: &ProviderSettings) -> bool {
        let row = self.row();
        row.api_key.is_required
            && settings.api_key.is_empty()
            && settings.base_url.as_str() == row.base_url
    }

    fn knows_kind(self, kind: &str) -> bool {
        self.row().knows.contains(&kind)
    }
}

/// The ids of the services that resolve one of these kinds of identifiers.
pub(super) fn knowing(kinds: &[&str]) -> Vec<&'static str> {
    ids(|name| kinds.iter().any(|kind| name.knows_kind(kind)))
}

/// The ids of the services that can be searched.
pub(super) fn searching() -> Vec<&'static str> {
    ids(ProviderName::searches)
}

fn ids(is_wanted: impl Fn(ProviderName) -> bool) -> Vec<&'static str> {
    let names = ProviderName::ALL.iter().copied();
    names
        .filter(|name| is_wanted(*name))
        .map(ProviderName::id)
        .collect()
}
