//! Formats random documents in real styles here and with citeproc-js, and classifies the differences.
//!
//! Runs if `CITEPROC_JS` names the folder of the npm package `citeproc` and Node is installed; reads
//! styles and locales from `../shared/csl/styles.zip`. `CITATION_JOBS` is the number of documents,
//! `CITATION_SEED` repeats a run, `CITATION_STYLES` selects styles whose names contain one of its words,
//! and `CITATION_DIFFERENCES` names a file for all differences, one per line.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "csl/archive.rs"]
mod archive;
#[path = "differential/items.rs"]
mod items;
#[path = "differential/records.rs"]
mod records;

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use citation_csl::{Class, Compiled, Locale, Options, Style};
use citation_model::cite::Citation;
use citation_model::cite_json::CitationJson;
use citation_model::item::Item;
use citation_testing::{Random, suite};
use serde_json::{Value, json};

/// Locales that override a style's own, in some of the documents.
const FORCED: &[&str] = &[
    "de-DE", "fr-FR", "es-ES", "zh-CN", "ja-JP", "ru-RU", "ar", "it-IT", "pt-BR", "tr-TR", "en-GB",
    "pl-PL", "nl-NL", "sv-SE", "fr-CA", "zh-TW", "ko-KR", "cs-CZ", "he-IL", "da-DK", "pt-PT",
    "hu-HU", "fi-FI", "de-CH", "uk-UA", "el-GR", "ca-ES", "nb-NO", "ro-RO", "fa-IR",
];

#[test]
fn documents_come_out_as_in_citeproc_js() {
    let Some(citeproc) = std::env::var_os("CITEPROC_JS") else {
        println!("skipped: CITEPROC_JS is not set");
        return;
    };
    let Some(collection) = suite("csl/styles.zip") else {
        return;
    };
    let styles: BTreeMap<String, String> = archive::members(&collection, "styles/")
        .into_iter()
        .collect();
    let locales = archive::members(&collection, "locales/locales-");
    let parsed: BTreeMap<&str, Arc<Locale>> = locales
        .iter()
        .map(|(path, xml)| (tag(path), Arc::new(Locale::parse(xml).unwrap())))
        .collect();
    let words = std::env::var("CITATION_STYLES").unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().collect();
    let names: Vec<&String> = styles
        .keys()
        .filter(|path| path.ends_with(".csl") && !path.contains("dependent/"))
        .filter(|path| words.is_empty() || words.iter().any(|word| path.contains(word)))
        .collect();
    let jobs = std::env::var("CITATION_JOBS").map_or(100, |jobs| jobs.parse().unwrap());
    let mut random = Random::new();

    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/differential/compare.cjs"
    );
    let mut node = Command::new("node")
        .arg(script)
        .arg(citeproc)
        .stdin(Stdio::piped())
        .spawn()
        .expect("node is installed");
    let mut input = std::io::BufWriter::new(node.stdin.take().unwrap());
    let mut send = |line: Value| writeln!(input, "{line}").unwrap();
    let by_tag: BTreeMap<&str, &String> =
        locales.iter().map(|(path, xml)| (tag(path), xml)).collect();
    send(json!(by_tag));
    for job in 0..jobs {
        let path = names[random.below(names.len())];
        let xml = &styles[path];
        let style = Arc::new(Style::parse(xml).unwrap());
        let locale = match random.below(5) {
            0 => Some(FORCED[random.below(FORCED.len())]),
            _ => None,
        };
        let are_records = random.below(2) == 0;
        let count = match random.below(10) {
            0 => 40,
            _ => 6 + random.below(12),
        };
        let items = items::items(&mut random, count, are_records);
        let uncited = match random.below(8) {
            0 => 1 + random.below(4),
            _ => 0,
        };
        let citations = items::citations(
            &mut random,
            count - uncited,
            style.options.class == Class::Note,
        );
        let find = |tag: &str| parsed.get(tag).cloned();
        let compiled = Compiled::new(style, locale, &find).unwrap();
        let result = formatted(&compiled, &items, &citations);
        send(json!({
            "job": job, "records": are_records, "style": path, "xml": xml, "locale": locale, "items": items,
            "citations": citations, "result": result,
        }));
    }
    drop(input);
    assert!(node.wait().unwrap().success());
}

/// `locales/locales-TAG.xml` → `TAG`
fn tag(path: &str) -> &str {
    path.trim_start_matches("locales/locales-")
        .trim_end_matches(".xml")
}

fn formatted(compiled: &Compiled, items: &[Value], citations: &[Value]) -> Value {
    let read = |item: &Value| serde_json::from_value(item.clone()).unwrap();
    let items: Vec<Item> = items.iter().map(read).collect();
    let read = |citation: &Value| {
        Citation::from(&serde_json::from_value::<CitationJson>(citation.clone()).unwrap())
    };
    let citations: Vec<Citation> = citations.iter().map(read).collect();
    let options = Options {
        titles_in_locale: false,
        addresses: false,
        suite_notation: true,
        ..Options::default()
    };
    let formatted = citation_csl::format(compiled, &items, &citations, &options).unwrap();
    let entries = formatted.bibliography;
    json!({
        "citations": formatted.citations.iter().map(|citation| citation.html()).collect::<Vec<_>>(),
        "ids": entries.iter().flatten().map(|entry| &entry.id).collect::<Vec<_>>(),
        "entries": entries.iter().flatten().map(|entry| entry.content.html()).collect::<Vec<_>>(),
    })
}
