//! Every format of the registry, on its own and, if present, on the files of `../shared/data/formats`.

use std::path::{Path, PathBuf};

use citation_exchange::{
    self as exchange, CSL_JSON, Content, FORMATS, Format, Hints, WriteOptions, recognise,
};
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::item_type::ItemType;

use super::{items_of, write};

/// A real file of a format.
struct Sample {
    /// `nbib/pubmed.nbib`
    name: String,
    bytes: Vec<u8>,
    entries: usize,
    is_bad: bool,
}

/// Folders whose name differs from that of the format.
const FOLDERS: [(&str, &str); 7] = [
    ("bbt-json", "zotero-json"),
    ("bibtex-encodings", "bibtex"),
    ("database-csv", "csv"),
    ("jats-refs", "jats"),
    ("msbib", "word-xml"),
    ("ris-dialects", "ris"),
    ("zotero-rdf", "rdf"),
];

impl Sample {
    fn format_id(&self) -> &str {
        let folder = self.name.split('/').next().unwrap_or_default();
        let row = FOLDERS.iter().find(|(name, _)| *name == folder);
        row.map_or(folder, |(_, id)| id)
    }

    fn recognised(&self) -> Option<&'static Format> {
        let file_name = Path::new(&self.name)
            .file_name()
            .and_then(|name| name.to_str());
        let hints = Hints {
            file_name,
            ..Hints::default()
        };
        let told = recognise(&Content::new(&self.bytes), hints, &Budget::unlimited());
        told.unwrap().ok().flatten()
    }
}

/// The names and bytes of the files in the index.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let samples = samples().into_iter();
    samples.map(|sample| (sample.name, sample.bytes)).collect()
}

/// The files in the index; empty, with a printed line, if they are absent.
fn samples() -> Vec<Sample> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/formats");
    let Ok(index) = std::fs::read_to_string(root.join("index.tsv")) else {
        println!("skipped: {} is absent", root.display());
        return Vec::new();
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Some(Sample {
            name: (*cells.first()?).to_owned(),
            bytes: std::fs::read(root.join(cells.first()?)).ok()?,
            entries: cells.get(2)?.parse().ok()?,
            is_bad: line.contains("refusal expected"),
        })
    };
    index.lines().skip(1).filter_map(row).collect()
}

/// No file is read as another format, and all entries of each file are found.
#[test]
fn real_files_are_recognised_and_read() {
    let mut faults = Vec::new();
    for sample in samples() {
        match sample.recognised() {
            Some(_) if sample.is_bad => {}
            Some(format) if format.id == sample.format_id() => {
                let budget = Budget::unlimited();
                let content = Content::new(&sample.bytes);
                let reading = exchange::read(&content, format, &budget).unwrap();
                if reading.items.len() < sample.entries {
                    let found = reading.items.len();
                    faults.push(format!(
                        "{}: {found} of {} entries",
                        sample.name, sample.entries
                    ));
                }
            }
            Some(format) => faults.push(format!("{}: read as {}", sample.name, format.id)),
            None if is_read(sample.format_id()) && !sample.is_bad => {
                faults.push(format!("{}: not recognised", sample.name));
            }
            None => {}
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn is_read(id: &str) -> bool {
    FORMATS
        .iter()
        .any(|format| format.id == id && format.is_readable())
}

/// Every reader accepts any text and truncated forms of it.
#[test]
fn any_file_is_survived_by_any_reader() {
    const SMALL: usize = 6_000;
    for sample in samples() {
        let end = sample.bytes.len().min(SMALL);
        for part in [1, 2, 3] {
            let bytes = sample.bytes.get(..end * part / 3).unwrap_or_default();
            let content = Content::new(bytes);
            for format in Format::readable() {
                let reading = exchange::read(&content, format, &Budget::unlimited());
                let reading = reading.unwrap();
                assert!(
                    reading.total >= reading.items.len(),
                    "{} {}",
                    sample.name,
                    format.id
                );
            }
        }
    }
}

/// Formats in which works are lost on a round trip, with the numbers of works.
fn lost(items: &[Item]) -> Vec<String> {
    let budget = Budget::unlimited();
    let lost = |format: &&Format| {
        let written = exchange::write(items, format, &WriteOptions::default(), &budget).unwrap();
        let read = exchange::read(&written.as_str().into(), format, &budget).unwrap();
        let (read, wanted) = (read.items.len(), items.len());
        (read != wanted).then(|| format!("{}: {read} of {wanted}", format.id))
    };
    let both_ways = Format::writable().filter(|format| format.is_readable());
    both_ways.filter_map(|format| lost(&format)).collect()
}

/// A nearly empty work, and one with tags that begin or end records in other formats.
#[test]
fn bare_works_come_back_from_every_format() {
    let bare = |kind: &ItemType| Item {
        kind: *kind,
        ..Item::default()
    };
    let mut items: Vec<Item> = ItemType::ALL.iter().map(bare).collect();
    let mut tagged = Item::default();
    for tag in [
        "TY",
        "ER",
        "PT",
        "RT",
        "PMID",
        "%0",
        "ID",
        &"long ".repeat(300),
    ] {
        tagged.custom.insert(tag.to_owned(), "BOOK".into());
    }
    items.push(tagged);
    assert_eq!(lost(&[]), [""; 0]);
    assert_eq!(lost(&items), [""; 0]);
    for item in items {
        let kind = item.kind;
        assert_eq!(lost(&[item]), [""; 0], "{kind:?}");
    }
}

/// No record of a real file is lost or duplicated by any format, whether it is read as its own or, one file
/// after the other, as any other format.
#[test]
fn works_of_real_files_come_back_from_every_format() {
    const SMALL: usize = 30_000;
    let mut faults = Vec::new();
    let mut others = Format::readable().cycle();
    for sample in samples() {
        let bytes = sample.bytes.get(..SMALL).unwrap_or(&sample.bytes);
        let content = Content::new(bytes);
        for format in sample.recognised().into_iter().chain(others.next()) {
            if !format.is_readable() {
                continue;
            }
            let reading = exchange::read(&content, format, &Budget::unlimited()).unwrap();
            let items: Vec<Item> = reading.items.into_iter().map(|read| read.item).collect();
            let lost = lost(&items);
            if !lost.is_empty() {
                faults.push(format!(
                    "{} as {}: {}",
                    sample.name,
                    format.id,
                    lost.join(", ")
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// In every format that is written too, ten times the records cost about ten times the work, whole or cut off.
#[test]
fn steps_grow_with_the_written_records() {
    let json = r#"[{"type": "chapter", "title": "On x & y", "container-title": "B", "volume": "1", "page": "3-9",
        "author": [{"family": "Doe", "given": "Jane"}, {"literal": "A Group"}], "note": "One.\nTwo.",
        "issued": {"date-parts": [[2001, 2]]}, "DOI": "10.5555/x", "keyword": "a, b"}]"#;
    let item = items_of(json, &CSL_JSON).remove(0);
    for format in Format::writable().filter(|format| format.is_readable()) {
        let options = WriteOptions::default();
        let of = |n: usize| write(&vec![item.clone(); n], format, &options);
        let one = of(1);
        let cut = one.get(..one.len() * 2 / 3).unwrap();
        let steps = |text: String| {
            let budget = Budget::unlimited();
            exchange::read(&text.as_str().into(), format, &budget).unwrap();
            budget.steps()
        };
        let makes: [&dyn Fn(usize) -> String; 2] = [&of, &|n| cut.repeat(n)];
        for make in makes {
            // In short texts a reader may read the rest again after each broken record.
            let [small, large] = [200, 2_000].map(|n| steps(make(n)));
            assert!(large <= small * 12, "{format:?}: {small}, {large}");
        }
    }
}

/// The same for records of other programs.
#[test]
fn steps_grow_with_the_records() {
    let records = [
        (
            "nbib",
            "PMID- 1\nTI  - A\nFAU - Doe, J\nAB  - B\n      c\n\n",
        ),
        (
            "ovid-tagged",
            "<1. >\nTI  - A\nAU  - Doe, J.\nSO  - J. 1(2):3-4, 2001.\n\n",
        ),
        ("wos-tagged", "PT J\nAU Doe, J\n   Roe, A\nTI A\nER\n\n"),
        ("refworks", "RT Journal Article\nA1 Doe, J\nT1 A\n\n"),
        ("refer", "%0 Book\n%A Doe, J\n%T A\n%X b\n\n"),
        ("csv", "title,author\n\"A, b\",\"Doe, J; Roe, A\"\n"),
        ("csv", "title,author\n\"A\n"),
        ("csv", "title,author\n\"A\"\"\"\"b"),
        ("wos-tab", "PT\tAU\tTI\n"),
        (
            "browser-bookmarks",
            "<DT><A HREF=\"https://x.org/\">A</A>\n",
        ),
        ("browser-bookmarks", "<a href=\"https://x.org/<a \"\"\"=\n"),
        ("ovid-tagged", "<1. >\nSO  - (,.,.;:(Vol 1(,"),
        ("nbib", "PMID- 1\nPG  - 1-1-1-1-\nFAU - a, b, c\n"),
    ];
    for (id, record) in records {
        let format = Format::named(id).unwrap();
        let steps = |n: usize| {
            let budget = Budget::unlimited();
            let text = record.repeat(n);
            exchange::read(&text.as_str().into(), format, &budget).unwrap();
            budget.steps()
        };
        let [small, middle, large] = [100, 1_000, 10_000].map(steps);
        assert!(middle <= small * 12 + 100, "{id}: {small}, {middle}");
        assert!(large <= middle * 12, "{id}: {middle}, {large}");
    }
}
