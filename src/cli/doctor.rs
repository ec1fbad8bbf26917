//! `citation doctor`: checks everything that an operator can fix, and says how.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::{Global, Outcome, Status, open, terminal};
use crate::app;
use crate::clock;
use crate::config::{Config, KeyPlace, ProviderName};
use crate::corpus::Corpus;
use crate::provider::probe::probe;
use crate::provider::{Provider, ProviderBudget, ProviderErrorKind};
use crate::quota::JOURNAL_FOLDER;
use crate::quota::journal::{Journal, JournalError};
use crate::recovery;
use crate::store::{FILE_NAME, free_bytes};

/// Free space in bytes below which a warning is shown.
const LITTLE_SPACE: u64 = 1 << 30;

/// A clock before this moment, 1 January 2026, is wrong.
const EARLIEST: i64 = 1_767_225_600;

/// The longest time for checking the database.
const CHECK_TIME: Duration = Duration::from_secs(3_600);

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation doctor
  citation --data /var/lib/citation doctor --json
  citation doctor --local-only
  citation doctor --providers")]
pub struct DoctorCommand {
    /// Do not ask the providers whether they answer
    #[arg(long)]
    local_only: bool,
    /// Only ask each provider once: what is wrong, what is left of its budget, how to get a key
    #[arg(long, conflicts_with = "local_only")]
    providers: bool,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct Finding {
    /// The subject of the check.
    subject: &'static str,
    state: CheckState,
    message: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CheckState {
    Ok,
    Warning,
    Problem,
}

impl Finding {
    fn ok(subject: &'static str, message: impl Into<String>) -> Finding {
        Finding {
            subject,
            state: CheckState::Ok,
            message: message.into(),
            remedy: None,
        }
    }

    fn new(
        subject: &'static str,
        state: CheckState,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Finding {
        Finding {
            subject,
            state,
            message: message.into(),
            remedy: Some(remedy.into()),
        }
    }
}

/// Which checks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckedParts {
    All,
    AllButProviders,
    ProvidersOnly,
}

impl DoctorCommand {
    fn parts(&self) -> CheckedParts {
        match (self.providers, self.local_only) {
            (true, _) => CheckedParts::ProvidersOnly,
            (false, true) => CheckedParts::AllButProviders,
            (false, false) => CheckedParts::All,
        }
    }

    pub fn run(&self, global: &Global) -> Outcome {
        let findings = examine(global, self.parts());
        if global.json {
            terminal::print_json(&json!({"findings": findings}));
        } else {
            for finding in &findings {
                let state = match finding.state {
                    CheckState::Ok => "ok",
                    CheckState::Warning => "WARNING",
                    CheckState::Problem => "PROBLEM",
                };
                say!("{:<14} {state:<8} {}", finding.subject, finding.message);
                if let Some(remedy) = &finding.remedy {
                    say!("{:<23} {remedy}", "");
                }
            }
        }
        let has_problem = findings.iter().any(|f| f.state == CheckState::Problem);
        Ok(if has_problem {
            Status::Negative
        } else {
            Status::Done
        })
    }
}

/// Runs the checks in order; each runs only if those that it depends on succeeded.
fn examine(global: &Global, parts: CheckedParts) -> Vec<Finding> {
    let mut findings = Vec::new();
    let config = match open::config(open::overrides(global)) {
        Ok(config) => config,
        Err(failure) => {
            let remedy = "Fix the file; `citation config check` shows the same.";
            findings.push(Finding::new(
                "configuration",
                CheckState::Problem,
                failure.0,
                remedy,
            ));
            return findings;
        }
    };
    if parts == CheckedParts::ProvidersOnly {
        return providers(&config);
    }
    findings.push(Finding::ok("configuration", "can be read"));
    findings.extend(addresses(&config));
    findings.push(time());
    if parts == CheckedParts::All {
        findings.extend(providers(&config));
    }
    let directory = config.data.dir.as_path();
    if !directory.join(FILE_NAME).exists() {
        let message = format!("no database in {}", directory.display());
        let remedy = "`citation serve` creates one; --data names another folder.";
        findings.push(Finding::new("data", CheckState::Problem, message, remedy));
        return findings;
    }
    findings.extend(permissions(directory));
    findings.extend(space(directory));
    findings.push(server(directory));
    findings.extend(database(&config));
    findings.push(backups(&config));
    findings
}

/// Whether the configured addresses make a safe service.
fn addresses(config: &Config) -> Option<Finding> {
    let base = config.server.base_url.as_ref()?;
    let is_plain = base.as_str().starts_with("http://");
    let host = base.as_str().trim_start_matches("http://");
    let is_local = ["127.", "localhost", "[::1]"]
        .iter()
        .any(|start| host.starts_with(start));
    (is_plain && !is_local).then(|| {
        let message = format!(
            "server.base_url is {}: passwords travel unencrypted",
            base.as_str()
        );
        let remedy = "Put a TLS proxy in front of the server and use https in base_url.";
        Finding::new("address", CheckState::Warning, message, remedy)
    })
}

fn time() -> Finding {
    let now = clock::unix_now();
    let shown = clock::iso8601(now);
    if now >= EARLIEST {
        Finding::ok("clock", shown)
    } else {
        let remedy = "Set the clock; quotas, sessions and sign-in depend on it.";
        Finding::new(
            "clock",
            CheckState::Problem,
            format!("it says {shown}"),
            remedy,
        )
    }
}

/// Asks all enabled providers in parallel whether they answer.
fn providers(config: &Config) -> Vec<Finding> {
    let providers = app::providers(config);
    std::thread::scope(|scope| {
        let asked = providers
            .iter()
            .map(|provider| scope.spawn(|| ask(&**provider)));
        let asked: Vec<_> = asked.collect();
        let answers = asked.into_iter().map(|thread| thread.join().ok().flatten());
        answers.flatten().chain(without_key(config)).collect()
    })
}

/// The enabled providers that are left out because they need a key.
fn without_key(config: &Config) -> impl Iterator<Item = Finding> {
    let names = ProviderName::ALL.iter().filter(|name| {
        let settings = config.providers.get(**name);
        settings.enabled && name.lacks_key(settings)
    });
    names.map(|name| Finding {
        remedy: Some(key_remedy(*name)),
        ..Finding::ok(name.id(), "is left out: it needs an API key")
    })
}

/// How to get a key and where it goes.
fn key_remedy(name: ProviderName) -> String {
    let id = name.id();
    format!(
        "Set providers.{id}.api_key or CITATION_PROVIDERS__{}__API_KEY. A key is obtained {}.",
        id.to_ascii_uppercase(),
        name.key_use().obtained
    )
}

fn ask(provider: &dyn Provider) -> Option<Finding> {
    let finding = match probe(provider)? {
        Ok(milliseconds) => {
            let mut message = format!("answers in {milliseconds} ms");
            if let Some(budget) = provider.stats().budget {
                message.push_str(&budget_text(&budget));
            }
            Finding::ok(provider.name(), message)
        }
        Err(cause) => {
            let remedy = failure_remedy(provider, &cause.kind);
            Finding::new(
                provider.name(),
                CheckState::Warning,
                cause.to_string(),
                remedy,
            )
        }
    };
    Some(finding)
}

/// `, 950 of 1000 left until 2026-11-28T00:00:00Z`
fn budget_text(budget: &ProviderBudget) -> String {
    let limit = budget.limit.map(|limit| format!(" of {limit}"));
    format!(
        ", {}{} left until {}",
        budget.remaining,
        limit.unwrap_or_default(),
        clock::iso8601(budget.resets_at)
    )
}

fn failure_remedy(provider: &dyn Provider, failure: &ProviderErrorKind) -> String {
    let name = ProviderName::ALL
        .iter()
        .find(|name| name.id() == provider.name());
    let takes_key = name.filter(|name| name.key_use().sent_in != KeyPlace::Nowhere);
    match (failure, takes_key) {
        (ProviderErrorKind::Refused { status: 401 | 403 }, Some(name)) => {
            format!("The key is missing or refused. {}", key_remedy(*name))
        }
        (ProviderErrorKind::RateLimited { .. }, Some(name)) => {
            format!("Wait, or use a key with a higher limit. {}", key_remedy(*name))
        }
        (ProviderErrorKind::RateLimited { .. }, None) => {
            "Wait; `max_per_second` of the provider lowers the rate.".to_owned()
        }
        _ => "Check the network and `providers.NAME.base_url`; `enabled = false` disables a provider."
            .to_owned(),
    }
}

/// Whether others can read the data, and whether this account can write it.
fn permissions(directory: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(directory).map_or(0, |m| m.permissions().mode() & 0o777);
        findings.push(match mode & 0o077 {
            0 => Finding::ok("permissions", "only the owner can enter the data directory"),
            _ => {
                let message =
                    format!("other accounts can enter the data directory (mode {mode:o})");
                let remedy = "The next server start removes these permissions; or run chmod 700.";
                Finding::new("permissions", CheckState::Warning, message, remedy)
            }
        });
    }
    let probe = directory.join(".doctor");
    match std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)) {
        Ok(()) => {}
        Err(cause) => {
            let message = format!("the data directory cannot be written: {cause}");
            let remedy =
                "Run this as the server's account, or make that account the owner of the folder.";
            findings.push(Finding::new(
                "permissions",
                CheckState::Problem,
                message,
                remedy,
            ));
        }
    }
    findings
}

fn space(directory: &Path) -> Option<Finding> {
    let free = free_bytes(directory)?;
    let shown = format!("{:.1} GiB are free", free as f64 / f64::from(1 << 30));
    Some(if free < LITTLE_SPACE {
        let remedy = "Free some space: writes are refused when the disk is full.";
        Finding::new("disk", CheckState::Warning, shown, remedy)
    } else {
        Finding::ok("disk", shown)
    })
}

fn server(directory: &Path) -> Finding {
    let journal = directory.join(JOURNAL_FOLDER);
    if !journal.exists() {
        return Finding::ok("server", "has not run here yet");
    }
    match Journal::open(&journal) {
        Ok(_) => Finding::ok("server", "not running"),
        Err(JournalError::InUse(_)) => Finding::ok("server", "running"),
        Err(cause) => {
            let remedy = "Make the server's account the owner of the folder `usage`.";
            Finding::new("server", CheckState::Problem, cause.to_string(), remedy)
        }
    }
}

/// The whole database, then its index.
fn database(config: &Config) -> Vec<Finding> {
    let store = match app::open_store(config) {
        Ok(store) => store,
        Err(cause) => {
            let remedy = "Follow the message; `citation restore` restores a backup.";
            return vec![Finding::new(
                "database",
                CheckState::Problem,
                cause.to_string(),
                remedy,
            )];
        }
    };
    let checked = store.check(Instant::now() + CHECK_TIME);
    let damage = store.condition().damaged.map(|damage| damage.to_string());
    let problem = checked.err().map(|cause| cause.to_string()).or(damage);
    let mut findings = vec![match problem {
        None => Finding::ok("database", "every table was checked and is sound"),
        Some(problem) => {
            let problem = match recovery::newest_sound(config) {
                Some(file) => format!("{problem}. The newest sound backup is {}", file.display()),
                None => format!("{problem}. The backup folder has no sound backup"),
            };
            let remedy = "Stop the server and run `citation restore` with that backup.";
            Finding::new("database", CheckState::Problem, problem, remedy)
        }
    }];
    let corpus = Corpus::open(store);
    findings.push(match corpus.verify() {
        Ok(found) if found.is_sound() => {
            Finding::ok("index", format!("contains all {} works", found.works))
        }
        Ok(found) => {
            let message = format!("contains {} of {} works", found.indexed, found.works);
            let remedy =
                "A running server catches up by itself; `citation index rebuild` rebuilds it.";
            Finding::new("index", CheckState::Warning, message, remedy)
        }
        Err(cause) => {
            let remedy = "`citation index rebuild` rebuilds it; nothing is lost.";
            Finding::new("index", CheckState::Warning, cause.to_string(), remedy)
        }
    });
    findings
}

fn backups(config: &Config) -> Finding {
    match config.backup.every_hours {
        0 => {
            let remedy = "Set backup.every_hours, or run `citation backup` from a timer.";
            Finding::new(
                "backups",
                CheckState::Warning,
                "the server makes none",
                remedy,
            )
        }
        hours => Finding::ok("backups", format!("one every {hours} hours")),
    }
}
