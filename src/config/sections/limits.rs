//! Limits: formatting, quotas of the plans, sizes, jobs.

use std::path::PathBuf;

use super::{COUNT, PATH, TEBIBYTE, text};
use crate::config::rule::Rule::{Decimal, Language, Networks, Slug, Switch, Tables, Text, Whole};
use crate::config::section::section;
use crate::config::values::{Network, blank};

section! {
    /// Formatting citations and bibliographies.
    FormatSettings {
        /// The default style.
        style: String = text("apa"), Text(1, 200);

        /// The locale if neither the request nor the style names one.
        locale: String = text("en-US"), Language;

        /// Maximum number of entries in one request.
        max_entries: u32 = 1_000, Whole(1, 1_000_000);

        /// Maximum number of cites in one grouped citation.
        max_indices: u32 = 200, Whole(1, 1_000_000);

        /// Maximum size of an own style or a style in a request, in bytes.
        max_style_bytes: u64 = 262_144, Whole(1_024, 16_777_216);

        /// Memory for compiled styles, in bytes.
        style_cache_bytes: u64 = 67_108_864, Whole(0, TEBIBYTE);

        /// Memory for the documents of word processors, in bytes, so that an edit sends only what changed. A
        /// document that is not kept is sent whole.
        document_cache_bytes: u64 = 67_108_864, Whole(0, TEBIBYTE);

        /// A folder with further styles (`*.csl`) and locales (`locales-*.xml`), which override the
        /// built-in ones. "" means two: `styles` in the current folder, and `styles` in the data
        /// folder.
        #[serde(with = "blank")]
        styles_dir: Option<PathBuf> = None, Text(0, PATH);

        /// Minimum score for batch formatting to accept a candidate.
        batch_min_score: f64 = 0.8, Decimal(0.0, 1.0);
    }
}

section! {
    /// Lookup quotas and prices of the plans.
    QuotaSettings {
        /// Lookups in 24 hours without an account, by address.
        anonymous_daily: u32 = 20, Whole(0, COUNT);

        /// Lookups in 24 hours with a free account.
        free_daily: u32 = 60, Whole(0, COUNT);

        /// Lookups in 24 hours on the Academic plan.
        academic_daily: u32 = 20_000, Whole(0, COUNT);

        /// Lookups in 24 hours on the Business plan.
        business_daily: u32 = 20_000, Whole(0, COUNT);

        /// API calls per calendar month included in the Academic plan. More are recorded for billing.
        academic_monthly: u32 = 10_000, Whole(0, COUNT);

        /// API calls per calendar month included in the Business plan. More are recorded for billing.
        business_monthly: u32 = 40_000, Whole(0, COUNT);

        /// The monthly price of the Academic plan, as shown in texts. "" without billing: texts then
        /// mention no price.
        academic_price: String = text("EUR 4"), Text(0, 40);

        /// The monthly price of the Business plan, as shown in texts. "" without billing.
        business_price: String = text("EUR 10"), Text(0, 40);

        /// Whether you sell plans. Only then the pages have plans and prices; the messages of the API name
        /// those above in any case.
        sells_plans: bool = false, Switch;

        /// Whether works of the local corpus are free: then an answer costs no lookup if its work was on
        /// this server already. A work by its identifier is then found even with no lookup left.
        local_works_free: bool = false, Switch;

        /// Networks with a quota of their own, such as a campus behind one address, one table each. Callers
        /// without an account share it. The first network that has an address applies.
        networks: Vec<NetworkSettings> = Vec::new(),
            Tables(NetworkSettings::KEYS, NETWORK_REQUIRED);
    }
}

/// The required keys of a network.
const NETWORK_REQUIRED: &[&str] = &["name", "addresses"];

section! {
    /// One network with a quota of its own. `name` and `addresses` are required.
    NetworkSettings {
        /// Its name, under which the lookups are counted: a new name starts with a new count.
        name: String = String::new(), Slug;

        /// Its addresses and networks, such as ["192.0.2.7", "2001:db8::/32"]. Addresses behind a proxy
        /// count if `server.trusted_proxies` names the proxy.
        addresses: Vec<Network> = Vec::new(), Networks;

        /// Lookups in 24 hours of all its callers together.
        daily: u32 = 2_000, Whole(0, COUNT);

        /// Requests per minute of each of its addresses, without an account.
        per_minute: u32 = 600, Whole(1, COUNT);
    }
}

section! {
    /// Limits of requests, collections and sizes.
    LimitSettings {
        /// Requests per minute without a credential, by address (IPv6 by /64).
        anonymous_per_minute: u32 = 100, Whole(1, COUNT);

        /// Requests per minute with a credential.
        credential_per_minute: u32 = 600, Whole(1, COUNT);

        /// Maximum number of addresses and credentials with a rate counter.
        tracked_callers: u32 = 100_000, Whole(1_000, 100_000_000);

        /// Collections of a free account.
        free_collections: u32 = 4, Whole(0, COUNT);

        /// Entries in one collection of a free account.
        free_entries: u32 = 200, Whole(0, COUNT);

        /// Storage of a free account, in bytes: entries, including deleted ones, their earlier versions,
        /// stored replies and own styles.
        free_account_bytes: u64 = 67_108_864, Whole(1_048_576, 1_099_511_627_776);

        /// Collections on the Academic plan.
        academic_collections: u32 = 10, Whole(0, COUNT);

        /// Entries in one collection on the Academic plan.
        academic_entries: u32 = 1_000, Whole(0, COUNT);

        /// Storage of an account on the Academic plan, in bytes.
        academic_account_bytes: u64 = 268_435_456, Whole(1_048_576, 1_099_511_627_776);

        /// Collections on the Business plan.
        business_collections: u32 = 20, Whole(0, COUNT);

        /// Entries in one collection on the Business plan.
        business_entries: u32 = 4_000, Whole(0, COUNT);

        /// Storage of an account on the Business plan, in bytes.
        business_account_bytes: u64 = 1_073_741_824, Whole(1_048_576, 1_099_511_627_776);

        /// Maximum size of a JSON body, in bytes.
        json_body_bytes: u64 = 2_097_152, Whole(1_024, 1_073_741_824);

        /// Maximum work for one request, in steps: an element evaluated, a token read, a pair
        /// compared. Above that the answer is 422.
        request_steps: u64 = 20_000_000, Whole(10_000, 1_000_000_000_000);

        /// Maximum text generated for one request, in bytes. Above that the answer
        /// is 422.
        request_bytes: u64 = 134_217_728, Whole(1_048_576, 1_099_511_627_776);

        /// Maximum size of a file to import, in bytes.
        import_bytes: u64 = 10_485_760, Whole(1_024, 1_073_741_824);

        /// Maximum size of any body without an account, in bytes.
        anonymous_body_bytes: u64 = 4_194_304, Whole(1_024, 1_073_741_824);

        /// Memory for the bodies of all requests, in bytes; half of it is reserved for
        /// accounts. Above that the answer is 503 with `Retry-After`.
        bodies_in_flight_bytes: u64 = 67_108_864, Whole(65_536, TEBIBYTE);

        /// Memory for all answers being sent, in bytes. Above that, connections whose clients do not
        /// read are closed; if that is not enough, the answer is 503 with `Retry-After`.
        answers_in_flight_bytes: u64 = 134_217_728, Whole(65_536, TEBIBYTE);

        /// Maximum characters of a DOI or ISBN in a request.
        identifier_chars: u32 = 256, Whole(32, 4_096);

        /// Maximum characters of the text of a reverse lookup.
        reference_chars: u32 = 2_000, Whole(1, 100_000);

        /// Maximum characters of a search.
        query_chars: u32 = 200, Whole(1, 10_000);

        /// Default number of candidates of a reverse lookup.
        reverse_candidates: u32 = 5, Whole(1, 100);

        /// Maximum number of candidates of a reverse lookup.
        reverse_candidates_max: u32 = 20, Whole(1, 100);

        /// Number of styles in the list of styles.
        style_list: u32 = 50, Whole(1, 10_000);

        /// Default number of styles of a search.
        style_search: u32 = 20, Whole(1, 10_000);

        /// Maximum number of styles of a search.
        style_search_max: u32 = 100, Whole(1, 10_000);

        /// Maximum characters of a collection's name.
        name_chars: u32 = 200, Whole(1, 10_000);

        /// Maximum characters of a collection's description.
        description_chars: u32 = 2_000, Whole(1, 1_000_000);

        /// Maximum characters of an entry's note.
        note_chars: u32 = 10_000, Whole(1, 1_000_000);

        /// Maximum tags of a collection or an entry.
        tags: u32 = 50, Whole(1, 10_000);

        /// Maximum characters of a tag.
        tag_chars: u32 = 64, Whole(1, 1_000);

        /// Maximum names in one list of names, such as the authors.
        authors: u32 = 5_000, Whole(1, 1_000_000);

        /// Maximum size of an entry's unknown fields, in bytes.
        extra_bytes: u32 = 32_768, Whole(0, 16_777_216);

        /// Number of earlier versions kept of an entry's metadata.
        entry_versions: u32 = 20, Whole(1, 1_000);

        /// Maximum number of entries added or moved by one request.
        batch_entries: u32 = 1_000, Whole(1, 1_000_000);

        /// Maximum number of items in one batch formatting or verification.
        batch_items: u32 = 100, Whole(1, 100_000);

        /// Maximum number of references in a document for verification.
        document_references: u32 = 1_000, Whole(1, 100_000);

        /// Maximum number of entries in a request for citation keys.
        citation_key_entries: u32 = 4_000, Whole(1, 1_000_000);

        /// Maximum number of own styles of an account.
        own_styles: u32 = 20, Whole(0, 1_000);

        /// Maximum number of API keys of an account.
        api_keys: u32 = 50, Whole(1, 10_000);

        /// How long an `Idempotency-Key` is stored, in hours.
        idempotency_hours: u32 = 24, Whole(1, 8_760);

        /// How long a deleted collection can be restored, in days.
        restore_days: u32 = 30, Whole(0, 3_650);
    }
}

section! {
    /// Jobs: requests of accounts that are answered in the background.
    JobSettings {
        /// Maximum size of the body of a request for a job, in bytes. `limits.bodies_in_flight_bytes` must
        /// have room for it.
        max_bytes: u64 = 52_428_800, Whole(1_024, 1_073_741_824);

        /// Maximum number of files of a job, those of its archive included.
        max_files: u32 = 1_000, Whole(1, 100_000);

        /// Maximum size of all files of an archive, unpacked, in bytes.
        max_unpacked_bytes: u64 = 268_435_456, Whole(1_024, 1_073_741_824);

        /// Maximum number of items of one file: references, entries or identifiers.
        max_items: u32 = 10_000, Whole(1, 1_000_000);

        /// Maximum number of unfinished jobs of an account.
        max_per_account: u32 = 10, Whole(1, 10_000);

        /// Number of finished jobs kept for an account. The oldest are removed.
        max_ended: u32 = 100, Whole(1, 10_000);

        /// Number of jobs that run at the same time. 0 means that jobs wait.
        places: u32 = 2, Whole(0, 64);

        /// Number of jobs of one account that run at the same time.
        places_per_account: u32 = 1, Whole(1, 64);

        /// How long the results of a finished job are kept, in days.
        keep_days: u32 = 7, Whole(1, 3_650);
    }
}
