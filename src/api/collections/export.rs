//! Collections as files: `GET /api/v1/collections/{id}/export.{format}`.

use std::fmt::Write;

use super::transaction::{read, uid, versioned};
use crate::api::call::Call;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::Operation;
use crate::api::reply::Reply;
use crate::exchange::{self, Format, WriteOptions};
use crate::model::item::Item;
use crate::store::collections::CollectionRow;

/// A file that a collection can be had as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    format: Format,
    latex: bool,
}

impl Wanted {
    /// Reads the end of the path and `?encoding=latex`.
    pub fn of(call: &Call) -> Result<Wanted, ApiError> {
        let format = match call.param("format") {
            "bib" => Format::Bibtex,
            "biblatex.bib" => Format::Biblatex,
            "ris" => Format::Ris,
            "json" => Format::CslJson,
            other => {
                let other: String = other.chars().take(40).collect();
                let message = format!(
                    "There is no export.{other}; there are export.bib, export.biblatex.bib, export.ris and export.json."
                );
                return Err(ApiError::not_found("route", message));
            }
        };
        let latex = match call.query.get("encoding") {
            None | Some("utf-8" | "utf8" | "unicode") => false,
            Some("latex") => true,
            Some(other) => {
                let message = format!("encoding is latex or utf-8, not “{other}”.");
                return Err(ApiError::invalid_parameter("encoding", message));
            }
        };
        Ok(Wanted { format, latex })
    }
}

/// `GET /api/v1/collections/{id}/export.{format}`.
pub fn export(call: &Call) -> Result<Reply, ApiError> {
    let wanted = Wanted::of(call)?;
    let collection = uid(call, "id");
    let (row, items) = read(call, |reading| {
        let row = reading.collection(&collection)?;
        let items = reading.items(&row)?;
        Ok((row, items))
    })?;
    Ok(versioned(file(&row, &items, wanted), &row))
}

/// A collection as a file.
pub fn file(row: &CollectionRow, items: &[Item], wanted: Wanted) -> Reply {
    let options = WriteOptions {
        latex: wanted.latex,
        ..WriteOptions::default()
    };
    let text = exchange::write(items, wanted.format, &options);
    Reply::bytes(wanted.format.media_type(), text).with_header(
        "content-disposition",
        disposition(&row.name, wanted.format.extension()),
    )
}

/// Says that a reply is a file of the collection's name (RFC 6266): in ASCII for old clients, and in
/// full.
fn disposition(name: &str, extension: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_control() || "/\\:*?\"<>|".contains(c) {
                '-'
            } else {
                c
            }
        })
        .collect();
    let name = name.trim_matches(['.', ' ', '-']);
    let name = if name.is_empty() { "collection" } else { name };
    let folded = deunicode::deunicode_with_tofu(name, "-");
    let ascii: String = folded
        .chars()
        .filter(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '%' | ';') || *c == ' ')
        .take(100)
        .collect();
    let ascii = if ascii.trim().is_empty() {
        "collection"
    } else {
        ascii.trim()
    };
    let mut encoded = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    format!("attachment; filename=\"{ascii}.{extension}\"; filename*=UTF-8''{encoded}.{extension}")
}

const DESCRIPTION: &str = "`bib` is BibTeX, `biblatex.bib` biblatex, `ris` RIS and `json` CSL-JSON. Citation keys \
                           are unique in the file: an entry's own where it has a valid one, else made of name \
                           and year.";

pub fn operation() -> Operation {
    let operation = Operation::new("export_collection", "collections", "A collection as a file")
        .path("id", "The collection's UUID.");
    file_of(operation).codes(&[
        Code::AuthenticationRequired,
        Code::NotFound,
        Code::InvalidParameter,
    ])
}

pub fn shared_operation() -> Operation {
    let operation = Operation::new(
        "export_shared",
        "collections",
        "A shared collection as a file",
    )
    .path("token", "The share token.");
    file_of(operation).codes(&[Code::NotFound, Code::InvalidParameter])
}

/// What both say of the file.
fn file_of(operation: Operation) -> Operation {
    operation
        .describe(DESCRIPTION)
        .path("format", "`bib`, `biblatex.bib`, `ris` or `json`.")
        .query(
            "encoding",
            "`latex` for BibTeX in ASCII with LaTeX commands; UTF-8 otherwise.",
        )
        .reply_text(
            200,
            "The file.",
            &[
                "application/x-bibtex",
                "application/x-research-info-systems",
                "application/vnd.citationstyles.csl+json",
            ],
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_in_a_header() {
        let check = |name: &str, expected: &str| assert_eq!(disposition(name, "bib"), expected);
        check(
            "Thesis",
            "attachment; filename=\"Thesis.bib\"; filename*=UTF-8''Thesis.bib",
        );
        check(
            "Übung/1\"; x=\"",
            "attachment; filename=\"Ubung-1- x=.bib\"; filename*=UTF-8''%C3%9Cbung-1-%3B%20x%3D.bib",
        );
        check(
            "../..",
            "attachment; filename=\"collection.bib\"; filename*=UTF-8''collection.bib",
        );
    }
}
