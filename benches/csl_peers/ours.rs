//! Our own processor, in a separate process like the peers.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use citation_csl::{self as csl, Compiled, Locale, Options, Style, lang};
use citation_model::item::Item;

use crate::measure::{best, peak_mb};
use crate::{Files, Run, peers};

/// The argument with which this program formats one bibliography.
pub const CHILD: &str = "--child";

/// Formats a bibliography in another process.
pub fn run(files: &Files, style: &str, count: usize) -> Run {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg(CHILD).arg(files.style(style));
    command.arg(&files.locales).arg(files.items(count));
    peers::answer(command).expect("our own processor runs")
}

/// The work of that process.
pub fn answer(style: &Path, locales: &Path, items: &Path) {
    let xml = std::fs::read_to_string(style).expect("the style");
    let json = std::fs::read(items).expect("the items");
    let items: Vec<Item> = serde_json::from_slice(&json).expect("an array of CSL-JSON items");
    drop(json);
    let locales = read_locales(&xml, locales);
    let (compiled, compile) = best(|| compile(&xml, &locales));
    let ((entries, bytes), seconds) = best(|| {
        let formatted = csl::format(&compiled, &items, &[], &Options::default())
            .expect("the budget is unlimited");
        let entries = formatted.bibliography.unwrap_or_default();
        let bytes = entries.iter().map(|entry| entry.content.html().len()).sum();
        (entries.len(), bytes)
    });
    let run = Run {
        compile_ms: compile.as_secs_f64() * 1e3,
        seconds: seconds.as_secs_f64(),
        entries,
        bytes,
        peak_mb: peak_mb(),
    };
    println!("{}", serde_json::to_string(&run).expect("JSON"));
}

/// A style joined with its locale.
pub fn compile(xml: &str, locales: &[(String, Arc<Locale>)]) -> Compiled {
    let style = Arc::new(Style::parse(xml).expect("the style parses"));
    let find = |tag: &str| {
        let found = locales.iter().find(|(known, _)| known == tag);
        found.map(|(_, locale)| Arc::clone(locale))
    };
    Compiled::new(style, None, &find).expect("the style compiles")
}

/// The locales that a style may need.
pub fn read_locales(xml: &str, folder: &Path) -> Vec<(String, Arc<Locale>)> {
    let style = Style::parse(xml).expect("the style parses");
    let default_locale = &style.options.default_locale;
    let tag = default_locale.as_deref().unwrap_or(lang::ROOT);
    let files = lang::fallback_chain(tag).into_iter().filter_map(|tag| {
        let xml = std::fs::read_to_string(folder.join(format!("locales-{tag}.xml"))).ok()?;
        Some((
            tag,
            Arc::new(Locale::parse(&xml).expect("the locale parses")),
        ))
    });
    files.collect()
}
