//! The configuration: built-in defaults, then `citation.toml`, then the environment, then flags.
//!
//! - `sections`: every key with its type, default, range and description, by subject; start there
//! - `providers`: the external services, one row each
//! - `load`: which file is read, and priorities; `document` parses TOML, `settings` collects values;
//!   `place`: the default data folder
//! - `rule`: the allowed values; `relations`: constraints between values
//! - `error`, `nearest`: errors and suggestions
//! - `show`: the effective values and their origins; the template file

mod derived;
mod document;
mod error;
mod load;
pub mod nearest;
mod place;
mod providers;
mod registry;
mod relations;
mod rule;
mod section;
mod sections;
mod settings;
mod show;
mod values;

use serde::{Deserialize, Serialize};

pub use error::{ConfigError, ValueOrigin, variable_name};
pub use load::{ConfigOverrides, ConfigSources, FILE_NAME, Loaded, check, load};
pub use providers::{KeyPlace, KeyUse, ProviderName, ProviderSettings, Providers};
pub use sections::*;
pub use show::template;
pub use values::{BaseUrl, Network, Secret};

/// All settings, validated and complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub server: ServerSettings,
    pub log: LogSettings,
    pub data: DataSettings,
    pub corpus: CorpusSettings,
    pub lookup: LookupSettings,
    pub compat: CompatSettings,
    pub backup: BackupSettings,
    pub updates: UpdateSettings,
    pub providers: Providers,
    pub format: FormatSettings,
    pub quota: QuotaSettings,
    pub limits: LimitSettings,
    pub jobs: JobSettings,
    pub webhooks: WebhookSettings,
    pub mail: MailSettings,
    pub sharing: SharingSettings,
    pub auth: AuthSettings,
    pub oauth: OAuthSettings,
    pub session: SessionSettings,
}
