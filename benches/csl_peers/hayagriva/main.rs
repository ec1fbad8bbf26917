//! Formats one bibliography with hayagriva: peer STYLE LOCALES ITEMS. Prints a line of JSON. The bench
//! copies its own `clock` and `measure` next to this file.

mod clock;
mod measure;

use std::{env, fs};

use citationberg::json::Item;
use citationberg::{IndependentStyle, Locale, LocaleFile};
use hayagriva::{
    BibliographyDriver, BibliographyRequest, BufWriteFormat, CitationItem, CitationRequest,
};
use measure::{best, peak_mb};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [style, locales, items] = arguments.as_slice() else {
        panic!("peer STYLE LOCALES ITEMS");
    };
    let xml = fs::read_to_string(style).expect("the style");
    let locales = read_locales(locales);
    let items = read_items(items);
    let (style, compile) = best(|| IndependentStyle::from_xml(&xml).expect("the style parses"));
    let ((entries, bytes), format) = best(|| bibliography(&style, &locales, &items));
    println!(
        "{}",
        serde_json::json!({
            "compile_ms": compile.as_secs_f64() * 1e3,
            "seconds": format.as_secs_f64(),
            "entries": entries,
            "bytes": bytes,
            "peak_mb": peak_mb(),
        })
    );
}

/// hayagriva's bibliography has only cited items, so each item is cited once.
fn bibliography(style: &IndependentStyle, locales: &[Locale], items: &[Item]) -> (usize, usize) {
    let mut driver = BibliographyDriver::new();
    for item in items {
        let cite = vec![CitationItem::with_entry(item)];
        driver.citation(CitationRequest::from_items(cite, style, locales));
    }
    let rendered = driver.finish(BibliographyRequest::new(style, None, locales));
    let entries = rendered.bibliography.map(|b| b.items).unwrap_or_default();
    let bytes = entries
        .iter()
        .map(|entry| {
            let mut html = String::new();
            if let Some(field) = &entry.first_field {
                field
                    .write_buf(&mut html, BufWriteFormat::Html)
                    .expect("text");
            }
            entry
                .content
                .write_buf(&mut html, BufWriteFormat::Html)
                .expect("text");
            html.len()
        })
        .sum();
    (entries.len(), bytes)
}

fn read_locales(folder: &str) -> Vec<Locale> {
    let files = fs::read_dir(folder).expect("the locales").flatten();
    files
        .filter(|file| file.path().extension().is_some_and(|e| e == "xml"))
        .filter_map(|file| {
            let xml = fs::read_to_string(file.path()).ok()?;
            Some(LocaleFile::from_xml(&xml).ok()?.into())
        })
        .collect()
}

/// hayagriva panics on date ranges, so only their start is kept.
fn read_items(path: &str) -> Vec<Item> {
    let json = fs::read(path).expect("the items");
    let mut items: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    for item in items.as_array_mut().into_iter().flatten() {
        for value in item
            .as_object_mut()
            .into_iter()
            .flat_map(|o| o.values_mut())
        {
            if let Some(parts) = value.get_mut("date-parts").and_then(|p| p.as_array_mut()) {
                parts.truncate(1);
            }
        }
    }
    serde_json::from_value(items).expect("an array of CSL-JSON items")
}
