//! Our own processor, in a process of its own like the peers.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use citation::csl::locale::lang;
use citation::csl::{self, Compiled, Locale, Options, Style};
use citation::model::item::Item;

use crate::{Files, Run, peers};

/// The argument that makes this program run one bibliography.
pub const CHILD: &str = "--child";

/// The least time of a batch of rounds.
const BATCH: Duration = Duration::from_millis(100);

/// Batches go on until they have taken so long together.
const ENOUGH: Duration = Duration::from_millis(1_000);

/// Formats a bibliography in another process.
pub fn run(files: &Files, style: &str, count: usize) -> Run {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg(CHILD).arg(files.style(style));
    command.arg(&files.locales).arg(files.items(count));
    peers::answer(command).expect("our own processor runs")
}

/// What that process does.
pub fn answer(style: &Path, locales: &Path, items: &Path) {
    let xml = std::fs::read_to_string(style).expect("the style");
    let json = std::fs::read(items).expect("the items");
    let items: Vec<Item> = serde_json::from_slice(&json).expect("an array of CSL-JSON items");
    drop(json);
    let locales = read_locales(&xml, locales);
    let (compiled, compile) = best(|| compile(&xml, &locales));
    let ((entries, bytes), seconds) = best(|| {
        let formatted = csl::format(&compiled, &items, &[], &Options::default());
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

/// The locales that a style may ask for.
pub fn read_locales(xml: &str, folder: &Path) -> Vec<(String, Arc<Locale>)> {
    let style = Style::parse(xml).expect("the style parses");
    let tag = style
        .options
        .default_locale
        .as_deref()
        .unwrap_or(lang::ROOT);
    let files = lang::fallback_chain(tag).into_iter().filter_map(|tag| {
        let xml = std::fs::read_to_string(folder.join(format!("locales-{tag}.xml"))).ok()?;
        Some((
            tag,
            Arc::new(Locale::parse(&xml).expect("the locale parses")),
        ))
    });
    files.collect()
}

/// The result of a piece of work and the CPU time that it takes: that of the best batch, each long
/// enough for a clock that moves every few milliseconds.
pub fn best<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
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

/// CPU time of this thread so far, from the kernel's own count (`schedstat`, nanoseconds first).
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

/// The most memory that this process has had, in MB.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}
