//! Every section and key of the configuration: name, type, default, range, explanation. What
//! `citation.toml` says, what errors say and what the program uses all come from here.

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

/// The largest count that a key may be set to.
const COUNT: i64 = 1_000_000_000;

/// The largest size that a key may be set to: one tebibyte.
const TEBIBYTE: i64 = 1 << 40;

/// The longest path that a key may be set to, in characters.
const PATH: usize = 4096;

/// Where a reverse proxy says whom it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForwardedHeader {
    /// `X-Forwarded-For: client, proxy`.
    XForwardedFor,
    /// `Forwarded: for=client, for=proxy` (RFC 7239).
    Forwarded,
}

section! {
    /// How the server listens, and what it puts up with from a connection.
    ServerSettings {
        /// Where the server listens. Port 0 takes any free port.
        listen: String = text("127.0.0.1:8080"), Address;

        /// The address under which callers reach the server, where that is not the one it listens
        /// on: behind a reverse proxy, for example. Links, cookies and sign-in depend on it.
        /// "" means the address listened on.
        #[serde(with = "blank")]
        base_url: Option<BaseUrl> = None, UrlOrNone;

        /// The address of the account pages, as errors and links give it.
        /// "" means `/account` under `base_url`.
        #[serde(with = "blank")]
        account_url: Option<BaseUrl> = None, UrlOrNone;

        /// Reverse proxies whose word for a caller's address is believed. The address is otherwise
        /// that of the connection.
        trusted_proxies: Vec<Network> = Vec::new(), Networks;

        /// Which header those proxies write the caller's address into: "x-forwarded-for" or
        /// "forwarded". The other one is never read, since proxies pass it on as it came.
        forwarded_header: ForwardedHeader = ForwardedHeader::XForwardedFor,
            Choice(&["x-forwarded-for", "forwarded"]);

        /// Connections open at the same time. For a further one, the connection is closed that has
        /// waited longest for its client.
        max_connections: u32 = 1000, Whole(1, 1_000_000);

        /// Connections open at the same time from one address (IPv6 by /64). Trusted proxies have no
        /// such limit.
        max_connections_per_address: u32 = 256, Whole(1, 1_000_000);

        /// Size of a request's line and headers, in bytes.
        max_header_bytes: u32 = 65_536, Whole(8_192, 1_048_576);

        /// Time for a request's headers to arrive, in milliseconds.
        header_timeout_ms: u64 = 10_000, Whole(1, HOUR_MS);

        /// Time for a request's body to arrive, in milliseconds.
        body_timeout_ms: u64 = 30_000, Whole(1, HOUR_MS);

        /// Time for a request to be answered, in milliseconds.
        request_timeout_ms: u64 = 30_000, Whole(1, HOUR_MS);

        /// Time for which an answer may wait for its reader to go on, in milliseconds. Then the
        /// connection is closed.
        write_timeout_ms: u64 = 20_000, Whole(1, HOUR_MS);

        /// Time after which a connection without a request is closed, in milliseconds. Over HTTP/1
        /// the time for headers ends it, where that is shorter.
        keep_alive_ms: u64 = 60_000, Whole(1, HOUR_MS);

        /// Time that running requests have to finish when the server stops, in milliseconds.
        shutdown_timeout_ms: u64 = 20_000, Whole(0, HOUR_MS);

        /// Small reads and writes at the same time. Most of their time is waiting for the disk.
        light_slots: u32 = 64, Whole(1, 1024);

        /// Small reads and writes that may wait for a slot. Above that, here and below, the answer
        /// is 503 with `Retry-After`.
        light_queue: u32 = 256, Whole(0, 1_000_000);

        /// Heavy work at the same time: formatting, files, matching, sign-in. 0 means one for each
        /// processor.
        heavy_slots: u32 = 0, Whole(0, 1024);

        /// Heavy requests that may wait for a slot.
        heavy_queue: u32 = 128, Whole(0, 1024);

        /// Requests that wait for answers of providers at the same time.
        provider_slots: u32 = 32, Whole(1, 1024);

        /// Requests that may wait for a slot to ask providers.
        provider_queue: u32 = 96, Whole(0, 1024);

        /// Share of each queue, and of the light and provider slots, that one caller may hold, in
        /// percent. A caller is a credential, or an address without one.
        caller_share_percent: u32 = 50, Whole(1, 100);

        /// Whether answers are compressed for callers that accept it.
        compression: bool = true, Switch;

        /// Where Prometheus reads metrics. They tell about your users: keep the address private.
        #[serde(with = "off")]
        metrics_listen: Option<String> = None, AddressOrOff;

        /// Whose web pages may show the cite box `/embed` in a frame, such as a library's. Without any
        /// there is no such page.
        embed_origins: Vec<String> = Vec::new(), Origins;

        [cors]: CorsSettings;
    }
}

section! {
    /// Which web pages of other origins may call the interface with a credential.
    CorsSettings {
        /// Origins whose pages may send an API key. What needs no credential is open to all pages.
        allowed_origins: Vec<String> = Vec::new(), Origins;

        /// Time for which a browser may remember the answer to a preflight, in seconds.
        max_age_seconds: u32 = 86_400, Whole(0, 86_400);
    }
}

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

section! {
    /// The log, on standard error.
    LogSettings {
        /// How lines are written: "text" for people, "json" for programs.
        format: LogFormat = LogFormat::Text, Choice(&["text", "json"]);

        /// What is logged: "error", "warn", "info", "debug", "trace" or "off", also by part of the
        /// program, such as "warn,citation=debug".
        level: String = text("info"), Levels;
    }
}

section! {
    /// Where data lies.
    DataSettings {
        /// The folder of the database, the index and whatever else the server writes. A relative
        /// path starts from the folder in which the program is run. "" means `./data` where that
        /// holds such data or nothing at all, else the platform's folder: `citation` under
        /// `$XDG_DATA_HOME` (`~/.local/share`), `~/Library/Application Support` or `%LOCALAPPDATA%`.
        dir: PathBuf = PathBuf::new(), Text(0, PATH);

        /// Whether the data is a copy that is only read: works are found, references verified and
        /// formatted, and whatever would change something is refused.
        read_only: bool = false, Switch;

        /// Connections that read the database at the same time.
        readers: u32 = 8, Whole(1, 256);

        /// Memory for the database's pages, in bytes.
        cache_bytes: u64 = 67_108_864, Whole(1_048_576, TEBIBYTE);

        /// How much of the database file may be mapped into memory, in bytes. 0 maps nothing.
        mmap_bytes: u64 = 34_359_738_368, Whole(0, TEBIBYTE);

        /// How long a write waits for another process, in milliseconds.
        busy_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);
    }
}

section! {
    /// The local works.
    CorpusSettings {
        /// Whether the works that come with the program are loaded at the first start.
        starter: bool = true, Switch;

        /// Whether abstracts are kept. Without them the database is much smaller.
        keep_abstracts: bool = true, Switch;
    }
}

section! {
    /// Looking up works: the local corpus first, then the providers.
    LookupSettings {
        /// Time for all providers of one lookup together, in milliseconds.
        budget_ms: u64 = 8_000, Whole(1, HOUR_MS);

        /// Time for which it is remembered that no provider has a work, in seconds. 0 remembers
        /// nothing. A provider's failure is never remembered.
        negative_ttl_seconds: u64 = 86_400, Whole(0, 31_536_000);

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
            vec![ProviderName::PubMed, ProviderName::EuropePmc, ProviderName::OpenAlex],
            Choices(|| knowing(&["pmid", "pmcid"]));

        /// Providers asked for an arXiv id, in this order, until one has it.
        arxiv_order: Vec<ProviderName> = vec![ProviderName::Arxiv, ProviderName::DataCite],
            Choices(|| knowing(&["arxiv"]));

        /// Providers searched for a reference that the local corpus does not answer well enough.
        reverse_order: Vec<ProviderName> =
            vec![
                ProviderName::Citation,
                ProviderName::Crossref,
                ProviderName::OpenLibrary,
                ProviderName::DataCite,
                ProviderName::OpenAlex,
                ProviderName::PubMed,
            ],
            Choices(searching);

        /// Score from which on a local candidate answers a reference and no provider is searched.
        sufficient_score: f64 = 0.95, Decimal(0.0, 1.0);

        /// Whether a page is fetched whose address names no work, to read what it says of itself. Only
        /// the open internet is asked.
        fetch_pages: bool = true, Switch;

        /// Origins inside your own network whose pages are fetched all the same, such as that of
        /// your repository.
        fetch_origins: Vec<String> = Vec::new(), Origins;

        /// How much of a page is read, unpacked, in bytes.
        page_bytes: u64 = 2_097_152, Whole(1_024, 1_073_741_824);
    }
}

/// What a server does that finds its database damaged at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recover {
    /// It says so, and leaves everything as it is.
    Ask,
    /// It puts the newest sound backup in its place.
    Automatic,
}

section! {
    /// Backups that the server makes by itself. `citation restore` puts one back.
    BackupSettings {
        /// Hours from one backup to the next. 0 makes none.
        every_hours: u32 = 0, Whole(0, 8_760);

        /// How many backups are kept; older ones are deleted.
        keep: u32 = 7, Whole(1, 1_000);

        /// The folder for backups. "" means `backups` in the data directory.
        directory: String = String::new(), Text(0, PATH);

        /// A program that is run after each backup, with the file as its argument: to carry it off.
        /// "" means none.
        command: String = String::new(), Text(0, PATH);

        /// What happens where the database is damaged. "ask": the server names the newest sound backup,
        /// and leaves everything as it is. "automatic": each start first checks the database, for half a
        /// minute at most, and puts that backup in the place of a damaged one; the damaged files are
        /// kept, and what was written since the backup is lost.
        recover: Recover = Recover::Ask, Choice(&["ask", "automatic"]);
    }
}

section! {
    /// Interfaces of other services, so that their clients can be pointed here unchanged. They cost
    /// lookups as our own interface does. See docs/compat.md.
    CompatSettings {
        /// The Model Context Protocol, under /mcp: tools for language models. See docs/mcp.md.
        mcp: bool = true, Switch;

        /// doi.org: /doi/10.1038/171737a0 and /10.1038/171737a0 answer by content negotiation, or
        /// lead to the publisher.
        doi: bool = true, Switch;

        /// Crossref's REST interface, reading, under /crossref.
        crossref: bool = true, Switch;

        /// Zotero's translation-server under /translate: web, search, import, export.
        translate: bool = true, Switch;

        /// The same at the root too, for clients that know no other place: /web, /search, /import,
        /// /export.
        translate_at_root: bool = false, Switch;

        /// Zotero's web API, reading, under /zotero.
        zotero: bool = true, Switch;

        /// The same at the root too: /users/… and /keys/…. Some clients, pyzotero among them, find the
        /// next page of a list only there.
        zotero_at_root: bool = true, Switch;
    }
}

section! {
    /// Formatting citations and bibliographies.
    FormatSettings {
        /// The style where a request names none.
        style: String = text("apa"), Text(1, 200);

        /// The locale where neither the request nor the style names one.
        locale: String = text("en-US"), Language;

        /// Entries in one request.
        max_entries: u32 = 1_000, Whole(1, 1_000_000);

        /// Cites in one grouped citation.
        max_indices: u32 = 200, Whole(1, 1_000_000);

        /// Size of a style that a request or an account brings along, in bytes.
        max_style_bytes: u64 = 262_144, Whole(1_024, 16_777_216);

        /// Memory for styles that are ready for use, in bytes.
        style_cache_bytes: u64 = 67_108_864, Whole(0, TEBIBYTE);

        /// A folder with further styles (`*.csl`) and locales (`locales-*.xml`), which go before
        /// those that come with the program. "" means two: `styles` in the folder in which the
        /// program is run, and `styles` in the data folder.
        #[serde(with = "blank")]
        styles_dir: Option<PathBuf> = None, Text(0, PATH);

        /// Score below which batch formatting does not take a candidate for the work meant.
        batch_min_score: f64 = 0.8, Decimal(0.0, 1.0);
    }
}

section! {
    /// Lookups that a caller may make, and what the plans cost.
    QuotaSettings {
        /// Lookups in 24 hours without an account, by address.
        anonymous_daily: u32 = 20, Whole(0, COUNT);

        /// Lookups in 24 hours with a free account.
        free_daily: u32 = 60, Whole(0, COUNT);

        /// Lookups in 24 hours on the Academic plan.
        academic_daily: u32 = 20_000, Whole(0, COUNT);

        /// Lookups in 24 hours on the Business plan.
        business_daily: u32 = 20_000, Whole(0, COUNT);

        /// Calls in a calendar month that the Academic plan includes. More are recorded for billing.
        academic_monthly: u32 = 10_000, Whole(0, COUNT);

        /// Calls in a calendar month that the Business plan includes. More are recorded for billing.
        business_monthly: u32 = 40_000, Whole(0, COUNT);

        /// What the Academic plan costs a month, as texts say it. "" where nobody is billed: texts then
        /// speak of no price.
        academic_price: String = text("EUR 4"), Text(0, 40);

        /// What the Business plan costs a month, as texts say it. "" where nobody is billed.
        business_price: String = text("EUR 10"), Text(0, 40);
    }
}

section! {
    /// How much and how often: requests, collections, sizes of what a request may hold.
    LimitSettings {
        /// Requests in a minute without a credential, by address (IPv6 by /64).
        anonymous_per_minute: u32 = 100, Whole(1, COUNT);

        /// Requests in a minute with a credential.
        credential_per_minute: u32 = 600, Whole(1, COUNT);

        /// Addresses and credentials whose requests are counted at the same time.
        tracked_callers: u32 = 100_000, Whole(1_000, 100_000_000);

        /// Collections of a free account.
        free_collections: u32 = 4, Whole(0, COUNT);

        /// Entries in one collection of a free account.
        free_entries: u32 = 200, Whole(0, COUNT);

        /// Room of a free account, in bytes: entries, also deleted ones, their earlier versions,
        /// remembered answers and own styles.
        free_account_bytes: u64 = 67_108_864, Whole(1_048_576, 1_099_511_627_776);

        /// Collections on the Academic plan.
        academic_collections: u32 = 10, Whole(0, COUNT);

        /// Entries in one collection on the Academic plan.
        academic_entries: u32 = 1_000, Whole(0, COUNT);

        /// Room of an account on the Academic plan, in bytes.
        academic_account_bytes: u64 = 268_435_456, Whole(1_048_576, 1_099_511_627_776);

        /// Collections on the Business plan.
        business_collections: u32 = 20, Whole(0, COUNT);

        /// Entries in one collection on the Business plan.
        business_entries: u32 = 4_000, Whole(0, COUNT);

        /// Room of an account on the Business plan, in bytes.
        business_account_bytes: u64 = 1_073_741_824, Whole(1_048_576, 1_099_511_627_776);

        /// Size of a JSON body, in bytes.
        json_body_bytes: u64 = 2_097_152, Whole(1_024, 1_073_741_824);

        /// Work that one request may cause, in steps: an element evaluated, a token read, a pair
        /// compared. Above that the answer is 422.
        request_steps: u64 = 20_000_000, Whole(10_000, 1_000_000_000_000);

        /// Text that one request may make on the way to its answer, in bytes. Above that the answer
        /// is 422.
        request_bytes: u64 = 134_217_728, Whole(1_048_576, 1_099_511_627_776);

        /// Size of a file to import, in bytes.
        import_bytes: u64 = 10_485_760, Whole(1_024, 1_073_741_824);

        /// Size of a body of any kind without an account, in bytes.
        anonymous_body_bytes: u64 = 4_194_304, Whole(1_024, 1_073_741_824);

        /// Memory for the bodies of all requests together, in bytes, of which half is kept for
        /// accounts. Above that the answer is 503 with `Retry-After`.
        bodies_in_flight_bytes: u64 = 67_108_864, Whole(65_536, TEBIBYTE);

        /// Memory for all answers together that are being sent, in bytes. Above that the
        /// connections are closed whose clients do not read, and else the answer is 503 with
        /// `Retry-After`.
        answers_in_flight_bytes: u64 = 134_217_728, Whole(65_536, TEBIBYTE);

        /// Characters of a DOI or ISBN as given.
        identifier_chars: u32 = 256, Whole(32, 4_096);

        /// Characters of the text of a reverse lookup.
        reference_chars: u32 = 2_000, Whole(1, 100_000);

        /// Characters of a search.
        query_chars: u32 = 200, Whole(1, 10_000);

        /// Candidates of a reverse lookup where the request does not say how many.
        reverse_candidates: u32 = 5, Whole(1, 100);

        /// Candidates of a reverse lookup at most.
        reverse_candidates_max: u32 = 20, Whole(1, 100);

        /// Styles in the list of styles.
        style_list: u32 = 50, Whole(1, 10_000);

        /// Styles that a search finds where the request does not say how many.
        style_search: u32 = 20, Whole(1, 10_000);

        /// Styles that a search finds at most.
        style_search_max: u32 = 100, Whole(1, 10_000);

        /// Characters of a collection's name.
        name_chars: u32 = 200, Whole(1, 10_000);

        /// Characters of a collection's description.
        description_chars: u32 = 2_000, Whole(1, 1_000_000);

        /// Characters of an entry's note.
        note_chars: u32 = 10_000, Whole(1, 1_000_000);

        /// Tags of a collection or an entry.
        tags: u32 = 50, Whole(1, 10_000);

        /// Characters of a tag.
        tag_chars: u32 = 64, Whole(1, 1_000);

        /// Names in one list of names, such as the authors.
        authors: u32 = 5_000, Whole(1, 1_000_000);

        /// Size of what an entry may hold outside the known fields, in bytes.
        extra_bytes: u32 = 32_768, Whole(0, 16_777_216);

        /// Earlier versions that are kept of an entry's metadata.
        entry_versions: u32 = 20, Whole(1, 1_000);

        /// Entries added to a collection or moved by one request.
        batch_entries: u32 = 1_000, Whole(1, 1_000_000);

        /// Items of one batch formatting or verification.
        batch_items: u32 = 100, Whole(1, 100_000);

        /// References of one document that is sent for verification.
        document_references: u32 = 1_000, Whole(1, 100_000);

        /// Entries that one request may ask citation keys for.
        citation_key_entries: u32 = 4_000, Whole(1, 1_000_000);

        /// Citation styles of an account's own.
        own_styles: u32 = 20, Whole(0, 1_000);

        /// API keys of an account.
        api_keys: u32 = 50, Whole(1, 10_000);

        /// How long an `Idempotency-Key` is remembered, in hours.
        idempotency_hours: u32 = 24, Whole(1, 8_760);

        /// How long a deleted collection can be restored, in days.
        restore_days: u32 = 30, Whole(0, 3_650);
    }
}

/// Who may make an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignUp {
    /// Anybody.
    Open,
    /// Who has an invitation.
    Invitation,
    /// Nobody; the operator adds accounts.
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
    /// Links that somebody without an account makes to a list. Whoever has the link reads and exports the
    /// list as it was. Whether strangers may publish texts here is the operator's to decide: see
    /// docs/operate.md.
    SharingSettings {
        /// Whether lists can be shared without an account.
        anonymous: bool = false, Switch;

        /// Days without a visit after which such a link ends and its list is removed.
        anonymous_days: u32 = 180, Whole(1, 36_500);

        /// Links that one address (IPv6 by /64) can make in 24 hours.
        anonymous_per_day: u32 = 20, Whole(1, COUNT);

        /// Works in one link.
        anonymous_entries: u32 = 500, Whole(1, 1_000);

        /// Size of one link's list, as JSON, in bytes.
        anonymous_list_bytes: u64 = 1_048_576, Whole(1_024, 16_777_216);

        /// Size of all such links together, compressed, in bytes. Where it is reached no more can be made.
        anonymous_bytes: u64 = 268_435_456, Whole(0, TEBIBYTE);
    }
}

section! {
    /// Accounts: signing up, signing in, passwords, identity providers.
    AuthSettings {
        /// Who may make an account: "open" anybody, "invitation" who has one, "closed" nobody.
        /// `citation user add` always works.
        sign_up: SignUp = SignUp::Open, Choice(&["open", "invitation", "closed"]);

        /// The plan of a new account.
        new_plan: NewPlan = NewPlan::Free, Choice(&["free", "academic", "business"]);

        /// How long an invitation is good for, in hours.
        invitation_hours: u32 = 168, Whole(1, 8_760);

        /// How long a one-time link to sign in is good for, in minutes.
        sign_in_link_minutes: u32 = 60, Whole(1, 43_200);

        /// Characters that a password must have.
        password_min_chars: u32 = 12, Whole(8, 128);

        /// Characters that a password may have.
        password_max_chars: u32 = 256, Whole(64, 4_096);

        /// Memory to compute one password's hash (argon2id), in KiB.
        password_memory_kib: u32 = 19_456, Whole(8_192, 4_194_304);

        /// Passes over that memory.
        password_passes: u32 = 2, Whole(1, 100);

        /// Lanes of that memory.
        password_lanes: u32 = 1, Whole(1, 64);

        /// Passwords checked at the same time; each takes that memory.
        password_workers: u32 = 2, Whole(1, 64);

        /// Failed sign-ins of one account from one address after which further ones from there
        /// are refused for a while. Over all accounts an address has ten times as many; an
        /// account that ten times as many have failed on takes two from each address.
        sign_in_attempts: u32 = 10, Whole(1, 10_000);

        /// The time over which failed sign-ins are counted, in minutes.
        sign_in_window_minutes: u32 = 15, Whole(1, 1_440);

        /// Time for one request to an identity provider, in milliseconds.
        oidc_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);

        /// The accounts of whoever runs the server, by id as `citation user list` shows it, beside the
        /// first one, which the server's own link made. They see accounts, usage and disk on the
        /// status page.
        operators: Vec<String> = Vec::new(), Words;

        /// Identity providers (OpenID Connect), a table each.
        oidc: Vec<IssuerSettings> = Vec::new(), Tables(IssuerSettings::KEYS, ISSUER_REQUIRED);
    }
}

/// Keys without which an identity provider is of no use.
const ISSUER_REQUIRED: &[&str] = &["name", "issuer", "client_id"];

section! {
    /// One identity provider. `name`, `issuer` and `client_id` must be there.
    IssuerSettings {
        /// Its name in addresses and accounts. Do not change it once accounts use it.
        name: String = String::new(), Slug;

        /// Its name on the sign-in page. "" means `name`.
        label: String = String::new(), Text(0, 100);

        /// The address of the issuer, where `/.well-known/openid-configuration` is found.
        issuer: String = String::new(), Url;

        /// What the provider calls this server.
        client_id: String = String::new(), Text(1, 1_000);

        /// The secret that goes with it. "" for a public client. The environment keeps it out of
        /// the file: `CITATION_AUTH__OIDC__0__CLIENT_SECRET` for the first provider.
        client_secret: Secret = Secret::default(), SecretText;

        /// What is asked for.
        scopes: Vec<String> = ["openid", "email", "profile"].map(text).to_vec(), Words;

        /// The claim that holds the e-mail address. It counts where `email_verified` is `true`.
        email_claim: String = text("email"), Text(1, 100);

        /// The claim that holds the person's name.
        name_claim: String = text("name"), Text(1, 100);

        /// The claim that holds the person's groups: a list of texts, or one text. Where no claim has
        /// this name, dots lead into objects: "realm_access.roles".
        groups_claim: String = text("groups"), Text(1, 200);

        /// Groups whose members are operators, beside those of `auth.operators`. These groups and those
        /// below are looked at whenever somebody signs in through the provider.
        operator_groups: Vec<String> = Vec::new(), Names;

        /// Groups whose members are on the Academic plan. Where groups are named for a plan, whoever
        /// is in none of them is on `auth.new_plan`.
        academic_groups: Vec<String> = Vec::new(), Names;

        /// Groups whose members are on the Business plan.
        business_groups: Vec<String> = Vec::new(), Names;
    }
}

section! {
    /// Sessions of people who have signed in with a browser.
    SessionSettings {
        /// The name of the cookie. "" means `__Host-session` over https and `session` otherwise.
        cookie_name: String = String::new(), CookieName;

        /// Days without a request after which a session ends.
        days: u32 = 30, Whole(1, 3_650);

        /// Days after signing in when a session ends even if it is used.
        max_days: u32 = 90, Whole(1, 3_650);
    }
}

fn text(text: &str) -> String {
    text.to_owned()
}
