//! How the service is: for its readers in one line, and for whoever runs it in full.

use super::html::{Fill, Html, Template, message};
use super::words::Words;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// `ok`, `degraded`, `unavailable`.
    pub status: &'static str,
    /// What is wrong, a sentence each, in English.
    pub problems: Vec<String>,
    pub version: String,
    pub works: u64,
    pub documents: u64,
    pub is_search_ready: bool,
    /// `disabled`, `idle`, `running`, `error`.
    pub ingest: &'static str,
    pub last_ingest: Option<String>,
    pub uptime_seconds: u64,
    pub providers: Vec<Provider>,
    /// For the operator alone.
    pub operator: Option<Operator>,
}

/// What only whoever runs the server sees.
#[derive(Clone, Debug, Default)]
pub struct Operator {
    pub accounts: u64,
    pub disabled: u64,
    /// Plan and accounts.
    pub plans: Vec<(&'static str, u64)>,
    /// The newest accounts, the newest first.
    pub newest: Vec<Account>,
    /// `2026-11`.
    pub month: String,
    pub calls: u64,
    pub overage: u64,
    pub database_bytes: u64,
    pub index_bytes: u64,
    pub total_bytes: u64,
    /// Changes that the search index does not have yet.
    pub not_indexed: u64,
    /// What was counted since the start.
    pub counts: Vec<Count>,
    /// Copies of the database: name, bytes, ISO 8601 in UTC.
    pub backups: Vec<(String, u64, String)>,
    /// What each plan allows.
    pub limits: Vec<Limits>,
}

/// One count since the start, named as in the metrics.
#[derive(Clone, Debug, Default)]
pub struct Count {
    pub of: &'static str,
    pub label: &'static str,
    pub count: u64,
    pub mean_ms: Option<f64>,
    /// Of the questions to a cache, those that it could answer.
    pub hits: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Account {
    /// As people know it: the e-mail address, else the name, else the id.
    pub name: String,
    pub plan: &'static str,
    /// ISO 8601, UTC.
    pub created_at: String,
    pub is_disabled: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub plan: &'static str,
    pub daily_lookups: u64,
    /// Nothing: the plan has no allowance of calls.
    pub monthly_calls: Option<u64>,
    pub collections: u64,
    pub entries: u64,
    /// Requests a minute.
    pub burst: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Provider {
    pub name: &'static str,
    /// `closed`, `open`, `half_open`.
    pub circuit: &'static str,
    pub requests: u64,
    pub failures: u64,
}

const STATUS: Template = Template(
    r#"<p class="lede"><span class="badge {status}">{state}</span> {sentence}</p>
{problems}<dl>
<dt>{~status.works}</dt><dd>{works}</dd>
<dt>{~status.search}</dt><dd>{search}</dd>
<dt>{~status.ingest}</dt><dd>{ingest}</dd>
<dt>{~status.uptime}</dt><dd>{uptime}</dd>
<dt>{~status.version}</dt><dd>{version}</dd>
</dl>
<h2>{~status.providers}</h2>
{providers}
<p class="quiet">{~status.machine} <a href="/api/health">/api/health</a></p>
{operator}"#,
);

const PROBLEMS: Template = Template(
    r#"<ul lang="en">{problems}</ul>
"#,
);

const PROBLEM: Template = Template("<li>{problem}</li>");

const TABLE: Template = Template(
    r#"<div class="wide"><table><thead><tr><th scope="col">{~status.provider}</th><th scope="col">{~status.state}</th><th scope="col">{~status.requests}</th><th scope="col">{~status.failures}</th></tr></thead><tbody>{rows}</tbody></table></div>"#,
);

const ROW: Template = Template(
    r#"<tr><th scope="row">{name}</th><td>{state}</td><td>{requests}</td><td>{failures}</td></tr>"#,
);

const NONE: Template = Template("<p>{~status.no-providers}</p>");

/// The main part of the page.
pub fn status(words: Words, view: &Status) -> Html {
    let rows = view.providers.iter().map(|provider| {
        let state = format!("circuit.{}", provider.circuit);
        ROW.fill(&[
            (
                "name",
                super::cite::source_name(words, provider.name).into(),
            ),
            (
                "state",
                words.find(&state).unwrap_or(provider.circuit).into(),
            ),
            ("requests", provider.requests.into()),
            ("failures", provider.failures.into()),
        ])
    });
    let providers = match view.providers.len() {
        0 => NONE.say(words, &[]),
        _ => TABLE.say(words, &[("rows", Html::join(rows).into())]),
    };
    let search = match view.is_search_ready {
        true => words.count("status.ready", view.documents),
        false => words.get("status.not-ready").to_owned(),
    };
    let ingest = format!("ingest.{}", view.ingest);
    let ingest = words.find(&ingest).unwrap_or(view.ingest);
    let ingest = match &view.last_ingest {
        Some(at) => format!("{ingest} ({at})"),
        None => ingest.to_owned(),
    };
    STATUS.say(
        words,
        &[
            ("status", view.status.into()),
            (
                "state",
                words
                    .find(&format!("health.{}", view.status))
                    .unwrap_or("–")
                    .into(),
            ),
            (
                "sentence",
                words
                    .find(&format!("health-is.{}", view.status))
                    .unwrap_or("")
                    .into(),
            ),
            ("problems", problems(&view.problems).into()),
            ("works", view.works.into()),
            ("search", search.into()),
            ("ingest", ingest.into()),
            (
                "uptime",
                words
                    .count("status.minutes", view.uptime_seconds / 60)
                    .into(),
            ),
            ("version", view.version.as_str().into()),
            ("providers", providers.into()),
            (
                "operator",
                view.operator
                    .as_ref()
                    .map_or_else(Html::empty, |view| operator(words, view))
                    .into(),
            ),
        ],
    )
}

fn problems(problems: &[String]) -> Html {
    if problems.is_empty() {
        return Html::empty();
    }
    let items = problems
        .iter()
        .map(|problem| PROBLEM.fill(&[("problem", problem.as_str().into())]));
    PROBLEMS.fill(&[("problems", Html::join(items).into())])
}

const OPERATOR: Template = Template(
    r#"<section aria-labelledby="operator"><h2 id="operator">{~operator.title}</h2>
<p class="quiet">{~operator.who}</p>
<dl>
<dt>{~operator.accounts}</dt><dd>{accounts}</dd>
<dt>{~operator.plans}</dt><dd>{plans}</dd>
<dt>{~operator.calls}</dt><dd>{calls}</dd>
<dt>{~operator.disk}</dt><dd>{disk}</dd>
<dt>{~operator.not-indexed}</dt><dd>{not-indexed}</dd>
</dl>
<h3>{~operator.since-start}</h3>
<div class="wide"><table><thead><tr><th scope="col">{~operator.counted}</th><th scope="col">{~operator.number}</th><th scope="col">{~operator.mean}</th><th scope="col">{~operator.hits}</th></tr></thead><tbody>{counts}</tbody></table></div>
<h3>{~operator.newest}</h3>
<div class="wide"><table><thead><tr><th scope="col">{~operator.account}</th><th scope="col">{~account.plan}</th><th scope="col">{~operator.made}</th><th scope="col">{~status.state}</th></tr></thead><tbody>{newest}</tbody></table></div>
<h3>{~operator.limits}</h3>
<div class="wide"><table><thead><tr><th scope="col">{~account.plan}</th><th scope="col">{~operator.lookups}</th><th scope="col">{~operator.monthly}</th><th scope="col">{~account.collections}</th><th scope="col">{~operator.entries}</th><th scope="col">{~operator.burst}</th></tr></thead><tbody>{limits}</tbody></table></div>
<h3>{~operator.backups}</h3>
{backups}
<p class="quiet">{~operator.commands} <code>citation user</code> · <code>citation usage</code> · <code>citation backup</code> · <code>citation config</code></p></section>"#,
);

const ACCOUNT: Template = Template(
    r#"<tr><th scope="row" dir="auto">{name}</th><td>{plan}</td><td>{made}</td><td>{state}</td></tr>"#,
);

const COUNT: Template = Template(
    r#"<tr><th scope="row" lang="en" dir="ltr">{of} · {label}</th><td>{count}</td><td>{mean}</td><td>{hits}</td></tr>"#,
);

const LIMITS: Template = Template(
    r#"<tr><th scope="row">{plan}</th><td>{daily}</td><td>{monthly}</td><td>{collections}</td><td>{entries}</td><td>{burst}</td></tr>"#,
);

const BACKUPS: Template = Template("<ul>{backups}</ul>");

const BACKUP: Template = Template("<li><code>{name}</code> · {size} · {at}</li>");

const NO_BACKUP: Template = Template("<p>{~operator.no-backup}</p>");

fn operator(words: Words, view: &Operator) -> Html {
    let plans = view.plans.iter();
    let plans: Vec<String> = plans.map(|(plan, n)| format!("{plan} {n}")).collect();
    let newest = view.newest.iter().map(|account| {
        let state = match account.is_disabled {
            true => "operator.disabled",
            false => "operator.active",
        };
        ACCOUNT.fill(&[
            ("name", account.name.as_str().into()),
            ("plan", account.plan.into()),
            ("made", day(&account.created_at).into()),
            ("state", words.get(state).into()),
        ])
    });
    let limits = view.limits.iter().map(|limits| {
        let monthly = limits
            .monthly_calls
            .map_or("–".to_owned(), |n| n.to_string());
        LIMITS.fill(&[
            ("plan", limits.plan.into()),
            ("daily", limits.daily_lookups.into()),
            ("monthly", monthly.into()),
            ("collections", limits.collections.into()),
            ("entries", limits.entries.into()),
            ("burst", limits.burst.into()),
        ])
    });
    let counts = view.counts.iter().map(|count| {
        let mean = count
            .mean_ms
            .map_or("–".to_owned(), |ms| format!("{ms} ms"));
        COUNT.fill(&[
            ("of", count.of.into()),
            ("label", count.label.into()),
            ("count", count.count.into()),
            ("mean", mean.into()),
            (
                "hits",
                count
                    .hits
                    .map_or("–".to_owned(), |hits| hits.to_string())
                    .into(),
            ),
        ])
    });
    let backups = view.backups.iter().map(|(name, bytes, at)| {
        BACKUP.fill(&[
            ("name", name.as_str().into()),
            ("size", size(*bytes).into()),
            ("at", at.as_str().into()),
        ])
    });
    let backups = match view.backups.len() {
        0 => NO_BACKUP.say(words, &[]),
        _ => BACKUPS.fill(&[("backups", Html::join(backups).into())]),
    };
    let said = |key, values: &[(&str, Fill)]| Fill::from(message(words, key, values));
    OPERATOR.say(
        words,
        &[
            (
                "accounts",
                said(
                    "operator.accounts-are",
                    &[
                        ("n", view.accounts.into()),
                        ("disabled", view.disabled.into()),
                    ],
                ),
            ),
            ("plans", plans.join(" · ").into()),
            (
                "calls",
                said(
                    "operator.calls-are",
                    &[
                        ("month", view.month.as_str().into()),
                        ("calls", view.calls.into()),
                        ("overage", view.overage.into()),
                    ],
                ),
            ),
            (
                "disk",
                said(
                    "operator.disk-is",
                    &[
                        ("database", size(view.database_bytes).into()),
                        ("index", size(view.index_bytes).into()),
                        ("total", size(view.total_bytes).into()),
                    ],
                ),
            ),
            ("not-indexed", view.not_indexed.into()),
            ("counts", Html::join(counts).into()),
            ("newest", Html::join(newest).into()),
            ("limits", Html::join(limits).into()),
            ("backups", backups.into()),
        ],
    )
}

/// The day of a moment in ISO 8601.
fn day(moment: &str) -> &str {
    moment.get(..10).unwrap_or(moment)
}

/// `12.3 MB`: bytes in the greatest unit of which there is one.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && value < 99.95);
    format!("{value:.digits$} {}", UNITS.get(unit).unwrap_or(&"B"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_fitting_units() {
        let check = |bytes, expected| assert_eq!(size(bytes), expected, "{bytes}");
        check(0, "0 B");
        check(999, "999 B");
        check(1_000, "1.0 kB");
        check(999_999, "1.0 MB");
        check(123_456_789, "123 MB");
        check(5_250_000_000, "5.2 GB");
    }

    #[test]
    fn only_the_operator_sees_accounts() {
        let mut view = Status::default();
        let html = status(Words::default(), &view).into_string();
        assert!(!html.contains("operator"));
        view.operator = Some(Operator {
            newest: vec![Account {
                name: "<b>".to_owned(),
                ..Account::default()
            }],
            ..Operator::default()
        });
        let html = status(Words::default(), &view).into_string();
        assert!(html.contains("id=\"operator\"") && html.contains("&lt;b&gt;"));
    }
}
