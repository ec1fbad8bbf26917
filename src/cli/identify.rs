//! `citation identify`: prints the identifiers in lines of text, as JSON lines.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::io;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::terminal::JsonLines;
use super::{Outcome, Status, input};
use citation_model::identifier::{Doi, Identifier, IdentifierError, input::Input};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  echo 10.1038/171737a0 | citation identify
  citation identify ids.txt")]
pub struct IdentifyCommand {
    /// Files with identifiers, one or several per line (default, and for `-`: standard input)
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl IdentifyCommand {
    /// Exits with 1 if a line contains no identifier.
    pub fn run(&self) -> Outcome {
        let mut output = JsonLines(io::BufWriter::new(io::stdout().lock()));
        let mut status = Status::Done;
        for file in input::or_standard_input(&self.files)? {
            for line in input::lines(&file)? {
                for answer in identify(&line?) {
                    if answer["kind"].is_null() {
                        status = Status::Negative;
                    }
                    output.write(&answer)?;
                }
            }
        }
        output.flush()?;
        Ok(status)
    }
}

/// `{input, kind, canonical}` for each identifier of the line.
fn identify(line: &str) -> Vec<Value> {
    let one = |input: Input| match input {
        Input::Identifier(identifier) => named(line, &identifier),
        other => read(line, &other.to_string()),
    };
    match Input::parse(line) {
        Input::Several(inputs) => inputs.into_iter().map(one).collect(),
        _ => vec![read(line, line)],
    }
}

fn named(line: &str, identifier: &Identifier) -> Value {
    json!({"input": line, "kind": identifier.kind(), "canonical": identifier.as_str()})
}

/// Kind and canonical form are null if a text is not an identifier; `problem` and optionally
/// `suggestion` explain it.
fn read(line: &str, text: &str) -> Value {
    let fault = match Identifier::parse(text) {
        Ok(identifier) => return named(line, &identifier),
        Err(IdentifierError::Shape { .. }) if text.contains("10.") => Doi::parse(text).err(),
        Err(fault) => Some(fault),
    };
    let problem = fault.as_ref().map_or_else(
        || "the text contains more than an identifier".to_owned(),
        IdentifierError::to_string,
    );
    let mut answer = json!({"input": line, "kind": null, "canonical": null, "problem": problem});
    if let Some(IdentifierError::CheckDigit { suggestion, .. }) = fault {
        answer["suggestion"] = suggestion.into();
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_identified_or_explained() {
        assert_eq!(identify("doi:10.1000/X")[0]["canonical"], "10.1000/x");
        assert_eq!(identify("0743273568")[0]["suggestion"], "0743273567");
        assert!(identify("hello")[0]["kind"].is_null());
    }

    #[test]
    fn identifiers_in_a_line_are_all_reported() {
        let named = identify("10.1000/a, PMID: 23903748");
        assert_eq!(named[0]["canonical"], "10.1000/a");
        assert_eq!(named[1]["kind"], "pmid");
        let named = identify("OCLC: 297222669; PMID: 7");
        assert_eq!(named[0]["kind"], "oclc");
        assert_eq!(named[1]["canonical"], "7");
    }
}
