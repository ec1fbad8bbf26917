//! What a report says about its run, so that it can be repeated: inputs, program, corpus, settings.

use citation_model::hex::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::cli::Failure;
use crate::clock;

/// The facts of one run.
#[derive(Clone, Debug, Serialize)]
pub struct RunFacts {
    /// Its name and version.
    pub program: &'static str,
    /// `2026-11-28T04:00:00Z`.
    pub checked_at: String,
    /// Whether only the corpus was asked.
    pub local_only: bool,
    /// `strict`, `normal` or `lenient`.
    pub strictness: &'static str,
    /// Number of verdicts that an earlier, interrupted run has left.
    pub from_checkpoint: usize,
    pub inputs: Vec<InputFacts>,
    pub corpus: CorpusFacts,
}

/// One input file.
#[derive(Clone, Debug, Serialize)]
pub struct InputFacts {
    pub file: String,
    pub bytes: usize,
    /// In hexadecimal digits.
    pub sha256: String,
}

/// The works that could be found without a provider.
#[derive(Clone, Debug, Serialize)]
pub struct CorpusFacts {
    pub works: u64,
    /// Number of works by source.
    pub sources: std::collections::BTreeMap<String, u64>,
}

impl InputFacts {
    pub fn of(file: &str, content: &[u8]) -> InputFacts {
        InputFacts {
            file: file.to_owned(),
            bytes: content.len(),
            sha256: sha256(content),
        }
    }
}

impl RunFacts {
    pub fn of(app: &App, local_only: bool, inputs: Vec<InputFacts>) -> Result<RunFacts, Failure> {
        let stats = { app.corpus.stats() }
            .map_err(|cause| Failure(format!("the corpus cannot be read: {cause}")))?;
        Ok(RunFacts {
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
            checked_at: clock::iso8601(clock::unix_now()),
            local_only,
            strictness: app.config.lookup.strictness.as_str(),
            from_checkpoint: 0,
            inputs,
            corpus: CorpusFacts {
                works: stats.works,
                sources: stats.by_source,
            },
        })
    }
}

/// The SHA-256 of a file in hexadecimal digits.
pub fn sha256(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}
