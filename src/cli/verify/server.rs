//! `citation verify --server`: the files are checked by a server, as one job.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::jobs::{next_after, print_job};
use super::super::remote::Remote;
use super::super::{Failure, Outcome, Status, terminal};
use crate::config::BaseUrl;

/// How often the job is asked for.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// The largest companion that is sent along, in bytes.
const MAX_COMPANION: u64 = 16 << 20;

#[derive(Debug, Args)]
pub struct ServerCheck {
    /// Let this server check the files, as one job of an account; prints a line for each reference
    #[arg(long, value_name = "URL", conflicts_with_all = ["fix", "report", "output", "to", "strictness", "checkpoint"])]
    server: Option<BaseUrl>,
    /// With --server: a file with an API key of the account (default: the variable CITATION_API_KEY)
    #[arg(long, requires = "server", value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl ServerCheck {
    /// The server, if one is given.
    pub fn remote(&self) -> Result<Option<Remote>, Failure> {
        let server = self.server.as_ref();
        server
            .map(|server| Remote::open(server, self.key_file.as_ref()))
            .transpose()
    }
}

/// Sends the files as an archive, and prints results as they come. Exits with 1 if a reference is not verified, or a
/// file could not be read.
pub fn verify(remote: &Remote, files: &[PathBuf], local_only: bool, as_json: bool) -> Outcome {
    let path = if local_only {
        "/jobs/verify?local_only=true"
    } else {
        "/jobs/verify"
    };
    let sent = remote.post(path, "application/zip", archive(files)?)?;
    let job = sent.checked()?.json()?;
    let id = job.get("id").and_then(Value::as_str).unwrap_or_default();
    tell!("job {id}");
    let path = format!("/jobs/{id}");
    let mut status = Status::Done;
    let mut after = 0;
    loop {
        let job = remote.get(&path)?.checked()?.json()?;
        let has_ended = !job.get("ended_at").is_none_or(Value::is_null);
        loop {
            let page = remote.get(&format!("{path}/results?limit=1000&after={after}"))?;
            let page = page.checked()?.json()?;
            let results = page.get("results").and_then(Value::as_array);
            let results = results.map(Vec::as_slice).unwrap_or_default();
            if results.is_empty() {
                break;
            }
            for line in results {
                if !print_result(line, as_json) {
                    status = Status::Negative;
                }
            }
            after = next_after(&page);
        }
        if has_ended {
            if !as_json {
                print_job(&job, false);
            }
            let is_done = job.get("state").and_then(Value::as_str) == Some("done");
            return Ok(if is_done { status } else { Status::Negative });
        }
        std::thread::sleep(ASK_AGAIN);
    }
}

/// Prints a result. Returns whether it is fine.
fn print_result(line: &Value, as_json: bool) -> bool {
    if as_json {
        terminal::print_json(line);
    }
    let file = line.get("file").and_then(Value::as_str).unwrap_or_default();
    let text = |value: &Value, name: &str| {
        let text = value.get(name).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    if let Some(error) = line.get("error") {
        if !as_json {
            terminal::print_line(&format!("unreadable  {file}: {}", text(error, "message")));
        }
        return false;
    }
    let Some(result) = line.get("result") else {
        return true;
    };
    let verdict = text(result, "verdict");
    if !as_json {
        let shown = match text(result, "text") {
            shown if shown.is_empty() => {
                let input = result.get("input").cloned().unwrap_or_default();
                text(&input, "title")
            }
            shown => shown,
        };
        terminal::print_line(&format!("{verdict}  {file}: {shown}"));
    }
    verdict == "verified"
}

/// The files, each in a folder of its own with the bibliographies beside it.
fn archive(files: &[PathBuf]) -> Result<Vec<u8>, Failure> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: String, content: &[u8]| -> Result<(), Failure> {
        writer.start_file(name, SimpleFileOptions::default())?;
        writer.write_all(content)?;
        Ok(())
    };
    for (number, file) in files.iter().enumerate() {
        if file == Path::new("-") {
            let mut content = Vec::new();
            std::io::stdin().lock().read_to_end(&mut content)?;
            add(format!("{number}/standard-input.txt"), &content)?;
            continue;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let content = std::fs::read(file)
            .map_err(|cause| Failure::of_file(&file.to_string_lossy(), &cause))?;
        add(format!("{number}/{name}"), &content)?;
        for beside in neighbouring_bibliographies(file) {
            let name = beside.file_name().unwrap_or_default().to_string_lossy();
            if let Ok(content) = std::fs::read(&beside) {
                add(format!("{number}/{name}"), &content)?;
            }
        }
    }
    Ok(writer.finish()?.into_inner())
}

/// What a manuscript may name: bibliographies and decisions in its folder.
fn neighbouring_bibliographies(file: &Path) -> Vec<PathBuf> {
    const ENDINGS: [&str; 5] = ["bib", "bbl", "yaml", "yml", "toml"];
    let is_bibliography = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| ENDINGS.contains(&extension))
    };
    if is_bibliography(file) {
        return Vec::new();
    }
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let found = entries.into_iter().flatten().flatten();
    let fits = |path: &PathBuf| {
        let size = std::fs::metadata(path).map(|metadata| metadata.len());
        path != file && is_bibliography(path) && size.is_ok_and(|size| size <= MAX_COMPANION)
    };
    let mut found: Vec<PathBuf> = found.map(|entry| entry.path()).filter(fits).collect();
    found.sort();
    found
}
