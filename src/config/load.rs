//! Loads the configuration: which file is read, and which source overrides which.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use toml::Value;

use super::Config;
use super::document;
use super::error::{ConfigError, ValueOrigin, variable_name};
use super::place;
use super::registry;
use super::rule::Rule;
use super::settings::{Settings, unknown_key};

/// The default name of the file.
pub const FILE_NAME: &str = "citation.toml";

/// Values set by command-line flags.
#[derive(Clone, Debug, Default)]
pub struct ConfigOverrides {
    /// `--config FILE`: the one file to read.
    pub config: Option<PathBuf>,
    /// `--data DIR`: `data.dir`.
    pub data: Option<PathBuf>,
    /// `--listen HOST:PORT`: `server.listen`.
    pub listen: Option<String>,
    /// `--read-only`: `data.read_only`.
    pub read_only: bool,
}

/// The sources of the configuration, highest priority first.
#[derive(Clone, Debug, Default)]
pub struct ConfigSources {
    pub overrides: ConfigOverrides,
    /// Environment variables; only those that start with `CITATION_` count.
    pub environment: Vec<(OsString, OsString)>,
    /// The base folder of relative paths; empty for the current one.
    pub directory: PathBuf,
}

/// A configuration, and the origin of each value.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub config: Config,
    /// The file that was read.
    pub file: Option<PathBuf>,
    /// The origins of the values that are not defaults, by key.
    pub origins: BTreeMap<String, ValueOrigin>,
}

impl ConfigSources {
    /// The command line, this process's environment and current folder.
    pub fn of_process(overrides: ConfigOverrides) -> ConfigSources {
        ConfigSources {
            overrides,
            environment: std::env::vars_os().collect(),
            directory: PathBuf::new(),
        }
    }
}

impl Config {
    /// The configuration of this process.
    pub fn load(overrides: ConfigOverrides) -> Result<Config, Vec<ConfigError>> {
        load(&ConfigSources::of_process(overrides)).map(|loaded| loaded.config)
    }
}

/// Built-in defaults, then the file, then the environment, then flags. All problems are reported,
/// not only the first.
///
/// The file is `--config FILE`; else `citation.toml` in the current folder; else `citation.toml` in
/// the data folder. A `citation.toml` that sets nothing, like the one that comes with the program,
/// counts as absent.
pub fn load(sources: &ConfigSources) -> Result<Loaded, Vec<ConfigError>> {
    let mut settings = Settings::default();
    let file = read_file(sources, &mut settings);
    // Sorted by name, an array of tables comes before the values of one table.
    let variables: BTreeMap<_, _> = sources.environment.iter().map(|(n, v)| (n, v)).collect();
    for (name, value) in variables {
        read_variable(name, value, &mut settings);
    }
    read_flags(&sources.overrides, &mut settings);
    let (mut config, origins) = settings.build()?;
    if config.data.dir.as_os_str().is_empty() {
        config.data.dir = place::data_folder(&sources.directory, &sources.environment);
    }
    Ok(Loaded {
        config,
        file,
        origins,
    })
}

/// Checks one file by itself, without environment and flags.
pub fn check(file: &Path) -> Result<(), Vec<ConfigError>> {
    let overrides = ConfigOverrides {
        config: Some(file.to_owned()),
        ..ConfigOverrides::default()
    };
    load(&ConfigSources {
        overrides,
        ..ConfigSources::default()
    })
    .map(|_| ())
}

fn read_file(sources: &ConfigSources, settings: &mut Settings) -> Option<PathBuf> {
    if let Some(named) = &sources.overrides.config {
        let path = sources.directory.join(named);
        match std::fs::read(&path) {
            Ok(bytes) => read_bytes(&path, bytes, settings),
            Err(cause) => settings.errors.push(ConfigError {
                origin: ValueOrigin::Flag { flag: "--config" },
                problem: format!("{} cannot be read: {cause}", path.display()),
                ..ConfigError::default()
            }),
        }
        return Some(path);
    }
    let data = sources.directory.join(data_folder(sources));
    for folder in [&sources.directory, &data] {
        let path = folder.join(FILE_NAME);
        match std::fs::read(&path) {
            Ok(bytes) => read_bytes(&path, bytes, settings),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {}
            Err(cause) => settings.errors.push(ConfigError {
                origin: ValueOrigin::File {
                    path: path.clone(),
                    line: 1,
                    column: 1,
                },
                problem: format!("the file cannot be read: {cause}"),
                ..ConfigError::default()
            }),
        }
        if !settings.is_empty() {
            return Some(path);
        }
    }
    None
}

fn read_bytes(path: &Path, bytes: Vec<u8>, settings: &mut Settings) {
    match String::from_utf8(bytes) {
        Ok(text) => document::read_file(path, &text, settings),
        Err(cause) => {
            let valid = cause.utf8_error().valid_up_to();
            let before = cause.as_bytes().get(..valid).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            settings.errors.push(ConfigError {
                origin: ValueOrigin::File {
                    path: path.to_owned(),
                    line,
                    column: 1,
                },
                problem: "not valid TOML: the file is not UTF-8".to_owned(),
                ..ConfigError::default()
            });
        }
    }
}

/// The data folder according to flags, environment and default. A file that names another one has
/// already been found.
fn data_folder(sources: &ConfigSources) -> PathBuf {
    let variable = OsString::from(variable_name("data.dir"));
    let from_environment = || {
        let environment = &sources.environment;
        let found = environment.iter().find(|(name, _)| *name == variable);
        found.map(|(_, value)| PathBuf::from(value))
    };
    let flag = sources.overrides.data.clone();
    flag.or_else(from_environment)
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or_else(|| place::data_folder(&sources.directory, &sources.environment))
}

/// `CITATION_SECTION__KEY`. Other variables with this prefix are ignored, unless they differ from a
/// key only in the number of underscores.
fn read_variable(name: &OsStr, value: &OsStr, settings: &mut Settings) {
    let Some(name) = name.to_str() else {
        return;
    };
    let Some(spelt) = name.strip_prefix("CITATION_") else {
        return;
    };
    let origin = ValueOrigin::Environment {
        variable: name.to_owned(),
    };
    let path = spelt.to_lowercase().replace("__", ".");
    if !path.contains('.') {
        let joined = |key: &String| key.replace('.', "_") == path;
        if let Some(key) = registry::paths().find(joined) {
            settings.errors.push(ConfigError {
                nearest: Some(key),
                hint: Some("Section and key are separated by two underscores.".to_owned()),
                ..unknown_key(&path, origin)
            });
        }
        return;
    }
    let Some(text) = value.to_str() else {
        settings.errors.push(ConfigError {
            origin,
            key: Some(path),
            problem: "is not UTF-8".to_owned(),
            ..ConfigError::default()
        });
        return;
    };
    match registry::find(&path).map(|key| key.rule) {
        Some(Rule::Tables(..)) => document::read_value(&path, text, &origin, settings),
        Some(rule) => settings.set(&path, rule.read(text), origin),
        None => settings.errors.push(unknown_key(&path, origin)),
    }
}

fn read_flags(overrides: &ConfigOverrides, settings: &mut Settings) {
    if let Some(data) = &overrides.data {
        set_flag("--data", "data.dir", data.to_str(), settings);
    }
    if let Some(listen) = &overrides.listen {
        set_flag("--listen", "server.listen", Some(listen), settings);
    }
    if overrides.read_only {
        let flag = "--read-only";
        settings.set(
            "data.read_only",
            Value::Boolean(true),
            ValueOrigin::Flag { flag },
        );
    }
}

fn set_flag(flag: &'static str, key: &str, text: Option<&str>, settings: &mut Settings) {
    let origin = ValueOrigin::Flag { flag };
    match text {
        Some(text) => settings.set(key, Value::String(text.to_owned()), origin),
        None => settings.errors.push(ConfigError {
            origin,
            key: Some(key.to_owned()),
            problem: "is not UTF-8".to_owned(),
            ..ConfigError::default()
        }),
    }
}
