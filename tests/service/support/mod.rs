//! What the tests share: a server on a loopback port with a database of its own.

pub mod http_stand_in;
pub mod identity_provider;
pub mod prepared;
pub mod program;
pub mod server_process;
pub mod tiny_disk;
pub mod waiting;

use std::net::SocketAddr;
use std::sync::Arc;

use citation::api::{self, Edge};
use citation::app::App;
use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::principal::Scopes;
use citation::clock::Clock;
use citation::config::{Config, ProviderName};
use citation_model::plan::Plan;
use serde_json::Value;
use tokio::sync::watch;

/// A running server. It stops and its data goes when the value is dropped.
pub struct TestApp {
    pub app: Arc<App>,
    pub address: SocketAddr,
    stop: watch::Sender<bool>,
    runtime: Option<tokio::runtime::Runtime>,
    _data: tempfile::TempDir,
}

/// Makes an account in the data folder of a server that is still to start, and gives its id.
pub fn add_account(config: &Config, new: &NewAccount<'_>) -> String {
    let app = App::open_at(config.clone(), Clock::system()).unwrap();
    let user = app.auth.add_user(new, &Actor::command_line()).unwrap();
    user.uid
}

/// The members of a list, which it must be.
#[track_caller]
pub fn list(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"))
}

/// A reply, read whole.
pub struct Answer {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("no JSON ({e}): {}", String::from_utf8_lossy(&self.body)))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|v| v.to_str().ok())
            .unwrap_or_default()
    }

    /// Asserts a failure's status and code, and gives its body.
    #[track_caller]
    pub fn expect_error(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!(
            (self.status, body["error"].as_str()),
            (status, Some(code)),
            "{body}"
        );
        assert!(
            body["message"]
                .as_str()
                .is_some_and(|m| !m.is_empty() && m.chars().count() <= 300)
        );
        assert_eq!(
            body["request_id"].as_str(),
            Some(self.header("x-request-id"))
        );
        body
    }
}

impl TestApp {
    /// A server whose providers are all switched off.
    pub fn start() -> TestApp {
        TestApp::start_with(|_| {})
    }

    /// A server with a configuration of its own. No provider is asked unless `change` turns it on.
    pub fn start_with(change: impl FnOnce(&mut Config)) -> TestApp {
        TestApp::start_at(Clock::system(), change)
    }

    /// Like [`TestApp::start_with`], with a clock of the test's. Limits are out of the way, and
    /// passwords cheap, unless `change` sets them.
    pub fn start_at(clock: Clock, change: impl FnOnce(&mut Config)) -> TestApp {
        let data = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.data.dir = data.path().to_path_buf();
        for provider in config.providers.iter_mut() {
            provider.enabled = false;
        }
        config.lookup.fetch_pages = false;
        config.quota.anonymous_daily = 1_000_000;
        config.limits.anonymous_per_minute = 1_000_000;
        config.limits.credential_per_minute = 1_000_000;
        config.auth.password_memory_kib = 8_192;
        config.auth.password_passes = 1;
        change(&mut config);
        // `change` may have opened the folder already.
        let is_unopened =
            std::fs::read_dir(&config.data.dir).is_ok_and(|mut entries| entries.next().is_none());
        if is_unopened && config.corpus.starter && !config.data.read_only {
            prepared::copy_to(&config.data.dir);
        }
        let app = App::open_at(config, clock).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let address = listener.local_addr().unwrap();
        let edge = Arc::new(Edge::new(Arc::clone(&app), address));
        let (stop, stopped) = watch::channel(false);
        runtime.spawn(api::server::serve(edge, listener, stopped));
        app.start_background().unwrap();
        TestApp {
            app,
            address,
            stop,
            runtime: Some(runtime),
            _data: data,
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The API key of a new account.
    pub fn key_of(&self, new: &NewAccount<'_>) -> String {
        let (auth, actor) = (&self.app.auth, Actor::command_line());
        let user = auth.add_user(new, &actor).unwrap();
        let made = auth.create_api_key(user.id, &user.uid, "test", Scopes::ALL, None, &actor);
        made.unwrap().1.reveal().to_owned()
    }

    /// The API key of a new account with this plan.
    pub fn key(&self, plan: Plan) -> String {
        self.key_of(&NewAccount {
            email: Some(&format!("{plan}@example.org")),
            plan: Some(plan),
            ..NewAccount::default()
        })
    }

    /// The `Authorization` of a new account with this plan.
    pub fn bearer(&self, plan: Plan) -> String {
        format!("Bearer {}", self.key(plan))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], None)
    }

    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("GET", path, headers, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("content-type", "application/json")];
        self.send("POST", path, &headers, Some(body.to_string().as_bytes()))
    }

    /// The same with an `Authorization`.
    pub fn post_as(&self, bearer: &str, path: &str, body: &Value) -> Answer {
        let headers = [
            ("content-type", "application/json"),
            ("authorization", bearer),
        ];
        self.send("POST", path, &headers, Some(body.to_string().as_bytes()))
    }

    /// Sends any request.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .max_redirects(0)
            .timeout_global(Some(std::time::Duration::from_secs(60)))
            .build()
            .into();
        let request = request.body(body.unwrap_or_default().to_vec()).unwrap();
        let mut reply = agent.run(request).unwrap();
        Answer {
            status: reply.status().as_u16(),
            headers: reply.headers().clone(),
            body: reply
                .body_mut()
                .with_config()
                .limit(256 << 20)
                .read_to_vec()
                .unwrap(),
        }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(std::time::Duration::from_secs(5));
        }
        self.app.close();
    }
}

/// Every provider switched off but some, as `citation.toml` says it.
pub fn providers_off_but(kept: &[&str]) -> String {
    let ids = ProviderName::ALL.iter().map(|name| name.id());
    ids.filter(|id| !kept.contains(id))
        .map(|id| format!("[providers.{id}]\nenabled = false\n"))
        .collect()
}
