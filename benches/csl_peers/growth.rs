//! How the work scales with its size, and the cost of one item and of compilation.

use std::time::Duration;

use citation_csl::{self as csl, Compiled, Options};
use citation_model::cite::{Citation, Cite};
use citation_model::item::Item;

use crate::{Files, items, measure, ours};

/// Items of a document, which has half as many cites.
const SIZES: [usize; 5] = [100, 1_000, 2_500, 5_000, 10_000];

/// A note style, whose cites depend on earlier ones.
const NOTES: &str = "chicago-notes-bibliography";

pub fn print(files: &Files, styles: &[&str]) {
    let base = items::base();
    let styles: Vec<&str> = styles.iter().copied().chain([NOTES]).collect();
    println!("\nOne item, warm: citation and entry (ieee below 0.1 ms, apa below 0.3 ms wanted)");
    for &style in &styles {
        let (compiled, time) = compiled(files, style);
        let one = items::distinct(&base, 1);
        let options = Options {
            markers: true,
            ..Options::default()
        };
        let (_, item) = measure::best(|| write(&compiled, &one, &[], &options));
        println!(
            "  {style:<30}{:>8.3} ms, compiled in {:.2} ms (below 10 ms wanted)",
            ms(item),
            ms(time)
        );
    }
    println!("\nThe largest styles, from XML to ready (below 10 ms wanted)");
    for style in largest(files) {
        let (_, time) = compiled(files, &style);
        println!("  {style:<60}{:>8.2} ms", ms(time));
    }
    for (what, make) in [
        ("Every work by other people", items::distinct as Make),
        (
            "The same works again and again: every cite is ambiguous",
            items::repeated,
        ),
    ] {
        println!("\n{what}: a document with half as many cites as items, and its bibliography");
        print!("  {:<30}", "ms of CPU at so many items");
        SIZES.iter().for_each(|size| print!("{size:>9}"));
        println!("  doubled to 10,000 (at most 2.3 wanted)");
        for &style in &styles {
            let (compiled, _) = compiled(files, style);
            print!("  {style:<30}");
            let times: Vec<Duration> = SIZES
                .iter()
                .map(|&size| {
                    let items = make(&base, size);
                    let citations = citations(&items);
                    let work = || write(&compiled, &items, &citations, &Options::default());
                    let (_, time) = measure::best(work);
                    print!("{:>9.1}", ms(time));
                    time
                })
                .collect();
            let [.., half, whole] = times.as_slice() else {
                continue;
            };
            println!("{:>9.2} x", whole.as_secs_f64() / half.as_secs_f64());
        }
    }
}

type Make = fn(&[Item], usize) -> Vec<Item>;

fn compiled(files: &Files, style: &str) -> (Compiled, Duration) {
    let xml = std::fs::read_to_string(files.style(style)).expect("the style");
    let locales = ours::read_locales(&xml, &files.locales);
    measure::best(|| ours::compile(&xml, &locales))
}

/// The names of the five largest styles.
fn largest(files: &Files) -> Vec<String> {
    let listing = std::fs::read_dir(&files.styles).expect("the styles");
    let mut styles: Vec<(u64, String)> = listing
        .flatten()
        .filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            let name = name.strip_suffix(".csl")?.to_owned();
            Some((file.metadata().ok()?.len(), name))
        })
        .collect();
    styles.sort_by(|a, b| b.cmp(a));
    styles.into_iter().take(5).map(|(_, name)| name).collect()
}

/// Formats a document and writes it as HTML; returns the number of bytes.
fn write(compiled: &Compiled, items: &[Item], citations: &[Citation], options: &Options) -> usize {
    let formatted =
        csl::format(compiled, items, citations, options).expect("the budget is unlimited");
    let entries = formatted.bibliography.iter().flatten().map(|e| &e.content);
    let cites = formatted.citations.iter().chain(&formatted.markers);
    cites.chain(entries).map(|rich| rich.html().len()).sum()
}

/// One cite for every two items, in citations of one to four, some of works cited before.
fn citations(items: &[Item]) -> Vec<Citation> {
    let mut citations: Vec<Citation> = Vec::new();
    let mut cited = 0;
    while cited < items.len() / 2 {
        let note = citations.len() + 1;
        let cites = (0..=note % 4).map(|n| {
            // A stride coprime to the sizes visits all items.
            let at = (cited + n) * 37 % items.len();
            let back = if note.is_multiple_of(5) { at / 2 } else { at };
            Cite {
                id: items[back].id.clone(),
                ..Cite::default()
            }
        });
        let cites: Vec<Cite> = cites.collect();
        cited += cites.len();
        citations.push(Citation {
            id: note.to_string(),
            cites,
            note_number: note as u32,
            ..Citation::default()
        });
    }
    citations
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
