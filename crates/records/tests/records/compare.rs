//! Shared by the tests of all sources: finds the material, compares, counts.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, TextVar};
use citation_model::work::Work;
use citation_records::RecordError;
use serde_json::Value;

/// A folder of the shared material; `None`, with a printed line, if absent.
pub fn shared(folder: &str) -> Option<PathBuf> {
    citation_testing::suite(&format!("data/{folder}"))
}

/// The files of a folder by name.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

pub fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a readable file")).expect("JSON")
}

/// The lines of a file, decompressed if its name indicates compression.
pub fn lines(path: &Path) -> Vec<Vec<u8>> {
    let file = std::fs::File::open(path).expect("a readable file");
    let reader: Box<dyn Read> = match path.extension().and_then(|e| e.to_str()) {
        Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(file)),
        _ => Box::new(file),
    };
    let lines = BufReader::new(reader)
        .split(b'\n')
        .map(|line| line.expect("a line"));
    lines
        .filter(|line| !line.iter().all(u8::is_ascii_whitespace))
        .collect()
}

/// All differences, reported at the end.
#[derive(Default)]
pub struct Differences {
    pub told: Vec<String>,
    pub compared: usize,
    /// The equal and the compared values of each field.
    fields: BTreeMap<String, (usize, usize)>,
}

impl Differences {
    pub fn same(&mut self, record: &str, field: &str, expected: &str, found: &str) {
        self.compared += 1;
        let (equal, compared) = self.fields.entry(field.to_owned()).or_default();
        *compared += 1;
        *equal += usize::from(expected == found);
        if expected != found {
            self.told.push(format!(
                "{record} {field}: expected {expected:?}, found {found:?}"
            ));
        }
    }

    pub fn none(self, least: usize) {
        for (field, (equal, compared)) in &self.fields {
            let share = 100.0 * *equal as f64 / *compared as f64;
            println!("{field:16} {equal:6} of {compared:6} {share:7.2} %");
        }
        assert!(
            self.told.is_empty(),
            "{} differ:\n{}",
            self.told.len(),
            self.told.join("\n")
        );
        assert!(
            self.compared >= least,
            "only {} fields were compared",
            self.compared
        );
    }
}

/// Lower-case letters and digits without markup and entities, which two renderings of a text must share.
pub fn letters(text: &str) -> String {
    let mut text = mended(text);
    for _ in 0..3 {
        for (entity, character) in [
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
        ] {
            text = text.replace(entity, character);
        }
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        let tag = &rest[at..];
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match tag.find('>').filter(|_| is_tag) {
            Some(end) => rest = &tag[end + 1..],
            None => rest = &tag[1..],
        }
    }
    plain.push_str(rest);
    plain
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Repairs UTF-8 that was decoded as Latin-1 or Windows-1252.
pub fn mended(text: &str) -> String {
    if !text.contains(['Ã', 'â', 'Â']) {
        return text.to_owned();
    }
    let latin: Option<Vec<u8>> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).ok())
        .collect();
    let (windows, _, is_lossy) = encoding_rs::WINDOWS_1252.encode(text);
    let windows = (!is_lossy).then(|| windows.into_owned());
    let mended = [latin, windows]
        .into_iter()
        .flatten()
        .find_map(|b| String::from_utf8(b).ok());
    mended.unwrap_or_else(|| text.to_owned())
}

/// A publisher; empty if a library marks it as unknown («sine nomine»).
pub fn publisher(text: &str) -> String {
    let letters = letters(text);
    if letters == "sn" {
        String::new()
    } else {
        letters
    }
}

pub fn text(item: &Item, variable: TextVar) -> &str {
    item.text(variable).unwrap_or_default()
}

pub fn issued(item: &Item) -> String {
    item.date(DateVar::Issued)
        .map(Date::edtf)
        .unwrap_or_default()
}

pub fn people(names: &[Name]) -> String {
    let people: Vec<String> = names.iter().map(|name| letters(&name.display())).collect();
    people.join("|")
}

pub fn first(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        Value::Array(list) => list.first().and_then(Value::as_str).unwrap_or_default(),
        _ => "",
    }
}

/// `date-parts` as text: `2012-03`.
pub fn date_parts(value: &Value) -> Option<String> {
    let parts = value.get("date-parts")?.get(0)?.as_array()?;
    let numbers: Vec<i64> = parts.iter().filter_map(Value::as_i64).collect();
    let (year, rest) = numbers.split_first()?;
    let rest: String = rest.iter().map(|number| format!("-{number:02}")).collect();
    Some(format!("{year:04}{rest}"))
}

pub fn undated(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

pub fn sorted(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    characters.sort_unstable();
    characters.into_iter().collect()
}

/// The number of mapped records, and the reasons for the others.
#[derive(Debug, Default)]
pub struct Tally {
    pub mapped: usize,
    pub refused: BTreeMap<String, usize>,
}

impl Tally {
    pub fn count(&mut self, result: Result<Work, RecordError>) -> Option<Work> {
        match result {
            Ok(work) => {
                assert!(work.item.text(TextVar::Title).is_some(), "{}", work.item.id);
                assert!(!work.item.id.is_empty());
                assert!(
                    work.item.text(TextVar::Abstract).is_none(),
                    "abstracts are not facts"
                );
                self.mapped += 1;
                return Some(work);
            }
            Err(error) => *self.refused.entry(error.to_string()).or_default() += 1,
        }
        None
    }

    pub fn is(&self, source: &str, mapped: usize, refused: usize) {
        println!("{source}: {self:?}");
        let all_refused: usize = self.refused.values().sum();
        assert_eq!(
            (self.mapped, all_refused),
            (mapped, refused),
            "{source}: {self:?}"
        );
    }
}
