//! Formats the published examples of style guides with the corresponding styles of the collection.
//!
//! `guides/NAME.json` contains the examples of one guide: the work as CSL-JSON, the reference as printed
//! in the guide, without italics, and its page or section. If the style's output differs, `style`
//! contains that output and the cause. Styles and locales are read from `../shared/csl/styles.zip`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "csl/archive.rs"]
mod archive;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use citation_csl::{Compiled, Locale, Options, Part, Shape, Style};
use citation_model::cite::{Citation, Cite};
use citation_model::item::Item;
use citation_testing::suite;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Guide {
    style: String,
    locale: Option<String>,
    #[serde(default)]
    area: Area,
    examples: Vec<Example>,
}

/// Whether a guide's references come from its list or from its notes.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Area {
    #[default]
    Bibliography,
    Note,
}

#[derive(Deserialize)]
struct Example {
    page: String,
    item: Value,
    reference: String,
    style: Option<Difference>,
}

/// The style's output, if it differs from the guide's reference.
#[derive(Deserialize)]
struct Difference {
    reference: String,
    cause: String,
}

#[test]
fn references_come_out_as_in_the_guides() {
    let Some(collection) = suite("csl/styles.zip") else {
        return;
    };
    let styles = archive::members(&collection, "styles/");
    let locales = archive::members(&collection, "locales/locales-");
    let find = |tag: &str| {
        let xml = locales.get(&format!("locales/locales-{tag}.xml"))?;
        Some(Arc::new(Locale::parse(xml).unwrap()))
    };
    let mut failed = String::new();
    for (name, guide) in guides() {
        let style = Style::parse(&styles[&format!("styles/{}.csl", guide.style)]).unwrap();
        let compiled = Compiled::new(Arc::new(style), guide.locale.as_deref(), &find).unwrap();
        for example in &guide.examples {
            let result = reference(&compiled, &example.item, guide.area);
            let expected = match &example.style {
                Some(difference) => {
                    assert!(!difference.cause.is_empty(), "{name}, {}", example.page);
                    &difference.reference
                }
                None => &example.reference,
            };
            if result != *expected {
                let page = &example.page;
                let _ = writeln!(
                    failed,
                    "{name}, {page}\n  expected {expected}\n  result   {result}"
                );
            }
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

fn guides() -> Vec<(String, Guide)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guides");
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let guides = files.into_iter().map(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let guide = serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        (name, guide)
    });
    guides.collect()
}

/// The text of a work's reference, without the preceding number.
fn reference(compiled: &Compiled, item: &Value, area: Area) -> String {
    let mut item: Item = serde_json::from_value(item.clone()).unwrap();
    item.id = "work".to_owned();
    let cite = Cite {
        id: item.id.clone(),
        ..Cite::default()
    };
    let citation = Citation {
        cites: vec![cite],
        note_number: 1,
        ..Citation::default()
    };
    let formatted =
        citation_csl::format(compiled, &[item], &[citation], &Options::default()).unwrap();
    let content = match area {
        Area::Note => &formatted.citations[0],
        Area::Bibliography => &formatted.bibliography.as_ref().unwrap()[0].content,
    };
    let mut text = String::new();
    for part in content.parts() {
        match part {
            Part::Text(piece) => text.push_str(piece),
            Part::Open(Shape::RightInline) => text.clear(),
            _ => {}
        }
    }
    text.trim().to_owned()
}
