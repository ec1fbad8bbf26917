//! The formats and what reading one gives.

use serde::Serialize;

use super::problem::Problem;
use super::ris::parse::is_type_line;
use citation_model::item::Item;

/// A bibliography format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Bibtex,
    Biblatex,
    Ris,
    CslJson,
}

impl Format {
    pub const ALL: [Format; 4] = [
        Format::Bibtex,
        Format::Biblatex,
        Format::Ris,
        Format::CslJson,
    ];

    /// `bibtex`, `biblatex`, `ris`, `csl-json`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Bibtex => "bibtex",
            Format::Biblatex => "biblatex",
            Format::Ris => "ris",
            Format::CslJson => "csl-json",
        }
    }

    /// Reads a name, a file name extension or a media type, in any case.
    pub fn parse(text: &str) -> Option<Format> {
        let lower = text.trim().trim_start_matches('.').to_ascii_lowercase();
        let bare = lower.split(';').next().unwrap_or_default().trim();
        match bare {
            "bibtex" | "bib" | "application/x-bibtex" | "text/x-bibtex" => Some(Format::Bibtex),
            "biblatex" | "application/x-biblatex" => Some(Format::Biblatex),
            "ris" | "application/x-research-info-systems" => Some(Format::Ris),
            "csl-json"
            | "csljson"
            | "csl"
            | "json"
            | "jsonl"
            | "ndjson"
            | "application/vnd.citationstyles.csl+json"
            | "application/json" => Some(Format::CslJson),
            _ => None,
        }
    }

    /// The extension of a file, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Bibtex | Format::Biblatex => "bib",
            Format::Ris => "ris",
            Format::CslJson => "json",
        }
    }

    /// The media type to send it under.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Bibtex | Format::Biblatex => "application/x-bibtex; charset=utf-8",
            Format::Ris => "application/x-research-info-systems; charset=utf-8",
            Format::CslJson => "application/vnd.citationstyles.csl+json; charset=utf-8",
        }
    }
}

/// What items can be written in: every format that is read, and one that is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Format(Format),
    /// The YAML of Typst's bibliographies.
    Hayagriva,
}

impl From<Format> for Target {
    fn from(format: Format) -> Target {
        Target::Format(format)
    }
}

impl Target {
    /// Whether each record needs a key, so that one without is given one.
    pub fn needs_keys(self) -> bool {
        self != Target::Format(Format::Ris)
    }

    pub const ALL: [Target; 5] = [
        Target::Format(Format::Bibtex),
        Target::Format(Format::Biblatex),
        Target::Format(Format::Ris),
        Target::Format(Format::CslJson),
        Target::Hayagriva,
    ];

    /// `bibtex`, `biblatex`, `ris`, `csl-json`, `hayagriva`.
    pub fn name(self) -> &'static str {
        match self {
            Target::Format(format) => format.name(),
            Target::Hayagriva => "hayagriva",
        }
    }

    /// Reads a name, a file name extension or a media type, in any case.
    pub fn parse(text: &str) -> Option<Target> {
        let lower = text.trim().trim_start_matches('.').to_ascii_lowercase();
        match lower.as_str() {
            "hayagriva" | "yaml" | "yml" | "application/yaml" => Some(Target::Hayagriva),
            other => Format::parse(other).map(Target::Format),
        }
    }

    /// The extension of a file, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Target::Format(format) => format.extension(),
            Target::Hayagriva => "yaml",
        }
    }

    /// The media type to send it under.
    pub fn media_type(self) -> &'static str {
        match self {
            Target::Format(format) => format.media_type(),
            Target::Hayagriva => "application/yaml; charset=utf-8",
        }
    }
}

/// Tells a text's format by its first signs; the file's name decides only where these are silent.
pub fn detect(file_name: Option<&str>, text: &str) -> Option<Format> {
    let by_name = file_name
        .and_then(|name| name.rsplit_once('.'))
        .and_then(|(_, extension)| Format::parse(extension));
    by_content(text).or(by_name)
}

fn by_content(text: &str) -> Option<Format> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if is_json_start(text) {
        return Some(Format::CslJson);
    }
    for line in text.lines().take(2000) {
        let line = line.trim_start();
        if is_type_line(line) {
            return Some(Format::Ris);
        }
        if line.starts_with('@') && line.contains(['{', '(']) {
            return Some(Format::Bibtex);
        }
    }
    None
}

/// Whether an object begins here, or a list of them. `[1] Doe` is a list of another kind.
fn is_json_start(text: &str) -> bool {
    if let Some(list) = text.strip_prefix('[') {
        return list.trim_start().starts_with(['{', ']']);
    }
    let object = text.strip_prefix('{').map(str::trim_start);
    object.is_some_and(|object| object.starts_with(['"', '}']))
}

/// How many records a text of so many bytes may hold before the rest is refused: far more than any
/// real one, and few enough that a text of nothing but empty records cannot fill the memory.
pub(super) fn most_records(bytes: usize) -> usize {
    10_000 + bytes / 120
}

/// Names of one list that are read. The longest real lists have some 5,000.
pub(super) const MOST_NAMES: usize = 5_000;

/// The longest text that is taken apart as a name, in bytes. What is longer is kept whole.
pub(super) const LONGEST_NAME: usize = 10_000;

/// What reading a text gave. Every record of the text is in `items` or, as an error, in
/// `problems`, where of very many the rest is told as a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub items: Vec<ReadItem>,
    /// In the order of the text.
    pub problems: Vec<Problem>,
    /// Records in the text: those read and those lost.
    pub total: usize,
}

/// An item and where it came from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadItem {
    pub item: Item,
    /// Position among the records of the text, from 0.
    pub index: usize,
    /// Line on which the record begins, from 1.
    pub line: usize,
    /// As the text has it; empty where it has none.
    pub citation_key: String,
    /// As the text has it: `incollection`, `JOUR`.
    pub entry_type: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_told_by_its_first_signs() {
        let check = |text: &str, expected| assert_eq!(detect(None, text), expected, "{text:?}");
        check("[{\"title\": \"A\"}]", Some(Format::CslJson));
        check(" {\n\"title\": \"A\"}", Some(Format::CslJson));
        check("[1] Doe J. A of it. 2001.", None);
        check("% Mine\n@book{doe, title={A}}", Some(Format::Bibtex));
        check("\u{feff}TY  - BOOK\nER  - ", Some(Format::Ris));
    }
}
