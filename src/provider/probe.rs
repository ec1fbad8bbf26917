//! Asks a provider for one well-known work, to see whether it answers.

use std::time::Duration;

use citation_model::identifier::Identifier;

use super::{Deadline, Provider, ProviderError};

/// The time-out for one provider.
const PROBE_TIME: Duration = Duration::from_secs(8);

/// The works that are asked for. A definite miss counts as an answer too.
const KNOWN_WORKS: [&str; 4] = [
    "10.1038/171737a0",
    "978-0-262-03384-8",
    "pmid:13054692",
    "arxiv:1706.03762",
];

/// Asks once; returns the milliseconds until the answer. `None` for a provider that resolves no identifier
/// of a well-known work.
pub fn probe(provider: &dyn Provider) -> Option<Result<u64, ProviderError>> {
    let mut works = KNOWN_WORKS
        .iter()
        .filter_map(|text| Identifier::parse(text).ok());
    let work = works.find(|work| provider.knows(work))?;
    let deadline = Deadline::of(PROBE_TIME);
    Some(match provider.find(&work, &deadline) {
        Ok(_) => Ok(deadline.elapsed_ms()),
        Err(cause) => Err(cause),
    })
}
