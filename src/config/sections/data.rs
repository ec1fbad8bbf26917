//! Data and works: the folder, backups, the corpus, what is harvested and updated.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{PATH, TEBIBYTE, text};
use crate::config::rule::HOUR_MS;
use crate::config::rule::Rule::{
    Choice, Secret as SecretText, Slug, Switch, Tables, Text, Url, UrlOrNone, Whole,
};
use crate::config::section::section;
use crate::config::values::{BaseUrl, Secret, blank};

section! {
    /// The data folder and the database.
    DataSettings {
        /// The folder of the database, the index and all other files of the server. A relative
        /// path starts from the current folder. "" means `./data` if that contains such data or is
        /// empty, else the platform's folder: `citation` under `$XDG_DATA_HOME` (`~/.local/share`),
        /// `~/Library/Application Support` or `%LOCALAPPDATA%`.
        dir: PathBuf = PathBuf::new(), Text(0, PATH);

        /// Whether the data is a read-only copy: works are found, references verified and formatted,
        /// and changes are rejected.
        read_only: bool = false, Switch;

        /// Maximum number of concurrent database readers.
        readers: u32 = 8, Whole(1, 256);

        /// Memory for the database's page cache, in bytes.
        cache_bytes: u64 = 67_108_864, Whole(1_048_576, TEBIBYTE);

        /// Maximum part of the database file to map into memory, in bytes. 0 disables mapping.
        mmap_bytes: u64 = 34_359_738_368, Whole(0, TEBIBYTE);

        /// How long a write waits for another process, in milliseconds.
        busy_timeout_ms: u64 = 5_000, Whole(1, HOUR_MS);
    }
}

section! {
    /// The local works.
    CorpusSettings {
        /// Whether the starter corpus is loaded at the first start.
        starter: bool = true, Switch;

        /// Whether abstracts are stored. Without them the database is much smaller.
        keep_abstracts: bool = true, Switch;

        /// Age of a source's newest record from which health, the status page and `citation corpus
        /// stats` warn, in days. 0 means never.
        warn_after_days: u32 = 0, Whole(0, 36_500);

        /// Repositories and other sources that are harvested, one table each. See docs/sources.md.
        harvest: Vec<HarvestSettings> = Vec::new(), Tables(HarvestSettings::KEYS, NAME);
    }
}

/// The required key of a harvest; its kind requires others.
const NAME: &[&str] = &["name"];

/// What is harvested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HarvestKind {
    /// A repository, by OAI-PMH.
    Oai,
    /// What Crossref has indexed since a day.
    Crossref,
    /// What OpenAlex has changed since a day.
    Openalex,
    /// What DataCite has changed since a day.
    Datacite,
    /// The files that a list in the form of a sitemap names.
    List,
    /// The files of a folder.
    Folder,
}

section! {
    /// One source that is harvested. `name` is required, and `url` or, for a folder, `path`.
    HarvestSettings {
        /// Its name for `citation harvest NAME`. What was harvested is remembered under it.
        name: String = String::new(), Slug;

        /// "oai": a repository, by OAI-PMH. "crossref", "openalex" and "datacite": what these have changed since a
        /// day. "list": the files that a list of ResourceSync or another sitemap names. "folder": the files of a
        /// folder.
        kind: HarvestKind = HarvestKind::Oai,
            Choice(&["oai", "crossref", "openalex", "datacite", "list", "folder"]);

        /// The base URL of OAI-PMH, without `?verb=`, or of an API; the address of a list.
        url: BaseUrl = BaseUrl::known("http://localhost"), Url;

        /// The folder.
        path: String = String::new(), Text(0, PATH);

        /// The day from which the first round takes changes, "2026-01-31". "" means everything.
        since: String = String::new(), Text(0, 10);

        /// The API key for "crossref" or "openalex", if needed. OpenAlex tells what has changed only with a paid
        /// one.
        api_key: Secret = Secret::default(), SecretText;

        /// The metadata format: "oai_dc", "arXiv", or the repository's name for MARC 21 in XML.
        prefix: String = text("oai_dc"), Text(1, 100);

        /// The part of the repository to harvest. "" means all of it.
        set: String = String::new(), Text(0, 500);

        /// Hours between two rounds of the server. 0 means that only the command harvests.
        every_hours: u32 = 0, Whole(0, 8_760);

        /// An e-mail address under which the repository can reach you.
        contact: String = String::new(), Text(0, 200);
    }
}

/// What a server does at the start if its database is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recover {
    /// Reports the damage and changes nothing.
    Ask,
    /// Restores the newest sound backup.
    Automatic,
}

section! {
    /// Scheduled backups. `citation restore` restores one.
    BackupSettings {
        /// Hours between backups. 0 disables them.
        every_hours: u32 = 0, Whole(0, 8_760);

        /// Number of backups to keep; older ones are deleted.
        keep: u32 = 7, Whole(1, 1_000);

        /// The folder for backups. "" means `backups` in the data directory.
        directory: String = String::new(), Text(0, PATH);

        /// A program to run after each backup, with the file as its argument, for example to copy it
        /// elsewhere. "" means none.
        command: String = String::new(), Text(0, PATH);

        /// What happens if the database is damaged. "ask": the server names the newest sound backup
        /// and changes nothing. "automatic": each start first checks the database, for at most half a
        /// minute, and replaces a damaged one with that backup; the damaged files are kept, and
        /// everything written since the backup is lost.
        recover: Recover = Recover::Ask, Choice(&["ask", "automatic"]);
    }
}

section! {
    /// Lists that the server fetches by itself when they are due. See docs/sources.md.
    UpdateSettings {
        /// The address of the list of Retraction Watch, a CSV file. "" disables this. Crossref publishes
        /// it at `https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv`
        #[serde(with = "blank")]
        retraction_watch_url: Option<BaseUrl> = None, UrlOrNone;

        /// Hours between two fetches of a list.
        every_hours: u32 = 24, Whole(1, 8_760);
    }
}
