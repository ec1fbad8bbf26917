//! `citation user …`: the accounts of this server. A running server sees every change
//! at once.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::io::{BufRead, IsTerminal};
use std::net::SocketAddr;
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::serve::ADDRESS;
use super::{Failure, Global, Outcome, Status, open, terminal};
use crate::auth::Auth;
use crate::auth::accounts::{Actor, NewAccount};
use crate::auth::principal::Scopes;
use crate::auth::token::SecretToken;
use crate::clock::{self, Clock};
use crate::config::Config;
use crate::store::api_keys::ApiKeyRow;
use crate::store::users::{IdentityRow, User};
use citation_model::plan::Plan;

#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Create an account
    #[command(after_help = "\
Examples:
  citation user add a@example.org
  citation user add a@example.org --plan academic --api-key")]
    Add(AddCommand),
    /// List every account
    #[command(after_help = "\
Examples:
  citation user list
  citation user list --json")]
    List,
    /// Show one account, its keys, sessions and linked identities
    #[command(after_help = "\
Examples:
  citation user show a@example.org")]
    Show(AccountArgument),
    /// Change the plan of an account
    #[command(after_help = "\
Examples:
  citation user set-plan a@example.org academic")]
    SetPlan(SetPlanCommand),
    /// Disable an account: no sign-in, and its keys stop working
    #[command(after_help = "\
Examples:
  citation user disable a@example.org")]
    Disable(AccountArgument),
    /// Enable a disabled account
    #[command(after_help = "\
Examples:
  citation user enable a@example.org")]
    Enable(AccountArgument),
    /// Delete an account and everything that belongs to it
    #[command(after_help = "\
Examples:
  citation user delete a@example.org
  citation user delete a@example.org --yes")]
    Delete(DeleteCommand),
    /// Print a link with which the owner chooses a new password; ends the current one, all sessions, API
    /// keys, programs, linked identities and unused links
    #[command(after_help = "\
Examples:
  citation user reset-password a@example.org")]
    ResetPassword(AccountArgument),
    /// Create an API key for an account
    #[command(after_help = "\
Examples:
  citation user api-key a@example.org --name script --scopes read --days 90")]
    ApiKey(ApiKeyCommand),
    /// Print an invitation link that creates an account
    #[command(after_help = "\
Examples:
  citation user invite b@example.org --plan academic")]
    Invite(InviteCommand),
}

#[derive(Debug, Args)]
pub struct AccountArgument {
    /// The account's e-mail address or id
    account: String,
}

#[derive(Debug, Args)]
pub struct AddCommand {
    /// The e-mail address, which is also the name for signing in
    email: String,
    /// The person's name
    #[arg(long)]
    name: Option<String>,
    /// free, academic or business (default: `auth.new_plan`)
    #[arg(long, value_parser = read_plan)]
    plan: Option<Plan>,
    /// Also create an API key and print it
    #[arg(long)]
    api_key: bool,
    /// Read the password from standard input (default: print a link to choose one)
    #[arg(long)]
    password_stdin: bool,
}

#[derive(Debug, Args)]
pub struct SetPlanCommand {
    /// The account's e-mail address or id
    account: String,
    /// free, academic or business
    #[arg(value_parser = read_plan)]
    plan: Plan,
}

#[derive(Debug, Args)]
pub struct DeleteCommand {
    /// The account's e-mail address or id
    account: String,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Args)]
pub struct ApiKeyCommand {
    /// The account's e-mail address or id
    account: String,
    /// The purpose of the key
    #[arg(long, default_value = "command line")]
    name: String,
    /// read, write or both, separated by commas
    #[arg(long, value_delimiter = ',', default_values = ["read", "write"])]
    scopes: Vec<String>,
    /// Days until the key expires (default: never)
    #[arg(long)]
    days: Option<u32>,
}

#[derive(Debug, Args)]
pub struct InviteCommand {
    /// The e-mail address of the invited person (default: anyone can use the link)
    email: Option<String>,
    /// free, academic or business (default: `auth.new_plan`)
    #[arg(long, value_parser = read_plan)]
    plan: Option<Plan>,
}

/// The state that the subcommands share.
struct UserAdmin {
    config: Config,
    auth: Arc<Auth>,
    actor: Actor,
    json: bool,
}

impl UserCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let store = open::store(&config)?;
        let desk = UserAdmin {
            auth: Auth::open(store, &config, Clock::system())?,
            config,
            actor: Actor::command_line(),
            json: global.json,
        };
        match self {
            UserCommand::Add(command) => desk.add(command),
            UserCommand::List => desk.list(),
            UserCommand::Show(who) => desk.with_user(&who.account, |user| desk.show(user)),
            UserCommand::SetPlan(command) => desk.with_user(&command.account, |user| {
                desk.auth.set_plan(user, command.plan, &desk.actor)?;
                desk.done(user, &format!("is now on the {} plan", command.plan))
            }),
            UserCommand::Disable(who) => desk.set_disabled(&who.account, true),
            UserCommand::Enable(who) => desk.set_disabled(&who.account, false),
            UserCommand::Delete(command) => {
                desk.with_user(&command.account, |user| desk.delete(user, command.yes))
            }
            UserCommand::ResetPassword(who) => {
                desk.with_user(&who.account, |user| desk.reset_password(user))
            }
            UserCommand::ApiKey(command) => {
                desk.with_user(&command.account, |user| desk.api_key(user, command))
            }
            UserCommand::Invite(command) => {
                let token = desk.auth.make_invitation(
                    command.email.as_deref(),
                    command.plan,
                    &desk.actor,
                )?;
                let link = desk.link(&token)?;
                let body = json!({"email": command.email, "link": link});
                desk.print(&body, &[link])
            }
        }
    }
}

impl UserAdmin {
    fn add(&self, command: &AddCommand) -> Outcome {
        let password = if command.password_stdin {
            Some(read_line()?)
        } else {
            None
        };
        let new = NewAccount {
            email: Some(&command.email),
            name: command.name.as_deref(),
            plan: command.plan,
            password: password.as_deref(),
            identity: None,
        };
        let user = self.auth.add_user(&new, &self.actor)?;
        let mut body = summary(&user);
        let made = format!("{} made ({}, {})", command.email, user.plan, user.uid);
        let mut text = vec![made];
        if command.api_key {
            let (_, token) = self.new_key(&user, "command line", Scopes::ALL, None)?;
            body["api_key"] = token.reveal().into();
            text.push(format!("API key, shown only once: {}", token.reveal()));
        }
        if password.is_none() {
            let link = self.link(&self.auth.make_sign_in_link(&user, &self.actor)?)?;
            text.push(format!("Link to choose a password: {link}"));
            body["link"] = link.into();
        }
        self.print(&body, &text)
    }

    fn list(&self) -> Outcome {
        let users = self.auth.store().users()?;
        if self.json {
            let users: Vec<Value> = users.iter().map(summary).collect();
            return self.print(&Value::from(users), &[]);
        }
        for user in &users {
            let state = if user.disabled_at.is_some() {
                "  disabled"
            } else {
                ""
            };
            say!(
                "{}  {:<8}  {}{state}",
                user.uid,
                user.plan.as_str(),
                user.email.as_deref().unwrap_or("–")
            );
        }
        Ok(Status::Done)
    }

    fn show(&self, user: &User) -> Outcome {
        let keys = self.auth.api_keys(user.id)?;
        let sessions = self.auth.sessions(user.id)?;
        let programs = self.auth.grants(user.id)?;
        let identities = self.auth.identities(user.id)?;
        let mut body = summary(user);
        body["has_password"] = user.password.is_some().into();
        body["api_keys"] = keys
            .iter()
            .map(|key| {
                json!({
                    "id": key.uid, "name": key.name, "prefix": key.prefix,
                    "last_used_at": key.last_used_at.map(clock::iso8601),
                    "expires_at": key.expires_at.map(clock::iso8601),
                })
            })
            .collect();
        body["identities"] = identities
            .iter()
            .map(|row| {
                json!({
                    "id": row.uid, "issuer": row.identity.issuer, "subject": row.identity.subject,
                    "email": row.identity.email, "linked_at": clock::iso8601(row.linked_at),
                })
            })
            .collect();
        body["sessions"] = sessions.len().into();
        body["programs"] = programs.len().into();
        self.print(
            &body,
            &description(user, &keys, &identities, (sessions.len(), programs.len())),
        )
    }

    fn set_disabled(&self, account: &str, disabled: bool) -> Outcome {
        self.with_user(account, |user| {
            self.auth.set_disabled(user, disabled, &self.actor)?;
            self.done(
                user,
                if disabled {
                    "is disabled"
                } else {
                    "is enabled"
                },
            )
        })
    }

    fn reset_password(&self, user: &User) -> Outcome {
        let (token, ended) = self.auth.reset_user(user, &self.actor)?;
        let link = self.link(&token)?;
        let body = json!({
            "id": user.uid, "email": user.email, "link": link,
            "ended": {
                "sessions": ended.sessions, "api_keys": ended.api_keys,
                "programs": ended.grants, "identities": ended.identities, "links": ended.links,
            },
        });
        let text = format!(
            "{}: ended the password, {} sessions, {} API keys, {} programs, {} linked identities, {} unused \
             links",
            name_of(user),
            ended.sessions,
            ended.api_keys,
            ended.grants,
            ended.identities,
            ended.links
        );
        self.print(&body, &[text, format!("Link to choose a password: {link}")])
    }

    /// Asks for confirmation if standard input is a terminal.
    fn delete(&self, user: &User, yes: bool) -> Outcome {
        if !yes && std::io::stdin().is_terminal() {
            terminal::ask(&format!(
                "Delete {} and everything that belongs to it? Type yes: ",
                name_of(user)
            ));
            if read_line()?.trim() != "yes" {
                tell!("Not deleted.");
                return Ok(Status::Negative);
            }
        }
        self.auth.delete_user(user.id, &user.uid, &self.actor)?;
        self.print(
            &json!({"id": user.uid, "deleted": true}),
            &[format!("{} is deleted", name_of(user))],
        )
    }

    fn api_key(&self, user: &User, command: &ApiKeyCommand) -> Outcome {
        let Some(scopes) = Scopes::parse(&command.scopes) else {
            return Err(Failure("--scopes must be read, write or both".to_owned()));
        };
        let (id, token) = self.new_key(user, &command.name, scopes, command.days)?;
        let body =
            json!({"id": id, "user": user.uid, "name": command.name, "api_key": token.reveal()});
        self.print(&body, &[token.reveal().to_owned()])
    }

    fn new_key(
        &self,
        user: &User,
        name: &str,
        scopes: Scopes,
        days: Option<u32>,
    ) -> Result<(String, SecretToken), Failure> {
        let expires_at = days.map(|days| clock::unix_now() + i64::from(days) * 24 * 60 * 60);
        let made =
            self.auth
                .create_api_key(user.id, &user.uid, name, scopes, expires_at, &self.actor);
        let (row, token) = made?;
        Ok((row.uid, token))
    }

    /// Finds an account by address or id and applies a change.
    fn with_user(&self, account: &str, job: impl FnOnce(&User) -> Outcome) -> Outcome {
        let store = self.auth.store();
        let found = match store.user_by_email(account)? {
            Some(user) => Some(user),
            None => store.user_by_uid(account)?,
        };
        match found {
            Some(user) => job(&user),
            None => {
                tell!(
                    "The account {account} does not exist; `citation user list` lists the accounts."
                );
                Ok(Status::Negative)
            }
        }
    }

    /// The account after a change.
    fn done(&self, user: &User, what: &str) -> Outcome {
        let after = self.auth.store().user(user.id)?;
        let body = after.as_ref().map_or(Value::Null, summary);
        self.print(&body, &[format!("{} {what}", name_of(user))])
    }

    /// The address of a one-time link: on the configured server, else on the one that
    /// runs or last ran here, else on the default one.
    fn link(&self, token: &SecretToken) -> Result<String, Failure> {
        let listen: Option<SocketAddr> = self.config.server.listen.parse().ok();
        let noted = self.auth.store().fact(ADDRESS)?;
        let base = match (&self.config.server.base_url, noted, listen) {
            (Some(url), _, _) => url.as_str().to_owned(),
            (None, Some(url), _) => url,
            (None, None, Some(address)) => self.config.base_url(address).as_str().to_owned(),
            (None, None, None) => format!("http://{}", self.config.server.listen),
        };
        Ok(format!("{base}/auth/link?token={}", token.reveal()))
    }

    /// The result as JSON, or as lines of text.
    fn print(&self, body: &Value, text: &[String]) -> Outcome {
        if self.json {
            terminal::print_json(body)
        } else {
            terminal::print_lines(text)
        }
        Ok(Status::Done)
    }
}

fn summary(user: &User) -> Value {
    json!({
        "id": user.uid,
        "email": user.email,
        "name": user.name,
        "plan": user.plan.as_str(),
        "created_at": clock::iso8601(user.created_at),
        "disabled": user.disabled_at.is_some(),
    })
}

/// The lines about an account, with its keys and identities.
fn description(
    user: &User,
    keys: &[ApiKeyRow],
    identities: &[IdentityRow],
    (sessions, programs): (usize, usize),
) -> Vec<String> {
    let state = match user.disabled_at {
        Some(_) => "disabled",
        None => "enabled",
    };
    let password = match user.password {
        Some(_) => "set",
        None => "none",
    };
    let mut text = vec![
        format!("id        {}", user.uid),
        format!("e-mail    {}", user.email.as_deref().unwrap_or("–")),
        format!("name      {}", user.name.as_deref().unwrap_or("–")),
        format!("plan      {}", user.plan),
        format!("created   {}", clock::iso8601(user.created_at)),
        format!("state     {state}"),
        format!("password  {password}"),
        format!("sessions  {sessions}"),
        format!("programs  {programs}"),
    ];
    for key in keys {
        let used = key
            .last_used_at
            .map_or_else(|| "never".to_owned(), clock::iso8601);
        text.push(format!(
            "key       {}…  {}  last used {used}",
            key.prefix, key.name
        ));
    }
    for row in identities {
        let identity = &row.identity;
        let who = identity.email.as_deref().unwrap_or(&identity.subject);
        let linked = clock::iso8601(row.linked_at);
        text.push(format!(
            "identity  {who} at {}, linked {linked}",
            identity.issuer
        ));
    }
    text
}

fn name_of(user: &User) -> &str {
    user.email.as_deref().unwrap_or(&user.uid)
}

fn read_plan(text: &str) -> Result<Plan, String> {
    match Plan::parse(text) {
        Some(Plan::Anonymous) | None => Err("choose free, academic or business".to_owned()),
        Some(plan) => Ok(plan),
    }
}

/// One line of standard input, without its end.
fn read_line() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
