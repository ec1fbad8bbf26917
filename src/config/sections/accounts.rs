//! Accounts: sharing, signing in, identity providers, other programs, sessions, webhooks.

use serde::{Deserialize, Serialize};

use super::{COUNT, TEBIBYTE, text};
use crate::config::rule::HOUR_MS;
use crate::config::rule::Rule::{
    Choice, CookieName, Names, Origins, Secret as SecretText, Slug, Switch, Tables, Text, Url,
    Whole, Words,
};
use crate::config::section::section;
use crate::config::values::Secret;

section! {
    /// Webhooks: addresses of accounts that are told what happens.
    WebhookSettings {
        /// Maximum number of webhooks of an account.
        max_per_account: u32 = 10, Whole(0, 1_000);

        /// Whether addresses in private networks are allowed. Anyone with an account can then make this
        /// server send requests into its own network.
        allow_private: bool = false, Switch;

        /// Time for one delivery, in milliseconds.
        timeout_ms: u64 = 10_000, Whole(1, HOUR_MS);

        /// The pause before the second attempt, in seconds. It doubles each time, up to six hours.
        retry_seconds: u32 = 30, Whole(1, 3_600);

        /// Number of attempts before a delivery is given up.
        max_attempts: u32 = 12, Whole(1, 100);
    }
}

/// How a mail server is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// TLS from the beginning.
    Tls,
    /// TLS after a greeting; without it nothing is sent.
    Starttls,
    /// In clear.
    None,
}

section! {
    /// Mail by SMTP: invitations by address, and links to choose a new password. Without it everything works by
    /// links. Only programs that are built with the feature `mail` can send, as packages and images are.
    MailSettings {
        /// The host name of the mail server. "" turns mail off.
        server: String = String::new(), Text(0, 253);

        /// Its port.
        port: u16 = 465, Whole(1, 65_535);

        /// "tls" from the beginning, "starttls" (usually port 587), or "none", which is only allowed to a
        /// server on the same machine.
        security: MailSecurity = MailSecurity::Tls, Choice(&["tls", "starttls", "none"]);

        /// The name to sign in with. "" means that the server asks for none.
        user: String = String::new(), Text(0, 254);

        /// The password. Set it in the environment to keep it out of the file: `CITATION_MAIL__PASSWORD`.
        password: Secret = Secret::default(), SecretText;

        /// The sender: "citation@example.org", or "Citation <citation@example.org>".
        from: String = String::new(), Text(0, 320);

        /// Time for one step of a delivery, in milliseconds.
        timeout_ms: u64 = 30_000, Whole(1, HOUR_MS);

        /// The pause before the second attempt, in seconds. It doubles each time, up to six hours.
        retry_seconds: u32 = 60, Whole(1, 3_600);

        /// Number of attempts before a message is given up.
        max_attempts: u32 = 10, Whole(1, 100);

        /// Maximum number of messages that one account, or one address without an account, causes in 24
        /// hours.
        per_sender_per_day: u32 = 50, Whole(1, COUNT);

        /// Maximum number of messages to one recipient in 24 hours. Nothing more is sent then, which the
        /// answer does not tell.
        per_recipient_per_day: u32 = 10, Whole(1, COUNT);
    }
}

/// Who may create an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignUp {
    /// Anyone.
    Open,
    /// People with an invitation.
    Invitation,
    /// Nobody; the operator creates accounts.
    Closed,
}

/// The plan of a new account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewPlan {
    Free,
    Academic,
    Business,
}

section! {
    /// Links to collections that let others change entries, and links to lists that are created without an
    /// account: anyone with the latter can read and export the list as it was. The operator decides whether
    /// anonymous users may publish texts here: see docs/operate.md.
    SharingSettings {
        /// Whether the link of a collection can let whoever has it change the entries, without an account.
        /// Links that do so only read while this is false.
        edit_links: bool = false, Switch;

        /// Whether lists can be shared without an account.
        anonymous: bool = false, Switch;

        /// Days without a visit after which such a link expires and its list is deleted.
        anonymous_days: u32 = 180, Whole(1, 36_500);

        /// Maximum number of links that one address (IPv6 by /64) can create in 24 hours.
        anonymous_per_day: u32 = 20, Whole(1, COUNT);

        /// Maximum number of works in one link.
        anonymous_entries: u32 = 500, Whole(1, 1_000);

        /// Maximum size of one link's list, as JSON, in bytes.
        anonymous_list_bytes: u64 = 1_048_576, Whole(1_024, 16_777_216);

        /// Maximum size of all such links, compressed, in bytes. No more can be created above that.
        anonymous_bytes: u64 = 268_435_456, Whole(0, TEBIBYTE);
    }
}

section! {
    /// Accounts: signing up, signing in, passwords, identity providers.
    AuthSettings {
        /// Who may create an account: "open" anyone, "invitation" people with one, "closed" nobody.
        /// `citation user add` always works.
        sign_up: SignUp = SignUp::Open, Choice(&["open", "invitation", "closed"]);

        /// The plan of a new account.
        new_plan: NewPlan = NewPlan::Free, Choice(&["free", "academic", "business"]);

        /// How long an invitation is valid, in hours.
        invitation_hours: u32 = 168, Whole(1, 8_760);

        /// How long a one-time sign-in link is valid, in minutes.
        sign_in_link_minutes: u32 = 60, Whole(1, 43_200);

        /// Minimum characters of a password.
        password_min_chars: u32 = 12, Whole(8, 128);

        /// Maximum characters of a password.
        password_max_chars: u32 = 256, Whole(64, 4_096);

        /// Memory for one password hash (argon2id), in KiB.
        password_memory_kib: u32 = 19_456, Whole(8_192, 4_194_304);

        /// Passes over that memory.
        password_passes: u32 = 2, Whole(1, 100);

        /// Lanes of that memory.
        password_lanes: u32 = 1, Whole(1, 64);

        /// Maximum number of passwords checked at the same time; each uses that memory.
        password_workers: u32 = 2, Whole(1, 64);

        /// Failed sign-ins of one account from one address after which further ones from there
        /// are rejected for some time. An address has ten times as many over all accounts; an
        /// account with ten times as many failures accepts two from each address.
        sign_in_attempts: u32 = 10, Whole(1, 10_000);

        /// The period in which failed sign-ins are counted, in minutes.
        sign_in_window_minutes: u32 = 15, Whole(1, 1_440);

        /// Time for one request to an identity provider, in milliseconds.
        oidc_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);

        /// The operators' accounts, by id as shown by `citation user list`, in addition to the first
        /// one, which the server's own link created. They see accounts, usage and disk on the
        /// status page.
        operators: Vec<String> = Vec::new(), Words;

        /// Identity providers (OpenID Connect), one table each.
        oidc: Vec<IssuerSettings> = Vec::new(), Tables(IssuerSettings::KEYS, ISSUER_REQUIRED);

        /// Groups of identity providers that have a role in collections, one table each.
        groups: Vec<ClaimedGroupSettings> = Vec::new(), Tables(ClaimedGroupSettings::KEYS, GROUP_REQUIRED);
    }
}

/// The required keys of a group.
const GROUP_REQUIRED: &[&str] = &["provider", "claim"];

/// The role that a group has in collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimedRole {
    Reader,
    Editor,
}

section! {
    /// One group of an identity provider, which is a group here too. `provider` and `claim` are required.
    ClaimedGroupSettings {
        /// The `name` of the table in `auth.oidc`.
        provider: String = String::new(), Slug;

        /// The group as the provider's `groups_claim` has it. People are members from a sign-in that tells
        /// it until one that does not.
        claim: String = String::new(), Text(1, 256);

        /// Its name here. "" means `claim`.
        name: String = String::new(), Text(0, 200);

        /// The role of its members in the collections below: "reader" or "editor".
        role: ClaimedRole = ClaimedRole::Reader, Choice(&["reader", "editor"]);

        /// Ids of collections in which it has the role, at most 1,000. Those that are taken out lose it with
        /// the next start.
        collections: Vec<String> = Vec::new(), Words;
    }
}

/// The required keys of an identity provider.
const ISSUER_REQUIRED: &[&str] = &["name", "issuer", "client_id"];

section! {
    /// One identity provider. `name`, `issuer` and `client_id` are required.
    IssuerSettings {
        /// Its name in URLs and accounts. Do not change it once accounts use it.
        name: String = String::new(), Slug;

        /// Its name on the sign-in page. "" means `name`.
        label: String = String::new(), Text(0, 100);

        /// The address of the issuer, where `/.well-known/openid-configuration` is found.
        issuer: String = String::new(), Url;

        /// This server's client id at the provider.
        client_id: String = String::new(), Text(1, 1_000);

        /// The client secret. "" for a public client. Set it in the environment to keep it out of
        /// the file: `CITATION_AUTH__OIDC__0__CLIENT_SECRET` for the first provider.
        client_secret: Secret = Secret::default(), SecretText;

        /// The requested scopes.
        scopes: Vec<String> = ["openid", "email", "profile"].map(text).to_vec(), Words;

        /// The claim with the e-mail address. It is used if `email_verified` is `true`.
        email_claim: String = text("email"), Text(1, 100);

        /// The claim with the person's name.
        name_claim: String = text("name"), Text(1, 100);

        /// The claim with the person's groups: a list of texts, or one text. If no claim has
        /// this name, dots lead into objects: "realm_access.roles".
        groups_claim: String = text("groups"), Text(1, 200);

        /// Groups whose members are operators, in addition to `auth.operators`. These groups and those
        /// below are read at each sign-in through the provider.
        operator_groups: Vec<String> = Vec::new(), Names;

        /// Groups whose members are on the Academic plan. If groups are named for any plan, users
        /// in none of them are on `auth.new_plan`.
        academic_groups: Vec<String> = Vec::new(), Names;

        /// Groups whose members are on the Business plan.
        business_groups: Vec<String> = Vec::new(), Names;

        /// Groups that are groups here too: their members can give them a role in collections, and get
        /// the roles that others give them. Those of `auth.groups` are such groups too.
        shared_groups: Vec<String> = Vec::new(), Names;
    }
}

section! {
    /// Signing in of other programs (OAuth 2.1), for those that cannot hold an API key. See docs/mcp.md.
    OAuthSettings {
        /// Whether programs can ask accounts for access. If not, their tokens are rejected.
        enabled: bool = true, Switch;

        /// Whether programs can register themselves (RFC 7591).
        dynamic_registration: bool = true, Switch;

        /// Maximum number of programs that one address (IPv6 by /64) can register in 24 hours.
        registrations_per_day: u32 = 100, Whole(1, COUNT);

        /// Whether programs can name themselves by the https address of a document of theirs, which is
        /// read from the open internet.
        client_documents: bool = true, Switch;

        /// Origins inside your own network whose documents are read too, also over http.
        client_origins: Vec<String> = Vec::new(), Origins;

        /// Maximum number of programs that are known. For another one, the oldest that no account has let
        /// in is forgotten.
        max_clients: u32 = 10_000, Whole(1, COUNT);

        /// Days after which a program that no account has let in is forgotten.
        unused_client_days: u32 = 30, Whole(1, 3_650);

        /// Minutes that an access token is valid.
        access_token_minutes: u32 = 60, Whole(1, 1_440);

        /// Days after which a program that has not renewed its token must ask again.
        refresh_token_days: u32 = 90, Whole(1, 3_650);

        /// Time for reading a document, in milliseconds.
        document_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);
    }
}

section! {
    /// Sessions of signed-in users.
    SessionSettings {
        /// The name of the cookie. "" means `__Host-session` over https and `session` otherwise.
        cookie_name: String = String::new(), CookieName;

        /// Days without a request after which a session expires.
        days: u32 = 30, Whole(1, 3_650);

        /// Days after signing in when a session expires even if it is used.
        max_days: u32 = 90, Whole(1, 3_650);
    }
}
