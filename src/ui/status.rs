//! How the service is: for its readers in one line, and for whoever runs it in full.

use super::html::{Html, Template};
use super::words::Words;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// `ok`, `degraded`, `unavailable`.
    pub status: String,
    pub version: String,
    pub works: u64,
    pub documents: u64,
    pub is_search_ready: bool,
    /// `disabled`, `idle`, `running`, `error`.
    pub ingest: String,
    pub last_ingest: Option<String>,
    pub uptime_seconds: u64,
    pub providers: Vec<Provider>,
}

#[derive(Clone, Debug, Default)]
pub struct Provider {
    pub name: String,
    /// `closed`, `open`, `half_open`.
    pub circuit: String,
    pub requests: u64,
    pub failures: u64,
}

const STATUS: Template = Template(
    r#"<p class="lede"><span class="badge {status}">{state}</span> {sentence}</p>
<dl>
<dt>{~status.works}</dt><dd>{works}</dd>
<dt>{~status.search}</dt><dd>{search}</dd>
<dt>{~status.ingest}</dt><dd>{ingest}</dd>
<dt>{~status.uptime}</dt><dd>{uptime}</dd>
<dt>{~status.version}</dt><dd>{version}</dd>
</dl>
<h2>{~status.providers}</h2>
{providers}
<p class="quiet">{~status.machine} <a href="/api/health">/api/health</a></p>"#,
);

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
                super::cite::source_name(words, &provider.name).into(),
            ),
            (
                "state",
                words.find(&state).unwrap_or(&provider.circuit).into(),
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
    let ingest = words.find(&ingest).unwrap_or(&view.ingest);
    let ingest = match &view.last_ingest {
        Some(at) => format!("{ingest} ({at})"),
        None => ingest.to_owned(),
    };
    STATUS.say(
        words,
        &[
            ("status", view.status.as_str().into()),
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
        ],
    )
}
