//! Reads every file of a folder as bibliography, provider record, web page and manuscript, and prints a
//! line of JSON for each item: `cargo run --example items -- FOLDER`. Compare the output before and after a
//! change of the readers.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use citation_documents as documents;
use citation_exchange::{self as exchange, Content, Hints};
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::work::Work;
use citation_records::{RecordError, crossref, datacite, doi_csl, openalex, pubmed, webpage};
use serde_json::{Value, json};

type Works = Vec<Result<Work, RecordError>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let mut out = std::io::stdout().lock();
    for path in files(Path::new(&folder))? {
        let name = path.strip_prefix(&folder)?.display().to_string();
        let bytes = content(&path)?;
        for line in items(&name, &bytes) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// The files of a folder and of the folders in it, sorted.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?)
        } else {
            found.push(path)
        }
    }
    found.sort();
    Ok(found)
}

/// The bytes of a file, decompressed.
fn content(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = std::fs::read(path)?;
    if path.extension().is_some_and(|ending| ending == "gz") {
        let packed = std::mem::take(&mut bytes);
        flate2::read::MultiGzDecoder::new(packed.as_slice()).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// A line for each item of a file, by every reader that accepts the file.
fn items(name: &str, bytes: &[u8]) -> Vec<Value> {
    let plain_name = name.trim_end_matches(".gz");
    let mut lines = bibliography(plain_name, bytes);
    lines.extend(records(plain_name, bytes).into_iter().map(|work| match work {
        Ok(work) => json!({"file": name, "by": "records", "item": item_json(&work.item), "updates": format!("{:?}", work.updates)}),
        Err(cause) => json!({"file": name, "by": "records", "rejected": cause.to_string()}),
    }));
    if plain_name.ends_with(".html") {
        lines.extend(page(name, bytes));
    }
    // A PDF takes as long as it likes; the service reads it in a process with limits.
    if !bytes.starts_with(b"%PDF") {
        lines.extend(manuscript(plain_name, bytes));
    }
    lines
}

fn bibliography(name: &str, bytes: &[u8]) -> Vec<Value> {
    let content = Content::new(bytes);
    let hints = Hints {
        file_name: Some(name),
        ..Hints::default()
    };
    let budget = Budget::unlimited();
    let Ok(Ok(Some(format))) = exchange::recognise(&content, hints, &budget) else {
        return Vec::new();
    };
    let Ok(reading) = exchange::read(&content, format, &budget) else {
        return Vec::new();
    };
    let problem = |problem: &exchange::Problem| json!({"file": name, "by": format.id, "line": problem.line, "code": problem.code});
    let item = |read: &exchange::ReadItem| json!({"file": name, "by": format.id, "line": read.line, "item": item_json(&read.item)});
    let problems = reading.problems.iter().map(problem);
    reading.items.iter().map(item).chain(problems).collect()
}

/// The works of a provider's answer or dump, by the source that a folder of its path names.
fn records(name: &str, bytes: &[u8]) -> Works {
    let is_of = |source: &str| name.split('/').any(|part| part == source);
    let lines = || {
        bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
    };
    if is_of("crossref") {
        return by(bytes, crossref::from_list, crossref::from_envelope)
            .unwrap_or_else(|| lines().map(crossref::from_slice).collect());
    }
    if is_of("datacite") {
        return by(bytes, datacite::from_list, datacite::from_envelope)
            .unwrap_or_else(|| lines().map(datacite::from_slice).collect());
    }
    if is_of("openalex") {
        return openalex::from_list(bytes)
            .unwrap_or_else(|_| lines().map(openalex::from_slice).collect());
    }
    if is_of("doi-csl") {
        return vec![doi_csl::from_slice(bytes)];
    }
    if is_of("pubmed") {
        return pubmed::from_set(bytes);
    }
    Vec::new()
}

/// The works of an answer with several records or one.
fn by(
    bytes: &[u8],
    list: fn(&[u8]) -> Result<Works, RecordError>,
    envelope: fn(&[u8]) -> Result<Work, RecordError>,
) -> Option<Works> {
    let whole = list(bytes).ok().filter(|works| !works.is_empty());
    whole.or_else(|| Some(vec![Ok(envelope(bytes).ok()?)]))
}

fn page(name: &str, bytes: &[u8]) -> Option<Value> {
    let page = webpage::read(bytes, None, None, &Budget::unlimited()).ok()?;
    Some(json!({"file": name, "by": "webpage", "item": item_json(&page.item)}))
}

/// The works that a manuscript embeds.
fn manuscript(name: &str, bytes: &[u8]) -> Vec<Value> {
    let beside = |_: &str| None;
    let Ok(document) = documents::read(name, bytes, &beside, &Budget::unlimited()) else {
        return Vec::new();
    };
    let listed = document.references.iter().chain(&document.uncited);
    let cited = document
        .citations
        .iter()
        .flat_map(|citation| &citation.items);
    { listed.filter_map(|reference| reference.item.as_ref()) }
        .chain(cited.filter_map(|cited| cited.item.as_ref()))
        .map(|item| json!({"file": name, "by": "documents", "item": item_json(item)}))
        .collect()
}

fn item_json(item: &Item) -> Value {
    serde_json::to_value(item).unwrap_or_default()
}
