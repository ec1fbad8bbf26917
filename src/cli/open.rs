//! What most commands begin with: the configuration, the corpus, the whole program.

use std::sync::Arc;

use super::{Failure, Global};
use crate::app::{self, App};
use crate::config::{Config, Overrides};
use crate::corpus::Corpus;
use crate::styles::Styles;

/// What the command line says of the configuration.
pub fn overrides(global: &Global) -> Overrides {
    Overrides {
        config: global.config.clone(),
        data: global.data.clone(),
        listen: None,
    }
}

/// The configuration, or all its faults, one a line.
pub fn config(overrides: Overrides) -> Result<Config, Failure> {
    Config::load(overrides).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure(lines.join("\n"))
    })
}

/// The corpus alone, with the starter corpus in it.
pub fn corpus(config: &Config) -> Result<Corpus, Failure> {
    let store = app::open_store(config)?;
    let corpus = Corpus::open(store);
    app::load_starter(config, &corpus)?;
    Ok(corpus)
}

/// Everything.
pub fn app(config: Config) -> Result<Arc<App>, Failure> {
    Ok(App::open(config)?)
}

/// The styles alone.
pub fn styles(config: &Config) -> Result<Styles, Failure> {
    let store = app::open_store(config)?;
    let cache = config.format.style_cache_bytes as usize;
    Ok(Styles::new(store, config.styles_dirs(), cache))
}
