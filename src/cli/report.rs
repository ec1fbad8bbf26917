//! `citation report`: keys for signed reports of verifications, and the check of a signature.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::Value;

use super::signature::{SigningKey, path_of, signer};
use super::verify::facts::sha256;
use super::{Failure, Outcome, Status};

#[derive(Debug, Subcommand)]
pub enum ReportCommand {
    /// Write a new private key for `citation verify --sign`, and print its public key
    #[command(after_help = "\
Examples:
  citation report key editor.pem")]
    Key {
        /// The file to write; it must not exist
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Check the signature of a report, and whether the files that it is about are unchanged
    #[command(after_help = "\
Examples:
  citation report key editor.pem
  citation verify paper.docx --report verification.json --sign editor.pem
  citation report check verification.json --key 5l2u…=")]
    Check {
        /// The report; its signature is in the file with .sig appended
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The public key that must have signed it, in base64
        #[arg(long, value_name = "KEY")]
        key: Option<String>,
    },
}

impl ReportCommand {
    /// A check exits with 1 if the signature is not valid, not of the wanted key, or an input has changed.
    pub fn run(&self) -> Outcome {
        match self {
            ReportCommand::Key { file } => write_key(file),
            ReportCommand::Check { file, key } => check(file, key.as_deref()),
        }
    }
}

fn write_key(file: &Path) -> Outcome {
    let fail = |cause: &dyn std::fmt::Display| Failure(format!("{}: {cause}", file.display()));
    let text = SigningKey::generate()?;
    let key = SigningKey::parse(&text)?;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file);
    let written =
        written.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
    written.map_err(|cause| fail(&cause))?;
    say!("{}", key.public());
    Ok(Status::Done)
}

fn check(file: &Path, wanted: Option<&str>) -> Outcome {
    let read = |path: &Path| {
        std::fs::read(path).map_err(|cause| Failure(format!("{}: {cause}", path.display())))
    };
    let content = read(file)?;
    let signature = read(&path_of(file))?;
    let shown = file.display();
    let Some(key) = signer(&content, &String::from_utf8_lossy(&signature)) else {
        say!("{shown}: the signature is not valid");
        return Ok(Status::Negative);
    };
    if wanted.is_some_and(|wanted| wanted.trim() != key) {
        say!("{shown}: signed by another key: {key}");
        return Ok(Status::Negative);
    }
    say!("{shown}: signed by {key}");
    if check_inputs(file, &content) {
        Ok(Status::Done)
    } else {
        Ok(Status::Negative)
    }
}

/// Compares the inputs of a JSON report that are still there; returns whether none has changed.
fn check_inputs(report: &Path, content: &[u8]) -> bool {
    let report_value: Value = serde_json::from_slice(content).unwrap_or_default();
    let inputs = report_value
        .pointer("/run/inputs")
        .and_then(Value::as_array);
    let folder = report.parent().unwrap_or(Path::new(""));
    let mut is_unchanged = true;
    for input in inputs.into_iter().flatten() {
        let text = |name: &str| input.get(name).and_then(Value::as_str);
        let (Some(name), Some(hash)) = (text("file"), text("sha256")) else {
            continue;
        };
        let there = std::fs::read(name).or_else(|_| std::fs::read(folder.join(name)));
        let state = match there {
            Ok(content) if sha256(&content) == hash => "unchanged",
            Ok(_) => {
                is_unchanged = false;
                "changed since the check"
            }
            Err(_) => "not there to compare",
        };
        say!("{name}: {state}");
    }
    is_unchanged
}
