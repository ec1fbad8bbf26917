//! Reads files from a zip archive.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The members whose path starts with `prefix`, by path.
pub fn members(archive: &Path, prefix: &str) -> HashMap<String, String> {
    let mut archive = zip::ZipArchive::new(File::open(archive).unwrap()).unwrap();
    let mut found = HashMap::new();
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).unwrap();
        let name = member.name().unwrap().into_owned();
        if name.starts_with(prefix) {
            let mut text = String::new();
            member.read_to_string(&mut text).unwrap();
            found.insert(name, text);
        }
    }
    found
}
