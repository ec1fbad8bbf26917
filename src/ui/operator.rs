//! The pages for operators: the checklist of the first start, accounts, sources, styles and backups.

use super::page::Moment;
use super::status::{PlanLimitsView, size};
use super::words::Words;
use askama::Template;

/// A step of the checklist.
#[derive(Clone, Debug, Default)]
pub struct StepView {
    /// Names its texts: `setup.NAME` and `setup.NAME.why`.
    pub name: &'static str,
    /// `done`, `open`, or `choice` if there is no wrong answer.
    pub state: &'static str,
    /// The present choice; empty if the state says all.
    pub now: String,
    /// The lines for `citation.toml`; empty if a button does it.
    pub lines: &'static str,
    /// The page that does it.
    pub page: Option<&'static str>,
}

/// The first page: what to decide, and what does not work.
#[derive(Default, Template)]
#[template(path = "operator/overview.html")]
pub struct SetupPage {
    pub words: Words,
    pub steps: Vec<StepView>,
    /// The problems, a sentence each, in English.
    pub problems: Vec<String>,
}

/// An account in the list.
#[derive(Clone, Debug, Default)]
pub struct AccountRow {
    /// UUID.
    pub id: String,
    /// The e-mail address, else the name, else the id.
    pub name: String,
    pub plan: &'static str,
    pub created_at: Moment,
    pub is_disabled: bool,
    /// Whether it is the operator's own, which is not disabled here.
    pub is_own: bool,
}

/// A key of the account that is shown.
#[derive(Clone, Debug, Default)]
pub struct KeyRow {
    /// UUID.
    pub id: String,
    pub name: String,
    /// Its first characters.
    pub prefix: String,
    pub scopes: String,
    pub last_used_at: Option<Moment>,
}

/// One account with its keys.
#[derive(Clone, Debug, Default)]
pub struct AccountDetails {
    pub account: AccountRow,
    pub keys: Vec<KeyRow>,
    pub sessions: usize,
}

/// A one-time link that was just made.
#[derive(Clone, Debug, Default)]
pub struct NewLink {
    pub address: String,
    /// Names its text: `accounts.link-NAME`.
    pub kind: &'static str,
}

/// The accounts.
#[derive(Default, Template)]
#[template(path = "operator/accounts.html")]
pub struct AccountsPage<'p> {
    pub words: Words,
    pub query: &'p str,
    pub accounts: Vec<AccountRow>,
    /// Number of accounts that match, shown or not.
    pub total: u64,
    pub shown: Option<AccountDetails>,
    pub plans: Vec<&'static str>,
    pub limits: Vec<PlanLimitsView>,
    /// `open`, `invitation`, `closed`.
    pub sign_up: &'static str,
    pub link: Option<NewLink>,
    pub notice: Option<String>,
    pub problem: Option<String>,
}

/// A source and how it answers.
#[derive(Clone, Debug, Default)]
pub struct SourceRow {
    pub name: &'static str,
    /// `closed`, `open`, `half_open`.
    pub circuit: &'static str,
    pub requests: u64,
    pub failures: u64,
    /// What it answered just now, in English.
    pub answer: Option<SourceAnswer>,
}

/// The answer to a trial.
#[derive(Clone, Debug, Default)]
pub struct SourceAnswer {
    pub is_good: bool,
    pub text: String,
}

/// The sources.
#[derive(Default, Template)]
#[template(path = "operator/sources.html")]
pub struct SourcesPage {
    pub words: Words,
    pub sources: Vec<SourceRow>,
    /// Sources that are left out: they need a key that the configuration lacks.
    pub without_key: Vec<&'static str>,
}

/// What a task that runs beside the requests does.
#[derive(Clone, Debug, Default)]
pub struct TaskView {
    /// `idle`, `running`, `done`, `failed`.
    pub state: &'static str,
    /// How far it is, what it did or why it failed, in English.
    pub text: String,
}

/// The styles.
#[derive(Default, Template)]
#[template(path = "operator/styles.html")]
pub struct StylesPage {
    pub words: Words,
    /// Number of styles that are built in, in the database, and in folders.
    pub built_in: u64,
    pub installed: u64,
    pub in_folders: u64,
    /// The directory that the form proposes.
    pub directory: String,
    /// Whether Debian's package is installed there.
    pub has_package: bool,
    pub task: TaskView,
    pub problem: Option<String>,
}

/// The backups.
#[derive(Default, Template)]
#[template(path = "operator/backups.html")]
pub struct BackupsPage {
    pub words: Words,
    /// Hours between two; 0 if they are made only on demand.
    pub every_hours: u64,
    pub directory: String,
    /// Name, bytes, ISO 8601 in UTC; newest first.
    pub backups: Vec<(String, u64, String)>,
    pub task: TaskView,
}
