//! What keys must be to one another.

use std::collections::HashSet;

use super::Config;
use super::error::{ConfigError, Origin};

/// Every pair of values that does not go together. `origin` tells where the value of a key is from.
pub fn check(config: &Config, origin: impl Fn(&str) -> Origin) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    let mut refuse = |key: &str, other: &str, problem: String| {
        // A value that somebody set is the one to mend, not the default beside it.
        let (key, origin) = match origin(key) {
            Origin::Default => (other, origin(other)),
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
                "does not fit: `{}` ({}) must not exceed `{}` ({})",
                smaller.0, smaller.1, larger.0, larger.1
            );
            refuse(&smaller.0, &larger.0, problem);
        }
    }
    if let Some(url) = config
        .server
        .base_url
        .as_ref()
        .filter(|url| url.origin() != url.as_str())
    {
        let problem = format!(
            "has a path ({}), which the pages would not keep to: give the service a host name or a \
             port of its own",
            url.as_str()
        );
        refuse("server.base_url", "server.base_url", problem);
    }
    let name = config.session.cookie_name.as_str();
    let https = config
        .server
        .base_url
        .as_ref()
        .is_some_and(|url| url.is_https());
    if !https && (name.starts_with("__Host-") || name.starts_with("__Secure-")) {
        let problem = "begins with a prefix that browsers take over https only, and \
                       `server.base_url` is not an https address";
        refuse("session.cookie_name", "server.base_url", problem.to_owned());
    }
    let mut names = HashSet::new();
    for (number, issuer) in config.auth.oidc.iter().enumerate() {
        if !names.insert(&issuer.name) {
            let key = format!("auth.oidc.{number}.name");
            refuse(&key, &key, format!("repeats the name `{}`", issuer.name));
        }
    }
    errors
}

/// A key and its value.
type Quantity = (String, u64);

/// Keys of which the first must not exceed the second.
fn ordered_pairs(config: &Config) -> Vec<(Quantity, Quantity)> {
    let named = |key: &str, value: u64| (key.to_owned(), value);
    let limits = &config.limits;
    let mut pairs = vec![
        (
            named("lookup.budget_ms", config.lookup.budget_ms),
            named(
                "server.request_timeout_ms",
                config.server.request_timeout_ms,
            ),
        ),
        (
            named("limits.json_body_bytes", limits.json_body_bytes),
            named(
                "limits.bodies_in_flight_bytes",
                limits.bodies_in_flight_bytes,
            ),
        ),
        (
            named("limits.import_bytes", limits.import_bytes),
            named(
                "limits.bodies_in_flight_bytes",
                limits.bodies_in_flight_bytes,
            ),
        ),
        (
            named(
                "limits.reverse_candidates",
                limits.reverse_candidates.into(),
            ),
            named(
                "limits.reverse_candidates_max",
                limits.reverse_candidates_max.into(),
            ),
        ),
        (
            named("limits.style_search", limits.style_search.into()),
            named("limits.style_search_max", limits.style_search_max.into()),
        ),
        (
            named(
                "auth.password_min_chars",
                config.auth.password_min_chars.into(),
            ),
            named(
                "auth.password_max_chars",
                config.auth.password_max_chars.into(),
            ),
        ),
    ];
    let providers = &config.providers;
    for (name, provider) in [
        ("crossref", &providers.crossref),
        ("datacite", &providers.datacite),
        ("doi", &providers.doi),
        ("openlibrary", &providers.openlibrary),
        ("pubmed", &providers.pubmed),
        ("europepmc", &providers.europepmc),
        ("arxiv", &providers.arxiv),
        ("openalex", &providers.openalex),
        ("loc", &providers.loc),
        ("citation", &providers.citation),
    ] {
        pairs.push((
            named(
                &format!("providers.{name}.connect_timeout_ms"),
                provider.connect_timeout_ms,
            ),
            named(&format!("providers.{name}.timeout_ms"), provider.timeout_ms),
        ));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Providers;
    use crate::config::registry::SECTIONS;

    #[test]
    fn every_provider_has_a_section_and_a_pair() {
        let providers = toml::Table::try_from(Providers::default()).unwrap();
        let pairs = ordered_pairs(&Config::default());
        for name in providers.keys() {
            let section = format!("providers.{name}");
            assert!(
                SECTIONS.iter().any(|known| known.path == section),
                "`{section}` is missing in SECTIONS of src/config/registry.rs"
            );
            let key = format!("{section}.timeout_ms");
            assert!(
                pairs.iter().any(|(_, larger)| larger.0 == key),
                "`{name}` is missing in ordered_pairs of src/config/relations.rs"
            );
        }
    }
}
