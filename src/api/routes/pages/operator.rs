//! `/operator`: the checklist of the first start, accounts, sources, styles and backups. The gate lets in
//! operators only; every change is in the audit log.

use std::path::Path;
use std::sync::Arc;

use http::StatusCode;

use super::facts::plan_limits;
use super::frame::{error_message, form, redirect, show, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::operator::backups_in;
use crate::api::routes::{health, styles as style_routes};
use crate::auth::accounts::Actor;
use crate::auth::principal::{Account, Scopes};
use crate::auth::token::SecretToken;
use crate::background::TaskState;
use crate::backups;
use crate::config::{ProviderName, SignUp};
use crate::provider::probe::probe;
use crate::store::users::User;
use crate::styles::entry::StyleOrigin;
use crate::styles::install::Installed;
use crate::ui::html::Html;
use crate::ui::operator::{
    AccountDetails, AccountRow, AccountsPage, BackupsPage, KeyRow, NewLink, SetupPage,
    SourceAnswer, SourceRow, SourcesPage, StepView, StylesPage, TaskView,
};
use crate::ui::page::{Frame, Moment};
use citation_model::plan::Plan;

/// Where Debian's package `citation-style-language-styles` puts its styles.
const PACKAGE: &str = "/usr/share/citation-style-language/styles";

/// Maximum number of accounts in the list.
const MAX_ACCOUNTS: usize = 100;

/// The plans that an account can have.
const PLANS: [Plan; 3] = [Plan::Free, Plan::Academic, Plan::Business];

fn page(context: &RequestContext, title: &str, path: &str, main: impl Into<Html>) -> Reply {
    let frame = Frame {
        title: words(context).get(title),
        current: path,
        ..Frame::default()
    };
    show(context, &frame, main)
}

/// The operator as the actor of a change.
fn actor(context: &RequestContext) -> Result<Actor, ApiError> {
    Ok(Actor::user(&context.account()?.uid, context.client))
}

/// `GET /operator`.
pub fn setup(context: &RequestContext) -> Result<Reply, ApiError> {
    let main = SetupPage {
        words: words(context),
        steps: steps(context)?,
        problems: { health::health_of(context).problems.into_iter() }
            .chain(health::details(&context.app))
            .collect(),
    };
    Ok(page(context, "setup.title", "/operator", main))
}

/// What an operator decides at the first start.
fn steps(context: &RequestContext) -> Result<Vec<StepView>, ApiError> {
    let (config, words) = (&context.app.config, words(context));
    let step = |name, is_done: bool, lines| StepView {
        name,
        state: if is_done { "done" } else { "open" },
        lines: if is_done { "" } else { lines },
        ..StepView::default()
    };
    let choice = |name, now: &str, lines| StepView {
        name,
        state: "choice",
        now: now.to_owned(),
        lines,
        page: None,
    };
    let switch = |is_on: bool| words.get(if is_on { "plans.yes" } else { "setup.no" });
    let has_contact =
        { ProviderName::ALL.iter() }.any(|name| !config.providers.get(*name).contact.is_empty());
    let counts = style_counts(context)?;
    let has_styles = counts.installed + counts.in_folders > 0;
    let networks: Vec<&str> = { config.quota.networks.iter() }
        .map(|network| network.name.as_str())
        .collect();
    Ok(vec![
        step(
            "contact",
            has_contact,
            "[providers.crossref]\ncontact = \"you@example.org\"",
        ),
        StepView {
            page: Some("/operator/accounts"),
            ..choice(
                "sign-up",
                words.name("accounts.sign-up-is", sign_up_name(config.auth.sign_up)),
                "[auth]\nsign_up = \"invitation\"   # open, invitation or closed",
            )
        },
        StepView {
            page: Some("/operator/styles"),
            ..step("styles", has_styles, "")
        },
        StepView {
            page: Some("/operator/backups"),
            ..step(
                "backup",
                config.backup.every_hours > 0,
                "[backup]\nevery_hours = 24",
            )
        },
        choice(
            "local",
            switch(config.quota.local_works_free),
            "[quota]\nlocal_works_free = true",
        ),
        choice(
            "networks",
            &match networks.as_slice() {
                [] => words.get("setup.no").to_owned(),
                networks => networks.join(", "),
            },
            "[[quota.networks]]\nname = \"campus\"\naddresses = [\"192.0.2.0/24\"]\ndaily = 5000",
        ),
    ])
}

fn sign_up_name(sign_up: SignUp) -> &'static str {
    match sign_up {
        SignUp::Open => "open",
        SignUp::Invitation => "invitation",
        SignUp::Closed => "closed",
    }
}

/// `GET /operator/accounts?q=&account=`.
pub fn accounts(context: &RequestContext) -> Result<Reply, ApiError> {
    let shown = context.query.given("account");
    accounts_page(context, shown, AccountsPage::default())
}

/// `POST /operator/accounts`: changes the plan or the state of an account, revokes a key, or makes a link.
pub fn change_account(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let given = |name: &str| form.get(name).map(str::trim).unwrap_or_default();
    let account = given("account");
    match change(context, given) {
        Ok(done) => accounts_page(context, Some(account).filter(|id| !id.is_empty()), done),
        Err(cause) => {
            let refusal = error_message(words(context), &cause);
            let failed = AccountsPage {
                problem: Some(refusal),
                ..AccountsPage::default()
            };
            let shown = Some(account).filter(|id| !id.is_empty());
            let reply = accounts_page(context, shown, failed)?;
            Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
        }
    }
}

/// Does what a form asks for; returns the page with what to say about it.
fn change<'g>(
    context: &RequestContext,
    given: impl Fn(&str) -> &'g str,
) -> Result<AccountsPage<'static>, ApiError> {
    let (auth, actor, words) = (&context.app.auth, actor(context)?, words(context));
    let said = |key: &str| AccountsPage {
        notice: Some(words.get(key).to_owned()),
        ..AccountsPage::default()
    };
    let plan = || {
        let plan = Plan::parse(given("plan")).filter(|plan| PLANS.contains(plan));
        plan.ok_or_else(|| ApiError::invalid_field("/plan", "is free, academic or business"))
    };
    if given("do") == "invite" {
        let email = Some(given("email")).filter(|email| !email.is_empty());
        let token = auth.make_invitation(email, Some(plan()?), &actor)?;
        return Ok(linked(context, "invitation", &token));
    }
    let user = user(context, given("account"))?;
    let is_own = user.uid == context.account()?.uid;
    match given("do") {
        "plan" => {
            auth.set_plan(&user, plan()?, &actor)?;
            Ok(said("accounts.plan-set"))
        }
        "enable" => {
            auth.set_disabled(&user, false, &actor)?;
            Ok(said("accounts.enabled"))
        }
        "disable" if !is_own => {
            auth.set_disabled(&user, true, &actor)?;
            Ok(said("accounts.disabled"))
        }
        "link" => Ok(linked(
            context,
            "sign-in",
            &auth.make_sign_in_link(&user, &actor)?,
        )),
        "revoke" => {
            let account = Account {
                id: user.id,
                uid: user.uid,
                email: user.email,
                name: user.name,
                plan: user.plan,
            };
            if auth.revoke_api_key(&account, given("key"), &actor)? {
                Ok(said("accounts.revoked"))
            } else {
                Err(ApiError::not_found(
                    "API key",
                    "The account has no such key.",
                ))
            }
        }
        _ => Err(ApiError::invalid_field("/do", "is no action of this page")),
    }
}

fn linked(
    context: &RequestContext,
    kind: &'static str,
    token: &SecretToken,
) -> AccountsPage<'static> {
    let path = format!("/auth/link?token={}", token.reveal());
    AccountsPage {
        link: Some(NewLink {
            address: context.edge.site.base_url.join(&path),
            kind,
        }),
        ..AccountsPage::default()
    }
}

fn user(context: &RequestContext, uid: &str) -> Result<User, ApiError> {
    let user = context.app.auth.store().user_by_uid(uid)?;
    user.ok_or_else(|| ApiError::not_found("account", "There is no such account."))
}

/// The page; `said` has what to say about a change.
fn accounts_page(
    context: &RequestContext,
    shown: Option<&str>,
    said: AccountsPage<'_>,
) -> Result<Reply, ApiError> {
    let own = context.account()?.uid.clone();
    let query = context.query.given("q").unwrap_or_default();
    let wanted = query.to_lowercase();
    let has = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or_default();
        text.to_lowercase().contains(&wanted)
    };
    let mut users = context.app.auth.store().users()?;
    users.retain(|user| {
        wanted.is_empty() || has(&user.email) || has(&user.name) || user.uid == wanted
    });
    let total = users.len() as u64;
    let newest = users.iter().rev().take(MAX_ACCOUNTS);
    let main = AccountsPage {
        words: words(context),
        query,
        accounts: newest.map(|user| account_row(user, &own)).collect(),
        total,
        shown: shown.map(|uid| details(context, uid, &own)).transpose()?,
        plans: PLANS.map(Plan::as_str).to_vec(),
        limits: plan_limits(context),
        sign_up: sign_up_name(context.app.config.auth.sign_up),
        ..said
    };
    Ok(page(context, "nav.accounts", "/operator/accounts", main))
}

fn account_row(user: &User, own: &str) -> AccountRow {
    let names = [&user.email, &user.name];
    let name = names.into_iter().flatten().next().unwrap_or(&user.uid);
    AccountRow {
        id: user.uid.clone(),
        name: name.clone(),
        plan: user.plan.as_str(),
        created_at: Moment(user.created_at),
        is_disabled: user.disabled_at.is_some(),
        is_own: user.uid == own,
    }
}

fn details(context: &RequestContext, uid: &str, own: &str) -> Result<AccountDetails, ApiError> {
    let user = user(context, uid)?;
    let auth = &context.app.auth;
    let keys = auth.api_keys(user.id)?.into_iter().map(|key| KeyRow {
        id: key.uid,
        name: key.name,
        prefix: key.prefix,
        scopes: Scopes::from_bits(key.scopes).names().join(", "),
        last_used_at: key.last_used_at.map(Moment),
    });
    Ok(AccountDetails {
        keys: keys.collect(),
        sessions: auth.sessions(user.id)?.len(),
        account: account_row(&user, own),
    })
}

/// `GET /operator/sources`.
pub fn sources(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(sources_page(context, None))
}

/// `POST /operator/sources`: asks one source for a well-known work.
pub fn try_source(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let name = form.get("source").unwrap_or_default();
    let provider = { context.app.provider(name) }
        .ok_or_else(|| ApiError::not_found("source", "There is no such source."))?;
    let noted = format!("source={}", provider.name());
    context
        .app
        .auth
        .note(&actor(context)?, "source.try", noted)?;
    let answer = match context.job.without_slot(|| probe(&*provider)) {
        Some(Ok(milliseconds)) => SourceAnswer {
            is_good: true,
            text: format!("{milliseconds} ms"),
        },
        Some(Err(cause)) => SourceAnswer {
            is_good: false,
            text: cause.to_string(),
        },
        None => SourceAnswer {
            is_good: false,
            text: "It is only searched, and a search is not tried.".to_owned(),
        },
    };
    Ok(sources_page(context, Some((provider.name(), answer))))
}

fn sources_page(context: &RequestContext, answer: Option<(&'static str, SourceAnswer)>) -> Reply {
    let app = &context.app;
    let row = |stats: crate::provider::ProviderStats| SourceRow {
        answer: { answer.iter() }
            .find(|(name, _)| *name == stats.name)
            .map(|(_, answer)| answer.clone()),
        name: stats.name,
        circuit: stats.breaker.as_str(),
        requests: stats.requests,
        failures: stats.failed,
    };
    let without_key = ProviderName::ALL.iter().filter(|name| {
        let settings = app.config.providers.get(**name);
        settings.enabled && name.lacks_key(settings)
    });
    let main = SourcesPage {
        words: words(context),
        sources: app.provider_stats().into_iter().map(row).collect(),
        without_key: without_key.map(|name| name.id()).collect(),
    };
    page(context, "nav.sources", "/operator/sources", main)
}

/// Number of styles by origin.
struct StyleCounts {
    built_in: u64,
    installed: u64,
    in_folders: u64,
}

fn style_counts(context: &RequestContext) -> Result<StyleCounts, ApiError> {
    let catalog = style_routes::catalog(context)?;
    let count = |origin| {
        let of_origin = catalog
            .entries()
            .iter()
            .filter(|entry| entry.origin == origin);
        of_origin.count() as u64
    };
    Ok(StyleCounts {
        built_in: count(StyleOrigin::Core),
        installed: count(StyleOrigin::Installed),
        in_folders: count(StyleOrigin::Folder),
    })
}

/// `GET /operator/styles`.
pub fn styles(context: &RequestContext) -> Result<Reply, ApiError> {
    styles_page(context, PACKAGE, None)
}

/// `POST /operator/styles`: installs the styles of a directory of the server, beside the requests.
pub fn install_styles(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let directory = form.get("directory").map(str::trim).unwrap_or_default();
    let path = Path::new(directory);
    if !path.is_absolute() || !path.is_dir() {
        let problem = words(context).get("op-styles.no-directory").to_owned();
        let reply = styles_page(context, directory, Some(problem))?;
        return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let app = Arc::clone(&context.app);
    let (path, actor) = (path.to_owned(), actor(context)?);
    app.auth
        .note(&actor, "styles.install", format!("directory={directory}"))?;
    let install = move |report: &dyn Fn(String)| {
        let installed = app
            .styles
            .install(&path, &mut |step| report(step.to_string()));
        installed
            .map(|done| summary(&done))
            .map_err(|cause| cause.to_string())
    };
    let started = context.app.style_install.start("styles", install);
    started.map_err(ApiError::internal)?;
    Ok(redirect("/operator/styles"))
}

/// What an installation did, with the first files that it refused.
fn summary(installed: &Installed) -> String {
    const SHOWN: usize = 5;
    let (styles, refused) = (
        installed.independent + installed.dependent,
        &installed.refused,
    );
    let mut text = format!("{styles} styles; {} files refused", refused.len());
    for rejected in refused.iter().take(SHOWN) {
        text.push_str(&format!("; {}: {}", rejected.file, rejected.reason));
    }
    text
}

fn styles_page(
    context: &RequestContext,
    directory: &str,
    problem: Option<String>,
) -> Result<Reply, ApiError> {
    let counts = style_counts(context)?;
    let main = StylesPage {
        words: words(context),
        built_in: counts.built_in,
        installed: counts.installed,
        in_folders: counts.in_folders,
        directory: directory.to_owned(),
        has_package: Path::new(PACKAGE).is_dir(),
        task: task(context.app.style_install.state()),
        problem,
    };
    Ok(page(context, "op-styles.title", "/operator/styles", main))
}

fn task(state: TaskState) -> TaskView {
    let (state, text) = match state {
        TaskState::Idle => ("idle", String::new()),
        TaskState::Running(text) => ("running", text),
        TaskState::Done(text) => ("done", text),
        TaskState::Failed(text) => ("failed", text),
    };
    TaskView { state, text }
}

/// `GET /operator/backups`.
pub fn backups(context: &RequestContext) -> Result<Reply, ApiError> {
    let (app, settings) = (&context.app, &context.app.config.backup);
    let folder = backups::folder(settings, app.store.directory());
    let backups = backups_in(&folder).into_iter();
    let main = BackupsPage {
        words: words(context),
        every_hours: settings.every_hours.into(),
        directory: folder.display().to_string(),
        backups: backups
            .map(|backup| (backup.name, backup.bytes, backup.made_at))
            .collect(),
        task: task(app.backup.state()),
    };
    Ok(page(context, "operator.backups", "/operator/backups", main))
}

/// `POST /operator/backups`: makes a backup, beside the requests.
pub fn make_backup(context: &RequestContext) -> Result<Reply, ApiError> {
    let app = Arc::clone(&context.app);
    app.auth
        .note(&actor(context)?, "backup.make", String::new())?;
    let back_up = move |_: &dyn Fn(String)| {
        let made = backups::back_up_now(&app.store, &app.config.backup, app.clock.unix());
        made.map(|file| file.display().to_string())
            .map_err(|cause| cause.to_string())
    };
    let started = context.app.backup.start("backup", back_up);
    started.map_err(ApiError::internal)?;
    Ok(redirect("/operator/backups"))
}
