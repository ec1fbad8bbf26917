//! All sections and keys, found by their path.

use super::providers;
use super::rule::{Key, Rule};
use super::section::Section;
use super::sections::{
    AuthSettings, BackupSettings, CompatSettings, CorpusSettings, CorsSettings, DataSettings,
    FormatSettings, JobSettings, LimitSettings, LogSettings, LookupSettings, MailSettings,
    OAuthSettings, QuotaSettings, ServerSettings, SessionSettings, SharingSettings, UpdateSettings,
    WebhookSettings,
};

/// The sections before those of the providers.
const FIRST: &[Section] = &[
    section("server", ServerSettings::ABOUT, ServerSettings::KEYS),
    section("server.cors", CorsSettings::ABOUT, CorsSettings::KEYS),
    section("log", LogSettings::ABOUT, LogSettings::KEYS),
    section("data", DataSettings::ABOUT, DataSettings::KEYS),
    section("corpus", CorpusSettings::ABOUT, CorpusSettings::KEYS),
    section("lookup", LookupSettings::ABOUT, LookupSettings::KEYS),
    section("compat", CompatSettings::ABOUT, CompatSettings::KEYS),
    section("backup", BackupSettings::ABOUT, BackupSettings::KEYS),
    section("updates", UpdateSettings::ABOUT, UpdateSettings::KEYS),
];

/// The sections after those of the providers.
const LAST: &[Section] = &[
    section("format", FormatSettings::ABOUT, FormatSettings::KEYS),
    section("quota", QuotaSettings::ABOUT, QuotaSettings::KEYS),
    section("limits", LimitSettings::ABOUT, LimitSettings::KEYS),
    section("jobs", JobSettings::ABOUT, JobSettings::KEYS),
    section("webhooks", WebhookSettings::ABOUT, WebhookSettings::KEYS),
    section("mail", MailSettings::ABOUT, MailSettings::KEYS),
    section("sharing", SharingSettings::ABOUT, SharingSettings::KEYS),
    section("auth", AuthSettings::ABOUT, AuthSettings::KEYS),
    section("oauth", OAuthSettings::ABOUT, OAuthSettings::KEYS),
    section("session", SessionSettings::ABOUT, SessionSettings::KEYS),
];

/// Every section, in the order of the file.
pub fn sections() -> impl Iterator<Item = &'static Section> {
    [FIRST, providers::SECTIONS, LAST].into_iter().flatten()
}

const fn section(
    path: &'static str,
    about: &'static [&'static str],
    keys: &'static [Key],
) -> Section {
    Section { path, about, keys }
}

/// The key at a path. Keys of an array of tables include the table's number, from 0, in their path:
/// `auth.oidc.0.client_id`.
pub fn find(path: &str) -> Option<&'static Key> {
    let (parent, name) = path.rsplit_once('.')?;
    let keys = match sections().find(|section| section.path == parent) {
        Some(section) => section.keys,
        None => table_keys(parent)?,
    };
    keys.iter().find(|key| key.name == name)
}

/// Maximum number of tables in an array.
const MAX_TABLES: usize = 32;

/// The keys of one table of an array of tables, `auth.oidc.0`.
fn table_keys(path: &str) -> Option<&'static [Key]> {
    let (array, number) = path.rsplit_once('.')?;
    number
        .parse::<usize>()
        .ok()
        .filter(|number| *number < MAX_TABLES)?;
    match find(array)?.rule {
        Rule::Tables(keys, _) => Some(keys),
        _ => None,
    }
}

/// Whether a path is a section or contains some.
pub fn is_section(path: &str) -> bool {
    sections().any(|section| {
        let rest = section.path.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// The names of the keys in a section or table.
pub fn names_in(path: &str) -> Option<Vec<&'static str>> {
    let section = sections().find(|section| section.path == path);
    let keys = section
        .map(|section| section.keys)
        .or_else(|| table_keys(path))?;
    Some(keys.iter().map(|key| key.name).collect())
}

/// The path of every key outside arrays of tables.
pub fn paths() -> impl Iterator<Item = String> {
    sections().flat_map(|section| {
        section
            .keys
            .iter()
            .map(|key| format!("{}.{}", section.path, key.name))
    })
}
