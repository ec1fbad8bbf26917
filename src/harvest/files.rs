//! Files of records: those that a list in the form of a sitemap names, and those of a folder.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use url::Url;

use super::{Deadline, Harvest, HarvestError, HarvestSummary, PART_TIME, Repository};
use crate::provider::download;
use crate::store::codec::Fingerprint;
use citation_records::resource_list::{self, ListedFile};

/// Maximum number of lists that a list names, over all levels.
const MAX_LISTS: usize = 10_000;

/// Maximum size of one file in bytes.
const MAX_BYTES: u64 = 1 << 38;

/// Reads the files that are new or have changed. A file that a list has deleted is left alone: nobody knows
/// its records any more.
pub(super) fn listed(
    harvest: &Harvest<'_>,
    stop: &AtomicBool,
    summary: &mut HarvestSummary,
    progress: &mut dyn FnMut(&HarvestSummary),
) -> Result<(), HarvestError> {
    let repository = Repository::new(harvest.settings);
    let first = harvest.settings.url.as_str();
    let origin = Url::parse(first).map_err(|_| elsewhere(first))?.origin();
    let own = |url: &str| match Url::parse(url) {
        Ok(parsed) if parsed.origin() == origin => Ok(parsed),
        _ => Err(elsewhere(url)),
    };
    let mut lists = vec![first.to_owned()];
    let mut read = 0;
    let mut failed = None;
    while let Some(list) = lists.pop() {
        let answer = repository.fetch(&own(&list)?, &Deadline::of(PART_TIME))?;
        let found = resource_list::read(&answer.ok_or(HarvestError::NotThere)?)?;
        read += 1;
        lists.extend(found.lists);
        if read + lists.len() > MAX_LISTS {
            return Err(HarvestError::TooManyLists { limit: MAX_LISTS });
        }
        for file in found.files.iter().filter(|file| !file.is_deleted) {
            if stop.load(Ordering::Relaxed) {
                summary.stopped = true;
                return Ok(());
            }
            let key = format!(
                "file.{:x}",
                Fingerprint::default().with(file.url.as_bytes()).value()
            );
            if !file.state.is_empty() && harvest.fact(&key)? == file.state {
                continue;
            }
            // One bad file does not hold up those behind it.
            match fetch(harvest, &own(&file.url)?, file, summary) {
                Ok(()) => harvest.set_fact(&key, &file.state)?,
                Err(error @ (HarvestError::Corpus(_) | HarvestError::Store(_))) => {
                    return Err(error);
                }
                Err(error) => failed = failed.or(Some(error)),
            }
            progress(summary);
        }
    }
    failed.map_or(Ok(()), Err)
}

fn elsewhere(file: &str) -> HarvestError {
    HarvestError::Elsewhere {
        file: file.chars().take(200).collect(),
    }
}

fn fetch(
    harvest: &Harvest<'_>,
    url: &Url,
    file: &ListedFile,
    summary: &mut HarvestSummary,
) -> Result<(), HarvestError> {
    // Its name helps to tell the format.
    let name = url.path().rsplit('/').next().unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = name.chars().filter(is_plain).take(100).collect();
    let path = harvest.temporary(&name)?;
    let mut target = File::create(&path)?;
    let fetched = download::to_writer(&file.url, &mut target, MAX_BYTES, &mut |_| {});
    drop(target);
    if let Err(error) = fetched {
        let _ = std::fs::remove_file(&path);
        return Err(error.into());
    }
    summary.add(&harvest.ingest_fetched(&path, None)?);
    Ok(())
}

/// Reads the files of a folder and its folders that are new or have changed since they were read.
pub(super) fn folder(
    harvest: &Harvest<'_>,
    stop: &AtomicBool,
    summary: &mut HarvestSummary,
    progress: &mut dyn FnMut(&HarvestSummary),
) -> Result<(), HarvestError> {
    let path = PathBuf::from(&harvest.settings.path);
    if !path.is_dir() {
        return Err(HarvestError::NotThere);
    }
    let read = harvest.ingest(&[path], None, false, stop)?;
    summary.add(&read);
    summary.stopped = read.stopped;
    progress(summary);
    if read.is_complete() || read.stopped {
        Ok(())
    } else {
        Err(HarvestError::Incomplete)
    }
}
