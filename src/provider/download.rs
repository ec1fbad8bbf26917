//! Downloading one file that the operator names, such as the public style collection.

use std::io::{Read, Write};
use std::time::Duration;

/// Why a file could not be downloaded.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    #[error("cannot fetch {url}: {reason}")]
    Unreachable { url: String, reason: String },
    #[error("{url} answered with status {status}")]
    Refused { url: String, status: u16 },
    #[error("{url} sends more than {limit} bytes")]
    TooLarge { url: String, limit: u64 },
    #[error("cannot write the download: {0}")]
    Io(#[from] std::io::Error),
}

/// The time-out of the whole download.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Fetches `url` into `target`, at most `limit` bytes, and returns the number of bytes. `progress`
/// is called with the number so far.
pub fn to_writer(
    url: &str,
    target: &mut dyn Write,
    limit: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, DownloadError> {
    let unreachable = |reason: String| DownloadError::Unreachable {
        url: url.to_owned(),
        reason,
    };
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .http_status_as_error(false)
        .user_agent(concat!("citation/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    let reply = agent
        .get(url)
        .call()
        .map_err(|cause| unreachable(cause.to_string()))?;
    if !reply.status().is_success() {
        return Err(DownloadError::Refused {
            url: url.to_owned(),
            status: reply.status().as_u16(),
        });
    }
    let mut reader = reply.into_body().into_reader();
    let mut chunk = vec![0; 64 << 10];
    let mut total = 0;
    loop {
        let read = reader
            .read(&mut chunk)
            .map_err(|cause| unreachable(cause.to_string()))?;
        if read == 0 {
            return Ok(total);
        }
        total += read as u64;
        if total > limit {
            return Err(DownloadError::TooLarge {
                url: url.to_owned(),
                limit,
            });
        }
        target.write_all(chunk.get(..read).unwrap_or_default())?;
        progress(total);
    }
}
