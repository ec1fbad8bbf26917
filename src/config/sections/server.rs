//! The server itself: connections, other origins, the log, interfaces of other services.

use serde::{Deserialize, Serialize};

use super::text;
use crate::config::rule::HOUR_MS;
use crate::config::rule::Rule::{
    Address, AddressOrOff, Choice, Levels, Networks, Origins, Switch, UrlOrNone, Whole,
};
use crate::config::section::section;
use crate::config::values::{BaseUrl, Network, blank, off};

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
