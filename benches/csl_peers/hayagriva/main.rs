//! One bibliography by hayagriva: peer STYLE LOCALES ITEMS. Prints a line of JSON.

use std::time::Duration;
use std::{env, fs};

use citationberg::json::Item;
use citationberg::{IndependentStyle, Locale, LocaleFile};
use hayagriva::{
    BibliographyDriver, BibliographyRequest, BufWriteFormat, CitationItem, CitationRequest,
};

/// The least time of a batch of rounds.
const BATCH: Duration = Duration::from_millis(100);

/// Batches go on until they have taken so long together.
const ENOUGH: Duration = Duration::from_millis(1_000);

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

/// hayagriva shows in the bibliography what has been cited, so each item is cited once.
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

/// A range of dates makes it panic, so only the start of one is kept.
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

/// The result of a piece of work and the CPU time that it takes: that of the best batch, each long
/// enough for a clock that moves every few milliseconds.
fn best<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    let (mut rounds, mut spent, mut best) = (1, Duration::ZERO, Duration::MAX);
    loop {
        let start = cpu_time();
        for _ in 1..rounds {
            work();
        }
        let result = work();
        let time = cpu_time() - start;
        spent += time;
        if time < BATCH {
            rounds *= 2;
        } else {
            best = best.min(time / rounds);
        }
        if spent >= ENOUGH && best < Duration::MAX {
            return (result, best);
        }
    }
}

fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

fn peak_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}
