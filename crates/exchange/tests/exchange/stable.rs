//! Stable output: what is written, read and written again is the same text.

use std::collections::BTreeMap;

use citation_exchange::{self as exchange, Content, FORMATS, Format, Hints, WriteOptions};
use citation_model::budget::Budget;
use citation_model::item::Item;

use citation_testing::Random;
use serde_json::{Map, Value};

use super::{corpus, formats, generated, items_of, write};

/// A file of the data.
struct Library {
    name: String,
    format: &'static Format,
    items: Vec<Item>,
}

fn libraries() -> Vec<Library> {
    let mut files: Vec<(String, Vec<u8>)> = formats::files();
    files.extend(corpus::files().into_iter().flatten().map(|file| {
        let bytes = file.bytes();
        (file.name, bytes)
    }));
    let read = |(name, bytes): (String, Vec<u8>)| {
        let format = recognise(&name, &bytes)?;
        let items = items(&bytes, format);
        (!items.is_empty()).then_some(Library {
            name,
            format,
            items,
        })
    };
    files.into_iter().filter_map(read).collect()
}

fn recognise(name: &str, bytes: &[u8]) -> Option<&'static Format> {
    let hints = Hints {
        file_name: Some(name),
        ..Hints::default()
    };
    exchange::recognise(&Content::new(bytes), hints, &Budget::unlimited())
        .ok()?
        .ok()?
}

fn items(bytes: &[u8], format: &'static Format) -> Vec<Item> {
    let reading = exchange::read(&Content::new(bytes), format, &Budget::unlimited()).unwrap();
    reading.items.into_iter().map(|read| read.item).collect()
}

/// The first lines in which two texts differ.
fn difference(one: &str, two: &str) -> String {
    let mut lines = one.lines().zip(two.lines());
    match lines.find(|(one, two)| one != two) {
        Some((one, two)) => format!("{one} | {two}"),
        None => format!("{} or {} bytes", one.len(), two.len()),
    }
}

/// A file that is read and written in its own format changes only the first time. That holds for what comes from
/// other formats, too, in those that most people have.
#[test]
fn written_files_are_stable() {
    let libraries = libraries();
    let mut faults: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let both = |format: &&&'static Format| format.is_readable() && format.is_writable();
    for format in FORMATS.iter().filter(both) {
        let is_common = matches!(format.id, "bibtex" | "biblatex" | "ris" | "csl-json");
        let own = |library: &&Library| is_common || library.format.id == format.id;
        for library in libraries.iter().filter(own) {
            let once = write(&library.items, format, &WriteOptions::default());
            let twice = write(
                &items(once.as_bytes(), format),
                format,
                &WriteOptions::default(),
            );
            if once != twice {
                let fault = format!("{}: {}", library.name, difference(&once, &twice));
                let own = if library.format.id == format.id {
                    "own"
                } else {
                    "other"
                };
                faults
                    .entry(format.id)
                    .or_default()
                    .push(format!("{own} {fault}"));
            }
        }
    }
    for (format, faults) in &faults {
        println!("{format}: {} of {} files", faults.len(), libraries.len());
        for fault in faults {
            println!("    {}", &fault[..fault.floor_char_boundary(400)]);
        }
    }
    let all = || faults.values().flatten();
    let own = all().filter(|fault| fault.starts_with("own")).count();
    assert!(own <= MAX_SHARE_OF_OWN, "{own} files");
    assert!(
        all().count() <= MAX_SHARE_OF_OTHERS,
        "{} files",
        all().count()
    );
}

/// EndNote's XML has the paragraphs of a note as lines, which may be those of a wrapped text as well.
const MAX_SHARE_OF_OWN: usize = 1;
/// Texts of other formats that the second reading takes for something else, in four formats.
const MAX_SHARE_OF_OTHERS: usize = 30;

/// The first lines in which the second writing of an item differs from the first; `None` if they are the same.
fn change(item: &Map<String, Value>, format: &'static Format) -> Option<String> {
    let json = Value::from(vec![Value::Object(item.clone())]).to_string();
    let first = items_of(&json, &citation_exchange::CSL_JSON);
    let once = write(&first, format, &WriteOptions::default());
    let twice = write(
        &items(once.as_bytes(), format),
        format,
        &WriteOptions::default(),
    );
    (once != twice).then(|| difference(&once, &twice))
}

/// The smallest part of an item that is not stable.
fn smallest(item: &Map<String, Value>, format: &'static Format) -> Map<String, Value> {
    let mut item = item.clone();
    let names: Vec<String> = item.keys().cloned().collect();
    for name in names
        .iter()
        .filter(|name| !matches!(name.as_str(), "id" | "type"))
    {
        let mut less = item.clone();
        less.remove(name);
        if change(&less, format).is_some() {
            item = less;
        }
    }
    item
}

/// Whatever an item holds, the first file that is written of it is stable in every format.
#[test]
fn written_items_are_stable() {
    let mut random = match std::env::var_os("CITATION_SEED") {
        Some(_) => Random::new(),
        None => Random::seeded(36),
    };
    let count = std::env::var("EXCHANGE_ITEMS")
        .ok()
        .and_then(|n| n.parse().ok());
    let count = count.unwrap_or(1_000);
    let all: Vec<Map<String, Value>> = (0..count).map(|_| generated::item(&mut random)).collect();
    let both = |format: &&&'static Format| format.is_readable() && format.is_writable();
    let mut faults = Vec::new();
    for format in FORMATS.iter().filter(both) {
        let changed: Vec<_> = all
            .iter()
            .filter(|item| change(item, format).is_some())
            .collect();
        let share = changed.len() * 1000 / count;
        let known = UNSTABLE.iter().find(|(id, _)| *id == format.id);
        let known = known.map_or(0, |(_, share)| *share);
        if share > known {
            faults.push(format!("{}: {share} of 1000, at most {known}", format.id));
        }
        if !changed.is_empty() {
            println!("{}: {} of {count} items", format.id, changed.len());
        }
        // The variables that it takes, with the number of items and one of them.
        let mut causes: BTreeMap<String, (usize, Map<String, Value>)> = BTreeMap::new();
        for item in changed {
            let item = smallest(item, format);
            let names = item.keys().filter(|name| *name != "id" && *name != "type");
            let names: Vec<&str> = names.map(String::as_str).collect();
            causes.entry(names.join(" ")).or_insert((0, item)).0 += 1;
        }
        for (count, item) in causes.into_values() {
            let fault = change(&item, format).unwrap_or_default();
            println!("    {count} {}\n        {fault}", Value::Object(item));
        }
    }
    assert!(faults.is_empty(), "{faults:?}");
}

/// Formats whose readers take some generated items for something else, with the share in thousandths.
const UNSTABLE: &[(&str, usize)] = &[
    ("ris", 16),
    ("nbib", 92),
    ("refworks", 5),
    ("cff", 42),
    ("hayagriva", 96),
    ("endnote-xml", 10),
    ("word-xml", 32),
    ("mods", 112),
    ("tei", 36),
    ("rdf", 82),
    ("csv", 14),
];
