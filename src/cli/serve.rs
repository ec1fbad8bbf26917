//! `citation serve` and `citation healthcheck`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::{Failure, Global, Outcome, Status, notify, open, terminal};
use crate::api::{self, Edge};
use crate::app::App;
use crate::clock::Clock;
use crate::config::{BaseUrl, Config, ConfigOverrides, ServerSettings};
use crate::recovery;
use crate::store::Store;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation serve
  citation serve --listen 0.0.0.0:8080 --data /srv/citation")]
pub struct ServeCommand {
    /// Where to listen, such as 127.0.0.1:8080; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Only read the data, which is a copy: find, verify and format, and refuse every change
    #[arg(long)]
    read_only: bool,
}

/// The key of the database entry with the address of the last server.
pub const ADDRESS: &str = "server.address";

impl ServeCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let overrides = ConfigOverrides {
            listen: self.listen.clone(),
            read_only: self.read_only,
            ..open::overrides(global)
        };
        let mut config = open::config(overrides)?;
        super::log::start(&config.log);
        limit_connections(&mut config.server);
        let store = recovery::open_store(&config)?;
        let served = serve(Arc::clone(&store), config.clone());
        served.map_err(|failure| match store.condition().damaged {
            Some(damage) => recovery::explained(&config, damage).into(),
            None => failure,
        })
    }
}

fn serve(store: Arc<Store>, config: Config) -> Outcome {
    let app = App::over(store, config, Clock::system())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(run(Arc::clone(&app)))?;
    // Drops the remaining connections, which cancels their jobs.
    runtime.shutdown_background();
    app.blocking
        .wait_until_idle(app.config.server.shutdown_timeout());
    app.close();
    Ok(Status::Done)
}

/// File descriptors reserved for the database, the index and providers.
#[cfg(unix)]
const OTHER_DESCRIPTORS: u64 = 192;

/// Raises the limit of file descriptors to the maximum of the process, and limits connections accordingly.
#[cfg(unix)]
fn limit_connections(settings: &mut ServerSettings) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let all = Rlimit {
        current: limit.maximum,
        ..limit
    };
    let is_raised = setrlimit(Resource::Nofile, all).is_ok();
    let Some(most) = (if is_raised { all } else { limit }).current else {
        return;
    };
    let connections =
        u32::try_from(most.saturating_sub(OTHER_DESCRIPTORS).max(most / 8)).unwrap_or(u32::MAX);
    if connections < settings.max_connections {
        tracing::warn!(
            "{most} file descriptors allow {connections} connections, not the {} of \
             server.max_connections; raise the limit (LimitNOFILE, ulimit -n)",
            settings.max_connections
        );
        settings.max_connections = connections.max(1);
    }
}

#[cfg(not(unix))]
fn limit_connections(_: &mut ServerSettings) {}

/// Binds, serves until a signal arrives, and shuts down gracefully.
async fn run(app: Arc<App>) -> Result<(), Failure> {
    let listener = bind(&app.config.server.listen, "server.listen").await?;
    let address = listener.local_addr()?;
    let edge = Arc::new(Edge::new(Arc::clone(&app), address));
    let (stop, stopped) = watch::channel(false);
    if let Some(metrics) = &app.config.server.metrics_listen {
        let listener = bind(metrics, "server.metrics_listen").await?;
        say!("metrics on http://{}/metrics", listener.local_addr()?);
        tokio::spawn(api::metrics_server::serve(
            Arc::clone(&edge),
            listener,
            stopped.clone(),
        ));
    }
    app.start_background()?;
    warn_of_plain_http(&app.config, address);
    announce(&app.config, address);
    if app.store.is_read_only() {
        say!("The data is only read: changes are refused.");
    } else {
        say_who_begins(&app, &app.config.base_url(address))?;
    }
    tokio::spawn(async move {
        wait_for_signal().await;
        notify::send(notify::STOPPING);
        tracing::info!("stopping: no new connections, running requests may finish");
        let _ = stop.send(true);
    });
    notify::send(notify::READY);
    tokio::spawn(notify::keep_alive());
    api::server::serve(edge, listener, stopped).await;
    Ok(())
}

/// Stores the server's address for the command line, and prints the link of the first account.
fn say_who_begins(app: &App, base_url: &BaseUrl) -> Result<(), Failure> {
    app.store.set_fact(ADDRESS, base_url.as_str())?;
    if let Some(token) = app.auth.first_run_token()? {
        say!();
        say!("There are no accounts yet. This link, which works once, makes the first one:");
        say!("  {base_url}/auth/link?token={}", token.reveal());
    }
    Ok(())
}

async fn bind(address: &str, key: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|cause| {
        Failure(format!(
            "cannot listen on {address} ({key}): {cause}. Is another server running there? \
             --listen 127.0.0.1:0 takes any free port."
        ))
    })
}

/// Without encryption, keys, cookies and passwords can be intercepted.
fn warn_of_plain_http(config: &Config, address: SocketAddr) {
    let base_url = config.base_url(address);
    if !address.ip().is_loopback() && !base_url.is_https() {
        tracing::warn!(
            %address,
            %base_url,
            "people on the network can read passwords and API keys: put a proxy with TLS in front, \
             and set server.base_url to its https address"
        );
    }
}

/// Prints what a user needs after the first start.
fn announce(config: &Config, address: SocketAddr) {
    let here = format!("http://{address}");
    say!("listening on {here}");
    say!("data in {}", config.data.dir.display());
    say!();
    say!("Try:");
    say!("  curl -s {here}/api/v1/lookup/doi -d '{{\"doi\":\"10.1038/171737a0\"}}'");
    say!(
        "  curl -s '{here}/api/v1/works/10.1038/171737a0' -H 'Accept: text/x-bibliography; style=apa'"
    );
    say!("  curl -s {here}/api/health");
    say!("The interface is described at {here}/api/docs");
}

/// Waits for SIGINT or SIGTERM.
async fn wait_for_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            let _ = tokio::signal::ctrl_c().await;
            return;
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = tokio::signal::ctrl_c().await;
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation healthcheck
  citation healthcheck --url https://citation.example.org")]
pub struct HealthcheckCommand {
    /// The server's address; without it, that of the configuration
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

impl HealthcheckCommand {
    /// Done when the server says that it is ok or degraded, negative otherwise.
    pub fn run(&self, global: &Global) -> Outcome {
        let url = match &self.url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => {
                let config = open::config(open::overrides(global))?;
                format!("http://{}", config.server.listen)
            }
        };
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(5)))
            .http_status_as_error(false)
            .build()
            .into();
        match agent.get(format!("{url}/api/health")).call() {
            Ok(mut reply) => {
                let body = reply.body_mut().read_to_string()?;
                terminal::print_json(&body);
                Ok(if reply.status() == 200 {
                    Status::Done
                } else {
                    Status::Negative
                })
            }
            Err(cause) => {
                tell!("{url} does not answer: {cause}");
                Ok(Status::Negative)
            }
        }
    }
}
