//! Values derived from the settings: durations, addresses and folders.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::providers::ProviderSettings;
use super::sections::{LookupSettings, ServerSettings};
use super::{BaseUrl, Config};

impl ServerSettings {
    pub fn header_timeout(&self) -> Duration {
        Duration::from_millis(self.header_timeout_ms)
    }

    pub fn body_timeout(&self) -> Duration {
        Duration::from_millis(self.body_timeout_ms)
    }

    pub fn request_timeout(&self) -> Duration {
        Duration::from_millis(self.request_timeout_ms)
    }

    pub fn write_timeout(&self) -> Duration {
        Duration::from_millis(self.write_timeout_ms)
    }

    pub fn keep_alive(&self) -> Duration {
        Duration::from_millis(self.keep_alive_ms)
    }

    pub fn shutdown_timeout(&self) -> Duration {
        Duration::from_millis(self.shutdown_timeout_ms)
    }
}

impl LookupSettings {
    pub fn budget(&self) -> Duration {
        Duration::from_millis(self.budget_ms)
    }

    pub fn negative_ttl(&self) -> Duration {
        Duration::from_secs(self.negative_ttl_seconds)
    }

    pub fn refresh_after(&self) -> Duration {
        Duration::from_secs(self.refresh_after_seconds)
    }

    pub fn refresh_concern_after(&self) -> Duration {
        Duration::from_secs(self.refresh_concern_after_seconds)
    }

    /// The time between two works that are asked for again.
    pub fn refresh_pause(&self) -> Duration {
        Duration::from_secs(60) / self.refresh_per_minute.max(1)
    }
}

impl ProviderSettings {
    /// `None`: that of `lookup`.
    pub fn refresh_after(&self) -> Option<Duration> {
        let seconds = Some(self.refresh_after_seconds).filter(|seconds| *seconds > 0);
        seconds.map(Duration::from_secs)
    }

    pub fn connect_timeout(&self) -> Duration {
        Duration::from_millis(self.connect_timeout_ms)
    }

    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    pub fn breaker_pause(&self) -> Duration {
        Duration::from_millis(self.breaker_pause_ms)
    }
}

impl Config {
    /// The address under which callers reach the server, which listens on `bound`. A wildcard address
    /// cannot be called, so it is replaced by `localhost`.
    pub fn base_url(&self, bound: SocketAddr) -> BaseUrl {
        match &self.server.base_url {
            Some(url) => url.clone(),
            None if bound.ip().is_unspecified() => BaseUrl::http("localhost", bound.port()),
            None => BaseUrl::http(&host(bound), bound.port()),
        }
    }

    /// The address of the account pages.
    pub fn account_url(&self, bound: SocketAddr) -> BaseUrl {
        match &self.server.account_url {
            Some(url) => url.clone(),
            None => self.base_url(bound).under("account"),
        }
    }

    /// The name of the session cookie. The `__Host-` prefix binds a cookie to its host, and
    /// browsers take it over https only.
    pub fn cookie_name(&self, base_url: &BaseUrl) -> &str {
        match self.session.cookie_name.as_str() {
            "" if base_url.is_https() => "__Host-session",
            "" => "session",
            name => name,
        }
    }

    /// The folders with the operator's own styles and locales. They need not exist.
    pub fn styles_dirs(&self) -> Vec<PathBuf> {
        match &self.format.styles_dir {
            Some(dir) => vec![dir.clone()],
            None => vec![PathBuf::from("styles"), self.data.dir.join("styles")],
        }
    }
}

fn host(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(v4) => v4.ip().to_string(),
        SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_address_follows_the_listening_address() {
        let check = |bound: &str, expected: &str| {
            let config = Config::default();
            let bound = bound.parse().unwrap();
            assert_eq!(config.base_url(bound).as_str(), expected);
            assert_eq!(
                config.account_url(bound).as_str(),
                format!("{expected}/account")
            );
        };
        check("127.0.0.1:8080", "http://127.0.0.1:8080");
        check("0.0.0.0:80", "http://localhost:80");
        check("[::1]:9000", "http://[::1]:9000");
        check("[::]:9000", "http://localhost:9000");
    }

    #[test]
    fn cookie_is_bound_to_its_host_over_https() {
        let mut config = Config::default();
        let https: BaseUrl = "https://example.org".parse().unwrap();
        let http: BaseUrl = "http://127.0.0.1:8080".parse().unwrap();
        assert_eq!(config.cookie_name(&https), "__Host-session");
        assert_eq!(config.cookie_name(&http), "session");
        config.session.cookie_name = "mine".to_owned();
        assert_eq!(config.cookie_name(&https), "mine");
    }
}
