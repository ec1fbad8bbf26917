//! Every section and key of the configuration: name, type, default, range, description. The source of
//! `citation.toml`, of error messages and of the program's settings.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::providers::{ProviderName, knowing, searching};
use super::rule::HOUR_MS;
use super::rule::Rule::{
    Address, AddressOrOff, Choice, Choices, CookieName, Decimal, Language, Levels, Names, Networks,
    Origins, Secret as SecretText, Slug, Switch, Tables, Text, Url, UrlOrNone, Whole, Words,
};
use super::section::section;
use super::values::{BaseUrl, Network, Secret, blank, off};

/// The largest count of any key.
const COUNT: i64 = 1_000_000_000;

/// The largest size of any key: one tebibyte.
const TEBIBYTE: i64 = 1 << 40;

/// The longest path of any key, in characters.
const PATH: usize = 4096;

/// The header in which a reverse proxy names the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForwardedHeader {
    /// `X-Forwarded-For: client, proxy`.
    XForwardedFor,
    /// `Forwarded: for=client, for=proxy` (RFC 7239).
    Forwarded,
}

section! {
    /// How the server listens, and its limits for connections.
    ServerSettings {
        /// The address to listen on. Port 0 takes any free port.
        listen: String = text("127.0.0.1:8080"), Address;

        /// The public address of the server, if it differs from the listening one, for example behind
        /// a reverse proxy. Links, cookies and sign-in depend on it. "" means the listening address.
        #[serde(with = "blank")]
        base_url: Option<BaseUrl> = None, UrlOrNone;

        /// The address of the account pages in errors and links. "" means `/account` under `base_url`.
        #[serde(with = "blank")]
        account_url: Option<BaseUrl> = None, UrlOrNone;

        /// Reverse proxies whose header with the caller's address is trusted. Otherwise the address is
        /// that of the connection.
        trusted_proxies: Vec<Network> = Vec::new(), Networks;

        /// The header in which those proxies send the caller's address: "x-forwarded-for" or
        /// "forwarded". The other one is ignored, since proxies pass it on unchanged.
        forwarded_header: ForwardedHeader = ForwardedHeader::XForwardedFor,
            Choice(&["x-forwarded-for", "forwarded"]);

        /// Maximum number of open connections. For another one, the connection that has waited longest
        /// for its client is closed.
        max_connections: u32 = 1000, Whole(1, 1_000_000);

        /// Maximum number of open connections from one address (IPv6 by /64). Trusted proxies have no
        /// such limit.
        max_connections_per_address: u32 = 256, Whole(1, 1_000_000);

        /// Maximum size of a request's line and headers, in bytes.
        max_header_bytes: u32 = 65_536, Whole(8_192, 1_048_576);

        /// Time for a request's headers to arrive, in milliseconds.
        header_timeout_ms: u64 = 10_000, Whole(1, HOUR_MS);

        /// Time for a request's body to arrive, in milliseconds.
        body_timeout_ms: u64 = 30_000, Whole(1, HOUR_MS);

        /// Time for answering a request, in milliseconds.
        request_timeout_ms: u64 = 30_000, Whole(1, HOUR_MS);

        /// Time that an answer may wait for a client that does not read, in milliseconds. Then the
        /// connection is closed.
        write_timeout_ms: u64 = 20_000, Whole(1, HOUR_MS);

        /// Time after which an idle connection is closed, in milliseconds. Over HTTP/1
        /// the time for headers applies if it is shorter.
        keep_alive_ms: u64 = 60_000, Whole(1, HOUR_MS);

        /// Time for running requests to finish when the server stops, in milliseconds.
        shutdown_timeout_ms: u64 = 20_000, Whole(0, HOUR_MS);

        /// Maximum number of concurrent small reads and writes. They mostly wait for the disk.
        light_slots: u32 = 64, Whole(1, 1024);

        /// Maximum number of small reads and writes that wait for a slot. Above that, here and below,
        /// the answer is 503 with `Retry-After`.
        light_queue: u32 = 256, Whole(0, 1_000_000);

        /// Maximum number of concurrent heavy jobs: formatting, files, matching, sign-in, and bodies
        /// above 64 KB. 0 means one per processor.
        heavy_slots: u32 = 0, Whole(0, 1024);

        /// Maximum number of heavy requests that wait for a slot.
        heavy_queue: u32 = 128, Whole(0, 1024);

        /// Maximum number of requests that wait for answers of providers.
        provider_slots: u32 = 32, Whole(1, 1024);

        /// Maximum number of requests that wait for a slot to ask providers.
        provider_queue: u32 = 96, Whole(0, 1024);

        /// Maximum number of processes that read a PDF at the same time. Each may use 300 MiB of memory and 3
        /// seconds of a processor.
        document_slots: u32 = 1, Whole(1, 64);

        /// Maximum number of requests that wait for such a process.
        document_queue: u32 = 8, Whole(0, 1024);

        /// The share of each queue, and of the light and provider slots, that one caller may use, in
        /// percent. A caller is a credential, or an address without one.
        caller_share_percent: u32 = 50, Whole(1, 100);

        /// Whether answers are compressed for clients that accept it.
        compression: bool = true, Switch;

        /// The address for Prometheus metrics. They reveal usage: keep the address private.
        #[serde(with = "off")]
        metrics_listen: Option<String> = None, AddressOrOff;

        /// Sites whose pages may show the cite box `/embed` in a frame, such as a library's. If empty,
        /// the page does not exist.
        embed_origins: Vec<String> = Vec::new(), Origins;

        [cors]: CorsSettings;
    }
}

section! {
    /// Which other origins may call the API with a credential.
    CorsSettings {
        /// Origins whose pages may send an API key. Public routes are open to all pages.
        allowed_origins: Vec<String> = Vec::new(), Origins;

        /// Time that a browser may cache the answer to a preflight, in seconds.
        max_age_seconds: u32 = 86_400, Whole(0, 86_400);
    }
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Text lines.
    Text,
    /// One JSON object per line.
    Json,
}

section! {
    /// The log, on standard error.
    LogSettings {
        /// The format of lines: "text" or "json".
        format: LogFormat = LogFormat::Text, Choice(&["text", "json"]);

        /// The log level: "error", "warn", "info", "debug", "trace" or "off", also by part of the
        /// program, such as "warn,citation=debug".
        level: String = text("info"), Levels;
    }
}

section! {
    /// The data folder and the database.
    DataSettings {
        /// The folder of the database, the index and all other files of the server. A relative
        /// path starts from the current folder. "" means `./data` if that contains such data or is
        /// empty, else the platform's folder: `citation` under `$XDG_DATA_HOME` (`~/.local/share`),
        /// `~/Library/Application Support` or `%LOCALAPPDATA%`.
        dir: PathBuf = PathBuf::new(), Text(0, PATH);

        /// Whether the data is a read-only copy: works are found, references verified and formatted,
        /// and changes are rejected.
        read_only: bool = false, Switch;

        /// Maximum number of concurrent database readers.
        readers: u32 = 8, Whole(1, 256);

        /// Memory for the database's page cache, in bytes.
        cache_bytes: u64 = 67_108_864, Whole(1_048_576, TEBIBYTE);

        /// Maximum part of the database file to map into memory, in bytes. 0 disables mapping.
        mmap_bytes: u64 = 34_359_738_368, Whole(0, TEBIBYTE);

        /// How long a write waits for another process, in milliseconds.
        busy_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);
    }
}

section! {
    /// The local works.
    CorpusSettings {
        /// Whether the starter corpus is loaded at the first start.
        starter: bool = true, Switch;

        /// Whether abstracts are stored. Without them the database is much smaller.
        keep_abstracts: bool = true, Switch;

        /// Age of a source's newest record from which health, the status page and `citation corpus
        /// stats` warn, in days. 0 means never.
        warn_after_days: u32 = 0, Whole(0, 36_500);

        /// Repositories and other sources that are harvested, one table each. See docs/sources.md.
        harvest: Vec<HarvestSettings> = Vec::new(), Tables(HarvestSettings::KEYS, NAME);
    }
}

/// The required keys of a catalogue.
const NAME_AND_URL: &[&str] = &["name", "url"];

/// The required key of a harvest; its kind requires others.
const NAME: &[&str] = &["name"];

/// What is harvested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HarvestKind {
    /// A repository, by OAI-PMH.
    Oai,
    /// What Crossref has indexed since a day.
    Crossref,
    /// What OpenAlex has changed since a day.
    Openalex,
    /// What DataCite has changed since a day.
    Datacite,
    /// The files that a list in the form of a sitemap names.
    List,
    /// The files of a folder.
    Folder,
}

section! {
    /// One source that is harvested. `name` is required, and `url` or, for a folder, `path`.
    HarvestSettings {
        /// Its name for `citation harvest NAME`. What was harvested is remembered under it.
        name: String = String::new(), Slug;

        /// "oai": a repository, by OAI-PMH. "crossref", "openalex" and "datacite": what these have changed since a
        /// day. "list": the files that a list of ResourceSync or another sitemap names. "folder": the files of a
        /// folder.
        kind: HarvestKind = HarvestKind::Oai,
            Choice(&["oai", "crossref", "openalex", "datacite", "list", "folder"]);

        /// The base URL of OAI-PMH, without `?verb=`, or of an API; the address of a list.
        url: BaseUrl = BaseUrl::known("http://localhost"), Url;

        /// The folder.
        path: String = String::new(), Text(0, PATH);

        /// The day from which the first round takes changes, "2026-01-31". "" means everything.
        since: String = String::new(), Text(0, 10);

        /// The API key for "crossref" or "openalex", if needed. OpenAlex tells what has changed only with a paid
        /// one.
        api_key: Secret = Secret::default(), SecretText;

        /// The metadata format: "oai_dc", "arXiv", or the repository's name for MARC 21 in XML.
        prefix: String = text("oai_dc"), Text(1, 100);

        /// The part of the repository to harvest. "" means all of it.
        set: String = String::new(), Text(0, 500);

        /// Hours between two rounds of the server. 0 means that only the command harvests.
        every_hours: u32 = 0, Whole(0, 8_760);

        /// An e-mail address under which the repository can reach you.
        contact: String = String::new(), Text(0, 200);
    }
}

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

/// What a server does at the start if its database is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recover {
    /// Reports the damage and changes nothing.
    Ask,
    /// Restores the newest sound backup.
    Automatic,
}

section! {
    /// Scheduled backups. `citation restore` restores one.
    BackupSettings {
        /// Hours between backups. 0 disables them.
        every_hours: u32 = 0, Whole(0, 8_760);

        /// Number of backups to keep; older ones are deleted.
        keep: u32 = 7, Whole(1, 1_000);

        /// The folder for backups. "" means `backups` in the data directory.
        directory: String = String::new(), Text(0, PATH);

        /// A program to run after each backup, with the file as its argument, for example to copy it
        /// elsewhere. "" means none.
        command: String = String::new(), Text(0, PATH);

        /// What happens if the database is damaged. "ask": the server names the newest sound backup
        /// and changes nothing. "automatic": each start first checks the database, for at most half a
        /// minute, and replaces a damaged one with that backup; the damaged files are kept, and
        /// everything written since the backup is lost.
        recover: Recover = Recover::Ask, Choice(&["ask", "automatic"]);
    }
}

section! {
    /// Lists that the server fetches by itself when they are due. See docs/sources.md.
    UpdateSettings {
        /// The address of the list of Retraction Watch, a CSV file. "" disables this. Crossref publishes
        /// it at `https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv`
        #[serde(with = "blank")]
        retraction_watch_url: Option<BaseUrl> = None, UrlOrNone;

        /// Hours between two fetches of a list.
        every_hours: u32 = 24, Whole(1, 8_760);
    }
}

section! {
    /// APIs of other services, so that their clients can use this server unchanged. They cost
    /// lookups like the main API. See docs/compat.md.
    CompatSettings {
        /// The Model Context Protocol, under /mcp: tools for language models. See docs/mcp.md.
        mcp: bool = true, Switch;

        /// doi.org: /doi/10.1038/171737a0 and /10.1038/171737a0 answer by content negotiation, or
        /// redirect to the publisher.
        doi: bool = true, Switch;

        /// Crossref's REST API, read-only, under /crossref.
        crossref: bool = true, Switch;

        /// Zotero's translation-server under /translate: web, search, import, export.
        translate: bool = true, Switch;

        /// The same at the root, for clients with fixed paths: /web, /search, /import,
        /// /export.
        translate_at_root: bool = false, Switch;

        /// Zotero's web API, read-only, under /zotero.
        zotero: bool = true, Switch;

        /// The same at the root: /users/… and /keys/…. Some clients, such as pyzotero, request the
        /// next page of a list only there.
        zotero_at_root: bool = true, Switch;
    }
}

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

section! {
    /// Webhooks: addresses of accounts that are told what happens.
    WebhookSettings {
        /// Maximum number of webhooks of an account.
        max_per_account: u32 = 10, Whole(0, 1_000);

        /// Whether addresses in private networks are allowed. Anyone with an account can then make this
        /// server send requests into its own network.
        allow_private: bool = false, Switch;

        /// Time for one delivery, in milliseconds.
        timeout_ms: u64 = 10_000, Whole(1, HOUR_MS);

        /// The pause before the second attempt, in seconds. It doubles each time, up to six hours.
        retry_seconds: u32 = 30, Whole(1, 3_600);

        /// Number of attempts before a delivery is given up.
        max_attempts: u32 = 12, Whole(1, 100);
    }
}

/// Who may create an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignUp {
    /// Anyone.
    Open,
    /// People with an invitation.
    Invitation,
    /// Nobody; the operator creates accounts.
    Closed,
}

/// The plan of a new account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewPlan {
    Free,
    Academic,
    Business,
}

section! {
    /// Links to lists, created without an account. Anyone with the link can read and export the
    /// list as it was. The operator decides whether anonymous users may publish texts here: see
    /// docs/operate.md.
    SharingSettings {
        /// Whether lists can be shared without an account.
        anonymous: bool = false, Switch;

        /// Days without a visit after which such a link expires and its list is deleted.
        anonymous_days: u32 = 180, Whole(1, 36_500);

        /// Maximum number of links that one address (IPv6 by /64) can create in 24 hours.
        anonymous_per_day: u32 = 20, Whole(1, COUNT);

        /// Maximum number of works in one link.
        anonymous_entries: u32 = 500, Whole(1, 1_000);

        /// Maximum size of one link's list, as JSON, in bytes.
        anonymous_list_bytes: u64 = 1_048_576, Whole(1_024, 16_777_216);

        /// Maximum size of all such links, compressed, in bytes. No more can be created above that.
        anonymous_bytes: u64 = 268_435_456, Whole(0, TEBIBYTE);
    }
}

section! {
    /// Accounts: signing up, signing in, passwords, identity providers.
    AuthSettings {
        /// Who may create an account: "open" anyone, "invitation" people with one, "closed" nobody.
        /// `citation user add` always works.
        sign_up: SignUp = SignUp::Open, Choice(&["open", "invitation", "closed"]);

        /// The plan of a new account.
        new_plan: NewPlan = NewPlan::Free, Choice(&["free", "academic", "business"]);

        /// How long an invitation is valid, in hours.
        invitation_hours: u32 = 168, Whole(1, 8_760);

        /// How long a one-time sign-in link is valid, in minutes.
        sign_in_link_minutes: u32 = 60, Whole(1, 43_200);

        /// Minimum characters of a password.
        password_min_chars: u32 = 12, Whole(8, 128);

        /// Maximum characters of a password.
        password_max_chars: u32 = 256, Whole(64, 4_096);

        /// Memory for one password hash (argon2id), in KiB.
        password_memory_kib: u32 = 19_456, Whole(8_192, 4_194_304);

        /// Passes over that memory.
        password_passes: u32 = 2, Whole(1, 100);

        /// Lanes of that memory.
        password_lanes: u32 = 1, Whole(1, 64);

        /// Maximum number of passwords checked at the same time; each uses that memory.
        password_workers: u32 = 2, Whole(1, 64);

        /// Failed sign-ins of one account from one address after which further ones from there
        /// are rejected for some time. An address has ten times as many over all accounts; an
        /// account with ten times as many failures accepts two from each address.
        sign_in_attempts: u32 = 10, Whole(1, 10_000);

        /// The period in which failed sign-ins are counted, in minutes.
        sign_in_window_minutes: u32 = 15, Whole(1, 1_440);

        /// Time for one request to an identity provider, in milliseconds.
        oidc_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);

        /// The operators' accounts, by id as shown by `citation user list`, in addition to the first
        /// one, which the server's own link created. They see accounts, usage and disk on the
        /// status page.
        operators: Vec<String> = Vec::new(), Words;

        /// Identity providers (OpenID Connect), one table each.
        oidc: Vec<IssuerSettings> = Vec::new(), Tables(IssuerSettings::KEYS, ISSUER_REQUIRED);
    }
}

/// The required keys of an identity provider.
const ISSUER_REQUIRED: &[&str] = &["name", "issuer", "client_id"];

section! {
    /// One identity provider. `name`, `issuer` and `client_id` are required.
    IssuerSettings {
        /// Its name in URLs and accounts. Do not change it once accounts use it.
        name: String = String::new(), Slug;

        /// Its name on the sign-in page. "" means `name`.
        label: String = String::new(), Text(0, 100);

        /// The address of the issuer, where `/.well-known/openid-configuration` is found.
        issuer: String = String::new(), Url;

        /// This server's client id at the provider.
        client_id: String = String::new(), Text(1, 1_000);

        /// The client secret. "" for a public client. Set it in the environment to keep it out of
        /// the file: `CITATION_AUTH__OIDC__0__CLIENT_SECRET` for the first provider.
        client_secret: Secret = Secret::default(), SecretText;

        /// The requested scopes.
        scopes: Vec<String> = ["openid", "email", "profile"].map(text).to_vec(), Words;

        /// The claim with the e-mail address. It is used if `email_verified` is `true`.
        email_claim: String = text("email"), Text(1, 100);

        /// The claim with the person's name.
        name_claim: String = text("name"), Text(1, 100);

        /// The claim with the person's groups: a list of texts, or one text. If no claim has
        /// this name, dots lead into objects: "realm_access.roles".
        groups_claim: String = text("groups"), Text(1, 200);

        /// Groups whose members are operators, in addition to `auth.operators`. These groups and those
        /// below are read at each sign-in through the provider.
        operator_groups: Vec<String> = Vec::new(), Names;

        /// Groups whose members are on the Academic plan. If groups are named for any plan, users
        /// in none of them are on `auth.new_plan`.
        academic_groups: Vec<String> = Vec::new(), Names;

        /// Groups whose members are on the Business plan.
        business_groups: Vec<String> = Vec::new(), Names;

        /// Groups that are groups here too: their members can give them a role in collections, and get
        /// the roles that others give them.
        shared_groups: Vec<String> = Vec::new(), Names;
    }
}

section! {
    /// Signing in of other programs (OAuth 2.1), for those that cannot hold an API key. See docs/mcp.md.
    OAuthSettings {
        /// Whether programs can ask accounts for access. If not, their tokens are rejected.
        enabled: bool = true, Switch;

        /// Whether programs can register themselves (RFC 7591).
        dynamic_registration: bool = true, Switch;

        /// Maximum number of programs that one address (IPv6 by /64) can register in 24 hours.
        registrations_per_day: u32 = 100, Whole(1, COUNT);

        /// Whether programs can name themselves by the https address of a document of theirs, which is
        /// read from the open internet.
        client_documents: bool = true, Switch;

        /// Origins inside your own network whose documents are read too, also over http.
        client_origins: Vec<String> = Vec::new(), Origins;

        /// Maximum number of programs that are known. For another one, the oldest that no account has let
        /// in is forgotten.
        max_clients: u32 = 10_000, Whole(1, COUNT);

        /// Days after which a program that no account has let in is forgotten.
        unused_client_days: u32 = 30, Whole(1, 3_650);

        /// Minutes that an access token is valid.
        access_token_minutes: u32 = 60, Whole(1, 1_440);

        /// Days after which a program that has not renewed its token must ask again.
        refresh_token_days: u32 = 90, Whole(1, 3_650);

        /// Time for reading a document, in milliseconds.
        document_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);
    }
}

section! {
    /// Sessions of signed-in users.
    SessionSettings {
        /// The name of the cookie. "" means `__Host-session` over https and `session` otherwise.
        cookie_name: String = String::new(), CookieName;

        /// Days without a request after which a session expires.
        days: u32 = 30, Whole(1, 3_650);

        /// Days after signing in when a session expires even if it is used.
        max_days: u32 = 90, Whole(1, 3_650);
    }
}

fn text(text: &str) -> String {
    text.to_owned()
}
