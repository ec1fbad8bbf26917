//! Sources that give one list in parts: OAI-PMH, and what Crossref, OpenAlex and DataCite changed since a day.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Deadline, Harvest, HarvestError, HarvestKind, HarvestSummary, PART_TIME, Repository};
use crate::corpus::ingest::RecordFormat;
use crate::store::StoreError;
use citation_model::identifier::percent_encode;
use citation_records::{RecordError, continuation, oai};

/// Reads every part from where the last round, or this one before it was interrupted, has ended.
pub(super) fn all(
    harvest: &Harvest<'_>,
    now: i64,
    stop: &AtomicBool,
    summary: &mut HarvestSummary,
    progress: &mut dyn FnMut(&HarvestSummary),
) -> Result<(), HarvestError> {
    let repository = Repository::new(harvest.settings);
    let mut token = harvest.fact("token")?;
    if token.is_empty() {
        harvest.begin(now)?;
    }
    loop {
        if stop.load(Ordering::Relaxed) {
            summary.stopped = true;
            return Ok(());
        }
        let query = query(harvest, &token)?;
        let answer = repository.ask(&query, &Deadline::of(PART_TIME))?;
        let answer = answer.ok_or(HarvestError::NotThere)?;
        if harvest.settings.kind == HarvestKind::Oai {
            match oai::error(&answer) {
                Some((code, _)) if code == "noRecordsMatch" => break,
                // It has forgotten the list: the round starts again.
                Some((code, _)) if code == "badResumptionToken" && !token.is_empty() => {
                    token.clear();
                    harvest.begin(now)?;
                    continue;
                }
                Some((code, text)) => return Err(HarvestError::Refused { code, text }),
                None => {}
            }
        }
        let next = next_token(harvest.settings.kind, &answer)?.unwrap_or_default();
        // The last part of some lists is empty, which is no file of records.
        if !next.is_empty() || harvest.settings.kind == HarvestKind::Oai || has_records(&answer) {
            let path = harvest.temporary("part")?;
            std::fs::write(&path, &answer)?;
            let format = format(harvest.settings.kind);
            summary.add(&harvest.ingest_fetched(&path, format)?);
            progress(summary);
        }
        // Crossref repeats its cursor: the service knows how far the list was read.
        let repeats = harvest.settings.kind != HarvestKind::Crossref && next == token;
        if !next.is_empty() && repeats {
            return Err(HarvestError::Endless);
        }
        token = next;
        harvest.set_fact("token", &token)?;
        if token.is_empty() {
            break;
        }
    }
    Ok(harvest.end()?)
}

fn format(kind: HarvestKind) -> Option<RecordFormat> {
    match kind {
        HarvestKind::Oai => Some(RecordFormat::Oai),
        HarvestKind::Crossref => Some(RecordFormat::Crossref),
        HarvestKind::Openalex => Some(RecordFormat::Openalex),
        HarvestKind::Datacite => Some(RecordFormat::Datacite),
        HarvestKind::List | HarvestKind::Folder => None,
    }
}

/// Whether a list in JSON has an element.
fn has_records(answer: &[u8]) -> bool {
    let start = citation_records::json_scan::find_array(answer);
    let rest = start
        .and_then(|start| answer.get(start..))
        .unwrap_or_default();
    rest.trim_ascii_start().starts_with(b"{")
}

fn next_token(kind: HarvestKind, answer: &[u8]) -> Result<Option<String>, RecordError> {
    match kind {
        HarvestKind::Crossref => continuation::crossref(answer),
        HarvestKind::Openalex => continuation::openalex(answer),
        HarvestKind::Datacite => continuation::datacite(answer),
        _ => oai::resumption_token(answer),
    }
}

/// The path and query of the first part, or of the one that a token names.
fn query(harvest: &Harvest<'_>, token: &str) -> Result<String, StoreError> {
    let settings = harvest.settings;
    let mut from = harvest.fact("from")?;
    if from.is_empty() {
        from.clone_from(&settings.since);
    }
    let cursor = percent_encode(if token.is_empty() { "*" } else { token });
    let filter = |name: &str| match from.as_str() {
        "" => String::new(),
        from => format!("filter={name}:{from}&"),
    };
    Ok(match settings.kind {
        HarvestKind::Crossref => {
            format!(
                "/works?{}rows=1000&cursor={cursor}",
                filter("from-index-date")
            )
        }
        HarvestKind::Openalex => {
            format!(
                "/works?{}per-page=200&cursor={cursor}",
                filter("from_updated_date")
            )
        }
        HarvestKind::Datacite if !token.is_empty() => format!("/dois?{token}"),
        HarvestKind::Datacite => {
            let changed = match from.as_str() {
                "" => String::new(),
                from => format!(
                    "query={}&",
                    percent_encode(&format!("updated:[{from} TO *]"))
                ),
            };
            format!("/dois?{changed}page%5Bsize%5D=1000&page%5Bcursor%5D=1")
        }
        _ if !token.is_empty() => {
            format!(
                "?verb=ListRecords&resumptionToken={}",
                percent_encode(token)
            )
        }
        _ => {
            let prefix = percent_encode(&settings.prefix);
            let mut query = format!("?verb=ListRecords&metadataPrefix={prefix}");
            for (name, value) in [("set", &settings.set), ("from", &from)] {
                if !value.is_empty() {
                    query.push_str(&format!("&{name}={}", percent_encode(value)));
                }
            }
            query
        }
    })
}
