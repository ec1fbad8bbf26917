//! The files of `../shared/data/import`.

use citation_testing::suite;
use std::path::PathBuf;

use citation_exchange::{BIBTEX, Format, RIS, decode};

pub struct File {
    /// `bib/biber-names.bib`.
    pub name: String,
    pub path: PathBuf,
    pub format: &'static Format,
    /// Minimum number of entries that a reader must find; the lower bound if the index gives a range.
    pub expected_at_least: usize,
}

impl File {
    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        decode(&self.bytes()).0.into_owned()
    }
}

/// The files in the index; `None`, with a printed line, if they are absent.
pub fn files() -> Option<Vec<File>> {
    let root = suite("data/import")?;
    let index = std::fs::read_to_string(root.join("index.tsv")).unwrap();
    let mut files = Vec::new();
    for row in index.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, _, _, _, _, _, expected, ..] = cells[..] else {
            continue;
        };
        let number: String = expected
            .trim_start_matches(['?', '~'])
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        files.push(File {
            name: name.to_owned(),
            path: root.join(name),
            format: if name.ends_with(".ris") {
                &RIS
            } else {
                &BIBTEX
            },
            expected_at_least: number.parse().unwrap_or(0),
        });
    }
    Some(files)
}
