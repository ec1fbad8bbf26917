//! `citation identify`: lines in, the identifier that each one is out, as JSON lines.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

use super::{Outcome, Status};
use crate::model::identifier::{Doi, Identifier, IdentifierError, Isbn};

/// Reads standard input to its end. Ends with 1 when a line was no identifier.
pub fn run() -> Outcome {
    let input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut status = Status::Done;
    for line in input.split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches('\r');
        if line.trim().is_empty() {
            continue;
        }
        let answer = identify(line);
        if answer["kind"].is_null() {
            status = Status::Negative;
        }
        writeln!(output, "{answer}")?;
    }
    output.flush()?;
    Ok(status)
}

/// `{input, kind, canonical}`; kind and canonical are null where the line is no identifier, and
/// `problem` and perhaps `suggestion` say why.
fn identify(line: &str) -> Value {
    if let Some(identifier) = Identifier::parse(line) {
        return json!({"input": line, "kind": identifier.kind(), "canonical": identifier.as_str()});
    }
    let mut answer = json!({"input": line, "kind": null, "canonical": null});
    let fault = match Isbn::parse(line) {
        Err(fault @ IdentifierError::CheckDigit { .. }) => Some(fault),
        _ if line.contains("10.") => Doi::parse(line).err(),
        _ => None,
    };
    match fault {
        Some(fault) => {
            answer["problem"] = fault.to_string().into();
            if let IdentifierError::CheckDigit { suggestion, .. } = fault {
                answer["suggestion"] = suggestion.into();
            }
        }
        None => answer["problem"] = "this is no identifier that is known here".into(),
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_named_or_explained() {
        assert_eq!(identify("doi:10.1000/X")["canonical"], "10.1000/x");
        assert_eq!(identify("0743273568")["suggestion"], "0743273567");
        assert!(identify("hello")["kind"].is_null());
    }
}
