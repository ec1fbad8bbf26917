//! The checkpoint of a run of `citation verify`: each verdict in a file as it comes, so that an interrupted run goes
//! on where it ended.
//!
//! The file has one JSON object a line: the settings of the run, and then verdicts by the key of their reference. A
//! last line that is cut short is dropped.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use citation_model::hex::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::read::ReferenceJob;
use super::reported::ReportedReference;
use crate::cli::Failure;
use crate::lookup::overrides::Override;

/// The longest line of a file, in bytes. A verdict has a few thousand.
const MAX_LINE: u64 = 16 << 20;

/// What decides a verdict besides the reference and the sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointSettings {
    pub program: String,
    pub local_only: bool,
    pub strictness: String,
}

/// The file of a run, open for as long as the run lasts.
pub struct Checkpoint {
    path: PathBuf,
    /// Where each verdict is in the file: offset and length in bytes.
    places: HashMap<String, (u64, usize)>,
    file: Mutex<File>,
}

#[derive(Serialize, Deserialize)]
struct CheckpointLine {
    key: String,
    reported: ReportedReference,
}

/// The key of a line, without reading the rest.
#[derive(Deserialize)]
struct CheckpointKey {
    key: String,
}

/// Names a reference of a run: by its place, all that is compared, and what a person has decided about it. Holds
/// within one version of the program.
pub fn reference_key(job: &ReferenceJob, decision: Option<&Override>) -> String {
    let hash = Sha256::digest(format!("{job:?}\n{decision:?}"));
    hex(hash.iter().take(16))
}

impl Checkpoint {
    /// Opens a file, or makes it. A file of other settings, or that another run is using, is an error.
    pub fn open(path: &Path, settings: &CheckpointSettings) -> Result<Checkpoint, Failure> {
        let fail = |cause: &dyn std::fmt::Display| Failure::of_file(&path.to_string_lossy(), cause);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(|cause| fail(&cause))?;
        if file.try_lock().is_err() {
            return Err(fail(&"another run is using this checkpoint"));
        }
        let (places, end) = places(&file, settings).map_err(|cause| fail(&cause))?;
        file.set_len(end).map_err(|cause| fail(&cause))?;
        if end == 0 {
            let line = serde_json::to_string(settings).map_err(|cause| fail(&cause))?;
            append(&mut file, &line).map_err(|cause| fail(&cause))?;
        }
        Ok(Checkpoint {
            path: path.to_owned(),
            places,
            file: Mutex::new(file),
        })
    }

    /// Whether an earlier run has left the verdict of a reference.
    pub fn has(&self, key: &str) -> bool {
        self.places.contains_key(key)
    }

    /// The verdict that an earlier run has left.
    pub fn taken(&self, key: &str) -> Result<Option<ReportedReference>, Failure> {
        let Some((offset, length)) = self.places.get(key) else {
            return Ok(None);
        };
        let mut line = vec![0; *length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(*offset))
            .and_then(|_| file.read_exact(&mut line))
            .map_err(|cause| self.failure(&cause))?;
        let line: CheckpointLine =
            serde_json::from_slice(&line).map_err(|cause| self.failure(&cause))?;
        Ok(Some(line.reported))
    }

    /// Appends a verdict, if the sources have answered; otherwise the next run asks them again.
    pub fn keep(&self, key: String, reported: &ReportedReference) -> Result<(), Failure> {
        if !reported.verdict.is_answer() {
            return Ok(());
        }
        let reported = reported.clone();
        let line = serde_json::to_string(&CheckpointLine { key, reported });
        let line = line.map_err(|cause| self.failure(&cause))?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        append(&mut file, &line).map_err(|cause| self.failure(&cause))
    }

    fn failure(&self, cause: &dyn std::fmt::Display) -> Failure {
        Failure::of_file(&self.path.to_string_lossy(), cause)
    }
}

/// Writes a whole line at once, so that a process that ends leaves at most the last one cut short.
fn append(file: &mut File, line: &str) -> std::io::Result<()> {
    file.seek(SeekFrom::End(0))?;
    file.write_all(format!("{line}\n").as_bytes())
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
enum CheckpointError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error(
        "line {0} is not of a checkpoint; name another file, or remove this one to check all references again"
    )]
    Line(usize),
    #[error(
        "the checkpoint is of a run with other settings ({}, {}, strictness {}); name another file, or remove this \
         one to check all references again",
        .0.program, if .0.local_only { "local only" } else { "with providers" }, .0.strictness
    )]
    Settings(CheckpointSettings),
}

type Places = HashMap<String, (u64, usize)>;

/// Where the verdicts of a file are, and where its last whole line ends.
fn places(file: &File, settings: &CheckpointSettings) -> Result<(Places, u64), CheckpointError> {
    let mut reader = BufReader::new(file);
    let mut places = Places::new();
    let mut offset = 0;
    for number in 1.. {
        let mut line = Vec::new();
        let length = { reader.by_ref().take(MAX_LINE) }.read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            let is_too_long = length as u64 == MAX_LINE;
            if is_too_long {
                return Err(CheckpointError::Line(number));
            }
            break;
        }
        if number == 1 {
            let own: CheckpointSettings =
                serde_json::from_slice(&line).map_err(|_| CheckpointError::Line(number))?;
            if own != *settings {
                return Err(CheckpointError::Settings(own));
            }
        } else {
            let own: CheckpointKey =
                serde_json::from_slice(&line).map_err(|_| CheckpointError::Line(number))?;
            places.insert(own.key, (offset, length));
        }
        offset += length as u64;
    }
    Ok((places, offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::position::FilePosition;
    use crate::lookup::verify::{Verdict, Verification, VerificationInput};

    fn settings() -> CheckpointSettings {
        CheckpointSettings {
            program: "citation 1".to_owned(),
            local_only: true,
            strictness: "normal".to_owned(),
        }
    }

    fn job(text: &str) -> ReferenceJob {
        ReferenceJob {
            position: FilePosition::line("refs.txt", 3),
            label: text.to_owned(),
            given: VerificationInput::text(text),
        }
    }

    fn reported(job: &ReferenceJob, verdict: Verdict) -> ReportedReference {
        ReportedReference::of(job, &Verification::of(verdict, "No such work."))
    }

    #[test]
    fn verdict_of_a_reference_is_taken_up_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let (job, other) = (job("Doe, J. On tides. 1999."), job("Roe, R. On ebb. 1999."));
        let (key, other_key) = (reference_key(&job, None), reference_key(&other, None));
        let first = Checkpoint::open(&path, &settings()).unwrap();
        let kept = reported(&job, Verdict::NotFound);
        first.keep(key.clone(), &kept).unwrap();
        first
            .keep(other_key.clone(), &reported(&other, Verdict::NotChecked))
            .unwrap();
        assert!(Checkpoint::open(&path, &settings()).is_err(), "in use");
        drop(first);
        // A run that ends inside a line.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"key\":\"00");
        std::fs::write(&path, text).unwrap();
        let second = Checkpoint::open(&path, &settings()).unwrap();
        let taken = second.taken(&key).unwrap().expect("a verdict");
        assert_eq!(
            (taken.verdict, taken.indexed(7), taken.html),
            (Verdict::NotFound, kept.indexed(7), kept.html)
        );
        assert!(!second.has(&other_key), "nothing was answered");
        second
            .keep(other_key.clone(), &reported(&other, Verdict::Verified))
            .unwrap();
        drop(second);
        let third = Checkpoint::open(&path, &settings()).unwrap();
        assert!(third.has(&key) && third.has(&other_key));
    }

    #[test]
    fn key_is_of_reference_place_and_decision() {
        let reference = job("Doe, J. On tides. 1999.");
        let key = reference_key(&reference, None);
        assert_ne!(key, reference_key(&job("Doe, J. On tides. 1998."), None));
        let mut moved = job("Doe, J. On tides. 1999.");
        moved.position = FilePosition::line("refs.txt", 4);
        assert_ne!(key, reference_key(&moved, None));
    }

    #[test]
    fn foreign_file_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let refused = |text: &str, expected: &str| {
            std::fs::write(&path, text).unwrap();
            let Err(Failure(said)) = Checkpoint::open(&path, &settings()) else {
                panic!("{text:?} was accepted");
            };
            assert!(said.contains(expected), "{said}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        };
        let header = serde_json::to_string(&settings()).unwrap();
        refused("@book{a, title={A}}\n", "line 1 is not of a checkpoint");
        refused(
            &format!("{header}\n{{}}\n"),
            "line 2 is not of a checkpoint",
        );
        refused(
            &format!("{}\n", header.replace("normal", "strict")),
            "other settings (citation 1, local only, strictness strict)",
        );
    }
}
