//! Opens the configuration, the corpus and the whole application for commands.

use std::sync::Arc;

use super::{Failure, Global};
use crate::app::{self, App};
use crate::clock::Clock;
use crate::config::{Config, ConfigOverrides};
use crate::corpus::Corpus;
use crate::store::{self, Store};
use crate::styles::Styles;

/// The configuration values set by flags.
pub fn overrides(global: &Global) -> ConfigOverrides {
    ConfigOverrides {
        config: global.config.clone(),
        data: global.data.clone(),
        ..ConfigOverrides::default()
    }
}

/// The configuration, or all its errors, one per line.
pub fn config(overrides: ConfigOverrides) -> Result<Config, Failure> {
    Config::load(overrides).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure(lines.join("\n"))
    })
}

/// Creates the data folder if missing.
pub fn init(config: &Config) -> Result<(), Failure> {
    app::open_store(config)?;
    Ok(())
}

/// Refuses a data folder without a database.
fn require(config: &Config) -> Result<(), Failure> {
    let directory = &config.data.dir;
    if store::is_in(directory)? {
        Ok(())
    } else {
        Err(Failure(format!(
            "no database in {}; --data names another folder. `citation serve` and \
         `citation ingest` make one, and so does this command with --init",
            directory.display()
        )))
    }
}

/// The database of an existing data folder.
pub fn store(config: &Config) -> Result<Arc<Store>, Failure> {
    require(config)?;
    Ok(app::open_store(config)?)
}

/// Only the corpus, with the starter corpus loaded.
pub fn corpus(config: &Config) -> Result<Corpus, Failure> {
    let corpus = Corpus::open(store(config)?);
    app::load_starter(config, &corpus)?;
    Ok(corpus)
}

/// The whole application.
pub fn app(config: Config) -> Result<Arc<App>, Failure> {
    require(&config)?;
    Ok(App::open(config)?)
}

/// The built-in styles, those of the folders, and those of the database if it exists and can be
/// opened.
pub fn styles(config: &Config) -> Styles {
    let is_there = store::is_in(&config.data.dir);
    let opened = is_there.and_then(|there| there.then(|| app::open_store(config)).transpose());
    let store = opened.unwrap_or_else(|cause| {
        tell!("citation: installed styles are not available: {cause}");
        None
    });
    Styles::new(
        store,
        config.styles_dirs(),
        config.format.style_cache_bytes as usize,
        Clock::system(),
    )
}

/// The styles of an existing database, to change them.
pub fn stored_styles(config: &Config) -> Result<Styles, Failure> {
    let cache = config.format.style_cache_bytes as usize;
    Ok(Styles::new(
        Some(store(config)?),
        config.styles_dirs(),
        cache,
        Clock::system(),
    ))
}
