//! Constraints between keys.

use std::collections::HashSet;

use super::error::{ConfigError, ValueOrigin};
use super::{Config, HarvestKind, HarvestSettings, MailSecurity, ProviderName};

/// Maximum number of collections in which a group of a provider has a role.
const MAX_GROUP_COLLECTIONS: usize = 1_000;

/// Every pair of values that violates a constraint. `origin` returns the origin of a key's value.
pub fn check(config: &Config, origin: impl Fn(&str) -> ValueOrigin) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    let mut refuse = |key: &str, other: &str, problem: String| {
        // The error names the value that was set, not the default.
        let (key, origin) = match origin(key) {
            ValueOrigin::Default => (other, origin(other)),
            set => (key, set),
        };
        errors.push(ConfigError {
            origin,
            key: Some(key.to_owned()),
            problem,
            ..ConfigError::default()
        });
    };
    for (smaller, larger) in ordered_pairs(config) {
        if smaller.1 > larger.1 {
            let problem = format!(
                "is inconsistent: `{}` ({}) must not exceed `{}` ({})",
                smaller.0, smaller.1, larger.0, larger.1
            );
            refuse(&smaller.0, &larger.0, problem);
        }
    }
    let base_url = &config.server.base_url;
    if let Some(url) = base_url.as_ref().filter(|url| url.origin() != url.as_str()) {
        let problem = format!(
            "has a path ({}), which the pages do not support: give the service a host name or a \
             port of its own",
            url.as_str()
        );
        refuse("server.base_url", "server.base_url", problem);
    }
    let resolver = config.lookup.openurl_base.as_str();
    if !resolver.is_empty() && !is_web_address(resolver) {
        let problem = "is not an address that begins with https:// or http:// and has no fragment";
        let key = "lookup.openurl_base";
        refuse(key, key, problem.to_owned());
    }
    let name = config.session.cookie_name.as_str();
    let https = config
        .server
        .base_url
        .as_ref()
        .is_some_and(|url| url.is_https());
    if !https && (name.starts_with("__Host-") || name.starts_with("__Secure-")) {
        let problem = "begins with a prefix that browsers only accept over https, and \
                       `server.base_url` is not an https address";
        refuse("session.cookie_name", "server.base_url", problem.to_owned());
    }
    let mail = &config.mail;
    if !mail.server.is_empty() {
        if !mail.from.contains('@') {
            let problem = "is no address, which `mail.server` needs as the sender";
            refuse("mail.from", "mail.server", problem.to_owned());
        }
        let here = ["localhost", "127.0.0.1", "::1"];
        if mail.security == MailSecurity::None && !here.contains(&mail.server.as_str()) {
            let problem =
                "is \"none\", and `mail.server` is another machine: use \"tls\" or \"starttls\"";
            refuse("mail.security", "mail.server", problem.to_owned());
        }
    }
    let issuers: Vec<&str> = config
        .auth
        .oidc
        .iter()
        .map(|issuer| issuer.name.as_str())
        .collect();
    let mut claims = HashSet::new();
    for (number, group) in config.auth.groups.iter().enumerate() {
        let key = |name: &str| format!("auth.groups.{number}.{name}");
        let (provider, claim) = (key("provider"), key("claim"));
        if !issuers.contains(&group.provider.as_str()) {
            let problem = format!(
                "names `{}`, which no table of `auth.oidc` has",
                group.provider
            );
            refuse(&provider, &provider, problem);
        }
        if !claims.insert((&group.provider, &group.claim)) {
            let problem = format!(
                "repeats the group `{}` of `{}`",
                group.claim, group.provider
            );
            refuse(&claim, &claim, problem);
        }
        if group.collections.len() > MAX_GROUP_COLLECTIONS {
            let problem = format!("lists more than {MAX_GROUP_COLLECTIONS} collections");
            refuse(&key("collections"), &key("collections"), problem);
        }
    }
    let harvests: Vec<&str> = { config.corpus.harvest.iter() }
        .map(|harvest| harvest.name.as_str())
        .collect();
    for (number, harvest) in config.corpus.harvest.iter().enumerate() {
        let is_folder = harvest.kind == HarvestKind::Folder;
        let key = format!("corpus.harvest.{number}.kind");
        if is_folder && harvest.path.is_empty() {
            refuse(&key, &key, "is a folder, which needs `path`".to_owned());
        } else if !is_folder && !has_url(harvest) {
            let key = format!("corpus.harvest.{number}.name");
            refuse(
                &key,
                &key,
                "has no `url`, which every harvest but that of a folder needs".to_owned(),
            );
        }
        if !harvest.since.is_empty() && !is_day(&harvest.since) {
            let key = format!("corpus.harvest.{number}.since");
            refuse(&key, &key, "is not a day like 2026-01-31".to_owned());
        }
    }
    let catalogues: Vec<&str> = { config.lookup.sru.iter() }
        .map(|catalogue| catalogue.name.as_str())
        .collect();
    let networks: Vec<&str> = { config.quota.networks.iter() }
        .map(|network| network.name.as_str())
        .collect();
    for (array, tables) in [
        ("auth.oidc", issuers),
        ("corpus.harvest", harvests),
        ("lookup.sru", catalogues),
        ("quota.networks", networks),
    ] {
        let mut names = HashSet::new();
        for (number, name) in tables.into_iter().enumerate() {
            if !names.insert(name) {
                let key = format!("{array}.{number}.name");
                refuse(&key, &key, format!("repeats the name `{name}`"));
            }
        }
    }
    errors
}

/// Whether a harvest has an address of its own.
fn has_url(harvest: &HarvestSettings) -> bool {
    harvest.url != HarvestSettings::default().url
}

fn is_day(text: &str) -> bool {
    text.parse::<jiff::civil::Date>().is_ok()
}

fn is_web_address(text: &str) -> bool {
    let url = url::Url::parse(text);
    url.is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.fragment().is_none())
}

/// A key and its value.
type Quantity = (String, u64);

/// Pairs of keys, `section.key`, of which the first must not exceed the second.
macro_rules! pairs {
    ($config:ident: $($section:ident.$key:ident <= $other:ident.$most:ident,)*) => {
        vec![$((
            (
                concat!(stringify!($section), ".", stringify!($key)).to_owned(),
                u64::from($config.$section.$key),
            ),
            (
                concat!(stringify!($other), ".", stringify!($most)).to_owned(),
                u64::from($config.$other.$most),
            ),
        ),)*]
    };
}

/// Keys of which the first must not exceed the second.
fn ordered_pairs(config: &Config) -> Vec<(Quantity, Quantity)> {
    let mut pairs = pairs! { config:
        lookup.budget_ms <= server.request_timeout_ms,
        limits.json_body_bytes <= limits.bodies_in_flight_bytes,
        limits.import_bytes <= limits.bodies_in_flight_bytes,
        limits.reverse_candidates <= limits.reverse_candidates_max,
        limits.style_search <= limits.style_search_max,
        auth.password_min_chars <= auth.password_max_chars,
    };
    for name in ProviderName::ALL {
        let (provider, id) = (config.providers.get(*name), name.id());
        let key = |key: &str| format!("providers.{id}.{key}");
        pairs.push((
            (key("connect_timeout_ms"), provider.connect_timeout_ms),
            (key("timeout_ms"), provider.timeout_ms),
        ));
    }
    pairs
}
