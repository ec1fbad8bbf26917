//! Open Library's dumps: editions refer to their work and authors by key, and those are in separate
//! files that exceed the memory. Authors and works go into a temporary database first;
//! editions are then joined with it one by one.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::store::StoreError;
use crate::store::codec::Fingerprint;
use crate::store::join::{JoinReader, JoinTable, JoinValue};
use crate::store::progress::FileKey;
use citation_model::work::Work;
use citation_records::RecordError;
use citation_records::openlibrary::{
    self as dump, AbstractWork, Author, DumpKind, DumpLine, Edition,
};

/// The content of a dump file. One with all kinds is read twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpFile {
    Editions,
    Companions,
    Everything,
}

impl DumpFile {
    /// By the name that Open Library gives its files, else by the first line.
    pub fn of(name: &str, head: &[u8]) -> DumpFile {
        let name = name.to_lowercase();
        if name.contains("editions") {
            return DumpFile::Editions;
        }
        if name.contains("authors") || name.contains("works") {
            return DumpFile::Companions;
        }
        if name.contains("ol_dump") {
            return DumpFile::Everything;
        }
        match head {
            [b'/', b't', b'y', b'p', b'e', b'/', b'e', ..] => DumpFile::Editions,
            [b'/', b't', b'y', b'p', b'e', b'/', b'a' | b'w', ..] => DumpFile::Companions,
            _ => DumpFile::Everything,
        }
    }
}

/// The path of the join of some companion files: the same for the same files.
pub fn join_path(directory: &Path, companions: &[FileKey]) -> PathBuf {
    directory.join(format!("openlibrary-{:016x}.db", fingerprint(companions)))
}

/// A fingerprint of companion files. Editions joined with other companions are different records.
pub fn fingerprint(companions: &[FileKey]) -> i64 {
    let mut keys: Vec<String> = companions.iter().map(|key| format!("{key:?}")).collect();
    keys.sort();
    let join = |hash: Fingerprint, key: &String| hash.with(key.as_bytes());
    keys.iter().fold(Fingerprint::default(), join).value()
}

/// A line of a companion file as the join stores it; `None` for other lines.
pub fn companion(line: &[u8]) -> Result<Option<JoinValue>, RecordError> {
    let line = DumpLine::parse(line)?;
    let (table, kept): (JoinTable, &[&str]) = match line.kind {
        DumpKind::Author => (
            JoinTable::Authors,
            &["key", "name", "personal_name", "title", "entity_type"],
        ),
        DumpKind::Work => (
            JoinTable::Works,
            &["key", "title", "subtitle", "authors", "first_publish_date"],
        ),
        DumpKind::Edition | DumpKind::Other => return Ok(None),
    };
    let members: Map<String, Value> = serde_json::from_slice(line.json)?;
    let kept: Map<String, Value> = members
        .into_iter()
        .filter(|(name, _)| kept.contains(&name.as_str()))
        .collect();
    Ok(number(dump::bare_key(line.key)).map(|number| JoinValue {
        table,
        number,
        revision: line.revision,
        value: Value::Object(kept).to_string().into_bytes(),
    }))
}

/// `OL123A` is 123.
fn number(bare_key: &str) -> Option<i64> {
    let digits = bare_key.strip_prefix("OL")?;
    digits.get(..digits.len().checked_sub(1)?)?.parse().ok()
}

/// The authors and works read before.
pub struct Join(JoinReader);

impl Join {
    /// Opens an existing join, if there is one.
    pub fn open(path: &Path) -> Result<Option<Join>, StoreError> {
        Ok(JoinReader::open(path)?.map(Join))
    }

    fn work(&self, key: &str) -> Option<AbstractWork> {
        let json = self.get(JoinTable::Works, key)?;
        AbstractWork::from_slice(&json).ok()
    }

    fn author(&self, key: &str) -> Option<Author> {
        let json = self.get(JoinTable::Authors, key)?;
        Author::from_slice(&json).ok()
    }

    /// An unreadable value counts as missing: the edition has one author less.
    fn get(&self, table: JoinTable, key: &str) -> Option<Vec<u8>> {
        let found = self.0.get(table, number(key)?);
        found
            .inspect_err(|error| tracing::warn!(%error, key, "the join cannot be read"))
            .ok()
            .flatten()
    }
}

/// An edition's line as a work, joined with the companions; `None` for other lines.
pub fn edition(
    line: &[u8],
    join: Option<&Join>,
) -> Result<Option<Result<Work, RecordError>>, RecordError> {
    let line = DumpLine::parse(line)?;
    if line.kind != DumpKind::Edition {
        return Ok(None);
    }
    let edition = Edition::from_slice(line.json)?;
    let work = edition
        .work_key()
        .and_then(|key| join.and_then(|join| join.work(key)));
    let mut keys: Vec<&str> = edition.author_keys().collect();
    if keys.is_empty() {
        keys.extend(work.iter().flat_map(AbstractWork::author_keys));
    }
    let authors: Vec<Author> = keys
        .into_iter()
        .filter_map(|key| join.and_then(|join| join.author(key)))
        .collect();
    Ok(Some(dump::join(&edition, work.as_ref(), &authors)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dump_kind_is_detected_from_name_or_first_line() {
        let check = |name: &str, head: &str, expected| {
            assert_eq!(DumpFile::of(name, head.as_bytes()), expected, "{name}");
        };
        check("ol_dump_editions_2024-01-31.txt.gz", "", DumpFile::Editions);
        check("ol_dump_works_2024-01-31.txt.gz", "", DumpFile::Companions);
        check(
            "ol_dump_authors_2024-01-31.txt.gz",
            "",
            DumpFile::Companions,
        );
        check(
            "ol_dump_2024-01-31.txt.gz",
            "/type/author\t",
            DumpFile::Everything,
        );
        check("part-1.txt", "/type/edition\t", DumpFile::Editions);
        check("part-2.txt", "/type/author\t", DumpFile::Companions);
    }

    #[test]
    fn keys_are_numbers() {
        assert_eq!(number("OL123A"), Some(123));
        assert_eq!(number("OL"), None);
        assert_eq!(number("XY1A"), None);
    }
}
